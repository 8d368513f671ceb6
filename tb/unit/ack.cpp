// SPDX-License-Identifier: MIT
#include "unit/ack_bench.h"

namespace rdt::tb {

using ack = BlockTest;

TEST_F(ack, acks_of_all_copies_become_one_with_their_statuses_combined) {
    AckBench b;
    const uint32_t t = b.allocate(6, 5, 1u << 0 | 1u << 3 | 1u << 8);
    EXPECT_EQ(t, 1u);
    EXPECT_TRUE(b.land(3, t, 0b001000));
    b.expect_nothing_to_send();
    EXPECT_TRUE(b.land(8, t, 0));
    b.expect_nothing_to_send();
    EXPECT_TRUE(b.land(0, t, 0b100100));
    b.expect_sent(6, 5, 0b101100);
    b.expect_nothing_to_send();
    EXPECT_EQ(b.stray(), 0u);
}

TEST_F(ack, ack_is_offered_until_it_is_taken) {
    AckBench b;
    const uint32_t t = b.allocate(2, 7, 1u << 9);
    b.land(9, t, 1u << 3);
    for (int clocks = 0; clocks < 10; ++clocks) {
        b.expect_offer(2, 7, 1u << 3);
        b.period();
    }
    b.expect_sent(2, 7, 1u << 3);
}

TEST_F(ack, entries_go_to_the_lowest_port_and_take_the_lowest_free_tag) {
    AckBench b;
    b.ent_req = 1u << 2 | 1u << 7;
    b.ent_set[2] = b.ent_set[7] = 1;
    b.settle();
    EXPECT_EQ(b.ent_gnt(), 1u << 2);
    EXPECT_EQ(b.ent_new(), 1u);
    b.tick();
    b.ent_req = 1u << 7;
    b.settle();
    EXPECT_EQ(b.ent_gnt(), 1u << 7);
    EXPECT_EQ(b.ent_new(), 2u);
    b.tick();
    b.ent_req = 0;
    b.land(0, 1);
    b.expect_sent(2, 0, 0);
    EXPECT_EQ(b.allocate(4, 1, 1u << 4), 1u) << "free again";
    EXPECT_EQ(b.allocate(5, 2, 1u << 4), 3u);
}

TEST_F(ack, table_holds_seven_multicasts_and_then_grants_nothing) {
    AckBench b;
    for (uint32_t t = 1; t <= 7; ++t) EXPECT_EQ(b.allocate(t, t, 1u << 8), t);
    for (int tries = 0; tries < 5; ++tries) EXPECT_EQ(b.allocate(9, 1, 1u << 0), 0u);
    b.land(8, 4, 1u << 5);
    EXPECT_EQ(b.allocate(9, 1, 1u << 0), 0u) << "not before its ack is on the way";
    b.expect_sent(4, 4, 1u << 5);
    EXPECT_EQ(b.allocate(9, 1, 1u << 0), 4u);
}

TEST_F(ack, acks_are_taken_one_a_clock_in_round_robin) {
    AckBench b;
    for (uint32_t t = 1; t <= 3; ++t) b.allocate(0, t, 0x3FF);
    b.ack_v = 1u << 1 | 1u << 4 | 1u << 9;
    for (uint32_t tag = 1; tag <= 3; ++tag) {
        for (uint32_t port : {1u, 4u, 9u}) b.ack_tag[port] = tag;
        for (uint32_t port : {1u, 4u, 9u}) {
            b.settle();
            EXPECT_EQ(b.ack_take(), 1u << port);
            b.tick();
        }
    }
}

TEST_F(ack, ack_that_nobody_waits_for_is_reported_with_port_and_tag) {
    AckBench b;
    const uint32_t t = b.allocate(1, 1, 1u << 2);
    struct Case {
        uint32_t port, tag;
        const char* why;
    };
    for (const Case& c : {Case{5, 0, "no tag"}, Case{2, 6, "free entry"},
                          Case{3, t, "not a port that got a copy"}}) {
        EXPECT_TRUE(b.land(c.port, c.tag, 63)) << c.why;
        EXPECT_TRUE(b.strayed(c.port, c.tag)) << c.why;
    }
    b.land(2, t, 1u << 3);
    b.expect_sent(1, 1, 1u << 3);
    EXPECT_TRUE(b.land(2, t)) << "a second ack of the same copy";
    EXPECT_TRUE(b.strayed(2, t));
}

TEST_F(ack, stray_ack_waits_until_local_can_keep_it) {
    AckBench b;
    const uint32_t t = b.allocate(1, 1, 1u << 2);
    b.stray_ok = 0;
    EXPECT_FALSE(b.land(6, 4));
    EXPECT_TRUE(b.land(2, t)) << "one that is waited for need not wait";
    b.stray_ok = 1;
    EXPECT_TRUE(b.land(6, 4));
    EXPECT_TRUE(b.strayed(6, 4));
}

TEST_F(ack, entry_is_read_and_put_back_as_it_was) {
    AckBench b;
    const uint32_t t = b.allocate(7, 5, 0x2A3);
    b.look = 1;
    b.look_tag = t;
    b.settle();
    EXPECT_EQ(b.look_used(), 1u);
    EXPECT_EQ(b.look_h1(), 7u << 13 | 5u << 10 | 0x2A3);
    EXPECT_EQ(b.look_h2(), 0u);
    EXPECT_FALSE(b.land(0, t)) << "nothing lands while the table is read";
    b.look_tag = 6;
    b.put = 1;
    b.put_h1 = 9u << 13 | 2u << 10 | 1u << 4;
    b.put_h2 = 0x15;
    b.tick();
    b.look = b.put = 0;
    EXPECT_TRUE(b.land(4, 6, 0x20));
    b.expect_sent(9, 2, 0x35);
}

TEST_F(ack, missing_ack_ends_the_wait_after_two_ticks_with_the_time_out_bit) {
    AckBench b;
    const uint32_t t = b.allocate(7, 6, 1u << 0 | 1u << 1);
    EXPECT_FALSE(b.period());
    b.land(0, t, 1u << 3);
    b.expect_nothing_to_send();
    EXPECT_TRUE(b.period());
    b.expect_sent(7, 6, 1u << 3 | 1u << AckTimeout);
    b.expect_nothing_to_send();
}

TEST_F(ack, ack_that_lands_with_the_second_tick_is_in_time) {
    AckBench b;
    const uint32_t t = b.allocate(7, 6, 1u << 1);
    b.period();
    b.tick_in = 1;
    EXPECT_TRUE(b.land(1, t, 1u << 5));
    b.tick_in = 0;
    b.expect_sent(7, 6, 1u << 5);
}

TEST_F(ack, late_ack_is_taken_silently_and_its_tag_is_not_given_away_before) {
    AckBench b;
    const uint32_t t = b.allocate(7, 6, 1u << 0 | 1u << 1);
    b.period();
    b.period();
    EXPECT_TRUE(b.land(0, t, 1u << 3)) << "late already, not sent yet";
    b.expect_sent(7, 6, 1u << AckTimeout);
    EXPECT_EQ(b.allocate(2, 1, 1u << 4), t + 1);
    EXPECT_TRUE(b.land(1, t, 1u << 3));
    EXPECT_EQ(b.stray(), 0u);
    EXPECT_EQ(b.allocate(2, 2, 1u << 4), t) << "the last late ack sets it free";
    b.land(4, t);
    b.expect_sent(2, 2, 0);
}

TEST_F(ack, entry_whose_last_ack_came_late_is_free_as_soon_as_it_is_sent) {
    AckBench b;
    const uint32_t t = b.allocate(7, 6, 1u << 0);
    b.period();
    b.period();
    b.ack_v = 1u << 0;
    b.ack_tag[0] = t;
    b.expect_sent(7, 6, 1u << AckTimeout);
    b.ack_v = 0;
    EXPECT_EQ(b.allocate(2, 2, 1u << 4), t);
}

TEST_F(ack, quarantine_ends_after_two_ticks_and_later_acks_are_strays) {
    AckBench b;
    const uint32_t t = b.allocate(7, 6, 1u << 0);
    b.period();
    b.period();
    b.expect_sent(7, 6, 1u << AckTimeout);
    EXPECT_FALSE(b.period()) << "no event";
    EXPECT_EQ(b.allocate(2, 1, 1u << 4), t + 1);
    EXPECT_FALSE(b.period());
    EXPECT_EQ(b.allocate(2, 2, 1u << 4), t);
    EXPECT_TRUE(b.land(0, t));
    EXPECT_TRUE(b.strayed(0, t));
}

TEST_F(ack, entry_that_is_sent_does_not_wait_on) {
    AckBench b;
    const uint32_t t = b.allocate(7, 6, 1u << 0);
    b.period();
    b.land(0, t);
    b.tick_in = 1;
    b.expect_sent(7, 6, 0);
    b.tick_in = 0;
    EXPECT_EQ(b.ev_table(), 0u);
    EXPECT_EQ(b.allocate(1, 1, 1u << 3), t);
    b.period();
    b.expect_nothing_to_send();
}

// Input units that keep the rules, receivers that mostly answer, some late, some never, some twice.
TEST_F(ack, random_lockstep) {
    const TestRun run(100000);
    AckBench b(run);
    Random rng(run.seed);
    uint64_t entries = 0, sent = 0, stray = 0, late = 0, full = 0;
    std::vector<std::pair<uint32_t, uint32_t>> due;  // acks that will come: port and tag
    uint32_t answers = 30, ticks = 1, takes = 20;
    while (b.clock() < run.cycles) {
        if (rng.chance(1)) {
            answers = rng.pick({2, 30, 100});
            ticks = rng.pick({0, 1, 20});
            takes = rng.pick({5, 20, 100});
        }
        b.rst_n = !rng.chance(rng.chance(1) ? 5 : 0);
        b.tick_in = rng.chance(ticks);
        b.stray_ok = rng.chance(20);
        b.look = rng.chance(3);
        b.look_tag = rng.between(1, 7);
        b.put = b.look() && rng.chance(10);
        b.put_h1 = rng.below(10) << 13 | rng.bits(13);
        b.put_h2 = rng.bits(7);
        for (uint32_t p = 0; p < 10; ++p) {
            if (!(b.ack_v() >> p & 1) && rng.chance(1)) {
                b.ack_tag[p] = rng.bits(3);
                b.ack_st[p] = rng.bits(6);
                b.ack_v = b.ack_v() | 1u << p;
            }
            if (!(b.ent_req() >> p & 1) && rng.chance(5)) {
                b.ent_set[p] = 1u << rng.below(10) | (rng.bits(10) & rng.bits(10));
                b.ent_tag[p] = rng.between(1, 7);
                b.ent_req = b.ent_req() | 1u << p;
            }
        }
        if (!due.empty() && rng.chance(answers)) {
            const size_t k = rng.below(uint32_t(due.size()));
            const auto [port, tag] = due[k];
            if (!(b.ack_v() >> port & 1)) {
                b.ack_tag[port] = tag;
                b.ack_st[port] = rng.chance(70) ? 0 : rng.bits(6);
                b.ack_v = b.ack_v() | 1u << port;
                if (!rng.chance(2)) due.erase(due.begin() + long(k));
            }
        }
        b.snd_take = 0;
        b.settle();
        b.snd_take = b.snd_v() && rng.chance(takes);
        b.settle();
        const uint32_t taken = b.ack_take(), granted = b.ent_gnt();
        if (granted != 0)
            for (uint32_t p = 0; p < 10; ++p)
                if ((b.ent_set[uint32_t(__builtin_ctz(granted))]() >> p & 1) && !rng.chance(5))
                    due.emplace_back(p, b.ent_new());
        entries += granted != 0;
        full += b.ent_req() != 0 && granted == 0;
        sent += b.snd_take();
        late += b.ev_table();
        stray += b.stray();
        b.tick();
        b.ack_v = b.ack_v() & ~taken;
        b.ent_req = b.ent_req() & ~granted;
        if (!b.rst_n()) due.clear();
    }
    EXPECT_GT(entries, run.cycles / 100);
    EXPECT_GT(sent, run.cycles / 100);
    for (uint64_t seen : {stray, late, full}) EXPECT_GT(seen, run.cycles / 1000);
}

}  // namespace rdt::tb
