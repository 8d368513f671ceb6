/* SPDX-License-Identifier: MIT */
#include "rdt.h"

#define SYNC __attribute__((section(".text.rdt_sync"), noinline))
#define MAX_NODES 256

/* Set by the loader, in crt0.S: constants, so that every node reads its own copy. */
extern const volatile uint32_t rdt_nodes_;
extern const volatile uint32_t rdt_machine_;
extern const volatile uint32_t rdt_homes_;
extern const volatile uint32_t rdt_page_bytes_;
extern const volatile char rdt_arguments_[];

enum { HasBarrier = 2 }; /* a bit of rdt_machine_ */

static volatile uint64_t* const interest_register = (volatile uint64_t*)0x03000000;
static volatile uint64_t* const barrier_register = (volatile uint64_t*)0x03000008;

uint32_t rdt_nodes(void) { return rdt_nodes_; }

/* gcc calls these. */
void* memset(void* to, int value, size_t count) {
    for (size_t i = 0; i < count; ++i) ((volatile uint8_t*)to)[i] = (uint8_t)value;
    return to;
}
void* memcpy(void* to, const void* from, size_t count) {
    for (size_t i = 0; i < count; ++i) ((volatile uint8_t*)to)[i] = ((const uint8_t*)from)[i];
    return to;
}

long rdt_argument(int i, long otherwise) {
    const volatile char* s = rdt_arguments_;
    for (;; --i) {
        while (*s == ' ') ++s;
        if (*s == 0) return otherwise;
        if (i == 0) break;
        while (*s != 0 && *s != ' ') ++s;
    }
    const int is_negative = *s == '-';
    long value = 0;
    for (s += is_negative; *s >= '0' && *s <= '9'; ++s) value = 10 * value + (*s - '0');
    return is_negative ? -value : value;
}

void rdt_print(const char* text) {
    while (*text != 0) *(volatile uint8_t*)0x10000000 = (uint8_t)*text++;
}

void rdt_print_number(int64_t value) {
    char digits[24];
    int at = sizeof digits - 1;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    digits[at] = 0;
    do digits[--at] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (value < 0) digits[--at] = '-';
    rdt_print(digits + at);
}

void rdt_print_result(const char* name, uint64_t checksum) {
    char digits[17];
    for (int i = 0; i < 16; ++i) digits[i] = "0123456789abcdef"[checksum >> (60 - 4 * i) & 15];
    digits[16] = 0;
    rdt_print(name);
    rdt_print(" ");
    rdt_print(digits);
    rdt_print("\n");
}

void rdt_exit(int code) {
    *(volatile uint32_t*)0x100000 = code == 0 ? 0x5555 : (uint32_t)code << 16 | 0x3333;
    for (;;) {
    }
}

void rdt_interest_begin(void) {
    if (rdt_machine_ != 0) *interest_register = 1;
}
void rdt_interest_end(void) {
    if (rdt_machine_ != 0) *interest_register = 0;
}

static struct {
    uint32_t count RDT_ALIGNED;
    uint32_t round RDT_ALIGNED;
} central;

SYNC void rdt_barrier_central(void) {
    const uint32_t round = __atomic_load_n(&central.round, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(&central.count, 1, __ATOMIC_ACQ_REL) == rdt_nodes_) {
        central.count = 0;
        __atomic_store_n(&central.round, round + 1, __ATOMIC_RELEASE);
        return;
    }
    while (__atomic_load_n(&central.round, __ATOMIC_ACQUIRE) == round) {
    }
}

/* Groups of eight count, then their last ones; one flag releases all. */
static struct {
    uint32_t count RDT_ALIGNED;
} groups[MAX_NODES / 8 + 1];
static uint32_t tree_round RDT_UPDATE = 0;

SYNC void rdt_barrier_tree(void) {
    const uint32_t nodes = rdt_nodes_;
    const uint32_t group = rdt_node() / 8;
    const uint32_t members = nodes - 8 * group < 8 ? nodes - 8 * group : 8;
    const uint32_t round = __atomic_load_n(&tree_round, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(&groups[group].count, 1, __ATOMIC_ACQ_REL) == members) {
        groups[group].count = 0;
        uint32_t* top = &groups[MAX_NODES / 8].count;
        if (__atomic_add_fetch(top, 1, __ATOMIC_ACQ_REL) == (nodes + 7) / 8) {
            *top = 0;
            __atomic_store_n(&tree_round, round + 1, __ATOMIC_RELEASE);
            return;
        }
    }
    while (__atomic_load_n(&tree_round, __ATOMIC_ACQUIRE) == round) {
    }
}

/* In step k, node n signals node n + 2^k, and waits for node n - 2^k. */
static struct {
    uint32_t round RDT_ALIGNED;
} told[8][MAX_NODES];
static struct {
    uint32_t round RDT_ALIGNED;
} own_round[MAX_NODES];

