// SPDX-License-Identifier: MIT
// Ack tables of more than seven entries have banks: a tag is {bank, t[2:0]}, and routers send each
// other two acks in a packet. Specification 4.10b.
#pragma once

#include <rdt/core/flit.h>

namespace rdt {

constexpr uint32_t EntriesPerBank = 6;  // besides the barrier entry

constexpr bool has_banks(uint32_t entries) { return entries > uint32_t(NumEntries); }
constexpr bool is_number_of_entries(uint32_t n) {
    return (n >= 1 && n <= uint32_t(NumEntries)) || n == 13 || n == 19 || n == 25;
}

// Tag of entry n, from 1 on.
constexpr uint32_t tag_of_entry(uint32_t n) {
    if (!has_banks(n)) return n;
    return (n - 2) / EntriesPerBank << 3 | ((n - 2) % EntriesPerBank + 1);
}
// Entry of a tag; 0 if it names none.
constexpr uint32_t entry_of_tag(uint32_t tag, uint32_t entries) {
    const uint32_t bank = tag >> 3, t = tag & 7;
    if (t == 0 || (bank != 0 && t > EntriesPerBank)) return 0;
    const uint32_t n = bank == 0 ? t : 1 + bank * EntriesPerBank + t;
    return n <= entries ? n : 0;
}
// All tags that name an entry, by bit.
constexpr uint32_t tags_of_entries(uint32_t entries) {
    uint32_t tags = 0;
    for (uint32_t n = 1; n <= entries; ++n) tags |= 1u << tag_of_entry(n);
    return tags;
}

// Larger machines have nodes of rank 4, and multicasts maps of it.
constexpr int MaxSideWithBanks = 64;

constexpr uint32_t bank_of(uint32_t tag) { return tag >> 3; }
constexpr uint32_t tag_in_bank(uint32_t tag) { return tag & 7; }
// The bank in one of the fields for it, as part of a tag.
constexpr uint32_t bank_in(uint32_t flit, Field bank) { return uint32_t(get(flit, bank)) << 3; }

}  // namespace rdt
