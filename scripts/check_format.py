#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All C++ is as .clang-format says. Names the files that are not, and the line that repairs them.

usage: check_format.py CLANG_FORMAT
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["systemc", "sim", "tb", "examples"]
GENERATED = {"systemc/rdt/core/format.h"}


def is_formatted(clang_format, text, name):
    run = subprocess.run([clang_format, f"--assume-filename={name}"], input=text, capture_output=True, text=True,
                         cwd=ROOT, check=True)
    return run.stdout == text


def main():
    clang_format = sys.argv[1]
    files = sorted(str(p.relative_to(ROOT)) for folder in FOLDERS for p in (ROOT / folder).rglob("*")
                   if p.suffix in (".h", ".cpp"))
    files = [f for f in files if f not in GENERATED]
    if is_formatted(clang_format, "int  main( ){}\n", "sim/planted.cpp"):
        sys.exit("a planted mistake was not found")
    run = subprocess.run([clang_format, "--dry-run", "--Werror", *files], capture_output=True, text=True, cwd=ROOT)
    if run.returncode:
        wrong = sorted({line.split(":")[0] for line in run.stderr.splitlines() if ": error:" in line})
        sys.exit(f"not formatted; this repairs it:\n  clang-format -i {' '.join(wrong)}")
    print(f"{len(files)} files are formatted")


if __name__ == "__main__":
    main()
