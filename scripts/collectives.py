#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures acknowledged broadcasts, barriers and trees of unicasts, and draws docs/images/goodput.svg.

Figures are kept in docs/collectives.json. The curve of release 0.2.0, with one pool of entries, is
kept from there.

usage: collectives.py PROGRAM [--only goodput|barriers|trees] [--only-draw]
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

from draw.svg import INK, PALE, Picture

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "docs/collectives.json"
IMAGE = ROOT / "docs/images/goodput.svg"

LOADS = [0.004, 0.008, 0.01, 0.012, 0.014, 0.016, 0.02, 0.024, 0.03]  # flits/node/cycle that nodes generate
DENSITIES = {"0.3": 0.08, "0.6": 0.03, "1": 0.012}  # and the injection rate that saturates 8x8
DENSITIES_16 = {"0.3": 0.04, "0.6": 0.006, "1": 0.0025}  # ... and 16x16
ENTRIES = (7, 6, 5, 25)
CYCLES = 20000
CYCLES_16 = 60000
BARRIER_CYCLES = 200000
NO_ACKS = "without acks"
COLORS = json.loads((ROOT / "docs/images/palette.json").read_text())["series"]


def run(program, *options):
    """Options as in `rdt run`; returns its JSON."""
    command = [program, "run", *map(str, options), "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def goodput(program, load, density, entries, closed=0, size=8):
    """Good answers per 1,000 cycles; with 0 entries: no acks, but multicasts that all have received."""
    rate = ["--outstanding", closed] if closed else ["--load", load, "--queue", 20]
    cycles = CYCLES if size == 8 else CYCLES_16
    acks = ["--acks", "--entries", entries] if entries else []
    result = run(program, "--size", size, *rate, "--multicast", 1, "--density", density, "--warmup", cycles // 4,
                 "--cycles", cycles, *acks)
    good = result["multicasts"] if not acks else (result["acks"] - result["acks_with_retry"]
                                                  - result["acks_with_timeout"])
    return round(1000 * good / result["cycles_measured"], 2)


def measure(program, entries):
    found = {
        "8x8, density 1, by load": {str(load): goodput(program, load, 1, entries) for load in LOADS},
        "8x8, at twice the saturating load, by density":
            {density: goodput(program, 2 * load, float(density), entries) for density, load in DENSITIES.items()},
        "8x8, closed loop, density 1, by packets per node":
            {str(n): goodput(program, 0, 1, entries, closed=n) for n in (1, 2)},
    }
    if entries != 5:  # which need TEnt on machines with several upper ranks
        found["16x16, at twice the saturating load, by density"] = {
            density: goodput(program, 2 * load, float(density), entries, size=16)
            for density, load in DENSITIES_16.items()}
    return found


def barriers(program):
    """Cycles from the last arrival to the last release, by length of the unicasts and injection rate."""
    found = {}
    for flits in (16, 5):
        for load in (0, 0.1, 0.2, 0.3):
            work = run(program, "--traffic", "barrier", "--load", load, "--queue", 4, "--flits", flits, "--cycles",
                       BARRIER_CYCLES)["workload"]
            found.setdefault(f"{flits} flits", {})[str(load)] = {
                "barriers": work["barriers"], "mean": round(work["barrier_latency"], 1),
                "max": work["barrier_latency_max"], "answer": round(work["barrier_answer_latency"], 1)}
    return found


def broadcast_tree(ranks, flits, first=0, start=None):
    """Lines of a binomial tree of unicasts from rank 0. `start` is the packet that the root waits for."""
    received = {0: start}
    lines = []
    distance = 1 << (ranks - 1).bit_length()
    while distance := distance >> 1:
        for rank in sorted(received):
            if rank + distance < ranks and rank % (2 * distance) == 0:
                after = "" if received[rank] is None else f" after:{received[rank]}"
                received[rank + distance] = first + len(lines)
                lines.append(f"0 {rank} {rank + distance} {flits}{after}")
    return lines


def reduction_tree(ranks, flits):
    """Lines of the same tree upwards, and the packets that the root waits for."""
    waits = {rank: [] for rank in range(ranks)}
    lines = []
    distance = 1
    while distance < ranks:
        for rank in range(distance, ranks, 2 * distance):
            after = f" after:{','.join(map(str, waits[rank]))}" if waits[rank] else ""
            waits[rank - distance].append(len(lines))
            lines.append(f"0 {rank} {rank - distance} {flits}{after}")
        distance *= 2
    return lines, waits[0]


def dissemination(ranks, flits):
    """Lines of a barrier by exchanges over doubling distances."""
    lines = []
    distance = 1
    while distance < ranks:
        before = len(lines) - ranks
        for rank in range(ranks):
            # Waits for what it received in the round before.
            after = "" if before < 0 else f" after:{before + (rank - distance // 2) % ranks}"
            lines.append(f"0 {rank} {(rank + distance) % ranks} {flits}{after}")
        distance *= 2
    return lines


def reduction_cycles(program, size):
    """Cycles of an MPI_Allreduce of 32 bits by reductions of the routers, which are begun before."""
    begin = 500
    width = ["--reduce-width", "32"]
    with tempfile.TemporaryDirectory() as folder:
        for rank in range(size * size):
            pathlib.Path(folder, f"rank.{rank}").write_text(f"rdt-mpi 1 {size * size} {rank}\na -1 4\nb 0 -2 4\nend\n")
        command = [program, "trace", "mpi", folder, "--size", str(size), "--collectives", "chip", *width]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    later = [line if "reduce:" in line else line.replace("0", str(begin), 1) for line in lines]
    return cycles_of(program, size, later, *width) - begin


def cycles_of(program, size, lines, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".trace") as trace:
        trace.write("\n".join(lines) + "\n")
        trace.flush()
        result = run(program, "--size", size, "--trace", trace.name, *options)
    if not result["drained"] or result["in_flight"]:
        raise SystemExit(f"collectives: {result['in_flight']} packets of a trace did not arrive")
    return result["cycles_measured"]


def trees(program):
    """Cycles of collectives by the router and by trees of unicasts, rank r on node r, one word and 13 flits of data."""
    found = {}
    for size, maps in ((8, "mc:ff:ff"), (32, "mc:ff:ff:ff:ff")):
        ranks = size * size
        rows = {}
        for flits in (5, 16):
            upwards, last = reduction_tree(ranks, flits)
            after_all = f" after:{','.join(map(str, last))}"
            rows[f"broadcast, {flits} flits"] = {
                "router": cycles_of(program, size, [f"0 0 {maps} {flits}"]),
                "router, acknowledged": cycles_of(program, size, [f"0 0 {maps} {flits} ack"]),
                "unicasts": cycles_of(program, size, broadcast_tree(ranks, flits))}
            result = len(upwards)
            rows[f"all-reduce, {flits} flits"] = {
                "router": cycles_of(program, size, upwards + [f"0 0 {maps} {flits}{after_all}"]),
                "unicasts": cycles_of(program, size, upwards + joined(broadcast_tree(ranks, flits, result), after_all))}
        work = run(program, "--size", size, "--traffic", "barrier", "--jitter", 0)["workload"]
        rows["barrier"] = {"router": round(work["barrier_latency"], 1),
                           "unicasts": cycles_of(program, size, dissemination(ranks, 5))}
        rows["all-reduce of 32 bits by reductions"] = {"router": reduction_cycles(program, size),
                                                       "unicasts": rows["all-reduce, 5 flits"]["unicasts"]}
        found[str(ranks)] = rows
    return found


def joined(lines, after):
    """Lines whose first packets wait for these."""
    return [line if "after:" in line else line + after for line in lines]


def distinct_curves(data):
    """Curves by label; equal ones are one, with both labels."""
    labels = {}
    for label, figures in data["goodput"].items():
        labels.setdefault(json.dumps(figures["8x8, density 1, by load"]), []).append(label)
    return {", ".join([names[0], *(name.removeprefix("NumEntries ") for name in names[1:])]): json.loads(curve)
            for curve, names in labels.items()}


def draw(data):
    curves = distinct_curves(data)
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
    parser.add_argument("--only", choices=("goodput", "barriers", "trees"), help="measure this part")
    parser.add_argument("--only-draw", action="store_true")
    args = parser.parse_args()
    data = json.loads(DATA.read_text()) if DATA.exists() else {"goodput": {}}
    if not args.only_draw:
        if args.only in (None, "goodput"):
            for entries in ENTRIES:
                data["goodput"][f"NumEntries {entries}"] = measure(args.program, entries)
            data["goodput"][NO_ACKS] = measure(args.program, 0)
        if args.only in (None, "barriers"):
            data["barriers"] = barriers(args.program)
        if args.only in (None, "trees"):
            data["trees"] = trees(args.program)
        DATA.write_text(json.dumps(data, indent=2) + "\n")
    draw(data)


if __name__ == "__main__":
    main()
