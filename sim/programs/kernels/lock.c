/* SPDX-License-Identifier: MIT */
/* A counter that all nodes increment. --args "KIND TIMES": 0 ticket lock, 1 queue lock, 2 atomic
   add, 3 LR/SC. TIMES increments in all. */
#include "kernel.h"

static rdt_lock_t ticket;
static rdt_queue_lock_t queue;
static rdt_queue_node_t queue_nodes[256];
static volatile uint64_t counter RDT_ALIGNED;

static void increment_conditionally(volatile uint64_t* at) {
    uint64_t value, failed;
    do {
        __asm__ volatile(
            "lr.d %0, (%2)\n addi %0, %0, 1\n sc.d %1, %0, (%2)"
            : "=&r"(value), "=&r"(failed)
            : "r"(at)
            : "memory");
    } while (failed);
}

int main(void) {
    const long kind = rdt_argument(0, 0);
    const uint32_t times = (uint32_t)rdt_argument(1, 256);
    uint32_t begin, end;
    rdt_part(times, &begin, &end);
    begin_interest();
    for (uint32_t i = begin; i < end; ++i) {
        if (kind == 0) {
            rdt_lock(&ticket);
            ++counter;
            rdt_unlock(&ticket);
        } else if (kind == 1) {
            rdt_queue_lock(&queue, &queue_nodes[rdt_node()]);
            ++counter;
            rdt_queue_unlock(&queue, &queue_nodes[rdt_node()]);
        } else if (kind == 2) {
            __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
        } else {
            increment_conditionally(&counter);
        }
    }
    end_interest();
    return finish("lock", rdt_node() == 0 ? counter : 0, counter == times);
}
