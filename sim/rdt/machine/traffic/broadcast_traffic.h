// SPDX-License-Identifier: MIT
// Every node now and then sends to all nodes. With the upper rank that is one multicast; without
// it the chips expand one level only, so the source sends to the roots of the other seven parts of
// the machine, and the MBP of each passes it on: the same tree, with software at its forks.
#pragma once

#include <array>
#include <unordered_map>

#include <rdt/support/random.h>
#include <rdt/support/histogram.h>
#include <rdt/machine/traffic/workload.h>

namespace rdt::machine {

class BroadcastTraffic : public Workload {
public:
    // `load`: delivered flits/node/cycle.
    BroadcastTraffic(const Machine& machine, double load, uint32_t flits, uint64_t seed);

    void clock(Transport& transport) override;
    void delivered(Transport& transport, const Packet& packet, const Delivery& delivery) override;
    uint64_t idle_cycles() const override {
        return m_stopped ? ~uint64_t(0) : m_trials.next_clock() - m_clock;
    }
    void skip(uint64_t cycles) override { m_clock += cycles; }
    void stop() override { m_stopped = true; }
    void add_figures(nlohmann::ordered_json& json) const override;

    // From the beginning until all nodes have it.
    double mean_latency() const { return m_latency.summary().mean; }

private:
    struct Open {
        uint64_t born;
        uint32_t missing;
    };
    void expand(Transport& transport, uint32_t node, uint64_t number);

    const Geometry& m_geometry;
    const bool m_upper_rank;
    const uint32_t m_flits;
    Random m_random;
    BernoulliTrials m_trials;
    std::array<Vec, 8> m_roots;  // roots of the parts, seen from the source
    std::unordered_map<uint64_t, Open> m_open;
    uint64_t m_begun = 0;
    uint64_t m_done = 0;
    Histogram m_latency;
    uint64_t m_clock = 0;
    bool m_stopped = false;
};

}  // namespace rdt::machine
