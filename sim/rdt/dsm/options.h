// SPDX-License-Identifier: MIT
// Options of a shared memory, and its statistics.
#pragma once

#include <cstdint>
#include <string>

#include <rdt/core/format.h>
#include <rdt/support/histogram.h>

namespace rdt::dsm {

// Protocol of a page.
enum class Protocol : uint8_t {
    Update,      // memory is always valid; the home merges writes and sends them to all copies
    Invalidate,  // a write removes all copies; the writer owns the line until it is recalled
};
const char* to_string(Protocol protocol);

enum class DirectoryKind : uint8_t {
    Multicast,  // reduced hierarchical bit-map: one multicast, one combined ack
    Exact,      // one bit per node: a unicast per sharer, and one answer each
};
const char* to_string(DirectoryKind kind);

// For tests: bugs that the checker or the litmus tests have to detect.
enum class InjectedBug : uint8_t {
    None,
    LostInvalidate,           // one invalidate in 100 is answered and not done
    StaleUpdate,              // one update in 100 is answered and not done
    EarlyCompletion,          // a write is complete before the answers of the copies are there
    ReadBeforeRelease,        // an updated line is read before all copies have the update
    NonAtomic,                // an atomic operation uses the value of before it waited
    ConditionalAlwaysStores,  // a StoreConditional succeeds whatever happened since LoadReserved
    StalePruning,  // pruning caches use what they know when a node was given a copy since
};

// Router registers that suit a shared memory: a multicast that finds no table entry is answered
// soon, a lost one in the end.
constexpr uint32_t DefaultTEnt = 400;
constexpr uint32_t DefaultTAck = 10000;

// Operations per node per cycle: fewer would leave 2^63 cycles between two.
constexpr double LeastRate = 1e-12;
constexpr uint32_t MaxProcessors = 8;

// Hardware and software time of an MBP per message, in cycles.
struct HandlerCycles {
    uint32_t hardware = 0;
    uint32_t software = 0;  // only for messages between different nodes
};

// Cycles of the MBPs, which handle one message at a time.
struct MbpCosts {
    HandlerCycles request;       // a miss of a processor becomes a request to the home
    HandlerCycles home;          // the home handles a request or a line that was written back
    HandlerCycles reply;         // the reply goes to the processor
    HandlerCycles recall;        // the owner writes a line back
    HandlerCycles answer;        // a sharer answers a unicast of an exact directory
    uint32_t replacement = 0;    // software: the reply replaces another line
    uint32_t memory_cycles = 0;  // to read a line, beside Options::memory_cycles

    // JUMP-1 as it was measured; docs/memory.md has the sources.
    static constexpr MbpCosts jump_1() {
        return {{20, 85}, {26, 90}, {26, 85}, {26, 85}, {6, 0}, 28, 45};
    }
    constexpr MbpCosts without_software() const {
        MbpCosts costs = *this;
        for (HandlerCycles* h :
             {&costs.request, &costs.home, &costs.reply, &costs.recall, &costs.answer})
            h->software = 0;
        costs.replacement = 0;
        return costs;
    }
};

struct Options {
    Protocol protocol = Protocol::Invalidate;
    bool is_mixed = false;  // every second page has the other protocol
    DirectoryKind directory = DirectoryKind::Multicast;
    std::string pattern = "stencil";  // see Pattern::patterns()
    uint32_t lines = 256;             // of memory
    uint32_t page = 1;                // lines that share a directory entry, a home and a protocol
    Type scheme = TypeMcSm;           // of a multicast directory: SM, LPRA or LARP
    uint64_t operations = 20000;      // of all nodes together
    double reads = 0.7;               // fraction of the operations
    double atomics = 0;               // share of atomic operations in the others
    double rate = 0;                  // operations per node per cycle; 0: back to back
    uint32_t processors = 1;          // per node
    uint32_t store_buffer = 0;        // entries per processor; 0: sequential consistency
    uint32_t cache_lines = 0;         // per node; 0: a cache holds all lines
    uint32_t cache_ways = 4;
    uint32_t home_cycles = 0;    // cycles of a home per message
    uint32_t memory_cycles = 0;  // cycles to read a line of memory
    MbpCosts mbp;
    uint32_t multicasts = 2;  // in flight per home
    uint64_t resend = 30000;  // cycles without an answer until a request is sent again
    uint32_t attempts = 8;    // of a request; then the operation ends with an error
    uint64_t seed = 1;
    bool is_checked = true;

    // Page p has its home at node p mod nodes.
    uint32_t home_of(uint32_t line, uint32_t nodes) const { return line / page % nodes; }
    InjectedBug bug = InjectedBug::None;
};

struct Statistics {
    uint64_t reads = 0;
    uint64_t writes = 0;         // atomic operations and conditional stores included
    uint64_t atomics = 0;        // of the writes
    uint64_t conditionals = 0;   // of the writes: conditional stores
    uint64_t refused = 0;        // of those: without success
    uint64_t forwarded = 0;      // reads that the store buffer answered
    uint64_t buffered = 0;       // writes that ended in the store buffer
    uint64_t read_misses = 0;    // reads with a request to the home
    uint64_t release_waits = 0;  // reads that waited for the release of an update
    uint64_t write_misses = 0;   // writes with a request to the home
    uint64_t evictions = 0;      // copies replaced
    uint64_t write_backs = 0;    // of those: owned lines
    uint64_t recalls = 0;
    uint64_t multicasts = 0;  // with acks, repeated ones included
    uint64_t releases = 0;    // multicasts or unicasts of Release
    uint64_t unicasts = 0;    // of an exact directory to sharers
    uint64_t retries = 0;     // acks with RETRY
    uint64_t timeouts = 0;    // ... with TIMEOUT
    uint64_t damaged = 0;     // ... with ERROR, and other messages with a malformed flit
    uint64_t undetected = 0;  // messages that were changed without a malformed flit
    uint64_t receivers = 0;   // copies of multicasts, or unicasts to sharers, that arrived
    uint64_t needed = 0;      // ... at a node that had the line or waited for it
    uint64_t resends = 0;     // of requests and recalls
    uint64_t failed = 0;      // operations that ended with an error
    uint64_t lost_lines = 0;  // abandoned by their homes
    Histogram read_miss{};    // cycles
    Histogram write_miss{};

    // In the cycles that are measured.
    bool is_measured = false;  // now
    uint64_t clocks = 0;
    uint64_t issued = 0;     // operations
    uint64_t ended = 0;      // ... whose latencies these are:
    Histogram latency{};     // from their issue on
    Histogram processing{};  // without the time that they wait for those before them
};

}  // namespace rdt::dsm