SYNC void rdt_barrier_dissemination(void) {
    const uint32_t nodes = rdt_nodes_;
    const uint32_t node = rdt_node();
    const uint32_t round = ++own_round[node].round;
    for (uint32_t k = 0, distance = 1; distance < nodes; ++k, distance *= 2) {
        const uint32_t to = node + distance < nodes ? node + distance : node + distance - nodes;
        __atomic_store_n(&told[k][to].round, round, __ATOMIC_RELEASE);
        while ((int32_t)(__atomic_load_n(&told[k][node].round, __ATOMIC_ACQUIRE) - round) < 0) {
        }
    }
}

int rdt_has_network_barrier(void) { return (rdt_machine_ & HasBarrier) != 0; }

SYNC uint32_t rdt_barrier_network(uint32_t bits) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    *barrier_register = bits;
    const uint32_t all = (uint32_t)*barrier_register;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return all;
}

SYNC void rdt_barrier(void) {
#ifdef RDT_BARRIER
    RDT_BARRIER();
#else
    if (rdt_has_network_barrier()) rdt_barrier_network(0);
    else rdt_barrier_dissemination();
#endif
}

SYNC void rdt_lock(rdt_lock_t* lock) {
    const uint32_t ticket = __atomic_fetch_add(&lock->next, 1, __ATOMIC_ACQUIRE);
    while (__atomic_load_n(&lock->now, __ATOMIC_ACQUIRE) != ticket) {
    }
}

SYNC void rdt_unlock(rdt_lock_t* lock) {
    __atomic_store_n(&lock->now, lock->now + 1, __ATOMIC_RELEASE);
}

SYNC void rdt_queue_lock(rdt_queue_lock_t* lock, rdt_queue_node_t* mine) {
    mine->next = NULL;
    mine->waits = 1;
    rdt_queue_node_t* before = __atomic_exchange_n(&lock->tail, mine, __ATOMIC_ACQ_REL);
    if (before == NULL) return;
    before->next = mine;
    while (__atomic_load_n(&mine->waits, __ATOMIC_ACQUIRE) != 0) {
    }
}

SYNC void rdt_queue_unlock(rdt_queue_lock_t* lock, rdt_queue_node_t* mine) {
    if (mine->next == NULL) {
        rdt_queue_node_t* expected = mine;
        if (__atomic_compare_exchange_n(&lock->tail, &expected, NULL, 0, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
            return;
        while (mine->next == NULL) {
        }
    }
    __atomic_store_n(&mine->next->waits, 0, __ATOMIC_RELEASE);
}

extern uint8_t rdt_shared_begin_[], rdt_heap_begin_[], rdt_heap_end_[];
static uint64_t heap_used RDT_ALIGNED;
static uint64_t page_used[MAX_NODES]; /* offset in the heap behind the last rdt_alloc_at */

static void* from_heap(uint64_t offset, size_t bytes) {
    if (rdt_heap_begin_ + offset + bytes <= rdt_heap_end_) return rdt_heap_begin_ + offset;
    rdt_print("rdt_alloc: the heap is full; link with -Wl,--defsym=rdt_heap_bytes_=...\n");
    rdt_exit(1);
}

/* From the beginning of the heap up. */
void* rdt_alloc(size_t bytes) {
    bytes = (bytes + RDT_LINE - 1) / RDT_LINE * RDT_LINE;
    return from_heap(__atomic_fetch_add(&heap_used, bytes, __ATOMIC_RELAXED), bytes);
}

/* Pages of all homes round-robin, from the next multiple of them all on. Once per node and page. */
void* rdt_alloc_at(uint32_t node, size_t bytes) {
    const uint64_t page = rdt_page_bytes_;
    if (bytes > page) {
        rdt_print("rdt_alloc_at: more than a page\n");
        rdt_exit(1);
    }
    const uint64_t first = (uint64_t)(rdt_heap_begin_ - rdt_shared_begin_) / page;
    const uint64_t homes = rdt_homes_;
    const uint64_t bundle = homes * page;
    const uint64_t offset = __atomic_fetch_add(&page_used[node], bundle, __ATOMIC_RELAXED);
    const uint64_t skip = (node % homes + homes - first % homes) % homes;
    const uint64_t half = (uint64_t)(rdt_heap_end_ - rdt_heap_begin_) / 2 / bundle * bundle;
    return from_heap(half + offset + skip * page, bytes);
}

static struct {
    uint32_t code RDT_ALIGNED;
} result;

/* When all nodes have returned from main(), the OR of their results is the exit code. */
void rdt_start_(void) {
    const int code = main();
    if (code != 0) __atomic_fetch_or(&result.code, (uint32_t)code & 0xff, __ATOMIC_RELAXED);
    rdt_barrier();
    if (rdt_node() == 0) rdt_exit((int)__atomic_load_n(&result.code, __ATOMIC_RELAXED));
}
