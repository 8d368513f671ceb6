/* SPDX-License-Identifier: MIT */
/* Jacobi iterations on an N x N grid in blocks, one per node: edges are shared with four neighbors.
   --args "N ITERATIONS". */
#include "kernel.h"

#ifndef OCEAN_SIZE
#define OCEAN_SIZE 256
#endif
enum { MaxSize = OCEAN_SIZE, Stride = MaxSize + 8 };
/* Columns begin at 4, so that a block begins with a line. */
static double grid[2][MaxSize + 2][Stride] RDT_ALIGNED;

int main(void) {
    const uint32_t size = (uint32_t)rdt_argument(0, 64);
    const uint32_t iterations = (uint32_t)rdt_argument(1, 4);
    if (size > MaxSize) return 1;
    uint32_t columns = 1;
    while (columns * columns < rdt_nodes()) columns *= 2;
    const uint32_t rows = rdt_nodes() / columns;
    const uint32_t x = rdt_node() % columns, y = rdt_node() / columns;
    const uint32_t x0 = size * x / columns, x1 = size * (x + 1) / columns;
    const uint32_t y0 = y < rows ? size * y / rows : size;
    const uint32_t y1 = y < rows ? size * (y + 1) / rows : size;
    for (uint32_t i = y0; i < y1; ++i)
        for (uint32_t j = x0; j < x1; ++j)
            for (int k = 0; k < 2; ++k)
                grid[k][i + 1][j + 4] = (double)((i * 31 + j * 17) % 97) / 7.0;
    begin_interest();
    for (uint32_t t = 0; t < iterations; ++t) {
        double(*from)[Stride] = grid[t & 1];
        double(*to)[Stride] = grid[~t & 1];
        for (uint32_t i = y0 + 1; i <= y1; ++i)
            for (uint32_t j = x0 + 4; j < x1 + 4; ++j)
                to[i][j] =
                    0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
        rdt_barrier();
    }
    end_interest();
    uint64_t sum = 0;
    int is_right = 1;
    for (uint32_t i = y0; i < y1; ++i)
        for (uint32_t j = x0; j < x1; ++j) {
            const double v = grid[iterations & 1][i + 1][j + 4];
            sum += mixed(bits_of(v), i * MaxSize + j);
            if (!(v >= 0 && v <= 97.0 / 7.0)) is_right = 0; /* an average of earlier values */
        }
    return finish("ocean", sum, is_right);
}
