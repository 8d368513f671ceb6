// SPDX-License-Identifier: MIT
// The router in a custom SystemC model: the design of blocks, or with the argument `quick` the same
// chip as one process.
#include <cstring>

#include <rdt/quick_router.h>
#include <rdt/router.h>

#include "model.h"

int sc_main(int argc, char** argv) {
    const bool quick = argc > 1 && std::strcmp(argv[1], "quick") == 0;
    return report(quick ? send_one<rdt::quick_router>() : send_one<rdt::router>());
}
