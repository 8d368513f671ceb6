// SPDX-License-Identifier: MIT
// All networks side by side, at about the same number of nodes and with the same number of wires.
//
// Every node has Wires wires to send on, divided among its links: a link of a node with degree d is
// Wires / d bits wide. A packet always has PacketBits, so it has more and narrower flits where the
// degree is high, and more of them make up its header. Buffers matter as much as wires, so there
// are two rules: equal flits per virtual channel, or equal bits per node, output buffers included.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include <rdt/support/plot.h>
#include <rdt/lab/replicas.h>
#include <rdt/net/graph/analysis.h>

namespace rdt::lab {

constexpr double Wires = 144;       // the RDT's eight links of 18 bits
constexpr double PacketBits = 288;  // 16 of its flits
constexpr double HeaderBits = 36;   // 2 of them
constexpr uint32_t DepthOfVc = 4;   // flits of a virtual channel, by the first rule
constexpr uint32_t PortFlits = 64;  // of all virtual channels of a link, both ends, by the second
constexpr double Tolerance = 1 / 32., QuickTolerance = 1 / 8.;  // of the load that saturates

struct Contestant {
    std::string title;
    std::string network;
    std::string routing;
    uint32_t lanes = 1;  // virtual channels for each of the routing's own (lab/lanes.h)
    int extra_vc = -1;   // not -1: one more, beside this one
};

// The networks compared at about 64, 1024, 4096 or 65,536 nodes.
const std::vector<uint32_t>& compared_sizes();
std::vector<Contestant> contestants(uint32_t size);

// How long is simulated, and what of it does not count. Large networks average over nodes what
// small ones average over time; there it depends on how long packets are in flight.
struct Clocks {
    uint64_t all = 0;
    uint64_t warmup = 0;
};
Clocks clocks_for(uint32_t nodes, uint32_t diameter, bool quick);
uint32_t seeds_for(bool quick);

struct Comparison {
    Contestant contestant;
    uint32_t seeds = 0;  // seeds of all simulations
    Clocks clocks;
    double tolerance = 0;  // at which bisection stops
    Size size;
    Distances distances;
    Bisection bisection;
    uint64_t bisection_at_least = 0;  // 0: nothing is known
    double channels;                  // that leave a node, on average
    double width;                     // bits of a link
    uint32_t flits;                   // of a packet
    uint32_t header;                  // of these
    uint32_t vcs;
    Interval latency;  // packet latency in cycles at a very low load
    double hops;       // mean hop count of the routing
    double bound;      // bits per node per cycle, if the links were all busy all the time
    // Under either rule for buffers; not measured if it has no buffer.
    struct Loaded {
        uint32_t buffer = 0;  // flits of a virtual channel's input
        double bits = 0;      // of all buffers of a node's links
        Interval saturation;  // bits per node per cycle at which packets begin to pile up
    };
    Loaded equal_depth;
    Loaded equal_bits;
    // Under the rule of equal bits.
    struct CurvePoint {
        double accepted;  // bits per node per cycle
        Interval latency;
    };
    std::vector<CurvePoint> curve;
};

struct CompareOptions {
    bool quick = false;
    bool unloaded = false;  // leave out what saturates
    unsigned threads = 2;
    std::function<void(const std::string&)> progress;  // current activity
};

// The load at which a network saturates under a traffic pattern, with as many wires as all others
// and equal bits of buffers.
struct TrafficSaturation {
    Contestant contestant;
    uint32_t nodes = 0;
    uint32_t senders = 0;  // nodes that send
    double width = 0;      // bits of a link
    uint32_t flits = 0;    // of a packet
    uint32_t buffer = 0;   // flits of a virtual channel's input
    Interval saturation;   // bits per node and cycle, those that do not send counted
    bool beyond = false;   // it carries what processors can send: a flit per cycle
};
// Throws NetworkError if the pattern does not fit the network, std::runtime_error if it deadlocks.
TrafficSaturation saturation_under(const std::string& traffic, const Contestant& contestant,
                                   const CompareOptions& options);

// Whether the network has this many nodes within a fifth.
bool is_of_size(uint32_t nodes, uint32_t size);

// Throws std::runtime_error if a network deadlocks. Properties of the network alone are taken from
// `same`, a row with the same network, if present.
Comparison compare(const Contestant& contestant, const CompareOptions& options,
                   const Comparison* same = nullptr);

struct ComparedSize {
    uint32_t size;
    std::vector<Comparison> rows;
};
std::string to_markdown(const std::vector<ComparedSize>& sizes);
nlohmann::ordered_json to_json(const std::vector<ComparedSize>& sizes);
// The rows of what to_json() gave; throws nlohmann::json::exception if it is nothing of that kind.
std::vector<Comparison> from_json(const nlohmann::ordered_json& json);
// By the name of the file, without .svg: latency and throughput over size, and curves at each size.
std::vector<std::pair<std::string, Plot>> plots(const std::vector<ComparedSize>& sizes);

}  // namespace rdt::lab
