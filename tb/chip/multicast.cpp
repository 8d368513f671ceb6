// SPDX-License-Identifier: MIT
// Multicast on the 64-node machine, RTL and SystemC in lockstep at every node, and
// on larger networks with the C++ chip alone.
#include <gtest/gtest.h>

#include <random>

#include "common/answer.h"
#include "common/bring_up.h"
#include "common/chip_net.h"
#include "common/mc_territory.h"
#include "common/run_options.h"
#include <rdt/machine/machine.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {
namespace {

McSpec full_map(const Geometry& geometry) {
    McSpec mc;
    for (uint32_t level = 0; level <= geometry.top_rank(); ++level) mc.map[level] = 0xFF;
    return mc;
}

// The answers to the multicasts sent one after the other, for any model.
struct Outcome {
    std::map<Territory::Node, int> received;
    std::vector<core::AckNote> acks;
};

// Every receiver answers at once with the same status.
template <typename Net>
void answer_everything(Net& net, const Geometry& geometry, Outcome& result) {
    for (uint32_t node = 0; node < geometry.nodes(); ++node)
        for (uint32_t m = 0; m < 2; ++m) {
            Endpoint& end = net(node, m);
            end.on_receive = [&geometry, &result, &end, node](const Endpoint::Received& r) {
                const uint32_t type = r.flits[0] >> 14 & 7;
                if (type < TypeMcSm || type > TypeMcLarp) return;
                ++result.received[{geometry.x_of(node), geometry.y_of(node)}];
                answer_copy(end, PortM0, r.flits, 1u << AckUser);
            };
            end.on_ack = [&result](const core::AckNote& ack) { result.acks.push_back(ack); };
        }
}

McSpec random_multicast(std::mt19937_64& random, const Geometry& geometry) {
    McSpec mc;
    mc.type = 1 + uint32_t(random() % 3);
    mc.tag = 1 + uint32_t(random() % MaxOrdinaryTag);
    mc.mbp = uint32_t(random() % 2);
    for (uint32_t level = 0; level <= geometry.top_rank(); ++level)
        mc.map[level] = random() % 4 == 0 ? 0xFF : uint32_t(random() % 256);
    mc.body.assign(1 + random() % 13, 0x1234);
    return mc;
}

void expect_result(const Outcome& result, const std::map<Territory::Node, int>& expected,
                   const McSpec& mc) {
    EXPECT_EQ(result.received, expected);
    ASSERT_EQ(result.acks.size(), 1u) << "exactly one combined ack";
    EXPECT_EQ(result.acks[0].tag, mc.tag);
    EXPECT_EQ(result.acks[0].status, 1u << AckUser);
}

// The 64-node machine in lockstep.
class Machine {
public:
    explicit Machine(const std::string& rerun) : m_geometry(8), m_net(64, "multicast", 0, rerun) {
        for (uint32_t n = 0; n < 64; ++n) {
            for (uint32_t p : {PortE0, PortN0, PortE1, PortN1})
                m_net.wire(n, p, m_geometry.neighbor(n, p), p ^ 1);
            m_net.attach(n, PortM0);
            m_net.attach(n, PortM1);
        }
        auto mbp = [this](uint32_t node, uint32_t m) -> Endpoint& {
            return m_net.endpoint(node, PortM0 + m);
        };
        answer_everything(mbp, m_geometry, result);
        m_net.reset();
        for (uint32_t n = 0; n < 64; ++n) {
            const RouteConfig& c = m_geometry.config(n);
            configure(m_net, n,
                      {{c.rank, c.xfer, c.dateline},
                       0xFF,
                       0,
                       uint32_t(m_geometry.x_of(n)),
                       uint32_t(m_geometry.y_of(n))});
        }
        m_net.drain(2000);
    }

