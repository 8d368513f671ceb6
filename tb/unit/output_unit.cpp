// SPDX-License-Identifier: MIT
#include "unit/output_unit_bench.h"

namespace rdt::tb {

using output_unit = BlockTest;

TEST_F(output_unit, packet_is_announced_by_its_vc_and_followed_by_want) {
    E0 b;
    for (uint32_t vc = 0; vc < 3; ++vc) {
        for (uint32_t flits = 3; flits <= 16; ++flits) {
            b.cand_any = flits % 2;
            Flits packet(flits, with_parity(TypeErr << 14));
            EXPECT_EQ(b.send(packet, vc), packet);
        }
    }
}

TEST_F(output_unit, next_packet_follows_without_a_gap) {
    E0 b;
    const Flits packet(3, with_parity(TypeErr << 14));
    b.line_gnt = b.gnt = 1;
    b.tick();
    b.cand_any = 1;
    for (int packets = 0; packets < 5; ++packets) {
        for (uint32_t k = 0; k < 3; ++k) {
            b.line_gnt = b.gnt = k == 2;
            b.x = stream_of(packet, k, packets % 3);
            b.tick();
            EXPECT_EQ(b.d_oe(), 1u);
            EXPECT_EQ(b.req(), k == 0 ? uint32_t(packets % 3 + 1) : 1u);
        }
    }
}

// Header after the step, worked out by common/packet.h with plain integers.
template <typename Rtl>
void expect_rewrite(uint32_t port, uint32_t num_vc) {
    const TestRun run(2000);
    OutputBench<Rtl> b(run, port, num_vc);
    Random rng(run.seed + port);
    uint32_t packets = 0;
    while (packets < run.cycles && !::testing::Test::HasFailure()) {
        const PacketSpec p = random_packet(rng);
        const Place place{rng.bits(3), rng.bits(4), 0};
        const Expected e = expect(p, PortM0, 0, place);
        if (e.port != port) continue;
        b.rank = place.rank;
        EXPECT_EQ(b.send(encode(p), e.vc), encode(e.packet));
        ++packets;
    }
}

TEST_F(output_unit, header_is_one_step_closer_after_e0) {
    expect_rewrite<Vrdt_output_unit_0>(0, 3);
}
TEST_F(output_unit, header_is_one_step_closer_after_w0) {
    expect_rewrite<Vrdt_output_unit_1>(1, 3);
}
TEST_F(output_unit, header_is_one_step_closer_after_s0) {
    expect_rewrite<Vrdt_output_unit_3>(3, 2);
}
TEST_F(output_unit, header_is_one_step_closer_after_e1) {
    expect_rewrite<Vrdt_output_unit_4>(4, 2);
}
TEST_F(output_unit, header_is_one_step_closer_after_s1) {
    expect_rewrite<Vrdt_output_unit_7>(7, 2);
}
TEST_F(output_unit, header_stays_as_it_is_towards_an_mbp) {
    expect_rewrite<Vrdt_output_unit_8>(8, 1);
}

TEST_F(output_unit, types_without_a_vector_or_a_map_are_not_rewritten) {
    E0 b;
    for (uint32_t type : {TypeAck, TypeShot, TypeErr}) {
        PacketSpec p;
        p.type = type;
        p.v[0].x = 3;
        EXPECT_EQ(b.send(encode(p), 0), encode(p));
    }
}

TEST_F(output_unit, wrong_parity_stays_wrong_through_a_rewrite) {
    E0 b;
    for (uint32_t flit = 0; flit < 3; ++flit) {
        PacketSpec p;
        p.v[0].x = -5;
        Flits bad = encode(p);
        bad[flit] ^= 1u << 17;
        const Flits sent = b.send(bad, 0);
        for (uint32_t k = 0; k < 3; ++k) EXPECT_EQ(is_good(sent[k], k), k != flit);
    }
}

TEST_F(output_unit, local_goes_before_the_crossbar_and_is_not_rewritten) {
    M0 b;
    b.loc_want = b.line_gnt = 1;
    b.settle();
    EXPECT_EQ(b.xb_gnt(), 0u);
    EXPECT_EQ(b.loc_gnt(), 1u);
    b.loc_want = 0;
    b.settle();
    EXPECT_EQ(b.xb_gnt(), 1u);
    EXPECT_EQ(b.loc_gnt(), 0u);
    b.line_gnt = 0;
    b.settle();
    EXPECT_EQ(b.xb_gnt() + b.loc_gnt(), 0u);
    b.x = 0xFFFFF;
    const Flits packet = encode(PacketSpec{});
    EXPECT_EQ(b.send_local(packet), packet);
}

TEST_F(output_unit, grant_that_nobody_uses_is_answered_with_req_0) {
    E0 b;
    b.cand_any = 1;
    b.tick();
    EXPECT_EQ(b.req(), 1u);
    b.line_gnt = 1;  // but no gnt_i
    b.tick();
    EXPECT_EQ(b.req(), 1u);
    b.line_gnt = 0;
    b.line_void = 1;
    b.tick();
    EXPECT_EQ(b.req(), 0u);
    EXPECT_EQ(b.d_oe(), 0u);
    b.line_void = 0;
    b.tick();
    EXPECT_EQ(b.req(), 1u);
}

TEST_F(output_unit, credit_that_does_not_come_back_is_reported_once) {
    E0 b;
    const auto period = [&b] {
        b.tick_in = 1;
        b.settle();
        const bool event = b.ev_owed() != 0;
        b.tick();
        b.tick_in = 0;
        return event;
    };
    const Flits packet = good_flits({TypeErr << 14 | 2u << 10, 0, 0});
    b.credit_event(2);
    b.send(packet, 1);
    EXPECT_FALSE(period());
    EXPECT_TRUE(period());
    EXPECT_FALSE(period());
    b.credit_event(2);
    b.send(packet, 1);
    EXPECT_FALSE(period());
    b.credit_event(2);
    EXPECT_FALSE(period()) << "it came back";
    EXPECT_FALSE(period());
}

TEST_F(output_unit, dumped_packet_leaves_as_it_stands) {
    M0 b;
    McSpec mc;
    mc.map[0] = 0xFF;
    EXPECT_NE(b.send(encode(mc), 0), encode(mc));
    b.raw = 1;
    EXPECT_EQ(b.send(encode(mc), 0), encode(mc));
}

TEST_F(output_unit, credit_is_spent_by_the_first_flit_and_comes_back) {
    E0 b;
    EXPECT_EQ(b.credit(), 0u);
    for (uint32_t vc = 0; vc < 3; ++vc) {
        EXPECT_FALSE(b.credit_event(vc + 1));
        EXPECT_EQ(b.credit(), (2u << vc) - 1);
    }
    const Flits packet(3, with_parity(TypeErr << 14));
    b.send(packet, 1);
    EXPECT_EQ(b.credit(), 5u);
    EXPECT_FALSE(b.credit_event(2));
    EXPECT_EQ(b.credit(), 7u);
}

TEST_F(output_unit, credit_that_is_not_outstanding_is_an_event) {
    E0 b;
    EXPECT_FALSE(b.credit_event(3));
    EXPECT_TRUE(b.credit_event(3));
    EXPECT_EQ(b.credit(), 4u);
}

TEST_F(output_unit, credit_for_a_vc_that_does_not_exist_is_an_event) {
    M0 b;
    EXPECT_FALSE(b.credit_event(1));
    EXPECT_TRUE(b.credit_event(2));
    EXPECT_TRUE(b.credit_event(3));
    EXPECT_EQ(b.credit(), 1u);
}

TEST_F(output_unit, link_that_is_off_shows_no_credit_but_keeps_it) {
    E0 b;
    b.credit_event(1);
    b.link_en = 0;
    b.settle();
    EXPECT_EQ(b.credit(), 0u);
    b.credit_event(2);
    b.link_en = 1;
    b.settle();
    EXPECT_EQ(b.credit(), 3u);
}

Flits any_packet(Random& rng) {
    if (rng.chance(60)) return encode(random_packet(rng));
    if (rng.chance(20)) return {as_head(TypeAck << 14 | 2u << 10 | rng.bits(10)), 1, 1};
    McSpec mc;
    mc.type = rng.pick({TypeMcSm, TypeMcLpra, TypeMcLarp});
    mc.tag = rng.bits(3);
    for (uint32_t& map : mc.map) map = rng.bits(8);
    mc.body.resize(rng.below(5));
    return encode(mc);
}

// Streams as the chip makes them, and at times (`wild`) any input at all.
template <typename Rtl>
void random_lockstep(uint32_t port, uint32_t num_vc) {
    const TestRun run(100000);
    OutputBench<Rtl> b(run, port, num_vc);
    Random rng(run.seed + port);
    Flits packet;
    uint32_t k = 0;
    uint32_t vc = 0;
    bool from_local = false;
    bool granted = false;
    uint64_t packets = 0;
    uint64_t events = 0;
    while (b.clock() < run.cycles) {
        const bool wild = b.clock() % 5000 > 4000;
        b.rst_n = !rng.chance(rng.chance(1) ? 5 : 0);
        if (rng.chance(1)) b.link_en = rng.chance(80);
        b.tick_in = rng.chance(5);
        if (port == PortM0 && rng.chance(2)) b.raw = rng.chance(20);
        if (rng.chance(2)) b.rank = rng.bits(3);
        b.cand_any = rng.chance(60);
        b.cred = rng.chance(20) ? rng.bits(2) : 0;
        b.loc_want = rng.chance(20);
        b.line_void = wild ? rng.chance(20) : granted;
        b.x = b.loc_x = rng.bits(20);
        const bool busy = k < packet.size();
        if (busy && !wild) (from_local ? b.loc_x : b.x) = stream_of(packet, k++, vc);
        const bool free = !busy || k == packet.size();
        b.gnt = 0;
        b.line_gnt = wild ? rng.chance(20) : free && rng.chance(40);
        b.settle();
        b.gnt = wild ? rng.chance(10) : b.xb_gnt() && rng.chance(80);
        granted = b.line_gnt() != 0;
        from_local = (from_local && busy && !free) || b.loc_gnt();
        if (wild) packet.clear();
        else if (b.gnt() || b.loc_gnt()) {
            packet = any_packet(rng);
            if (rng.chance(10)) packet[rng.below(3)] ^= 1u << rng.below(18);
            vc = rng.below(num_vc);
            k = 0;
            ++packets;
        } else if (k == packet.size()) {
            packet.clear();
            k = 0;
        }
        b.settle();
        events += b.ev_cred();
        b.tick();
    }
    EXPECT_GT(packets, run.cycles / 100);
    EXPECT_GT(events, run.cycles / 100);
}

TEST_F(output_unit, random_lockstep_e0) { random_lockstep<Vrdt_output_unit_0>(0, 3); }
TEST_F(output_unit, random_lockstep_w0) { random_lockstep<Vrdt_output_unit_1>(1, 3); }
TEST_F(output_unit, random_lockstep_n0) { random_lockstep<Vrdt_output_unit_2>(2, 2); }
TEST_F(output_unit, random_lockstep_s0) { random_lockstep<Vrdt_output_unit_3>(3, 2); }
TEST_F(output_unit, random_lockstep_e1) { random_lockstep<Vrdt_output_unit_4>(4, 2); }
TEST_F(output_unit, random_lockstep_n1) { random_lockstep<Vrdt_output_unit_6>(6, 2); }
TEST_F(output_unit, random_lockstep_s1) { random_lockstep<Vrdt_output_unit_7>(7, 2); }
TEST_F(output_unit, random_lockstep_m0) { random_lockstep<Vrdt_output_unit_8>(8, 1); }

}  // namespace rdt::tb
