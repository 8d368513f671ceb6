// SPDX-License-Identifier: MIT
// Credits: received, used, missing and recovered; and packets for a dead output.
#include "block/output_unit_bench.h"

namespace rdt::tb {

using output_unit_credits = BlockTest;

const Flits Packet = good_flits({TypeErr << 14 | 2u << 10, 0, 0});

TEST_F(output_unit_credits, credit_is_spent_by_the_first_flit_and_comes_back) {
    E0 b;
    EXPECT_EQ(b.credit(), 0u);
    for (uint32_t vc = 0; vc < 3; ++vc) {
        b.give_credit(vc);
        EXPECT_EQ(b.credit(), (2u << vc) - 1);
    }
    for (uint32_t vc = 0; vc < 3; ++vc) {
        b.send(Packet, vc);
        EXPECT_EQ(b.credit(), 7u & ~(1u << vc));
        b.give_credit(vc);
        EXPECT_EQ(b.credit(), 7u);
    }
}

TEST_F(output_unit_credits, code_has_to_come_in_two_consecutive_cycles) {
    E0 b;
    for (uint32_t code = 1; code <= 3; ++code) {
        b.reset();
        EXPECT_EQ(b.show_credits({code, 0, 0}), 1) << "half a credit";
        EXPECT_EQ(b.credit(), 0u);
        EXPECT_EQ(b.show_credits({code, 0, code, 0}), 2);
        EXPECT_EQ(b.credit(), 0u);
        EXPECT_EQ(b.show_credits({code, code, 0}), 0);
        EXPECT_EQ(b.credit(), 1u << (code - 1));
    }
}

// One inverted pin in any cycle of an error-free end: no credit appears that was not given, and at
// most one is missing.
TEST_F(output_unit_credits, no_single_flip_makes_a_credit) {
    E0 b;
    for (uint32_t given = 0; given <= 3; ++given) {
        for (uint32_t clock = 0; clock < 5; ++clock) {
            for (uint32_t flip : {1u, 2u}) {
                b.reset();
                for (uint32_t t = 0; t < 6; ++t)
                    b.show_credits({(t == 1 || t == 2 ? given : 0) ^ (t == clock ? flip : 0)});
                const uint32_t right = given == 0 ? 0 : 1u << (given - 1);
                EXPECT_EQ(b.credit() & ~right, 0u)
                    << "code " << given << " cycle " << clock << " flip " << flip;
                b.show_credits({0, 0});
                b.give_credit(0);
                EXPECT_EQ(b.credit(), right == (b.credit() & right) ? right | 1u : 1u);
            }
        }
    }
}

TEST_F(output_unit_credits, second_code_that_differs_is_an_event_and_no_credit) {
    E0 b;
    EXPECT_EQ(b.show_credits({1, 2, 2, 2, 0}), 1);
    EXPECT_EQ(b.credit(), 0u) << "a cycle of 0 comes first";
    EXPECT_EQ(b.show_credits({2, 2, 0}), 0);
    EXPECT_EQ(b.credit(), 2u);
}

TEST_F(output_unit_credits, lasting_code_is_one_credit) {
    E0 b;
    EXPECT_EQ(b.show_credits({2, 2, 2, 2, 2, 2}), 0);
    EXPECT_EQ(b.credit(), 2u);
    b.send(Packet, 1);
    EXPECT_EQ(b.credit(), 0u);
}

TEST_F(output_unit_credits, credit_in_hand_may_come_again) {
    E0 b;
    b.give_credit(2);
    b.give_credit(2);
    EXPECT_EQ(b.credit(), 4u);
    b.send(Packet, 2);
    EXPECT_EQ(b.credit(), 0u) << "it counts once";
}

TEST_F(output_unit_credits, credit_for_a_vc_that_does_not_exist_is_an_event) {
    MbpOutput b;
    NorthOutput n;
    b.reset();
    n.reset();
    EXPECT_EQ(b.show_credits({2, 2, 0}), 1);
    EXPECT_EQ(b.show_credits({3, 3, 0}), 1);
    EXPECT_EQ(b.credit(), 0u);
    b.give_credit(0);
    EXPECT_EQ(b.credit(), 1u);
    EXPECT_EQ(n.show_credits({3, 3, 0}), 1);
    EXPECT_EQ(n.credit(), 0u);
}

// The other end calls with CRED 3 already when this one sees it and falls.
TEST_F(output_unit_credits, call_is_no_event) {
    MbpOutput m;
    EastOutput e;
    m.reset();
    e.reset();
    m.cred = 3;
    m.settle();
    EXPECT_EQ(m.ev_cred(), 1u);
    m.call = m.down = 1;
    m.settle();
    EXPECT_EQ(m.ev_cred(), 0u);
    e.show_credits({1});
    e.cred = 3;
    e.settle();
    EXPECT_EQ(e.ev_cred(), 1u);
    e.call = e.down = 1;
    e.settle();
    EXPECT_EQ(e.ev_cred(), 0u) << "half a credit before it";
}

TEST_F(output_unit_credits, credit_is_late_after_two_slow_ticks_and_until_it_comes) {
    E0 b;
    for (uint32_t vc = 0; vc < 3; ++vc) {
        b.reset();
        for (uint32_t v = 0; v < 3; ++v) b.give_credit(v);
        for (int ticks = 0; ticks < 3; ++ticks) b.slow_tick();
        EXPECT_EQ(b.late(), 0u) << "in hand";
        b.send(Packet, vc);
        b.slow_tick();
        EXPECT_EQ(b.late(), 0u);
        b.slow_tick();
        EXPECT_EQ(b.late(), 1u);
        b.give_credit(vc);
        EXPECT_EQ(b.late(), 0u);
        EXPECT_EQ(b.credit(), 7u);
        b.send(Packet, vc);
        b.slow_tick();
        b.give_credit(vc);
        b.send(Packet, vc);
        b.slow_tick();
        EXPECT_EQ(b.late(), 0u) << "counted from the packet";
    }
}

TEST_F(output_unit_credits, buffer_that_was_never_announced_is_late_too) {
    E0 b;
    b.slow_tick();
    EXPECT_EQ(b.late(), 0u);
    b.slow_tick();
    EXPECT_EQ(b.late(), 1u);
    b.up = 0;
    b.settle();
    EXPECT_EQ(b.late(), 0u) << "nothing is missed on a link that is down";
}

TEST_F(output_unit_credits, all_credits_are_forgotten_when_the_link_falls) {
    E0 b;
    for (uint32_t v = 0; v < 3; ++v) b.give_credit(v);
    b.fall();
    EXPECT_EQ(b.credit(), 0u);
    EXPECT_EQ(b.show_credits({3, 3, 3, 0, 1, 1, 0}), 0) << "calls are no credits";
    EXPECT_EQ(b.credit(), 0u);
    b.announce();
    b.give_credit(1);
    EXPECT_EQ(b.credit(), 2u);
    b.come_up();
    EXPECT_EQ(b.credit(), 2u);
    EXPECT_EQ(b.late(), 0u);
}

// Events while vc is announced in Ann, as ev_owed_o is one of them.
template <typename Bench>
int told_when_announced(Bench& b, uint32_t vc) {
    int told = 0;
    for (uint32_t code : {vc + 1, vc + 1, 0u}) {
        b.cred = code;
        b.settle();
        told += int(b.ev_owed());
        b.tick();
    }
    return told;
}

TEST_F(output_unit_credits, announced_credit_that_was_outstanding_is_reported) {
    E0 b;
    for (uint32_t away = 0; away < 8; ++away) {
        for (int ticks = 0; ticks < 3; ++ticks) {
            b.reset();
            for (uint32_t v = 0; v < 3; ++v) b.give_credit(v);
            for (uint32_t v = 0; v < 3; ++v)
                if (away >> v & 1) b.send(Packet, v);
            for (int n = 0; n < ticks; ++n) b.slow_tick();
            b.fall();
            b.tick(10);
            b.announce();
            for (uint32_t v = 0; v < 3; ++v)
                EXPECT_EQ(told_when_announced(b, v), int(away >> v & 1)) << "away " << away;
            b.come_up();
            EXPECT_EQ(b.credit(), 7u);
        }
    }
}

TEST_F(output_unit_credits, credit_that_was_away_is_remembered_over_a_second_fall) {
    E0 b;
    for (uint32_t v = 0; v < 2; ++v) b.give_credit(v);
    b.send(Packet, 1);
    b.fall();
    b.announce();
    EXPECT_EQ(told_when_announced(b, 0), 0);
    b.fall();  // trouble in Ann
    b.announce();
    EXPECT_EQ(told_when_announced(b, 0), 0) << "it was in hand";
    EXPECT_EQ(told_when_announced(b, 1), 1);
}

TEST_F(output_unit_credits, buffer_that_is_still_full_is_not_reported_and_not_late_at_once) {
    E0 b;
    b.give_credit(0);
    b.send(Packet, 0);
    b.slow_tick();
    b.slow_tick();
    EXPECT_EQ(b.late(), 1u);
    b.fall();
    b.announce();
    b.come_up();
    EXPECT_EQ(b.late(), 0u);
    b.settle();
    EXPECT_EQ(b.ev_owed(), 0u);
    b.give_credit(0);
    EXPECT_EQ(b.credit(), 1u);
}

TEST_F(output_unit_credits, packet_that_starts_when_the_link_is_down_is_reported) {
    E0 b;
    b.give_credit(0);
    b.line_gnt = b.gnt = 1;
    b.fall();
    b.line_gnt = b.gnt = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        b.x = stream_of(Packet, k, 0);
        b.tick();
        EXPECT_EQ(b.d_oe(), 0u);
    }
    b.announce();
    EXPECT_EQ(told_when_announced(b, 0), 1);
}

