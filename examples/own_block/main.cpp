// SPDX-License-Identifier: MIT
// The same model as in ../systemc_chip, with one block of the chip replaced.
#include <rdt/router.h>

#include "model.h"
#include "own_arbiter.h"

int sc_main(int, char**) {
    rdt::blocks parts;
    parts.arbiter = [](const char* name) { return std::make_unique<own_arbiter>(name); };
    return report(send_one<rdt::router>(parts));
}
