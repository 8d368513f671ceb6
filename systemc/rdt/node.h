// SPDX-License-Identifier: MIT
// A node of two slices as one unit of 36 bits: what two routers do that see the same
// headers, at the price of one. Bits 18k+17..18k of a link's data are slice k's.
#pragma once

#include <rdt/quick_router.h>

namespace rdt {

class node : public basic_quick_router<2 * FlitW> {
public:
    explicit node(sc_core::sc_module_name name, uint32_t entries = NumEntries)
        : basic_quick_router(name, {TwoLanes, entries}) {}
};

}  // namespace rdt
