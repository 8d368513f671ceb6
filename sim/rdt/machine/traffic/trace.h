// SPDX-License-Identifier: MIT
// Packets from a file, one a line; # begins a comment:
//
//   CLOCK SOURCE DESTINATION [FLITS]      a unicast
//   CLOCK SOURCE mc:MAPS [FLITS] [ack]    a multicast; lpra:MAPS, larp:MAPS by these schemes
//
// Clocks count from the beginning of the run and do not go back. A node is its number or x,y.
// MAPS are the map bytes in hexadecimal, highest level first, with colons between: mc:ff:0f. A
// packet has 16 flits if the line does not say.
#pragma once

#include <istream>
#include <vector>

#include <rdt/machine/traffic/workload.h>

namespace rdt::machine {

struct TraceEntry {
    uint64_t clock;
    Message message;
};

// what() is one line with the name and the number of the line.
struct TraceError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// Throws TraceError. Without its upper rank a machine has multicasts of one level alone.
std::vector<TraceEntry> read_trace(std::istream& in, const std::string& name,
                                   const Geometry& geometry, bool upper_rank = true);
std::vector<TraceEntry> read_trace_file(const std::string& path, const Geometry& geometry,
                                        bool upper_rank = true);

class Trace : public Workload {
public:
    Trace(std::vector<TraceEntry> entries, std::string name)
        : m_entries(std::move(entries)), m_name(std::move(name)) {}

    void clock(Transport& transport) override;
    // The clock of the last packet.
    uint64_t last_clock() const { return m_entries.empty() ? 0 : m_entries.back().clock; }
    bool finished() const override { return m_next == m_entries.size(); }
    void stop() override { m_next = m_entries.size(); }
    void add_figures(nlohmann::ordered_json& json) const override;

private:
    std::vector<TraceEntry> m_entries;
    std::string m_name;
    size_t m_next = 0;
    uint64_t m_clock = 0;
};

}  // namespace rdt::machine
