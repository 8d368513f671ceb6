// SPDX-License-Identifier: MIT
// All-reduce of 64 nodes by routers that combine operands: every operation, on the fast engine and
// on the SystemC design, against the operands themselves. The result comes back with the next arm.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "common/dice.h"
#include "common/run_options.h"
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/barrier_traffic.h>

namespace rdt::machine {
namespace {

using core::Operand;
using core::Reduction;
using tb::Dice;

constexpr uint32_t Mbp = 1;
constexpr Reduction All[] = {Reduction::Or,       Reduction::And, Reduction::Max,
                             Reduction::Min,      Reduction::Add, Reduction::SignedMax,
                             Reduction::SignedMin};

// The reference: of numbers of `width` bits.
uint32_t reduced(Reduction r, const std::vector<uint32_t>& values, uint32_t width) {
    const uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
    const auto number = [width](uint32_t v) {
        return width == 32 ? int64_t(int32_t(v)) : int64_t(int16_t(v));
    };
    uint32_t sum = values[0];
    for (size_t i = 1; i < values.size(); ++i) {
        const uint32_t v = values[i];
        switch (r) {
        case Reduction::Or: sum |= v; break;
        case Reduction::And: sum &= v; break;
        case Reduction::Max: sum = std::max(sum, v); break;
        case Reduction::Min: sum = std::min(sum, v); break;
        case Reduction::Add: sum = (sum + v) & mask; break;
        case Reduction::SignedMax: sum = number(v) > number(sum) ? v : sum; break;
        case Reduction::SignedMin: sum = number(v) < number(sum) ? v : sum; break;
        }
    }
    return sum;
}

struct Figures {
    uint64_t results = 0;
    uint64_t until_result = 0;   // cycles from the last answer on, at the root
    uint64_t until_release = 0;  // ... until all nodes have the result
    std::string error;
    bool operator==(const Figures& o) const {
        return results == o.results && until_result == o.until_result &&
               until_release == o.until_release && error == o.error;
    }
};

class AllReduce {
public:
    AllReduce(const Config& config, uint64_t seed)
        : m_machine(make_machine(config)), m_width(config.reduce_width), m_rng(seed) {
        m_machine->bring_up();
        m_transport = std::make_unique<Transport>(*m_machine);
        m_arms.resize(m_machine->nodes());
        const Geometry& g = m_machine->geometry();
        while (g.rank(m_root) != 1) ++m_root;
        m_transport->on_delivery = [this](const Packet& packet, const Delivery& d) {
            if (packet.message.lane) receive(d);
        };
        m_transport->on_result = [this](const Packet&, const Operand& o) { m_result = o; };
        m_transport->on_ack = [this](const Packet&, uint32_t status) {
            m_status = status;
            m_is_answered = true;
        };
    }

    // All nodes answer at most `jitter` cycles after the arm; with `differs` one of them with
    // another operation.
    void reduce(Reduction r, uint32_t jitter, bool differs = false) {
        arm({});
        std::vector<uint32_t> values;
        std::vector<uint64_t> at;
        for (uint32_t n = 0; n < m_machine->nodes(); ++n) {
            values.push_back(m_width == 32 ? m_rng.bits(32) : m_rng.bits(16));
            at.push_back(m_machine->now() + m_rng.below(jitter + 1));
        }
        uint64_t last = 0;
        m_is_answered = false;
        for (uint32_t left = m_machine->nodes(); left != 0 && is_in_time(last);) {
            for (uint32_t n = 0; n < m_machine->nodes(); ++n) {
                if (at[n] != m_machine->now()) continue;
                const Reduction own = differs && n == 5 ? Reduction::Add : r;
                m_transport->answer(m_arms[n], 0, core::operand_for(own, values[n], m_width));
                --left;
                last = m_machine->now();
            }
            m_transport->clock();
        }
        while (!m_is_answered && is_in_time(last)) m_transport->clock();
        if (differs) {
            if (m_result.is_good) fail("operations that differ are not reported");
            return arm({0});
        }
        const uint32_t is = core::changed_for(r, m_result.value, m_width);
        const uint32_t should = reduced(r, values, m_width);
        if (!m_is_answered || m_status != 0 || !m_result.is_good) fail("no result");
        else if (is != should) fail(fmt::format("{:x} instead of {:x}", is, should));
        m_figures.until_result = std::max(m_figures.until_result, m_machine->now() - last);
        arm({is & 0xFFFF, is >> 16});
        for (const Delivery& d : m_arms)
            if (d.data.size() != 2 || (d.data[0] | d.data[1] << 16) != should) fail("not released");
        m_figures.until_release = std::max(m_figures.until_release, m_machine->now() - last);
        ++m_figures.results;
        finish();
    }
    const Figures& figures() const { return m_figures; }

private:
    bool is_in_time(uint64_t last) { return m_machine->now() < last + 5000 || last == 0; }
    void fail(const std::string& what) {
        if (m_figures.error.empty()) m_figures.error = what;
    }
    // Returns when all have it.
    void arm(std::initializer_list<uint64_t> data) {
        Message m;
        m.source = m_root;
        m.source_mbp = m.mbp = Mbp;
        m.maps = map_byte(0) | map_byte(1);
        m.wants_ack = m.lane = true;
        m.flits = LaneFlits;
        for (const uint64_t word : data) m.data.push_back(word);
        m_transport->send(m);
        m_num_armed = 0;
        for (uint32_t n = 0; n < 3000 && m_num_armed != m_machine->nodes(); ++n)
            m_transport->clock();
        if (m_num_armed != m_machine->nodes()) fail("an arm is lost");
    }
    // Answers of the release, without operands.
    void finish() {
        m_is_answered = false;
        for (const Delivery& d : m_arms) m_transport->answer(d, 0);
        for (uint32_t n = 0; n < 3000 && !m_is_answered; ++n) m_transport->clock();
        if (m_result.operation != ReduceNone || m_result.value != 0 || !m_result.is_good)
            fail("a result without operands");
    }
    void receive(const Delivery& d) {
        m_arms[d.node] = d;
        ++m_num_armed;
    }

