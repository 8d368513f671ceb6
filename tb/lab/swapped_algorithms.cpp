// SPDX-License-Identifier: MIT
// Algorithms on recursive hierarchical swapped networks: right results in the theorems' steps, and
// mistakes that are injected do not pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/ascend.h>
#include <rdt/algo/emulation.h>
#include <rdt/algo/reduction.h>
#include <rdt/support/random.h>
#include <rdt/net/families/nucleus.h>

namespace {

using rdt::make_network;
using rdt::NodeId;
using rdt::algo::as_rhsn;
using rdt::algo::MovementError;
using rdt::algo::Outcome;
using rdt::algo::PortModel;
using rdt::algo::ProductEmulation;
using rdt::algo::Reduction;
using rdt::algo::run_algorithm;
using rdt::algo::StepMachine;
using rdt::algo::SwappedMachine;

// Right, and in so many steps; the bound, where given, is that.
void expect(const Outcome& o, uint64_t steps, uint64_t bound) {
    EXPECT_TRUE(o.correct);
    EXPECT_EQ(o.steps, steps);
    EXPECT_EQ(o.bound, bound);
}

TEST(swapped_algorithms, ascend_and_descend_take_the_steps_of_corollary_4_2) {
    for (const char* algorithm : {"ascend", "descend"}) {
        expect(run_algorithm("rhsn:3,q2", algorithm), 10, 10);
        expect(run_algorithm("rhsn:2,2,q2", algorithm), 14, 14);
        expect(run_algorithm("rhsn:2,2,k4", algorithm), 14, 14);
        expect(run_algorithm("rhsn:2,fq3", algorithm), 8, 8);
        expect(run_algorithm("rhsn:3,q3+d", algorithm), 13, 13);
        expect(run_algorithm("rhsn:4,k16", algorithm), 22, 22);
        // RCC-FULL, equation 18 with N_A for N
        expect(run_algorithm("rcc:4,0", algorithm), 2, 2);
        expect(run_algorithm("rcc:4,1", algorithm), 6, 6);
        expect(run_algorithm("rcc:16,1", algorithm), 10, 10);
        expect(run_algorithm("rcc:2,2", algorithm), 10, 10);
        expect(run_algorithm("rcc:4,2", algorithm), 14, 14);
        expect(run_algorithm("rcc:2,3", algorithm), 22, 22);
        expect(run_algorithm("rcc:4,3", algorithm), 30, 30);
    }
}

TEST(swapped_algorithms, rcc_does_what_the_rhsn_of_twos_does) {
    for (const char* algorithm : {"ascend", "descend"})
        for (const char* range : {"first=0", "first=3"}) {
            const Outcome one = run_algorithm("rcc:4,2", algorithm, {range});
            const Outcome other = run_algorithm("rhsn:2,2,k4", algorithm, {range});
            EXPECT_TRUE(one.correct && other.correct);
            EXPECT_EQ(one.steps, other.steps);
            EXPECT_EQ(one.bound, other.bound);
        }
}

TEST(swapped_algorithms, every_range_of_dimensions_keeps_to_theorem_4_1) {
    for (const char* name : {"rhsn:3,q2", "rhsn:2,2,q1", "rhsn:2,q3", "rhsn:2,2,q2", "rhsn:3,2,k2"})
        for (const char* algorithm : {"ascend", "descend"}) {
            const uint32_t bits = uint32_t(__builtin_ctz(make_network(name)->nodes()));
            for (uint32_t first = 0; first < bits; ++first)
                for (uint32_t last = first; last < bits; ++last) {
                    const Outcome o = run_algorithm(
                        name, algorithm,
                        {"first=" + std::to_string(first), "last=" + std::to_string(last)});
                    EXPECT_TRUE(o.correct) << name << " " << first << " " << last;
                    EXPECT_LE(o.steps, *o.bound) << name << " " << first << " " << last;
                }
        }
}

TEST(swapped_algorithms, complete_graphs_do_several_bits_in_a_step) {
    for (uint32_t parts = 1; parts <= 4; ++parts) {
        const std::string given = "parts=" + std::to_string(parts);
        const uint32_t steps = parts == 3 ? 2 : parts;  // four bits two at a time
        for (const char* algorithm : {"ascend", "descend", "fft"})
            expect(run_algorithm("rhsn:3,k16", algorithm, {given}), 3 * steps + 4, 3 * steps + 4);
        const Outcome sort = run_algorithm("rhsn:3,k16", "bitonic", {given});
        EXPECT_TRUE(sort.correct);
        // Corollary 4.5, with the sum of logarithms as a factor.
        EXPECT_LE(sort.steps, (1 + parts / 2.0) * 9 * 4) << parts;
    }
    EXPECT_EQ(run_algorithm("rhsn:3,k16", "bitonic", {"parts=1"}).steps, 48u);
    EXPECT_TRUE(run_algorithm("rhsn:2,k8", "ascend", {"parts=2", "first=1", "last=4"}).correct);
}

TEST(swapped_algorithms, unsupported_algorithm_is_refused_in_one_line) {
    const std::vector<std::array<std::string, 3>> wrong{{"rhsn:2,path4", "ascend", ""},
                                                        {"rhsn:2,ring4", "descend", ""},
                                                        {"rhsn:2,k6", "fft", ""},
                                                        {"rhsn:2,petersen", "bitonic", ""},
                                                        {"rhsn:2,path4", "semigroup", ""},
                                                        {"rhsn:2,k6", "semigroup", ""},
                                                        {"rhsn:2,k6", "prefix", "parts=3"},
                                                        {"rhsn:2,q3", "semigroup", "parts=1"},
                                                        {"rhsn:2,q3", "matmul", ""},
                                                        {"rhsn:3,q2", "ascend", "first=6"},
                                                        {"rhsn:3,q2", "ascend", "last=6"},
                                                        {"rhsn:3,q2", "ascend", "frist=1"},
                                                        {"rhsn:3,q2", "emulate", "port=no"},
                                                        {"rhsn:3,q2", "sort", ""},
                                                        {"rcc:3,1", "bitonic", ""},
                                                        {"rhsn:3,q2", "fft", "seed=x"},
                                                        {"rhsn:2,q3", "fft", "parts=1"},
                                                        {"rhsn:2,k8", "ascend", "parts=4"}};
    for (const auto& [name, algorithm, parameter] : wrong) {
        try {
            run_algorithm(name, algorithm,
                          parameter.empty() ? std::vector<std::string>{}
                                            : std::vector<std::string>{parameter});
            ADD_FAILURE() << name << " " << algorithm << " " << parameter << " was taken";
        } catch (const rdt::NetworkError& e) {
            const std::string what = e.what();
            EXPECT_EQ(what.find('\n'), std::string::npos) << what;
            EXPECT_TRUE(what.find("allowed") != std::string::npos ||
                        what.find("must be") != std::string::npos ||
                        what.find("no product") != std::string::npos)
                << what;
        }
    }
}

TEST(swapped_algorithms, bitonic_sort_sorts_in_its_comparisons_and_exchanges) {
    // k p (k p + 1) / 2 comparisons and, on an HSN, k p (p - 1) exchanges.
    EXPECT_EQ(run_algorithm("rhsn:3,q2", "bitonic").steps, 21u + 12);
    EXPECT_EQ(run_algorithm("rhsn:2,q4", "bitonic").steps, 36u + 8);
    EXPECT_EQ(run_algorithm("rhsn:4,k4", "bitonic").steps, 36u + 24);
    for (const char* name : {"rhsn:3,q2", "rhsn:2,q4", "rhsn:2,2,q2", "rhsn:2,2,2,q1"})
        for (const char* seed : {"seed=1", "seed=2", "seed=3"}) {
            const Outcome o = run_algorithm(name, "bitonic", {seed});
            EXPECT_TRUE(o.correct) << name;
            EXPECT_LE(o.steps, *o.bound) << name;
        }
    // Without its last stage it does not sort.
    const auto network = make_network("rhsn:3,q2");
    SwappedMachine machine(as_rhsn(*network), PortModel::OnePort);
    std::vector<uint64_t> data(64);
    rdt::Random random(1);
    for (uint64_t& d : data) d = random.next();
    for (uint32_t stage = 1; stage < 6; ++stage)
        machine.descend(data, 0, stage - 1,
                        [stage](NodeId home, uint32_t b, uint64_t& mine, uint64_t other) {
                            const bool low = ((home >> stage ^ home >> b) & 1) == 0;
                            mine = low ? std::min(mine, other) : std::max(mine, other);
                        });
    EXPECT_FALSE(std::is_sorted(data.begin(), data.end()));
}

TEST(swapped_algorithms, fft_agrees_with_the_definition) {
    expect(run_algorithm("rhsn:2,2,q2", "fft"), 14, 14);
    expect(run_algorithm("rhsn:3,q2", "fft"), 10, 10);
    expect(run_algorithm("rhsn:2,q5", "fft"), 12, 12);
    expect(run_algorithm("rhsn:3,k16", "fft"), 16, 16);
    // One wave comes out as one value, at the node with the bits of its frequency reversed.
    const auto network = make_network("rhsn:3,q2");
    SwappedMachine machine(as_rhsn(*network), PortModel::OnePort);
    std::vector<std::complex<double>> data(64);
    for (uint32_t v = 0; v < 64; ++v) data[v] = std::polar(1.0, 2 * M_PI * 5 * v / 64);
    rdt::algo::fft(machine, data);
    for (uint32_t v = 0; v < 64; ++v)
        EXPECT_NEAR(std::abs(data[v]), v == 0b101000 ? 64 : 0, 1e-9) << v;
}

TEST(swapped_algorithms, semigroup_takes_the_steps_of_theorem_5_1) {
    expect(run_algorithm("rhsn:3,q2", "semigroup"), 8, 8);
    expect(run_algorithm("rhsn:2,2,q2", "semigroup"), 11, 11);
    expect(run_algorithm("rhsn:2,3,k3", "semigroup", {"parts=1"}), 11, 11);
    // Corollary 5.3: (1 + t) p - 1 communications, (sum of m - t) p computations.
    for (const auto& [parts, computations] :
         std::map<uint32_t, uint64_t>{{1, 45}, {2, 18}, {4, 12}}) {
        const Outcome o =
            run_algorithm("rhsn:3,k16", "semigroup", {"parts=" + std::to_string(parts)});
        expect(o, (1 + parts) * 3 - 1, (1 + parts) * 3 - 1);
        ASSERT_EQ(o.counts.at(0).first, "computations");
        EXPECT_EQ(o.counts.at(0).second, computations);
    }
}

TEST(swapped_algorithms, semigroup_and_prefix_keep_the_order_of_nodes) {
    for (const char* name : {"rhsn:3,q2", "rhsn:2,2,q1", "rhsn:2,2,k4", "rhsn:2,fq2+d"}) {
        const auto network = make_network(name);
        std::vector<std::string> words;
        for (NodeId v = 0; v < network->nodes(); ++v) words.push_back(std::to_string(v) + " ");
        SwappedMachine machine(as_rhsn(*network), PortModel::OnePort);
        Reduction reduction(machine, 0);
        const auto append = [](const std::string& a, const std::string& b) { return a + b; };
        const auto before = reduction.prefix(words, append);
        std::string all;
        for (NodeId v = 0; v < network->nodes(); ++v) {
            EXPECT_EQ(before[v].value_or(""), all) << name << " " << v;
            all += words[v];
        }
        reduction.semigroup(words, append);
        for (const std::string& w : words) EXPECT_EQ(w, all) << name;
    }
    expect(run_algorithm("rhsn:2,2,q2", "prefix"), 14, 14);
    expect(run_algorithm("rhsn:2,3,k3", "prefix", {"parts=1"}), 16, 16);
}

// HSN(2,Q2) with two of its swap links crossed in one direction.
class Crossed : public rdt::Rhsn {
public:
    Crossed() : Rhsn("rhsn:2,q2", rdt::make_nucleus("q2"), rdt::SwapShape(4, {2}), false) {}
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        if (port == swap_port(1, 2) && (node == 3 || node == 6)) node = 9 - node;
        return Rhsn::neighbor(node, port);
    }
};