    ChipNet& net() { return m_net; }
    const Geometry& geometry() const { return m_geometry; }
    Outcome result;

private:
    Geometry m_geometry;
    ChipNet m_net;
};

TEST(multicast, full_map_from_each_of_64_nodes_reaches_all_once_and_returns_one_ack) {
    Machine machine("build/bin/chip_multicast");
    McSpec mc = full_map(machine.geometry());
    mc.tag = 5;
    mc.body = {1, 2, 3, 4};
    for (uint32_t source = 0; source < 64; ++source) {
        machine.result = {};
        machine.net().endpoint(source, PortM0).send(0, encode(mc));
        ASSERT_TRUE(machine.net().drain(2000)) << machine.net().error();
        ASSERT_EQ(machine.result.received.size(), 64u) << "from node " << source;
        for (const auto& [node, times] : machine.result.received) ASSERT_EQ(times, 1);
        ASSERT_EQ(machine.result.acks.size(), 1u);
        EXPECT_EQ(machine.result.acks[0].tag, 5u);
    }
}

TEST(multicast, random_maps_on_64_nodes_reach_exactly_the_named_nodes) {
    const uint64_t seed = seed_or(3);
    Machine machine(rerun_line("chip_multicast", "*random_maps_on_64*", seed, 0));
    const Territory territory(8, 1, 0);
    std::mt19937_64 random(seed);
    for (int n = 0; n < 60; ++n) {
        const McSpec mc = random_multicast(random, machine.geometry());
        const uint32_t source = uint32_t(random() % 64);
        const auto expected = territory.receivers(
            {machine.geometry().x_of(source), machine.geometry().y_of(source)}, mc);
        if (expected.empty()) continue;
        machine.result = {};
        machine.net().endpoint(source, PortM1).send(0, encode(mc));
        ASSERT_TRUE(machine.net().drain(3000)) << machine.net().error() << "\nseed=" << seed;
        expect_result(machine.result, expected, mc);
    }
}

// All 64 nodes multicast to all at once, several times: far more than the ack tables hold. Entries
// are given by class, so everything is answered within the bound, and nothing by RETRY.
constexpr uint32_t TEnt = 1500;
constexpr uint32_t TAck = 6000;

TEST(multicast, crossing_multicasts_from_all_nodes_are_delivered_and_answered) {
    constexpr uint64_t Bound = 40000;
    Machine machine("build/bin/chip_multicast --gtest_filter='*crossing*'");
    for (uint32_t n = 0; n < 64; ++n)
        machine.net().endpoint(n, PortM0).send(0, setup_write({{RegTEnt, TEnt}, {RegTAck, TAck}}));
    ASSERT_TRUE(machine.net().drain(1000)) << machine.net().error();
    machine.result = {};
    std::array<int, 64> answers{};
    uint64_t with_retry = 0;
    for (uint32_t n = 0; n < 64; ++n)
        machine.net().endpoint(n, PortM0).on_ack = [&, n](const core::AckNote& ack) {
            ++answers[n];
            if ((ack.status >> AckRetry & 1) != 0) ++with_retry;
            else EXPECT_EQ(ack.status, 1u << AckUser);
        };
    McSpec mc = full_map(machine.geometry());
    mc.body = {1, 2, 3, 4};
    for (uint32_t tag = 1; tag <= 2; ++tag)
        for (uint32_t n = 0; n < 64; ++n) {
            mc.tag = tag;
            machine.net().endpoint(n, PortM0).send(0, encode(mc));
        }
    ASSERT_TRUE(machine.net().drain(Bound)) << machine.net().error();
    for (uint32_t n = 0; n < 64; ++n) EXPECT_EQ(answers[n], 2) << "node " << n;
    EXPECT_EQ(with_retry, 0u);
    // All tables are free again: one that is alone is complete.
    std::vector<core::AckNote> alone;
    machine.net().endpoint(0, PortM0).on_ack = [&](const core::AckNote& ack) {
        alone.push_back(ack);
    };
    machine.result = {};
    machine.net().endpoint(0, PortM0).send(0, encode(mc));
    ASSERT_TRUE(machine.net().drain(2000)) << machine.net().error();
    ASSERT_EQ(alone.size(), 1u);
    EXPECT_EQ(alone[0].status, 1u << AckUser);
    EXPECT_EQ(machine.result.received.size(), 64u);
    RecordProperty("cycles", std::to_string(machine.net().now()));
}

struct Large {
    int side;
    bool event_driven;
    bool everywhere;  // full maps from every node, not from some
    int rounds;
};
class LargeNet : public ::testing::TestWithParam<Large> {};
INSTANTIATE_TEST_SUITE_P(multicast, LargeNet,
                         ::testing::Values(Large{16, true, true, 280}, Large{16, false, true, 280},
                                           Large{32, true, false, 20}, Large{64, true, false, 20},
                                           Large{32, false, false, 20}),
                         [](const auto& p) {
                             return "side" + std::to_string(p.param.side) + "_" +
                                    (p.param.event_driven ? "events" : "cycles");
                         });

TEST_P(LargeNet, full_and_random_maps_reach_exactly_the_named_nodes) {
    const uint64_t seed = seed_or(4);
    const Geometry geometry(GetParam().side);
    const uint32_t mask = top_map_mask(geometry);
    machine::Config config;
    config.side = GetParam().side;
    config.event_driven = GetParam().event_driven;
    const auto net = machine::make_machine(config);
    Outcome result;
    auto mbp = [&net](uint32_t node, uint32_t m) -> Endpoint& { return net->mbp(node, m); };
    answer_everything(mbp, geometry, result);
    net->bring_up();
    const Territory territory(GetParam().side, int(geometry.top_rank()), mask);
    std::mt19937_64 random(seed);
    for (int n = 0; n < GetParam().rounds; ++n) {
        const bool in_turn = GetParam().everywhere && uint32_t(n) < geometry.nodes();
        const bool full = in_turn || n % 2 == 0;
        McSpec mc = full ? full_map(geometry) : random_multicast(random, geometry);
        if (mc.tag == 0) mc.tag = 3;
        const uint32_t source = in_turn ? uint32_t(n) : uint32_t(random() % geometry.nodes());
        const auto expected =
            territory.receivers({geometry.x_of(source), geometry.y_of(source)}, mc);
        if (full) {
            ASSERT_EQ(expected.size(), geometry.nodes());
        }
        if (expected.empty()) continue;
        result = {};
        net->mbp(source, 0).send(0, encode(mc));
        for (int clock = 0; clock < 4000 && result.acks.empty(); ++clock) net->clock();
        for (int clock = 0; clock < 100; ++clock) net->clock();
        expect_result(result, expected, mc);
    }
}

}  // namespace
}  // namespace rdt::tb
