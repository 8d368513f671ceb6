// SPDX-License-Identifier: MIT
#include "Vrdt_bitmap_0.h"
#include "Vrdt_bitmap_4.h"
#include "Vrdt_bitmap_8.h"
#include <rdt/bitmap.h>
#include "common/block_bench.h"
#include "common/mc_packet.h"
#include "common/dice.h"
#include "common/single_block.h"

namespace rdt::tb {

template <typename Rtl>
struct BitmapBench : BlockBench<Rtl, single_block<class rdt::bitmap>> {
    using Base = BlockBench<Rtl, single_block<class rdt::bitmap>>;
    using Base::in, Base::out, Base::rtl, Base::model;

    BitmapBench(const TestRun& run, uint32_t in_port)
        : Base(run, "from_" + std::to_string(in_port), in_port) {
        ranks = 0xF;
    }

    const bool clocked = this->has_clock(rtl().clk_i, model().clk_i);
    Input h0 = in("h0_i", 17, rtl().h0_i, model().h0_i);
    Input h1 = in("h1_i", 17, rtl().h1_i, model().h1_i);
    Input h2 = in("h2_i", 17, rtl().h2_i, model().h2_i);
    RankInput rank{in("rank_i", 5, rtl().rank_i, model().rank_i)};
    Input xfer = in("xfer_i", 4, rtl().xfer_i, model().xfer_i);
    Input mask = in("mask_i", 8, rtl().mask_i, model().mask_i);
    Input ranks = in("ranks_i", 4, rtl().ranks_i, model().ranks_i);
    Input in_vc = in("in_vc_i", 2, rtl().in_vc_i, model().in_vc_i);
    Input credit = in("credit_i", 31, rtl().credit_i, model().credit_i);
    Output rdy = out("rdy_o", 10, rtl().rdy_o, model().rdy_o);
    Output set = out("set_o", 10, rtl().set_o, model().set_o);
    Output relay = out("relay_o", 1, rtl().relay_o, model().relay_o);
    Output expl = out("expl_o", 1, rtl().expl_o, model().expl_o);
    Output exp0 = out("exp0_o", 1, rtl().exp0_o, model().exp0_o);
    Output xfer_out = out("xfer_o", 1, rtl().xfer_o, model().xfer_o);
    Output bad_map = out("bad_map_o", 1, rtl().bad_map_o, model().bad_map_o);

