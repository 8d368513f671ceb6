# SPDX-License-Identifier: MIT
"""Sections of the report."""
import re

from . import draw, make_targets
from .draw import BLUE, GREEN, GRAY, ORANGE, PINK, SKY, YELLOW, bars, code, figure, mark, not_run, number, text
from .plan import MAKE, shown_by

KINDS = ("line", "branch", "toggle")
ENGINES = {"fast": BLUE, "cycles": GREEN, "systemc": YELLOW, "rtl": ORANGE}


class RowResult:
    """A row of the plan beside its tests."""

    def __init__(self, row, known, runs):
        self.row = row
        names = {}
        self.commands = []
        for item in row.shown:
            if item.startswith(MAKE):
                self.commands.append(item)
            else:
                names.update((test.name, None) for test in shown_by(item, known) or [])
        self.tests = [(name, runs.tests.get(name)) for name in names]
        self.ran = [(name, test) for name, test in self.tests if test]
        self.failed = [name for name, test in self.ran if test.result == "failed"]
        self.seconds = sum(test.seconds for _, test in self.ran)
        sources = runs.by_command()
        self.records = [(c, sources.get(c)) for c in self.commands]
        record = make_targets.read_record()
        self.last_runs = {c: make_targets.last_run(c[len(MAKE):], record) for c in self.commands}

    def verdict(self):
        found = [verdict_of(s) for _, s in self.records if s and s.there()]
        if self.failed or "failed" in found:
            return "failed"
        if not self.tests:
            done = sum(bool(s and s.there()) for _, s in self.records)
            return "not run" if done == 0 else "passed" if done == len(self.records) else "part not run"
        if not self.ran:
            return "not run"
        return "passed" if len(self.ran) == len(self.tests) else "part not run"


def verdict_of(source):
    """Result files of a make target."""
    value = source.value
    if source.command == "make formal":
        wrong = [p for p in value if p["result"] not in ("proven", "bounded") or "no" in (p.get("injected"), p.get("cover"))]
        return "failed" if wrong else "passed"
    if isinstance(value, dict) and "ok" in value:
        return "passed" if value["ok"] else "failed"
    if source.command == "make soak":
        return "failed" if any(e["differences"] for e in value["entries"]) else "passed"
    if source.command in ("make fuzz", "make memory"):
        return "failed" if any(t.result == "failed" for t in value.values()) else "passed"
    if isinstance(value, str) and "[  FAILED  ]" in value:
        return "failed"
    return "passed"


def plan(results):
    def tests(result):
        parts = []
        if result.tests:
            outcome = f"{len(result.tests) - len(result.failed)} of {len(result.tests)} passed" if \
                len(result.ran) == len(result.tests) else f"{len(result.ran)} of {len(result.tests)} run"
            if result.failed:
                outcome = f"{len(result.failed)} of {len(result.tests)} failed"
            items = "".join(f"<li>{text(name)}: {t.result + f', {t.seconds:.2f} s' if t else 'not run'}</li>"
                            for name, t in sorted(result.tests, key=lambda pair: pair[1] is None or pair[1].result != "failed"))
            parts.append(f"<details><summary>{outcome}</summary><ul>{items}</ul></details>")
        for command, source in result.records:
            there = source is not None and source.there()
            outcome = f"{verdict_of(source)}, {source.date()}; " if there else "" if source is None else "not run; "
            parts.append(f"{code(command)}: {outcome}last success in make nightly: {text(result.last_runs[command])}")
        return "<br>".join(parts)

    inner = ""
    for area in dict.fromkeys(r.row.area for r in results):
        rows = [(f'<span id="{text(r.row.id)}"><b>{text(r.row.id)}</b></span>', ticked(r.row.what), mark(r.verdict()), tests(r),
                 number(r.seconds, 1) if r.ran else "") for r in results if r.row.area == area]
        inner += f"<h3>{text(area)}</h3>\n" + draw.table(["ID", "what", "result", "shown by", "seconds"], rows, {4}, "cards plan")
    return inner


def targets():
    """The last successful run of every target in `make nightly`, and the trend of its runs."""
    record = make_targets.read_record()
    rows = [(code(f"make {t.name}"), text(make_targets.last_run(t.name, record)), text(make_targets.trend(t.name, record)))
            for t in make_targets.IN_NIGHTLY]
    return draw.table(["target", "last success in make nightly", f"last {make_targets.KEPT_RUNS} runs"], rows)


def ticked(words):
    """The Markdown of the plan has only code, and links to other documents, which are not beside the page."""
    parts = text(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"docs/\1", words)).split("`")
    return "".join(f"<code>{p}</code>" if i % 2 else p for i, p in enumerate(parts))


def times(results):
    areas = {}
    for r in results:
        areas[r.row.area] = areas.get(r.row.area, 0) + r.seconds
    rows = [(area, [round(s, 1)], f"{s:,.0f} s") for area, s in areas.items() if s > 0]
    return figure(bars("Seconds of the tests", rows, [("seconds", BLUE)])) if rows else ""


