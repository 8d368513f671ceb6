#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Place and route one block with graywolf and qrouter, and draw it.

A link (rdt_link_io with two VCs) in osu050, three layers of metal, by the scripts of qflow. The
resulting cells and wires are drawn as docs/images/layout.svg; build/layout.json has the wire length
beside that of the placer of make sta for the same netlist.

Exit code 1: a net was not routed, or a tool failed. Exit code 2: a tool or the library is missing; all of
them come from Debian 12.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import replace

from scripts.draw.svg import BLUE, GREEN, GRAY, ORANGE, Picture
from rtl.flow.sta import library, wires
from rtl.flow.synth import areas, flow, liberty, technology
from rtl.flow.synth.flow import Failure, Unusable
from rtl.flow.synth.roles import Roles

ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCK, PARAMETERS = "rdt_link_io", {"NumVc": 2, "Prio": 1, "AlwaysOn": 0}
DESIGN = "link"  # graywolf takes "_io" off the end of a name
METALS = {"metal1": BLUE, "metal2": ORANGE, "metal3": GREEN}
SIDE = 720  # size of the picture


def netlist(directory, process):
    """Mapped for area; pins one by one, as qflow requires."""
    library.write(process, directory)
    lib = directory / f"{process.name}.lib"
    sets = " ".join(f"-set {k} {v}" for k, v in PARAMETERS.items())
    flow.yosys(f"""
        read_verilog -sv -DSYNTHESIS {' '.join(flow.sources(ROOT))}
        chparam {sets} {BLOCK}
        hierarchy -check -top {BLOCK}
        proc
        flatten
        synth -nofsm -noabc -top {BLOCK}
        dfflibmap -liberty {lib}
        opt
        abc -liberty {lib} {flow.AREA}
        opt_clean -purge
        rename -top {DESIGN}
        splitnets -ports -format __
        rename -enumerate
        write_json {directory / DESIGN}.json
        write_blif -gates -true - vdd -false - gnd -undef - gnd {directory / 'synthesis' / DESIGN}.blif
        """, directory / "yosys.log", BLOCK)


