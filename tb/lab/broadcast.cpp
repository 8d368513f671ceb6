// SPDX-License-Identifier: MIT
// Broadcasts take the steps of the theorems and reach all nodes, and errors in one are detected.
#include <rdt/algo/broadcast.h>

#include <gtest/gtest.h>

#include <rdt/algo/algorithm.h>

namespace {

using rdt::make_network;
using rdt::Network;
using rdt::NodeId;
using rdt::algo::BroadcastResult;
using rdt::algo::ccc_broadcast;
using rdt::algo::flood;
using rdt::algo::hypercube_broadcast;
using rdt::algo::matched_broadcast;
using rdt::algo::MovementError;
using rdt::algo::PortModel;
using rdt::algo::run_broadcast;
using rdt::algo::Schedule;

std::unique_ptr<Network> scc(uint32_t n) { return make_network("scc:" + std::to_string(n)); }

TEST(broadcast, the_cyclic_sequence_takes_the_steps_of_theorems_4_and_5) {
    const uint32_t one[] = {6, 12, 18, 28, 36}, all[] = {6, 8, 18, 21, 36};
    for (uint32_t n = 3; n <= 7; ++n) {
        const auto network = scc(n);
        for (PortModel model : {PortModel::OnePort, PortModel::AllPort}) {
            const Schedule s = scc_broadcast(*network, model, 0);
            const BroadcastResult r = run_broadcast(*network, model, s, 0, 1, 1);
            EXPECT_TRUE(r.complete) << n;
            EXPECT_EQ(r.steps, (model == PortModel::OnePort ? one : all)[n - 3]) << n;
            EXPECT_EQ(s.lateral, 3 * (n - 1) / 2) << n;
            // The last nodes get it in the last step.
            EXPECT_EQ(r.informed.back(), network->nodes());
            EXPECT_LT(r.informed[r.informed.size() - 2], network->nodes());
        }
    }
}

TEST(broadcast, every_source_is_as_good) {
    const auto network = scc(4);
    for (NodeId source = 0; source < network->nodes(); ++source)
        for (PortModel model : {PortModel::OnePort, PortModel::AllPort})
            EXPECT_TRUE(
                run_broadcast(*network, model, scc_broadcast(*network, model, source), source, 1, 1)
                    .complete);
}

TEST(broadcast, messages_behind_each_other_do_not_meet) {
    for (uint32_t n = 4; n <= 6; ++n) {
        const auto network = scc(n);
        const uint32_t rounds = 3 * (n - 1) / 2, messages = 7;
        const auto run = [&](PortModel model, uint32_t interval) {
            return run_broadcast(*network, model, scc_broadcast(*network, model, 0), 0, messages,
                                 interval);
        };
        const auto one = run(PortModel::OnePort, (n + 2) / 2);
        EXPECT_TRUE(one.complete);
        EXPECT_EQ(one.steps, (n + 2) / 2 * (messages - 1 + rounds));
        EXPECT_EQ(one.buffers, 1u);
        const auto all = run(PortModel::AllPort, (n + 1) / 2);
        EXPECT_TRUE(all.complete);
        EXPECT_EQ(all.steps, (n + 1) / 2 * (messages - 1 + rounds));
        EXPECT_EQ(all.buffers, 1u);
        const auto dense = run(PortModel::AllPort, 1);
        EXPECT_TRUE(dense.complete);
        EXPECT_EQ(dense.steps, (n + 1) / 2 * rounds + messages - 1);
        EXPECT_EQ(dense.buffers, (n + 1) / 2);
        EXPECT_THROW(run(PortModel::OnePort, 1), MovementError) << n;
    }
}

TEST(broadcast, the_other_networks_take_their_steps_of_table_2) {
    for (uint32_t n = 3; n <= 9; ++n) {
        const auto ccc = make_network("ccc:" + std::to_string(n));
        const Schedule s = ccc_broadcast(*ccc, 5);
        const BroadcastResult r = run_broadcast(*ccc, PortModel::OnePort, s, 5, 1, 1);
        EXPECT_TRUE(r.complete) << n;
        EXPECT_EQ(r.steps, (5 * n + 1) / 2 - 1) << n;
        EXPECT_EQ(s.lateral, n);
        const auto cube = make_network("hypercube:" + std::to_string(n));
        const BroadcastResult c =
            run_broadcast(*cube, PortModel::OnePort, hypercube_broadcast(*cube, 3), 3, 1, 1);
        EXPECT_TRUE(c.complete) << n;
        EXPECT_EQ(c.steps, n);
    }
    const uint32_t one[] = {8, 11, 14}, all[] = {6, 7, 9};
    for (uint32_t n = 5; n <= 7; ++n) {
        const auto star = make_network("star:" + std::to_string(n));
        const auto matched =
            run_broadcast(*star, PortModel::OnePort, matched_broadcast(*star, 0), 0, 1, 1);
        EXPECT_TRUE(matched.complete);
        EXPECT_EQ(matched.steps, one[n - 5]);
        const auto flooded = run_broadcast(*star, PortModel::AllPort, flood(*star, 0), 0, 1, 1);
        EXPECT_TRUE(flooded.complete);
        EXPECT_EQ(flooded.steps, all[n - 5]);
    }
}

TEST(broadcast, injected_bugs_are_detected) {
    const auto network = scc(4);
    const Schedule right = scc_broadcast(*network, PortModel::OnePort, 0);
    const auto complete = [&](const Schedule& s) {
        return run_broadcast(*network, PortModel::OnePort, s, 0, 1, 1).complete;
    };
    ASSERT_TRUE(complete(right));
    Schedule one_less = right;
    one_less.steps.back().pop_back();
    EXPECT_FALSE(complete(one_less)) << "a node does not get it";
    Schedule too_early = right;
    std::swap(too_early.steps[2], too_early.steps[3]);
    EXPECT_FALSE(complete(too_early)) << "a node sends a message that it does not have";
    Schedule twice = right;
    twice.steps.push_back(twice.steps.back());
    EXPECT_FALSE(complete(twice)) << "a node gets it again";
    Schedule no_link = right;
    no_link.steps[0].push_back({1, 7});
    EXPECT_THROW(complete(no_link), MovementError);
    // Both neighbors at once is more than one port.
    const Schedule all = scc_broadcast(*network, PortModel::AllPort, 0);
    EXPECT_THROW(complete(all), MovementError);
}

TEST(broadcast, the_program_offers_them_with_the_theorems_bound) {
    const auto run = [](const char* name, const std::vector<std::string>& parameters) {
        const auto network = make_network(name);
        const std::string broadcast = "broadcast";
        const auto& entry = rdt::algo::find_algorithm(*network, broadcast);
        return entry.run(*network, rdt::algo::Parameters(entry.parameters, parameters));
    };
    for (const auto& [parameters, steps] :
         {std::pair<std::vector<std::string>, uint64_t>({}, 18),
          {{"ports=all", "messages=3"}, 24},
          {{"ports=all", "messages=3", "interval=step", "from=17"}, 20}}) {
        const auto outcome = run("scc:5", parameters);
        EXPECT_TRUE(outcome.correct);
        EXPECT_EQ(outcome.steps, steps);
        EXPECT_EQ(outcome.bound, steps);
    }
    EXPECT_EQ(run("star:5", {}).bound, 12u);
    EXPECT_EQ(run("ccc:4", {}).bound, 9u);
    EXPECT_EQ(run("hypercube:7", {}).bound, 7u);
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"ports=two"}, {"interval=step"}, {"from=480"}, {"messages=0"}})
        EXPECT_THROW(run("scc:5", wrong), rdt::NetworkError) << wrong[0];
}

}  // namespace
