// SPDX-License-Identifier: MIT
#include "block/ack_bench.h"

namespace rdt::tb {

using ack = BlockTest;

TEST_F(ack, acks_of_all_copies_become_one_with_their_statuses_combined) {
    AckBench b;
    const uint32_t t = b.allocate(6, 5, 1u << 0 | 1u << 3 | 1u << 8);
    EXPECT_EQ(t, 4u);
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

TEST_F(ack, entries_are_allocated_round_robin_with_the_highest_tag_of_the_class) {
    AckBench b;
    b.ent_req = 1u << 2 | 1u << 7;
    b.ent_set[2] = b.ent_set[7] = 1;
    b.settle();
    EXPECT_EQ(b.ent_gnt(), 1u << 2);
    EXPECT_EQ(b.ent_new(), 5u);
    b.tick();
    b.ent_req = 1u << 7;
    b.settle();
    EXPECT_EQ(b.ent_gnt(), 1u << 7);
    EXPECT_EQ(b.ent_new(), 4u);
    b.tick();
    b.ent_req = 0;
    b.land(0, 5);
    b.expect_sent(2, 0, 0);
    EXPECT_EQ(b.allocate(2, 1, 1u << 0), 5u) << "free again";
    EXPECT_EQ(b.allocate(5, 2, 1u << 4), 3u);
}

TEST_F(ack, table_holds_six_multicasts_and_then_grants_nothing) {
    AckBench b;
    for (uint32_t t = 1; t <= 6; ++t) EXPECT_EQ(b.allocate(t, t, 1u << 8), 7 - t);
    for (int tries = 0; tries < 5; ++tries) EXPECT_EQ(b.allocate(9, 1, 1u << 0), 0u);
    b.land(8, 1, 1u << 5);
    EXPECT_EQ(b.allocate(9, 1, 1u << 0), 0u) << "not before its ack is on the way";
    b.expect_sent(6, 6, 1u << 5);
    EXPECT_EQ(b.allocate(9, 1, 1u << 0), 1u);
}

TEST_F(ack, acks_are_taken_one_per_cycle_round_robin) {
    AckBench b;
    for (uint32_t t = 1; t <= 3; ++t) b.allocate(0, t, 0x3FF);
    b.ack_v = 1u << 1 | 1u << 4 | 1u << 9;
    for (uint32_t tag : {6u, 5u, 4u}) {
        for (uint32_t port : {1u, 4u, 9u}) b.ack_tag[port] = tag;
        for (uint32_t port : {1u, 4u, 9u}) {
            b.settle();
            EXPECT_EQ(b.ack_take(), 1u << port);
            b.tick();
        }
    }
}

TEST_F(ack, stray_ack_is_reported_with_port_and_tag) {
    AckBench b;
    const uint32_t t = b.allocate(1, 1, 1u << 2);
    struct Case {
        uint32_t port, tag;
        const char* why;
    };
    for (const Case& c : {Case{5, 0, "no tag"}, Case{2, 5, "free entry"},
                          Case{3, t, "not a port that got a copy"}}) {
        EXPECT_TRUE(b.land(c.port, c.tag, 63)) << c.why;
        EXPECT_TRUE(b.strayed(c.port, c.tag)) << c.why;
    }
    b.land(2, t, 1u << 3);
    b.expect_sent(1, 1, 1u << 3);
    EXPECT_TRUE(b.land(2, t)) << "a second ack of the same copy";
    EXPECT_TRUE(b.strayed(2, t));
}

TEST_F(ack, stray_acks_are_consumed_one_per_cycle_and_block_no_other) {
    AckBench b;
    const uint32_t t = b.allocate(1, 1, 1u << 5);
    b.ack_v = 0x3FF;
    for (uint32_t port = 0; port < 10; ++port) b.ack_tag[port] = port == 5 ? t : 7;
    for (uint32_t port = 0; port < 10; ++port) {
        b.settle();
        EXPECT_EQ(b.ack_take(), 1u << port);
        EXPECT_EQ(b.stray(), port == 5 ? 0u : 1u);
        EXPECT_EQ(b.stray_port(), port == 5 ? 0u : port);
        b.tick();
    }
    b.ack_v = 0;
    b.settle();
    b.expect_sent(1, 1, 0);
}

TEST_F(ack, entry_is_read_and_put_back_as_it_was) {
    AckBench b;
    const uint32_t t = b.allocate(7, 5, 0x2A3);
    b.look = 1;
    b.look_tag = t;
    b.settle();
    EXPECT_EQ(b.look_used(), 1u);
    EXPECT_EQ(b.look_h1(), 7u << 13 | 5u << 10 | 0x2A3);
    EXPECT_EQ(b.look_h2(), 1u) << "waiting, no status yet, first generation";
    EXPECT_FALSE(b.land(0, t)) << "nothing lands while the table is read";
    b.look_tag = 6;
    b.put = 1;
    b.put_h1 = 9u << 13 | 2u << 10 | 1u << 4;
    b.put_h2 = 0x15u << 4 | 9;
    b.tick();
    b.look = b.put = 0;
    b.settle();
    EXPECT_EQ(b.gen_of(6), 9u);
    EXPECT_EQ(b.gen_of(t), 1u);
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
    EXPECT_EQ(b.allocate(7, 1, 1u << 0), t - 1);
    EXPECT_TRUE(b.land(1, t, 1u << 3));
    EXPECT_EQ(b.stray(), 0u);
    EXPECT_EQ(b.allocate(7, 2, 1u << 0), t) << "the last late ack sets it free";
    b.land(0, t);
    b.expect_sent(7, 2, 0);
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
    EXPECT_EQ(b.allocate(7, 2, 1u << 0), t);
}

TEST_F(ack, quarantine_ends_after_six_ticks_and_later_acks_are_strays) {
    AckBench b;
    const uint32_t t = b.quarantined(0);
    for (uint32_t ticks = 0; ticks < 5; ++ticks) {
        EXPECT_FALSE(b.period()) << "no event";
        b.expect_nothing_to_send();
    }
    EXPECT_EQ(b.allocate(7, 1, 1u << 0), t - 1);
    EXPECT_FALSE(b.period());
    EXPECT_EQ(b.allocate(7, 2, 1u << 1), t);
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
    EXPECT_EQ(b.allocate(7, 1, 1u << 3), t);
    b.period();
    b.expect_nothing_to_send();
}

}  // namespace rdt::tb
