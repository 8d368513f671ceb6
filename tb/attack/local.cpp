// SPDX-License-Identifier: MIT
// Attacks on LOCAL and on the registers: an answer that cannot be sent, SETUP writes from
// strangers, and a stuck pin where an ack is due.
#include <gtest/gtest.h>

#include "attack/one_chip.h"

namespace rdt::tb {
namespace {

constexpr uint64_t GivesUp = SendWait + 100;  // and the ways to and from LOCAL

PacketSpec to_south(uint32_t serial) {
    PacketSpec p = leaving_by(PortS0);
    p.body = {serial};
    return p;
}

// The header names MBP 1 for the answer, and MBP 1 has no free buffer.
TEST(local, a_read_for_an_mbp_that_takes_nothing_does_not_lock_it) {
    OneChip chip("local", {});
    bool stopped = true;
    chip.at(PortM1).hold = [&stopped] { return stopped ? 4 * GivesUp : 0; };
    chip.at(PortE0).send(0, encode(leaving_by(PortM1)));
    ASSERT_TRUE(chip.clocks(100)) << chip.error();
    PacketSpec ask;
    ask.mbp = 1;
    chip.at(PortW0).send(0, setup_read(RegX, ask));
    ASSERT_TRUE(chip.clocks(50)) << chip.error();

    PacketSpec bad = to_south(0);
    bad.hop = 0;  // refused with its header
    for (int n = 0; n < 6; ++n) chip.at(PortN0).send(0, encode(bad));
    for (uint32_t n = 1; n <= 4; ++n) chip.at(PortN0).send(0, encode(to_south(n)));
    ASSERT_TRUE(chip.clocks(2 * GivesUp)) << chip.error();
    EXPECT_EQ(chip.read(RegX, GivesUp), 5u) << "MBP 0's own read";
    EXPECT_EQ(chip.reports(ErrHopLimit), 6u);
    EXPECT_EQ(chip.got[PortS0].size(), 4u) << "valid packets behind the malformed ones";
    EXPECT_EQ(chip.read(RegErrCnt), 6u);
    EXPECT_EQ(chip.read(RegLostCnt), 1u);
    EXPECT_EQ(chip.read(RegStatus), 1u << StatusLost | 1u << StatusHeader);
    // A second time it does not wait again.
    chip.at(PortW0).send(0, setup_read(RegY, ask));
    ASSERT_TRUE(chip.clocks(20)) << chip.error();
    EXPECT_EQ(chip.read(RegY, 200), 3u);
    EXPECT_EQ(chip.read(RegLostCnt), 2u);
    // MBP 1 takes packets again, and gets its answers.
    stopped = false;
    ASSERT_TRUE(chip.clocks(2 * GivesUp)) << chip.error();
    const size_t before = chip.got[PortM1].size();
    chip.at(PortW0).send(0, setup_read(RegY, ask));
    ASSERT_TRUE(chip.clocks(100)) << chip.error();
    EXPECT_EQ(chip.got[PortM1].size(), before + 1);
    EXPECT_EQ(chip.read(RegLostCnt), 2u);
}

// A packet from another port than MBP 0's is refused, reported to MBP 0, and without effect.
TEST(local, strangers_cannot_configure_a_guarded_chip) {
    OneChip chip("local", {0, 0, 0, core::Config::CtrlGuard, 0xFF});
    const uint32_t ctrl = core::Config::CtrlGuard;
    uint32_t attacks = 0;
    for (uint32_t port : {PortE0, PortS1, PortM1})
        for (const auto& [reg, value] : RegisterValues{
                 {RegCtrl, 4}, {RegLink, 0}, {RegCtrl, 0}, {RegX, 99}, {RegTimeout, 1}}) {
            chip.at(port).send(0, setup_write({{reg, value}}));
            ++attacks;
            ASSERT_TRUE(chip.clocks(80)) << chip.error();
        }
    EXPECT_EQ(chip.reports(ErrRefused), attacks);
    EXPECT_EQ(chip.read(RegShot), uint32_t(ShotRun));
    EXPECT_EQ(chip.read(RegCtrl), ctrl);
    EXPECT_EQ(chip.read(RegLink), 0xFFu);
    EXPECT_EQ(chip.read(RegX), 5u);
    EXPECT_EQ(chip.read(RegTimeout), 0u);
    EXPECT_EQ(chip.read(RegStatus), 1u << StatusSetup);
    EXPECT_EQ(chip.read(RegErrCnt), attacks);
    chip.at(PortN0).send(0, encode(to_south(7)));
    ASSERT_TRUE(chip.clocks(100)) << chip.error();
    EXPECT_EQ(chip.got[PortS0].size(), 1u) << "the chip continues";
    // MBP 0 itself may.
    chip.at(PortM0).send(0, setup_write({{RegTimeout, 77}}));
    ASSERT_TRUE(chip.clocks(100)) << chip.error();
    EXPECT_EQ(chip.read(RegTimeout), 77u);
}

// REQ of E1's other end is stuck while an ack for E1 is due: that link is lost, nothing else.
class StuckReq : public ::testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(local, StuckReq, ::testing::Values(1u, 2u, 3u));

TEST_P(StuckReq, mutes_its_own_link_only) {
    constexpr uint64_t InjectorDrops = AckWait + 64;  // and the way of the answer
    OneChip chip("local", {});
    const auto ask = [&chip](uint32_t port) {
        McSpec mc;
        mc.mbp = 1;
        mc.tag = 1;
        mc.body = {1};
        chip.at(port).send(0, encode(mc));
    };
    const auto answer_last = [&chip] { chip.answer(PortM1, chip.got[PortM1].back()); };
    ask(PortE1);
    ASSERT_TRUE(chip.clocks(60)) << chip.error();
    ASSERT_EQ(chip.got[PortM1].size(), 1u);
    core::LinkPinsIn bits;
    bits.req = GetParam();
    chip.net().stick(0, PortE1, bits, true);
    ASSERT_TRUE(chip.clocks(20)) << chip.error();
    answer_last();
    ASSERT_TRUE(chip.clocks(InjectorDrops)) << chip.error();
    for (int n = 0; n < 5; ++n) {
        ask(PortN0);
        ASSERT_TRUE(chip.clocks(60)) << chip.error();
        answer_last();
        ASSERT_TRUE(chip.clocks(60)) << chip.error();
    }
    EXPECT_EQ(chip.acks[PortN0].size(), 5u) << "acks for another link";
    EXPECT_EQ(chip.read(RegX), 5u) << "a SETUP read of MBP 0";
    // REQ 3 is a call, which is answered and no error. The missing packet is reported at the second
    // slow tick.
    ASSERT_TRUE(chip.clocks(2 * SlowTick + 60)) << chip.error();
    EXPECT_TRUE(chip.net().pins(0).err);
    EXPECT_GE(chip.notices(ErrLinkSync, PortE1), 1u) << "the link is reported";
    EXPECT_EQ(chip.read(RegDown), 1u << PortE1);
    EXPECT_EQ(chip.read(RegLinkErr), 1u << PortE1);
    EXPECT_EQ(chip.read(RegLostCnt), 1u) << "the ack for it is dropped";
    const auto status = chip.read(RegStatus);
    ASSERT_TRUE(status);
    EXPECT_EQ(*status & (1u << StatusSync | 1u << StatusLost), 1u << StatusSync | 1u << StatusLost);
    chip.at(PortW0).send(0, encode(to_south(3)));
    ASSERT_TRUE(chip.clocks(100)) << chip.error();
    EXPECT_EQ(chip.got[PortS0].size(), 1u);
}

}  // namespace
}  // namespace rdt::tb
