# SPDX-License-Identifier: MIT
"""Timing diagrams: the columns of docs/timing.md, which tb/chip/timing.cpp compares with the pins, as
lanes of a waveform."""
import re

from .svg import GRAY, INK, PALE, Picture

NAMES = {"Six cycles through the chip": "timing_six_cycles.svg", "The link handshake": "timing_handshake.svg",
         "Link recovery": "timing_resync.svg"}
LEFT, CELL, LANE = 112, 44, 34
COLORS = {"D": "#cfe5f3", "REQ": "#fbdcc6", "CRED": "#c7ead9"}


def tables(text):
    """{heading: [[(label, cells)] a block of columns]} of the first code block below each heading."""
    found = {}
    for heading, block in re.findall(r"^## (.+?)\n.*?^```\n(.*?)^```", text, re.M | re.S):
        found[heading] = [[(line[:12].strip(), line[12:].split()) for line in part.splitlines()]
                          for part in block.strip("\n").split("\n\n")]
    return found


def draw(heading, parts):
    rows = len(parts[0])
    width = LEFT + CELL * max(len(cells) for _, cells in parts[0]) + 16
    height = 44 + len(parts) * (rows * LANE + 26)
    picture = Picture(width, height, heading)
    picture.text(14, 26, heading, 16, weight="bold")
    top = 44
    for part in parts:
        columns = len(part[0][1])
        bottom = top + rows * LANE
        for k, number in enumerate(part[0][1]):
            x = LEFT + k * CELL
            picture.line(x, top + 14, x, bottom, PALE, 1, 'stroke-dasharray="2 3"')
            picture.text(x + CELL / 2, top + 10, number, 12, "middle", GRAY)
        picture.text(14, top + 10, "cycle", 12, color=GRAY)
        for r, (label, cells) in enumerate(part[1:], 1):
            lane(picture, label, cells, top + r * LANE)
        picture.line(LEFT + columns * CELL, top + 14, LEFT + columns * CELL, bottom, PALE, 1, 'stroke-dasharray="2 3"')
        top = bottom + 26
    return picture.svg()


def lane(picture, label, cells, y):
    """Same codes on end are one box, but for flits, of which each is one; nothing is a line."""
    picture.text(14, y + 4, label, 13)
    kind = next(k for k in COLORS if k in label.split())
    flat = y if kind == "D" else y + 11  # undriven lines; a code of 0
    k = 0
    while k < len(cells):
        to = k + 1
        while to < len(cells) and cells[to] == cells[k] and (kind != "D" or cells[k] == "."):
            to += 1
        x1, x2 = LEFT + k * CELL, LEFT + to * CELL
        if cells[k] == ".":
            picture.line(x1, flat, x2, flat, GRAY, 1.4, 'stroke-dasharray="4 3"' if kind == "D" else "")
        else:
            picture.path(f"M{x1} {y}l5 -11H{x2 - 5}l5 11l-5 11H{x1 + 5}z", INK, 1.2, COLORS[kind])
            picture.text((x1 + x2) / 2, y + 4, cells[k], 12, "middle")
        k = to


def diagrams(text):
    found = tables(text)
    return {file: draw(heading, found[heading]) for heading, file in NAMES.items()}
