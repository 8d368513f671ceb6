#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Static timing of the chip and its blocks in nanoseconds.

The chip is mapped flat by Yosys and ABC, with buffers and sizes, and timed: for the cells of osu050 and
osu018 if they are installed, else for generic ones of the project, which are for relative comparison
only. "wires" adds a load for every fan-out. Blocks are mapped each by itself, without the blocks in them,
all pins at 0; their netlists for osu050 are read with osu018, which has the same cells. "placed" has wires
as long as in a placement of the whole chip. Other orders of the same logic show the spread. The netlists
that are timed are run against the RTL, or proven to be the same logic as one that was. OpenSTA times them.
Where it is not installed, straight lines through the delay tables do (sta/linear.py), and no goal applies.
Results: tables, build/sta.json (build/sta_NAME.json with a library NAME other than those of OSU,
build/sta_lines.json with those of OSU and without OpenSTA), build/sta/chip.v with its cells in
build/sta/cells.v, chip_osu018.v, and chip_placed.v and chip_osu018_placed.v with the loads of their
wires (.loads.tcl).

Exit code 1: the netlist differs from the RTL, a tool cannot read it, or, with OpenSTA and the OSU
libraries, the chip is slower than the bar, by fan-out or placed. Exit code 2: something is missing, or a
library's areas contradict its LEF file.
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

from . import cells, library, linear, paths, report, same, sizes, synthesis, timing
from rtl.flow.synth import flow, liberty, netlist, paper, simulate, technology
from rtl.flow.synth.flow import Failure, Unusable
from rtl.flow.synth.roles import Roles

ROOT = pathlib.Path(__file__).resolve().parents[3]
PINS = ("req_i*", "d_i*", "cred_i*")
ENDS = 9000  # every register and output pin has its row


class Work:
    """Cached results, valid as long as their inputs do not change."""

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


class Flow:
    """The tools: a timer and at least one process; the netlist is mapped for the first."""

    def __init__(self, timer, processes, directory):
        self.timer, self.processes, self.first, self.directory = timer, processes, processes[0], directory

    def roles(self, process):
        return Roles(liberty.read(self.directory / f"{process.name}.lib"), process.liberty.name)

    def run_name(self, process, run=0):
        return f"chip{self.suffix(process, run)}"

    def suffix(self, process, run=0):
        return ("" if process is self.first else f"_{process.name}") + (f"_order{run + 1}" if run else "")

    def placed_name(self, process):
        return f"{self.run_name(process)}_placed"

    def readings(self):
        """(process, with wires, as keys name it)"""
        return [(p, wires, report.reading(p, wires)) for p in self.processes for wires in (False, True)]


def gates(path, roles):
    """Gate equivalents, cells and buffers of a mapped netlist."""
    count = Counter()
    with open(path) as file:
        for line in file:
            word = line.split(maxsplit=1)[0] if line.strip() else ""
            if word in roles.library:
                count[word] += 1
    area = sum(roles.library[c].area * n for c, n in count.items()) / roles.unit
    return round(area), sum(count.values()), sum(n for c, n in count.items() if roles.is_buffer(c))


def synthesize(work, modules, used, options):
    """Map every block and the chip, the chip in several orders."""
    first, driver = used.first, used.roles(used.first).driver
    names = [m.name for m in modules]
    blocks = [] if options.chip_only else [m for m in modules if m.block != flow.TOP]
    chip = next(m for m in modules if m.block == flow.TOP)

    def block(module):
        def make():
            synthesis.prepare(module, [n for n in names if n != module.name], work.directory, first.name)
            synthesis.map_logic(module.name, module.name, work.directory, first.name, driver)
        work.once(module.name, f"mapped {module.name}", [f"{module.name}.v", f"{module.name}.json"], make)

    work.once("chip.logic", "chip: logic, flat", [f"{chip.name}.il", f"{chip.name}.logic.json"],
              lambda: synthesis.prepare(chip, [], work.directory, first.name))

    def order(run):
        mapped = f"mapped_order{run + 1}" if run else "mapped"
        work.once(mapped, f"chip: mapped, order {run + 1} of {options.runs}", [f"{mapped}.v", f"{mapped}.json"],
                  lambda: synthesis.map_logic(chip.name, mapped, work.directory, first.name, driver, run))
        for process in used.processes:
            result = used.run_name(process, run)
            work.once(result, f"chip: sized for {process.feature}, order {run + 1} of {options.runs}",
                      [f"{result}.v", f"{result}.json"],
                      lambda p=process, r=result: sizes.sized(used.timer, work.directory, mapped, r, p, flow.TOP),
                      sizes.key(process, used.timer))

    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(order, run) for run in range(options.runs)]
        jobs += [pool.submit(block, m) for m in blocks]
        for job in jobs:
            job.result()
    return blocks


