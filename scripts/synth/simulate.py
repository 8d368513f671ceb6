# SPDX-License-Identifier: MIT
"""The netlist of the chip against its RTL, in lockstep (tb/netlist/netlist.cpp).

Yosys 0.23 misreads some SystemVerilog without a word, so what it made is run, not trusted.
"""
import subprocess

from synth.flow import Failure, TOP, sources


def build(root, directory):
    """The comparison program, with the RTL Verilated; independent of the netlist."""
    include = " ".join(f"-I{root / d}" for d in ("tb", "sim", "systemc"))
    run = subprocess.run(
        ["verilator", "--cc", "--exe", "--build", "-j", "1", "-O3", "-DSYNTHESIS", "-Wno-fatal", "-Wno-lint",
         "--x-initial", "unique", "--x-assign", "unique", "--prefix", "Vrtl", "--top-module", TOP,
         "--Mdir", str(directory), "-o", "netlist", "-CFLAGS", f"-std=c++17 -O2 {include}",
         *sources(root), str(root / "tb/netlist/netlist.cpp")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        (directory.parent / "simulate.log").write_text(run.stdout)
        raise Failure(f"netlist simulation does not build (log: {directory.parent / 'simulate.log'})")
    return directory / "netlist"


def run(program, netlist, clocks, seed):
    """What the program counted; and the difference it found, if any."""
    with open(netlist.with_name("simulate.log"), "w") as log:  # planted mistakes that were not seen
        done = subprocess.run([program, netlist, str(clocks), str(seed)], stdout=subprocess.PIPE, stderr=log, text=True)
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    difference = lines.pop("difference", None)
    if done.returncode and not difference:
        difference = f"the program ended with code {done.returncode}"
    if difference:
        difference += f" (rerun: {program} {netlist} {clocks} {seed})"
    return {name: int(value) for name, value in lines.items()}, difference
