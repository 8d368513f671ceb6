// SPDX-License-Identifier: MIT
#include "block/input_unit_bench.h"

namespace rdt::tb {

using input_unit_multicast = BlockTest;

constexpr uint32_t AllCredits = 0x7FFFFFFF;
constexpr uint32_t Upper = 0xF0;

McSpec multicast(std::array<uint32_t, 5> maps, uint32_t body_flits = 0) {
    McSpec p;
    p.map = maps;
    for (uint32_t k = 0; k < body_flits; ++k) p.body.push_back(0x1111 * (k + 1));
    return p;
}

TEST_F(input_unit_multicast, packet_goes_to_any_subset_in_one_pass) {
    FromM0 b;
    b.credit = AllCredits;
    const uint32_t ports[5] = {PortM0, PortE0, PortW0, PortN0, PortS0};
    for (uint32_t map = 1; map < 32; ++map) {
        uint32_t set = 0;
        for (uint32_t bit = 0; bit < 5; ++bit) set |= (map >> bit & 1) << ports[bit];
        McSpec p = multicast({map, 0, 0, 0, 0}, map % 3);
        b.arrive(encode(p), 0);
        EXPECT_EQ(b.want(), set);
        EXPECT_EQ(b.grant(), 0u);
        p.map[0] &= 0xF0;  // bits that South still needs
        EXPECT_EQ(b.read(3 + map % 3, 0), encode(p));
    }
}

TEST_F(input_unit_multicast, credit_is_returned_once_after_the_last_pass_has_begun) {
    FromM0 b;
    b.credit = AllCredits;
    const McSpec p = multicast({0x1F, 0, 0, 0, 0}, 2);
    McSpec copy = p;
    copy.map[0] = 0x10;
    b.arrive(encode(p), 0);
    uint32_t left = 1u << PortM0 | 0xF;
    for (uint32_t part : {1u << PortN0, 1u << PortE0 | 1u << PortM0, 1u << PortS0}) {
        b.tick(3);
        EXPECT_EQ(b.want(), left) << "what was not granted waits for a later pass";
        b.grant_part(part);
        EXPECT_EQ(b.want(), 0u);
        EXPECT_EQ(b.read(5, 0), encode(copy));
        left &= ~part;
    }
    b.tick(3);
    EXPECT_EQ(b.want(), left);
    EXPECT_EQ(b.grant(), 0u);  // expects the credit
    EXPECT_EQ(b.read(5, 0), encode(copy));
    b.tick(3);
    EXPECT_EQ(b.want() + b.cred_ret(), 0u);
}

TEST_F(input_unit_multicast, output_without_a_credit_holds_up_no_other) {
    FromM0 b;
    b.credit = AllCredits & ~(7u << 3 * PortN0);
    b.arrive(encode(multicast({0x1F, 0, 0, 0, 0})), 0);
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortM0 | 1u << PortE0 | 1u << PortW0 | 1u << PortS0);
    b.grant_part(b.want());
    b.read(3, 0);
    b.tick(3);
    EXPECT_EQ(b.want(), 0u);
    b.credit = 1u << 3 * PortN0;
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortN0);
    b.grant();
}

TEST_F(input_unit_multicast, upper_copies_go_first_and_in_a_pass_of_their_own) {
    FromM0 b;
    b.credit = AllCredits;
    b.rank = 2;
    const McSpec p = multicast({0x13, 0, 0x2F, 0, 0}, 1);
    b.arrive(encode(p), 0);
    EXPECT_EQ(b.want(), Upper);
    b.grant_part(1u << PortE1 | 1u << PortS1);
    McSpec up = p;
    up.map[2] = 0x20;
    EXPECT_EQ(b.read(4, 0), encode(up));
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortW1 | 1u << PortN1);
    b.grant_part(b.want());
    EXPECT_EQ(b.read(4, 0), encode(up));
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortM0 | 1u << PortE0 | 1u << PortS0);
    b.grant();
    McSpec low = p;
    low.map[2] = 0;
    low.map[0] = 0x10;
    EXPECT_EQ(b.read(4, 0), encode(low));
}

TEST_F(input_unit_multicast, other_copies_do_not_wait_for_credits_of_the_upper_rank) {
    FromM0 b;
    b.credit = AllCredits & ~(0xFFFu << 3 * PortE1);
    b.rank = 2;
    b.arrive(encode(multicast({0, 0, 0x03, 0, 0})), 0);
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortM0);
    b.grant_part(1u << PortM0);
    b.read(3, 0);
    b.credit = AllCredits;
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortE1);
    b.grant();
}

