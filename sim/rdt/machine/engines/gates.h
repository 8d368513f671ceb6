// SPDX-License-Identifier: MIT
// The RTL of the router as gates: what rtl/flow/gates.py generates. A word holds one bit of each of
// 64 routers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rdt::machine {

// Where the bits of a port are; -1 is a constant 0 and -2 a constant 1.
struct GatePort {
    const char* name;
    uint32_t width;
    const int32_t* words;
};

// A flip-flop, by the name of its register in the RTL.
struct GateRegister {
    const char* name;
    uint32_t bit;
    uint32_t word;
};

struct GateModel {
    uint32_t words;  // all that belongs to 64 routers
    uint32_t gates;
    uint32_t flip_flops;
    const GatePort* ports;
    size_t num_ports;
    const GateRegister* registers;
    size_t num_registers;
    void (*edge)(uint64_t* words);  // a rising clock edge, and the outputs after it
};

extern const GateModel router_gates;

// The same gates for 256 routers: four words side by side, aligned to their size. Only for
// processors with AVX2, and only in builds for x86-64 (RDT_HAS_WIDE_GATES).
constexpr uint32_t WideWords = 4;
typedef uint64_t WideWord __attribute__((vector_size(WideWords * sizeof(uint64_t))));
void wide_edge(uint64_t* words);
// Four matrices of 64 x 64 bits side by side: bit_matrix.h.
void wide_transpose(uint64_t* rows);

}  // namespace rdt::machine
