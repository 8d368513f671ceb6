// SPDX-License-Identifier: MIT
#include "block/input_unit_bench.h"

namespace rdt::tb {

using input_unit = BlockTest;

constexpr uint32_t AllCredits = 0x7FFFFFFF;

Flits packet_to(int x, int y, uint32_t body_flits) {
    PacketSpec p;
    p.v[0] = {x, y};
    for (uint32_t k = 0; k < body_flits; ++k) p.body.push_back(0x1111 * (k + 1));
    return encode(p);
}

TEST_F(input_unit, packet_is_presented_with_its_third_flit_and_read_after_the_grant) {
    FromE0 b;
    b.credit = AllCredits;
    const Flits flits = packet_to(-3, 0, 0);
    b.flit(flits[0], 1, 0, 0);
    EXPECT_EQ(b.seen.cand, 0u);
    b.flit(flits[1], 0, 0, 0);
    EXPECT_EQ(b.seen.cand, 0u);
    b.flit(flits[2], 0, 1, 0);
    EXPECT_EQ(b.seen.cand, 1u << PortW0);
    EXPECT_EQ(b.want(), 1u << PortW0);  // from the next cycle on
    b.gnt = 1u << PortW0;
    b.settle();
    EXPECT_EQ(b.cred_ret(), 1u);
    EXPECT_EQ(b.cred_vc(), 0u);
    b.tick();
    b.gnt = 0;
    EXPECT_EQ(b.want(), 0u);
    EXPECT_EQ(b.read(3, 0), flits);
    EXPECT_EQ(b.rd_x(), 0u);
}

TEST_F(input_unit, packet_without_a_credit_waits_and_is_presented_when_it_comes) {
    FromE0 b;
    b.credit = AllCredits & ~(1u << (3 * PortN0 + 0));
    b.arrive(packet_to(0, 2, 4), 2);
    b.settle();
    EXPECT_EQ(b.cand(), 0u);
    b.credit = 1u << (3 * PortN0 + 0);
    b.settle();
    EXPECT_EQ(b.cand(), 1u << PortN0);
    b.tick();
}

TEST_F(input_unit, no_vc_waits_behind_a_blocked_one) {
    FromE0 b;
    b.credit = AllCredits & ~(7u << 3 * PortN0);
    b.arrive(packet_to(0, 2, 0), 0);
    b.arrive(packet_to(0, -2, 0), 1);
    b.settle();
    EXPECT_EQ(b.cand(), 1u << PortS0);
    b.tick();
    EXPECT_EQ(b.grant(), 1u);
}

TEST_F(input_unit, vcs_take_turns) {
    FromE0 b;
    b.credit = 0;
    for (uint32_t vc : {2u, 0u, 1u}) b.arrive(packet_to(0, 2, 0), vc);
    b.credit = AllCredits;
    std::vector<uint32_t> order;
    for (int turn = 0; turn < 7; ++turn) {
        b.tick();
        const uint32_t vc = b.grant();
        order.push_back(vc);
        b.read(3, 0);
        b.arrive(packet_to(0, 2, 0), vc);
    }
    EXPECT_EQ(order, (std::vector<uint32_t>{0, 1, 2, 0, 1, 2, 0}));
}

TEST_F(input_unit, next_pass_follows_without_a_gap) {
    FromE0 b;
    b.credit = 0;
    const Flits first = packet_to(0, 2, 2);
    const Flits second = packet_to(0, -2, 1);
    b.arrive(first, 0);
    b.arrive(second, 1);
    b.credit = AllCredits;
    b.tick();
    b.grant();
    for (uint32_t k = 0; k < 5; ++k) {
        b.gnt = k == 4 ? 1u << PortS0
                       : 0;  // in the cycle of the last flit, requested since the one before
        EXPECT_EQ(b.want(), k == 4 ? 1u << PortS0 : 0u);
        EXPECT_EQ(b.rd_x(), stream_of(first, k, 0));
        b.tick();
    }
    b.gnt = 0;
    EXPECT_EQ(b.read(4, 0), second);
}

TEST_F(input_unit, packet_without_buffer_is_dropped_and_reported) {
    FromE0 b;
    b.credit = 0;
    const Flits kept = packet_to(0, 2, 5);
    b.arrive(kept, 1);
    EXPECT_EQ(b.seen.over, 0u);
    b.arrive(packet_to(3, 0, 9), 1);
    EXPECT_EQ(b.seen.over, 1u);
    EXPECT_EQ(b.seen.bad, 1u) << "the link re-synchronizes";
    EXPECT_EQ(b.seen.frame + b.seen.body, 0u);
    b.credit = AllCredits;
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortN0);
    b.grant();
    EXPECT_EQ(b.read(8, 0), kept);
    b.tick(3);
    EXPECT_EQ(b.want(), 0u);
}

