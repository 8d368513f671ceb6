#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run Verilator and gather its output in files whose names are known beforehand.

    verilate.py DIR PREFIX VERILATOR ARGUMENT...

Verilator names its C++ files after a hash of their content. Files that include the rest (what runs
every cycle, what runs once, and all of it) give the build fixed names and compile faster. The
dependencies go to DIR/PREFIX.d.

Verilator runs in the top folder of the project and gets the sources by relative paths: versions
before 5.032 misread a path with a space, and no program shall hold the path of the tree that it was
built from. DIR itself may have spaces.
"""
import os
import pathlib
import shutil
import subprocess
import sys

TOP = pathlib.Path(os.path.abspath(__file__)).parent.parent  # as CMake names it, links included


def relative(argument):
    """A path below the top folder, also after -I, without that folder."""
    for start in ("", "-I"):
        if argument.startswith(f"{start}{TOP}/"):
            return start + argument[len(f"{start}{TOP}/"):]
    return argument


def depfile(target, sources):
    """Makefile syntax, as Ninja reads it. Verilator writes no spaces: sources are relative to TOP."""
    def escaped(path):
        return str(path).replace(" ", "\\ ")

    return f"{escaped(target)}: {' '.join(escaped(TOP / source) for source in sources.split())}\n"


def main():
    directory, prefix = pathlib.Path(os.path.abspath(sys.argv[1])), sys.argv[2]
    command = [sys.argv[3], *map(relative, sys.argv[4:])]
    shutil.rmtree(directory, ignore_errors=True)  # files of an earlier run have other names
    directory.mkdir(parents=True)
    run = subprocess.run([*command, "--prefix", prefix, "--Mdir", str(directory)], cwd=TOP,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        sys.stderr.write(run.stdout)
        return run.returncode

    generated = sorted(directory.glob("*.cpp"))
    slow = [f for f in generated if f.stem.endswith(("__Slow", "__Syms"))]
    fast = [f for f in generated if f not in slow]
    for kind, files in (("fast", fast), ("slow", slow), ("all", fast + slow)):
        text = "".join(f'#include "{f.name}"\n' for f in files)
        (directory / f"{prefix}__{kind}.cc").write_text(text)

    sources = (directory / f"{prefix}__ver.d").read_text().split(":", 1)[1]
    (directory / f"{prefix}.d").write_text(depfile(directory / f"{prefix}.h", sources))
    return 0


if __name__ == "__main__":
    sys.exit(main())
