// SPDX-License-Identifier: MIT
#include "common/chip_net.h"

#include <fmt/core.h>

#include <rdt/cosim/blame.h>

namespace rdt::tb {

ChipNet::ChipNet(uint32_t nodes, const std::string& name, uint64_t seed, const std::string& rerun)
    : WiredChips(nodes), m_clk("clk"), m_record(nodes), m_lockstep(name, seed, rerun) {
    for (uint32_t n = 0; n < nodes; ++n) {
        const std::string instance = fmt::format("n{}", n);
        Models models{std::make_unique<RtlChip<Vrdt_router>>(&m_context, instance),
                      std::make_unique<ScChip>(instance, m_clk),
                      {}};
        models.views = {machine::rtl_signal_view(*models.rtl, m_context, instance),
                        machine::module_signal_view("systemc", *models.systemc)};
        m_models.push_back(std::move(models));
    }
    for (uint32_t n = 0; n < nodes; ++n) compare_chip(n);
}

ChipNet::~ChipNet() { m_models.clear(); }

// The whole list of signals, and what comes in.
void ChipNet::compare_chip(uint32_t node) {
    const Models& models = m_models[node];
    for (size_t i = 0; i < machine::chip_signals().size(); ++i) {
        const machine::NamedSignal& s = machine::chip_signals()[i];
        const auto value = [&models, i](size_t side) {
            return [view = &models.views[side], i] { return view->value(i); };
        };
        m_lockstep.add(fmt::format("n{}.{}", node, s.name), s.signal->width, value(0), value(1));
    }
    const core::PinsIn* in = &chip(node).in;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const std::string at = fmt::format("n{}.{}.", node, to_string(Port(p)));
        m_lockstep.note(at + "d_i", FlitW, [in, p] { return in->link[p].d; });
        m_lockstep.note(at + "req_i", 2, [in, p] { return in->link[p].req; });
        m_lockstep.note(at + "cred_i", 2, [in, p] { return in->link[p].cred; });
    }
}

void ChipNet::clock_chips(bool rst_n) {
    for (uint32_t n = 0; n < nodes(); ++n) {
        m_record.add(chip(n).in, rst_n);
        m_models[n].rtl->drive(chip(n).in, rst_n);
        m_models[n].systemc->drive(chip(n).in, rst_n);
        m_models[n].rtl->edge();
    }
    m_clk.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
    m_clk.write(false);
    sc_core::sc_start(1, sc_core::SC_NS);
    for (uint32_t n = 0; n < nodes(); ++n) {
        chip(n).out = m_models[n].systemc->pins();
        for (machine::SignalView& view : m_models[n].views) view.read();
    }
    const auto difference = m_lockstep.compare();
    if (!difference || !error().empty()) return;
    uint32_t wrong = 0;
    while (machine::first_difference(m_models[wrong].views[0], m_models[wrong].views[1]) ==
           std::nullopt)
        ++wrong;
    fail(*difference + machine::blame(m_record, wrong));
}

}  // namespace rdt::tb
