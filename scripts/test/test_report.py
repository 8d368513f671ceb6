#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the report with synthetic results: values are unchanged, missing results are marked as not
run, broken files are not used as results, and the page is self-contained.

usage: python3 -m scripts.test.test_report BUILD_DIR [tests of unittest]
"""
import html.parser
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from scripts.report import make_targets, plan, runs
from scripts.report.page import make

SINGLE = {"meta", "br"}  # elements without an end
ROWS = plan.read_plan(plan.PLAN.read_text())
KNOWN = plan.Tests()


class Page(html.parser.HTMLParser):
    """The page as a browser reads it: text, links and names; reports unclosed elements."""

    def __init__(self, content):
        super().__init__()
        self.open, self.ids, self.links, self.words, self.wrong = [], [], [], [], []
        self.feed(content)
        if self.open != ["html"]:
            self.wrong.append(f"left open: {self.open}")

    def handle_starttag(self, tag, attrs):
        if tag not in SINGLE:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href", "data", "action", "srcset"):
                self.links.append(value)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if tag == "html":
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes something else")

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "title"):
            self.words.append(data)

    def text(self):
        return " ".join(" ".join(self.words).split())


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rdt_report_")
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)

    def made(self, rows=ROWS, known=None):
        self.wrong, self.results = make(rows, known or KNOWN, runs.Runs(self.build), self.build / "report")
        content = (self.build / "report/index.html").read_text()
        page = Page(content)
        self.assertEqual(page.wrong, [])
        self.assertEqual(len(page.ids), len(set(page.ids)), "an id is there twice")
        for link in page.links:
            self.assertTrue(link.startswith("#") and link[1:] in page.ids, f"leads elsewhere: {link}")
        self.assertEqual(content.count("url(") + content.count("@import"), 0)
        self.assertEqual(content.replace("http://www.w3.org/2000/svg", "").count("http:"), 0)
        return page.text()

    def says(self, words, text):
        self.assertTrue(words in text, f"not on the page: {words}")

    def verdict(self, name):
        return next(r.verdict() for r in self.results if r.row.id == name)

    def write(self, name, value):
        (self.build / name).write_text(value if isinstance(value, str) else json.dumps(value))

    def junit(self, name, cases, age=0):
        """Cases: name -> (status, seconds, output)."""
        suite = ElementTree.Element("testsuite")
        for test, (status, seconds, output) in cases.items():
            case = ElementTree.SubElement(suite, "testcase", name=test, time=str(seconds), status=status)
            ElementTree.SubElement(case, "system-out").text = output
        path = self.build / name
        path.write_bytes(ElementTree.tostring(suite))
        os.utime(path, (path.stat().st_mtime - age,) * 2)


class NothingRun(Report):
    def test_missing_results_are_marked_with_their_command(self):
        text = self.made()
        self.assertEqual({r.verdict() for r in self.results}, {"not run"})
        for command in ("make test", "make quick", "make run", "make soak", "make cov", "make formal", "make mutate",
                        "make synth", "make sta", "make bench", "make flips", "make faults"):
            self.says(command, text)
        for what in ("Coverage of the RTL", "Functional coverage", "Proofs", "Mutants", "Gates by block", "Timing", "Speed"):
            self.says(f"{what}: not run", text)
        recorded = make_targets.read_record()  # nightly runs are shown without a build too
        for shown in ["tests passed"] + [make_targets.trend(name, recorded) for name in recorded]:
            text = text.replace(shown, "")
        self.assertEqual(text.count(" passed"), 0)

    def test_truncated_file_is_not_a_result(self):
        for name in ("cov.json", "formal.json", "mutate.json", "synth.json", "sta.json", "bench.json", "run.json"):
            self.write(name, '{"ok": tr')
        self.write("test.xml", "<testsuite><testcase")
        self.made()
        self.assertEqual({r.verdict() for r in self.results}, {"not run"})


class Targets(unittest.TestCase):
    def test_a_record_is_never_stale_or_of_this_commit(self):
        def record(commit):
            return {"run": {"passed": {"x": {"commit": commit, "date": "2026-01-01", "seconds": 7}}}}

        def commit(name):
            return subprocess.run(["git", "rev-parse", "--short", name], cwd=make_targets.ROOT, capture_output=True,
                                  text=True, check=True).stdout.strip()

        self.assertEqual(make_targets.last_run("run", {}), "never")
        self.assertIn("another history", make_targets.last_run("run", record("0000000")))
        if (make_targets.ROOT / ".git").exists():
            self.assertEqual(make_targets.last_run("run", record(commit("HEAD"))), f"2026-01-01, {commit('HEAD')}, 7 s, x")
            self.assertTrue(make_targets.last_run("run", record(commit("HEAD~2"))).startswith("stale by "))

    def test_targets_do_not_get_the_options_of_nightly(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            code = ("import nightly, pathlib; nightly.run('probe', ['--eval=probe:;@echo [$(ONLY)$(LIMIT)] [$(JOBS)]'], "
                    f"nightly.ROOT, pathlib.Path({str(log)!r}), 60)")
            subprocess.run([sys.executable, "-c", code], cwd=make_targets.ROOT / "scripts", check=True,
                           env={**os.environ, "MAKEFLAGS": " -- ONLY=inject", "ONLY": "inject", "LIMIT": "9", "JOBS": "3"})
            self.assertEqual(log.read_text(), "[] [3]\n")

    def test_a_target_is_skipped_only_if_the_system_lacks_what_it_needs(self):
        notice = "setup: notice: this system has no package qflow: there is no layout\n"
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            for target, text, result in (("layout", notice, "skipped: this system has no package qflow"),
                                         ("synth", notice, "None"), ("layout", "layout: qflow failed\n", "None"),
                                         ("cov", "cov: needs V 1; this is 2\n", "skipped: needs V 1; this is 2")):
                log.write_text(text)
                code = f"import nightly, pathlib; print(nightly.needs_of({target!r}, pathlib.Path({str(log)!r})))"
                printed = subprocess.run([sys.executable, "-c", code], cwd=make_targets.ROOT / "scripts", check=True,
                                         capture_output=True, text=True).stdout
                self.assertEqual(printed.strip(), result)

    def test_the_trend_shows_passed_and_failed_runs(self):
        runs_of = [{"date": "2026-01-01", "commit": "0", "seconds": s, "result": r} for s, r in
                   [(5, "passed")] * 9 + [(7, "failed (2)"), (6, "passed"), (8, "passed")]]
        shown = make_targets.trend("run", {"run": {"runs": runs_of}})
        self.assertEqual(shown, "11 of 12 passed; seconds: 5, 5, 5, 5, 5, 5, 5, 7 (failed), 6, 8")
        self.assertEqual(make_targets.trend("run", {}), "none recorded")
        self.assertEqual(make_targets.last_run("run", {"run": {"runs": runs_of}}), "never")


class Tests(Report):
    def setUp(self):
        super().setUp()
        self.names = [t.name for t in KNOWN.tests if t.program == "chip_latency"]
        self.assertGreaterEqual(len(self.names), 2)

    def test_results_and_times_are_those_of_junit(self):
        self.junit("test.xml", {name: ("run", 1.25, "") for name in self.names})
        text = self.made()
        self.assertEqual(self.verdict("CHIP-02"), "passed")
        self.assertEqual(self.verdict("CHIP-03"), "not run")
        self.says(f"{self.names[0]}: passed, 1.25 s", text)
        self.says(f"{len(self.names)} of {len(KNOWN.tests):,}", text)

    def test_failed_and_missing_tests_are_reported(self):
        self.junit("test.xml", {self.names[0]: ("fail", 1, "")})
        text = self.made()
        self.assertEqual(self.verdict("CHIP-02"), "failed")
        self.says(f"1 of {len(self.names)} failed", text)
        self.junit("test.xml", {self.names[0]: ("run", 1, ""), self.names[1]: ("notrun", 0, "")})
        text = self.made()
        self.assertEqual(self.verdict("CHIP-02"), "part not run")
        self.says(f"{self.names[1]}: not run", text)

    def test_the_last_run_counts(self):
        for old, new, verdict in (("test.xml", "quick.xml", "passed"), ("quick.xml", "test.xml", "passed")):
            self.junit(old, {name: ("fail", 1, "") for name in self.names}, age=1000)
            self.junit(new, {name: ("run", 1, "") for name in self.names})
            self.made()
            self.assertEqual(self.verdict("CHIP-02"), verdict)

    def test_removed_tests_are_omitted(self):
        self.junit("test.xml", {"chip/gone.claim": ("fail", 1, "")})
        text = self.made()
        self.assertEqual(text.count("chip/gone"), 0)
        self.says("1 results are of tests that there are no longer", text)

    def test_comparisons_and_faults_are_read_from_the_output(self):
        self.junit("test.xml", {"chip/router.random": ("run", 1, "lockstep: 335 signals x 1000000 cycles\n"),
                                "attack/flips/x": ("run", 1, "           9 sent, 8 delivered, 1 lost and reported\n")})
        self.write("run.json", {"signals_compared": 20000, "cycles_simulated": 22092, "error": ""})
        row = {"seeds": 3, "cycles": 5000000, "chip_cycles": 320000000}
        self.write("soak.json", {"next_seed": 4, "entries": [{"commit": "abc", "differences": [], "kinds": {"machine": row}}]})
        self.write("faults.1.log", "           10000 cases, 0.9974 of the others' packets in time in the worst\n")
        text = self.made()
        for words in ("335,000,000", "441,840,000", "make soak on abc: machine, 3 seeds", "13,440,000,000", "9 sent, 8 delivered, 1 lost and reported", "10000 cases, 0.9974"):
            self.says(words, text)


class Results(Report):
    def test_coverage(self):
        kinds = {k: {"points": 200, "hit": 151, "excluded": 3} for k in ("line", "branch", "toggle")}
        value = dict(line=75.5, branch=75.5, toggle=75.5, clocks=4321, seed=7, programs=["a", "b"], failed=[],
                     unused_exclusions=[], files={"rdt_ack.sv": kinds}, holes=[])
        self.write("cov.json", value)
        text = self.made()
        self.says("4,321 cycles of random traffic, seed 7, 2 programs", text)
        self.says("75.50 %", text)
        self.says("Functional coverage: not measured", text)
        value["functional"] = {"error codes": {"points": 40, "hit": 39, "excluded": 0}}
        self.write("cov.json", value)
        self.says("error codes 39 40 97.5", self.made())

    def test_proofs(self):
        proof = dict(name="p", block="b", claim="holds", kind="property", result="proven", depth=3, injected="yes",
                     cover="yes", seconds=1.5)
        self.write("formal.json", [proof, dict(proof, name="q", result="bounded", depth=60)])
        text = self.made()
        self.says("1 proven, 1 bounded", text)
        self.says("bounded, 60 cycles", text)
        for wrong in (dict(result="refuted"), dict(injected="no"), dict(cover="no")):
            self.write("formal.json", [dict(proof, **wrong)])
            self.made()
            self.assertEqual(self.verdict("SIGN-01"), "failed", wrong)

    def test_mutants(self):
        few = dict(seed=1, clocks=20000, mutants=100, killed=71, equivalent=3, alive=26, percent=73.2, seconds=1, blocks={},
                   survivors=[])
        self.write("mutate_quick.json", few)
        text = self.made()
        self.says("Mutants: not run", text)
        self.says("In the default test: 100 mutants of seed 1", text)
        self.write("mutate.json", dict(seed=9, clocks=200, mutants=12, killed=10, equivalent=1, alive=1, percent=90.91,
                                       seconds=1, blocks={"rdt_ack": dict(mutants=12, killed=10, equivalent=1, alive=1)},
                                       survivors=[dict(number=1, line="rtl/rdt_ack.sv:5", mistake="<stuck & open>")]))
        text = self.made()
        self.says("90.91 % of the non-equivalent mutants are detected", text)
        self.says("rtl/rdt_ack.sv:5 : <stuck & open>", text)

    def test_a_failed_target_is_reported(self):
        figures = {"ok": False, "failures": ["17.00 ns, 0.70 above 16.3 ns"], "chip_gates": 5,
                   "bar_ns_osu050_wires": 16.3, **{f"chip_ns_{r}": 17.0 for r in
                                                   ("osu050", "osu050_wires", "osu018", "osu018_wires")}}
        self.write("sta.json", figures)
        text = self.made()
        self.says("0.70 above 16.3", text)
        self.assertEqual(self.verdict("SIGN-03"), "failed")

    def test_speed(self):
        self.write("bench.json", {f"machine_{e}_0_1_cycles_per_second": v for e, v in
                                  (("fast", 300000), ("rtl", 3000), ("systemc", 30000), ("cycles", 90000))})
        self.says("300k (100 x)", self.made())

    def test_files_of_other_programs_are_not_shown(self):
        self.write("mutate.json", {"nonsense": 1})
        with self.assertRaises((KeyError, TypeError)):
            self.made()


class Plan(Report):
    def test_a_row_without_a_test_is_on_the_page(self):
        text = self.made(rows=[*ROWS, plan.Row("ZZ-01", "injected", ["chip_nonsense"], "-", "injected")])
        self.assertTrue(any("ZZ-01" in line for line in self.wrong))
        self.says("plan and tests disagree", text)

    def test_the_picture_is_sound(self):
        self.made()
        root = ElementTree.parse(self.build / "report/summary.svg").getroot()
        texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertGreaterEqual(texts.count("not run"), 5)
        width = float(root.get("width"))
        for e in root.iter("{http://www.w3.org/2000/svg}text"):
            size = float(e.get("font-size", 11))
            self.assertLess(float(e.get("x")) + 0.62 * size * len(e.text), width, e.text)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    KNOWN = plan.list_tests(sys.argv.pop(1))
    unittest.main(verbosity=1)
