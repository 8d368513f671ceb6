// SPDX-License-Identifier: MIT
// Attacks on the acks: ports that take all entries of the table, stray acks, and an answer to a
// multicast that comes when its tag belongs to the next one.
#include <gtest/gtest.h>

#include "attack/one_chip.h"

namespace rdt::tb {
namespace {

constexpr uint32_t Timeout = 1u << AckTimeout;

// Answers every multicast that a port gets, at once and rightly.
void answer_all(OneChip& chip) {
    chip.on_receive = [&chip](uint32_t port, const Flits& flits) {
        const auto h0 = uint32_t(flits[0]);
        if (is_multicast(h0) && get(h0, H0Tag) != 0) chip.answer(port, flits);
    };
}

McSpec to_mbp(uint32_t m, uint32_t tag) {
    McSpec mc;
    mc.mbp = m;
    mc.tag = tag;
    mc.body = {1};
    return mc;
}

// All ten ports always have a multicast to MBP 0 waiting, N1 on VC 1 (what comes on VC 0 is for a
// relay). MBP 0 answers one in 17 to 32 cycles. Network ports send to a leaf and may have all
// entries, MBPs one: a network port gets half of a tenth of all grants at least, an MBP an eighth
// of it.
TEST(ack_table, every_port_gets_its_share_of_the_entries) {
    constexpr uint64_t Cycles = 12000;
    OneChip chip("ack_table", {});
    answer_all(chip);
    const auto feed = [&chip](uint32_t port) {
        chip.at(port).send(port == PortN1 ? 1 : 0, encode(to_mbp(0, 1)));
    };
    chip.on_ack = [&feed](uint32_t port, const core::AckNote&) { feed(port); };
    for (uint32_t p = 0; p < NumPorts; ++p)
        for (int n = 0; n < 3; ++n) feed(p);
    ASSERT_TRUE(chip.clocks(Cycles)) << chip.error();
    size_t sum = 0;
    for (const auto& acks : chip.acks) sum += acks.size();
    EXPECT_GE(sum, Cycles / (3 * AckGap));
    for (uint32_t p = 0; p < NumPorts; ++p)
        EXPECT_GE(chip.acks[p].size(), sum / NumPorts / (p < PortM0 ? 2 : 8))
            << "acks at " << to_string(Port(p));
}

// Acks for different links do not wait for each other's distance: four neighbors of the upper rank
// request one of rank 0 each. A link carries an ack in 32 cycles at least, so four carry one in 8.
TEST(ack_table, the_distance_between_acks_is_kept_by_link) {
    constexpr uint64_t Cycles = 6000;
    constexpr uint64_t PerAck = 14;  // 18 if it were kept by chip
    OneChip chip("ack_table", {});
    answer_all(chip);
    const auto feed = [&chip](uint32_t port) {
        McSpec mc;
        mc.map[0] = 1u << (MapE + port - PortE1);
        mc.tag = 1;
        chip.at(port).send(0, encode(mc));
    };
    chip.on_ack = [&feed](uint32_t port, const core::AckNote&) { feed(port); };
    for (uint32_t p = PortE1; p < PortM0; ++p)
        for (int n = 0; n < 2; ++n) feed(p);
    ASSERT_TRUE(chip.clocks(Cycles)) << chip.error();
    size_t sum = 0;
    for (const auto& acks : chip.acks) sum += acks.size();
    EXPECT_GE(sum, Cycles / PerAck);
}

// MBP 0 accepts nothing, so three stray acks cannot be reported; the valid acks behind them land
// all the same.
TEST(ack_table, stray_acks_do_not_block_valid_acks) {
    OneChip chip("ack_table", {0, 3000, 0, 0, 0xFF});
    answer_all(chip);
    chip.stop(PortM0);
    chip.at(PortE0).send(0, encode(leaving_by(PortM0)));
    ASSERT_TRUE(chip.clocks(100)) << chip.error();
    for (uint32_t tag : {4u, 5u, 6u}) chip.at(PortM1).send_ack(tag, 0, 0);
    ASSERT_TRUE(chip.clocks(200)) << chip.error();
    for (uint32_t tag = 1; tag <= 4; ++tag) {
        McSpec mc;
        mc.map[0] = 1u << MapN | 1u << MapS;
        mc.tag = tag;
        mc.body = {tag};
        chip.at(PortW1).send(0, encode(mc));
    }
    // Two ticks of T_ack would end it otherwise.
    ASSERT_TRUE(chip.clocks(2500)) << chip.error();
    EXPECT_EQ(chip.got[PortN0].size(), 4u);
    EXPECT_EQ(chip.got[PortS0].size(), 4u);
    EXPECT_EQ(chip.acks[PortW1].size(), 4u) << "answered before any time-out";
    ASSERT_TRUE(chip.clocks(5000)) << chip.error();
    for (const core::AckNote& ack : chip.acks[PortW1])
        EXPECT_EQ(ack.status, 0u) << "tag " << ack.tag;
    EXPECT_TRUE(chip.net().pins(0).err);
    EXPECT_EQ(chip.look(RegStrayCnt), 3u);
    // The first was pending when the second came, and the third could not be stored: MBP 0 was
    // offered two notices and accepted none.
    EXPECT_EQ(chip.look(RegLostCnt), 2u);
    EXPECT_EQ(chip.look(RegStatus), 1u << StatusAck | 1u << StatusLost);
}

// MBP 1 answers a multicast when its tag is used by a later one, which it never answers: the
// sender of that has to learn it.
TEST(ack_table, a_late_answer_is_not_taken_for_one_of_the_next_multicast) {
    constexpr uint32_t TAck = 50;
    constexpr uint64_t Over = 16 * (TAck + 1);  // more than two ticks and the longest quarantine
    OneChip chip("ack_table", {0, TAck, 0, 0, 0xFF});
    const auto tag_at_mbp = [&chip] {
        return uint32_t(get(uint32_t(chip.got[PortM1].back()[0]), H0Tag));
    };
    chip.at(PortE0).send(0, encode(to_mbp(1, 1)));
    ASSERT_TRUE(chip.clocks(Over)) << chip.error();
    ASSERT_EQ(chip.got[PortM1].size(), 1u);
    const Flits copy = chip.got[PortM1][0];
    const uint32_t tag = tag_at_mbp();
    ASSERT_EQ(chip.acks[PortE0].size(), 1u);
    EXPECT_EQ(chip.acks[PortE0][0].status, Timeout);

    for (uint32_t n = 0; n < 8; ++n) {  // until an entry with the same tag waits again
        chip.at(PortE0).send(0, encode(to_mbp(1, 2)));
        ASSERT_TRUE(chip.clocks(40)) << chip.error();
        if (tag_at_mbp() == tag) break;
    }
    ASSERT_EQ(tag_at_mbp(), tag);
    const size_t asked = chip.got[PortM1].size();
    chip.answer(PortM1, copy);
    ASSERT_TRUE(chip.clocks(Over)) << chip.error();
    ASSERT_EQ(chip.acks[PortE0].size(), asked);
    for (const core::AckNote& ack : chip.acks[PortE0])
        EXPECT_EQ(ack.status, Timeout) << "a multicast without answers";
    EXPECT_EQ(chip.reports(ErrUnexpectedAck), 1u);
    EXPECT_EQ(chip.read(RegStrayCnt), 1u);
    EXPECT_EQ(chip.read(RegLostCnt), 0u);
}

}  // namespace
}  // namespace rdt::tb
