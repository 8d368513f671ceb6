#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of docs/robustness.md on sliced nodes and nodes of 36 bits.

usage: sliced_table.py PROGRAM [--cases N] [--seed S] [--jobs J]

Runs PROGRAM (build/bin/attack_sliced) and puts its rows between the marks of the page. Exit code 1: a
test failed; the page is left as it was.
"""
import argparse
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/robustness.md"
BEGIN, END = "<!-- sliced -->", "<!-- /sliced -->"
HEAD = """| node | fault, one per run | runs | packets or halves sent | delivered | lost and reported | runs with a halt | cycles until the halt, at most | apart without a halt | in time afterwards, at least |
|---|---|---|---|---|---|---|---|---|---|
"""


def grouped(row):
    return " ".join(f"{int(word):,}" if word.isdigit() else word for word in row.split(" "))


def main():
    parser = argparse.ArgumentParser(description="the table of sliced nodes in docs/robustness.md")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()

    def run(form):
        settings = {**os.environ, "RDT_CASES": str(args.cases), "RDT_SEED": str(args.seed)}
        return subprocess.run([args.program, f"--gtest_filter=*/*/{form}*"], capture_output=True, text=True, env=settings)

    with ThreadPoolExecutor(args.jobs) as pool:
        ran = list(pool.map(run, ("apart", "compare", "wide")))
    if any(r.returncode != 0 for r in ran):
        sys.exit("sliced_table: a test failed:\n" + "".join(r.stdout for r in ran if r.returncode != 0)[-3000:])
    rows = [grouped(line) for r in ran for line in r.stdout.splitlines() if line.startswith("| ")]
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    note = f"\nMeasured by `scripts/sliced_table.py` with {args.cases} runs of a kind, seed {args.seed}.\n"
    PAGE.write_text(before + BEGIN + "\n" + HEAD + "\n".join(rows) + "\n" + note + END + rest.split(END)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
