// SPDX-License-Identifier: MIT
// What is counted while a workload runs.
#pragma once

#include <array>
#include <unordered_map>

#include <rdt/support/batches.h>
#include <rdt/support/histogram.h>
#include <rdt/machine/measure/link_flits.h>
#include <rdt/machine/measure/run.h>

namespace rdt::machine {

class Meter : public UnicastObserver {
public:
    explicit Meter(Machine& machine);

    void begin();
    void end();
    void sent(const Packet& packet) {
        count_sent(m_parts[0], packet.message.source, packet.message.flits, packet.receivers);
    }
    void sent(unsigned lane, const Unicast& unicast) override {
        count_sent(m_parts[lane], unicast.source, unicast.flits, 1);
    }
    void delivered(const Packet& packet, const Delivery& delivery);
    void delivered(unsigned lane, const DeliveredUnicast& unicast) override {
        count_delivered(m_parts[lane], unicast);
    }
    void acked(const Packet& packet, uint32_t status, uint64_t now);
    void stray() { ++m_strays; }
    // After a cycle of the machine.
    void clock();
    // After so many cycles of the machine in which nothing happened.
    void skip(uint64_t cycles);
    // Cycles until convergence is looked at again.
    uint64_t cycles_to_batch_end() const;
    bool converged(double tolerance) const;
    void fill(RunResult& result) const;
    // After fill(), once it is known whether the run is saturated.
    void fill_intervals(RunResult& result) const;

private:
    // A mean and how it is known.
    struct Measured {
        Histogram values;
        Stretches stretches;
        void add(uint64_t value) {
            values.add(value);
            stretches.add(double(value));
        }
    };
    // Counters of a partition of the machine. All are sums of integers, so that neither their order
    // nor the number of partitions matters.
    struct Counts {
        uint64_t flits_sent = 0;
        uint64_t offered = 0;  // packets and copies that have to arrive
        uint64_t flits = 0;
        uint64_t packets = 0;
        uint64_t delivered = 0;
        uint64_t unicasts = 0;
        uint64_t hops = 0;
        uint32_t hops_max = 0;
        Histogram total;  // latencies of unicasts
        Histogram queueing;
        Histogram network;

        void add(const Counts& other);
    };
    // Values of the stretches that are open.
    struct Open {
        uint64_t flits = 0;
        uint64_t unicasts = 0;
        uint64_t total = 0;
        uint64_t queueing = 0;
        uint64_t network = 0;
    };
    struct alignas(64) Part {
        Counts counts;
        Open open;
    };
    void count_sent(Part& part, uint32_t source, uint32_t flits, uint32_t receivers) {
        if (!m_on) return;
        part.counts.flits_sent += flits;
        m_nodes[source].injected += flits;
        part.counts.offered += receivers;
    }
    void count_delivered(Part& part, const DeliveredUnicast& unicast);
    Counts counts() const;
    void add_to_stretches();
    uint64_t cycles_needed(const Counts& counts) const;
    void fill_links(RunResult& result) const;
    void fill_nodes(RunResult& result) const;
    LinkFlits links_so_far() const;

    Machine& m_machine;
    bool m_on = false;
    uint64_t m_clocks = 0;
    uint64_t m_damaged = 0;
    uint64_t m_strays = 0;
    uint64_t m_multicasts = 0;
    uint64_t m_copies = 0;
    uint64_t m_acks = 0;
    uint64_t m_retries = 0;
    uint64_t m_timeouts = 0;
    LinkFlits m_links;  // in the measured cycles
    struct NodeFlits {
        uint64_t injected = 0;
        uint64_t accepted = 0;
        uint64_t packets = 0;  // unicasts that it sent, and
        uint64_t latency = 0;  // of all of them
    };
    std::vector<NodeFlits> m_nodes;
    std::vector<Part> m_parts;  // by lane
    Stretches m_total;
    Stretches m_queueing;
    Stretches m_network;
    Measured m_multicast;
    Measured m_ack;
    Stretches m_throughput;  // flits, and cycles of nodes
};

}  // namespace rdt::machine
