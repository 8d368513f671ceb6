// SPDX-License-Identifier: MIT
// What LOCAL does not let others do: writes with Guard on, and contexts that no packet can have.
#include "block/local_bench.h"

namespace rdt::tb {

using local_guard = BlockTest;

constexpr uint32_t Guard = 8;

TEST_F(local_guard, with_guard_on_only_mbp_0_writes_and_all_nodes_read) {
    LocalBench b;
    b.write(RegCtrl, Guard);
    for (uint32_t port = 0; port < 10; ++port) {
        const Flits packet = b.setup({b.write_command(RegXfer), port + 1});
        b.receive(packet, port, 0);
        const Flits refusal = err_packet(ErrRefused, port, 0, 0, packet);
        EXPECT_EQ(b.answer(0), port == PortM0 ? Flits{} : refusal);
        EXPECT_EQ(b.xfer(), port >= PortM0 ? 9u : 0u);
        b.receive(b.setup({RegId}), port, 0);
        EXPECT_EQ(b.answer(0).size(), 5u);
    }
    EXPECT_EQ(b.take_status(), 1u << StatusSetup);
}

TEST_F(local_guard, guard_cannot_be_taken_off_from_elsewhere_nor_a_shoot_down_begun) {
    LocalBench b;
    b.write(RegCtrl, Guard);
    b.receive(b.setup({b.write_command(RegCtrl), 4}), 3, 1);
    EXPECT_EQ(b.answer(0).size(), 6u);
    EXPECT_EQ(b.halt(), 0u);
    EXPECT_EQ(b.read(RegCtrl), Guard);
    b.write(RegCtrl, 0);
    b.receive(b.setup({b.write_command(RegX), 4}), 3, 1);
    EXPECT_EQ(b.answer(0), Flits{});
    EXPECT_EQ(b.read(RegX), 4u);
}

TEST_F(local_guard, write_with_another_error_is_reported_with_that_error) {
    LocalBench b;
    b.write(RegCtrl, Guard);
    const Flits unknown = b.setup({b.write_command(99), 1});
    b.receive(unknown, 2, 0);
    EXPECT_EQ(b.answer(0), err_packet(ErrUnknownReg, 2, 0, 0, unknown));
    Flits bad = b.setup({b.write_command(RegX), 1});
    bad[4] ^= 1;
    b.receive(bad, 2, 0);
    EXPECT_EQ(b.answer(0), err_packet(ErrBodyParity, 2, 0, 0, bad));
    const Flits both = b.setup({b.write_command(RegX), 1, b.write_command(99), 1});
    b.receive(both, 2, 0);
    EXPECT_EQ(b.answer(0), err_packet(ErrRefused, 2, 0, 0, both)) << "the first error counts";
}

// A SHOT packet as MBP 0 sends it, and the packet that belongs to it.
struct Restart {
    uint32_t port = 2;
    uint32_t vc = 0;
    uint32_t pend = 1u << PortE0;
    bool mc = false;
    uint32_t k = 0;
    uint32_t tag = 0;
    bool ent = false;
    uint32_t type = TypeUni;  // type of the packet
    bool vacant = true;

