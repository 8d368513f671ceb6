# SPDX-License-Identifier: MIT
"""A write to shared memory, message by message, with the cycles of one that a packet log has."""
import re

from .svg import BLUE, GREEN, GRAY, ORANGE, PALE, Picture

LINE = re.compile(r"\d+ (\d+)\.(M\d) to (?:(\d+) nodes|(\d+)\.(M\d)), \d+ flits: generated (\d+); (.*); delivered (\d+)$")


def find_write(log):
    """The first write whose home is another node and has copies: (writer, home, receivers, cycles)."""
    rows = []
    for line in log.splitlines():
        m = LINE.match(line)
        if m:
            rows.append((int(m[1]), m[2], int(m[3] or 0), int(m[4] or -1), m[5], int(m[6]), m[7], int(m[8])))
    for home, mbp, copies, _, _, sent, hops, acked in rows:
        if not 4 <= copies <= 8:
            continue
        asked = [r for r in rows if r[3] == home and r[4] == "M0" and 0 <= sent - r[7] <= 2 and r[0] != home]
        done = [r for r in rows if r[0] == home and r[1] == "M0" and r[4] == "M1" and 0 <= r[5] - acked <= 2]
        for a in asked:
            for d in done:
                if d[3] == a[0]:
                    arrivals = [int(c) for c in re.findall(r"\.M\d@(\d+)", hops)][1:]
                    return a[0], home, copies, (a[5], a[7], sent, min(arrivals), max(arrivals), acked, d[5], d[7])
    raise SystemExit("draw.py: no such write in the packet log")


def write(log):
    writer, home, copies, cycles = find_write(log)
    start = cycles[0]
    begun, at_home, _, first, last, acked, _, done = (c - start for c in cycles)
    picture = Picture(880, 500, "A write to shared memory with the update protocol")
    picture.tips(BLUE, ORANGE, GREEN)
    lanes = {"writer": 110, "home": 330, "routers": 560, "copies": 780}
    heads = {"writer": (f"node {writer}", "writes a line"), "home": (f"node {home}", "home of the line"),
             "routers": ("routers", "on the tree"), "copies": (f"{copies} nodes", "named by the directory")}
    for name, x in lanes.items():
        picture.box(x - 84, 20, 168, 48, "#f4f4f4")
        picture.text(x, 40, heads[name][0], 15, "middle", weight="bold")
        picture.text(x, 59, heads[name][1], 12, "middle")
        picture.line(x, 68, x, 470, PALE, 2)

    def message(y1, y2, a, b, words, color, width=2.2):
        picture.arrow([(lanes[a], y1), (lanes[b] - (4 if lanes[b] > lanes[a] else -4), y2)], color, width)
        x = (lanes[a] + lanes[b]) / 2
        picture.text(x, min(y1, y2) - 6, words, 13, "middle", color)

    message(104, 124, "writer", "home", "Write, a unicast", ORANGE)
    picture.text(lanes["home"] - 10, 150, "numbers the write", 12, "end", GRAY)
    message(170, 182, "home", "routers", "Update, one multicast", BLUE)
    for k in range(3):
        message(198 + 16 * k, 208 + 16 * k, "routers", "copies", "copies" if k == 0 else "", BLUE, 1.6)
    for k in range(3):
        message(290 + 16 * k, 300 + 16 * k, "copies", "routers", "answers" if k == 0 else "", GREEN, 1.6)
    picture.box(lanes["routers"] - 74, 340, 148, 30, "#c7ead9")
    picture.text(lanes["routers"], 360, "combined on the way", 12, "middle")
    message(384, 396, "routers", "home", "one ack", GREEN)
    message(424, 440, "home", "writer", "Done, a unicast", ORANGE)
    for y, cycle in ((104, begun), (440, done)):
        picture.text(lanes["writer"] - 12, y + 5, f"cycle {cycle}", 12, "end", GRAY)
    for y, cycle in ((130, at_home), (414, acked)):
        picture.text(lanes["home"] + 12, y, f"cycle {cycle}", 12, color=GRAY)
    picture.text(lanes["copies"] - 12, 262, f"first flits: cycles {first} to {last}", 12, "end", GRAY)
    picture.text(26, 492, "The writer continues when every copy is up to date. Cycles of one write of `rdt run --traffic dsm-all-to-all --protocol update`.",
                 12, color=GRAY)
    return picture.svg()
