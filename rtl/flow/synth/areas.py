# SPDX-License-Identifier: MIT
"""Cell areas of the Liberty file, compared with the outlines in the LEF file.

The LEF has the outlines that are placed, so it decides. In the OSU libraries two areas of the
Liberty file are wrong, one of them a three-input gate that claims to be smaller than a NAND2X1; a
mapper that believes it uses that gate everywhere. These are corrected. Any other difference is an
error, so that a wrong area cannot decide about the size of a block. A library without a LEF file is
used as it is.
"""
import re

from .flow import Unusable
from .liberty import group
from .roles import Roles

NAND = "NAND2X1"
# Cells of the OSU libraries whose area in the Liberty file is known to be wrong, with its value in NAND2X1.
KNOWN = {"OAI21X1": 23 / 24, "NAND3X1": 36 / 24, "LATCH": 0}
TOLERANCE = 0.001

CELL = re.compile(r'(\bcell\s*\(\s*"?(\w+)"?\s*\)\s*\{[^{}]*?\barea\s*:\s*)([\d.]+)')
PAD = re.compile(r'\bcell\s*\(\s*"?PAD\w*"?\s*\)')
SIZE = re.compile(r"^\s*SIZE\s+([\d.]+)\s+BY\s+([\d.]+)", re.M)
MACRO = re.compile(r"^MACRO\s+(\w+)$(.*?)^END\s+\1", re.S | re.M)


def outlines(lef):
    """Area of each cell but the pads."""
    found = {}
    for name, body in MACRO.findall(lef.read_text()):
        size = SIZE.search(body)
        if size and not name.startswith("PAD"):
            found[name] = float(size[1]) * float(size[2])
    return found


def rows(process, cells):
    """Area of each cell, and the height of the rows that they stand in. Without a LEF file a row is as high
    as a square of three two-input NANDs."""
    if process.lef is None:
        unit = Roles(cells, process.liberty.name).unit
        return {name: cell.area for name, cell in cells.items()}, (3 * unit) ** 0.5
    heights = [float(size[2]) for name, body in MACRO.findall(process.lef.read_text())
               if (size := SIZE.search(body)) and name in cells]
    return outlines(process.lef), max(set(heights), key=heights.count)


def compare(text, placed, process):
    """Cells of a Liberty file whose area is known to be wrong: name -> areas in it and in the LEF, in
    NAND2X1."""
    name, known = process.liberty.name, KNOWN if process.documented else {}
    written = {m[2]: float(m[3]) for m in CELL.finditer(text)}
    core = re.findall(r'\bcell\s*\(\s*"?(\w+)', text)
    for cell in core:
        if cell not in written or cell not in placed:
            raise Unusable(f"{name}: {cell} has no area {'here' if cell not in written else 'in the LEF file'}")
    unit, wrong = placed.get(NAND) or min(placed.values()), {}
    for cell in core:
        have, true = written[cell] / unit, placed[cell] / unit
        if abs(have - true) > TOLERANCE:
            if cell not in known or abs(have - known[cell]) > TOLERANCE:
                raise Unusable(f"{name}: {cell} has area {written[cell]:g} here, {placed[cell]:g} in the LEF file")
            wrong[cell] = (have, true)
    return wrong


def injected(text, placed, process):
    """Put a wrong area into a copy of the library, one cell at a time; cells, and those detected."""
    cells = sorted(placed.keys() & {m[2] for m in CELL.finditer(text)})
    found = 0
    for cell in cells:
        copy = CELL.sub(lambda m: f"{m[1]}{placed[cell] * 1.1:g}" if m[2] == cell else m[0], text)
        try:
            compare(copy, placed, process)
        except Unusable:
            found += 1
    return len(cells), found


def without_pads(text):
    """ABC takes an input pad, 27,000 um^2, for a strong buffer."""
    while found := PAD.search(text):
        text = text[:found.start()] + text[found.start() + len(group(text, found.start())):]
    return text


def corrected(process):
    """The text of the Liberty file with the areas of the LEF and without pads; and the cells whose area this
    changed."""
    path = process.liberty
    text = without_pads(path.read_text())
    if process.lef is None:
        return text, {}
    placed = outlines(process.lef)
    if not placed:
        raise Unusable(f"{process.lef}: no outline of a cell; not a LEF file")
    wrong = compare(text, placed, process)
    cells, found = injected(text, placed, process)
    if found != cells:
        raise Unusable(f"{path.name}: of {cells} wrong areas put into a copy only {found} were detected")
    return CELL.sub(lambda m: f"{m[1]}{placed[m[2]]:g}" if m[2] in wrong else m[0], text), wrong
