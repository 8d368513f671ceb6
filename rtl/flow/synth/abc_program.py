# SPDX-License-Identifier: MIT
"""Finds ABC under its name on this system, and reads networks that it wrote.

Debian 12 calls the program berkeley-abc; newer systems ship the one of Yosys as yosys-abc.
"""
import shutil

NAMES = ("yosys-abc", "berkeley-abc")
PACKAGES = " or ".join(NAMES)  # Debian's packages are named after the programs


def find():
    """The name of the program, or None."""
    return next((name for name in NAMES if shutil.which(name)), None)


def program():
    """The name of the program; the first one where none is installed, so that the error names it."""
    return find() or NAMES[0]


def is_constant_zero(path):
    """Whether all outputs of a binary AIGER file are the constant 0: nothing is left to prove.

    `pdr` of older ABCs calls this "Property proved", that of newer ones "Property UNDECIDED".
    """
    try:
        header, *lines = path.read_bytes().split(b"\n", 1)
        _, _, _, latches, outputs, _ = header.split()[:6]
        literals = lines[0].split(b"\n", int(latches) + int(outputs))[int(latches):-1]
    except (OSError, ValueError, IndexError):
        return False
    return len(literals) == int(outputs) > 0 and all(literal == b"0" for literal in literals)