def time_blocks(blocks, used, figures):
    """The slowest variant of each block."""
    roles = used.roles(used.first)
    for module in blocks:
        area, _, _ = gates(used.directory / f"{module.name}.v", roles)
        figures[f"{module.block}_gates"] = max(area, figures.get(f"{module.block}_gates", 0))
        for process, wires, reading in used.readings():
            ways = used.timer.analyse(used.directory, module.name, module.name, process, wires)
            key = f"{module.block}_ns_{reading}"
            figures[key] = max(ways["all"][0].ns, figures.get(key, 0))
    print("timed the blocks", flush=True)


def time_chip(used, options, figures):
    """The chip with and without wires, in all orders; the worst ways of the first."""
    worst = {}
    for process, run in ((p, run) for p in used.processes for run in range(options.runs)):
        name = used.run_name(process, run)
        for wires in (False, True):
            reading = report.reading(process, wires)
            ways = used.timer.analyse(used.directory, name, flow.TOP, process, wires, ends=ENDS if run == 0 else 1,
                                      pins=PINS if run == 0 else ())
            ns = ways["all"][0].ns
            figures[f"chip_ns_{reading}_order{run + 1}"] = ns
            if run == 0:
                figures[f"chip_ns_{reading}"] = ns
                figures[f"hold_ns_{reading}"] = ways["hold"][0].ns
                for pins in PINS:
                    figures[f"{pins.split('_')[0]}_pin_ns_{reading}"] = ways[pins][0].ns
                worst[reading] = ways
        area, number, buffers = gates(used.directory / f"{name}.v", used.roles(process))
        suffix = used.suffix(process, run)
        figures.update({f"chip_gates{suffix}": area, f"chip_cells{suffix}": number, f"chip_buffers{suffix}": buffers})
    for _, _, reading in used.readings():
        runs = [figures[f"chip_ns_{reading}_order{run + 1}"] for run in range(options.runs)]
        figures[f"chip_ns_{reading}_best"], figures[f"chip_ns_{reading}_worst"] = min(runs), max(runs)
    print("timed the chip", flush=True)
    return worst


def time_placed(work, used, figures):
    """The chip with the wires of a placement, as it was sized by fan-out and sized for them."""
    for process in used.processes:
        name = used.placed_name(process)
        work.once(name, f"chip: placed in {process.feature}", [f"{name}.figures.json", f"{name}.json"],
                  lambda p=process, n=name: sizes.placed(used.timer, work.directory, used.run_name(p), n, p, flow.TOP),
                  sizes.key(process, used.timer))
        for key, value in json.loads((work.directory / f"{name}.figures.json").read_text()).items():
            figures[f"{key}_{process.name}" if key.startswith("placed_") else f"chip_ns_{process.name}_{key}"] = value


def compare(used, options, figures):
    """The netlists that were timed against the RTL: of each order one in simulation, and the others of the
    same mapping by proof that they differ from it in sizes and buffers alone."""
    program, failures, compared = simulate.build(ROOT, options.build / "netlist"), [], 0
    directory, roles = used.directory, used.roles(used.first)
    for run in range(options.runs):
        print(f"running the netlist of order {run + 1} against the RTL, {options.cycles} cycles, seed {options.seed}", flush=True)
        name = used.run_name(used.first, run)
        module = synthesis.module_of(directory / f"{name}.json", flow.TOP)
        graph, _ = netlist.graph_of({flow.TOP: module}, roles.library, flow.TOP)
        if {f.clock for f in graph.flops} != set(graph.ports["clk_i"][1]):
            raise Failure("a flip-flop is not clocked by clk_i itself")
        counted, difference = simulate.run(program, graph, directory / f"{name}.txt", options.cycles, options.seed)
        suffix = f"_order{run + 1}" if run else ""
        figures.update({f"netlist{suffix}_{key}": value for key, value in counted.items()})
        figures[f"netlist{suffix}_equal"] = difference is None
        failures += [f"netlist of order {run + 1} and RTL: {difference}"] if difference else []
        others = [used.run_name(p, run) for p in used.processes if p is not used.first]
        others += [] if run or options.no_place else map(used.placed_name, used.processes)
        for other in others:
            same.check(module, synthesis.module_of(directory / f"{other}.json", flow.TOP), roles)
            compared += 1
    figures["netlists_proven_the_same"] = compared
    return failures


