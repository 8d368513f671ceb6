// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/lockstep_machine.h>

#include <fmt/core.h>

#include <deque>

#include "Vrdt_router___024root.h"
#include <rdt/machine/cosim/blame.h>
#include <rdt/machine/cosim/lockstep.h>

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

// Both sides were equal up to the last clock, so what one has shown is kept of both.
void LockstepMachine::keep(uint32_t node) {
    Beside& beside = m_beside[node];
    const size_t signals = chip_signals().size();
    beside.last.resize(Lockstep::WaveClocks * signals);
    uint64_t* const row = &beside.last[now() % Lockstep::WaveClocks * signals];
    for (size_t i = 0; i < signals; ++i) row[i] = beside.faces[0].value(i);
}

// The last clocks of the node once more, for the report of their end.
std::string LockstepMachine::difference(uint32_t node) {
    const Beside& beside = m_beside[node];
    const size_t signals = chip_signals().size();
    std::deque<core::PinsIn> inputs;
    for (PinRecord::Reader pins(m_record, node); pins.next();) {
        inputs.push_back(pins.in());
        if (inputs.size() > Lockstep::WaveClocks) inputs.pop_front();
    }
    uint64_t clock = now() < Lockstep::WaveClocks ? 0 : now() - Lockstep::WaveClocks + 1;
    Lockstep last(fmt::format("lockstep_n{}", node), config().seed, config().rerun, clock);
    for (size_t i = 0; i < signals; ++i) {
        const auto value = [&, i](size_t side) {
            return [&, i, side] {
                return clock == now() ? beside.faces[side].value(i)
                                      : beside.last[clock % Lockstep::WaveClocks * signals + i];
            };
        };
        const NamedSignal& s = chip_signals()[i];
        last.add(fmt::format("n{}.{}", node, s.name), s.signal->width, value(0), value(1));
    }
    const auto in = [&]() -> const core::PinsIn& {
        return inputs[inputs.size() - 1 - (now() - clock)];
    };
    if (!inputs.empty())
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const std::string at = fmt::format("n{}.{}.", node, to_string(Port(p)));
            last.note(at + "d_i", FlitW, [&, p] { return in().link[p].d; });
            last.note(at + "req_i", 2, [&, p] { return in().link[p].req; });
            last.note(at + "cred_i", 2, [&, p] { return in().link[p].cred; });
        }
    std::optional<std::string> report;
    for (; !report && clock <= now(); ++clock) report = last.compare();
    return *report + blame(m_record, node);
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
        if (first_difference(both[0], both[1])) throw MachineError(difference(n));
        keep(n);
    }
    if (m_context.gotError()) throw MachineError("assertion in the RTL");
}

size_t LockstepMachine::bytes() const {
    return SystemcMachine::bytes() +
           nodes() * (sizeof(Vrdt_router) + sizeof(Vrdt_router___024root));
}

}  // namespace rdt::machine
