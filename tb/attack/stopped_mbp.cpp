// SPDX-License-Identifier: MIT
// An MBP that takes no packets any more, on a machine of 64 nodes under load.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "common/engines.h"
#include "common/run_options.h"
#include "common/watched_load.h"
#include <rdt/machine/packets.h>

namespace rdt::tb {
namespace {

constexpr uint32_t Victim = 27;
constexpr uint32_t Tick = 500;
// The MBP counts as dead after two ticks; until then its packets fill the machine, and the backlog
// takes as long to drain.
constexpr uint64_t Sinks = 4 * Tick;
constexpr uint64_t Stopped = 10000;  // cycles

class StoppedMbp {
public:
    StoppedMbp(uint32_t m, bool sink, Models models = Models::Fast) : m_mbp(m) {
        machine::Config config;
        use(models, config);
        config.event_driven = false;  // MBPs hold packets back
        config.timeout = sink ? Tick : 0;
        config.sink = sink;
        m_machine = machine::make_machine(config);
        m_machine->bring_up();
        LoadOptions options;
        options.seed = seed_or(1);
        options.deadline = 20000;
        m_load = std::make_unique<WatchedLoad>(*m_machine, options);
        m_load->counts = [](uint32_t, uint32_t to) { return to != Victim; };
    }
    ~StoppedMbp() { m_load.reset(); }

    void run(uint64_t before, uint64_t stopped, uint64_t after) {
        m_load->clocks(before);
        stop_at = m_load->now();
        const uint64_t until = stop_at + stopped;
        m_machine->mbp(Victim, m_mbp).hold = [this, until] {
            return m_machine->now() < until ? until - m_machine->now() : 0;
        };
        m_load->disturb(Victim, PortM0 + m_mbp, true);
        m_load->clocks(stopped);
        go_at = m_load->now();
        m_load->clocks(after);
    }

    // Flits per node and cycle that all MBPs received.
    double rate(uint64_t from, uint64_t to) const {
        constexpr uint64_t Slice = WatchedLoad::Slice;
        uint64_t sum = 0;
        uint64_t slices = 0;
        for (uint64_t s = (from + Slice - 1) / Slice; s < to / Slice; ++s, ++slices)
            sum += m_load->received(s);
        return double(sum) / double(slices * Slice * WatchedLoad::Nodes);
    }
    void show(const char* name) const {
        const uint64_t now = m_load->now();
        fmt::print(
            "           {}: share of the others' packets in time, and flits received by a "
            "node in a cycle, before {:.3f} {:.3f}, during {:.3f} {:.3f}, after {:.3f} "
            "{:.3f}\n",
            name, m_load->share(500, stop_at), rate(500, stop_at),
            m_load->share(stop_at + Sinks, go_at - 500), rate(stop_at + Sinks, go_at),
            m_load->share(go_at + Sinks, now - 500), rate(go_at + Sinks, now));
    }
    // Only the victim sank anything, at this port alone.
    void check_registers() const {
        for (uint32_t n = 0; n < WatchedLoad::Nodes; ++n) {
            const core::Config& registers = m_machine->state(n)->local().q().cfg;
            EXPECT_EQ(registers.sunk_cnt != 0, n == Victim) << "node " << n;
            EXPECT_EQ(registers.sync_cnt, 0u) << "node " << n;
        }
    }

    // The value of a register of the victim's node.
    uint64_t read(uint32_t reg) {
        uint64_t value = None;
        machine::Endpoint& end = m_machine->mbp(Victim, 0);
        const auto usual = end.on_receive;
        end.on_receive = [&](const machine::Endpoint::Received& r) {
            if (get(r.flits[0], H0Type) == int(TypeSetup)) value = payload_of(r.flits[4]);
        };
        const Flits ask = encode_read(reg);
        end.send(0, {ask.begin(), ask.end()});
        for (int n = 0; n < 2000 && value == None; ++n) m_machine->clock();
        end.on_receive = usual;
        EXPECT_NE(value, None) << "no answer to a read of register " << reg;
        return value == None ? 0 : value;
    }

    WatchedLoad& load() { return *m_load; }
    uint64_t stop_at = 0;
    uint64_t go_at = 0;

private:
    static constexpr uint64_t None = ~uint64_t(0);
    static Flits encode_read(uint32_t reg) {
        PacketSpec p;
        p.type = TypeSetup;
        p.body = {reg};
        return encode(p);
    }

    uint32_t m_mbp;
    std::unique_ptr<machine::Machine> m_machine;
    std::unique_ptr<WatchedLoad> m_load;
};

// Without Sink the machine waits, and loses nothing.
TEST(stopped_mbp, without_sink_is_back_pressure_only) {
    StoppedMbp run(1, false);
    run.run(4000, Stopped, 10000);
    run.show("without Sink");
    EXPECT_TRUE(run.load().drain(100000)) << "packets are stuck";
    run.load().close();
    EXPECT_EQ(run.load().wrong(), "");
    EXPECT_EQ(run.load().delivered(), run.load().sent());
}

TEST(stopped_mbp, with_sink_leaves_the_others_their_throughput) {
    StoppedMbp run(1, true);
    run.run(4000, Stopped, 10000);
    WatchedLoad& load = run.load();
    const double during = load.share(run.stop_at + Sinks, run.go_at - 500);
    const double after = load.share(run.go_at + Sinks, load.now() - 500);
    EXPECT_GE(during, 0.95) << "share of the others' packets that came in time";
    EXPECT_GE(after, 0.99);
    run.show("with Sink");
    EXPECT_TRUE(load.drain(20000)) << "packets are stuck";
    load.close();
    EXPECT_EQ(load.wrong(), "");
    // Nothing is silent.
    EXPECT_GT(load.reports(Victim, ErrSunk), 0u);
    const uint64_t sunk = run.read(RegSunkCnt);
    EXPECT_GT(sunk, Stopped / 320) << "half of what MBP 1 should have got";
    EXPECT_EQ(load.delivered() + sunk, load.sent());
    run.check_registers();
}

// MBP 0 receives all reports; for it, the counters and the error pin are checked.
TEST(stopped_mbp, mbp_0_with_sink_leaves_the_others_their_throughput) {
    StoppedMbp run(0, true);
    run.run(4000, Stopped, 10000);
    WatchedLoad& load = run.load();
    EXPECT_GE(load.share(run.stop_at + Sinks, run.go_at - 500), 0.95);
    EXPECT_GE(load.share(run.go_at + Sinks, load.now() - 500), 0.99);
    EXPECT_TRUE(load.drain(20000)) << "packets are stuck";
    load.close();
    EXPECT_EQ(load.wrong(), "");
    EXPECT_GE(load.delivered() + run.read(RegSunkCnt), load.sent());
    run.show("MBP 0, with Sink");
    run.check_registers();
}

TEST(stopped_mbp, with_sink_in_both_models) {
    StoppedMbp run(1, true, Models::Checked);
    run.run(500, 3500, 2000);
    WatchedLoad& load = run.load();
    EXPECT_GE(load.share(run.stop_at + Sinks, run.go_at - 500), 0.95);
    EXPECT_GE(load.share(run.go_at + 500, load.now() - 500), 0.95);
    EXPECT_TRUE(load.drain(4000)) << "packets are stuck";
    load.close();
    EXPECT_EQ(load.wrong(), "");
    EXPECT_EQ(load.delivered() + run.read(RegSunkCnt), load.sent());
}

}  // namespace
}  // namespace rdt::tb
