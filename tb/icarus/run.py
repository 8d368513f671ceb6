#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compile a test with Icarus Verilog and run it.

    run.py TEST.sv OUTPUT.vvp

The test's top module has the name of its file. It passes if it prints a line that starts with
PASS, none that starts with FAIL or ERROR, and exits with 0.
"""
import pathlib
import subprocess
import sys


def main():
    bench, output = map(pathlib.Path, sys.argv[1:3])
    output.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["iverilog", "-g2012", "-s", bench.stem, "-o", output, "-f", "rtl/rdt_router.f", bench],
                   check=True)
    run = subprocess.run(["vvp", "-n", output], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True)
    sys.stdout.write(run.stdout)
    lines = run.stdout.splitlines()
    passed = any(line.startswith("PASS") for line in lines)
    failed = any(line.startswith(("FAIL", "ERROR")) for line in lines)
    return 0 if run.returncode == 0 and passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
