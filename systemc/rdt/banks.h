// SPDX-License-Identifier: MIT
// What banks of ack entries change: the widths of ports, wires and registers, which are the same as
// in the RTL, and where the bank of a tag is in a packet. Specification 4.10b.
#pragma once

#include <rdt/core/ack_banks.h>

namespace rdt {

// In place of a width, and larger than any: in<TagW> has 3 bits, or 5 with banks.
enum EntryWidth : unsigned {
    TagW = 256,
    PlanW,    // {mc, k[3:0], tag, ent}
    PutCtxW,  // {pend[10:0], plan}
    CtxW,     // {pkt, pend[10:0], plan}
    EntH2W,   // {quarantine, status[5:0], gen[3:0]}, with banks the bank of the parent tag below
    AckTagW,  // tag of an ack, with banks {second tag, tag}
    AckStW,   // status of an ack, likewise
    LandW,    // an ack lands, with banks {second ack, ack}
    HeldW,    // a bit of each entry
    GenW,     // generation of each entry
};

constexpr unsigned width_of(unsigned width, uint32_t entries) {
    const bool banks = has_banks(entries);
    const unsigned tag = banks ? 5 : 3;
    switch (width) {
    case TagW: return tag;
    case PlanW: return 6 + tag;
    case PutCtxW: return 17 + tag;
    case CtxW: return 18 + tag;
    case EntH2W: return banks ? 13 : 11;
    case AckTagW: return banks ? 2 * tag : tag;
    case AckStW: return banks ? 12 : 6;
    case LandW: return banks ? 2 : 1;
    case HeldW: return entries;
    case GenW: return (banks ? 2 : 4) * entries;
    default: return width;
    }
}

// The bank as part of a tag. Without banks a tag is in H0 alone.
constexpr uint32_t bank_of(uint32_t flit, Field bank, uint32_t entries) {
    return has_banks(entries) ? bank_in(flit, bank) : 0;
}

}  // namespace rdt
