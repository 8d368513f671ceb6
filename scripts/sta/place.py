# SPDX-License-Identifier: MIT
"""A placement of the whole chip, for the lengths of its wires.

Recursive bisection by METIS: a region with its cells is cut in two halves of equal area, with as few
nets across as can be, until two cells are left; then they are put into rows, and change places where
that makes wires shorter. What a net has outside the region pulls towards the half that is nearer (terminal propagation),
by an anchor in each half. Pins are spread over the four sides, link by link.

It is a placement to measure wires with, not one to make masks of: it does not know which path is slow,
and nothing is routed.
"""
import ctypes
import ctypes.util
import random

from synth.flow import Unusable

USE = 0.7         # of the core's area by cells
LEAF = 2          # cells that are not cut further
PASSES = 3        # of swapping cells afterwards
SWAPS = 6         # partners that are tried
MOST_PINS = 40    # of a net that is cut for; longer ones are everywhere anyway
WEIGHT = 60       # of a net, shared by its edges


class Metis:
    """METIS_PartGraphRecursive for two parts."""

    def __init__(self):
        name = ctypes.util.find_library("metis")
        if not name:
            raise Unusable("no METIS; install libmetis-dev")
        self._library = ctypes.CDLL(name)
        self._options = (ctypes.c_int32 * 40)()
        self._library.METIS_SetDefaultOptions(self._options)
        self._options[8] = 1  # METIS_OPTION_SEED: the same every time

    def halves(self, areas, edges):
        """0 or 1 for each vertex. The last two vertices are anchors, one for each half: they have no area
        and are the only ones with a second weight, of which each half gets its part."""
        n = len(areas)
        start, to, weight = [0], [], []
        for row in edges:
            to += row.keys()
            weight += row.values()
            start.append(len(to))
        vertex = [w for area in areas for w in (area, 0)]
        vertex[-1] = vertex[-3] = 1

        def ints(values):
            return (ctypes.c_int32 * max(1, len(values)))(*values)

        part, cut = (ctypes.c_int32 * n)(), ctypes.c_int32()
        some = (ctypes.c_float * 2)(1.03, 1.1)
        done = self._library.METIS_PartGraphRecursive(
            ctypes.byref(ctypes.c_int32(n)), ctypes.byref(ctypes.c_int32(2)), ints(start), ints(to), ints(vertex), None,
            ints(weight), ctypes.byref(ctypes.c_int32(2)), None, some, self._options, ctypes.byref(cut), part)
        if done != 1:
            raise Unusable(f"METIS ends with {done}")
        return list(part)


