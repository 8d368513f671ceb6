// SPDX-License-Identifier: MIT
// Flits and header fields: the operations that go with the generated format.h.
#pragma once

#include <cstdint>

#include "core/format.h"

namespace rdt {

using flit_t = uint32_t;    // 18 bits
using stream_t = uint32_t;  // 20 bits: {code[1:0], flit[17:0]}

constexpr flit_t PayloadMask = (1u << (FlitW - 1)) - 1;
constexpr flit_t ParityBit = 1u << (FlitW - 1);

constexpr bool odd(uint32_t bits) { return __builtin_parity(bits) != 0; }

// H0 is good when its 18 bits have even parity, any other flit when they have odd
// parity: a receiver that lost its place on the line notices.
constexpr bool is_good_head(flit_t h0) { return !odd(h0); }
constexpr bool is_good_flit(flit_t flit) { return odd(flit); }
constexpr flit_t make_head(uint32_t payload) {
    payload &= PayloadMask;
    return odd(payload) ? payload | ParityBit : payload;
}
constexpr flit_t make_flit(uint32_t payload) { return make_head(payload) ^ ParityBit; }
// Flit k of a packet.
constexpr flit_t make_flit(uint32_t payload, unsigned k) {
    return k == 0 ? make_head(payload) : make_flit(payload);
}

constexpr int width(Field f) { return f.hi - f.lo + 1; }
constexpr uint32_t mask(Field f) { return ((1u << width(f)) - 1) << f.lo; }

// Value of a header field, sign-extended where the field is signed.
constexpr int get(flit_t flit, Field f) {
    const int raw = static_cast<int>((flit & mask(f)) >> f.lo);
    const int sign = 1 << (width(f) - 1);
    return f.is_signed && (raw & sign) != 0 ? raw - 2 * sign : raw;
}

// The payload with one field replaced; wraps in the field's width, leaves the parity bit alone.
constexpr flit_t with(flit_t flit, Field f, int value) {
    return (flit & ~mask(f)) | ((static_cast<uint32_t>(value) << f.lo) & mask(f));
}

constexpr bool is_multicast(flit_t h0) {
    const int type = get(h0, H0Type);
    return type == int(TypeMcSm) || type == int(TypeMcLpra) || type == int(TypeMcLarp);
}

// Parity is carried over a change, not made anew, so a bit lost in the chip is found later.
constexpr flit_t carry_parity(flit_t before, flit_t after) {
    return odd(before ^ after) ? after ^ ParityBit : after;
}

// Stream codes after the first flit; the first carries the VC code.
constexpr uint32_t CodeMore = 2;
constexpr uint32_t CodePenultimate = 0;
constexpr uint32_t CodeLast = 1;

constexpr stream_t make_stream(uint32_t code, flit_t flit) { return code << FlitW | flit; }
constexpr uint32_t stream_code(stream_t x) { return x >> FlitW; }
constexpr flit_t stream_flit(stream_t x) { return x & ((1u << FlitW) - 1); }

// Code of flit k in a packet whose last flit has index last.
constexpr uint32_t code_of(unsigned k, unsigned last, uint32_t vc_code) {
    return k == 0 ? vc_code : k == last ? CodeLast : k + 1 == last ? CodePenultimate : CodeMore;
}

// Virtual channels a port has: 20 buffers in all.
constexpr uint32_t vcs_of(uint32_t port) { return port < PortN0 ? 3 : port < PortM0 ? 2 : 1; }
constexpr bool is_network(uint32_t port) { return port < PortM0; }
constexpr bool is_mbp(uint32_t port) { return port == PortM0 || port == PortM1; }
// Which end of a link wins the first tie: E, N and the chip's side of an MBP link.
constexpr bool has_priority(uint32_t port) { return port >= PortM0 || (port & 1) == 0; }

}  // namespace rdt
