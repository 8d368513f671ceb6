# SPDX-License-Identifier: MIT
"""The folders of the product and which uses which, in layers: arrows point down, to folders that are used.

Arrows that follow from others are left out (transitive reduction). An arrow over several layers runs through a
gap in each of them. The order within a layer follows from the neighbors above and below (barycenters, as
fractions: sums of floating-point numbers differ between versions of Python).

usage: python3 -m scripts.draw.rooms [--check]
  --check   write nothing; fail if docs/images/rooms.svg differs from the picture
"""
import sys
from fractions import Fraction

from scripts.tree import rooms

from .svg import GRAY, INK, Picture

ROOTS = ("rtl", "systemc", "sim")
LEFT_OUT = {"rtl/flow", "sim"}  # flows have pages of their own; sim has only folders
ROW, BOX, GAP, HEIGHT, MARGIN = 88, 142, 22, 40, 16
ROUNDS = 24
FILLS = {"rtl": "#fdeee2", "systemc": "#e0f3ea", "sim/rdt": "#e3eff7", "sim": "#f2f2f2"}


def graph_of(sources, readmes):
    """Direct uses by folder, without folders of tests and without those that follow from others."""
    used = rooms.uses(sources, set(readmes))

    def shown(folder):
        return folder.split("/")[0] in ROOTS and folder not in LEFT_OUT and not folder.startswith("rtl/flow")
    graph = {folder: {o for o in others if shown(o)} for folder, others in used.items() if shown(folder)}
    graph.update({o: set() for others in list(graph.values()) for o in others if o not in graph})

    def reach(folder):
        return set().union(*({o} | reach(o) for o in graph[folder])) if graph[folder] else set()
    return {folder: {o for o in others if not any(o in reach(p) for p in others - {o})} for folder, others in graph.items()}


def levels_of(graph):
    levels = {}

    def level(folder):
        if folder not in levels:
            levels[folder] = 1 + max(map(level, graph[folder]), default=-1)
        return levels[folder]
    for folder in graph:
        level(folder)
    for folder in (r for r in graph if not graph[r]):  # right below the lowest folder that uses it
        levels[folder] = min(levels[other] for other in graph if folder in graph[other]) - 1
    return levels


def place(graph):
    """(row of nodes from the bottom up, edges between neighboring rows). A node is a folder or (from, to, level)."""
    levels = levels_of(graph)
    rows = [sorted(r for r in graph if levels[r] == k) for k in range(max(levels.values()) + 1)]
    edges = []
    for folder in sorted(graph):
        for other in sorted(graph[folder]):
            way = [folder, *((folder, other, k) for k in range(levels[folder] - 1, levels[other], -1)), other]
            for node in way[1:-1]:
                rows[node[2]].append(node)
            edges += zip(way, way[1:])
    for sweep in range(ROUNDS):
        spot = {node: Fraction(2 * k + 1, 2 * len(row)) for row in rows for k, node in enumerate(row)}
        down = sweep % 2
        for row in rows if not down else rows[::-1]:
            def center(node):
                near = [spot[b if down == 0 else a] for a, b in edges if (a if down == 0 else b) == node]
                return sum(near) / len(near) if near else spot[node]
            row.sort(key=lambda node: (center(node), str(node)))
            spot.update({node: Fraction(2 * k + 1, 2 * len(row)) for k, node in enumerate(row)})
    return rows, edges


def short(folder):
    return folder.removeprefix("sim/rdt/").removeprefix("sim/")


def draw(sources, readmes):
    rows, edges = place(graph_of(sources, readmes))

    def width(node):
        return BOX if isinstance(node, str) else 8
    most = max(sum(width(n) + GAP for n in row) for row in rows)
    size = (most + 2 * MARGIN, len(rows) * ROW + 2 * MARGIN)
    picture = Picture(*size, "Folders of the project; arrows point to the folders that are used")
    picture.tips(GRAY)
    center = {}
    for level, row in enumerate(rows):
        free = (most - sum(width(n) for n in row)) / len(row)
        x = MARGIN + free / 2
        for node in row:
            center[node] = (x + width(node) / 2, size[1] - MARGIN - ROW * level - HEIGHT)
            x += width(node) + free
    for upper, lower in edges:
        (x1, y1), (x2, y2) = center[upper], center[lower]
        start = y1 + HEIGHT  # a gap has the height of a box
        picture.path(f"M{x1:.0f} {start:.0f}C{x1:.0f} {start + 26:.0f} {x2:.0f} {y2 - 26:.0f} {x2:.0f} {y2:.0f}", GRAY, 1.3,
                     extra='marker-end="url(#tip777777)"' if isinstance(lower, str) else "")
        if not isinstance(lower, str):
            picture.line(x2, y2, x2, y2 + HEIGHT, GRAY, 1.3)
    for node, (x, y) in center.items():
        if isinstance(node, str):
            fill = next(FILLS[k] for k in ("sim/rdt", "sim", "rtl", "systemc") if node.startswith(k))
            picture.box(x - BOX / 2, y, BOX, HEIGHT, fill, INK)
            picture.text(x, y + 25, short(node), 13, "middle", weight="bold")
    return picture.svg()


def picture():
    return draw(rooms.read_sources(), rooms.read_readmes())


def main():
    file = rooms.ROOT / "docs/images/rooms.svg"
    if sys.argv[1:] != ["--check"]:
        file.write_text(picture())
    elif not file.exists() or file.read_text() != picture():
        sys.exit("docs/images/rooms.svg differs from the include lines; python3 -m scripts.draw.rooms renews it")


if __name__ == "__main__":
    main()
