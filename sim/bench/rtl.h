// SPDX-License-Identifier: MIT
// The Verilated RTL without assertions and without registers that others can read, in all the ways
// that may be the fastest. Figures are held against the one that is.
#pragma once

#include "Vrdt_router_fast.h"
#include "Vrdt_router_fast___024root.h"
#include "Vrdt_router_once.h"
#include "Vrdt_router_once___024root.h"
#ifdef RDT_HAS_CLANG
#include "Vrdt_router_clang.h"
#include "Vrdt_router_clang___024root.h"
#endif
#include <rdt/machine/cosim/rtl_chip.h>

namespace rdt::bench {

// Of rdt_router_once.sv.
template <typename Model>
class OnceChip : public machine::RtlChip<Model> {
public:
    using machine::RtlChip<Model>::RtlChip;
    void edge() {
        this->model().clk_i ^= 1;
        this->model().eval();
    }
};

// Calls f.template operator()<Model, Chip>(name) for each.
template <typename F>
void for_each_rtl(F&& f) {
    f.template operator()<Vrdt_router_fast, machine::RtlChip<Vrdt_router_fast>>("rtl_twice");
    f.template operator()<Vrdt_router_once, OnceChip<Vrdt_router_once>>("rtl_once");
#ifdef RDT_HAS_CLANG
    f.template operator()<Vrdt_router_clang, OnceChip<Vrdt_router_clang>>("rtl_clang");
#endif
}

}  // namespace rdt::bench
