#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Synthesize the chip and hold it against the gate counts of the RDT paper (Table VIII).

Every block is mapped by Yosys to the osu018 standard cells, in each variant the chip uses and
without the blocks inside it: an input unit is counted without its RAMs and its bit-map generator.
A gate is the area of a NAND2X1. The mapped netlist of the whole chip is then run against the RTL.
Results: a table, and the same in build/synth.json; the netlist is build/synth/netlist.v.

Exit code 1: a latch, a combinational loop, a cell that is not in the library, the chip or a block
above the paper's figure (but for blocks that do what the paper's did not), or a netlist that differs
from the RTL. Exit code 2: something is missing.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from synth import flow, liberty, netlist, simulate
from synth.flow import Failure

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAND = "NAND2X1"
RAM = "rdt_buffer_ram"
RAM_BITS = 16 * 18

# Block -> its name, gates and count in the paper.
PAPER = {
    "rdt_crossbar": ("crossbar", 2927, 1),
    "rdt_arbiter": ("arbiter", 2736, 1),
    "rdt_input_unit": ("multicast controller", 1558, 10),
    "rdt_link_io": ("I/O controller", 397, 10),
    "rdt_bitmap_gen": ("bit-map generator", 2288, 10),
    "rdt_ack": ("acknowledge combining", 2009, 1),
    RAM: ("buffer RAM", 2021, 20),
}
# What the paper's chip did not have. A block may pass its row of the table for it; the chip may not.
BEYOND_PAPER = {
    "rdt_ack": "shares entries and answers round robin, tells late answers by their generation",
}
PAPER_LOGIC = sum(g * n for b, (_, g, n) in PAPER.items() if b != RAM)
PAPER_RAM = PAPER[RAM][1] * PAPER[RAM][2]
NOT_LISTED = ("rdt_output_unit", "rdt_local", "rdt_inject", "rdt_router")
BLOCKS = (*PAPER, *NOT_LISTED)  # modules that are none of these are part of the block they are in


def measure(modules, library):
    """Figures of each block, by flat key."""
    jsons = {m.name: m.json for m in modules}
    blocks = list(jsons)
    figures = {}
    for block in BLOCKS:
        gates, flops, paths = {}, {}, []
        variants = [m for m in modules if m.block == block]
        for m in variants:
            graph, cells = netlist.graph_of(jsons, library, m.name, outside=blocks)
            gates[m.name] = sum(library[c].area * n for c, n in cells.items()) / library[NAND].area
            flops[m.name] = len(graph.flops)
            paths.append(graph.longest())
            if graph.floating():
                raise Failure(f"{m.name}: {graph.floating()[0]} reads a net without a driver")
        deepest = max(paths, key=lambda p: p.levels)
        figures.update({
            f"{block}.count": sum(m.count for m in variants),
            f"{block}.variants": len(variants),
            f"{block}.gates_largest": round(max(gates.values())),
            f"{block}.gates_total": round(sum(gates[m.name] * m.count for m in variants)),
            f"{block}.flipflops_total": sum(flops[m.name] * m.count for m in variants),
            f"{block}.levels": deepest.levels,
            f"{block}.path_start": deepest.start,
            f"{block}.path_end": deepest.end,
        })
        if block in PAPER:
            figures[f"{block}.paper_name"], figures[f"{block}.paper_gates"], _ = PAPER[block]
            figures[f"{block}.ratio"] = round(max(gates.values()) / PAPER[block][1], 3)
    return figures


def measure_chip(graph, figures):
    if {f.clock for f in graph.flops} != set(graph.ports["clk_i"][1]):
        raise Failure("a flip-flop is not clocked by clk_i itself")
    if graph.floating():
        raise Failure(f"{graph.floating()[0]} reads a net without a driver")
    path = graph.longest()
    logic = sum(figures[f"{b}.gates_total"] for b in BLOCKS if b != RAM)
    in_flops = figures[f"{RAM}.gates_total"]
    return {
        f"{RAM}.gates_as_macro_at_paper_density": PAPER[RAM][1],
        f"{RAM}.judged_as": f"macro: {RAM_BITS} bits at the paper's {PAPER[RAM][1] / RAM_BITS:.1f} gates a bit",
        "chip.logic_gates": logic,
        "chip.ram_gates_in_flipflops": in_flops,
        "chip.ram_gates_as_macro_at_paper_density": PAPER_RAM,
        "chip.gates_with_ram_in_flipflops": logic + in_flops,
        "chip.gates_with_ram_as_macro": logic + PAPER_RAM,
        "chip.paper_logic_gates": PAPER_LOGIC,
        "chip.paper_ram_gates": PAPER_RAM,
        "chip.paper_gates": PAPER_LOGIC + PAPER_RAM,
        "chip.levels": path.levels,
        "chip.path_start": path.start,
        "chip.path_end": path.end,
    }


def above_budget(figures):
    """The RAM is judged as the macro it stands for, so its flip-flops do not count here."""
    found = []
    for block, (name, gates, _) in PAPER.items():
        have = figures[f"{block}.gates_largest"]
        if block not in (RAM, *BEYOND_PAPER) and have > gates:
            found.append(f"{block} has {have} gates, {have - gates} more than the paper's {name} ({gates})")
    if figures["chip.logic_gates"] > PAPER_LOGIC:
        found.append(f"the logic has {figures['chip.logic_gates']} gates, the paper's chip {PAPER_LOGIC}")
    return found


