#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The RTL of rdt_router as C++ that simulates 64 routers at once: bit k of a word belongs to router k.
Compiled with RDT_WIDE_GATES, the same text has words of 256 routers.

Yosys maps the RTL to gates of two inputs, flip-flops and the RAMs of the packet buffers. This script writes the
gates in topological order as operations on words, cut into functions of some hundred gates. A RAM is a loop over
its words: as gates, the RAMs would be a quarter of the code, and the code does not fit into the first-level cache.
Constants and names of registers go into tables (sim/rdt/machine/engines/gates.h).

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
CHUNK = 400  # gates of a function: more make the compiler slow, fewer store more words; from 200 to 1000 as fast
BINARY = {"$_AND_": "{A} & {B}", "$_OR_": "{A} | {B}", "$_XOR_": "{A} ^ {B}", "$_ANDNOT_": "{A} & ~{B}",
          "$_ORNOT_": "{A} | ~{B}", "$_NOT_": "~{A}", "$_MUX_": "{A} ^ (({A} ^ {B}) & {S})"}
FLIP_FLOP = re.compile(r"\$_(DFF|DFFE|SDFF|SDFFE|SDFFCE)_([PN])([PN]?)([01]?)([PN]?)_$")

PLACES = ("[[maybe_unused]] const Word* __restrict v, [[maybe_unused]] Word* __restrict n, "
          "[[maybe_unused]] Word* __restrict t")
WORDS = """#ifdef RDT_WIDE_GATES
using Word = WideWord;
inline bool is_zero(const Word& word) { return (word[0] | word[1] | word[2] | word[3]) == 0; }
#else
using Word = uint64_t;
inline bool is_zero(Word word) { return word == 0; }
#endif
constexpr Word Zero{};
"""
RAMS = """// Bit i of the result: of the routers that address word i.
template <size_t Bits>
std::array<Word, 1 << Bits> decode(Word of, const std::array<Word, Bits>& address) {
    std::array<Word, 1 << Bits> all{of};
    for (size_t b = 0, size = 1; b < Bits; ++b, size *= 2)
        for (size_t i = 0; i < size; ++i) {
            all[size + i] = all[i] & address[b];
            all[i] &= ~address[b];
        }
    return all;
}
template <size_t Bits, size_t Width>
[[gnu::noinline]] void read_ram(const Word* __restrict ram, const std::array<Word, Bits>& address,
                                Word* __restrict data) {
    const std::array<Word, 1 << Bits> reads = decode(~Zero, address);
    for (size_t bit = 0; bit < Width; ++bit) data[bit] = ram[bit] & reads[0];
    for (size_t i = 1; i < 1 << Bits; ++i)
        for (size_t bit = 0; bit < Width; ++bit) data[bit] |= ram[i * Width + bit] & reads[i];
}
template <size_t Bits, size_t Width>
[[gnu::noinline]] void write_ram(Word* __restrict ram, Word enable, const std::array<Word, Bits>& address,
                                 const std::array<Word, Width>& from) {
    if (is_zero(enable)) return;
    const std::array<Word, 1 << Bits> writes = decode(enable, address);
    const std::array<Word, Width> data = from;
    for (size_t i = 0; i < 1 << Bits; ++i) {
        if (is_zero(writes[i])) continue;
        for (size_t bit = 0; bit < Width; ++bit)
            ram[i * Width + bit] ^= (ram[i * Width + bit] ^ data[bit]) & writes[i];
    }
}
"""

