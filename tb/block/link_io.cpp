// SPDX-License-Identifier: MIT
#include "common/line_sender.h"
#include "common/dice.h"
#include "block/link_io_bench.h"

namespace rdt::tb {

using link_io = BlockTest;

TEST_F(link_io, first_tie_goes_to_the_end_with_priority) {
    EastEnd b{TestRun{}};
    b.switch_on();
    EXPECT_TRUE(b.clock_with(1, 1));
}

TEST_F(link_io, first_tie_is_lost_by_the_end_without_priority) {
    MbpEnd b{TestRun{}};
    b.switch_on();
    EXPECT_FALSE(b.clock_with(1, 1));
    EXPECT_FALSE(b.clock_with(1, 1));  // Gnt
    EXPECT_FALSE(b.clock_with(1, 1));  // Start: the peer's first flit, VC 0
    EXPECT_EQ(b.rx_first(), 1u);
}

TEST_F(link_io, last_owner_loses_ties) {
    EastEnd b{TestRun{}};
    b.switch_on();
    EXPECT_TRUE(b.clock_with(1, 0));
    EXPECT_FALSE(b.clock_with(1, 1));  // Gnt
    EXPECT_FALSE(b.clock_with(2, 1));  // Start, H0 on VC 1
    EXPECT_FALSE(
        b.clock_with(1, 1));  // Xfer, H1 of three flits; the peer requests, so no next grant
    EXPECT_FALSE(b.clock_with(1, 1));  // Idle, last flit: a tie
    EXPECT_FALSE(b.clock_with(1, 1));  // Gnt of the peer
    EXPECT_FALSE(b.clock_with(1, 1));  // Start of the peer
    EXPECT_EQ(b.rx_first(), 1u);
}

TEST_F(link_io, owner_keeps_the_line_without_a_gap_if_the_other_end_does_not_request) {
    EastEnd b{TestRun{}};
    b.switch_on();
    EXPECT_TRUE(b.clock_with(1, 0));
    EXPECT_FALSE(b.clock_with(1, 0));
    EXPECT_FALSE(b.clock_with(1, 0));  // Start, H0
    EXPECT_TRUE(b.clock_with(1, 0));   // Xfer, H1: granted again
    b.own_req = 1;
    b.settle();
    EXPECT_EQ(b.line_void(), 1u);  // last flit, already the next packet's Gnt
    EXPECT_FALSE(b.clock_with(1, 0));
    EXPECT_FALSE(
        b.clock_with(3, 0));  // Start: H0 of the next packet, one cycle after the last flit
    EXPECT_FALSE(b.clock_with(2, 0));  // Xfer, more than one flit follows
    EXPECT_FALSE(b.clock_with(0, 0));  // Xfer, one follows, nothing more to send
    EXPECT_FALSE(b.clock_with(0, 0));  // Idle
    EXPECT_TRUE(b.clock_with(1, 0));
}

TEST_F(link_io, void_grant_gives_line_to_the_other_end) {
    EastEnd b{TestRun{}};
    b.switch_on();
    EXPECT_FALSE(b.clock_with(0, 1));  // Idle: to the peer
    EXPECT_FALSE(b.clock_with(1, 1));  // Gnt
    EXPECT_TRUE(b.clock_with(1, 0));   // Start: the peer has nothing after all
    EXPECT_EQ(b.line_void(), 1u);      // Gnt of this end
    EXPECT_FALSE(b.clock_with(1, 1));
    EXPECT_FALSE(b.clock_with(0, 1));  // Start: nor has this end, so the line is the peer's again
    EXPECT_FALSE(b.clock_with(0, 1));  // Gnt
    EXPECT_FALSE(b.clock_with(0, 3));  // Start, VC 2
    EXPECT_EQ(b.rx_first(), 1u);
    EXPECT_EQ(b.rx_vc(), 2u);
}

TEST_F(link_io, unused_void_grant_leaves_the_line_idle) {
    EastEnd b{TestRun{}};
    b.switch_on();
    EXPECT_TRUE(b.clock_with(1, 0));
    EXPECT_FALSE(b.clock_with(0, 0));
    EXPECT_FALSE(b.clock_with(0, 0));
    EXPECT_FALSE(b.clock_with(1, 1));  // Idle again, and the last owner loses the tie
    EXPECT_EQ(b.rx_valid(), 0u);
}

TEST_F(link_io, received_packet_is_framed_by_first_and_last) {
    EastEnd b{TestRun{}};
    b.switch_on();
    for (uint32_t n = 3; n <= 16; ++n) {
        b.clock_with(0, 1);
        b.clock_with(0, 1);
        for (uint32_t k = 0; k < n; ++k) {
            b.d = 0x1000 + k;
            b.clock_with(0, k == 0 ? 1 : k + 2 < n ? 2 : 0);
            EXPECT_EQ(b.rx_valid(), 1u) << "flit " << k << " of " << n;
            EXPECT_EQ(b.rx_first(), k == 0 ? 1u : 0u);
            EXPECT_EQ(b.rx_last(), k == n - 1 ? 1u : 0u);
            EXPECT_EQ(b.rx_vc(), 0u);
            EXPECT_EQ(b.rx_d(), 0x1000 + k);
            EXPECT_EQ(b.up(), 1u);
        }
        b.tick();
        EXPECT_EQ(b.rx_valid(), 0u);
    }
}

TEST_F(link_io, mark_of_the_vc_is_taken_off_h2_on_vc_1_and_h1_on_vct) {
    EastEnd b{TestRun{}};
    b.switch_on();
    const uint32_t marked_flit[] = {99, 2, 1};
    for (uint32_t vc = 0; vc < 3; ++vc) {
        for (uint32_t parity = 0; parity < 2; ++parity) {
            b.clock_with(0, 1);
            b.clock_with(0, 1);
            for (uint32_t k = 0; k < 6; ++k) {
                b.d = 0x155 + k + (parity << 17);
                b.clock_with(0, k == 0 ? vc + 1 : k < 4 ? 2 : 0);
                EXPECT_EQ(b.rx_vc(), vc);
                EXPECT_EQ(b.rx_d(), b.d() ^ (k == marked_flit[vc] ? 1u << 17 : 0)) << "flit " << k;
            }
        }
    }
}

// The line is undriven then, and its 0 must not become a flit with valid parity.
TEST_F(link_io, mark_of_the_vc_is_not_taken_off_while_the_other_end_calls) {
    const uint32_t marked_flit[] = {99, 2, 1};
    EastEnd b{TestRun{}};
    for (uint32_t vc = 1; vc < 3; ++vc) {
        b.switch_on();
        b.clock_with(0, 1);
        b.clock_with(0, 1);
        b.clock_with(0, vc + 1);
        if (vc == 1) b.clock_with(0, 2);
        b.d = 0;
        b.clock_with(0, 3);
        EXPECT_EQ(b.rx_valid(), 1u);
        EXPECT_EQ(b.rx_d(), 0u) << "flit " << marked_flit[vc];
    }
}

TEST_F(link_io, each_empty_buffer_is_announced_once_lowest_first_twice_in_a_row) {
    EastEnd b{TestRun{}};
    for (uint32_t room : {7u, 5u, 2u, 0u}) {
        b.reset();
        b.room = room;
        b.link_en = 1;
        std::string shown;
        std::string expected = "0";
        for (uint32_t v = 0; v < 3; ++v)
            if (room >> v & 1) expected += std::string(2, char('1' + v)) + "0";
        for (int clocks = 0; clocks < 60; ++clocks) {
            b.req = b.goes_to_sync() ? 3 : 0;
            b.cred_in = b.cred();  // as quick as this end
            b.tick();
            if (b.ann() || b.up()) shown += char('0' + b.cred());
        }
        EXPECT_EQ(b.up(), 1u);
        EXPECT_EQ(shown, expected + std::string(shown.size() - expected.size(), '0'));
    }
}

// Values of CRED in the coming cycles.
template <typename Bench>
std::string credits(Bench& b, int clocks) {
    std::string shown;
    for (; clocks != 0; --clocks) {
        b.tick();
        b.cred_ret = b.cred_add = 0;
        shown += char('0' + b.cred());
    }
    return shown;
}

TEST_F(link_io, returned_credit_is_shown_in_the_next_two_cycles_and_then_a_gap) {
    EastEnd b{TestRun{}};
    b.switch_on();
    for (uint32_t vc = 0; vc < 3; ++vc) {
        b.cred_ret = 1;
        b.cred_vc = vc;
        EXPECT_EQ(credits(b, 5), std::string(2, char('1' + vc)) + "000");
    }
}

TEST_F(link_io, credits_that_come_faster_than_they_can_be_shown_wait) {
    EastEnd b{TestRun{}};
    b.switch_on();
    std::string shown;
    for (uint32_t vc : {2u, 1u, 0u}) {
        b.cred_ret = 1;
        b.cred_vc = vc;
        shown += credits(b, 1);
    }
    EXPECT_EQ(shown + credits(b, 8), "33011022000");
}

TEST_F(link_io, returned_credit_goes_before_those_that_wait) {
    EastEnd b{TestRun{}};
    b.switch_on();
    b.cred_add = 1;
    b.cred_ret = 1;
    b.cred_vc = 2;
    std::string shown = credits(b, 3);
    b.cred_ret = 1;
    b.cred_vc = 1;
    EXPECT_EQ(shown + credits(b, 8), "33022011000");
}

TEST_F(link_io, added_credit_is_returned_when_cred_is_free) {
    EastEnd b{TestRun{}};
    b.switch_on();
    b.cred_add = 5;
    b.cred_ret = 1;
    b.cred_vc = 1;
    EXPECT_EQ(credits(b, 10), "2201103300");
}

TEST_F(link_io, credit_added_in_the_cycle_in_which_it_is_shown_is_shown_again) {
    EastEnd b{TestRun{}};
    b.switch_on();
    b.cred_add = 2;
    std::string shown = credits(b, 1);
    b.cred_add = 2;
    EXPECT_EQ(shown + credits(b, 8), "022022000");
}

// Any pins in any cycle: what the machine does with a broken peer is defined as well. At times the
// peer is sane, so that the link comes up and packets get through.
template <typename Bench>
void any_pins(uint32_t num_vc) {
    const TestRun run(100000);
    Bench b(run);
    b.reset();
    Dice rng(run.seed);
    uint64_t packets = 0;
    uint64_t grants = 0;
    uint64_t ups = 0;
    uint64_t told = 0;
    bool was_up = false;
    while (b.clock() < run.cycles) {
        const bool wild = b.clock() % 2000 < 500;
        b.rst_n = !rng.chance(rng.chance(1) ? 10 : 0);
        if (rng.chance(2)) b.link_en = rng.chance(90);
        b.settle();
        const bool sends = b.rx_valid() && !b.rx_last();
        b.d = rng.bits(18);
        b.req = rng.chance(60) ? rng.bits(2) : 0;
        b.cred_in = rng.chance(60) ? rng.bits(2) : 0;
        if (!wild) {
            if (b.up()) b.req = sends && rng.chance(60) ? 2 : rng.bits(1);
            else b.req = b.call() ? 3 : 0;
            if (!b.up()) b.cred_in = b.cred();  // as quick as this end
            if (rng.chance(1)) b.req = rng.bits(2);
        }
        b.own_req = rng.chance(60) ? rng.bits(2) : 0;
        b.own_oe = rng.chance(wild ? 30 : 1);
        b.tx = rng.chance(20);
        b.late = rng.chance(wild ? 10 : 1);
        b.bad = rng.chance(wild ? 10 : 1);
        b.slow = rng.chance(5);
        b.room = rng.bits(num_vc);
        b.cred_ret = rng.chance(20);
        b.cred_vc = rng.below(num_vc);
        b.cred_add = rng.chance(20) ? rng.bits(num_vc) : 0;
        b.settle();
        told += b.ev_sync();
        grants += b.line_gnt();
        b.tick();
        packets += b.rx_last();
        ups += b.up() && !was_up;
        was_up = b.up() != 0;
    }
    EXPECT_GT(packets, run.cycles / 200);
    EXPECT_GT(grants, run.cycles / 200);
    EXPECT_GT(ups, run.cycles / 200);
    EXPECT_GT(told, run.cycles / 200);
}

TEST_F(link_io, any_pins_lockstep_east) { any_pins<EastEnd>(3); }
TEST_F(link_io, any_pins_lockstep_west) { any_pins<WestEnd>(3); }
TEST_F(link_io, any_pins_lockstep_north) { any_pins<NorthEnd>(2); }
TEST_F(link_io, any_pins_lockstep_mbp) { any_pins<MbpEnd>(1); }

// The two ends wired to each other, each with a sender as the specification describes it.
struct Line {
    explicit Line(const TestRun& run) : east(run), west(run), rng(run.seed) {
        east.switch_on();
        west.switch_on();
    }