    Flits context(uint32_t run = 0) const {
        return good_flits({TypeShot << 14 | 2u << 10 | tag << 7 | run << 2 | WhatSlot,
                           port << 13 | vc << 11 | pend,
                           uint32_t(mc) << 16 | k << 12 | uint32_t(ent) << 11});
    }
    Flits packet() const { return good_flits({type << 14 | 4u << 10 | 3, 7, 8, 9, 10}); }
    uint32_t bits() const {
        return pend << 9 | uint32_t(mc) << 8 | k << 4 | tag << 1 | uint32_t(ent);
    }
};

// The result.
struct Outcome {
    Flits written;  // as put into the buffer
    uint32_t sets = 0;
    uint32_t bits = 0;
    uint32_t kept = 0;
    uint32_t given = 0;
};

class RestartBench : public LocalBench {
public:
    Outcome put(const Restart& r, uint32_t run = 0) {
        Outcome o;
        vacant = r.vacant;
        receive(r.context(run), PortM0, 0);
        vacant = 0;
        EXPECT_EQ(only_mbp0(), 1u);
        EXPECT_EQ(raw(), 1u);
        const bool exists = r.port < 10 && r.vc < vcs_of(r.port);
        EXPECT_EQ(look(), exists ? 1u << (3 * r.port + r.vc) : 0u);
        o.kept = keep();
        tick();
        settle();
        EXPECT_EQ(x_gnt(), 1u);
        gnt = 1;
        tick();
        gnt = 0;
        const Flits flits = r.packet();
        for (uint32_t i = 0; i < flits.size(); ++i) {
            x = stream_of(flits, i, 0);
            settle();
            if (put_we()) {
                EXPECT_EQ(put_addr(), i);
                o.written.push_back(put_d());
            }
            o.given += give();
            if (put_set()) {
                ++o.sets;
                o.bits = put_ctx();
            }
            tick();
        }
        x = 0;
        settle();
        return o;
    }
    void expect_put(const Restart& r, const char* why = "") {
        const Outcome o = put(r);
        EXPECT_EQ(o.sets, 1u) << why;
        EXPECT_EQ(o.bits, r.bits()) << why;
        EXPECT_EQ(o.written, r.port == PortM0 ? Flits{} : r.packet()) << why;
        EXPECT_EQ(loc_want(), 0u) << why;
    }
    void expect_refused(const Restart& r, const char* why) {
        const Outcome o = put(r);
        EXPECT_EQ(o.sets, 0u) << why;
        EXPECT_EQ(o.kept, 0u) << why;
        EXPECT_EQ(answer(0), err_packet(ErrBadShot, PortM0, 0, 0, r.context())) << why;
        EXPECT_EQ(halt(), 1u);
    }
    static uint32_t vcs_of(uint32_t port) { return port < 2 ? 3 : port < 8 ? 2 : 1; }
};

TEST_F(local_guard, every_context_that_a_packet_can_have_is_put_back) {
    RestartBench b;
    Restart r;
    for (r.port = 0; r.port < 10; ++r.port)
        for (r.vc = 0; r.vc < b.vcs_of(r.port); ++r.vc) b.expect_put(r, "any slot");
    r.port = 2;
    r.vc = 1;
    for (uint32_t out = 0; out < 10; ++out) {
        r.pend = 1u << out;
        for (r.k = 0; r.k < b.vcs_of(out); ++r.k) b.expect_put(r, "any output and VC");
    }
    r.mc = true;
    r.pend = 0x3FF;
    for (uint32_t type : {TypeMcSm, TypeMcLpra, TypeMcLarp}) {
        r.type = type;
        for (r.k = 0; r.k < 16; ++r.k) b.expect_put(r, "any plan of a multicast");
    }
    r.k = 0;
    for (r.tag = 1; r.tag < 8; ++r.tag) {
        r.ent = r.tag % 2 == 1;
        b.expect_put(r, "with a tag");
    }
}

TEST_F(local_guard, context_that_no_packet_can_have_is_refused) {
    RestartBench b;
    const auto refused = [&b](const char* why, auto change) {
        Restart r;
        change(r);
        b.expect_refused(r, why);
    };
    refused("the slot is in use, or a credit is outstanding", [](Restart& r) { r.vacant = false; });
    refused("without a receiver", [](Restart& r) { r.pend = 0; });
    refused("for LOCAL", [](Restart& r) { r.pend = 1u << PortLocal; });
    refused("unicast to two", [](Restart& r) { r.pend = 3; });
    refused("unicast that waits for an entry", [](Restart& r) { r.ent = true, r.tag = 3; });
    refused("multicast for LOCAL too",
            [](Restart& r) { r.mc = true, r.type = TypeMcSm, r.pend = 1u << PortLocal | 1; });
    refused("multicast that waits for an entry without a tag",
            [](Restart& r) { r.mc = true, r.type = TypeMcSm, r.ent = true; });
    refused("context of a multicast, packet a unicast", [](Restart& r) { r.mc = true; });
    refused("context of a unicast, packet a multicast", [](Restart& r) { r.type = TypeMcLarp; });
    for (uint32_t out = 0; out < 10; ++out)
        for (uint32_t k = b.vcs_of(out); k < 16; ++k)
            refused("a VC that the output does not have",
                    [&](Restart& r) { r.pend = 1u << out, r.k = k; });
    EXPECT_EQ(b.take_status(), 1u << StatusSetup);
}

TEST_F(local_guard, context_of_a_slot_that_does_not_exist_is_refused) {
    RestartBench b;
    Restart r;
    r.vacant = false;  // none of these
    for (r.port = 0; r.port < 16; ++r.port)
        for (r.vc = r.port < 10 ? b.vcs_of(r.port) : 0; r.vc < 4; ++r.vc)
            b.expect_refused(r, "no such slot");
}

TEST_F(local_guard, buffer_of_port_8_is_kept_for_its_packet_and_given_back_if_it_is_refused) {
    RestartBench b;
    Restart r;
    r.port = PortM0;
    Outcome o = b.put(r);
    EXPECT_EQ(o.kept, 1u);
    EXPECT_EQ(o.given, 0u);
    EXPECT_EQ(o.sets, 1u);
    r.mc = true;  // which the packet is not: found when it comes
    o = b.put(r);
    EXPECT_EQ(o.kept, 1u);
    EXPECT_EQ(o.given, 1u);
    EXPECT_EQ(o.sets, 0u);
    EXPECT_EQ(b.answer(0).size(), 6u);
    r.port = PortE0;
    o = b.put(r);
    EXPECT_EQ(o.given + o.kept, 0u);
    EXPECT_EQ(b.answer(0).size(), 6u);
}

TEST_F(local_guard, router_runs_after_a_run_packet_but_not_after_a_refused_one) {
    RestartBench b;
    Restart r;
    b.put(r);
    EXPECT_EQ(b.read(RegShot), uint32_t(ShotRestart));
    r.pend = 0;
    b.put(r, 1);
    EXPECT_EQ(b.answer(0).size(), 6u);
    EXPECT_EQ(b.halt(), 1u);
    r.pend = 1;
    b.put(r, 1);
    EXPECT_EQ(b.halt(), 0u);
}

TEST_F(local_guard, entry_is_put_back_with_its_quarantine_status_and_generation) {
    LocalBench b;
    for (uint32_t tag = 0; tag < 8; ++tag) {
        const uint32_t h1 = 7u << 13 | 5u << 10 | 0x155;
        const uint32_t h2 = 1u << 10 | 0x2Au << 4 | (tag + 8);
        const Flits shot =
            good_flits({TypeShot << 14 | 2u << 10 | tag << 7 | WhatEntry, h1, h2 << 6});
        b.gnt = 1;
        b.tick();
        b.gnt = 0;
        b.sel = 1u << PortM0;
        for (uint32_t k = 0; k < 3; ++k) {
            b.x = stream_of(shot, k, 0);
            b.settle();
            const bool now = k == 2 && tag != 0;
            EXPECT_EQ(b.ent_put(), now ? 1u : 0u);
            EXPECT_EQ(b.ent_tag(), now ? tag : 0u);
            EXPECT_EQ(b.ent_h1(), now ? h1 : 0u);
            EXPECT_EQ(b.ent_h2(), now ? h2 : 0u);
            b.tick();
        }
        b.x = 0;
        b.settle();
        EXPECT_EQ(b.answer(0), tag != 0 ? Flits{} : err_packet(ErrBadShot, PortM0, 0, 0, shot));
    }
}

TEST_F(local_guard, entries_are_handed_over_with_quarantine_status_and_generation) {
    LocalBench b;
    b.ent_used = 1;
    b.ent_h1_in = 0x1A2B3;
    b.ent_h2_in = 0x5C7;
    b.pulse(b.shoot);
    for (uint32_t tag = 1; tag <= NumEntries; ++tag) {
        b.tick(30);
        EXPECT_EQ(b.answer(0), good_flits({TypeShot << 14 | 2u << 10 | tag << 7 | WhatEntry,
                                           0x1A2B3, 0x5C7u << 6}));
    }
}

}  // namespace rdt::tb
