// SPDX-License-Identifier: MIT
// The Verilated RTL without assertions and without registers that others can read, in all the ways
// that may be the fastest. Figures are compared with the one that is.
#pragma once

#include "Vrdt_router_fast.h"
#include "Vrdt_router_fast___024root.h"
#include "Vrdt_router_once.h"
#include "Vrdt_router_once___024root.h"
#ifdef RDT_HAS_CLANG
#include "Vrdt_router_clang.h"
#include "Vrdt_router_clang___024root.h"
#endif
#include <rdt/cosim/rtl_chip.h>

namespace rdt::bench {

// Calls f.template operator()<Model, Chip>(name) for each.
template <typename F>
void for_each_rtl(F&& f) {
    f.template operator()<Vrdt_router_fast, machine::RtlChip<Vrdt_router_fast>>("rtl_twice");
    f.template operator()<Vrdt_router_once, machine::OnceChip<Vrdt_router_once>>("rtl_once");
#ifdef RDT_HAS_CLANG
    f.template operator()<Vrdt_router_clang, machine::OnceChip<Vrdt_router_clang>>("rtl_clang");
#endif
}

}  // namespace rdt::bench