TEST_F(input_unit_multicast, relay_of_the_own_rank_uses_vc_1_above_and_none_of_its_byte_is_left) {
    FromN1 b;  // a copy from the North of rank 3 makes this node its South
    b.rank = 3;
    b.credit = 1u << (3 * PortE1 + 1) | 1u << (3 * PortW1 + 0) | 1u << (3 * PortS1 + 1) |
               1u << (3 * PortE0 + 0);
    const McSpec p = multicast({0x02, 0, 0, 0xF0, 0});
    b.arrive(encode(p), 0);
    EXPECT_EQ(b.want(), 1u << PortE1 | 1u << PortS1) << "VC 0 is no use for W1";
    b.grant_part(b.want());
    McSpec up = p;
    up.map[3] = 0;
    EXPECT_EQ(b.read(3, 1), encode(up));
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortE0) << "level 0 is expanded here, on VC 0";
    b.grant_part(1u << PortE0);
    McSpec low = p;
    low.map = {0, 0, 0, 0, 0};
    EXPECT_EQ(b.read(3, 0), encode(low));
}

TEST_F(input_unit_multicast, relay_of_level_0_uses_vc_1_and_none_of_its_byte_is_left) {
    FromE0 b;
    b.credit = 1u << (3 * PortE0 + 1) | 1u << (3 * PortS0 + 0) | 1u << (3 * PortM0);
    const McSpec p = multicast({0xF0, 0, 0, 0, 0});
    b.arrive(encode(p), 0);
    EXPECT_EQ(b.want(), 1u << PortE0 | 1u << PortM0) << "VC 0 is no use for S0, VC 1 none for M0";
    b.grant_part(b.want());
    EXPECT_EQ(b.read(3, 1), encode(multicast({0, 0, 0, 0, 0})));
}

TEST_F(input_unit_multicast, transfer_hop_uses_its_own_channel_and_keeps_the_maps) {
    FromM0 b;
    b.rank = 1;
    b.xfer = 0b0100;
    b.credit = 1u << (3 * PortW0 + 2);
    const McSpec p = multicast({0xFF, 0xFF, 0, 0x31, 0});
    b.arrive(encode(p), 0);
    EXPECT_EQ(b.want(), 1u << PortW0);
    b.grant();
    EXPECT_EQ(b.read(3, 2), encode(p));
}

TEST_F(input_unit_multicast, copies_that_leave_the_lineage_of_lpra_go_to_all_nodes_below) {
    FromM0 b;
    b.credit = AllCredits;
    b.rank = 3;
    McSpec p = multicast({0x02, 0x04, 0, 0x03, 0});
    p.type = TypeMcLpra;
    b.arrive(encode(p), 0);
    EXPECT_EQ(b.want(), 1u << PortE1);
    b.grant_part(1u << PortE1);
    EXPECT_EQ(b.read(3, 0), encode(multicast({0xFF, 0xFF, 0xFF, 0, 0})));
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortE0) << "transfer towards rank 1";
    b.grant();
    p.map[3] = 0;
    EXPECT_EQ(b.read(3, 2), encode(p)) << "precise, and still of its type";
}

TEST_F(input_unit_multicast, copies_in_the_lineage_of_larp_go_to_all_nodes_below) {
    FromM0 b;
    b.credit = AllCredits;
    b.rank = 1;
    McSpec p = multicast({0x02, 0x13, 0, 0, 0});
    p.type = TypeMcLarp;
    b.arrive(encode(p), 0);
    EXPECT_EQ(b.want(), 1u << PortE1 | 1u << PortS1);
    b.grant_part(b.want());
    EXPECT_EQ(b.read(3, 0), encode(multicast({0x02, 0x10, 0, 0, 0}))) << "precise there";
    b.tick();
    EXPECT_EQ(b.want(), 0xFu | 1u << PortM0);
    b.grant();
    EXPECT_EQ(b.read(3, 0), encode(multicast({0xF0, 0, 0, 0, 0})));
}

TEST_F(input_unit_multicast, copies_to_all_nodes_name_only_existing_ranks) {
    FromM0 b;
    b.credit = AllCredits;
    b.rank = 4;
    for (uint32_t ranks = 8; ranks < 16; ++ranks) {
        b.ranks = ranks;
        const auto byte = [&](uint32_t r) { return ranks >> (r - 1) & 1 ? 0xFFu : 0u; };
        McSpec p = multicast({0, 0, 0, 0, 0x02});
        p.type = TypeMcLpra;
        b.arrive(encode(p), 0);
        b.grant();
        EXPECT_EQ(b.read(3, 0), encode(multicast({0xFF, byte(1), byte(2), byte(3), 0})));
        p.map[4] = 0x01;
        p.type = TypeMcLarp;
        b.arrive(encode(p), 0);
        const bool below = ranks != 8;  // a rank in between has nodes
        EXPECT_EQ(b.want(), below ? 1u << PortE0 : 0xFu | 1u << PortM0);
        b.grant();
        EXPECT_EQ(b.read(3, below ? 2 : 0),
                  encode(multicast({below ? 0xFFu : 0xF0u, byte(1), byte(2), byte(3), 0})));
    }
}

TEST_F(input_unit_multicast, map_of_a_rank_without_nodes_goes_to_local_as_an_error) {
    FromM0 b;
    b.credit = AllCredits;
    b.rank = 1;
    b.ranks = 0b1101;
    b.arrive(encode(multicast({0xFF, 0x02, 0x02, 0, 0}, 3)), 0);
    EXPECT_EQ(b.want(), 1u << PortLocal);
    b.grant();
    EXPECT_EQ(b.rd_err(), uint32_t(ErrBadMap));
    b.read(3, 0);
    b.arrive(encode(multicast({0xFF, 0x02, 0, 0x04, 0}, 3)), 0);
    EXPECT_EQ(b.want(), 1u << PortE0) << "one with nodes is a transfer hop";
}

