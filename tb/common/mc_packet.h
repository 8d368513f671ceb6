// SPDX-License-Identifier: MIT
// Multicasts as tests write and read them, and where their copies go, worked out
// a second time from the specification: the reference for the scoreboard,
// sharing no code with core/bitmap.h.
#pragma once

#include <array>
#include <vector>

#include "common/packet.h"

namespace rdt::tb {

struct McSpec {
    uint32_t type = 1;
    uint32_t tag = 0;
    uint32_t mbp = 0;
    std::array<uint32_t, 5> map{};  // by level
    std::vector<uint32_t> body;     // 17-bit payloads
};

inline Flits encode(const McSpec& p) {
    uint64_t bits = 0;
    for (size_t level = 0; level < 5; ++level) bits |= uint64_t(p.map[level]) << (8 * level);
    const uint32_t len = 2 + uint32_t(p.body.size());
    Flits out{as_head(p.type << 14 | len << 10 | p.tag << 7 | p.mbp << 6 | uint32_t(bits >> 34)),
              with_parity(uint32_t(bits >> 17) & 0x1FFFF), with_parity(uint32_t(bits) & 0x1FFFF)};
    for (uint32_t payload : p.body) out.push_back(with_parity(payload & 0x1FFFF));
    return out;
}

struct McPlace {
    uint32_t rank = 0;
    uint32_t xfer = 0;
    uint32_t mask = 0;
    uint32_t ranks = 0xF;  // bit r-1: some node of the machine is on rank r
};

struct McCopy {
    uint32_t port;
    uint32_t vc;
    McSpec packet;
};

// Section 4.3a: in a machine whose registers are right this multicast is never on that VC.
inline bool cannot_have_come(const McSpec& p, uint32_t in_port, uint32_t vc, const McPlace& at) {
    size_t level = 4;
    while (level > 0 && p.map[level] == 0) --level;
    const bool is_own = level > 0 && level == at.rank;
    constexpr uint32_t W0 = 1, N1 = 6;
    if (in_port == N1) return vc == 0 && !is_own;
    if (in_port > W0 || vc != 2 || level == 0 || is_own) return false;
    return (at.xfer >> (level - 1) & 1) == in_port;
}

// The copies that leave a chip for a multicast that came in at in_port, none if its map is refused.
// The tag of the copies is left as it is: the chip puts its own in.
inline std::vector<McCopy> expect_copies(const McSpec& in, uint32_t in_port, const McPlace& at) {
    std::vector<McCopy> copies;
    const auto top = [](const McSpec& p) {
        int level = 4;
        while (level >= 0 && p.map[size_t(level)] == 0) --level;
        return level;
    };
    // One torus level: East, West, North, South by bits, at ports first..first+3.
    const auto spread = [&](const McSpec& p, size_t level, uint32_t bits, bool relay,
                            uint32_t first) {
        const bool go[4] = {(bits >> (relay ? 5 : 1) & 1) != 0, (bits >> (relay ? 6 : 2) & 1) != 0,
                            !relay && (bits >> 3 & 1) != 0,
                            relay ? (bits >> 7 & 1) != 0 : (bits >> 4) != 0};
        for (uint32_t dir = 0; dir < 4; ++dir) {
            if (!go[dir]) continue;
            McSpec copy = p;
            copy.map[level] = dir == 3 && !relay ? p.map[level] & 0xF0 : 0;
            copies.push_back({first + dir, relay ? 1u : 0u, copy});
        }
        return (bits >> (relay ? 4 : 0) & 1) != 0;  // the node itself
    };

    // All nodes below a level, on the existing ranks.
    const auto fill = [&](McSpec& p, int level) {
        for (int l = 0; l < level; ++l)
            p.map[size_t(l)] = l == 0 || (at.ranks >> (l - 1) & 1) != 0 ? 0xFF : 0;
    };

    for (uint32_t l = 1; l < 5; ++l)
        if (in.map[l] != 0 && (at.ranks >> (l - 1) & 1) == 0) return copies;
    McSpec here = in;
    int level = top(here);
    bool relay =
        (in_port < 4 && level == 0) || (in_port >= 4 && in_port < 8 && level == int(at.rank));
    if (level > 0 && level == int(at.rank)) {
        McSpec away = here;
        if (away.type == 2) fill(away, level);
        away.type = 1;
        if (!spread(away, size_t(level), here.map[size_t(level)] & ~at.mask & 0xFF, relay, 4))
            return copies;
        here.map[size_t(level)] = 0;
        if (here.type == 3) {
            fill(here, level);
            here.type = 1;
        }
        level = top(here);
        relay = false;
    }
    if (level > 0) {
        copies.push_back({at.xfer >> (level - 1) & 1 ? 1u : 0u, 2, here});
        return copies;
    }
    bool self = true;
    if (level == 0) {
        self = spread(here, 0, here.map[0], relay, 0);
        here.map[0] = 0;
    }
    if (self) copies.push_back({8 + here.mbp, 0, here});
    return copies;
}

}  // namespace rdt::tb
