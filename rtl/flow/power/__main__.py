#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Power of the chip, block by block, idle and under load.

The netlist of `make synth`, rebuilt if the RTL has changed, is simulated as gates under a load, and
the changes of each net are counted. Each change and each cycle takes the energy of the library,
with the wires that `make sta` estimates. Clock, flip-flops and gates of a block are separate. A
second row of the RAM has its words' cycles gated; what that takes in gates is mapped, and it is run
against its RTL. The cells are those of osu050 and osu018 if they are installed, else generic ones
of the project, which are for relative comparison only. Results: tables, and the same in
build/power.json (build/power_NAME.json with a library NAME other than those of OSU).

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

from . import energy
from rtl.flow.sta import cells, library
from rtl.flow.synth import areas, flow, liberty, netlist, technology
from rtl.flow.synth.flow import Failure, Unusable
from rtl.flow.synth.paper import BLOCKS, RAM
from rtl.flow.synth.roles import Roles

ROOT = pathlib.Path(__file__).resolve().parents[3]
MHZ = 60  # the paper's clock
# Chance in percent that an end with nothing to send gets a packet of 16 flits in a cycle.
LOADS = {"idle": 0, "light": 1, "full": 100}
SOURCES = [str(ROOT / f"rtl/{name}.sv") for name in ("rdt_pkg", RAM)]
WORD, WORDS = 18, 16


