// SPDX-License-Identifier: MIT
// rdt paper --quick: what is exact is equal, what is better stays better, the curves keep their
// order.
#include <cmath>
#include <nlohmann/json.hpp>

#include "paper_bench.h"

namespace {

using rdt::paper::Report;
using rdt::paper::Value;
using rdt::tb::is_equal;
using rdt::tb::quick;
using rdt::tb::value;

TEST(paper, table_1_has_the_papers_vectors_beside_the_papers_numbers) {
    const Report r = quick("table1");
    // Like for like, as independent programs have them too.
    const std::tuple<const char*, double, double> rows[] = {
        {"1024 nodes, floating vector", 10, 5.75},  {"4096 nodes, floating vector", 11, 6.81},
        {"16384 nodes, floating vector", 15, 8.66}, {"1024 nodes, deadlock-free", 12, 6.8823},
        {"4096 nodes, deadlock-free", 13, 8.2496},  {"16384 nodes, deadlock-free", 15, 10.1151}};
    for (const auto& [name, diameter, mean] : rows) {
        const Value longest = value(r, std::string(name) + ", diameter");
        const Value average = value(r, std::string(name) + ", average");
        EXPECT_EQ(*longest.ours, diameter) << name;
        EXPECT_NEAR(*average.ours, mean, 5e-3) << name;
        EXPECT_TRUE(longest.paper && average.paper) << name;
        EXPECT_NEAR(*average.ours, *average.paper, 0.11 * *average.paper) << name;
    }
    // The best vectors are this project's, without a number of the paper, and shorter than its
    // values.
    for (const char* nodes : {"1024", "4096", "16384"})
        for (const char* way : {"floating", "deadlock-free"}) {
            const std::string name = std::string(nodes) + " nodes, " + way;
            const Value best = value(r, name + ", best vectors, average");
            EXPECT_FALSE(best.paper) << name;
            const std::string papers = name + (way[0] == 'f' ? " vector, average" : ", average");
            EXPECT_LT(*best.ours, *value(r, papers).paper) << name;
        }
    int compared = 0;
    for (const Value& v : r.values) compared += v.paper ? 1 : 0;
    EXPECT_EQ(compared, 42);
    for (const char* nodes : {"1024", "4096", "16384", "65536"})
        EXPECT_TRUE(is_equal(value(r, std::string(nodes) + " nodes, PRDT diameter")));
}

TEST(paper, tables_2_3_and_5_are_equal_but_for_the_known_misprints) {
    const Report two = quick("table2");
    for (const Value& v : two.values) {
        if (!v.ours) continue;
        const bool is_misprint = v.name.find("star graph") != std::string::npos ||
                                 v.name.find("cycles") != std::string::npos ||
                                 v.name == "4096, midimew, diameter";
        EXPECT_TRUE(is_misprint || is_equal(v)) << v.name;
    }
    for (const Value& v : quick("table3").values) {
        const bool is_other =
            v.name == "rdt:64, cut between columns" || v.name == "rdt:16/1, cut between columns";
        EXPECT_TRUE(is_other || !v.paper || is_equal(v)) << v.name;
    }
    for (const Value& v : quick("table5").values)
        EXPECT_TRUE(v.name.find("rdt") == 0 || is_equal(v)) << v.name;
}

TEST(paper, the_theorems_hold) {
    for (const Value& v : quick("theorems").values) {
        EXPECT_LE(*v.ours, *v.paper) << v.name;
        const bool is_bound = v.name.find("at most") != std::string::npos;
        EXPECT_TRUE(is_bound || is_equal(v)) << v.name;
    }
}

TEST(paper, figure_6_matches_the_graphs) {
    const Report r = quick("fig6");
    const std::tuple<int, int, int> diameters[] = {{128, 2, 8}, {128, 3, 7}, {256, 2, 10},
                                                   {256, 3, 8}, {216, 3, 9}, {288, 3, 9}};
    for (const auto& [side, n, diameter] : diameters)
        EXPECT_EQ(*value(r, "rdt:" + std::to_string(side) + "," + std::to_string(n) +
                                ",4,4: " + std::to_string(side * side) +
                                " nodes, n = " + std::to_string(n) + ", diameter")
                       .ours,
                  diameter);
    EXPECT_EQ(*value(r, "powers of two: nodes from which n = 3 is ahead").ours, 16384);
    EXPECT_GT(*value(r, "beyond, up to 102,400, sides with n = 3 ahead").ours,
              *value(r, "beyond, up to 102,400, sides with n = 2 ahead").ours);
}

TEST(paper, the_rdt_has_its_stated_properties_in_no_more_steps) {
    for (const Value& v : quick("properties").values) {
        if (!v.paper) continue;
        const bool is_16_on_top = v.name.find("prdt:256") == 0;
        const bool is_bound = v.name.find("hypercube") != std::string::npos;
        EXPECT_TRUE(is_16_on_top || is_equal(v) || (is_bound && *v.ours <= *v.paper)) << v.name;
    }
}

TEST(paper, the_chips_multicast_takes_the_steps_that_its_transfers_on_x_cost) {
    const Report r = quick("table6");
    // Lift, then two steps a level with the way down between them, one step where the top torus
    // has two nodes: 2+2, 0+2+3+2+2, 2+1+1+2+1+2+2, 2+2+1+2+1+2+2, 3+2+1+2+1+2+1+2+2.
    const std::pair<const char*, int> steps[] = {
        {"64", 4}, {"256", 9}, {"1024", 11}, {"4096", 12}, {"16384", 16}};
    for (const auto& [nodes, expected] : steps)
        EXPECT_EQ(*value(r, std::string(nodes) + " nodes, RDT, the chip's multicast").ours,
                  expected);
}

TEST(paper, combining_leaves_one_ack_a_copy_and_answers_one_by_one_pile_up) {
    const Report r = quick("combining");
    for (const int receivers : {8, 64, 1024}) {
        const auto of = [&](const std::string& how, const std::string& what) {
            return *value(r, std::to_string(receivers) + " receivers, " + how + ", " + what).ours;
        };
        EXPECT_EQ(of("combined", "answers at the source"), 1);
        EXPECT_EQ(of("one by one", "answers at the source"), receivers);
        const double acks = of("combined", "answers on the busiest link");
        EXPECT_EQ(acks, of("combined", "copies of the multicast on the busiest link"));
        EXPECT_LE(acks, receivers == 1024 ? 2 : 1);
        // All but the source's own answer come in through its eight links.
        EXPECT_GE(of("one by one", "answers on the busiest link"), (receivers - 1) / 8.0);
        EXPECT_LT(of("one by one", "answers on the busiest link"), receivers);
        EXPECT_LT(of("combined", "flits over links"), of("one by one", "flits over links"));
        EXPECT_LT(of("combined", "cycles to the last answer"),
                  of("one by one", "cycles to the last answer"));
    }
    // Combined, time grows with the depth of the tree, one by one with the number of receivers.
    const auto clocks = [&](const std::string& name) {
        return *value(r, name + ", cycles to the last answer").ours;
    };
    EXPECT_LT(clocks("1024 receivers, combined"), 4 * clocks("8 receivers, combined"));
    EXPECT_GT(clocks("1024 receivers, one by one"), 10 * clocks("64 receivers, one by one"));
}

TEST(paper, jump_1_takes_the_cycles_that_were_published) {
    const Report r = quick("jump-1");
    EXPECT_TRUE(is_equal(value(r, "clusters")));
    EXPECT_TRUE(is_equal(value(r, "processors")));
    const std::pair<const char*, double> rows[] = {
        {"remote memory read, cycles", 0.05},
        {"remote memory read, hardware alone, cycles", 0.1},
        {"remote-cache miss, cycles", 0.05},
        {"matrix product, speed-up on 2 processors", 0.03},
        {"matrix product, speed-up on 4 processors", 0.03}};
    for (const auto& [name, tolerance] : rows) {
        const Value v = value(r, name);
        EXPECT_NEAR(*v.ours, *v.paper, tolerance * *v.paper) << name;
    }
}

// Statements on figures 10 and 11 are in tb/statements/rdt.txt.
TEST(paper, figure_9_keeps_its_order) {
    const Report r = quick("fig9");
    ASSERT_EQ(r.plots.size(), 1u);
    EXPECT_EQ(r.plots[0].second.curves.size(), 8u);
    const auto throughput = [&](const std::string& name) {
        return *value(r, name + ", saturates at").ours;
    };
    const auto latency = [&](const std::string& name) {
        return *value(r, name + ", zero-load latency").ours;
    };
    EXPECT_LT(throughput("2D torus"), throughput("RDT, simple vectors"));
    EXPECT_LT(throughput("3D torus"), throughput("4D torus"));
    EXPECT_LT(throughput("4D torus"), throughput("hypercube"));
    EXPECT_LT(throughput("RDT, simple vectors"), throughput("RDT, best vectors"));
    EXPECT_LT(throughput("RDT, best vectors"), throughput("RDT, adaptive"));
    EXPECT_LT(throughput("4D torus"), throughput("RDT, adaptive"));
    EXPECT_LT(latency("RDT, simple vectors"), latency("3D torus"));
    EXPECT_LT(latency("RDT, adaptive"), latency("hypercube"));
    EXPECT_NE(rdt::to_svg(r.plots[0].second).find("</svg>"), std::string::npos);
}

TEST(paper, every_item_can_be_written_as_text_and_json) {
    for (const char* id : {"table4", "table6", "table7", "table8", "fig6"}) {
        const Report r = quick(id);
        EXPECT_EQ(r.id, id);
        EXPECT_EQ(rdt::paper::to_text(r).find(std::string(id) + ": "), 0u);
        const auto json = rdt::paper::to_json(r);
        EXPECT_EQ(json["values"].size(), r.values.size());
        for (const auto& v : json["values"]) EXPECT_TRUE(v.contains("here") && v.contains("paper"));
    }
}

TEST(paper, without_a_synthesis_result_tables_7_and_8_name_the_sign_off) {
    rdt::paper::Options options;
    options.synthesis = "no/such/file.json";
    for (const Report& r : {rdt::paper::table7(options), rdt::paper::table8(options)})
        for (const Value& v : r.values) {
            if (v.name == "total pins") continue;
            ASSERT_TRUE(v.ours) << v.name;
            EXPECT_GT(*v.ours, 0) << v.name;
        }
    EXPECT_EQ(*value(rdt::paper::table8(options), "crossbar").ours, 2567);
    EXPECT_EQ(value(rdt::paper::table8(options), "crossbar").note.find("signed off at "), 0u);
}

TEST(paper, table_3_counts_the_papers_cut_on_the_graph_with_rank_1_in_missing_places) {
    const Report r = quick("table3");
    EXPECT_EQ(*value(r, "rdt:64/1, cut between columns").ours, 1664);
    EXPECT_EQ(*value(r, "rdt:64, cut between columns").ours, 2560);
    EXPECT_EQ(*value(r, "rdt:32/1, cut between columns").ours, 832);
}

TEST(paper, table_1_has_both_assignments_and_fixed_routing_meets_the_papers_diameters) {
    const Report r = quick("table1");
    EXPECT_EQ(*value(r, "1024 nodes, fixed vector, rank 1, diameter").ours, 9);
    EXPECT_EQ(*value(r, "4096 nodes, fixed vector, rank 1, diameter").ours, 11);
    EXPECT_EQ(*value(r, "16384 nodes, fixed vector, diameter").ours, 15);
    EXPECT_NEAR(*value(r, "4096 nodes, deadlock-free, rank 1, average").ours, 8.1863, 0.5001e-4);
    EXPECT_EQ(*value(r, "1024 nodes, closed partition, diameter").ours, 18);
}

}  // namespace
