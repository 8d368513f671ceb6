// SPDX-License-Identifier: MIT
// Two chips side by side as the slices of one node: each decides from its own half of the flits,
// and both decide alike; otherwise both halt and report it.
#include <gtest/gtest.h>

#include "common/answer.h"
#include "common/chip_net.h"
#include "common/mc_packet.h"
#include "common/dice.h"
#include "common/run_options.h"
#include "common/setup.h"

namespace rdt::tb {
namespace {

// The same header in both halves, another body in each.
struct Halves {
    Flits half[2];
};

Halves any_packet(Dice& random) {
    Halves h;
    PacketSpec unicast = leaving_by(random.below(NumPorts));
    McSpec multicast;
    const bool is_multicast = random.chance(20);
    // Always a receiver: the node itself, also as the relay.
    for (uint32_t level = 0; level < 2; ++level) multicast.map[level] = 0x11 | random.bits(8);
    multicast.tag = random.chance(50) ? 0 : random.below(7);  // not the lane
    const uint32_t length = random.below(14);
    for (Flits& half : h.half) {
        unicast.body.clear();
        for (uint32_t k = 0; k < length; ++k) unicast.body.push_back(random.bits(17));
        multicast.body = unicast.body;
        half = is_multicast ? encode(multicast) : encode(unicast);
    }
    return h;
}

// RTL and SystemC in lockstep in both slices.
class Node {
public:
    Node(uint64_t seed, const std::string& rerun)
        : m_random(seed), m_net(2, "slices", seed, rerun) {
        m_net.pair(0, 1);
        for (uint32_t slice = 0; slice < 2; ++slice)
            for (uint32_t p = 0; p < NumPorts; ++p) {
                Endpoint& end = m_net.attach(slice, p, true);
                end.on_receive = [this, &end, slice, p](const Endpoint::Received& r) {
                    ++m_received[slice];
                    answer_copy(end, p, r.flits, 8);
                };
            }
        m_net.reset();
        both(PortM0, setup_write({{RegRank, 1}, {RegRanks, 1}, {RegCtrl, 1}, {RegLink, 0xFF}}));
        m_net.clocks(100);
    }

    void both(uint32_t port, const Flits& flits) {
        for (uint32_t slice = 0; slice < 2; ++slice) m_net.endpoint(slice, port).send(0, flits);
    }

    // One cycle of load on all ports, or on all but that of MBP 0; false after an error.
    bool clock(bool mbp_0_sends = true) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            if (p == PortM0 && !mbp_0_sends) continue;
            if (m_net.endpoint(0, p).queued() >= 2) continue;
            const uint32_t vc = m_random.below(vcs_of(p));
            const Halves h = any_packet(m_random);
            for (uint32_t slice = 0; slice < 2; ++slice)
                m_net.endpoint(slice, p).send(vc, h.half[slice]);
        }
        return m_net.clock();
    }

    // Whether both show the same on all pins that are not data.
    bool alike() const {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsOut& a = m_net.pins(0).link[p];
            const core::LinkPinsOut& b = m_net.pins(1).link[p];
            if (a.oe != b.oe || a.req != b.req || a.cred != b.cred) return false;
        }
        return m_net.pins(0).slice == m_net.pins(1).slice;
    }
    bool err(uint32_t slice) const { return m_net.pins(slice).err; }
    ChipNet& net() { return m_net; }
    Dice& random() { return m_random; }
    uint64_t received(uint32_t slice) const { return m_received[slice]; }

private:
    Dice m_random;
    ChipNet m_net;
    std::array<uint64_t, 2> m_received{};
};

TEST(slices, decide_alike_from_their_own_half) {
    const uint64_t seed = seed_or(1);
    const uint64_t cycles = cycles_or(60000);
    Node node(seed, rerun_line("chip_slices", "*decide_alike*", seed, cycles));
    for (uint64_t n = 0; n < cycles; ++n) {
        ASSERT_TRUE(node.clock()) << node.net().error();
        ASSERT_TRUE(node.alike()) << "cycle " << n << " seed=" << seed;
        ASSERT_FALSE(node.err(0)) << "cycle " << n << " seed=" << seed;
    }
    EXPECT_GT(node.received(0), cycles / 10);
    EXPECT_EQ(node.received(0), node.received(1));
}

constexpr uint64_t Patience = 4000;  // MBPs wait long for an output that others use all the time

// A header bit flips in one slice: this slice discards the packet, the other forwards it.
TEST(slices, diverging_slices_halt_and_raise_their_error_pins) {
    const uint64_t seed = seed_or(2);
    for (uint64_t round = 0; round < 40; ++round) {
        Node node(seed + round, rerun_line("chip_slices", "*diverging*", seed, 0));
        for (uint64_t n = node.random().below(400); n > 0; --n)
            ASSERT_TRUE(node.clock()) << node.net().error();
        const uint32_t port = node.random().below(NumPorts);
        Flits good = encode(leaving_by(port ^ 1));
        Flits bad = good;
        bad[node.random().below(3)] ^=
            1u << node.random().below(
                14);  // not the type: an endpoint has a way of its own for acks
        node.net().endpoint(0, port).send(0, good);
        node.net().endpoint(1, port).send(0, bad);
        uint64_t waited = 0;
        while (!(node.err(0) && node.err(1)) && waited < Patience) {
            ASSERT_TRUE(node.clock()) << node.net().error();
            ++waited;
        }
        ASSERT_LT(waited, Patience) << "round " << round;
        // Packets in flight end; from then on only LOCAL sends, to MBP 0.
        ASSERT_TRUE(node.net().clocks(60)) << node.net().error();
        for (uint32_t slice = 0; slice < 2; ++slice) {
            EXPECT_TRUE(node.net().state(slice).local().halt());
            for (uint32_t p = 0; p < NumPorts; ++p)
                if (p != PortM0) {
                    EXPECT_FALSE(node.net().pins(slice).link[p].oe) << to_string(Port(p));
                }
        }
    }
}

