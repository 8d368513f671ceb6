/* SPDX-License-Identifier: MIT */
/* Between blocks of random instructions: folds all registers into a hash, prints it now and then, and
   gives some registers new values. */
#include "rdt.h"

enum { Integers = 32, Words = 65, Report = 16 };
uint64_t save_area[Words + 1]; /* x0 to x31, f0 to f31, fcsr */
uint8_t scratch[4096] __attribute__((aligned(4096)));
static uint64_t hash, state = 1;
static uint32_t block;

static uint64_t special(uint64_t r) {
    static const uint64_t values[] = {0, 1, ~0ull, 1ull << 63, ~(1ull << 63), 0x7fffffff, 0x80000000,
                                      0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
                                      0x7ff0000000000001, 0x0010000000000000, 0x000fffffffffffff,
                                      0x3ff0000000000000, 0xffffffff3f800000, 0xffffffff7f800000,
                                      0xffffffff7f800001, 0xffffffff00800000, 0xffffffff007fffff};
    return values[r % (sizeof values / sizeof *values)];
}

void fold_registers(void) {
    for (int i = 0; i < Words; ++i) {
        hash = (hash ^ save_area[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    if (++block % Report == 0) rdt_print_result("random", hash);
    for (int k = 0; k < 12; ++k) {
        const uint64_t r = rdt_random(&state);
        const uint64_t choice = r >> 8 & 7;
        uint64_t value = rdt_random(&state);
        if (choice == 0) value = special(value);
        else if (choice == 1) value |= 0xffffffff00000000u;                     /* a single */
        else if (choice == 2) value = (value & ~(0x7ffull << 52)) | 0x3ffull << 52; /* near 1 */
        else if (choice == 3) value >>= 60 - (r >> 16 & 31);
        else if (choice == 4) value = (value & ~(0x7ffull << 52)) | 1ull << 53; /* small */
        save_area[r % 64] = value;
    }
}

void random_blocks(uint64_t* save);

int main(void) {
    const long rounds = rdt_argument(0, 5);
    for (long i = 0; i < rounds; ++i) random_blocks(save_area);
    rdt_print_result("random", hash);
    return 0;
}
