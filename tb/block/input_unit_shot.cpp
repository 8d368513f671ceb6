// SPDX-License-Identifier: MIT
// A halted input unit: packets that are dumped and put back, and buffers that are promised to them.
#include "block/input_unit_bench.h"

namespace rdt::tb {

using input_unit_shot = BlockTest;

constexpr uint32_t AllCredits = 0x7FFFFFFF;

Flits packet_to(int x, int y, uint32_t body_flits = 0) {
    PacketSpec p;
    p.v[0] = {x, y};
    for (uint32_t k = 0; k < body_flits; ++k) p.body.push_back(0x1111 * (k + 1));
    return encode(p);
}

Flits setup_packet() {
    PacketSpec p;
    p.type = TypeSetup;
    p.body = {0x8001, 7};
    return encode(p);
}

TEST_F(input_unit_shot, halted_unit_passes_on_nothing_but_what_is_for_local) {
    FromE0 b;
    b.credit = AllCredits;
    b.halt = 1;
    b.arrive(packet_to(0, 2), 0);
    McSpec tagged;
    tagged.tag = 1;
    tagged.map[0] = 0x60;
    b.arrive(encode(tagged), 1);
    b.tick(5);
    EXPECT_EQ(b.want() + b.ent_req(), 0u);
    b.arrive(setup_packet(), 2);
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortLocal);
    EXPECT_EQ(b.grant(), 2u);
    EXPECT_EQ(b.read(5, 0), setup_packet());
    b.halt = 0;
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortN0);
    EXPECT_EQ(b.ent_req(), 1u);
}

TEST_F(input_unit_shot, dumped_packet_comes_back_as_it_was) {
    FromE0 b;
    b.credit = AllCredits;
    b.halt = 1;
    const Flits flits = packet_to(0, 2, 6);
    b.arrive(flits, 1);
    const auto [context, dumped] = b.dump_of(1, 9);
    EXPECT_EQ(dumped, flits);
    EXPECT_EQ(context >> 9 & 0x7FF, 1u << PortN0);
    EXPECT_EQ(b.pkt(), 0u);
    b.put_back(1, context, dumped);
    EXPECT_EQ(b.ctx(), context);
    b.halt = b.look = 0;
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortN0);
    EXPECT_EQ(b.grant(), 1u) << "and now its credit goes back";
    EXPECT_EQ(b.read(9, 0), flits);
}

TEST_F(input_unit_shot, buffer_of_a_dumped_packet_is_promised_to_it) {
    FromE0 b;
    b.credit = AllCredits;
    b.halt = 1;
    b.arrive(packet_to(0, 2), 1);
    b.look = 1u << 1;
    b.dump = 1;
    b.tick(2);
    b.gnt = 1u << PortM0;
    b.settle();
    EXPECT_EQ(b.cred_ret(), 0u) << "the credit stays away";
    b.tick();
    b.gnt = b.dump = 0;
    EXPECT_EQ(b.read(3, 0), packet_to(0, 2));
    EXPECT_EQ(b.room(), 0b101u);
    EXPECT_EQ(b.cred_add(), 0u);
    b.arrive(packet_to(1, 0), 1);
    EXPECT_EQ(b.seen.over, 1u) << "no end can have had a credit";
    EXPECT_EQ(b.seen.bad, 1u);
    EXPECT_EQ(b.pkt(), 0u);
}

TEST_F(input_unit_shot, buffers_that_nothing_was_put_back_into_are_given_back_when_the_chip_runs) {
    FromE0 b;
    b.credit = AllCredits;
    b.halt = 1;
    const Flits flits = packet_to(0, 2);
    for (uint32_t vc : {0u, 1u, 2u}) b.arrive(flits, vc);
    uint32_t context = 0;
    for (uint32_t vc : {0u, 1u, 2u}) context = b.dump_of(vc, 3).first;
    EXPECT_EQ(b.room(), 0u);
    b.put_back(1, context, flits);
    EXPECT_EQ(b.cred_add(), 0u);
    b.look = b.halt = 0;
    b.settle();
    EXPECT_EQ(b.cred_add(), 0b101u);
    b.tick();
    b.settle();
    EXPECT_EQ(b.cred_add(), 0u) << "once";
    EXPECT_EQ(b.room(), 0b101u);
}