SCRIPT = """
read_verilog -sv -DSYNTHESIS {sources}
hierarchy -check -top {top}
proc
flatten
opt -fast
memory_collect
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


class Ram:
    """A memory: one port that writes at the clock edge, one that reads at once."""

    def __init__(self, cell):
        def number(name):
            return int(cell["parameters"][name], 2)

        pins = cell["connections"]
        self.name = cell["parameters"]["MEMID"].lstrip("\\")
        self.size, self.width = number("SIZE"), number("WIDTH")
        self.read_address, self.data = pins["RD_ADDR"], pins["RD_DATA"]
        self.address, self.new_data, self.enable = pins["WR_ADDR"], pins["WR_DATA"], pins["WR_EN"][0]
        kind = [number(f"{port}_{what}") for port in ("RD", "WR") for what in ("PORTS", "CLK_ENABLE")]
        if kind != [1, 0, 1, 1] or not number("WR_CLK_POLARITY") or set(pins["WR_EN"]) != {self.enable} or \
                self.size != 1 << len(self.address):
            sys.exit(f"gates: unknown kind of memory {self.name}")


class Netlist:
    def __init__(self, module):
        self.ports = module["ports"]
        self.gates = {}  # net -> kind, its inputs by pin
        self.flip_flops = []
        self.rams = []
        for cell in module["cells"].values():
            if cell["type"] == "$scopeinfo":  # Yosys 0.39 and later: names of flattened modules, no logic
                continue
            if cell["type"] == "$mem_v2":
                self.rams.append(Ram(cell))
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
        # Registers of a block one after the other: their gates have much in common.
        self.flip_flops.sort(key=lambda f: self.names.get(f.q, ("", f.q)))

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
    """Functions of some hundred gates each. Words are in three places, each of them small enough for a constant
    offset in an instruction: v[] has pins and flip-flops, n[] the next values of flip-flops, t[] what one function
    computes and others read."""

    def __init__(self, netlist):
        self.netlist = netlist
        self.slot = {net: i for i, net in enumerate([f.q for f in netlist.flip_flops] + netlist.inputs)}
        self.shared = {}
        for ram in netlist.rams:  # words of one RAM are together
            for net in ram.data:
                self.shared[net] = len(self.shared)
        self.text = []

    def share(self, net):
        if net in self.netlist.gates:
            self.shared.setdefault(net, len(self.shared))

    def read(self, net, here=()):
        if net in ("0", "x"):
            return "Zero"
        if net == "1":
            return "~Zero"
        if net in here:
            return here[net]
        return f"v[{self.slot[net]}]" if net in self.slot else f"t[{self.shared[net]}]"

    def next_value(self, f, here):
        def read(net):
            return self.read(net, here)

        def reset(value):
            if f.reset is None:
                return value
            active = read(f.reset) if f.reset_is_high else f"~{read(f.reset)}"
            return f"(({value}) | {active})" if f.value == "1" else f"(({value}) & ~({active}))"

        def enable(value):
            if f.enable is None:
                return value
            active = read(f.enable) if f.enable_is_high else f"~{read(f.enable)}"
            return f"({read(f.q)} ^ (({read(f.q)} ^ {value}) & {active}))"

        return enable(reset(read(f.d))) if f.enable_gates_reset else reset(enable(read(f.d)))

    def function(self, name, lines):
        self.text.append(f"[[gnu::noinline]] void {name}({PLACES}) {{\n" + "\n".join(lines) + "\n}")

    def gates(self, nets, here):
        lines = []
        for net in nets:
            kind, pins = self.netlist.gates[net]
            value = BINARY[kind].format(**{pin: self.read(other, here) for pin, other in pins.items()})
            here[net] = f"a{len(here)}"
            lines.append(f"const Word {here[net]} = {value};")
            if net in self.shared:
                lines.append(f"t[{self.shared[net]}] = {here[net]};")
        return lines

    def parts(self, name, parts):
        """Parts: gates, and flip-flops whose next values are known after them. Returns calls of their functions."""
        part_of = {net: i for i, (nets, _) in enumerate(parts) for net in nets}
        for i, (nets, flip_flops) in enumerate(parts):
            reads = [o for net in nets for o in self.netlist.gates[net][1].values()]
            reads += [o for f in flip_flops for o in f.reads]
            for net in reads:
                if part_of.get(net, i) != i:
                    self.share(net)
        for i, (nets, flip_flops) in enumerate(parts):
            here = {}
            lines = self.gates(nets, here)
            lines += [f"n[{self.slot[f.q]}] = {self.next_value(f, here)};" for f in flip_flops]
            self.function(f"{name}_{i}", lines)
        return [f"{name}_{i}(v, n, t);" for i in range(len(parts))]


def cpp(netlist):
    writer = Writer(netlist)
    done = set()
    # The RAMs are read before all else; their addresses come from flip-flops.
    addresses = netlist.in_order([net for ram in netlist.rams for net in ram.read_address], done)
    if any(other in writer.shared for net in addresses for other in netlist.gates[net][1].values()):
        sys.exit("gates: an address of a RAM depends on what another one shows")
    parts, part = [], ([], [])
    for f in netlist.flip_flops:
        part[0].extend(netlist.in_order(f.reads, done))
        part[1].append(f)
        if len(part[0]) + len(part[1]) > CHUNK:
            parts.append(part)
            part = ([], [])
    parts.append((part[0] + netlist.in_order([net for ram in netlist.rams
                                              for net in (*ram.address, *ram.new_data, ram.enable)], done), part[1]))
    for ram in netlist.rams:
        for net in (*ram.read_address, *ram.address, *ram.new_data, ram.enable):
            writer.share(net)
    for net in addresses:  # others may read them
        writer.share(net)
    edge = writer.parts("next", parts)
    writer.function("addresses", writer.gates(addresses, {}))
    size = len(writer.slot)
    words = 2 * size + len(writer.shared)
    reads, writes, registers = [], [], []
    for ram in netlist.rams:
        bits = ", ".join(writer.read(net) for net in ram.read_address)
        reads.append(f"read_ram<{len(ram.read_address)}, {ram.width}>(v + {words}, {{{bits}}}, "
                     f"t + {writer.shared[ram.data[0]]});")
        bits = ", ".join(writer.read(net) for net in ram.address)
        data = ", ".join(writer.read(net) for net in ram.new_data)
        writes.append(f"write_ram<{len(ram.address)}, {ram.width}>(v + {words}, {writer.read(ram.enable)}, {{{bits}}}, "
                      f"{{{data}}});")
        registers += [(f"{ram.name}[{i}]", bit, words + i * ram.width + bit)
                      for i in range(ram.size) for bit in range(ram.width)]
        words += ram.size * ram.width
    registers += [(*netlist.names[f.q], writer.slot[f.q]) for f in netlist.flip_flops if f.q in netlist.names]
    # The output pins after the edge.
    outputs = netlist.in_order(netlist.outputs, set())
    here = {}
    lines = [line for line in writer.gates(outputs, here) if not line.startswith("t[")]
    places = {"0": -1, "x": -1, "1": -2, **{net: i for net, i in writer.slot.items()}}
    for net in netlist.outputs:
        if net not in places:
            places[net] = words
            lines.append(f"v[{words}] = {here[net]};")
            words += 1

    flip_flops = len(netlist.flip_flops)
    text = ["// Generated from rtl/ by rtl/flow/gates.py. Do not edit.", "#include <rdt/machine/engines/gates.h>", "",
            "#include <array>", "#include <cstring>", "", "namespace rdt::machine {", "namespace {", "",
            WORDS, RAMS, *writer.text, "", "void edge(Word* v) {", f"Word* const n = v + {size};",
            f"Word* const t = n + {size};", "addresses(v, n, t);", *reads, *edge, *writes,
            f"std::memcpy(v, n, {flip_flops} * sizeof(Word));", *lines, "}", "", "}  // namespace", "",
            "#ifdef RDT_WIDE_GATES", "void wide_edge(uint64_t* words) { edge(reinterpret_cast<Word*>(words)); }", "#else",
            "namespace {", ""]
    for name, port in netlist.ports.items():
        text.append(f"constexpr int32_t port_{name}[] = {{{', '.join(str(places[bit]) for bit in port['bits'])}}};")
    text.append("constexpr GatePort ports[] = {" + ", ".join(
        f'{{"{name}", {len(port["bits"])}, port_{name}}}' for name, port in netlist.ports.items()) + "};")
    text.append("constexpr GateRegister registers_[] = {\n" + "\n".join(
        f'{{"{name}", {bit}, {slot}}},' for name, bit, slot in sorted(registers)) + "\n};")
    text += ["", "}  // namespace", "",
             f"const GateModel router_gates{{{words}, {len(netlist.gates)}, {len(registers)}, "
             f"ports, {len(netlist.ports)}, registers_, {len(registers)}, edge}};", "", "#endif", "",
             "}  // namespace rdt::machine"]
    print(f"gates: {len(netlist.gates)} gates, {flip_flops} flip-flops, {len(netlist.rams)} RAMs, "
          f"{len(writer.shared)} words between functions", file=sys.stderr)
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
