// SPDX-License-Identifier: MIT
#include "Vrdt_route_0.h"
#include "Vrdt_route_2.h"
#include "Vrdt_route_4.h"
#include "Vrdt_route_8.h"
#include "Vrdt_route_9.h"
#include "common/block_bench.h"
#include "common/single_block.h"
#include "common/stimulus.h"
#include <rdt/route.h>

namespace rdt::tb {

template <typename Rtl>
struct RouteBench : BlockBench<Rtl, single_block<class rdt::route>> {
    using Base = BlockBench<Rtl, single_block<class rdt::route>>;
    using Base::in, Base::out, Base::rtl, Base::model;

    RouteBench(const TestRun& run, uint32_t in_port) : Base(run, "route", in_port) {}

    const bool clocked = this->has_clock(rtl().clk_i, model().clk_i);
    Input h0 = in("h0_i", 17, rtl().h0_i, model().h0_i);
    Input h1 = in("h1_i", 17, rtl().h1_i, model().h1_i);
    Input h2 = in("h2_i", 17, rtl().h2_i, model().h2_i);
    Input in_vc = in("in_vc_i", 2, rtl().in_vc_i, model().in_vc_i);
    RankInput rank{in("rank_i", 5, rtl().rank_i, model().rank_i)};
    Input xfer = in("xfer_i", 4, rtl().xfer_i, model().xfer_i);
    Input dateline = in("dateline_i", 8, rtl().dateline_i, model().dateline_i);
    Input bad_map = in("bad_map_i", 1, rtl().bad_map_i, model().bad_map_i);
    Input raw = in("raw_i", 1, rtl().raw_i, model().raw_i);
    Input credit = in("credit_i", 31, rtl().credit_i, model().credit_i);
    Output set = out("set_o", 11, rtl().set_o, model().set_o);
    Output rdy = out("rdy_o", 11, rtl().rdy_o, model().rdy_o);
    Output ovc = out("ovc_o", 2, rtl().ovc_o, model().ovc_o);
    Output mc = out("mc_o", 1, rtl().mc_o, model().mc_o);
    Output err = out("err_o", 4, rtl().err_o, model().err_o);

    // H1 comes a cycle before H2, with its H0 stored.
    void header(const Flits& flits) {
        h0 = payload_of(flits[0]);
        h2 = payload_of(flits[1]);
        this->settle();
        this->edge();
        h1 = payload_of(flits[1]);
        h2 = payload_of(flits[2]);
        this->check();
        const uint32_t vc = dst() < PortM0 ? ovc() : 0;
        EXPECT_EQ(rdy(), (credit() >> (3 * dst() + vc) & 1) != 0 ? set() : 0);
    }
    // The only output; 0 if there is none.
    uint32_t dst() const {
        uint32_t o = 0;
        while (set() >> o > 1) ++o;
        EXPECT_EQ(set() & (set() - 1), 0u);
        return o;
    }
    void header(const PacketSpec& p) { header(encode(p)); }
    void at(const Place& place) {
        rank = place.rank;
        xfer = place.xfer;
        dateline = place.dateline;
    }

