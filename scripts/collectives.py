#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures acknowledged broadcasts and barriers, and draws docs/images/goodput.svg.

Figures are kept in docs/collectives.json by label, so that a curve of another build of the program
(other NumEntries, an older release) stays beside the one of this build.

usage: collectives.py PROGRAM [--label NAME] [--only-draw]
"""
import argparse
import json
import pathlib
import subprocess

from draw.svg import INK, PALE, Picture

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "docs/collectives.json"
IMAGE = ROOT / "docs/images/goodput.svg"

LOADS = [0.004, 0.008, 0.01, 0.012, 0.014, 0.016, 0.02, 0.024, 0.03]  # flits/node/cycle that nodes generate
DENSITIES = {"0.3": 0.08, "0.6": 0.03, "1": 0.012}  # and the injection rate that saturates 8x8
CYCLES = 20000
NO_ACKS = "without acks"
COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"]


def run(program, *options):
    """Options as in `rdt run`; returns its JSON."""
    command = [program, "run", *map(str, options), "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def goodput(program, load, density, acks, cycles=CYCLES, closed=0):
    """Good answers per 1,000 cycles; without acks, multicasts that all have received."""
    rate = ["--outstanding", closed] if closed else ["--load", load, "--queue", 20]
    result = run(program, *rate, "--multicast", 1, "--density", density, "--warmup", cycles // 4, "--cycles",
                 cycles, *(["--acks"] if acks else []))
    good = result["multicasts"] if not acks else (result["acks"] - result["acks_with_retry"]
                                                  - result["acks_with_timeout"])
    return round(1000 * good / result["cycles_measured"], 2)


def measure(program, acks):
    return {
        "8x8, density 1, by load": {str(load): goodput(program, load, 1, acks) for load in LOADS},
        "8x8, at twice the saturating load, by density":
            {density: goodput(program, 2 * load, float(density), acks) for density, load in DENSITIES.items()},
        "8x8, closed loop, density 1, by packets per node":
            {str(n): goodput(program, 0, 1, acks, closed=n) for n in (1, 2)},
    }


def barriers(program):
    """Cycles from the last arrival to the last release."""
    found = {}
    for load in (0, 0.1, 0.2, 0.3):
        work = run(program, "--traffic", "barrier", "--load", load, "--queue", 4)["workload"]
        found[str(load)] = {"barriers": work["barriers"], "mean": round(work["barrier_latency"], 1),
                            "max": work["barrier_latency_max"]}
    return found


def draw(data):
    curves = {label: d["8x8, density 1, by load"] for label, d in data["goodput"].items()}
    top = 10 * (1 + max(v for c in curves.values() for v in c.values()) // 10)
    left, right, low, high = 60, 420, 260, 30
    p = Picture(640, 310, "Good answers per 1,000 cycles over injection rate, 8x8 nodes, broadcasts to all")

    def at(load, value):
        return left + (right - left) * float(load) / LOADS[-1], low - (low - high) * value / top

    for value in range(0, int(top) + 1, 10):
        y = at(0, value)[1]
        p.line(left, y, right, y, PALE, 1)
        p.text(left - 8, y + 4, str(value), 12, "end")
    for load in (0, 0.01, 0.02, 0.03):
        p.text(at(load, 0)[0], low + 18, str(load), 12, "middle")
    p.text((left + right) / 2, low + 38, "injection rate of broadcasts, flits/node/cycle", 12, "middle")
    p.text(left - 40, high - 12, "good answers per 1,000 cycles", 12)
    for n, (label, curve) in enumerate(curves.items()):
        points = [at(load, value) for load, value in curve.items()]
        color = COLORS[n % len(COLORS)]
        p.path("M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in points), color, 2)
        p.line(right + 16, high + 22 * n, right + 40, high + 22 * n, color, 2)
        p.text(right + 48, high + 22 * n + 4, label, 12)
    p.line(left, low, right, low, INK, 1)
    IMAGE.write_text(p.svg())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--label", default="entries by class")
    parser.add_argument("--only-draw", action="store_true")
    args = parser.parse_args()
    data = json.loads(DATA.read_text()) if DATA.exists() else {"goodput": {}}
    if not args.only_draw:
        data["goodput"][args.label] = measure(args.program, True)
        if args.label == parser.get_default("label"):
            data["goodput"][NO_ACKS] = measure(args.program, False)
            data["barriers"] = barriers(args.program)
        DATA.write_text(json.dumps(data, indent=2) + "\n")
    draw(data)


if __name__ == "__main__":
    main()
