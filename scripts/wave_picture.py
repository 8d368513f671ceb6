#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the way of the first packet through a chip from a waveform of `rdt run --engine systemc`: a row a
signal, a column a cycle, flits by their number. SystemC and RTL share a row while they are equal.

usage: wave_picture.py SAVE_FILE VCD_FILE SVG_FILE     (.gtkw and waveform of one run)
       wave_picture.py --self-test
Exit code 1: the models differ; they are drawn. Exit code 2: there is nothing to draw.
"""
import html
import json
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ("systemc", "rtl")
LABEL, COLUMN, ROW, TOP = 150, 38, 22, 74
MOST_CYCLES = 24
MOST_FLITS = 16
FLIT = 18  # bits; more: with its frame
STREAM = re.compile(r"(^|_)[dx]_[io](\[\d+\])?$")
SERIES = json.loads((ROOT / "docs/images/palette.json").read_text())["series"]
HEADER = (SERIES[0], "#2b8cc4", SERIES[5])
BODY, SHADE, WRONG = "#d9ead9", "#f0e0c0", SERIES[1]


class Nothing(Exception):
    """Why there is no picture, in one line."""


def names_of(filter_name):
    return dict(line.split() for line in (ROOT / "sim/waves" / filter_name).read_text().splitlines() if line.strip())


def read_save(text):
    """[(title of the group, [(signal, model, [(path, bit or None)])])] of the way of the first packet."""
    groups, inside = [], None
    for line in text.splitlines():
        title = re.fullmatch(r"-(.* to .*: .*)", line)
        if title:
            inside = None if inside else (title[1], [])
            if inside:
                groups.append(inside)
        elif inside and line[:2] in ("+{", "#{"):
            name, rest = line[2:].split("}", 1)
            signal, model = name.rsplit(" ", 1)
            places = [(re.sub(r"\[\d+:\d+\]$", "", path), int(bit) if bit else None)
                      for bit, path in re.findall(r"(?:\((\d+)\))?(\S+)", rest)]
            inside[1].append((signal, model, places))
    if not groups:
        raise Nothing("the save file has no way of a packet: record with --engine systemc, and a packet in it")
    return groups


def read_vcd(text, wanted):
    """Values of the requested paths by cycle, as text of bits: path -> {cycle: bits}; and the last cycle."""
    scope, paths, widths, values = [], {}, {}, {path: {} for path in wanted}
    definitions, _, changes = text.partition("$enddefinitions")
    for words in (line.split() for line in definitions.splitlines()):
        if words[:1] == ["$scope"]:
            scope.append(words[2])
        elif words[:1] == ["$upscope"]:
            scope.pop()
        elif words[:1] == ["$var"]:
            path = ".".join([*scope, words[4]])
            if path in values:
                paths.setdefault(words[3], []).append(path)
                widths[path] = int(words[2])
    missing = [path for path in wanted if path not in widths]
    if missing:
        raise Nothing(f"the waveform has no signal {missing[0]}")
    cycle = 0
    for line in changes.splitlines()[1:]:
        if line[:1] == "#":
            cycle = int(line[1:])
        elif line and line[0] != "$":
            bits, code = line[1:].split() if line[0] == "b" else (line[0], line[1:])
            for path in paths.get(code, ()):
                values[path][cycle] = bits.rjust(widths[path], "0")
    return values, cycle


class Lane:
    """A signal of the way: its bits in every cycle, of both models."""

    def __init__(self, group, signal):
        self.group, self.signal, self.of = group, signal, {}

    def bits(self):
        return self.of[MODELS[0]] if MODELS[0] in self.of else next(iter(self.of.values()))

    def differs(self):
        both = [self.of[m] for m in MODELS if m in self.of]
        return len(both) == 2 and both[0] != both[1]

    def is_stream(self):
        return len(self.bits()[0]) >= FLIT and STREAM.search(self.signal) is not None


def lanes_of(groups, values, cycles):
    lanes = {}
    for title, signals in groups:
        for signal, model, places in signals:
            found = []
            now = {path: "" for path, _ in places}
            for cycle in cycles:
                for path in now:
                    now[path] = values[path].get(cycle, now[path])
                if any(not bits for bits in now.values()):
                    raise Nothing(f"the waveform has no value of {places[0][0]} in cycle {cycle}")
                found.append("".join(now[path] if bit is None else now[path][bit] for path, bit in places))
            lanes.setdefault((title, signal), Lane(title, signal)).of[model] = found
    return list(lanes.values())


def flits_of(lane, begin, longest):
    """Columns of the first packet in a stream that does not begin before `begin`."""
    bits = lane.bits()
    start = next((i for i in range(begin, len(bits)) if int(bits[i], 2)), None)
    if start is None:
        return []
    count = 0
    while start + count < len(bits) and count < longest and int(bits[start + count], 2):
        count += 1
    return list(range(start, start + count))


def name_of(bits, ports, requests, signal):
    value = int(bits, 2)
    if len(ports) - 1 <= len(bits) <= len(ports):  # all, or all but LOCAL
        return " ".join(ports[i] for i in range(len(bits)) if value >> i & 1)
    if signal.startswith("req_"):
        return requests.get(bits, bits)
    return f"{value:X}" if value else ""


def text(x, y, what, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{html.escape(what)}</text>\n'


def cell(x, y, columns, fill, label, color, title):
    return (f'<rect x="{x + 1}" y="{y + 3}" width="{columns * COLUMN - 2}" height="{ROW - 6}" rx="3" fill="{fill}">'
            f"<title>{html.escape(title)}</title></rect>\n"
            + text(x + columns * COLUMN / 2, y + ROW - 7, label, "middle", f'fill="{color}" pointer-events="none"'))


class Picture:
    def __init__(self, lanes, cycles):
        self.lanes, self.cycles = lanes, cycles
        self.ports = list(names_of("port.flt").values())
        self.requests = names_of("req.flt")
        self.flits = {}
        begin, longest = 0, MOST_FLITS
        for lane in lanes:
            if lane.is_stream():
                columns = flits_of(lane, begin, longest)
                if columns:
                    self.flits[lane] = columns
                    begin, longest = columns[0], min(longest, len(columns))
        if not self.flits:
            raise Nothing("no packet crosses in the time that was recorded")
        starts = [columns[0] for columns in self.flits.values()]
        self.enters, self.leaves = min(starts), max(starts)
        self.first = max(self.enters - 1, 0)
        self.last = min(self.leaves + longest, len(cycles) - 1, self.first + MOST_CYCLES - 1)

    def x(self, column):
        return LABEL + COLUMN * (column - self.first)

    def row(self, lane, model, y):
        bits = lane.of[model]
        shown = lane.signal if not lane.differs() else f"{lane.signal} {model}"
        inner = text(LABEL - 8, y + ROW - 7, shown, "end", f'fill="{WRONG if lane.differs() else "#1a1a1a"}"')
        if lane in self.flits:
            for number, column in enumerate(self.flits[lane]):
                if self.first <= column <= self.last:
                    head = number < len(HEADER)
                    inner += cell(self.x(column), y, 1, HEADER[number] if head else BODY, f"H{number}" if head else str(number),
                                  "#fff" if head else "#1a1a1a", f"{lane.signal} = {int(bits[column], 2):05X}")
            return inner
        column = self.first
        while column <= self.last:
            end = column
            while end < self.last and bits[end + 1] == bits[column]:
                end += 1
            if int(bits[column], 2):
                label = "" if len(bits[column]) == 1 else name_of(bits[column], self.ports, self.requests, lane.signal)
                inner += cell(self.x(column), y, end - column + 1, SHADE, label, "#1a1a1a", f"{lane.signal} = {label or 1}")
            column = end + 1
        return inner

    def svg(self):
        head = self.lanes[0].group.split(": ")[0]  # "node 1 W0 to E0"
        node, way = re.fullmatch(r"(node \d+) (.*)", head).groups()
        y, inner, group = TOP, "", None
        for lane in self.lanes:
            if lane.group != group:
                group = lane.group
                name = group.split(": ")[1]
                inner += text(8, y + ROW - 6, name[2:] if name.startswith("u_") else name, more='font-weight="600"')
                inner += f'<path d="M0 {y + 1}H{self.x(self.last + 1)}" stroke="#bbb"/>\n'
                y += ROW
            for model in MODELS if lane.differs() else (next(iter(lane.of)),):
                inner += self.row(lane, model, y)
                y += ROW
        grid = "".join(f'<path d="M{self.x(c)} {TOP - 4}V{y}" stroke="#e8e8e8"/>' +
                       text(self.x(c) + COLUMN / 2, TOP - 8, str(self.cycles[c]), "middle", 'fill="#555"')
                       for c in range(self.first, self.last + 1))
        width = self.x(self.last + 1) + 10
        took = self.leaves - self.enters
        a, b = self.x(self.enters), self.x(self.leaves)
        grid += f'<path d="M{a} {TOP - 26}V{y}M{b} {TOP - 26}V{y}" stroke="#000" stroke-dasharray="3 3" fill="none"/>'
        arrow = (f'<path d="M{a} {TOP - 28}H{b}m-6 -4l6 4l-6 4" stroke="#000" fill="none"/>'
                 + text(b + 6, TOP - 24, f"{took} cycles from pin to pin"))
        different = sum(lane.differs() for lane in self.lanes)
        both = all(len(lane.of) == 2 for lane in self.lanes)
        verdict = f"{different} signals differ between SystemC and RTL" if different else \
            "SystemC and RTL equal in every cycle" if both else "one model"
        title = text(8, 20, f"A packet crosses the chip of {node}, {way}", more='font-size="15" font-weight="600"')
        title += text(8, y + 20, f"{verdict}; H0 to H2: header, 3 and on: data; cycles since reset",
                      more=f'fill="{WRONG if different else "#555"}"')
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y + 30}" width="{width}" height="{y + 30}" '
                f'font-family="system-ui,sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="#fff"/>\n'
                f"{title}{grid}\n{inner}{arrow}</svg>\n"), different


def draw(save, vcd):
    groups = read_save(save)
    wanted = {path for _, signals in groups for _, _, places in signals for path, _ in places}
    values, last = read_vcd(vcd, wanted)
    begin = max((min(of) for of in values.values() if of), default=last)
    cycles = range(begin, last + 1)
    return Picture(lanes_of(groups, values, cycles), cycles).svg()


def self_test():
    """A made-up crossing of four flits that takes two cycles, in which a bit of the RTL is then spoilt."""
    save = ("-node 3 W0 to E0: u_in\n+{d_i systemc} c.s.d_i[17:0]\n+{d_i rtl} c.r.d_i[17:0]\n"
            "#{gnt_o[1] systemc} " + " ".join(f"({i})c.s.gnt[21:0]" for i in range(11)) + "\n-node 3 W0 to E0: u_in\n"
            "-node 3 W0 to E0: u_out\n+{d_o systemc} c.s.d_o[17:0]\n+{d_o rtl} c.r.d_o[17:0]\n-node 3 W0 to E0: u_out\n"
            "-node 3 port E0\n+{type link} nowhere[3:0]\n")
    head = ("$scope module c $end\n$scope module s $end\n$var wire 18 a d_i [17:0] $end\n$var wire 18 b d_o [17:0] $end\n"
            "$var wire 22 g gnt [21:0] $end\n$upscope $end\n$scope module r $end\n$var wire 18 c d_i [17:0] $end\n"
            "$var wire 18 d d_o [17:0] $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n")

    def changes(spoilt):
        lines = []
        for cycle in range(10, 22):
            lines.append(f"#{cycle}")
            for ids, start in (("ac", 12), ("bd", 14)):
                flit = cycle - start + 1 if start <= cycle < start + 4 else 0
                lines += [f"b{(flit ^ (spoilt if i == 'd' and cycle == 15 else 0)):b} {i}" for i in ids]
            lines.append(f"b{(2 << 11) if cycle == 13 else 0:022b} g")
        return "\n".join(lines) + "\n"

    def words(svg):
        return [e.text for e in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]

    svg, different = draw(save, head + changes(0))
    found = words(svg)
    wrong = []
    for what, good in (("no difference", different == 0), ("its flits twice", [found.count(n) for n in ("H0", "H1", "H2", "3")] ==
                        [2, 2, 2, 2]), ("two cycles", "2 cycles from pin to pin" in found), ("the grant to W0", "W0" in found),
                       ("its title", "A packet crosses the chip of node 3, W0 to E0" in found),
                       ("a row a signal", found.count("d_o") == 1)):
        if not good:
            wrong.append(f"a valid crossing lacks: {what}")
    svg, different = draw(save, head + changes(1 << 5))
    if different != 1 or "d_o rtl" not in words(svg) or "1 signals differ between SystemC and RTL" not in " ".join(words(svg)):
        wrong.append("a spoilt bit is not shown")
    for name, other, vcd in (("a save file without a way", "-node 3 port E0\n", head + changes(0)),
                             ("a waveform without the signals", save, head.replace("d_o", "q") + changes(0)),
                             ("a waveform without a packet", save, head + "#1\nb0 a\nb0 b\nb0 c\nb0 d\nb0 g\n#2\n")):
        try:
            draw(other, vcd)
            wrong.append(f"drawn: {name}")
        except Nothing:
            pass
    return wrong


def main():
    if sys.argv[1:] == ["--self-test"]:
        wrong = self_test()
        print("\n".join(wrong) or "a synthetic crossing is drawn correctly, a corrupted one is reported", file=sys.stderr if wrong else sys.stdout)
        return 1 if wrong else 0
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    save, vcd, out = map(pathlib.Path, sys.argv[1:])
    try:
        svg, different = draw(save.read_text(), vcd.read_text())
        with tempfile.NamedTemporaryFile("w", dir=out.parent, delete=False) as part:
            part.write(svg)
        pathlib.Path(part.name).chmod(0o644)
        pathlib.Path(part.name).replace(out)
    except (Nothing, OSError) as e:
        print(f"wave_picture: {e}", file=sys.stderr)
        return 2
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
