// SPDX-License-Identifier: MIT
// What takes a link down, one test a kind.
#include "block/link_io_bench.h"

namespace rdt::tb {

using link_io_trouble = BlockTest;

// This cycle takes the link down; it resynchronizes.
template <typename Bench>
void expect_trouble(Bench& b, bool told = true) {
    b.settle();
    EXPECT_EQ(b.call(), 1u);
    EXPECT_EQ(b.down(), 1u);
    EXPECT_EQ(b.ev_sync(), uint32_t(told));
    b.tick();
    EXPECT_EQ(b.up(), 0u);
    EXPECT_EQ(b.cred(), 3u) << "calls on CRED too";
    b.own_oe = b.bad = 0;
    b.resynchronize();
    EXPECT_EQ(b.up(), 1u);
    EXPECT_EQ(b.ev_sync(), 0u);
}
template <typename Bench>
void expect_no_trouble(Bench& b) {
    b.settle();
    EXPECT_EQ(b.call(), 0u);
    EXPECT_EQ(b.ev_sync(), 0u);
}

TEST_F(link_io_trouble, req_1_out_of_turn_is_trouble) {
    EastEnd b{TestRun{}};
    for (At at : {At::Idle, At::OwnGnt, At::OwnStart, At::OwnXfer, At::OwnLast, At::PeerGnt,
                  At::PeerLast}) {
        for (uint32_t req : {2u, 3u}) {
            SCOPED_TRACE("state " + std::to_string(int(at)) + " req " + std::to_string(req));
            bring(b, at);
            for (uint32_t legal : {0u, 1u}) {
                b.req = legal;
                expect_no_trouble(b);
            }
            b.req = req;
            // In Idle the call of an end that resynchronizes without a loss, which is not reported.
            const bool idle = at == At::Idle || at == At::OwnLast || at == At::PeerLast;
            expect_trouble(b, !(idle && req == 3));
        }
    }
}

TEST_F(link_io_trouble, any_req_while_credits_are_announced_is_trouble) {
    EastEnd b{TestRun{}};
    for (uint32_t req : {1u, 2u, 3u}) {
        for (unsigned after = 0; after < 12; ++after) {
            b.reset();
            b.link_en = 1;
            b.clock_down(3, 10);
            b.clock_down(0, 2);
            for (unsigned clock = 0; clock < after; ++clock) {
                b.cred_in = clock == 0 ? 3 : 0;
                b.tick();
            }
            b.settle();
            ASSERT_EQ(b.up() + b.call(), 0u);
            b.req = req;
            expect_trouble(b);
        }
    }
}

template <typename Bench>
void no_such_vc(Bench& b, uint32_t num_vc) {
    for (uint32_t code = 1; code <= 3; ++code) {
        bring(b, At::PeerStart);
        b.req = code;
        if (code <= num_vc) expect_no_trouble(b);
        else expect_trouble(b);
    }
}

TEST_F(link_io_trouble, vc_that_does_not_exist_is_trouble) {
    EastEnd east{TestRun{}};
    NorthEnd north{TestRun{}};
    MbpEnd mbp{TestRun{}};
    no_such_vc(east, 3);
    no_such_vc(north, 2);
    no_such_vc(mbp, 1);
}

TEST_F(link_io_trouble, call_in_the_peers_transfer_is_trouble) {
    EastEnd b{TestRun{}};
    bring(b, At::PeerXfer);
    for (uint32_t legal : {0u, 1u, 2u}) {
        b.req = legal;
        expect_no_trouble(b);
    }
    b.req = 3;
    expect_trouble(b);
}

TEST_F(link_io_trouble, transfer_of_sixteen_cycles_is_an_error) {
    EastEnd b{TestRun{}};
    bring(b, At::PeerXfer);
    for (int clocks = 0; clocks < 15; ++clocks) {
        b.req = 2;
        expect_no_trouble(b);
        b.tick();
    }
    b.settle();
    expect_trouble(b);
}

TEST_F(link_io_trouble, driving_against_the_other_end_is_trouble) {
    EastEnd b{TestRun{}};
    for (At at : {At::PeerStart, At::PeerXfer, At::PeerLast}) {
        bring(b, at);
        b.req = at == At::PeerLast ? 0 : 1;
        expect_no_trouble(b);
        b.own_oe = 1;
        expect_trouble(b);
    }
    bring(b, At::PeerStart);
    b.own_oe = 1;
    expect_no_trouble(b);  // a void grant: nothing is received
}

TEST_F(link_io_trouble, errors_of_the_input_unit_are_errors_in_every_state) {
    EastEnd b{TestRun{}};
    for (int at = 0; at <= int(At::PeerLast); ++at) {
        SCOPED_TRACE("state " + std::to_string(at));
        bring(b, At(at));
        expect_no_trouble(b);
        b.bad = 1;
        expect_trouble(b);
    }
    b.reset();
    b.bad = 1;
    b.settle();
    EXPECT_EQ(b.ev_sync(), 0u) << "down already";
}

TEST_F(link_io_trouble, arriving_packet_ends_with_the_flit_of_the_cycle_of_the_error) {
    EastEnd b{TestRun{}};
    bring(b, At::PeerXfer);
    b.req = 2;
    b.d = 0x12345;
    b.bad = 1;
    b.tick();
    b.bad = 0;
    EXPECT_EQ(b.rx_valid(), 1u);
    EXPECT_EQ(b.rx_last(), 1u);
    EXPECT_EQ(b.rx_d(), 0x12345u);
    for (int clocks = 0; clocks < 20; ++clocks) {
        b.tick();
        EXPECT_EQ(b.rx_valid(), 0u);
    }
}

}  // namespace rdt::tb