// Clearing Status.Slice does not end a halt: the signatures stay different. Clearing Ctrl[0] in
// both slices does, and they continue apart. But a packet of MBP 0 that waits for
// another output keeps its SETUP packets out, until a shoot-down takes it away.
TEST(slices, halted_node_continues_when_mbp_0_clears_ctrl) {
    const uint64_t seed = seed_or(4);
    for (uint64_t round = 0; round < 20; ++round) {
        const bool mbp_0_sends = round % 2 != 0;
        Node node(seed + round, rerun_line("chip_slices", "*halted_node*", seed, 0));
        for (uint64_t n = node.random().below(400); n > 0; --n)
            ASSERT_TRUE(node.clock(mbp_0_sends)) << node.net().error();
        const Flits good = encode(leaving_by(PortM1));
        Flits bad = good;
        bad[1] ^= 1;
        node.net().endpoint(0, PortE0).send(0, good);
        node.net().endpoint(1, PortE0).send(0, bad);
        for (uint64_t n = 0; n < Patience && !(node.err(0) && node.err(1)); ++n)
            ASSERT_TRUE(node.clock(mbp_0_sends)) << node.net().error();
        ASSERT_TRUE(node.net().clocks(60)) << node.net().error();
        const auto is_halted = [&node](uint32_t slice) {
            return node.net().state(slice).local().halt();
        };
        const auto write = [&node](uint32_t address, uint32_t value) {
            const Flits flits = setup_write({{address, value}});
            for (uint32_t slice = 0; slice < 2; ++slice)
                node.net().endpoint(slice, PortM0).send_first({flits.begin(), flits.end()});
            return node.net().clocks(2048);
        };
        ASSERT_TRUE(write(RegStatus, 1u << StatusSlice)) << node.net().error();
        ASSERT_TRUE(is_halted(0) && is_halted(1)) << "round " << round;
        const uint64_t before = node.received(0) + node.received(1);
        ASSERT_TRUE(write(RegCtrl, 0)) << node.net().error();
        if (!mbp_0_sends) {
            EXPECT_FALSE(is_halted(0) || is_halted(1)) << "round " << round;
            EXPECT_GT(node.received(0) + node.received(1), before + 10) << "round " << round;
            continue;
        }
        for (uint32_t slice = 0; slice < 2; ++slice) {
            EXPECT_TRUE(is_halted(slice)) << "round " << round;
            EXPECT_NE(node.net().state(slice).input(PortM0).pkt_mask(), 0u);
            node.net().shoot(slice, true);
        }
        ASSERT_TRUE(node.net().clocks(1)) << node.net().error();
        for (uint32_t slice = 0; slice < 2; ++slice) node.net().shoot(slice, false);
        ASSERT_TRUE(node.net().clocks(4000)) << node.net().error();
        for (uint32_t slice = 0; slice < 2; ++slice)
            EXPECT_FALSE(node.net().state(slice).local().q().cfg.compares()) << "round " << round;
    }
}

// One slice loses its clock. C++ router only: a SystemC kernel cannot stop the clock of a single
// router.
TEST(slices, stuck_slice_halts_the_other) {
    const uint64_t seed = seed_or(3);
    for (uint64_t round = 0; round < 400; ++round) {
        Dice random(seed * 1000 + round);
        std::array<fast::Router, 2> chip;
        std::vector<std::unique_ptr<Endpoint>> ends[2];
        for (auto& of_slice : ends)
            for (uint32_t p = 0; p < NumPorts; ++p)
                of_slice.push_back(std::make_unique<Endpoint>(p));
        for (auto& of_slice : ends)
            of_slice[PortM0]->send(
                0, setup_write({{RegRank, 1}, {RegRanks, 1}, {RegCtrl, 1}, {RegLink, 0xFF}}));
        const uint64_t stops = 100 + random.below(400);
        uint64_t now = 0;
        for (; now < stops + 400 && !chip[0].err(); ++now) {
            std::array<core::PinsIn, 2> in;
            for (uint32_t p = 0; p < NumPorts; ++p) {
                if (now > 60 && ends[0][p]->queued() < 2) {
                    const Halves h = any_packet(random);
                    for (uint32_t k = 0; k < 2; ++k) ends[k][p]->send(0, h.half[k]);
                }
                for (uint32_t k = 0; k < 2; ++k) {
                    const core::LinkPinsOut own = chip[k].pins(p);
                    const core::LinkPinsOut far = ends[k][p]->pins();
                    in[k].link[p] = {own.oe ? own.d : far.oe ? far.d : 0, far.req, far.cred};
                    if (k == 0 || now < stops) ends[k][p]->clock(own, now);
                }
            }
            in[0].slice = chip[1].slice();
            in[1].slice = chip[0].slice();
            chip[0].clock(in[0]);
            if (now < stops) chip[1].clock(in[1]);
        }
        ASSERT_GE(now, stops) << "round " << round << ": before anything was wrong";
        ASSERT_TRUE(chip[0].err()) << "round " << round;
        ASSERT_TRUE(chip[0].local().halt());
        EXPECT_LE(now, stops + 64) << "round " << round;
    }
}

}  // namespace
}  // namespace rdt::tb
