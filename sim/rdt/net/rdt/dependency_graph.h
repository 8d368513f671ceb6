// SPDX-License-Identifier: MIT
// The channel dependency graph: which channel a packet may hold while it waits for
// which other one. If it has no cycle, no set of packets can wait for each other.
//
// A channel is one virtual channel of one direction of one network link. Injection from
// and delivery to the MBPs cannot be part of a cycle: the MBP drains what it is given.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <rdt/net/graph/channel.h>
#include <rdt/net/rdt/rdt_geometry.h>

namespace rdt {

const char* vc_name(uint32_t vc);
// "3,4 E0 VC-T"
std::string to_string(const Channel& c, const Geometry& g);

class DependencyGraph {
public:
    static constexpr uint32_t VcsPerPort = 3;
    // Lanes of a node: port * 3 + VC, the same numbering for inputs and outputs.
    static constexpr uint32_t Lanes = NumNetworkPorts * VcsPerPort;
    static constexpr uint32_t Mbp = Lanes;  // as input: injection; as output: delivery
    static constexpr uint32_t Rows = Lanes + 1;

    // The geometry has to outlive the graph.
    explicit DependencyGraph(const Geometry& geometry);

    // At this node packets pass from an input lane to an output lane. A multicast that
    // holds its input until several outputs have taken it adds one for each of them.
    void add(uint32_t node, uint32_t in_lane, uint32_t out_lane) {
        m_outs[row(node, in_lane)] |= 1u << out_lane;
    }
    void add_all(const DependencyGraph& other);

    // Output lanes that packets in this input lane wait for, by bit.
    uint32_t outs(uint32_t node, uint32_t in_lane) const { return m_outs[row(node, in_lane)]; }
    bool depends(const Channel& holds, const Channel& waits_for) const;
    uint64_t channels() const;  // all that exist
    uint64_t used() const;      // those that some packet takes
    uint64_t dependencies() const;

    struct Order {
        bool acyclic;
        int longest_chain;           // channels in it; 0 when cyclic
        std::vector<Channel> cycle;  // each waits for the next, the last for the first
    };
    Order order() const;

private:
    static uint32_t row(uint32_t node, uint32_t lane) { return node * Rows + lane; }
    // The input row in which a channel arrives, and back.
    uint32_t arrival(uint32_t node, uint32_t out_lane) const;
    Channel channel(uint32_t row) const;

    const Geometry& m_geometry;
    std::vector<uint32_t> m_outs;  // per node and input lane: set of output lanes
};

struct UnicastOptions {
    // Transfer hops in VC 0 instead of VC-T: shows what VC-T is for.
    bool without_vct = false;
    unsigned threads = 0;  // 0: one per core
    // Configuration of the nodes, if not the geometry's own.
    const std::vector<RouteConfig>* configs = nullptr;
    // Called now and then with the share done, 0 to 1, from the calling thread.
    std::function<void(double)> progress;
};

struct UnicastStats {
    uint64_t pairs = 0;  // source and destination, themselves included
    uint64_t hops = 0;   // of all of them
    int max_hops = 0;
};

// Sends a packet from every node to every node through route() and rewrite() and adds what
// it waits for. Throws std::runtime_error naming the pair if one is not delivered.
UnicastStats add_all_unicasts(DependencyGraph& graph, const Geometry& geometry,
                              const UnicastOptions& options = {});

}  // namespace rdt
