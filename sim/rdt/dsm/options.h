// SPDX-License-Identifier: MIT
// A shared memory as it is asked for, and what is counted of it.
#pragma once

#include <cstdint>
#include <string>

#include <rdt/core/format.h>
#include <rdt/support/histogram.h>

namespace rdt::dsm {

enum class Protocol {
    Update,      // memory is always valid; a write goes to all copies
    Invalidate,  // a write takes all copies away; the writer owns the line until it is asked for it
};
const char* to_string(Protocol protocol);

// For tests: mistakes that the checker has to find.
enum class Mistake {
    None,
    LostInvalidate,   // now and then a copy is kept and the invalidate answered all the same
    StaleUpdate,      // now and then an update is answered and not done
    EarlyCompletion,  // a write is complete before the copies' answers are there
};

// Registers of the chips that suit a shared memory: a multicast that finds no table entry is
// answered soon, one that was lost in the end.
constexpr uint32_t DefaultTEnt = 400;
constexpr uint32_t DefaultTAck = 10000;

// Operations of a node per cycle: fewer would leave time for 2^63 cycles between two.
constexpr double LeastRate = 1e-12;

struct Options {
    Protocol protocol = Protocol::Invalidate;
    std::string pattern = "stencil";  // see Pattern::patterns()
    uint32_t lines = 256;             // of memory
    uint32_t page = 1;                // lines that share a directory entry and a home
    Type scheme = TypeMcSm;           // of the directory: SM, LPRA or LARP
    uint64_t operations = 20000;      // of all nodes together
    double reads = 0.7;               // share of the operations
    double rate = 0;                  // that a node issues a clock; 0: the next as the last ends
    uint32_t multicasts = 2;          // that a home has under way at a time
    uint64_t resend = 30000;          // clocks without an answer until a request is sent again
    uint32_t attempts = 8;            // of a request; then the operation ends with an error
    uint64_t seed = 1;

    // Page p has its home at node p mod nodes.
    uint32_t home_of(uint32_t line, uint32_t nodes) const { return line / page % nodes; }
    Mistake mistake = Mistake::None;
};

struct Statistics {
    uint64_t reads = 0;
    uint64_t writes = 0;
    uint64_t read_misses = 0;
    uint64_t write_misses = 0;  // writes that had to ask the home
    uint64_t recalls = 0;
    uint64_t multicasts = 0;  // repeated ones included
    uint64_t retries = 0;     // of their answers, those with RETRY
    uint64_t timeouts = 0;    // ... with TIMEOUT
    uint64_t damaged = 0;     // ... with ERROR, and other messages with a bad flit
    uint64_t undetected = 0;  // messages that came changed and without a bad flit
    uint64_t receivers = 0;   // copies of multicasts that arrived
    uint64_t needed = 0;      // ... at a node that had the line or was waiting for it
    uint64_t resends = 0;     // of requests and recalls
    uint64_t failed = 0;      // operations that ended with an error
    uint64_t lost_lines = 0;  // given up by their homes
    Histogram read_miss{};    // clocks
    Histogram write_miss{};

    // In the clocks that are measured.
    bool is_measured = false;  // now
    uint64_t clocks = 0;
    uint64_t issued = 0;     // operations
    uint64_t ended = 0;      // ... whose latencies these are:
    Histogram latency{};     // from their issue on
    Histogram processing{};  // without the time that they wait for those before them
};

}  // namespace rdt::dsm
