// SPDX-License-Identifier: MIT
#include <map>

#include "block/local_bench.h"

namespace rdt::tb {

using local = BlockTest;

// Registers and the bits they keep, from docs/packet.md; those that only errors change are apart.
const std::map<uint32_t, uint32_t> kept_bits{
    {RegX, 0xFF},        {RegY, 0xFF},       {RegRank, 7},         {RegXfer, 0xF},
    {RegDateline, 0xFF}, {RegLink, 0xFF},    {RegTimeout, 0xFFFF}, {RegCtrl, 0x5B},
    {RegErrCnt, 0xFF},   {RegBodyCnt, 0xFF}, {RegMask, 0xFF},      {RegTEnt, 0xFFFF},
    {RegTAck, 0xFFFF},   {RegRanks, 0xF},    {RegSyncCnt, 0xFF},   {RegLostCnt, 0xFF},
    {RegStrayCnt, 0xFF}, {RegSunkCnt, 0xFF}};

TEST_F(local, every_register_keeps_its_bits_and_no_others) {
    LocalBench b;
    for (const auto& [addr, bits] : kept_bits)
        EXPECT_EQ(b.read(addr), 0u) << "after reset: " << addr;
    for (uint32_t value : {0xFFFFu, 0x0000u, 0xA5C3u}) {
        for (const auto& [addr, bits] : kept_bits)
            b.write(addr, addr == RegCtrl ? value & ~4u : value);  // bit 2 shoots down
        for (const auto& [addr, bits] : kept_bits) EXPECT_EQ(b.read(addr), value & bits) << addr;
        EXPECT_EQ(b.rank(), rank_wires(value & 7));
        EXPECT_EQ(b.xfer(), value & 0xF);
        EXPECT_EQ(b.dateline(), value & 0xFF);
        EXPECT_EQ(b.link(), value & 0xFF);
        EXPECT_EQ(b.mask(), value & 0xFF);
        EXPECT_EQ(b.ranks(), value & 0xF);
        EXPECT_EQ(b.sink(), value >> 4 & 1);
        EXPECT_EQ(b.drop(), value >> 6 & 1);
    }
    EXPECT_EQ(b.read(RegId), 0x5244u);
    EXPECT_EQ(b.read(RegStatus), 0u);
    EXPECT_EQ(b.read(RegLinkErr), 0u);
    EXPECT_EQ(b.err(), 0u);
}

TEST_F(local, read_is_answered_to_the_requesting_mbp) {
    LocalBench b;
    b.write(RegX, 0x12);
    b.write(RegY, 0x34);
    for (uint32_t mbp : {0u, 1u}) {
        b.receive(b.setup({RegId}, mbp), 3, 1);
        const Flits expected =
            good_flits({5u << 14 | 4u << 10 | 5u << 7 | mbp << 6, 0, 0x1234, RegId, 0x5244});
        EXPECT_EQ(b.answer(mbp), expected);
    }
}

TEST_F(local, several_registers_are_written_by_one_packet) {
    LocalBench b;
    std::vector<uint32_t> body;
    for (uint32_t addr = RegX; addr <= RegLink; ++addr) {
        body.push_back(b.write_command(addr));
        body.push_back(addr);
    }
    b.receive(b.setup(body), 0, 0);
    EXPECT_EQ(b.answer(0), Flits{});
    for (uint32_t addr = RegX; addr <= RegLink; ++addr) EXPECT_EQ(b.read(addr), addr);
}

TEST_F(local, write_to_unknown_register_is_refused_and_others_done) {
    LocalBench b;
    uint32_t value = 0;
    for (uint32_t unknown :
         {uint32_t(RegId), uint32_t(RegShot), uint32_t(RegDown), RegSunkCnt + 1u, 0x21u, 0x7FFFu}) {
        ++value;
        const Flits packet = b.setup({b.write_command(RegRank), value, b.write_command(unknown),
                                      0xFFFF, b.write_command(RegXfer), value + 8});
        b.receive(packet, 4, 1);
        EXPECT_EQ(b.answer(0), err_packet(ErrUnknownReg, 4, 1, 0, packet));
        EXPECT_EQ(b.rank(), rank_wires(value));
        EXPECT_EQ(b.xfer(), value + 8);
    }
    EXPECT_EQ(b.read(RegX), 0u) << "register 0x21 is not register 1";
    EXPECT_EQ(b.read(RegStatus), 1u << StatusSetup);
}

TEST_F(local, read_of_unknown_register_is_refused) {
    LocalBench b;
    const Flits packet = b.setup({RegSunkCnt + 1}, 1);
    b.receive(packet, 9, 0);
    EXPECT_EQ(b.answer(0), err_packet(ErrUnknownReg, 9, 0, 0, packet));
}

TEST_F(local, setup_of_the_wrong_shape_is_refused) {
    LocalBench b;
    const uint32_t w = b.write_command(RegXfer);
    for (const auto& body : {std::vector<uint32_t>{w},        // a write without data
                             std::vector<uint32_t>{RegX, 0},  // a read with something behind it
                             std::vector<uint32_t>{RegX, 0, RegY},  // two reads
                             std::vector<uint32_t>{w, 7, w}}) {     // the last one has no data
        const Flits packet = b.setup(body);
        b.receive(packet, 0, 2);
        EXPECT_EQ(b.answer(0), err_packet(ErrBadLength, 0, 2, 0, packet));
    }
    EXPECT_EQ(b.xfer(), 7u);
    EXPECT_EQ(b.read(RegErrCnt), 4u);
}

TEST_F(local, body_flit_with_even_parity_writes_nothing) {
    LocalBench b;
    for (uint32_t bad : {3u, 4u}) {
        Flits packet = b.setup({b.write_command(RegRank), 7, b.write_command(RegXfer), bad});
        packet[bad] ^= 1u << 16;
        b.receive(packet, 1, 0);
        EXPECT_EQ(b.answer(0), err_packet(ErrBodyParity, 1, 0, 0, packet));
        EXPECT_EQ(b.rank(), rank_wires(0));
        EXPECT_EQ(b.xfer(), bad) << "the other command is still carried out";
    }
}

TEST_F(local, first_error_of_a_packet_is_reported) {
    LocalBench b;
    Flits packet = b.setup({b.write_command(99), 0, b.write_command(RegX), 0});
    packet[6] ^= 1;
    b.receive(packet, 1, 0);
    EXPECT_EQ(b.answer(0), err_packet(ErrUnknownReg, 1, 0, 0, packet));
}

TEST_F(local, malformed_header_is_reported_with_port_vc_and_position) {
    LocalBench b;
    b.write(RegX, 0xAB);
    b.write(RegY, 0xCD);
    for (uint32_t port = 0; port < 10; ++port) {
        const Flits header{0x2F0F0 + port, 0x15555, 0x0AAAA};
        b.receive(header, port, port % 3, port % 5 + 1);
        EXPECT_EQ(b.answer(0), err_packet(port % 5 + 1, port, port % 3, 0xABCD, header));
    }
    EXPECT_EQ(b.read(RegStatus), 1u << StatusHeader);
    EXPECT_EQ(b.read(RegErrCnt), 10u);
}

TEST_F(local, report_waits_for_the_credit_and_the_line_of_its_mbp) {
    LocalBench b;
    b.m_credit = 2;
    b.receive(b.setup({99}), 2, 0);
    for (int clocks = 0; clocks < 5; ++clocks) {
        EXPECT_EQ(b.loc_want(), 0u);
        EXPECT_EQ(b.x_gnt() + b.ready(), 0u);
        b.tick();
    }
    b.m_credit = 1;
    b.settle();
    for (int clocks = 0; clocks < 5; ++clocks) {
        EXPECT_EQ(b.loc_want(), 1u);
        b.tick();
    }
    EXPECT_EQ(b.answer(0).size(), 6u);
}

TEST_F(local, every_event_sets_its_status_bit_and_its_port) {
    LocalBench b;
    const std::pair<Input*, uint32_t> events[] = {{&b.ev_body, StatusBody},
                                                  {&b.ev_frame, StatusFrame},
                                                  {&b.ev_over, StatusOverrun},
                                                  {&b.ev_cred, StatusCredit}};
    uint32_t port = 0;
    for (const auto& [event, bit] : events) {
        port += 2;
        *event = 1u << port;
        b.tick();
        *event = 0;
        EXPECT_EQ(b.err(), 1u);
        EXPECT_EQ(b.read(RegStatus), 1u << bit);
        EXPECT_EQ(b.read(RegLinkErr), 1u << port);
        b.write(RegStatus, 0xFFFF & ~(1u << bit));
        EXPECT_EQ(b.read(RegStatus), 1u << bit) << "cleared by writing 1 only";
        b.write(RegStatus, 1u << bit);
        b.write(RegLinkErr, 1u << port);
        EXPECT_EQ(b.read(RegStatus), 0u);
        EXPECT_EQ(b.read(RegLinkErr), 0u);
        EXPECT_EQ(b.err(), 0u);
    }
}

TEST_F(local, setting_wins_over_clearing_and_writing_over_counting) {
    LocalBench b;
    b.ev_body = 1;
    b.write(RegStatus, 0xFF);
    b.write(RegLinkErr, 0x3FF);
    b.write(RegBodyCnt, 40);  // its last flit is the data: written in the cycle of an event
    b.ev_body = 0;
    EXPECT_EQ(b.read(RegStatus), 1u << StatusBody);
    EXPECT_EQ(b.read(RegLinkErr), 1u);
    EXPECT_EQ(b.read(RegBodyCnt), 40u);
}

TEST_F(local, counters_stop_at_255) {
    LocalBench b;
    b.write(RegBodyCnt, 253);
    b.ev_body = 0x3FF;
    b.tick(5);
    b.ev_body = 0;
    EXPECT_EQ(b.read(RegBodyCnt), 255u);
    b.write(RegErrCnt, 254);
    for (int packets = 0; packets < 3; ++packets) {
        b.receive(b.setup({99}), 0, 0);
        b.answer(0);
    }
    EXPECT_EQ(b.read(RegErrCnt), 255u);
}

TEST_F(local, slices_are_compared_only_if_configured) {
    LocalBench b;
    b.own_slice = 1;
    b.tick(3);
    b.own_slice = 0;
    EXPECT_EQ(b.read(RegStatus), 0u);
    b.own_slice = 1;
    b.write(RegCtrl, 1);  // takes effect in the next cycle
    b.slice = 1;
    b.tick();
    EXPECT_EQ(b.err(), 0u);
    b.slice = 0;
    b.tick();
    b.own_slice = 0;
    EXPECT_EQ(b.read(RegStatus), 1u << StatusSlice);
}

TEST_F(local, shoot_down_halts_one_cycle_later_and_still_accepts_packets) {
    LocalBench b;
    b.shoot = 1;
    b.settle();
    EXPECT_EQ(b.halt(), 0u);
    b.tick();
    b.shoot = 0;
    b.settle();
    EXPECT_EQ(b.halt(), 1u);
    EXPECT_EQ(b.x_gnt(), 1u);
    EXPECT_EQ(b.ready(), 1u);
}

TEST_F(local, ctrl_bit_2_shoots_down_and_reads_0) {
    LocalBench b;
    b.write(RegCtrl, 6);
    EXPECT_EQ(b.halt(), 1u);
    EXPECT_EQ(b.read(RegShot), uint32_t(ShotDump));
    EXPECT_EQ(b.read(RegCtrl), 2u);
}

TEST_F(local, empty_chip_hands_over_nothing_but_the_end) {
    LocalBench b;
    b.write(RegX, 0x12);
    b.write(RegCtrl, 4);
    b.tick(40);
    EXPECT_EQ(b.answer(0), good_flits({TypeShot << 14 | 2u << 10 | WhatEnd, 0, 0x1200}));
    EXPECT_EQ(b.read(RegShot), uint32_t(ShotDone));
}

}  // namespace rdt::tb