    std::unique_ptr<Machine> m_machine;
    std::unique_ptr<Transport> m_transport;
    uint32_t m_width;
    Dice m_rng;
    uint32_t m_root = 0;
    std::vector<Delivery> m_arms;
    uint32_t m_num_armed = 0;
    Operand m_result;
    uint32_t m_status = 0;
    bool m_is_answered = false;
    Figures m_figures;
};

Figures run(Engine engine, uint32_t width, uint32_t rounds) {
    Config config;
    config.engine = engine;
    config.reduce_width = width;
    AllReduce all(config, tb::seed_or(1));
    for (uint32_t n = 0; n < rounds; ++n) all.reduce(All[n % std::size(All)], n % 3 * 50);
    return all.figures();
}

TEST(reductions, all_reduce_of_64_nodes_has_the_result_of_all_operands) {
    for (const uint32_t width : {16u, 32u}) {
        const Figures f = run(Engine::Fast, width, 210);
        EXPECT_EQ(f.error, "");
        EXPECT_EQ(f.results, 210u);
        EXPECT_LE(f.until_result, 50u);
        EXPECT_LE(f.until_release, 100u);
        fmt::print("{} bits: {} cycles until the root has the result, {} until all have it\n",
                   width, f.until_result, f.until_release);
    }
}

TEST(reductions, systemc_design_takes_the_same_cycles) {
    const Figures f = run(Engine::SystemC, 32, 7);
    EXPECT_EQ(f.error, "");
    EXPECT_TRUE(f == run(Engine::Fast, 32, 7));
}

TEST(reductions, different_operations_are_marked_as_invalid) {
    Config config;
    config.reduce_width = 32;
    AllReduce all(config, tb::seed_or(1));
    all.reduce(Reduction::Max, 20, true);
    EXPECT_EQ(all.figures().error, "");
}

TEST(reductions, operands_are_refused_where_routers_do_not_combine) {
    const std::unique_ptr<Machine> machine = make_machine({});
    machine->bring_up();
    Transport transport(*machine);
    EXPECT_THROW(transport.answer({}, 0, core::operand_for(Reduction::Add, 1, 32)),
                 std::invalid_argument);
    Config config;
    config.reduce_width = 8;
    EXPECT_THROW(make_machine(config), std::invalid_argument);
    config.reduce_width = 32;
    config.engine = Engine::Rtl;
    EXPECT_THROW(make_machine(config), std::invalid_argument);
}

Config with_reductions(uint32_t width, int side = 8) {
    Config config;
    config.side = side;
    config.reduce_width = width;
    return config;
}

// --traffic all-reduce.
RunResult run_traffic(Config config, uint64_t cycles, double flips = 0) {
    SyntheticOptions traffic;
    traffic.pattern = BarrierTraffic::AllReduceName;
    traffic.load = 0;
    traffic.seed = tb::seed_or(1);
    config.faults = flips > 0;
    set_ack_periods(config, traffic);
    const std::unique_ptr<Machine> machine = make_machine(config);
    machine->bring_up();
    BarrierTraffic workload(*machine, traffic);
    RunOptions options;
    options.warmup = 0;
    options.cycles = cycles;
    options.flips = flips;
    options.seed = traffic.seed;
    return machine::run(*machine, workload, options);
}

TEST(reductions, traffic_of_all_reduces_checks_every_result_at_every_node) {
    for (const uint32_t width : {16u, 32u}) {
        const RunResult r = run_traffic(with_reductions(width), 6'000);
        EXPECT_EQ(r.error, "");
        EXPECT_GT(r.workload["barriers"], 15);
        EXPECT_GE(r.workload["results"], 64 * int(r.workload["barriers"]));
        EXPECT_EQ(r.workload["results_wrong"], 0);
        EXPECT_LE(r.workload["barrier_latency_max"], 100);
    }
}

TEST(reductions, roots_combine_the_results_of_their_territories) {
    const RunResult r = run_traffic(with_reductions(32, 16), 3'000);
    EXPECT_EQ(r.error, "");
    EXPECT_GT(r.workload["barriers"], 5);
    EXPECT_GE(r.workload["results"], 256 * int(r.workload["barriers"]));
    EXPECT_EQ(r.workload["results_wrong"], 0);
}

TEST(reductions, results_after_inverted_pins_are_right) {
    const RunResult r = run_traffic(with_reductions(32), 150'000, 0.01);
    EXPECT_EQ(r.error, "");
    EXPECT_GT(r.workload["barrier_recoveries"], 0);
    EXPECT_GT(r.workload["barriers"], 50);
    EXPECT_EQ(r.workload["results_wrong"], 0);
}

TEST(reductions, systemc_routers_in_lockstep_have_the_same_pins) {
    Config config = with_reductions(32, 4);
    config.check = {Engine::SystemC};
    const RunResult both = run_traffic(config, 2'000);
    EXPECT_EQ(both.error, "");
    EXPECT_GT(both.compared_signals, 0u);
    EXPECT_GT(both.workload["results"], 100);
    EXPECT_EQ(both.workload, run_traffic(with_reductions(32, 4), 2'000).workload);
}

// Changes what the root gets in its answer to the fifth arm.
class Changed : public BarrierTraffic {
public:
    Changed(const Machine& machine, const SyntheticOptions& options,
            std::function<void(Operand&)> change)
        : BarrierTraffic(machine, options), m_change(std::move(change)) {}
    void clock(Transport& transport) override {
        BarrierTraffic::clock(transport);
        if (m_is_injected) return;
        m_is_injected = true;
        transport.on_result = [this, pass_on = transport.on_result](const Packet& p,
                                                                    const Operand& from_routers) {
            Operand operand = from_routers;
            if (p.message.user == 5 && m_change) std::exchange(m_change, nullptr)(operand);
            pass_on(p, operand);
        };
    }

private:
    std::function<void(Operand&)> m_change;
    bool m_is_injected = false;
};

RunResult run_changed(bool has_faults, const std::function<void(Operand&)>& change) {
    SyntheticOptions traffic;
    traffic.pattern = BarrierTraffic::AllReduceName;
    traffic.load = 0;
    Config config = with_reductions(16);
    config.faults = has_faults;
    set_ack_periods(config, traffic);
    const std::unique_ptr<Machine> machine = make_machine(config);
    machine->bring_up();
    Changed workload(*machine, traffic, change);
    RunOptions options;
    options.warmup = 0;
    options.cycles = 30'000;
    return machine::run(*machine, workload, options);
}

// An injected bug: one bit of a result is wrong.
TEST(reductions, wrong_result_is_reported) {
    const std::string error = run_changed(false, [](Operand& o) { o.value ^= 8; }).error;
    EXPECT_EQ(error.rfind("64 of ", 0), 0u) << error;
}

TEST(reductions, invalid_result_is_computed_again) {
    const RunResult r = run_changed(true, [](Operand& o) { o.is_good = false; });
    EXPECT_EQ(r.error, "");
    EXPECT_EQ(r.workload["results_invalid"], 1);
    EXPECT_EQ(r.workload["barrier_recoveries"], 1);
    EXPECT_GT(r.workload["barriers"], 6);
    EXPECT_EQ(r.workload["results_wrong"], 0);
    // Without faults it is an error.
    EXPECT_NE(run_changed(false, [](Operand& o) { o.is_good = false; }).error, "");
}

}  // namespace
}  // namespace rdt::machine
