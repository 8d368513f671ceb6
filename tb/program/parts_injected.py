#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The test of sweeps in parts detects programs that do them wrong: each bug is the program with something
done to its files behind it.

usage: parts_injected.py PROGRAM
"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOGETHER = "Parts.test_together_they_are_the_whole_sweep"
GOES_ON = "Parts.test_a_part_goes_on_and_ends_where_others_are_saturated"

# The injected bug, the test that has to fail, and the action after a run: `part` is the file of the part that was measured, or None;
# `whole` that of the sweep.
BUGS = (
    ("a part leaves out its last point", TOGETHER,
     "if part: part.write_text(''.join(lines(part)[:-1]))"),
    ("a part has a point twice", TOGETHER,
     "if part: part.write_text(''.join(lines(part) + lines(part)[-1:]))"),
    ("a part has a figure of another run", TOGETHER,
     "if part: part.write_text(part.read_text().replace(',0.1', ',0.2', 1))"),
    ("a part writes the file of the sweep", TOGETHER,
     "if part: whole.write_text(part.read_text())"),
    ("every part measures all", TOGETHER,
     "if part and (whole.parent / 'whole.csv').exists(): part.write_text((whole.parent / 'whole.csv').read_text())"),
    ("a part continues behind the end", GOES_ON,
     "if part: part.write_text(part.read_text() + lines(part)[-1].replace(lines(part)[-1].split(',')[0], '0.9', 1))"),
    ("a point is lost when they are put together", TOGETHER,
     "if not part and whole.exists(): whole.write_text(''.join(lines(whole)[:-1]))"),
    ("the parts are gone when they are put together", TOGETHER,
     "if not part: [p.unlink() for p in whole.parent.glob('s.csv.*-of-*')]"),
)

WRAPPER = """#!{python}
import pathlib, subprocess, sys
words = sys.argv[1:]
code = subprocess.run(["{rdt}", *words]).returncode
whole = pathlib.Path("s.csv").absolute()
part = None
if "--part" in words:
    part = whole.with_name("s.csv." + words[words.index("--part") + 1].replace("/", "-of-"))
    part = part if part.exists() else None
lines = lambda file: file.read_text().splitlines(keepends=True)
if code == 0 and "s.csv" in words:
    {bug}
sys.exit(code)
"""


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM")
    rdt = pathlib.Path(sys.argv[1]).resolve()
    missed = []
    with tempfile.TemporaryDirectory(prefix="rdt_") as folder:
        wrapper = pathlib.Path(folder) / "rdt"
        for what, test, bug in (("nothing is wrong", TOGETHER, "pass"), *BUGS):
            wrapper.write_text(WRAPPER.format(python=sys.executable, rdt=rdt, bug=bug))
            wrapper.chmod(0o755)
            run = subprocess.run([sys.executable, HERE / "parts.py", wrapper, test], capture_output=True, text=True)
            # An assertion, and not a wrapper that does not work.
            found = run.returncode != 0 and "AssertionError" in run.stderr and "Traceback" not in run.stdout
            print(f"{'found' if found else 'passes'}: {what}")
            if found != (bug != "pass"):
                missed.append(f"{what}\n{run.stderr}")
    if missed:
        sys.exit("not as it should be: " + "\n".join(missed))


if __name__ == "__main__":
    main()
