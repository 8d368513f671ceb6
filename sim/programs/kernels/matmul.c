/* SPDX-License-Identifier: MIT */
/* C = A B for N x N matrices, rows of C by node: every node reads all of B. --args "N SKEW": with
   SKEW 1 nodes begin with different rows of B, so that they do not load one home at a time. */
#include "kernel.h"

enum { MaxSize = 128 };
static double a[MaxSize][MaxSize] RDT_ALIGNED;
static double b[MaxSize][MaxSize] RDT_ALIGNED;
static double c[MaxSize][MaxSize] RDT_ALIGNED;

static double value_of(uint32_t i, uint32_t j) { return (double)((i * 7 + j * 3) % 11) - 5; }

int main(void) {
    const uint32_t size = (uint32_t)rdt_argument(0, 32);
    const long is_skewed = rdt_argument(1, 1);
    if (size > MaxSize) return 1;
    uint32_t begin, end;
    rdt_part(size, &begin, &end);
    for (uint32_t i = begin; i < end; ++i)
        for (uint32_t j = 0; j < size; ++j) {
            a[i][j] = value_of(i, j);
            b[i][j] = value_of(j, i + 1);
        }
    begin_interest();
    for (uint32_t i = begin; i < end; ++i)
        for (uint32_t n = 0; n < size; ++n) {
            const uint32_t k = is_skewed ? (n + begin) % size : n;
            const double factor = a[i][k];
            for (uint32_t j = 0; j < size; ++j) c[i][j] += factor * b[k][j];
        }
    end_interest();
    /* Small whole numbers: sums are exact in any order. */
    uint64_t sum = 0;
    int is_right = 1;
    for (uint32_t i = begin; i < end; ++i) {
        double row = 0, expected = 0;
        for (uint32_t j = 0; j < size; ++j) {
            row += c[i][j];
            sum += mixed(bits_of(c[i][j] + 0.0), i * MaxSize + j);
        }
        for (uint32_t k = 0; k < size; ++k)
            for (uint32_t j = 0; j < size; ++j) expected += value_of(i, k) * value_of(j, k + 1);
        if (row != expected) is_right = 0;
    }
    return finish("matmul", sum, is_right);
}
