// SPDX-License-Identifier: MIT
// The step machine moves values, counts steps, and refuses impossible moves; the table of
// algorithms refuses unknown names.
#include <rdt/algo/step_machine.h>

#include <gtest/gtest.h>

#include <rdt/algo/algorithm.h>

namespace {

using rdt::make_network;
using rdt::NodeId;
using rdt::algo::Algorithm;
using rdt::algo::MovementError;
using rdt::algo::Parameters;
using rdt::algo::PortModel;
using rdt::algo::StepMachine;

struct Sent {
    NodeId from;
    uint32_t port;
};

// One step with these movements, on a hypercube of eight nodes.
void step(PortModel model, const std::vector<Sent>& all) {
    const auto network = make_network("hypercube:3");
    StepMachine machine(*network, model);
    machine.step<int>(
        [&](auto&& send) {
            for (const Sent& s : all) send(s.from, s.port, 0);
        },
        [](NodeId, NodeId, int) {});
}

TEST(step_machine, all_values_of_a_step_leave_before_the_first_arrives) {
    const auto network = make_network("torus:5");
    StepMachine machine(*network, PortModel::OnePort);
    std::vector<int> values{10, 11, 12, 13, 14};
    machine.step<int>(
        [&](auto&& send) {
            for (NodeId node = 0; node < 5; ++node)
                send(node, machine.port_to(node, (node + 1) % 5), values[node]);
        },
        [&](NodeId to, NodeId from, int value) {
            EXPECT_EQ(to, (from + 1) % 5);
            values[to] = value;
        });
    EXPECT_EQ(values, (std::vector<int>{14, 10, 11, 12, 13}));
    EXPECT_EQ(machine.steps(), 1u);
    EXPECT_EQ(machine.movements(), 5u);
}

TEST(step_machine, an_exchange_over_every_dimension_sums_a_hypercube) {
    const auto network = make_network("hypercube:6");
    StepMachine machine(*network, PortModel::OnePort);
    std::vector<int> values(64);
    for (int i = 0; i < 64; ++i) values[size_t(i)] = i;
    for (uint32_t d = 0; d < 6; ++d)
        machine.exchange(
            values, [d](NodeId) { return std::optional<uint32_t>(d); },
            [&](NodeId to, NodeId, int value) { values[to] += value; });
    for (int v : values) EXPECT_EQ(v, 63 * 64 / 2);
    EXPECT_EQ(machine.steps(), 6u);
    EXPECT_EQ(machine.movements(), 6u * 64);
}

TEST(step_machine, impossible_moves_are_refused) {
    for (PortModel model : {PortModel::OnePort, PortModel::AllPort}) {
        EXPECT_NO_THROW(step(model, {{0, 0}, {1, 0}, {2, 2}}));
        EXPECT_THROW(step(model, {{0, 3}}), MovementError);          // no such link
        EXPECT_THROW(step(model, {{8, 0}}), MovementError);          // no such node
        EXPECT_THROW(step(model, {{0, 1}, {0, 1}}), MovementError);  // two values on one link
    }
    EXPECT_THROW(step(PortModel::OnePort, {{0, 0}, {0, 1}}), MovementError);  // sends two
    EXPECT_THROW(step(PortModel::OnePort, {{1, 0}, {2, 1}}), MovementError);  // receives two
    EXPECT_NO_THROW(step(PortModel::AllPort, {{0, 0}, {0, 1}, {1, 0}, {2, 1}}));
    const auto mesh = make_network("mesh:4x4");
    StepMachine machine(*mesh, PortModel::AllPort);
    EXPECT_THROW(machine.port_to(0, 5), MovementError);
    EXPECT_NO_THROW(machine.port_to(0, 1));
}

std::string refusal(const std::vector<std::string>& given) {
    try {
        const Parameters p({{"seed", "1", "of the input"}, {"port", "one", "one or all"}}, given);
        p.number("seed", 0, 99);
        p.word("port", {"one", "all"});
    } catch (const rdt::NetworkError& e) {
        return e.what();
    }
    return "";
}

TEST(step_machine, parameters_are_taken_or_refused_in_one_line) {
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(refusal({"seed=99", "port=all"}), "");
    EXPECT_EQ(refusal({"seed=100"}), "seed=100: allowed is a number from 0 to 99");
    EXPECT_EQ(refusal({"seed="}), "seed=: allowed is a number from 0 to 99");
    EXPECT_EQ(refusal({"seed=-1"}), "seed=-1: allowed is a number from 0 to 99");
    EXPECT_EQ(refusal({"port=two"}), "port=two: allowed is one, all");
    for (const char* wrong : {"sed=1", "seed", "", "=1"})
        EXPECT_NE(refusal({wrong}).find("seed (of the input), port (one or all)"),
                  std::string::npos);
}

TEST(step_machine, unknown_algorithms_are_refused_with_those_there_are) {
    const Algorithm known{
        "mesh", "test", "nothing", {}, [](const rdt::Network&, const Parameters&) {
            return rdt::algo::Outcome{};
        }};
    EXPECT_EQ(rdt::algo::find_algorithm(*make_network("mesh:2x2"), "test").about, "nothing");
    try {
        rdt::algo::find_algorithm(*make_network("mesh:2x2"), "tset");
        FAIL();
    } catch (const rdt::NetworkError& e) {
        EXPECT_STREQ(e.what(), "there is no algorithm \"tset\" for mesh:2x2; allowed is test");
    }
    EXPECT_THROW(rdt::algo::find_algorithm(*make_network("torus:4x4"), "test"), rdt::NetworkError);
    Algorithm::all().erase("mesh");
}

}  // namespace
