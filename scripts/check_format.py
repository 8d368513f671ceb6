#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that all C++ is formatted by .clang-format. Names the files that are not, and the command that repairs them.

Other versions of clang-format than VERSION format some lines differently: exit code 77 (skipped).

usage: check_format.py CLANG_FORMAT
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["rtl", "systemc", "sim", "tb", "examples"]
GENERATED = {"sim/rdt/core/format.h"}
VERSION = "14"


def is_formatted(clang_format, text, name):
    run = subprocess.run([clang_format, f"--assume-filename={name}"], input=text, capture_output=True, text=True,
                         cwd=ROOT, check=True)
    return run.stdout == text


def version(clang_format):
    run = subprocess.run([clang_format, "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"version (\d+)", run.stdout)
    return found[1] if found else "of unknown version"


def main():
    clang_format = sys.argv[1]
    there = version(clang_format)
    if there != VERSION:
        print(f"skipped: clang-format {there}, checked with {VERSION}")
        return 77
    files = sorted(str(p.relative_to(ROOT)) for folder in FOLDERS for p in (ROOT / folder).rglob("*")
                   if p.suffix in (".h", ".cpp"))
    files = [f for f in files if f not in GENERATED]
    if is_formatted(clang_format, "int  main( ){}\n", "sim/injected.cpp"):
        sys.exit("an injected bug was not detected")
    run = subprocess.run([clang_format, "--dry-run", "--Werror", *files], capture_output=True, text=True, cwd=ROOT)
    if run.returncode:
        wrong = sorted({line.split(":")[0] for line in run.stderr.splitlines() if ": error:" in line})
        sys.exit(f"not formatted; this repairs it:\n  {clang_format} -i {' '.join(wrong)}")
    print(f"{len(files)} files are formatted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
