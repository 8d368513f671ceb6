// SPDX-License-Identifier: MIT
// Shoot-down of one chip: its whole state is transferred to MBP 0 at full load and restored,
// without any visible effect. Each test runs on the C++ core alone and on RTL and SystemC in
// lockstep.
#include <gtest/gtest.h>

#include "common/chip_net.h"
#include "common/chip_traffic.h"
#include "common/run_options.h"
#include "common/shot_chip.h"

namespace rdt::tb {
namespace {

std::unique_ptr<WiredChips> make_chip(bool lockstep, uint64_t seed, const std::string& rerun) {
    if (lockstep) return std::make_unique<ChipNet>(1, "shoot_down", seed, rerun);
    return std::make_unique<CoreChips>(1);
}

class ShootDown : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(shoot_down, ShootDown, ::testing::Bool(),
                         [](const auto& p) { return p.param ? "lockstep" : "core"; });

TEST_P(ShootDown, at_any_cycle_of_full_load_loses_and_doubles_nothing) {
    const uint64_t seed = seed_or(1);
    const uint64_t shots = cycles_or(GetParam() ? 300 : 1000);
    const std::string rerun = rerun_line("chip_shoot_down", "*at_any_cycle*", seed, shots);
    const auto net = make_chip(GetParam(), seed, rerun);
    ShotChip chip(*net, seed);
    while (chip.shots() < shots && chip.ok())
        chip.shoot(chip.shots() % 20 == 3  ? ShotChip::Timeout
                   : chip.shots() % 4 == 0 ? ShotChip::Register
                                           : ShotChip::Pin);
    ASSERT_EQ(chip.finish(), "") << "seed=" << seed << "\nrerun: " << rerun;
    EXPECT_EQ(chip.shots(), shots);
    EXPECT_GT(chip.dumped(), 5 * shots);
    EXPECT_GT(chip.notices(), 0u);
    RecordProperty("cycles", std::to_string(net->now()));
    RecordProperty("dumped", std::to_string(chip.dumped()));
    RecordProperty("refusals", std::to_string(chip.keeper().refusals()));
    RecordProperty("packets", std::to_string(chip.traffic().packets()));
    RecordProperty("acks", std::to_string(chip.traffic().acks()));
}

// A chip that is all but empty is scanned in a moment: a packet of MBP 0 may come in behind the
// scan before MBP 0 has received the shoot-down.
TEST_P(ShootDown, at_any_cycle_of_light_load_leaves_the_mbp_a_way_in) {
    const uint64_t seed = seed_or(2);
    const uint64_t shots = cycles_or(GetParam() ? 300 : 1000);
    const std::string rerun = rerun_line("chip_shoot_down", "*light_load*", seed, shots);
    const auto net = make_chip(GetParam(), seed, rerun);
    ShotChip chip(*net, seed, 1);
    while (chip.shots() < shots && chip.ok()) chip.shoot(ShotChip::Pin);
    ASSERT_EQ(chip.finish(), "") << "seed=" << seed << "\nrerun: " << rerun;
    EXPECT_EQ(chip.shots(), shots);
}

TEST_P(ShootDown, keeper_that_drops_a_packet_is_detected) {
    const auto net = make_chip(GetParam(), 1, "");
    ShotChip chip(*net, 1);
    chip.shoot(ShotChip::Pin, [](ShotKeeper& keeper) {
        ASSERT_FALSE(keeper.slots().empty());
        keeper.slots().erase(keeper.slots().begin());
    });
    EXPECT_NE(chip.finish(), "");
}

TEST_P(ShootDown, keeper_that_restores_a_packet_twice_is_detected) {
    const auto net = make_chip(GetParam(), 1, "");
    ShotChip chip(*net, 1);
    chip.shoot(ShotChip::Pin, [](ShotKeeper& keeper) {
        // The second time into a buffer that was emptied too, replacing its packet.
        ASSERT_GE(keeper.slots().size(), 2u);
        ShotKeeper::Kept twice = keeper.slots()[0];
        const uint32_t name = keeper.slots()[1].context[1] & 0x1F800;
        twice.context[1] = with_parity((twice.context[1] & 0x7FF) | name);
        keeper.slots()[1] = twice;
    });
    EXPECT_NE(chip.finish(), "");
}

// A router without load whose MBP 0 selects the packets to restore. As after a reset of the whole
// machine only few links are on: a packet goes into a buffer without an outstanding credit.
class BadPut : public ::testing::TestWithParam<bool> {
protected:
    BadPut() : m_net(make_chip(GetParam(), 0, "build/bin/chip_shoot_down")) {
        for (uint32_t p = 0; p < NumPorts; ++p)
            m_net->attach(0, p, p == PortM0).on_receive = [this, p](const Endpoint::Received& r) {
                const uint32_t h0 = r.flits[0] & 0x1FFFF;
                m_dumped += m_is_dump ? 1 : 0;
                if (std::exchange(m_is_dump, h0 >> 14 == TypeShot && (h0 & 3) == WhatSlot)) return;
                if (h0 >> 14 == TypeShot) return;
                if (h0 == (TypeErr << 14 | 2u << 10 | ErrUnexpectedAck)) return;
                if (auto wrong = m_board.receive(p, r.vc, r.flits)) ADD_FAILURE() << *wrong;
            };
        m_net->reset();
        switch_on(1u << PortS1 | 1u << PortN1);
        EXPECT_TRUE(m_net->drain(1000)) << m_net->error();
        shoot();
    }

