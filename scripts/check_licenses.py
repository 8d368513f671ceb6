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

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPDX = "SPDX-License-Identifier: MIT"
# No comments, or comments that readers of these files would show; .reuse/dep5 covers them.
WITHOUT = {".md", ".svg", ".png", ".json", ".csv", ".flt", ".txt", ".trace", ".f", "LICENSE", "dep5"}


def tracked():
    """Files that git tracks or would track; in a copy without git, all but build folders and caches."""
    if shutil.which("git"):
        run = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                             capture_output=True, text=True)
        if run.returncode == 0:
            return [n for n in run.stdout.splitlines() if (ROOT / n).is_file()]
    names = [p.relative_to(ROOT) for p in ROOT.rglob("*") if p.is_file()]
    return [str(n) for n in names if not n.parts[0].startswith("build") and n.suffix != ".pyc"]


def is_stated(text):
    return any(SPDX in line for line in text.splitlines()[:3])


def needs_line(name):
    path = pathlib.PurePath(name)
    return path.suffix not in WITHOUT and path.name not in WITHOUT


def main():
    if is_stated("int x;\n") or not is_stated(f"// {SPDX}\nint x;\n"):
        sys.exit("the check itself does not work")
    names = [n for n in tracked() if needs_line(n)]
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