def qflow(step, directory, limit):
    try:
        done = subprocess.run(["qflow", step, "-T", "osu050", "-p", str(directory), DESIGN], timeout=limit,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except subprocess.TimeoutExpired:
        raise Failure(f"qflow {step}: not done after {limit} s") from None
    (directory / f"{step}.log").write_text(done.stdout)
    if done.returncode:
        raise Failure(f"qflow {step} ended with {done.returncode} (log: {directory / step}.log)")


class Def:
    """Cells and wires of a DEF file, in um."""

    def __init__(self, path):
        text = path.read_text()
        unit = float(re.search(r"UNITS DISTANCE MICRONS (\d+)", text)[1])
        corners = re.search(r"DIEAREA \( (-?\d+) (-?\d+) \) \( (-?\d+) (-?\d+) \)", text).groups()
        self.box = [int(v) / unit for v in corners]
        self.cells = [(kind, int(x) / unit, int(y) / unit) for kind, x, y in
                      re.findall(r"^- \S+ (\S+) .*?\+ (?:PLACED|FIXED) \( (-?\d+) (-?\d+) \)", text, re.M)]
        self.wires, self.unrouted, self.lengths = [], [], []
        for name, body in re.findall(r"^- (\S+)\s(.*?);", text.split("\nNETS")[1].split("END NETS")[0], re.S | re.M):
            if "ROUTED" not in body:
                if body.count("(") > 1:  # else a pin that nothing takes
                    self.unrouted.append(name)
                continue
            length, layer, at = 0.0, None, None
            for word in re.findall(r"\bmetal\d\b|\( \S+ \S+(?: \S+)? \)", body.split("ROUTED", 1)[1]):
                if word.startswith("metal"):
                    layer, at = word, None
                    continue
                x, y = word[1:-1].split()[:2]
                to = (at[0] if x == "*" else int(x) / unit, at[1] if y == "*" else int(y) / unit)
                if at and at != to:
                    self.wires.append((layer, *at, *to))
                    length += abs(at[0] - to[0]) + abs(at[1] - to[1])
                at = to
            self.lengths.append(length)


def draw(layout, outlines, sizes, path):
    x0, y0, x1, y1 = layout.box
    scale = SIDE / max(x1 - x0, y1 - y0)
    width, height = (x1 - x0) * scale, (y1 - y0) * scale

    def at(x, y):
        return (x - x0) * scale, height - (y - y0) * scale

    picture = Picture(round(width), round(height) + 26, f"{BLOCK} placed and routed in 0.5 um")
    for kind, x, y in layout.cells:
        if kind in sizes and kind in outlines and not kind.startswith("FILL"):
            w, h = (v * scale for v in sizes[kind])
            left, bottom = at(x, y)
            fill = "#bbbbbb" if kind.startswith("DFF") else "#e4e4e4"
            picture.add(f'<rect x="{left:.1f}" y="{bottom - h:.1f}" width="{w:.1f}" height="{h:.1f}" fill="{fill}" '
                        f'stroke="{GRAY}" stroke-width=".3"/>')
    for layer, color in METALS.items():
        lines = []
        for metal, xa, ya, xb, yb in layout.wires:
            if metal == layer:
                (a, b), (c, d) = at(xa, ya), at(xb, yb)
                lines.append(f"M{a:.1f} {b:.1f}" + (f"V{d:.1f}" if a == c else f"H{c:.1f}"))
        picture.path("".join(lines), color, 0.6)
    names = [("flip-flops", "#bbbbbb"), ("gates", "#e4e4e4"), *((m.replace("metal", "metal "), c) for m, c in METALS.items())]
    for k, (name, color) in enumerate(names):
        picture.add(f'<rect x="{8 + 110 * k}" y="{height + 9:.0f}" width="12" height="12" fill="{color}"/>')
        picture.text(25 + 110 * k, height + 20, name, 12)
    path.write_text("\n".join([*picture.parts, "</svg>", ""]))


def measure(options, process):
    directory = (options.build / "layout").resolve()
    for name in ("synthesis", "layout", "source", "log"):
        (directory / name).mkdir(parents=True, exist_ok=True)
    (directory / "source" / f"{DESIGN}.v").write_text(f"// qflow requires a source\nmodule {DESIGN};\nendmodule\n")
    (directory / "project_vars.sh").write_text("set vddnet = vdd\nset gndnet = gnd\nset initial_density = 0.36\n")
    netlist(directory, process)
    lef = process.lef
    shutil.copy(lef.parent / "osu050.par", directory / "layout" / f"{DESIGN}.par")  # qflow's synthesis would
    for step in ("place", "route"):
        qflow(step, directory, options.limit)
    layout = Def(directory / "layout" / f"{DESIGN}.def")
    sizes = {name: (float(w), float(h)) for name, w, h in re.findall(
        r"^MACRO\s+(\w+)$.*?^\s*SIZE\s+([\d.]+)\s+BY\s+([\d.]+)", lef.read_text(), re.S | re.M)}
    draw(layout, areas.outlines(lef), sizes, ROOT / "docs/images/layout.svg")

    lib = directory / f"{process.name}.lib"
    library_cells = liberty.read(lib)
    module = json.loads((directory / f"{DESIGN}.json").read_text())["modules"][DESIGN]
    chip = wires.Chip(module, Roles(library_cells, lib.name), lib, process.wire_pf, areas.rows(process, library_cells))
    placed = chip.place(directory / "link.place")
    figures = {"block": BLOCK, "cells": len(chip.cells), "gates": chip.gates(), "nets": len(layout.lengths),
               "unrouted": len(layout.unrouted), "wire_mm": round(sum(layout.lengths) / 1000, 2),
               "core_um": [round(layout.box[2] - layout.box[0]), round(layout.box[3] - layout.box[1])],
               "wire_mm_by_placer": round(placed["wire_m"] * 1000, 2), "side_um_by_placer": round(placed["side_mm"] * 1000)}
    (options.build / "layout.json").write_text(json.dumps(figures, indent=2) + "\n")
    print("\n".join(f"{key} {value}" for key, value in figures.items()))
    if layout.unrouted:
        raise Failure(f"{len(layout.unrouted)} nets are not routed, {layout.unrouted[0]} among them")


def main():
    parser = argparse.ArgumentParser(prog="python3 -m rtl.flow.layout", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=1800, help="seconds of each step (%(default)s)")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="directory (%(default)s)")
    options = parser.parse_args()
    os.chdir(ROOT)
    tools = [tool for tool in ("yosys", "qflow", "graywolf", "qrouter") if not shutil.which(tool)]
    if tools:
        print(f"layout: not installed: {', '.join(tools)}; no block is placed and routed (Debian 12 has these tools)", file=sys.stderr)
        return 2
    path = technology.installed(technology.OSU050)
    if path is None:
        print("layout: qflow-tech-osu050 is not installed; no block is placed and routed (Debian 12 has it)", file=sys.stderr)
        return 2
    try:
        measure(options, replace(technology.OSU050, liberty=path, lef=next(path.parent.glob("*.lef"))))
    except Unusable as reason:
        print(f"layout: {reason}", file=sys.stderr)
        return 2
    except Failure as failure:
        print(f"layout: FAILED: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