def toggles(options, netlist_file, directory):
    """Counts of the program for each load: (flits per cycle in and out, changes per cycle of each
    flip-flop and gate)."""
    program = directory / "toggles"
    include = [f"-I{ROOT / d}" for d in ("rtl/flow", "tb", "sim", "systemc")]
    built = subprocess.run(["g++", "-std=c++17", "-O2", *include, str(ROOT / "rtl/flow/power/toggles.cpp"), "-o", str(program)],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if built.returncode:
        raise Failure(f"the simulation does not build: {built.stdout.splitlines()[0]}")
    result = {}
    for name, percent in LOADS.items():
        run = subprocess.run([program, netlist_file, str(options.cycles), str(percent)], stdout=subprocess.PIPE, text=True)
        lines = run.stdout.split("\n")
        if run.returncode or len(lines) < 4:
            raise Failure(f"the simulation ended with code {run.returncode}")
        counted = dict(line.split(" ") for line in lines[:3])
        flits = int(counted["flits_in"]) / options.cycles, int(counted["flits_out"]) / options.cycles
        if percent and not all(flits):
            raise Failure("under load nothing went through the chip")
        result[name] = flits, [int(n) / options.cycles for n in lines[3:] if n]
        print(f"simulated {options.cycles:,} cycles {name}: {flits[0]:.2f} flits per cycle in, {flits[1]:.2f} out", flush=True)
    return result


def picojoules(graph, changes, energies, process, roles):
    """pJ a cycle by block, of the clock pins, the flip-flops and the gates."""
    v2 = process.volts ** 2
    load = defaultdict(float)
    for gate in graph.gates:
        for net, pin in zip(gate.inputs, energies[gate.cell].pins):
            load[net] += energies[gate.cell].pins[pin] + process.wire_pf
    for flop in graph.flops:
        load[flop.data] += energies[flop.cell].pins[roles.library[flop.cell].data] + process.wire_pf
    change = {cell.output: n for cell, n in zip([*graph.flops, *graph.gates], changes)}
    total = {part: defaultdict(float) for part in ("clock", "flops", "gates")}
    for cell in [*graph.flops, *graph.gates]:
        c = energies[cell.cell]
        pj = change[cell.output] * (energy.internal(c, load[cell.output]) + load[cell.output] * v2 / 2)
        if isinstance(cell, netlist.Flop):
            total["clock"][cell.block] += clock_pin(c, roles.library[cell.cell].clock, process)
            pj += change.get(cell.data, 0) * c.inputs[roles.library[cell.cell].data]
        total["flops" if isinstance(cell, netlist.Flop) else "gates"][cell.block] += pj
    return total


def clock_pin(cell, pin, process):
    """pJ of a cycle at a pin: it rises and falls."""
    return 2 * cell.inputs[pin] + (cell.pins[pin] + process.wire_pf) * process.volts ** 2


def gated_clock(energies, process, writes, roles):
    """pJ per cycle of the clock pins of all RAMs when each word has its own gate, and `writes` words are
    written in a cycle: every gate sees every clock edge, a flip-flop those that write it."""
    rams = 20
    (gate_name, invert_name), latch_cell, flop_cell = gating(roles), roles.library[roles.latch], roles.library[roles.flop]
    gate, latch, invert, flop = (energies[c] for c in (gate_name, roles.latch, invert_name, roles.flop))
    v2, wire = process.volts ** 2, process.wire_pf
    always = WORDS * (clock_pin(latch, latch_cell.clock, process) + (gate.pins[roles.input(gate_name)] + wire) * v2)
    low = WORDS * (latch.pins[latch_cell.clock] + wire)
    always += (invert.pins[roles.input(invert_name)] + wire) * v2 + 2 * energy.internal(invert, low)
    drives = WORD * (flop.pins[flop_cell.clock] + wire)
    written = WORD * clock_pin(flop, flop_cell.clock, process) + 2 * energy.internal(gate, drives)
    return rams * always + writes * written


def gating(roles):
    """The cells that gate a cycle, besides the latch: the strongest AND, the smallest inverter."""
    return roles.and2[-1], roles.inverters[0]


def gating_cells(roles):
    """The equivalent of gated.v in cells of the library."""
    gate, invert = gating(roles)
    latch = roles.library[roles.latch]
    first, second = roles.library[gate].inputs
    return f"""
module gated_invert (input A, output Y);
  {invert} mapped (.{roles.input(invert)}(A), .{roles.output(invert)}(Y));
endmodule
module gated_latch (input CLK, input D, output Q);
  {roles.latch} mapped (.{latch.clock}(CLK), .{latch.data}(D), .{roles.output(roles.latch)}(Q));
endmodule
module gated_and (input A, input B, output Y);
  {gate} mapped (.{first}(A), .{second}(B), .{roles.output(gate)}(Y));
endmodule
"""


def gated_ram(directory, process, roles):
    """Gates of a RAM with and without gated words; both against the RTL in Icarus."""
    lib = directory / f"{process.name}.lib"
    (directory / "gating_cells.v").write_text(gating_cells(roles))
    gate_it = f"techmap -map {ROOT / 'rtl/flow/power/gated.v'}\n            techmap -map {directory / 'gating_cells.v'}"
    area = {}
    for name, gate in (("plain", ""), ("gated", gate_it)):
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
        area[name] = round(sum(roles.library[c["type"]].area for c in module["cells"].values()) / roles.unit)
    models = directory / "cells.v"
    cells.write(roles.library, models)
    for wrong in (False, True):
        program = directory / "gated_ram"
        subprocess.run(["iverilog", "-g2012", *(["-DWRONG"] if wrong else []), "-s", "gated_ram", "-o", str(program),
                        str(ROOT / "rtl/flow/power/gated_ram.v"), *SOURCES, str(models),
                        str(directory / "gated.v")], check=True)
        printed = subprocess.run(["vvp", "-n", str(program)], stdout=subprocess.PIPE, text=True).stdout.split()
        if len(printed) != 4 or int(printed[1]) == 0 or (int(printed[3]) > 0) != wrong:
            raise Failure(f"gated RAM{' with an injected bug' if wrong else ''} and RTL: {' '.join(printed)}")
    print(f"gated RAM equal to its RTL in {int(printed[1]):,} reads; an injected bug was detected", flush=True)
    return area


def by_block(total):
    result = defaultdict(float)
    for module, pj in total.items():
        block = max((b for b in BLOCKS if module.startswith(b)), key=len)
        result[block] += pj
    return result


def measure(options, processes):
    synth, directory = options.build / "synth", options.build / "power"
    for path in (synth, directory):
        path.mkdir(parents=True, exist_ok=True)
    result = technology.result(options.build, "power", processes[0])
    result.unlink(missing_ok=True)
    for process in processes:
        library.write(process, directory)
    small = processes[-1]  # the one that is mapped to
    (synth / "cells.lib").write_text(areas.corrected(small)[0])
    roles = Roles(liberty.read(synth / "cells.lib"), small.liberty.name)
    modules = [m for m in flow.elaborate(ROOT, synth) if m.block in BLOCKS]
    with ThreadPoolExecutor(options.jobs) as pool:
        flow.map_all(modules, synth, synth / "cells.lib", pool, lambda m: None)
    graph, _ = netlist.graph_of({m.name: m.json for m in modules}, roles.library, flow.TOP)
    graph.write(directory / "netlist.txt")
    runs = toggles(options, directory / "netlist.txt", directory)
    figures = {"mhz": MHZ, "cycles": options.cycles, "libraries": ", ".join(p.liberty.name for p in processes)}
    can_gate = bool(roles.latch and roles.and2)
    if can_gate:
        area = gated_ram(directory, small, roles)
        figures.update(ram_gates=area["plain"], ram_gates_gated=area["gated"])
    else:
        print(f"power: {small.liberty.name} has no plain latch or no two-input AND: the RAM with gated cycles is left out", file=sys.stderr)
    for process in processes:
        energies = energy.read(directory / f"{process.name}.lib")
        for load, (flits, changes) in runs.items():
            figures[f"flits_in_{load}"], figures[f"flits_out_{load}"] = (round(f, 3) for f in flits)
            parts = picojoules(graph, changes, energies, process, roles)
            mw = {part: {b: pj * MHZ / 1e3 for b, pj in by_block(total).items()} for part, total in parts.items()}
            for part, blocks in mw.items():
                for block, value in blocks.items():
                    figures[f"{block}_{part}_mw_{process.name}_{load}"] = round(value, 3)
                figures[f"chip_{part}_mw_{process.name}_{load}"] = round(sum(blocks.values()), 2)
            chip = sum(sum(blocks.values()) for blocks in mw.values())
            figures[f"chip_mw_{process.name}_{load}"] = round(chip, 2)
            if can_gate:
                gated = gated_clock(energies, process, flits[0], roles) * MHZ / 1e3
                figures[f"ram_clock_gated_mw_{process.name}_{load}"] = round(gated, 2)
                figures[f"chip_gated_mw_{process.name}_{load}"] = round(chip - mw["clock"][RAM] + gated, 2)
    part = result.with_suffix(".json.part")
    part.write_text(json.dumps(figures, indent=2) + "\n")
    part.replace(result)
    show(figures, processes)


def show(f, processes):
    loads = list(LOADS)
    print(f"\nmW at {MHZ} MHz" + "".join(f"{p.feature:>12}{'':>24}" for p in processes))
    print(f"{'':<24}" + "".join(f"{load:>12}" for _ in processes for load in loads))
    columns = [(p.name, load) for p in processes for load in loads]

    def row(name, values):
        print(f"{name:<24}" + "".join(f"{v:>12.1f}" for v in values))

    for block in BLOCKS:
        row(block, [sum(f.get(f"{block}_{part}_mw_{c}_{load}", 0) for part in ("clock", "flops", "gates")) for c, load in columns])
    row("chip", [f[f"chip_mw_{c}_{load}"] for c, load in columns])
    for part in ("clock", "flops", "gates"):
        row(f"  of it {part}", [f[f"chip_{part}_mw_{c}_{load}"] for c, load in columns])
    row("  of it clock of the RAMs", [f[f"{RAM}_clock_mw_{c}_{load}"] for c, load in columns])
    if "ram_gates_gated" in f:
        row("  the same, words gated", [f[f"ram_clock_gated_mw_{c}_{load}"] for c, load in columns])
        row("chip, words gated", [f[f"chip_gated_mw_{c}_{load}"] for c, load in columns])
    print("flits per cycle, in and out: " + "; ".join(f"{load} {f[f'flits_in_{load}']}, {f[f'flits_out_{load}']}" for load in loads))
    if "ram_gates_gated" in f:
        print(f"a RAM has {f['ram_gates']:,} gates, {f['ram_gates_gated']:,} with gated words")
    for process in processes:
        if process.note:
            print(f"library: {process.note}")
    print("typical corner; no glitches, no pads, no clock-tree buffers; wires as in make sta")


def main():
    parser = argparse.ArgumentParser(prog="python3 -m rtl.flow.power", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="blocks mapped at once (%(default)s)")
    parser.add_argument("--cycles", type=int, default=10000, help="of each load (%(default)s)")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="directory (%(default)s)")
    technology.add_options(parser)
    options = parser.parse_args()
    options.build = (ROOT / options.build).resolve()
    os.chdir(ROOT)
    for tool in ("yosys", "g++", "iverilog"):
        if not shutil.which(tool):
            print(f"power: {tool} is not installed", file=sys.stderr)
            return 2
    try:
        measure(options, technology.processes(options))
    except Unusable as reason:
        print(f"power: {reason}", file=sys.stderr)
        return 2
    except (Failure, netlist.Loop) as failure:
        print(f"power: FAILED: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
