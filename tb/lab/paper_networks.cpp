// SPDX-License-Identifier: MIT
// rdt paper scc and prc: what is printed is found again, but for what the papers have wrong.
#include <cmath>
#include <map>

#include "paper_bench.h"

namespace {

using rdt::paper::Report;
using rdt::paper::Value;
using rdt::tb::is_equal;
using rdt::tb::quick;

const std::string Section2 = "section 2, n = ";
const std::string Rings = ", shortest ring of a lateral link, beside a local one's";
const std::string BestDiameter = ", diameter of the best divisible PRC, beside the CCC's";
const std::string BestCut = ", cut of the best divisible PRC, beside the CCC's bisection";
const std::string Section6 = "section 6, n = ";
const std::string BesideStar = ", one port: running time, beside the star's steps";
const std::string BesideCcc = "section 6, 6-SCC beside 9-CCC, ";

// Values that differ from the paper's, with the computed value.
std::map<std::string, double> differences(const Report& report) {
    std::map<std::string, double> result;
    for (const Value& v : report.values)
        if (v.ours && v.paper && !is_equal(v)) {
            result[v.name] = std::round(*v.ours * 10) / 10;
            EXPECT_FALSE(v.note.empty()) << v.name << " differs without a note";
        }
    return result;
}

TEST(paper_networks, the_star_connected_cycles_differ_only_where_the_paper_is_wrong) {
    const Report r = quick("scc");
    const std::map<std::string, double> known{{"table 1, one port, n = 7, diameter", 30},
                                              {"table 1, one port, n = 7, % above diameter", 20},
                                              {"table 1, all ports, n = 7, diameter", 30},
                                              {"table 1, all ports, n = 7, % above diameter", 20},
                                              {"table 2, star, n = 5, steps", 8},
                                              {"table 2, star, n = 6, steps", 11},
                                              {"table 2, star, n = 7, steps", 14},
                                              {"theorem 1, n = 7, diameter", 30},
                                              {"lemma 1, n = 5, distance of the antipode", 14},
                                              {"lemma 1, n = 7, distance of the antipode", 27},
                                              {"section 2, n = 3, local links", 6},
                                              {Section2 + "4" + Rings, 12},
                                              {Section2 + "5" + Rings, 12},
                                              {Section6 + "5" + BesideStar, 12},
                                              {Section6 + "6" + BesideStar, 14},
                                              {Section6 + "7" + BesideStar, 18},
                                              // Smaller than those of the CCC, as stated.
                                              {BesideCcc + "nodes of a ring", 5},
                                              {BesideCcc + "lateral links of a ring", 5}};
    EXPECT_EQ(differences(r), known);
    EXPECT_GT(r.values.size(), 150u);
    ASSERT_EQ(r.pictures.size(), 1u);
    EXPECT_EQ(r.pictures[0].second.rfind("<svg", 0), 0u);
}

TEST(paper_networks, the_chordal_rings_differ_only_where_the_paper_is_wrong) {
    const Report r = quick("prc");
    const std::map<std::string, double> known{
        {"section 2, N = 125, worst greedy distance", 12},
        {"theorem 2, chordal:16,4, exact bisection", 8},
        {"theorem 2, chordal:16,4,8, exact bisection", 8},
        {"theorem 4, figure 7, exact bisection", 6},
        {"prc:100,4,20, worst case of algorithm 3", 12},
        {"prc:1024,4,16,64,256, worst case of algorithm 3", 19},
        {"prc:1024,4,16,64,256, hops from 0 to 1023", 15},
        {"N = 64, least diameter by search", 9},
        {"N = 4096, least diameter by search", 23},
        {"N = 65536, least diameter by search", 31},
        {"section 5, 32 x 32 torus, bisection", 64},
        {"pec:32, diameter", 8},
        {"pec:1024, diameter", 32},
        {"equal skips: prc:16,4,4,8,8, diameter beside theorem 3's", 6},
        {"equal skips: prc:64,4,4,16,16, diameter beside theorem 3's", 10},
        {"64 nodes" + BestDiameter, 9},
        {"64 nodes" + BestCut, 32},
        {"2048 nodes" + BestDiameter, 21},
        {"2048 nodes" + BestCut, 512},
        {"1048576 nodes" + BestDiameter, 41},
        {"1048576 nodes" + BestCut, 87380},
        {"prc:32,14,24, diameter, any skips", 6},
        {"prc:64,4,12,24,52, diameter, any skips", 7},
        {"prc:1024,28,232,448,748, diameter, any skips", 13}};
    EXPECT_EQ(differences(r), known);
    EXPECT_EQ(r.pictures.size(), 3u);
    ASSERT_EQ(r.plots.size(), 1u);
    EXPECT_EQ(r.plots[0].second.curves.size(), 6u);
}

TEST(paper_networks, a_value_that_differs_is_noticed) {
    Report r{"x", "", {{"right", 1, 1, 0, ""}, {"wrong", 2, 1, 0, "why"}}, {}, {}};
    EXPECT_EQ(differences(r), (std::map<std::string, double>{{"wrong", 2}}));
}

}  // namespace
