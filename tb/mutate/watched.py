# SPDX-License-Identifier: MIT
"""Signals that the tests check, as nets of the netlist: pins (lockstep, fuzz), outputs of blocks
(tb/fuzz/blame.cpp, tb/block) and registers (tb/fuzz/inside.cpp); and their valid conditions, as in
sim/rdt/cosim/inside.cpp for the tests."""
import re
from dataclasses import dataclass, field

# Those that are compared output by output when a difference is traced.
BLOCKS = ("link_io", "input_unit", "output_unit", "arbiter", "crossbar", "local", "ack", "inject")
MEANING = re.compile(r'\{"(\w+)", "(\w+)", "(\w+)"(?:, ([^}]+))?\}')
INSTANCE = re.compile(r"\brdt_(\w+)(?:\s*#\([^;]*?\))?\s+u_(\w+)\s*\(")
NET = re.compile(r"^(?:(.*)\.)?([^.]+)$")


@dataclass
class Watched:
    kind: str   # pin, block, register
    name: str
    nets: list
    strobes: list = field(default_factory=list)

    def line(self, number):
        def nets(list_):
            known = [str(number[n]) for n in list_ if n in number]
            return " ".join([str(len(known)), *known])
        strobes = "".join(" " + nets(s) for s in self.strobes)
        return f"watch {self.kind} {self.name} {nets(self.nets)} {len(self.strobes)}{strobes}\n"


def meanings(root):
    """{(kind, output): [(strobe, mask or None)]}"""
    found = {}
    for kind, output, strobe, mask in MEANING.findall((root / "sim/rdt/cosim/inside.cpp").read_text()):
        found.setdefault((kind, output), []).append((strobe, eval(mask) if mask else None))
    return found


def kinds(root):
    """Module of an instance, by its name: entry -> ack_entry."""
    found = {}
    for file in sorted((root / "rtl").glob("*.sv")):
        found.update({name: kind for kind, name in INSTANCE.findall(file.read_text())})
    return found


def free_registers(root):
    """Registers that the tests do not look at, as ack_entry.age_q."""
    return set(re.findall(r'"(\w+\.\w+)"', (root / "tb/fuzz/free_registers.h").read_text()))


def public_nets(module):
    return {name: [bit if isinstance(bit, str) else ("", bit) for bit in net["bits"]]
            for name, net in module["netnames"].items() if not net.get("hide_name")}


def labels(module):
    """The name of a net: that of the register, or of the innermost module."""
    best = {}
    for name, bits in public_nets(module).items():
        rank = (name.split(".")[-1].split("[")[0].endswith("_q"), name.count("."), name)
        for i, bit in enumerate(bits):
            if bit not in best or rank > best[bit][0]:
                best[bit] = (rank, f"{name}[{i}]" if len(bits) > 1 else name)
    return {bit: label for bit, (_, label) in best.items()}


def watched(root, module):
    nets = public_nets(module)
    kind_of, strobes, free = kinds(root), meanings(root), free_registers(root)
    held = {("", cell["connections"]["Q"][0]) for cell in module["cells"].values() if "Q" in cell["connections"]}
    for name, port in module["ports"].items():
        if port["direction"] == "output":
            yield Watched("pin", name, nets[name])
    for path, bits in sorted(nets.items()):
        scope, name = NET.match(path).groups()
        signal = name.split("[")[0]
        inside = re.findall(r"\bu_(\w+)", scope or "")
        kind = kind_of.get(inside[-1], "") if inside else ""
        if signal.endswith("_q"):
            if f"{kind}.{signal}" in free or not held.intersection(bits):
                continue
            what = "register"
        elif signal.endswith("_o") and kind in BLOCKS:
            what = "block"
        else:
            continue
        needs = []
        for strobe, mask in strobes.get((kind, signal), []):
            on = nets.get(f"{scope}.{strobe}")
            if on is not None:
                needs.append([n for i, n in enumerate(on) if mask is None or mask >> i & 1])
        yield Watched(what, path, bits, needs)
