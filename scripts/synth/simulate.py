# SPDX-License-Identifier: MIT
"""The netlist of the chip against its RTL, in lockstep (tb/netlist/netlist.cpp).

Yosys 0.23 misreads some SystemVerilog without a word, so what it made is run, not trusted.
"""
import re
import subprocess
from dataclasses import dataclass

from mutate.equal import Prover
from synth.flow import Failure, TOP, sources


def build(root, directory):
    """The comparison program, with the RTL Verilated; independent of the netlist."""
    include = " ".join(f"-I{root / d}" for d in ("tb", "sim", "systemc"))
    run = subprocess.run(
        ["verilator", "--cc", "--exe", "--build", "-j", "1", "-O3", "-fno-const-bit-op-tree", "-DSYNTHESIS", "-Wno-fatal", "-Wno-lint",
         "--x-initial", "unique", "--x-assign", "unique", "--prefix", "Vrtl", "--top-module", TOP,
         "--Mdir", str(directory), "-o", "netlist", "-CFLAGS", f"-std=c++17 -O2 {include}",
         *sources(root), str(root / "tb/netlist/netlist.cpp")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        (directory.parent / "simulate.log").write_text(run.stdout)
        raise Failure(f"netlist simulation does not build (log: {directory.parent / 'simulate.log'})")
    return directory / "netlist"


MORE = 6      # times as many clocks as were asked for, if not all planted mistakes have been seen
CONTROLS = 3  # mistakes that were seen, of which the same proof is asked: it must not be found
PATIENCE = 6  # times as long as for a mutant, of which there are many
PLANTED = re.compile(r"^(seen|not seen): (\d+) (\d+) (\S+)((?: \d+)*)$", re.M)


@dataclass(frozen=True)
class Planted:
    seen: bool
    gate: int
    table: int
    name: str
    registers: frozenset  # that held something else, up to where it was seen


def run(program, graph, netlist, clocks, seed):
    """What the program counted; and what is wrong, if anything. Each of the planted mistakes has to be seen,
    but for those that are proven to be none: pins always get what they get without them. These have another
    gate in their place in the next run."""
    nets = {str(number): net for net, number in graph.write(netlist).items()}
    prover, harmless = Prover(graph, netlist.parent, patience=PATIENCE), {}
    while True:
        counted, difference, planted = _once(program, netlist, clocks, seed, harmless, nets)
        unseen = [p for p in planted if not p.seen]
        if difference or not unseen:
            break
        names = {p.gate: f"{p.name} of {prover.block(p.gate)}" for p in unseen}
        stages = {p.gate: prover.decide(p, p.registers) for p in unseen}
        proven = {gate: names[gate] for gate, stage in stages.items() if stage}
        left = [name for gate, name in names.items() if gate not in proven]
        if proven:
            print(f"proven to change nothing, so others are planted: {', '.join(proven.values())}", flush=True)
        if left:
            print(f"neither seen nor proven to change nothing: {', '.join(left)}", flush=True)
            difference = f"of {counted['planted']} wrong gates {len(left)} were not seen"
        if difference:
            break
        quick, seen = Prover(graph, netlist.parent), [p for p in planted if p.seen]
        controls = [quick.decide(p, p.registers) and p.name for p in seen[:CONTROLS]]
        if "source" in stages.values():
            units = [p for p in seen if prover.source.output(p) is not None]
            controls += [prover.decide(p, p.registers, "source") and p.name for p in units[:CONTROLS]]
        for name in filter(None, controls):
            raise Failure(f"{name}: proven to change nothing, but seen")
        harmless |= proven
    counted["planted_harmless"] = len(harmless)
    counted["planted_harmless_are"] = ", ".join(harmless.values())
    if difference:
        gates = " ".join(map(str, harmless))
        difference += f" (rerun: {program} {netlist} {clocks} {seed} {MORE * clocks} {gates}".rstrip() + ")"
    return counted, difference


def _once(program, netlist, clocks, seed, harmless, nets):
    log = netlist.with_suffix(".planted")
    with open(log, "w") as out:
        done = subprocess.run([program, netlist, *map(str, (clocks, seed, MORE * clocks, *harmless))],
                              stdout=subprocess.PIPE, stderr=out, text=True)
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    difference = lines.pop("difference", None)
    if done.returncode and not difference:
        difference = f"the program ended with code {done.returncode}"
    planted = [Planted(seen == "seen", int(gate), int(table), name, frozenset(nets[n] for n in registers.split()))
               for seen, gate, table, name, registers in PLANTED.findall(log.read_text())]
    return {name: int(value) for name, value in lines.items()}, difference, planted
