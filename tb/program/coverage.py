#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Intervals of 95 % that `rdt run` prints at 0.9 of the load that saturates the machine hold the mean
of a long run in 90 of 100 cases. RDT_SEEDS is how many seeds are tried (4), from RDT_SEED (1) on; the claim is for 200.

usage: coverage.py PROGRAM [tests of unittest]
"""
import json
import math
import os

import program
from program import Program, main

SEEDS = int(os.environ.get("RDT_SEEDS") or 4)
FIRST = int(os.environ.get("RDT_SEED") or 1)
LOAD = "0.585"  # 0.9 of 0.65, where `rdt sweep` finds saturation


class Coverage(Program):
    def figures(self, seed, cycles):
        return json.loads(self.accept("run", "--load", LOAD, "--cycles", cycles, "--warmup", 5000, "--seed", seed,
                                      "--json", "-"))

    def test_intervals_hold_the_mean_of_a_long_run(self):
        program.LIMIT = 1200
        runs = [self.figures(seed, 460000) for seed in range(FIRST, FIRST + SEEDS)]
        long = self.figures(FIRST + SEEDS, 600000)
        self.assertFalse(any(run["saturated"] for run in runs))
        known = [run for run in runs if not run["is_short"]]
        self.assertGreaterEqual(len(known), SEEDS // 2, "too short a run for this test")
        # For few seeds, the tolerance is two standard deviations.
        allowed = 0.9 if len(known) >= 150 else 0.9 - 2 * math.sqrt(0.09 / len(known))
        for name in ("latency", "latency_network"):
            # All packets of all runs together are the reference.
            packets = sum(run[name]["packets"] for run in [*runs, long])
            truth = sum(run[name]["mean"] * run[name]["packets"] for run in [*runs, long]) / packets
            holds = sum(abs(run[name]["mean"] - truth) <= run[name]["half_interval"] for run in known)
            print(f"{name} {truth:.1f}: {holds} of {len(known)} intervals hold it")
            self.assertGreaterEqual(holds, allowed * len(known), name)

    def test_a_short_run_is_reported(self):
        for seed in range(1, 6):
            run = self.figures(seed, 8000)
            self.assertTrue(run["is_short"] or run["saturated"], seed)
            self.assertIsNone(run["latency"]["half_interval"], seed)
            self.assertGreater(run["cycles_needed"], 8000, seed)


if __name__ == "__main__":
    main()
