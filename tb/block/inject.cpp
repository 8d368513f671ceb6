// SPDX-License-Identifier: MIT
#include "block/inject_bench.h"

namespace rdt::tb {

using inject = BlockTest;

TEST_F(inject, ack_is_three_flits_to_the_port_it_is_for) {
    InjectBench b;
    for (uint32_t port = 0; port < 10; ++port) {
        b.restart();
        const uint32_t tag = port % 8;
        const uint32_t status = 63 - 5 * port;
        b.offer(port, tag, status);
        EXPECT_EQ(b.want(), 0u);
        EXPECT_TRUE(b.taken());
        b.snd_v = 0;
        for (int clocks = 0; clocks < 3; ++clocks) {
            EXPECT_EQ(b.want(), 1u << port);
            EXPECT_EQ(b.x(), 0u);
            b.tick();
        }
        b.grant(1u << port);
        for (uint32_t k = 0; k < 3; ++k) {
            EXPECT_EQ(b.want(), 0u);
            EXPECT_EQ(b.x(), stream_of(ack_packet(tag, status), k, 0));
            b.tick();
        }
        EXPECT_EQ(b.x(), 0u);
    }
}

TEST_F(inject, grant_of_another_output_is_not_for_the_ack) {
    InjectBench b;
    b.offer(4, 1, 0);
    b.taken();
    b.snd_v = 0;
    b.grant(0x3FF & ~(1u << 4));
    EXPECT_EQ(b.want(), 1u << 4);
    EXPECT_EQ(b.x(), 0u);
    b.grant(1u << 4);
    EXPECT_EQ(b.x(), stream_of(ack_packet(1, 0), 0, 0));
}

TEST_F(inject, ack_goes_before_local) {
    InjectBench b;
    b.loc_want = 1;
    b.offer(8, 3, 9);
    EXPECT_EQ(b.want(), 0u);
    b.gnt = 1u << PortM0;
    b.settle();
    EXPECT_EQ(b.loc_gnt(), 0u) << "the ack is taken in this cycle";
    b.gnt = 0;
    EXPECT_TRUE(b.taken());
    EXPECT_EQ(b.want(), 1u << PortM0);
    b.gnt = 1u << PortM0;
    b.settle();
    EXPECT_EQ(b.loc_gnt(), 0u) << "the line is the ack's";
    b.grant(1u << PortM0);
    EXPECT_EQ(b.x(), stream_of(ack_packet(3, 9), 0, 0));
}

TEST_F(inject, ack_is_sent_before_local_while_local_waits_for_its_line) {
    InjectBench b;
    b.loc_want = 2;
    b.settle();
    for (int clocks = 0; clocks < 5; ++clocks) {
        EXPECT_EQ(b.want(), 1u << PortM1);
        b.tick();
    }
    b.offer(2, 7, 1);
    EXPECT_EQ(b.want(), 0u);
    EXPECT_TRUE(b.taken());
    b.snd_v = 0;
    EXPECT_EQ(b.want(), 1u << PortN0);
    b.grant(1u << PortN0);
    b.tick(3);
    EXPECT_EQ(b.want(), 1u << PortM1) << "LOCAL requests again";
    b.gnt = 1u << PortM1;
    b.settle();
    EXPECT_EQ(b.loc_gnt(), 2u);
    b.tick();
}

TEST_F(inject, local_is_passed_on_to_its_last_flit_and_acks_wait) {
    InjectBench b;
    for (uint32_t flits : {3u, 5u, 6u}) {
        b.restart();
        b.loc_want = 1;
        b.settle();
        EXPECT_EQ(b.want(), 1u << PortM0);
        b.gnt = 1u << PortM0;
        b.settle();
        EXPECT_EQ(b.loc_gnt(), 1u);
        b.tick();
        b.gnt = 0;
        b.loc_want = 0;
        b.offer(0, 1, 2);
        const Flits packet(flits, 0x12345);
        for (uint32_t k = 0; k < flits; ++k) {
            b.loc_x = stream_of(packet, k, 0);
            b.settle();
            EXPECT_EQ(b.x(), stream_of(packet, k, 0));
            EXPECT_EQ(b.snd_take() + b.want(), 0u);
            b.tick();
        }
        b.loc_x = 0;
        EXPECT_TRUE(b.taken());
    }
}

TEST_F(inject, local_is_served_in_the_gap_between_acks) {
    InjectBench b;
    b.offer(5, 2, 0);
    b.taken();
    b.snd_v = 0;  // rdt_ack offers no other before its port is free again
    b.grant(1u << 5);
    b.retry = 1u << 5;
    b.loc_want = 1;
    b.tick(3);
    b.settle();
    EXPECT_EQ(b.busy(), 1u << 5);
    EXPECT_EQ(b.want(), 1u << PortM0);
    EXPECT_EQ(b.retry_ack(), 0u);
    b.gnt = 1u << PortM0;
    b.settle();
    EXPECT_EQ(b.loc_gnt(), 1u);
    b.tick();
}

TEST_F(inject, retry_is_answered_after_all_acks_and_not_if_an_entry_was_given) {
    InjectBench b;
    b.retry = 1u << 6 | 1u << 8;
    b.ent_gnt = 1u << 6;
    b.ent_tag[8] = 5;
    b.offer(3, 2, 1);
    EXPECT_EQ(b.retry_ack(), 0u) << "an ack goes first";
    b.snd_v = 0;
    b.settle();
    EXPECT_EQ(b.retry_ack(), 1u << 8);
    b.tick();
    b.retry = b.ent_gnt = 0;
    b.settle();
    EXPECT_EQ(b.want(), 1u << 8);
    b.grant(1u << 8);
    const Flits expected = ack_packet(5, 1u << AckRetry);
    for (uint32_t k = 0; k < 3; ++k) {
        EXPECT_EQ(b.x(), stream_of(expected, k, 0));
        b.tick();
        b.settle();
    }
}

}  // namespace rdt::tb
