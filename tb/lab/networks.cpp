// SPDX-License-Identifier: MIT
// Every kind of network: its shape, its names, its routings; Table II of the paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <rdt/net/graph/drawing.h>
#include <rdt/net/graph/facts.h>

namespace {

using rdt::make_network;
using rdt::make_routing;
using rdt::Network;
using rdt::NodeId;

// Small ones of every kind and of every special case.
const std::vector<std::string> Small{"torus:4x4",
                                     "torus:5x3",
                                     "torus:2x4",
                                     "torus:3x4x5",
                                     "torus:7",
                                     "torus:2x2x2",
                                     "mesh:4x4",
                                     "mesh:5x3x2",
                                     "mesh:2x2",
                                     "hypercube:1",
                                     "hypercube:6",
                                     "debruijn:2,2",
                                     "debruijn:2,6",
                                     "debruijn:3,3",
                                     "kautz:2,2",
                                     "kautz:2,5",
                                     "kautz:3,3",
                                     "star:2",
                                     "star:3",
                                     "star:5",
                                     "ccc:3",
                                     "ccc:5",
                                     "crossed:1",
                                     "crossed:2",
                                     "crossed:7",
                                     "midimew:3x3",
                                     "midimew:6x6",
                                     "midimew:1x17",
                                     "rdt:8",
                                     "rdt:16",
                                     "prdt:8",
                                     "prdt:16",
                                     "rcc:3,0",
                                     "rcc:4,1",
                                     "rcc:2,2",
                                     "rcc:3,2",
                                     "rhsn:3,q2",
                                     "rhsn:2,2,k2",
                                     "rhsn:2,k6",
                                     "rhsn:2,ring5",
                                     "rhsn:3,path3",
                                     "rhsn:2,star3",
                                     "rhsn:2,fq3",
                                     "rhsn:2,q3+d",
                                     "rhsn:2,petersen+d",
                                     "scc:3",
                                     "scc:4",
                                     "chordal:8,3",
                                     "chordal:20,4,5",
                                     "prc:16,4",
                                     "prc:24,4,6",
                                     "prc:27,3,9,12",
                                     "pec:2",
                                     "pec:20",
                                     "rdt:16,2,2,2",
                                     "rdt:12,3,2,1",
                                     "rdt:12,2,2,2",
                                     "rdt:16,1,5,5",
                                     "tree:4,2",
                                     "tree:2,5",
                                     "shuffle:5",
                                     "shuffle:6",
                                     "rhsn:1,q3",
                                     "prc:16,4,4,8,8",
                                     "rhsn-copies:1,2,q2",
                                     "rhsn-copies:1,2,k3",
                                     "rhsn-part:3,3,q2"};

TEST(networks, every_kind_is_among_those_tested) {
    for (const auto& [kind, entry] : rdt::NetworkKind::all()) {
        if (kind == "file") continue;  // graph_files.cpp
        const auto same = [start = kind + ":"](const std::string& name) {
            return name.rfind(start, 0) == 0;
        };
        EXPECT_TRUE(std::any_of(Small.begin(), Small.end(), same)) << kind;
        EXPECT_EQ(entry.form.rfind(kind + ":", 0), 0u) << kind;
        EXPECT_FALSE(entry.about.empty()) << kind;
    }
}

TEST(networks, every_link_is_seen_from_both_ends) {
    for (const std::string& name : Small) {
        const auto n = make_network(name);
        uint64_t links = 0;
        for (NodeId node = 0; node < n->nodes(); ++node)
            for (uint32_t port = 0; port < n->ports(); ++port) {
                const auto to = n->neighbor(node, port);
                if (!to) continue;
                ++links;
                ASSERT_LT(*to, n->nodes()) << name;
                EXPECT_NE(*to, node) << name;
                if (n->directed()) continue;
                const uint32_t back = n->port_back(node, port);
                ASSERT_LT(back, n->ports()) << name;
                EXPECT_EQ(n->neighbor(*to, back), node) << name;
                EXPECT_EQ(n->port_back(*to, back), port) << name;
            }
        EXPECT_GT(links, 0u) << name;
    }
}

TEST(networks, names_and_labels_identify_networks_and_nodes) {
    for (const std::string& name : Small) {
        const auto n = make_network(name);
        EXPECT_EQ(n->name(), name);
        EXPECT_EQ(make_network(n->name())->nodes(), n->nodes());
        for (NodeId node = 0; node < n->nodes(); ++node) {
            EXPECT_EQ(n->parse(n->label(node)), node) << name;
            EXPECT_EQ(n->parse(std::to_string(node)), node) << name;
        }
    }
}

TEST(networks, wrong_names_are_refused_in_one_line) {
    for (const char* name : {"",
                             "torus",
                             "torus:",
                             "torus:4x",
                             "torus:x4",
                             "torus:4,4",
                             "torus:1x4",
                             "torus:-4x4",
                             "torus:99999x99999",
                             "torus:4 x4",
                             "ring:4",
                             "hypercube:0",
                             "hypercube:40",
                             "hypercube:4x4",
                             "debruijn:2",
                             "debruijn:1,4",
                             "debruijn:2,1",
                             "debruijn:60,20",
                             "kautz:2,3,4",
                             "star:1",
                             "star:20",
                             "ccc:2",
                             "crossed:0",
                             "midimew:2x2",
                             "midimew:16",
                             "rdt:10",
                             "rdt:512",
                             "prdt:2",
                             "rdt:8x8",
                             "torus:123456789012x2",
                             "rcc:4",
                             "rcc:1,2",
                             "rcc:4,9",
                             "rcc:4,4",
                             "rcc:4,2,1",
                             "rhsn:3",
                             "rhsn:q3",
                             "rhsn:0,q3",
                             "rhsn:3,q3,2",
                             "rhsn:3,z3",
                             "rhsn:3,q",
                             "rhsn:3,q99",
                             "rhsn:3,q3+",
                             "rhsn:3,q3+e",
                             "rhsn:,q3",
                             "rhsn:22,22,22,22,22,q3",
                             "rhsn:3,petersen5",
                             "scc:2",
                             "scc:10",
                             "scc:4,4",
                             "pec:1"}) {
        try {
            make_network(name);
            ADD_FAILURE() << name << " was taken";
        } catch (const rdt::NetworkError& e) {
            const std::string what = e.what();
            EXPECT_FALSE(what.empty());
            EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        }
    }
}

TEST(networks, wrong_nodes_and_routings_are_refused) {
    for (const std::string& name : Small) {
        const auto n = make_network(name);
        for (const std::string& text :
             {std::to_string(n->nodes()), std::string("-1"), std::string(""), std::string("99,99"),
              std::string("1,"), std::string("1,2,3,4,5,6,7,8,9"), std::string("x")})
            EXPECT_THROW(n->parse(text), rdt::NetworkError) << name << " " << text;
        EXPECT_THROW(make_routing(*n, "no such routing"), rdt::NetworkError) << name;
    }
}

// A typical first network of a user.
class Pair : public Network {
public:
    std::string name() const override { return "pair:2"; }
    uint32_t nodes() const override { return 2; }
    uint32_t ports() const override { return 1; }
    std::optional<NodeId> neighbor(NodeId node, uint32_t) const override { return 1 - node; }
    uint32_t port_back(NodeId, uint32_t) const override { return 0; }
    std::vector<std::string> routings() const override { return {}; }
    std::unique_ptr<rdt::Routing> routing(const std::string&) const override { return nullptr; }
};

template <class F>
std::string refusal_of(F&& f) {
    try {
        f();
    } catch (const rdt::NetworkError& e) {
        return e.what();
    }
    return "";
}

TEST(networks, network_without_routings_uses_shortest_paths_only_by_name) {
    const Pair pair;
    for (const auto& refused : {refusal_of([&] { make_routing(pair, ""); }),
                                refusal_of([&] { rdt::routing_name(pair, ""); })})
        EXPECT_EQ(refused.rfind("pair:2 has no routing of its own", 0), 0u) << refused;
    EXPECT_EQ(refusal_of([&] { make_routing(pair, "dor"); }),
              "pair:2 has no routing \"dor\"; it has shortest");
    EXPECT_EQ(rdt::path(pair, *make_routing(pair, "shortest"), 0, 1).size(), 2u);
}

TEST(networks, malformed_name_is_refused_with_its_form) {
    const rdt::NetworkKind kind{"pair", "pair:N", "", [](const std::string& text) {
                                    EXPECT_EQ(std::stoul(text), 2u);
                                    return std::make_unique<Pair>();
                                }};
    EXPECT_EQ(make_network("pair:2")->nodes(), 2u);
    for (const std::string text : {"x", "", "99999999999999999999999"})
        EXPECT_EQ(refusal_of([&] { make_network("pair:" + text); }),
                  "cannot read \"" + text + "\"; the form is pair:N");
    rdt::NetworkKind::all().erase("pair");
    EXPECT_EQ(refusal_of([&] { make_network("my.anynet"); }),
              "unknown network \"my.anynet\"; a file is file:my.anynet");
}

TEST(networks, small_ones_can_be_drawn) {
    for (const std::string& name : Small) {
        const auto n = make_network(name);
        const std::string svg = rdt::draw(*n);
        EXPECT_EQ(svg.rfind("<svg", 0), 0u) << name;
        EXPECT_EQ(svg.find("nan"), std::string::npos) << name;
        EXPECT_NE(svg.find(">" + n->label(0) + "<"), std::string::npos) << name;
        for (NodeId a = 0; a < n->nodes(); ++a)
            for (NodeId b = 0; b < a; ++b) {
                const rdt::Position p = n->position(a), q = n->position(b);
                EXPECT_GT(std::abs(p.x - q.x) + std::abs(p.y - q.y), 0.05) << name << a << " " << b;
            }
    }
    EXPECT_THROW(rdt::draw(*make_network("hypercube:13")), rdt::NetworkError);
}

// Routings of papers that do without tables; how long their ways are is tested with them.
bool is_longer(const std::string& routing) {
    return routing == "alg1" || routing == "alg2" || routing == "recursive" || routing == "greedy";
}

TEST(networks, listed_routings_of_tori_and_graphs_deliver_all_pairs_without_deadlock) {
    for (const std::string& name : Small) {
        if (name.find("rdt") != std::string::npos) continue;  // tested with their routings
        const auto n = make_network(name);
        const rdt::Distances d = rdt::distances(*n);
        for (const std::string& r : n->routings()) {
            const rdt::RoutingCheck c = rdt::check_routing(*n, *make_routing(*n, r));
            EXPECT_TRUE(c.deadlock_free) << name << " " << r;
            EXPECT_TRUE(c.bounded) << name << " " << r;
            EXPECT_EQ(c.pairs, uint64_t(n->nodes()) * n->nodes());
            if (is_longer(r)) continue;
            EXPECT_DOUBLE_EQ(c.mean_hops, d.mean()) << name << " " << r;
            EXPECT_EQ(c.max_hops, d.diameter) << name << " " << r;
        }
    }
}

TEST(networks, the_default_routing_of_the_rdts_delivers_all_pairs_without_deadlock) {
    for (const char* name : {"rdt:8", "rdt:16", "prdt:8", "prdt:16"}) {
        const auto n = make_network(name);
        EXPECT_TRUE(rdt::check_routing(*n, *make_routing(*n, "")).deadlock_free) << name;
    }
}

TEST(networks, shortest_routing_is_as_short_as_can_be_on_every_network) {
    for (const std::string& name : Small) {
        const auto n = make_network(name);
        const rdt::RoutingCheck c = rdt::check_routing(*n, *make_routing(*n, "shortest"));
        const rdt::Distances d = rdt::distances(*n);
        EXPECT_DOUBLE_EQ(c.mean_hops, d.mean()) << name;
        EXPECT_EQ(c.max_hops, d.diameter) << name;
    }
}

struct Row {
    const char* name;
    uint32_t nodes;
    uint32_t degree;
    uint32_t diameter;
};

// The paper's numbers, except where its own definition gives another one; those are marked.
TEST(networks, diameters_and_degrees_are_those_of_table_ii) {
    for (const Row& row : std::vector<Row>{
             {"torus:64x64", 4096, 4, 64},
             {"torus:256x256", 65536, 4, 256},
             {"torus:16x16x16", 4096, 6, 24},
             {"torus:32x32x64", 65536, 6, 64},
             {"torus:8x8x8x8", 4096, 8, 16},
             {"torus:16x16x16x16", 65536, 8, 32},
             {"hypercube:12", 4096, 12, 12},
             {"hypercube:16", 65536, 16, 16},
             {"debruijn:2,12", 4096, 4, 12},
             {"debruijn:2,16", 65536, 4, 16},
             {"kautz:2,11", 3072, 4, 11},
             {"kautz:2,15", 49152, 4, 15},
             {"star:7", 5040, 6, 9},    // printed 7; the star graph's is floor(3(n-1)/2)
             {"star:8", 40320, 7, 10},  // printed 8
             {"ccc:9", 4608, 3, 20},    // printed 40; it is floor(5n/2) - 2
             {"ccc:12", 49152, 3, 28},  // printed 66
             {"crossed:12", 4096, 12, 7},
             {"crossed:16", 65536, 16, 9},
             {"midimew:64x64", 4096, 4, 45},  // printed 46
             {"midimew:256x256", 65536, 4, 181},
             {"rdt:64", 4096, 8, 8},
             {"rdt:256", 65536, 8, 12},
         }) {
        const auto n = make_network(row.name);
        EXPECT_EQ(n->nodes(), row.nodes) << row.name;
        EXPECT_EQ(rdt::size_of(*n).degree, row.degree) << row.name;
        EXPECT_EQ(rdt::distances(*n).diameter, row.diameter) << row.name;
    }
}

}  // namespace
