// SPDX-License-Identifier: MIT
// Where the cycles of a program go: the CPI stack of every node, misses by cause, lines and
// functions.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <rdt/dsm/memory.h>
#include <rdt/exec/image.h>
#include <rdt/support/histogram.h>

namespace rdt::exec {

// Every cycle of a hart is one of these.
enum class CycleKind : uint8_t {
    Busy,    // an instruction
    Read,    // waits for a load
    Write,   // ... a store
    Atomic,  // ... an atomic operation, LR or SC
    Sync,    // in a lock or barrier of the run-time, instructions and waits
    Idle,    // halted
};
constexpr uint32_t NumCycleKinds = 6;
extern const std::array<const char*, NumCycleKinds> CycleKindNames;

struct Counts {
    std::array<uint64_t, NumCycleKinds> cycles{};
    uint64_t instructions = 0;
    uint64_t loads = 0;   // loads of shared data
    uint64_t stores = 0;  // ... atomic operations included
    uint64_t misses = 0;

    uint64_t& of(CycleKind kind) { return cycles[size_t(kind)]; }
    uint64_t of(CycleKind kind) const { return cycles[size_t(kind)]; }
    uint64_t total() const {
        uint64_t sum = 0;
        for (const uint64_t c : cycles) sum += c;
        return sum;
    }
    void add(const Counts& other, bool is_minus = false);
};

enum class Cause : uint8_t {
    Cold,          // the node has not had the line before
    TrueSharing,   // another node has written the word since
    FalseSharing,  // another node has written only other words of the line
    Replacement,   // the cache has replaced the line
    Ownership,     // a write, and the node has a copy that others may share
    Update,        // a write in a page of protocol update: always by the home
    Release,       // a read of a copy that is locked until all copies have an update
};
constexpr uint32_t NumCauses = 7;
// The node has had the line and lost it.
constexpr bool is_sharing(Cause cause) {
    return cause == Cause::TrueSharing || cause == Cause::FalseSharing ||
           cause == Cause::Replacement;
}
extern const std::array<const char*, NumCauses> CauseNames;

class Profile {
public:
    struct Line {
        uint64_t misses = 0;
        uint64_t stall = 0;
        std::array<uint64_t, NumCauses> causes{};
        std::bitset<MaxHarts> readers;  // harts that have missed
        std::bitset<MaxHarts> writers;
    };
    struct Function {
        uint64_t misses = 0;
        uint64_t stall = 0;
    };

    Profile(const Image& image, uint32_t harts, uint32_t lines);

    // A store, or an atomic operation, of a word; also those that hit.
    void writes(uint32_t hart, uint64_t offset, uint64_t cycle) {
        m_written[offset / dsm::WordBytes] = cycle << 8 | hart;
    }
    // When an access misses; if is_sharing(), again when the line comes.
    Cause cause_of(uint32_t hart, uint64_t offset, bool is_write, bool is_update_page,
                   dsm::Memory::Presence presence) const;
    // A line comes to a node.
    void fetches(uint32_t hart, uint32_t line, uint64_t cycle) {
        m_fetched[size_t(hart) * m_lines + line] = cycle + 1;
    }
    void misses(uint32_t hart, uint64_t offset, bool is_write, Cause cause, uint64_t stall,
                uint64_t pc);
    // Clears the misses; keeps the holders of lines.
    void clear();

    const std::array<uint64_t, NumCauses>& causes() const { return m_causes; }
    const Histogram& latency() const { return m_latency; }
    // The first of all, by stall cycles.
    std::vector<std::pair<uint32_t, Line>> hottest_lines(size_t count) const;
    std::vector<std::pair<uint64_t, Function>> functions(size_t count) const;  // by address

private:
    const Image& m_image;
    const uint32_t m_lines;
    dsm::ZeroArray<uint64_t> m_written;  // by word: cycle and hart of the last write
    dsm::ZeroArray<uint64_t> m_fetched;  // by hart and line: cycle + 1
    std::array<uint64_t, NumCauses> m_causes{};
    Histogram m_latency;
    dsm::LineTable<Line> m_by_line;
    std::unordered_map<uint64_t, Function> m_by_function;  // by address
    uint64_t function_of(uint64_t pc);
    std::unordered_map<uint64_t, uint64_t> m_functions;  // by pc: the function's address
};

}  // namespace rdt::exec
