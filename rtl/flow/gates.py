#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The RTL of rdt_router as C++ that simulates 64 routers at once: bit k of a word belongs to router k.

Yosys maps the RTL to gates of two inputs and flip-flops. This script writes the gates in topological order as
operations on words, cut into functions of some hundred gates. Constants and names of registers go into tables
(sim/rdt/machine/engines/gates.h).

usage: gates.py OUTPUT.cpp [--work DIR]
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOP = "rdt_router"
CHUNK = 400  # gates of a function: more make the compiler slow, fewer store more words
BINARY = {"$_AND_": "{A} & {B}", "$_OR_": "{A} | {B}", "$_XOR_": "{A} ^ {B}", "$_ANDNOT_": "{A} & ~{B}",
          "$_ORNOT_": "{A} | ~{B}", "$_NOT_": "~{A}", "$_MUX_": "{A} ^ (({A} ^ {B}) & {S})"}
FLIP_FLOP = re.compile(r"\$_(DFF|DFFE|SDFF|SDFFE|SDFFCE)_([PN])([PN]?)([01]?)([PN]?)_$")

SCRIPT = """
read_verilog -sv -DSYNTHESIS {sources}
hierarchy -check -top {top}
proc
flatten
opt -fast
memory -nomap
memory_map
opt -full
techmap
opt -fast
abc -g AND,OR,XOR,ANDNOT,ORNOT,MUX
opt_clean
write_json {json}
"""


