// SPDX-License-Identifier: MIT
// Classes of ack entries: the place of a router in the tree of a multicast decides which entries of
// the ack table the multicast may have. A router of a class waits only for routers of later
// classes, or of the same class on another rank, so entries and buffers never wait for each other
// in a cycle. Specification 4.9.
#pragma once

#include <rdt/core/ack_banks.h>

namespace rdt {

enum class EntryClass : uint32_t {
    Source,     // from an MBP, or a transfer hop towards a higher rank
    Expand,     // expands the own rank after a transfer hop
    Relay,      // South relay of the own rank
    Descend,    // expands level 0, or a transfer hop towards a lower rank
    BaseRelay,  // South relay of rank 0
    Leaf,       // only its MBP gets a copy
};
constexpr uint32_t NumEntryClasses = 6;

// Index of VC-T, in which packets make transfer hops.
constexpr uint32_t TransferVc = VcVcT - 1;

// `set` are the outputs that still get a copy, `is_transfer` whether the packet waits in VC-T.
constexpr EntryClass entry_class(uint32_t in_port, bool is_transfer, uint32_t set) {
    const bool up = (set >> PortE1 & 0xF) != 0;
    const bool low = (set & 0xF) != 0;
    if (in_port >= PortM0) return EntryClass::Source;
    if (in_port >= PortE1)
        return up ? EntryClass::Relay : low ? EntryClass::Descend : EntryClass::Leaf;
    if (in_port >= PortN0) return low ? EntryClass::BaseRelay : EntryClass::Leaf;
    if (!is_transfer) return EntryClass::Leaf;
    if (up) return EntryClass::Expand;
    if (!low) return EntryClass::Leaf;
    return in_port == PortE0 ? EntryClass::Source : EntryClass::Descend;
}

// The tag of barriers, if there are that many entries: multicasts with this tag have that entry in
// every router, and no others have it.
constexpr uint32_t LaneTag = 7;
constexpr uint32_t MaxOrdinaryTag = LaneTag - 1;

// Tags of the entries that a request of this class and with this tag may have, by bit: 1 up to one
// per class, so that an entry which a class waits for is held only by that class or a later one.
// With fewer than six entries the first classes share one. Entries of further banks are for all.
constexpr uint32_t tags_for(EntryClass c, uint32_t tag, uint32_t entries) {
    if (entries >= LaneTag && tag == LaneTag) return 1u << LaneTag;
    const uint32_t missing = entries < NumEntryClasses ? NumEntryClasses - entries : 0;
    const uint32_t top = uint32_t(c) > missing ? uint32_t(c) - missing : 0;
    const uint32_t further = has_banks(entries) ? tags_of_entries(entries) & ~0xFFu : 0;
    return further | ((2u << (top + 1)) - 2);
}

}  // namespace rdt
