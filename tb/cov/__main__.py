#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Coverage: which lines, branches and bits of the RTL the tests exercise, which cover points (tb/cov) they
hit, and which lines of the C++ core.

Builds the tests with counting models in build_cov, runs them, adds up what all have counted, takes out
what tb/cov/exclusions.txt gives a reason for, and prints a table by file. build/cov.json has all figures
and every hole, build/cov/html the sources with their counts.

usage: python3 -m tb.cov [--cycles N] [--seed N] [--jobs N] [--keep] [PROGRAM ...]
With programs named, floors and exclusions are not checked. --keep also counts what others have left in build/cov/data, for
those who look for a test that closes a hole.
Exit code 1: a test has failed, a figure is below its floor, or an exclusion is wrong. 2: it cannot be run.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

from . import html_pages
from .constants import Constants
from .exclusions import Exclusions, Failure
from .points import KINDS, Points
from .summary import Summary, percent

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Beside build/, not below it: what is the same in both is compiled the same way, so that ccache has it.
BUILD = ROOT / "build_cov"
OUTPUT = ROOT / "build/cov"
DATA = OUTPUT / "data"
FIRST_UNKNOWN = (5, 20)  # Verilator whose C++ cover.py cannot rewrite, as in cmake/verilate.cmake
FLOORS = {"line": 100, "branch": 100, "toggle": 98, "functional": 95}
# Programs of tests with all their tests, or with those of a filter: what is left out has models of 64 chips for
# long, and does nothing that others do not.
PROGRAMS = {f"block_{name}": "*" for name in (
    "ack", "ack_rules", "arbiter", "bitmap", "buffer_ram", "crossbar", "inject", "inject_turns", "input_unit",
    "input_unit_acks", "input_unit_multicast", "input_unit_random", "input_unit_shot", "link_io", "link_io_sync",
    "link_io_trouble", "link_pair", "local", "local_guard", "local_links", "local_notices", "local_random",
    "output_unit", "output_unit_credits", "output_unit_multicast", "route")}
PROGRAMS.update({f"chip_{name}": "*" for name in ("bad_input", "latency", "patch", "slices", "two_chips")})
PROGRAMS.update({"chip_router": "*random_traffic*", "chip_shoot_down": "-*at_any_cycle*",
                 "attack_ack_table": "*", "attack_contexts": "*", "attack_local": "*", "attack_starvation": "*",
                 "machine_check": "*", "fuzz_points": "*"})
# Cycles of random tests for each of those of fuzz_points, which has the traffic of fuzz_chip and no other models
# beside the one that counts.
LENGTHS = {"fuzz_points": 1, "chip_router": 0.2, "machine_check": 0.002}
# Those that also count the lines of the C++ core.
CORE = ("fuzz_points", "chip_chips", "chip_node", "chip_wide", "block_fast_ports")


