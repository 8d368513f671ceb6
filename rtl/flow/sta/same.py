# SPDX-License-Identifier: MIT
"""A netlist with other sizes and buffers is the same logic: compared cell by cell.

Each gate and flip-flop of the one is in the other under the same name, with the same function; what is in
the other besides are buffers; and each pin gets its value, back through buffers, from the same place.
"""
from rtl.flow.synth.flow import Failure


def _sources(module, roles):
    """(cells but buffers: name -> function and what its inputs come from; what the chip's outputs come from)."""
    drives, buffers, library = {}, {}, roles.library
    for name, cell in module["cells"].items():
        kind, pins = library[cell["type"]], cell["connections"]
        for pin in kind.functions:
            drives[pins[pin][0]] = (name, pin)
        if roles.is_buffer(cell["type"]):
            buffers[pins[roles.output(cell["type"])][0]] = pins[kind.inputs[0]][0]
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


def difference(first, second, roles):
    """The name of a cell or pin that is not the same, or None."""
    (cells, outputs), (others, ends) = (_sources(m, roles) for m in (first, second))
    for one, other in ((cells, others), (outputs, ends)):
        for name in sorted({*one, *other}, key=str):
            if one.get(name) != other.get(name):
                return name
    return None


def _another(kind, library):
    """A cell of another function with the same pins; None if there is none."""
    return next((c for c, other in library.items() if other.kind == "gate" and other.inputs == library[kind].inputs
                 and other.functions.keys() == library[kind].functions.keys() and other.functions != library[kind].functions), None)


def check(first, second, roles):
    """Checks that they are equal, and that a difference is detected. How many cells were compared."""
    found = difference(first, second, roles)
    if found is not None:
        raise Failure(f"not the same logic: {found}")
    library, cells = roles.library, second["cells"]
    gates = [n for n, c in cells.items() if n in first["cells"] and len(library[c["type"]].inputs) > 1
             and library[c["type"]].kind == "gate" and _another(c["type"], library)]
    for what, name in (("type", gates[0]), ("pin", gates[len(gates) // 2])):
        cell, pins = cells[name], cells[name]["connections"]
        kind = cell["type"]
        wrong = {**cell, "type": _another(kind, library)} if what == "type" else \
            {**cell, "connections": {**pins, library[kind].inputs[0]: pins[roles.output(kind)]}}
        if difference(first, {**second, "cells": {**cells, name: wrong}}, roles) is None:
            raise Failure(f"an injected bug in the {what} of {name} was not detected")
    return len(first["cells"])
