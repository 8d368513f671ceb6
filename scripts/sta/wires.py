# SPDX-License-Identifier: MIT
"""The mapped chip as cells and nets that can be changed, with wires by fan-out or by a placement.

A load for every fan-out has no long tail, and the slowest paths of a placed chip are made of the tail.
A buffer that is put behind a gate stands where the gate stands, so the wire is its own then.
"""
import re
from dataclasses import dataclass, field

from sta.place import Placement
from synth import areas

FF_PER_UM = 0.2
CLOCK = "clk_i"


@dataclass
class Net:
    driver: tuple = None  # cell and pin; None: a pin of the chip
    sinks: list = field(default_factory=list)
    pins: list = field(default_factory=list)  # of the chip, as (name, index)
    um: float = 0.0


def capacitances(liberty_text):
    """(cell, pin) -> pF of its input pins."""
    found = {}
    for cell, body in re.findall(r'^\s*cell\s*\(\s*"?(\w+)"?\s*\)\s*\{(.*?)(?=^\s*cell\s*\(|\Z)', liberty_text, re.S | re.M):
        for pin, text in re.findall(r'\bpin\s*\(\s*"?(\w+)"?\s*\)\s*\{(.*?)(?=\bpin\s*\(|\Z)', body, re.S):
            value = re.search(r"\bcapacitance\s*:\s*([\d.]+)", text)
            found[cell, pin] = float(value[1]) if value else 0.0
    return found


class Chip:
    def __init__(self, module, library, liberty_path, lef, wire_pf):
        """Wires are `wire_pf` a fan-out until there is a placement."""
        self.module, self.library, self.wire_pf, self.placed = module, library, wire_pf, False
        self.caps = capacitances(liberty_path.read_text())
        self.outline = areas.outlines(lef)
        self.height = float(re.search(r"^\s*SIZE\s+[\d.]+\s+BY\s+([\d.]+)", re.search(
            r"^MACRO NAND2X1$.*?^END NAND2X1", lef.read_text(), re.S | re.M)[0], re.M)[1])
        self.cells = {name: [cell["type"], {p: b[0] for p, b in cell["connections"].items()}]
                      for name, cell in module["cells"].items()}
        self.ports = {name: (port["direction"], list(port["bits"])) for name, port in module["ports"].items()}
        self.fresh = max(b for _, pins in self.cells.values() for b in pins.values() if isinstance(b, int)) + 1
        self._connect()

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
                {bit: net.um for bit, net in self.nets.items()})

    def restore(self, state):
        self.cells, self.ports, lengths = state
        self._connect()
        for bit, um in lengths.items():
            self.nets[bit].um = um

    def place(self):
        """Lengths of all nets but the clock, and what the placement is like."""
        clock = self.ports[CLOCK][1][0]
        pins = {f"{name}[{i}]": None for name, i in self._ring()}
        nets = {bit: net for bit, net in self.nets.items() if bit != clock}
        placed = Placement({c: self.outline[kind] for c, (kind, _) in self.cells.items()}, pins,
                           [[*([net.driver[0]] if net.driver else []), *(c for c, _ in net.sinks),
                             *(f"{n}[{i}]" for n, i in net.pins)] for net in nets.values()], self.height)
        total, self.placed = 0.0, True
        for net, members in zip(nets.values(), placed.nets):
            net.um = placed.length(members) if len(members) > 1 else 0.0
            total += net.um
        fanouts = sum(len(net.sinks) + len(net.pins) - (0 if net.driver else 1) for net in nets.values())
        return {"side_mm": placed.side / 1000, "wire_m": total / 1e6, "um_a_fanout": total / fanouts}

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

    def buffer(self, bit, net, kind):
        """Behind what drives a net."""
        new, name = self.fresh, f"buffer{self.fresh}"
        self.fresh += 1
        kept = [p for p in net.pins if self.ports[p[0]][0] == "input"]
        self.nets[new] = Net((name, "Y"), net.sinks, [p for p in net.pins if p not in kept], net.um)
        for cell, pin in net.sinks:
            self.cells[cell][1][pin] = new
        for port, i in self.nets[new].pins:
            self.ports[port][1][i] = new
        net.sinks, net.pins, net.um = [(name, "A")], kept, 0.0
        self.cells[name] = [kind, {"A": bit, "Y": new}]

    def gates(self):
        return round(sum(self.outline[kind] for kind, _ in self.cells.values()) / self.outline[areas.NAND])

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

    def verilog(self, path, top):
        """With nets named by number, so that loads can be given to them."""
        names = {"0": "1'b0", "1": "1'b1", "x": "1'b0"}

        def n(bit):
            return names.get(bit) or f"n{bit}"

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
        lines += [f"  wire n{bit};" for bit in self.nets if bit not in names] + assigns
        lines += [f"  {kind} {name} ({', '.join(f'.{p}({n(b)})' for p, b in pins.items())});"
                  for name, (kind, pins) in self.cells.items()]
        path.write_text("\n".join([*lines, "endmodule", ""]))
        return names

    def loads(self, names):
        """For OpenSTA: the wire of every net."""
        clock = self.ports[CLOCK][1][0]
        return "\n".join(f"set_load {self.wire(net):.5f} [get_nets {{{names.get(bit, f'n{bit}')}}}]"
                         for bit, net in self.nets.items() if bit != clock and net.um > 0)