    // The set that the generator computes for this header.
    uint32_t of(const McSpec& p) {
        const Flits flits = encode(p);
        // H1 comes a cycle before H2, with its H0 stored.
        h0 = flits[0] & 0x1FFFF;
        h2 = flits[1] & 0x1FFFF;
        this->settle();
        this->edge();
        h1 = flits[1] & 0x1FFFF;
        h2 = flits[2] & 0x1FFFF;
        this->check();
        EXPECT_EQ(bad_map(), set() == 0 ? 1u : 0u);
        for (uint32_t r = 1; r <= 4; ++r)  // a named rank has no nodes
            EXPECT_TRUE(p.map[r] == 0 || (ranks() >> (r - 1) & 1) != 0 || bad_map() != 0);
        return set();
    }
    uint32_t of(uint32_t level, uint32_t byte, uint32_t type = TypeMcSm) {
        McSpec p;
        p.type = type;
        p.map[level] = byte;
        return of(p);
    }
    void expect_flags(bool is_relay, bool own_level, bool level_0, bool transfer) {
        EXPECT_EQ(relay(), is_relay ? 1u : 0u);
        EXPECT_EQ(expl(), own_level ? 1u : 0u);
        EXPECT_EQ(exp0(), level_0 ? 1u : 0u);
        EXPECT_EQ(xfer_out(), transfer ? 1u : 0u);
    }
};

using FromE0 = BitmapBench<Vrdt_bitmap_0>;
using FromE1 = BitmapBench<Vrdt_bitmap_4>;
using FromM0 = BitmapBench<Vrdt_bitmap_8>;
using bitmap = BlockTest;

constexpr uint32_t E0 = 1u << PortE0, W0 = 1u << PortW0, N0 = 1u << PortN0, S0 = 1u << PortS0;
constexpr uint32_t E1 = 1u << PortE1, W1 = 1u << PortW1, N1 = 1u << PortN1, S1 = 1u << PortS1;
constexpr uint32_t M0 = 1u << PortM0, M1 = 1u << PortM1;

TEST_F(bitmap, packet_without_a_map_has_arrived) {
    FromM0 m(TestRun{}, PortM0);
    FromE0 e(TestRun{}, PortE0);
    for (uint32_t mbp : {0u, 1u}) {
        McSpec p;
        p.mbp = mbp;
        EXPECT_EQ(m.of(p), mbp ? M1 : M0);
        m.expect_flags(false, false, false, false);
        EXPECT_EQ(e.of(p), mbp ? M1 : M0);
        e.expect_flags(false, false, false, false);
    }
}

TEST_F(bitmap, each_bit_of_level_0_leads_to_its_port) {
    FromM0 b(TestRun{}, PortM0);
    const uint32_t ports[8] = {M0, E0, W0, N0, S0, S0, S0, S0};
    for (uint32_t rank = 0; rank < 8; ++rank) {
        b.rank = rank;
        for (uint32_t bit = 0; bit < 8; ++bit) {
            EXPECT_EQ(b.of(0, 1u << bit), ports[bit]) << "bit " << bit;
            b.expect_flags(false, false, true, false);
        }
        EXPECT_EQ(b.of(0, 0xFF), M0 | E0 | W0 | N0 | S0);
    }
}

TEST_F(bitmap, each_bit_of_the_own_level_leads_to_its_port) {
    FromM0 b(TestRun{}, PortM0);
    const uint32_t ports[8] = {M0, E1, W1, N1, S1, S1, S1, S1};
    for (uint32_t rank = 1; rank <= 4; ++rank) {
        b.rank = rank;
        for (uint32_t bit = 0; bit < 8; ++bit) {
            EXPECT_EQ(b.of(rank, 1u << bit), ports[bit]) << "bit " << bit;
            b.expect_flags(false, true, false, false);
        }
        EXPECT_EQ(b.of(rank, 0xFF), M0 | E1 | W1 | N1 | S1);
    }
}

TEST_F(bitmap, level_of_another_rank_is_one_transfer_hop) {
    FromM0 b(TestRun{}, PortM0);
    for (uint32_t level = 1; level <= 4; ++level)
        for (uint32_t rank = 0; rank < 8; ++rank)
            for (uint32_t xfer = 0; xfer < 16; ++xfer) {
                if (rank == level) continue;
                b.rank = rank;
                b.xfer = xfer;
                McSpec p;
                p.map[level] = 0xFF;
                p.map[0] = 0xFF;
                if (rank > 0 && rank < level) p.map[rank] = 0xFF;
                EXPECT_EQ(b.of(p), xfer >> (level - 1) & 1 ? W0 : E0);
                b.expect_flags(false, false, false, true);
            }
}

TEST_F(bitmap, highest_level_is_expanded_first) {
    FromM0 b(TestRun{}, PortM0);
    b.rank = 2;
    McSpec p;
    p.map = {0xFF, 0xFF, 1u << MapN, 0, 0};
    EXPECT_EQ(b.of(p), N1) << "the node itself is not meant, so what is below waits";
    b.expect_flags(false, true, false, false);
}

TEST_F(bitmap, node_itself_continues_with_the_lower_levels_in_the_same_visit) {
    FromM0 b(TestRun{}, PortM0);
    b.rank = 3;
    b.xfer = 0b0010;  // towards rank 2 West, others East
    McSpec p;
    p.map = {1u << MapE | 1u << MapSelf, 0, 0, 1u << MapSelf | 1u << MapW, 0};
    EXPECT_EQ(b.of(p), W1 | E0 | M0);
    b.expect_flags(false, true, true, false);
    p.map[1] = 1;
    EXPECT_EQ(b.of(p), W1 | E0) << "transfer towards rank 1";
    b.expect_flags(false, true, false, true);
    p.map[2] = 1;
    EXPECT_EQ(b.of(p), W1 | W0) << "transfer towards rank 2";
    b.expect_flags(false, true, false, true);
}

TEST_F(bitmap, south_relay_of_level_0_turns_to_its_own_three_neighbors) {
    FromE0 b(TestRun{}, PortE0);
    const uint32_t ports[8] = {0, 0, 0, 0, M0, E0, W0, S0};
    for (uint32_t bit = 0; bit < 8; ++bit) {
        EXPECT_EQ(b.of(0, 1u << bit), ports[bit]) << "bit " << bit;
        b.expect_flags(true, false, true, false);
    }
    EXPECT_EQ(b.of(0, 0xF0), M0 | E0 | W0 | S0);
}

TEST_F(bitmap, south_relay_of_the_own_level_turns_to_its_own_three_neighbors) {
    FromE1 b(TestRun{}, PortE1);
    const uint32_t ports[8] = {0, 0, 0, 0, M0, E1, W1, S1};
    for (uint32_t rank = 1; rank <= 4; ++rank) {
        b.rank = rank;
        for (uint32_t bit = 0; bit < 8; ++bit) {
            EXPECT_EQ(b.of(rank, 1u << bit), ports[bit]) << "bit " << bit;
            b.expect_flags(true, true, false, false);
        }
    }
}

TEST_F(bitmap, relay_of_the_own_level_expands_level_0_as_a_whole) {
    FromE1 b(TestRun{}, PortE1);
    b.rank = 4;
    McSpec p;
    p.map = {0x0F, 0, 0, 0, 1u << MapS | 1u << MapSs};
    EXPECT_EQ(b.of(p), S1 | M0 | E0 | W0 | N0);
    b.expect_flags(true, true, true, false);
}

TEST_F(bitmap, level_below_that_of_the_link_is_no_relay) {
    FromE1 upper(TestRun{}, PortE1);
    FromE0 lower(TestRun{}, PortE0);
    upper.rank = 2;
    EXPECT_EQ(upper.of(0, 0xFF), M0 | E0 | W0 | N0 | S0) << "came down from rank 2";
    upper.expect_flags(false, false, true, false);
    lower.rank = 2;
    EXPECT_EQ(lower.of(2, 0xFF), M0 | E1 | W1 | N1 | S1) << "came by a transfer hop";
    lower.expect_flags(false, true, false, false);
}

TEST_F(bitmap, transfer_hop_back_to_the_previous_node_is_a_malformed_map) {
    FromE0 b(TestRun{}, PortE0);
    b.rank = 1;
    for (uint32_t vc = 0; vc < 3; ++vc)
        for (const bool west : {false, true}) {
            b.in_vc = vc;
            b.xfer = west ? 0b0010 : 0;
            const bool is_back = vc == 2 && !west;
            EXPECT_EQ(b.of(2, 0xFF), is_back ? 0u : west ? W0 : E0) << vc << " " << west;
        }
    b.in_vc = 2;
    EXPECT_EQ(b.of(1, 1u << MapE), E1) << "the walk ends here";
}

TEST_F(bitmap, masked_bits_of_the_own_level_have_no_receiver) {
    FromM0 b(TestRun{}, PortM0);
    b.rank = 1;
    for (uint32_t mask = 0; mask < 256; ++mask) {
        b.mask = mask;
        const uint32_t left = ~mask & 0xFF;
        const uint32_t expected =
            (left & 1 ? M0 : 0) | (left >> 1 & 7) << PortE1 | ((left & 0xF0) != 0 ? S1 : 0);
        EXPECT_EQ(b.of(1, 0xFF), expected);
        EXPECT_EQ(b.of(0, 0xFF), M0 | E0 | W0 | N0 | S0) << "level 0 is not masked";
    }
    EXPECT_EQ(b.of(1, 0xFF), 0u) << "all masked: map rejected";
}

TEST_F(bitmap, local_lineage_of_larp_goes_to_all_nodes_below) {
    FromM0 b(TestRun{}, PortM0);
    b.rank = 1;
    EXPECT_EQ(b.of(1, 1u << MapSelf | 1u << MapE, TypeMcLarp), E1 | M0 | E0 | W0 | N0 | S0);
    b.expect_flags(false, true, true, false);
    EXPECT_EQ(b.of(1, 1u << MapE, TypeMcLarp), E1) << "not in the lineage";
    b.expect_flags(false, true, false, false);
    b.rank = 3;
    b.xfer = 0b0010;
    EXPECT_EQ(b.of(3, 1u << MapSelf, TypeMcLarp), W0) << "all nodes on rank 2 first";
    b.expect_flags(false, true, false, true);
    EXPECT_EQ(b.of(3, 1u << MapSelf, TypeMcLpra), M0) << "precise here";
    EXPECT_EQ(b.of(0, 1u << MapN, TypeMcLarp), N0) << "nothing is expanded above level 0";
}

TEST_F(bitmap, map_without_receivers_here_is_malformed) {
    FromE0 lower(TestRun{}, PortE0);
    FromE1 upper(TestRun{}, PortE1);
    EXPECT_EQ(lower.of(0, 0x0F), 0u) << "a relay has only the bits of the South";
    upper.rank = 2;
    EXPECT_EQ(upper.of(2, 0x0F), 0u);
    upper.mask = 0xF0;
    EXPECT_EQ(upper.of(2, 0xF0), 0u);
}

TEST_F(bitmap, map_of_a_rank_without_nodes_is_malformed) {
    FromM0 b(TestRun{}, PortM0);
    for (uint32_t ranks = 0; ranks < 16; ++ranks) {
        for (uint32_t rank = 1; rank <= 4; ++rank) {
            b.ranks = ranks;
            b.rank = rank;
            for (uint32_t level = 1; level <= 4; ++level) {
                b.of(level, 1u << (ranks % 8));
                EXPECT_EQ(b.bad_map(), ranks >> (level - 1) & 1 ? 0u : 1u) << level;
                McSpec p;
                p.map[0] = p.map[rank] = p.map[level] = 1u << MapE;
                b.of(p);
                const bool there = (ranks >> (level - 1) & ranks >> (rank - 1) & 1) != 0;
                EXPECT_EQ(b.bad_map(), there ? 0u : 1u) << "also where it is not the highest";
            }
            EXPECT_EQ(b.of(0, 0xFF), M0 | E0 | W0 | N0 | S0) << "all nodes are on rank 0";
        }
    }
}

TEST_F(bitmap, local_lineage_of_larp_names_only_existing_ranks) {
    FromM0 b(TestRun{}, PortM0);
    b.rank = 4;
    b.xfer = 0b0010;  // towards rank 2 West, others East
    const struct {
        uint32_t ranks, set;
        bool transfer;
    } cases[] = {{0b1111, E0, true},
                 {0b1011, W0, true},
                 {0b1001, E0, true},
                 {0b1000, M0 | E0 | W0 | N0 | S0, false}};
    for (const auto& c : cases) {
        b.ranks = c.ranks;
        EXPECT_EQ(b.of(4, 1u << MapSelf, TypeMcLarp), c.set);
        b.expect_flags(false, true, !c.transfer, c.transfer);
    }
}

// Against common/mc_packet.h, and in lockstep.
template <typename Rtl>
void random_headers(uint32_t in_port) {
    const TestRun run(100000);
    BitmapBench<Rtl> b(run, in_port);
    Dice rng(run.seed + in_port);
    std::array<uint64_t, 10> to{};
    uint64_t bad = 0;
    while (b.clock() < run.cycles && !::testing::Test::HasFailure()) {
        b.rank = rng.chance(70) ? rng.between(1, 4) : rng.bits(3);
        b.xfer = rng.bits(4);
        b.mask = rng.chance(50) ? 0 : rng.bits(8);
        b.ranks = rng.chance(50) ? 0xF : rng.bits(4);
        b.credit = rng.bits(31);
        McSpec p;
        p.type = rng.between(TypeMcSm, TypeMcLarp);
        p.mbp = rng.bits(1);
        for (uint32_t& map : p.map) map = rng.chance(50) ? 0 : rng.bits(8) & rng.bits(8);
        if (rng.chance(60))
            for (uint32_t level = b.rank() + 1; level < 5; ++level) p.map[level] = 0;
        b.of(p);
        const uint32_t set = b.bad_map() ? 0 : b.set();  // not compared for a rejected map
        bad += set == 0;
        for (uint32_t o = 0; o < 10; ++o) to[o] += set >> o & 1;
        uint32_t expected = 0;
        for (const McCopy& c : expect_copies(p, in_port, {b.rank(), b.xfer(), b.mask(), b.ranks()}))
            expected |= 1u << c.port;
        EXPECT_EQ(set, expected);
    }
    const bool relay_above = in_port >= PortE1 && in_port < PortM0;  // has no North
    for (uint32_t o = 0; o < 10; ++o) {
        if (relay_above && o == PortN1) continue;
        EXPECT_GT(to[o], run.cycles / 1000) << to_string(Port(o));
    }
    EXPECT_GT(bad, 0u);
}

TEST_F(bitmap, random_lockstep_and_reference_from_e0) { random_headers<Vrdt_bitmap_0>(PortE0); }
TEST_F(bitmap, random_lockstep_and_reference_from_e1) { random_headers<Vrdt_bitmap_4>(PortE1); }
TEST_F(bitmap, random_lockstep_and_reference_from_m0) { random_headers<Vrdt_bitmap_8>(PortM0); }

}  // namespace rdt::tb
