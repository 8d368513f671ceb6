/* SPDX-License-Identifier: MIT */
/* Barriers alone. --args "KIND ROUNDS": 0 central, 1 tree, 2 dissemination, 3 network. Every node
   notes its round; after a barrier no node is behind, nor ahead by more than one. */
#include "kernel.h"

static struct {
    volatile uint32_t round RDT_ALIGNED;
} at[256];

static void barrier(long kind) {
    if (kind == 0) rdt_barrier_central();
    else if (kind == 1) rdt_barrier_tree();
    else if (kind == 3 && rdt_has_network_barrier()) rdt_barrier_network(0);
    else rdt_barrier_dissemination();
}

int main(void) {
    const long kind = rdt_argument(0, 2);
    const uint32_t rounds = (uint32_t)rdt_argument(1, 20);
    const uint32_t node = rdt_node();
    int is_right = 1;
    for (uint32_t i = 1; i <= 4; ++i) {
        at[node].round = i;
        barrier(kind);
        const uint32_t other = at[(node + i) % rdt_nodes()].round;
        if (other != i && other != i + 1) is_right = 0;
    }
    barrier(kind);
    begin_interest();
    for (uint32_t i = 0; i < rounds; ++i) barrier(kind);
    end_interest();
    return finish("barrier", node == 0 ? rounds : 0, is_right);
}
