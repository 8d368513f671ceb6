// SPDX-License-Identifier: MIT
// Runs a workload on a machine and measures it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include <rdt/machine/measure/waits.h>
#include <rdt/machine/traffic/workload.h>
#include <rdt/support/histogram.h>

namespace rdt::machine {

struct RunOptions {
    uint64_t warmup = 2000;   // cycles before the measurement
    uint64_t cycles = 20000;  // cycles measured, at most
    // Not 0: stop earlier, when the 95 % confidence interval of throughput and latency is within
    // this share of their means.
    double tolerance = 0;
    uint64_t drain = 0;  // cycles allowed for draining after that; 0: no draining
    double flips = 0;    // mean number of pins inverted per cycle in the whole machine
    uint64_t seed = 1;   // seed of the pin faults
    // Now and then. False: stop, with the results so far.
    std::function<bool(uint64_t done, uint64_t of)> progress;
    // Watch without changing anything: after every cycle, and when a packet is done.
    std::function<void(const Transport&)> after_clock;
    // The same after so many cycles at once, in which nothing happened. With after_clock and
    // without this, no cycle is skipped.
    std::function<void(const Transport&, uint64_t cycles)> after_skip;
    std::function<void(const Packet&)> after_packet;
    std::function<void(const Packet&)> after_send;
    std::function<void(const Packet&, const Delivery&)> after_delivery;
};

// One end of a link: flits per cycle that it drives, and that the other end drives.
struct LinkUse {
    uint32_t node;
    uint32_t port;
    uint32_t to_node;  // for an MBP: itself
    uint32_t to_port;
    double sent;
    double received;
};
// Flits per cycle; the latency is the mean of the unicasts that the node sent.
struct NodeUse {
    uint32_t node;
    double injected;
    double accepted;
    double latency;
};

// Counted in the measured cycles, unless stated otherwise. Latencies are those of the packets whose
// last flit came in that time.
struct RunResult {
    uint64_t clocks = 0;           // measured
    double offered = 0;            // flits/node/cycle that were sent
    double accepted = 0;           // ... that arrived at MBPs; every copy of a multicast counts
    uint64_t packets = 0;          // unicasts and copies that arrived
    uint64_t packets_offered = 0;  // ... expected deliveries of the sent packets
    bool saturated = false;        // source queues grow (support/saturation.h)
    // Half of the 95 % confidence interval of the mean (latencies have their own), or Unknown. It
    // is for a run that is saturated or is_short (support/batches.h).
    double accepted_half = Unknown;
    bool is_short = false;
    uint64_t cycles_needed = 0;
    Latency total;     // unicasts: from send() to the last flit at the receiver
    Latency queueing;  // until the first flit is on the pins of the sender
    Latency network;   // from there on
    double hops_mean = 0;
    uint32_t hops_max = 0;
    double use_rank0 = 0;  // flits per link per cycle, both directions together
    double use_upper = 0;
    double use_mbp = 0;
    std::vector<LinkUse> links;  // all ends at chips, node by node
    std::vector<NodeUse> nodes;
    // By the name of the latency in JSON: cycles, and how many took so long.
    using Counts = std::vector<std::pair<uint64_t, uint64_t>>;
    std::vector<std::pair<std::string, Counts>> histograms;

    uint64_t multicasts = 0;  // whose last copy arrived
    uint64_t copies = 0;
    Latency multicast;     // until the last copy has arrived
    uint64_t acks = 0;     // combined answers
    uint64_t retries = 0;  // of these: a router's ack table stayed full
    uint64_t timeouts = 0;
    Latency ack;  // from send() to the answer

    // Whole run.
    uint64_t sent = 0;
    uint64_t delivered = 0;
    uint64_t damaged = 0;  // not as they were sent
    uint64_t strays = 0;   // ERR packets of the routers, and packets that match no sent packet
    uint64_t flips = 0;
    uint64_t open = 0;        // not delivered or answered at the end
    uint64_t links_down = 0;  // at the end
    uint64_t simulated = 0;   // cycles, bring-up included
    uint64_t compared_signals = 0;
    bool converged = false;
    bool wants_convergence = false;  // RunOptions::tolerance
    bool drained = false;
    bool waited = false;   // for what was in flight when nothing was sent any more
    bool stopped = false;  // by progress()
    double seconds = 0;
    double cycles_per_second = 0;
    double cpu_seconds = 0;  // CPU time of this process only
    double cycles_per_cpu_second = 0;
    double bytes_per_node = 0;
    std::string error;        // why the run ended early
    std::vector<Wait> waits;  // at the end of a run that should have come to rest and did not
    nlohmann::ordered_json workload;
    std::string workload_table;
};

// The machine is up. A MachineError ends the run and is in the result.
RunResult run(Machine& machine, Workload& workload, const RunOptions& options);

nlohmann::ordered_json to_json(const RunResult& result, const Config& config);
std::string to_table(const RunResult& result, const Config& config);

}  // namespace rdt::machine
