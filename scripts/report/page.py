# SPDX-License-Identifier: MIT
"""The whole page, and the picture beside it."""
import datetime
import functools
import subprocess

from . import draw, plan, runs, sections, summary
from .draw import code, text


@functools.lru_cache
def commit():
    def git(*words):
        done = subprocess.run(["git", *words], cwd=plan.ROOT, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""
    name = git("rev-parse", "--short", "HEAD")
    return (name + (" with changes" if git("status", "--porcelain", "--untracked-files=no") else "")) if name else "unknown"


def sources(found, changed):
    """The inputs of the page, and whether the sources have changed since."""
    rows = []
    for source in found.sources():
        if source.there():
            age = "older than the sources" if source.when < changed else "newer than the sources"
            names = ", ".join(f.name for f in source.files[:3]) + (" ..." if len(source.files) > 3 else "")
            rows.append((text(source.about), code(source.command), code(names), source.date(), age))
        else:
            rows.append((text(source.about), code(source.command), "", "not run", ""))
    return draw.table(["what", "command", "result", "when", "age"], rows)


def page(results, found, wrong, stale):
    changed = runs.newest_change()
    parts = [
        ("plan", "Test plan", sections.plan(results)),
        ("lockstep", "Lockstep", sections.lockstep(found)),
        ("faults", "Faults", sections.faults(found)),
        ("coverage", "Coverage", sections.coverage(found.coverage)),
        ("proofs", "Proofs", sections.proofs(found.proofs)),
        ("mutants", "Mutants", sections.mutants(found.mutants, found.few_mutants)),
        ("synthesis", "Synthesis", sections.synthesis(found.synthesis)),
        ("timing", "Timing", sections.timing(found.timing)),
        ("speed", "Speed", sections.speed(found.speed)),
        ("nightly", "Targets", sections.targets()),
        ("sources", "Made from", sources(found, changed)),
    ]
    inner = draw.HEAD + f"<title>RDT: report</title>\n<style>{draw.STYLE}</style>\n<h1>RDT: what the last runs have shown</h1>\n"
    now = datetime.datetime.now().strftime("%Y-%m-%d %H:%M")
    inner += f"<p>Commit {text(commit())}, made {now} from the results in the folder of the build.</p>\n"
    inner += "<nav>" + "".join(f'<a href="#{name}">{title}</a>\n' for name, title, _ in parts) + "</nav>\n"
    inner += '<div class="tiles">' + "".join(
        f'<div class="tile {kind}"><b>{text(value)}</b><span>{text(what)}</span></div>'
        for what, value, kind in summary.tiles(results, found)) + "</div>\n"
    if wrong:
        inner += f"<p>{draw.mark('failed')}: plan and tests disagree:</p><ul>" + "".join(
            f"<li>{text(line)}</li>" for line in wrong) + "</ul>\n"
    old = [source.command for source in found.sources() if source.there() and source.when < changed]
    if old:
        inner += f"<p>{draw.mark('older than the sources')}: {', '.join(map(code, old))}.</p>\n"
    if stale:
        inner += f"<p>{stale} results are of tests that there are no longer; they are left out.</p>\n"
    inner += sections.times(results)
    for name, title, content in parts:
        inner += f'<h2 id="{name}">{title}</h2>\n{content}'
    return inner + "</html>\n"


def write(path, content):
    """Complete, or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(content)
    part.replace(path)


def make(rows, known, found, output):
    """Writes page and picture. (lines in which plan and tests disagree, results by row)"""
    wrong = plan.disagreements(rows, known)
    results = [sections.RowResult(row, known, found) for row in rows]
    names = {t.name for t in known.tests}
    output.mkdir(parents=True, exist_ok=True)
    write(output / "index.html", page(results, found, wrong, len(set(found.tests) - names)))
    write(output / "summary.svg", summary.picture(results, found))
    return wrong, results
