// SPDX-License-Identifier: MIT
// The chip in a SystemC model of one's own.
#include <cstdio>

#include <rdt/router.h>

#include "model.h"

int sc_main(int, char**) {
    const int clocks = send_one<rdt::router>();
    std::printf("%s: first flit after %d clocks\n", clocks == 6 ? "PASS" : "FAIL", clocks);
    return clocks == 6 ? 0 : 1;
}
