#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compile_commands.json of the build serves editors and static analyzers: every C++ source has an entry,
and entries compile as written.

usage: check_compile_commands.py [--sample COUNT] BUILD_DIR
  --sample   also compile so many entries with -fsyntax-only, spread over all that the build has compiled
"""
import argparse
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("examples", "rtl", "sim", "systemc", "tb")
# Sources of other compilers and projects.
OTHERS = {
    "tb/fuzz/points.cpp": "needs a Verilator whose C++ tb/cov/cover.py can rewrite",
    "sim/bench/": "built where Google Benchmark is installed",
    "sim/live/binding.cpp": "needs the headers of Emscripten",
    "sim/mpi/collectives.cpp": "needs the headers of MPI",
    "sim/mpi/point_to_point.cpp": "needs the headers of MPI",
    "sim/python/": "built with RDT_PYTHON=ON",
    "rtl/flow/netlist/netlist.cpp": "includes a model that make synth Verilates",
    "tb/tools/bit_tree.cpp": "includes a model that check_workarounds.py Verilates",
}


def without_entry(files, entries):
    """Sources that have no entry, and exceptions that are none."""
    indexed = {str(pathlib.Path(e["directory"], e["file"]).resolve()) for e in entries}
    wrong = [f"{f}: no entry" for f in files if str(ROOT / f) not in indexed and not any(f.startswith(o) for o in OTHERS)]
    return wrong + [f"{o}: there is no such source" for o in OTHERS if not any(f.startswith(o) for f in files)]


def is_built(entry):
    """Targets outside the default build (sim/bench) include headers that only their own build generates."""
    words = shlex.split(entry["command"])
    return pathlib.Path(entry["directory"], words[words.index("-o") + 1]).exists()


def does_not_compile(entry):
    words = shlex.split(entry["command"])
    at = words.index("-o")
    del words[at:at + 2]
    done = subprocess.run([*words, "-fsyntax-only"], cwd=entry["directory"], capture_output=True, text=True)
    return [] if done.returncode == 0 else [f"{entry['file']}: {shlex.join(words)}\n{done.stderr[:1000]}"]


def main():
    parser = argparse.ArgumentParser(description="every source has an entry that compiles")
    parser.add_argument("--sample", type=int, default=0, help="entries to compile")
    parser.add_argument("build", type=pathlib.Path, help="folder of the build")
    args = parser.parse_args()
    entries = json.loads((args.build / "compile_commands.json").read_text())
    files = sorted(str(p.relative_to(ROOT)) for folder in FOLDERS for p in (ROOT / folder).rglob("*.cpp"))
    wrong = without_entry(files, entries)
    own = [e for e in entries if e["file"].startswith(tuple(f"{ROOT / folder}/" for folder in FOLDERS)) and is_built(e)]
    if not without_entry([*files, "sim/injected.cpp"], entries):
        wrong.append("an injected source without an entry was not detected")
    if args.sample and not own:
        wrong.append("nothing is built: no entry can be compiled")
    elif args.sample:
        broken = dict(own[0], command=own[0]["command"] + " --no-such-option")
        if not does_not_compile(broken):
            wrong.append("an injected wrong option was not detected")
        for entry in own[::max(1, len(own) // args.sample)]:
            wrong += does_not_compile(entry)
    print("\n".join(wrong) if wrong else f"{len(files)} sources, {len(entries)} entries")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
