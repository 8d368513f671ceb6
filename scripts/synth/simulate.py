# SPDX-License-Identifier: MIT
"""The netlist of the chip against its RTL, in lockstep (tb/netlist/netlist.cpp).

Yosys 0.23 misreads some SystemVerilog without a word, so what it made is run, not trusted.
"""
import re
import subprocess

from synth.cones import Cones
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


def run(program, graph, netlist, clocks, seed):
    """What the program counted; and what is wrong, if anything. Of planted mistakes that were not seen it is
    asked whether they are any: no register and no pin may get another value by them. An eighth of them may
    be left: some show only in what a longer run does."""
    graph.write(netlist)
    log = netlist.with_suffix(".unseen")
    with open(log, "w") as out:
        done = subprocess.run([program, netlist, str(clocks), str(seed)], stdout=subprocess.PIPE, stderr=out, text=True)
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    difference = lines.pop("difference", None)
    counted = {name: int(value) for name, value in lines.items()}
    if done.returncode and not difference:
        difference = f"the program ended with code {done.returncode}"
    if not difference:
        unseen = [(int(gate), int(table), name) for gate, table, name in
                  re.findall(r"^not seen: (\d+) (\d+) (.*)$", log.read_text(), re.M)]
        cones = Cones(graph)
        mistakes = [name for gate, table, name in unseen if not cones.harmless(gate, table, netlist.parent, "unseen")]
        counted["planted_harmless"] = len(unseen) - len(mistakes)
        if mistakes:
            print(f"wrong gates that were planted and not seen: {', '.join(mistakes)}", flush=True)
        if 8 * len(mistakes) > counted["planted"]:
            difference = f"of {counted['planted']} wrong gates {len(mistakes)} were not seen"
    if difference:
        difference += f" (rerun: {program} {netlist} {clocks} {seed})"
    return counted, difference