TEST_F(input_unit, packet_on_an_unknown_vc_is_dropped_and_reported) {
    FromN1 b;
    b.credit = AllCredits;
    b.arrive(packet_to(0, 2, 2), 2);
    EXPECT_EQ(b.seen.over, 1u);
    EXPECT_EQ(b.seen.bad, 1u);
    b.tick(3);
    EXPECT_EQ(b.want(), 0u);
    b.arrive(packet_to(0, 2, 2), 1);
    EXPECT_EQ(b.seen.over, 1u);
    EXPECT_EQ(b.seen.bad, 1u);
    EXPECT_EQ(b.want(), 1u << PortN0);
}

// Passes a packet of 16 flits through VC 0, so that the whole content of its buffer is known.
Flits fill_buffer(FromE0& b) {
    b.credit = 0;
    const Flits flits = packet_to(0, 1, 13);
    b.arrive(flits, 0);
    b.credit = AllCredits;
    b.tick();
    b.grant();
    return b.read(16, 0);
}

TEST_F(input_unit, short_packet_is_marked_corrupt_and_reported) {
    FromE0 b;
    Flits expected = fill_buffer(b);
    b.credit = 0;
    Flits flits = packet_to(0, 2, 7);
    flits.resize(5);
    b.arrive(flits, 0);
    EXPECT_EQ(b.seen.frame, 1u);
    b.credit = AllCredits;
    b.tick();
    b.grant();
    std::copy(flits.begin(), flits.end(), expected.begin());
    expected.resize(10);
    for (uint32_t k = 3; k < 10; ++k) expected[k] = 0;
    EXPECT_EQ(b.read(10, 0), expected);
}

TEST_F(input_unit, packet_of_three_flits_that_announces_more_is_marked_corrupt) {
    FromE0 b;
    Flits expected = fill_buffer(b);
    Flits flits = packet_to(0, 2, 3);
    flits.resize(3);
    b.arrive(flits, 0);
    EXPECT_EQ(b.seen.frame, 1u);
    b.grant();
    std::copy(flits.begin(), flits.end(), expected.begin());
    expected.resize(6);
    for (uint32_t k = 3; k < 6; ++k) expected[k] = 0;
    EXPECT_EQ(b.read(6, 0), expected);
}

TEST_F(input_unit, short_packet_is_marked_corrupt_although_its_pass_has_begun) {
    FromE0 b;
    Flits expected = fill_buffer(b);
    const Flits flits = packet_to(0, 2, 7);
    for (uint32_t k = 0; k < 3; ++k) b.flit(flits[k], k == 0, 0, 0);
    b.gnt = 1u << PortN0;
    b.flit(flits[3], 0, 0, 0);
    b.gnt = 0;
    EXPECT_EQ(b.rd_x(), stream_of(flits, 0, 0));
    b.flit(flits[4], 0, 1, 0);  // last of five; ten were announced
    EXPECT_EQ(b.seen.frame, 1u);
    std::copy(flits.begin(), flits.begin() + 3, expected.begin());
    expected.resize(10);
    std::fill(expected.begin() + 3, expected.end(), 0);
    for (uint32_t k = 1; k < 10; ++k) {
        EXPECT_EQ(b.rd_x(), stream_of(expected, k, 0)) << "flit " << k;
        b.tick();
    }
    EXPECT_EQ(b.rd_x(), 0u);
}

