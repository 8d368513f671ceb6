// SPDX-License-Identifier: MIT
#include "machine/engines/lockstep_machine.h"

#include <fmt/core.h>

#include "Vrdt_router___024root.h"

namespace rdt::machine {

namespace {

const EngineKind kind{Engine::Lockstep, [](const Config& config) -> std::unique_ptr<Machine> {
                          return std::make_unique<LockstepMachine>(config);
                      }};

}  // namespace

LockstepMachine::LockstepMachine(const Config& config) : SystemcMachine(config), m_beside(nodes()) {
    for (uint32_t n = 0; n < nodes(); ++n) {
        const std::string name = fmt::format("n{}", n);
        m_beside[n].rtl = std::make_unique<RtlChip<Vrdt_router>>(&m_context, name);
        for (uint32_t p = 0; p < NumPorts; ++p)
            m_beside[n].probes[p] = probes_of(m_context, name, p);
    }
    m_signals = nodes() * sides(0)[0].signals.size();
}

std::vector<NodeSide> LockstepMachine::sides(uint32_t node) {
    return {rtl_side(*m_beside[node].rtl, m_context, fmt::format("n{}", node), true),
            model_side("systemc", *state(node))};
}

bool LockstepMachine::is_equal(uint32_t node) const {
    const Beside& b = m_beside[node];
    const fast::ChipState& model = *state(node);
    const ChipPins rtl = b.rtl->pins();
    bool equal = rtl.err == model.err();
    for (uint32_t p = 0; p < NumPorts; ++p) {
        equal = equal && Wire(rtl.link[p]) == Wire(model.pins(p));
        for (const RtlProbe& probe : b.probes[p])
            equal = equal && probe.read() == probe.of_model(model, p);
    }
    return equal;
}

// The first signal of a node in which its two sides differ.
std::string LockstepMachine::difference(uint32_t node) {
    const std::vector<NodeSide> both = sides(node);
    for (size_t i = 0; i < both[0].signals.size(); ++i) {
        const uint64_t rtl = both[0].signals[i].read();
        const uint64_t model = both[1].signals[i].read();
        if (rtl == model) continue;
        constexpr uint64_t Before = 200;
        return fmt::format(
            "difference at clock {0}: n{1}.{2} rtl={3:#x} systemc={4:#x}\n  seed={5}\n"
            "  rerun: {6}\n  with its waveform: {6} --wave n{1}.fst --wave-nodes {1} "
            "--wave-from {7}",
            now(), node, both[0].signals[i].name, rtl, model, config().seed, config().rerun,
            now() < Before ? 0 : now() - Before);
    }
    return fmt::format("difference at clock {} in node {}", now(), node);
}

void LockstepMachine::step(bool rst_n) {
    SystemcMachine::step(rst_n);
    for (uint32_t n = 0; n < nodes(); ++n) {
        m_beside[n].rtl->drive(inputs(n), rst_n);
        m_beside[n].rtl->edge();
        if (rst_n && !is_equal(n)) throw MachineError(difference(n));
    }
    if (m_context.gotError()) throw MachineError("assertion in the RTL");
}

size_t LockstepMachine::bytes() const {
    return SystemcMachine::bytes() +
           nodes() * (sizeof(Vrdt_router) + sizeof(Vrdt_router___024root));
}

}  // namespace rdt::machine
