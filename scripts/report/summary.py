# SPDX-License-Identifier: MIT
"""The report in a few figures: tiles of the page, and a picture of them."""
from .draw import GRAY, GREEN, ORANGE, YELLOW, number, svg, words

COLORS = {"passed": GREEN, "failed": ORANGE, "part": YELLOW, "": GRAY}
COLUMNS, TILE, HIGH = 4, 190, 62


def in_words(count):
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if count >= size:
            return f"{count / size:,.1f} {word}"
    return number(count)


def tiles(results, runs):
    """(what, value, kind)"""
    tests = {name: test for r in results for name, test in r.tests}
    ran = [t for t in tests.values() if t]
    failed = sum(t.result == "failed" for t in ran)
    verdicts = [r.verdict() for r in results]

    def tile(what, source, value, kind):
        return (what, value(source.value), kind(source.value)) if source.there() else (what, "not run", "")

    lockstep = [(s, c, result) for _, s, c, result in runs.lockstep()]
    return [
        ("rows of the plan shown", f"{verdicts.count('passed')} of {len(verdicts)}",
         "failed" if "failed" in verdicts else "passed" if set(verdicts) == {"passed"} else "part"),
        ("tests passed", f"{number(len(ran) - failed)} of {number(len(tests))}" if ran else "not run",
         "" if not ran else "failed" if failed else "passed" if len(ran) == len(tests) else "part"),
        ("comparisons in lockstep", in_words(sum(s * c for s, c, _ in lockstep)) if lockstep else "not run",
         "" if not lockstep else "failed" if any(r == "failed" for *_, r in lockstep) else "passed"),
        tile("properties proven", runs.proofs, lambda v: f"{sum(p['result'] == 'proven' for p in v)} of {len(v)}",
             lambda v: "failed" if any(p["result"] in ("refuted", "open") for p in v) else "passed"),
        tile("lines of RTL covered", runs.coverage, lambda v: f"{v['line']:.1f} %",
             lambda v: "failed" if v.get("failed") else "passed" if v["line"] >= 100 else "part"),
        tile("mutants killed", runs.mutants, lambda v: f"{v['percent']:.1f} %",
             lambda v: "passed" if not v["alive"] else "part"),
        tile("shortest clock, 0.5 um, wires", runs.timing, lambda v: f"{v['chip_ns_osu050_wires']:.2f} ns",
             lambda v: "passed" if v["ok"] else "failed"),
        tile("fast engine : RTL", runs.speed,
             lambda v: f"{v['machine_fast_to_rtl_0_1']:.0f} x" if "machine_fast_to_rtl_0_1" in v else "not run",
             lambda v: "passed" if "machine_fast_to_rtl_0_1" in v else ""),
    ]


def picture(results, runs):
    inner = ""
    found = tiles(results, runs)
    for i, (what, value, kind) in enumerate(found):
        x, y = 4 + TILE * (i % COLUMNS), 4 + HIGH * (i // COLUMNS)
        inner += f'<rect x="{x}.5" y="{y}.5" width="{TILE - 8}" height="{HIGH - 8}" rx="4" fill="#fff" stroke="#ccc"/>\n'
        inner += f'<rect x="{x}" y="{y}" width="5" height="{HIGH - 7}" fill="{COLORS[kind]}"/>\n'
        inner += words(x + 15, y + 25, value, more='font-size="18" font-weight="600"')
        inner += words(x + 15, y + 43, what, more='fill="#555"')
    return svg(TILE * COLUMNS + 8, HIGH * (-(-len(found) // COLUMNS)) + 8, inner, "what the last runs have shown")
