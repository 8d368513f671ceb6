// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/lockstep_machine.h>

#include <fmt/core.h>

#include "Vrdt_router___024root.h"
#include <rdt/machine/cosim/blame.h>

namespace rdt::machine {

namespace {

const EngineKind kind{Engine::Lockstep, [](const Config& config) -> std::unique_ptr<Machine> {
                          return std::make_unique<LockstepMachine>(config);
                      }};

}  // namespace

LockstepMachine::LockstepMachine(const Config& config)
    : SystemcMachine(config), m_beside(nodes()), m_record(nodes()) {
    for (uint32_t n = 0; n < nodes(); ++n) {
        m_beside[n].rtl = std::make_unique<RtlChip<Vrdt_router>>(&m_context, fmt::format("n{}", n));
        m_beside[n].faces = faces(n);
    }
}

std::vector<Face> LockstepMachine::faces(uint32_t node) {
    return {rtl_face(*m_beside[node].rtl, m_context, fmt::format("n{}", node)),
            model_face("systemc", *state(node))};
}

std::string LockstepMachine::difference(uint32_t node, size_t signal) {
    constexpr uint64_t Before = 200;
    const std::vector<Face>& both = m_beside[node].faces;
    return fmt::format(
        "difference at clock {0}: n{1}.{2} rtl={3:#x} systemc={4:#x}\n  seed={5}\n"
        "  rerun: {6}\n  with its waveform: {6} --wave n{1}.fst --wave-nodes {1} "
        "--wave-from {7}{8}",
        now(), node, chip_signals()[signal].name, both[0].value(signal), both[1].value(signal),
        config().seed, config().rerun, now() < Before ? 0 : now() - Before, blame(m_record, node));
}

void LockstepMachine::step(bool rst_n) {
    SystemcMachine::step(rst_n);
    for (uint32_t n = 0; n < nodes(); ++n) m_record.add(inputs(n), rst_n);
    for (uint32_t n = 0; n < nodes(); ++n) {
        m_beside[n].rtl->drive(inputs(n), rst_n);
        m_beside[n].rtl->edge();
        if (!rst_n) continue;
        std::vector<Face>& both = m_beside[n].faces;
        for (Face& face : both) face.read();
        if (const auto signal = first_difference(both[0], both[1]))
            throw MachineError(difference(n, *signal));
    }
    if (m_context.gotError()) throw MachineError("assertion in the RTL");
}

size_t LockstepMachine::bytes() const {
    return SystemcMachine::bytes() +
           nodes() * (sizeof(Vrdt_router) + sizeof(Vrdt_router___024root));
}

}  // namespace rdt::machine
