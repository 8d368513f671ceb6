// SPDX-License-Identifier: MIT
#include "block/output_unit_bench.h"

namespace rdt::tb {

using output_unit_multicast = BlockTest;

// Section 4.7: the level whose byte this output clears in a multicast, -1 for none.
int cleared_level(uint32_t port, uint32_t rank, uint32_t vc) {
    const bool transfer = vc == 2;
    if (port == PortE0 || port == PortW0) return transfer ? -1 : 0;
    if (port == PortN0 || port == PortM0) return 0;
    if (port == PortE1 || port == PortN1) return rank >= 1 && rank <= 4 ? int(rank) : -1;
    return -1;  // S0, S1
}

// H2 with the generation of the entry that waits for the MBP's answer; its level 0 is used up.
uint64_t with_generation(uint64_t h2, uint32_t tag, uint32_t gens) {
    const uint32_t gen = tag == 0 || tag > NumEntries ? 0 : gens >> (4 * (tag - 1)) & 15;
    return with_parity(payload_of(h2) | gen);
}

template <typename Rtl>
void expect_clearing(uint32_t port, uint32_t num_vc) {
    const TestRun run(500);
    OutputBench<Rtl> b(run, port, num_vc);
    b.reset();
    Dice rng(run.seed + port);
    for (uint64_t n = 0; n < run.cycles && !::testing::Test::HasFailure(); ++n) {
        McSpec p;
        p.type = rng.pick({TypeMcSm, TypeMcLpra, TypeMcLarp});
        p.tag = rng.bits(3);
        p.mbp = rng.bits(1);
        for (uint32_t& map : p.map) map = rng.bits(8);
        p.body.resize(rng.below(4));
        for (uint32_t& payload : p.body) payload = rng.bits(17);
        b.rank = rng.bits(3);
        b.gen = rng.bits(28);
        const uint32_t vc = rng.below(port >= PortM0 ? 3 : num_vc);
        McSpec expected = p;
        const int level = cleared_level(port, b.rank(), vc);
        if (level >= 0) expected.map[size_t(level)] = 0;
        Flits pins = encode(expected);
        if (port < PortM0) pins = marked(pins, vc);
        else pins[2] = with_generation(pins[2], p.tag, b.gen());
        EXPECT_EQ(b.send(encode(p), vc), pins) << "rank " << b.rank() << " vc " << vc;
        EXPECT_EQ(b.send_local(encode(p)), encode(p)) << "from behind the crossbar";
    }
}

TEST_F(output_unit_multicast, multicast_through_e0_has_used_up_level_0_unless_it_is_a_transfer) {
    expect_clearing<Vrdt_output_unit_0>(0, 3);
}
TEST_F(output_unit_multicast, multicast_through_w0_has_used_up_level_0_unless_it_is_a_transfer) {
    expect_clearing<Vrdt_output_unit_1>(1, 3);
}
TEST_F(output_unit_multicast, multicast_through_n0_has_used_up_level_0) {
    expect_clearing<Vrdt_output_unit_2>(2, 2);
}
TEST_F(output_unit_multicast, multicast_through_s0_keeps_its_maps) {
    expect_clearing<Vrdt_output_unit_3>(3, 2);
}
TEST_F(output_unit_multicast, multicast_through_e1_has_used_up_the_level_of_the_own_rank) {
    expect_clearing<Vrdt_output_unit_4>(4, 2);
}
TEST_F(output_unit_multicast, multicast_through_n1_has_used_up_the_level_of_the_own_rank) {
    expect_clearing<Vrdt_output_unit_6>(6, 2);
}
TEST_F(output_unit_multicast, multicast_through_s1_keeps_its_maps) {
    expect_clearing<Vrdt_output_unit_7>(7, 2);
}
TEST_F(output_unit_multicast, multicast_to_an_mbp_has_used_up_level_0_whatever_its_vc) {
    expect_clearing<Vrdt_output_unit_8>(8, 1);
}

TEST_F(output_unit_multicast, wrong_parity_stays_wrong_through_clearing) {
    E0 b;
    for (uint32_t flit = 0; flit < 3; ++flit) {
        McSpec p;
        p.map = {0x31, 0xFF, 0x70, 0x0E, 0x80};
        Flits bad = encode(p);
        bad[flit] ^= 1u << 17;
        const Flits sent = b.send(bad, 0);
        for (uint32_t k = 0; k < 3; ++k) EXPECT_EQ(is_good(sent[k], k), k != flit);
    }
}

TEST_F(output_unit_multicast, mbp_gets_the_generation_of_the_entry_of_its_tag) {
    M0 b;
    b.gen = 0x654321;
    for (uint32_t tag = 0; tag < 8; ++tag) {
        McSpec p;
        p.tag = tag;
        p.map[0] = 0xA7;
        McSpec arrived = p;
        arrived.map[0] = tag < 7 ? tag : 0;
        EXPECT_EQ(b.send(encode(p), 0), encode(arrived)) << "tag " << tag;
        b.raw = 1;
        EXPECT_EQ(b.send(encode(p), 0), encode(p)) << "dumped as it stands";
        b.raw = 0;
        EXPECT_EQ(b.send_local(encode(p)), encode(p));
    }
    PacketSpec unicast;
    unicast.tag = 3;
    EXPECT_EQ(b.send(encode(unicast), 0), encode(unicast));
}

TEST_F(output_unit_multicast, malformed_h2_stays_malformed_with_a_generation) {
    M0 b;
    b.gen = 0x123456;
    for (uint32_t tag = 1; tag < 7; ++tag) {
        McSpec p;
        p.tag = tag;
        p.map[0] = 0x31;
        Flits bad = encode(p);
        bad[2] ^= 1u << 17;
        EXPECT_FALSE(is_good(b.send(bad, 0)[2], 2));
    }
}

TEST_F(output_unit_multicast, ack_spends_no_credit) {
    E0 b;
    for (uint32_t vc = 0; vc < 3; ++vc) b.give_credit(vc);
    const Flits ack = good_flits({TypeAck << 14 | 2u << 10 | 5u << 7 | 0x2A, 0, 0});
    EXPECT_EQ(b.send_local(ack), ack);
    EXPECT_EQ(b.credit(), 7u);
    const Flits other = good_flits({TypeErr << 14 | 2u << 10, 0, 0});
    EXPECT_EQ(b.send_local(other), other);
    EXPECT_EQ(b.credit(), 6u);
}

}  // namespace rdt::tb
