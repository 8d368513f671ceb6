# SPDX-License-Identifier: MIT
"""Sizes and buffers where the slow paths are, with the wires as they are.

ABC sizes by its own estimate and leaves single weak drivers with high loads on the worst paths: the
library has one size of most gates. Here OpenSTA names the worst paths, and each stage of them is given
the size, or the buffer behind it, that gains most; then they are timed again. The best netlist stays.
The worst paths from REQ pins are worked on besides.
A stage is judged by a straight line through its delay table, and by what the stage before it loses.
"""
import re
import subprocess
from dataclasses import dataclass

from sta import timing
from synth import liberty
from synth.flow import Failure

SIZES = (("INVX1", "INVX2", "INVX4", "INVX8"), ("BUFX2", "BUFX4"), ("AND2X1", "AND2X2"), ("OR2X1", "OR2X2"))
FAMILY = {cell: sizes for sizes in SIZES for cell in sizes}
BUFFERS = ("BUFX2", "BUFX4")
STAGE = re.compile(r"^\s+[\d.]+\s+[\d.]+\s+-?[\d.]+\s+[\d.]+ [v^] (\S+)/(\w+) \(\w+\)$")
REQ = "-from [get_ports req_i*]"  # these leave what they do not take to pads and cable
PATHS = 600       # ends whose worst path is looked at
NEAR = 0.06       # of the worst path: how much better a path may be and still be worked on
GAIN = 0.003      # of the worst path: least gain of a change
PATIENCE = 2      # rounds without a better result


@dataclass(frozen=True)
class Line:
    """ns at no load, and ns a pF."""
    start: float
    slope: float

    def at(self, pf):
        return self.start + self.slope * pf


def _numbers(text):
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def lines(text):
    """Cell -> its delay as a line, the mean over inputs, edges and slews but the steepest."""
    found = {}
    for cell, body in liberty.groups("cell", text):
        starts, slopes = [], []
        for kind in ("cell_rise", "cell_fall"):
            for _, table in liberty.groups(kind, body):
                loads = _numbers(re.search(r"index_1\s*\(([^)]*)\)", table)[1])
                rows = [_numbers(r) for r in re.findall(r'"([^"]*)"', table.split("values")[1])]
                if len(rows) < 3:
                    continue
                for column in range(1, len(rows[0]) - 1):
                    slope = (rows[-1][column] - rows[1][column]) / (loads[-1] - loads[1])
                    slopes.append(slope)
                    starts.append(rows[1][column] - slope * loads[1])
        if slopes:
            found[cell] = Line(sum(starts) / len(starts), sum(slopes) / len(slopes))
    return found


class Sizing:
    """`chip` is a wires.Chip, `lib` what OpenSTA reads, `setup` gives it more (loads of nets)."""

    def __init__(self, chip, top, lib, loads, log):
        self.chip, self.top, self.lib, self.loads, self.log = chip, top, lib, loads, log
        self.line = lines(lib.read_text())

    def worst(self, path):
        """The worst paths of the chip as it is, and those from REQ pins: ns, and (cell, pin) of each stage."""
        names = self.chip.verilog(path, self.top)
        setup = self.chip.loads(names) if self.loads else ""
        script = timing.SCRIPT.format(lib=self.lib, netlist=path, top=self.top, period=timing.PERIOD, ends=1, setup=setup,
                                      clock="[get_ports clk_i]", more="".join(
                                          f'puts "@@{name}"\nreport_checks -path_delay max {way} -group_count {count} '
                                          "-fields {capacitance slew} -format full -digits 3\n"
                                          for name, way, count in (("paths", "", PATHS), ("req", REQ, PATHS // 10))))
        tcl = path.with_suffix(".tcl")
        tcl.write_text(script)
        out = subprocess.run(["sta", "-no_splash", "-exit", str(tcl)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        self.log.write_text(out)
        trouble = [line for line in out.splitlines() if line.startswith(("Error", "Warning"))]
        if trouble or "@@done" not in out:
            raise Failure(f"{path.name}: OpenSTA: {trouble[0] if trouble else 'stopped'} (log: {self.log})")
        return self._paths(out, "paths"), self._paths(out, "req")

    @staticmethod
    def _paths(out, name):
        found = []
        for text in out.split(f"@@{name}\n")[1].split("@@")[0].split("Startpoint: ")[1:]:
            slack = re.search(r"(-?[\d.]+)\s+slack", text)
            stages = [(m[1], m[2]) for m in map(STAGE.match, text.splitlines()) if m]
            found.append((timing.PERIOD - float(slack[1]), stages))
        return found

    def improve(self, path, rounds):
        """At most so many rounds; the netlist that was best is left in `chip` and `path`; its period."""
        best, kept, without = None, None, 0
        for _ in range(rounds + 1):
            found, req = self.worst(path)
            ns = found[0][0]
            if best is None or ns < best - 0.002:
                best, kept, without = ns, self.chip.state(), 0
            else:
                without += 1
            if without == PATIENCE or not self._change(found) | self._change(req):
                break
        self.chip.restore(kept)
        self.chip.verilog(path, self.top)
        return best

    def _change(self, found):
        worst, done = found[0][0] if found else 0.0, set()
        for ns, stages in found:
            if ns < worst * (1 - NEAR):
                continue
            before = None
            for cell, pin in stages:
                if cell not in done and self._stage(cell, pin, before, worst * GAIN):
                    done.add(cell)
                before = cell
        return len(done)

    def _stage(self, cell, pin, before, least):
        """The change of one stage that gains most, if any does; whether."""
        chip = self.chip
        kind, pins = chip.cells[cell]
        net = chip.nets[pins[pin]]
        load = chip.load(net)
        now, slope = self.line[kind].at(load), self.line[chip.cells[before][0]].slope if before else 0.0
        gains = []
        for other in FAMILY.get(kind, ()):
            more = sum(chip.caps[other, p] - chip.caps[kind, p] for p in chip.library[kind].inputs)
            gains.append((now - self.line[other].at(load) - slope * more, "size", other))
        for buffer in BUFFERS:
            if kind not in FAMILY and load > 0:
                first = self.line[kind].at(chip.caps[buffer, "A"] + chip.short)
                gains.append((now - first - self.line[buffer].at(load), "buffer", buffer))
        gain, what, other = max(gains, default=(0, "", ""))
        if gain < least or other == kind:
            return False
        if what == "size":
            chip.cells[cell][0] = other
        else:
            chip.buffer(pins[pin], net, other)
        return True
