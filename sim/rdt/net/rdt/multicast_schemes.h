// SPDX-License-Identifier: MIT
// The three ways in which a reduced hierarchical bit-map directory (RHBD) names its receivers. All
// keep one map byte per level; they differ in the nodes to which the bytes below the first level
// apply.
//
//   SM single map: all nodes. A byte is the union over all receivers.
//   LPRA  local precise, remote approximate: only those in the source's own branch of the tree; all
//         nodes of the other branches that are named get a copy.
//   LARP  local approximate, remote precise: only those in the other branches; all nodes of the own
//         branch get a copy, if it is named.
#pragma once

#include <optional>
#include <vector>

#include <rdt/net/rdt/multicast.h>

namespace rdt {

// A directory entry, and the multicast that it makes.
struct DirectoryEntry {
    Type type;
    uint32_t level;  // the lowest whose territory holds all receivers
    Maps maps;
};

// The bits that a receiver with these maps, from level `first`, adds to an entry.
inline Maps maps_in_entry(Type type, uint32_t first, Maps maps) {
    Maps result = 0;
    bool is_local = true;  // so far in the branch of the source
    for (uint32_t level = first + 1; level-- > 0;) {
        const bool counts =
            level == first || type == TypeMcSm || (type == TypeMcLpra ? is_local : !is_local);
        const uint32_t byte = map_of(maps, level);
        if (counts) result |= map_byte(level, byte);
        // LARP distinguishes branches at its first level only: behind it they are single maps.
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

// A pruning cache in every router (Nishimura, Kudoh, Nishi and Amano, 1998). The answers to a
// multicast show a router through which of its outputs sharers of the line were reached; the next
// multicast of the line that comes in there leaves through these outputs only. An entry holds for
// as long as the sharers stay the same; the least recently used one is replaced.
class PruningCaches {
public:
    PruningCaches(uint32_t nodes, uint32_t entries) : m_entries(entries), m_routers(nodes) {}

    // The port and type with which a multicast of a line enters a router.
    struct Key {
        uint64_t line;
        uint32_t port;
        Maps maps;
    };
    // The outputs that lead to sharers, bit by port, and bit PortM0 for the node itself; none if
    // the router has no entry.
    std::optional<uint32_t> find(uint32_t node, const Key& key);
    void record(uint32_t node, const Key& key, uint32_t outputs);

private:
    struct Entry {
        Key key;
        uint32_t outputs;
    };
    const uint32_t m_entries;
    std::vector<std::vector<Entry>> m_routers;  // the most recently used entry last
};

// The same through routers with pruning caches. Every sharer is a receiver of the entry.
MulticastReach follow(const Geometry& geometry, uint32_t source, const DirectoryEntry& entry,
                      uint64_t line, const std::vector<bool>& is_sharer, PruningCaches& caches);

}  // namespace rdt
