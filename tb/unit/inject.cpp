// SPDX-License-Identifier: MIT
#include "Vrdt_inject.h"
#include "common/block_bench.h"
#include "common/stimulus.h"
#include "inject.h"

namespace rdt::tb {

struct InjectBench : BlockBench<Vrdt_inject, rdt::inject> {
    explicit InjectBench(const TestRun& run = TestRun{}) : BlockBench(run, "inject") { restart(); }
    void restart() {
        rst_n = 0;
        snd_v = retry = ent_gnt = loc_want = gnt = 0;
        tick(2);
        rst_n = 1;
        settle();
    }

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    Input snd_v = in("snd_v_i", 1, rtl().snd_v_i, model().snd_v_i);
    Input snd_port = in("snd_port_i", 4, rtl().snd_port_i, model().snd_port_i);
    Input snd_tag = in("snd_tag_i", 3, rtl().snd_tag_i, model().snd_tag_i);
    Input snd_st = in("snd_st_i", 6, rtl().snd_st_i, model().snd_st_i);
    Input retry = in("retry_i", 10, rtl().retry_i, model().retry_i);
    Input ent_gnt = in("ent_gnt_i", 10, rtl().ent_gnt_i, model().ent_gnt_i);
    std::vector<Input> ent_tag = in("ent_tag_i", 3, rtl().ent_tag_i, model().ent_tag_i);
    Input loc_want = in("loc_want_i", 2, rtl().loc_want_i, model().loc_want_i);
    Input loc_x = in("loc_x_i", 20, rtl().loc_x_i, model().loc_x_i);
    Input gnt = in("gnt_i", 10, rtl().gnt_i, model().gnt_i);
    Output snd_take = out("snd_take_o", 1, rtl().snd_take_o, model().snd_take_o);
    Output retry_ack = out("retry_ack_o", 10, rtl().retry_ack_o, model().retry_ack_o);
    Output want = out("want_o", 10, rtl().want_o, model().want_o);
    Output x = out("x_o", 20, rtl().x_o, model().x_o);
    Output loc_gnt = out("loc_gnt_o", 2, rtl().loc_gnt_o, model().loc_gnt_o);

    void offer(uint32_t port, uint32_t tag, uint32_t status) {
        snd_v = 1;
        snd_port = port;
        snd_tag = tag;
        snd_st = status;
        settle();
    }
    // One clock; whether the ack was taken in it.
    bool taken() {
        settle();
        const bool take = snd_take() != 0;
        tick();
        settle();
        return take;
    }
    void grant(uint32_t outputs) {
        gnt = outputs;
        tick();
        gnt = 0;
        settle();
    }
};

Flits ack_packet(uint32_t tag, uint32_t status) {
    return good_flits({TypeAck << 14 | 2u << 10 | tag << 7 | status, 0, 0});
}

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
    EXPECT_EQ(b.loc_gnt(), 0u) << "the ack is taken in this clock";
    b.gnt = 0;
    EXPECT_TRUE(b.taken());
    EXPECT_EQ(b.want(), 1u << PortM0);
    b.gnt = 1u << PortM0;
    b.settle();
    EXPECT_EQ(b.loc_gnt(), 0u) << "the line is the ack's";
    b.grant(1u << PortM0);
    EXPECT_EQ(b.x(), stream_of(ack_packet(3, 9), 0, 0));
}

TEST_F(inject, ack_takes_the_place_of_local_while_that_waits_for_its_line) {
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
    EXPECT_EQ(b.want(), 1u << PortM1) << "LOCAL asks again";
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

TEST_F(inject, acks_are_at_least_the_gap_apart) {
    InjectBench b;
    b.offer(5, 2, 0);
    EXPECT_TRUE(b.taken());
    uint64_t before = 0;
    for (int acks = 0; acks < 5; ++acks) {
        b.grant(1u << 5);  // asked for and given at once
        const uint64_t first_flit = b.clock();
        EXPECT_TRUE(acks == 0 || first_flit - before >= uint64_t(AckGap)) << first_flit - before;
        EXPECT_TRUE(acks == 0 || first_flit - before <= uint64_t(AckGap) + 1) << "and no more";
        before = first_flit;
        uint32_t waited = 1;
        while (!b.taken()) ++waited;
        EXPECT_EQ(waited, uint32_t(AckGap));
    }
}

TEST_F(inject, local_is_served_in_the_gap_between_acks) {
    InjectBench b;
    b.offer(5, 2, 0);
    b.taken();
    b.grant(1u << 5);
    b.loc_want = 1;
    b.tick(3);
    EXPECT_EQ(b.want(), 1u << PortM0);
    EXPECT_EQ(b.snd_take(), 0u);
    b.gnt = 1u << PortM0;
    b.settle();
    EXPECT_EQ(b.loc_gnt(), 1u);
    b.tick();
}

TEST_F(inject, random_lockstep) {
    const TestRun run(100000);
    InjectBench b(run);
    Random rng(run.seed);
    uint64_t acks = 0;
    uint64_t locals = 0;
    uint32_t load = 50;
    uint32_t grants = 50;
    Flits packet;
    uint32_t k = 0;
    while (b.clock() < run.cycles) {
        if (rng.chance(1)) {
            load = rng.pick({2, 20, 100});
            grants = rng.pick({5, 50, 100});
        }
        b.rst_n = !rng.chance(rng.chance(1) ? 5 : 0);
        if (!b.snd_v() && rng.chance(load)) b.offer(rng.below(10), rng.bits(3), rng.bits(6));
        if (b.loc_want() == 0 && packet.empty() && rng.chance(load)) b.loc_want = rng.pick({1, 2});
        b.loc_x = k < packet.size() ? stream_of(packet, k, 0) : rng.bits(20);
        b.settle();
        b.gnt = rng.chance(5) ? rng.bits(10) : rng.chance(grants) ? b.want() : 0;
        b.settle();
        const bool takes = b.snd_take() && b.rst_n();
        const bool serves = b.loc_gnt() != 0 && b.rst_n();
        b.tick();
        if (takes) b.snd_v = 0;
        acks += takes;
        if (!b.rst_n() || (!packet.empty() && ++k == packet.size())) packet.clear();
        if (!serves) continue;
        b.loc_want = 0;
        packet = Flits(rng.between(3, 6), rng.bits(18));
        k = 0;
        ++locals;
    }
    EXPECT_GT(acks, run.cycles / 100);
    EXPECT_GT(locals, run.cycles / 100);
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
