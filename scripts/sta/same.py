# SPDX-License-Identifier: MIT
"""A netlist with other sizes and buffers is the same logic: proven by looking.

Each gate and flip-flop of the one is in the other under the same name, with the same function; what is in
the other besides are buffers; and each pin gets its value, back through buffers, from the same place.
"""
from synth.flow import Failure


def _sources(module, library):
    """(cells but buffers: name -> function and what its inputs come from; what the chip's outputs come from)."""
    drives, buffers = {}, {}
    one = library["BUFX2"].functions["Y"]
    for name, cell in module["cells"].items():
        kind, pins = library[cell["type"]], cell["connections"]
        for pin in kind.functions:
            drives[pins[pin][0]] = (name, pin)
        if kind.kind == "gate" and len(kind.inputs) == 1 and kind.functions.get("Y") == one:
            buffers[pins["Y"][0]] = pins["A"][0]
    for name, port in module["ports"].items():
        if port["direction"] == "input":
            drives.update({bit: (name, i) for i, bit in enumerate(port["bits"])})

    def source(bit):
        while bit in buffers:
            bit = buffers[bit]
        return drives.get(bit, bit)

    cells = {}
    for name, cell in module["cells"].items():
        kind, pins = library[cell["type"]], cell["connections"]
        if not any(pins.get(pin, [None])[0] in buffers for pin in kind.functions):
            cells[name] = (kind.kind, tuple(kind.functions.items()), kind.data, kind.clock,
                           tuple((pin, source(pins[pin][0])) for pin in kind.inputs))
    outputs = {(name, i): source(bit) for name, port in module["ports"].items() if port["direction"] == "output"
               for i, bit in enumerate(port["bits"])}
    return cells, outputs


def difference(first, second, library):
    """The name of a cell or pin that is not the same, or None."""
    (cells, outputs), (others, ends) = (_sources(m, library) for m in (first, second))
    for one, other in ((cells, others), (outputs, ends)):
        for name in sorted({*one, *other}, key=str):
            if one.get(name) != other.get(name):
                return name
    return None


def check(first, second, library):
    """That they are the same; and that this is found out if they are not. How many cells were compared."""
    found = difference(first, second, library)
    if found is not None:
        raise Failure(f"not the same logic: {found}")
    gates = [n for n, c in second["cells"].items() if c["type"] in ("NAND2X1", "AOI21X1") and n in first["cells"]]
    for what, name in (("type", gates[0]), ("pin", gates[len(gates) // 2])):
        cell = second["cells"][name]
        wrong = {**cell, "type": "NOR2X1" if cell["type"] == "NAND2X1" else "OAI21X1"} if what == "type" else \
            {**cell, "connections": {**cell["connections"], "A": cell["connections"]["Y"]}}
        if difference(first, {**second, "cells": {**second["cells"], name: wrong}}, library) is None:
            raise Failure(f"a planted mistake in the {what} of {name} was not found")
    return len(first["cells"])
