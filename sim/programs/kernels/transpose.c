/* SPDX-License-Identifier: MIT */
/* Transposes an N x N matrix twice: all nodes read from all nodes. --args "N". */
#include "kernel.h"

enum { MaxSize = 128 };
static uint64_t a[MaxSize][MaxSize] RDT_ALIGNED;
static uint64_t b[MaxSize][MaxSize] RDT_ALIGNED;

static void transpose(uint64_t to[][MaxSize], uint64_t from[][MaxSize], uint32_t size) {
    uint32_t begin, end;
    rdt_part(size, &begin, &end);
    for (uint32_t i = begin; i < end; ++i)
        for (uint32_t k = 0; k < size; ++k) {
            const uint32_t j = (k + begin) % size; /* nodes begin at different homes */
            to[i][j] = from[j][i];
        }
}

int main(void) {
    const uint32_t size = (uint32_t)rdt_argument(0, 64);
    if (size > MaxSize) return 1;
    uint32_t begin, end;
    rdt_part(size, &begin, &end);
    for (uint32_t i = begin; i < end; ++i)
        for (uint32_t j = 0; j < size; ++j) a[i][j] = i * 1000 + j;
    begin_interest();
    transpose(b, a, size);
    rdt_barrier();
    transpose(a, b, size);
    end_interest();
    uint64_t sum = 0;
    int is_right = 1;
    for (uint32_t i = begin; i < end; ++i)
        for (uint32_t j = 0; j < size; ++j) {
            sum += mixed(b[i][j], i * MaxSize + j);
            if (a[i][j] != i * 1000 + j || b[i][j] != j * 1000 + i) is_right = 0;
        }
    return finish("transpose", sum, is_right);
}
