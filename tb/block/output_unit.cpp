// SPDX-License-Identifier: MIT
#include "block/output_unit_bench.h"

namespace rdt::tb {

using output_unit = BlockTest;

TEST_F(output_unit, packet_is_announced_by_its_vc_and_followed_by_a_request) {
    E0 b;
    for (uint32_t vc = 0; vc < 3; ++vc) {
        for (uint32_t flits = 3; flits <= 16; ++flits) {
            b.cand_any = flits % 2;
            Flits packet(flits, with_parity(TypeErr << 14));
            EXPECT_EQ(b.send(packet, vc), marked(packet, vc));
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
    b.reset();
    Dice rng(run.seed + port);
    uint32_t packets = 0;
    while (packets < run.cycles && !::testing::Test::HasFailure()) {
        const PacketSpec p = random_packet(rng);
        const Place place{rng.bits(3), rng.bits(4), 0};
        const Expected e = expect(p, PortM0, 0, place);
        if (e.port != port) continue;
        b.rank = place.rank;
        EXPECT_EQ(b.send(encode(p), e.vc), marked(encode(e.packet), e.vc));
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

TEST_F(output_unit, unused_grant_is_answered_with_req_0) {
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

TEST_F(output_unit, dumped_packet_leaves_as_it_stands) {
    M0 b;
    McSpec mc;
    mc.map[0] = 0xFF;
    EXPECT_NE(b.send(encode(mc), 0), encode(mc));
    b.raw = 1;
    EXPECT_EQ(b.send(encode(mc), 0), encode(mc));
}

TEST_F(output_unit, only_a_network_port_s_crossbar_packets_are_marked_with_their_vc) {
    const Flits packet = good_flits({TypeErr << 14 | 2u << 10, 5, 6});
    EastOutput e;
    MbpOutput m;
    e.reset();
    m.reset();
    EXPECT_EQ(e.send(packet, 0), packet);
    Flits on_vc1 = packet;
    on_vc1[2] ^= 1u << 17;
    EXPECT_EQ(e.send(packet, 1), on_vc1);
    Flits on_vct = packet;
    on_vct[1] ^= 1u << 17;
    EXPECT_EQ(e.send(packet, 2), on_vct);
    EXPECT_EQ(e.send_local(packet), packet) << "the mark of the packet before is forgotten";
    for (uint32_t vc = 0; vc < 3; ++vc) EXPECT_EQ(m.send(packet, vc), packet);
}

TEST_F(output_unit, suppressed_end_requests_only_when_the_link_allows_it) {
    E0 b;
    const auto shown = [&b](uint32_t hush, uint32_t ask) {
        b.hush = hush;
        b.ask = ask;
        b.tick();
        return b.req();
    };
    for (Input* who : {&b.cand_any, &b.loc_want}) {
        *who = 1;
        EXPECT_EQ(shown(0, 0), 1u);
        EXPECT_EQ(shown(1, 0), 0u);
        EXPECT_EQ(shown(1, 1), 1u);
        *who = 0;
        EXPECT_EQ(shown(0, 0), 0u);
        EXPECT_EQ(shown(1, 1), 1u);
    }
}

TEST_F(output_unit, link_that_is_down_calls_with_req_3_and_is_silent_then) {
    E0 b;
    b.cand_any = b.loc_want = 1;
    b.fall();
    for (int clocks = 0; clocks < 9; ++clocks) {
        EXPECT_EQ(b.req(), 3u);
        b.tick();
    }
    b.call = 0;
    for (int clocks = 0; clocks < 14; ++clocks) {
        b.tick();
        EXPECT_EQ(b.req(), 0u);
        EXPECT_EQ(b.d_oe(), 0u);
    }
    b.come_up();
    EXPECT_EQ(b.req(), 1u);
}

TEST_F(output_unit, stream_that_is_cut_runs_to_its_end_unseen) {
    const Flits packet(8, with_parity(TypeErr << 14));
    E0 b;
    for (uint32_t cut = 0; cut < 8; ++cut) {
        b.reset();
        b.line_gnt = b.gnt = 1;
        b.tick();
        b.line_gnt = b.gnt = 0;
        for (uint32_t k = 0; k < 8; ++k) {
            b.x = stream_of(packet, k, 0);
            EXPECT_EQ(b.tx(), 1u) << "the link waits for it";
            if (k == cut) b.fall();
            else b.tick();
            EXPECT_EQ(b.d_oe(), k < cut ? 1u : 0u);
            if (k >= cut) {
                EXPECT_EQ(b.req(), 3u);
            }
        }
        EXPECT_EQ(b.tx(), 0u);
    }
}

Flits any_packet(Dice& rng) {
    if (rng.chance(60)) return encode(random_packet(rng));
    if (rng.chance(20)) return {as_head(TypeAck << 14 | 2u << 10 | rng.bits(10)), 1, 1};
    McSpec mc;
    mc.type = rng.pick({TypeMcSm, TypeMcLpra, TypeMcLarp});
    mc.tag = rng.bits(3);
    for (uint32_t& map : mc.map) map = rng.bits(8);
    mc.body.resize(rng.below(5));
    return encode(mc);
}

// The status of a link: states in any order that occurs.
struct AnyLink {
    enum State { Up, Sync, Zero, Ann };

    void any(Dice& rng) {
        const uint32_t on = rng.below(3);  // Sync, continue or stay
        if (on == 0) m_next = Sync;
        else if (on == 1) m_next = State(m_now == Up ? Up : (m_now + 1) % 4);
        m_bits = rng.bits(4);
    }
    template <typename Bench>
    void show(Bench& b) {
        b.up = m_now == Up;
        b.ann = m_now == Ann;
        b.down = m_next != Up;
        b.call = m_next == Sync;
        b.hush = m_bits >> 2 == 3;
        b.ask = (m_bits & 7) == 7;
        m_now = m_next;
    }

private:
    State m_now = Sync;
    State m_next = Sync;
    uint32_t m_bits = 0;
};

// Streams as the chip makes them, and at times (`wild`) any input at all.
template <typename Rtl>
void random_lockstep(uint32_t port, uint32_t num_vc) {
    const TestRun run(100000);
    OutputBench<Rtl> b(run, port, num_vc);
    b.reset();
    Dice rng(run.seed + port);
    Flits packet;
    uint32_t k = 0;
    uint32_t vc = 0;
    bool from_local = false;
    bool granted = false;
    uint64_t packets = 0;
    uint64_t events = 0;
    uint64_t owed = 0;
    uint64_t sunk = 0;
    uint64_t late = 0;
    uint32_t cred_clocks = 0;
    AnyLink link;
    while (b.clock() < run.cycles) {
        const bool wild = b.clock() % 5000 > 4000;
        b.rst_n = !rng.chance(rng.chance(1) ? 5 : 0);
        if (rng.chance(wild ? 20 : 3)) link.any(rng);
        link.show(b);
        b.tick_in = rng.chance(5);
        b.slow = rng.chance(5);
        if (rng.chance(2)) b.sink = rng.chance(50);
        if (rng.chance(10)) b.gen = rng.bits(28);
        if (port == PortM0 && rng.chance(2)) b.raw = rng.chance(20);
        if (rng.chance(2)) b.rank = rng.bits(3);
        b.cand_any = rng.chance(60);
        // A code stays for two cycles as a rule.
        if (wild || cred_clocks-- == 0) {
            b.cred = rng.chance(60) ? rng.bits(2) : 0;
            cred_clocks = rng.chance(80) ? 1 : rng.below(3);
        }
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
        owed += b.ev_owed();
        sunk += b.ev_sunk();
        late += b.late();
        b.tick();
    }
    EXPECT_GT(packets, run.cycles / 100);
    EXPECT_GT(events, run.cycles / 100);
    EXPECT_GT(owed, run.cycles / 10000);
    EXPECT_GT(sunk, run.cycles / 1000);
    EXPECT_GT(late, run.cycles / 1000);
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