    // One cycle. Returns which end drives: 0, 1, or -1 for none.
    int clock() {
        pins(east, s[0], s[1]);
        pins(west, s[1], s[0]);
        const bool gnt[2] = {east.line_gnt() != 0, west.line_gnt() != 0};
        const bool void_[2] = {east.line_void() != 0, west.line_void() != 0};
        const int driver = s[0].oe() ? 0 : s[1].oe() ? 1 : -1;
        EXPECT_FALSE(s[0].oe() && s[1].oe()) << "both ends drive in cycle " << east.clock();
        EXPECT_FALSE(gnt[0] && gnt[1]) << "both ends are granted in cycle " << east.clock();
        east.tick();
        west.tick();
        receive(west, s[0]);
        receive(east, s[1]);
        for (int end = 0; end < 2; ++end) s[end].clock(gnt[end], void_[end]);
        return driver;
    }

    EastEnd east;
    WestEnd west;
    Dice rng;
    LineSender s[2];
    uint64_t packets = 0;

private:
    template <typename Bench>
    void pins(Bench& b, const LineSender& own, const LineSender& peer) {
        b.own_req = own.req();
        b.own_oe = own.oe();
        b.req = peer.req();
        b.d = own.oe() ? own.d() : peer.oe() ? peer.d() : rng.bits(18);
        b.settle();
    }