TEST_F(input_unit, long_packet_is_cut_to_its_length_and_reported) {
    FromE0 b;
    b.credit = 0;
    for (uint32_t extra : {1u, 4u, 12u, 20u}) {
        Flits flits = packet_to(0, 2, 1);
        const Flits announced = flits;
        for (uint32_t k = 0; k < extra; ++k) flits.push_back(with_parity(k));
        b.seen = {};
        b.arrive(flits, 0);
        EXPECT_EQ(b.seen.frame, 1u);
        b.credit = AllCredits;
        b.tick();
        b.grant();
        EXPECT_EQ(b.read(4, 0), announced);
        b.credit = 0;
    }
}

TEST_F(input_unit, single_wrong_bit_in_any_header_flit_drops_the_packet_and_calls_the_link) {
    FromE0 b;
    b.credit = AllCredits;
    for (uint32_t flit = 0; flit < 3; ++flit) {
        for (uint32_t bit = 0; bit < 18; ++bit) {
            Flits flits = packet_to(3, -2, 2);
            flits[flit] ^= 1u << bit;
            b.seen = {};
            for (uint32_t k = 0; k < flits.size(); ++k) {
                b.flit(flits[k], k == 0, k + 1 == flits.size(), 1);
                EXPECT_EQ(b.seen.bad, k < flit ? 0u : 1u)
                    << "in the cycle of the malformed flit, once";
                EXPECT_EQ(b.seen.cand + b.pkt(), 0u);
            }
            EXPECT_EQ(b.seen.over + b.seen.frame + b.seen.body, 0u);
            EXPECT_EQ(b.room(), 7u) << "it holds no buffer";
        }
    }
    b.arrive(packet_to(3, -2, 2), 1);
    EXPECT_EQ(b.seen.bad, 1u) << "of the last one";
    EXPECT_EQ(b.want(), 1u << PortS0);
}

TEST_F(input_unit, undriven_line_is_not_a_packet) {
    FromE0 b;
    b.credit = AllCredits;
    b.arrive(Flits(3, 0), 0);
    EXPECT_EQ(b.seen.bad, 1u);
    EXPECT_EQ(b.seen.over, 0u);
    EXPECT_EQ(b.pkt() + b.want(), 0u);
    b.seen = {};
    b.arrive(good_flits({0, 0, 0}), 0);
    EXPECT_EQ(b.seen.bad, 1u) << "H0 is 0, whatever follows";
    EXPECT_EQ(b.pkt() + b.want(), 0u);
}

TEST_F(input_unit, packet_cut_off_before_its_third_flit_never_was_one) {
    FromE0 b;
    b.credit = AllCredits;
    const Flits flits = packet_to(0, 2, 4);
    for (uint32_t n : {1u, 2u}) {
        b.arrive(Flits(flits.begin(), flits.begin() + n), 0);
        b.tick(3);
        EXPECT_EQ(b.pkt() + b.want(), 0u);
        EXPECT_EQ(b.room(), 7u);
    }
    EXPECT_EQ(b.seen.over + b.seen.frame + b.seen.body + b.seen.bad, 0u);
    b.arrive(flits, 0);
    b.grant();
    EXPECT_EQ(b.read(7, 0), flits);
}

