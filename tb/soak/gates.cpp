// SPDX-License-Identifier: MIT
// Long runs of the gates of the RTL beside the fast engine. A word of the gates has the routers of
// four seeds; the fast engine is some cycles ahead, so that one seed's registers stay in the cache.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "fuzz/models.h"
#include "fuzz/seed_run.h"
#include "fuzz/words.h"
#include "soak/kinds.h"
#include "soak/pair.h"
#include "soak/recording.h"
#include <rdt/machine/engines/chip_view.h>
#include <rdt/machine/engines/fast_machine.h>

namespace rdt::tb::soak {
namespace {

using machine::PinWordLinks;
using machine::PinWords;

constexpr uint32_t Runs = 4;
constexpr uint32_t Routers = 64;  // per run
constexpr size_t Batch = 128;     // cycles per run, before the gates have theirs

// 64 nodes of the fast engine. From cycle `spoil_at` on the last node is recorded as if it had read
// a pin wrongly.
class RecordedMachine : public machine::FastMachine {
public:
    RecordedMachine(const machine::Config& config, uint64_t spoil_at, Recording& recording)
        : FastMachine(config), m_spoil_at(spoil_at), m_recording(recording), m_links(geometry()) {
        read_pins(m_pins.data());
    }

protected:
    void step(bool rst_n) override {
        Cycle& cycle = m_recording.add();
        cycle.rst_n = rst_n;
        read_inputs(cycle.in);
        FastMachine::step(rst_n);
        read_pins(m_pins.data());
        cycle.out = m_pins;
    }
    bool can_skip(uint64_t) const override { return false; }  // all cycles are compared

private:
    void read_inputs(machine::GateRouters::PinWordsOf64& in) const {
        const auto out = [this](uint32_t n, uint32_t w) { return m_pins[n][w]; };
        for (uint32_t n = 0; n < Routers; ++n) {
            if (disturbances().are_at(n)) {
                in[n] = machine::pin_words(inputs(n));
                continue;
            }
            for (uint32_t w = 0; w < PinWordLinks::NetworkWords; ++w)
                in[n][w] = m_links.seen_by(n, w, out);
            in[n][PinWordLinks::MbpWord] =
                PinWordLinks::seen_of_mbps(mbp(n, 0).pins(), mbp(n, 1).pins());
            in[n][0] |= uint64_t(slice_seen(n)) << machine::pin_field::Slice;
        }
        if (now() >= m_spoil_at) in[Routers - 1][PortM1 / 2] ^= uint64_t(1) << 32;
    }

    uint64_t m_spoil_at;
    Recording& m_recording;
    PinWordLinks m_links;
    machine::GateRouters::PinWordsOf64 m_pins;  // after the last cycle
};

class MachineRun : public RecordedRun {
public:
    explicit MachineRun(const Task& task)
        : m_machine(config_of(task), task.spoil_at, recording), m_traffic(m_machine, task) {}
    bool step() override { return m_traffic.step(); }
    std::string error() override { return m_traffic.error(); }

private:
    RecordedMachine m_machine;
    MachineTraffic m_traffic;
};

// 64 chips of the fast engine under the fuzz.
class FuzzedChips {
public:
    static constexpr uint32_t Together = Routers;
    using PinsIn = std::array<const core::PinsIn*, Together>;

    FuzzedChips(uint64_t spoil_at, Recording& recording)
        : m_spoil_at(spoil_at), m_recording(recording) {
        for (uint32_t c = 0; c < Together; ++c) m_views.emplace_back(m_groups[c / 4].fast, c % 4);
    }

    void clock(const PinsIn& in, bool rst_n) {
        Cycle& cycle = m_recording.add();
        cycle.rst_n = rst_n;
        for (uint32_t c = 0; c < Together; ++c) {
            cycle.in[c] = machine::pin_words(*in[c]);
            m_groups[c / 4].words.show(c % 4, *in[c]);
        }
        if (m_now >= m_spoil_at) cycle.in[0][PortM1 / 2] ^= uint64_t(1) << 32;
        for (Group& group : m_groups) {
            if (rst_n) group.fast.clock(group.words);
            else group.fast.reset();
        }
        for (uint32_t c = 0; c < Together; ++c) {
            cycle.out[c] = machine::pin_words(m_groups[c / 4].fast, c % 4);
            m_pins[c] = machine::unpack(cycle.out[c]);
        }
        ++m_now;
    }