TEST_F(output_unit_credits, dead_link_consumes_packets_and_reports_it) {
    E0 b;
    b.fall();
    b.call = 0;
    for (uint32_t sink : {0u, 1u}) {
        b.sink = sink;
        for (uint32_t ticks = 0; ticks < 4; ++ticks) {
            b.settle();
            const bool dead = sink == 1;  // two ticks have passed by then
            EXPECT_EQ(b.credit(), dead ? 7u : 0u);
            EXPECT_EQ(b.xb_gnt(), uint32_t(dead));
            b.pulse(b.tick_in);
        }
    }
    b.cand_any = 1;
    b.gnt = 1;
    b.settle();
    EXPECT_EQ(b.ev_sunk(), 1u);
    b.tick();
    b.gnt = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        b.x = stream_of(Packet, k, 2);
        b.settle();
        EXPECT_EQ(b.ev_sunk(), 0u);
        EXPECT_EQ(b.xb_gnt(), 0u) << "one at a time";
        b.tick();
        EXPECT_EQ(b.d_oe(), 0u);
        EXPECT_EQ(b.req(), 0u);
    }
    b.settle();
    EXPECT_EQ(b.xb_gnt(), 1u);
    b.loc_want = 1;
    b.settle();
    EXPECT_EQ(b.loc_gnt(), 1u);
    EXPECT_EQ(b.ev_sunk(), 1u);
}

