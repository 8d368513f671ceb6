#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Power of the chip, block by block, idle and under load, in 0.5 and 0.18 um.

The netlist of `make synth`, made again if it is of other RTL, is simulated in gates under a load, and how often each net changes is
counted; each change and each clock takes the energy that the library says, with the wires that
`make sta` estimates. Clock, flip-flops and gates of a block are told apart. A second row of the RAM
has its words' clocks gated; what that takes in gates is mapped, and it is run against its RTL.
Results: tables, and the same in build/power.json.

Exit code 1: the gated RAM differs from its RTL, or nothing went through the chip. Exit code 2:
something is missing.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

from power import energy
from sta import cells, library
from synth import areas, flow, liberty, netlist
from synth.flow import Failure, Unusable
from synth.paper import BLOCKS, RAM

ROOT = pathlib.Path(__file__).resolve().parent.parent
MHZ = 60  # the paper's clock
# Chance in percent that an end with nothing to send gets a packet of 16 flits in a clock.
LOADS = {"idle": 0, "light": 1, "full": 100}
SOURCES = [str(ROOT / f"rtl/{name}.sv") for name in ("rdt_pkg", RAM)]
FLOP, WORD, WORDS = "DFFPOSX1", 18, 16


def toggles(options, netlist_file, directory):
    """What the program counted under each load: (flits a clock in and out, changes a clock of each
    flip-flop and gate)."""
    program = directory / "toggles"
    include = [f"-I{ROOT / d}" for d in ("tb", "sim", "systemc")]
    built = subprocess.run(["g++", "-std=c++17", "-O2", *include, str(ROOT / "tb/netlist/toggles.cpp"), "-o", str(program)],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if built.returncode:
        raise Failure(f"the simulation does not build: {built.stdout.splitlines()[0]}")
    result = {}
    for name, percent in LOADS.items():
        run = subprocess.run([program, netlist_file, str(options.clocks), str(percent)], stdout=subprocess.PIPE, text=True)
        lines = run.stdout.split("\n")
        if run.returncode or len(lines) < 4:
            raise Failure(f"the simulation ended with code {run.returncode}")
        counted = dict(line.split(" ") for line in lines[:3])
        flits = int(counted["flits_in"]) / options.clocks, int(counted["flits_out"]) / options.clocks
        if percent and not all(flits):
            raise Failure("under load nothing went through the chip")
        result[name] = flits, [int(n) / options.clocks for n in lines[3:] if n]
        print(f"simulated {options.clocks:,} clocks {name}: {flits[0]:.2f} flits a clock in, {flits[1]:.2f} out", flush=True)
    return result


def picojoules(graph, changes, energies, process):
    """pJ a clock by block, of the clock pins, the flip-flops and the gates."""
    v2 = process.volts ** 2
    load = defaultdict(float)
    for gate in graph.gates:
        for net, pin in zip(gate.inputs, energies[gate.cell].pins):
            load[net] += energies[gate.cell].pins[pin] + process.wire_pf
    for flop in graph.flops:
        load[flop.data] += energies[flop.cell].pins["D"] + process.wire_pf
    change = {cell.output: n for cell, n in zip([*graph.flops, *graph.gates], changes)}
    total = {part: defaultdict(float) for part in ("clock", "flops", "gates")}
    for cell in [*graph.flops, *graph.gates]:
        c = energies[cell.cell]
        pj = change[cell.output] * (energy.internal(c, load[cell.output]) + load[cell.output] * v2 / 2)
        if isinstance(cell, netlist.Flop):
            total["clock"][cell.block] += clock_pin(c, "CLK", process)
            pj += change.get(cell.data, 0) * c.inputs["D"]
        total["flops" if isinstance(cell, netlist.Flop) else "gates"][cell.block] += pj
    return total


def clock_pin(cell, pin, process):
    """pJ of a clock at a pin: it rises and falls."""
    return 2 * cell.inputs[pin] + (cell.pins[pin] + process.wire_pf) * process.volts ** 2


def gated_clock(energies, process, writes):
    """pJ a clock of the clock pins of all RAMs when each word has its own gate, and `writes` words are
    written in a clock: every gate sees every clock, a flip-flop those that write it."""
    rams = 20
    gate, latch, invert = energies["AND2X2"], energies["LATCH"], energies["INVX1"]
    v2, wire = process.volts ** 2, process.wire_pf
    always = WORDS * (clock_pin(latch, "CLK", process) + (gate.pins["A"] + wire) * v2)
    low = WORDS * (latch.pins["CLK"] + wire)
    always += (invert.pins["A"] + wire) * v2 + 2 * energy.internal(invert, low)
    drives = WORD * (energies[FLOP].pins["CLK"] + wire)
    written = WORD * clock_pin(energies[FLOP], "CLK", process) + 2 * energy.internal(gate, drives)
    return rams * always + writes * written


def gated_ram(directory):
    """Gates of a RAM with and without gated words; both against the RTL in Icarus."""
    lib = directory / f"{library.OSU018.name}.lib"
    area = {}
    for name, gate in (("plain", ""), ("gated", f"techmap -map {ROOT / 'scripts/power/gated.v'}")):
        flow.yosys(f"""
            read_liberty -lib -ignore_miss_func {lib}
            read_verilog -sv -DSYNTHESIS {' '.join(SOURCES)}
            hierarchy -top {RAM}
            proc
            opt
            memory -nomap
            memory_map
            opt -full
            {gate}
            techmap
            opt
            dfflibmap -liberty {lib}
            opt
            abc -liberty {lib} {flow.AREA}
            opt_clean -purge
            check -mapped -assert
            rename {RAM} {name}
            write_verilog -noattr -noexpr -simple-lhs {directory / name}.v
            write_json {directory / name}.json
            """, directory / f"{name}.log", f"RAM, {name}")
        module = json.loads((directory / f"{name}.json").read_text())["modules"][name]
        outline = areas.outlines(areas.beside(library.find(library.OSU018)))
        area[name] = round(sum(outline[c["type"]] for c in module["cells"].values()) / outline[areas.NAND])
    models = directory / "cells.v"
    cells.write(liberty.read(lib), models)
    with open(models, "a") as out:
        out.write("module LATCH (input CLK, input D, output reg Q);\n  always @* if (CLK) Q = D;\nendmodule\n")
    for wrong in (False, True):
        program = directory / "gated_ram"
        subprocess.run(["iverilog", "-g2012", *(["-DWRONG"] if wrong else []), "-s", "gated_ram", "-o", str(program),
                        str(ROOT / "tb/netlist/gated_ram.v"), *SOURCES, str(models),
                        str(directory / "gated.v")], check=True)
        said = subprocess.run(["vvp", "-n", str(program)], stdout=subprocess.PIPE, text=True).stdout.split()
        if len(said) != 4 or int(said[1]) == 0 or (int(said[3]) > 0) != wrong:
            raise Failure(f"gated RAM{' with a planted mistake' if wrong else ''} and RTL: {' '.join(said)}")
    print(f"gated RAM equal to its RTL in {int(said[1]):,} reads; a planted mistake was seen", flush=True)
    return area


def by_block(total):
    result = defaultdict(float)
    for module, pj in total.items():
        block = max((b for b in BLOCKS if module.startswith(b)), key=len)
        result[block] += pj
    return result


def measure(options):
    synth, directory = options.build / "synth", options.build / "power"
    for path in (synth, directory):
        path.mkdir(parents=True, exist_ok=True)
    result = options.build / "power.json"
    result.unlink(missing_ok=True)
    for process in library.PROCESSES:
        library.write(process, directory)
    (synth / "cells.lib").write_text(areas.corrected(library.find(library.OSU018))[0])
    cells018 = liberty.read(synth / "cells.lib")
    modules = [m for m in flow.elaborate(ROOT, synth) if m.block in BLOCKS]
    with ThreadPoolExecutor(options.jobs) as pool:
        flow.map_all(modules, synth, synth / "cells.lib", pool, lambda m: None)
    graph, _ = netlist.graph_of({m.name: m.json for m in modules}, cells018, flow.TOP)
    graph.write(directory / "netlist.txt")
    runs = toggles(options, directory / "netlist.txt", directory)
    area = gated_ram(directory)

    figures = {"mhz": MHZ, "clocks": options.clocks, "ram_gates": area["plain"], "ram_gates_gated": area["gated"]}
    for process in library.PROCESSES:
        energies = energy.read(directory / f"{process.name}.lib")
        for load, (flits, changes) in runs.items():
            figures[f"flits_in_{load}"], figures[f"flits_out_{load}"] = (round(f, 3) for f in flits)
            parts = picojoules(graph, changes, energies, process)
            mw = {part: {b: pj * MHZ / 1e3 for b, pj in by_block(total).items()} for part, total in parts.items()}
            for part, blocks in mw.items():
                for block, value in blocks.items():
                    figures[f"{block}_{part}_mw_{process.name}_{load}"] = round(value, 3)
                figures[f"chip_{part}_mw_{process.name}_{load}"] = round(sum(blocks.values()), 2)
            chip = sum(sum(blocks.values()) for blocks in mw.values())
            figures[f"chip_mw_{process.name}_{load}"] = round(chip, 2)
            gated = gated_clock(energies, process, flits[0]) * MHZ / 1e3
            figures[f"ram_clock_gated_mw_{process.name}_{load}"] = round(gated, 2)
            figures[f"chip_gated_mw_{process.name}_{load}"] = round(chip - mw["clock"][RAM] + gated, 2)
    part = result.with_suffix(".json.part")
    part.write_text(json.dumps(figures, indent=2) + "\n")
    part.replace(result)
    show(figures)


def show(f):
    loads = list(LOADS)
    print(f"\nmW at {MHZ} MHz" + "".join(f"{p.feature:>12}{'':>24}" for p in library.PROCESSES))
    print(f"{'':<24}" + "".join(f"{load:>12}" for _ in library.PROCESSES for load in loads))
    columns = [(p.name, load) for p in library.PROCESSES for load in loads]

    def row(name, values):
        print(f"{name:<24}" + "".join(f"{v:>12.1f}" for v in values))

    for block in BLOCKS:
        row(block, [sum(f.get(f"{block}_{part}_mw_{c}_{load}", 0) for part in ("clock", "flops", "gates")) for c, load in columns])
    row("chip", [f[f"chip_mw_{c}_{load}"] for c, load in columns])
    for part in ("clock", "flops", "gates"):
        row(f"  of it {part}", [f[f"chip_{part}_mw_{c}_{load}"] for c, load in columns])
    row("  of it clock of the RAMs", [f[f"{RAM}_clock_mw_{c}_{load}"] for c, load in columns])
    row("  the same, words gated", [f[f"ram_clock_gated_mw_{c}_{load}"] for c, load in columns])
    row("chip, words gated", [f[f"chip_gated_mw_{c}_{load}"] for c, load in columns])
    print("flits a clock, in and out: " + "; ".join(f"{load} {f[f'flits_in_{load}']}, {f[f'flits_out_{load}']}" for load in loads))
    print(f"a RAM has {f['ram_gates']:,} gates, {f['ram_gates_gated']:,} with gated words")
    print("typical corner; no glitches, no pads, no buffers of a clock tree; wires as in make sta")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="blocks mapped at once (%(default)s)")
    parser.add_argument("--clocks", type=int, default=10000, help="of each load (%(default)s)")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="directory (%(default)s)")
    options = parser.parse_args()
    os.chdir(ROOT)
    for tool in ("yosys", "g++", "iverilog"):
        if not shutil.which(tool):
            print(f"power: {tool} is not installed", file=sys.stderr)
            return 2
    try:
        measure(options)
    except Unusable as reason:
        print(f"power: {reason}", file=sys.stderr)
        return 2
    except (Failure, netlist.Loop) as failure:
        print(f"power: FAILED: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
