#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Synthesizes the router and compares it with the gate counts of the RDT paper (Table VIII).

Every block is mapped by Yosys to standard cells, in each variant the chip uses and without the blocks
inside it: an input unit is counted without its RAMs and its bit-map generator. A gate is the area of
the smallest two-input NAND; areas are those of the LEF file. The mapped netlist of the whole chip is
then run against the RTL. The cells are those of osu018 if they are installed, else generic ones of the
project, which are for relative comparison only.
Results: a table, and the same in build/synth.json (build/synth_NAME.json with a library NAME other
than osu018); the netlist is build/synth/netlist.v.

Exit code 1: a latch, a combinational loop, a cell that is not in the library, a netlist that differs
from the RTL, or, with osu018, the chip or a block above the paper's figure (but for blocks that do what
the paper's did not). Exit code 2: something is missing, or the library's areas contradict its LEF file.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from . import areas, flow, liberty, netlist, simulate, table, technology
from .flow import Failure, Unusable
from .paper import BLOCKS, PAPER, PAPER_LOGIC, PAPER_RAM, RAM, RAM_BITS
from .roles import Roles

ROOT = pathlib.Path(__file__).resolve().parents[3]

# Functions that the paper's chip did not have. A block may pass its row of the table for it; the chip may not.
BEYOND_PAPER = {
    "rdt_link_io": "resynchronizes to the other end after a disturbance, and pairs its credits",
    "rdt_input_unit": "keeps buffers over a shoot-down, drops malformed headers, holds tags and requests entries round-robin",
    "rdt_ack": "shares entries and answers round robin, detects late answers by their generation",
}


def measure(modules, roles):
    """Figures of each block, by flat key."""
    library, unit, buffer = roles.library, roles.unit, roles.buffers[0]
    jsons = {m.name: m.json for m in modules}
    blocks = list(jsons)
    figures = {}
    for block in BLOCKS:
        gates, array, extra, flops, paths = {}, {}, {}, {}, []
        variants = [m for m in modules if m.block == block]
        for m in variants:
            graph, cells = netlist.graph_of(jsons, library, m.name, outside=blocks)
            gates[m.name] = sum(library[c].area * n for c, n in cells.items()) / unit
            array[m.name] = sum(roles.array_gates(c) * n for c, n in cells.items())
            extra[m.name] = sum(map(table.buffers, graph.loads().values())) * library[buffer].area / unit
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
            f"{block}.array_gates_total": round(sum(array[m.name] * m.count for m in variants)),
            f"{block}.buffer_gates_total": round(sum(extra[m.name] * m.count for m in variants)),
            f"{block}.flipflops_total": sum(flops[m.name] * m.count for m in variants),
            f"{block}.levels": deepest.levels,
            f"{block}.path_start": deepest.start,
            f"{block}.path_end": deepest.end,
        })
        if block in PAPER:
            figures[f"{block}.paper_name"], figures[f"{block}.paper_gates"], _ = PAPER[block]
            if block != RAM:
                figures[f"{block}.ratio"] = round(max(gates.values()) / PAPER[block][1], 3)
    return figures


