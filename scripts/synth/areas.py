# SPDX-License-Identifier: MIT
"""Cell areas, checked against the LEF file that lies beside the Liberty file.

The LEF has the outlines that are placed, so it decides. In the OSU libraries two areas of the
Liberty file are wrong, one of them a three-input gate that claims to be smaller than a NAND2X1; a
mapper that believes it uses that gate everywhere. These are corrected. Any other difference is an
error, so that a number nobody has looked at cannot decide about the size of a block.
"""
import re

from synth.flow import Unusable
from synth.liberty import group

NAND = "NAND2X1"
# Cells whose area in the Liberty file is known to be wrong, and what it says, in NAND2X1.
KNOWN = {"OAI21X1": 23 / 24, "NAND3X1": 36 / 24, "LATCH": 0}
TOLERANCE = 0.001

CELL = re.compile(r'(\bcell\s*\(\s*"?(\w+)"?\s*\)\s*\{[^{}]*?\barea\s*:\s*)([\d.]+)')
PAD = re.compile(r'\bcell\s*\(\s*"?PAD\w*"?\s*\)')
MACRO = re.compile(r"^MACRO\s+(\w+)$(.*?)^END\s+\1", re.S | re.M)


def outlines(lef):
    """Area of each cell but the pads."""
    found = {}
    for name, body in MACRO.findall(lef.read_text()):
        size = re.search(r"^\s*SIZE\s+([\d.]+)\s+BY\s+([\d.]+)", body, re.M)
        if size and not name.startswith("PAD"):
            found[name] = float(size[1]) * float(size[2])
    return found


def beside(liberty):
    """The one LEF file in the library's directory."""
    files = sorted(liberty.parent.glob("*.lef"))
    if len(files) != 1:
        raise Unusable(f"{liberty}: {len(files) or 'no'} LEF files beside it, so its areas cannot be checked")
    return files[0]


def compare(text, placed, name):
    """Cells of a Liberty file whose area is known to be wrong: name -> areas in it and in the LEF, in
    NAND2X1."""
    written = {m[2]: float(m[3]) for m in CELL.finditer(text)}
    core = re.findall(r'\bcell\s*\(\s*"?(\w+)', text)
    for cell in [NAND, *core]:
        if cell not in written or cell not in placed:
            raise Unusable(f"{name}: {cell} has no area {'here' if cell not in written else 'in the LEF file'}")
    unit, wrong = placed[NAND], {}
    for cell in core:
        have, true = written[cell] / unit, placed[cell] / unit
        if abs(have - true) > TOLERANCE:
            if cell not in KNOWN or abs(have - KNOWN[cell]) > TOLERANCE:
                raise Unusable(f"{name}: {cell} has area {written[cell]:g} here, {placed[cell]:g} in the LEF file")
            wrong[cell] = (have, true)
    return wrong


def planted(text, placed, name):
    """Put a wrong area into a copy of the library, for each cell in turn; cells, and those found."""
    cells = sorted(placed.keys() & {m[2] for m in CELL.finditer(text)})
    found = 0
    for cell in cells:
        copy = CELL.sub(lambda m: f"{m[1]}{placed[cell] * 1.1:g}" if m[2] == cell else m[0], text)
        try:
            compare(copy, placed, name)
        except Unusable:
            found += 1
    return len(cells), found


def without_pads(text):
    """ABC takes an input pad, 27,000 um^2, for a strong buffer."""
    while found := PAD.search(text):
        text = text[:found.start()] + text[found.start() + len(group(text, found.start())):]
    return text


def corrected(liberty):
    """The text of the Liberty file with the areas of the LEF and without pads; and the cells whose area this
    changed."""
    text, placed = without_pads(liberty.read_text()), outlines(beside(liberty))
    wrong = compare(text, placed, liberty.name)
    cells, found = planted(text, placed, liberty.name)
    if found != cells:
        raise Unusable(f"{liberty.name}: of {cells} wrong areas planted in a copy only {found} were found")
    return CELL.sub(lambda m: f"{m[1]}{placed[m[2]]:g}" if m[2] in wrong else m[0], text), wrong
