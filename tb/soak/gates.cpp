// SPDX-License-Identifier: MIT
// Long runs of the gates of the RTL, 64 chips in a word, beside the fast engine.
#include <array>
#include <memory>
#include <vector>

#include "fuzz/models.h"
#include "fuzz/seed_run.h"
#include "fuzz/words.h"
#include "soak/kinds.h"
#include "soak/pair.h"
#include <rdt/machine/engines/chip_view.h>
#include <rdt/machine/engines/fast_machine.h>
#include <rdt/machine/engines/gate_routers.h>

namespace rdt::tb::soak {
namespace {

// 64 nodes of the fast engine, with the gates beside each.
class GateMachine : public machine::FastMachine {
public:
    // From clock `spoil_at` on the gates of the last node read a pin wrongly.
    GateMachine(const machine::Config& config, uint64_t spoil_at)
        : FastMachine(config), m_spoil_at(spoil_at), m_gates(nodes()), m_pins(nodes()) {}

protected:
    void step(bool rst_n) override {
        const auto pins_of = [this](uint32_t n, uint32_t p) { return m_pins[n].link[p]; };
        for (uint32_t n = 0; n < nodes(); ++n)
            m_gates.set_inputs(n, rst_n ? inputs(n, pins_of) : inputs(n));
        if (now() >= m_spoil_at) m_gates.in(nodes() - 1, PortM1 / 2) ^= uint64_t(1) << 32;
        m_gates.settle(rst_n);
        FastMachine::step(rst_n);
        m_gates.edge();
        for (uint32_t n = 0; n < nodes(); ++n) m_pins[n] = machine::pins_of(*state(n));
        if (!rst_n) return;
        for (uint32_t n = 0; n < nodes(); ++n) {
            const std::string found = difference(m_gates.pins(n), m_pins[n]);
            if (!found.empty())
                throw machine::MachineError(
                    fmt::format("node {}: {} in cycle {}", n, found, now()));
        }
    }

private:
    uint64_t m_spoil_at;
    machine::GateRouters m_gates;
    std::vector<machine::ChipPins> m_pins;  // the fast engine, after the last cycle
};

// 64 chips under the fuzz.
class GateModels {
public:
    static constexpr uint32_t Together = 64;
    using PinsIn = std::array<const core::PinsIn*, Together>;

    explicit GateModels(uint64_t spoil_at) : m_spoil_at(spoil_at), m_gates(Together) {
        for (uint32_t c = 0; c < Together; ++c) m_views.emplace_back(m_groups[c / 4].fast, c % 4);
    }

    void clock(const PinsIn& in, bool rst_n) {
        for (uint32_t c = 0; c < Together; ++c) {
            m_gates.set_inputs(c, *in[c]);
            m_groups[c / 4].words.show(c % 4, *in[c]);
        }
        if (m_now >= m_spoil_at) m_gates.in(0, PortM1 / 2) ^= uint64_t(1) << 32;
        m_gates.settle(rst_n);
        m_gates.edge();
        for (uint32_t c = 0; c < Together; ++c) m_pins[c] = m_gates.pins(c);
        for (Group& group : m_groups) {
            if (rst_n) group.fast.clock(group.words);
            else group.fast.reset();
        }
        ++m_now;
    }

    const machine::ChipPins& pins(uint32_t chip) const { return m_pins[chip]; }
    const machine::ChipView<4>& state(uint32_t chip) const { return m_views[chip]; }

    std::string difference() const {
        for (uint32_t c = 0; c < Together; ++c) {
            const std::string found = soak::difference(m_pins[c], machine::pins_of(m_views[c]));
            if (!found.empty()) return fmt::format("chip {} of 64: {}", c, found);
        }
        return {};
    }

private:
    struct Group {
        fast::Chips<4> fast;
        fuzz::Words<4> words;
    };

    uint64_t m_spoil_at;
    uint64_t m_now = 0;
    machine::GateRouters m_gates;
    std::vector<Group> m_groups{Together / 4};
    std::array<machine::ChipPins, Together> m_pins;
    std::vector<machine::ChipView<4>> m_views;
};

Outcome run_machine(const Task& task) {
    GateMachine machine(config_of(task), task.spoil_at);
    return traffic_on(machine, task);
}

Outcome run_fuzz(const Task& task) {
    fuzz::Totals totals;
    fuzz::SeedRun<GateModels> run(task.seed, ~0u, totals, task.spoil_at);
    Outcome outcome{0, GateModels::Together, {}};
    while (outcome.clocks < task.clocks && outcome.error.empty()) {
        outcome.error = run.clock();
        ++outcome.clocks;
    }
    return outcome;
}
// The models that name the block are four chips; a seed of them is another one.
Outcome look_at_fuzz(const Task&) { return {0, 0, "not repeated with other models"}; }

const KindRegistration gates{{"gates", run_machine, look_at_machine}};
const KindRegistration gates_fuzz{{"gates_fuzz", run_fuzz, look_at_fuzz}};

}  // namespace
}  // namespace rdt::tb::soak
