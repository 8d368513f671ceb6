#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The plan (docs/testplan.md) and the tests agree in both directions:

  - every row has a unique ID and names existing tests, or targets that `make nightly` runs
  - every test of ctest is named by a row

Tests of a program that is not built are read from its source.

usage: check_plan.py [--inject] BUILD_DIR
  --inject   instead: each kind of mistake is made in memory, and has to be detected
"""
import argparse
import copy
import sys

from report.plan import PLAN, Failure, Row, Test, disagreements, list_tests, read_plan


def injected(rows, known):
    """(what was done, rows, tests, what has to be in the one complaint)"""
    def more_rows(*shown, name="ZZ-01"):
        return [*rows, Row(name, "injected", list(shown), "-", "injected")]

    def more_tests(name, program):
        other = copy.copy(known)
        other.tests = [*known.tests, Test(name, program)]
        other.programs = known.programs | ({program} if program else set())
        return other

    def without(item):
        return [Row(r.id, r.what, [i for i in r.shown if i != item], r.reference, r.area) if item in r.shown else r
                for r in rows]

    yield "a row names a program that does not exist", more_rows("chip_nonsense"), known, "chip_nonsense is no program"
    yield "a row's filter takes no test", more_rows("chip_router:*nonsense*"), known, "chip_router:*nonsense* is no test"
    yield "a row names a check that does not exist", more_rows("lint/nonsense"), known, "lint/nonsense is no test"
    yield "a row names a target that does not exist", more_rows("make nonsense"), known, "make nonsense is no target"
    yield "a row names a target that make nightly does not run", more_rows("make setup"), known, "make setup is no target"
    yield "a row names nothing", more_rows(), known, "names no test"
    yield "an ID is there twice", more_rows("chip_router", name=rows[0].id), known, "two rows"
    yield "an ID is none", more_rows("chip_router", name="chip-3"), known, "an ID is as"
    yield "a test of a new program", rows, more_tests("chip/new.claim", "chip_new"), "chip/new.claim: in no row"
    yield "a check is new", rows, more_tests("lint_new/claim", None), "lint_new/claim: in no row"
    yield "a row of one check is taken away", without("model/link_protocol_holds"), known, "model/link_protocol_holds: in no row"
    yield "a row of a program is taken away", without("chip_pins"), known, "chip/pins.ten_links"
    yield "there is no plan", [], known, "the plan has no rows"


def find_out(rows, known):
    missed = 0
    sound = set(disagreements(rows, known))
    for what, other_rows, other_known, expected in injected(rows, known):
        found = [line for line in disagreements(other_rows, other_known) if line not in sound]
        if any(expected in line for line in found):
            print(f"found: {what}")
        else:
            missed += 1
            print(f"NOT found: {what}", file=sys.stderr)
    return missed


def main():
    parser = argparse.ArgumentParser(description="plan and tests agree")
    parser.add_argument("--inject", action="store_true", help="make every kind of mistake, in memory")
    parser.add_argument("build", help="directory of the build")
    args = parser.parse_args()
    try:
        rows = read_plan(PLAN.read_text())
        known = list_tests(args.build)
    except (Failure, OSError) as e:
        sys.exit(f"plan: {e}")
    if args.inject:
        return 1 if find_out(rows, known) else 0
    wrong = disagreements(rows, known)
    for line in wrong:
        print(f"plan: {line}", file=sys.stderr)
    if not wrong:
        print(f"{len(rows)} rows, {len(known.tests)} tests; programs not built: {len(known.programs - known.built)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
