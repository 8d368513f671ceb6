# SPDX-License-Identifier: MIT
"""Netlist = RTL by proof, register by register.

Both sides are cut at their registers, and where a block has others in it that are proven by
themselves. Registers are matched by the names that mapping keeps; of registers that Yosys made one,
and of those it found constant, the RTL's have to stay so. ABC (cec) then proves that from any
values in them, the same on both sides, every register and every pin gets the same value, except
where the RTL is undefined: an index beyond its vector, where any value may result. So two chips
that start alike stay alike. Convergence from different initial states is not proven here; the
simulation starts each copy of the netlist with other values.
"""
import json
import random
import re
import subprocess

from . import abc_program
from .flow import Failure, yosys
from .simple import CELLS

MOST_UNDECIDED = 3  # draws that ABC does not decide in time, for each gate that is to be detected


def labels(name, net, wide=()):
    """Names of the bits of a net, also after splitnets. `wide` are nets of which one bit may be left."""
    width, first = len(net["bits"]), net.get("offset", 0)
    return [name] if width == 1 and name not in wide else [f"{name}[{first + i}]" for i in range(width)]


class Side:
    """Gates, registers and ends of one module (Yosys JSON) in cells of a library."""

    def __init__(self, module, library, wide=()):
        self.wide = {name for name, net in module["netnames"].items() if len(net["bits"]) > 1}
        self.gates, self.flops = [], {}  # (inputs, output, table); Q -> D
        self.starts, self.ends = {}, {}  # label -> bit
        self.bit, self.names = {}, {}
        for name, net in module["netnames"].items():
            if not net.get("hide_name", 0):
                for label, bit in zip(labels(name, net, wide), net["bits"]):
                    self.bit[label] = bit
                    self.names.setdefault(bit, []).append(label)
        for name, port in module["ports"].items():
            for i, bit in enumerate(port["bits"]):
                (self.starts if port["direction"] == "input" else self.ends)[f"{name}[{i}]"] = bit
        for name, cell in module["cells"].items():
            pins, kind = cell["connections"], library.get(cell["type"])
            if kind is None:
                self._cut(name, cell)
            elif kind.kind == "ff":
                for pin in kind.functions:
                    self.flops[pins[pin][0]] = pins[kind.data][0]
            else:
                for pin, table in kind.functions.items():
                    if pins.get(pin):
                        self.gates.append(([pins[i][0] for i in kind.inputs], pins[pin][0], table))
        self.driver = {gate[1]: i for i, gate in enumerate(self.gates)}

    def _cut(self, name, cell):
        """A block in it: what it gives comes from outside, what it takes is an end."""
        for port, bits in cell["connections"].items():
            there = self.ends if cell["port_directions"][port] == "input" else self.starts
            there.update({f"{name}.{port}[{i}]": bit for i, bit in enumerate(bits)})

    def cone(self, bits):
        """Gates that these depend on, up to registers; and those registers."""
        gates, registers, todo = set(), set(), list(bits)
        while todo:
            bit = todo.pop()
            if bit in self.flops:
                registers.add(bit)
            elif bit in self.driver and self.driver[bit] not in gates:
                gates.add(self.driver[bit])
                todo += self.gates[self.driver[bit]][0]
        return gates, registers

    def used(self):
        """Registers that some end depends on, if need be through others."""
        found, todo = set(), self.cone(self.ends.values())[1]
        while todo:
            found |= todo
            todo = self.cone(self.flops[q] for q in todo)[1] - found
        return found

    def undefined(self, bits):
        """The nets that depend on an undefined value."""
        vague = {gate[1] for gate in self.gates if "x" in gate[0]} | {"x"}
        found = set()
        for bit in bits:
            if bit in vague or vague & {self.gates[i][1] for i in self.cone([bit])[0]}:
                found.add(bit)
        return found

    def logic(self, bits, names, prefix="n", x="zero", wrong=None):
        """BLIF of the gates that these depend on, and their names. Undefined values are `x`; one
        gate may have another table."""
        constant = {"0": "zero", "1": "one", "x": x}

        def n(bit):
            return constant.get(bit) or names.get(bit) or f"{prefix}{bit}"

        text = []
        for i in sorted(self.cone(bits)[0]):
            ins, out, table = self.gates[i]
            if wrong and wrong[0] == i:
                table = wrong[1]
            rows = 1 << len(ins)
            if table in (0, (1 << rows) - 1):  # ABC takes no constant with inputs
                text += [f".names {n(out)}"] + ["1"] * (table != 0)
                continue
            text.append(".names " + " ".join(map(n, [*ins, out])))
            text += [f"{row:0{len(ins)}b}"[::-1] + " 1" for row in range(rows) if table >> row & 1]
        return text, [n(bit) for bit in bits]


def blif(path, inputs, outputs, text):
    """A file; `outputs` is the function of each as lines without the output's name, in order."""
    head = [".model side", ".inputs " + " ".join(inputs), ".outputs " + " ".join(f"o{i}" for i in range(len(outputs))),
            ".names zero", ".names one", "1"]
    ends = [line for i, (ins, rows) in enumerate(outputs) for line in (f".names {' '.join(ins)} o{i}", *rows)]
    path.write_text("\n".join([*head, *text, *ends, ".end", ""]))


