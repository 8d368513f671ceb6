/* SPDX-License-Identifier: MIT */
/* Radix sort of N keys by four bits at a time: histograms of all nodes, then every node writes its
   keys wherever they belong. --args "N DIGITS". */
#include "kernel.h"

enum { MaxKeys = 8192, Radix = 16 };
static uint32_t keys[2][MaxKeys] RDT_ALIGNED;
static uint32_t histogram[256][Radix] RDT_ALIGNED;

static uint32_t key_of(uint32_t i, uint32_t bits) {
    return (uint32_t)mixed(i, 42) & ((1u << bits) - 1);
}

int main(void) {
    const uint32_t count = (uint32_t)rdt_argument(0, 2048);
    const uint32_t digits = (uint32_t)rdt_argument(1, 3);
    if (count > MaxKeys || digits > 7) return 1;
    const uint32_t node = rdt_node(), nodes = rdt_nodes();
    uint32_t begin, end;
    rdt_part(count, &begin, &end);
    for (uint32_t i = begin; i < end; ++i) keys[0][i] = key_of(i, 4 * digits);
    begin_interest();
    for (uint32_t d = 0; d < digits; ++d) {
        const uint32_t* from = keys[d & 1];
        uint32_t* to = keys[~d & 1];
        uint32_t own[Radix] = {0};
        for (uint32_t i = begin; i < end; ++i) ++own[from[i] >> 4 * d & (Radix - 1)];
        for (uint32_t r = 0; r < Radix; ++r) histogram[node][r] = own[r];
        rdt_barrier();
        uint32_t place[Radix];
        uint32_t total = 0;
        for (uint32_t r = 0; r < Radix; ++r) {
            for (uint32_t n = 0; n < nodes; ++n) {
                if (n == node) place[r] = total;
                total += histogram[n][r];
            }
        }
        for (uint32_t i = begin; i < end; ++i) to[place[from[i] >> 4 * d & (Radix - 1)]++] = from[i];
        rdt_barrier();
    }
    end_interest();
    const uint32_t* sorted = keys[digits & 1];
    uint64_t sum = 0;
    uint64_t found = 0, expected = 0;
    int is_right = 1;
    for (uint32_t i = begin; i < end; ++i) {
        sum += mixed(sorted[i], i);
        if (i > 0 && sorted[i - 1] > sorted[i]) is_right = 0;
    }
    if (node == 0)
        for (uint32_t i = 0; i < count; ++i) {
            found += mixed(sorted[i], 7);
            expected += mixed(key_of(i, 4 * digits), 7);
        }
    return finish("radix", sum, is_right && found == expected);
}
