# SPDX-License-Identifier: MIT
"""The blocks of the router chip and what runs between them."""
from .svg import BLUE, GREEN, GRAY, INK, ORANGE, Picture

FLITS, CONTROL, ACKS = BLUE, ORANGE, GREEN


def block(picture, x, y, w, h, name, lines, fill, stack=0):
    for k in range(stack, 0, -1):
        picture.box(x + 7 * k, y - 7 * k, w, h, "white", GRAY)
    picture.box(x, y, w, h, fill)
    picture.text(x + w / 2, y + 22, name, 15, "middle", weight="bold")
    for k, words in enumerate(lines):
        picture.text(x + w / 2, y + 43 + 18 * k, words, 12, "middle")


def label(picture, x, y, *lines, color=INK, anchor="middle"):
    for k, words in enumerate(lines):
        picture.text(x, y + 15 * k, words, 12, anchor, color)


def blocks():
    picture = Picture(960, 560, "The blocks of the RDT router chip")
    picture.tips(FLITS, CONTROL, ACKS, INK)
    picture.box(112, 36, 736, 440, "#fafafa", GRAY, 10)
    picture.text(126, 60, "rdt_router", 15, weight="bold", color=GRAY)
    port = "#e3eff7"
    block(picture, 136, 110, 116, 128, "link_io", ["owner of the", "half-duplex line,", "framing,", "credits back"], port, 2)
    block(picture, 316, 110, 138, 128, "input_unit", ["1 to 3 packet", "buffers, route,", "multicast,", "time-outs"], port, 2)
    block(picture, 520, 110, 110, 128, "crossbar", ["10 inputs,", "11 outputs"], "#e3eff7")
    block(picture, 696, 110, 124, 128, "output_unit", ["header rewrite,", "REQ, credits,", "output register"], port, 2)
    block(picture, 316, 282, 138, 74, "arbiter", ["round robin an", "output, aging"], "#fdeee2")
    block(picture, 520, 382, 110, 74, "local", ["registers,", "errors"], "#f2f2f2")
    block(picture, 136, 382, 116, 74, "ack", ["7 entries:", "acks combined"], "#e0f3ea")
    block(picture, 316, 382, 138, 74, "inject", ["acks, RETRY,", "local's packets"], "#e0f3ea")
    # Flits.
    picture.arrow([(20, 150), (134, 150)], FLITS, 2.4)
    picture.arrow([(252, 150), (314, 150)], FLITS, 2.4)
    picture.arrow([(468, 150), (518, 150)], FLITS, 2.4)
    picture.arrow([(630, 150), (694, 150)], FLITS, 2.4)
    picture.arrow([(834, 150), (940, 150)], FLITS, 2.4)
    picture.arrow([(575, 238), (575, 380)], FLITS, 2)
    picture.arrow([(630, 420), (758, 420), (758, 240)], FLITS, 1.6)
    picture.arrow([(454, 440), (486, 440), (486, 470), (790, 470), (790, 240)], ACKS, 1.8)
    # Control.
    picture.arrow([(134, 205), (20, 205)], CONTROL)
    picture.arrow([(314, 205), (254, 205)], CONTROL)
    picture.arrow([(360, 238), (360, 280)], CONTROL)
    picture.arrow([(410, 280), (410, 240)], CONTROL)
    picture.arrow([(194, 238), (194, 320), (314, 320)], CONTROL)
    picture.arrow([(454, 320), (545, 320), (545, 240)], CONTROL)
    picture.arrow([(834, 205), (940, 205)], CONTROL)
    # Acks.
    picture.arrow([(290, 150), (290, 400), (254, 400)], ACKS, 1.8)
    picture.arrow([(252, 436), (314, 436)], ACKS, 1.8)
    label(picture, 62, 130, "link p in")
    label(picture, 62, 168, "D, REQ", color=FLITS)
    label(picture, 62, 222, "CRED back", color=CONTROL)
    label(picture, 894, 130, "link p out")
    label(picture, 894, 168, "D, REQ", color=FLITS)
    label(picture, 894, 222, "REQ requests", color=CONTROL)
    label(picture, 350, 264, "request", color=CONTROL, anchor="end")
    label(picture, 420, 264, "grant", color=CONTROL, anchor="start")
    label(picture, 500, 312, "select", color=CONTROL)
    label(picture, 204, 312, "line is mine", color=CONTROL, anchor="start")
    label(picture, 583, 350, "output 10", color=FLITS, anchor="start")
    label(picture, 480, 84, "Ten ports: E0 W0 N0 S0 (rank 0), E1 W1 N1 S1 (upper rank), M0 M1 (processors)")
    for k, (color, words) in enumerate(((FLITS, "flits"), (CONTROL, "requests, grants, credits"), (ACKS, "acknowledgements"))):
        x = 130 + 250 * k
        picture.arrow([(x, 510), (x + 40, 510)], color, 2)
        picture.text(x + 50, 514, words)
    picture.text(130, 542, "A shadow behind a block: one for each of the ten ports. A packet crosses the idle chip in six cycles.", 12, color=GRAY)
    return picture.svg()
