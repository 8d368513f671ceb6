// SPDX-License-Identifier: MIT
// Packets as tests write and read them, and the unicast step worked out a second
// time from the specification with plain integers: the reference for the
// scoreboard, sharing no code with core/route.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace rdt::tb {

using Flits = std::vector<uint64_t>;  // a flit has 18 bits; a node of two slices, 36

inline bool is_odd(uint32_t flit) {
    bool parity = false;
    for (; flit != 0; flit &= flit - 1) parity = !parity;
    return parity;
}

// Good flits: H0 has even parity, all others odd parity.
inline uint32_t as_head(uint32_t payload) { return is_odd(payload) ? payload | 1u << 17 : payload; }
inline uint32_t with_parity(uint32_t payload) {
    return is_odd(payload) ? payload : payload | 1u << 17;
}
inline bool is_good(uint32_t flit, size_t k) { return is_odd(flit) == (k != 0); }

inline uint32_t payload_of(uint64_t flit) { return uint32_t(flit) & 0x1FFFF; }

// A good packet with these payloads.
inline Flits good_flits(const std::vector<uint32_t>& payloads) {
    Flits out;
    for (uint32_t payload : payloads)
        out.push_back(out.empty() ? as_head(payload) : with_parity(payload));
    return out;
}

struct PacketSpec {
    struct Vector {
        int x = 0;
        int y = 0;
    };
    uint32_t type = 0;
    uint32_t tag = 0;
    uint32_t mbp = 0;
    std::array<Vector, 5> v{};  // by rank
    uint32_t hop = 63;
    std::vector<uint32_t> body;  // 17-bit payloads

    uint32_t flits() const { return 3 + uint32_t(body.size()); }
};

inline Flits encode(const PacketSpec& p) {
    const auto f3 = [](int value) { return uint32_t(value) & 7; };
    const auto f4 = [](int value) { return uint32_t(value) & 15; };
    const uint32_t len = p.flits() - 1;
    Flits out;
    out.push_back(as_head(p.type << 14 | (len & 15) << 10 | p.tag << 7 | p.mbp << 6 |
                          f3(p.v[4].x) << 3 | f3(p.v[4].y)));
    out.push_back(with_parity(f3(p.v[3].x) << 14 | f3(p.v[3].y) << 11 | f3(p.v[2].x) << 8 |
                              f3(p.v[2].y) << 5 | f4(p.v[0].x) << 1));
    out.push_back(with_parity(f3(p.v[1].x) << 14 | f3(p.v[1].y) << 11 | f4(p.v[0].y) << 7 |
                              (p.hop & 63) << 1));
    for (uint32_t payload : p.body) out.push_back(with_parity(payload & 0x1FFFF));
    return out;
}

// A header that leaves a node of rank 1 through the given port.
inline PacketSpec leaving_by(uint32_t port) {
    PacketSpec p;
    if (port >= 8) {
        p.mbp = port - 8;
        return p;
    }
    PacketSpec::Vector& v = p.v[port < 4 ? 0 : 1];
    (port % 4 < 2 ? v.x : v.y) = port % 2 == 0 ? 1 : -1;
    return p;
}

// The configuration of a node's position, as used by the tests.
struct Place {
    uint32_t rank = 0;
    uint32_t xfer = 0;
    uint32_t dateline = 0;
};

struct Expected {
    uint32_t port;  // 10: kept by the chip
    uint32_t vc;
    uint32_t error;  // code of the ERR packet that must come instead, 0 if none
    PacketSpec packet;
};

// Where a well-formed unicast or SETUP packet leaves the chip, and how.
inline Expected expect(PacketSpec p, uint32_t in_port, uint32_t in_vc, const Place& at) {
    int rank = 4;
    while (rank > 0 && p.v[size_t(rank)].x == 0 && p.v[size_t(rank)].y == 0) --rank;
    uint32_t port = 0;
    bool transfer = false;
    auto* moved = &p.v[0];
    if (rank > 0 && uint32_t(rank) != at.rank) {
        port = (at.xfer >> (rank - 1)) % 2 == 1 ? 1 : 0;
        transfer = true;
    } else {
        moved = &p.v[size_t(rank)];
        if (moved->y != 0) port = moved->y > 0 ? 2 : 3;
        else if (moved->x != 0) port = moved->x > 0 ? 0 : 1;
        else return {p.type == 5 ? 10u : 8 + p.mbp, 0, 0, p};
        if (rank > 0) port += 4;
    }
    if (p.hop == 0) return {10, 0, 5, p};
    const int dx[4] = {1, -1, 0, 0};
    const int dy[4] = {0, 0, 1, -1};
    moved->x -= dx[port % 4];
    moved->y -= dy[port % 4];
    p.hop -= 1;
    const bool goes_straight = in_port / 2 == port / 2 && in_port != port && in_port < 8;
    uint32_t vc = 0;
    if (transfer) vc = 2;
    else if ((at.dateline >> port) % 2 == 1 || (goes_straight && in_vc == 1)) vc = 1;
    return {port, vc, 0, p};
}

}  // namespace rdt::tb
