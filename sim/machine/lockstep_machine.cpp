// SPDX-License-Identifier: MIT
#include "machine/lockstep_machine.h"

#include <fmt/core.h>

#include "machine/rtl_probe.h"

namespace rdt::machine {

LockstepMachine::LockstepMachine(const Config& config)
    : SystemcMachine(config), m_lockstep("rdt_machine", config.seed, config.rerun) {
    for (uint32_t n = 0; n < nodes(); ++n)
        m_rtl.push_back(std::make_unique<RtlChip<Vrdt_router>>(&context(), fmt::format("n{}", n)));
    for (uint32_t n = 0; n < nodes(); ++n) compare(n);
}

void LockstepMachine::compare(uint32_t node) {
    RtlChip<Vrdt_router>* rtl = m_rtl[node].get();
    const core::Router* model = state(node);
    const auto pair = [&](const std::string& signal, unsigned width, auto of_rtl, auto of_model) {
        m_lockstep.add(fmt::format("n{}.{}", node, signal), width, of_rtl, of_model);
    };
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const std::string at = fmt::format("{}.", to_string(Port(p)));
        pair(
            at + "d_o", FlitW, [=] { return rtl->d_o(p); }, [=] { return model->pins(p).d; });
        pair(
            at + "d_oe_o", 1, [=] { return rtl->d_oe_o(p); }, [=] { return model->pins(p).oe; });
        pair(
            at + "req_o", 2, [=] { return rtl->req_o(p); }, [=] { return model->pins(p).req; });
        pair(
            at + "cred_o", 2, [=] { return rtl->cred_o(p); }, [=] { return model->pins(p).cred; });
        for (const RtlProbe& probe : probes_of(context(), fmt::format("n{}", node), p))
            pair(at + probe.name, probe.width, probe.read,
                 [model, p, get = probe.of_model] { return get(*model, p); });
    }
    pair(
        "err_o", 1, [=] { return rtl->model().err_o; }, [=] { return model->err(); });
}

void LockstepMachine::step(bool rst_n) {
    SystemcMachine::step(rst_n);
    for (uint32_t n = 0; n < nodes(); ++n) {
        m_rtl[n]->drive(inputs(n), rst_n);
        m_rtl[n]->edge();
    }
    if (context().gotError()) throw MachineError("assertion in the RTL");
    if (const auto difference = m_lockstep.compare()) throw MachineError(*difference);
}

size_t LockstepMachine::bytes() const {
    return SystemcMachine::bytes() + nodes() * sizeof(Vrdt_router);
}

}  // namespace rdt::machine
