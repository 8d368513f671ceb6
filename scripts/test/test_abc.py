#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The installed ABC gives the verdicts that the proofs rely on, for small models with known answers.

Versions of ABC differ in what they print for a network that simplifies to a constant. Exit code 77
(skipped) where no ABC is installed.

usage: python3 -m scripts.test.test_abc
"""
import pathlib
import sys
import tempfile

from rtl.flow.synth import abc_program
from tb.formal import engine

# Binary AIGER with one input (literal 2) and, where there is one, a latch (literal 4) that starts at 0.
MODELS = {
    "constant 0": ("aig 1 1 0 1 0\n0\n", ("proven", None)),
    "constant 1": ("aig 1 1 0 1 0\n1\n", ("refuted", 0)),
    "the input": ("aig 1 1 0 1 0\n2\n", ("refuted", 0)),
    "constant 0 beside a latch": ("aig 2 1 1 1 0\n2\n0\n", ("proven", None)),
    "constant 1 beside a latch": ("aig 2 1 1 1 0\n2\n1\n", ("refuted", 0)),
    "a latch that follows the input": ("aig 2 1 1 1 0\n2\n4\n", ("refuted", 1)),
    "a latch that keeps its 0": ("aig 2 1 1 1 0\n4\n4\n", ("proven", None)),
}


def main():
    if not abc_program.find():
        print(f"skipped: {abc_program.PACKAGES} is not installed")
        return 77
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for what, (text, expected) in MODELS.items():
            (folder / "model.aig").write_text(text)
            found = engine.decide(folder, 10)[:2]
            if found != expected:
                wrong.append(f"{abc_program.program()}: {what}: {found}, expected {expected}")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{abc_program.program()}: {len(MODELS)} verdicts as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
