# SPDX-License-Identifier: MIT
"""The chip as simple gates that still know their lines of RTL, and mistakes drawn in them.

Yosys' own `mutate` builds one mutant into a design at a time (or many behind a selector); here
hundreds of them are simulated at once, so they are drawn from the netlist instead: a line of RTL
first, then a gate that it made, then a mistake. So a line that stands in ten ports counts once.
"""
import json
import os
import pathlib
import random
import re
import socket
from dataclasses import dataclass

from rtl.flow.synth.flow import Failure, TOP, sources, yosys
from rtl.flow.synth.netlist import graph_of
from rtl.flow.synth.simple import CELLS
from .watched import kinds, labels, watched

INSTANCE = re.compile(r"\bu_(\w+?)(?:\.|$)")
PLACE = re.compile(r"rtl/(rdt_\w+)\.sv:(\d+)")


def line_of(cell, name, files, kinds):
    """rdt_slot:29. `src` names the line and the instances it is in, in any order; the file list names a
    module before those that have instances of it. Adders, and the enables that Yosys makes of flip-flops
    and memories, have no line, but a name that has one, or that of a net in a block."""
    places = [p.split(":") for p in cell["attributes"].get("src", "").split("|") if p.startswith("rtl/")]
    places = [(files.index(file), line.split(".")[0]) for file, line in places if not line.startswith("0.")]
    if places:
        file, line = min(places)
        return f"{pathlib.PurePath(files[file]).stem}:{line}"
    found = PLACE.findall(name)
    if found:
        return ":".join(found[-1])
    inside = [kinds[i] for i in INSTANCE.findall(name.replace("\\", "")) if i in kinds]
    return f"rdt_{inside[-1]}:1" if inside else f"{TOP}:1"


def make(root, work):
    """The gates of the chip, in the order of work/netlist.txt, for each its line of RTL, and the nets by
    their numbers there."""
    description = work / "gates.json"
    if not description.exists():
        elaborate(root, work, description)
    modules = json.loads(description.read_text())["modules"]
    # Yosys 0.39 and later: names of flattened modules, no logic.
    modules[TOP]["cells"] = {name: cell for name, cell in modules[TOP]["cells"].items() if cell["type"] != "$scopeinfo"}
    cell_of = {}
    for cell in modules[TOP]["cells"].values():
        if cell["type"] not in CELLS:
            raise Failure(f"gates: there is a cell {cell['type']}")
        for pin in CELLS[cell["type"]].functions:
            cell_of[("", cell["connections"][pin][0])] = cell
    graph, _ = graph_of(modules, CELLS, TOP)
    label = labels(modules[TOP])
    graph.gates = [g._replace(name=label.get(g.output, g.name)) for g in graph.gates]
    graph.flops = [f._replace(name=label.get(f.output, f.name)) for f in graph.flops]
    # Whole or not at all: others may read it now.
    part = work / f"netlist.{socket.gethostname()}.{os.getpid()}.part"
    number = graph.write(part)
    with open(part, "a") as out:
        out.writelines(w.line(number) for w in watched(root, modules[TOP]))
    part.replace(work / "netlist.txt")
    kind_of = kinds(root)
    lines = [line_of(cell_of[g.output], g.name, sources(root), kind_of) for g in graph.gates]
    return graph, lines, {str(n): net for net, n in number.items()}


def elaborate(root, work, description):
    """Optimized module by module and flattened last, which takes half the time; and no more than gates
    need, so that more lines of RTL keep a gate of their own than after `synth`."""
    part = description.with_suffix(".part")
    yosys(f"""
        read_verilog -sv -DSYNTHESIS {' '.join(sources(root))}
        hierarchy -check -top {TOP}
        proc
        opt -nodffe -nosdff
        memory -nomap
        memory_map
        techmap
        dfflegalize -cell $_DFF_P_ x
        opt -full -nodffe -nosdff
        simplemap
        flatten
        opt -fast -full -nodffe -nosdff
        opt_clean
        check -assert
        write_json {part}
        """, work / "gates.log", "gates")
    part.replace(description)


def heard(graph):
    """Numbers of the gates from which a way leads to a pin, if need be through flip-flops."""
    before = {g.output: g.inputs for g in graph.gates}
    before.update({f.output: [f.data] for f in graph.flops})
    todo = [n for way, nets in graph.ports.values() if way == "output" for n in nets]
    reached = set()
    while todo:
        net = todo.pop()
        if net not in reached:
            reached.add(net)
            todo += before.get(net, [])
    return [i for i, g in enumerate(graph.gates) if g.output in reached]


@dataclass(frozen=True)
class Mutant:
    number: int
    gate: int
    table: int
    line: str   # rdt_slot:29
    what: str   # a sentence

    @property
    def block(self):
        return self.line.split(":")[0]


def mistakes(gate):
    """(table, what is wrong) of every simple mistake in a gate."""
    n, rows = len(gate.inputs), 1 << len(gate.inputs)
    everything = (1 << rows) - 1

    def table(f):
        return sum(1 << i for i in range(rows) if f(i))

    def was(i):
        return gate.table >> i & 1

    yield gate.table ^ everything, "is inverted"
    yield 0, "is stuck at 0"
    yield everything, "is stuck at 1"
    for k in range(n):
        pin = "ABS"[k]
        yield table(lambda i: was(i ^ 1 << k)), f"takes its input {pin} inverted"
        yield table(lambda i: was(i & ~(1 << k))), f"takes its input {pin} for 0"
        yield table(lambda i: was(i | 1 << k)), f"takes its input {pin} for 1"
    if n == 2:
        yield 0b1000 if gate.table == 0b1110 else 0b1110, "has another function"


def draw(graph, lines, number, seed):
    """Mutants, no two alike, each with an effect on its gate."""
    by_line = {}
    for i in heard(graph):
        if lines[i]:
            by_line.setdefault(lines[i], []).append(i)
    places, dice, drawn, mutants = sorted(by_line), random.Random(seed), set(), []
    while len(mutants) < number:
        line = dice.choice(places)
        gate = dice.choice(by_line[line])
        table, what = dice.choice(list(mistakes(graph.gates[gate])))
        if table == graph.gates[gate].table or (gate, table) in drawn:
            continue
        drawn.add((gate, table))
        name = graph.gates[gate].name
        mutants.append(Mutant(len(mutants), gate, table, line, f"the gate of {name} {what}"))
    return mutants