def table(f):
    def line(*columns):
        print("{:<16} {:>5} {:>7} {:>7}  {:<21} {:>7} {:>6} {:>6}  {}".format(*columns).rstrip())

    def row(block, paper="(not listed)", gates="", ratio=""):
        line(block, f[f"{block}.count"], f"{f[f'{block}.gates_largest']:,}", f"{f[f'{block}.gates_total']:,}",
             paper, gates, ratio, f[f"{block}.levels"], f"{f[f'{block}.path_start']} -> {f[f'{block}.path_end']}")

    print()
    line("block", "count", "gates", "total", "in the paper", "gates", "ratio", "levels", "longest path")
    for block, (name, gates, _) in PAPER.items():
        row(block, name, f"{gates:,}", f"{f[f'{block}.ratio']:.2f}")
    for block in NOT_LISTED[:-1]:
        row(block)
    print()
    for name, have, paper in (
            ("logic", f["chip.logic_gates"], PAPER_LOGIC),
            ("RAM, as flip-flops", f["chip.ram_gates_in_flipflops"], PAPER_RAM),
            ("RAM, as the paper's macro", PAPER_RAM, PAPER_RAM),
            ("chip, RAM as macro", f["chip.gates_with_ram_as_macro"], PAPER_LOGIC + PAPER_RAM)):
        print(f"{name:<26} {have:>7,}  of the paper's {paper:>7,}  ({have / paper:.2f})")
    for block, why in BEYOND_PAPER.items():
        more = f[f"{block}.gates_largest"] - PAPER[block][1]
        if more > 0:
            print(f"{block} has {more:,} gates more than its row: it {why}")
    print(f"longest path of the chip: {f['chip.levels']} cells, {f['chip.path_start']} -> {f['chip.path_end']}")
    print("gates: the largest variant, in areas of a NAND2X1. levels: cells in a row. The RAMs are judged as the macro")
    print(f"they stand for, {PAPER[RAM][1]:,} gates for {RAM_BITS} bits; what they take in flip-flops is shown beside it.")


def save(figures, path):
    part = path.with_suffix(".json.part")
    part.write_text(json.dumps(figures, indent=2) + "\n")
    part.replace(path)


def synthesize(options, lib):
    build = options.build / "synth"
    build.mkdir(parents=True, exist_ok=True)
    result = options.build / "synth.json"
    result.unlink(missing_ok=True)
    library = liberty.read(lib)

    with ThreadPoolExecutor(options.jobs) as pool:
        program = pool.submit(simulate.build, ROOT, build / "sim") if options.clocks else None
        modules = [m for m in flow.elaborate(ROOT, build) if m.block in BLOCKS]
        finished = 0

        def progress(module):
            nonlocal finished
            finished += 1
            print(f"[{finished:2}/{len(modules)}] {module.name}", flush=True)

        flow.map_all(modules, build, lib, pool, progress)
    program = program and program.result()
    flow.check_cells(modules, library)

    figures = {"yosys": subprocess.run(["yosys", "-V"], capture_output=True, text=True).stdout.strip(),
               "library": lib.name}
    figures.update(measure(modules, library))
    graph, _ = netlist.graph_of({m.name: m.json for m in modules}, library, flow.TOP)
    figures.update(measure_chip(graph, figures))
    failures = above_budget(figures)
    if program:
        print(f"running the netlist against the RTL, {options.clocks} clocks, seed {options.seed}", flush=True)
        graph.write(build / "netlist.txt")
        counted, difference = simulate.run(program, build / "netlist.txt", options.clocks, options.seed)
        figures.update({f"netlist.{name}": value for name, value in counted.items()})
        figures["netlist.seed"] = options.seed
        figures["netlist.equal"] = difference is None
        if difference:
            failures.append(f"netlist and RTL: {difference}")
    figures["ok"] = not failures
    figures["failures"] = failures
    save(figures, result)

    table(figures)
    if figures.get("netlist.equal"):
        print(f"netlist equal to the RTL on every pin for {figures['netlist.clocks']:,} clocks and "
              f"{figures['netlist.packets']:,} packets, from random start values;")
        print(f"{figures['netlist.planted_seen']} of {figures['netlist.planted']} planted wrong gates were seen")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="blocks synthesized at once (%(default)s)")
    parser.add_argument("--clocks", type=int, default=120000, help="of netlist against RTL; 0: none (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of that traffic (%(default)s)")
    parser.add_argument("--liberty", metavar="FILE", help=f"cell library (default: that of {liberty.PACKAGE})")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="directory (%(default)s)")
    options = parser.parse_args()
    os.chdir(ROOT)

    for tool in ("yosys", *(("verilator", "make", "g++") if options.clocks else ())):
        if not shutil.which(tool):
            print(f"synth: {tool} is not installed", file=sys.stderr)
            return 2
    lib = liberty.find(options.liberty)
    if lib is None:
        print(f"synth: no cell library; install {liberty.PACKAGE} or give --liberty FILE", file=sys.stderr)
        return 2
    try:
        failures = synthesize(options, lib)
    except (Failure, netlist.Loop) as failure:
        failures = [failure]
    for failure in failures:
        print(f"synth: FAILED: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
