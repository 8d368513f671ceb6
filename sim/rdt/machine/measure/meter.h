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

class Meter {
public:
    explicit Meter(Machine& machine);

    void begin();
    void end();
    void sent(const Packet& packet) {
        if (!m_on) return;
        m_flits_sent += packet.message.flits;
        m_nodes[packet.message.source].injected += packet.message.flits;
        m_offered += packet.receivers;
    }
    void delivered(const Packet& packet, const Delivery& delivery);
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
    uint64_t cycles_needed() const;
    void fill_links(RunResult& result) const;
    void fill_nodes(RunResult& result) const;
    LinkFlits links_so_far() const;

    Machine& m_machine;
    bool m_on = false;
    uint64_t m_clocks = 0;
    uint64_t m_flits_sent = 0;
    uint64_t m_offered = 0;  // packets and copies that have to arrive
    uint64_t m_flits = 0;
    uint64_t m_packets = 0;
    uint64_t m_delivered = 0;
    uint64_t m_damaged = 0;
    uint64_t m_strays = 0;
    uint64_t m_multicasts = 0;
    uint64_t m_copies = 0;
    uint64_t m_acks = 0;
    uint64_t m_retries = 0;
    uint64_t m_timeouts = 0;
    uint64_t m_unicasts = 0;
    uint64_t m_hops = 0;
    uint32_t m_hops_max = 0;
    LinkFlits m_links;  // in the measured cycles
    struct NodeFlits {
        uint64_t injected = 0;
        uint64_t accepted = 0;
        uint64_t packets = 0;  // unicasts that it sent, and
        uint64_t latency = 0;  // of all of them
    };
    std::vector<NodeFlits> m_nodes;
    Measured m_total;
    Measured m_queueing;
    Measured m_network;
    Measured m_multicast;
    Measured m_ack;
    Stretches m_throughput;  // flits, and cycles of nodes
};

}  // namespace rdt::machine
