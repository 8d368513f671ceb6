/* SPDX-License-Identifier: MIT */
/* Every node increments a counter of its own. --args "BYTES TIMES": counters are BYTES apart; with
   less than 32 several share a line. */
#include "kernel.h"

static volatile uint8_t counters[256 * 64] RDT_ALIGNED;

int main(void) {
    const uint32_t bytes = (uint32_t)rdt_argument(0, 8);
    const uint32_t times = (uint32_t)rdt_argument(1, 50);
    if (bytes < 8 || bytes > 64 || bytes % 8 != 0) return 1;
    volatile uint64_t* mine = (volatile uint64_t*)(counters + rdt_node() * bytes);
    begin_interest();
    for (uint32_t i = 0; i < times; ++i) *mine += 1;
    end_interest();
    return finish("false_sharing", rdt_node() == 0 ? times : 0, *mine == times);
}
