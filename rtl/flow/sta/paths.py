# SPDX-License-Identifier: MIT
"""From the ends of a path back to the RTL.

Start and end of a path are registers or pins, whose names the netlist keeps: these are measured.
Logic restructured by ABC has no names. The lines named for it are read from the logic before ABC:
the deepest way from that start to that end, which is usually, not always, the slow one.
"""
import json
import re
from collections import defaultdict

from rtl.flow.synth import flow

SOURCE = re.compile(r"(rtl/\w+\.sv):(\d+)\.\d+-\d+\.\d+")


def _labels(name, net):
    """Names of the bits of a net."""
    if len(net["bits"]) == 1:
        return [name]
    return [f"{name}[{i + net.get('offset', 0)}]" for i in range(len(net["bits"]))]


def kind(name):
    """A register without the numbers of port, VC and bit."""
    return re.sub(r"\[\d+\]", "", name)


class Places:
    """Lines of the RTL. Names of cells and nets contain their instances; these are known from the
    hierarchical description, and removed."""

    def __init__(self, described):
        self._instances = {place for module in described.values() for cell in module["cells"].values()
                           if cell["type"] in described for place in SOURCE.findall(cell["attributes"].get("src", ""))}

    def line(self, src):
        found = [p for p in SOURCE.findall(src) if p not in self._instances and p[1] != "0"]
        return ":".join(found[0]) if found else ""


class Registers:
    """The meaning of every net name: the register, if it is one, and its line. A mapped netlist
    keeps one name per net, often that of a port which the register drives."""

    def __init__(self, directory, top, places):
        path = directory / "flat.json"
        flow.yosys(f"""
            read_rtlil {directory / 'elaborated.il'}
            hierarchy -top {top}
            flatten
            write_json {path}
            """, directory / "flat.log", "names")
        nets = json.loads(path.read_text())["modules"][top]["netnames"]
        self._bit, self._best = {}, {}
        # A register goes before ports, and among either what is nearest to the top.
        for name in sorted(nets, key=lambda n: (nets[n].get("hide_name", 0), not n.endswith("_q"), n.count("."), n)):
            line = places.line(nets[name]["attributes"].get("src", ""))
            for label, bit in zip(_labels(name, nets[name]), nets[name]["bits"]):
                self._bit[label] = bit
                self._best.setdefault(bit, (label, line))

    def of(self, name):
        return self._best.get(self._bit.get(name), (name, ""))


class Mapped:
    """The timer's report as nets: a flip-flop is the net it drives."""

    def __init__(self, module, roles):
        names = {}
        for name, net in sorted(module["netnames"].items(), key=lambda n: n[1].get("hide_name", 0)):
            for label, bit in zip(_labels(name, net), net["bits"]):
                names.setdefault(bit, label)
        self._net = {cell: names[body["connections"][roles.output(body["type"])][0]] for cell, body in module["cells"].items()
                     if body["type"] in roles.flops}

    def net(self, point):
        return self._net.get(point.rpartition("/")[0], point)


class Logic:
    """The logic before ABC, for the deepest way between two registers."""

    def __init__(self, module, places, roles):
        self.places = places
        self.bit_of = {}
        for name, net in module["netnames"].items():
            self.bit_of.update(zip(_labels(name, net), net["bits"]))
        self.takers, self.data, self.src, self.inputs = defaultdict(list), {}, {}, {}
        for body in module["cells"].values():
            pins = body["connections"]
            if body["type"] in roles.flops:
                self.data[pins[roles.output(body["type"])][0]] = pins[roles.library[body["type"]].data][0]
                continue
            outputs = [p for p, way in body["port_directions"].items() if way == "output"]
            for pin in outputs:
                out = pins[pin][0]
                self.src[out] = body["attributes"].get("src", "")
                self.inputs[out] = [b for p, bits in pins.items() if p not in outputs for b in bits if not isinstance(b, str)]
                for bit in self.inputs[out]:
                    self.takers[bit].append(out)

    def lines(self, start, end):
        """Places in the RTL from one net, a register or pin, to another; in order, each once."""
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
            place = self.places.line(self.src[bit])
            if place and place not in way:
                way.append(place)
            bit = before[bit]
        return way[::-1]
