# SPDX-License-Identifier: MIT
"""The rows of docs/testplan.md, the tests there are, and which shows which."""
import fnmatch
import json
import pathlib
import re
import subprocess

from . import make_targets

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLAN = ROOT / "docs/testplan.md"
FOLDERS = ("block", "chip", "formal", "fuzz", "attack", "machine", "lab", "exec")  # sources of test programs, in tb/
MAKE = "make "
ID = re.compile(r"[A-Z]+-\d\d")
HEAD = ["ID", "what", "shown by", "independent reference"]
GTEST = re.compile(r"\b(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)")
NOT_BUILT = "_NOT_BUILT"


class Failure(Exception):
    """The missing parts, in one line."""


class Row:
    def __init__(self, name, what, shown, reference, area):
        self.id, self.what, self.shown, self.reference, self.area = name, what, shown, reference, area


class Test:
    def __init__(self, name, program):
        self.name = name  # as ctest has it
        self.program = program  # of GoogleTest, or None

    def inner(self):
        """As GoogleTest knows it."""
        return self.name.split("/", 1)[1]


class Tests:
    """Tests of ctest. A program that is not built has those of its source, without their
    parameters; `built` lists the others."""

    def __init__(self):
        self.tests = []
        self.programs = set()
        self.built = set()
        self.targets = set()

    def add(self, name, program):
        self.tests.append(Test(name, program))


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def read_plan(text):
    """Rows of all tables whose head is that of a plan."""
    rows, inside, area = [], False, ""
    for line in text.splitlines():
        if line.startswith("## "):
            area = line[3:].strip()
        if not line.startswith("|"):
            inside = False
        elif cells(line) == HEAD:
            inside = True
        elif inside and not set(line) <= set("|-: "):
            found = cells(line)
            if len(found) != len(HEAD):
                raise Failure(f"{PLAN.name}: a row of {len(found)} cells instead of {len(HEAD)}: {line[:60]}")
            rows.append(Row(found[0], found[1], re.findall(r"`([^`]+)`", found[2]), found[3], area))
    return rows


def list_tests(build, root=ROOT):
    """Tests of ctest in `build`, and tests in the sources of programs that are not built, for
    example without SystemC or Verilator."""
    if not (pathlib.Path(build) / "CTestTestfile.cmake").is_file():
        raise Failure(f"{build} is no folder of a build with tests")
    done = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"ctest in {build}: {(done.stderr or done.stdout).strip()}")
    known = Tests()
    sources = {f"{folder}_{path.stem}": path for folder in FOLDERS for path in (root / "tb" / folder).glob("*.cpp")}
    known.programs = set(sources)
    for entry in json.loads(done.stdout)["tests"]:
        labels = next((p["value"] for p in entry.get("properties", []) if p["name"] == "LABELS"), [])
        name = entry["name"]
        program = next((label for label in labels if label in sources), None)
        if name.endswith(NOT_BUILT) and name[:-len(NOT_BUILT)] in sources:
            continue
        if program:
            known.built.add(program)
        known.add(name, program)
    for program in sorted(set(sources) - known.built):
        folder = program.split("_")[0]
        for suite, claim in GTEST.findall(sources[program].read_text()):
            known.add(f"{folder}/{suite}.{claim}", program)
    # Checks that need what this machine lacks.
    there = {test.name for test in known.tests}
    for file in (root / "tb").rglob("CMakeLists.txt"):
        for name in re.findall(r"\brdt_check\(([\w/]+)\s", file.read_text()):
            if name not in there:
                known.add(name, None)
    known.targets = {target.name for target in make_targets.IN_NIGHTLY}
    return known


def shown_by(item, known):
    """The tests that an item of a row means; None if it is of no known form. A target that `make nightly`
    runs has no test of ctest."""
    if item.startswith(MAKE):
        return [] if item[len(MAKE):] in known.targets else None
    if "/" in item and ":" not in item:
        return [t for t in known.tests if fnmatch.fnmatchcase(t.name, item)]
    program, _, patterns = item.partition(":")
    if program not in known.programs:
        return None
    wanted = patterns.split(":") if patterns else ["*"]
    return [t for t in known.tests if t.program == program and any(fnmatch.fnmatchcase(t.inner(), p) for p in wanted)]


def disagreements(rows, known):
    """One line for everything in which plan and tests differ."""
    wrong, seen, covered = [], set(), set()
    if not rows:
        wrong.append("the plan has no rows")
    for row in rows:
        if not ID.fullmatch(row.id):
            wrong.append(f"{row.id or 'a row without an ID'}: an ID is as CHIP-03")
        if row.id in seen:
            wrong.append(f"{row.id}: two rows have this ID")
        seen.add(row.id)
        if not row.shown:
            wrong.append(f"{row.id}: names no test")
        for item in row.shown:
            tests = shown_by(item, known)
            if tests is None:
                what = "target that make nightly runs" if item.startswith(MAKE) else "program of tests"
                wrong.append(f"{row.id}: {item} is no {what}")
            elif not tests and not item.startswith(MAKE):
                wrong.append(f"{row.id}: {item} is no test")
            else:
                covered.update(t.name for t in tests)
    wrong += [f"{t.name}: in no row of the plan" for t in known.tests if t.name not in covered]
    return wrong
