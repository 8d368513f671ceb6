#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Intervals of 95 % that `rdt run` prints at 0.9 of the load that saturates the machine hold the mean in 90 of
100 runs. RDT_SIZE is the side of the machine (4, or 8 for the full test), RDT_SEEDS how many seeds are tried,
from RDT_SEED (1) on; the claim is for 200.

usage: coverage.py PROGRAM [tests of unittest]
"""
import json
import math
import os

import program
from program import Program, main

SIZE = int(os.environ.get("RDT_SIZE") or 4)
SEEDS = int(os.environ.get("RDT_SEEDS") or 100)
FIRST = int(os.environ.get("RDT_SEED") or 1)
LOAD = 0.585  # 0.9 of 0.65, where `rdt sweep` finds saturation, with 4 x 4 and with 8 x 8 nodes
CYCLES = {4: 110000, 8: 460000}[SIZE]  # most runs need fewer
ENOUGH = 60  # runs of which half as wide intervals have to be detected


def covered(errors, halves):
    return sum(abs(error) <= half for error, half in zip(errors, halves))


class Coverage(Program):
    def figures(self, seed, cycles):
        return json.loads(self.accept("run", "--size", SIZE, "--load", LOAD, "--cycles", cycles, "--warmup", 5000,
                                      "--seed", seed, "--json", "-"))

    def check(self, name, errors, halves):
        """Also whether intervals half as wide, an injected error, hold too few."""
        # For few runs, the tolerance is two standard deviations.
        count = len(errors)
        least = count * (0.9 if count >= 150 else 0.9 - 2 * math.sqrt(0.09 / count))
        held = covered(errors, halves)
        held_by_half = covered(errors, [half / 2 for half in halves])
        print(f"{name}: {held} of {count} intervals hold it, {held_by_half} if half as wide")
        self.assertGreaterEqual(held, least, name)
        return held_by_half < least

    def test_intervals_hold_the_mean_of_all_runs(self):
        program.LIMIT = 1200
        runs = [self.figures(seed, CYCLES) for seed in range(FIRST, FIRST + SEEDS)]
        self.assertFalse(any(run["saturated"] for run in runs))
        known = [run for run in runs if not run["is_short"]]
        self.assertGreaterEqual(len(known), 0.75 * SEEDS, "too short a run for this test")
        # A network that is not saturated accepts what is generated.
        detected = [self.check(f"accepted {LOAD}", [run["accepted"] - LOAD for run in known],
                               [run["accepted_half_interval"] for run in known])]
        for name in ("latency", "latency_queueing", "latency_network"):
            # All packets of all runs together are the reference.
            packets = sum(run[name]["packets"] for run in runs)
            mean = sum(run[name]["mean"] * run[name]["packets"] for run in runs) / packets
            detected.append(self.check(f"{name} {mean:.1f}", [run[name]["mean"] - mean for run in known],
                                       [run[name]["half_interval"] for run in known]))
        if len(known) >= ENOUGH:
            self.assertTrue(any(detected), "intervals half as wide were not detected")
        print(f"counted: {SEEDS} runs")

    def test_a_short_run_is_reported(self):
        for seed in range(1, 6):
            run = self.figures(seed, 8000)
            self.assertTrue(run["is_short"] or run["saturated"], seed)
            self.assertIsNone(run["latency"]["half_interval"], seed)
            self.assertGreater(run["cycles_needed"], 8000, seed)


if __name__ == "__main__":
    main()
