#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Coverage of the RTL: which lines, branches and bits the tests exercise.

Builds the tests with counting models in build/cov, runs them, adds up what all models counted by
file and line, takes out what tb/cov/exclusions.txt gives a reason for, and prints a table by file.
build/cov.json has all figures and every hole, build/cov/html the sources with their counts (genhtml).

usage: cov.py [--clocks N] [--seed N] [--jobs N] [--floor-line F] [--floor-branch F] [--floor-toggle F]
              [PROGRAM ...]
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/cov"
DATA = BUILD / "data"
KINDS = ("line", "branch", "toggle")
# Programs with all their tests; the fuzz with as many clocks as asked for.
PROGRAMS = [f"block_{name}" for name in (
    "ack", "ack_rules", "arbiter", "bitmap", "buffer_ram", "crossbar", "inject", "inject_turns",
    "input_unit", "input_unit_acks", "input_unit_multicast", "input_unit_random", "input_unit_shot",
    "link_io", "link_io_sync", "link_io_trouble", "link_pair", "local", "local_guard", "local_links",
    "local_notices", "local_random", "output_unit", "output_unit_credits", "output_unit_multicast",
    "route")] + [f"chip_{name}" for name in (
        "bad_input", "latency", "multicast", "pins", "restart", "router", "shoot_down", "slices",
        "two_chips")] + [f"attack_{name}" for name in (
            "ack_table", "contexts", "local", "starvation")] + ["fuzz_chip"]
POINT = re.compile(r"\x01(\w+)\x02([^\x01']*)")


def fail(message):
    print(f"cov: {message}", file=sys.stderr)
    sys.exit(2)


class Exclusions:
    """FILE KIND PATTERN # REASON, a line each. The pattern is searched for in the line of the source,
    and of a toggle also in the name of its bit."""

    def __init__(self, path):
        self.rules = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            rule, _, reason = line.partition(" # ")
            words = rule.split(None, 2)
            if len(words) != 3 or not reason.strip() or words[1] not in KINDS + ("all",):
                fail(f"{path.name}:{number}: not FILE KIND PATTERN # REASON")
            try:
                pattern = re.compile(words[2].strip())
            except re.error as e:
                fail(f"{path.name}:{number}: {e}")
            self.rules.append([words[0], words[1], pattern, reason.strip(), number, 0])
        self.path = path

    def reason(self, file, kind, text, name):
        for rule in self.rules:
            if rule[0] in (file, "*") and rule[1] in (kind, "all") and \
                    (rule[2].search(text) or (kind == "toggle" and rule[2].fullmatch(name))):
                rule[5] += 1
                return rule[3]
        return None

    def unused(self):
        return [f"{self.path.name}:{rule[4]}" for rule in self.rules if rule[5] == 0]


def build(programs, jobs):
    for command in (["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DRDT_COVERAGE=ON"],
                    ["ninja", "-C", BUILD, "-j", str(jobs)] + programs):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            print(done.stdout[-3000:], file=sys.stderr)
            fail("the counting models do not build")


