// SPDX-License-Identifier: MIT
// What LOCAL reports without having been sent a packet: time-outs and stray acks; and its ticks.
#include "block/local_bench.h"

namespace rdt::tb {

using local_notices = BlockTest;

TEST_F(local_notices, time_out_is_acknowledged_and_reported_lowest_port_first) {
    LocalBench b;
    b.to_pend = 1u << 4 | 1u << 7;
    b.to_vc = 1u << 8 | 2u << 14;
    b.settle();
    EXPECT_EQ(b.to_ack(), 1u << 4);
    EXPECT_EQ(b.x_gnt(), 0u);
    EXPECT_EQ(b.ready(), 1u);
    b.tick();
    b.to_pend = 1u << 7;
    b.settle();
    EXPECT_EQ(b.to_ack(), 0u);
    EXPECT_EQ(b.answer(0), err_packet(ErrTimeout, 4, 1, 0, {}));
    for (int cycles = 0; cycles < 2; ++cycles) {
        EXPECT_EQ(b.to_ack(), 0u) << "a packet is served";
        EXPECT_EQ(b.x_gnt(), 1u);
        b.tick();
    }
    EXPECT_EQ(b.to_ack(), 1u << 7);
    b.tick();
    b.to_pend = 0;
    EXPECT_EQ(b.answer(0), err_packet(ErrTimeout, 7, 2, 0, {}));
    EXPECT_EQ(b.read(RegStatus), 1u << StatusTimeout);
    EXPECT_EQ(b.read(RegErrCnt), 2u);
}

TEST_F(local_notices, unexpected_ack_is_reported_with_its_port_and_tag) {
    LocalBench b;
    for (uint32_t tag = 0; tag < 8; ++tag) {
        b.stray = 1;
        b.stray_port = tag + 2;
        b.stray_tag = tag;
        b.tick();
        b.stray = b.stray_port = b.stray_tag = 0;
        b.settle();
        EXPECT_EQ(b.x_gnt(), 0u);
        EXPECT_EQ(b.ready(), 1u);
        b.tick();
        EXPECT_EQ(b.answer(0), err_packet(ErrUnexpectedAck, tag + 2, 0, 0, {}, tag));
        b.tick(2);  // for packets
    }
    EXPECT_EQ(b.read(RegStatus), 1u << StatusAck);
    EXPECT_EQ(b.read(RegErrCnt), 8u);
    EXPECT_EQ(b.read(RegStrayCnt), 8u);
}

TEST_F(local_notices, first_of_many_stray_acks_is_reported_and_all_are_counted) {
    LocalBench b;
    b.stray = 1;
    for (uint32_t port = 3; port < 8; ++port) {
        b.stray_port = port;
        b.stray_tag = port - 2;
        b.tick();
    }
    b.stray = 0;
    // The first was reported in the second cycle, so the second could be stored.
    EXPECT_EQ(b.answer(0), err_packet(ErrUnexpectedAck, 3, 0, 0, {}, 1));
    b.tick(3);
    EXPECT_EQ(b.answer(0), err_packet(ErrUnexpectedAck, 5, 0, 0, {}, 3));
    b.tick(3);
    EXPECT_EQ(b.answer(0), Flits{});
    EXPECT_EQ(b.read(RegStrayCnt), 5u);
}

TEST_F(local_notices, time_out_is_reported_before_an_unexpected_ack) {
    LocalBench b;
    b.stray = 1;
    b.stray_port = 3;
    b.stray_tag = 6;
    b.tick();
    b.stray = 0;
    b.to_pend = 1u << 5;
    b.settle();
    EXPECT_EQ(b.to_ack(), 1u << 5);
    b.tick();
    b.to_pend = 0;
    EXPECT_EQ(b.answer(0), err_packet(ErrTimeout, 5, 0, 0, {}));
    b.tick(3);
    EXPECT_EQ(b.answer(0), err_packet(ErrUnexpectedAck, 3, 0, 0, {}, 6));
    b.to_pend = 1u << 9;
    b.tick(3);
    b.to_pend = 0;
    EXPECT_EQ(b.answer(0), err_packet(ErrTimeout, 9, 0, 0, {})) << "without the tag of the ack";
}

TEST_F(local_notices, ticks_come_once_a_period_each_and_never_when_off) {
    const std::pair<uint32_t, Output LocalBench::*> all[] = {{RegTimeout, &LocalBench::tick_out},
                                                             {RegTEnt, &LocalBench::tick_ent},
                                                             {RegTAck, &LocalBench::tick_ack}};
    LocalBench b;
    const auto ticks = [&](uint32_t clocks) {
        std::vector<uint32_t> n(3);
        for (; clocks != 0; --clocks) {
            b.settle();
            for (size_t i = 0; i < 3; ++i) n[i] += (b.*all[i].second)();
            b.tick();
        }
        return n;
    };
    using Counts = std::vector<uint32_t>;
    EXPECT_EQ(ticks(100), (Counts{0, 0, 0}));
    b.write(RegTimeout, 9);
    EXPECT_EQ(ticks(1000), (Counts{100, 0, 0}));
    b.write(RegTEnt, 3);
    b.write(RegTAck, 1);
    EXPECT_EQ(ticks(1000), (Counts{100, 250, 500}));
    b.write(RegTimeout, 0);
    b.write(RegTAck, 0);
    EXPECT_EQ(ticks(1000), (Counts{0, 250, 0}));
}

TEST_F(local_notices, period_that_is_written_counts_at_once) {
    const std::pair<uint32_t, Output LocalBench::*> all[] = {{RegTimeout, &LocalBench::tick_out},
                                                             {RegTEnt, &LocalBench::tick_ent},
                                                             {RegTAck, &LocalBench::tick_ack}};
    LocalBench b;
    for (const auto& [addr, tick] : all) {
        b.write(addr, 60000);
        b.tick(100);
        b.write(addr, 40);
        uint32_t cycles = 0;
        for (b.settle(); (b.*tick)() == 0 && cycles < 100; b.settle(), ++cycles) b.tick();
        EXPECT_LE(cycles, 40u) << addr;
        EXPECT_GT(cycles, 30u) << addr;
    }
}

TEST_F(local_notices, table_event_sets_its_status_bit_and_no_port) {
    LocalBench b;
    b.ev_table = 1;
    b.tick();
    b.ev_table = 0;
    EXPECT_EQ(b.err(), 1u);
    EXPECT_EQ(b.read(RegStatus), 1u << StatusTable);
    EXPECT_EQ(b.read(RegLinkErr), 0u);
    b.write(RegStatus, 1u << StatusTable);
    EXPECT_EQ(b.err(), 0u);
}

}  // namespace rdt::tb