TEST_F(output_unit_credits, link_counts_as_dead_after_one_to_two_ticks_and_as_alive_when_up) {
    E0 b;
    b.sink = 1;
    b.fall();
    b.call = 0;
    b.pulse(b.tick_in);
    EXPECT_EQ(b.credit(), 0u);
    b.pulse(b.tick_in);
    EXPECT_EQ(b.credit(), 7u);
    b.announce();
    b.come_up();
    b.tick();
    EXPECT_EQ(b.credit(), 0u);
    b.line_gnt = 1;
    b.settle();
    EXPECT_EQ(b.xb_gnt(), 1u);
    b.line_gnt = 0;
    b.settle();
    EXPECT_EQ(b.xb_gnt(), 0u);
}

TEST_F(output_unit_credits, mbp_that_accepts_nothing_counts_as_dead_until_it_accepts_again) {
    M0 b;
    b.sink = 1;
    b.give_credit(0);
    for (int ticks = 0; ticks < 4; ++ticks) b.pulse(b.tick_in);
    EXPECT_EQ(b.xb_gnt(), 0u) << "it has taken everything";
    b.send(Packet, 0);
    b.pulse(b.tick_in);
    EXPECT_EQ(b.credit(), 0u);
    b.pulse(b.tick_in);
    EXPECT_EQ(b.credit(), 1u);
    EXPECT_EQ(b.xb_gnt(), 1u);
    b.give_credit(0);
    EXPECT_EQ(b.xb_gnt(), 0u);
    EXPECT_EQ(b.credit(), 1u) << "its own";
    EXPECT_EQ(b.send(Packet, 0), Packet);
}

TEST_F(output_unit_credits, stream_that_goes_nowhere_ends_before_another_begins) {
    M0 b;
    b.sink = 1;
    b.give_credit(0);
    b.send(Packet, 0);
    for (int ticks = 0; ticks < 2; ++ticks) b.pulse(b.tick_in);
    ASSERT_EQ(b.xb_gnt(), 1u);
    b.gnt = 1;
    b.tick();
    b.gnt = 0;
    // The MBP takes packets again, and its line is given to the chip.
    const Flits longer(16, make_flit(0));
    for (uint32_t k = 0; k < 16; ++k) {
        b.x = stream_of(longer, k, 0);
        b.cred = k == 1 || k == 2 ? 1 : 0;
        b.line_gnt = k > 4;
        for (const uint32_t loc : {0u, 1u}) {
            b.loc_want = loc;
            b.settle();
            EXPECT_EQ(b.xb_gnt() | b.loc_gnt(), 0u) << "flit " << k;
        }
        b.loc_want = 0;
        b.tick();
        EXPECT_EQ(b.d_oe(), 0u);
    }
    b.settle();
    EXPECT_EQ(b.xb_gnt(), 1u);
}

TEST_F(output_unit_credits, neighbor_without_a_free_buffer_does_not_count_as_dead) {
    E0 b;
    b.sink = 1;
    for (int ticks = 0; ticks < 5; ++ticks) b.pulse(b.tick_in);
    EXPECT_EQ(b.credit(), 0u);
    EXPECT_EQ(b.xb_gnt(), 0u);
}

TEST_F(output_unit_credits, consumed_stream_is_not_sent_even_if_the_link_comes_up) {
    E0 b;
    b.sink = 1;
    b.fall();
    b.call = 0;
    b.pulse(b.tick_in);
    b.pulse(b.tick_in);
    b.gnt = 1;
    b.tick();
    b.gnt = 0;
    b.down = 0;
    b.up = 1;
    for (uint32_t k = 0; k < 3; ++k) {
        b.x = stream_of(Packet, k, 0);
        EXPECT_EQ(b.tx(), 1u);
        b.tick();
        EXPECT_EQ(b.d_oe(), 0u);
        EXPECT_EQ(b.req(), 0u);
    }
    EXPECT_EQ(b.tx(), 0u);
}

}  // namespace rdt::tb
