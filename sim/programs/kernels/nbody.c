/* SPDX-License-Identifier: MIT */
/* Steps of N bodies under each other's gravity in the plane: every node reads all positions and
   writes those of its bodies. --args "N STEPS". */
#include "kernel.h"

enum { MaxBodies = 512 };
typedef struct {
    double x, y, vx, vy;
} body_t; /* a line */
static body_t bodies[2][MaxBodies] RDT_ALIGNED;

int main(void) {
    const uint32_t count = (uint32_t)rdt_argument(0, 64);
    const uint32_t steps = (uint32_t)rdt_argument(1, 2);
    if (count > MaxBodies) return 1;
    uint32_t begin, end;
    rdt_part(count, &begin, &end);
    for (uint32_t i = begin; i < end; ++i) {
        body_t b = {(double)(mixed(i, 1) % 1000), (double)(mixed(i, 2) % 1000), 0, 0};
        bodies[0][i] = b;
    }
    begin_interest();
    for (uint32_t s = 0; s < steps; ++s) {
        const body_t* from = bodies[s & 1];
        body_t* to = bodies[~s & 1];
        for (uint32_t i = begin; i < end; ++i) {
            const double x = from[i].x, y = from[i].y;
            double fx = 0, fy = 0;
            for (uint32_t j = 0; j < count; ++j) {
                const double dx = from[j].x - x, dy = from[j].y - y;
                const double square = dx * dx + dy * dy + 1;
                const double f = 1 / (square * __builtin_sqrt(square));
                fx += dx * f;
                fy += dy * f;
            }
            body_t b = {0, 0, from[i].vx + fx, from[i].vy + fy};
            b.x = x + b.vx;
            b.y = y + b.vy;
            to[i] = b;
        }
        rdt_barrier();
    }
    end_interest();
    /* Momentum stays what it was: nothing, but for rounding. */
    const body_t* all = bodies[steps & 1];
    uint64_t sum = 0;
    double px = 0, py = 0;
    for (uint32_t i = begin; i < end; ++i) sum += mixed(bits_of(all[i].x + all[i].y), i);
    for (uint32_t i = 0; i < count; ++i) {
        px += all[i].vx;
        py += all[i].vy;
    }
    const double most = 1e-9;
    return finish("nbody", sum, px < most && px > -most && py < most && py > -most);
}
