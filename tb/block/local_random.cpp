// SPDX-License-Identifier: MIT
#include <map>

#include "block/local_bench.h"

namespace rdt::tb {

using local_random = BlockTest;

// Some of them could be true: the context of a packet that waits for one output.
Flits shot_packet(Dice& rng) {
    const auto vc_of = [&rng](uint32_t port) { return rng.below(port < 2 ? 3 : port < 8 ? 2 : 1); };
    if (rng.chance(50)) {
        const uint32_t port = rng.below(10), out = rng.below(10);
        const uint32_t mc = rng.chance(30);
        const uint32_t out_vc = rng.chance(85) ? vc_of(out) : rng.bits(2);
        return good_flits(
            {TypeShot << 14 | 2u << 10 | rng.bits(3) << 7 | rng.bits(1) << 2 | WhatSlot,
             port << 13 | vc_of(port) << 11 | 1u << out, mc << 16 | out_vc << 12});
    }
    return good_flits({TypeShot << 14 | 2u << 10 | rng.bits(3) << 7 | rng.bits(3),
                       rng.below(11) << 13 | rng.bits(13), rng.bits(17)});
}

// All inputs but the packet.
void drive_inputs(LocalBench& b, Dice& rng) {
    // In quiet times Status can be cleared, and each single event seen in it.
    const bool noisy = b.clock() % 4000 < 1000;
    const auto event = [&] { return rng.chance(noisy ? 5 : 0) ? rng.bits(10) : 0; };
    // Rare enough that LOCAL has time for more than reports.
    const auto told = [&] { return noisy && rng.below(500) == 0 ? 1u << rng.below(10) : 0; };
    b.shoot = noisy && rng.chance(10);
    b.gnt_mbp0 = rng.chance(50);
    b.ctx = rng.chance(60) ? 0 : rng.bits(21);
    b.clash = rng.chance(5);
    b.ent_used = rng.chance(30);
    b.ent_h1_in = rng.bits(17);
    b.ent_h2_in = rng.bits(11);
    b.vacant = rng.chance(80);
    b.up = rng.bits(10);
    b.own_slice = rng.chance(2);
    b.slice = rng.chance(2);
    // Now and then an MBP takes nothing for longer than LOCAL waits.
    const uint32_t alive = b.clock() % 20000 < 2000 ? b.clock() / 20000 % 3 : 3;
    b.m_credit = (rng.chance(70) ? 3 : rng.bits(2)) & alive;
    b.ev_body = event();
    b.ev_frame = event();
    b.ev_over = event();
    b.ev_cred = event();
    b.ev_owed = told();
    b.ev_sync = told();
    b.ev_sunk = told();
    b.ev_lost = noisy && rng.chance(2);
    b.ev_table = rng.chance(noisy ? 5 : 0);
    b.stray_port = rng.below(10);
    b.stray_tag = rng.bits(3);
    b.stray = noisy && rng.below(200) == 0;
    b.to_vc = rng.bits(20);
    if (noisy && rng.chance(1)) b.to_pend = b.to_pend() | 1u << rng.below(10);
}

// A packet for LOCAL, and the port and the errors that it comes with.
Flits next_packet(LocalBench& b, Dice& rng) {
    const auto command = [&rng] {
        const uint32_t addr = rng.chance(20)   ? RegStatus
                              : rng.chance(90) ? rng.below(24)
                                               : rng.bits(15);
        return uint32_t(rng.chance(85)) << 15 | addr;
    };
    std::vector<uint32_t> body;
    for (uint32_t n = rng.chance(30) ? 1 : rng.between(1, 13); body.size() < n;)
        body.push_back(body.size() % 2 == 0 ? command() : rng.bits(17));
    if (body.size() == 1 && rng.chance(50)) body[0] &= 0x7FFF;  // a read
    Flits packet = b.setup(body, rng.bits(1));
    if (rng.chance(15)) packet[rng.between(3, uint32_t(packet.size()) - 1)] ^= 1u << rng.below(18);
    const uint32_t port = rng.chance(50) ? PortM0 : rng.below(10);
    b.sel = 1u << port;
    b.rd_vc = rng.bits(20);
    for (uint32_t i = 0; i < 10; ++i) b.rd_err[i] = rng.below(11);
    if (rng.chance(80)) b.rd_err[port] = 0;
    if (b.rd_err[port]() != 0) packet = {rng.bits(18), rng.bits(18), rng.bits(18)};
    else if (rng.chance(b.halt() ? 60 : 5)) packet = shot_packet(rng);
    if (b.only_mbp0()) {
        b.sel = 1u << PortM0;
        packet[0] = with_field(packet[0], 14, 3, rng.bits(rng.chance(80) ? 2 : 3));
    }
    return packet;
}

// SETUP packets of all shapes, malformed headers, time-outs and events.
TEST_F(local_random, models_match_for_setups_malformed_headers_time_outs_and_events) {
    const TestRun run(200000);
    LocalBench b(run);
    Dice rng(run.seed);
    Flits packet;
    uint32_t k = 0;
    std::map<uint32_t, uint64_t> errors;  // ERR packets by code
    uint64_t answers = 0;
    uint64_t shots = 0;
    uint64_t puts = 0;
    uint64_t received = 0;
    while (b.clock() < run.cycles) {
        drive_inputs(b, rng);
        b.gnt = b.loc_gnt = 0;
        b.x = k < packet.size() ? stream_of(packet, k++, 0) : rng.bits(20);
        b.rst_n = !(k == packet.size() && rng.chance(1) && rng.chance(5));
        b.settle();
        if (k == packet.size() && b.x_gnt() && b.rst_n() && rng.chance(b.halt() ? 15 : 60)) {
            b.gnt = 1;
            packet = next_packet(b, rng);
            k = 0;
            ++received;
        }
        b.loc_gnt = rng.chance(40) ? b.loc_want() : 0;
        b.settle();
        const uint32_t acknowledged = b.to_ack();
        puts += b.put_set();
        const bool sends = b.loc_gnt() != 0 && b.rst_n();
        b.tick();
        b.to_pend = b.to_pend() & ~acknowledged;
        b.settle();
        if (sends) {
            const uint32_t h0 = b.loc_x();
            const uint32_t type = h0 >> 14 & 7;
            if (type == TypeErr) ++errors[h0 & 15];
            else if (type == TypeShot) ++shots;
            else ++answers;
        }
    }
    EXPECT_GT(received, run.cycles / 100);
    EXPECT_GT(answers, run.cycles / 1000);
    EXPECT_GT(shots, run.cycles / 1000);
    EXPECT_GT(puts, run.cycles / 2000);
    for (uint32_t code = 1; code <= ErrSunk; ++code)
        EXPECT_GT(errors[code], 0u) << to_string(Err(code));
}

}  // namespace rdt::tb
