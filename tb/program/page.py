#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rdt run --report: the page has the results of the run, is self-contained, and is complete or absent.

usage: page.py PROGRAM [tests of unittest]
"""
import json
import os
import pathlib
import re
import resource
import signal
import xml.etree.ElementTree

from program import Program, main

MIXED = ["--load", "0.3", "--flits", "5-16", "--multicast", "0.05", "--density", "0.3", "--acks", "--t-ent", "400"]
SVG = "{http://www.w3.org/2000/svg}"
IMAGES = pathlib.Path(__file__).resolve().parents[2] / "docs/images"
ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


class Page(Program):
    def page(self, name="d"):
        return (self.folder / name / "index.html").read_text()

    def pictures(self, page):
        return [xml.etree.ElementTree.fromstring(text) for text in re.findall(r"<svg.*?</svg>", page, re.S)]

    def left(self):
        return sorted(os.listdir(self.folder / "d"))


class Content(Page):
    def test_page_has_the_results_of_the_run(self):
        out = self.accept("run", "--cycles", "3000", *MIXED, "--report", "d", "--json", "r.json", "--heatmap", "h.svg")
        page = self.page()
        self.assertTrue(page.startswith("<!doctype html>") and page.endswith("</html>\n"))
        table = re.search(r"<pre>(.*?)</pre>", page, re.S)[1]
        for escape, letter in ESCAPES:
            table = table.replace(escape, letter)
        self.assertEqual(table, out[:out.index("  report  ")])
        self.assertIn((self.folder / "h.svg").read_text(), page)
        r = json.loads((self.folder / "r.json").read_text())
        for name in ("latency", "latency_queueing", "latency_network", "multicast_latency", "ack_latency"):
            l = r[name]
            self.assertIn(f"mean {l['mean']:.1f}, median {l['median']}, 99 % {l['p99']}, max {l['max']}", page)
        self.assertEqual(len(self.pictures(page)), 3 + 4 + 1)

    def test_heat_map_and_picture_of_readme_have_one_orientation(self):
        """Node 0 at the bottom left, the next node to its right, the next row above it."""
        palette = json.loads((IMAGES / "palette.json").read_text())
        self.assertIn("node 0 is at the bottom left, port E0 leads right and N0 up", palette["orientation"])
        self.accept("run", "--cycles", "300", "--heatmap", "h.svg")
        for path in (self.folder / "h.svg", IMAGES / "rdt64.svg"):
            circles = [(float(c.get("cx")), float(c.get("cy")))
                       for c in xml.etree.ElementTree.parse(path).iter(SVG + "circle")]
            left, bottom = min(x for x, _ in circles), max(y for _, y in circles)
            self.assertGreaterEqual(len(circles), 64, path)
            self.assertEqual(circles[0], (left, bottom), path)
            self.assertGreater(circles[1][0], left, path)
            self.assertEqual((circles[8][0], circles[8][1] < bottom), (left, True), path)

    def test_curves_and_drawings_have_the_colors_of_the_table(self):
        series = json.loads((IMAGES / "palette.json").read_text())["series"]
        header = (IMAGES.parents[1] / "sim/rdt/support/colors.h").read_text()
        table = re.search(r"SeriesColors\{(.*?)\}", header, re.S)[1]
        self.assertEqual(re.findall(r'"(#[0-9a-f]{6})"', table), series)

    def test_needs_nothing_else(self):
        self.accept("run", "--cycles", "1000", "--report", "d")
        page = self.page()
        self.assertIn("default-src 'none'", page)
        self.assertIsNone(re.search(r"<script|<link|<img|<iframe|src=|href=|@import", page))
        self.assertEqual(page.replace(SVG[1:-1], "").count("http:"), 0)
        ids = re.findall(r'\bid="([^"]*)"', page)
        self.assertEqual(len(ids), len(set(ids)))
        for name in re.findall(r"url\(#([^)]*)\)", page):
            self.assertIn(name, ids)

    def test_histograms_hold_all_packets(self):
        r = json.loads(self.accept("run", "--cycles", "3000", "--report", "d", "--json", "-"))
        plot = self.pictures(self.page())[0]
        top = next(p for p in plot.iter(SVG + "path") if p.get("fill-opacity"))
        # H V pairs: each class from its lower end on; heights are proportional to its packets.
        steps = [(float(x), float(y)) for x, y in re.findall(r"H([\d.]+)V([\d.]+)", top.get("d"))]
        base = float(re.match(r"M[\d.]+ ([\d.]+)", top.get("d"))[1])
        heights = [base - y for _, y in steps[:-1]]
        counts = r["histograms"]["latency"]
        last = min(r["latency"]["max"], r["latency"]["p99"] + r["latency"]["p99"] // 2)
        width = last // 60 + 1
        classes = [0] * (last // width + 1)
        for clocks, packets in counts:
            if clocks <= last:
                classes[clocks // width] += packets
        self.assertEqual(len(classes), len(heights))
        scale = max(heights) / max(classes)
        for packets, height in zip(classes, heights):
            self.assertAlmostEqual(packets * scale, height, delta=0.2)
        beyond = sum(packets for clocks, packets in counts if clocks > last)
        self.assertEqual(f"({beyond} beyond the plot)" in self.page(), beyond != 0)

    def test_a_long_run_has_no_more_points_than_a_picture_has_room_for(self):
        for cycles, width in (("2000", 100), ("90000", 400)):
            self.accept("run", "--cycles", cycles, "--load", "0.02", "--warmup", "0", "--report", "d")
            curves = [p for svg in self.pictures(self.page())[2:6] for p in svg.iter(SVG + "path")
                      if p.get("stroke-width") == "1.8" and "L" in p.get("d")]
            self.assertEqual(len(curves), 7)
            for curve in curves:
                points = 1 + curve.get("d").count("L")
                self.assertEqual(points, -(-int(cycles) // width))
                self.assertLess(points, 400)
            self.assertIn(f"Means over {width} cycles", self.page())

    def test_large_machines_and_runs_without_a_packet(self):
        self.accept("run", "--size", "64", "--cycles", "20", "--warmup", "0", "--report", "d")
        self.assertEqual(len(re.findall("<title>node ", self.page())), 4096)
        self.accept("run", "--cycles", "10", "--load", "0", "--report", "d")
        self.assertEqual(len(self.pictures(self.page())), 4 + 1)

    def test_the_command_is_plain_text(self):
        self.accept("run", "--cycles", "100", "--report", "<b>&", "--json", "<i>.json")
        page = self.page("<b>&")
        self.assertIn("--report &#39;&lt;b&gt;&amp;&#39;".replace("&#39;", "'"), page)
        self.assertNotIn("<i>", page)


class Folder(Page):
    def test_is_made_and_may_be_there(self):
        self.accept("run", "--cycles", "100", "--report", "a/b/c")
        self.assertTrue(self.page("a/b/c").endswith("</html>\n"))
        self.accept("run", "--cycles", "100", "--report", "a/b/c/")
        self.assertEqual(os.listdir(self.folder / "a/b/c"), ["index.html"])

    def test_invalid_folder_is_one_line_before_the_run(self):
        self.write("file", "precious")
        (self.folder / "taken/index.html").mkdir(parents=True)
        (self.folder / "shut").mkdir()
        (self.folder / "shut/index.html").write_text("precious")
        (self.folder / "shut/index.html").chmod(0o444)
        for name in ("file", "file/d", "/proc/x", "x" * 300, "taken", "shut", "-", ""):
            self.refuse("run", "--cycles", "1000000000", "--report", name)
        self.assertEqual((self.folder / "shut/index.html").read_text(), "precious")

    def test_page_is_not_written_for_a_refused_run(self):
        for more in (["--cut", "99.E0"], ["--trace", "nothere"], ["--size", "7"]):
            self.refuse("run", "--report", "d", *more)
            self.assertFalse((self.folder / "d").exists(), more)

    def test_is_no_place_for_another_result(self):
        (self.folder / "d").mkdir()
        self.refuse("run", "--report", "d", "--json", "d/index.html", says="both be")


class Half(Page):
    def test_a_full_disk_leaves_the_old_file(self):
        (self.folder / "d").mkdir()
        (self.folder / "d/index.html").write_text("old")

        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        code, _, err = self.run_it("run", "--cycles", "300", "--report", "d", preexec_fn=small)
        self.assertEqual((code, err.count("\n")), (2, 1), err)
        self.assertEqual((self.left(), self.page()), (["index.html"], "old"))

    def test_a_signal_ends_the_run_with_a_complete_page(self):
        process = self.start("run", "--cycles", "1000000000", "--report", "d")
        self.wait_for(lambda: (self.folder / "d").is_dir() and self.left(), process, "temporary file")
        # The signal is obeyed from the end of the bring-up on.
        code, _, err = self.stop(process, signal.SIGTERM)
        if code == 128 + signal.SIGTERM:
            self.assertTrue(self.page().endswith("</html>\n"))
            self.assertIn("stopped", self.page())
            self.assertEqual(self.left(), ["index.html"])
        else:
            self.assertEqual((code, self.left()), (-signal.SIGTERM, []), err)


if __name__ == "__main__":
    main()
