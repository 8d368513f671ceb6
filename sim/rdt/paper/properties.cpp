// SPDX-License-Identifier: MIT
// Properties from sections IV-C and V-B of the RDT paper, executed: independent tori, the
// hypercube, closed partitions, faults, broadcasts on the perfect RDT, territories.
#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <vector>

#include <rdt/algo/algorithm.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/rdt/multicast.h>
#include <rdt/net/rdt/rdt_faults.h>
#include <rdt/net/rdt/rdt_family.h>
#include <rdt/paper/report.h>

namespace rdt::paper {

namespace {

void add_tori(Report& r) {
    const RdtFamily rdt(128, 2, 4, 1);
    const double printed[] = {2, 16, 128, 1024};
    for (uint32_t rank = 1; rank <= 4; ++rank)
        r.values.push_back({fmt::format("rdt:128, independent tori of rank {}", rank),
                            double(rdt.tori_in_use(rank)), printed[rank - 1], 0, ""});
}

// An exchange across the worst dimension: 2 steps, or at most 2(R+1).
void add_hypercube(Report& r, const Options& options) {
    for (int side : {16, 32, 64, 128}) {
        if (side == 128 && options.quick) continue;
        for (const char* kind : {"prdt", "rdt"}) {
            const std::string name = fmt::format("{}:{}", kind, side);
            options.say("properties, hypercube on " + name);
            const algo::Outcome o = algo::run_algorithm(name, "hypercube");
            r.values.push_back({name + ", steps of a hypercube's dimension", double(o.steps),
                                double(*o.bound), 0, o.correct ? "" : "wrong"});
        }
    }
}

void add_broadcasts(Report& r) {
    for (const char* name : {"prdt:32", "prdt:64", "prdt:128", "prdt:256", "rdt:256,2,5,5"}) {
        const algo::Outcome o = algo::run_algorithm(name, "broadcast");
        r.values.push_back({std::string(name) + ", steps of a broadcast", double(o.steps),
                            double(*o.bound), 0, o.correct ? "2(R+1)" : "wrong"});
    }
}

void add_partitions(Report& r, const Options& options) {
    for (int side : {8, 16, 32}) {
        if (side == 32 && options.quick) continue;
        const RdtNetwork rdt(side);
        const auto closed = rdt.routing("closed");
        const RoutingCheck check = check_routing(rdt, *closed, options.work());
        r.values.push_back({rdt.name() + ", closed partitions: virtual channels",
                            double(closed->vcs()),
                            {},
                            0,
                            check.deadlock_free ? "free of deadlock" : "can deadlock"});
    }
}

// The number of links, and of nodes, of one node of each kind that may fail alone.
void add_faults(Report& r) {
    const RdtNetwork rdt(16);
    double links = 0, nodes = 0;
    const auto is_bypassed = [&](const Faults& faults) {
        try {
            return make_routing_around(rdt, RoutingAroundFaults, faults)->vcs() > 0;
        } catch (const NetworkError&) {
            return false;
        }
    };
    for (NodeId node : rdt.representatives()) {
        for (uint32_t port = 0; port < rdt.ports(); ++port) {
            Faults faults;
            faults.fail_link(rdt, node, port);
            links += is_bypassed(faults) ? 1 : 0;
        }
        Faults faults;
        faults.nodes.insert(node);
        nodes += is_bypassed(faults) ? 1 : 0;
    }
    r.values.push_back({"rdt:16, single faulty links bypassed, of 64", links, 64, 0, ""});
    r.values.push_back({"rdt:16, single faulty nodes bypassed, of 8", nodes, 8, 0, ""});
}

// All links of one upper torus fail at once, once for a torus of each kind of node.
void add_failed_tori(Report& r) {
    const RdtNetwork rdt(16);
    const Geometry& g = rdt.geometry();
    double bypassed = 0;
    for (NodeId first : rdt.representatives()) {
        Faults faults;
        std::vector<NodeId> torus{first};
        std::set<NodeId> seen{first};
        for (size_t i = 0; i < torus.size(); ++i)
            for (uint32_t port = PortE1; port < NumNetworkPorts; ++port) {
                faults.fail_link(rdt, torus[i], port);
                const NodeId next = g.neighbor(torus[i], port);
                if (seen.insert(next).second) torus.push_back(next);
            }
        try {
            bypassed += make_routing_around(rdt, RoutingAroundFaults, faults)->vcs() > 0 ? 1 : 0;
        } catch (const NetworkError&) {
            continue;  // it counts as a torus that no other replaces
        }
    }
    r.values.push_back({"rdt:16, single failed tori replaced by others, of 8", bypassed, 8, 0, ""});
}

void add_territories(Report& r) {
    const Geometry g(64);
    const NodeId source = g.index(32, 32);
    for (uint32_t level : {0, 1, 2}) {
        const std::vector<uint32_t> count = receipts(g, source, maps_below(level + 1));
        const auto reached = count.size() - size_t(std::count(count.begin(), count.end(), 0));
        r.values.push_back(
            {fmt::format("rdt:64, territory of a multicast of level {}", level),
             double(reached),
             {},
             0,
             *std::max_element(count.begin(), count.end()) == 1 ? "each node once" : "some twice"});
    }
}

}  // namespace

Report properties(const Options& options) {
    Report r{"properties", "What the RDT can do, executed", {}, {}, {}};
    add_tori(r);
    add_hypercube(r, options);
    add_broadcasts(r);
    add_partitions(r, options);
    add_faults(r);
    add_failed_tori(r);
    add_territories(r);
    r.notes = {"A hypercube's dimension: all nodes exchange a value across it at once, one value a",
               "link, direction and step; the paper's 2 and 2(R+1) are upper bounds here.",
               "Broadcast on 256 on a side: with ranks up to 4 the top torus has 16 nodes, not 8;",
               "with rank 5, which definition 3 forms there, it takes 2(R+1) again."};
    return r;
}

}  // namespace rdt::paper
