// SPDX-License-Identifier: MIT
// Watches a shared memory from outside and says when it is wrong. It sees where operations begin
// and end, what they return, and who holds copies; it knows nothing of the protocol.
//
// - A read returns a version that is not older than any write that was complete when the read
//   began, and whose write has begun; and the value that was written with that version.
// - No node sees a line go back in time.
// - Writes of a line have different versions, in the order of time where they do not overlap.
// - While a node owns a line nobody else has a copy.
// - At the end all copies are equal to the memory, and no completed write is missing.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace rdt::dsm {

class Checker {
public:
    Checker(uint32_t nodes, uint32_t lines);

    // Every write of a run has a value of its own, not 0. Operations of a node do not overlap.
    void read_begins(uint32_t node, uint32_t line);
    void read_ends(uint32_t node, uint32_t line, uint64_t version, uint64_t value);
    void write_begins(uint32_t node, uint32_t line, uint64_t value);
    void write_ends(uint32_t node, uint32_t line, uint64_t version, uint64_t value);
    // The operation ended with an error: whether it was done remains open.
    void fails() { ++m_failed; }

    void copy_comes(uint32_t node, uint32_t line);
    void copy_goes(uint32_t node, uint32_t line);
    void owner_comes(uint32_t node, uint32_t line);
    void owner_goes(uint32_t node, uint32_t line);

    // At the end.
    void memory_is(uint32_t line, uint64_t version, uint64_t value);
    void copy_is(uint32_t node, uint32_t line, uint64_t version, uint64_t value);

    uint64_t violations() const { return m_violations; }
    // The first one, in a line; empty if there is none.
    const std::string& first() const { return m_first; }

private:
    static constexpr uint32_t Nobody = ~0u;
    struct Line {
        uint64_t complete = 0;              // newest version whose write is complete
        std::vector<uint64_t> values{0};    // by version; 0: not seen yet
        std::unordered_set<uint64_t> open;  // values of writes that have begun and not ended
        std::set<uint32_t> holders;
        uint32_t owner = Nobody;
    };
    struct Node {
        uint64_t floor = 0;                           // complete when its operation began
        std::unordered_map<uint32_t, uint64_t> seen;  // by line: newest version it has seen
    };

    // What is known of a version agrees with this value.
    void learn(uint32_t node, uint32_t line, uint64_t version, uint64_t value, const char* what);
    void advance(uint32_t node, uint32_t line, uint64_t version);
    void violated(std::string what);

    std::vector<Line> m_lines;
    std::vector<Node> m_nodes;
    uint64_t m_violations = 0;
    uint64_t m_failed = 0;
    std::string m_first;
};

}  // namespace rdt::dsm
