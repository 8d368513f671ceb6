// SPDX-License-Identifier: MIT
// The best cuts known, counted again by other means than those that found them, and bounds below.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <thread>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/graph/partition.h>

namespace {

using rdt::Halves;
using rdt::make_network;
using rdt::Network;
using rdt::NodeId;

// Link by link from the network itself, each seen from both its ends.
uint64_t counted(const Network& network, const Halves& halves) {
    uint64_t ends = 0;
    for (NodeId node = 0; node < network.nodes(); ++node)
        for (uint32_t port = 0; port < network.ports(); ++port)
            if (const auto to = network.neighbor(node, port))
                ends += halves.at(node) != halves.at(*to) ? 1 : 0;
    return network.directed() ? ends : ends / 2;
}

bool are_halves(const Network& network, const Halves& halves) {
    const auto second = size_t(std::count(halves.begin(), halves.end(), true));
    return halves.size() == network.nodes() &&
           std::max(second, halves.size() - second) - std::min(second, halves.size() - second) <=
               network.nodes() % 2;
}

void expect_cut(const char* name, uint64_t links) {
    const auto network = make_network(name);
    const rdt::BestCut best = rdt::best_cut(*network);
    EXPECT_TRUE(are_halves(*network, best.halves)) << name;
    EXPECT_EQ(counted(*network, best.halves), best.links) << name;
    EXPECT_EQ(rdt::cut(*network, best.halves), best.links) << name;
    EXPECT_LE(best.links, links) << name;
}

TEST(cuts, cuts_of_star_connected_cycles_are_halves_by_the_last_symbol) {
    expect_cut("scc:5", 40);
    expect_cut("scc:6", 216);
}

#ifdef RDT_METIS
TEST(cuts, best_known_are_found) {
    expect_cut("rdt:32", 416);
    expect_cut("rdt:64", 1664);
    expect_cut("rhsn:2,3,q2", 638);
}

std::atomic<uint64_t> signals{0};

// METIS has a handler of its own for SIGTERM while it works; one that came then would be lost, and
// the next one end the program.
TEST(cuts, signals_that_come_meanwhile_are_not_lost) {
    struct sigaction mine {
    }, before{}, after{};
    mine.sa_handler = [](int) { ++signals; };
    mine.sa_flags = SA_RESTART;
    sigaction(SIGTERM, &mine, &before);
    std::atomic<bool> done{false};
    uint64_t sent = 0;
    const pthread_t main = pthread_self();
    std::thread sender([&] {
        // One at a time: two that wait are one.
        for (; !done; ++sent) {
            pthread_kill(main, SIGTERM);
            while (signals == sent && !done) std::this_thread::yield();
        }
    });
    const rdt::BestCut best = rdt::best_cut(*make_network("rdt:16"));
    done = true;
    sender.join();
    sigaction(SIGTERM, &before, &after);
    EXPECT_TRUE(best.with_metis);
    EXPECT_EQ(best.links, 128u);
    EXPECT_GT(signals, 0u);
    EXPECT_GE(signals + 1, sent);
    EXPECT_EQ(after.sa_handler, mine.sa_handler);
    EXPECT_EQ(after.sa_flags & SA_RESTART, SA_RESTART);
}
#endif

TEST(cuts, cuts_of_rcc_of_level_2_have_5_n_by_32_links) {
    expect_cut("rcc:8,2", 5 * 4096 / 32);
    expect_cut("rcc:16,2", 5 * 65536 / 32);
}

// The star graph by its definition: words, and what exchanging the first letter with another gives.
TEST(cuts, cuts_of_the_star_graph_match_counts_from_words) {
    std::string word = "abcdef";
    uint64_t ends = 0;
    do {
        for (size_t i = 1; i < word.size(); ++i) {
            std::string other = word;
            std::swap(other[0], other[i]);
            ends += (word.back() < 'd') != (other.back() < 'd') ? 1 : 0;
        }
    } while (std::next_permutation(word.begin(), word.end()));
    EXPECT_EQ(ends / 2, 216u);
    expect_cut("star:6", 216);
}

TEST(cuts, a_wrong_count_or_uneven_halves_are_seen) {
    const auto network = make_network("scc:5");
    rdt::BestCut best = rdt::best_cut(*network);
    const NodeId moved = 7;
    best.halves[moved] = !best.halves[moved];
    EXPECT_FALSE(are_halves(*network, best.halves));
    EXPECT_NE(counted(*network, best.halves), best.links);
}

TEST(cuts, bounds_below_are_below_and_reached_where_all_links_are_alike) {
    for (const char* name : {"hypercube:6", "torus:4x4", "torus:6x6", "mesh:4x4", "star:4", "ccc:3",
                             "scc:4", "rcc:2,2", "rdt:8", "prc:8,2,4", "debruijn:2,4"}) {
        const auto network = make_network(name);
        const uint64_t at_least = rdt::bisection_at_least(*network);
        EXPECT_GT(at_least, 0u) << name;
        EXPECT_LE(at_least, rdt::bisection(*network).links) << name;
    }
    EXPECT_EQ(rdt::bisection_at_least(*make_network("hypercube:6")), 32u);
    EXPECT_EQ(rdt::bisection_at_least(*make_network("torus:8x8")), 16u);
}

TEST(cuts, a_bound_does_not_depend_on_the_number_of_threads) {
    rdt::WorkOptions one;
    one.threads = 1;
    rdt::WorkOptions three;
    three.threads = 3;
    const auto network = make_network("rdt:16");
    EXPECT_EQ(rdt::bisection_at_least(*network, one), rdt::bisection_at_least(*network, three));
    EXPECT_EQ(rdt::best_cut(*network, one).halves, rdt::best_cut(*network, three).halves);
}

TEST(cuts, halves_are_made_equal) {
    const auto network = make_network("torus:8x8");
    const rdt::LinkTable links(*network);
    Halves halves(64, false);
    for (NodeId node = 0; node < 20; ++node) halves[node] = true;
    rdt::balance(links, halves);
    EXPECT_TRUE(are_halves(*network, halves));
}

}  // namespace