TEST_F(input_unit_multicast, map_without_receivers_goes_to_local_as_an_error) {
    FromM0 b;
    b.credit = AllCredits;
    b.rank = 1;
    b.mask = 0x0E;
    McSpec p = multicast({0xFF, 0x0E, 0, 0, 0}, 3);
    p.tag = 3;
    b.arrive(encode(p), 0);
    EXPECT_EQ(b.ent_req(), 0u);
    EXPECT_EQ(b.want(), 1u << PortLocal);
    b.grant();
    EXPECT_EQ(b.rd_err(), uint32_t(ErrBadMap));
    p.body.clear();
    Flits header = encode(p);
    header[0] = encode(multicast({0, 0, 0, 0, 0}, 3))[0];
    header[0] = with_field(header[0], 7, 3, 3);
    EXPECT_EQ(b.read(3, 0), header) << "as it came";
}

TEST_F(input_unit_multicast, wrong_parity_stays_wrong_in_every_copy) {
    FromM0 b;
    b.credit = AllCredits;
    b.rank = 2;
    McSpec p = multicast({0, 0, 0x1F, 0, 0}, 1);
    Flits flits = encode(p);
    flits[3] ^= 1;
    b.arrive(flits, 0);
    EXPECT_EQ(b.seen.body, 1u);
    b.grant_part(b.want());
    EXPECT_EQ(b.read(4, 0)[3], flits[3]);
    b.tick();
    b.grant();
    EXPECT_EQ(b.read(4, 0)[3], flits[3]);
}

// Five of ten announced flits arrive; every copy must be marked as corrupt, whenever it is read.
struct ShortMulticast {
    Flits flits;
    Flits copy;
    ShortMulticast() {
        McSpec p = multicast({0x0E, 0, 0, 0, 0}, 7);
        flits = encode(p);
        p.map[0] = 0;
        copy = encode(p);
        std::fill(copy.begin() + 3, copy.end(), 0);
    }
};

TEST_F(input_unit_multicast, short_packet_is_marked_corrupt_in_every_pass) {
    FromM0 b;
    const ShortMulticast s;
    for (uint32_t k = 0; k < 5; ++k) b.flit(s.flits[k], k == 0, k == 4, 0);
    EXPECT_EQ(b.seen.frame, 1u);
    b.credit = AllCredits;
    for (uint32_t part : {1u << PortE0, 1u << PortW0}) {
        b.tick();
        b.grant_part(part);
        EXPECT_EQ(b.read(10, 0), s.copy);
    }
    b.tick();
    b.grant();
    EXPECT_EQ(b.read(10, 0), s.copy);
}

TEST_F(input_unit_multicast, short_packet_is_marked_corrupt_in_the_running_pass_and_later_ones) {
    FromM0 b;
    const ShortMulticast s;
    b.credit = AllCredits;
    for (uint32_t k = 0; k < 3; ++k) b.flit(s.flits[k], k == 0, 0, 0);
    b.gnt = 1u << PortN0;
    b.flit(s.flits[3], 0, 0, 0);
    b.gnt = 0;
    b.flit(s.flits[4], 0, 1, 0);  // while flit 0 is read
    for (uint32_t k = 1; k < 10; ++k) {
        EXPECT_EQ(b.rd_x(), stream_of(s.copy, k, 0)) << "flit " << k;
        b.tick();
    }
    b.tick();
    b.grant();
    EXPECT_EQ(b.read(10, 0), s.copy);
}

TEST_F(input_unit_multicast,
       short_packet_is_marked_corrupt_in_a_pass_that_begins_with_its_last_flit) {
    FromM0 b;
    const ShortMulticast s;
    b.credit = AllCredits;
    for (uint32_t k = 0; k < 4; ++k) b.flit(s.flits[k], k == 0, 0, 0);
    b.gnt = 1u << PortN0;
    b.flit(s.flits[4], 0, 1, 0);
    b.gnt = 0;
    EXPECT_EQ(b.read(10, 0), s.copy);
    b.tick();
    b.grant();
    EXPECT_EQ(b.read(10, 0), s.copy);
}

TEST_F(input_unit_multicast, time_out_counts_from_the_last_pass) {
    FromM0 b;
    b.credit = AllCredits & ~(7u << 3 * PortN0);
    b.arrive(encode(multicast({0x0A, 0, 0, 0, 0})), 0);
    b.pulse(b.tick_in);
    b.grant_part(1u << PortE0);
    b.read(3, 0);
    b.pulse(b.tick_in);
    EXPECT_EQ(b.to_pend(), 0u);
    b.pulse(b.tick_in);
    EXPECT_EQ(b.to_pend(), 1u);
}

}  // namespace rdt::tb
