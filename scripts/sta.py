#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Static timing of the chip and its blocks in nanoseconds, in 0.5 and 0.18 um.

The chip is mapped flat by Yosys and ABC, with buffers and sizes, and timed by OpenSTA: once to the
cells of osu050, once to those of osu018. "wires" adds a load for every fan-out. Blocks are mapped each
by itself, without the blocks in them, all pins at 0; their netlists for osu050 are read with osu018,
which has the same cells. "placed" has wires as long as in a placement of the whole chip. Other orders
of the same logic show the spread. The netlists that are timed are run against the RTL, or proven to be
the same logic as one that was.
Results: tables, build/sta.json, build/sta/chip.v with its cells in build/sta/cells.v (0.5 um),
chip_osu018.v, and chip_placed.v and chip_osu018_placed.v with the loads of their wires (.loads.tcl).

Exit code 1: the chip is slower than the bar, by fan-out or placed, or the netlist differs from the RTL, or a tool cannot
read it. Exit code 2: something is missing, or a library's areas contradict its LEF file.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from sta import cells, library, paths, report, same, sizes, synthesis, timing
from synth import flow, liberty, netlist, paper, simulate
from synth.flow import Failure, Unusable

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIRST = library.OSU050  # the blocks are mapped for it
READINGS = {p: (p.name, f"{p.name}_wires") for p in library.PROCESSES}
PINS = ("req_i*", "d_i*", "cred_i*")
ENDS = 9000  # every register and output pin has its row


class Work:
    """What is done once and kept as long as nothing it depends on changes."""

    def __init__(self, directory, key):
        self.directory, self.key = directory, key

    def once(self, name, what, files, make, more=""):
        key = self.key + more
        stamp = self.directory / f"{name}.key"
        kept = all((self.directory / f).exists() for f in files)
        if not kept or not stamp.exists() or stamp.read_text() != key:
            stamp.unlink(missing_ok=True)
            make()
            stamp.write_text(key)
            print(what, flush=True)
        else:
            print(f"{what}: as it was", flush=True)


def gates(path, library_cells):
    """Area in NAND2X1, cells and buffers of a mapped netlist."""
    count = Counter()
    with open(path) as file:
        for line in file:
            word = line.split(maxsplit=1)[0] if line.strip() else ""
            if word in library_cells:
                count[word] += 1
    area = sum(library_cells[c].area * n for c, n in count.items()) / library_cells["NAND2X1"].area
    return round(area), sum(count.values()), sum(n for c, n in count.items() if c.startswith("BUF"))


def synthesize(work, modules, options):
    """Map every block and the chip, the chip in several orders."""
    names = [m.name for m in modules]
    blocks = [] if options.chip_only else [m for m in modules if m.block != flow.TOP]
    chip = next(m for m in modules if m.block == flow.TOP)

    def block(module):
        def make():
            synthesis.prepare(module, [n for n in names if n != module.name], work.directory, FIRST.name)
            synthesis.map_logic(module.name, module.name, work.directory, FIRST.name)
        work.once(module.name, f"mapped {module.name}", [f"{module.name}.v"], make)

    work.once("chip.logic", "chip: logic, flat", [f"{chip.name}.il", f"{chip.name}.logic.json"],
              lambda: synthesis.prepare(chip, [], work.directory, FIRST.name))

    def order(run):
        mapped = f"mapped_order{run + 1}" if run else "mapped"
        work.once(mapped, f"chip: mapped, order {run + 1} of {options.runs}", [f"{mapped}.v", f"{mapped}.json"],
                  lambda: synthesis.map_logic(chip.name, mapped, work.directory, FIRST.name, run))
        for process in library.PROCESSES:
            result = run_name(process, run)
            work.once(result, f"chip: sized for {process.feature}, order {run + 1} of {options.runs}",
                      [f"{result}.v", f"{result}.json"],
                      lambda p=process, r=result: sizes.sized(work.directory, mapped, r, p, flow.TOP), sizes.key(process))

    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(order, run) for run in range(options.runs)]
        jobs += [pool.submit(block, m) for m in blocks]
        for job in jobs:
            job.result()
    return blocks


