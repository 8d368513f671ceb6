// SPDX-License-Identifier: MIT
// Spacing of acks, round-robin order, and acks that no line accepts.
#include "block/inject_bench.h"

namespace rdt::tb {

using inject_turns = BlockTest;

// The distance is counted in rounds for all ports together, so it depends on when in a round an ack
// goes; an ack of another port sets the phase here.
TEST_F(inject_turns, acks_are_at_least_the_gap_apart_on_a_link_and_no_more_than_two) {
    InjectBench b;
    uint32_t least = 100, most = 0;
    for (uint32_t phase = 0; phase < 2 * AckGap; ++phase) {
        b.restart();
        b.send(2);
        b.tick(3 + phase);
        b.settle();
        b.send(5);
        const uint64_t first = b.clock();
        EXPECT_EQ(b.busy() >> 5 & 1, 1u);
        b.until_free(5);
        b.send(5);
        const uint32_t gap = uint32_t(b.clock() - first);
        least = std::min(least, gap);
        most = std::max(most, gap);
    }
    EXPECT_GE(least, uint32_t(AckGap));
    EXPECT_EQ(least, AckGap + 2u) << "two cycles to be taken and granted";
    EXPECT_EQ(most, 2 * AckGap + 1u);
}

TEST_F(inject_turns, acks_for_different_links_follow_each_other_every_five_cycles) {
    InjectBench b;
    uint64_t before = 0;
    for (uint32_t port = 0; port < 10; ++port) {
        b.send(port);
        EXPECT_TRUE(port == 0 || b.clock() - before == 5) << b.clock() - before;
        before = b.clock();
        b.tick(3);
        b.settle();
    }
    b.tick(2 * AckGap);
    b.settle();
    EXPECT_EQ(b.busy(), 0u);
}

TEST_F(inject_turns, ack_that_its_link_does_not_accept_is_dropped_and_reported) {
    InjectBench b;
    b.offer(3, 2, 5);
    EXPECT_TRUE(b.taken());
    b.offer(6, 4, 1);
    for (int clocks = 0; clocks < AckWait; ++clocks) {
        EXPECT_EQ(b.want(), 1u << 3);
        EXPECT_EQ(b.snd_take(), 0u);
        EXPECT_EQ(b.ev_lost(), clocks + 1 == AckWait ? 1u : 0u);
        b.tick();
        b.settle();
    }
    EXPECT_EQ(b.ev_lost(), 0u);
    EXPECT_EQ(b.busy(), 0u) << "nothing went";
    EXPECT_TRUE(b.taken()) << "the next one's turn";
    b.snd_v = 0;
    b.grant(1u << 6);
    EXPECT_EQ(b.x(), stream_of(ack_packet(4, 1), 0, 0));
}

TEST_F(inject_turns, line_granted_in_the_last_cycle_is_in_time) {
    InjectBench b;
    b.offer(3, 2, 5);
    EXPECT_TRUE(b.taken());
    b.snd_v = 0;
    b.tick(AckWait - 1);
    b.gnt = 1u << 3;
    b.settle();
    EXPECT_EQ(b.ev_lost(), 0u);
    b.tick();
    b.gnt = 0;
    b.settle();
    EXPECT_EQ(b.x(), stream_of(ack_packet(2, 5), 0, 0));
}

TEST_F(inject_turns, ack_for_a_port_that_does_not_exist_is_dropped_without_a_request) {
    InjectBench b;
    for (uint32_t port : {10u, 15u}) {
        b.offer(port, 2, 5);
        EXPECT_TRUE(b.taken());
        b.snd_v = 0;
        b.gnt = 0x3FF;
        uint32_t lost = 0;
        for (int clocks = 0; clocks < AckWait; ++clocks) {
            b.settle();
            EXPECT_EQ(b.want() + b.x(), 0u);
            lost += b.ev_lost();
            b.tick();
        }
        EXPECT_EQ(lost, 1u);
        b.gnt = 0;
        b.settle();
    }
}

TEST_F(inject_turns, retries_take_turns_and_none_goes_to_a_busy_port) {
    InjectBench b;
    b.retry = 1u << 1 | 1u << 4 | 1u << 9;
    for (uint32_t port : {1u, 4u, 9u}) {
        b.settle();
        EXPECT_EQ(b.retry_ack(), 1u << port);
        b.tick();
        b.grant(1u << port);
        b.tick(3);
    }
    b.settle();
    EXPECT_EQ(b.retry_ack(), 0u) << "all three are busy";
    b.retry = b.retry() | 1u << 0;
    b.settle();
    EXPECT_EQ(b.retry_ack(), 1u << 0);
    b.tick();
    b.grant(1u << 0);
    b.retry = b.retry() & ~1u;
    b.settle();
    for (uint32_t clocks = 0; b.retry_ack() == 0 && clocks < 2 * AckGap; ++clocks) {
        b.tick();
        b.settle();
    }
    EXPECT_EQ(b.retry_ack(), 1u << 1) << "from the start";
}

// The ack table and the input units as they are, LOCAL as it is, lines that come and go and are
// down.
TEST_F(inject_turns, random_lockstep) {
    const TestRun run(100000);
    InjectBench b(run);
    Dice rng(run.seed);
    uint64_t acks = 0, retries = 0, locals = 0, lost = 0;
    std::array<uint64_t, 10> last{};  // clock of the last ack on each link
    uint32_t load = 50;
    uint32_t grants = 50;
    constexpr uint32_t Nowhere = 31;
    uint32_t to = Nowhere;  // port of the ack that waits for its line
    bool waits = false;     // the table has an ack for snd_port
    Flits packet;
    uint32_t k = 0;
    while (b.clock() < run.cycles) {
        if (rng.chance(1)) {
            load = rng.pick({2, 20, 100});
            grants = rng.pick({0, 5, 50, 100, 100});
        }
        b.rst_n = !rng.chance(rng.chance(1) ? 5 : 0);
        if (!b.rst_n()) last = {};
        if (!waits && rng.chance(load) && rng.chance(20)) {
            b.offer(rng.chance(1) ? rng.between(10, 15) : rng.below(10), rng.bits(3), rng.bits(6));
            waits = true;
        }
        b.snd_v = waits && (b.busy() >> b.snd_port() & 1) == 0;
        if (rng.chance(load) && rng.chance(5)) b.retry = b.retry() | 1u << rng.below(10);
        b.ent_gnt = rng.chance(20) ? 1u << rng.below(10) : 0;
        for (Input& tag : b.ent_tag) tag = rng.bits(3);
        if (b.loc_want() == 0 && packet.empty() && rng.chance(load)) b.loc_want = rng.pick({1, 2});
        b.loc_x = k < packet.size() ? stream_of(packet, k, 0) : rng.bits(20);
        b.settle();
        b.gnt = rng.chance(5) ? rng.bits(10) : rng.chance(grants) ? b.want() : 0;
        b.settle();
        const bool takes = b.snd_take() && b.rst_n();
        const bool serves = b.loc_gnt() != 0 && b.rst_n();
        const uint32_t retried = b.rst_n() ? b.retry_ack() : 0;
        const bool sends = b.rst_n() && (b.gnt() & 1u << to) != 0;
        EXPECT_EQ(retried & (b.busy() | b.ent_gnt()), 0u);
        if (sends) {
            EXPECT_TRUE(last[to] == 0 || b.clock() - last[to] >= uint64_t(AckGap));
            last[to] = b.clock();
        }
        if (sends || b.ev_lost() || !b.rst_n()) to = Nowhere;
        if (takes || retried != 0) to = takes ? b.snd_port() : uint32_t(__builtin_ctz(retried));
        lost += b.rst_n() && b.ev_lost();
        b.tick();
        if (takes) waits = false;
        b.retry = b.retry() & ~retried & ~b.ent_gnt();
        acks += takes;
        retries += retried != 0;
        if (!b.rst_n() || (!packet.empty() && ++k == packet.size())) packet.clear();
        if (!serves) continue;
        b.loc_want = 0;
        packet = Flits(rng.between(3, 6), rng.bits(18));
        k = 0;
        ++locals;
    }
    EXPECT_GT(acks, run.cycles / 100);
    EXPECT_GT(retries, run.cycles / 100);
    EXPECT_GT(locals, run.cycles / 100);
    EXPECT_GT(lost, run.cycles / 5000);
}

}  // namespace rdt::tb
