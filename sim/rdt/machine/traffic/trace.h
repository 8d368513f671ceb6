// SPDX-License-Identifier: MIT
// Packets from a file, one per line; # begins a comment:
//
//   CYCLE SOURCE DESTINATION [FLITS] [after:NUMBERS[+CYCLES]]      a unicast
//   CYCLE SOURCE mc:MAPS [FLITS] [ack] [after:NUMBERS[+CYCLES]]    a multicast
//   the same with lpra:MAPS, larp:MAPS                             by these schemes
//   CYCLE ROOT reduce:MAPS [after:NUMBERS[+CYCLES]]                begins a reduction
//   CYCLE NODE answer:NUMBER [after:NUMBERS[+CYCLES]]              an operand for it
//
// Cycles count from the beginning of the run, up to 2^63 - 1, and do not go back. A node is its
// number or x,y. MAPS are the map bytes in hexadecimal, highest level first, with colons between:
// mc:ff:0f. A packet has 16 flits by default.
//
// after:3,7+100: from its cycle on the packet waits until packets 3 and 7 have arrived everywhere
// (and are acknowledged, if requested), and then 100 cycles more. Packets count from 0 in the order
// of the file; a packet can wait only for earlier ones, so there is always one that does not wait.
//
// reduce: a multicast of three flits with the barrier entry, in machines with reductions. It has
// arrived when all its receivers have answered and the root has the result, which is checked.
// Reductions whose trees share a router must wait for each other (R-ACK-10).
//
// A file is read while it is run. Packets that have not arrived are in memory, at most a window of
// them: while it is full nothing is read, and packets read late leave late.
#pragma once

#include <istream>
#include <memory>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

#include <rdt/machine/traffic/workload.h>

namespace rdt::machine {

struct TraceEntry {
    uint64_t clock = 0;
    Message message;
    std::vector<uint64_t> after;            // numbers of packets
    uint64_t delay = 0;                     // cycles, once these have arrived
    std::vector<uint32_t> receivers = {};   // of a reduction
    std::optional<uint64_t> answered = {};  // not a packet, but an answer to this reduction
};

// what() is one line with the name and the number of the line.
struct TraceError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// One packet after the other. Without its upper rank a machine has multicasts of one level alone.
class TraceReader {
public:
    TraceReader(std::istream& in, std::string name, const Geometry& geometry,
                bool upper_rank = true, uint32_t reduce_width = 0)
        : m_in(in),
          m_name(std::move(name)),
          m_geometry(geometry),
          m_upper_rank(upper_rank),
          m_reduce_width(reduce_width) {}

    // None at the end. Throws TraceError, at the end of a file without packets as well, or with
    // less than all answers to a reduction.
    std::optional<TraceEntry> next();
    uint64_t read() const { return m_read; }  // packets so far

private:
    void note_reduction(TraceEntry& entry);
    void note_answer(const TraceEntry& entry);
    void check_end() const;

    std::istream& m_in;
    const std::string m_name;
    const Geometry m_geometry;
    const bool m_upper_rank;
    const uint32_t m_reduce_width;
    std::unordered_map<uint64_t, std::vector<uint32_t>> m_unanswered;  // by number: nodes
    std::string m_text;
    uint64_t m_line = 0;
    uint64_t m_read = 0;
    uint64_t m_clock = 0;  // cycle of the last packet
};

// All of it; throws TraceError.
std::vector<TraceEntry> read_trace(std::istream& in, const std::string& name,
                                   const Geometry& geometry, bool upper_rank = true);

class TraceReductions;

class Trace : public Workload {
public:
    static constexpr size_t Window = 1 << 18;

    // Reads on while it runs: clock() may throw TraceError.
    Trace(std::unique_ptr<std::istream> in, std::string name, const Geometry& geometry,
          bool upper_rank = true, size_t window = Window, uint32_t reduce_width = 0);
    ~Trace() override;
    // A regular file is read through first, so that a wrong line is known before the run; a pipe
    // cannot be. - is standard input. Throws TraceError.
    static std::unique_ptr<Trace> open(const std::string& path, const Geometry& geometry,
                                       bool upper_rank = true, uint32_t reduce_width = 0);

    void clock(Transport& transport) override;
    void delivered(Transport& transport, const Packet& packet, const Delivery& delivery) override;
    void done(Transport& transport, const Packet& packet) override;
    uint64_t idle_cycles() const override;
    void skip(uint64_t cycles) override { m_clock += cycles; }
    // The clock of the last packet; 0 if that is not known yet.
    uint64_t last_clock() const { return m_last_clock; }
    bool finished() const override { return m_stopped || (!m_next && m_unsent == 0); }
    void stop() override { m_stopped = true; }
    void add_figures(nlohmann::ordered_json& json) const override;
    std::string error() const override;
    size_t most_held() const { return m_most_held; }  // packets in memory at a time

private:
    // Read, and not done.
    struct Held {
        TraceEntry entry;
        uint32_t missing = 0;           // packets that it waits for
        std::vector<uint64_t> waiting;  // packets that wait for this one
    };
    using Ready = std::pair<uint64_t, uint64_t>;  // clock, number

    void take();
    void send(Transport& transport, uint64_t number);
    void complete(uint64_t number);
    void check_progress(Transport& transport);
    static constexpr uint64_t CheckCycles = 4096;

    std::unique_ptr<std::istream> m_in;
    TraceReader m_reader;
    const std::string m_name;
    const size_t m_window;
    const uint32_t m_reduce_width;
    std::unique_ptr<TraceReductions> m_reductions;  // from the first cycle on, if there may be any
    std::optional<TraceEntry> m_next;
    std::unordered_map<uint64_t, Held> m_held;  // by number
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> m_ready;
    uint64_t m_unsent = 0;  // number of the held packets
    uint64_t m_clock = 0;
    uint64_t m_last_clock = 0;
    uint64_t m_progress = 0;  // clock in which something was sent or done
    uint64_t m_late = 0;      // packets that were read after their clock
    size_t m_most_held = 0;
    bool m_stopped = false;
    std::string m_error;
};

}  // namespace rdt::machine
