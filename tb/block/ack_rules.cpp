// SPDX-License-Identifier: MIT
// Turns, generations and quarantine: what keeps the ack table fair, and an old ack apart from a new
// one.
#include "block/ack_bench.h"

namespace rdt::tb {

using ack_rules = BlockTest;

TEST_F(ack_rules, requests_for_entries_are_served_round_robin) {
    AckBench b;
    b.ent_req = 0x3FF;
    for (Input& set : b.ent_set) set = 1u << 0;
    for (uint32_t port = 0; port < 6; ++port) {
        b.settle();
        EXPECT_EQ(b.ent_gnt(), 1u << port);
        b.tick();
    }
    for (uint32_t port : {6u, 7u, 0u, 1u, 2u, 3u}) {  // 8 and 9 may not have entry 3
        b.settle();
        EXPECT_EQ(b.ent_gnt(), 0u) << "full";
        b.ack_v = 1;
        b.ack_tag[0] = 3;
        b.tick();
        b.ack_v = 0;
        b.pulse(b.snd_take);
        EXPECT_EQ(b.ent_gnt(), 1u << port) << "the next port round-robin, not the lowest again";
        EXPECT_EQ(b.ent_new(), 3u);
        b.tick();
    }
}

// Outputs of a request: of the upper rank, of rank 0, or the MBP alone.
constexpr uint32_t Up = 1u << PortE1, Low = 1u << PortE0, Own = 1u << PortM0;

TEST_F(ack_rules, request_gets_the_highest_entry_of_its_class) {
    struct Case {
        uint32_t port;
        bool vct;
        uint32_t set;
        uint32_t tag;
    };
    AckBench b;
    for (const Case& c :
         {Case{8, false, Up | Low, 1}, Case{9, false, Own, 1}, Case{0, true, Up | Low, 2},
          Case{0, true, Low, 1}, Case{0, true, Own, 6}, Case{0, false, Up | Low, 6},
          Case{1, true, Up, 2}, Case{1, true, Low | Own, 4}, Case{1, true, Own, 6},
          Case{1, false, Low, 6}, Case{2, false, Low, 5}, Case{3, false, Own, 6},
          Case{4, false, Up | Low, 3}, Case{5, false, Low, 4}, Case{6, false, Own, 6},
          Case{7, false, Up, 3}}) {
        b.rst_n = 0;
        b.tick();
        b.rst_n = 1;
        b.ent_vct = c.vct ? 1u << c.port : 0;
        EXPECT_EQ(b.allocate(c.port, 1, c.set), c.tag) << c.port << " " << c.set;
    }
}

TEST_F(ack_rules, class_takes_the_entries_of_earlier_classes_and_no_later_ones) {
    AckBench b;
    for (uint32_t tag = 4; tag >= 1; --tag) EXPECT_EQ(b.allocate(4, tag, Low), tag);
    EXPECT_EQ(b.allocate(4, 1, Low), 0u);
    EXPECT_EQ(b.allocate(2, 1, Low), 5u) << "a later class is not held up";
    EXPECT_EQ(b.allocate(2, 1, Low), 0u);
    EXPECT_EQ(b.allocate(2, 1, Own), 6u);
}

TEST_F(ack_rules, port_whose_class_has_no_free_entry_is_passed_over) {
    AckBench b;
    EXPECT_EQ(b.allocate(7, 1, Own), 6u);
    EXPECT_EQ(b.allocate(8, 1, Low), 1u);
    b.ent_req = 1u << 9 | 1u << 3;
    b.ent_set[9] = Low;
    b.ent_set[3] = Low;
    b.settle();
    EXPECT_EQ(b.ent_gnt(), 1u << 3);
    EXPECT_EQ(b.ent_new(), 5u);
}

TEST_F(ack_rules, old_request_goes_before_the_others_if_an_entry_is_free_for_it) {
    AckBench b;
    b.ent_req = 1u << 2 | 1u << 4 | 1u << 9;
    for (uint32_t port : {2u, 4u, 9u}) b.ent_set[port] = Low;
    b.ent_old = 1u << 9 | 1u << 5;
    b.settle();
    EXPECT_EQ(b.ent_gnt(), 1u << 9);
    b.tick();
    b.settle();
    EXPECT_EQ(b.ent_gnt(), 1u << 2) << "no entry is left for the old one";
}

TEST_F(ack_rules, lane_is_for_requests_with_tag_7_and_they_have_no_other_entry) {
    AckBench b;
    EXPECT_EQ(b.allocate(8, 7, Up | Low), 7u);
    EXPECT_EQ(b.allocate(9, 7, Low), 0u) << "one at a time";
    for (uint32_t tag = 6; tag >= 1; --tag) EXPECT_EQ(b.allocate(2, tag, Own), tag);
    EXPECT_EQ(b.allocate(2, 1, Own), 0u) << "the lane is not for others";
    b.land(0, 7);
    b.land(4, 7, 1u << 4);
    b.expect_sent(8, 7, 1u << 4);
    EXPECT_EQ(b.allocate(5, 7, Own), 7u);
}

TEST_F(ack_rules, lane_waits_through_ticks_until_it_is_ended) {
    AckBench b;
    EXPECT_EQ(b.allocate(8, 7, Low), 7u);
    for (int ticks = 0; ticks < 20; ++ticks) EXPECT_FALSE(b.period());
    b.expect_nothing_to_send();
    b.end_lane = 1;
    b.settle();
    EXPECT_EQ(b.ev_table(), 1u);
    b.tick();
    b.end_lane = 0;
    b.settle();
    b.expect_sent(8, 7, 1u << AckTimeout);
    EXPECT_EQ(b.allocate(8, 7, Low), 0u) << "in quarantine";
    for (int ticks = 0; ticks < 6; ++ticks) EXPECT_FALSE(b.period());
    EXPECT_EQ(b.allocate(8, 7, Low), 7u);
}

TEST_F(ack_rules, end_of_the_lane_does_nothing_to_other_entries_and_to_one_that_is_complete) {
    AckBench b;
    const uint32_t t = b.allocate(2, 1, Own);
    b.allocate(8, 7, Low);
    b.land(0, 7);
    b.end_lane = 1;
    b.settle();
    EXPECT_EQ(b.ev_table(), 0u);
    b.tick();
    b.end_lane = 0;
    b.settle();
    b.expect_sent(8, 7, 0);
    b.expect_nothing_to_send();
    b.land(8, t);
    b.expect_sent(2, 1, 0);
}

TEST_F(ack_rules, entries_to_be_answered_take_turns) {
    AckBench b;
    for (uint32_t t = 1; t <= 3; ++t) EXPECT_EQ(b.allocate(0, t, 1u << 0), 7 - t);
    for (uint32_t t : {6u, 5u, 4u}) b.land(0, t);
    b.expect_sent(0, 3, 0);
    EXPECT_EQ(b.allocate(0, 5, 1u << 0), 4u);
    b.land(0, 4);
    b.expect_sent(0, 2, 0);
    b.expect_sent(0, 1, 0);
    b.expect_sent(0, 5, 0);
}

TEST_F(ack_rules, answer_to_a_busy_port_waits_and_holds_up_no_other) {
    AckBench b;
    for (uint32_t t = 1; t <= 2; ++t) {
        b.land(0, b.allocate(t + 3, t, 1u << 0));
    }
    b.busy = 1u << 4;
    b.settle();
    b.expect_sent(5, 2, 0);
    b.expect_nothing_to_send();
    b.busy = 0;
    b.settle();
    b.expect_sent(4, 1, 0);
}

TEST_F(ack_rules, nothing_lands_or_is_sent_while_the_table_is_read) {
    AckBench b;
    b.land(0, b.allocate(1, 1, 1u << 0));
    b.look = b.look_tag = 1;
    b.settle();
    b.expect_nothing_to_send();
    EXPECT_FALSE(b.land(0, 6));
    b.look = 0;
    b.settle();
    b.expect_sent(1, 1, 0);
}

TEST_F(ack_rules, no_entry_is_allocated_in_the_cycle_in_which_one_is_restored) {
    AckBench b;
    b.look = b.put = 1;
    b.look_tag = 4;
    b.put_h1 = 3u << 13 | 4u << 10 | 1u << 2;
    EXPECT_EQ(b.allocate(5, 5, 1u << 0), 0u);
    b.look = b.put = 0;
    EXPECT_EQ(b.allocate(5, 5, 1u << 0), 3u) << "entry 4 is taken";
    b.land(2, 4);
    b.expect_sent(3, 4, 0);
}

TEST_F(ack_rules, entry_restored_in_quarantine_sends_no_answer_and_ends_by_itself) {
    AckBench b;
    for (bool comes : {true, false}) {
        b.look = b.put = 1;
        b.look_tag = 2;
        b.put_h1 = 3u << 13 | 4u << 10 | 1u << 6;
        b.put_h2 = 1u << 10 | 1u << (4 + AckTimeout) | 5;
        b.tick();
        b.put = 0;
        b.settle();
        EXPECT_EQ(b.look_used(), 1u);
        EXPECT_EQ(b.look_h2(), b.put_h2());
        b.look = 0;
        b.settle();
        b.expect_nothing_to_send();
        EXPECT_TRUE(!comes || (b.land(6, 2) && !b.strayed(6, 2)));
        for (uint32_t ticks = 0; !comes && ticks < 6; ++ticks) EXPECT_FALSE(b.period());
        b.look = 1;
        b.settle();
        EXPECT_EQ(b.look_used(), 0u);
        b.look = 0;
    }
}

TEST_F(ack_rules, entry_for_a_port_that_does_not_exist_is_offered_and_goes) {
    AckBench b;
    b.look = b.put = 1;
    b.look_tag = 6;
    b.put_h1 = 13u << 13 | 4u << 10;
    b.busy = 0x3FF;
    b.tick();
    b.look = b.put = 0;
    b.settle();
    b.expect_sent(13, 4, 0);
    b.expect_nothing_to_send();
}

TEST_F(ack_rules, generation_counts_the_uses_of_an_entry) {
    AckBench b;
    for (uint32_t use = 1; use <= 40; ++use) {
        EXPECT_EQ(b.allocate(1, 1, 1u << 8), 6u);
        EXPECT_EQ(b.gens(), use % 16 << 20) << "of entry 6, and of no other";
        EXPECT_TRUE(b.land(8, 6));
        b.expect_sent(1, 1, 0);
    }
}

TEST_F(ack_rules, ack_of_an_mbp_counts_only_with_its_generation) {
    AckBench b;
    for (uint32_t port : {8u, 9u}) {
        for (int use = 0; use < 5; ++use) {
            const uint32_t t = b.allocate(1, 1, 1u << port);
            for (uint32_t gen = 0; gen < 16; ++gen) {
                if (gen == b.gen_of(t)) continue;
                EXPECT_TRUE(b.land_with(port, t, gen, 63));
                EXPECT_TRUE(b.strayed(port, t)) << "an answer to a multicast that is over";
                b.expect_nothing_to_send();
            }
            EXPECT_TRUE(b.land(port, t, 1u << 3));
            EXPECT_FALSE(b.strayed(port, t));
            b.expect_sent(1, 1, 1u << 3);
        }
    }
}

TEST_F(ack_rules, generations_of_the_two_mbps_are_kept_apart) {
    AckBench b;
    const uint32_t t = b.allocate(1, 1, 1u << 8 | 1u << 9);
    b.set_gen(9, b.gen_of(t));
    EXPECT_TRUE(b.land_with(8, t, 7));
    EXPECT_TRUE(b.strayed(8, t));
    b.set_gen(8, 7);
    EXPECT_TRUE(b.land_with(9, t, b.gen_of(t)));
    EXPECT_FALSE(b.strayed(9, t));
}

TEST_F(ack_rules, held_copy_restarts_the_quarantine) {
    AckBench b;
    const uint32_t t = b.quarantined(0);
    for (uint32_t ticks = 0; ticks < 5; ++ticks) b.period();
    b.held = 1u << (t - 1);
    for (uint32_t ticks = 0; ticks < 9; ++ticks) b.period();
    b.held = 0x7F & ~(1u << (t - 1));  // other tags do not count
    for (uint32_t ticks = 0; ticks < 5; ++ticks) b.period();
    EXPECT_EQ(b.allocate(7, 1, 1u << 0), t - 1) << "still not free";
    b.period();
    EXPECT_EQ(b.allocate(7, 2, 1u << 0), t);
}

TEST_F(ack_rules, late_ack_ends_the_quarantine_although_a_copy_is_held) {
    AckBench b;
    const uint32_t t = b.quarantined(3);
    b.held = 0x7F;
    b.period();
    EXPECT_TRUE(b.land(3, t));
    EXPECT_FALSE(b.strayed(3, t));
    b.tick();
    EXPECT_EQ(b.allocate(7, 2, 1u << 0), t);
}

TEST_F(ack_rules, tag_in_quarantine_keeps_its_generation) {
    AckBench b;
    const uint32_t t = b.quarantined(8);
    const uint32_t gen = b.gen_of(t);
    EXPECT_TRUE(b.land_with(8, t, gen + 1));
    EXPECT_TRUE(b.strayed(8, t));
    EXPECT_TRUE(b.land_with(8, t, gen, 63));
    EXPECT_FALSE(b.strayed(8, t)) << "taken silently";
    b.tick();
    EXPECT_EQ(b.allocate(1, 1, 1u << 8), t);
    EXPECT_TRUE(b.land_with(8, t, gen));
    EXPECT_TRUE(b.strayed(8, t)) << "a second answer to the old multicast";
}

// Input units that keep the rules, receivers that mostly answer, some late, some never, some twice.
TEST_F(ack_rules, random_lockstep) {
    const TestRun run(100000);
    AckBench b(run);
    Dice rng(run.seed);
    uint64_t entries = 0, sent = 0, stray = 0, late = 0, full = 0;
    struct Due {  // an ack that will come
        uint32_t port, tag, gen;
    };
    std::vector<Due> due;
    uint32_t answers = 30, ticks = 1, takes = 20;
    while (b.clock() < run.cycles) {
        if (rng.chance(1)) {
            answers = rng.pick({2, 30, 100});
            ticks = rng.pick({0, 1, 20});
            takes = rng.pick({5, 20, 100});
        }
        b.rst_n = !rng.chance(rng.chance(1) ? 5 : 0);
        b.tick_in = rng.chance(ticks);
        b.held = rng.chance(70) ? 0 : rng.bits(7);
        b.end_lane = rng.chance(1);
        b.busy = rng.chance(50) ? 0 : rng.bits(10);
        b.ent_vct = rng.bits(2);
        b.ent_old = rng.chance(70) ? 0 : rng.bits(10);
        b.look = rng.chance(3);
        b.look_tag = rng.between(1, NumEntries);
        b.put = b.look() && rng.chance(10);
        b.put_h1 = rng.below(12) << 13 | rng.bits(13);
        b.put_h2 = rng.bits(11);
        for (uint32_t p = 0; p < 10; ++p) {
            if (!(b.ack_v() >> p & 1) && rng.chance(1)) {
                b.ack_tag[p] = rng.bits(3);
                b.ack_st[p] = rng.bits(6);
                b.set_gen(p, rng.bits(4));
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
            const auto [port, tag, gen] = due[k];
            if (!(b.ack_v() >> port & 1)) {
                b.ack_tag[port] = tag;
                b.ack_st[port] = rng.chance(70) ? 0 : rng.bits(6);
                b.set_gen(port, gen);
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
                    due.push_back({p, b.ent_new(), (b.gen_of(b.ent_new()) + 1) & 15});
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