TEST(swapped_algorithms, data_that_go_astray_are_noticed) {
    const Crossed network;
    SwappedMachine machine(network, PortModel::OnePort);
    std::vector<uint64_t> data(16, 1);
    const auto add = [](NodeId, uint32_t, uint64_t& mine, uint64_t other) { mine += other; };
    EXPECT_THROW(machine.ascend(data, 0, 3, add), std::logic_error);
    std::vector<std::string> words;
    for (NodeId v = 0; v < 16; ++v) words.push_back(std::to_string(v) + " ");
    Reduction reduction(machine, 0);
    std::string all;
    for (const std::string& w : words) all += w;
    reduction.semigroup(words, [](const std::string& a, const std::string& b) { return a + b; });
    EXPECT_NE(std::count(words.begin(), words.end(), all), 16);
    EXPECT_FALSE(
        rdt::algo::find_algorithm(network, "semigroup")
            .run(network, rdt::algo::Parameters({{"parts", "0", ""}, {"seed", "1", ""}}, {}))
            .correct);
}

TEST(swapped_algorithms, several_values_at_once_need_all_ports) {
    const auto network = make_network("rhsn:2,k4");
    SwappedMachine machine(as_rhsn(*network), PortModel::OnePort);
    Reduction reduction(machine, 1);
    std::vector<uint64_t> data(16, 1);
    EXPECT_THROW(reduction.semigroup(data, [](uint64_t a, uint64_t b) { return a + b; }),
                 MovementError);
}

