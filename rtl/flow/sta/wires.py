# SPDX-License-Identifier: MIT
"""The mapped chip as cells and nets that can be changed, with wires by fan-out or by a placement.

A load for every fan-out has no long tail, and the slowest paths of a placed chip are made of the tail.
A buffer that is put behind a gate stands where the gate stands until it gets a place of its own.
"""
from dataclasses import dataclass, field

from . import place, synthesis
from rtl.flow.synth import liberty

FF_PER_UM = 0.2
CLOCK = "clk_i"


@dataclass
class Net:
    driver: tuple = None  # cell and pin; None: a pin of the chip
    sinks: list = field(default_factory=list)
    pins: list = field(default_factory=list)  # pins of the router, as (name, index)
    um: float = 0.0


def capacitances(path):
    """(cell, pin) -> pF of its input pins."""
    return {(cell, pin): float(liberty.value("capacitance", text) or 0)
            for cell, body in liberty.groups("cell", liberty.text_of(path)) for pin, text in liberty.groups("pin", body)}


class Chip:
    def __init__(self, module, roles, liberty_path, wire_pf, rows=(None, None)):
        """Wires are `wire_pf` per fan-out until there is a placement. `rows` (areas.rows) are needed for one."""
        self.module, self.roles, self.library, self.wire_pf, self.placed = module, roles, roles.library, wire_pf, False
        self.at = {}  # places of the cells, in um
        self.caps = capacitances(liberty_path)
        self.outline, self.height = rows
        self.cells = {name: [cell["type"], {p: b[0] for p, b in cell["connections"].items() if b}]
                      for name, cell in module["cells"].items()}
        self.ports = {name: (port["direction"], list(port["bits"])) for name, port in module["ports"].items()}
        self.fresh = max(b for _, pins in self.cells.values() for b in pins.values() if isinstance(b, int)) + 1
        self._connect()

    @classmethod
    def read(cls, path, top, *arguments):
        return cls(synthesis.module_of(path, top), *arguments)

    def _connect(self):
        self.nets = {}
        for name, (kind, pins) in self.cells.items():
            for pin, bit in pins.items():
                if isinstance(bit, str):
                    continue
                net = self.nets.setdefault(bit, Net())
                if pin in self.library[kind].functions:
                    net.driver = (name, pin)
                else:
                    net.sinks.append((name, pin))
        for name, (_, bits) in self.ports.items():
            for i, bit in enumerate(bits):
                if isinstance(bit, int):
                    self.nets.setdefault(bit, Net()).pins.append((name, i))

    def state(self):
        return ({name: [kind, dict(pins)] for name, (kind, pins) in self.cells.items()},
                {name: (way, list(bits)) for name, (way, bits) in self.ports.items()},
                {bit: net.um for bit, net in self.nets.items()}, dict(self.at))

    def restore(self, state):
        cells, ports, lengths, self.at = state
        self.cells = {name: [kind, dict(pins)] for name, (kind, pins) in cells.items()}
        self.ports = {name: (way, list(bits)) for name, (way, bits) in ports.items()}
        self._connect()
        for bit, um in lengths.items():
            self.nets[bit].um = um

    def place(self, file, weights=None, rounds=place.ROUNDS, first=1):
        """A position for each cell, lengths of all nets but the clock, and statistics of the placement. Without
        rounds, or from a first round in the middle on, it begins with the places there are."""
        clock = self.ports[CLOCK][1][0]
        area = sum(self.outline[kind] for kind, _ in self.cells.values())
        if not self.placed:
            self.side = (area / place.USE) ** 0.5
            pins = self._ring()
            self.pin_at = dict(zip(pins, place.ring(len(pins), self.side)))
            self.at = {}
        names, pins = list(self.cells), list(self.pin_at)
        number = {name: i for i, name in enumerate([*names, *pins])}
        middle = (self.side / 2, self.side / 2)
        cells = [(self.outline[self.cells[c][0]] / self.height, *self.at.get(c, middle)) for c in names]
        nets = [((weights or {}).get(bit, 1.0), sorted({number[m] for m in self._members(net)}))
                for bit, net in self.nets.items() if bit != clock]
        self.at = dict(zip(names, place.run(file, self.side, self.height, cells, list(self.pin_at.values()),
                                            [n for n in nets if len(n[1]) > 1], rounds, first)))
        self.placed = True
        total = fanouts = 0
        for bit, net in self.nets.items():
            net.um = 0.0 if bit == clock else self.length(net)
            total += net.um
            fanouts += 0 if bit == clock else len(net.sinks) + len(net.pins) - (0 if net.driver else 1)
        return {"side_mm": self.side / 1000, "use": area / self.side ** 2, "wire_m": total / 1e6,
                "um_a_fanout": total / fanouts}

    def _members(self, net):
        return [*([net.driver[0]] if net.driver else []), *(c for c, _ in net.sinks), *net.pins]

    def length(self, net):
        return place.length([self.at[m] if m in self.at else self.pin_at[m] for m in set(self._members(net))])

    def _ring(self):
        """Pins of the chip in the order of its sides, link by link; the others at the end."""
        order = [(name, i) for name, (_, bits) in self.ports.items() if name != CLOCK for i in range(len(bits))]
        width = {name: max(1, len(bits) // 10) for name, (_, bits) in self.ports.items()}
        return sorted(order, key=lambda p: (p[1] // width[p[0]] if width[p[0]] * 10 == len(self.ports[p[0]][1]) else 10, p))

    @property
    def short(self):
        """pF of the wire between a gate and the buffer behind it."""
        return 0.0 if self.placed else self.wire_pf

    def wire(self, net):
        return net.um * FF_PER_UM / 1000 if self.placed else self.wire_pf * (len(net.sinks) + len(net.pins))

    def load(self, net):
        return self.wire(net) + sum(self.caps[self.cells[c][0], p] for c, p in net.sinks)

    def buffer(self, bit, net, kind, kept=()):
        """Behind what drives a net, for all of its sinks but those that are kept."""
        new, name = self.fresh, f"buffer{self.fresh}"
        self.fresh += 1
        moved = [s for s in net.sinks if s not in kept]
        inputs = [p for p in net.pins if self.ports[p[0]][0] == "input"]
        into, out = self.roles.input(kind), self.roles.output(kind)
        self.nets[new] = Net((name, out), moved, [p for p in net.pins if p not in inputs], net.um)
        for cell, pin in moved:
            self.cells[cell][1][pin] = new
        for port, i in self.nets[new].pins:
            self.ports[port][1][i] = new
        net.sinks, net.pins, net.um = [*(s for s in net.sinks if s in kept), (name, into)], inputs, 0.0
        self.cells[name] = [kind, {into: bit, out: new}]
        if self.placed:
            self.at[name] = self.at[net.driver[0]] if net.driver else self.pin_at[net.pins[0]]
            net.um, self.nets[new].um = self.length(net), self.length(self.nets[new])

    def kept_load(self, net, kept, buffer):
        """pF at a driver that keeps some sinks and gets a buffer beside it for the others."""
        pf = sum(self.caps[self.cells[c][0], p] for c, p in kept) + self.caps[buffer, self.roles.input(buffer)]
        if not self.placed:
            return pf + self.wire_pf * (len(kept) + 1)
        points = {m: self.at[m] if m in self.at else self.pin_at[m] for m in
                  [*([net.driver[0]] if net.driver else []), *(c for c, _ in kept)]}
        return pf + place.length(list(points.values())) * FF_PER_UM / 1000

    def added_load(self, bit, sinks):
        """pF that sinks would add to a net."""
        net = self.nets[bit]
        pf = sum(self.caps[self.cells[c][0], p] for c, p in sinks)
        if not self.placed:
            return pf + self.wire_pf * len(sinks)
        more = Net(net.driver, [*net.sinks, *sinks], net.pins)
        return pf + (self.length(more) - net.um) * FF_PER_UM / 1000

    def bypass(self, buffer, sinks):
        """Sinks of a buffer go to what drives it; a buffer without any goes away."""
        kind, pins = self.cells[buffer]
        into = self.roles.input(kind)
        bit, new = pins[into], pins[self.roles.output(kind)]
        net, old = self.nets[bit], self.nets[new]
        for cell, pin in sinks:
            self.cells[cell][1][pin] = bit
        net.sinks = [*net.sinks, *sinks]
        old.sinks = [s for s in old.sinks if s not in sinks]
        if not old.sinks:
            net.sinks.remove((buffer, into))
            del self.cells[buffer], self.nets[new]
            self.at.pop(buffer, None)
        elif self.placed:
            old.um = self.length(old)
        if self.placed:
            net.um = self.length(net)

    def gates(self):
        return round(sum(self.outline[kind] for kind, _ in self.cells.values()) / self.outline[self.roles.nand2])

    def json(self):
        """As Yosys writes it; what was added has no name."""
        ways = {kind: {p: "output" if p in self.library[kind].functions else "input"
                       for p in (*self.library[kind].inputs, *self.library[kind].functions)} for kind in self.library}
        cells = {name: {"hide_name": 0, "type": kind, "parameters": {}, "attributes": {}, "port_directions": ways[kind],
                        "connections": {p: [b] for p, b in pins.items()}} for name, (kind, pins) in self.cells.items()}
        ports = {name: {"direction": way, "bits": bits} for name, (way, bits) in self.ports.items()}
        names = {name: {**net, "bits": ports[name]["bits"]} if name in ports else net
                 for name, net in self.module["netnames"].items()}
        return {"attributes": {}, "ports": ports, "cells": cells, "netnames": names}

    def verilog(self, path, top, known=False):
        """With nets named by number, so that loads can be given to them; or, where they are known, by name."""
        names = {"0": "1'b0", "1": "1'b1", "x": "1'b0"}
        plain = {}
        if known:
            plain = {net["bits"][0]: f"\\{name} " for name, net in self.module["netnames"].items()
                     if name not in self.ports and len(net["bits"]) == 1 and not net.get("hide_name", 0)}

        def n(bit):
            return names.get(bit) or plain.get(bit) or f"n{bit}"

        lines = [f"module {top} ({', '.join(self.ports)});"]
        assigns = []
        for name, (way, bits) in self.ports.items():
            span = f"[{len(bits) - 1}:0] " if len(bits) > 1 else ""
            lines.append(f"  {way} {span}{name};")
            for i, bit in enumerate(bits):
                pin = f"{name}[{i}]" if len(bits) > 1 else name
                if way == "input":
                    names[bit] = pin
                elif isinstance(bit, int) and bit not in names:
                    names[bit] = pin
                else:
                    assigns.append(f"  assign {pin} = {n(bit)};")
        lines += [f"  wire {n(bit)};" for bit in self.nets if bit not in names] + assigns
        lines += [f"  {kind} {name} ({', '.join(f'.{p}({n(b)})' for p, b in pins.items())});"
                  for name, (kind, pins) in self.cells.items()]
        path.write_text("\n".join([*lines, "endmodule", ""]))
        return names

    def loads(self, names):
        """For OpenSTA: the wire of every net."""
        clock = self.ports[CLOCK][1][0]
        return "\n".join(f"set_load {self.wire(net):.5f} [get_nets {{{names.get(bit, f'n{bit}')}}}]"
                         for bit, net in self.nets.items() if bit != clock and net.um > 0)
