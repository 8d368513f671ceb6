# SPDX-License-Identifier: MIT
"""Energies of cells from a Liberty file: energy per change of an output, and per cycle.

A change takes half of C V^2 of the driven pins and wires, plus the internal power of the cell
(internal_power, which hardly depends on the load). Tables are read at one slew, the second of their
index, and rising and falling count alike.
"""
from dataclasses import dataclass

from rtl.flow.synth import liberty


@dataclass(frozen=True)
class Cell:
    pins: dict      # input pin -> pF
    output: tuple   # (loads in pF, energies in pJ) of a change, the mean over inputs and directions
    inputs: dict    # input pin -> pJ of a change of it that need not change the output
    leakage: float  # nW


def _tables(tables, body):
    return [t for kind in ("rise_power", "fall_power") for t in tables.of(kind, body)]


def _mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def _at_one_slew(row):
    return row[min(1, len(row) - 1)]


def _cell(body, tables):
    pins, output, inputs = {}, (), {}
    for name, pin in liberty.groups("pin", body):
        found = _tables(tables, pin)
        if liberty.value("direction", pin) == "input":
            pins[name] = float(liberty.value("capacitance", pin) or 0)
            inputs[name] = _mean(_at_one_slew(t.rows[0]) for t in found)  # one row: by slew
        elif found and not output:
            loads = found[0].loads
            found = [t for t in found if len(t.rows) == len(loads)]
            output = (loads, [_mean(_at_one_slew(t.rows[i]) for t in found) for i in range(len(loads))])
    return Cell(pins, output, inputs, float(liberty.value("cell_leakage_power", body) or 0))


def read(path):
    text = liberty.text_of(path)
    tables = liberty.Tables(text)
    return {name: _cell(body, tables) for name, body in liberty.groups("cell", text) if not name.startswith("PAD")}


def internal(cell, load):
    """pJ of a change of the output, without what it drives; beyond the table as at its end."""
    if not cell.output:
        return 0.0
    loads, energies = cell.output
    if load <= loads[0]:
        return energies[0]
    for low, high, a, b in zip(loads, loads[1:], energies, energies[1:]):
        if load <= high:
            return a + (b - a) * (load - low) / (high - low)
    return energies[-1]
