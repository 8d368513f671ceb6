#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Long random campaigns of collectives and shared memory, as many tasks at a time as there are cores.

usage: campaigns.py [--jobs N] [--scale F] [--only NAME,...] [--seed S] [--bin FOLDER] [--json FILE]
  --scale   share of the full volume, 0.001 for a trial; --list prints names and volumes

A task is one program with one seed. The last lines are a table: what each campaign has counted, and
its failures. The output of a failed task is in build/campaigns and begins with its command.
Exit code 1: a task failed, or a campaign counted less than its volume. 2: it cannot be run.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "tb/program"
PATTERNS = ("stencil", "all-to-all", "producer-consumer", "migratory")
LITMUS = ("MP", "SB", "LB", "S", "R", "2+2W", "CoRR", "WRC", "IRIW", "ISA2", "MP+await", "WRC+await", "IRIW+await",
          "ISA2+await", "SB+fences", "R+fences")
PROTOCOLS = ("update", "invalidate")
DIRECTORIES = ("multicast", "exact")
LEAST_RUNS = 80  # fewer do not show that intervals are too narrow


class Task(NamedTuple):
    program: str
    words: list
    variables: dict
    cost: float  # CPU seconds, roughly: long tasks begin first


class Campaign(NamedTuple):
    name: str
    title: str
    volume: int  # at scale 1
    unit: str  # of the lines "counted: N unit" that add up to the volume
    tasks: object  # function(volume, seed) -> tasks


def gtest(program, pattern, variables, cost):
    return Task(program, [f"--gtest_filter={pattern}"], {k: str(v) for k, v in variables.items()}, cost)


