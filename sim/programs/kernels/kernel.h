/* SPDX-License-Identifier: MIT */
/* What all kernels share: a checksum over all nodes, which does not depend on their number. */
#pragma once

#include "rdt.h"

static inline uint64_t mixed(uint64_t value, uint64_t index) {
    uint64_t z = value + 0x9e3779b97f4a7c15u * (index + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    return z ^ z >> 31;
}
static inline uint64_t bits_of(double value) {
    union {
        double d;
        uint64_t u;
    } v = {.d = value};
    return v.u;
}

static struct {
    uint64_t checksum RDT_ALIGNED;
    uint32_t is_wrong RDT_ALIGNED;
} outcome;

/* Called by every node: its part of the checksum, and whether its part is right. Node 0 prints. */
static inline int finish(const char* name, uint64_t part, int is_right) {
    __atomic_fetch_add(&outcome.checksum, part, __ATOMIC_RELAXED);
    if (!is_right) __atomic_fetch_or(&outcome.is_wrong, 1, __ATOMIC_RELAXED);
    rdt_barrier();
    if (rdt_node() != 0) return 0;
    if (outcome.is_wrong != 0) {
        rdt_print(name);
        rdt_print(": wrong\n");
        return 1;
    }
    rdt_print_result(name, outcome.checksum);
    return 0;
}

/* All nodes; the region of interest is between the two. */
static inline void begin_interest(void) {
    rdt_barrier();
    if (rdt_node() == 0) rdt_interest_begin();
    rdt_barrier();
}
static inline void end_interest(void) {
    rdt_barrier();
    if (rdt_node() == 0) rdt_interest_end();
    rdt_barrier();
}
