// SPDX-License-Identifier: MIT
// The shared memory of a machine as a workload: every node has the home of a part of it, a cache,
// and one or more processors, which do operations of a sharing pattern until all are done. Every
// operation is checked.
//
// Other processors drive it by access() or request(); such a memory has Options::operations 0, and
// its clock() comes before the accesses of a cycle. It is not finished() before check().
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include <rdt/dsm/home.h>
#include <rdt/dsm/processor.h>
#include <rdt/machine/traffic/workload.h>

namespace rdt::dsm {

class Memory : public machine::Workload, private Fabric::Client, private Cache::Client {
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

    // Processor p is one of node p / Options::processors.
    uint32_t processors() const { return uint32_t(m_processors.size()); }
    uint64_t bytes() const { return uint64_t(m_options.lines) * LineBytes; }
    Protocol protocol_of(uint64_t address) const;
    // Before operations on the page of this line.
    void set_protocol(uint32_t line, Protocol protocol);

    // An operation of an idle processor begins now. Returns whether it has ended at once: a hit.
    // Otherwise on_completed is called when it ends. Throws std::invalid_argument for a malformed
    // access.
    bool access(uint32_t processor, const Access& access, Result& result);
    std::function<void(uint32_t processor, const Result&)> on_completed;
    // For hits that the caller executes itself.
    Cache& cache(uint32_t node) { return m_caches[node]; }
    bool is_pending(uint32_t processor) const { return m_processors[processor].is_pending(); }
    // Before a message about a line changes the cache of a node.
    std::function<void(uint32_t node, uint32_t line)> on_cache_message;
    // The state of a line in the cache of a node.
    enum class Presence : uint8_t { None, Shared, Locked, Owned };
    Presence presence(uint32_t node, uint32_t line) const;
    // Loads of a processor that the caller has answered itself, from copies that its node holds.
    void count_loads(uint64_t count) { m_statistics.reads += count; }
    // Cycles from now on in which clock() does nothing, unless a message comes or an operation
    // begins; of a memory that is driven from outside.
    uint64_t quiet_cycles() const;
    // An operation that begins with the next cycle, or when those before it at that processor have
    // ended.
    void request(uint32_t processor, Request request);

    // The newest bytes, in no time and without messages.
    void peek(uint64_t address, void* bytes, uint64_t count) const;
    // Changes memory and all copies, in no time and without messages. For loaders and debuggers:
    // messages in flight keep the bytes they have.
    void poke(uint64_t address, const void* bytes, uint64_t count);

    // Compares all copies with the memory, when nothing is in flight; the result is in error(). A
    // memory that is driven from outside does so only here.
    void check() { conclude(); }

    // Per node and cycle, in the cycles that were measured.
    double offered() const { return per_node_and_clock(m_statistics.issued); }
    double accepted() const { return per_node_and_clock(m_statistics.ended); }
    uint64_t operations() const { return m_statistics.reads + m_statistics.writes; }
    const Options& options() const { return m_options; }
    const Statistics& statistics() const { return m_statistics; }
    uint64_t violations() const { return m_checker ? m_checker->violations() : 0; }
    // The first violation, in a line.
    std::string first_violation() const { return m_checker ? m_checker->first() : ""; }
    // Entries of the homes' directories that have been needed, and the bits of one.
    uint64_t directory_entries() const;
    uint32_t entry_bits() const;

private:
    void home_receives(uint32_t node, const Message& m) override { m_homes[node].receive(m); }
    void home_handles(uint32_t node, const Message& m) override { m_homes[node].handle(m); }
    void cache_receives(uint32_t node, const Message& m) override {
        if (on_cache_message) on_cache_message(node, m.line);
        m_caches[node].receive(m);
    }
    void cache_handles(uint32_t node, const Message& m) override {
        if (on_cache_message) on_cache_message(node, m.line);
        m_caches[node].handle(m);
    }
    void timer_ends(const Timer& timer) override;
    void ended(uint32_t node, uint32_t slot, const Result& result) override;

    void refuse_malformed(const Access& access) const;
    double per_node_and_clock(uint64_t count) const;
    bool is_over() const;
    void conclude();
    void update(uint32_t processor);
    const Bytes& newest(uint32_t line) const;

    const Options m_options;
    const uint32_t m_nodes;
    const uint32_t m_slots;    // per processor
    const uint32_t m_pruning;  // entries of a router's pruning cache
    std::unique_ptr<MapTable> m_maps;
    Statistics m_statistics;
    std::unique_ptr<Checker> m_checker;
    Fabric m_fabric;
    ZeroArray<Protocol> m_protocols;
    ZeroArray<MemoryLine> m_lines;
    std::deque<Home> m_homes;
    std::deque<Cache> m_caches;
    std::deque<Processor> m_processors;
    std::vector<uint64_t> m_ready;  // bits: processors that may begin an operation
    std::vector<uint64_t> m_busy;   // ... that are not idle
    uint64_t m_num_busy = 0;
    Random m_random;
    BernoulliTrials m_issues;
    uint64_t m_left;  // operations to issue at the rate
    uint64_t m_clock = 0;
    uint64_t m_last_end = 0;
    bool m_concluded = false;
};

}  // namespace rdt::dsm