def parts(volume, most):
    """The volume as equal parts of at most `most`, rounded up."""
    count = max(1, -(-volume // most))
    return [-(-volume // count)] * count


def drains(volume, seed):
    each = parts(volume // 2 + 1, 20_000)  # one half by events, the other cycle by cycle
    return [gtest("machine_multicast_drain", "*many_multicasts*", {"RDT_SEED": seed + n, "RDT_CYCLES": part}, part / 3500)
            for n, part in enumerate(each)]


def gate_drains(volume, seed):
    return [gtest("machine_gates_collectives", "*multicasts*", {"RDT_SEED": seed + n, "RDT_CYCLES": part}, part / 900)
            for n, part in enumerate(parts(volume, 20_000))]


def engine_drains(volume, seed):
    return [gtest("machine_broadcast_engines", f"*drains*/{engine}", {"RDT_SEED": seed + n}, cost)
            for engine, cost in (("systemc", 15), ("rtl", 5)) for n in range(max(1, volume // 2 // 100))]


def registers(volume, seed):
    return [gtest("machine_lockouts", "*many_random*", {"RDT_SEED": seed + n, "RDT_CYCLES": part}, part / 75)
            for n, part in enumerate(parts(volume, 500))]


def gate_registers(volume, seed):
    return [gtest("machine_gates_collectives", "*registers*", {"RDT_SEED": seed + n, "RDT_CASES": part}, part / 5)
            for n, part in enumerate(parts(volume, 100))]


def litmus(share):
    def tasks(volume, seed):
        rounds = max(1, volume // (len(LITMUS) * (4 if share == "0" else 2)))
        settings = ([f"{p}_{d}_0" for p in PROTOCOLS for d in DIRECTORIES] if share == "0"
                    else ["update_multicast_4", "invalidate_exact_4"])
        return [gtest("machine_litmus", f"*forbids/{setting}",
                      {"RDT_SEED": seed + n, "RDT_LITMUS_TEST": test, "RDT_LITMUS_ROUNDS": part},
                      part / (700 if setting.startswith("update") else 2500))
                for setting in settings for test in LITMUS for n, part in enumerate(parts(rounds, 50_000))]
    return tasks


def flips(volume, seed):
    tasks = []
    each = max(100, volume // (len(PATTERNS) * len(PROTOCOLS) * len(DIRECTORIES)))
    for pattern in PATTERNS:
        for protocol in PROTOCOLS:
            for directory in DIRECTORIES:
                for n, part in enumerate(parts(each, 160_000)):
                    words = ["run", "--traffic", f"dsm-{pattern}", "--protocol", protocol, "--directory", directory,
                             "--operations", part, "--flips", 0.01, "--seed", seed + n, "--json", "-"]
                    speed = 4000 if protocol == "update" else 20000
                    tasks.append(Task("rdt", list(map(str, words)), {}, part / speed))
    return tasks


def increments(volume, _):
    return [gtest("machine_dsm_atomics", "*come_to_an_end*", {"RDT_INCREMENTS": max(1, volume // 256)}, volume / 4000)]


def gate_increments(volume, _):
    # Increments of each of 64 nodes by kind (tb/machine/increments.h); one takes 210, 35, 2,100 and 32 cycles.
    each = {0: 100, 1: 1000, 2: 30, 3: 1000}
    scale = volume / (64 * sum(each.values()))
    return [gtest("machine_gates_collectives", "*increments*",
                  {"RDT_KIND": kind, "RDT_INCREMENTS": max(1, -(-round(number * scale * 1000) // 1000))}, number / 5 * scale)
            for kind, number in each.items()]


def engine_increments(volume, _):
    return [gtest("machine_dsm_atomics", "*every_engine*", {"RDT_ENGINE_INCREMENTS": max(1, volume // 64)}, volume / 4)]


def systemc_increments(volume, _):
    # With update an increment takes 210 cycles, with invalidate 35.
    each = max(1, volume // 128)
    return [gtest("machine_dsm_atomics", "*on_systemc", {"RDT_KIND": kind, "RDT_INCREMENTS": each}, each * 64 * cycles / 3000)
            for kind, cycles in ((0, 210), (1, 35))]


def barriers(volume, seed):
    # A barrier takes less than 600 cycles.
    return [gtest("machine_barriers", "*many*", {"RDT_SEED": seed + n, "RDT_CYCLES": 600 * part}, part / 900)
            for n, part in enumerate(parts(volume, 1_000))]


def option_sets(volume, seed):
    # Sets have numbers; a seed begins where the one before ended.
    each = parts(volume, 250)
    return [gtest("machine_random_options", "*same_results", {"RDT_SEED": 1 + (seed - 1) * volume + n * part, "RDT_CYCLES": part},
                  part / 4) for n, part in enumerate(each)]


def machine_intervals(volume, seed):
    seeds = max(volume, LEAST_RUNS)
    return [Task("coverage.py", [], {"RDT_SIZE": "8", "RDT_SEEDS": str(seeds), "RDT_SEED": str(seed)}, 1.5 * seeds)]


def lab_intervals(volume, seed):
    seeds = max(volume // 2, LEAST_RUNS)
    return [gtest("lab_statistics", f"*is_90_percent/{network}", {"RDT_SEEDS": seeds, "RDT_SEED": seed}, 0.7 * seeds)
            for network in (0, 1)]


CAMPAIGNS = [
    Campaign("drain", "TEnt = 0, multicasts of all schemes beside unicasts at 0.8, fast engine", 1_000_000,
             "multicasts", drains),
    Campaign("drain-gates", "the same on gates of the RTL, compared with the fast engine", 100_000, "multicasts",
             gate_drains),
    Campaign("drain-engines", "the same on SystemC and Verilated RTL, same cycles as fast", 2_000, "multicasts",
             engine_drains),
    Campaign("registers", "random routing registers under load, everything drains", 10_000, "sets of registers",
             registers),
    Campaign("registers-gates", "the same on gates of the RTL, compared with the fast engine", 500, "sets of registers",
             gate_registers),
    Campaign("litmus", "16 litmus tests, both protocols and directories", 6_400_000, "rounds", litmus("0")),
    Campaign("litmus-buffer", "the same with store buffers (TSO)", 320_000, "rounds", litmus("4")),
    Campaign("flips", "--flips 0.01, every pattern, protocol and directory", 10_000_000, "operations", flips),
    Campaign("increments", "LR/SC increments of one word by 64 nodes, fast engine", 256_000, "increments", increments),
    Campaign("increments-gates", "the same on gates of the RTL, same cycles", 136_320, "increments", gate_increments),
    Campaign("increments-engines", "eight nodes on SystemC and Verilated RTL, same cycles", 64, "increments",
             engine_increments),
    Campaign("increments-systemc", "64 nodes on the SystemC design, both protocols, same cycles as fast", 128_000,
             "increments", systemc_increments),
    Campaign("barriers", "barriers with random arrivals beside acknowledged multicasts", 10_000, "barriers", barriers),
    Campaign("options", "random options of `rdt run`, event engine against the cycle-by-cycle engine", 10_000, "option sets",
             option_sets),
    Campaign("intervals", "95 % intervals of `rdt run` at 0.9 of saturation, 8x8 nodes", 200, "runs", machine_intervals),
    Campaign("intervals-lab", "the same of `rdt lab`, torus:8x8 and rdt:8", 400, "runs", lab_intervals),
]


def checked_run(output):
    """(operations, error) of a run of `rdt`: correct data, or operations that ended with a reported error."""
    try:
        result = json.loads(output)
    except ValueError:
        return 0, "no JSON"
    work = result["workload"]
    wrong = [f"{key} {work[key]}" for key in ("violations", "undetected") if work.get(key, 0) != 0]
    if result.get("error"):
        wrong.append(result["error"])
    return work["operations"], "; ".join(wrong)


def perform(task, folder, log):
    """(counts by unit, error) of one task."""
    is_script = task.program.endswith(".py")  # a test of the program
    command = ([sys.executable, str(TESTS / task.program), str(folder / "rdt")] if is_script
               else [str(folder / task.program), *task.words])
    environment = {**os.environ, **task.variables, "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", env=environment)
    counts = {}
    error = f"exit code {done.returncode}" if done.returncode else ""
    if task.program == "rdt":
        operations, wrong = checked_run(done.stdout)
        counts["operations"] = operations
        error = "; ".join(filter(None, (error, wrong)))
    else:
        for number, unit in re.findall(r"^counted: (\d+) (\D+?)(?: \(.*\))?$", done.stdout, re.M):
            counts[unit] = counts.get(unit, 0) + int(number)
        if not error and not is_script and not re.search(r"^\[  PASSED  \] [1-9]", done.stdout, re.M):
            error = "no test ran"
    if error:
        shown = " ".join(f"{k}={shlex.quote(v)}" for k, v in task.variables.items())
        log.write_text(f"# {shown} {shlex.join(command)}\n{done.stdout}{done.stderr}")
    return counts, error


class Progress:
    """Results by campaign, and a line about each campaign that has ended."""

    def __init__(self, chosen):
        self.rows = {c.name: {"title": c.title, "volume": v, "tasks": n, "ended": 0, "failures": 0, "counted": {}}
                     for c, v, n in chosen}

    def add(self, name, counts, error):
        row = self.rows[name]
        row["ended"] += 1
        for unit, number in counts.items():
            row["counted"][unit] = row["counted"].get(unit, 0) + number
        if error:
            row["failures"] += 1
            print(f"{name}: {error}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="long random campaigns of collectives and shared memory")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tasks at a time")
    parser.add_argument("--scale", type=float, default=1, help="share of the full volume")
    parser.add_argument("--only", default="", help="these campaigns")
    parser.add_argument("--seed", type=int, default=1, help="first seed")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin", help="folder of the programs")
    parser.add_argument("--json", type=pathlib.Path, default=ROOT / "build/campaigns.json", help="results")
    parser.add_argument("--list", action="store_true", help="print names and volumes")
    args = parser.parse_args()
    if args.list:
        for c in CAMPAIGNS:
            print(f"{c.name:20} {c.volume:12,} {c.unit:18} {c.title}")
        return 0
    only = list(filter(None, args.only.split(",")))
    unknown = set(only) - {c.name for c in CAMPAIGNS}
    if unknown or args.jobs < 1 or not 0 < args.scale <= 1000:
        print("campaigns: " + (f"--only {','.join(sorted(unknown))}: must be of {', '.join(c.name for c in CAMPAIGNS)}"
                               if unknown else "--jobs must be at least 1, --scale above 0"), file=sys.stderr)
        return 2

    chosen, tasks, absent = [], [], []
    for c in (c for c in CAMPAIGNS if not only or c.name in only):
        volume = max(1, round(c.volume * args.scale))
        own = c.tasks(volume, args.seed)
        programs = {"rdt" if t.program.endswith(".py") else t.program for t in own}
        if missing := {name for name in programs if not (args.bin / name).exists()}:
            absent.append(f"{c.name:20} not run: {', '.join(sorted(missing))} is not built")
            continue
        chosen.append((c, volume, len(own)))
        tasks += [(t, c) for t in own]
    tasks.sort(key=lambda each: -each[0].cost)
    logs = args.json.parent / "campaigns"
    logs.mkdir(parents=True, exist_ok=True)
    progress = Progress(chosen)
    begin = time.monotonic()
    print(f"{len(tasks)} tasks, {args.jobs} at a time", flush=True)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        futures = {pool.submit(perform, t, args.bin, logs / f"{c.name}.{n}.failed"): c for n, (t, c) in enumerate(tasks)}
        try:
            for future in concurrent.futures.as_completed(futures):
                progress.add(futures[future].name, *future.result())
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            print("campaigns: stopped; what has ended so far:")

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    is_short = False
    print(f"\n{'campaign':20} {'volume':>12} {'counted':>12} {'unit':18} {'tasks':>6} {'failed':>6}")
    for c, volume, number in chosen:
        row = progress.rows[c.name]
        counted = row["counted"].get(c.unit, 0)
        is_short |= counted < volume or row["ended"] < number
        print(f"{c.name:20} {volume:12,} {counted:12,} {c.unit:18} {row['ended']:6} {row['failures']:6}  {c.title}")
    for line in absent:
        print(line)
    failures = sum(row["failures"] for row in progress.rows.values())
    print(f"{failures} failures; {time.monotonic() - begin:.0f} s, {used.ru_utime + used.ru_stime:.0f} s CPU")
    args.json.write_text(json.dumps({"scale": args.scale, "seed": args.seed, "campaigns": progress.rows}, indent=1) + "\n")
    return 1 if failures or is_short else 0


if __name__ == "__main__":
    sys.exit(main())