    const machine::ChipPins& pins(uint32_t chip) const { return m_pins[chip]; }
    const machine::ChipView<4>& state(uint32_t chip) const { return m_views[chip]; }
    std::string difference() const { return {}; }  // the gates come later

private:
    struct Group {
        fast::Chips<4> fast;
        fuzz::Words<4> words;
    };

    uint64_t m_spoil_at;
    uint64_t m_now = 0;
    Recording& m_recording;
    std::vector<Group> m_groups{Together / 4};
    std::array<machine::ChipPins, Together> m_pins;
    std::vector<machine::ChipView<4>> m_views;
};

class FuzzRun : public RecordedRun {
public:
    explicit FuzzRun(const Task& task)
        : m_run(task.seed, ~0u, m_totals, task.spoil_at, recording), m_left(task.clocks) {}
    bool step() override {
        if (m_left == 0) return false;
        --m_left;
        m_run.clock();
        return true;
    }

private:
    fuzz::Totals m_totals;
    fuzz::SeedRun<FuzzedChips> m_run;
    uint64_t m_left;
};

// The gates beside recorded runs.
template <typename Run>
class Comparison {
public:
    explicit Comparison(const Task& task)
        : m_seed(task.seed), m_clocks(task.clocks), m_gates(Runs * Routers) {
        for (uint32_t r = 0; r < Runs; ++r) {
            Task one = task;
            one.seed += r;
            m_runs.push_back(std::make_unique<Run>(one));
        }
    }

    Outcome run() {
        while (m_now < m_clocks && m_error.empty()) {
            uint64_t recorded = record();
            if (recorded == 0) break;
            for (; recorded != 0 && m_now < m_clocks && m_error.empty(); --recorded) clock();
        }
        for (uint32_t r = 0; r < Runs && m_error.empty(); ++r) fail(r, m_runs[r]->error());
        if (m_now < m_clocks) fail(0, "a run ended early");
        return {m_now, Runs * Routers, m_error, Runs, m_error_at};
    }

private:
    // Cycles of all runs.
    uint64_t record() {
        size_t recorded = ~size_t(0);
        for (const auto& run : m_runs) {
            while (run->recording.size() < Batch && run->step()) {
            }
            recorded = std::min(recorded, run->recording.size());
        }
        return recorded;
    }

    void clock() {
        std::array<const Cycle*, Runs> cycles;
        for (uint32_t r = 0; r < Runs; ++r) {
            cycles[r] = &m_runs[r]->recording.take();
            m_gates.settle(r * Routers, cycles[r]->in, cycles[r]->rst_n);
        }
        m_gates.edge();
        for (uint32_t r = 0; r < Runs; ++r)
            if (!m_gates.shows(r * Routers, cycles[r]->out)) fail(r, difference(r, *cycles[r]));
        ++m_now;
    }

    std::string difference(uint32_t r, const Cycle& cycle) const {
        for (uint32_t n = 0; n < Routers; ++n) {
            const std::string found =
                soak::difference(m_gates.pins(r * Routers + n), machine::unpack(cycle.out[n]));
            if (!found.empty())
                return fmt::format("router {} of 64: {} in cycle {}", n, found, m_now);
        }
        return "pins that no router has";
    }

    void fail(uint32_t run, const std::string& error) {
        if (error.empty() || !m_error.empty()) return;
        m_error = fmt::format("seed {}: {}", m_seed + run, error);
        m_error_at = run;
    }

    const uint64_t m_seed;
    const uint64_t m_clocks;
    uint64_t m_now = 0;
    machine::GateRouters m_gates;
    std::vector<std::unique_ptr<Run>> m_runs;
    std::string m_error;
    uint64_t m_error_at = 0;
};

template <typename Run>
Outcome compare(const Task& task) {
    return Comparison<Run>(task).run();
}
// The models that name the block are four chips; a seed of them is another one.
Outcome look_at_fuzz(const Task&) { return {0, 0, "not repeated with other models"}; }

const KindRegistration gates{{"gates", compare<MachineRun>, look_at_machine}};
const KindRegistration gates_fuzz{{"gates_fuzz", compare<FuzzRun>, look_at_fuzz}};

}  // namespace
}  // namespace rdt::tb::soak
