// SPDX-License-Identifier: MIT
// The shared memory of a machine as a workload: every node has the home of a part of it and a
// cache, and does operations of a sharing pattern, until all are done. Everything that is read is
// checked.
#pragma once

#include <deque>

#include <rdt/dsm/cache.h>
#include <rdt/dsm/home.h>
#include <rdt/machine/traffic/workload.h>

namespace rdt::dsm {

class Memory : public machine::Workload {
public:
    // The machine has to outlive it. Throws std::invalid_argument for options that do not fit.
    Memory(const machine::Machine& machine, const Options& options);

    void clock(machine::Transport& transport) override;
    void delivered(machine::Transport& transport, const machine::Packet& packet,
                   const machine::Delivery& delivery) override;
    void acked(machine::Transport& transport, const machine::Packet& packet,
               uint32_t status) override;
    uint64_t idle_cycles() const override;
    void skip(uint64_t cycles) override;
    void measure(bool on) override { m_statistics.is_measured = on; }
    bool finished() const override { return m_concluded; }
    void stop() override;
    void add_figures(nlohmann::ordered_json& json) const override;
    std::string table() const override;
    std::string error() const override;

    // An operation of a node from outside; it begins with the next clock, or when those before it
    // at that node have ended.
    void request(uint32_t node, Cache::Request request) {
        m_caches[node].request(std::move(request));
    }
    // All copies against the memory, when nothing is under way; what is wrong is in error().
    void check() { conclude(); }

    // A node and clock, in the clocks that were measured.
    double offered() const { return per_node_and_clock(m_statistics.issued); }
    double accepted() const { return per_node_and_clock(m_statistics.ended); }
    uint64_t operations() const { return m_statistics.reads + m_statistics.writes; }
    const Statistics& statistics() const { return m_statistics; }
    const Checker& checker() const { return m_checker; }
    // Entries of the homes' directories that have been needed, and the bits of one.
    uint64_t directory_entries() const;
    uint32_t entry_bits() const { return 8 * (m_maps.top_level() + 1); }

private:
    double per_node_and_clock(uint64_t count) const;
    bool is_over() const;
    void conclude();

    const Options m_options;
    MapTable m_maps;
    Statistics m_statistics;
    Checker m_checker;
    Fabric m_fabric;
    std::deque<Home> m_homes;  // do not move: the fabric's timers know them
    std::deque<Cache> m_caches;
    Random m_random;
    BernoulliTrials m_issues;
    uint64_t m_left;  // operations to issue at the rate
    uint64_t m_clock = 0;
    bool m_concluded = false;
};

}  // namespace rdt::dsm
