// SPDX-License-Identifier: MIT
// Shoot-down: the names of the buffers, what is known of the packet in one, and
// how that is written in a SHOT packet.
#pragma once

#include <array>

#include <rdt/core/ack_banks.h>

namespace rdt::fast {

// One buffer.
struct SlotName {
    uint32_t port;
    uint32_t vc;
    bool exists() const { return port < NumPorts && vc < vcs_of(port); }
};
constexpr SlotName NoSlot{NumPorts, 0};

// The order in which the dump goes through the chip: all buffers, the entries of
// the ack table, the end (LocalState::scan_end).
struct Scan {
    static constexpr uint32_t Slots = 20;
    static constexpr uint32_t Port8 = 18;

    static SlotName slot(uint32_t scan) { return scan < Slots ? Names[scan] : NoSlot; }
    // Tag of the entry, 3 bits; means nothing outside the entries.
    static uint32_t entry(uint32_t scan) { return (scan - Slots + 1) & 7; }

private:
    static constexpr std::array<SlotName, Slots> make_names() {
        std::array<SlotName, Slots> names{};
        uint32_t n = 0;
        for (uint32_t p = 0; p < NumPorts; ++p)
            for (uint32_t v = 0; v < vcs_of(p); ++v) names[n++] = {p, v};
        return names;
    }
    static const std::array<SlotName, Slots> Names;
};
inline constexpr std::array<SlotName, Scan::Slots> Scan::Names = Scan::make_names();

// Known state of the packet in a buffer.
struct Context {
    bool pkt = false;
    uint32_t pend = 0;  // 11 bits
    bool mc = false;
    uint32_t plan = 0;  // for a multicast: relay, expl, xfer, exp0; otherwise aux
    uint32_t tag = 0;
    bool ent = false;
};

// A packet with this context could wait in a buffer of a running chip, and not for LOCAL.
constexpr bool is_possible(const Context& c) {
    if (c.pend == 0 || (c.pend >> PortLocal & 1) != 0) return false;
    if (c.mc) return !c.ent || tag_in_bank(c.tag) != 0;
    const bool one_output = (c.pend & (c.pend - 1)) == 0;
    return one_output && !c.ent && c.plan < vcs_of(uint32_t(__builtin_ctz(c.pend)));
}

// As on the wires between the input units and LOCAL: {pkt, pend, mc, k, tag, ent}.
constexpr uint32_t to_bits(const Context& c) {
    return uint32_t(c.pkt) << 20 | c.pend << 9 | uint32_t(c.mc) << 8 | c.plan << 4 | c.tag << 1 |
           uint32_t(c.ent);
}
constexpr Context context_of(uint32_t bits) {
    return {(bits >> 20 & 1) != 0, bits >> 9 & 0x7FF, (bits >> 8 & 1) != 0,
            bits >> 4 & 15,        bits >> 1 & 7,     (bits & 1) != 0};
}

// An entry of the ack table as LOCAL sees it: upper bits of H1 and H2 of its SHOT packet.
struct EntryLook {
    bool used = false;
    uint32_t h1 = 0;    // {parent port, parent tag, pend}
    uint32_t h2 = 0;    // {quarantine, status, generation}
    uint32_t bank = 0;  // bank of the parent's tag
};
constexpr int EntryH2Lo = H2Entgen.lo;

// Payloads of a SHOT packet's header.
struct ShotHeader {
    uint32_t h0;
    uint32_t h1;
    uint32_t h2;
};

constexpr uint32_t shot_h0(What what, uint32_t tag) {
    uint32_t h0 = with(0, H0Type, int(TypeShot));
    h0 = with(h0, H0Len, 2);
    h0 = with(h0, H0Tag, int(tag));
    return with(h0, H0What, int(what)) | with(0, H0Shotbank, int(bank_of(tag)));
}
constexpr ShotHeader slot_header(SlotName name, const Context& c) {
    uint32_t h1 = with(0, H1Slotport, int(name.port));
    h1 = with(h1, H1Slotvc, int(name.vc));
    h1 = with(h1, H1Slotpend, int(c.pend));
    uint32_t h2 = with(0, H2Slotmc, c.mc);
    h2 = with(h2, H2Slotplan, int(c.plan));
    h2 = with(h2, H2Slotent, c.ent);
    return {shot_h0(WhatSlot, c.tag), h1, h2};
}

constexpr SlotName slot_named(uint32_t h1) {
    return {uint32_t(get(h1, H1Slotport)), uint32_t(get(h1, H1Slotvc))};
}
constexpr Context context_named(uint32_t h0, uint32_t h1, uint32_t h2) {
    return {true,
            uint32_t(get(h1, H1Slotpend)),
            get(h2, H2Slotmc) != 0,
            uint32_t(get(h2, H2Slotplan)),
            uint32_t(get(h0, H0Tag)),
            get(h2, H2Slotent) != 0};
}

}  // namespace rdt::fast