TEST_F(input_unit, malformed_header_goes_to_local_with_its_code_for_three_flits) {
    FromE0 b;
    Flits flits = packet_to(1, 1, 6);
    flits.resize(7);  // not the length it announces
    struct Case {
        uint32_t flit, flip, code;
    };
    const uint32_t shot = with_field(flits[0], 14, 3, TypeShot);
    const Case cases[] = {{0, uint32_t(flits[0]) ^ shot, ErrBadType},
                          {2, 1u << 17 | 1u, ErrReserved}};
    for (const Case& c : cases) {
        Flits bad = flits;
        bad[c.flit] ^= c.flip;
        b.credit = 1u << 30;
        b.seen = {};
        b.arrive(bad, 1);
        EXPECT_EQ(b.seen.frame, 0u) << "its length is not trusted";
        EXPECT_EQ(b.seen.bad, 0u) << "the link has no error";
        EXPECT_EQ(b.want(), 1u << PortLocal);
        EXPECT_EQ(b.grant(), 1u);
        EXPECT_EQ(b.rd_err(), c.code);
        EXPECT_EQ(b.rd_vc(), 1u);
        bad.resize(3);
        EXPECT_EQ(b.read(3, 0), bad);
        EXPECT_EQ(b.rd_x(), 0u);
    }
}

TEST_F(input_unit, setup_for_this_node_goes_to_local_without_an_error) {
    FromE0 b;
    PacketSpec p;
    p.type = TypeSetup;
    p.body = {0x8001, 7};
    b.credit = AllCredits & ~(1u << 30);
    b.arrive(encode(p), 0);
    b.tick(3);
    EXPECT_EQ(b.want(), 0u) << "LOCAL is busy";
    b.credit = 1u << 30;
    b.tick();
    EXPECT_EQ(b.want(), 1u << PortLocal);
    b.grant();
    EXPECT_EQ(b.rd_err(), 0u);
    EXPECT_EQ(b.read(5, 0), encode(p));
}

TEST_F(input_unit, stream_carries_the_output_vc) {
    FromE0 b;
    b.credit = AllCredits;
    b.rank = 1;
    b.dateline = 1u << PortS0;
    PacketSpec transfer;
    transfer.v[2] = {1, 0};
    b.arrive(encode(transfer), 0);
    EXPECT_EQ(b.want(), 1u << PortE0);
    b.grant();
    b.read(3, 2);
    b.arrive(packet_to(0, -1, 0), 0);
    b.grant();
    b.read(3, 1);
}

TEST_F(input_unit, body_flit_with_even_parity_is_an_event_and_passes) {
    FromE0 b;
    b.credit = 0;
    Flits flits = packet_to(0, 2, 6);
    flits[3] ^= 1;
    flits[8] ^= 1u << 16;
    b.arrive(flits, 0);
    EXPECT_EQ(b.seen.body, 2u);
    b.credit = AllCredits;
    b.tick();
    b.grant();
    EXPECT_EQ(b.read(9, 0), flits);
}

TEST_F(input_unit, waiting_packet_is_reported_once_after_two_ticks_and_stays) {
    FromE0 b;
    b.credit = 0;
    const Flits flits = packet_to(0, 2, 0);
    const auto period = [&b] {
        b.pulse(b.tick_in);
        b.tick(3);
    };
    b.arrive(flits, 2);
    period();
    EXPECT_EQ(b.to_pend(), 0u);
    b.arrive(flits, 1);
    period();
    EXPECT_EQ(b.to_pend(), 1u);
    EXPECT_EQ(b.to_vc(), 2u);
    period();  // not acknowledged yet, and the other is as late now
    EXPECT_EQ(b.to_vc(), 1u);
    for (uint32_t vc : {1u, 2u}) {
        EXPECT_EQ(b.to_pend(), 1u);
        EXPECT_EQ(b.to_vc(), vc);
        b.pulse(b.to_ack);
    }
    for (int periods = 0; periods < 5; ++periods) {
        period();
        EXPECT_EQ(b.to_pend(), 0u);
    }
    b.credit = AllCredits;
    b.tick();
    b.grant();
    EXPECT_EQ(b.read(3, 0), flits);
}

}  // namespace rdt::tb
