# SPDX-License-Identifier: MIT
"""Energies of cells from a Liberty file: what a change of an output takes, and what a clock takes.

A change takes half of C V^2 of all that the output drives, pins and wires, and what the cell takes
itself (internal_power; it hardly depends on the load, so it has no load in it). Tables are read at one
slew, the second of their index, and rising and falling count alike.
"""
import re
from dataclasses import dataclass

from synth import liberty


@dataclass(frozen=True)
class Cell:
    pins: dict      # input pin -> pF
    output: tuple   # (loads in pF, energies in pJ) of a change, the mean over inputs and directions
    inputs: dict    # input pin -> pJ of a change of it that need not change the output
    leakage: float  # nW


def _numbers(text):
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def _tables(body):
    """(first index, rows) of every energy table in a group."""
    for _, table in (*liberty.groups("rise_power", body), *liberty.groups("fall_power", body)):
        first = _numbers(re.search(r"index_1\s*\(([^)]*)\)", table)[1])
        yield first, [_numbers(row) for row in re.findall(r'"([^"]*)"', re.search(r"values\s*\((.*?)\)\s*;", table, re.S)[1])]


def _mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def _cell(body):
    pins, output, inputs = {}, [], {}
    for name, pin in liberty.groups("pin", body):
        tables = list(_tables(pin))
        if liberty.value("direction", pin) == "input":
            pins[name] = float(liberty.value("capacitance", pin))
            inputs[name] = _mean(rows[0][1] for _, rows in tables)  # one row: by slew
        elif tables and not output:
            loads = tables[0][0]
            output = [_mean(rows[i][1] for _, rows in tables) for i in range(len(loads))]
            output = (loads, output)
    return Cell(pins, tuple(output), inputs, float(liberty.value("cell_leakage_power", body) or 0))


def read(path):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    return {name: _cell(body) for name, body in liberty.groups("cell", text) if not name.startswith("PAD")}


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
