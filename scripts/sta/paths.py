# SPDX-License-Identifier: MIT
"""From the ends of a path back to the RTL.

Start and end of a path are registers or pins, whose names the netlist keeps: these are measured. What
ABC made of the logic between has no names. The lines named for it are read from the logic before
ABC: the deepest way from that start to that end, which is usually, not always, the slow one.
"""
import re
from collections import defaultdict

SOURCE = re.compile(r"(rtl/\w+\.sv):(\d+)\.\d+-\d+\.\d+")
FLOP = "DFFPOSX1"


def _names(module):
    names, source = {}, {}
    for name, net in sorted(module["netnames"].items(), key=lambda n: (n[1].get("hide_name", 0), n[0].count("."), n[0])):
        offset = net.get("offset", 0)
        for i, bit in enumerate(net["bits"]):
            if not isinstance(bit, str):
                label = f"{name}[{i + offset}]" if len(net["bits"]) > 1 else name
                names.setdefault(bit, label)
                source.setdefault(bit, net["attributes"].get("src", ""))
    return names, source


def line_of(src):
    """The first place in the RTL that an attribute names."""
    found = SOURCE.search(src)
    return f"{found[1]}:{found[2]}" if found else ""


class Mapped:
    """Names of what OpenSTA reports: the register of a flip-flop, or the pin."""

    def __init__(self, module):
        names, source = _names(module)
        self.register, self.line = {}, {}
        for cell, body in module["cells"].items():
            if body["type"] == FLOP:
                q = body["connections"]["Q"][0]
                # A register that leaves the chip is known by its pin; nothing else drives that.
                self.register[cell] = names.get(q, cell)
                self.line[self.register[cell]] = line_of(source.get(q, ""))
        for port, info in module["ports"].items():
            for bit in info["bits"]:
                if not isinstance(bit, str) and bit in names:
                    self.line.setdefault(names[bit], line_of(source.get(bit, "")))

    def name(self, point):
        cell, _, pin = point.rpartition("/")
        return self.register.get(cell, point) if pin in ("D", "Q", "CLK") else point


class Logic:
    """The logic before ABC, for the deepest way between two registers."""

    def __init__(self, module):
        self.names, _ = _names(module)
        self.bit_of = {}
        for name, net in module["netnames"].items():
            offset = net.get("offset", 0)
            for i, bit in enumerate(net["bits"]):
                self.bit_of.setdefault(f"{name}[{i + offset}]" if len(net["bits"]) > 1 else name, bit)
        self.takers, self.data, self.src, self.inputs = defaultdict(list), {}, {}, {}
        for body in module["cells"].values():
            pins = body["connections"]
            if body["type"] == FLOP:
                self.data[pins["Q"][0]] = pins["D"][0]
                continue
            outputs = [p for p, way in body["port_directions"].items() if way == "output"]
            for pin in outputs:
                out = pins[pin][0]
                self.src[out] = body["attributes"].get("src", "")
                self.inputs[out] = [b for p, bits in pins.items() if p not in outputs for b in bits if not isinstance(b, str)]
                for bit in self.inputs[out]:
                    self.takers[bit].append(out)

    def lines(self, start, end):
        """Places in the RTL from a register or pin to another, in order, each once."""
        first, last = self.bit_of.get(start), self.bit_of.get(end)
        last = self.data.get(last, last)
        if first is None or last is None:
            return []
        cone, stack = {first}, [first]
        while stack:
            for bit in self.takers[stack.pop()]:
                if bit not in cone:
                    cone.add(bit)
                    stack.append(bit)
        if last not in cone:
            return []
        depth, before, stack = {first: 0}, {}, [last]
        while stack:
            bit = stack[-1]
            waiting = [b for b in self.inputs.get(bit, ()) if b in cone and b not in depth]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            if bit not in depth:
                before[bit] = max((b for b in self.inputs[bit] if b in cone), key=lambda b: depth[b])
                depth[bit] = depth[before[bit]] + 1
        way, bit = [], last
        while bit != first:
            place = line_of(self.src[bit])
            if place and place not in way:
                way.append(place)
            bit = before[bit]
        return way[::-1]