class Pair:
    """RTL and netlist with their registers matched. `before` has names that the netlist has lost: of
    registers that were made one, and of those that are constant."""

    def __init__(self, rtl, gates, before):
        self.rtl, self.gates = rtl, gates
        if rtl.ends.keys() != gates.ends.keys():
            raise Failure(f"ends differ: {sorted(rtl.ends.keys() ^ gates.ends.keys())[:3]}")
        alias = {}
        for net, names in before.names.items():
            known = next((gates.bit[n] for n in names if gates.bit.get(n) in gates.flops), None)
            constant = net if net in ("0", "1") else None
            alias.update({n: known or constant for n in names if known or constant})
        self.of = {}
        for q in sorted(rtl.used()):
            found = [gates.bit[n] for n in rtl.names.get(q, ()) if gates.bit.get(n) in gates.flops]
            found = found or [alias[n] for n in rtl.names.get(q, ()) if n in alias]
            # One that is gone has to be 0 for ever.
            self.of[q] = found[0] if found else "0"
        self.lost = gates.used() - set(self.of.values())

    def name(self, bit):
        """Name of a register of the RTL."""
        return self.rtl.names.get(bit, ["?"])[0]

    def write(self, directory, wrong=None):
        rtl, gates = self.rtl, self.gates
        names_rtl, names_gates, inputs = {}, {}, []
        for label in sorted(rtl.starts.keys() | gates.starts.keys()):
            name = f"i{len(inputs)}"
            inputs.append(name)
            for side, names in ((rtl, names_rtl), (gates, names_gates)):
                if label in side.starts:
                    names[side.starts[label]] = name
        for q, g in self.of.items():
            if g in ("0", "1"):
                names_rtl[q] = "zero" if g == "0" else "one"
                continue
            if g not in names_gates:
                names_gates[g] = f"r{g}"
                inputs.append(f"r{g}")
            names_rtl[q] = names_gates[g]
        for q in self.lost:  # whatever it holds, all must be equal
            names_gates[q] = f"v{q}"
            inputs.append(f"v{q}")
        self.what = sorted(rtl.ends) + [self.name(q) for q in self.of]
        left = [rtl.ends[e] for e in sorted(rtl.ends)] + [rtl.flops[q] for q in self.of]
        right = [gates.ends[e] for e in sorted(rtl.ends)] + [gates.flops.get(g, g) for g in self.of.values()]
        one, same = ["1 1"], ["100 1", "111 1", "-10 1"]  # itself; the first, or where the others differ the second
        zeros, low = rtl.logic(left, names_rtl)
        if wrong is None:
            blif(directory / "rtl.blif", inputs, [([n], one) for n in low], zeros)
            self.vague = rtl.undefined(left)
        text, made = gates.logic(right, names_gates, "g", wrong=wrong)
        vague = sorted(self.vague, key=str)
        lows, a = rtl.logic(vague, names_rtl, "a", "zero")
        highs, b = rtl.logic(vague, names_rtl, "b", "one")
        either = dict(zip(vague, zip(a, b)))
        blif(directory / "gates.blif", inputs,
             [((n, *either[bit]), same) if bit in either else ([n], one) for n, bit in zip(made, left)], text + lows + highs)

    def decide(self, directory, limit, wrong=None):
        """True: equal. False: not; None: undecided. And the first end that differs."""
        self.write(directory, wrong)
        try:
            out = subprocess.run([abc_program.program(), "-q", f"cec -n -T {limit} {directory}/rtl.blif {directory}/gates.blif"],
                                 text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 timeout=2 * limit + 60).stdout
        except subprocess.TimeoutExpired:
            return None, ""
        (directory / "cec.log").write_text(out)
        if "are equivalent" in out:
            return True, ""
        failed = re.search(r"outputs:\s+p?o(\d+)", out)
        if "NOT EQUIVALENT" in out:
            return False, self.what[int(failed[1])] if failed else "?"
        return None, ""

    def plants(self, directory, limit, number, seed=1):
        """Replace a gate by its dual, or inverse, until `number` of them are detected: how many were; how many
        draws changed nothing (proven: the gate is redundant); and how many are undecided within the limit."""
        dice, found, same, undecided = random.Random(seed), 0, 0, 0
        right = list(self.gates.ends.values()) + [self.gates.flops[q] for q in self.gates.used()]
        candidates = sorted(self.gates.cone(right)[0])
        while candidates and found < number and same < 10 * number and undecided < MOST_UNDECIDED * number:
            i = dice.choice(candidates)
            ins, _, table = self.gates.gates[i]
            rows = 1 << len(ins)
            dual = sum(1 << k for k in range(rows) if not table >> (rows - 1 - k) & 1)
            verdict, _ = self.decide(directory, limit, (i, dual if dual != table else ~table & ((1 << rows) - 1)))
            found, same, undecided = found + (verdict is False), same + (verdict is True), undecided + (verdict is None)
        return found, same, undecided


def rtl_of(name, others, elaborated, directory):
    """The module before any optimization, in simple gates: <name>.rtl.json."""
    path = directory / f"{name}.rtl.json"
    blackbox = f"blackbox {' '.join(others)}" if others else ""
    yosys(f"""
        read_rtlil {elaborated}
        hierarchy -top {name}
        {blackbox}
        flatten
        memory_collect
        memory_map
        techmap
        simplemap
        opt_clean
        write_json {path}
        """, directory / f"{name}.rtl.log", name)
    return read(path, name, CELLS)


def read(path, name, library, wide=()):
    try:
        return Side(json.loads(path.read_text())["modules"][name], library, wide)
    except (OSError, ValueError, KeyError) as error:
        raise Failure(f"{path}: not the module {name} ({error})") from None