TEST(swapped_algorithms, matrices_are_multiplied_within_theorem_5_4) {
    expect(run_algorithm("rhsn:3,q2", "matmul"), 4, 6);
    expect(run_algorithm("rhsn:6,k2", "matmul"), 9, 12);
    expect(run_algorithm("rhsn:3,2,k3", "matmul", {"parts=1"}), 5, 7);
    expect(run_algorithm("rhsn:3,k16", "matmul", {"parts=1"}), 3, 5);
    expect(run_algorithm("rhsn:6,k3", "matmul", {"parts=1"}), 9, 12);
    // (T + 1) p / 3 + 4 l / 3 - 3
    expect(run_algorithm("rhsn:3,2,q2", "matmul"), 7, 9);
    // The product is A B, not B A.
    const auto network = make_network("rhsn:3,q1");
    SwappedMachine machine(as_rhsn(*network), PortModel::OnePort);
    Reduction reduction(machine, 0);
    const uint64_t a[2][2] = {{1, 2}, {3, 4}}, b[2][2] = {{0, 1}, {1, 1}};
    std::vector<uint64_t> at_a(8), at_b(8);
    for (NodeId v = 0; v < 8; ++v) {
        at_a[v] = a[v >> 2][v >> 1 & 1];
        at_b[v] = b[v >> 2][v >> 1 & 1];
    }
    const auto c = rdt::algo::multiply(machine, reduction, at_a, at_b);
    EXPECT_EQ(c, (std::vector<uint64_t>{2, 2, 3, 3, 4, 4, 7, 7}));
    const auto d = rdt::algo::multiply(machine, reduction, at_b, at_a);
    EXPECT_NE(c, d);
}