def lockstep(runs):
    rows = runs.lockstep()
    inner = ""
    if rows:
        inner += draw.table(["run", "signals", "cycles", "comparisons", "result"],
                            [(text(who), number(s), number(c), number(s * c), mark(result)) for who, s, c, result in rows],
                            {1, 2, 3}, "cards")
    else:
        inner += not_run("RTL beside SystemC, signals x cycles", "make run", "So would make test and make soak.")
    for who, cycles, seeds, outcome in runs.fuzzed():
        inner += f"<p>{text(who)}: {number(cycles)} cycles of four chips, {number(seeds)} seeds: {text(outcome)}.</p>\n"
    return inner


def faults(runs):
    rows = runs.fault_lines()
    if not rows:
        return not_run("Faults under load", "make flips", "So would make faults and make test.")
    return draw.table(["run", "what came of it"], [(text(who), text(outcome)) for who, outcome in rows], kind="cards")


def percent(of):
    return 100.0 * of["hit"] / of["points"] if of["points"] else None


def shown(value):
    return "-" if value is None else f"{value:.1f}"


def coverage(source):
    if not source.there():
        return not_run("Coverage of the RTL", source.command) + not_run("Functional coverage", source.command)
    c = source.value
    inner = (f"<p>{number(c['cycles'])} cycles of random traffic, seed {c['seed']}, {len(c['programs'])} programs of tests; "
             + ", ".join(f"{k} {c[k]:.2f} %" for k in KINDS) + f"; {len(c['holes'])} holes. Excluded are points with a "
             "reason.</p>\n")
    if c.get("failed"):
        inner += f"<p>{mark('failed')}: {text(', '.join(c['failed']))}</p>\n"
    rows = []
    for name, of in sorted(c["files"].items()):
        holes = sum(h["file"] == name for h in c["holes"])
        rows.append((code(name), *(shown(percent(of[k])) for k in KINDS),
                     number(sum(of[k]["excluded"] for k in KINDS)), number(holes)))
    inner += draw.table(["file", "line %", "branch %", "toggle %", "excluded", "holes"], rows, {1, 2, 3, 4, 5})
    plotted = [(name.replace("rdt_", "").replace(".sv", ""), [round(percent(of["line"]) or 0, 1)], shown(percent(of["line"])))
               for name, of in sorted(c["files"].items()) if of["line"]["points"]]
    inner = f'{inner}{figure(bars("Lines of each file that are covered, %", plotted, [("%", BLUE)]))}'
    functional = c.get("functional")
    if not functional:
        return inner + '<p class="none">Functional coverage: not measured; build/cov.json has no bins.</p>\n'
    rows = [(text(name), number(of["hit"]), number(of["points"]), shown(percent(of))) for name, of in functional.items()]
    return inner + "<h3>Functional coverage</h3>\n" + draw.table(["cover points", "hit", "bins", "%"], rows, {1, 2, 3})


def proofs(source):
    if not source.there():
        return not_run("Proofs", source.command)
    found = source.value
    count = {word: sum(p["result"] == word for p in found) for word in ("proven", "bounded", "refuted", "open")}
    inner = "<p>" + ", ".join(f"{n} {word}" for word, n in count.items() if n) + ".</p>\n"
    rows = []
    for p in found:
        result = f"bounded, {p['depth']} cycles" if p["result"] == "bounded" else p["result"]
        rows.append((text(p["name"]), text(p["claim"]), mark(result), text(p.get("injected", "")), text(p.get("cover", "")),
                     number(p["seconds"], 1)))
    return inner + draw.table(["property", "what", "result", "mistakes refuted", "cover reached", "seconds"], rows, {5}, "cards", {3, 4})


def fates(m):
    return (f"{number(m['mutants'])} mutants of seed {m['seed']}, up to {number(m['cycles'])} cycles each: "
            f"{number(m['killed'])} killed, {number(m['equivalent'])} proven equivalent, {number(m['alive'])} "
            f"alive: <b>{m['percent']:.2f} % of the non-equivalent mutants are detected</b>.")


def mutants(source, few):
    extra = f"<p>In the default test: {fates(few.value)}</p>\n" if few.there() else ""
    if not source.there():
        return not_run("Mutants", source.command) + extra
    m = source.value
    inner = f"<p>{fates(m)}</p>\n{extra}"
    rows = [(block.replace("rdt_", ""), [b["killed"], b["equivalent"], b["alive"]],
             f"{100 * b['killed'] / max(b['mutants'] - b['equivalent'], 1):.0f} %") for block, b in m["blocks"].items()]
    inner += figure(bars("Mutants by block", rows, [("killed", GREEN), ("equal", GRAY), ("alive", ORANGE)]),
                    "Behind a bar: share of the mistakes that are seen.")
    alive = "".join(f"<li>{code(s['line'])}: {text(s['mistake'])}</li>" for s in m["survivors"])
    return inner + (f"<details><summary>{len(m['survivors'])} that are alive</summary><ul>{alive}</ul></details>\n"
                    if alive else "")