def run_name(process, run=0):
    return "chip" + ("" if process is FIRST else f"_{process.name}") + (f"_order{run + 1}" if run else "")


def placed_name(process):
    return f"{run_name(process)}_placed"


def time_blocks(blocks, directory, library_cells, figures):
    """Of each block the slowest variant."""
    for module in blocks:
        path = directory / f"{module.name}.v"
        clocked = "input clk_i;" in path.read_text()
        area, _, _ = gates(path, library_cells)
        figures[f"{module.block}_gates"] = max(area, figures.get(f"{module.block}_gates", 0))
        for reading in (r for readings in READINGS.values() for r in readings):
            ways = timing.analyse(path, module.name, directory / f"{reading}.lib", clocked)
            key = f"{module.block}_ns_{reading}"
            figures[key] = max(ways["all"][0].ns, figures.get(key, 0))
    print("timed the blocks", flush=True)


def time_chip(directory, options, figures):
    """The chip with and without wires, in all orders; the worst ways of the first."""
    worst = {}
    for process, run in ((p, run) for p in library.PROCESSES for run in range(options.runs)):
        path = directory / f"{run_name(process, run)}.v"
        for reading in READINGS[process]:
            ways = timing.analyse(path, flow.TOP, directory / f"{reading}.lib", ends=ENDS if run == 0 else 1,
                                  pins=PINS if run == 0 else ())
            ns = ways["all"][0].ns
            figures[f"chip_ns_{reading}_order{run + 1}"] = ns
            if run == 0:
                figures[f"chip_ns_{reading}"] = ns
                figures[f"hold_ns_{reading}"] = ways["hold"][0].ns
                for pins in PINS:
                    figures[f"{pins.split('_')[0]}_pin_ns_{reading}"] = ways[pins][0].ns
                worst[reading] = ways
        area, number, buffers = gates(path, liberty.read(directory / f"{process.name}.lib"))
        suffix = ("" if process is FIRST else f"_{process.name}") + (f"_order{run + 1}" if run else "")
        figures.update({f"chip_gates{suffix}": area, f"chip_cells{suffix}": number, f"chip_buffers{suffix}": buffers})
    for reading in (r for readings in READINGS.values() for r in readings):
        runs = [figures[f"chip_ns_{reading}_order{run + 1}"] for run in range(options.runs)]
        figures[f"chip_ns_{reading}_best"], figures[f"chip_ns_{reading}_worst"] = min(runs), max(runs)
    print("timed the chip", flush=True)
    return worst


def time_placed(work, figures):
    """The chip with the wires of a placement, as it was sized by fan-out and sized for them."""
    for process in library.PROCESSES:
        name = placed_name(process)
        work.once(name, f"chip: placed in {process.feature}", [f"{name}.figures.json", f"{name}.json"],
                  lambda p=process, n=name: sizes.placed(work.directory, run_name(p), n, p, flow.TOP), sizes.key(process))
        for key, value in json.loads((work.directory / f"{name}.figures.json").read_text()).items():
            figures[f"{key}_{process.name}" if key.startswith("placed_") else f"chip_ns_{process.name}_{key}"] = value


def compare(directory, options, figures):
    """The netlists that were timed against the RTL: of each order one in simulation, and the others of the
    same mapping by proof that they differ from it in sizes and buffers alone."""
    program, failures, compared = simulate.build(ROOT, options.build / "netlist"), [], 0
    library_cells = liberty.read(directory / f"{FIRST.name}.lib")
    for run in range(options.runs):
        print(f"running the netlist of order {run + 1} against the RTL, {options.clocks} clocks, seed {options.seed}", flush=True)
        module = synthesis.module_of(directory / f"{run_name(FIRST, run)}.json", flow.TOP)
        graph, _ = netlist.graph_of({flow.TOP: module}, library_cells, flow.TOP)
        if {f.clock for f in graph.flops} != set(graph.ports["clk_i"][1]):
            raise Failure("a flip-flop is not clocked by clk_i itself")
        counted, difference = simulate.run(program, graph, directory / f"{run_name(FIRST, run)}.txt", options.clocks, options.seed)
        suffix = f"_order{run + 1}" if run else ""
        figures.update({f"netlist{suffix}_{name}": value for name, value in counted.items()})
        figures[f"netlist{suffix}_equal"] = difference is None
        failures += [f"netlist of order {run + 1} and RTL: {difference}"] if difference else []
        others = [run_name(p, run) for p in library.PROCESSES if p is not FIRST]
        others += [] if run or options.no_place else map(placed_name, library.PROCESSES)
        for other in others:
            same.check(module, synthesis.module_of(directory / f"{other}.json", flow.TOP), library_cells)
            compared += 1
    figures["netlists_proven_the_same"] = compared
    return failures


