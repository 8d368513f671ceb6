#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks how the files of the project depend on each other, by their include lines:

  - no file of sim/ or systemc/ includes one of tb/, and no program links one
  - the plain libraries (sim/rdt/CMakeLists.txt), and machine.h and endpoint.h, reach neither <systemc>
    nor verilated.h
  - no two files include each other, over any number of others
  - no file is written by hand that has more than 500 lines
  - every parameter and every group of ports of an RTL module has a description
  - the functions of the walks in docs/architecture.md are in the files that it names
  - every folder that tree/rooms.py lists has a README.md that names the folders it uses, and no two use each other

Prints how many C++ files see SystemC and Verilator.

usage: check_structure.py [--inject] BUILD_DIR   (with compile_commands.json)
  --inject   instead: each rule is broken in memory, and has to be detected
"""
import argparse
import copy
import json
import pathlib
import re
import shlex
import sys

from tree import rooms

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["sim", "tb", "systemc", "rtl/flow"]  # that are searched for includes, too
MAX_LINES = 500
GENERATED = {"sim/rdt/core/format.h", "rtl/rdt_pkg.sv"}
WALK = re.compile(r"^\| `([\w/]+\.\w+)` \| `([\w:]+)` \|", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)

# Folders of the plain libraries; engines/ and cosim/ are divided further.
PLAIN = ["sim/rdt/", "sim/cli/"]
NOT_PLAIN = re.compile(r"sim/rdt/tlm/\w+\.h$|sim/rdt/(machine/engines/(systemc|rtl)_\w+|"
                       r"cosim/(blame|block_replicas|chip|kernel|module_chip|rtl_\w+|systemc_\w+|twins))\.(h|cpp)$")


class Tree:
    """The project's files, by path from its top."""

    def __init__(self):
        self.text = {}
        for folder in ["sim", "tb", "systemc", "rtl", "scripts", "cmake"]:
            for path in (ROOT / folder).rglob("*"):
                if path.suffix in (".h", ".cpp", ".sv", ".svh", ".py", ".sh", ".cmake"):
                    self.text[str(path.relative_to(ROOT))] = path.read_text()
        self.architecture = (ROOT / "docs/architecture.md").read_text()
        self.readmes = rooms.read_readmes()
        self.forced = {}  # headers that a compiler option includes

    def read_commands(self, build):
        for entry in json.loads((build / "compile_commands.json").read_text()):
            file = pathlib.Path(entry["directory"], entry["file"]).resolve()
            words = shlex.split(entry["command"])
            if ROOT in file.parents and build not in file.parents:
                self.forced[str(file.relative_to(ROOT))] = [
                    words[i + 1] for i, word in enumerate(words) if word == "-include"]

    def includes(self, path):
        """(own files, others' headers) that a file names."""
        own, others = [], []
        for _, name in INCLUDE.findall(self.text[path]):
            here = str(pathlib.PurePath(path).parent / name)
            places = [here] + [f"{folder}/{name}" for folder in FOLDERS]  # <rdt/...> is in two of them
            found = next((p for p in places if p in self.text), None)
            own.append(found) if found else others.append(name)
        return own, others

    def units(self):
        return sorted(p for p in self.text if p.endswith(".cpp"))


def reached(tree):
    """By file: every own file and every other header that it sees, itself included."""
    direct = {p: tree.includes(p) for p in tree.text if p.endswith((".h", ".cpp"))}
    memo = {}

    def visit(path):
        if path not in memo:
            memo[path] = ({path}, set())  # ends a circle, which is reported elsewhere
            own, others = {path}, set(direct[path][1])
            for other in direct[path][0]:
                more_own, more_others = visit(other)
                own |= more_own
                others |= more_others
            memo[path] = (own, others)
        return memo[path]

    for path in direct:
        visit(path)
    return memo, direct


def circle(direct):
    state = {}

    def visit(path, way):
        state[path] = "open"
        for other in direct[path][0]:
            if state.get(other) == "open":
                return way[way.index(other):] + [other] if other in way else [path, other]
            if other not in state and (found := visit(other, way + [other])):
                return found
        state[path] = "done"
        return None

    for path in sorted(direct):
        if path not in state and (found := visit(path, [path])):
            return found
    return None


def sees(tree, seen, path, what):
    """Whether a file sees the headers of SystemC, or of Verilator."""
    others = seen[path][1] | set(tree.forced.get(path, []))
    if what == "SystemC":
        return "systemc" in others or "systemc.h" in others
    return any(name.startswith("verilated") or re.match(r"Vr\w+\.h$", name) for name in others)


def undescribed(tree):
    """Parameters and ports of RTL modules without a comment on their line or above their group."""
    for path, text in sorted(tree.text.items()):
        module = re.search(r"^module \w+.*?^\);", text, re.S | re.M) if path.startswith("rtl/rdt_") else None
        above = group = False
        for line in module[0].splitlines() if module else []:
            words = line.split("//")[0].split() or [""]
            described = "//" in line or above or (group and words[0] != "parameter")
            if words[0] in ("parameter", "input", "output", "inout") and not described:
                yield f"{path}: no description: {line.strip()}"
            above = line.strip().startswith("//")
            group = (group or above) and words[0] != ")"


