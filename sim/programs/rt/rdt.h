/* SPDX-License-Identifier: MIT */
/* Run-time of programs on the machine. main() runs on every node. Globals and rdt_alloc() are
   shared; what is on the stack is private to the node, and an address in it must not be given to
   others. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define RDT_LINE 32                                    /* bytes of a line */
#define RDT_ALIGNED __attribute__((aligned(RDT_LINE))) /* a line of its own begins here */
#define RDT_UPDATE                                                                \
    __attribute__((section(".rdt_update"), aligned(RDT_LINE))) /* protocol update \
                                                                */

/* This node, and how many run the program. */
static inline uint32_t rdt_node(void) {
    uint64_t n;
    __asm__("csrr %0, mhartid" : "=r"(n));
    return (uint32_t)n;
}
uint32_t rdt_nodes(void);
static inline uint64_t rdt_cycles(void) {
    uint64_t c;
    __asm__ volatile("csrr %0, mcycle" : "=r"(c));
    return c;
}

/* Number i of the words of `rdt exec --args`, or `otherwise` if there are fewer. */
long rdt_argument(int i, long otherwise);

/* Prints. Every node has its own lines. */
void rdt_print(const char* text);
void rdt_print_number(int64_t value);
/* Prints the line of a kernel by node 0: its name, and its checksum as 16 hexadecimal digits. */
void rdt_print_result(const char* name, uint64_t checksum);
/* Ends the program on all nodes. */
void rdt_exit(int code) __attribute__((noreturn));

/* Cycles and misses are counted between these calls, by any node; outside them they are not. */
void rdt_interest_begin(void);
void rdt_interest_end(void);

/* Barriers of all nodes. rdt_barrier() is that of the network if the machine has one, otherwise by
   dissemination; a macro chooses another for the whole program, as
   -DRDT_BARRIER=rdt_barrier_central. */
void rdt_barrier(void);
void rdt_barrier_central(void);
void rdt_barrier_tree(void);
void rdt_barrier_dissemination(void);
int rdt_has_network_barrier(void);
/* Returns the OR of three bits of every node. Only with rdt_has_network_barrier(). */
uint32_t rdt_barrier_network(uint32_t bits);

/* A lock by tickets: fair, all waiting nodes spin on one line. */
typedef struct {
    uint32_t next RDT_ALIGNED;
    uint32_t now RDT_ALIGNED;
} rdt_lock_t;
void rdt_lock(rdt_lock_t* lock);
void rdt_unlock(rdt_lock_t* lock);

/* A queue lock (MCS): each node spins on a line of its own. */
typedef struct rdt_queue_node {
    struct rdt_queue_node* volatile next RDT_ALIGNED;
    volatile uint32_t waits;
} rdt_queue_node_t;
typedef struct {
    rdt_queue_node_t* tail RDT_ALIGNED;
} rdt_queue_lock_t;
/* `mine` is shared memory, one per node and lock. */
void rdt_queue_lock(rdt_queue_lock_t* lock, rdt_queue_node_t* mine);
void rdt_queue_unlock(rdt_queue_lock_t* lock, rdt_queue_node_t* mine);

/* Shared memory, zeroed, that begins with a line; called by any node, never freed. */
void* rdt_alloc(size_t bytes);
/* The same in pages whose home is this node, at most one page: rdt exec --page gives its size. */
void* rdt_alloc_at(uint32_t node, size_t bytes);

/* The part of [0, count) that this node does: from *begin to *end - 1. */
static inline void rdt_part(uint32_t count, uint32_t* begin, uint32_t* end) {
    const uint64_t n = rdt_node();
    *begin = (uint32_t)(count * n / rdt_nodes());
    *end = (uint32_t)(count * (n + 1) / rdt_nodes());
}

/* The same numbers everywhere. */
static inline uint64_t rdt_random(uint64_t* state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int main(void);