    void switch_on(uint32_t links) {
        mbp().send(0, setup_write({{RegRank, 1}, {RegRanks, 15}, {RegLink, links}}));
    }
    void shoot() {
        m_net->shoot(0, true);
        m_net->clock();
        m_net->shoot(0, false);
        EXPECT_TRUE(m_net->clocks(200)) << m_net->error();
    }

    Endpoint& mbp() { return m_net->endpoint(0, PortM0); }

    static Flits context(uint32_t port, uint32_t vc, uint32_t pend) {
        return good_flits({TypeShot << 14 | 2u << 10 | 3u << 7, port << 13 | vc << 11 | pend, 0});
    }
    static Flits packet(uint32_t serial) {
        PacketSpec p = leaving_by(PortS1);
        p.body.assign(13, serial);
        return encode(p);
    }
    static Flits too_short() {
        Flits flits = packet(0);
        flits[0] = as_head((flits[0] & 0x1C3FF) | 1u << 10);
        return flits;
    }

    void put(const Flits& context, const Flits& packet) {
        mbp().send(0, context);
        mbp().send(0, packet);
    }
    void expect_refusal(uint32_t code, const Flits& context) {
        m_board.expect(
            PortM0, 0,
            good_flits({TypeErr << 14 | 5u << 10 | code, uint32_t(PortM0) << 13, 0,
                        payload_of(context[0]), payload_of(context[1]), payload_of(context[2])}));
    }
    // The restored packet leaves through S1, and nothing else; then its buffer is free again.
    void run_and_expect(uint32_t serial, uint32_t port, uint32_t vc) {
        // MBP 1 has a credit for the buffer, but would have sent the packet that is in it.
        if (port == PortM1) m_net->forfeit(0, port, vc);
        ASSERT_TRUE(m_net->clocks(600)) << m_net->error();
        EXPECT_TRUE(m_board.empty()) << m_board.missing();
        PacketSpec p;
        p.hop -= 1;
        p.body.assign(13, serial);
        m_board.expect(PortS1, 0, encode(p));
        mbp().send(0, good_flits({TypeShot << 14 | 2u << 10 | WhatRun, 0, 0}));
        ASSERT_TRUE(m_net->drain(1000)) << m_net->error();
        EXPECT_TRUE(m_board.empty()) << m_board.missing();
        switch_on(0xFF);
        m_net->endpoint(0, port).send(vc, packet(serial + 1));
        p.body.assign(13, serial + 1);
        m_board.expect(PortS1, port == PortN1 ? vc : 0, encode(p));
        ASSERT_TRUE(m_net->drain(1000)) << m_net->error();
        EXPECT_TRUE(m_board.empty()) << m_board.missing();
        for (uint32_t at = 0; at < NumPorts; ++at)
            EXPECT_TRUE(m_net->endpoint(0, at).has_all_credits()) << to_string(Port(at));
    }

