// SPDX-License-Identifier: MIT
#include "common/line_sender.h"
#include "common/random.h"
#include "unit/link_io_bench.h"

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
    EXPECT_FALSE(b.clock_with(1, 1));  // Xfer, H1 of three flits; the peer asks, so no next grant
    EXPECT_FALSE(b.clock_with(1, 1));  // Idle, last flit: a tie
    EXPECT_FALSE(b.clock_with(1, 1));  // Gnt of the peer
    EXPECT_FALSE(b.clock_with(1, 1));  // Start of the peer
    EXPECT_EQ(b.rx_first(), 1u);
}

TEST_F(link_io, owner_keeps_the_line_without_a_gap_when_nobody_else_asks) {
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
        b.clock_with(3, 0));  // Start: H0 of the next packet, one clock after the last flit
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

TEST_F(link_io, void_grant_that_nobody_takes_up_leaves_the_line_idle) {
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
            b.clock_with(0, k == 0 ? 3 : k + 2 < n ? 2 : 0);
            EXPECT_EQ(b.rx_valid(), 1u) << "flit " << k << " of " << n;
            EXPECT_EQ(b.rx_first(), k == 0 ? 1u : 0u);
            EXPECT_EQ(b.rx_last(), k == n - 1 ? 1u : 0u);
            EXPECT_EQ(b.rx_vc(), 2u);
            EXPECT_EQ(b.rx_d(), 0x1000 + k);
        }
        b.tick();
        EXPECT_EQ(b.rx_valid(), 0u);
    }
}

TEST_F(link_io, port_switched_on_announces_each_buffer_once_lowest_first) {
    EastEnd b{TestRun{}};
    b.reset();
    for (int clocks = 0; clocks < 5; ++clocks) {
        b.tick();
        EXPECT_EQ(b.cred(), 0u);
    }
    b.link_en = 1;
    b.tick();
    for (uint32_t code : {1u, 2u, 3u, 0u, 0u}) {
        b.tick();
        EXPECT_EQ(b.cred(), code);
    }
    b.link_en = 0;
    b.tick(3);
    b.link_en = 1;
    for (int clocks = 0; clocks < 6; ++clocks) {
        b.tick();
        EXPECT_EQ(b.cred(), 0u);
    }
}

TEST_F(link_io, returned_credit_goes_before_an_announcement_and_loses_none) {
    EastEnd b{TestRun{}};
    b.reset();
    b.link_en = 1;
    b.tick();
    b.cred_ret = 1;
    b.cred_vc = 1;
    b.tick();
    EXPECT_EQ(b.cred(), 2u);
    b.cred_ret = 0;
    for (uint32_t code : {1u, 2u, 3u, 0u}) {
        b.tick();
        EXPECT_EQ(b.cred(), code);
    }
}

TEST_F(link_io, credit_added_goes_back_when_there_is_room) {
    EastEnd b{TestRun{}};
    b.switch_on();
    b.cred_add = 5;
    b.cred_ret = 1;
    b.cred_vc = 1;
    b.tick();
    EXPECT_EQ(b.cred(), 2u);
    b.cred_add = 0;
    b.tick();
    EXPECT_EQ(b.cred(), 2u);
    b.cred_ret = 0;
    for (uint32_t code : {1u, 3u, 0u}) {
        b.tick();
        EXPECT_EQ(b.cred(), code);
    }
}

TEST_F(link_io, credit_added_in_the_clock_of_its_announcement_is_announced_again) {
    EastEnd b{TestRun{}};
    b.switch_on();
    b.cred_add = 2;
    b.tick();
    EXPECT_EQ(b.cred(), 0u);
    b.tick();
    EXPECT_EQ(b.cred(), 2u);
    b.cred_add = 0;
    b.tick();
    EXPECT_EQ(b.cred(), 2u);
    b.tick();
    EXPECT_EQ(b.cred(), 0u);
}

TEST_F(link_io, port_that_is_off_does_not_listen) {
    EastEnd b{TestRun{}};
    b.reset();
    for (int clocks = 0; clocks < 10; ++clocks) {
        b.clock_with(0, 1);
        EXPECT_EQ(b.rx_valid(), 0u);
    }
    EXPECT_TRUE(b.clock_with(1, 1));  // as if the peer were silent
}