def synthesis(source):
    if not source.there():
        return not_run("Gates by block", source.command)
    f = source.value
    blocks = [key[:-len(".gates_total")] for key in f if key.startswith("rdt_") and key.endswith(".gates_total")]
    inner = f"<p>{mark('passed' if f['ok'] else 'failed')} {text('; '.join(map(str, f['failures'])))} "
    inner += (f"{number(f['chip.logic_gates'])} gates of logic, the paper's chip has {number(f['chip.paper_logic_gates'])} "
              f"({text(f['library'])}, {text(f['yosys'])}).")
    if "netlist.equal" in f:
        inner += (f" Netlist {'equal to' if f['netlist.equal'] else 'different from'} the RTL over "
                  f"{number(f['netlist.cycles'])} cycles; {f['netlist.injected_seen']} of {f['netlist.injected']} injected wrong "
                  "gates were seen.")
    inner += "</p>\n"
    rows = []
    for block in blocks:
        name, gates = f.get(f"{block}.paper_name", ""), f.get(f"{block}.paper_gates")
        rows.append((code(block), number(f[f"{block}.count"]), number(f[f"{block}.gates_largest"]), text(name),
                     number(gates) if gates else "", number(f[f"{block}.gates_total"]), number(f[f"{block}.flipflops_total"])))
    inner += draw.table(["block", "count", "gates of one", "in the paper", "its gates", "gates of all", "flip-flops"], rows,
                        {1, 2, 4, 5, 6})
    rows = [(block.replace("rdt_", ""), [f[f"{block}.gates_total"]], number(f[f"{block}.gates_total"])) for block in blocks]
    return inner + figure(bars("Gates of all instances", rows, [("gates", BLUE)]), "A gate is the area of a NAND2.")


def timing(source):
    if not source.there():
        return not_run("Timing", source.command)
    f = source.value
    inner = f"<p>{mark('passed' if f['ok'] else 'failed')} {text('; '.join(map(str, f['failures'])))}</p>\n"
    readings = [("osu050", "0.5 um"), ("osu050_wires", "0.5 um, wires"), ("osu018", "0.18 um"),
                ("osu018_wires", "0.18 um, wires")]
    names = [key[:-len("_gates")] for key in f if key.startswith("rdt_") and key.endswith("_gates")] + ["chip"]

    def cells(key):
        return [number(f[f"{key}_ns_{r}"], 2) if f"{key}_ns_{r}" in f else "" for r, _ in readings]
    rows = [(code(name), number(f[f"{name}_gates"]), *cells(name)) for name in names]
    rows += [(f"from a {pin.upper()} pin", "", *cells(f"{pin}_pin")) for pin in ("req", "d", "cred")]
    inner += draw.table(["shortest period, ns", "gates", *(label for _, label in readings)], rows, {1, 2, 3, 4, 5})
    bar = f.get("bar_ns_osu050_wires")
    rows = [(name.replace("rdt_", ""), [round(f[f"{name}_ns_osu050_wires"], 2)], f"{f[f'{name}_ns_osu050_wires']:.2f}")
            for name in names]
    return inner + figure(bars("Shortest period in 0.5 um with wires, ns", rows, [("ns", BLUE)],
                               line=(bar, f"goal {bar}") if bar else None))


def speed(source):
    if not source.there():
        return not_run("Speed", source.command)
    f = source.value
    inner = ""
    chip = [(name, key) for name, key in (("fast core", "core"), ("SystemC module", "systemc"), ("SystemC blocks", "blocks"),
                                          ("RTL", "rtl"), ("lockstep", "lockstep")) if f"chip_{key}_cycles_per_second" in f]
    if chip:
        rows = [(name, [round(f[f"chip_{key}_cycles_per_second"])], number(f[f"chip_{key}_cycles_per_second"]))
                for name, key in chip]
        inner += figure(bars("One chip, cycles per second", rows, [("cycles per second", BLUE)], log=True))
    loads = [load for load in ("0_1", "0_3", "saturation") if f"machine_rtl_{load}_cycles_per_second" in f]
    for load in loads:
        rows = []
        for engine in ENGINES:
            rate = f.get(f"machine_{engine}_{load}_cycles_per_second")
            if rate:
                ratio = rate / f[f"machine_rtl_{load}_cycles_per_second"]
                rows.append((engine, [round(rate)], short_rate(rate, ratio, engine)))
        title = "saturated" if load == "saturation" else f"load {load.replace('_', '.')}"
        inner += figure(bars(f"64 nodes, {title}, cycles per second", rows, [("cycles per second", SKY)], log=True),
                        "Behind a bar: how many times the RTL.")
    lab = [(key[len("lab_"):-len("_node_cycles_per_second")], value) for key, value in f.items()
           if key.startswith("lab_") and key.endswith("_node_cycles_per_second")]
    if lab:
        rows = [(name.replace("_load_", " ").replace("_", "."), [round(v)], draw.short(v)) for name, v in lab]
        inner += figure(bars("Network lab, node-cycles per second", rows, [("node-cycles per second", PINK)], log=True))
    if not inner:
        return not_run("Speed of chip and machine", source.command)
    return f'<div class="plots">{inner}</div>\n'


def short_rate(rate, ratio, engine):
    return draw.short(rate) if engine == "rtl" else f"{draw.short(rate)} ({ratio:.3g} x)"
