// SPDX-License-Identifier: MIT
// The link protocol from both ends: two chips wired to each other, then a 2x2
// patch of links, RTL and SystemC in lockstep at every node.
#include <gtest/gtest.h>

#include <random>

#include "common/bring_up.h"
#include "common/chip_net.h"
#include "common/run_options.h"
#include "common/scoreboard.h"

namespace rdt::tb {
namespace {

// Two nodes joined by one link, MBPs at both.
class TwoChips {
public:
    explicit TwoChips(uint32_t port)
        : m_net(2, "two_chips", 0, "build/bin/chip_two_chips"), m_port(port) {
        m_net.wire(0, port, 1, port ^ 1);
        for (uint32_t node = 0; node < 2; ++node)
            for (uint32_t mbp : {PortM0, PortM1}) {
                Endpoint& end = m_net.attach(node, mbp);
                end.on_receive = [this, node, mbp](const Endpoint::Received& r) {
                    if (mbp == PortM0 && is_sync(r.flits)) return void(++m_syncs[node]);
                    if (auto wrong = m_board.receive(where(node, mbp), r.vc, r.flits))
                        m_error = *wrong;
                    ++m_delivered[node];
                };
            }
        m_net.reset();
        for (uint32_t node = 0; node < 2; ++node)
            configure(m_net, node, {{1, 0, 0}, 1u << (node == 0 ? port : port ^ 1), 0, node, 0});
        m_net.drain(1000);
    }

    static uint32_t where(uint32_t node, uint32_t port) { return node * 16 + port; }

    // A packet from an MBP of one node to an MBP of the other.
    void send(uint32_t from, uint32_t mbp_from, uint32_t mbp_to, uint32_t flits) {
        PacketSpec p;
        p.mbp = mbp_to;
        const bool positive = (m_port % 2 == 0) == (from == 0);
        auto& v = p.v[m_port < PortE1 ? 0 : 1];
        (m_port % 4 < 2 ? v.x : v.y) = positive ? 1 : -1;
        p.body.resize(flits - 3);
        for (uint32_t& payload : p.body) payload = uint32_t(m_random()) & 0x1FFFF;
        m_net.endpoint(from, PortM0 + mbp_from).send(0, encode(p));
        v = {};
        p.hop -= 1;
        m_board.expect(where(1 - from, PortM0 + mbp_to), 0, encode(p));
    }

    // Without a cycle; MBP 1 of both always has more to send.
    void keep_sending(uint32_t flits) {
        for (uint32_t from = 0; from < 2; ++from)
            if (m_net.endpoint(from, PortM1).queued() < 2) send(from, 1, 1, flits);
    }
    void switch_link(uint32_t node, bool on) {
        const uint32_t port = node == 0 ? m_port : m_port ^ 1;
        m_net.endpoint(node, PortM0).send(0, setup_write({{RegLink, on ? 1u << port : 0}}));
    }

    // Cycles with both MBPs of the named nodes always having more to send.
    void saturate(bool from0, bool from1, uint64_t clocks, uint32_t flits) {
        for (uint64_t n = 0; n < clocks; ++n) {
            for (uint32_t from = 0; from < 2; ++from) {
                if (!(from == 0 ? from0 : from1)) continue;
                for (uint32_t mbp = 0; mbp < 2; ++mbp)
                    if (m_net.endpoint(from, PortM0 + mbp).queued() < 2)
                        send(from, mbp, mbp, flits);
            }
            if (!m_net.clock()) break;
        }
    }

    std::string finish() {
        if (!m_net.drain(20000)) return m_net.error();
        if (!m_error.empty()) return m_error;
        if (!m_board.empty()) return m_board.missing();
        return m_board.expected() == 0 ? "nothing was sent" : "";
    }

    const LinkChecker& line() const { return m_net.link(0, m_port); }
    ChipNet& net() { return m_net; }
    uint64_t delivered(uint32_t node) const { return m_delivered[node]; }
    uint64_t syncs(uint32_t node) const { return m_syncs[node]; }  // LinkSync notices

private:
    static bool is_sync(const Flits& flits) {
        return payload_of(flits[0]) == (7u << 14 | 2u << 10 | ErrLinkSync);
    }