def netlist(work):
    sources = [word for word in (ROOT / "rtl/rdt_router.f").read_text().split() if not word.startswith("+")]
    file = work / "gates.json"
    script = SCRIPT.format(sources=" ".join(sources), top=TOP, json=file)
    run = subprocess.run(["yosys", "-q", "-l", str(work / "gates.log"), "-s", "-"], input=script, text=True, cwd=ROOT,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        lines = [line for line in run.stdout.splitlines() if "ERROR" in line]
        sys.exit(f"gates: {lines[0] if lines else 'Yosys failed'} (log: {work / 'gates.log'})")
    return json.loads(file.read_text())["modules"][TOP]


class FlipFlop:
    """One bit of a register: what it takes at the clock edge."""

    def __init__(self, kind, pins):
        match = FLIP_FLOP.match(kind)
        if not match or match[2] != "P":
            sys.exit(f"gates: unknown flip-flop {kind}")
        name, _, second, value, third = match.groups()
        self.q, self.d = pins["Q"], pins["D"]
        self.enable, self.reset, self.value = pins.get("E"), pins.get("R"), value
        # Letters: clock, then reset (with its value) or enable, then enable.
        self.enable_is_high = (second if name == "DFFE" else third) == "P"
        self.reset_is_high = second == "P"
        self.enable_gates_reset = name == "SDFFCE"
        self.reads = [pin for pin in (self.d, self.enable, self.reset) if pin is not None]


class Netlist:
    def __init__(self, module):
        self.ports = module["ports"]
        self.gates = {}  # net -> kind, its inputs by pin
        self.flip_flops = []
        for cell in module["cells"].values():
            if cell["type"] == "$scopeinfo":  # Yosys 0.39 and later: names of flattened modules, no logic
                continue
            pins = {name: bits[0] for name, bits in cell["connections"].items()}
            if "DFF" in cell["type"]:
                self.flip_flops.append(FlipFlop(cell["type"], pins))
            elif cell["type"] in BINARY:
                self.gates[pins.pop("Y")] = (cell["type"], pins)
            else:
                sys.exit(f"gates: unknown cell {cell['type']}")
        self.inputs = [bit for port in self.ports.values() if port["direction"] == "input" for bit in port["bits"]]
        self.outputs = [bit for port in self.ports.values() if port["direction"] == "output" for bit in port["bits"]]
        self.names = {}
        of_flip_flop = {f.q for f in self.flip_flops}
        for name, net in module["netnames"].items():
            for i, bit in enumerate(net["bits"]):
                if bit in of_flip_flop and not net["hide_name"]:
                    self.names.setdefault(bit, (name, i))

    def in_order(self, nets, done):
        """The gates that `nets` depend on and that are not in `done`, inputs first."""
        order, stack = [], [net for net in reversed(nets)]
        while stack:
            net = stack[-1]
            if net in done or net not in self.gates:
                stack.pop()
                continue
            missing = [other for other in self.gates[net][1].values() if other in self.gates and other not in done]
            if missing:
                stack += missing
            else:
                done.add(net)
                order.append(net)
                stack.pop()
        return order


class Writer:
    """Chunks of statements as functions. Words that another chunk reads are stored in v[]."""

    def __init__(self, netlist, lists):
        self.netlist = netlist
        self.chunk_of = {}
        for name, nets in lists.items():
            for i, net in enumerate(nets):
                self.chunk_of.setdefault(net, (name, i // CHUNK))
        slots = [f.q for f in netlist.flip_flops] + netlist.inputs
        shared = set(netlist.outputs)
        for net, chunk in self.chunk_of.items():
            shared.update(o for o in netlist.gates[net][1].values() if self.chunk_of.get(o, chunk) != chunk)
        for flip_flop in netlist.flip_flops:
            shared.update(flip_flop.reads)
        slots += [net for net in self.chunk_of if net in shared]
        self.slot = {net: i for i, net in enumerate(slots)}
        self.text = []

    def read(self, net, here=()):
        if net in ("0", "x"):
            return "Zero"
        if net == "1":
            return "~Zero"
        return here[net] if net in here else f"v[{self.slot[net]}]"

    def functions(self, name, parts):
        """A function for each part, a list of statements, and one that calls them all."""
        for i, part in enumerate(parts):
            self.text.append(f"[[gnu::noinline]] void {name}_{i}(Word* v) {{\n" + "\n".join(part) + "\n}")
        calls = "".join(f" {name}_{i}(v);" for i in range(len(parts)))
        self.text.append(f"void {name}(Word* v) {{{calls} }}")

    def gates(self, name, nets):
        parts = []
        for first in range(0, len(nets), CHUNK):
            here, lines = {}, []
            for net in nets[first:first + CHUNK]:
                kind, pins = self.netlist.gates[net]
                value = BINARY[kind].format(**{pin: self.read(other, here) for pin, other in pins.items()})
                here[net] = f"a{len(here)}"
                lines.append(f"const Word {here[net]} = {value};")
                if net in self.slot:
                    lines.append(f"v[{self.slot[net]}] = {here[net]};")
            parts.append(lines)
        self.functions(name, parts)

    def next_value(self, f):
        def reset(value):
            if f.reset is None:
                return value
            active = self.read(f.reset) if f.reset_is_high else f"~{self.read(f.reset)}"
            return f"(({value}) | {active})" if f.value == "1" else f"(({value}) & ~({active}))"

        def enable(value):
            if f.enable is None:
                return value
            active = self.read(f.enable) if f.enable_is_high else f"~{self.read(f.enable)}"
            return f"({self.read(f.q)} ^ (({self.read(f.q)} ^ {value}) & {active}))"

        data = self.read(f.d)
        return enable(reset(data)) if f.enable_gates_reset else reset(enable(data))

    def registers(self, name):
        """In place, but for the flip-flops that another one reads directly: these change last."""
        flip_flops = self.netlist.flip_flops
        state = {f.q for f in flip_flops}
        read = {net for f in flip_flops for net in f.reads if net in state and net != f.q}
        late = [f for f in flip_flops if f.q in read]
        before = [f"n[{i}] = {self.next_value(f)};" for i, f in enumerate(late)]
        # Bits of one register share their enable, which is off in most cycles of most registers.
        groups = {}
        for f in flip_flops:
            if f.q not in read:
                only_enabled = f.enable is not None and (f.reset is None or f.enable_gates_reset)
                groups.setdefault((f.enable, f.enable_is_high) if only_enabled else None, []).append(f)
        statements = []
        for key, members in groups.items():
            lines = [f"v[{self.slot[f.q]}] = {self.next_value(f)};" for f in members]
            if key is not None and len(members) > 3:
                lines = [f"if ({'' if key[1] else '~'}{self.read(key[0])}) {{", *lines, "}"]
                statements.append(lines)
            else:
                statements += [[line] for line in lines]
        parts, part = [], []
        for lines in statements:
            part += lines
            if len(part) >= CHUNK:
                parts.append(part)
                part = []
        after = [f"v[{self.slot[f.q]}] = n[{i}];" for i, f in enumerate(late)]
        self.text.append(f"thread_local Word n[{max(1, len(late))}];")
        self.functions(name, [before, *parts, part, after])


def cpp(netlist):
    done = set()
    outputs = netlist.in_order(netlist.outputs, done)
    rest = netlist.in_order([net for f in netlist.flip_flops for net in f.reads], done)
    # Gates of the outputs that follow the input pins within the cycle.
    follows = set(netlist.inputs)
    for net in outputs:
        if any(other in follows for other in netlist.gates[net][1].values()):
            follows.add(net)
    again = [net for net in outputs if net in follows]
    writer = Writer(netlist, {"outputs": outputs, "rest": rest})
    # Words of other chunks that `again` reads have to be stored: it is in separate chunks.
    for net in again:
        for other in (net, *netlist.gates[net][1].values()):
            if other in netlist.gates and other not in writer.slot:
                writer.slot[other] = len(writer.slot)
    writer.gates("outputs", outputs)
    writer.gates("again", again)
    writer.gates("rest", rest)
    writer.registers("registers")

    def place(bit):
        return {"0": "-1", "x": "-1", "1": "-2"}.get(bit) or str(writer.slot[bit])

    text = ["// Generated from rtl/ by rtl/flow/gates.py. Do not edit.", "#include <rdt/machine/engines/gates.h>", "",
            "namespace rdt::machine {", "namespace {", "", "using Word = uint64_t;", "constexpr Word Zero = 0;", "",
            *writer.text, ""]
    for name, port in netlist.ports.items():
        text.append(f"constexpr int32_t port_{name}[] = {{{', '.join(place(bit) for bit in port['bits'])}}};")
    text.append("constexpr GatePort ports[] = {" + ", ".join(
        f'{{"{name}", {len(port["bits"])}, port_{name}}}' for name, port in netlist.ports.items()) + "};")
    registers = sorted((*netlist.names[f.q], writer.slot[f.q]) for f in netlist.flip_flops if f.q in netlist.names)
    text.append("constexpr GateRegister registers_[] = {\n" + "\n".join(
        f'{{"{name}", {bit}, {slot}}},' for name, bit, slot in registers) + "\n};")
    text += ["", "void edge(Word* v) {", "    again(v);", "    rest(v);", "    registers(v);", "    outputs(v);", "}",
             "", "}  // namespace", "",
             f"const GateModel router_gates{{{len(writer.slot)}, {len(netlist.gates)}, {len(netlist.flip_flops)}, "
             f"ports, {len(netlist.ports)}, registers_, {len(registers)}, edge}};", "",
             "}  // namespace rdt::machine"]
    print(f"gates: {len(netlist.gates)} gates, {len(netlist.flip_flops)} flip-flops, {len(again)} gates follow the "
          f"input pins to outputs, {len(writer.slot)} words", file=sys.stderr)
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, help="folder for the netlist and the log of Yosys")
    parser.add_argument("--netlist", type=pathlib.Path, help="a netlist in Yosys's JSON instead of the RTL")
    args = parser.parse_args()
    work = args.work or args.output.parent
    work.mkdir(parents=True, exist_ok=True)
    module = json.loads(args.netlist.read_text())["modules"][TOP] if args.netlist else netlist(work)
    text = cpp(Netlist(module))
    partial = args.output.with_suffix(".part")
    partial.write_text(text)
    partial.replace(args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
