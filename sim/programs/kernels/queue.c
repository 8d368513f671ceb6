/* SPDX-License-Identifier: MIT */
/* Tasks of different lengths: every node has a queue of its own and takes from others when it is
   empty. --args "TASKS LENGTH". */
#include "kernel.h"

enum { MaxTasks = 1024 };
typedef struct {
    rdt_lock_t lock;
    uint32_t begin RDT_ALIGNED;
    uint32_t end;
} queue_t;
static queue_t queues[256];
static uint64_t results[MaxTasks] RDT_ALIGNED;

/* The next task of a queue, or MaxTasks. */
static uint32_t take(queue_t* q) {
    uint32_t task = MaxTasks;
    if (__atomic_load_n(&q->begin, __ATOMIC_RELAXED) >= q->end) return task;
    rdt_lock(&q->lock);
    if (q->begin < q->end) task = q->begin++;
    rdt_unlock(&q->lock);
    return task;
}

static uint64_t work(uint32_t task, uint32_t length) {
    const uint32_t steps = length * (1 + task % 7);
    uint64_t state = task;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < steps; ++i) sum += rdt_random(&state);
    return sum;
}

int main(void) {
    const uint32_t tasks = (uint32_t)rdt_argument(0, 256);
    const uint32_t length = (uint32_t)rdt_argument(1, 20);
    if (tasks > MaxTasks) return 1;
    const uint32_t node = rdt_node(), nodes = rdt_nodes();
    rdt_part(tasks, &queues[node].begin, &queues[node].end);
    begin_interest();
    for (uint32_t k = 0; k < nodes; ++k) {
        queue_t* q = &queues[(node + k) % nodes];
        for (uint32_t task = take(q); task != MaxTasks; task = take(q))
            results[task] += work(task, length);
    }
    end_interest();
    uint32_t begin, end;
    rdt_part(tasks, &begin, &end);
    uint64_t sum = 0;
    int is_right = 1;
    for (uint32_t i = begin; i < end; ++i) {
        sum += mixed(results[i], i);
        if (results[i] != work(i, length)) is_right = 0; /* done once */
    }
    return finish("queue", sum, is_right);
}