TEST_F(input_unit_shot, mbp_0_gets_its_credit_back_for_a_dumped_packet) {
    FromM0 b;
    b.credit = AllCredits;
    b.halt = 1;
    b.arrive(packet_to(0, 2), 0);
    b.look = b.dump = 1;
    b.tick(2);
    EXPECT_EQ(b.grant(), 0u) << "it needs it to talk to the chip";
    b.dump = 0;
    b.read(3, 0);
    EXPECT_EQ(b.room(), 1u);
}

TEST_F(input_unit_shot, multicast_is_dumped_with_its_pending_outputs) {
    FromE0 b;
    b.credit = AllCredits;
    McSpec p;
    p.tag = 2;
    p.map[0] = 0xE0;
    p.body = {5, 6};
    b.arrive(encode(p), 2);
    b.enter(4);
    b.tick();
    b.grant_part(1u << PortW0);
    b.read(5, 1);
    b.halt = 1;
    b.tick(2);
    const auto [context, dumped] = b.dump_of(2, 5);
    EXPECT_EQ(dumped, encode(p)) << "as it came";
    EXPECT_EQ(context,
              1u << 20 | (1u << PortE0 | 1u << PortS0) << 9 | 1u << 8 | 0b1001u << 4 | 4u << 1)
        << "relay and exp0, with the tag of its entry";
    EXPECT_EQ(b.held(), 0u) << "MBP 0 has it";
    b.put_back(2, context, dumped);
    EXPECT_EQ(b.held(), 1u << 3);
    b.halt = b.look = 0;
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortE0 | 1u << PortS0);
    b.grant();
    p.tag = 4;
    p.map[0] = 0;
    EXPECT_EQ(b.read(5, 1), encode(p));
}

TEST_F(input_unit_shot, multicast_without_an_entry_requests_again_when_restored) {
    FromE0 b;
    b.credit = AllCredits;
    McSpec p;
    p.tag = 2;
    p.map[0] = 0x60;
    b.arrive(encode(p), 0);
    b.halt = 1;
    b.tick(2);
    const auto [context, dumped] = b.dump_of(0, 3);
    EXPECT_EQ(context & 1, 1u);
    b.put_back(0, context, dumped);
    EXPECT_EQ(b.ent_req(), 0u);
    b.halt = b.look = 0;
    b.settle();
    EXPECT_EQ(b.ent_req(), 1u);
    EXPECT_EQ(b.ent_tag(), 2u);
    EXPECT_EQ(b.held(), 0u);
}

TEST_F(input_unit_shot, buffer_is_vacant_if_it_is_empty_without_an_outstanding_credit) {
    FromE0 b;
    b.credit = AllCredits;
    b.halt = b.up = 1;
    b.look = 1;
    b.settle();
    EXPECT_EQ(b.vacant(), 0u) << "the neighbor may send into it";
    b.up = 0;
    b.settle();
    EXPECT_EQ(b.vacant(), 1u) << "the link is down";
    b.look = 0;
    b.settle();
    EXPECT_EQ(b.vacant(), 0u) << "none is looked at";
    b.arrive(packet_to(0, 2), 0);
    b.look = 1;
    b.settle();
    EXPECT_EQ(b.vacant(), 0u) << "taken";
    b.up = 1;
    b.dump_of(0, 3);
    EXPECT_EQ(b.vacant(), 1u) << "promised";
    b.look = 2;
    b.settle();
    EXPECT_EQ(b.vacant(), 0u) << "another buffer";
}

TEST_F(input_unit_shot, buffer_of_an_mbp_is_vacant_if_it_is_empty) {
    FromM0 b;
    b.halt = b.look = 1;
    b.settle();
    EXPECT_EQ(b.vacant(), 1u);
    b.arrive(packet_to(0, 2), 0);
    EXPECT_EQ(b.vacant(), 0u);
}

