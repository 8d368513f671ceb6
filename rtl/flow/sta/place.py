# SPDX-License-Identifier: MIT
"""A placement of the whole chip, for the lengths of its wires (rtl/flow/sta/placer).

Cells stand in rows without overlap, 70 % of the core used by them, pins spread over the four sides
link by link. Nets may have weights, by which what is slow comes closer together; nothing is routed.
"""
import pathlib
import subprocess

from rtl.flow.synth.flow import Failure

SOURCES = pathlib.Path(__file__).resolve().parent / "placer"
USE = 0.7     # initial cell utilization of the core area; buffers and sizing are added
ROUNDS = 60
SLIP = 0.01  # um, of numbers written with three digits


def program(directory):
    """The placer, built if it is not there or older than its sources."""
    path = directory / "place"
    if not path.exists() or any(s.stat().st_mtime > path.stat().st_mtime for s in SOURCES.iterdir()):
        run = subprocess.run(["g++", "-std=c++17", "-O2", str(SOURCES / "place.cpp"), "-o", str(path)],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode:
            raise Failure(f"the placer does not build: {run.stdout.splitlines()[0]}")
    return path


def ring(count, side):
    """Places on the four sides."""
    for k in range(count):
        at, edge = (k + 0.5) / count * 4 % 1 * side, int((k + 0.5) / count * 4)
        yield (at, side, side - at, 0)[edge], (0, at, side, side - at)[edge]


def run(file, side, height, cells, pins, nets, rounds=0, first=1):
    """(x, y) of each cell. `cells` are (width, x, y), `pins` (x, y), `nets` (weight, members): members are
    numbers of cells and then of pins. Without rounds cells stay about where they are."""
    lines = [f"{side:.3f} {height:.3f} {len(cells)} {len(pins)} {len(nets)}"]
    lines += [f"{w:.3f} {x:.3f} {y:.3f}" for w, x, y in cells]
    lines += [f"{x:.3f} {y:.3f}" for x, y in pins]
    lines += [f"{weight:.3f} {len(members)} {' '.join(map(str, members))}" for weight, members in nets]
    file.write_text("\n".join(lines) + "\n")
    done = subprocess.run([program(file.parent), file, str(rounds), str(first)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    file.with_suffix(".log").write_text(done.stderr)
    found = [tuple(map(float, line.split())) for line in done.stdout.splitlines()]
    if done.returncode or len(found) != len(cells):
        raise Failure(f"the placer ended with {done.returncode}: {done.stderr.strip()[-200:]}")
    if wrong := illegal(side, height, [c[0] for c in cells], found):
        raise Failure(f"the placement is not legal: {wrong}")
    return found


def illegal(side, height, widths, places):
    """The errors of a placement: a cell outside, between rows or on another cell."""
    rows = {}
    for width, (x, y) in zip(widths, places):
        rows.setdefault(round(y / height - 0.5, 3), []).append((x - width / 2, x + width / 2))
    for row, spans in rows.items():
        spans.sort()
        if row != int(row) or not 0 <= row < int(side / height):
            return f"no row at {row}"
        if spans[0][0] < -SLIP or spans[-1][1] > side + SLIP:
            return f"row {row:.0f} leaves the core"
        if any(a[1] > b[0] + SLIP for a, b in zip(spans, spans[1:])):
            return f"cells overlap in row {row:.0f}"
    return None


FACTORS = (1, 1, 1, 1, 1.0828, 1.1536, 1.2206, 1.2823, 1.3385, 1.3991, 1.4493)


def steiner(pins):
    """How much longer a tree of so many pins is than half the perimeter of its box (C. Cheng, RISA, 1994)."""
    if pins < len(FACTORS):
        return FACTORS[pins]
    for more, factor in ((15, 1.6899), (20, 1.8924), (25, 2.0743), (30, 2.2334), (40, 2.5225), (50, 2.7933)):
        if pins <= more:
            return factor
    return 2.7933 + 0.0265 * (pins - 50)


def length(points):
    """Length of a net's wire, by its pin positions."""
    if len(points) < 2:
        return 0.0
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return (max(xs) - min(xs) + max(ys) - min(ys)) * steiner(len(points))