    static constexpr uint32_t ToS1 = 1u << PortS1;
    bool m_is_dump = false;  // the packet of a context comes next
    uint64_t m_dumped = 0;
    std::unique_ptr<WiredChips> m_net;
    Scoreboard m_board;
};
INSTANTIATE_TEST_SUITE_P(shoot_down, BadPut, ::testing::Bool(),
                         [](const auto& p) { return p.param ? "lockstep" : "core"; });

TEST_P(BadPut, into_a_buffer_that_is_taken_is_refused) {
    put(context(PortE1, 1, ToS1), packet(1));
    put(context(PortE1, 1, ToS1), packet(2));
    expect_refusal(ErrBadShot, context(PortE1, 1, ToS1));
    run_and_expect(1, PortE1, 1);
}

TEST_P(BadPut, into_a_buffer_that_does_not_exist_is_refused) {
    for (const Flits& nowhere :
         {context(12, 0, ToS1), context(PortN0, 2, ToS1), context(PortM0, 1, ToS1)}) {
        put(nowhere, packet(1));
        expect_refusal(ErrBadShot, nowhere);
    }
    put(context(PortW0, 2, ToS1), packet(7));
    run_and_expect(7, PortW0, 2);
}

TEST_P(BadPut, into_a_buffer_that_a_neighbor_has_a_credit_for_is_refused) {
    for (uint32_t vc : {0u, 1u}) {
        put(context(PortN1, vc, ToS1), packet(1));
        expect_refusal(ErrBadShot, context(PortN1, vc, ToS1));
    }
    put(context(PortW1, 1, ToS1), packet(3));
    run_and_expect(3, PortW1, 1);
}

TEST_P(BadPut, invalid_packet_is_refused_and_leaves_the_credit) {
    for (uint32_t port : {PortE0, PortM0}) {
        put(context(port, 0, ToS1), too_short());
        expect_refusal(ErrBadLength, context(port, 0, ToS1));
    }
    put(context(PortS0, 1, ToS1), packet(9));
    run_and_expect(9, PortS0, 1);
}

// An unreadable header is lost on the link, and MBP 0 sees the link recovery; the router still
// waits for the packet that belongs to the context.
TEST_P(BadPut, restore_continues_when_a_packet_lost_on_the_link_is_sent_again) {
    Flits bad = packet(8);
    bad[1] ^= 1;
    put(context(PortS0, 1, ToS1), bad);
    ASSERT_TRUE(m_net->clocks(100)) << m_net->error();
    mbp().send(0, packet(8));
    run_and_expect(8, PortS0, 1);
}

TEST_P(BadPut, context_that_does_not_fit_is_refused) {
    const auto of = [](uint32_t pend, uint32_t plan) {
        return good_flits({TypeShot << 14 | 2u << 10, uint32_t(PortE1) << 13 | pend, plan});
    };
    constexpr uint32_t Multicast = 1u << 16;
    constexpr uint32_t AwaitsEntry = 1u << 11;
    constexpr uint32_t Vc2 = 2u << 12;
    for (const Flits& misfit :
         {of(0, 0), of(1u << PortLocal, 0), of(ToS1 | 1, 0), of(ToS1, Vc2), of(ToS1, AwaitsEntry),
          of(ToS1, Multicast), of(ToS1, Multicast | AwaitsEntry)}) {
        put(misfit, packet(1));
        expect_refusal(ErrBadShot, misfit);
    }
    put(context(PortE1, 0, ToS1), packet(2));
    run_and_expect(2, PortE1, 0);
}

TEST_P(BadPut, entry_without_a_tag_is_refused) {
    const Flits entry = good_flits({TypeShot << 14 | 2u << 10 | WhatEntry, 3, 0});
    mbp().send(0, entry);
    expect_refusal(ErrBadShot, entry);
    put(context(PortM1, 0, ToS1), packet(4));
    run_and_expect(4, PortM1, 0);
}

TEST_P(BadPut, while_an_ack_comes_in_at_that_port_is_refused) {
    // A packet that is dumped keeps its neighbor's credit away, so it can go back while the link
    // is on.
    m_net->endpoint(0, PortN1).send(0, packet(1));
    ASSERT_TRUE(m_net->clocks(100)) << m_net->error();
    mbp().send(0, good_flits({TypeShot << 14 | 2u << 10 | WhatEnd, 0, 0}));
    ASSERT_TRUE(m_net->clocks(200)) << m_net->error();
    ASSERT_EQ(m_dumped, 1u);
    put(context(PortN1, 0, ToS1), packet(1));
    for (int n = 0; n < 12; ++n) m_net->endpoint(0, PortN1).send_ack(5, 0);
    expect_refusal(ErrBadShot, context(PortN1, 0, ToS1));
    ASSERT_TRUE(m_net->clocks(600)) << m_net->error();
    put(context(PortN1, 0, ToS1), packet(6));
    run_and_expect(6, PortN1, 0);
}

}  // namespace
}  // namespace rdt::tb
