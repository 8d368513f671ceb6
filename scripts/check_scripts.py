#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Static checks of all Python files: pyflakes, and of mypy's findings those that are defects in code
without annotations (a missing attribute or name, wrong arguments of a call).

usage: check_scripts.py [--inject] {pyflakes,mypy}
  --inject  instead: a file with one defect of each kind, which has to be reported

Exit code 77 (skipped): the tool is not installed.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from tree.files import ROOT, source_files

PROGRAMS = {"pyflakes": ["pyflakes3", "pyflakes"], "mypy": ["mypy"]}
KINDS = {"pyflakes": r": ", "mypy": r"\[(?:attr-defined|name-defined|call-arg)\]$"}
# Folders of scripts that run by their path and import each other by plain names; `python3 -m` runs all others from the
# top of the tree.
FOLDERS = ["scripts", "cmake", "tb/program", "tb/browser"]
DEFECTS = {"pyflakes": {"import os\n": "imported but unused", "def f():\n    return missing\n": "undefined name"},
           "mypy": {"import nightly\n\nnightly.synchronize()\n": "has no attribute",
                    "def f(a):\n    return a\n\n\nf(1, 2)\n": "Too many arguments"}}


def sources():
    return [name for name in source_files() if name.endswith(".py") and name != "setup.py"]


def program_of(tool):
    return next(filter(None, map(shutil.which, PROGRAMS[tool])), None)


def findings(tool, files):
    if tool == "pyflakes":
        runs = [([], "", files)]
    else:
        options = ["--check-untyped-defs", "--ignore-missing-imports", "--explicit-package-bases", "--namespace-packages",
                   "--no-error-summary", "--cache-dir", "/dev/null"]
        by_path = [f for f in files if str(pathlib.PurePath(f).parent) in FOLDERS]
        runs = [(options, ":".join(FOLDERS), by_path),
                (options, "cmake" if by_path else ":".join(FOLDERS), [f for f in files if f not in by_path])]
    found = []
    for options, path, chosen in runs:
        if chosen:
            done = subprocess.run([program_of(tool), *options, *chosen], cwd=ROOT, capture_output=True, text=True,
                                  env={**os.environ, "MYPYPATH": path})
            if done.returncode not in (0, 1) or "Traceback" in done.stderr:
                sys.exit(f"{tool} stopped: {(done.stdout + done.stderr)[-500:]}")
            found += [line for line in done.stdout.splitlines() if re.search(KINDS[tool], line)]
    return found


def main():
    parser = argparse.ArgumentParser(description="static checks of the Python files")
    parser.add_argument("tool", choices=KINDS)
    parser.add_argument("--inject", action="store_true", help="report injected defects")
    args = parser.parse_args()
    if program_of(args.tool) is None:
        print(f"skipped: {args.tool} is not installed")
        return 77
    if args.inject:
        missed = []
        with tempfile.TemporaryDirectory() as folder:
            for text, expected in DEFECTS[args.tool].items():
                file = pathlib.Path(folder) / "defect.py"
                file.write_text(text)
                if not any(expected in line for line in findings(args.tool, [str(file)])):
                    missed.append(text)
        print(f"{len(DEFECTS[args.tool]) - len(missed)} of {len(DEFECTS[args.tool])} injected defects are reported")
        return 1 if missed else 0
    files = sources()
    found = findings(args.tool, files)
    print("\n".join(found) if found else f"{len(files)} files, no finding")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
