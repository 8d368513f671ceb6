// SPDX-License-Identifier: MIT
// RHSNs beyond nuclei of 2^k nodes, computation steps, outputs in any order, section 6's variants,
// and DNS multiplication as their comparison.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/padded_ascend.h>
#include <rdt/algo/swapped_machine.h>
#include <rdt/net/families/rhsn_variants.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/support/random.h>

namespace {

using rdt::make_network;
using rdt::NodeId;
using rdt::algo::as_rhsn;
using rdt::algo::Outcome;
using rdt::algo::PaddedMachine;
using rdt::algo::run_algorithm;
using rdt::algo::SwappedMachine;

uint64_t count_of(const Outcome& o, const std::string& name) {
    for (const auto& [key, value] : o.counts)
        if (key == name) return value;
    ADD_FAILURE() << "no " << name;
    return 0;
}

TEST(any_nucleus, one_level_is_the_nucleus) {
    const auto network = make_network("rhsn:1,q3"), cube = make_network("hypercube:3");
    ASSERT_EQ(network->nodes(), cube->nodes());
    ASSERT_EQ(network->ports(), cube->ports());
    for (NodeId v = 0; v < 8; ++v)
        for (uint32_t port = 0; port < 3; ++port)
            EXPECT_EQ(network->neighbor(v, port), cube->neighbor(v, port));
    EXPECT_EQ(rdt::distances(*make_network("rhsn:2,1,q2")).diameter,
              rdt::distances(*make_network("rhsn:2,q2")).diameter);
}

TEST(any_nucleus, passes_come_out_right_on_complete_graphs_of_any_size) {
    for (const char* name : {"rhsn:1,k3", "rhsn:2,k3", "rhsn:3,k3", "rhsn:2,2,k3", "rhsn:2,k5",
                             "rhsn:2,k6", "rhsn:2,k7", "rcc:3,1", "rcc:5,1", "rcc:3,2"})
        for (const char* algorithm : {"ascend", "descend"})
            for (const char* parts : {"parts=0", "parts=1"}) {
                const Outcome o = run_algorithm(name, algorithm, {parts, "seed=3"});
                EXPECT_TRUE(o.correct) << name << " " << algorithm << " " << parts;
                EXPECT_GE(o.steps, count_of(o, "steps with 2^k nodes a nucleus") / 2) << name;
            }
}

// A digit of K_3 stands for four: nodes 1 and 2 have one of these, node 0 two.
TEST(any_nucleus, a_node_holds_up_to_two_values_for_each_digit) {
    uint64_t held = 2;
    for (const char* name : {"rhsn:1,k3", "rhsn:2,k3", "rhsn:3,k3"}) {
        const Outcome o = run_algorithm(name, "ascend", {"parts=1"});
        EXPECT_EQ(count_of(o, "values of a node, most"), held) << name;
        held *= 2;
    }
    // Within a nucleus the time is doubled, as in the paper; with p digits it is not.
    EXPECT_EQ(run_algorithm("rhsn:1,k3", "ascend", {"parts=1"}).steps, 2u);
    const Outcome two = run_algorithm("rhsn:2,k3", "ascend", {"parts=1"});
    EXPECT_GT(two.steps, 2 * count_of(two, "steps with 2^k nodes a nucleus"));
}

TEST(any_nucleus, data_that_meet_belong_together_or_the_pass_is_stopped) {
    const auto network = make_network("rhsn:2,k3");
    PaddedMachine machine(as_rhsn(*network), true);
    std::vector<uint64_t> data(machine.values(), 1);
    machine.pass(data, true,
                 [](NodeId, uint32_t, uint64_t& mine, uint64_t other) { mine += other; });
    for (const uint64_t sum : data) EXPECT_EQ(sum, machine.values());
    EXPECT_THROW(PaddedMachine(as_rhsn(*make_network("rhsn:2,ring5")), true), rdt::NetworkError);
    EXPECT_THROW(run_algorithm("rhsn:2,k3", "ascend", {"first=1"}), rdt::NetworkError);
}

// A node of K_m needs m - 1 operations for its own result, whatever the number of steps.
TEST(any_nucleus, computation_steps_are_those_of_the_own_result) {
    for (const auto& [name, parts, each] :
         std::vector<std::tuple<const char*, uint32_t, uint64_t>>{{"rhsn:1,k16", 1, 15},
                                                                  {"rhsn:1,k16", 2, 6},
                                                                  {"rhsn:1,k16", 4, 4},
                                                                  {"rhsn:1,k8", 1, 7}}) {
        const auto network = make_network(name);
        SwappedMachine machine(as_rhsn(*network), rdt::algo::PortModel::AllPort, parts);
        std::vector<uint64_t> data(network->nodes(), 1);
        machine.ascend(data, 0, machine.bits() - 1,
                       [](NodeId, uint32_t, uint64_t& mine, uint64_t other) { mine += other; });
        EXPECT_EQ(machine.computations(), each) << name << " in " << parts;
        for (const uint64_t sum : data) EXPECT_EQ(sum, network->nodes());
    }
    // Corollary 4.5 with the sum as a factor: (m - 1) p^2 log2 M.
    const Outcome o = run_algorithm("rhsn:3,k16", "bitonic", {"parts=1"});
    EXPECT_LE(count_of(o, "computation steps of a node"), 15u * 9 * 4);
    EXPECT_TRUE(o.correct);
}

TEST(any_nucleus, outputs_in_any_order_save_the_swaps_at_the_end) {
    for (const auto& [name, saved] : std::vector<std::pair<const char*, uint64_t>>{
             {"rhsn:3,q2", 1}, {"rhsn:2,2,q2", 2}, {"rhsn:2,k8", 1}, {"rcc:4,2", 2}}) {
        const Outcome kept = run_algorithm(name, "ascend"),
                      free = run_algorithm(name, "ascend", {"order=free"});
        EXPECT_TRUE(free.correct) << name;
        EXPECT_EQ(free.steps + saved, kept.steps) << name;
    }
}

TEST(any_nucleus, dns_takes_five_thirds_of_log_n_on_the_cube_and_thirteen_on_the_shuffle) {
    for (const uint32_t bits : {3u, 6u, 9u, 12u})
        for (const char* seed : {"seed=1", "seed=2"}) {
            const Outcome cube =
                run_algorithm("hypercube:" + std::to_string(bits), "matmul", {seed});
            const Outcome shuffle =
                run_algorithm("shuffle:" + std::to_string(bits), "matmul", {seed});
            EXPECT_TRUE(cube.correct && shuffle.correct) << bits;
            EXPECT_EQ(cube.steps, 5 * bits / 3);
            EXPECT_EQ(shuffle.steps, 13 * bits / 3);
        }
    EXPECT_THROW(run_algorithm("hypercube:4", "matmul"), rdt::NetworkError);
}

TEST(any_nucleus, shuffle_exchange_links_are_as_defined) {
    const auto network = make_network("shuffle:5");
    uint32_t links = 0;
    for (NodeId v = 0; v < 32; ++v)
        for (uint32_t port = 0; port < 3; ++port)
            if (const auto to = network->neighbor(v, port)) {
                const NodeId left = (v << 1 | v >> 4) & 31, right = (v >> 1 | v << 4) & 31;
                EXPECT_TRUE(*to == left || *to == right || *to == (v ^ 1));
                ++links;
            }
    EXPECT_EQ(links, 2 * (30 + 16u));  // all but the two words that a shuffle leaves as they are
    EXPECT_EQ(rdt::distances(*network).diameter, 2 * 5 - 1u);
}

TEST(any_nucleus, copies_and_parts_match_section_6) {
    const auto four = make_network("rhsn-copies:1,2,q2"), large = make_network("rhsn:3,q2");
    ASSERT_EQ(four->nodes(), large->nodes());
    for (NodeId v = 0; v < large->nodes(); ++v)
        for (uint32_t port = 0; port < large->ports(); ++port)
            EXPECT_EQ(four->neighbor(v, port), large->neighbor(v, port));
    for (const char* name : {"rhsn-copies:1,2,q2", "rhsn-copies:2,2,q2", "rhsn-copies:1,2,2,q1"}) {
        const Outcome o = run_algorithm(name, "semigroup", {"seed=5"});
        EXPECT_TRUE(o.correct) << name;
    }
    EXPECT_EQ(run_algorithm("rhsn-copies:1,2,q2", "semigroup").steps,
              run_algorithm("rhsn:3,q2", "semigroup").steps);
    for (uint32_t clusters = 1; clusters <= 4; ++clusters)
        EXPECT_LE(rdt::distances(*make_network("rhsn-part:" + std::to_string(clusters) + ",3,q2"))
                      .diameter,
                  8u);
    for (const char* name : {"rhsn-part:5,3,q2", "rhsn-part:0,3,q2", "rhsn-copies:4,3,q2",
                             "rhsn-copies:q2", "rhsn-part:2"})
        EXPECT_THROW(make_network(name), rdt::NetworkError) << name;
}

TEST(any_nucleus, rcc_emulates_other_networks_and_counts_computations) {
    for (const char* guest : {"hypercube:4", "torus:4x4", "debruijn:2,4"}) {
        const Outcome o = run_algorithm("rcc:4,1", "emulate", {std::string("network=") + guest});
        EXPECT_TRUE(o.correct) << guest;
        EXPECT_EQ(o.steps, *o.bound) << guest;
    }
    EXPECT_THROW(run_algorithm("rcc:4,1", "emulate", {"network=hypercube:5"}), rdt::NetworkError);
    const Outcome rank = run_algorithm("rcc:4,2", "rank");
    EXPECT_EQ(count_of(rank, "computation steps of a node"), 2u * 8);
    const Outcome general = run_algorithm("rcc:4,2", "generalize");
    EXPECT_LE(count_of(general, "computation steps of a node"), 3u * 8);
}

}  // namespace
