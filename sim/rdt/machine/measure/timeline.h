// SPDX-License-Identifier: MIT
// A run in equal stretches of time, one line of CSV each, from its first clock to its last.
#pragma once

#include <string>

#include <rdt/machine/link_counter.h>
#include <rdt/machine/transport.h>
#include <rdt/support/output.h>

namespace rdt::machine {

class Timeline {
public:
    // The file is there after finish(). Throws OutputError.
    Timeline(const Machine& machine, const std::string& path, uint64_t interval);

    void sent(const Packet& packet) { m_now.offered += packet.message.flits; }
    void delivered(const Packet& packet, const Delivery& delivery);
    // After every clock of the machine.
    void clock(const Transport& transport);
    void finish();

private:
    struct Stretch {
        uint64_t clocks = 0;
        uint64_t offered = 0;  // flits
        uint64_t accepted = 0;
        uint64_t packets = 0;  // unicasts and copies
        uint64_t latency = 0;  // of all of them
    };
    void end_stretch(uint64_t open);

    const Machine& m_machine;
    OutputFile m_file;
    const uint64_t m_interval;
    Stretch m_now;
    LinkCounter m_links;
    std::array<uint64_t, 3> m_before{};  // flits on links of each rank, and of MBPs
    uint64_t m_open = 0;
};

// Flits that all links of rank 0, of the upper rank and of the MBPs have carried.
std::array<uint64_t, 3> by_rank(const Machine& machine, LinkCounter& links);

}  // namespace rdt::machine
