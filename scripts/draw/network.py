# SPDX-License-Identifier: MIT
"""The 64-node RDT: its links, packets on them, a multicast and its acks. Moving packets come from
packet logs of `rdt run`."""
import collections
import math
import re

from .svg import ACK, CHOSEN, GRAY, INK, MULTICAST, PALETTE, UNICAST, Picture

SIDE = 8
# From node (x, y) out of a port; the upper rank is a torus of its own, turned by 45 degrees.
STEPS = {"E0": (1, 0), "W0": (-1, 0), "N0": (0, 1), "S0": (0, -1),
         "E1": (2, 2), "W1": (-2, -2), "N1": (-2, 2), "S1": (2, -2)}
Packet = collections.namedtuple("Packet", "number source receivers flits born hops done")
Hop = collections.namedtuple("Hop", "node port cycle")


def packets(log):
    """Packets of a log: `3 55.M1 to 34.M0, 16 flits: generated 94; 55.M1@97 55.S1/0@103 34.M0@115; delivered 132`."""
    found = []
    for line in log.splitlines():
        m = re.match(r"(\d+) (\d+)\.M\d to (?:(\d+) nodes|\d+\.M\d), (\d+) flits: generated (\d+); (.*); delivered (\d+)$", line)
        if m:
            hops = [Hop(int(n), port, int(c)) for n, port, c in re.findall(r"(\d+)\.(\w\d)(?:/\d)?@(\d+)", m[6])]
            found.append(Packet(int(m[1]), int(m[2]), int(m[3] or 1), int(m[4]), int(m[5]), hops, int(m[7])))
    return found


