// SPDX-License-Identifier: MIT
// Recursive hierarchical swapped networks and RCC-FULL: structure, size, distances and routing as
// in their papers; where a paper is wrong, as in the definition.
#include <rdt/net/families/rhsn.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/families/nucleus.h>
#include <rdt/net/families/rcc.h>

namespace {

using rdt::distances;
using rdt::make_network;
using rdt::make_routing;
using rdt::Network;
using rdt::NodeId;
using rdt::Rcc;
using rdt::RccFormulas;
using rdt::Rhsn;

using Links = std::set<std::pair<NodeId, NodeId>>;

Links links_of(const Network& n) {
    Links links;
    for (NodeId node = 0; node < n.nodes(); ++node)
        for (uint32_t port = 0; port < n.ports(); ++port)
            if (const auto to = n.neighbor(node, port))
                links.insert({std::min(node, *to), std::max(node, *to)});
    return links;
}

// The definition of RCC-FULL in plain integers.
Links rcc_by_definition(uint32_t atom, uint32_t level) {
    uint32_t nodes = atom;
    for (uint32_t l = 0; l < level; ++l) nodes *= nodes;
    Links links;
    for (NodeId v = 0; v < nodes; ++v) {
        for (NodeId w = v + 1; w / atom == v / atom; ++w) links.insert({v, w});
        uint32_t m = atom;
        for (uint32_t l = 1; l <= level; ++l, m *= m) {
            const uint32_t low = v % (m * m), i = low / m, j = low % m;
            const NodeId w = v - low + j * m + i;
            if (v < w) links.insert({v, w});
        }
    }
    return links;
}

TEST(rhsn, rcc_is_built_as_defined_and_is_the_rhsn_of_twos_on_a_complete_graph) {
    for (const auto& [atom, level] : std::vector<std::pair<uint32_t, uint32_t>>{
             {4, 0}, {2, 1}, {4, 1}, {5, 1}, {8, 1}, {2, 2}, {3, 2}, {4, 2}, {2, 3}}) {
        const Rcc rcc(atom, level);
        const Links links = rcc_by_definition(atom, level);
        EXPECT_EQ(links_of(rcc), links) << rcc.name();
        if (level == 0) continue;
        std::string name = "rhsn:";
        for (uint32_t l = 0; l < level; ++l) name += "2,";
        const auto rhsn = make_network(name + "k" + std::to_string(atom));
        EXPECT_EQ(links_of(*rhsn), links) << name;
        // and its routing is Algorithm 1
        const auto& r = dynamic_cast<const Rhsn&>(*rhsn);
        for (NodeId s = 0; s < rcc.nodes(); s += 3)
            for (NodeId d = 0; d < rcc.nodes(); ++d)
                EXPECT_EQ(r.recursive_path(s, d).size(), rcc.algorithm1(s, d).size());
    }
}

TEST(rhsn, a_link_more_or_less_would_be_noticed) {
    Links links = rcc_by_definition(4, 1);
    links.erase(links.begin());
    EXPECT_NE(links_of(Rcc(4, 1)), links);
}

struct RccRow {
    uint32_t atom, level, nodes, degree, diameter, links;
};

TEST(rhsn, nodes_degrees_diameters_and_links_of_rcc_are_those_of_table_i_and_its_formulas) {
    for (const RccRow& r : std::vector<RccRow>{{2, 1, 4, 2, 3, 3},
                                               {4, 1, 16, 4, 3, 30},
                                               {8, 1, 64, 8, 3, 252},
                                               {2, 2, 16, 3, 7, 18},
                                               {3, 2, 81, 4, 7, 144},
                                               {4, 2, 256, 5, 7, 600},
                                               {5, 2, 625, 6, 7, 1800},
                                               {2, 3, 256, 4, 15, 408},
                                               {3, 3, 6561, 5, 15, 14904},
                                               {4, 3, 65536, 6, 15, 186240}}) {
        const Rcc n(r.atom, r.level);
        const RccFormulas f{r.atom, r.level};
        EXPECT_EQ(n.nodes(), r.nodes) << n.name();
        EXPECT_EQ(f.nodes(), r.nodes) << n.name();
        const rdt::Size size = rdt::size_of(n);
        EXPECT_EQ(size.degree, r.degree) << n.name();
        EXPECT_EQ(f.degree(), r.degree) << n.name();
        EXPECT_EQ(size.links, r.links) << n.name();
        EXPECT_EQ(f.links(), r.links) << n.name();
        EXPECT_EQ(distances(n).diameter, r.diameter) << n.name();
        EXPECT_EQ(f.diameter(), r.diameter) << n.name();
    }
}

TEST(rhsn, the_three_averages_of_rcc_are_equation_7_algorithm_1_and_breadth_first_search) {
    struct Row {
        uint32_t atom, level;
        double eq7, alg1, bfs;
    };
    for (const Row& r : std::vector<Row>{{4, 1, 1.734, 2.0625, 2.0625},
                                         {4, 2, 4.088, 4.934, 4.679},
                                         {8, 2, 5.498, 5.976, 5.778},
                                         {2, 3, 4.386, 6.629, 5.896},
                                         {4, 3, 9.124, 10.844, 9.730}}) {
        const Rcc n(r.atom, r.level);
        const RccFormulas f{r.atom, r.level};
        EXPECT_NEAR(f.average(), r.eq7, 0.0006) << n.name();
        EXPECT_NEAR(f.average_algorithm1(), r.alg1, 0.0006) << n.name();
        EXPECT_NEAR(distances(n).mean(), r.bfs, 0.0006) << n.name();
    }
    EXPECT_NEAR((RccFormulas{16, 2}.average()), 6.246, 0.0006);
    EXPECT_NEAR((RccFormulas{16, 2}.average_algorithm1()), 6.493, 0.0006);
    EXPECT_NEAR((RccFormulas{256, 1}.average()), 2.9766, 0.00006);
    EXPECT_NEAR((RccFormulas{256, 1}.average_algorithm1()), 2.9844, 0.00006);
}

TEST(rhsn, paths_of_algorithms_1_and_2_have_the_stated_length_and_no_deadlock) {
    for (const auto& [atom, level] : std::vector<std::pair<uint32_t, uint32_t>>{
             {2, 1}, {4, 1}, {8, 1}, {2, 2}, {3, 2}, {4, 2}, {2, 3}}) {
        const Rcc n(atom, level);
        const auto one = rdt::check_routing(n, *make_routing(n, "alg1"));
        const auto two = rdt::check_routing(n, *make_routing(n, "alg2"));
        EXPECT_TRUE(one.deadlock_free && two.deadlock_free) << n.name();
        EXPECT_EQ(one.max_hops, (2u << level) - 1) << n.name();
        EXPECT_NEAR(one.mean_hops, (RccFormulas{atom, level}.average_algorithm1()), 1e-9);
        if (atom > 2) {
            EXPECT_EQ(two.max_hops, 2u << level) << n.name();
        } else {
            EXPECT_LT(two.max_hops, 2u << level) << n.name();
        }
    }
}

TEST(rhsn, without_its_virtual_channels_algorithm_1_can_deadlock) {
    // The same ways, all in one channel: the check must find the cycle.
    class OneChannel : public rdt::Routing {
    public:
        explicit OneChannel(std::unique_ptr<rdt::Routing> r) : m_routing(std::move(r)) {}
        uint32_t vcs() const override { return 1; }
        rdt::RouteTag start(NodeId s, NodeId d) const override { return m_routing->start(s, d); }
        void next(NodeId at, NodeId dst, const rdt::RouteTag& tag, rdt::OutChannel in,
                  rdt::Choices& out) const override {
            rdt::Choices all;
            m_routing->next(at, dst, tag, in, all);
            out.clear();
            for (const auto& c : all) out.add(c.port, 0);
        }
        rdt::RouteTag advance(NodeId at, const rdt::RouteTag& tag,
                              rdt::OutChannel taken) const override {
            return m_routing->advance(at, tag, taken);
        }

    private:
        std::unique_ptr<rdt::Routing> m_routing;
    };
    const Rcc n(4, 2);
    EXPECT_FALSE(rdt::check_routing(n, OneChannel(make_routing(n, "alg1"))).deadlock_free);
}

TEST(rhsn, cuts_of_rcc) {
    const Rcc small(4, 1);
    const rdt::Bisection b = rdt::bisection(small);
    EXPECT_TRUE(b.exact);
    EXPECT_EQ(b.links, 4u);  // N/4
    const rdt::Bisection c = rdt::bisection(Rcc(2, 2));
    EXPECT_TRUE(c.exact);
    EXPECT_EQ(c.links, 3u);  // less than N/4
    EXPECT_LE(rdt::bisection(Rcc(2, 3)).links, 33u);
    for (const auto& [atom, level] :
         std::vector<std::pair<uint32_t, uint32_t>>{{4, 1}, {8, 1}, {4, 2}, {2, 3}}) {
        const Rcc n(atom, level);
        const uint32_t m = n.side();
        std::vector<bool> rows(n.nodes()), columns(n.nodes()), mixed(n.nodes());
        for (NodeId v = 0; v < n.nodes(); ++v) {
            const uint32_t i = v / m, j = v % m;
            rows[v] = i < m / 2;
            columns[v] = j < m / 2;
            mixed[v] = 4 * i < m || 4 * j < m || (2 * i < m && 2 * j < m);
        }
        EXPECT_EQ(rdt::cut(n, rows), n.nodes() / 4) << n.name();
        EXPECT_GT(rdt::cut(n, columns), n.nodes() / 4) << n.name();
        if (level == 2) {
            EXPECT_EQ(uint32_t(std::count(mixed.begin(), mixed.end(), true)), n.nodes() / 2);
            EXPECT_EQ(rdt::cut(n, mixed), 5 * n.nodes() / 32) << n.name();
        }
    }
}

// Links from the nodes where `inside` is true to all others.
uint64_t pins(const Network& n, const std::function<bool(NodeId)>& inside) {
    std::vector<bool> half(n.nodes());
    for (NodeId v = 0; v < n.nodes(); ++v) half[v] = inside(v);
    return rdt::cut(n, half);
}

TEST(rhsn, pins_of_chips_are_exact_counts) {
    const auto cube = make_network("hypercube:8");
    for (uint32_t chips : {2u, 4u, 16u}) {
        for (const Rcc& n : {Rcc(16, 1), Rcc(4, 2)})
            for (uint32_t chip = 0; chip < chips; ++chip)
                EXPECT_EQ(pins(n, [&](NodeId v) { return v / (256 / chips) == chip; }),
                          (RccFormulas{n.atom(), n.level()}.pins(chips)))
                    << n.name();
        EXPECT_EQ(pins(*cube, [&](NodeId v) { return v / (256 / chips) == 0; }),
                  256 / chips * std::log2(chips));
    }
    // Rows in parts: the formula counts the chip that holds node (i, i), others have a pin more.
    const Rcc one(16, 1), two(4, 2);
    for (uint32_t parts : {2u, 4u}) {
        const uint32_t size = 16 / parts;
        EXPECT_EQ(pins(one, [&](NodeId v) { return v / size == 0; }),
                  (RccFormulas{16, 1}.pins_of_part(parts)));
        EXPECT_EQ(pins(one, [&](NodeId v) { return v / size == 1; }),
                  (RccFormulas{16, 1}.pins_of_part(parts) + 1));
        EXPECT_EQ(pins(two, [&](NodeId v) { return v / size == 0; }),
                  (RccFormulas{4, 2}.pins_of_part(parts)));
    }
    // Beyond N^(1/4) parts the formula for more levels is too small.
    const auto eighth = pins(two, [](NodeId v) { return v / 2 == 1; });
    EXPECT_GT(double(eighth), (RccFormulas{4, 2}.pins_of_part(8)));
}

struct RhsnRow {
    const char* name;
    uint32_t nodes, degree, diameter;
};

TEST(rhsn, sizes_diameters_and_longest_recursive_ways_follow_from_the_nucleus) {
    const std::vector<std::string> nuclei{"q1",    "q2",    "q3",    "k3",       "k4",  "ring3",
                                          "ring5", "path3", "path4", "petersen", "fq3", "star3"};
    int checked = 0;
    for (const std::string& nucleus : nuclei)
        for (const std::vector<uint32_t>& levels :
             std::vector<std::vector<uint32_t>>{{2}, {3}, {2, 2}, {3, 2}, {2, 2, 2}}) {
            const auto g = rdt::make_nucleus(nucleus);
            uint32_t p = 1, degree = rdt::size_of(*g).degree;
            std::string name = "rhsn:";
            for (uint32_t l : levels) {
                p *= l;
                degree += l - 1;
                name += std::to_string(l) + ",";
            }
            if (std::pow(g->nodes(), p) > 4096) continue;
            const auto n = make_network(name + nucleus);
            const uint32_t diameter = (distances(*g).diameter + 1) * p - 1;
            EXPECT_EQ(n->nodes(), std::pow(g->nodes(), p)) << n->name();
            EXPECT_EQ(distances(*n).diameter, diameter) << n->name();
            // As far apart as can be: words of one digit, those two that are so in the nucleus.
            NodeId far = 0, to = 0;
            const auto shortest = make_routing(*g, "shortest");
            while (rdt::path(*g, *shortest, 0, far).size() != distances(*g).diameter + 1) ++far;
            for (uint32_t i = 0; i < p; ++i) to = to * g->nodes() + far;
            EXPECT_EQ(rdt::path(*n, *make_routing(*n, "shortest"), 0, to).size(), diameter + 1)
                << n->name();
            // Where every node of some digits leads, no node has all links.
            EXPECT_LE(rdt::size_of(*n).degree, degree) << n->name();
            if (g->nodes() > 2 || p == 2) {
                EXPECT_EQ(rdt::size_of(*n).degree, degree) << n->name();
            }
            const auto& r = dynamic_cast<const Rhsn&>(*n);
            size_t longest = 0;
            for (NodeId s = 0; s < n->nodes(); s += 1 + n->nodes() / 64)
                for (NodeId d = 0; d < n->nodes(); ++d)
                    longest = std::max(longest, r.recursive_path(s, d).size());
            EXPECT_LE(longest, diameter) << n->name();
            ++checked;
        }
    EXPECT_GE(checked, 38);
    for (const RhsnRow& r : std::vector<RhsnRow>{
             {"rhsn:3,q2", 64, 4, 8}, {"rhsn:2,2,q2", 256, 4, 11}, {"rhsn:3,2,k3", 729, 5, 11}}) {
        const auto n = make_network(r.name);
        EXPECT_EQ(n->nodes(), r.nodes);
        EXPECT_EQ(rdt::size_of(*n).degree, r.degree);
        EXPECT_EQ(distances(*n).diameter, r.diameter);
        const auto c = rdt::check_routing(*n, *make_routing(*n, "recursive"));
        EXPECT_TRUE(c.deadlock_free);
        EXPECT_EQ(c.max_hops, r.diameter);
    }
}

TEST(rhsn, diameter_links_join_leaders_and_make_the_hierarchical_cubic_network) {
    for (uint32_t n = 1; n <= 5; ++n) {
        const auto hcn = make_network("rhsn:2,q" + std::to_string(n) + "+d");
        EXPECT_EQ(distances(*hcn).diameter, n + (n + 1) / 3 + 1) << hcn->name();
        EXPECT_EQ(rdt::size_of(*hcn).degree, n + 1);
    }
    const auto plain = make_network("rhsn:2,q2"), with = make_network("rhsn:2,q2+d");
    Links links = links_of(*with);
    for (const auto& link : links_of(*plain)) EXPECT_EQ(links.erase(link), 1u);
    EXPECT_EQ(links, (Links{{0, 15}, {5, 10}}));  // 0.0 - 3.3 and 1.1 - 2.2
    // The folded one is smaller still.
    EXPECT_LT(distances(*make_network("rhsn:2,fq4+d")).diameter,
              distances(*make_network("rhsn:2,q4+d")).diameter);
}

TEST(rhsn, nodes_that_stand_for_all_give_the_same_distances) {
    for (const char* name :
         {"rcc:3,1", "rcc:4,2", "rcc:3,2", "rcc:2,3", "rhsn:3,q2", "rhsn:2,2,q2", "rhsn:2,q3+d",
          "rhsn:3,q2+d", "rhsn:2,ring5", "rhsn:2,k5", "rhsn:2,fq3+d", "rhsn:2,2,k4+d"}) {
        const auto n = make_network(name);
        EXPECT_EQ(n->representatives().size() * dynamic_cast<const Rhsn&>(*n).nucleus().nodes(),
                  n->nodes())
            << name;
        const rdt::Distances some = distances(*n), all = distances(*n, {}, false);
        EXPECT_EQ(some.diameter, all.diameter) << name;
        EXPECT_EQ(some.sum, all.sum) << name;
    }
    for (const char* name : {"rhsn:2,path4", "rhsn:2,petersen", "rhsn:2,k5+d", "rhsn:2,ring5+d"})
        EXPECT_TRUE(make_network(name)->representatives().empty()) << name;
}

TEST(rhsn, diameters_of_65536_nodes) {
    // From every node; of the others those stand for all that their symmetries leave.
    EXPECT_EQ(distances(*make_network("rcc:16,2"), {}, false).diameter, 7u);
    EXPECT_EQ(distances(*make_network("rhsn:4,q4"), {}).diameter, 19u);
    EXPECT_EQ(distances(*make_network("rcc:4,3"), {}).diameter, 15u);
}

TEST(rhsn, generalized_hypercubes_and_meshes_are_nuclei) {
    // Two nodes of a product of complete graphs are joined if they differ in one digit.
    for (const auto& [name, radices] : {std::pair{"q2^3", std::vector<uint32_t>{3, 3}},
                                        std::pair{"h3x2x4", std::vector<uint32_t>{3, 2, 4}}}) {
        const auto nucleus = rdt::make_nucleus(name);
        uint32_t nodes = 1;
        for (const uint32_t radix : radices) nodes *= radix;
        ASSERT_EQ(nucleus->nodes(), nodes) << name;
        Links expected;
        for (NodeId a = 0; a < nodes; ++a)
            for (NodeId b = a + 1; b < nodes; ++b) {
                uint32_t different = 0;
                NodeId x = a, y = b;
                for (const uint32_t radix : radices) {
                    different += x % radix != y % radix ? 1 : 0;
                    x /= radix;
                    y /= radix;
                }
                if (different == 1) expected.insert({a, b});
            }
        EXPECT_EQ(links_of(*nucleus), expected) << name;
        // Theorem 3.2, of two levels.
        const auto network = make_network(std::string("rhsn:2,") + name);
        EXPECT_EQ(distances(*network).diameter, 2 * (uint32_t(radices.size()) + 1) - 1) << name;
    }
    EXPECT_EQ(distances(*make_network("rhsn:2,mesh2x3")).diameter, 2u * (3 + 1) - 1);
    for (const char* name :
         {"rhsn:2,q0^3", "rhsn:2,q2^1", "rhsn:2,h3x1", "rhsn:2,h", "rhsn:2,h64x64", "rhsn:2,q2^"})
        EXPECT_THROW(make_network(name), rdt::NetworkError) << name;
}

}  // namespace
