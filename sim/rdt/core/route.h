// SPDX-License-Identifier: MIT
// The unicast routing step, twin of rtl/rdt_route.sv.
//
// The router model, the machine's vector computation and the channel dependency graph all call
// route().
#pragma once

#include <rdt/core/flit.h>

namespace rdt {

// Configuration of a node: its position in the network.
struct RouteConfig {
    uint32_t rank = 0;      // rank of the node's upper torus, 0 = none
    uint32_t xfer = 0;      // bit r-1: the transfer hop towards rank r goes West
    uint32_t dateline = 0;  // bit p: the hop out of port p crosses a dateline
    uint32_t mask = 0;      // bits of the own rank's map byte without a receiver
    uint32_t ranks = 0;     // bit r-1: some node of the machine is on rank r
};

struct Header {
    flit_t h0 = 0;
    flit_t h1 = 0;
    flit_t h2 = 0;
};

struct Route {
    uint32_t dst;  // crossbar output
    uint32_t ovc;  // virtual channel index on it
    uint32_t err;  // Err; dst is then PortLocal
};

namespace detail {

struct Step {
    uint32_t dst;
    bool transfer;
};

// The way along one axis pair, Y before X: the multicast's South relay turns
// from Y to X, and with X before Y the dependency graph has a cycle.
constexpr uint32_t towards(int vx, int vy, uint32_t east) {
    return vy > 0 ? east + 2 : vy < 0 ? east + 3 : vx > 0 ? east : east + 1;
}

inline Step next_step(const Header& h, const RouteConfig& cfg) {
    const uint32_t v4 = uint32_t(h.h0) & (mask(H0V4x) | mask(H0V4y));
    const uint32_t v3 = uint32_t(h.h1) & (mask(H1V3x) | mask(H1V3y));
    const uint32_t v2 = uint32_t(h.h1) & (mask(H1V2x) | mask(H1V2y));
    const uint32_t v1 = uint32_t(h.h2) & (mask(H2V1x) | mask(H2V1y));
    const uint32_t p = v4 ? 4 : v3 ? 3 : v2 ? 2 : v1 ? 1 : 0;
    if (p != 0 && p != cfg.rank)
        return {cfg.xfer >> (p - 1) & 1 ? uint32_t(PortW0) : uint32_t(PortE0), true};
    switch (p) {
    case 4: return {towards(get(h.h0, H0V4x), get(h.h0, H0V4y), PortE1), false};
    case 3: return {towards(get(h.h1, H1V3x), get(h.h1, H1V3y), PortE1), false};
    case 2: return {towards(get(h.h1, H1V2x), get(h.h1, H1V2y), PortE1), false};
    case 1: return {towards(get(h.h2, H2V1x), get(h.h2, H2V1y), PortE1), false};
    default: break;
    }
    const int x = get(h.h1, H1V0x);
    const int y = get(h.h2, H2V0y);
    if (x != 0 || y != 0) return {towards(x, y, PortE0), false};
    if (get(h.h0, H0Type) == int(TypeSetup)) return {PortLocal, false};
    return {PortM0 + uint32_t(get(h.h0, H0Mbp)), false};
}

// Errors that can be seen without knowing the way.
inline uint32_t header_error(const Header& h, uint32_t in_port) {
    const int type = get(h.h0, H0Type);
    const int len = get(h.h0, H0Len);
    const bool shot = type == int(TypeShot);
    if (type > int(TypeMcLarp) && type != int(TypeSetup) && !(shot && in_port == PortM0))
        return ErrBadType;
    if (len < 2 || (type == int(TypeSetup) && len < 3) || (shot && len != 2)) return ErrBadLength;
    if (type != int(TypeUni) && type != int(TypeSetup)) return ErrNone;
    if (get(h.h1, H1Rsv1) != 0 || get(h.h2, H2Rsv2) != 0) return ErrReserved;
    return ErrNone;
}

}  // namespace detail

// The header's parity is good: the input unit lets no other pass. For a multicast route() only
// checks the header; bitmap() knows where the copies go, and whether the map is malformed.
inline Route route(const Header& h, uint32_t in_port, uint32_t in_vc, const RouteConfig& cfg,
                   bool bad_map = false) {
    const uint32_t err = detail::header_error(h, in_port);
    if (err != ErrNone || get(h.h0, H0Type) == int(TypeShot)) return {PortLocal, 0, err};
    if (is_multicast(h.h0)) return bad_map ? Route{PortLocal, 0, ErrBadMap} : Route{0, 0, ErrNone};
    const detail::Step step = detail::next_step(h, cfg);
    if (step.dst >= PortM0) return {step.dst, 0, ErrNone};
    if (get(h.h2, H2Hop) == 0) return {PortLocal, 0, ErrHopLimit};
    if (step.transfer) return {step.dst, 2, ErrNone};
    const bool straight_on = in_vc == 1 && in_port == (step.dst ^ 1);
    return {step.dst, (cfg.dateline >> step.dst & 1) != 0 || straight_on ? 1u : 0u, ErrNone};
}

// A packet that was dumped is put back: it goes to LOCAL whatever it is.
inline Route route_raw(const Header& h) {
    return {PortLocal, 0, get(h.h0, H0Len) < 2 ? uint32_t(ErrBadLength) : uint32_t(ErrNone)};
}

// The header flit with index k as it leaves through network port `out`: the
// component just moved along is one step closer to zero, the hop limit one less.
inline flit_t rewrite(flit_t flit, unsigned k, uint32_t out, uint32_t rank,
                      flit_t lanes = OneLane) {
    const int step = (out & 1) != 0 ? 1 : -1;
    const bool along_y = (out & 2) != 0;
    uint32_t changed = slice0(flit);
    const auto move = [&](Field f) { changed = with(changed, f, get(flit, f) + step); };
    if (out < PortE1) {
        if (k == 1 && !along_y) move(H1V0x);
        if (k == 2 && along_y) move(H2V0y);
    } else if (rank == 4 && k == 0) {
        move(along_y ? H0V4y : H0V4x);
    } else if (rank == 3 && k == 1) {
        move(along_y ? H1V3y : H1V3x);
    } else if (rank == 2 && k == 1) {
        move(along_y ? H1V2y : H1V2x);
    } else if (rank == 1 && k == 2) {
        move(along_y ? H2V1y : H2V1x);
    }
    if (k == 2) changed = with(changed, H2Hop, get(flit, H2Hop) - 1);
    return carry_parity(flit, changed, lanes);
}

// Types whose header is rewritten on the way out.
constexpr bool is_rewritten(uint32_t h0) {
    return get(h0, H0Type) == int(TypeUni) || get(h0, H0Type) == int(TypeSetup);
}

}  // namespace rdt