TEST_F(link_io, driving_against_the_other_end_is_an_event) {
    EastEnd b{TestRun{}};
    b.switch_on();
    b.clock_with(0, 1);
    b.clock_with(0, 1);
    b.clock_with(0, 1);
    b.req = 2;
    b.settle();
    EXPECT_EQ(b.ev_line(), 0u);
    b.own_oe = 1;
    b.settle();
    EXPECT_EQ(b.ev_line(), 1u);
    b.tick();
}

TEST_F(link_io, only_buffers_without_a_packet_are_announced) {
    EastEnd b{TestRun{}};
    b.reset();
    b.room = 0b101;
    b.link_en = 1;
    b.tick(2);
    EXPECT_EQ(b.cred(), 1u);
    b.tick();
    EXPECT_EQ(b.cred(), 3u);
    b.tick();
    EXPECT_EQ(b.cred(), 0u);
}

// Any REQ in any clock: what the machine does with a broken peer is defined as well.
template <typename Bench>
void any_req(uint32_t num_vc) {
    const TestRun run(100000);
    Bench b(run);
    b.reset();
    Random rng(run.seed);
    uint64_t packets = 0;
    uint64_t grants = 0;
    while (b.clock() < run.cycles) {
        b.rst_n = !rng.chance(rng.chance(1) ? 10 : 0);
        if (rng.chance(2)) b.link_en = rng.chance(80);
        b.d = rng.bits(18);
        b.req = rng.chance(60) ? rng.bits(2) : 0;
        b.own_req = rng.chance(60) ? rng.bits(2) : 0;
        b.cred_ret = rng.chance(20);
        b.cred_vc = rng.below(num_vc);
        b.cred_add = rng.chance(20) ? rng.bits(num_vc) : 0;
        b.tick();
        packets += b.rx_last();
        grants += b.line_gnt();
    }
    EXPECT_GT(packets, run.cycles / 100);
    EXPECT_GT(grants, run.cycles / 100);
}

TEST_F(link_io, any_req_lockstep_switched_port) { any_req<EastEnd>(3); }
TEST_F(link_io, any_req_lockstep_mbp_port) { any_req<MbpEnd>(1); }

// The two ends wired to each other, each with a sender as the specification describes it.
struct Line {
    explicit Line(const TestRun& run) : east(run), mbp(run), rng(run.seed) {
        east.switch_on();
        mbp.switch_on();
    }

    // One clock. Returns which end drives: 0, 1, or -1 for none.
    int clock() {
        pins(east, s[0], s[1]);
        pins(mbp, s[1], s[0]);
        const bool gnt[2] = {east.line_gnt() != 0, mbp.line_gnt() != 0};
        const bool void_[2] = {east.line_void() != 0, mbp.line_void() != 0};
        const int driver = s[0].oe() ? 0 : s[1].oe() ? 1 : -1;
        EXPECT_FALSE(s[0].oe() && s[1].oe()) << "both ends drive in clock " << east.clock();
        EXPECT_FALSE(gnt[0] && gnt[1]) << "both ends are granted in clock " << east.clock();
        east.tick();
        mbp.tick();
        receive(mbp, s[0]);
        receive(east, s[1]);
        for (int end = 0; end < 2; ++end) s[end].clock(gnt[end], void_[end]);
        return driver;
    }

    EastEnd east;
    MbpEnd mbp;
    Random rng;
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

    // What `b` has in its receiving registers is what `from` had on the pins in the last clock.
    template <typename Bench>
    void receive(const Bench& b, const LineSender& from) {
        EXPECT_EQ(b.rx_valid() != 0, from.oe());
        if (!from.oe()) return;
        EXPECT_EQ(b.rx_d(), from.d());
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

TEST_F(link_io, saturated_ends_alternate_with_one_clock_between) {
    Line line{TestRun{}};
    std::string drivers;
    for (int t = 0; t < 60; ++t) {
        for (LineSender& s : line.s) s.offer({0, 4});
        const int driver = line.clock();
        drivers += driver < 0 ? '.' : driver == 0 ? 'e' : 'm';
    }
    EXPECT_NE(drivers.find("eeee.mmmm.eeee.mmmm.eeee.mmmm.eeee"), std::string::npos) << drivers;
    EXPECT_EQ(drivers.find("..", 4), std::string::npos) << drivers;
}

TEST_F(link_io, single_sender_uses_every_clock) {
    Line line{TestRun{}};
    std::string drivers;
    for (int t = 0; t < 60; ++t) {
        line.s[1].offer({0, 3});
        drivers += line.clock() == 1 ? 'm' : '.';
    }
    EXPECT_EQ(drivers, std::string(3, '.') + std::string(57, 'm'));
}

}  // namespace rdt::tb
