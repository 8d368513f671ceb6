// SPDX-License-Identifier: MIT
// Nodes that may have a copy of a line, or of any line of a page: a reduced hierarchical bit-map
// directory (RHBD). It has one map byte per level, the union over all nodes that were given a copy,
// by one of three schemes (net/rdt/multicast_schemes.h). The lowest level is used whose territory
// holds all of them, so that multicasts to nearby sharers stay nearby.
#pragma once

#include <array>

#include <rdt/net/rdt/multicast_schemes.h>

namespace rdt::dsm {

class Directory {
public:
    void add(const MapTable& table, uint32_t home, uint32_t node, Type scheme = TypeMcSm) {
        for (uint32_t level = 0; level <= table.top_level(); ++level) {
            const Maps maps = table.maps(home, node, level);
            m_maps[level] |= maps_in_entry(scheme, level, maps);
            if (maps == 0) m_missed |= 1u << level;
        }
    }
    void clear() { *this = {}; }
    // Map of a multicast to all of them; 0 if there are none.
    Maps maps() const { return m_maps[size_t(__builtin_ctz(~m_missed))]; }

private:
    std::array<Maps, MaxRank + 1> m_maps{};  // by the level a multicast begins at
    // Levels whose territory misses a sharer. A higher one may miss a node that a lower one holds:
    // its root is elsewhere.
    uint32_t m_missed = 0;
};

}  // namespace rdt::dsm
