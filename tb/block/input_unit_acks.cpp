// SPDX-License-Identifier: MIT
// Acks that land at an input, and multicasts that wait for an entry in the ack table.
#include "block/input_unit_bench.h"

namespace rdt::tb {

using input_unit_acks = BlockTest;

constexpr uint32_t AllCredits = 0x7FFFFFFF;

Flits ack_packet(uint32_t tag, uint32_t status) {
    return good_flits({TypeAck << 14 | 2u << 10 | tag << 7 | status, 0, 0});
}

McSpec tagged(uint32_t tag, uint32_t map0 = 0x06) {
    McSpec p;
    p.tag = tag;
    p.map[0] = map0;
    return p;
}

Flits unicast_north() {
    PacketSpec p;
    p.v[0] = {0, 1};
    return encode(p);
}

TEST_F(input_unit_acks, ack_goes_to_the_landing_register_and_to_no_buffer) {
    FromN1 b;
    b.credit = AllCredits;
    for (uint32_t tag = 0; tag < 8; ++tag) {
        b.arrive(ack_packet(tag, 60 - tag), 0);
        EXPECT_EQ(b.ack_v(), 1u);
        EXPECT_EQ(b.ack_tag(), tag);
        EXPECT_EQ(b.ack_st(), 60 - tag);
        EXPECT_EQ(b.want() + b.seen.cand, 0u);
        b.pulse(b.ack_take);
        EXPECT_EQ(b.ack_v(), 0u);
    }
    EXPECT_EQ(b.seen.over + b.seen.frame + b.seen.body, 0u);
}

TEST_F(input_unit_acks, ack_needs_no_buffer_and_disturbs_none) {
    FromM0 b;
    const Flits kept = unicast_north();
    b.arrive(kept, 0);
    b.arrive(ack_packet(5, 9), 0);
    EXPECT_EQ(b.seen.over, 0u);
    EXPECT_EQ(b.ack_tag(), 5u);
    b.credit = AllCredits;
    b.tick();
    b.grant();
    EXPECT_EQ(b.read(3, 0), kept);
}

TEST_F(input_unit_acks, ack_of_the_wrong_length_is_an_ack_without_an_event) {
    FromE0 b;
    Flits flits = ack_packet(2, 3);
    flits.resize(9, 0);
    b.arrive(flits, 1);
    EXPECT_EQ(b.ack_tag(), 2u);
    EXPECT_EQ(b.seen.over + b.seen.frame + b.seen.body, 0u);
    b.credit = AllCredits;
    b.tick(3);
    EXPECT_EQ(b.want(), 0u);
}

TEST_F(input_unit_acks, ack_of_an_mbp_lands_with_its_generation) {
    FromM0 b;
    for (uint32_t gen = 0; gen < 16; ++gen) {
        b.arrive(good_flits({TypeAck << 14 | gen << 10 | 3u << 7, 0, 0}), 0);
        EXPECT_EQ(b.ack_tag(), 3u);
        EXPECT_EQ(b.ack_gen(), gen);
        b.pulse(b.ack_take);
    }
    EXPECT_EQ(b.seen.bad + b.seen.frame, 0u) << "where a packet has its length";
}

TEST_F(input_unit_acks, ack_of_a_router_has_no_generation) {
    FromN1 b;
    b.arrive(good_flits({TypeAck << 14 | 11u << 10 | 3u << 7, 0, 0}), 0);
    EXPECT_EQ(b.ack_v(), 1u);
    EXPECT_EQ(b.ack_gen(), 0u);
}

TEST_F(input_unit_acks, ack_with_wrong_parity_is_a_malformed_packet) {
    FromE0 b;
    b.credit = AllCredits;
    Flits flits = ack_packet(2, 3);
    flits[0] ^= 1;
    b.arrive(flits, 0);
    EXPECT_EQ(b.ack_v(), 0u);
    EXPECT_EQ(b.seen.bad, 1u);
    EXPECT_EQ(b.pkt() + b.want(), 0u);
}

TEST_F(input_unit_acks, second_ack_before_the_first_is_taken_is_an_overrun) {
    FromE0 b;
    b.arrive(ack_packet(1, 1), 0);
    b.arrive(ack_packet(2, 2), 0);
    EXPECT_EQ(b.seen.over, 1u);
    EXPECT_EQ(b.ack_tag(), 2u);
    b.ack_take = 1;  // in the cycle in which the next one lands
    b.flit(ack_packet(3, 3)[0], 1, 0, 0);
    b.ack_take = 0;
    EXPECT_EQ(b.seen.over, 1u);
    EXPECT_EQ(b.ack_v(), 1u);
    EXPECT_EQ(b.ack_tag(), 3u);
}

TEST_F(input_unit_acks, tagged_multicast_waits_for_an_entry_and_carries_its_tag) {
    FromM0 b;
    b.credit = AllCredits;
    McSpec p = tagged(5, 0x0E);
    b.arrive(encode(p), 0);
    EXPECT_EQ(b.seen.cand, 0u);
    b.tick(5);
    EXPECT_EQ(b.want(), 0u);
    EXPECT_EQ(b.ent_req(), 1u);
    EXPECT_EQ(b.ent_set(), 0x7u);
    EXPECT_EQ(b.ent_tag(), 5u);
    b.enter(3);
    EXPECT_EQ(b.ent_req() + b.ent_set() + b.ent_tag(), 0u);
    b.tick();
    EXPECT_EQ(b.want(), 0x7u);
    p.tag = 3;
    p.map[0] = 0;
    for (uint32_t part : {1u, 2u}) {
        b.grant_part(part);
        EXPECT_EQ(b.read(3, 0), encode(p));
        b.tick();
    }
    b.grant();
    EXPECT_EQ(b.read(3, 0), encode(p));
}

TEST_F(input_unit_acks, multicast_without_a_tag_and_unicast_with_one_need_no_entry) {
    FromM0 b;
    b.credit = AllCredits;
    b.arrive(encode(tagged(0)), 0);
    EXPECT_EQ(b.ent_req(), 0u);
    EXPECT_NE(b.want(), 0u);
    b.grant();
    b.read(3, 0);
    PacketSpec p;
    p.tag = 6;
    p.v[0] = {1, 0};
    b.arrive(encode(p), 0);
    EXPECT_EQ(b.ent_req(), 0u);
    b.grant();
    EXPECT_EQ(b.read(3, 0)[0], encode(p)[0]);
}

TEST_F(input_unit_acks, no_vc_waits_behind_one_without_an_entry) {
    FromE0 b;
    b.credit = AllCredits;
    b.arrive(encode(tagged(2, 0x60)), 0);
    const Flits other = unicast_north();
    b.arrive(other, 1);
    EXPECT_EQ(b.want(), 1u << PortN0);
    EXPECT_EQ(b.grant(), 1u);
    EXPECT_EQ(b.read(3, 0), other);
}

TEST_F(input_unit_acks, vcs_request_entries_round_robin_in_every_cycle) {
    FromE0 b;
    b.credit = 0;
    b.arrive(encode(tagged(3, 0x20)), 2);
    b.tick(4);
    EXPECT_EQ(b.ent_tag(), 3u);
    EXPECT_EQ(b.ent_vct(), 1u);
    for (uint32_t vc = 0; vc < 2; ++vc) b.arrive(encode(tagged(vc + 1, 0x20)), vc);
    uint32_t turn = b.ent_tag();
    for (uint32_t cycles = 0; cycles < 7; ++cycles) {
        EXPECT_EQ(b.ent_tag(), turn);
        EXPECT_EQ(b.ent_vct() != 0, turn == 3);
        b.tick();
        turn = turn % 3 + 1;
    }
    b.enter(6);
    EXPECT_EQ(b.ent_tag(), turn % 3 + 1) << "the next one";
}

TEST_F(input_unit_acks, tags_of_multicasts_with_an_entry_are_held_until_they_have_left) {
    FromE0 b;
    b.arrive(encode(tagged(2, 0x60)), 0);
    EXPECT_EQ(b.held(), 0u) << "the tag is the sender's";
    b.enter(5);
    EXPECT_EQ(b.held(), 1u << 4);
    PacketSpec p;
    p.v[0] = {0, 1};
    p.tag = 3;
    b.arrive(encode(p), 1);
    b.arrive(encode(tagged(0, 0x60)), 2);
    EXPECT_EQ(b.held(), 1u << 4) << "no tag of a unicast, and none is none";
    b.credit = 7u << 3 * PortE0;
    b.tick();
    b.grant_part(1u << PortE0);
    EXPECT_EQ(b.held(), 1u << 4) << "one copy is still here";
    b.read(3, 1);
    b.credit = 7u << 3 * PortW0;
    b.tick();
    if (b.cred_vc() != 0) b.grant_part(1u << PortW0);  // the one without a tag
    b.tick(4);
    EXPECT_EQ(b.held(), 1u << 4);
    b.grant();
    EXPECT_EQ(b.held(), 0u);
}

TEST_F(input_unit_acks, retry_is_requested_two_ticks_after_a_slow_one_and_consumes_the_packet) {
    FromE0 b;
    b.credit = AllCredits;
    b.arrive(encode(tagged(4, 0x20)), 1);
    for (int ticks = 0; ticks < 3; ++ticks) b.pulse(b.tick_ent);
    EXPECT_EQ(b.ent_old(), 0u) << "ticks before the slow one do not count";
    b.pulse(b.slow);
    EXPECT_EQ(b.ent_old(), 1u);
    b.pulse(b.slow);
    b.pulse(b.tick_ent);
    EXPECT_EQ(b.retry(), 0u);
    b.tick(5);
    b.pulse(b.tick_ent);
    EXPECT_EQ(b.retry(), 1u);
    EXPECT_EQ(b.ent_req(), 1u);
    EXPECT_EQ(b.ent_tag(), 4u);
    EXPECT_EQ(b.cred_add(), 0u);
    b.retry_ack = 1;
    b.settle();
    EXPECT_EQ(b.cred_add(), 1u << 1) << "its credit goes back";
    EXPECT_EQ(b.cred_ret(), 0u);
    b.tick();
    b.retry_ack = 0;
    b.settle();
    EXPECT_EQ(b.ent_req() + b.retry() + b.cred_add(), 0u);
    b.tick(5);
    EXPECT_EQ(b.want(), 0u);
    b.arrive(unicast_north(), 1);
    EXPECT_EQ(b.seen.over, 0u) << "the buffer is free";
    EXPECT_EQ(b.want(), 1u << PortN0);
}

TEST_F(input_unit_acks, wait_of_one_vc_is_counted_until_it_is_answered) {
    FromE0 b;
    b.arrive(encode(tagged(1, 0x20)), 0);
    b.arrive(encode(tagged(2, 0x20)), 1);
    b.pulse(b.slow);
    b.pulse(b.tick_ent);
    b.pulse(b.tick_ent);
    uint32_t old = 0;  // tags
    for (int cycles = 0; cycles < 4; ++cycles, b.tick()) {
        old |= b.ent_old() << b.ent_tag();
        EXPECT_EQ(b.retry(), b.ent_old());
    }
    EXPECT_EQ(old, 1u << 1) << "the first that waited";
    while (b.ent_tag() != 1) b.tick();
    b.enter(6);
    EXPECT_EQ(b.ent_tag(), 2u);
    EXPECT_EQ(b.ent_old() + b.retry(), 0u) << "the wait of the other begins";
    b.pulse(b.slow);
    EXPECT_EQ(b.ent_old(), 1u);
}

TEST_F(input_unit_acks, ack_with_tag_0_takes_the_packet_of_an_mbp_back) {
    FromM0 b;
    b.arrive(unicast_north(), 0);
    EXPECT_EQ(b.pkt(), 1u);
    const Flits recall = ack_packet(0, 0);
    b.rx_valid = b.rx_first = 1;
    b.rx_d = recall[0];
    b.settle();
    EXPECT_EQ(b.cred_add(), 1u) << "its credit comes back";
    b.rx_valid = b.rx_first = 0;
    b.arrive(recall, 0);
    EXPECT_EQ(b.pkt() + b.ack_v(), 0u);
    b.credit = AllCredits;
    b.tick(3);
    EXPECT_EQ(b.want(), 0u);
    b.arrive(unicast_north(), 0);
    EXPECT_EQ(b.seen.over, 0u) << "the buffer is free";
    EXPECT_EQ(b.want(), 1u << PortN0);
}

TEST_F(input_unit_acks, packet_is_not_taken_back_in_a_shoot_down_or_by_an_answer) {
    FromM0 b;
    b.arrive(unicast_north(), 0);
    b.arrive(ack_packet(1, 0), 0);
    EXPECT_EQ(b.pkt(), 1u);
    b.pulse(b.ack_take);
    b.running = 0;
    b.arrive(ack_packet(0, 0), 0);
    EXPECT_EQ(b.pkt(), 1u);
    EXPECT_EQ(b.ack_v(), 0u);
}

TEST_F(input_unit_acks, packet_that_has_timed_out_is_dropped_with_drop) {
    FromE0 b;
    b.arrive(unicast_north(), 1);
    b.drop = 1;
    for (int periods = 0; periods < 2; ++periods) b.pulse(b.tick_in);
    EXPECT_EQ(b.to_pend(), 1u);
    b.to_ack = 1;
    b.settle();
    EXPECT_EQ(b.cred_add(), 1u << 1);
    b.tick();
    b.to_ack = 0;
    b.settle();
    EXPECT_EQ(b.to_pend() + b.pkt(), 0u);
}

TEST_F(input_unit_acks, packet_without_an_entry_times_out_as_any_other) {
    FromE0 b;
    b.credit = AllCredits;
    b.arrive(encode(tagged(1, 0x20)), 2);
    for (int periods = 0; periods < 2; ++periods) b.pulse(b.tick_in);
    EXPECT_EQ(b.to_pend(), 1u);
    EXPECT_EQ(b.to_vc(), 2u);
}

}  // namespace rdt::tb