    // The receiving registers of `b` hold the pins of `from` in the last cycle.
    template <typename Bench>
    void receive(const Bench& b, const LineSender& from) {
        EXPECT_EQ(b.rx_valid() != 0, from.oe());
        if (!from.oe()) return;
        EXPECT_EQ(b.rx_d(), from.flit());
        EXPECT_EQ(b.rx_vc(), from.vc());
        EXPECT_EQ(b.rx_first() != 0, from.first());
        EXPECT_EQ(b.rx_last() != 0, from.last());
        packets += from.last();
    }
};

TEST_F(link_io, two_ends_never_drive_the_line_together) {
    const TestRun run(100000);
    Line line(run);
    uint64_t turns = 0;
    int last = -1;
    int before = -1;
    for (uint64_t t = 0; t < run.cycles && !HasFailure(); ++t) {
        for (LineSender& s : line.s) {
            if (line.rng.chance(10)) s.offer({line.rng.below(3), line.rng.between(3, 16)});
            s.gives_up = line.rng.chance(10);
        }
        const int driver = line.clock();
        if (driver >= 0 && last >= 0 && driver != last) {
            EXPECT_EQ(before, -1) << "no turnaround clock";
            ++turns;
        }
        before = driver;
        if (driver >= 0) last = driver;
    }
    EXPECT_GT(line.packets, run.cycles / 20);
    EXPECT_GT(turns, run.cycles / 100);
    EXPECT_GT(line.s[0].voided + line.s[1].voided, 0u);
}

TEST_F(link_io, saturated_ends_alternate_with_one_cycle_between) {
    Line line{TestRun{}};
    std::string drivers;
    for (int t = 0; t < 60; ++t) {
        for (LineSender& s : line.s) s.offer({0, 4});
        const int driver = line.clock();
        drivers += driver < 0 ? '.' : driver == 0 ? 'e' : 'w';
    }
    EXPECT_NE(drivers.find("eeee.wwww.eeee.wwww.eeee.wwww.eeee"), std::string::npos) << drivers;
    EXPECT_EQ(drivers.find("..", 4), std::string::npos) << drivers;
}

TEST_F(link_io, single_sender_uses_every_cycle) {
    Line line{TestRun{}};
    std::string drivers;
    for (int t = 0; t < 60; ++t) {
        line.s[1].offer({0, 3});
        drivers += line.clock() == 1 ? 'w' : '.';
    }
    EXPECT_EQ(drivers, std::string(3, '.') + std::string(57, 'w'));
}

}  // namespace rdt::tb