def above_bars(used, options, figures):
    """Paths that miss the goal, where there is one. The straight lines are an estimate, which has none."""
    if not isinstance(used.timer, timing.OpenSta):
        return []
    failures = []
    bars = dict(zip((technology.OSU050.name, technology.OSU018.name), options.bar))
    for process in (p for p in used.processes if p.documented):
        bar, reading = bars[process.name], report.reading(process, True)
        figures[f"bar_ns_{reading}"] = bar
        for what, key in (("wires", f"chip_ns_{reading}"), ("the wires of a placement", f"chip_ns_{process.name}_placed")):
            if figures.get(key, 0) > bar:
                failures.append(f"{process.feature} with {what}: {figures[key]:.2f} ns, {figures[key] - bar:.2f} above {bar} ns")
    return failures


def measure(options, used):
    directory = used.directory
    directory.mkdir(parents=True, exist_ok=True)
    estimated = used.first.documented and not isinstance(used.timer, timing.OpenSta)
    result = technology.result(options.build, "sta_lines" if estimated else "sta", used.first)
    result.unlink(missing_ok=True)
    for process in used.processes:
        library.write(process, directory)
    roles = used.roles(used.first)
    modules = [m for m in flow.elaborate(ROOT, directory) if m.block in paper.BLOCKS]

    work = Work(directory, synthesis.key(directory, used.first.name))
    blocks = synthesize(work, modules, used, options)
    figures = {"yosys": subprocess.run(["yosys", "-V"], capture_output=True, text=True).stdout.strip(),
               "corner": "typical", "timer": used.timer.name, "libraries": ", ".join(p.liberty.name for p in used.processes)}
    time_blocks(blocks, used, figures)
    worst = time_chip(used, options, figures)
    if not options.no_place:
        time_placed(work, used, figures)
    cells.write(roles.library, directory / "cells.v")
    failures = []
    for process in used.processes:
        failures += cells.check(directory / f"{used.run_name(process)}.v", directory / "cells.v", flow.TOP, directory / "tools.log")
    figures["netlist_read_by"] = ", ".join(cells.TOOLS)
    if options.cycles:
        failures += compare(used, options, figures)
    places = paths.Places(json.loads((directory / "elaborated.json").read_text())["modules"])
    ways = report.worst_ways(worst[report.reading(used.first, True)],
                             paths.Mapped(synthesis.module_of(directory / "chip.json", flow.TOP), roles),
                             paths.Registers(directory, flow.TOP, places),
                             paths.Logic(synthesis.module_of(directory / f"{flow.TOP}.logic.json", flow.TOP), places, roles))
    failures += above_bars(used, options, figures)
    figures["ok"] = not failures
    figures["failures"] = failures
    part = result.with_suffix(".json.part")
    part.write_text(json.dumps(figures, indent=2) + "\n")
    part.replace(result)
    report.show(figures, ways, used, roles.nand2)
    return failures


def main():
    parser = argparse.ArgumentParser(prog="python3 -m rtl.flow.sta", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    goals = [p.goal_ns for p in (technology.OSU050, technology.OSU018)]
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="mappings at once (%(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="orders of the logic, for the spread (%(default)s)")
    parser.add_argument("--chip-only", action="store_true", help="leave the blocks out")
    parser.add_argument("--no-place", action="store_true", help="leave the placement out")
    parser.add_argument("--cycles", type=int, default=60000, help="of netlist against RTL; 0: none (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of that traffic (%(default)s)")
    parser.add_argument("--bar", type=float, nargs=2, default=goals, metavar=("NS050", "NS018"),
                        help=f"fail above, in 0.5 and 0.18 um with wires ({goals[0]} {goals[1]}, the goal)")
    parser.add_argument("--timer", choices=("opensta", "lines"), help="(OpenSTA if it is installed)")
    technology.add_options(parser)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="directory (%(default)s)")
    options = parser.parse_args()
    options.build = (ROOT / options.build).resolve()
    os.chdir(ROOT)
    has_opensta = bool(shutil.which(timing.OpenSta.program))
    tools = ["yosys", *cells.TOOLS.values(), "g++", *(["make"] if options.cycles else [])]
    tools += [timing.OpenSta.program] if options.timer == "opensta" else []
    missing = [tool for tool in dict.fromkeys(tools) if not shutil.which(tool)]
    if missing:
        print(f"sta: not installed: {', '.join(missing)}", file=sys.stderr)
        return 2
    if not has_opensta and not options.timer:
        print("sta: OpenSTA is not installed: delays are straight lines over the load, and no goal applies", file=sys.stderr)
    timer = timing.OpenSta() if has_opensta and options.timer != "lines" else linear.Linear()
    try:
        processes = technology.processes(options)
        failures = measure(options, Flow(timer, processes, options.build / "sta"))
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