    // Refused with this code: to LOCAL on VC 0.
    void expect_error(uint32_t code) {
        EXPECT_EQ(err(), code);
        EXPECT_EQ(dst(), uint32_t(PortLocal));
        EXPECT_EQ(ovc(), 0u);
    }
    void expect_way(uint32_t port, uint32_t vc) {
        EXPECT_EQ(err(), uint32_t(ErrNone));
        EXPECT_EQ(dst(), port);
        EXPECT_EQ(ovc(), vc);
    }
};

using FromE0 = RouteBench<Vrdt_route_0>;
using FromM0 = RouteBench<Vrdt_route_8>;
using FromM1 = RouteBench<Vrdt_route_9>;
using route = BlockTest;

PacketSpec unicast(int x, int y) {
    PacketSpec p;
    p.v[0] = {x, y};
    return p;
}
PacketSpec upper(uint32_t rank, int x, int y) {
    PacketSpec p;
    p.v[rank] = {x, y};
    return p;
}

Flits with_field(Flits flits, uint32_t flit, uint32_t lo, uint32_t width, uint32_t value) {
    flits[flit] = with_field(flits[flit], lo, width, value);
    return flits;
}

TEST_F(route, acks_and_types_of_other_routers_are_malformed) {
    FromE0 b(TestRun{}, 0);
    for (uint32_t type = 0; type < 8; ++type) {
        PacketSpec p = unicast(0, 1);
        p.type = type;
        p.body = {0};
        b.header(p);
        if (type == TypeUni || type == TypeSetup) b.expect_way(PortN0, 0);
        else if (type >= TypeMcSm && type <= TypeMcLarp) b.expect_way(0, 0);
        else b.expect_error(ErrBadType);
    }
}

TEST_F(route, multicast_is_refused_for_its_map_but_not_for_vectors_it_does_not_have) {
    FromE0 b(TestRun{}, 0);
    for (uint32_t type : {TypeMcSm, TypeMcLpra, TypeMcLarp}) {
        PacketSpec p = unicast(-1, 0);
        p.type = type;
        p.hop = 0;
        const Flits flits = with_field(with_field(encode(p), 1, 0, 1, 1), 2, 0, 1, 1);
        b.bad_map = 0;
        b.header(flits);
        b.expect_way(0, 0);
        b.bad_map = 1;
        b.header(flits);
        b.expect_error(ErrBadMap);
        b.header(with_field(flits, 0, 10, 4, 1));
        b.expect_error(ErrBadLength);
        p.type = TypeUni;
        p.hop = 1;
        b.header(p);
        b.expect_way(PortW0, 0);
    }
}

TEST_F(route, packet_shorter_than_its_kind_allows_has_a_length_error) {
    FromE0 b(TestRun{}, 0);
    for (uint32_t type : {uint32_t(TypeUni), uint32_t(TypeSetup)}) {
        for (uint32_t len = 0; len < 16; ++len) {
            PacketSpec p = unicast(1, 0);
            p.type = type;
            b.header(with_field(encode(p), 0, 10, 4, len));
            if (len < (type == TypeSetup ? 3u : 2u)) b.expect_error(ErrBadLength);
            else b.expect_way(PortE0, 0);
        }
    }
}

TEST_F(route, reserved_bit_in_h1_or_h2_is_refused) {
    FromE0 b(TestRun{}, 0);
    for (uint32_t flit : {1u, 2u}) {
        b.header(with_field(encode(unicast(1, 1)), flit, 0, 1, 1));
        b.expect_error(ErrReserved);
    }
}

TEST_F(route, hop_limit_stops_a_packet_that_has_to_leave_and_no_other) {
    FromE0 b(TestRun{}, 0);
    b.rank = 2;
    PacketSpec p = unicast(0, 0);
    p.hop = 0;
    p.mbp = 1;
    b.header(p);
    b.expect_way(PortM1, 0);
    p.type = TypeSetup;
    p.body = {0};
    b.header(p);
    b.expect_way(PortLocal, 0);
    for (PacketSpec away : {unicast(0, -1), upper(2, 1, 0), upper(3, 1, 0)}) {
        away.hop = 0;
        b.header(away);
        b.expect_error(ErrHopLimit);
        away.hop = 1;
        b.header(away);
        EXPECT_EQ(b.err(), uint32_t(ErrNone));
    }
}

TEST_F(route, first_error_in_the_order_of_the_specification_is_reported) {
    FromE0 b(TestRun{}, 0);
    PacketSpec p = unicast(1, 0);
    p.hop = 0;
    Flits flits = encode(p);
    b.header(flits);
    b.expect_error(ErrHopLimit);
    flits = with_field(flits, 2, 0, 1, 1);
    b.header(flits);
    b.expect_error(ErrReserved);
    flits = with_field(flits, 0, 10, 4, 1);
    b.header(flits);
    b.expect_error(ErrBadLength);
    b.header(with_field(flits, 0, 14, 3, TypeErr));
    b.expect_error(ErrBadType);
    flits = with_field(flits, 0, 14, 3, TypeAck);
    b.header(flits);
    b.expect_error(ErrBadType);
}

TEST_F(route, rank_0_goes_y_before_x) {
    FromE0 b(TestRun{}, 0);
    for (int x = -8; x < 8; ++x) {
        for (int y = -8; y < 8; ++y) {
            b.header(unicast(x, y));
            b.expect_way(y > 0   ? PortN0
                         : y < 0 ? PortS0
                         : x > 0 ? PortE0
                         : x < 0 ? PortW0
                                 : PortM0,
                         0);
        }
    }
}

TEST_F(route, upper_rank_of_the_node_goes_y_before_x) {
    FromE0 b(TestRun{}, 0);
    for (uint32_t rank = 1; rank <= 4; ++rank) {
        b.rank = rank;
        for (int x = -4; x < 4; ++x) {
            for (int y = -4; y < 4; ++y) {
                if (x == 0 && y == 0) continue;
                PacketSpec p = upper(rank, x, y);
                p.v[0] = {-y, x};  // comes after the upper ranks
                b.header(p);
                b.expect_way(y > 0 ? PortN1 : y < 0 ? PortS1 : x > 0 ? PortE1 : PortW1, 0);
            }
        }
    }
}

TEST_F(route, highest_rank_goes_first_and_transfers_use_their_own_channel) {
    FromE0 b(TestRun{}, 0);
    for (uint32_t left = 1; left <= 4; ++left) {
        for (uint32_t rank = 0; rank < 8; ++rank) {
            for (uint32_t xfer = 0; xfer < 16; ++xfer) {
                PacketSpec p;
                for (uint32_t r = 0; r <= left; ++r) p.v[r] = {0, 1};
                b.rank = rank;
                b.xfer = xfer;
                b.dateline = 0xFF;
                b.header(p);
                if (rank == left) b.expect_way(PortN1, 1);
                else b.expect_way((xfer >> (left - 1)) % 2 == 1 ? PortW0 : PortE0, 2);
            }
        }
    }
}

TEST_F(route, vc_1_is_kept_straight_on_and_left_on_a_change_of_dimension) {
    FromE0 b(TestRun{}, 0);  // from E0: straight on is W0
    b.in_vc = 1;
    b.header(unicast(-2, 0));
    b.expect_way(PortW0, 1);
    b.header(unicast(-2, 1));
    b.expect_way(PortN0, 0);
    b.header(unicast(2, 0));
    b.expect_way(PortE0, 0);
    b.header(unicast(0, 0));
    b.expect_way(PortM0, 0);
    for (uint32_t vc : {0u, 2u}) {
        b.in_vc = vc;
        b.header(unicast(-2, 0));
        b.expect_way(PortW0, 0);
    }
}

TEST_F(route, dateline_of_the_output_changes_to_vc_1) {
    FromE0 b(TestRun{}, 0);
    b.rank = 1;
    const PacketSpec to[] = {unicast(1, 0),  unicast(-1, 0),  unicast(0, 1),  unicast(0, -1),
                             upper(1, 1, 0), upper(1, -1, 0), upper(1, 0, 1), upper(1, 0, -1)};
    for (uint32_t port = 0; port < 8; ++port) {
        for (uint32_t line = 0; line < 8; ++line) {
            b.dateline = 1u << line;
            b.header(to[port]);
            b.expect_way(port, line == port ? 1 : 0);
        }
    }
}

TEST_F(route, shot_packets_of_mbp_0_are_for_local_and_have_three_flits) {
    FromM0 m(TestRun{}, PortM0);
    for (uint32_t len = 0; len < 16; ++len) {
        m.header(with_field(good_flits({TypeShot << 14, 0x1FFFF, 0x1FFFF}), 0, 10, 4, len));
        if (len == 2) m.expect_way(PortLocal, 0);
        else m.expect_error(ErrBadLength);
    }
}
TEST_F(route, shot_packets_of_mbp_1_are_malformed) {
    FromM1 m(TestRun{}, PortM1);
    for (uint32_t len = 2; len < 16; ++len) {
        m.header(with_field(good_flits({TypeShot << 14, 0x1FFFF, 0x1FFFF}), 0, 10, 4, len));
        m.expect_error(ErrBadType);
    }
}

TEST_F(route, packet_that_is_put_back_goes_to_local_whatever_it_is) {
    FromM0 m(TestRun{}, PortM0);
    m.raw = 1;
    m.bad_map = 1;
    for (uint32_t type = 0; type < 8; ++type) {
        for (uint32_t len = 0; len < 16; ++len) {
            m.header(with_field(good_flits({type << 14, 0x1FFFF, 1}), 0, 10, 4, len));
            if (len < 2) m.expect_error(ErrBadLength);
            else m.expect_way(PortLocal, 0);
        }
    }
}

// Well-formed packets against the reference of common/packet.h, and any bits at all in lockstep.
template <typename Rtl>
void random_headers(uint32_t in_port) {
    const TestRun run(100000);
    RouteBench<Rtl> b(run, in_port);
    Dice rng(run.seed + in_port);
    std::array<uint64_t, 11> to{};
    std::array<uint64_t, 11> errors{};
    while (b.clock() < run.cycles && !::testing::Test::HasFailure()) {
        const Place place{rng.bits(3), rng.bits(4), rng.bits(8)};
        b.at(place);
        b.in_vc = rng.below(3);
        b.bad_map = rng.bits(1);
        b.credit = rng.bits(31);
        if (rng.chance(30)) {
            b.raw = in_port == PortM0 && rng.chance(20);
            b.header(Flits{rng.bits(17), rng.bits(17), rng.bits(17)});
            b.raw = 0;
            ++errors[b.err()];
            continue;
        }
        const PacketSpec p = random_packet(rng);
        b.header(p);
        const Expected e = expect(p, in_port, b.in_vc(), place);
        EXPECT_EQ(b.dst(), e.port);
        EXPECT_EQ(b.ovc(), e.vc);
        EXPECT_EQ(b.err(), e.error);
        ++to[b.dst()];
        ++errors[b.err()];
    }
    for (uint32_t port = 0; port < 11; ++port) EXPECT_GT(to[port], 0u) << to_string(Port(port));
    for (uint32_t code : {ErrNone, ErrBadType, ErrBadLength, ErrReserved, ErrHopLimit, ErrBadMap})
        EXPECT_GT(errors[code], 0u) << to_string(Err(code));
}

TEST_F(route, random_lockstep_and_reference_from_e0) { random_headers<Vrdt_route_0>(PortE0); }
TEST_F(route, random_lockstep_and_reference_from_n0) { random_headers<Vrdt_route_2>(PortN0); }
TEST_F(route, random_lockstep_and_reference_from_e1) { random_headers<Vrdt_route_4>(PortE1); }
TEST_F(route, random_lockstep_and_reference_from_m0) { random_headers<Vrdt_route_8>(PortM0); }
TEST_F(route, random_lockstep_and_reference_from_m1) { random_headers<Vrdt_route_9>(PortM1); }

}  // namespace rdt::tb