def walk_findings(tree):
    """Functions that docs/architecture.md names and that their files do not have."""
    stops = WALK.findall(tree.architecture)
    if len(stops) < 20:
        yield "docs/architecture.md: the walks of a flit and of an option are missing"
    for path, name in stops:
        if not re.search(rf"\b{name.split('::')[-1]}\(", tree.text.get(path, "")):
            yield f"docs/architecture.md: {path} has no {name}()"


def findings(tree):
    seen, direct = reached(tree)
    for path in sorted(seen):
        if path.startswith(("tb/", "rtl/")):  # the flows have benches
            continue
        if test := next((p for p in sorted(seen[path][0]) if p.startswith("tb/")), None):
            yield f"{path} reaches a file of tests: {test}"
        if path.startswith(tuple(PLAIN)) and not NOT_PLAIN.match(path):
            for what in ("SystemC", "Verilator"):
                if sees(tree, seen, path, what):
                    yield f"{path} sees {what}"
    if way := circle(direct):
        yield "circle: " + " -> ".join(way)
    for path, text in sorted(tree.text.items()):
        lines = text.count("\n")
        if lines > MAX_LINES and path not in GENERATED:
            yield f"{path} has {lines} lines, more than {MAX_LINES}"
        # The folder of a script comes first where Python looks for modules.
        if path.endswith(".py") and pathlib.PurePath(path).stem in sys.stdlib_module_names:
            yield f"{path} has the name of a module of Python"
    yield from undescribed(tree)
    yield from walk_findings(tree)
    yield from rooms.findings({p: t for p, t in tree.text.items() if p.endswith((".h", ".cpp", ".py"))}, tree.readmes)
    programs = (ROOT / "sim/cli/CMakeLists.txt").read_text()
    if "tb_" in re.sub(r"#.*", "", programs):
        yield "a program links a library of tests"


def check_injected(build):
    """Every rule finds a mistake that was made for it."""
    sound = Tree()
    sound.read_commands(build)
    before = set(findings(sound))

    def injected(change, expected):
        tree = copy.copy(sound)
        tree.text, tree.forced, tree.readmes = dict(sound.text), dict(sound.forced), dict(sound.readmes)
        change(tree)
        found = [f for f in findings(tree) if f not in before]
        if not any(re.search(expected, f) for f in found):
            sys.exit(f"check_structure: not detected: {expected}")
        print(f"detected: {next(f for f in found if re.search(expected, f))}")

    def add(path, line):
        return lambda tree: tree.text.update({path: tree.text[path] + line + "\n"})
    injected(add("sim/rdt/support/random.h", '#include "common/dice.h"'), "sim/.* reaches a file of tests")
    injected(add("sim/rdt/net/graph/network.h", "#include <systemc>"), "sim/rdt/paper/.* sees SystemC")
    injected(lambda tree: tree.forced.update({"sim/rdt/lab/loads.cpp": ["verilated.h"]}),
            "sim/rdt/lab/loads.cpp sees Verilator")
    injected(add("sim/rdt/support/random.h", '#include <rdt/net/graph/traffic.h>'), "circle: ")
    injected(add("sim/cli/main.cpp", "\n" * MAX_LINES), "sim/cli/main.cpp has")
    injected(add("sim/rdt/core/route.h", "#include <rdt/net/graph/network.h>"), "sim/rdt/core/README.md does not end")
    injected(add("sim/rdt/core/route.h", "#include <rdt/net/graph/network.h>"), "folders use each other: sim/rdt/core -> ")
    injected(lambda tree: setattr(tree, "architecture", tree.architecture.replace("`header_rewrite`", "`gone`")),
             "output_unit.h has no gone")
    injected(lambda tree: tree.text.update({"rtl/rdt_tick.sv": tree.text["rtl/rdt_tick.sv"].replace("  // Bits of", "  ")}),
             "rtl/rdt_tick.sv: no description: parameter int Width")
    injected(lambda tree: tree.text.update({"tb/program/numbers.py": ""}), "numbers.py has the name of a module of Python")
    injected(lambda tree: tree.readmes.pop("sim/rdt/core"), "sim/rdt/core/ has no README.md")
    injected(lambda tree: tree.readmes.update({"tb/cov": tree.readmes["tb/cov"] + "`gone.py`"}), "there is no gone.py")


def main():
    parser = argparse.ArgumentParser(description="checks how files depend on each other")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--inject", action="store_true", help="show that mistakes are detected")
    args = parser.parse_args()
    if args.inject:
        check_injected(args.build.resolve())
        return
    tree = Tree()
    tree.read_commands(args.build.resolve())
    found = list(findings(tree))
    for finding in found:
        print(finding)
    seen, _ = reached(tree)
    units = [u for u in tree.units() if u in tree.forced]
    counts = {what: sum(sees(tree, seen, u, what) for u in units) for what in ("SystemC", "Verilator")}
    print(f"{len(units)} C++ files are compiled; {counts['SystemC']} see SystemC, "
          f"{counts['Verilator']} see Verilator")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
