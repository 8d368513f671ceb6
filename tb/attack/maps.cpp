// SPDX-License-Identifier: MIT
// Multicasts with any map bytes at all, those of ranks that the machine does not have among them:
// each is delivered to the nodes it names, or refused by the first router with its header. None
// circulates.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "common/engines.h"
#include "common/packet.h"
#include "common/dice.h"
#include "common/run_options.h"
#include <rdt/machine/machine.h>
#include <rdt/machine/packets.h>
#include <rdt/machine/transport.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {
namespace {

using machine::Endpoint;

constexpr Type Types[] = {TypeMcSm, TypeMcLpra, TypeMcLarp};
// A multicast to all 64 nodes is everywhere within 100 cycles; one that circulates never ends.
constexpr uint64_t Ends = 2000;

class Sender {
public:
    Sender(int side, Models models) {
        machine::Config config;
        config.side = side;
        use(models, config);
        m_machine = machine::make_machine(config);
        for (uint32_t n = 0; n < m_machine->nodes(); ++n)
            for (uint32_t m = 0; m < 2; ++m)
                m_machine->mbp(n, m).on_receive = [this, n](const Endpoint::Received& r) {
                    if (is_multicast(r.flits[0])) ++m_copies;
                    if (get(r.flits[0], H0Type) == int(TypeErr)) {
                        ++m_reports;
                        m_report = r.flits;
                        m_reporter = n;
                    }
                };
        m_machine->bring_up();
    }

    machine::Machine& machine() { return *m_machine; }
    uint64_t copies() const { return m_copies; }
    uint64_t reports() const { return m_reports; }

    void send(uint32_t node, uint32_t m, Type type, Maps maps) {
        machine::Flits flits = machine::flits_of(multicast_header(maps, int(m), type, 4));
        flits.push_back(make_flit(1));
        flits.push_back(make_flit(2));
        m_machine->mbp(node, m).send(0, flits);
    }
    bool settle(uint64_t limit) {
        for (uint64_t n = 0; n < limit; ++n) {
            m_machine->clock();
            if (n % 8 == 7 && m_machine->idle()) return true;
        }
        return false;
    }

    // The error of one multicast; empty if none.
    std::string check(uint32_t node, Type type, Maps maps) {
        m_copies = m_reports = 0;
        send(node, 1, type, maps);
        if (!settle(Ends)) return "it circulates";
        const uint32_t top = m_machine->geometry().top_rank();
        const bool fits = maps >> (8 * (top + 1)) == 0;
        const uint32_t expected =
            fits ? machine::receivers_of(m_machine->geometry(), type, maps) : 0;
        if (m_copies != expected) return fmt::format("{} copies, not {}", m_copies, expected);
        if (expected != 0) return m_reports == 0 ? "" : "a report of a valid one";
        const Header h = multicast_header(maps, 1, type, 4);
        if (m_reports != 1) return fmt::format("{} reports", m_reports);
        // One that is empty but for masked bits is refused where that rank is.
        if (m_reporter != node && !fits) return "not refused by the first chip";
        const bool as_sent = m_report.size() == 6 && payload_of(m_report[3]) == payload_of(h.h0) &&
                             payload_of(m_report[4]) == payload_of(h.h1) &&
                             payload_of(m_report[5]) == payload_of(h.h2);
        return (m_report[0] & 15) != ErrBadMap ? "another code" : !as_sent ? "another header" : "";
    }

private:
    std::unique_ptr<machine::Machine> m_machine;
    uint64_t m_copies = 0;
    uint64_t m_reports = 0;
    machine::Flits m_report;
    uint32_t m_reporter = 0;
};

std::string name_of(Type type, Maps maps) {
    return fmt::format("type {} maps {:010x}", uint32_t(type), maps);
}

TEST(maps, every_byte_of_every_level_is_delivered_or_refused) {
    Sender sender(8, Models::Fast);
    for (uint32_t level = 0; level <= MaxRank; ++level)
        for (const Type type : Types)
            for (uint32_t byte = 1; byte < 256; ++byte) {
                const Maps maps = map_byte(level, byte);
                ASSERT_EQ(sender.check(27, type, maps), "") << name_of(type, maps);
            }
}

class RandomMaps : public ::testing::TestWithParam<std::tuple<int, Models, int>> {};
INSTANTIATE_TEST_SUITE_P(maps, RandomMaps,
                         ::testing::Values(std::make_tuple(8, Models::Fast, 3000),
                                           std::make_tuple(16, Models::Fast, 500),
                                           std::make_tuple(8, Models::Checked, 20)),
                         [](const auto& p) {
                             return fmt::format("{}_{}", std::get<0>(p.param),
                                                to_string(std::get<1>(p.param)));
                         });

// Random bytes at all levels, or at those the machine has.
TEST_P(RandomMaps, are_delivered_or_refused) {
    const auto [side, models, count] = GetParam();
    Dice random(seed_or(1));
    Sender sender(side, models);
    const uint32_t nodes = sender.machine().nodes();
    for (int n = 0; n < count; ++n) {
        const uint32_t levels =
            random.chance(50) ? MaxRank : sender.machine().geometry().top_rank();
        Maps maps = 0;
        for (uint32_t l = 0; l <= levels; ++l)
            if (random.chance(70)) maps |= map_byte(l, random.bits(8));
        if (maps == 0) continue;
        const Type type = Types[random.below(3)];
        ASSERT_EQ(sender.check(random.below(nodes), type, maps), "")
            << "seed=" << seed_or(1) << " case " << n << " " << name_of(type, maps);
    }
}

// All nodes of a row at once, for a rank without nodes: the transfer ring must not fill up.
class FullRing : public ::testing::TestWithParam<std::pair<int, Models>> {};
INSTANTIATE_TEST_SUITE_P(maps, FullRing,
                         ::testing::Values(std::make_pair(8, Models::Fast),
                                           std::make_pair(16, Models::Fast),
                                           std::make_pair(8, Models::Checked)),
                         [](const auto& p) {
                             return fmt::format("{}_{}", p.param.first, to_string(p.param.second));
                         });

TEST_P(FullRing, multicasts_for_a_missing_rank_do_not_deadlock) {
    constexpr uint64_t Each = 12;
    Sender sender(GetParam().first, GetParam().second);
    const uint32_t missing = sender.machine().geometry().top_rank() + 1;
    const auto row = uint32_t(sender.machine().geometry().side());
    for (uint32_t node = 0; node < row; ++node)
        for (uint64_t n = 0; n < Each; ++n) sender.send(node, 0, TypeMcSm, map_byte(missing, 0xFF));
    EXPECT_TRUE(sender.settle(Ends)) << "packets circulate or are stuck";
    EXPECT_EQ(sender.copies(), 0u);
    EXPECT_EQ(sender.reports(), Each * row);
}

}  // namespace
}  // namespace rdt::tb
