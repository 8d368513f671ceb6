#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gdb-multiarch debugs examples/program/ocean.elf on 64 harts: threads, a breakpoint, a step, memory, a watchpoint, and
the end of the program. Exit code 77: gdb-multiarch is not installed.

usage: gdb.py RDT
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ELF = ROOT / "examples/program/ocean.elf"
SCRIPT = """set pagination off
set confirm off
target remote 127.0.0.1:{port}
break main
continue
info threads
delete
thread 64
print $pc
stepi
print $x10 == $a0
x/1gx &outcome
set var *(long *)&outcome = 5
x/1gx &outcome
set var *(long *)&outcome = 0
watch *(long *)&outcome
continue
delete
continue
"""
EXPECTED = {"all harts are threads": r"^\s*\*?\s*64\s+Thread 64 \(node 63\)",
            "the breakpoint in main is reached": r"Breakpoint 1, .*main",
            "thread 64 can be chosen": r"Switching to thread 64",
            "shared memory is read": r"<outcome>:\s+0x0000000000000000",
            "shared memory is written": r"<outcome>:\s+0x0000000000000005",
            "the watchpoint is reached": r"Hardware watchpoint 2: \*\(long \*\)&outcome\s+Old value = 0\s+New value = \S",
            "the program ends well": r"\[Inferior 1 \(Remote target\) exited normally\]"}


def main():
    if shutil.which("gdb-multiarch") is None:
        print("skipped: gdb-multiarch is not installed")
        return 77
    rdt = subprocess.Popen([sys.argv[1], "exec", ELF, "--nodes", "64", "--args", "16 1", "--gdb", "0"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        port = re.search(r"127\.0\.0\.1:(\d+)", rdt.stderr.readline()).group(1)
        commands = [word for line in SCRIPT.format(port=port).splitlines() for word in ("-ex", line)]
        gdb = subprocess.run(["gdb-multiarch", "-nx", "-batch", *commands, ELF], capture_output=True, text=True,
                             timeout=600, check=False)
        output, errors = rdt.communicate(timeout=600)
    finally:
        rdt.kill()
    missing = [what for what, pattern in EXPECTED.items() if not re.search(pattern, gdb.stdout, re.M)]
    if missing or rdt.returncode != 0 or not output.startswith("ocean "):
        print(gdb.stdout, gdb.stderr, output, errors, sep="\n")
        print("not so:", ", ".join(missing) or f"exit code {rdt.returncode}")
        return 1
    print(f"{len(EXPECTED)} of {len(EXPECTED)} as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
