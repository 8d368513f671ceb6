# SPDX-License-Identifier: MIT
"""Static timing without OpenSTA: the longest path by straight lines.

The delay from an input pin of a cell to its output is a line over the load: the mean of rising and falling
edges at the second slew of the Liberty table. Set-up and hold times are means of their tables. With the
generic library, whose tables are such lines, this is what OpenSTA gives. With any other one it is an
estimate.
"""
import fnmatch
from collections import deque
from dataclasses import dataclass

from . import wires
from .timing import Way
from rtl.flow.synth import liberty
from rtl.flow.synth.roles import Roles


@dataclass(frozen=True)
class Line:
    """ns at no load, and ns per pF."""
    start: float
    slope: float

    def at(self, pf):
        return self.start + self.slope * pf


def fit(tables, one_slew=False):
    """One line through the tables of a delay; None if there are none. The mean of the middle slews, or that of
    the second one alone."""
    starts, slopes = [], []
    for table in tables:
        loads, rows = table.loads, table.rows
        low = 1 if len(rows) > 2 else 0
        columns = range(1, len(rows[0]) - 1) if len(rows[0]) > 2 else range(len(rows[0]))
        for column in columns[:1] if one_slew else columns:
            slope = (rows[-1][column] - rows[low][column]) / (loads[-1] - loads[low]) if len(rows) > 1 else 0.0
            slopes.append(slope)
            starts.append(rows[low][column] - slope * loads[low])
    return Line(sum(starts) / len(starts), sum(slopes) / len(slopes)) if slopes else None


def _mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


class Model:
    """Lines of a Liberty file: of a cell, of its arcs, and its checks."""

    def __init__(self, path):
        text = liberty.text_of(path)
        tables = liberty.Tables(text)
        self.cell, self.arc, self.setup, self.hold = {}, {}, {}, {}
        for cell, body in liberty.groups("cell", text):
            line = fit([t for kind in ("cell_rise", "cell_fall") for t in tables.of(kind, body)])
            if line is None:
                continue
            self.cell[cell] = line
            checks = {"setup_rising": [], "hold_rising": []}
            arcs = {}
            for _, pin in liberty.groups("pin", body):
                for _, timing in liberty.groups("timing", pin):
                    kind = liberty.value("timing_type", timing)
                    if kind in checks:
                        checks[kind] += [v for edge in ("rise", "fall") for t in tables.of(f"{edge}_constraint", timing)
                                         for row in t.rows for v in row]
                    for source in liberty.value("related_pin", timing).split():
                        arcs.setdefault(source, []).extend(t for edge in ("cell_rise", "cell_fall") for t in tables.of(edge, timing))
            self.arc.update({(cell, source): fit(found, one_slew=True) for source, found in arcs.items() if found})
            self.setup[cell], self.hold[cell] = _mean(checks["setup_rising"]), _mean(checks["hold_rising"])


class Linear:
    """The longest path of the project's own scripts; the same methods as timing.OpenSta."""
    name = "straight lines, not OpenSTA"

    def __init__(self):
        self._models = {}

    def model(self, lib):
        if lib not in self._models:
            self._models[lib] = Model(lib)
        return self._models[lib]

    def analyse(self, directory, name, top, process, with_wires, ends=1, pins=()):
        """The worst paths by kind: "all", "hold" and one for each pattern of input pins."""
        lib = directory / f"{process.name}.lib"
        cells = liberty.read(lib)
        chip = wires.Chip.read(directory / f"{name}.json", top, Roles(cells, lib.name), lib,
                               process.wire_pf if with_wires else 0.0)
        graph = _Graph(chip, self.model(lib))
        found = {"all": graph.ways(graph.sources())[:ends], "hold": graph.ways(graph.sources(), hold=True)[:1]}
        for pattern in pins:
            found[pattern] = graph.ways(graph.sources(pattern))[:1]
        return found

    def through(self, chip, path, top, lib, loads, late, near, log):
        """The period; and how long the worst path through each pin is with REQ pins late by `late`."""
        chip.verilog(path, top)
        graph = _Graph(chip, self.model(lib.with_name(lib.name.replace("_wires.lib", ".lib"))))
        ways = graph.ways(graph.sources())
        log.write_text("".join(f"{w.ns} {w.start} {w.end}\n" for w in ways[:1]))
        return ways[0].ns, graph.through(graph.sources(late=late))


