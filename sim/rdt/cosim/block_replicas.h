// SPDX-License-Identifier: MIT
// Every block of the SystemC router by itself, on the inputs that the same block has in an RTL
// router whose signals can be read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include <rdt/blocks.h>
#include <rdt/glue.h>
#include <rdt/cosim/block_difference.h>
#include <rdt/cosim/inside.h>
#include <rdt/cosim/systemc_wires.h>

namespace rdt::machine {

class BlockReplicas {
public:
    // The values have to live as long as this. Throws std::logic_error if the RTL lacks a port.
    BlockReplicas(const InsideValues& rtl, const blocks& parts);

    // In every cycle, after the values were read: drives the inputs of the blocks, which settle
    // when the kernel runs. Then difference() is valid, and the kernel runs the clock edge.
    void settle();
    void edge();
    std::optional<BlockDifference> difference() const;

private:
    // An element of a port, and where it is in the RTL.
    struct Line {
        std::string name;
        BoundPort::Element port;
        size_t signal;
        unsigned lo;
        unsigned width;
        uint64_t value = 0;   // value of an input
        uint64_t before = 0;  // one cycle earlier
        // An output is not valid while one of these is 0, in these bits.
        std::vector<std::pair<const Line*, uint64_t>> strobes;
    };
    struct Replica {
        std::string name;
        std::string kind;
        std::unique_ptr<sc_core::sc_module> module;
        std::vector<BoundPort::Element> clocks;
        std::vector<Line> inputs;
        std::vector<Line> outputs;
    };
    void add(const std::string& kind, std::unique_ptr<sc_core::sc_module> module);
    void find_meanings(Replica& replica) const;
    uint64_t of_rtl(const Line& line) const { return m_rtl.bits(line.signal, line.lo, line.width); }
    bool means_something(const Line& output) const;

    const InsideValues& m_rtl;
    std::vector<Replica> m_replicas;
};

}  // namespace rdt::machine
