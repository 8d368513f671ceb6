// SPDX-License-Identifier: MIT
// Random access read and write on RCC-FULL, the routines they are made of, and the PRAM that they
// make of the network: every node is a processor and holds one cell of every array.
#pragma once

#include <rdt/algo/rcc_sort.h>
#include <rdt/algo/swapped_machine.h>

namespace rdt::algo {

class RandomAccess {
public:
    explicit RandomAccess(const Rcc& network);

    uint32_t nodes() const { return m_nodes; }
    uint64_t steps() const { return m_machine.count(); }
    // Additions of rank(), or comparisons of generalize(), whichever was last: of the node that has
    // most of them.
    uint64_t computations() const { return m_computations; }
    uint64_t sort_steps() const;  // steps of one sort, by formula
    uint64_t pass_steps() const;  // steps of one ascend or descend, by formula
    uint64_t read_steps() const { return 2 * sort_steps() + 5 * pass_steps(); }
    uint64_t write_steps() const { return sort_steps() + 3 * pass_steps(); }

    // For every node how many of the selected ones have a smaller index.
    std::vector<uint32_t> rank(const std::vector<bool>& selected);

    struct Packet {
        uint32_t to;
        uint64_t value;
        // A request: the cell, its number among the requested cells, the last requesting node.
        uint32_t address = 0;
        uint32_t rank = 0;
        uint32_t end = 0;
    };
    using Packets = std::vector<std::optional<Packet>>;  // by node
    // Packets whose `to` counts 0, 1, 2, ... in the order of nodes move to those nodes.
    void compress(Packets& packets);
    // Packets at nodes 0, 1, ... whose `to` increases move there.
    void distribute(Packets& packets);
    // Packets as before: each is copied to the nodes from behind the one before it up to its `to`.
    void generalize(Packets& packets);

    // The value at each node's address; nodes without an address take no part.
    using Addresses = std::vector<std::optional<uint32_t>>;
    std::vector<std::optional<uint64_t>> read(const std::vector<uint64_t>& memory,
                                              const Addresses& addresses);
    // Among several writes to one address, the node with the lowest index wins.
    void write(std::vector<uint64_t>& memory, const Addresses& addresses,
               const std::vector<uint64_t>& values);

private:
    // A node's place among runs of equal addresses.
    struct Run {
        uint32_t first, last;  // address of the first and last node of the block seen so far
        uint32_t runs;         // in that block
        uint32_t rank;         // of the node's own run
        bool leads;            // it is the first, or the last, of its run
    };
    enum class Leader { First, Last };
    std::vector<Run> runs(const std::vector<Record>& sorted, Leader leader);
    // Requests sorted by address; the leaders' packets, compressed and brought to their addresses.
    Packets deliver(std::vector<Record>& records, const Addresses& addresses, Leader leader);
    const uint32_t m_nodes;
    const RccFormulas m_formulas;
    SwappedMachine m_machine;
    RccSorter m_sorter;
    uint64_t m_computations = 0;
};

// Programs for a CRCW PRAM. Each returns what it has computed.
class Pram {
public:
    explicit Pram(RandomAccess& access) : m_access(access) {}

    uint64_t reads() const { return m_reads; }
    uint64_t writes() const { return m_writes; }

    // x[0] + ... + x[i] for every i.
    std::vector<uint64_t> prefix_sums(std::vector<uint64_t> x);
    // Links from i to the end of its list; the end is its own successor.
    std::vector<uint64_t> list_ranks(std::vector<uint64_t> next);
    // For every vertex the smallest one of its component; an edge a processor at most.
    using Edge = std::pair<uint32_t, uint32_t>;
    std::vector<uint64_t> components(uint32_t vertices, const std::vector<Edge>& edges);

private:
    std::vector<std::optional<uint64_t>> read(const std::vector<uint64_t>& memory,
                                              const RandomAccess::Addresses& addresses);
    void write(std::vector<uint64_t>& memory, const RandomAccess::Addresses& addresses,
               const std::vector<uint64_t>& values);

    RandomAccess& m_access;
    uint64_t m_reads = 0;
    uint64_t m_writes = 0;
};

}  // namespace rdt::algo
