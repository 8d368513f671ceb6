// SPDX-License-Identifier: MIT
// The three ways in which a reduced hierarchical bit-map directory (RHBD) names its receivers. All
// keep one map byte a level; they differ in whom the bytes below the first level speak of.
//
//   SM    single map: everybody. A byte is the union over all receivers.
//   LPRA  local precise, remote approximate: only those in the source's own branch of the tree; all
//         nodes of the other branches that are named get a copy.
//   LARP  local approximate, remote precise: only those in the other branches; all nodes of the own
//         branch get a copy, if it is named.
#pragma once

#include <vector>

#include <rdt/net/rdt/multicast.h>

namespace rdt {

// A directory entry, and the multicast that it makes.
struct DirectoryEntry {
    Type type;
    uint32_t level;  // the lowest whose territory holds all receivers
    Maps maps;
};

// What a receiver whose own maps, from the level `first` on, are these adds to an entry.
inline Maps maps_in_entry(Type type, uint32_t first, Maps maps) {
    Maps result = 0;
    bool is_local = true;  // so far in the branch of the source
    for (uint32_t level = first + 1; level-- > 0;) {
        const bool counts =
            level == first || type == TypeMcSm || (type == TypeMcLpra ? is_local : !is_local);
        const uint32_t byte = map_of(maps, level);
        if (counts) result |= map_byte(level, byte);
        // LARP tells branches apart at its first level only: behind it they are single maps.
        if (type != TypeMcLarp || level == first) is_local = is_local && (byte & 1) != 0;
    }
    return result;
}

// Throws std::invalid_argument if there is no receiver or the type is no multicast.
DirectoryEntry entry_of(const MapTable& table, Type type, uint32_t source,
                        const std::vector<uint32_t>& receivers);

// A multicast of any type, followed through bitmap() and the header changes of the chip.
struct MulticastReach {
    std::vector<uint32_t> receipts;  // how often each node receives it
    uint64_t hops = 0;               // copies between nodes
    uint32_t steps = 0;              // hops to the last receiver
};
MulticastReach follow(const Geometry& geometry, uint32_t source, const DirectoryEntry& entry);

}  // namespace rdt
