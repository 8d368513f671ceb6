#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of docs/memory.md that compare sharing patterns, protocols, directories and networks.

usage: memory_tables.py PROGRAM [--jobs N] [--check]
  --check   compare the rows with those of docs/memory.md instead of printing them

Exit code 1: a row of the page differs, or is missing.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/memory.md"
PATTERNS = ("stencil", "all-to-all", "producer-consumer", "migratory")
PROTOCOLS = ("update", "invalidate")
KINDS = {"multicast, RDT": [], "exact, RDT": ["--directory", "exact"], "exact, torus": ["--directory", "exact", "--torus"]}


def run(program, pattern, protocol, kind):
    command = [program, "run", "--traffic", f"dsm-{pattern}", "--protocol", protocol, *KINDS[kind], "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"memory_tables: {' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def short(value):
    """Three digits, as 39.1 or 106."""
    return f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def figures_row(pattern, protocol, result):
    w = result["workload"]
    receivers = w["multicast_receivers"] / w["multicasts"]
    return (f"| {pattern} | {protocol} | {result['cycles_measured']:,} | {w['read_misses'] / w['reads']:.1%} | "
            f"{w['read_miss_latency']['mean']:.0f} | {w['write_misses'] / w['writes']:.1%} | "
            f"{w['write_miss_latency']['mean']:.0f} | {w['multicasts']:,} | {receivers:.1f} | "
            f"{w['excess_receivers_mean']:.1f} | {w['releases']:,} | {w['retries']:,} | {w['recalls']:,} |").replace("%", " %")


def comparison_row(pattern, protocol, results):
    operations = [short(results[kind]["workload"]["operation_latency"]["mean"]) for kind in KINDS]
    writes = [f"{results[kind]['workload']['write_miss_latency']['mean']:.0f}" for kind in KINDS]
    return f"| {pattern} | {protocol} | {' | '.join(operations + writes)} |"


def main():
    parser = argparse.ArgumentParser(description="tables of docs/memory.md")
    parser.add_argument("program", help="rdt")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("--check", action="store_true", help="compare with docs/memory.md")
    args = parser.parse_args()
    keys = [(pattern, protocol, kind) for pattern in PATTERNS for protocol in PROTOCOLS for kind in KINDS]
    with concurrent.futures.ThreadPoolExecutor(max(1, args.jobs)) as pool:
        results = dict(zip(keys, pool.map(lambda key: run(args.program, *key), keys)))
    pairs = [(pattern, protocol) for pattern in PATTERNS for protocol in PROTOCOLS]
    figures = [figures_row(*pair, results[(*pair, "multicast, RDT")]) for pair in pairs]
    comparison = [comparison_row(*pair, {kind: results[(*pair, kind)] for kind in KINDS}) for pair in pairs]
    if not args.check:
        print("\n".join([*figures, "", *comparison]))
        return 0
    page = set(PAGE.read_text().splitlines())
    wrong = [row for row in figures + comparison if row not in page]
    for row in wrong:
        print(f"docs/memory.md does not have: {row}")
    print(f"{len(figures + comparison) - len(wrong)} of {len(figures + comparison)} rows of docs/memory.md are as measured")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
