# SPDX-License-Identifier: MIT
"""Cells of a library by function, so that no script depends on a library's names.

Cells made for clock trees and delay lines have the function of a buffer, and are left out.
"""
import re
from itertools import permutations

from .flow import Unusable

SPECIAL = re.compile(r"CLK|DLY|DEL", re.I)
NAND2, AND2 = 0b0111, 0b1000
BUFFER, INVERTER = 0b10, 0b01
XOR2 = (0b0110, 0b1001)
MUX = {sum((row >> (a if row >> s & 1 else b) & 1) << row for row in range(8)) for s, a, b in permutations(range(3))}
MUX2 = MUX | {table ^ 0xFF for table in MUX}


class Roles:
    def __init__(self, library, name):
        self.library = library
        ordered = sorted(library, key=lambda c: (library[c].area, c))
        families = {}
        for cell in ordered:
            kind = library[cell]
            if kind.kind == "gate" and not SPECIAL.search(cell):
                families.setdefault((kind.inputs, tuple(kind.functions.items())), []).append(cell)
        # Cells of one function and the same pins, the smallest first.
        self.sizes = {cell: tuple(cells) for cells in families.values() if len(cells) > 1 for cell in cells}
        self.nand2 = self._smallest(families, NAND2, 2)
        self.inverters = self._family(families, INVERTER, 1)
        self.buffers = self._family(families, BUFFER, 1)
        self.and2 = self._family(families, AND2, 2)
        self.flop = next((c for c in ordered if library[c].kind == "ff"), None)
        self.latch = next((c for c in ordered if library[c].kind == "latch"), None)
        missing = [what for what, cell in (("two-input NAND", self.nand2), ("inverter", self.inverters),
                                           ("buffer", self.buffers), ("D flip-flop with rising edge and no reset", self.flop))
                   if not cell]
        if missing:
            raise Unusable(f"{name}: has no {' and no '.join(missing)}")
        self.flops = {c for c in library if library[c].kind == "ff"}

    @staticmethod
    def _family(families, table, inputs):
        found = [cells for (pins, functions), cells in families.items()
                 if len(pins) == inputs and len(functions) == 1 and functions[0][1] == table]
        return max(found, key=len, default=())

    def _smallest(self, families, table, inputs):
        return next(iter(self._family(families, table, inputs)), None)

    @property
    def unit(self):
        """The area of a gate equivalent."""
        return self.library[self.nand2].area

    @property
    def driver(self):
        """A middling inverter: what drives the pins of the chip."""
        return self.inverters[min(2, len(self.inverters) - 1)]

    def output(self, cell):
        return next(iter(self.library[cell].functions))

    def input(self, cell):
        return self.library[cell].inputs[0]

    def is_buffer(self, cell):
        kind = self.library[cell]
        return kind.kind == "gate" and len(kind.inputs) == 1 and list(kind.functions.values()) == [BUFFER]

    def array_gates(self, cell):
        """Gates that a cell takes in a gate array (synth/table.py)."""
        kind = self.library[cell]
        if kind.kind == "ff":
            return ARRAY["flip-flop"]
        tables = list(kind.functions.values())
        if kind.kind == "gate" and len(tables) == 1:
            if len(kind.inputs) == 2 and tables[0] in XOR2:
                return ARRAY["XOR"]
            if len(kind.inputs) == 3 and tables[0] in MUX2:
                return ARRAY["multiplexer"]
        return kind.area / self.unit


# Area that a cell takes in a gate array, in NAND2, as was customary when the paper's chip was made; all
# other cells by their area. Which weights the paper's authors counted with is not known.
ARRAY = {"flip-flop": 6, "XOR": 3, "multiplexer": 2.5}
