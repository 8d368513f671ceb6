/* SPDX-License-Identifier: MIT */
/* A number-theoretic transform of 2^M values modulo 2^64 - 2^32 + 1, the butterflies of a stage
   divided among the nodes, forward and back. --args "M". */
#include "kernel.h"

enum { MaxLog = 12 };
static const uint64_t Prime = 0xffffffff00000001u;
static uint64_t data[1 << MaxLog] RDT_ALIGNED;

static uint64_t add(uint64_t a, uint64_t b) {
    const uint64_t s = a + b;
    return s < a || s >= Prime ? s - Prime : s;
}
static uint64_t subtract(uint64_t a, uint64_t b) { return a >= b ? a - b : a - b + Prime; }
static uint64_t multiply(uint64_t a, uint64_t b) {
    const unsigned __int128 p = (unsigned __int128)a * b;
    const uint64_t low = (uint64_t)p, high = (uint64_t)(p >> 64);
    /* 2^64 = 2^32 - 1 and 2^96 = -1 modulo the prime. */
    uint64_t r = subtract(low >= Prime ? low - Prime : low, high >> 32);
    return add(r, (high & 0xffffffffu) * 0xffffffffu);
}
static uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t r = 1;
    for (; exponent != 0; exponent >>= 1, base = multiply(base, base))
        if (exponent & 1) r = multiply(r, base);
    return r;
}

/* `root` is a root of unity of order 2^log. Decimation in frequency leaves the order of bits
   reversed; the inverse begins with it. */
static void stage(uint32_t log, uint32_t half, uint64_t root, int is_inverse) {
    const uint32_t count = 1u << log;
    uint32_t begin, end;
    rdt_part(count / 2, &begin, &end);
    const uint64_t step = power(root, count / 2 / half);
    uint64_t w = power(step, begin % half);
    for (uint32_t i = begin; i < end; ++i) {
        const uint32_t k = i % half;
        if (k == 0) w = 1;
        uint64_t* p = &data[(i - k) * 2 + k];
        const uint64_t a = p[0], b = p[half];
        if (is_inverse) {
            const uint64_t t = multiply(b, w);
            p[0] = add(a, t);
            p[half] = subtract(a, t);
        } else {
            p[0] = add(a, b);
            p[half] = multiply(subtract(a, b), w);
        }
        w = multiply(w, step);
    }
    rdt_barrier();
}

int main(void) {
    const uint32_t log = (uint32_t)rdt_argument(0, 10);
    if (log < 1 || log > MaxLog) return 1;
    const uint32_t count = 1u << log;
    uint32_t begin, end;
    rdt_part(count, &begin, &end);
    for (uint32_t i = begin; i < end; ++i) data[i] = mixed(i, 1) % Prime;
    const uint64_t root = power(7, (Prime - 1) >> log);
    const uint64_t inverse = power(root, Prime - 2);
    uint64_t sum = 0;
    begin_interest();
    for (uint32_t half = count / 2; half != 0; half /= 2) stage(log, half, root, 0);
    end_interest();
    for (uint32_t i = begin; i < end; ++i) sum += mixed(data[i], i);
    rdt_barrier();
    for (uint32_t half = 1; half < count; half *= 2) stage(log, half, inverse, 1);
    const uint64_t scale = power(count, Prime - 2);
    int is_right = 1;
    for (uint32_t i = begin; i < end; ++i)
        if (multiply(data[i], scale) != mixed(i, 1) % Prime) is_right = 0;
    return finish("fft", sum, is_right);
}
