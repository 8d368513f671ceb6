# SPDX-License-Identifier: MIT
"""Sizes and buffers where the slow paths are, with the wires as they are.

ABC sizes by its own estimate and leaves single weak drivers with high loads on the worst paths: the
library has one size of most gates. Here OpenSTA says of every pin how long the worst path through it
takes. Each driver on a path near the worst is given what gains most: another size, a buffer behind it, a
buffer for those of its sinks that have time, or, if it is a buffer, sinks that go round it. Then all is
timed again, some rounds; the best netlist stays. Gains are judged by a straight line through each cell's
delay table. REQ pins are late for it, by what another chip's output and two pads may take.
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
NEAR = 0.05       # of the worst path: how much better a path may be and still be worked on
AT_FIRST = 0.3    # in the first round with wires of a placement, half of it in the next, and so on
GAIN = 0.002      # of the worst path: least gain of a change
WEIGHT = 8        # more than 1 that a net of the worst path gets when cells are placed again
PATIENCE = 3      # rounds without a better result
# Drivers first, and of those near the worst also what they drive.
PINS = """
set_input_delay {late} -clock clk [get_ports req_i*]
set drivers {{}}
set worst {period}
foreach pattern {{*/Y */Q}} {{
  foreach pin [get_pins $pattern] {{
    set slack [expr min([get_property $pin max_rise_slack], [get_property $pin max_fall_slack])]
    lappend drivers $pin $slack
    if {{$slack < $worst}} {{ set worst $slack }}
  }}
}}
set limit [expr $worst + {near} * ({period} - $worst)]
set out [open {file} w]
foreach {{driver slack}} $drivers {{
  if {{$slack < $limit}} {{
    puts $out "[get_full_name $driver] $slack"
    foreach pin [get_pins -of_objects [get_nets -of_objects $driver]] {{
      puts $out "[get_full_name $pin] [expr min([get_property $pin max_rise_slack], [get_property $pin max_fall_slack])]"
    }}
  }}
}}
close $out
"""


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


def weights(chip, through):
    """Of nets, for the placer: what is slow may not become longer."""
    worst = max(through.values())
    slow = {bit: max((through.get(s, 0.0) for s in net.sinks), default=0.0) for bit, net in chip.nets.items()}
    return {bit: 1 + WEIGHT * (ns / worst - 1 + NEAR) / NEAR for bit, ns in slow.items() if ns > worst * (1 - NEAR)}


class Sizing:
    """`chip` is a wires.Chip, `lib` what OpenSTA reads; with `loads` the wires are told net by net."""

    def __init__(self, chip, top, lib, loads, log, late):
        self.chip, self.top, self.lib, self.loads, self.log, self.late = chip, top, lib, loads, log, late
        self.line = lines(lib.read_text())
        self.near = AT_FIRST if loads else NEAR

    def time(self, path):
        """The period; and of each driver near the worst path, and its sinks, how long the worst path through it
        is, by (cell, pin)."""
        names = self.chip.verilog(path, self.top)
        file = path.with_suffix(".pins")
        script = timing.SCRIPT.format(
            lib=self.lib, netlist=path, top=self.top, period=timing.PERIOD, ends=1, clock="[get_ports clk_i]",
            setup=self.chip.loads(names) if self.loads else "",
            more=PINS.format(late=self.late, file=file, near=self.near, period=timing.PERIOD))
        tcl = path.with_suffix(".tcl")
        tcl.write_text(script)
        out = subprocess.run(["sta", "-no_splash", "-exit", str(tcl)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        self.log.write_text(out)
        trouble = [line for line in out.splitlines() if line.startswith(("Error", "Warning"))]
        if trouble or "@@done" not in out:
            raise Failure(f"{path.name}: OpenSTA: {trouble[0] if trouble else 'stopped'} (log: {self.log})")
        through = {}
        for line in file.read_text().splitlines():
            pin, slack = line.split()
            cell, _, pin = pin.rpartition("/")
            through[cell, pin] = timing.PERIOD - float(slack)
        return timing.PERIOD - float(timing.ROW.search(out)[5]), through

    def improve(self, path, rounds, timed=None):
        """At most so many rounds; the netlist that was best is left in `chip` and `path`. Its period, and how
        long the worst paths through its pins are. `timed` is what time() said of it as it is."""
        best = None
        without = 0
        for n in range(rounds + 1):
            ns, through = timed if n == 0 and timed else self.time(path)
            late = max(through.values(), default=ns)  # with REQ as late as it may be
            if best is None or late < best[0] - 0.002:
                best, without = (late, ns, through, self.chip.state()), 0
            else:
                without += 1
            if without == PATIENCE or not self._change(through, late):
                break
            self.near = max(NEAR, self.near / 2)
        _, ns, through, state = best
        self.chip.restore(state)
        self.chip.verilog(path, self.top)
        return ns, through

    def _change(self, through, worst):
        """How many drivers were changed."""
        slow = sorted((-ns, cell, pin) for (cell, pin), ns in through.items()
                      if ns >= worst * (1 - self.near) and pin in self.chip.library[self.chip.cells[cell][0]].functions)
        return sum(self._driver(cell, pin, through, worst) for _, cell, pin in slow if cell in self.chip.cells)

    def _driver(self, cell, pin, through, worst):
        """The change at one driver that gains most, if any does; whether."""
        chip = self.chip
        kind, pins = chip.cells[cell]
        net = chip.nets[pins[pin]]
        load, line = chip.load(net), self.line[kind]
        now, before = line.at(load), self._before(cell, through)
        gains = [(0.0, lambda: None)]
        for other in FAMILY.get(kind, ()):
            more = sum(chip.caps[other, p] - chip.caps[kind, p] for p in chip.library[kind].inputs) / len(chip.library[kind].inputs)
            if other != kind:
                gains.append((now - self.line[other].at(load) - before * more, lambda o=other: self._size(cell, o)))
        slow = [s for s in net.sinks if through.get(s, 0.0) > through[cell, pin] - self._time_for_a_buffer(load)]
        for buffer in BUFFERS:
            if kind not in FAMILY and load > 0:
                first = line.at(chip.caps[buffer, "A"] + chip.short)
                gains.append((now - first - self.line[buffer].at(load), lambda b=buffer: chip.buffer(pins[pin], net, b)))
            if slow and len(slow) < len(net.sinks) and not net.pins:
                kept = chip.kept_load(net, slow, buffer)
                gains.append((now - line.at(kept), lambda b=buffer: chip.buffer(pins[pin], net, b, slow)))
        if kind in BUFFERS and slow and not net.pins:
            gains.append((now - before * chip.added_load(pins["A"], slow), lambda: chip.bypass(cell, slow)))
        gain, change = max(gains, key=lambda g: g[0])
        if gain < worst * GAIN:
            return False
        change()
        return True

    def _size(self, cell, kind):
        self.chip.cells[cell][0] = kind

    def _before(self, cell, through):
        """ns a pF of what drives the slowest input."""
        chip = self.chip
        kind, pins = chip.cells[cell]
        slowest = max(chip.library[kind].inputs, key=lambda p: through.get((cell, p), 0.0))
        driver = chip.nets[pins[slowest]].driver if pins[slowest] in chip.nets else None
        return self.line[chip.cells[driver[0]][0]].slope if driver else 0.0

    def _time_for_a_buffer(self, load):
        return min(self.line[b].at(load) for b in BUFFERS) * 1.3