TEST(swapped_algorithms, one_dimension_of_the_product_takes_the_steps_of_theorem_4_6) {
    const auto network = make_network("rhsn:2,2,2,q1");
    const ProductEmulation product(as_rhsn(*network));
    std::map<uint64_t, uint32_t> steps;  // how many dimensions take so many
    std::vector<uint64_t> data(network->nodes());
    for (NodeId v = 0; v < data.size(); ++v) data[v] = v;
    for (uint32_t a = 0; a < product.dimensions(); ++a) {
        StepMachine machine(*network, PortModel::OnePort);
        const auto received = product.send(machine, a, data);
        for (NodeId v = 0; v < data.size(); ++v) EXPECT_EQ(received[v], v ^ 1u << a);
        ++steps[machine.steps()];
    }
    EXPECT_EQ(steps, (std::map<uint64_t, uint32_t>{{1, 1}, {3, 3}, {5, 3}, {7, 1}}));
    for (const char* name : {"rhsn:3,q2", "rhsn:2,k5", "rhsn:2,2,ring3", "rhsn:2,path4",
                             "rhsn:3,2,k3", "rhsn:2,star3", "rhsn:2,petersen", "rhsn:2,fq3+d"}) {
        const Outcome o = run_algorithm(name, "emulate");
        EXPECT_TRUE(o.correct) << name;
        EXPECT_EQ(o.steps, o.bound) << name;
    }
}

