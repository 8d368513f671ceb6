# SPDX-License-Identifier: MIT
"""What `make sta` prints."""
from dataclasses import dataclass

from . import paths, timing
from rtl.flow.synth import paper, table

WORST = 10  # ways that are shown
# Customary for CMOS of that time (process 1.25, supply -10 % 1.12, 85 C 1.15). The libraries have one
# corner, so these two are no measurements.
FACTORS = {"best": 0.6, "worst": 1.6}


@dataclass(frozen=True)
class Named:
    ns: float
    start: str
    start_line: str
    end: str
    end_line: str
    through: tuple


def reading(process, wires):
    return f"{process.name}_wires" if wires else process.name


def worst_ways(worst, mapped, registers, logic):
    """The worst way into each kind of register; and from the REQ pins."""
    seen, found = set(), []
    for way in worst["all"]:
        end = paths.kind(registers.of(mapped.net(way.end))[0])
        if end not in seen and len(found) < WORST:
            seen.add(end)
            found.append(way)
    ways = []
    for way in found + worst["req_i*"][:1]:
        start, end = mapped.net(way.start), mapped.net(way.end)
        first, last = registers.of(start), registers.of(end)
        ways.append(Named(way.ns, first[0], first[1], last[0], last[1], tuple(logic.lines(start, end))))
    return ways


def _short(place):
    return place.replace("rtl/rdt_", "").replace(".sv", "")


def _through(lines, width=110):
    """Lines of one file after one another; long ones shortened in the middle of nothing: all are shown."""
    text, last = [], None
    for place in lines:
        file, line = _short(place).split(":")
        text.append(line if file == last else f"{file}:{line}")
        last = file
    rows, row = [], ""
    for word in text:
        if len(row) + len(word) + 1 > width:
            rows.append(row)
            row = ""
        row += (" " if row else "") + word
    return rows + [row] if row else rows


def _mhz(ns):
    return f"{1000 / ns:.0f} MHz"


def show(figures, ways, used, nand):
    processes, first = used.processes, used.first
    keys = [reading(p, wires) for p in processes for wires in (False, True)]

    def line(label, gates, *values):
        pairs = "".join(f"  {a:>9} {b:>9}" for a, b in zip(values[::2], values[1::2]))
        print(f"{label:<22} {gates:>7}{pairs}".rstrip())

    def row(label, key, gates="", suffix=""):
        line(label, gates, *(f"{figures[f'{key}_{k}{suffix}']:.2f}" for k in keys))

    print()
    line("shortest period, ns", "", *(text for p in processes for text in (p.feature[:9], "with")))
    line("", "gates", *(("no wires", "wires") * len(processes)))
    for block in paper.BLOCKS:
        if f"{block}_gates" in figures:
            row(block, f"{block}_ns", f"{figures[f'{block}_gates']:,}")
    row("chip", "chip_ns", f"{figures['chip_gates']:,}")
    for process in processes[1:]:
        print(f"  ({process.feature}: a netlist of its own, {figures[f'chip_gates_{process.name}']:,} gates)")
    for key in sorted(key for key in figures if key.startswith("chip_gates_order")):
        run = key[len("chip_gates_order"):]
        row(f"  the same, order {run}", "chip_ns", f"{figures[key]:,}", f"_order{run}")
    row("from REQ pins", "req_pin_ns")
    row("from D pins", "d_pin_ns")
    row("from CRED pins", "cred_pin_ns")
    row("hold: margin", "hold_ns")
    for process in processes:
        if f"chip_ns_{process.name}_placed" in figures:
            f = {key: figures[f"placed_{key}_{process.name}"] for key in ("side_mm", "use", "wire_m", "um_a_fanout", "gates")}
            ns = [figures[f"chip_ns_{process.name}_{key}"] for key in ("placed", "as_sized_by_fanout")]
            print(f"placed in {process.feature}: {ns[0]:.2f} ns, {f['gates']:,} gates, sized for its wires ({ns[1]:.2f} as sized by fan-out); "
                  f"core {f['side_mm']:.2f} mm per side, {f['use']:.0%} of it cells, {f['wire_m']:.1f} m of wire, "
                  f"{f['um_a_fanout']:.0f} um per fan-out")
    print(f"gates: {nand}, the RAM in flip-flops, buffers and sizes included"
          f" ({figures['chip_buffers']:,} buffers among {figures['chip_cells']:,} cells of the chip)")
    print(f"timed by {used.timer.name}; typical corner; ideal clock, pins at 0 ns; wires: "
          + ", ".join(f"{p.wire_pf * 1000:.0f} fF per fan-out in {p.feature}" for p in processes))
    for process in processes:
        if process.documented:
            ns = figures[f"chip_ns_{process.name}_wires"]
            corners = ", ".join(f"{name} {ns * f:.1f} ns = {_mhz(ns * f)} (factor {f})" for name, f in FACTORS.items())
            print(f"other corners in {process.feature} with wires, by customary factors, not measured: {corners}")

    print(f"\nworst way into each kind of register, {first.feature} with wires (start, end and ns measured; the lines between are")
    print("read from the logic before mapping: the deepest way from that start to that end), and last that from a REQ pin")
    for way in ways:
        print(f"{way.ns:6.2f}  {way.start} ({_short(way.start_line)}) -> {way.end} ({_short(way.end_line)})")
        for row_ in _through(way.through):
            print(f"        {row_}")
    print()
    for process in processes:
        key = f"chip_ns_{process.name}_wires"
        ns, best, worst, bar = figures[key], figures[f"{key}_best"], figures[f"{key}_worst"], figures.get(f"bar_ns_{process.name}_wires")
        verdict = (f"goal {process.goal_ns} ns, {ns - process.goal_ns:+.2f}; bar {bar} ns: {'passed' if ns <= bar else 'NOT MET'}"
                   if bar else process.note or "no goal applies without OpenSTA")
        print(f"{process.feature} with wires: {ns:.2f} ns = {_mhz(ns)} ({best:.2f} to {worst:.2f} in equivalent runs); {verdict}")
    if figures.get("netlist_equal"):
        print(f"this netlist equals the RTL on every pin for {figures['netlist_cycles']:,} cycles and "
              f"{figures['netlist_packets']:,} packets, from random start values; {table.count_injected(figures, 'netlist_')};")
        print(f"the other orders too; {figures['netlists_proven_the_same']} more netlists, of other sizes and as placed, "
              "are proven to differ from these in sizes and buffers alone")
    readers = [*([timing.OpenSta.name] if isinstance(used.timer, timing.OpenSta) else []), figures["netlist_read_by"]]
    print(f"it is build/sta/chip.v, read by {', '.join(readers)}; cells: build/sta/cells.v")
