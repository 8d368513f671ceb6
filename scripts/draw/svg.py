# SPDX-License-Identifier: MIT
"""What the pictures of the documents have in common: colors, letters, boxes, arrows."""
import html
import json
import pathlib

# Colors of packets and links, the same in all pictures and on the live page.
COLORS = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/images/palette.json").read_text())
PALETTE = COLORS["light"]
UNICAST, MULTICAST, ACK, CHOSEN = (PALETTE[name] for name in ("unicast", "multicast", "ack", "chosen"))
# Colors of curves and blocks, readable on white, also with color vision deficiency (Okabe and Ito).
BLUE, ORANGE, GREEN, PINK = COLORS["series"][:4]
INK, GRAY, PALE = "#222222", "#777777", "#d9d9d9"


class Picture:
    """SVG of a size, on white: it is the same on a dark page."""

    def __init__(self, width, height, title, style=""):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="DejaVu Sans, Arial, sans-serif" font-size="13" fill="{INK}">',
            f"<title>{html.escape(title)}</title>",
            f"<style>{style}</style>" if style else "",
            f'<rect width="{width}" height="{height}" fill="white"/>']

    def add(self, text):
        self.parts.append(text)

    def text(self, x, y, words, size=13, anchor="start", color=INK, weight="normal"):
        self.add(f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{color}"'
                 + (f' font-weight="{weight}"' if weight != "normal" else "") + f">{html.escape(words)}</text>")

    def line(self, x1, y1, x2, y2, color=INK, width=1.5, extra=""):
        self.add(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{color}" '
                 f'stroke-width="{width:g}" {extra}/>')

    def path(self, d, color=INK, width=1.5, fill="none", extra=""):
        self.add(f'<path d="{d}" fill="{fill}" stroke="{color}" stroke-width="{width:g}" {extra}/>')

    def box(self, x, y, w, h, fill="white", color=INK, radius=6, extra=""):
        self.add(f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{radius}" fill="{fill}" '
                 f'stroke="{color}" stroke-width="1.4" {extra}/>')

    def tips(self, *colors):
        """Arrow heads, one a color, for arrow()."""
        self.add("<defs>" + "".join(
            f'<marker id="tip{c[1:]}" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">'
            f'<path d="M0 0L9 4L0 8z" fill="{c}"/></marker>' for c in colors) + "</defs>")

    def arrow(self, points, color=INK, width=1.6, extra=""):
        d = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
        self.path(d, color, width, extra=f'marker-end="url(#tip{color[1:]})" {extra}')

    def svg(self):
        return "\n".join(p for p in self.parts if p) + "\n</svg>\n"