TEST(swapped_algorithms, all_dimensions_at_once_keep_to_theorem_4_8) {
    const Outcome example = run_algorithm("rhsn:4,q3", "emulate", {"port=all"});
    expect(example, 6, 9);
    EXPECT_EQ(example.counts.at(1).second, 6u);  // nothing is shorter
    for (const char* name : {"rhsn:3,q2", "rhsn:2,k5", "rhsn:2,2,q2", "rhsn:2,2,2,q1",
                             "rhsn:3,2,k3", "rhsn:2,ring5", "rhsn:2,path4"}) {
        const Outcome o = run_algorithm(name, "emulate", {"port=all"});
        EXPECT_TRUE(o.correct) << name;
        EXPECT_LE(o.steps, *o.bound) << name;
    }
}

TEST(swapped_algorithms, links_carry_the_loads_of_theorem_4_8) {
    for (const char* name : {"rhsn:4,q3", "rhsn:3,2,k3", "rhsn:2,2,2,q1", "rhsn:3,2,q2"}) {
        const auto network = make_network(name);
        const auto& shape = as_rhsn(*network).shape();
        const ProductEmulation product(as_rhsn(*network));
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> load;  // by depth and level, or port
        for (uint32_t a = 0; a < product.dimensions(); ++a)
            for (const auto& g : product.way(a)) ++load[{g.depth, g.level}];
        EXPECT_EQ(load.size(), network->ports()) << name;
        for (const auto& [link, count] : load)
            EXPECT_EQ(count, link.first == 0
                                 ? shape.digits()
                                 : 2 * shape.digits() * product.ports() / shape.levels(link.first))
                << name;
    }
}

TEST(swapped_algorithms, a_wrong_schedule_of_the_emulation_does_not_pass) {
    const auto network = make_network("rhsn:4,q3");
    const ProductEmulation product(as_rhsn(*network));
    std::vector<std::vector<uint64_t>> data(product.dimensions());
    for (uint32_t a = 0; a < data.size(); ++a)
        for (NodeId v = 0; v < network->nodes(); ++v) data[a].push_back(1000000 * a + v);
    auto schedule = product.schedule();
    StepMachine machine(*network, PortModel::AllPort);
    EXPECT_NO_THROW(product.send_all(machine, schedule, data));
    // Two dimensions that use the same link in the same step.
    schedule[3] = schedule[4] = {0, 1, 2};
    EXPECT_THROW(product.send_all(machine, schedule, data), MovementError);
    // With one port a node can do only one of them.
    StepMachine one(*network, PortModel::OnePort);
    EXPECT_THROW(product.send_all(one, product.schedule(), data), MovementError);
}

}  // namespace