def build(programs, jobs):
    version = re.search(r"Verilator (\d+)\.(\d+)", subprocess.run(["verilator", "--version"], capture_output=True, text=True).stdout)
    if version and (int(version[1]), int(version[2])) >= FIRST_UNKNOWN:
        raise Failure(f"needs Verilator 5.006 to 5.018; this is {version[1]}.{version[2]}")
    for command in (["cmake", "--preset", "coverage", "-S", ROOT],
                    ["cmake", "--build", BUILD, "-j", str(jobs), "--target", *programs]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            print(done.stdout[-3000:], file=sys.stderr)
            raise Failure("the counting models do not build")


def run(program, args):
    """Exit code; what was counted is in the folder of the program."""
    folder = DATA / program
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    env = dict(os.environ, RDT_COVERAGE_DIR=str(folder), RDT_SEED=str(args.seed), SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
    if program in LENGTHS:
        env["RDT_CYCLES"] = str(int(args.cycles * LENGTHS[program]))
    with open(DATA / f"{program}.log", "w") as log:
        code = subprocess.run([BUILD / "bin" / program, f"--gtest_filter={PROGRAMS.get(program, '*')}"], cwd=BUILD, env=env,
                              stdout=log, stderr=subprocess.STDOUT).returncode
    if code != 0:
        print((DATA / f"{program}.log").read_text()[-2000:], file=sys.stderr)
    return code


def table(summary, core):
    heads = ("line %", "branch %", "toggle %")
    print(f"{'file':<24}" + "".join(f"{h:>10}" for h in heads) + f"{'excluded':>10}")

    def row(name, of):
        print(f"{name:<24}" + "".join(f"{percent(of[k]):>10.1f}" for k in KINDS) +
              f"{sum(of[k]['excluded'] for k in KINDS):>10}")
    for name in sorted(summary.files):
        row(name, summary.files[name])
    row("all", {k: summary.total(k) for k in KINDS})
    bins = summary.total("functional")
    print(f"cover points: {bins['hit']} of {bins['points']} bins hit ({percent(bins):.1f} %), {bins['excluded']} excluded")
    if core:
        print(f"C++ core: {percent(core):.1f} % of {core['points']} lines")


def main():
    parser = argparse.ArgumentParser(prog="python3 -m tb.cov", description="coverage of the RTL over the tests")
    parser.add_argument("programs", nargs="*", help="programs of tests (all)")
    parser.add_argument("--cycles", type=int, default=200000, help="of the fuzz for cover points; other random tests have a part of it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", action="store_true", help="count what earlier runs have left, too")
    args = parser.parse_args()
    programs = args.programs or list(dict.fromkeys([*PROGRAMS, *CORE]))
    points, failed = Points(), []
    exclusions = Exclusions((ROOT / "tb/cov/exclusions.txt").read_text())
    constants = Constants.of_chip(ROOT, OUTPUT)
    build(programs, args.jobs)
    if not args.keep:
        shutil.rmtree(DATA, ignore_errors=True)
        for old in BUILD.rglob("*.gcda"):
            old.unlink()
    # The longest first.
    order = sorted(programs, key=lambda p: (p not in LENGTHS, p.startswith("block_")))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        failed += [p for p, code in zip(order, pool.map(lambda p: run(p, args), order)) if code != 0]
    for file in sorted(DATA.glob("*/*.txt")):
        points.read(file)
    if not points.code:
        raise Failure("nothing was counted")
    summary = Summary(points, exclusions, lambda file: (ROOT / "rtl" / file).read_text(), constants)
    infos = [OUTPUT / "rtl.info"]
    html_pages.write_info(points, ROOT, infos[0])
    core, core_files, core_missed = None, {}, []
    objects = [BUILD / "tb" / p.split("_")[0] / f"CMakeFiles/{p}.dir" for p in CORE if p in programs]
    if objects:
        infos.append(OUTPUT / "core.info")
        html_pages.write_core_info(ROOT, BUILD, objects, infos[1])
        core_files, core_missed = html_pages.core_figures(infos[1], ROOT)
        core = {k: sum(f[k] for f in core_files.values()) for k in ("points", "hit")}
    shutil.rmtree(OUTPUT / "html", ignore_errors=True)
    html_pages.draw(infos, ROOT, OUTPUT / "html")

    table(summary, core)
    result = {kind: summary.percent(kind) for kind in FLOORS}
    result["functional_percent"] = result.pop("functional")
    result.update(clocks=args.cycles, seed=args.seed, programs=programs, failed=failed,
                  unused_exclusions=exclusions.mistakes(), files=summary.files, functional=summary.functional,
                  toggle_by_instance=points.by_instance(constants), core=core_files, core_missed=core_missed, holes=summary.holes)
    html_pages.dump(result, ROOT / "build/cov.json")
    print(f"{len(summary.holes)} holes in build/cov.json; sources with counts: build/cov/html/index.html")
    wrong = constants.mistakes(points.toggled()) + [f"{p} failed: build/cov/data/{p}.log" for p in failed]
    if not args.programs:
        wrong += exclusions.mistakes() + summary.below(FLOORS)
    for line in wrong:
        print(f"cov: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Failure, OSError) as e:
        print(f"cov: {e}", file=sys.stderr)
        sys.exit(2)