    ChipNet m_net;
    Scoreboard m_board;
    uint32_t m_port;
    std::mt19937 m_random{7};
    std::array<uint64_t, 2> m_delivered{};
    std::array<uint64_t, 2> m_syncs{};
    std::string m_error;
};

class EveryLink : public ::testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(two_chips, EveryLink,
                         ::testing::Values(PortE0, PortW0, PortN0, PortS0, PortE1, PortW1, PortN1,
                                           PortS1),
                         [](const auto& p) { return to_string(Port(p.param)); });

TEST_P(EveryLink, link_carries_095_flits_per_cycle_one_way) {
    TwoChips pair(GetParam());
    pair.saturate(true, false, 200, 16);
    const uint64_t before = pair.line().flits(0);
    pair.saturate(true, false, 4000, 16);
    const double rate = double(pair.line().flits(0) - before) / 4000;
    EXPECT_GE(rate, 0.95);
    EXPECT_EQ(pair.finish(), "");
    RecordProperty("one_way", std::to_string(rate));
}

TEST_P(EveryLink, link_carries_090_flits_per_cycle_both_ways_and_shares_them) {
    TwoChips pair(GetParam());
    pair.saturate(true, true, 200, 16);
    const uint64_t before[2] = {pair.line().flits(0), pair.line().flits(1)};
    pair.saturate(true, true, 8000, 16);
    const double a = double(pair.line().flits(0) - before[0]) / 8000;
    const double b = double(pair.line().flits(1) - before[1]) / 8000;
    EXPECT_GE(a + b, 0.90);
    EXPECT_GE(std::min(a, b), 0.45 * (a + b));
    EXPECT_EQ(pair.finish(), "");
    RecordProperty("both_ways", std::to_string(a + b));
}

TEST_P(EveryLink, random_lengths_from_both_ends_all_arrive) {
    TwoChips pair(GetParam());
    std::mt19937 random(GetParam() + 1);
    for (int n = 0; n < 400; ++n) {
        pair.send(random() % 2, random() % 2, random() % 2, 3 + random() % 14);
        ASSERT_TRUE(pair.net().clocks(random() % 40)) << pair.net().error();
    }
    EXPECT_EQ(pair.finish(), "");
    EXPECT_EQ(pair.delivered(0) + pair.delivered(1), 400u);
}

// Software takes a link away and gives it back at any time, from either end or both, while both
// send: packets wait. MBP 0 sends nothing else: its packet would wait too, and block its port.
TEST_P(EveryLink, switched_off_and_on_under_load_loses_nothing) {
    TwoChips pair(GetParam());
    std::mt19937 random(GetParam() + 1);
    const auto run = [&](uint32_t clocks) {
        for (; clocks > 0 && pair.net().error().empty(); --clocks) {
            pair.keep_sending(3 + random() % 14);
            pair.net().clock();
        }
    };
    uint64_t before = 0;
    for (int n = 0; n < 60; ++n) {
        run(60 + random() % 200);
        const uint64_t sent = pair.line().flits(0) + pair.line().flits(1);
        EXPECT_GT(sent, before) << "switched on, and carries nothing";
        before = sent;
        const uint32_t nodes = 1 + random() % 3;
        for (const bool on : {false, true})
            for (uint32_t node = 0; node < 2; ++node) {
                if ((nodes >> node & 1) == 0) continue;
                pair.switch_link(node, on);
                run(random() % 300);
            }
    }
    EXPECT_EQ(pair.finish(), "");
    EXPECT_GT(pair.delivered(0) + pair.delivered(1), 60u);
}

TEST(two_chips, link_switched_off_at_one_end_is_missed_once_at_the_other) {
    TwoChips pair(PortE0);
    for (uint32_t off : {0u, 1u}) {
        const uint64_t before[2] = {pair.syncs(0), pair.syncs(1)};
        pair.switch_link(off, false);
        ASSERT_TRUE(pair.net().clocks(4 * SlowTick)) << pair.net().error();
        EXPECT_EQ(pair.syncs(off), before[off]) << "who switched it off knows";
        EXPECT_EQ(pair.syncs(1 - off), before[1 - off] + 1);
        pair.switch_link(off, true);
        pair.send(0, 0, 0, 5);
        pair.send(1, 1, 1, 5);
        EXPECT_EQ(pair.finish(), "");
        EXPECT_EQ(pair.syncs(off), before[off]);
        EXPECT_EQ(pair.syncs(1 - off), before[1 - off] + 1);
    }
}

TEST(two_chips, simultaneous_requests_alternate) {
    TwoChips pair(PortE0);
    for (int n = 0; n < 20; ++n) {
        pair.send(0, 0, 0, 3);
        pair.send(1, 0, 0, 3);
    }
    EXPECT_EQ(pair.finish(), "");
    EXPECT_EQ(pair.line().packets(0), 20u);
    EXPECT_EQ(pair.line().packets(1), 20u);
}

TEST(two_chips, slow_mbp_holds_packets_back_without_losing_any) {
    TwoChips pair(PortN0);
    pair.net().endpoint(1, PortM0).hold = [] { return 300; };
    for (int n = 0; n < 12; ++n) {
        pair.send(0, 0, 0, 16);
        pair.send(0, 1, 1, 16);
    }
    ASSERT_TRUE(pair.net().clocks(900)) << pair.net().error();
    EXPECT_GE(pair.net().endpoint(0, PortM0).queued(), 6u)
        << "no back-pressure was felt at the source";
    EXPECT_EQ(pair.finish(), "");
}

TEST(two_chips, a_link_switched_on_at_one_end_only_carries_nothing) {
    ChipNet net(2, "half_on", 0, "build/bin/chip_two_chips");
    net.wire(0, PortE0, 1, PortW0);
    Scoreboard board;
    for (uint32_t node = 0; node < 2; ++node)
        net.attach(node, PortM0).on_receive = [&board, node](const Endpoint::Received& r) {
            board.receive(node, r.vc, r.flits);
        };
    net.reset();
    configure(net, 0, {{}, 1u << PortE0, 0, 0, 0});
    PacketSpec p;
    p.v[0].x = 1;
    ASSERT_TRUE(net.drain(1000)) << net.error();
    net.endpoint(0, PortM0).send(0, encode(p));
    ASSERT_TRUE(net.clocks(500)) << net.error();
    EXPECT_EQ(net.link(0, PortE0).flits(0), 0u);

    configure(net, 1, {{}, 1u << PortW0, 0, 0, 0});
    p.v[0].x = 0;
    p.hop -= 1;
    board.expect(1, 0, encode(p));
    ASSERT_TRUE(net.drain(1000)) << net.error();
    EXPECT_TRUE(board.empty()) << board.missing();
    EXPECT_EQ(net.link(0, PortE0).packets(0), 1u);
}

}  // namespace
}  // namespace rdt::tb
