#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run Verilator and gather its output in files whose names are known beforehand.

    verilate.py DIR PREFIX VERILATOR ARGUMENT...

Verilator names its C++ files after a hash of their content. Files that include the rest (what runs
every clock, what runs once, and all of it) give the build fixed names and compile faster. The
dependencies go to DIR/PREFIX.d.
"""
import pathlib
import shutil
import subprocess
import sys


def main():
    directory, prefix = pathlib.Path(sys.argv[1]), sys.argv[2]
    command = sys.argv[3:] + ["--prefix", prefix, "--Mdir", str(directory)]
    shutil.rmtree(directory, ignore_errors=True)  # files of an earlier run have other names
    directory.mkdir(parents=True)
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        sys.stderr.write(run.stdout)
        return run.returncode

    # Messages of assertions name their file from the top of the project: no program shall hold
    # the path of the tree that it was built from, and every copy of the tree compiles the same.
    top = str(pathlib.Path(__file__).resolve().parent.parent) + "/"
    for file in [*directory.glob("*.cpp"), *directory.glob("*.h")]:
        text = file.read_text()
        if top in text:
            file.write_text(text.replace(top, ""))

    generated = sorted(directory.glob("*.cpp"))
    slow = [f for f in generated if f.stem.endswith(("__Slow", "__Syms"))]
    fast = [f for f in generated if f not in slow]
    for kind, files in (("fast", fast), ("slow", slow), ("all", fast + slow)):
        text = "".join(f'#include "{f.name}"\n' for f in files)
        (directory / f"{prefix}__{kind}.cc").write_text(text)

    sources = (directory / f"{prefix}__ver.d").read_text().split(":", 1)[1]
    (directory / f"{prefix}.d").write_text(f"{directory / prefix}.h: {sources}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
