// SPDX-License-Identifier: MIT
// The usual patterns of traffic, with multicasts mixed in: open loop at a given load, or closed
// loop with a given number of packets in flight per node.
#pragma once

#include <memory>
#include <string>

#include <rdt/support/random.h>
#include <rdt/net/graph/traffic.h>
#include <rdt/machine/traffic/workload.h>

namespace rdt::machine {

// Packets in flight per node of a closed loop, and in the whole machine: more would only wait.
constexpr uint32_t MostOutstanding = 1024;
constexpr uint64_t MostOutstandingOfAll = 1 << 22;

struct SyntheticOptions {
    std::string pattern = "uniform";  // as in Traffic
    double load = 0.1;                // injection rate, flits/node/cycle
    uint32_t flits_min = MaxFlits;    // every length between these is as likely
    uint32_t flits_max = MaxFlits;
    double multicasts = 0;     // share of the packets
    double density = 1;        // density of their maps: probability of each receiver of a level
    Type scheme = TypeMcSm;    // of their headers: SM, LPRA or LARP
    bool acks = false;         // multicasts request acks
    uint32_t outstanding = 0;  // not 0: closed loop, the load does not matter
    uint32_t queue = 0;        // packets that may wait at a node, more are not made; 0: any number
    uint32_t jitter = 200;   // of barriers: a process arrives up to so many cycles after a release
    bool only_mbp0 = false;  // MBP 0 sends and receives everything
    uint64_t seed = 1;
};

class Synthetic : public Workload, private UnicastStream {
public:
    // Throws std::invalid_argument for options that do not fit.
    Synthetic(const Machine& machine, const SyntheticOptions& options);

    void clock(Transport& transport) override;
    void done(Transport& transport, const Packet& packet) override;
    uint64_t idle_cycles() const override {
        if (m_stopped) return ~uint64_t(0);
        if (m_options.outstanding != 0 && !m_filled) return 0;
        return m_next.empty() ? m_trials.next_clock() - m_clock : 0;
    }
    void skip(uint64_t cycles) override { m_clock += cycles; }
    bool ignores_deliveries() const override { return is_open_loop(); }
    bool finished() const override { return m_stopped; }
    void stop() override { m_stopped = true; }
    uint64_t refused() const override { return m_refused; }
    std::string table() const override;
    void add_figures(nlohmann::ordered_json& json) const override;

private:
    // Plain unicasts, whose random numbers depend on nothing else.
    bool is_open_loop() const {
        return m_options.outstanding == 0 && m_options.queue == 0 && m_options.multicasts == 0;
    }
    const std::vector<Unicast>& unicasts(uint64_t clock) override;
    void prepare(uint64_t clock) override;
    void send(Transport& transport, uint32_t node);
    Unicast draw(uint32_t node);
    Maps draw_maps();

    const Geometry& m_geometry;
    const SyntheticOptions m_options;
    std::unique_ptr<Network> m_network;
    Random m_random;
    Traffic m_pattern;
    BernoulliTrials m_trials;
    uint64_t m_clock = 0;
    uint64_t m_refused = 0;
    std::vector<Unicast> m_now;   // sent in this cycle,
    std::vector<Unicast> m_next;  // ... and in the next one, as far as they are drawn
    bool m_filled = false;
    bool m_stopped = false;
    bool m_upper_rank;
};

}  // namespace rdt::machine
