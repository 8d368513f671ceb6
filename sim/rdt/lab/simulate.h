// SPDX-License-Identifier: MIT
// The flit-level wormhole simulator: any network and routing, one point of load at a time. The
// router is the RDT paper's (section IV, Table IV). Each cycle depends only on the state before it:
//   - a complete header at the front of an input buffer takes the first free output channel of its
//     routing; the longest wait first, then the lower (even cycles) or higher channel number
//   - every connected input buffer moves a flit to its output buffer, if that has space
//   - every physical link moves a flit of one of its virtual channels, round-robin, if the input
//     buffer at the other end has space; the processor accepts one flit per cycle
//   - every processor injects a flit, round-robin over its injection channels with space
// A packet without rivals takes (hops + 1) * (header + 2) + flits - 1 cycles from the first flit in
// the source's input buffer to the last one at the destination's processor.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <rdt/lab/interval.h>
#include <rdt/net/graph/network.h>
#include <rdt/support/histogram.h>

namespace rdt::lab {

// A wrong parameter; what() is one line that states the allowed values.
struct OptionError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// When a packet may take an output channel.
enum class Reuse {
    Tail,   // once the tail before it has entered the output buffer
    Empty,  // once the tail before it has left the input buffer at the other end as well; Duato's
            // condition for adaptive routing is about such buffers
    Auto,   // Empty for a routing that gives a choice of ports, Tail for one that does not
};

// Which of two ways that are as long a packet takes.
enum class Ties {
    Rule,    // the one of Routing::start(); the tables of the papers are computed with it
    Random,  // one that it draws, as Routing::start_drawn() has it
};

// Which cycles threads share.
enum class Sharing {
    IfItPays,   // those of large networks, while that makes them faster
    Always,     // for tests: all of them, by all threads, if the network can be divided
    Sometimes,  // for tests: the same, alternating with one thread
};

struct Options {
    std::string traffic = "uniform";
    double load = 0.1;        // flits/node/cycle
    uint32_t flits = 16;      // of a packet, header included
    uint32_t header = 2;      // flits a router must have before it can route
    uint32_t buffer = 4;      // flits of each virtual channel at a router's input
    uint32_t out_buffer = 2;  // the same at its output
    uint32_t injection = 1;   // input buffers for the packets of a node's own processor
    uint64_t cycles = 10000;
    uint64_t warmup = 1000;  // warm-up cycles, not measured
    uint32_t queue = 0;      // packets a processor may have waiting; 0: any number
    bool drain = false;      // run on without new packets until all have arrived
    // Stop as soon as twice as many packets are missing as make a run saturated at its end; the
    // result covers the cycles until then. For callers that need only `saturated`.
    bool stop_when_saturated = false;
    Reuse reuse = Reuse::Auto;
    Ties ties = Ties::Rule;
    uint64_t seed = 1;
    uint32_t threads = 1;  // threads that share the run; the result is the same
    Sharing sharing = Sharing::IfItPays;
    std::vector<NodeId> down = {};  // nodes that neither send nor receive
    // Now and then: cycles simulated. False ends the run, with the results so far.
    std::function<bool(uint64_t done)> progress = {};
};

constexpr uint32_t MostInjection = 4;

struct ChannelName {
    NodeId node;
    uint16_t port;
    uint8_t vc;
};
std::string to_string(const ChannelName& channel, const Network& network);

// A part of the time of a run.
struct Slice {
    uint64_t generated = 0;  // packets
    uint64_t arrived = 0;
    uint64_t latency = 0;  // network latency, summed over those that arrived
    uint64_t total = 0;    // the same from generation
};

struct SimulationResult {
    // Packets that arrived after the warm-up and before the last cycle.
    double accepted = 0;  // flits/node/cycle
    double offered = 0;   // the same, as generated in that time
    Latency network;      // from the first flit in the router at the source to the last one out
    Latency total;        // from generation
    double hops_mean = 0;
    uint64_t measured = 0;  // packets
    // How well this one run knows them: half of the 95 % confidence interval of the throughput
    // (those of latencies are in them), or Unknown. It is for a run that is saturated or is_short.
    double accepted_half = Unknown;
    bool is_short = false;       // too short for intervals; so many cycles have to be measured:
    uint64_t cycles_needed = 0;  // (support/batches.h)
    uint32_t senders = 0;        // nodes that send; the load is theirs

    // Whole run.
    uint64_t generated = 0;
    uint64_t refused = 0;  // requests that found the queue full
    uint64_t delivered = 0;
    uint64_t clocks = 0;
    bool saturated = false;             // source queues grow (support/saturation.h)
    bool drained = false;               // nothing is left in queues and network
    bool stopped = false;               // by Options::progress
    std::vector<ChannelName> deadlock;  // the cycle, each held by a packet that needs the next

    // options.cycles in equal parts, from the first cycle on; there may be fewer if cycles are few.
    std::vector<Slice> slices;
    uint64_t slice_clocks = 1;

    double cpu_seconds = 0;
    double node_cycles_per_second = 0;
    double bytes_per_node = 0;
};

// For tests: what happened to a packet. Cycles count from 0.
struct Delivery {
    NodeId source;
    NodeId destination;
    uint32_t generated;
    uint32_t injected;   // clock in which the first flit entered the source's router
    uint32_t delivered;  // clock in which the last flit went to the processor
    uint32_t hops;
    bool operator==(const Delivery& o) const {
        return source == o.source && destination == o.destination && generated == o.generated &&
               injected == o.injected && delivered == o.delivered && hops == o.hops;
    }
};

// Throws OptionError or NetworkError. `log` collects every packet in the order of arrival.
SimulationResult simulate(const Network& network, const Routing& routing, const Options& options,
                          std::vector<Delivery>* log = nullptr);

// The results of simulate() for the seeds options.seed, options.seed + 1, ...; replicas of a small
// network are simulated side by side. Options::progress gets the cycles of all of them.
std::vector<SimulationResult> simulate_seeds(const Network& network, const Routing& routing,
                                             const Options& options, uint32_t seeds);

// The checks of simulate(), and the meaning of Reuse::Auto.
void check(const Options& options, const Network& network, const Routing& routing);
Reuse resolve(Reuse reuse, const Network& network, const Routing& routing);

// The number a virtual channel has in arbitration; those of the processor are those of port 0 in
// virtual channels beyond the last one.
uint32_t channel_number(const Network& network, NodeId node, uint32_t port, uint32_t vc);

}  // namespace rdt::lab
