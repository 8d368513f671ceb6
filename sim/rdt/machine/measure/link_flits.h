// SPDX-License-Identifier: MIT
// Flits that every end of every link has sent in a stretch of time.
#pragma once

#include <array>
#include <vector>

#include <rdt/machine/machine.h>

namespace rdt::machine {

class LinkFlits {
public:
    bool is_empty() const { return m_flits.empty(); }
    void begin(const Machine& machine) {
        m_flits.clear();
        for_each_end(machine, [this](uint64_t sent) { m_flits.push_back(sent); });
    }
    void end(const Machine& machine) {
        size_t i = 0;
        for_each_end(machine, [&](uint64_t sent) { m_flits[i] = sent - m_flits[i], ++i; });
    }
    // Ends are the ports of a node, and then its MBPs.
    uint64_t flits(uint32_t node, uint32_t end) const {
        return m_flits.empty() ? 0 : m_flits[node * Ends + end];
    }
    // On all links of rank 0, of the upper rank and of the MBPs.
    std::array<uint64_t, 3> by_rank() const {
        std::array<uint64_t, 3> sum{};
        for (size_t i = 0; i < m_flits.size(); ++i) {
            const size_t end = i % Ends;
            sum[end < PortE1 ? 0 : end < PortM0 ? 1 : 2] += m_flits[i];
        }
        return sum;
    }

private:
    static constexpr uint32_t Ends = NumPorts + 2;
    template <typename Visit>
    static void for_each_end(const Machine& machine, Visit&& visit) {
        for (uint32_t n = 0; n < machine.nodes(); ++n)
            for (uint32_t end = 0; end < Ends; ++end) visit(machine.flits_sent(n, end));
    }

    std::vector<uint64_t> m_flits;
};

}  // namespace rdt::machine
