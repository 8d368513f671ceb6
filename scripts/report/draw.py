# SPDX-License-Identifier: MIT
"""Parts of a page: HTML, and plots as SVG that needs nothing else."""
import html
import json
import math
import pathlib

# Distinguishable with color vision deficiency (Okabe and Ito).
PALETTE = pathlib.Path(__file__).resolve().parents[2] / "docs/images/palette.json"
BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, *_ = json.loads(PALETTE.read_text())["series"]
GRAY = "#999999"
WIDTH = 440  # width of a plot: legible on a phone, two side by side on a screen
LETTER = 6.5  # largest width of a letter
ROW = 20
STYLE = """
:root{color-scheme:light}
body{margin:0 auto;padding:1rem;max-width:76rem;font:16px/1.45 system-ui,sans-serif;color:#1a1a1a;background:#fff}
h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.25rem;margin:2.2rem 0 .5rem;border-bottom:1px solid #ccc}
h3{font-size:1rem;margin:1.2rem 0 .3rem}
nav a{display:inline-block;margin-right:.9rem}
a{color:#0058a3}p,li{overflow-wrap:anywhere}
code{font:13px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid #e4e4e4}
th{border-bottom:1px solid #888;white-space:nowrap}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td code{overflow-wrap:normal;white-space:nowrap}
.cards td,.cards td code{overflow-wrap:anywhere;white-space:normal}
.plan table{width:100%}
.plan td:first-child,.plan td:nth-child(3){white-space:nowrap}
.plan td:nth-child(4){width:15rem}.plan td:last-child{width:4rem}
@media(max-width:40rem){.cards tr:first-child{display:none}.cards table,.cards tbody,.cards tr,.cards td{display:block}
.cards tr{border-bottom:1px solid #bbb;padding:.5rem 0}.cards td{border:0;padding:.1rem 0;text-align:left}
.cards td:nth-child(n){width:auto}.cards td:empty{display:none}
.cards td.n::before,.cards td.l::before{content:attr(data-label)": ";color:#555}}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.6rem;margin:1rem 0}
.tile{border:1px solid #ccc;border-left:6px solid #999;border-radius:4px;padding:.4rem .8rem}
.tile b{display:block;font-size:1.15rem;white-space:nowrap}.tile span{font-size:.85rem;color:#555}
.passed,.ok{border-left-color:@GREEN@}.failed{border-left-color:@ORANGE@}.part{border-left-color:@YELLOW@}
.mark{white-space:nowrap;border-left:6px solid #999;padding-left:.4rem}
.mark.passed{border-color:@GREEN@}.mark.failed{border-color:@ORANGE@;font-weight:700}.mark.part{border-color:@YELLOW@}
.none{color:#555;background:#f4f4f4;padding:.5rem .8rem;border-left:6px solid #999}
details summary{cursor:pointer;white-space:nowrap}
details ul{margin:.3rem 0;padding-left:1.1rem;overflow-wrap:anywhere}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1rem}
figure{margin:0}figure svg{width:100%;height:auto;max-width:36rem}
figcaption{font-size:.85rem;color:#555}
""".replace("@GREEN@", GREEN).replace("@ORANGE@", ORANGE).replace("@YELLOW@", YELLOW)
HEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
"""


def text(value):
    return html.escape(str(value), quote=True)


def number(value, digits=0):
    return f"{value:,.{digits}f}"


def code(words):
    return f"<code>{text(words)}</code>"


def mark(word):
    """A verdict, readable without colors."""
    kind = {"passed": "passed", "proven": "passed", "failed": "failed", "refuted": "failed"}.get(word.split(" ")[0])
    return f'<span class="mark {kind or ("" if word.startswith("not run") else "part")}">{text(word)}</span>'


def table(head, rows, numbers=(), kind="wide", labelled=()):
    """Cells are HTML; columns whose place is in `numbers` are aligned right. On a telephone "cards" puts the
    cells of a row below each other, numbers and those that are `labeled` behind the head of their column."""
    def row(cells, tag):
        line = ""
        for i, (label, c) in enumerate(zip(head, cells)):
            style = "n" if i in numbers else "l" if i in labelled else ""
            line += f'<{tag} class="{style}" data-label="{text(label)}">{c}</{tag}>' if style else f"<{tag}>{c}</{tag}>"
        return f"<tr>{line}</tr>\n"
    return (f'<div class="{kind}"><table>\n' + row(map(text, head), "th") + "".join(row(r, "td") for r in rows)
            + "</table></div>\n")


def not_run(what, command, more=""):
    return f'<p class="none">{text(what)}: not run. {code(command)} would.{" " + text(more) if more else ""}</p>\n'


def figure(svg, caption=""):
    below = f"<figcaption>{text(caption)}</figcaption>" if caption else ""
    return f"<figure>{svg}{below}</figure>\n"


def svg(width, height, inner, label):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="{text(label)}" font-family="system-ui,sans-serif" font-size="11">\n'
            f'<rect width="{width}" height="{height}" fill="#fff"/>\n{inner}</svg>\n')


def words(x, y, what, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{text(what)}</text>\n'


def ticks(largest):
    step = 10 ** math.floor(math.log10(largest / 4))
    step *= next(f for f in (1, 2, 5, 10) if largest / (step * f) <= 5)
    return [step * i for i in range(int(largest / step + 1e-9) + 1)]


def short(value):
    for limit, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= limit:
            return f"{value / {'G': 1e9, 'M': 1e6, 'k': 1e3}[letter]:.4g}{letter}"
    return f"{value:.4g}"


def bars(title, rows, parts, log=False, line=None):
    """Bars to the right, one per row: (label, [value of each part], what stands behind it). Parts, (name,
    color), are stacked; on a logarithmic scale there is one. `line`: (value, name) across all."""
    sums = [sum(values) for _, values, _ in rows]
    largest = max([*sums, line[0] if line else 0]) or 1
    left, right = 10 + LETTER * max(len(label) for label, _, _ in rows), WIDTH - 8 - LETTER * max(len(b) for _, _, b in rows)
    low = 10 ** math.floor(math.log10(min(s for s in sums if s > 0))) if log and any(sums) else 0

    def x(value):
        if log:
            share = math.log10(max(value, low) / low) / math.log10(largest * 1.05 / low)
        else:
            share = value / largest / 1.02
        return left + (right - left) * share

    inner = words(0, 14, title, more='font-size="13" font-weight="600"')
    at = 0
    for name, color in parts if len(parts) > 1 else ():
        inner += f'<rect x="{at}" y="21" width="9" height="9" fill="{color}"/>' + words(at + 13, 29, name)
        at += 30 + 6 * len(name)
    top = (42 if len(parts) > 1 else 24) + (14 if line else 0)
    bottom = top + ROW * len(rows)
    marks = [low * 10 ** i for i in range(12) if low * 10 ** i <= largest * 1.05] if log else ticks(largest)
    for value in marks:
        inner += f'<path d="M{x(value):.1f} {top}V{bottom}" stroke="#ddd"/>' + words(x(value), bottom + 13, short(value),
                                                                                    "middle", 'fill="#555"')
    for i, (label, values, behind) in enumerate(rows):
        y = top + ROW * i
        inner += words(left - 6, y + 14, label, "end")
        start = 0
        for (name, color), value in zip(parts, values):
            a, b = x(start) if start or not log else left, x(start + value)
            inner += (f'<rect x="{a:.1f}" y="{y + 3}" width="{max(b - a, 0):.1f}" height="{ROW - 6}" fill="{color}">'
                      f"<title>{text(label)}: {text(name)} {value:,}</title></rect>\n")
            start += value
        inner += words(x(start) + 5, y + 14, behind)
    if line:
        inner += (f'<path d="M{x(line[0]):.1f} {top - 2}V{bottom}" stroke="#000" stroke-dasharray="4 3"/>'
                  + words(x(line[0]) + 3, top - 4, line[1], "end" if x(line[0]) > right - 60 else "start"))
    return svg(WIDTH, bottom + 22, inner, title)
