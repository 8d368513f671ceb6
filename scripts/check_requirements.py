#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Requirements (docs/requirements.md) and what shows them agree in both directions:

  - every tag of the specification has one row, and every row a tag that occurs once
  - every row names a proof or a row of the test plan, and everything that it names exists
  - every proof, every file of cover points, and every row of the test plan about blocks and chip is named

usage: check_requirements.py [--inject]
  --inject   instead: each kind of mistake is made in memory, and has to be detected
"""
import argparse
import fnmatch
import pathlib
import re
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
TAG = re.compile(r"\[(R-[A-Z]+-\d+)\]")
SECTIONS = ("BLK", "CHIP")  # rows of the test plan that need a requirement
# Rows of the test plan about the tests themselves, not about the router.
ABOUT_TESTS = {"BLK-13", "CHIP-05", "CHIP-06", "CHIP-12", "CHIP-17", "CHIP-19", "CHIP-21", "CHIP-22", "CHIP-23"}


class Row(NamedTuple):
    name: str
    proofs: list
    tests: list
    covers: list


class Known(NamedTuple):
    tags: list
    proofs: set
    plan: set
    covers: set


def read_rows(text):
    rows = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| R-") and len(cells) == 5:
            proofs, tests, covers = ([item.strip(" `") for item in cell.split(",") if item.strip()] for cell in cells[2:])
            rows.append(Row(cells[0], proofs, tests, covers))
    return rows


def read_known():
    from tb.formal import properties
    specification = (ROOT / "docs/specification.md").read_text()
    # The paragraph that explains tags has an example.
    specification = re.sub(r"\*\*Requirements\.\*\*.*?\n\n", "", specification, flags=re.S)
    plan = re.findall(r"^\| ([A-Z]+-\d+) \|", (ROOT / "docs/testplan.md").read_text(), re.M)
    return Known(TAG.findall(specification), {p["name"] for p in properties.PROOFS}, set(plan),
                 {file.stem for file in (ROOT / "tb/cov").glob("cov_*.sv")})


def disagreements(rows, known):
    """A line for each."""
    wrong = [f"{tag}: in the specification {known.tags.count(tag)} times" for tag in sorted(set(known.tags)) if known.tags.count(tag) > 1]
    names = [row.name for row in rows]
    wrong += [f"{name}: two rows" for name in sorted(set(names)) if names.count(name) > 1]
    wrong += [f"{tag}: no row in docs/requirements.md" for tag in sorted(set(known.tags) - set(names))]
    wrong += [f"{name}: no tag in docs/specification.md" for name in sorted(set(names) - set(known.tags))]
    named = set()
    for row in rows:
        if not row.proofs and not row.tests:
            wrong.append(f"{row.name}: neither a proof nor a test")
        for pattern in row.proofs:
            found = fnmatch.filter(known.proofs, pattern)
            named |= set(found)
            if not found:
                wrong.append(f"{row.name}: {pattern} is no proof")
        wrong += [f"{row.name}: {test} is no row of the test plan" for test in row.tests if test not in known.plan]
        wrong += [f"{row.name}: {cover} is no file of cover points" for cover in row.covers if cover not in known.covers]
        named |= {*row.tests, *row.covers}
    wanted = {row for row in known.plan if row.split("-")[0] in SECTIONS} - ABOUT_TESTS
    wrong += [f"{name}: named by no requirement" for name in sorted((known.proofs | known.covers | wanted) - named)]
    wrong += [f"{name}: no row of the test plan (ABOUT_TESTS)" for name in sorted(ABOUT_TESTS - known.plan)]
    return wrong


def injected(rows, known):
    """(what was done, rows, known, what has to be in a complaint)"""
    first = rows[0]
    yield "a row is missing", rows[1:], known, f"{first.name}: no row"
    yield "a row is there twice", [first, *rows], known, "two rows"
    yield "a tag is missing", rows, known._replace(tags=known.tags[1:]), "no tag"
    yield "a tag is there twice", rows, known._replace(tags=[known.tags[0], *known.tags]), "2 times"
    yield "a row names nothing", [Row(first.name, [], [], []), *rows[1:]], known, "neither a proof nor a test"
    yield "a row names no proof", [Row(first.name, ["nonsense_*"], [], []), *rows[1:]], known, "nonsense_* is no proof"
    yield "a row names no test", [Row(first.name, [], ["BLK-99"], []), *rows[1:]], known, "BLK-99 is no row"
    yield "a row names no cover points", [first._replace(covers=["cov_x"]), *rows[1:]], known, "cov_x is no file"
    yield "a proof is new", rows, known._replace(proofs=known.proofs | {"new_1"}), "new_1: named by no"
    yield "a test is new", rows, known._replace(plan=known.plan | {"CHIP-99"}), "CHIP-99: named by no"
    yield "cover points are new", rows, known._replace(covers=known.covers | {"cov_new"}), "cov_new: named by no"


def main():
    parser = argparse.ArgumentParser(description="requirements and what shows them agree")
    parser.add_argument("--inject", action="store_true", help="make every kind of mistake, in memory")
    options = parser.parse_args()
    rows, known = read_rows((ROOT / "docs/requirements.md").read_text()), read_known()
    wrong = disagreements(rows, known)
    if options.inject:
        missed = [what for what, other, others, text in injected(rows, known)
                  if not any(text in line for line in disagreements(other, others) if line not in wrong)]
        for what in missed:
            print(f"requirements: not detected: {what}", file=sys.stderr)
        return 1 if missed else 0
    for line in wrong:
        print(f"requirements: {line}", file=sys.stderr)
    if not wrong:
        print(f"{len(rows)} requirements, {len(known.proofs)} proofs, {len(known.covers)} files of cover points")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
