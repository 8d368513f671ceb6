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


MORE = 3   # times as many clocks as were asked for, if not all planted mistakes have been seen
FEW = 2    # mistakes that may be left then: ABC looks at one clock, so one may still make no difference over many


def run(program, graph, netlist, clocks, seed, all_planted=True):
    """What the program counted; and what is wrong, if anything. Of planted mistakes that were not seen it is
    asked whether they are any: if no register and no pin can get another value by one, another gate is taken
    instead of it. All but few of the mistakes have to be seen; else (not `all_planted`) an eighth may be left."""
    graph.write(netlist)
    cones, harmless = Cones(graph), []
    while True:
        counted, difference, unseen = _once(program, netlist, clocks, seed, MORE if all_planted else 1, harmless)
        if difference:
            break
        same = [gate for gate, table, _ in unseen if cones.harmless(gate, table, netlist.parent, "unseen")]
        mistakes = [name for gate, _, name in unseen if gate not in same]
        harmless += same
        if mistakes:
            print(f"wrong gates that were planted and not seen: {', '.join(mistakes)}", flush=True)
        if len(mistakes) > (FEW if all_planted else counted["planted"] // 8):
            difference = f"of {counted['planted']} wrong gates {len(mistakes)} were not seen"
        if mistakes or not same or not all_planted:
            break
    counted["planted_harmless"] = len(harmless)
    if difference:
        difference += f" (rerun: {program} {netlist} {clocks} {seed} {MORE * clocks})"
    return counted, difference


def _once(program, netlist, clocks, seed, more, harmless):
    log = netlist.with_suffix(".unseen")
    with open(log, "w") as out:
        done = subprocess.run([program, netlist, *map(str, (clocks, seed, more * clocks, *harmless))],
                              stdout=subprocess.PIPE, stderr=out, text=True)
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    difference = lines.pop("difference", None)
    if done.returncode and not difference:
        difference = f"the program ended with code {done.returncode}"
    unseen = re.findall(r"^not seen: (\d+) (\d+) (.*)$", log.read_text(), re.M)
    return ({name: int(value) for name, value in lines.items()}, difference,
            [(int(gate), int(table), name) for gate, table, name in unseen])
