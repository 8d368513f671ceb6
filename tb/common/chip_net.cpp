// SPDX-License-Identifier: MIT
#include "common/chip_net.h"

#include "machine/cosim/rtl_probe.h"

namespace rdt::tb {

ChipNet::ChipNet(uint32_t nodes, const std::string& name, uint64_t seed, const std::string& rerun)
    : WiredChips(nodes), m_clk("clk"), m_lockstep(name, seed, rerun) {
    for (uint32_t n = 0; n < nodes; ++n) {
        const std::string instance = fmt::format("n{}", n);
        m_models.push_back({std::make_unique<RtlChip<Vrdt_router>>(&m_context, instance),
                            std::make_unique<ScChip>(instance, m_clk)});
    }
    for (uint32_t n = 0; n < nodes; ++n) compare_chip(n);
}

ChipNet::~ChipNet() { m_models.clear(); }

// Every output pin, and every buffer's occupancy: what has been written, what
// waits, what is being read.
void ChipNet::compare_chip(uint32_t node) {
    RtlChip<Vrdt_router>* rtl = m_models[node].rtl.get();
    const ScChip* model = m_models[node].systemc.get();
    const core::PinsIn* in = &chip(node).in;
    const ChipPins* out = &chip(node).out;
    const auto pair = [&](const std::string& signal, unsigned width, auto of_rtl, auto of_model) {
        m_lockstep.add(fmt::format("n{}.{}", node, signal), width, of_rtl, of_model);
    };
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const std::string at = fmt::format("{}.", to_string(Port(p)));
        const core::LinkPinsOut* pins = &out->link[p];
        pair(
            at + "d_o", 18, [rtl, p] { return rtl->d_o(p); }, [pins] { return pins->d; });
        pair(
            at + "d_oe_o", 1, [rtl, p] { return rtl->d_oe_o(p); }, [pins] { return pins->oe; });
        pair(
            at + "req_o", 2, [rtl, p] { return rtl->req_o(p); }, [pins] { return pins->req; });
        pair(
            at + "cred_o", 2, [rtl, p] { return rtl->cred_o(p); }, [pins] { return pins->cred; });
        m_lockstep.note(fmt::format("n{}.{}d_i", node, at), 18, [in, p] { return in->link[p].d; });
        m_lockstep.note(fmt::format("n{}.{}req_i", node, at), 2,
                        [in, p] { return in->link[p].req; });
        m_lockstep.note(fmt::format("n{}.{}cred_i", node, at), 2,
                        [in, p] { return in->link[p].cred; });
        for (const machine::RtlProbe& probe :
             machine::probes_of(m_context, fmt::format("n{}", node), p))
            pair(at + probe.name, probe.width, probe.read,
                 [model, p, get = probe.of_model] { return get(model->state(), p); });
    }
    pair(
        "err_o", 1, [rtl] { return rtl->model().err_o; }, [out] { return out->err; });
    pair(
        "slice_o", 1, [rtl] { return rtl->model().slice_o; }, [out] { return out->slice; });
}

void ChipNet::clock_chips(bool rst_n) {
    for (uint32_t n = 0; n < nodes(); ++n) {
        m_models[n].rtl->drive(chip(n).in, rst_n);
        m_models[n].systemc->drive(chip(n).in, rst_n);
        m_models[n].rtl->edge();
    }
    m_clk.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
    m_clk.write(false);
    sc_core::sc_start(1, sc_core::SC_NS);
    for (uint32_t n = 0; n < nodes(); ++n) chip(n).out = m_models[n].systemc->pins();
    if (auto difference = m_lockstep.compare()) fail(*difference);
}

}  // namespace rdt::tb