// The packet that comes back into port 8 has come in through it, and stays where it is.
TEST_F(input_unit_shot, packet_for_its_own_buffer_is_kept_by_port_8) {
    FromM0 b;
    b.credit = AllCredits;
    b.halt = b.raw = 1;
    const Flits flits = packet_to(0, 2, 3);
    b.arrive(flits, 0);
    EXPECT_EQ(b.want(), 1u << PortLocal) << "whatever it is";
    b.keep = 1;
    b.gnt = 1u << PortLocal;
    b.settle();
    EXPECT_EQ(b.cred_ret(), 0u);
    b.tick();
    b.gnt = b.raw = b.keep = 0;
    EXPECT_EQ(b.rd_err(), 0u);
    EXPECT_EQ(b.read(6, 0), flits);
    EXPECT_EQ(b.room(), 0u);
    b.look = b.put_set = 1;
    b.put_ctx = 1u << PortN0 << 9;
    b.tick();
    b.look = b.put_set = b.halt = 0;
    b.settle();
    EXPECT_EQ(b.cred_add(), 0u);
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortN0);
    EXPECT_EQ(b.grant(), 0u);
    EXPECT_EQ(b.read(6, 0), flits);
}

TEST_F(input_unit_shot, buffer_kept_in_vain_is_given_back) {
    FromM0 b;
    b.credit = AllCredits;
    b.halt = b.raw = b.keep = 1;
    b.arrive(packet_to(0, 2), 0);
    b.gnt = 1u << PortLocal;
    b.tick();
    b.gnt = b.raw = b.keep = 0;
    b.read(3, 0);
    EXPECT_EQ(b.room() + b.cred_add(), 0u);
    b.free = 1;
    b.settle();
    EXPECT_EQ(b.cred_add(), 1u);
    b.tick();
    b.free = 0;
    b.settle();
    EXPECT_EQ(b.cred_add(), 0u);
    EXPECT_EQ(b.room(), 1u);
}

TEST_F(input_unit_shot, flit_that_comes_in_while_one_is_put_back_is_a_clash_and_goes_first) {
    FromE0 b;
    b.credit = AllCredits;
    b.halt = 1;
    const Flits flits = packet_to(0, 2);
    b.arrive(flits, 0);
    b.dump_of(0, 3);
    const Flits other = packet_to(0, -2, 2);
    b.put_we = 1;
    b.put_d = 0x155;
    for (uint32_t k = 0; k < other.size(); ++k) {
        b.rx_valid = 1;
        b.put_addr = k;
        b.settle();
        EXPECT_EQ(b.clash(), 1u);
        b.flit(other[k], k == 0, k + 1 == other.size(), 1);
    }
    b.look = 0;
    b.rx_valid = 1;
    b.settle();
    EXPECT_EQ(b.clash(), 0u) << "of a buffer of another port";
    b.rx_valid = b.put_we = b.halt = 0;
    b.tick();
    b.grant();
    EXPECT_EQ(b.read(5, 0), other);
}

// An MBP has a credit for the buffer at whose port a packet is put back, and may use it between the
// context and its packet.
TEST_F(input_unit_shot, flit_put_where_a_packet_is_is_a_clash_and_leaves_it_as_it_was) {
    FromM0 b;
    b.credit = AllCredits;
    b.halt = 1;
    const Flits mine = packet_to(0, 2);
    b.arrive(mine, 0);
    b.look = 1;
    b.put_we = 1;
    b.put_d = 0x155;
    for (uint32_t k = 0; k < mine.size(); ++k) {
        b.put_addr = k;
        b.settle();
        EXPECT_EQ(b.clash(), 1u);
        b.tick();
    }
    b.look = 0;
    b.settle();
    EXPECT_EQ(b.clash(), 0u) << "of a buffer of another port";
    b.put_we = b.halt = 0;
    b.tick();
    b.grant();
    EXPECT_EQ(b.read(mine.size(), 0), mine);
}

TEST_F(input_unit_shot, dumped_short_packet_is_marked_corrupt) {
    FromE0 b;
    b.credit = AllCredits;
    b.halt = 1;
    Flits flits = packet_to(0, 2, 4);
    for (uint32_t k = 0; k < 3; ++k) b.flit(flits[k], k == 0, 0, 0);
    b.look = b.dump = 1;
    b.tick();
    b.gnt = 1u << PortM0;
    b.flit(flits[3], 0, 0, 0);
    b.gnt = b.dump = 0;
    EXPECT_EQ(b.rd_x(), stream_of(flits, 0, 0));
    b.flit(flits[4], 0, 1, 0);
    std::fill(flits.begin() + 3, flits.end(), 0);
    for (uint32_t k = 1; k < 7; ++k) {
        EXPECT_EQ(b.rd_x(), stream_of(flits, k, 0)) << "flit " << k;
        b.tick();
        b.settle();
    }
}

}  // namespace rdt::tb
