// SPDX-License-Identifier: MIT
// Flits and header fields: the operations that go with the generated format.h.
#pragma once

#include <cstdint>

#include <rdt/core/format.h>

namespace rdt {

// A flit of a whole node: slice 0 in bits 17:0, slice 1 in bits 35:18. One chip alone has
// slice 0 only.
using flit_t = uint64_t;
using stream_t = uint64_t;  // {code[1:0], flit}

constexpr uint32_t PayloadMask = (1u << (FlitW - 1)) - 1;
constexpr uint32_t ParityBit = 1u << (FlitW - 1);
constexpr uint32_t SliceMask = (1u << FlitW) - 1;

// A value that is equal in all slices is one slice's value times the lanes.
constexpr flit_t OneLane = 1;
constexpr flit_t TwoLanes = OneLane | OneLane << FlitW;

// Parameters of a chip, as those of rtl/rdt_router.sv.
constexpr uint32_t MaxEntries = 25;
struct ChipOptions {
    flit_t lanes = OneLane;         // TwoLanes: a node of two slices as one unit
    uint32_t entries = NumEntries;  // of the ack table
    bool reg_req = false;           // network links with registered pins, for longer wires
    uint32_t reduce_width = 0;      // 16 or 32: bits of the operands of reductions

    constexpr ChipOptions(flit_t l = OneLane, uint32_t e = NumEntries, bool reg = false,
                          uint32_t reduce = 0)
        : lanes(l), entries(e), reg_req(reg), reduce_width(reduce) {}
};

// Slice 0 decides.
constexpr uint32_t slice0(flit_t flit) { return uint32_t(flit) & SliceMask; }
constexpr uint32_t slice1(flit_t flit) { return uint32_t(flit >> FlitW); }

constexpr bool odd(uint32_t bits) { return __builtin_parity(bits) != 0; }

// H0 is valid when the 18 bits of a slice have even parity, any other flit when they have odd
// parity. A receiver that lost synchronization detects this. The header is the same in all slices.
constexpr bool is_good_head(flit_t h0, flit_t lanes = OneLane) {
    return !odd(slice0(h0)) && h0 == slice0(h0) * lanes;
}
constexpr bool is_good_header_flit(flit_t flit, flit_t lanes = OneLane) {
    return odd(slice0(flit)) && flit == slice0(flit) * lanes;
}
constexpr bool is_good_flit(flit_t flit, flit_t lanes = OneLane) {
    return odd(slice0(flit)) && (lanes == OneLane || odd(slice1(flit)));
}
constexpr uint32_t make_head(uint32_t payload) {
    payload &= PayloadMask;
    return odd(payload) ? payload | ParityBit : payload;
}
constexpr uint32_t make_flit(uint32_t payload) { return make_head(payload) ^ ParityBit; }
// Flit k of a packet.
constexpr uint32_t make_flit(uint32_t payload, unsigned k) {
    return k == 0 ? make_head(payload) : make_flit(payload);
}

constexpr int width(Field f) { return f.hi - f.lo + 1; }
constexpr uint32_t mask(Field f) { return ((1u << width(f)) - 1) << f.lo; }

// Value of a header field, sign-extended where the field is signed.
constexpr int get(uint32_t flit, Field f) {
    const int raw = static_cast<int>((flit & mask(f)) >> f.lo);
    const int sign = 1 << (width(f) - 1);
    return f.is_signed && (raw & sign) != 0 ? raw - 2 * sign : raw;
}

// The payload with one field replaced; wraps in the field's width, leaves the parity bit alone.
constexpr uint32_t with(uint32_t flit, Field f, int value) {
    return (flit & ~mask(f)) | ((static_cast<uint32_t>(value) << f.lo) & mask(f));
}

constexpr bool is_multicast(uint32_t h0) {
    const int type = get(h0, H0Type);
    return type == int(TypeMcSm) || type == int(TypeMcLpra) || type == int(TypeMcLarp);
}

// The flit with a changed payload, in all slices. Parity is carried over the change, not made
// again, so a bit lost in the chip is found later.
constexpr flit_t carry_parity(flit_t before, uint32_t after, flit_t lanes) {
    const uint32_t change = (uint32_t(before) ^ after) & PayloadMask;
    return before ^ (odd(change) ? change | ParityBit : change) * lanes;
}

// Stream codes after the first flit; the first carries the VC code.
constexpr uint32_t CodeMore = 2;
constexpr uint32_t CodePenultimate = 0;
constexpr uint32_t CodeLast = 1;

constexpr int StreamCodeLo = 2 * FlitW;
constexpr stream_t make_stream(uint32_t code, flit_t flit) {
    return stream_t(code) << StreamCodeLo | flit;
}
constexpr uint32_t stream_code(stream_t x) { return uint32_t(x >> StreamCodeLo); }
constexpr flit_t stream_flit(stream_t x) { return x & ((stream_t(1) << StreamCodeLo) - 1); }
// As on the wires between the blocks of one chip: 20 bits, the code above the flit.
constexpr uint32_t to_wires(stream_t x) { return stream_code(x) << FlitW | slice0(stream_flit(x)); }
constexpr stream_t from_wires(uint32_t x) { return make_stream(x >> FlitW, x & SliceMask); }

// Code of flit k in a packet whose last flit has index last.
constexpr uint32_t code_of(unsigned k, unsigned last, uint32_t vc_code) {
    uint32_t code = k + 1 == last ? CodePenultimate : CodeMore;
    code = k == last ? CodeLast : code;
    return k == 0 ? vc_code : code;
}

// Virtual channels a port has: 20 buffers in all.
constexpr uint32_t vcs_of(uint32_t port) { return port < PortN0 ? 3 : port < PortM0 ? 2 : 1; }
constexpr bool is_network(uint32_t port) { return port < PortM0; }
constexpr bool is_mbp(uint32_t port) { return port == PortM0 || port == PortM1; }
// Which end of a link wins the first tie: E, N and the chip's side of an MBP link.
constexpr bool has_priority(uint32_t port) { return port >= PortM0 || (port & 1) == 0; }

}  // namespace rdt
