// SPDX-License-Identifier: MIT
// Flits on every link, counted at the end that drives them.
//
// One cycle of four nodes is a word of 64 bits, 16 per node: the router's ports, then its MBPs.
// Words are added bit by bit into counters that lie across words (plane i holds bit i of all 64),
// so that 64 links cost a few operations a cycle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace rdt::machine {

class LinkCounter {
public:
    static constexpr uint32_t NodesOfWord = 4;
    static constexpr uint32_t EndsOfNode =
        16;  // counters of the ports and MBPs; the rest is unused

    explicit LinkCounter(uint32_t nodes)
        : m_planes(nodes / NodesOfWord), m_flits(nodes * EndsOfNode) {}

    // Flits on the links of four nodes, from 4 * word, in this cycle. Once a cycle each.
    void add(uint32_t word, uint64_t driven) {
        Planes& planes = m_planes[word];
        for (uint32_t i = 0; driven != 0; ++i) {
            const uint64_t carry = planes[i] & driven;
            planes[i] ^= driven;
            driven = carry;
        }
    }
    // After every cycle in which something was added.
    void end_clock() {
        if (++m_clocks == MostClocks) flush();
    }
    // Count of an end, by node and port; MBPs follow the ports.
    uint64_t flits(uint32_t node, uint32_t end) {
        flush();
        return m_flits[node * EndsOfNode + end];
    }

private:
    static constexpr uint32_t Bits = 10;
    static constexpr uint32_t MostClocks = (1u << Bits) - 1;
    using Planes = std::array<uint64_t, Bits>;

    void flush() {
        if (m_clocks == 0) return;
        for (size_t word = 0; word < m_planes.size(); ++word)
            for (uint32_t i = 0; i < Bits; ++i)
                for (uint64_t left = m_planes[word][i]; left != 0; left &= left - 1)
                    m_flits[64 * word + uint32_t(__builtin_ctzll(left))] += 1u << i;
        for (Planes& planes : m_planes) planes = {};
        m_clocks = 0;
    }

    std::vector<Planes> m_planes;
    std::vector<uint64_t> m_flits;
    uint32_t m_clocks = 0;  // since the last flush
};

}  // namespace rdt::machine
