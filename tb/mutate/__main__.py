#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which mistakes would the tests miss? Draws mutants of the chip's logic from a seed, over all its
lines, and runs each beside the unchanged router under the fuzz (tb/mutate/mutants.cpp) until a
checked signal differs: a pin, an output of a block, a register. Survivors are proven equivalent
(rtl/flow/synth/prover.py), or listed with their line.

    python3 -m tb.mutate [--mutants N] [--seed S] [--cycles C] [--jobs J] [--program P] [--floor PERCENT] [--quick]
              [--patience TIMES] [--part K/N] [--volumes]

With --volumes it also counts those that the runs of `make test` and of `make regress` detect
(tb/mutate/volumes.py), each by itself.

Figures go to build/mutate.json, the state of every mutant to mutate/ in the build folder of the
program, from where an interrupted run continues: --part 3/16 simulates one part of them for it (a
task of a batch system), after --part prepare has made what all parts read. Exit code 1 if less than
the floor of those that are mistakes is killed.
"""
import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import time

from concurrent.futures import ThreadPoolExecutor

from rtl.flow.synth.flow import Failure
from rtl.flow.synth.prover import Prover

from .netlist import draw, make
from .volumes import TIERS, runs

ROOT = pathlib.Path(__file__).resolve().parents[2]


# Cycles in which most are killed. Up to here tasks share the mutants, later they share the cycles.
SHORT = 16000


def fates(work):
    """By number: ["killed", seed, clock, kind, where] or ["alive", cycles, active, registers...], of all
    runs so far; the registers are those that ever held something else, by their nets."""
    known = {}
    for path in sorted(work.glob("fates.*.txt")):
        for line in path.read_text().splitlines():
            kind, number, *words = line.split() or [""] * 2
            before = known.get(number, ["alive", "0", "0"])
            if kind == "killed" and len(words) == 4:
                known[number] = [kind, *words]
            elif kind == "alive" and len(words) >= 2 and before[0] == "alive":
                sums = [str(int(a) + int(b)) for a, b in zip(before[1:3], words)]
                known[number] = [kind, *sums, *sorted({*before[3:], *words[2:]})]
    return {int(number): fate for number, fate in known.items()}


def left_of(work, mutants, cycles):
    """Those that live and have not seen so many cycles, and how many the worst of them has seen."""
    known = fates(work)
    left = [m for m in mutants if known.get(m.number, ["alive", 0])[0] == "alive"
            and int(known.get(m.number, ["alive", 0])[1]) < cycles]
    return left, min((int(known.get(m.number, ["alive", 0])[1]) for m in left), default=0)


def simulate(program, work, mutants, args, part=""):
    left, _ = left_of(work, mutants, min(SHORT, args.cycles))
    run(program, work, [left[job::args.jobs] for job in range(args.jobs)], min(SHORT, args.cycles), args, part)
    left, seen = left_of(work, mutants, args.cycles)
    run(program, work, [left] * args.jobs, -(-(args.cycles - seen) // args.jobs), args, part)


def run(program, work, shares, cycles, args, part):
    # Files of this run only, and none of an earlier run; earlier detections are known.
    at = len(list(work.glob("fates.*.txt")))

    def name(kind, job):
        return work / f"{kind}.{part}{at + job}.txt"

    def one(job):
        if not shares[job]:
            return 0
        names = name("mutants", job)
        names.write_text("".join(f"{m.number} {m.gate} {m.table}\n" for m in shares[job]))
        with open(name("fates", job), "w") as out, open(name("errors", job), "w") as err:
            return subprocess.run([program, work.parent / "netlist.txt", names, str(args.seed + 1000000 * (at + job)),
                                   str(cycles)], stdout=out, stderr=err).returncode

    with ThreadPoolExecutor(args.jobs) as pool:
        running = [pool.submit(one, job) for job in range(args.jobs)]
        while not all(r.done() for r in running):
            if sys.stderr.isatty():
                killed = sum(fate[0] == "killed" for fate in fates(work).values())
                print(f"\r{killed} killed", end="", file=sys.stderr, flush=True)
            time.sleep(0.5)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    for job, r in enumerate(running):
        if r.result() != 0:
            said = name("errors", job).read_text().strip()
            raise Failure(said or f"the simulation ended with code {r.result()}")


def tested(program, work, mutants, tier, args):
    """By number: [seed, clock, kind, where, test] of those that the runs of this tier detect."""
    lines = "".join(runs(ROOT, tier))
    folder = work / f"{tier}-{hashlib.sha256(lines.encode()).hexdigest()[:8]}"
    folder.mkdir(exist_ok=True)
    list_of_runs = folder / "runs.txt"
    list_of_runs.write_text(lines)

    def one(job):
        share = mutants[job::args.jobs]
        done = folder / f"fates.{job}-of-{args.jobs}.txt"
        if done.exists() or not share:
            return
        names = folder / f"mutants.{job}-of-{args.jobs}.txt"
        names.write_text("".join(f"{m.number} {m.gate} {m.table}\n" for m in share))
        ran = subprocess.run([program, work.parent / "netlist.txt", names, list_of_runs], capture_output=True, text=True)
        if ran.returncode != 0:
            raise Failure(ran.stderr.strip() or f"the simulation ended with code {ran.returncode}")
        part = done.with_suffix(".part")
        part.write_text(ran.stdout)
        part.replace(done)

    with ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(one, range(args.jobs)))
    detected = {}
    for path in sorted(folder.glob(f"fates.*-of-{args.jobs}.txt")):
        for line in path.read_text().splitlines():
            kind, number, *words = line.split()
            if kind == "killed":
                detected[int(number)] = words
    return detected


def counted(detected, real):
    """The score of a tier: of how many mistakes which test was the first to see how many, and where."""
    seen, tests = {}, {}
    for words in detected.values():
        seen[words[2]] = seen.get(words[2], 0) + 1
        tests[words[4]] = tests.get(words[4], 0) + 1
    return {"killed": len(detected), "percent": round(100 * len(detected) / real, 2), "first_seen_at": seen, "first_seen_by": tests}


def sorted_out(graph, nets, chip, mutants, known_fates, args):
    """By number of those proven to be no mistake: how much had to be known for it."""
    proofs = b"".join((ROOT / f"rtl/flow/synth/{name}.py").read_bytes() for name in ("prover", "source"))
    settings = ["equal", *["quick"] * args.quick, str(args.patience), hashlib.sha256(proofs).hexdigest()[:8]]
    cache = chip / f"{'.'.join(settings)}.json"
    known = json.loads(cache.read_text()) if cache.exists() else {}

    def elsewhere(m):
        return known_fates[m.number][3:]

    def key(m):
        return ":".join([str(m.gate), str(m.table), *elsewhere(m)])
    prover = Prover(graph, chip, args.quick, args.patience)
    todo = [m for m in mutants if key(m) not in known]
    with ThreadPoolExecutor(args.jobs) as pool:
        for m, stage in zip(todo, pool.map(lambda m: prover.decide(m, frozenset(nets[n] for n in elsewhere(m))), todo)):
            known[key(m)] = stage
            cache.write_text(json.dumps(known))
    return {m.number: known[key(m)] for m in mutants if known[key(m)] is not None}


def sentence(mutant, fate, text):
    """Description of a survivor."""
    cycles, active, registers = int(fate[1]), int(fate[2]), len(fate) - 3
    if active == 0:
        why = f"in none of {cycles} cycles did it give another value"
    else:
        why = f"in {active} of {cycles} cycles it had another value, which reached no checked pin, block output or register"
    if registers:
        why += f"; {registers} bits of registers that are not looked at did"
    return f"{mutant.what}; {why}: {text}"


def report(mutants, known, equal, args, seconds):
    alive = [m for m in mutants if known[m.number][0] == "alive" and m.number not in equal]
    blocks, seen = {}, {"pin": 0, "block": 0, "register": 0}
    for m in mutants:
        row = blocks.setdefault(m.block, {"mutants": 0, "killed": 0, "equivalent": 0, "alive": 0})
        row["mutants"] += 1
        if known[m.number][0] == "killed":
            row["killed"] += 1
            seen[known[m.number][3]] += 1
        else:
            row["equivalent" if m.number in equal else "alive"] += 1
    killed = sum(row["killed"] for row in blocks.values())
    real = len(mutants) - len(equal)
    lines = {b: (ROOT / f"rtl/{b}.sv").read_text().splitlines() for b in blocks}
    survivors = []
    for m in alive:
        at = int(m.line.split(":")[1])
        survivors.append({"number": m.number, "line": f"rtl/{m.block}.sv:{at}", "active": int(known[m.number][2]),
                          "mistake": sentence(m, known[m.number], " ".join(lines[m.block][at - 1].split()))})
    return {"seed": args.seed, "cycles": args.cycles, "mutants": len(mutants), "killed": killed, "first_seen_at": seen,
            "equivalent": len(equal), "equivalent_in_all_states": sum(stage == "all" for stage in equal.values()),
            "alive": len(alive), "percent": round(100 * killed / real, 2), "seconds": round(seconds),
            "blocks": dict(sorted(blocks.items())), "survivors": survivors}


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def part_of(text):
    if text == "prepare":
        return text
    number, _, of = text.partition("/")
    if not (number.isdigit() and of.isdigit() and int(number) < int(of)):
        raise argparse.ArgumentTypeError("is prepare or 0/N to N-1/N")
    return int(number), int(of)


def main():
    parser = argparse.ArgumentParser(prog="python3 -m tb.mutate", description="mutants of the chip under the fuzz")
    parser.add_argument("--mutants", type=positive, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cycles", type=positive, default=4000000, help="that a survivor has seen")
    parser.add_argument("--jobs", type=positive, default=2)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/mutants")
    parser.add_argument("--floor", type=float, default=0, help="percent of the mistakes that must be killed")
    parser.add_argument("--json", type=pathlib.Path, default=ROOT / "build/mutate.json")
    parser.add_argument("--quick", action="store_true", help="only the proofs that take seconds")
    parser.add_argument("--patience", type=positive, default=1, help="times the seconds that a proof may take; from 2 on more is tried")
    parser.add_argument("--volumes", action="store_true", help="also the scores of what make test and make regress run")
    parser.add_argument("--part", type=part_of, help="as 3/16: simulate these for a later run; or prepare")
    args = parser.parse_args()
    begin = time.monotonic()
    # All that decides which gates there are.
    made_of = [*sorted((ROOT / "rtl").glob("*.sv")), ROOT / "tb/mutate/netlist.py", ROOT / "tb/mutate/watched.py"]
    build = args.program.resolve().parent.parent
    chip = build / "mutate" / hashlib.sha256(b"".join(p.read_bytes() for p in made_of)).hexdigest()[:12]
    # Other programs have other fates.
    watched = [args.program, ROOT / "tb/fuzz/free_registers.h", ROOT / "sim/rdt/cosim/inside.cpp"]
    tests = hashlib.sha256(b"".join(p.read_bytes() for p in watched if p.exists())).hexdigest()[:8]
    work = chip / f"{args.seed}-{args.mutants}-{args.cycles}-{tests}"
    work.mkdir(parents=True, exist_ok=True)
    try:
        graph, lines, nets = make(ROOT, chip)
        mutants = draw(graph, lines, args.mutants, args.seed)
        if args.part:
            if args.part != "prepare":
                number, of = args.part
                simulate(args.program.resolve(), work, mutants[number::of], args, f"{number}-of-{of}.")
            return 0
        simulate(args.program.resolve(), work, mutants, args)
        known = fates(work)
        alive = [m for m in mutants if known[m.number][0] == "alive"]
        equal = sorted_out(graph, nets, chip, alive, known, args)
        tiers = {tier: tested(args.program.resolve(), work, mutants, tier, args) for tier in TIERS if args.volumes}
        for tier, detected in tiers.items():
            if both := sorted(set(detected) & set(equal)):
                raise Failure(f"the runs of make {tier} detect mutants that were proven equal: {both}")
    except Failure as e:
        sys.exit(f"mutate: {e}")
    result = report(mutants, known, equal, args, time.monotonic() - begin)
    if tiers:
        real = len(mutants) - len(equal)
        result["volumes"] = {tier: counted(detected, real) for tier, detected in tiers.items()}
        result["volumes"]["mutate"] = {"killed": result["killed"], "percent": result["percent"], "first_seen_at": result["first_seen_at"]}
    part = args.json.with_name(args.json.name + ".part")
    part.write_text(json.dumps(result, indent=1) + "\n")
    part.replace(args.json)
    print(f"{'':18}{'mutants':>8} {'killed':>7} {'equal':>6} {'alive':>6}")
    for block, row in result["blocks"].items():
        print(f"{block:18}{row['mutants']:8} {row['killed']:7} {row['equivalent']:6} {row['alive']:6}")
    for s in result["survivors"]:
        print(f"alive: {s['line']}: {s['mistake']}")
    print(f"{result['mutants']} mutants of seed {args.seed}: {result['killed']} killed, {result['equivalent']} proven equal, "
          f"{result['alive']} alive: {result['percent']} % of the mistakes seen")
    for tier, score in result.get("volumes", {}).items():
        at = ", ".join(f"{n} at a {kind}" for kind, n in score["first_seen_at"].items())
        by = "".join(f", {n} by {test}" for test, n in score.get("first_seen_by", {}).items())
        print(f"what make {tier} runs: {score['killed']} killed ({at}{by}): {score['percent']} % of the mistakes seen")
    return 0 if result["percent"] >= args.floor else 1


if __name__ == "__main__":
    sys.exit(main())
