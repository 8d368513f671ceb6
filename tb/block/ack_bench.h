// SPDX-License-Identifier: MIT
// The ack table and its twin, and the input units and the injector around it.
#pragma once

#include <optional>

#include "Vrdt_ack.h"
#include <rdt/ack.h>
#include "common/block_bench.h"
#include "common/dice.h"

namespace rdt::tb {

// Compiled once for all tests (ack_bench.cpp).
extern template class BlockBench<Vrdt_ack, rdt::ack>;

struct AckBench : BlockBench<Vrdt_ack, rdt::ack> {
    explicit AckBench(const TestRun& run = TestRun{});
    ~AckBench();

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    Input tick_in = in("tick_i", 1, rtl().tick_i, model().tick_i);
    Input end_lane = in("end_i", 1, rtl().end_i, model().end_i);
    Input ack_v = in_word("ack_v_i", 1, rtl().ack_v_i, model().ack_v_i);
    std::vector<Input> ack_tag = in("ack_tag_i", 3, rtl().ack_tag_i, model().ack_tag_i);
    std::vector<Input> ack_st = in("ack_st_i", 6, rtl().ack_st_i, model().ack_st_i);
    Input ack_gen = in_word("ack_gen_i", 4, rtl().ack_gen_i, model().ack_gen_i);
    Input held = in("held_i", 7, rtl().held_i, model().held_i);
    Input busy = in("busy_i", 10, rtl().busy_i, model().busy_i);
    Input ent_req = in_word("ent_req_i", 1, rtl().ent_req_i, model().ent_req_i);
    std::vector<Input> ent_set = in("ent_set_i", 10, rtl().ent_set_i, model().ent_set_i);
    std::vector<Input> ent_tag = in("ent_tag_i", 3, rtl().ent_tag_i, model().ent_tag_i);
    Input ent_vct = in_word("ent_vct_i", 1, rtl().ent_vct_i, model().ent_vct_i);
    Input ent_old = in_word("ent_old_i", 1, rtl().ent_old_i, model().ent_old_i);
    Input snd_take = in("snd_take_i", 1, rtl().snd_take_i, model().snd_take_i);
    Input look = in("look_i", 1, rtl().look_i, model().look_i);
    Input look_tag = in("look_tag_i", 3, rtl().look_tag_i, model().look_tag_i);
    Input put = in("put_i", 1, rtl().put_i, model().put_i);
    Input put_h1 = in("put_h1_i", 17, rtl().put_h1_i, model().put_h1_i);
    Input put_h2 = in("put_h2_i", 11, rtl().put_h2_i, model().put_h2_i);
    Output ack_take = out_word("ack_take_o", 1, rtl().ack_take_o, model().ack_take_o);
    Output ent_gnt = out_word("ent_gnt_o", 1, rtl().ent_gnt_o, model().ent_gnt_o);
    Output ent_new = out("ent_new_o", 3, rtl().ent_new_o, model().ent_new_o);
    Output snd_v = out("snd_v_o", 1, rtl().snd_v_o, model().snd_v_o);
    Output snd_port = out_while(snd_v, "snd_port_o", 4, rtl().snd_port_o, model().snd_port_o);
    Output snd_tag = out_while(snd_v, "snd_tag_o", 3, rtl().snd_tag_o, model().snd_tag_o);
    Output snd_st = out_while(snd_v, "snd_st_o", 6, rtl().snd_st_o, model().snd_st_o);
    Output stray = out("stray_o", 1, rtl().stray_o, model().stray_o);
    Output stray_port =
        out_while(stray, "stray_port_o", 4, rtl().stray_port_o, model().stray_port_o);
    Output stray_tag = out_while(stray, "stray_tag_o", 3, rtl().stray_tag_o, model().stray_tag_o);
    Output ev_table = out("ev_table_o", 1, rtl().ev_table_o, model().ev_table_o);
    Output gens = out("gen_o", 28, rtl().gen_o, model().gen_o);
    Output look_used = out_while(look, "look_used_o", 1, rtl().look_used_o, model().look_used_o);
    // The outputs of a free entry are not compared.
    std::function<bool()> used = [this] { return look() != 0 && look_used() != 0; };
    Output look_h1 = out_while(used, "look_h1_o", 17, rtl().look_h1_o, model().look_h1_o);
    Output look_h2 = out_while(used, "look_h2_o", 11, rtl().look_h2_o, model().look_h2_o);

    // An input requests an entry; returns its tag, 0 if none.
    uint32_t allocate(uint32_t port, uint32_t tag, uint32_t set) {
        ent_req = 1u << port;
        ent_tag[port] = tag;
        ent_set[port] = set;
        settle();
        EXPECT_EQ(ent_gnt() != 0, ent_new() != 0);
        const uint32_t got = ent_gnt() == 1u << port ? ent_new() : 0;
        tick();
        ent_req = 0;
        settle();
        return got;
    }
    // The generation that copies of the multicast with this tag carry to an MBP.
    uint32_t gen_of(uint32_t tag) const {
        return tag - 1 < NumEntries ? gens() >> 4 * (tag - 1) & 15 : 0;
    }
    void set_gen(uint32_t port, uint32_t gen) {
        if (port < PortM0) return;  // only MBPs send it back
        const uint32_t lo = 4 * (port - PortM0);
        ack_gen = (ack_gen() & ~(15u << lo)) | gen << lo;
    }
    // An ack has landed at a port, of an MBP with the generation it was given; whether it was taken
    // in this cycle.
    bool land(uint32_t port, uint32_t tag, uint32_t status = 0) {
        return land_with(port, tag, gen_of(tag), status);
    }
    bool land_with(uint32_t port, uint32_t tag, uint32_t gen, uint32_t status = 0) {
        set_gen(port, gen);
        ack_v = 1u << port;
        ack_tag[port] = tag;
        ack_st[port] = status;
        settle();
        const bool taken = ack_take() == 1u << port;
        m_stray = stray() != 0 ? std::optional(std::pair(stray_port(), stray_tag())) : std::nullopt;
        tick();
        ack_v = 0;
        settle();
        return taken;
    }
    // Whether the last ack that landed was given to LOCAL as this one.
    bool strayed(uint32_t port, uint32_t tag) const { return m_stray == std::pair(port, tag); }
    // One cycle with a tick of the wait for acks; whether it was an event.
    bool period() {
        tick_in = 1;
        settle();
        const bool event = ev_table() != 0;
        tick();
        tick_in = 0;
        settle();
        return event;
    }
    // An entry that has gone into quarantine: one ack, of `port`, is missing.
    uint32_t quarantined(uint32_t port) {
        const uint32_t t = allocate(7, 6, 1u << port);
        period();
        period();
        expect_sent(7, 6, 1u << AckTimeout);
        return t;
    }
    void expect_nothing_to_send() {
        EXPECT_EQ(snd_v(), 0u);
        EXPECT_EQ(snd_port() + snd_tag() + snd_st(), 0u);
    }
    void expect_offer(uint32_t port, uint32_t tag, uint32_t status) {
        EXPECT_EQ(snd_v(), 1u);
        EXPECT_EQ(snd_port(), port);
        EXPECT_EQ(snd_tag(), tag);
        EXPECT_EQ(snd_st(), status);
    }
    void expect_sent(uint32_t port, uint32_t tag, uint32_t status) {
        expect_offer(port, tag, status);
        pulse(snd_take);
    }

private:
    std::optional<std::pair<uint32_t, uint32_t>> m_stray;
};

}  // namespace rdt::tb
