#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the license statements: every source file has an SPDX line within its first three lines, and
`reuse lint` passes where the REUSE tool is installed.

usage: check_licenses.py
"""
import pathlib
import shutil
import subprocess
import sys

from tree.files import ROOT, source_files

SPDX = "SPDX-License-Identifier: MIT"
# No comments, or comments that readers of these files would show; .reuse/dep5 covers them.
WITHOUT = {".md", ".svg", ".png", ".json", ".csv", ".flt", ".txt", ".trace", ".f", ".elf", "LICENSE", "dep5"}


def is_stated(text):
    return any(SPDX in line for line in text.splitlines()[:3])


def needs_line(name):
    path = pathlib.PurePath(name)
    return path.suffix not in WITHOUT and path.name not in WITHOUT


def main():
    if is_stated("int x;\n") or not is_stated(f"// {SPDX}\nint x;\n"):
        sys.exit("the check itself does not work")
    names = [n for n in source_files() if needs_line(n)]
    wrong = [f"{n}: no SPDX line" for n in names if not is_stated((ROOT / n).read_text(errors="replace"))]
    how = "reuse is not installed"
    if shutil.which("reuse"):
        run = subprocess.run(["reuse", "--root", ROOT, "lint"], capture_output=True, text=True)
        how = "reuse lint passes"
        if run.returncode:
            wrong += ["reuse lint:", *run.stdout.splitlines()[-20:]]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(names)} source files have an SPDX line; {how}")


if __name__ == "__main__":
    main()