def neighbor(node, port):
    dx, dy = STEPS[port]
    return (node % SIDE + dx) % SIDE + SIDE * ((node // SIDE + dy) % SIDE)


class Grid:
    """Where nodes and links are in a picture: north is up, node 0 at the bottom left. Links over the edge are a
    stub at either end."""

    def __init__(self, left, top, step, radius):
        self.left, self.top, self.step, self.radius = left, top, step, radius

    def at(self, node):
        return self.left + node % SIDE * self.step, self.top + (SIDE - 1 - node // SIDE) * self.step

    def lines(self, node, port):
        """[(x1, y1, x2, y2)] in the direction of the packet."""
        dx, dy = STEPS[port]
        x, y = self.at(node)
        to_x, to_y = self.at(neighbor(node, port))
        length = math.hypot(dx, dy)
        ux, uy = dx / length, -dy / length
        inside = 0 <= node % SIDE + dx < SIDE and 0 <= node // SIDE + dy < SIDE
        if inside and length > 1.5:  # bent, so that it does not run through the node half way
            return [self.bent(x, y, to_x, to_y, ux, uy)]
        if inside:
            return [f"M{x + self.radius * ux:.1f} {y + self.radius * uy:.1f}"
                    f"L{to_x - self.radius * ux:.1f} {to_y - self.radius * uy:.1f}"]
        stub = self.step * (0.62 if length < 1.5 else 0.85)
        return [f"M{x + self.radius * ux:.1f} {y + self.radius * uy:.1f}L{x + stub * ux:.1f} {y + stub * uy:.1f}",
                f"M{to_x - stub * ux:.1f} {to_y - stub * uy:.1f}"
                f"L{to_x - self.radius * ux:.1f} {to_y - self.radius * uy:.1f}"]

    def bent(self, x, y, to_x, to_y, ux, uy):
        # To the same side of the line whichever end sends: one link, one curve.
        side = 1 if ux > 0 else -1
        bend = 0.42 * self.step
        mx, my = (x + to_x) / 2 - side * bend * uy, (y + to_y) / 2 + side * bend * ux
        def edge(px, py):
            d = math.hypot(mx - px, my - py)
            return px + self.radius * (mx - px) / d, py + self.radius * (my - py) / d
        (ax, ay), (bx, by) = edge(x, y), edge(to_x, to_y)
        return f"M{ax:.1f} {ay:.1f}Q{mx:.1f} {my:.1f} {bx:.1f} {by:.1f}"

    def draw_links(self, picture, upper=PALETTE["link-upper"], lower=PALETTE["link"]):
        for ports, color, width in ((("E1", "N1"), upper, 1.2), (("E0", "N0"), lower, 3)):
            d = "".join(line for port in ports for node in range(SIDE * SIDE) for line in self.lines(node, port))
            picture.path(d, color, width)

    def draw_nodes(self, picture, fill=lambda node: "white", label=str, ring=lambda node: INK):
        for node in range(SIDE * SIDE):
            x, y = self.at(node)
            picture.add(f'<circle cx="{x:g}" cy="{y:g}" r="{self.radius}" fill="{fill(node)}" stroke="{ring(node)}"/>')
            picture.text(x, y + 4, label(node), 11, "middle")


LIGHT = {UNICAST: "#8ec3e6", MULTICAST: "#ecc98a"}

# The picture on top of README: a piece of a run, over and over.
LOOP, START, CYCLE = 128, 437, 0.15  # cycles; seconds a cycle


def traffic(log):
    """Packets on the links in every cycle from START on. Who shows no
    movement shows the cycle after the last."""
    flits = 16
    share = 100 * flits / LOOP
    style = (f"@keyframes go{{0%{{stroke-opacity:1;stroke-dashoffset:0}}{share:.2f}%{{stroke-opacity:1;"
             f"stroke-dashoffset:-{flits * 9}}}{share + .01:.2f}%,100%{{stroke-opacity:0}}}}"
             "@keyframes in{0%," + f"{share:.2f}%" + "{fill-opacity:1}" + f"{share + 2:.2f}%" + ",100%{fill-opacity:0}}"
             f".p{{fill:none;stroke-width:4.5;stroke-dasharray:6 3;animation:go {LOOP * CYCLE:g}s linear infinite}}"
             f".n{{animation:in {LOOP * CYCLE:g}s linear infinite}}"
             "@media (prefers-reduced-motion:reduce){.p,.n{animation:none}}")
    picture = Picture(840, 560, "64 routers as a Recursive Diagonal Torus, with packets on its links", style)
    grid = Grid(58, 62, 62, 13)
    grid.draw_links(picture)
    on_links, arrivals = [], []
    for packet in packets(log):
        color = UNICAST if packet.receivers == 1 else MULTICAST
        for hop in packet.hops:
            phase = hop.cycle - START
            if not 0 <= phase < LOOP:
                continue
            # A negative delay: the loop is entered where it stands in cycle START.
            delay = f"animation-delay:{-(LOOP - phase) * CYCLE:.2f}s"
            now = (START - hop.cycle) % LOOP < flits
            if hop.port in STEPS:
                for d in grid.lines(hop.node, hop.port):
                    on_links.append(f'<path class="p" stroke="{color}" stroke-opacity="{int(now)}" style="{delay}" d="{d}"/>')
            elif hop is not packet.hops[0]:
                x, y = grid.at(hop.node)
                arrivals.append(f'<circle class="n" cx="{x:g}" cy="{y:g}" r="{grid.radius}" fill="{LIGHT[color]}" '
                                f'fill-opacity="{int(now)}" style="{delay}"/>')
    picture.parts += on_links
    grid.draw_nodes(picture, label=lambda node: "")
    picture.parts += arrivals
    for node in range(SIDE * SIDE):
        x, y = grid.at(node)
        picture.text(x, y + 4, str(node), 11, "middle")
    legend(picture, 578)
    return picture.svg()


def legend(picture, x):
    picture.text(x, 60, "64 routers, 256 links", 17, weight="bold")
    for k, words in enumerate(("Recursive Diagonal Torus:", "every router has four links in a", "2-D torus (gray) and four in a",
                               "diagonal one (beige).")):
        picture.text(x, 90 + 20 * k, words)
    for k, (color, words) in enumerate(((UNICAST, "unicast packet on a link,"), (MULTICAST, "copy of a multicast"))):
        y = 196 + 50 * k
        picture.line(x, y, x + 44, y, color, 4.5, 'stroke-dasharray="6 3"')
        picture.text(x + 54, y + 5, words)
    picture.text(x + 54, 221, "a dash a flit")
    picture.add(f'<circle cx="{x + 22}" cy="296" r="13" fill="{LIGHT[UNICAST]}" stroke="{INK}"/>')
    picture.text(x + 54, 301, "packet arrives at its node")
    for k, words in enumerate(("16-flit packets, injection rate 0.15", "flits/node/cycle, a packet in 50 a", f"multicast. Cycles {START} to {START + LOOP - 1} of a",
                               "cycle-exact run, slowed down", "to 7 cycles per second.")):
        picture.text(x, 350 + 20 * k, words, color=GRAY)


def multicast(log):
    """Left: the copies go out, with the cycle in which each node has its first flit. Right: the acks come back."""
    (packet,) = packets(log)
    picture = Picture(1000, 600, "A multicast to 64 nodes, and its acks, which the routers combine")
    picture.tips(MULTICAST, ACK)
    start = packet.hops[0].cycle
    arrived = {h.node: h.cycle - start for h in packet.hops[1:] if h.port[0] == "M"}
    links = [h for h in packet.hops if h.port in STEPS]
    first, last = min(arrived.values()), max(arrived.values())

    def shade(node):
        k = (arrived[node] - first) / max(1, last - first)
        return f"hsl(40,{80 - 20 * k:.0f}%,{62 + 34 * k:.0f}%)"

    for left, color, back in ((58, MULTICAST, False), (558, ACK, True)):
        grid = Grid(left, 118, 54, 14)
        grid.draw_links(picture, upper="#eeeeee", lower="#eeeeee")
        for hop in links:
            node, port = hop.node, hop.port
            if back:
                node, port = neighbor(node, port), {"E": "W", "W": "E", "N": "S", "S": "N"}[port[0]] + port[1]
            for d in grid.lines(node, port):
                picture.path(d, color, 2 if port[1] == "1" else 1.6, extra=f'marker-end="url(#tip{color[1:]})"')
        if back:
            answers = collections.Counter(h.node for h in links)
            answers.update(h.node for h in packet.hops[1:] if h.port[0] == "M")
            grid.draw_nodes(picture, fill=lambda n: "#c7ead9" if answers[n] > 1 else "white",
                            label=lambda n: str(answers[n]) if answers[n] > 1 else "",
                            ring=lambda n: CHOSEN if n == packet.source else INK)
        else:
            grid.draw_nodes(picture, fill=shade, label=lambda n: str(arrived[n]),
                            ring=lambda n: CHOSEN if n == packet.source else INK)
    picture.text(30, 34, "1. One packet becomes 64 copies", 17, weight="bold")
    picture.text(30, 58, f"Number: cycle of the first flit at the node's pins, after the source's ({first} to {last}).", 12)
    picture.text(530, 34, "2. 64 answers become one ack", 17, weight="bold")
    picture.text(530, 58, "Number: answers a router waits for before it answers on.", 12)
    picture.text(30, 588, f"Ring: node {packet.source}, the source. Stubs go over the edge of the torus.", 12, color=GRAY)
    picture.text(530, 588, f"The one ack is back {packet.done - packet.born} cycles after the packet was made.", 12, color=GRAY)
    return picture.svg()


def plain():
    """The network alone, and the links of one node."""
    picture = Picture(640, 644, "The links of a node in a 64-node RDT")
    grid = Grid(66, 96, 68, 14)
    grid.draw_links(picture)
    node = 27
    for port in STEPS:
        for d in grid.lines(node, port):
            picture.path(d, INK if port[1] == "0" else CHOSEN, 3.4)
    grid.draw_nodes(picture, ring=lambda n: CHOSEN if n == node else INK)
    x, y = grid.at(node)
    beside = {"E0": (30, -6), "W0": (-30, -6), "N0": (12, -30), "S0": (-12, 42), "E1": (66, -28), "W1": (-44, 34),
              "N1": (-66, -28), "S1": (44, 34)}
    for port, (dx, dy) in beside.items():
        picture.text(x + dx, y + dy, port, 11, "middle", INK if port[1] == "0" else CHOSEN, "bold")
    picture.text(30, 26, "Ports of node 27: rank 0 (black) to the four nodes next to it,", 14)
    picture.text(30, 46, "upper rank (purple) two steps in x and two in y away", 14)
    return picture.svg()
