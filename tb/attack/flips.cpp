// SPDX-License-Identifier: MIT
// Pins that are inverted for a cycle, on 64 nodes under load: any pin that a chip or an MBP reads.
// Every packet is delivered once or its loss is reported by an end of that link or its sender; none
// comes twice; and the machine carries what it did before, soon after.
//
// RDT_FLIPS pins are inverted, selected by RDT_SEED (`make flips`).
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "common/run_options.h"
#include "common/watched_load.h"
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::tb {
namespace {

constexpr uint64_t Slice = WatchedLoad::Slice;
// A link that finds anything wrong is up again within 50 cycles. A lost credit, or that of a packet
// that was missed, is late after two slow ticks; what waited for it has then to drain. Unicasts are
// a third of the saturation rate; with the copies of multicasts it is more, and a multicast that
// waits for an MBP holds up others.
constexpr uint64_t RecoveryUnicasts = 6 * Slice;
constexpr uint64_t RecoveryMulticasts = 8 * Slice;
static_assert(RecoveryUnicasts >= 2 * SlowTick + 100 + 800);
// Packets that one flip of a pin of D, REQ, CRED may cost: found by exploring all states of a link
// (tb/model).
constexpr uint64_t MostLost[] = {2, 4, 0};
// A packet may have to wait behind one lost credit, or, if flips come at random, behind some, one
// after the other.
constexpr uint64_t AfterOne = RecoveryUnicasts + 1000;
constexpr uint64_t AfterSome = 5 * RecoveryUnicasts;
// An undisturbed multicast is answered within this time, with two ticks of TEnt (400) on its way.
constexpr uint64_t LongWait = 1200;
// A sender's queue is short again so long after its entry is free.
constexpr uint64_t QueueDrains = 2000;

struct Case {
    const char* name;
    double multicasts;
    uint64_t recovery;                                        // cycles after which all is as before
    uint64_t window() const { return recovery + 2 * Slice; }  // from flip to flip
};

machine::Config config() {
    machine::Config c;
    c.timeout = 500;
    c.t_ent = 400;
    c.t_ack = 2500;
    return c;
}

class Flips : public ::testing::TestWithParam<Case> {
protected:
    Flips() : m_random(seed_or(1) ^ 0xF11B5), m_machine(machine::make_machine(config())) {
        m_machine->bring_up();
    }
    // For unicasts: cycles from a packet's start until it is delivered or reported.
    void start(uint64_t deadline) {
        LoadOptions options;
        options.seed = seed_or(1);
        options.multicasts = GetParam().multicasts;
        // An answer takes two ticks of T_ent and two of T_ack at most at every level.
        options.deadline = GetParam().multicasts > 0 ? 16000 : deadline;
        m_load = std::make_unique<WatchedLoad>(*m_machine, options);
        m_load->is_held = [this](uint32_t node) { return is_held(node); };
        m_load->clocks(2 * Slice - m_machine->now() % Slice);
    }
    ~Flips() override { m_load.reset(); }

    // If a flip destroys an ack, the entry that waits for it is held: it answers at the second tick
    // of TAck, and quarantine ends at the sixth tick after that (R-ACK-5). A router has one entry
    // for the multicasts of its own MBPs; while it is held, they are answered RETRY, and packets
    // behind them are late.
    bool is_held(uint32_t node) {
        const fast::AckTable::Entry& own = m_machine->state(node)->ack().q().entry[1];
        OwnEntry& seen = m_own[node];
        if (seen.gen != own.gen) seen = {own.gen, m_machine->now(), seen.held_at};
        const bool is_late =
            own.st == fast::AckTable::Late || own.st == fast::AckTable::Quar ||
            (own.st == fast::AckTable::Wait && m_machine->now() > seen.since + LongWait);
        if (is_late) seen.held_at = m_machine->now();
        const bool held = seen.held_at != 0 && m_machine->now() < seen.held_at + QueueDrains;
        m_held += held ? 1 : 0;
        return held;
    }
    // After the last quarantine every entry is free again.
    void expect_free_entries() {
        m_load->clocks(8 * (m_machine->config().t_ack + 1), false);
        for (uint32_t node = 0; node < 64; ++node)
            for (const fast::AckTable::Entry& e : m_machine->state(node)->ack().q().entry)
                EXPECT_EQ(e.st, fast::AckTable::Free) << "node " << node;
    }

    // Mostly a pin with something on it, since most are idle at any time.
    void flip() {
        const uint32_t what = m_random.below(3);
        uint32_t node = 0;
        uint32_t port = 0;
        for (int tries = m_random.chance(75) ? 400 : 1; tries > 0; --tries) {
            node = m_random.below(64);
            port = m_random.below(NumPorts + 2);
            core::LinkPinsOut far;
            core::LinkPinsOut own;
            if (port >= machine::MbpReads) {
                far = m_machine->pins(node, port - machine::MbpReads + PortM0);
                own = m_machine->mbp(node, port - machine::MbpReads).pins();
            } else {
                far = m_machine->far_pins(node, port);
                own = m_machine->pins(node, port);
            }
            if (what == 0 ? far.oe : what == 1 ? far.req != 0 || own.req != 0 : far.cred != 0)
                break;
        }
        core::LinkPinsIn bits;
        if (what == 0) bits.d = 1u << m_random.below(FlitW);
        else (what == 1 ? bits.req : bits.cred) = 1u << m_random.bits(1);
        const bool at_mbp = port >= machine::MbpReads;
        m_where = fmt::format("node {} {} d {:05x} req {} cred {} in cycle {}, seed={}", node,
                              at_mbp ? "MBP" : to_string(Port(port)), bits.d, bits.req, bits.cred,
                              m_machine->now(), seed_or(1));
        m_machine->flip({node, port, bits});
        m_load->disturb(node, at_mbp ? port - machine::MbpReads + PortM0 : port, false,
                        MostLost[what]);
    }

    void finish() {
        m_load->clocks(GetParam().recovery);
        EXPECT_TRUE(m_load->drain(20000)) << "packets are stuck";
        expect_free_entries();
        m_load->close();
        EXPECT_EQ(m_load->wrong(), "") << "last flip: " << m_where;
        EXPECT_LT(20 * m_held, m_load->sent()) << "packets behind held entries";
        RecordProperty("scoreboard", m_load->summary());
        fmt::print("           {}\n           {} sent behind a held entry\n", m_load->summary(),
                   m_held);
    }

    static uint64_t flips() { return from_environment("RDT_FLIPS", 150); }

    Dice m_random;
    std::unique_ptr<machine::Machine> m_machine;
    std::unique_ptr<WatchedLoad> m_load;
    std::string m_where;
    // The entry of tag 1, as it was seen last.
    struct OwnEntry {
        uint32_t gen = 0;
        uint64_t since = 0;    // cycle in which this multicast got it, or soon after
        uint64_t held_at = 0;  // last cycle in which it was held for long
    };
    std::array<OwnEntry, 64> m_own{};
    uint64_t m_held = 0;  // packets
};
INSTANTIATE_TEST_SUITE_P(flips, Flips,
                         ::testing::Values(Case{"unicasts", 0, RecoveryUnicasts},
                                           Case{"multicasts", 0.05, RecoveryMulticasts}),
                         [](const auto& p) { return p.param.name; });

// The harness itself: without a flip everything arrives in time.
TEST_P(Flips, none_at_all_costs_nothing) {
    start(AfterOne);
    const uint64_t from = m_machine->now();
    m_load->clocks(20 * GetParam().window());
    EXPECT_EQ(m_load->share(from, m_machine->now() - Slice), 1.0);
    finish();
    EXPECT_EQ(m_load->delivered(), m_load->sent());
    EXPECT_EQ(m_load->lost(), 0u);
}

TEST_P(Flips, one_after_the_other_is_survived) {
    start(AfterOne);
    const uint64_t recovery = GetParam().recovery;
    const uint64_t window = GetParam().window();
    std::string before;
    for (uint64_t n = 0; n < flips(); ++n) {
        const uint64_t from = m_machine->now();
        const uint64_t wait = m_random.below(80);
        m_load->clocks(wait);
        flip();
        m_load->clocks(window - wait);
        // Figures of the previous window: packets of this one may still be in flight.
        if (n > 0) {
            const double share = m_load->share(from - window + recovery, from);
            ASSERT_GE(share, 0.99) << "of the packets sent " << recovery << " to " << window
                                   << " cycles after flip " << n - 1 << ": " << before;
        }
        ASSERT_EQ(m_load->wrong(), "") << "flip " << n << ": " << m_where << "\nbefore: " << before;
        before = m_where;
    }
    finish();
}

TEST_P(Flips, a_hundred_at_random_times_are_survived) {
    constexpr uint64_t Hundred = 100;
    constexpr uint64_t Clocks = 20000;  // for them
    start(AfterSome);
    for (uint64_t n = 0; n < std::max(flips() / Hundred, uint64_t(1)); ++n) {
        for (uint64_t clock = 0; clock < Clocks; ++clock) {
            if (m_random.below(Clocks) < Hundred) flip();
            m_load->clocks(1);
        }
        m_load->clocks(GetParam().recovery);
        const uint64_t from = m_machine->now();
        m_load->clocks(3 * Slice);
        ASSERT_GE(m_load->share(from, from + 2 * Slice), 0.99) << "run " << n << ": " << m_where;
        ASSERT_EQ(m_load->wrong(), "") << "run " << n << ", last flip: " << m_where;
    }
    finish();
}

// As `rdt run --load 0.2 --flips 0.1`: a pin in ten cycles.
class Noise : public ::testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(flips, Noise, ::testing::Values(1, 2, 3, 4, 5));

TEST_P(Noise, one_inverted_pin_in_ten_cycles_leaves_95_percent_of_the_throughput) {
    const auto machine = machine::make_machine({});
    machine->bring_up();
    machine::SyntheticOptions traffic;
    traffic.load = 0.2;
    traffic.seed = GetParam();
    machine::Synthetic workload(*machine, traffic);
    machine::RunOptions options;
    options.cycles = cycles_or(20000);
    options.flips = 0.1;
    options.seed = GetParam();
    const machine::RunResult result = machine::run(*machine, workload, options);
    EXPECT_EQ(result.error, "");
    EXPECT_GE(result.accepted, 0.19) << "flits per node and cycle; seed=" << GetParam();
}

}  // namespace
}  // namespace rdt::tb
