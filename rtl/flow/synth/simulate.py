# SPDX-License-Identifier: MIT
"""The netlist of the chip against its RTL, in lockstep (rtl/flow/netlist/netlist.cpp).

Yosys 0.23 misreads some SystemVerilog without a word, so what it made is run, not trusted.
"""
import re
import subprocess
from dataclasses import dataclass

from .prover import Prover
from .flow import Failure, TOP, sources


def build(root, directory):
    """The comparison program, with the RTL Verilated; independent of the netlist."""
    include = " ".join(f"-I{root / d}" for d in ("rtl/flow", "tb", "sim", "systemc"))
    run = subprocess.run(
        ["verilator", "--cc", "--exe", "--build", "-j", "1", "-O3", "-fno-const-bit-op-tree", "-DSYNTHESIS", "-Wno-fatal", "-Wno-lint",
         "--x-initial", "unique", "--x-assign", "unique", "--prefix", "Vrtl", "--top-module", TOP,
         "--Mdir", str(directory), "-o", "netlist", "-CFLAGS", f"-std=c++17 -O2 {include}",
         *sources(root), str(root / "rtl/flow/netlist/netlist.cpp")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        (directory.parent / "simulate.log").write_text(run.stdout)
        raise Failure(f"netlist simulation does not build (log: {directory.parent / 'simulate.log'})")
    return directory / "netlist"


MORE = 6      # times as many cycles as requested, if not all injected gates have been detected
CONTROLS = 3  # detected gates for which the same proof is tried: it must fail
PATIENCE = 6  # times the limit of a mutant, because mutants are many
MOST_UNDECIDED = 0.1  # of the injected gates: with more of them the traffic detects too little
INJECTED = re.compile(r"^(seen|not seen): (\d+) (\d+) (\S+)((?: \d+)*)$", re.M)


@dataclass(frozen=True)
class Injected:
    seen: bool
    gate: int
    table: int
    name: str
    registers: frozenset  # registers with another value, up to the detection


def run(program, graph, netlist, cycles, seed):
    """The counts of the program, and the error, if any. Each injected wrong gate must be detected. One
    that is proven to change nothing at the pins is replaced by another gate in the next run. So is one that is
    neither detected nor proven: whether it changes anything is undecided, since a proof may run out of time.
    Undecided gates are named, and only too many of them are a failure."""
    nets = {str(number): net for net, number in graph.write(netlist).items()}
    prover, harmless, undecided = Prover(graph, netlist.parent, patience=PATIENCE), {}, {}
    while True:
        counted, difference, injected = _once(program, netlist, cycles, seed, harmless | undecided, nets)
        unseen = [p for p in injected if not p.seen]
        if difference or not unseen:
            break
        names = {p.gate: f"{p.name} of {prover.block(p.gate)}" for p in unseen}
        stages = {p.gate: prover.decide(p, p.registers) for p in unseen}
        proven = {gate: names[gate] for gate, stage in stages.items() if stage}
        open_ = {gate: name for gate, name in names.items() if gate not in proven}
        for what, gates in (("proven to change nothing", proven), ("undecided, neither detected nor proven to change nothing", open_)):
            if gates:
                print(f"{what}, so other gates are injected: {', '.join(gates.values())}", flush=True)
        harmless |= proven
        undecided |= open_
        if len(undecided) > MOST_UNDECIDED * counted["injected"]:
            difference = (f"{len(undecided)} injected wrong gates are undecided, more than a tenth of {counted['injected']}: "
                          "the traffic detects too little")
            break
        _check_prover(prover, Prover(graph, netlist.parent), stages, [p for p in injected if p.seen])
    for kind, gates in (("harmless", harmless), ("undecided", undecided)):
        counted[f"injected_{kind}"] = len(gates)
        counted[f"injected_{kind}_are"] = ", ".join(gates.values())
    if difference:
        gates = " ".join(map(str, harmless | undecided))
        difference += f" (rerun: {program} {netlist} {cycles} {seed} {MORE * cycles} {gates}".rstrip() + ")"
    return counted, difference


def _check_prover(prover, quick, stages, seen):
    """Gates that were detected must not be proven to change nothing."""
    controls = [quick.decide(p, p.registers) and p.name for p in seen[:CONTROLS]]
    if "source" in stages.values():
        units = [p for p in seen if prover.source.output(p) is not None]
        controls += [prover.decide(p, p.registers, "source") and p.name for p in units[:CONTROLS]]
    for name in filter(None, controls):
        raise Failure(f"{name}: proven to change nothing, but detected")


def _once(program, netlist, cycles, seed, without, nets):
    log = netlist.with_suffix(".injected")
    with open(log, "w") as out:
        done = subprocess.run([program, netlist, *map(str, (cycles, seed, MORE * cycles, *without))],
                              stdout=subprocess.PIPE, stderr=out, text=True)
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    difference = lines.pop("difference", None)
    if done.returncode and not difference:
        difference = f"the program ended with code {done.returncode}"
    injected = [Injected(seen == "seen", int(gate), int(table), name, frozenset(nets[n] for n in registers.split()))
                for seen, gate, table, name, registers in INJECTED.findall(log.read_text())]
    return {name: int(value) for name, value in lines.items()}, difference, injected