def run(program, args):
    folder = DATA / program
    folder.mkdir(parents=True)
    env = dict(os.environ, RDT_COVERAGE_DIR=str(folder), RDT_SEED=str(args.seed),
               SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
    if program in ("fuzz_chip", "chip_router"):
        env["RDT_CYCLES"] = str(args.clocks)
    done = subprocess.run([BUILD / "bin" / program], cwd=BUILD, env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    counts = collections.Counter()
    for file in sorted(folder.glob("*.dat")):
        add(file, counts)
    shutil.rmtree(folder)
    if done.returncode != 0:
        print(done.stdout[-2000:], file=sys.stderr)
    return program, done.returncode, counts


def add(file, counts):
    """Counts by (file, line, kind, what)."""
    with open(file, encoding="latin-1") as lines:
        for line in lines:
            if not line.startswith("C '"):
                continue
            key, _, count = line.rpartition("' ")
            fields = dict(POINT.findall(key))
            source = pathlib.PurePath(fields["f"])
            if source.suffix != ".sv" or source.parent.name != "rtl":
                continue
            page = fields["page"].split("/")[0]
            count = int(count)
            if page == "v_toggle":
                counts[source.name, int(fields["l"]), "toggle", fields["o"]] += count
                continue
            if page == "v_branch":
                counts[source.name, int(fields["l"]), "branch", fields["o"] + "@" + fields["n"]] += count
            for first, last in spans(fields.get("S", fields["l"])):
                for number in range(first, last + 1):
                    counts[source.name, number, "line", ""] += count


def spans(text):
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield int(first), int(last or first)


def summary(counts, exclusions):
    sources = {}
    files = collections.defaultdict(lambda: {k: {"points": 0, "hit": 0, "excluded": 0} for k in KINDS})
    holes = []
    for (file, line, kind, what), count in sorted(counts.items()):
        if file not in sources:
            sources[file] = (ROOT / "rtl" / file).read_text().splitlines()
        text = sources[file][line - 1].strip() if line <= len(sources[file]) else ""
        of = files[file][kind]
        if count == 0:
            reason = exclusions.reason(file, kind, text, what)
            if reason is not None:
                of["excluded"] += 1
                continue
            holes.append({"file": file, "line": line, "kind": kind, "what": what, "text": text})
        of["points"] += 1
        of["hit"] += count > 0
    return files, holes


def percent(of):
    return 100.0 * of["hit"] / of["points"] if of["points"] else 100.0


def total(files, kind):
    return {key: sum(f[kind][key] for f in files.values()) for key in ("points", "hit", "excluded")}


def write_html(counts):
    """The counts of lines and branches in lcov's format, drawn by genhtml where it is installed."""
    lines = []
    for file in sorted({key[0] for key in counts}):
        lines.append(f"SF:{ROOT / 'rtl' / file}")
        for (name, line, kind, what), count in sorted(counts.items()):
            if name == file and kind == "line":
                lines.append(f"DA:{line},{count}")
            elif name == file and kind == "branch":
                lines.append(f"BRDA:{line},0,{what.replace(',', ';')},{count}")
        lines.append("end_of_record")
    info = BUILD / "rtl.info"
    info.write_text("\n".join(lines) + "\n")
    if shutil.which("genhtml") is None:
        print("cov: no genhtml (package lcov): build/cov/html is not made", file=sys.stderr)
        return
    subprocess.run(["genhtml", "-q", "--branch-coverage", "-p", str(ROOT), "-o", BUILD / "html", info], check=False)


def main():
    parser = argparse.ArgumentParser(description="coverage of the RTL over the tests")
    parser.add_argument("programs", nargs="*", default=PROGRAMS, help="programs of tests (all)")
    parser.add_argument("--clocks", type=int, default=300000, help="of the fuzz and of random traffic")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    for kind in KINDS:
        parser.add_argument(f"--floor-{kind}", type=float, default=0, help=f"percent; exit code 1 below")
    args = parser.parse_args()
    exclusions = Exclusions(ROOT / "tb/cov/exclusions.txt")
    build(args.programs, args.jobs)
    shutil.rmtree(DATA, ignore_errors=True)
    counts, failed = collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        # keys that were never hit have to stay, which Counter.update() does
        for program, status, found in pool.map(lambda p: run(p, args), args.programs):
            counts.update(found)
            print(f"ran {program}", file=sys.stderr)
            if status != 0:
                failed.append(program)
    if not counts:
        fail("nothing was counted")
    files, holes = summary(counts, exclusions)
    totals = {kind: total(files, kind) for kind in KINDS}
    print(f"{'file':<22}{'line %':>9}{'branch %':>10}{'toggle %':>10}{'excluded':>10}")
    for name in sorted(files):
        of = files[name]
        print(f"{name:<22}" + "".join(f"{percent(of[k]):>{w}.1f}" for k, w in zip(KINDS, (9, 10, 10))) +
              f"{sum(of[k]['excluded'] for k in KINDS):>10}")
    print(f"{'all':<22}" + "".join(f"{percent(totals[k]):>{w}.1f}" for k, w in zip(KINDS, (9, 10, 10))) +
          f"{sum(totals[k]['excluded'] for k in KINDS):>10}")
    result = {kind: round(percent(totals[kind]), 3) for kind in KINDS}
    result.update(clocks=args.clocks, seed=args.seed, programs=args.programs, failed=failed,
                  unused_exclusions=exclusions.unused(), files=files, holes=holes)
    (ROOT / "build/cov.json").write_text(json.dumps(result, indent=1) + "\n")
    write_html(counts)
    print(f"{len(holes)} holes in build/cov.json")
    below = [k for k in KINDS if result[k] < getattr(args, f"floor_{k}")]
    for kind in below:
        print(f"cov: {kind} coverage {result[kind]} is below {getattr(args, f'floor_{kind}')}", file=sys.stderr)
    if failed:
        print("cov: failed: " + " ".join(failed), file=sys.stderr)
    return 1 if below or failed else 0


if __name__ == "__main__":
    sys.exit(main())
