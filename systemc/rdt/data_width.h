// SPDX-License-Identifier: MIT
// How wide the links of the SystemC design of blocks are: DataW of rtl/rdt_router.sv. 18, a slice;
// with RDT_DATA_W=36 for all that is compiled together 36, a whole node as one chip.
#pragma once

#include <rdt/core/flit.h>

#ifndef RDT_DATA_W
#define RDT_DATA_W 18
#endif

namespace rdt {

constexpr unsigned DataW = RDT_DATA_W;
static_assert(DataW == FlitW || DataW == 2 * FlitW);
constexpr unsigned WireW = DataW + 2;  // a stream: the code above the flit
constexpr flit_t DataLanes = DataW == FlitW ? OneLane : TwoLanes;
constexpr flit_t DataMask = (flit_t(1) << DataW) - 1;

// A stream on the wires between blocks.
constexpr uint64_t wires_of(uint32_t code, flit_t flit) { return uint64_t(code) << DataW | flit; }
constexpr uint32_t code_on(uint64_t wires) { return uint32_t(wires >> DataW); }
constexpr flit_t flit_on(uint64_t wires) { return wires & DataMask; }

}  // namespace rdt
