# SPDX-License-Identifier: MIT
"""Sizes and buffers where the slow paths are, with the wires as they are.

ABC sizes by its own estimate and leaves single weak drivers with high loads on the worst paths: the
library has one size of most gates. Here the timer gives the delay of the worst path through every
pin. Each driver on a path near the worst is given what gains most: another size, a buffer behind
it, a buffer for those of its sinks that have time, or, if it is a buffer, sinks that go round it.
Then all is timed again, some rounds; the best netlist stays. Gains are judged by a straight line
through each cell's delay table. REQ pins are late for it, by what another chip's output and two
pads may take.
"""
from .linear import Model

NEAR = 0.05       # fraction of the worst path: how much better a path may be and still be improved
AT_FIRST = 0.3    # in the first round with wires of a placement, half of it in the next, and so on
GAIN = 0.002      # fraction of the worst path: least gain of a change
WEIGHT = 8        # more than 1 that a net of the worst path gets when cells are placed again
PATIENCE = 3      # rounds without a better result


def weights(chip, through):
    """Weights of nets for the placer: slow nets may not become longer."""
    worst = max(through.values())
    slow = {bit: max((through.get(s, 0.0) for s in net.sinks), default=0.0) for bit, net in chip.nets.items()}
    return {bit: 1 + WEIGHT * (ns / worst - 1 + NEAR) / NEAR for bit, ns in slow.items() if ns > worst * (1 - NEAR)}


class Sizing:
    """`chip` is a wires.Chip, `lib` what the timer reads; with `loads` it gets the wires net by net."""

    def __init__(self, timer, chip, top, lib, loads, log, late):
        self.timer, self.chip, self.top, self.lib, self.loads, self.log, self.late = timer, chip, top, lib, loads, log, late
        self.line, self.buffers, self.sizes = Model(lib).cell, chip.roles.buffers, chip.roles.sizes
        self.near = AT_FIRST if loads else NEAR

    def time(self, path):
        """The period; and how long the worst paths through its pins are, by (cell, pin)."""
        return self.timer.through(self.chip, path, self.top, self.lib, self.loads, self.late, self.near, self.log)

    def improve(self, path, rounds, timed=None):
        """At most so many rounds; the netlist that was best is left in `chip` and `path`. Its period, and how
        long the worst paths through its pins are. `timed` is the result of time() for its current state."""
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
        for other in self.sizes.get(kind, ()):
            more = sum(chip.caps[other, p] - chip.caps[kind, p] for p in chip.library[kind].inputs) / len(chip.library[kind].inputs)
            if other != kind:
                gains.append((now - self.line[other].at(load) - before * more, lambda o=other: self._size(cell, o)))
        slow = [s for s in net.sinks if through.get(s, 0.0) > through[cell, pin] - self._time_for_a_buffer(load)]
        for buffer in self.buffers:
            if kind not in self.sizes and load > 0:
                first = line.at(chip.caps[buffer, chip.roles.input(buffer)] + chip.short)
                gains.append((now - first - self.line[buffer].at(load), lambda b=buffer: chip.buffer(pins[pin], net, b)))
            if slow and len(slow) < len(net.sinks) and not net.pins:
                kept = chip.kept_load(net, slow, buffer)
                gains.append((now - line.at(kept), lambda b=buffer: chip.buffer(pins[pin], net, b, slow)))
        if kind in self.buffers and slow and not net.pins:
            gains.append((now - before * chip.added_load(pins[chip.roles.input(kind)], slow), lambda: chip.bypass(cell, slow)))
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
        return min(self.line[b].at(load) for b in self.buffers) * 1.3