class _Graph:
    """The gates of a chip in order, with the delay of each arc at its load."""

    def __init__(self, chip, model):
        self.chip, self.model, self.library = chip, model, chip.library
        self.clock = chip.ports[wires.CLOCK][1][0] if wires.CLOCK in chip.ports else None
        self.gates = []  # (cell, ((pin, net, delay), ...), net of the output)
        load = {bit: chip.load(net) for bit, net in chip.nets.items()}
        waiting, takers = {}, {}
        gates = {}
        self.flops = []  # (cell, net of D, net of Q, delay, set-up, hold)
        for name, (kind, connected) in chip.cells.items():
            cell = self.library[kind]
            for out in cell.functions:
                if out not in connected or isinstance(connected[out], str):
                    continue
                bit = connected[out]
                if cell.kind == "ff":
                    line = model.arc.get((kind, cell.clock)) or model.cell[kind]
                    self.flops.append((name, connected[cell.data], bit, line.at(load[bit]), model.setup[kind], model.hold[kind]))
                    continue
                arcs = tuple((pin, connected[pin], (model.arc.get((kind, pin)) or model.cell[kind]).at(load[bit]))
                             for pin in cell.inputs if not isinstance(connected[pin], str))
                gates[name, out] = (name, arcs, bit)
        driver = {bit: key for key, (_, _, bit) in gates.items()}
        for key, (_, arcs, _) in gates.items():
            inputs = {driver[bit] for _, bit, _ in arcs if bit in driver}
            waiting[key] = len(inputs)
            for other in inputs:
                takers.setdefault(other, []).append(key)
        ready = deque(key for key, number in waiting.items() if number == 0)
        while ready:
            key = ready.popleft()
            self.gates.append(gates[key])
            for other in takers.get(key, ()):
                waiting[other] -= 1
                if waiting[other] == 0:
                    ready.append(other)

    def _inputs(self):
        for name, (way, bits) in self.chip.ports.items():
            for i, bit in enumerate(bits):
                if way == "input" and bit != self.clock and not isinstance(bit, str):
                    yield bit, name, f"{name}[{i}]" if len(bits) > 1 else name

    def sources(self, pattern="", late=0.0):
        """Net -> (ns, name): of all registers and pins, or of the pins that a pattern names."""
        found = {bit: (late if port == "req_i" else 0.0, label) for bit, port, label in self._inputs()
                 if not pattern or fnmatch.fnmatch(port, pattern)}
        if not pattern:
            found.update({q: (ns, f"{name}/Q") for name, _, q, ns, _, _ in self.flops})
        return found

    def ends(self):
        """(net, label, set-up time, hold time)"""
        for name, data, _, _, setup, hold in self.flops:
            if not isinstance(data, str):
                yield data, f"{name}/D", setup, hold
        for name, (way, bits) in self.chip.ports.items():
            for i, bit in enumerate(bits):
                # The clock continues to blocks that were cut out.
                if way == "output" and not isinstance(bit, str) and not name.endswith(wires.CLOCK):
                    yield bit, f"{name}[{i}]" if len(bits) > 1 else name, 0.0, 0.0

    def arrivals(self, sources, choose=max):
        at = dict(sources)
        for _, arcs, out in self.gates:
            reached = [(at[bit][0] + ns, at[bit][1]) for _, bit, ns in arcs if bit in at]
            if reached:
                at[out] = choose(reached)
        return at

    def ways(self, sources, hold=False):
        at = self.arrivals(sources, min if hold else max)
        found = [Way(round(at[bit][0] + (-hold_ns if hold else setup), 2), at[bit][1], label)
                 for bit, label, setup, hold_ns in self.ends() if bit in at]
        return sorted(found, key=lambda w: (w.ns if hold else -w.ns, w.end)) or [Way(0.0, "", "")]

    def through(self, sources):
        """(cell, pin) -> ns of the worst path through it."""
        at = {bit: ns for bit, (ns, _) in self.arrivals(sources).items()}
        rest, result = {}, {}
        for name, data, _, _, setup, _ in self.flops:
            rest[data] = max(rest.get(data, setup), setup)
            if data in at:
                result[name, self.library[self.chip.cells[name][0]].data] = at[data] + setup
        for bit, _, setup, _ in self.ends():
            rest[bit] = max(rest.get(bit, setup), setup)
        for name, arcs, out in reversed(self.gates):
            if out not in rest:
                continue
            for pin, bit, ns in arcs:
                rest[bit] = max(rest.get(bit, 0.0), ns + rest[out])
                if bit in at:
                    result[name, pin] = at[bit] + ns + rest[out]
        for bit, net in self.chip.nets.items():
            if net.driver and bit in at and bit in rest:
                result[net.driver] = at[bit] + rest[bit]
        return result
