// SPDX-License-Identifier: MIT
// How one end of a link comes up, and how it goes down without loss.
#include "block/link_io_bench.h"

namespace rdt::tb {

using link_io_sync = BlockTest;

TEST_F(link_io_sync, link_is_up_nine_two_and_twelve_cycles_after_reset) {
    EastEnd b{TestRun{}};
    b.reset();
    b.link_en = 1;
    for (int clock = 0; clock < 9; ++clock) {
        b.clock_down(3);
        EXPECT_EQ(b.up() + b.ann(), 0u);
        EXPECT_EQ(b.call(), clock < 7 ? 1u : 0u) << clock;
        EXPECT_EQ(b.cred(), clock < 8 ? 3u : 0u) << clock;
    }
    b.enter_ann();
    for (int clock = 1; clock < 12; ++clock) {
        EXPECT_EQ(b.ann(), 1u);
        EXPECT_EQ(b.down(), clock < 11 ? 1u : 0u);
        b.clock_down(0);
    }
    EXPECT_EQ(b.up(), 1u);
}

// The other end never saw the silence of this one: it is not there, and shows nothing.
TEST_F(link_io_sync, end_that_is_alone_in_ann_goes_back_to_sync) {
    EastEnd b{TestRun{}};
    for (unsigned seen = 0; seen <= 12; ++seen) {
        b.reset();
        b.link_en = 1;
        b.clock_down(3, 10);
        b.clock_down(0, 2);
        for (unsigned clock = 0; clock < 12; ++clock) {
            b.cred_in = clock == seen ? 1 + seen % 3 : 0;
            b.settle();
            EXPECT_EQ(b.up(), 0u);
            EXPECT_EQ(b.call(), clock == 11 && seen >= 11 ? 1u : 0u) << "CRED in cycle " << seen;
            EXPECT_EQ(b.ev_sync(), 0u);
            b.tick();
        }
        EXPECT_EQ(b.up(), seen < 11 ? 1u : 0u);
    }
}

TEST_F(link_io_sync, other_end_has_to_call_on_both_pairs_for_three_consecutive_cycles) {
    EastEnd b{TestRun{}};
    b.reset();
    b.link_en = 1;
    for (int turn = 0; turn < 40; ++turn) {
        b.clock_down(3, 2);
        EXPECT_EQ(b.call(), 1u);
        b.req = turn % 2 == 0 ? 3 : uint32_t(turn / 2) % 3;
        b.cred_in = turn % 2 == 0 ? uint32_t(turn / 2) % 3 : 3;
        b.tick();
    }
    b.clock_down(3, 3);
    EXPECT_EQ(b.call(), 0u);
    b.tick();
    b.enter_ann();
}

TEST_F(link_io_sync, own_stream_runs_out_before_the_call_ends) {
    EastEnd b{TestRun{}};
    b.reset();
    b.link_en = 1;
    b.tx = 1;
    b.clock_down(3, 30);
    EXPECT_EQ(b.call(), 1u);
    b.tx = 0;
    EXPECT_FALSE(b.goes_to_sync());
}

TEST_F(link_io_sync, end_that_is_off_calls_without_cred_and_stays) {
    EastEnd b{TestRun{}};
    b.reset();
    for (int clocks = 0; clocks < 100; ++clocks) {
        b.clock_down(3);
        EXPECT_EQ(b.call(), 1u);
        EXPECT_EQ(b.cred(), 0u);
        EXPECT_EQ(b.rx_valid(), 0u);
    }
    b.link_en = 1;
    b.resynchronize();
    EXPECT_EQ(b.up(), 1u);
}

TEST_F(link_io_sync, mbp_link_needs_no_switching_on) {
    MbpEnd b{TestRun{}};
    b.reset();
    b.resynchronize();
    EXPECT_EQ(b.up(), 1u);
}

TEST_F(link_io_sync, silence_has_to_last_two_cycles_within_32) {
    EastEnd b{TestRun{}};
    b.reset();
    b.link_en = 1;
    b.clock_down(3, 9);
    for (int clocks = 0; clocks < 32; ++clocks) {
        EXPECT_EQ(b.call(), 0u) << clocks;
        // Silence in every other cycle.
        b.req = clocks % 2 == 0 ? 0 : 3;
        b.cred_in = clocks % 4 == 1 ? 3 : 0;
        b.settle();
        EXPECT_EQ(b.call(), clocks == 31 ? 1u : 0u);
        b.tick();
        EXPECT_EQ(b.ann(), 0u);
    }
    EXPECT_TRUE(b.goes_to_sync());
    EXPECT_EQ(b.cred(), 3u);
    b.resynchronize();
    EXPECT_EQ(b.up(), 1u);
}

// The other end announces already, and this one was left alone.
TEST_F(link_io_sync, cred_alone_in_zero_takes_back_to_sync) {
    EastEnd b{TestRun{}};
    for (uint32_t req = 0; req < 4; ++req) {
        for (uint32_t cred = 0; cred < 4; ++cred) {
            b.reset();
            b.link_en = 1;
            b.clock_down(3, 10);
            EXPECT_EQ(b.call(), 0u);
            b.req = req;
            b.cred_in = cred;
            EXPECT_EQ(b.goes_to_sync(), req == 0 && cred != 0) << req << cred;
        }
    }
}

// Both reasons to re-synchronize politely.
enum class Why { Late, Off };
void ask_for_sync(EastEnd& b, Why why) {
    if (why == Why::Late) b.late = 1;
    else b.link_en = 0;
    b.settle();
    EXPECT_EQ(b.hush(), 1u);
}
void expect_polite_sync(EastEnd& b) {
    b.settle();
    EXPECT_EQ(b.call(), 1u);
    EXPECT_EQ(b.ev_sync(), 0u) << "nothing is lost, nothing is reported";
    b.tick();
    b.late = 0;
    b.link_en = 1;
    b.resynchronize();
    EXPECT_EQ(b.up(), 1u);
}

TEST_F(link_io_sync, idle_line_is_left_at_once) {
    EastEnd b{TestRun{}};
    for (Why why : {Why::Late, Why::Off}) {
        bring(b, At::Idle);
        EXPECT_EQ(b.hush(), 0u);
        ask_for_sync(b, why);
        EXPECT_EQ(b.ask(), 0u);
        expect_polite_sync(b);
    }
}

TEST_F(link_io_sync, polite_end_uses_no_grant) {
    EastEnd b{TestRun{}};
    for (Why why : {Why::Late, Why::Off}) {
        bring(b, At::Idle);
        ask_for_sync(b, why);
        EXPECT_FALSE(b.clock_with(1, 0));  // it had requested
        b.settle();
        EXPECT_EQ(b.line_void(), 1u);
        EXPECT_EQ(b.call(), 0u);
        EXPECT_FALSE(b.clock_with(0, 0));
        expect_polite_sync(b);  // Start, void, no request
    }
}

TEST_F(link_io_sync, end_that_resynchronizes_lets_the_other_finish_and_requests_meanwhile) {
    EastEnd b{TestRun{}};
    for (Why why : {Why::Late, Why::Off}) {
        bring(b, At::PeerStart);
        ask_for_sync(b, why);
        EXPECT_EQ(b.ask(), 0u) << "the grant may be void";
        for (uint32_t req : {1u, 2u, 2u}) {
            b.req = req;
            b.settle();
            EXPECT_EQ(b.ask(), 1u);
            EXPECT_EQ(b.call(), 0u);
            b.tick();
            b.own_req = 1;
        }
        b.req = 1;  // one flit follows, and another packet would
        b.settle();
        EXPECT_EQ(b.call(), 1u) << "the table has Idle";
        EXPECT_EQ(b.ev_sync(), 0u);
        b.tick();
        b.d = 0x2BEEF;
        b.tick();
        EXPECT_EQ(b.rx_valid() & b.rx_last(), 1u) << "the last flit arrives";
        EXPECT_EQ(b.rx_d(), 0x2BEEFu);
    }
}

TEST_F(link_io_sync, polite_end_sends_its_own_last_flit_first) {
    EastEnd b{TestRun{}};
    for (Why why : {Why::Late, Why::Off}) {
        bring(b, At::OwnXfer);
        ask_for_sync(b, why);
        EXPECT_EQ(b.call(), 0u) << "one flit follows";
        b.tick();
        expect_polite_sync(b);
    }
}

TEST_F(link_io_sync, link_that_stays_down_is_reported_once_and_only_if_it_was_up) {
    EastEnd b{TestRun{}};
    b.reset();
    b.link_en = 1;
    const auto told_in = [&b](int clocks, uint32_t slow = 0) {
        b.slow = slow;
        int told = 0;
        for (; clocks != 0; --clocks) {
            b.settle();
            told += int(b.ev_sync());
            b.tick();
        }
        return told;
    };
    b.clock_down(0);
    EXPECT_EQ(told_in(100, 1), 0) << "it has never been up";
    b.resynchronize();
    for (int turn = 0; turn < 50; ++turn) {
        b.bad = 1;
        EXPECT_EQ(told_in(1), 1);
        b.bad = 0;
        // No other end, then half a call, then an endless call, with ticks at all times between
        // Sync and Zero.
        const bool calls = turn >= 2;
        b.req = turn == 0 ? 0 : 3;
        b.cred_in = turn == 1 ? 1 : b.req();
        EXPECT_EQ(told_in(100 + turn), 0);
        EXPECT_EQ(told_in(1, 1), calls ? 0 : 1);
        EXPECT_EQ(told_in(100), 0);
        EXPECT_EQ(told_in(1, 1), calls ? 1 : 0);
        EXPECT_EQ(told_in(300, 1), 0);
        b.slow = 0;
        b.clock_down(0, 40);
        b.resynchronize();
        ASSERT_EQ(b.up(), 1u);
    }
    // A tick before it was down does not count.
    EXPECT_EQ(told_in(1, 1), 0);
    b.bad = 1;
    EXPECT_EQ(told_in(1, 1), 1);
    b.bad = 0;
    b.req = b.cred_in = 3;
    EXPECT_EQ(told_in(5, 0), 0);
    b.clock_down(0, 40);
    b.resynchronize();
    b.link_en = 0;
    b.clock_down(0);
    EXPECT_EQ(told_in(100, 1), 0) << "it was switched off";
}

TEST_F(link_io_sync, nothing_of_the_credits_before_survives) {
    EastEnd b{TestRun{}};
    b.switch_on();
    b.cred_add = 7;
    b.bad = 1;
    b.tick();
    b.cred_add = b.bad = 0;
    b.room = 0;
    b.resynchronize();
    for (int clocks = 0; clocks < 20; ++clocks) {
        EXPECT_EQ(b.cred(), 0u);
        b.tick();
    }
}

// Values of CRED from the first credit of Ann, for a link that went down with these empty buffers
// and credits in flight, and has `room` when it comes back.
std::string shown_after_a_fall(EastEnd& b, uint32_t room_before, uint32_t adds, uint32_t room) {
    b.switch_on();
    b.room = room_before;
    b.cred_add = adds;
    b.bad = 1;
    b.tick();
    b.cred_add = b.bad = 0;
    b.clock_down(3, 9);
    b.room = room;
    b.tick();
    b.enter_ann();
    std::string shown;
    for (int clocks = 1; clocks < 30; ++clocks) {
        if (clocks == 12) shown += '|';
        shown += char('0' + b.cred());
        b.clock_down(0);
    }
    return shown;
}

// The sender takes for lost what was away and is announced; a buffer that was full was not lost.
TEST_F(link_io_sync, buffer_that_was_emptied_meanwhile_is_given_back_after_ann) {
    EastEnd b{TestRun{}};
    const auto starts = [&b](uint32_t before, uint32_t adds, uint32_t room,
                             const std::string& with) {
        const std::string shown = shown_after_a_fall(b, before, adds, room);
        EXPECT_EQ(shown, with + std::string(shown.size() - with.size(), '0'));
    };
    starts(7, 0, 7, "01102203300|");
    starts(5, 0, 7, "01103300000|022");
    starts(0, 0, 7, "00000000000|011022033");
    starts(7, 2, 7, "01103300000|022");
    starts(7, 0, 6, "02203300000|");
    starts(5, 0, 5, "01103300000|");
}

}  // namespace rdt::tb