def measure(options):
    directory = options.build / "sta"
    directory.mkdir(parents=True, exist_ok=True)
    result = options.build / "sta.json"
    result.unlink(missing_ok=True)
    for process in library.PROCESSES:
        library.write(process, directory)
    library_cells = liberty.read(directory / f"{FIRST.name}.lib")
    modules = [m for m in flow.elaborate(ROOT, directory) if m.block in paper.BLOCKS]

    work = Work(directory, synthesis.key(directory, FIRST.name))
    blocks = synthesize(work, modules, options)
    figures = {"yosys": subprocess.run(["yosys", "-V"], capture_output=True, text=True).stdout.strip(),
               "corner": "typical"}
    time_blocks(blocks, directory, library_cells, figures)
    worst = time_chip(directory, options, figures)
    if not options.no_place:
        time_placed(work, figures)
    cells.write(library_cells, directory / "cells.v")
    failures = []
    for process in library.PROCESSES:
        failures += cells.check(directory / f"{run_name(process)}.v", directory / "cells.v", flow.TOP, directory / "tools.log")
    figures["netlist_read_by"] = ", ".join(cells.TOOLS)
    if options.clocks:
        failures += compare(directory, options, figures)
    places = paths.Places(json.loads((directory / "elaborated.json").read_text())["modules"])
    ways = report.worst_ways(worst, paths.Mapped(synthesis.module_of(directory / "chip.json", flow.TOP)),
                             paths.Registers(directory, flow.TOP, places),
                             paths.Logic(synthesis.module_of(directory / f"{flow.TOP}.logic.json", flow.TOP), places))
    for (process, (_, reading)), bar in zip(READINGS.items(), options.bar):
        figures[f"bar_ns_{reading}"] = bar
        for what, key in (("wires", f"chip_ns_{reading}"), ("the wires of a placement", f"chip_ns_{process.name}_placed")):
            if figures.get(key, 0) > bar:
                failures.append(f"{process.feature} with {what}: {figures[key]:.2f} ns, {figures[key] - bar:.2f} above {bar} ns")
    figures["ok"] = not failures
    figures["failures"] = failures
    part = result.with_suffix(".json.part")
    part.write_text(json.dumps(figures, indent=2) + "\n")
    part.replace(result)
    report.show(figures, ways, options.bar)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    goals = [p.goal_ns for p in library.PROCESSES]
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="mappings at once (%(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="orders of the logic, for the spread (%(default)s)")
    parser.add_argument("--chip-only", action="store_true", help="leave the blocks out")
    parser.add_argument("--no-place", action="store_true", help="leave the placement out")
    parser.add_argument("--clocks", type=int, default=60000, help="of netlist against RTL; 0: none (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of that traffic (%(default)s)")
    parser.add_argument("--bar", type=float, nargs=2, default=goals, metavar=("NS050", "NS018"),
                        help=f"fail above, in 0.5 and 0.18 um with wires ({goals[0]} {goals[1]}, the goal)")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="directory (%(default)s)")
    options = parser.parse_args()
    os.chdir(ROOT)
    for tool in ("yosys", "sta", *cells.TOOLS.values(), *(("make", "g++") if options.clocks else ())):
        if not shutil.which(tool):
            print(f"sta: {tool} is not installed", file=sys.stderr)
            return 2
    try:
        failures = measure(options)
    except Unusable as reason:
        print(f"sta: {reason}", file=sys.stderr)
        return 2
    except (Failure, netlist.Loop) as failure:
        failures = [failure]
    for failure in failures:
        print(f"sta: FAILED: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
