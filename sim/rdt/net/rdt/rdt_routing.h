// SPDX-License-Identifier: MIT
// The ways to route on an RDT. A packet carries what the chip's header carries, and every hop is
// the chip's own rewrite() of it; the routings differ in the vectors the source writes and in the
// order in which they are used up. The network has to outlive its routings.
#pragma once

#include <memory>
#include <set>
#include <utility>

#include <rdt/net/rdt/rdt_network.h>

namespace rdt {

// A header in a tag: 18 bits per flit, H0 lowest; the second word is the routing's own.
inline RouteTag tag_of(const Header& h, uint64_t own = 0) {
    return {uint64_t(h.h0) | uint64_t(h.h1) << FlitW | uint64_t(h.h2) << 2 * FlitW, own};
}
inline Header header_of(const RouteTag& tag) {
    constexpr uint64_t Flit = (uint64_t(1) << FlitW) - 1;
    return {flit_t(tag[0] & Flit), flit_t(tag[0] >> FlitW & Flit), flit_t(tag[0] >> 2 * FlitW)};
}
inline Header unicast_header(const Vectors& v) { return make_header(v, 0, TypeUni, 2, 0, MaxHops); }

// The chip's rule for the virtual channel of a hop that is no change of rank: VC 1 from the
// ring's dateline on.
inline uint32_t ring_vc(const RouteConfig& config, OutChannel in, uint32_t port) {
    const bool straight_on = in.vc == 1 && in.port == opposite(port);
    return (config.dateline >> port & 1) != 0 || straight_on ? 1 : 0;
}

// Where the vectors come from: those for which the routing's own way is shortest, or the paper's
// simple vector routing, the same for every source.
enum class VectorSource { Best, Simple };

// Simple vector routing on the perfect RDT, ranks descending, Y before X.
std::unique_ptr<Routing> make_simple_routing(const PrdtNetwork& network);

// The routing of the router chip: ranks descending, rank changes in VC-T. Deadlock-free.
std::unique_ptr<Routing> make_descending_routing(const RdtNetwork& network,
                                                 VectorSource vectors = VectorSource::Best);

// Fixed vector routing: the vectors of simple vector routing, and the source also decides where
// the packet changes rank, which is then the best way that these vectors allow.
std::unique_ptr<Routing> make_fixed_routing(const RdtNetwork& network);
// The same with ranks in descending order.
std::unique_ptr<Routing> make_highest_first_routing(const RdtNetwork& network);

// Links and nodes out of order. A link is named by either of its ends.
struct Faults {
    std::set<NodeId> nodes;
    std::set<std::pair<NodeId, uint32_t>> links;

    void fail_link(const RdtNetwork& network, NodeId node, uint32_t port) {
        links.insert({node, port});
        links.insert({*network.neighbor(node, port), network.port_back(node, port)});
    }
    bool empty() const { return nodes.empty() && links.empty(); }
};

// Floating vector routing: each router decides from its own table where the packet finds the
// next rank it needs. With faults these tables are rewritten; the packets are the same.
std::unique_ptr<Routing> make_floating_routing(const RdtNetwork& network,
                                               VectorSource vectors = VectorSource::Best,
                                               const Faults& faults = {});

// Adaptive by Duato's condition: any shortest way in VC 3, the chip's way as escape.
std::unique_ptr<Routing> make_adaptive_routing(const RdtNetwork& network);

// Adaptive by turn-model routing (Glass and Ni): negative-first on the torus of each rank, ranks
// descending.
std::unique_ptr<Routing> make_turn_routing(const RdtNetwork& network);

// Closed partitioning: the network in quarters, these in quarters again, down to 4 x 4. A packet
// never leaves the smallest such square that holds its source and destination. Free of deadlock,
// by virtual channels after negative hops.
std::unique_ptr<Routing> make_closed_routing(const RdtNetwork& network);
// The side of that square.
int partition_side(const Geometry& geometry, NodeId a, NodeId b);

// The RDT as a hypercube of as many nodes: across one dimension after the other, lowest first. Free
// of deadlock in the same way.
std::unique_ptr<Routing> make_hypercube_routing(const RdtNetwork& network);
// Hypercube node and RDT node have the same index; a dimension is a bit of x or of y.
inline NodeId across(NodeId node, uint32_t dimension) { return node ^ 1u << dimension; }

}  // namespace rdt
