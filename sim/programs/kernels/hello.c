/* SPDX-License-Identifier: MIT */
#include "rdt.h"

int main(void) {
    rdt_barrier();
    if (rdt_node() == 0) rdt_print_result("hello", 0x5eed);
    return 0;
}
