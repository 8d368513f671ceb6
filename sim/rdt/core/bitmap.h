// SPDX-License-Identifier: MIT
// The bit-map generator, twin of rtl/rdt_bitmap.sv: where the copies of a
// multicast go, and what their headers look like.
#pragma once

#include <rdt/core/route.h>

namespace rdt {

// The five map bytes of a header, byte of level r at bits 8*r.
using Maps = uint64_t;

// The 40 map bits lie in H0[5:0], H1 and H2, in this order.
constexpr uint32_t maps_in_flit(Maps maps, unsigned k) {
    return k == 0 ? uint32_t(maps >> 34) & 0x3F : uint32_t(maps >> 17 * (2 - k)) & PayloadMask;
}
constexpr Maps maps_of(const Header& h) {
    return Maps(h.h0 & 0x3F) << 34 | Maps(h.h1 & PayloadMask) << 17 | (h.h2 & PayloadMask);
}
constexpr uint32_t map_of(Maps maps, uint32_t level) { return uint32_t(maps >> 8 * level) & 0xFF; }
constexpr Maps map_byte(uint32_t level, uint32_t bits = 0xFF) { return Maps(bits) << 8 * level; }
constexpr Maps maps_below(uint32_t level) { return (Maps(1) << 8 * level) - 1; }

// All nodes on level 0 and on the ranks of the machine (bit r-1 of `ranks`).
constexpr Maps everybody(uint32_t ranks) {
    return map_byte(0) | ((ranks & 1) != 0 ? map_byte(1) : 0) |
           ((ranks & 2) != 0 ? map_byte(2) : 0) | ((ranks & 4) != 0 ? map_byte(3) : 0) |
           ((ranks & 8) != 0 ? map_byte(4) : 0);
}

// Highest level with a map that is not empty, -1 if there is none.
constexpr int level_of(Maps maps) { return maps == 0 ? -1 : (63 - __builtin_clzll(maps)) / 8; }

// The bits of a map byte that stay in it for the node in the South.
constexpr uint32_t SouthBits = 0xF0;
constexpr Maps AllSouthBits = 0xF0F0F0F0F0;

struct Bitmap {
    uint32_t set = 0;    // ports that get a copy
    bool relay = false;  // this node is the South of the one that expanded the level
    bool expl = false;   // the level of the own rank is expanded here
    bool exp0 = false;   // level 0 is expanded here
    bool xfer = false;   // a transfer hop is among the copies
    // The map is empty, or names a rank without nodes: such a copy would circulate on the ring of
    // transfer hops forever. Or it cannot have come here.
    bool bad = false;
};

namespace detail {

// Copies along one torus whose East port is `east`, and whether the node itself receives.
struct Expansion {
    uint32_t ports;
    bool self;
};
constexpr Expansion expand(uint32_t b, bool relay, uint32_t east) {
    if (relay)
        return {((b >> MapSe & 1) | (b >> MapSw & 1) << 1 | (b >> MapSs & 1) << 3) << east,
                (b >> MapS & 1) != 0};
    const uint32_t south = (b & SouthBits) != 0 ? 1 : 0;
    return {((b >> MapE & 7) | south << 3) << east, (b >> MapSelf & 1) != 0};
}

constexpr uint32_t transfer_port(uint32_t xfer, int level) {
    return xfer >> (level - 1) & 1 ? 1u << PortW0 : 1u << PortE0;
}

// All but `bad`.
inline Bitmap find_copies(const Header& h, uint32_t in_port, const RouteConfig& cfg) {
    const uint32_t mbp = 1u << (PortM0 + uint32_t(get(h.h0, H0Mbp)));
    Maps maps = maps_of(h);
    int level = level_of(maps);
    Bitmap out;
    out.relay = (in_port < PortE1 && level == 0) ||
                (in_port >= PortE1 && in_port < PortM0 && uint32_t(level) == cfg.rank);
    bool relay = out.relay;
    if (level > 0 && uint32_t(level) == cfg.rank) {
        out.expl = true;
        const uint32_t b = map_of(maps, cfg.rank) & ~cfg.mask;
        const Expansion e = expand(b, relay, PortE1);
        out.set = e.ports;
        if (!e.self) return out;
        maps &= maps_below(cfg.rank);
        if (get(h.h0, H0Type) == int(TypeMcLarp))
            maps = maps_below(cfg.rank) & everybody(cfg.ranks);
        level = level_of(maps);
        relay = false;
    }
    if (level < 0) {
        out.set |= mbp;
    } else if (level > 0) {
        out.xfer = true;
        out.set |= transfer_port(cfg.xfer, level);
    } else {
        out.exp0 = true;
        const Expansion e = expand(map_of(maps, 0), relay, PortE0);
        out.set |= e.ports | (e.self ? mbp : 0);
    }
    return out;
}

// In a machine whose registers are right. With wrong ones such a copy might continue for ever, or
// wait for itself: a transfer hop back to where it came from by one, and what left by the South
// port of an upper rank in VC 0 for a node that is no relay of that rank.
inline bool cannot_have_come(const Header& h, uint32_t in_port, uint32_t in_vc,
                             const RouteConfig& cfg) {
    const int level = level_of(maps_of(h));
    const bool is_own = level > 0 && uint32_t(level) == cfg.rank;
    if (in_port == PortN1) return in_vc == 0 && !is_own;
    if (in_port > PortW0 || in_vc != VcVcT - 1) return false;
    return level > 0 && !is_own && transfer_port(cfg.xfer, level) == 1u << in_port;
}

}  // namespace detail

inline Bitmap bitmap(const Header& h, uint32_t in_port, uint32_t in_vc, const RouteConfig& cfg) {
    Bitmap map = detail::find_copies(h, in_port, cfg);
    map.bad = map.set == 0 || (maps_of(h) & ~everybody(cfg.ranks)) != 0 ||
              detail::cannot_have_come(h, in_port, in_vc, cfg);
    return map;
}

// How the header of a copy differs from the stored one: the same for all outputs of a pass.
struct CopyPlan {
    bool up;  // a pass to upper-rank ports
    bool relay;
    bool expl;
    bool exp0;
    uint32_t rank;
    uint32_t ranks;
    uint32_t type;  // as stored
    uint32_t tag;
};

inline uint32_t keep_and_set(uint32_t flit, unsigned k, Maps keep, Maps set) {
    const uint32_t all = maps_in_flit(~Maps(0), k);
    return (flit & (~all | maps_in_flit(keep, k))) | maps_in_flit(set, k);
}

// A rank that names no byte (rank 0, or one that does not exist) uses none up: the register may
// have been written since the packet was routed.
inline flit_t copy_of(flit_t flit, unsigned k, const CopyPlan& p, flit_t lanes = OneLane) {
    const bool has_rank = p.rank >= 1 && p.rank <= 4;
    const Maps own = has_rank ? map_byte(p.rank) : 0;
    const Maps below = has_rank ? maps_below(p.rank) : 0;
    const bool lpra = p.type == TypeMcLpra;
    const bool larp = p.type == TypeMcLarp;
    Maps keep = ~Maps(0);
    Maps set = 0;
    bool plain = false;  // the copy goes to all nodes its maps name
    if (p.up) {
        keep &= ~own | (p.relay ? 0 : own & AllSouthBits);
        if (lpra) {
            keep &= ~below;
            set = below & everybody(p.ranks);
        }
        plain = lpra || larp;
    } else {
        if (p.expl) {
            keep &= ~own;
            if (larp) {
                keep &= ~below;
                set = below & everybody(p.ranks);
            }
            plain = larp;
        }
        if (p.exp0) {
            const Maps left = ~map_byte(0) | map_byte(0, p.relay && !p.expl ? 0 : SouthBits);
            keep &= left;
            set &= left;
        }
    }
    uint32_t out = keep_and_set(slice0(flit), k, keep, set);
    if (k == 0) {
        if (plain) out = with(out, H0Type, int(TypeMcSm));
        out = with(out, H0Tag, int(p.tag));
    }
    return carry_parity(flit, out, lanes);
}

// Final change of a copy at its output: all outputs but South clear the byte reserved for South. A
// transfer hop uses no byte up.
inline flit_t leave_through(flit_t flit, unsigned k, uint32_t out, uint32_t rank, bool transfer,
                            flit_t lanes = OneLane) {
    if (out == PortS0 || out == PortS1 || out >= PortLocal || transfer) return flit;
    const bool upper = out >= PortE1 && !is_mbp(out);
    if (upper && (rank < 1 || rank > 4)) return flit;
    const uint32_t level = upper ? rank : 0;
    return carry_parity(flit, keep_and_set(slice0(flit), k, ~map_byte(level), 0), lanes);
}

}  // namespace rdt
