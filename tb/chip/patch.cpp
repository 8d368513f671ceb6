// SPDX-License-Identifier: MIT
// A 2x2 patch of chips with alternately slow MBPs: every packet arrives once, at the right MBP,
// rewritten on every hop.
#include <gtest/gtest.h>

#include <random>

#include "common/bring_up.h"
#include "common/chip_net.h"
#include "common/run_options.h"
#include "common/scoreboard.h"

namespace rdt::tb {
namespace {

class Patch {
public:
    // `upper`: the same four links on the upper-rank ports, with the nodes on rank 2.
    Patch(bool upper, uint64_t seed, const std::string& rerun)
        : m_random(seed), m_net(4, "patch", seed, rerun), m_upper(upper) {
        const uint32_t up = upper ? uint32_t(PortE1) : uint32_t(PortE0);
        for (uint32_t row : {0u, 2u}) m_net.wire(row, up, row + 1, up + 1);
        for (uint32_t column : {0u, 1u}) m_net.wire(column, up + 2, column + 2, up + 3);
        for (uint32_t node = 0; node < 4; ++node)
            for (uint32_t mbp = 0; mbp < 2; ++mbp) {
                Endpoint& end = m_net.attach(node, PortM0 + mbp);
                const uint32_t where = node * 2 + mbp;
                end.hold = [this, where] {
                    return m_hold[where] == 0 ? 0 : m_random() % m_hold[where];
                };
                end.on_receive = [this, where](const Endpoint::Received& r) {
                    if (auto wrong = m_board.receive(where, r.vc, r.flits))
                        if (m_error.empty()) m_error = *wrong;
                };
            }
        m_net.reset();
        for (uint32_t node = 0; node < 4; ++node) {
            const uint32_t x = node % 2;
            const uint32_t y = node / 2;
            const uint32_t links = (x == 0 ? 1u : 2u) | (y == 0 ? 4u : 8u);
            configure(m_net, node, {{2, 0, 0}, upper ? links << 4 : links, 0, x, y});
        }
        m_net.drain(2000);
    }

    void run(uint64_t clocks) {
        for (uint64_t n = 0; n < clocks && m_net.error().empty(); ++n) {
            if (n % 1000 == 0)
                for (uint64_t& hold : m_hold) hold = m_random() % 3 == 0 ? 200 : m_random() % 20;
            for (uint32_t from = 0; from < 8; ++from)
                if (m_net.endpoint(from / 2, PortM0 + from % 2).queued() < 3)
                    send(from, uint32_t(m_random() % 8));
            m_net.clock();
        }
        m_hold.fill(0);
        m_net.drain(20000);
    }

    std::string verdict() const {
        if (!m_net.error().empty()) return m_net.error();
        if (!m_error.empty()) return m_error;
        return m_board.empty() ? "" : m_board.missing();
    }
    uint64_t delivered() const { return m_board.received(); }

private:
    void send(uint32_t from, uint32_t to) {
        PacketSpec p;
        p.mbp = to % 2;
        p.tag = uint32_t(m_random() % 8);
        const int dx = int(to / 2 % 2) - int(from / 2 % 2);
        const int dy = int(to / 4) - int(from / 4);
        p.v[m_upper ? 2 : 0] = {dx, dy};
        p.body.resize(m_random() % 14);
        for (uint32_t& payload : p.body) payload = uint32_t(m_random()) & 0x1FFFF;
        m_net.endpoint(from / 2, PortM0 + from % 2).send(0, encode(p));
        p.v = {};
        p.hop -= uint32_t(std::abs(dx) + std::abs(dy));
        m_board.expect(to, 0, encode(p));
    }

    std::mt19937_64 m_random;
    ChipNet m_net;
    bool m_upper;
    Scoreboard m_board;
    std::array<uint64_t, 8> m_hold{};
    std::string m_error;
};

class BothRanks : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(patch, BothRanks, ::testing::Bool(),
                         [](const auto& p) { return p.param ? "upper" : "rank0"; });

TEST_P(BothRanks, everything_sent_between_four_nodes_arrives_once) {
    const uint64_t seed = seed_or(11);
    const uint64_t cycles = cycles_or(30000);
    const std::string rerun = rerun_line("chip_patch", "*everything_sent*", seed, cycles);
    Patch patch(GetParam(), seed, rerun);
    patch.run(cycles);
    EXPECT_EQ(patch.verdict(), "") << "seed=" << seed << "\nrerun: " << rerun;
    EXPECT_GT(patch.delivered(), cycles / 20);
}

}  // namespace
}  // namespace rdt::tb