class Placement:
    """`cells` is area by name, `pins` the names of the chip's pins, `nets` lists of names of either."""

    def __init__(self, cells, pins, nets, height):
        self.names = list(cells)
        self.area = [cells[c] for c in self.names]
        self.side = (sum(self.area) / USE) ** 0.5
        self.height = height
        number = {name: i for i, name in enumerate([*self.names, *pins])}
        self.nets = [sorted({number[n] for n in net}) for net in nets]
        self.x = [self.side / 2] * len(self.names)
        self.y = list(self.x)
        self._pins(len(pins))
        self._of = [[] for _ in self.names]  # nets of a cell
        for k, net in enumerate(self.nets):
            if len(net) <= MOST_PINS:
                for i in net:
                    if i < len(self._of):
                        self._of[i].append(k)
        self._cut()
        self._rows()
        for _ in range(PASSES):
            self._swap()
        self._fill()

    def _pins(self, count):
        for k in range(count):
            at, side = (k + 0.5) / count * 4 % 1 * self.side, int((k + 0.5) / count * 4)
            self.x.append((at, self.side, self.side - at, 0)[side])
            self.y.append((0, at, self.side, self.side - at)[side])

    def _cut(self):
        metis, dice = Metis(), random.Random(1)
        regions = [(0.0, 0.0, self.side, self.side, list(range(len(self.names))))]
        while regions:
            again = []
            dice.shuffle(regions)  # none is always before its neighbour
            for x0, y0, x1, y1, cells in regions:
                across = x1 - x0 >= y1 - y0
                first, second = self._halves(metis, cells, across, (x0 + x1) / 2 if across else (y0 + y1) / 2)
                part = sum(self.area[i] for i in first) / sum(self.area[i] for i in cells)
                middle = x0 + part * (x1 - x0) if across else y0 + part * (y1 - y0)
                for half, box in ((first, (x0, y0, middle, y1) if across else (x0, y0, x1, middle)),
                                  (second, (middle, y0, x1, y1) if across else (x0, middle, x1, y1))):
                    for i in half:
                        self.x[i], self.y[i] = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
                    if len(half) > LEAF:
                        again.append((*box, half))
            regions = again

    def _halves(self, metis, cells, across, middle):
        here = {c: v for v, c in enumerate(cells)}
        low, high = len(cells), len(cells) + 1
        at = self.x if across else self.y
        edges = [{} for _ in range(len(cells) + 2)]

        def join(a, b, weight):
            edges[a][b] = edges[a].get(b, 0) + weight
            edges[b][a] = edges[b].get(a, 0) + weight

        seen = set()
        for c in cells:
            for k in self._of[c]:
                if k in seen:
                    continue
                seen.add(k)
                inside = [here[i] for i in self.nets[k] if i in here]
                beyond = [at[i] for i in self.nets[k] if i not in here]
                ends = inside
                if beyond:  # on both sides: it is cut whatever is done
                    if min(beyond) < middle < max(beyond):
                        continue
                    ends = inside + [low if max(beyond) <= middle else high]
                if len(ends) < 2:
                    continue
                if len(ends) <= 8:
                    weight = max(1, WEIGHT // (len(ends) - 1))
                    for n, a in enumerate(ends):
                        for b in ends[:n]:
                            join(a, b, weight)
                else:  # a ring
                    for a, b in zip(ends, ends[1:] + ends[:1]):
                        join(a, b, WEIGHT // 4)
        areas = [max(1, round(self.area[c] / self.height / 0.6)) for c in cells] + [0, 0]
        part = metis.halves(areas, edges)
        if part[low] == part[high]:  # the anchors had to be apart: turn by where things pull
            pull = sum(w * (1 if part[v] else -1) * (1 if a == high else -1)
                       for a in (low, high) for v, w in edges[a].items() if v < low)
            first = 0 if pull >= 0 else 1
        else:
            first = part[low]
        halves = [c for c, p in zip(cells, part) if p == first], [c for c, p in zip(cells, part) if p != first]
        if not halves[0] or not halves[1]:
            order = sorted(cells, key=lambda c: at[c])
            halves = order[:len(order) // 2], order[len(order) // 2:]
        return halves

    def _swap(self):
        """Each cell changes places with one near the middle of its nets, if that makes wires shorter.
        Widths are not looked at: rows are filled again afterwards."""
        grid = {}
        size = 2 * self.height

        def box(i):
            return int(self.x[i] / size), int(self.y[i] / size)

        for i in range(len(self.names)):
            grid.setdefault(box(i), []).append(i)

        def cost(cells):
            total = 0.0
            for k in {k for i in cells for k in self._of[i]}:
                xs, ys = [self.x[i] for i in self.nets[k]], [self.y[i] for i in self.nets[k]]
                total += max(xs) - min(xs) + max(ys) - min(ys)
            return total

        def swap(a, b):
            self.x[a], self.x[b], self.y[a], self.y[b] = self.x[b], self.x[a], self.y[b], self.y[a]

        for i in range(len(self.names)):
            others = [j for k in self._of[i] for j in self.nets[k] if j != i]
            if not others:
                continue
            xs, ys = sorted(self.x[j] for j in others), sorted(self.y[j] for j in others)
            there = int(xs[len(xs) // 2] / size), int(ys[len(ys) // 2] / size)
            here = box(i)
            if there == here:
                continue
            for j in grid.get(there, ())[:SWAPS]:
                before = cost((i, j))
                swap(i, j)
                if cost((i, j)) < before:
                    grid[here].remove(i)
                    grid[there].remove(j)
                    grid[here].append(j)
                    grid[there].append(i)
                    break
                swap(i, j)

    def _rows(self):
        """Cells into rows, of equal area, by their height; and then each row."""
        rows = max(1, int(self.side / self.height))
        share, filled = sum(self.area) / rows, 0.0
        for i in sorted(range(len(self.names)), key=lambda i: self.y[i]):
            self.y[i] = (min(rows - 1, int(filled / share)) + 0.5) * self.height
            filled += self.area[i]
        self._fill()

    def _fill(self):
        """The cells of a row beside each other, in their order, over its whole length."""
        members = {}
        for i in range(len(self.names)):
            members.setdefault(self.y[i], []).append(i)
        for cells in members.values():
            cells.sort(key=lambda i: self.x[i])
            gap, at = (self.side - sum(self.area[i] for i in cells) / self.height) / (len(cells) + 1), 0.0
            for i in cells:
                width = self.area[i] / self.height
                self.x[i] = at + gap + width / 2
                at += gap + width

    def length(self, net):
        """Half the perimeter of the box around a net, times what a Steiner tree of so many pins is longer
        (C. Cheng, RISA, 1994)."""
        xs, ys = [self.x[i] for i in net], [self.y[i] for i in net]
        return (max(xs) - min(xs) + max(ys) - min(ys)) * steiner(len(net))


FACTORS = (1, 1, 1, 1, 1.0828, 1.1536, 1.2206, 1.2823, 1.3385, 1.3991, 1.4493)


def steiner(pins):
    if pins < len(FACTORS):
        return FACTORS[pins]
    for more, factor in ((15, 1.6899), (20, 1.8924), (25, 2.0743), (30, 2.2334), (40, 2.5225), (50, 2.7933)):
        if pins <= more:
            return factor
    return 2.7933 + 0.0265 * (pins - 50)
