// SPDX-License-Identifier: MIT
// Networks in files: a written network is read back unchanged, networks from files have
// deadlock-free routings that deliver everything, and errors are refused in one line.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <rdt/lab/simulate.h>
#include <rdt/net/file/graph_file.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/graph/drawing.h>
#include <rdt/support/random.h>

namespace {

using rdt::FileGraph;
using rdt::make_network;
using rdt::Network;
using rdt::NetworkError;
using rdt::NodeId;
using rdt::Random;

// One of every kind at least; rdt:16 and torus:2x4 have two links between the same nodes.
const std::vector<std::string> Library{"torus:4x4",       "torus:2x4",
                                       "mesh:5x3x2",      "hypercube:5",
                                       "debruijn:2,5",    "kautz:2,4",
                                       "star:5",          "ccc:4",
                                       "crossed:5",       "midimew:6x6",
                                       "rdt:8",           "rdt:16",
                                       "prdt:8",          "rcc:3,2",
                                       "rhsn:3,q2",       "scc:4",
                                       "chordal:20,4",    "prc:24,4,6",
                                       "pec:20",          "tree:4,2",
                                       "rhsn:2,q3+d",     "rdt:12,3,2,1",
                                       "rcc:4,1",         "torus:7",
                                       "shuffle:5",       "rhsn-copies:1,2,q2",
                                       "rhsn-part:2,3,q2"};

TEST(graph_files, every_kind_is_among_those_written) {
    for (const auto& [kind, entry] : rdt::NetworkKind::all()) {
        if (kind == "file") continue;
        const auto same = [start = kind + ":"](const std::string& name) {
            return name.rfind(start, 0) == 0;
        };
        EXPECT_TRUE(std::any_of(Library.begin(), Library.end(), same)) << kind;
    }
}

void expect_same_figures(const Network& a, const Network& b) {
    EXPECT_EQ(rdt::size_of(a).degree, rdt::size_of(b).degree);
    EXPECT_EQ(rdt::size_of(a).links, rdt::size_of(b).links);
    const rdt::Distances da = rdt::distances(a), db = rdt::distances(b);
    EXPECT_EQ(da.nodes, db.nodes);
    EXPECT_EQ(da.diameter, db.diameter);
    EXPECT_EQ(da.sum, db.sum);
    EXPECT_EQ(rdt::bisection(a).links, rdt::bisection(b).links);
}

std::string without(std::string text, const std::string& part) {
    for (size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
    return text;
}

TEST(graph_files, networks_of_the_library_are_the_same_when_read_from_graphml) {
    for (const std::string& name : Library) {
        SCOPED_TRACE(name);
        const auto a = make_network(name);
        const std::string text = rdt::to_graphml(*a);
        const auto b = rdt::make_file_network(rdt::parse_graphml(text, "x.graphml"), "x.graphml");
        ASSERT_EQ(a->nodes(), b->nodes());
        ASSERT_LE(b->ports(), a->ports());
        EXPECT_EQ(a->directed(), b->directed());
        for (NodeId node = 0; node < a->nodes(); ++node) {
            EXPECT_EQ(a->label(node), b->label(node));
            EXPECT_EQ(a->position(node).x, b->position(node).x);
            EXPECT_EQ(a->position(node).y, b->position(node).y);
            for (uint32_t port = 0; port < a->ports(); ++port) {
                const auto to = a->neighbor(node, port);
                if (port >= b->ports()) {
                    EXPECT_FALSE(to);
                    continue;
                }
                ASSERT_EQ(to, b->neighbor(node, port));
                if (to && !a->directed()) {
                    EXPECT_EQ(a->port_back(node, port), b->port_back(node, port));
                }
            }
        }
        expect_same_figures(*a, *b);
        EXPECT_EQ(without(rdt::draw(*a), a->name()), without(rdt::draw(*b), b->name()));
        // All of it, but for the name.
        const std::string again = rdt::to_graphml(*b);
        EXPECT_EQ(without(text, a->name()), without(again, b->name()));
    }
}

TEST(graph_files, anynet_keeps_links_and_their_order_and_refuses_unsupported_networks) {
    size_t written = 0;
    for (const std::string& name : Library) {
        SCOPED_TRACE(name);
        const auto a = make_network(name);
        bool is_simple = !a->directed();
        for (NodeId node = 0; node < a->nodes(); ++node) {
            std::set<NodeId> seen;
            for (uint32_t port = 0; port < a->ports(); ++port)
                if (const auto to = a->neighbor(node, port)) is_simple &= seen.insert(*to).second;
        }
        if (!is_simple) {
            EXPECT_THROW(rdt::to_anynet(*a), NetworkError);
            continue;
        }
        ++written;
        const std::string text = rdt::to_anynet(*a);
        const auto b = rdt::make_file_network(rdt::parse_anynet(text, "x.anynet"), "x.anynet");
        expect_same_figures(*a, *b);
        EXPECT_EQ(text, rdt::to_anynet(*b));
    }
    EXPECT_GE(written, 15u);
}

// The same links however they are written down: by one end, by both, by the node.
TEST(graph_files, anynet_is_read_as_booksim_does) {
    const auto read = [](const std::string& text) {
        return rdt::make_file_network(rdt::parse_anynet(text, "x.anynet"), "x.anynet");
    };
    const auto ring = read(
        "router 0 node 0 router 1 1 router 2\n\nrouter 1 node 1 1 router 2 1\n"
        "node 2 router 2\n");
    EXPECT_EQ(ring->nodes(), 3u);
    EXPECT_EQ(rdt::size_of(*ring).links, 3u);
    EXPECT_EQ(rdt::distances(*ring).diameter, 1u);
    // Nodes count, not routers: traffic goes by their numbers.
    const auto turned = read("router 0 node 2 router 1\nrouter 1 node 0\nrouter 2 node 1 router 1");
    EXPECT_EQ(turned->label(0), "r1");
    EXPECT_EQ(rdt::path(*turned, *rdt::make_routing(*turned, ""), 2, 1),
              (std::vector<NodeId>{2, 0, 1}));
    // No nodes at all: one per router.
    EXPECT_EQ(read("router 0 router 5\n")->label(1), "r5");
}

// As networkx writes it: other key names, unknown data, edges of both kinds.
TEST(graph_files, graphml_of_others_is_read) {
    const auto network = rdt::make_file_network(
        rdt::parse_graphml(
            "<?xml version='1.0' encoding='utf-8'?>\n"
            "<g:graphml xmlns:g='http://graphml.graphdrawing.org/xmlns'>"
            "<g:key id='d1' for='edge' attr.name='color' attr.type='long'/>"
            "<g:key id='d0' for='node' attr.name='label' attr.type='string'/>"
            "<g:graph edgedefault='undirected'>"
            "<g:node id='a'><g:data key='d0'>A &amp; B</g:data></g:node>"
            "<g:node id='b'/><g:edge source='a' target='b'><g:data key='d1'>7</g:data></g:edge>"
            "<g:node id='c'/><g:edge source='b' target='c' directed='true'/>"
            "<g:edge source='c' target='a' directed='true'/></g:graph></g:graphml>",
            "x.graphml"),
        "x.graphml");
    EXPECT_TRUE(network->directed());
    EXPECT_EQ(network->label(0), "A & B");
    EXPECT_EQ(network->label(2), "c");
    EXPECT_EQ(rdt::size_of(*network).links, 4u);  // a - b is two
    EXPECT_EQ(network->parse("A & B"), 0u);
    EXPECT_FALSE(rdt::fingerprint_of(*network).empty());
    EXPECT_TRUE(rdt::fingerprint_of(*make_network("torus:4x4")).empty());
}

// A cycle or a tree through all nodes, and some links more.
FileGraph random_graph(Random& random, bool directed) {
    FileGraph graph;
    graph.directed = directed;
    const uint32_t nodes = 3 + random.below(18);
    for (NodeId n = 0; n < nodes; ++n) graph.nodes.push_back({std::to_string(n), {}, 0});
    std::vector<NodeId> order(nodes);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t i = nodes; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (uint32_t i = 1; i < nodes; ++i)
        graph.links.push_back({order[directed ? i - 1 : random.below(i)], order[i]});
    if (directed) graph.links.push_back({order[nodes - 1], order[0]});
    for (uint32_t i = random.below(2 * nodes); i > 0; --i) {
        const NodeId from = random.below(nodes);
        graph.links.push_back({from, (from + 1 + random.below(nodes - 1)) % nodes});
    }
    return graph;
}

TEST(graph_files, a_hundred_random_graphs_have_no_cycle_and_deliver_all_pairs) {
    size_t routings = 0, cyclic_without_channels = 0;
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Random random(seed);
        const auto network = rdt::make_file_network(random_graph(random, seed % 2 == 0), "random");
        for (const std::string& name : network->routings()) {
            SCOPED_TRACE(name);
            ++routings;
            const auto routing = rdt::make_routing(*network, name);
            const rdt::RoutingCheck check = rdt::check_routing(*network, *routing);
            EXPECT_TRUE(check.deadlock_free);
            EXPECT_TRUE(check.bounded);
            if (name == "negative-hop") {
                EXPECT_DOUBLE_EQ(check.mean_hops, rdt::distances(*network).mean());
            }
            rdt::lab::Options options;
            options.flits = 4;
            options.load = 0.5;
            options.cycles = 6000;
            options.drain = true;
            std::vector<rdt::lab::Delivery> log;
            const auto result = rdt::lab::simulate(*network, *routing, options, &log);
            EXPECT_TRUE(result.drained);
            EXPECT_TRUE(result.deadlock.empty());
            EXPECT_EQ(result.generated, result.delivered);
            std::set<std::pair<NodeId, NodeId>> pairs;
            for (const auto& d : log) pairs.insert({d.source, d.destination});
            EXPECT_EQ(pairs.size(), size_t(network->nodes()) * (network->nodes() - 1));
        }
        // The same check finds what is wrong with shortest paths on one channel.
        const auto plain = rdt::make_routing(*network, "shortest");
        cyclic_without_channels += rdt::check_routing(*network, *plain).deadlock_free ? 0 : 1;
    }
    EXPECT_EQ(routings, 150u);
    EXPECT_GT(cyclic_without_channels, 50u);
}

TEST(graph_files, up_down_reaches_all_nodes_of_the_librarys_networks_on_one_channel) {
    for (const std::string name : {"torus:4x4", "rdt:8", "debruijn:2,5", "star:4", "tree:4,2"}) {
        const auto library = make_network(name);
        const auto network = rdt::make_file_network(
            rdt::parse_graphml(rdt::to_graphml(*library), "x.graphml"), "x.graphml");
        const auto routing = rdt::make_routing(*network, "up-down");
        EXPECT_EQ(routing->vcs(), 1u);
        const rdt::RoutingCheck check = rdt::check_routing(*network, *routing);
        EXPECT_TRUE(check.deadlock_free) << name;
        EXPECT_GE(check.mean_hops, rdt::distances(*network).mean()) << name;
    }
}

// One line that begins with the file's name.
template <class F>
std::string refusal(F&& f) {
    try {
        f();
    } catch (const NetworkError& e) {
        return e.what();
    }
    return "";
}
std::string graphml(const std::string& inside) {
    return "<graphml>\n<graph edgedefault='undirected'>\n" + inside + "</graph></graphml>";
}

TEST(graph_files, malformed_files_are_refused_in_one_line_that_names_the_place) {
    const std::string ab = "<node id='a'/><node id='b'/>\n";
    const std::string link = "<edge source='a' target='b'/>\n";
    const std::vector<std::pair<std::string, std::string>> graphmls{
        {"", "x.graphml:1: "},
        {"<graphml>", "x.graphml:1: "},
        {"<svg/>", "is no GraphML, but <svg>"},
        {"<graphml/>", "has no graph"},
        {"<graphml><graph/></graphml>", "edgedefault"},
        {graphml(""), "two nodes at least"},
        {graphml("<node id='a'/>"), "two nodes at least"},
        {graphml(ab), "there are no links"},
        {graphml(ab + "<node/>" + link), "x.graphml:4: has a node without an id"},
        {graphml(ab + "<node id='a'/>" + link), "x.graphml:4: has a second node a"},
        {graphml(ab + "<edge source='a' target='c'/>"), "x.graphml:4: has an edge whose target"},
        {graphml(ab + link + "<edge source='a' target='a'/>"), "link to itself"},
        {graphml(ab + "<node id='c'/>" + link), "there is no path from a to c"},
        {graphml(ab + "<edge source='a' target='b' directed='true'/>"), "no path from b to a"},
        {graphml(ab + "<edge source='a' target='b' directed='yes'/>"), "true or false"},
        {graphml(ab + link + "<hyperedge/>"), "hyperedge"},
        {"<graphml><graph edgedefault='directed'/><graph/></graphml>", "second graph"},
        {"<graphml><key id='source_port'/><key id='target_port'/>"
         "<graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'>"
         "<data key='source_port'>70000</data></edge></graph></graphml>",
         "70000 is no port"},
        {"<graphml><key id='source_port'/><key id='target_port'/>"
         "<graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'>"
         "<data key='source_port'>1</data><data key='target_port'>1</data></edge>"
         "<edge source='a' target='b'/></graph></graphml>",
         "lacks its ports"},
        {"<graphml><key id='k' for='edge' attr.name='latency'><default>3</default></key>"
         "<graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'/>"
         "</graph></graphml>",
         "has an edge with latency 3"},
        {graphml(ab + "<edge source='a' target='b' weight='5'/>"), "has an edge with weight 5"},
        {"<graphml><key id='k' for='edge' attr.name='Weight'/>"
         "<graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'>"
         "<data key='k'>5</data></edge></graph></graphml>",
         "has an edge with weight 5"},
    };
    for (const auto& [text, part] : graphmls) {
        const std::string what = refusal([&t = text] {
            rdt::make_file_network(rdt::parse_graphml(t, "x.graphml"), "x.graphml");
        });
        EXPECT_EQ(what.rfind("x.graphml:", 0), 0u) << text << "\n" << what;
        EXPECT_NE(what.find(part), std::string::npos) << text << "\n" << what;
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
    const std::vector<std::pair<std::string, std::string>> anynets{
        {"", "has no router"},
        {"router", "x.anynet:1: needs a number behind router"},
        {"router 0 node 0 router 1\nrouter x", "x.anynet:2: x is no number of a router"},
        {"router 0 switch 1", "expects router or node, not switch"},
        {"router 0 router 1 15", "has a link of 15 cycles"},
        {"router 0 router 1 fast", "expects router, node or a latency, not fast"},
        {"router 0 router 0", "connects router 0 to itself"},
        {"router 0 router 1 router 1", "a second time"},
        {"node 0 node 1", "connects a node to a node"},
        {"router 0 node 0 node 1 router 1", "has nodes 0 and 1 at router 0"},
        {"router 0 node 0 router 1\nrouter 1 node 0",
         "connects node 0 to router 0 and to router 1"},
        {"router 0 node 0 router 1", "router 1 has no node"},
        {"router 0 node 0 router 1\nrouter 1 node 7", "has 2 nodes, but one with number 7"},
        {"router 0 node 0\nrouter 1 node 1", "there are no links"},
        {"router -1 node 0", "-1 is no number of a router"},
        {"router 99999999999 node 0", "is no number of a router"},
    };
    for (const auto& [text, part] : anynets) {
        const std::string what = refusal(
            [&t = text] { rdt::make_file_network(rdt::parse_anynet(t, "x.anynet"), "x.anynet"); });
        EXPECT_EQ(what.rfind("x.anynet:", 0), 0u) << text << "\n" << what;
        EXPECT_NE(what.find(part), std::string::npos) << text << "\n" << what;
    }
    EXPECT_NE(refusal([] { make_network("file:/no/such.graphml"); }).find("cannot read"),
              std::string::npos);
    EXPECT_NE(refusal([] { make_network("file:x.txt"); }).find("ends with .graphml"),
              std::string::npos);
}

// Whatever is in a file, it is a network or a refusal.
TEST(graph_files, garbled_files_are_read_or_refused) {
    const auto network = make_network("torus:3x3");
    const std::vector<std::string> texts{rdt::to_graphml(*network), rdt::to_anynet(*network)};
    Random random(1);
    size_t refused = 0;
    for (int i = 0; i < 4000; ++i) {
        const bool is_graphml = i % 2 == 0;
        std::string text = texts[i % 2];
        for (uint32_t changes = 1 + random.below(3); changes > 0 && !text.empty(); --changes) {
            const uint32_t at = random.below(uint32_t(text.size()));
            const uint32_t length = 1 + random.below(12);
            switch (random.below(4)) {
            case 0: text.erase(at, length); break;
            case 1: text[at] = char(random.below(256)); break;
            case 2:
                text.insert(at, text.substr(random.below(uint32_t(text.size())), length));
                break;
            default: text.resize(at); break;
            }
        }
        const std::string what = refusal([&] {
            rdt::make_file_network(
                is_graphml ? rdt::parse_graphml(text, "x") : rdt::parse_anynet(text, "x"), "x");
        });
        refused += what.empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 1000u);
    EXPECT_LT(refused, 4000u);
}

}  // namespace
