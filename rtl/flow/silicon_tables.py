#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of docs/silicon.md from build/sta.json, synth.json and power.json.

With --write they replace those in the document, between its marks; without, a table that differs
from the results is reported with exit code 1. A result that is not there leaves its table.
"""
import argparse
import json
import pathlib
import re
import sys

from rtl.flow.synth import table
from rtl.flow.synth.before import BEFORE
from rtl.flow.synth.paper import BLOCKS, PAPER, RAM, SUMS

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/silicon.md"
READINGS = ("osu050", "osu050_wires", "osu018", "osu018_wires")
LOADS = [(p, load) for p in ("osu050", "osu018") for load in ("idle", "light", "full")]
SUM_NAMES = ("**front end of a port** (input units, bit-map generators)", "**line of a port** (links, output units)",
             "**shared** (crossbar, arbiter, acks, LOCAL)")


def named(block):
    return "between the blocks" if block == "rdt_router" else f"`{block}`"


def rows(head, body):
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *body))


def time(f):
    def ns(key, suffix=""):
        return [f"{f[f'{key}_{r}{suffix}']:.2f}" for r in READINGS]

    body = [[named(b), f"{f[f'{b}_gates']:,}", *ns(f"{b}_ns")] for b in BLOCKS if f"{b}_gates" in f]
    body.append(["**chip**", f"{f['chip_gates']:,}", *ns("chip_ns")])
    body += [[f"chip, order {n}", f"{f[f'chip_gates_order{n}']:,}", *ns("chip_ns", f"_order{n}")]
             for n in range(2, 9) if f"chip_gates_order{n}" in f]
    body += [[f"from a {pin.upper()} pin", "", *ns(f"{pin}_pin_ns")] for pin in ("req", "d", "cred")]
    return rows(["shortest period, ns", "gates", "0.5 um", "0.5 um, wires", "0.18 um", "0.18 um, wires"], body)


def placed(f):
    if "chip_ns_osu050_placed" not in f:
        return None
    lines = [("side of the core, mm", "placed_side_mm_{}", ".2f"), ("share of cells", "placed_use_{}", ".0%"),
             ("wire, m", "placed_wire_m_{}", ".1f"),
             ("wire per fan-out, um", "placed_um_a_fanout_{}", ".0f"),
             ("ns, by fan-out (the table above)", "chip_ns_{}_wires", ".2f"),
             ("ns, the same netlist with the wires of the placement", "chip_ns_{}_as_sized_by_fanout", ".2f"),
             ("**ns, sized for them**", "chip_ns_{}_placed", ".2f"), ("gates", "placed_gates_{}", ",")]
    return rows(["", "0.5 um", "0.18 um"],
                [[name, *(format(f[key.format(p)], form) for p in ("osu050", "osu018"))] for name, key, form in lines])


def area(f):
    def row(first, count, what, one, key, blocks, strong=False):
        cell, extra, array = (f[f"{key}.{w}_total"] for w in ("gates", "buffer_gates", "array_gates"))
        paper, added = table.paper_of(blocks), cell - sum(BEFORE[b] for b in blocks)
        bold = "**{}**".format if strong else str
        return [first, str(count), what, one, bold(f"{cell:,}"), bold(f"{added:+,}" if added else "0"), f"{extra:,}",
                bold(f"{array:,}"), *((bold(f"{paper:,}"), bold(f"{cell / paper:.2f}"), bold(f"{array / paper:.2f}"))
                                      if paper else ("", "", ""))]

    def one(block):
        return row(named(block), f[f"{block}.count"], PAPER[block][0] if block in PAPER else "not listed",
                   f"{f[f'{block}.gates_largest']:,}", block, [block])

    body = [one(b) for b in BLOCKS if b != RAM]
    body += [row(name, "", "", "", f"sum{n}", blocks) for n, (name, blocks) in enumerate(zip(SUM_NAMES, SUMS.values()))]
    body.append(row("**all logic**", "", "", "", "chip.logic", [b for b in BLOCKS if b != RAM], True))
    body.append(["RAM in flip-flops, 20 of 288 bits", *one(RAM)[1:]])
    return rows(["block", "count", "the paper's", "one", "all", "added", "buffers", "all, gate array", "paper", "ratio, area",
                 "ratio, array"], body)


def power(f):
    def line(name, value):
        return [name, *(f"{value(p, load):,.1f}" for p, load in LOADS)]

    def block(b):
        return lambda p, load: sum(f.get(f"{b}_{part}_mw_{p}_{load}", 0) for part in ("clock", "flops", "gates"))

    def of(key):
        return lambda p, load: f[f"{key}_mw_{p}_{load}"]

    body = [line(named(b), block(b)) for b in BLOCKS]
    body += [line("**chip**", of("chip")), line("clock pins, part of the chip", of("chip_clock")),
             line("outputs of flip-flops, part of the chip", of("chip_flops")), line("gates, part of the chip", of("chip_gates")),
             line("clock pins of the RAMs", of(f"{RAM}_clock")), line("the same, words gated", of("ram_clock_gated")),
             line("**chip, words gated**", of("chip_gated"))]
    return rows(["mW at 60 MHz", "0.5 um, idle", "light", "full", "0.18 um, idle", "light", "full"], body)


TABLES = {"time": ("sta.json", time), "placed": ("sta.json", placed), "area": ("synth.json", area), "power": ("power.json", power)}


def main():
    parser = argparse.ArgumentParser(prog="python3 -m rtl.flow.silicon_tables", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="renew the document")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="directory of the results (build)")
    options = parser.parse_args()
    text, wrong = PAGE.read_text(), []
    for name, (file, make) in TABLES.items():
        path = options.build / file
        try:
            new = make(json.loads(path.read_text())) if path.exists() else None
        except KeyError:  # results of another library
            new = None
        mark = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- end -->)", re.S)
        if not mark.search(text):
            print(f"silicon: {PAGE.name} has no mark for {name}", file=sys.stderr)
            return 2
        if new is None:
            print(f"docs/silicon.md, table {name}: not measured with the OSU libraries ({path})")
        elif mark.search(text)[0].count(new) == 0:
            wrong.append(name)
            text = mark.sub(lambda m, new=new: m[1] + new + m[2], text)
    if options.write:
        PAGE.write_text(text)
    for name in wrong:
        print(f"docs/silicon.md, table {name}: " + ("written" if options.write else
              "differs from the results; python3 -m rtl.flow.silicon_tables --write renews it"))
    return 1 if wrong and not options.write else 0


if __name__ == "__main__":
    sys.exit(main())
