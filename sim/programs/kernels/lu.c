/* SPDX-License-Identifier: MIT */
/* LU decomposition without pivoting of an N x N matrix with a heavy diagonal; rows go round the
   nodes, and all read the pivot row. --args "N". */
#include "kernel.h"

enum { MaxSize = 96 };
static double a[MaxSize][MaxSize] RDT_ALIGNED;

static double value_of(uint32_t size, uint32_t i, uint32_t j) {
    return i == j ? (double)(4 * size) : (double)((i * 13 + j * 5) % 9) - 4;
}

int main(void) {
    const uint32_t size = (uint32_t)rdt_argument(0, 32);
    if (size > MaxSize) return 1;
    const uint32_t node = rdt_node(), nodes = rdt_nodes();
    for (uint32_t i = node; i < size; i += nodes)
        for (uint32_t j = 0; j < size; ++j) a[i][j] = value_of(size, i, j);
    begin_interest();
    for (uint32_t k = 0; k + 1 < size; ++k) {
        for (uint32_t i = node; i < size; i += nodes) {
            if (i <= k) continue;
            const double factor = a[i][k] / a[k][k];
            a[i][k] = factor;
            for (uint32_t j = k + 1; j < size; ++j) a[i][j] -= factor * a[k][j];
        }
        rdt_barrier();
    }
    end_interest();
    uint64_t sum = 0;
    int is_right = 1;
    for (uint32_t i = node; i < size; i += nodes)
        for (uint32_t j = 0; j < size; ++j) {
            sum += mixed(bits_of(a[i][j]), i * MaxSize + j);
            double product = i <= j ? a[i][j] : 0;
            for (uint32_t k = 0; k < i && k <= j; ++k) product += a[i][k] * a[k][j];
            const double error = product - value_of(size, i, j);
            if (!(error < 1e-9 && error > -1e-9)) is_right = 0;
        }
    return finish("lu", sum, is_right);
}
