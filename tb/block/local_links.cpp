// SPDX-License-Identifier: MIT
// LOCAL's handling of link errors: notices, counters, packets that no MBP accepts.
#include "block/local_bench.h"

namespace rdt::tb {

using local_links = BlockTest;

// One cycle with these events.
void event(LocalBench& b, Input& pin, uint32_t ports) {
    pin = ports;
    b.tick();
    pin = 0;
    b.settle();
}

Flits notice(uint32_t code, uint32_t port) { return err_packet(code, port, 0, 0, {}); }

TEST_F(local_links, links_that_lost_synchronization_are_reported_lowest_port_first) {
    LocalBench b;
    event(b, b.ev_sync, 1u << 2 | 1u << 9);
    EXPECT_EQ(b.x_gnt(), 0u);
    EXPECT_EQ(b.ready(), 1u);
    b.tick();
    EXPECT_EQ(b.answer(0), notice(ErrLinkSync, 2));
    EXPECT_EQ(b.x_gnt(), 1u) << "two cycles for packets";
    b.tick(3);
    EXPECT_EQ(b.answer(0), notice(ErrLinkSync, 9));
    b.tick(3);
    EXPECT_EQ(b.answer(0), Flits{});
    EXPECT_EQ(b.x_gnt(), 1u);
    EXPECT_EQ(b.read(RegSyncCnt), 1u) << "cycles, not ports";
    EXPECT_EQ(b.read(RegErrCnt), 2u);
    EXPECT_EQ(b.read(RegLinkErr), 1u << 2 | 1u << 9);
    EXPECT_EQ(b.take_status(), 1u << StatusSync);
}

TEST_F(local_links, lost_credit_or_packet_is_reported_as_an_error_of_its_link) {
    LocalBench b;
    event(b, b.ev_owed, 1u << 4);
    b.tick();
    EXPECT_EQ(b.answer(0), notice(ErrLinkSync, 4));
    EXPECT_EQ(b.read(RegSyncCnt), 1u);
    EXPECT_EQ(b.read(RegLinkErr), 1u << 4);
    EXPECT_EQ(b.take_status(), 1u << StatusSync | 1u << StatusCredit);
}

TEST_F(local_links, output_that_consumes_packets_is_reported) {
    LocalBench b;
    event(b, b.ev_sunk, 1u << 7);
    b.tick();
    EXPECT_EQ(b.answer(0), notice(ErrSunk, 7));
    EXPECT_EQ(b.read(RegSunkCnt), 1u);
    EXPECT_EQ(b.read(RegSyncCnt), 0u);
    EXPECT_EQ(b.read(RegLinkErr), 1u << 7);
    EXPECT_EQ(b.take_status(), 1u << StatusSunk);
}

TEST_F(local_links, link_error_of_a_port_is_reported_before_its_sink_and_lower_ports_first) {
    LocalBench b;
    b.ev_sunk = 1u << 3 | 1u << 5;
    event(b, b.ev_sync, 1u << 5);
    b.ev_sunk = 0;
    for (const Flits& expected : {notice(ErrSunk, 3), notice(ErrLinkSync, 5), notice(ErrSunk, 5)}) {
        b.tick(3);
        EXPECT_EQ(b.answer(0), expected);
    }
}

TEST_F(local_links, lasting_error_is_reported_again_but_not_more_often_than_possible) {
    LocalBench b;
    b.ev_sync = 1u << 6;
    b.tick(2);  // set, and set again in the cycle in which it is taken: setting wins
    b.tick(20);
    b.ev_sync = 0;
    EXPECT_EQ(b.answer(0), notice(ErrLinkSync, 6));
    b.tick(3);
    EXPECT_EQ(b.answer(0), notice(ErrLinkSync, 6));
    b.tick(3);
    EXPECT_EQ(b.answer(0), Flits{});
    EXPECT_EQ(b.read(RegSyncCnt), 22u);
}

TEST_F(local_links, time_outs_and_stray_acks_are_reported_before_notices_and_packets_wait) {
    LocalBench b;
    b.stray = 1;
    b.stray_port = 6;
    b.ev_sunk = 1u << 1;
    event(b, b.ev_sync, 1u << 2);
    b.stray = b.ev_sunk = 0;
    b.to_pend = 1u << 3;
    b.settle();
    EXPECT_EQ(b.to_ack(), 1u << 3);
    b.tick();
    b.to_pend = 0;
    EXPECT_EQ(b.answer(0), notice(ErrTimeout, 3));
    for (const Flits& expected :
         {notice(ErrUnexpectedAck, 6), notice(ErrSunk, 1), notice(ErrLinkSync, 2)}) {
        b.tick(2);
        EXPECT_EQ(b.x_gnt(), 0u);
        b.tick();
        EXPECT_EQ(b.answer(0), expected);
    }
    EXPECT_EQ(b.x_gnt(), 1u);
}

TEST_F(local_links, ack_that_no_line_took_is_counted) {
    LocalBench b;
    event(b, b.ev_lost, 1);
    EXPECT_EQ(b.err(), 1u);
    EXPECT_EQ(b.read(RegLostCnt), 1u);
    EXPECT_EQ(b.read(RegLinkErr), 0u);
    EXPECT_EQ(b.take_status(), 1u << StatusLost);
}

TEST_F(local_links, counters_of_trouble_stop_at_255_and_a_write_wins) {
    LocalBench b;
    b.m_credit = 1;
    const std::pair<uint32_t, Input*> all[] = {{RegSyncCnt, &b.ev_sync},
                                               {RegSunkCnt, &b.ev_sunk},
                                               {RegLostCnt, &b.ev_lost},
                                               {RegStrayCnt, &b.stray}};
    for (const auto& [addr, pin] : all) {
        b.write(addr, 253);
        *pin = 1;
        b.tick(5);
        *pin = 0;
        do b.tick(3);
        while (!b.answer(0).empty());  // notices
        EXPECT_EQ(b.read(addr), 255u) << addr;
        b.receive(b.setup({b.write_command(addr), 0}), 8, 0);
        EXPECT_EQ(b.read(addr), 0u) << addr;
    }
}

TEST_F(local_links, register_down_shows_the_links_that_are_not_up) {
    LocalBench b;
    for (uint32_t up : {0x3FFu, 0x000u, 0x155u, 0x2F0u}) {
        b.up = up;
        EXPECT_EQ(b.read(RegDown), ~up & 0x3FF);
    }
}

TEST_F(local_links, slow_tick_comes_every_1024_cycles_and_not_while_the_router_is_halted) {
    LocalBench b;
    std::vector<uint64_t> at;
    const auto run = [&](uint32_t clocks) {
        at.clear();
        for (; clocks != 0; --clocks) {
            b.settle();
            if (b.slow()) at.push_back(b.clock());
            b.tick();
        }
    };
    run(5 * SlowTick);
    ASSERT_EQ(at.size(), 5u);
    for (size_t i = 1; i < at.size(); ++i) EXPECT_EQ(at[i] - at[i - 1], uint64_t(SlowTick));
    b.write(RegCtrl, 4);
    run(3 * SlowTick);
    EXPECT_TRUE(at.empty());
}

TEST_F(local_links, sink_is_off_while_the_chip_is_halted) {
    LocalBench b;
    EXPECT_EQ(b.sink(), 0u);
    b.write(RegCtrl, 16);
    EXPECT_EQ(b.sink(), 1u);
    b.pulse(b.shoot);
    EXPECT_EQ(b.halt(), 1u);
    EXPECT_EQ(b.sink(), 0u);
}

// Cycles until LOCAL is ready again, at most `limit`.
uint32_t until_ready(LocalBench& b, uint32_t limit) {
    uint32_t clocks = 0;
    for (b.settle(); b.ready() == 0 && clocks < limit; b.settle(), ++clocks) b.tick();
    return clocks;
}

TEST_F(local_links, packet_for_an_mbp_that_accepts_none_is_dropped_after_a_wait_and_then_at_once) {
    LocalBench b;
    b.m_credit = 2;
    b.receive(b.setup({99}), 2, 0);
    EXPECT_EQ(until_ready(b, 3000), uint32_t(SendWait));
    for (int more = 0; more < 3; ++more) {
        b.receive(b.setup({99}), 2, 0);
        EXPECT_EQ(until_ready(b, 3000), 1u) << "no MBP answers";
    }
    EXPECT_EQ(b.read(RegId, 1), 0x5244u) << "the other MBP is served";
    EXPECT_EQ(b.read(RegLostCnt, 1), 4u);
    EXPECT_EQ(b.read(RegErrCnt, 1), 0u) << "none was made";
    EXPECT_EQ(b.read(RegStatus, 1), 1u << StatusLost | 1u << StatusSetup);
    b.m_credit = 3;
    b.tick();
    b.m_credit = 2;  // it has shown that it lives
    b.receive(b.setup({99}), 2, 0);
    b.tick(10);
    b.m_credit = 3;
    EXPECT_EQ(b.answer(0).size(), 6u);
}

TEST_F(local_links, answer_for_mbp_1_is_dropped_without_harm_to_mbp_0) {
    LocalBench b;
    b.m_credit = 1;
    b.receive(b.setup({RegId}, 1), 9, 0);
    EXPECT_EQ(until_ready(b, 3000), uint32_t(SendWait));
    EXPECT_EQ(b.read(RegId, 0), 0x5244u);
    b.receive(b.setup({RegId}, 1), 9, 0);
    EXPECT_EQ(until_ready(b, 3000), 1u);
    EXPECT_EQ(b.read(RegLostCnt), 2u);
}

TEST_F(local_links, packet_without_a_line_grant_is_dropped_but_the_mbp_counts_as_alive) {
    LocalBench b;
    for (int twice = 0; twice < 2; ++twice) {
        b.receive(b.setup({99}), 2, 0);
        EXPECT_EQ(b.loc_want(), 1u);
        EXPECT_EQ(until_ready(b, 3000), uint32_t(SendWait)) << "it has a credit";
    }
    EXPECT_EQ(b.read(RegLostCnt), 2u);
}

TEST_F(local_links, line_granted_in_the_last_cycle_is_in_time) {
    LocalBench b;
    b.receive(b.setup({99}), 2, 0);
    b.tick(SendWait - 1);
    EXPECT_EQ(b.answer(0).size(), 6u);
    EXPECT_EQ(b.read(RegLostCnt), 0u);
}

TEST_F(local_links, notice_is_dropped_too) {
    LocalBench b;
    b.m_credit = 0;
    event(b, b.ev_sync, 1u << 3 | 1u << 4);
    b.tick();
    EXPECT_EQ(until_ready(b, 3000), uint32_t(SendWait));
    b.tick(3);
    EXPECT_EQ(until_ready(b, 3000), 1u);
    b.m_credit = 3;
    EXPECT_EQ(b.read(RegLostCnt), 2u);
    EXPECT_EQ(b.read(RegSyncCnt), 1u);
    EXPECT_EQ(b.read(RegLinkErr), 1u << 3 | 1u << 4) << "can still be requested";
}

TEST_F(local_links, dump_waits_for_mbp_0_for_ever) {
    LocalBench b;
    b.m_credit = 0;
    b.pulse(b.shoot);
    b.tick(5 * SendWait);
    EXPECT_EQ(b.ready(), 0u);
    b.m_credit = 3;
    EXPECT_EQ(b.answer(0), good_flits({TypeShot << 14 | 2u << 10 | WhatEnd, 0, 0}));
    EXPECT_EQ(b.read(RegLostCnt), 0u);
}

}  // namespace rdt::tb