def measure_chip(graph, figures):
    if {f.clock for f in graph.flops} != set(graph.ports["clk_i"][1]):
        raise Failure("a flip-flop is not clocked by clk_i itself")
    if graph.floating():
        raise Failure(f"{graph.floating()[0]} reads a net without a driver")
    path = graph.longest()
    logic, array, extra = (sum(figures[f"{b}.{w}_total"] for b in BLOCKS if b != RAM)
                           for w in ("gates", "array_gates", "buffer_gates"))
    in_flops = figures[f"{RAM}.gates_total"]
    return {
        f"{RAM}.gates_as_macro_at_paper_density": PAPER[RAM][1],
        f"{RAM}.judged_as": f"macro: {RAM_BITS} bits at the paper's {PAPER[RAM][1] / RAM_BITS:.1f} gates a bit",
        "chip.logic_gates": logic,
        "chip.logic.gates_total": logic,
        "chip.logic.array_gates_total": array,
        "chip.logic.buffer_gates_total": extra,
        "chip.array_gates_with_ram_as_macro": array + PAPER_RAM,
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


def save(figures, path):
    part = path.with_suffix(".json.part")
    part.write_text(json.dumps(figures, indent=2) + "\n")
    part.replace(path)


def synthesize(options, process):
    build = options.build / "synth"
    build.mkdir(parents=True, exist_ok=True)
    result = technology.result(options.build, "synth", process)
    result.unlink(missing_ok=True)
    text, changed = areas.corrected(process)
    checked = build / "cells.lib"
    checked.write_text(text)
    library = liberty.read(checked)
    roles = Roles(library, process.liberty.name)

    with ThreadPoolExecutor(options.jobs) as pool:
        program = pool.submit(simulate.build, ROOT, options.build / "netlist") if options.cycles else None
        modules = [m for m in flow.elaborate(options.tree, build) if m.block in BLOCKS]
        finished = 0

        def progress(module):
            nonlocal finished
            finished += 1
            print(f"[{finished:2}/{len(modules)}] {module.name}", flush=True)

        flow.map_all(modules, build, checked, pool, progress)
    program = program and program.result()
    flow.check_cells(modules, library)

    figures = {"yosys": subprocess.run(["yosys", "-V"], capture_output=True, text=True).stdout.strip(),
               "library": process.liberty.name}
    figures.update(measure(modules, roles))
    graph, _ = netlist.graph_of({m.name: m.json for m in modules}, library, flow.TOP)
    figures.update(measure_chip(graph, figures))
    figures.update(table.sums(figures))
    failures = above_budget(figures) if process.documented else []
    if program:
        print(f"running the netlist against the RTL, {options.cycles} cycles, seed {options.seed}", flush=True)
        counted, difference = simulate.run(program, graph, build / "netlist.txt", options.cycles, options.seed)
        figures.update({f"netlist.{name}": value for name, value in counted.items()})
        figures["netlist.seed"] = options.seed
        figures["netlist.equal"] = difference is None
        if difference:
            failures.append(f"netlist and RTL: {difference}")
    figures["ok"] = not failures
    figures["failures"] = failures
    save(figures, result)

    table.show(figures, changed, process, roles.nand2)
    for block, why in BEYOND_PAPER.items():
        more = figures[f"{block}.gates_largest"] - PAPER[block][1]
        if process.documented and more > 0:
            print(f"{block} has {more:,} gates more than its row of the paper: it {why}")
    if figures.get("netlist.equal"):
        print(f"netlist equal to the RTL on every pin for {figures['netlist.cycles']:,} cycles and "
              f"{figures['netlist.packets']:,} packets, from random start values;")
        print(table.count_injected(figures, "netlist."))
    return failures


def main():
    parser = argparse.ArgumentParser(prog="python3 -m rtl.flow.synth", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="blocks synthesized at once (%(default)s)")
    parser.add_argument("--cycles", type=int, default=120000, help="of netlist against RTL; 0: none (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of that traffic (%(default)s)")
    technology.add_options(parser)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="directory (%(default)s)")
    parser.add_argument("--tree", type=pathlib.Path, default=ROOT, metavar="DIR",
                        help="of other RTL, to measure; with --cycles 0 and --build")
    options = parser.parse_args()
    options.build = (ROOT / options.build).resolve()
    os.chdir(options.tree)

    for tool in ("yosys", *(("verilator", "make", "g++") if options.cycles else ())):
        if not shutil.which(tool):
            print(f"synth: {tool} is not installed", file=sys.stderr)
            return 2
    try:
        failures = synthesize(options, technology.for_area(options))
    except Unusable as reason:
        print(f"synth: {reason}", file=sys.stderr)
        return 2
    except (Failure, netlist.Loop) as failure:
        failures = [failure]
    for failure in failures:
        print(f"synth: FAILED: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
