#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figures claim no more than was measured, and one term has one meaning in all commands.

usage: figures.py PROGRAM [tests of unittest]
"""
import json

from program import Program, main


class Figures(Program):
    """No figure claims more than was measured."""

    def test_a_saturated_run_is_marked(self):
        table = self.accept("run", "--load", "0.9", "--cycles", "5000", "--json", "a.json", "--report", "d")
        self.assertIn("  saturated  ", table)
        json_of = json.loads((self.folder / "a.json").read_text())
        self.assertTrue(json_of["saturated"])
        self.assertIsNone(json_of["latency"]["half_interval"])
        page = (self.folder / "d/index.html").read_text()
        self.assertIn("saturated, depends on the length of the run", page)
        self.assertNotIn("saturated", self.accept("run", "--load", "0.1", "--cycles", "5000"))
        out = self.accept("sweep", "--from", "0.3", "--step", "0.5", "--to", "0.8", "--cycles", "3000", "--csv", "s.csv")
        self.assertIn("  saturated\n", out)
        lines = [l.split(",") for l in (self.folder / "s.csv").read_text().splitlines()[1:]]
        self.assertEqual([l[lines[0].index("saturated")] for l in lines[1:]], ["0", "1"])
        self.assertEqual(lines[2][lines[0].index("latency_half_interval")], "")

    def test_curves_have_error_bars_and_show_where_the_network_is_saturated(self):
        words = ["--from", "0.1", "--step", "0.3", "--to", "0.7", "--csv", "s.csv", "--svg", "s.svg"]
        for command in (["sweep", "--cycles", "10000"], ["lab", "--net", "rdt:8", "--cycles", "10000", "sweep"]):
            self.accept(*command, *words)
            lines = [l.split(",") for l in (self.folder / "s.csv").read_text().splitlines()[1:]]
            rows = [dict(zip(lines[0], l)) for l in lines[1:]]
            bars = sum(r[name] != "" for r in rows for name in ("latency_half_interval", "network_latency_half_interval"))
            saturated = [r for r in rows if r["saturated"] == "1"]
            self.assertGreater(bars, 0, command)
            self.assertEqual(len(saturated), 1, command)
            svg = (self.folder / "s.svg").read_text()
            self.assertEqual(svg.count("m-4 0h8"), bars, command)
            self.assertEqual(svg.count(">saturated<"), 1, command)
            self.assertEqual(svg.count("<circle"), 2 * (len(rows) - 1), command)
            (self.folder / "s.csv").unlink()

    def test_unmeasured_values_are_a_dash(self):
        table = self.accept("run", "--cycles", "20", "--warmup", "0", "--load", "0", "--json", "a.json")
        row = next(l for l in table.splitlines() if l.startswith("    unicasts"))
        self.assertEqual(row.split()[1:], ["-"] * 5)
        self.assertIsNone(json.loads((self.folder / "a.json").read_text())["latency"]["mean"])
        self.accept("sweep", "--from", "0", "--step", "0.1", "--to", "0.1", "--cycles", "500", "--csv", "s.csv")
        lines = [l.split(",") for l in (self.folder / "s.csv").read_text().splitlines()[1:]]
        self.assertEqual(lines[1][lines[0].index("latency_mean")], "")
        self.assertIn("latency        -", self.accept("lab", "--net", "torus:4x4", "--load", "0", "--cycles", "1200"))
        self.accept("run", "--load", "0", "--cycles", "3000", "--timeline", "t.csv")
        lines = [l.split(",") for l in (self.folder / "t.csv").read_text().splitlines()]
        self.assertEqual({l[lines[0].index("latency_mean")] for l in lines[1:]}, {""})
        out = self.accept("run", "--traffic", "dsm-stencil", "--operations", "5", "--reads", "0")
        self.assertRegex(out, r"read misses +0 \(-\), - cycles mean, - 99 %, - max")

    def test_every_mean_has_an_interval_or_the_run_is_too_short(self):
        self.accept("run", "--load", "0.2", "--json", "a.json")
        figures = json.loads((self.folder / "a.json").read_text())
        for name in ("latency", "latency_network", "latency_queueing"):
            self.assertGreater(figures[name]["half_interval"], 0, name)
        self.assertGreater(figures["accepted_half_interval"], 0)
        self.assertFalse(figures["is_short"])
        table = self.accept("run", "--load", "0.6", "--cycles", "3000", "--json", "a.json")
        figures = json.loads((self.folder / "a.json").read_text())
        self.assertTrue(figures["saturated"] or figures["is_short"])
        self.assertRegex(table, "too short|saturated")
        self.assertIsNone(figures["latency"]["half_interval"])
        lab = self.accept("lab", "--net", "torus:8x8", "--load", "0.32")
        self.assertIn("too short", lab)
        self.assertNotIn("+-", lab)
        self.assertIn("+-", self.accept("lab", "--net", "torus:8x8", "--load", "0.2"))

    def test_missed_convergence_is_reported(self):
        table = self.accept("run", "--converge", "0.0001", "--cycles", "15000")
        self.assertIn("not converged", table)
        self.assertIn("when converged", self.accept("run", "--load", "0.2", "--converge", "0.05", "--cycles", "200000"))

    def test_a_word_has_one_meaning(self):
        words = ["--from", "0.2", "--to", "0.2", "--step", "1", "--csv", "-"]
        machine = self.accept("sweep", *words).splitlines()[1].split(",")
        lab = self.accept("lab", "--net", "rdt:8", "sweep", *words).splitlines()[1].split(",")
        same = ["latency_mean", "latency_half_interval", "network_latency_mean", "saturated"]
        for columns in (machine, lab):
            self.assertEqual([c for c in same if c in columns], same)
        self.accept("lab", "--net", "torus:8x8", "--load", "0.3", "--json", "a.json")
        figures = json.loads((self.folder / "a.json").read_text())
        self.assertGreater(figures["latency_mean"], figures["network_latency_mean"])

    def test_nodes_that_do_not_send_are_counted(self):
        for words in (["run", "--cycles", "2000"], ["lab", "--net", "torus:8x8"]):
            self.assertIn("56 of 64 nodes inject packets", self.accept(*words, "--traffic", "transpose"))
        out = self.accept("lab", "--net", "torus:4x4", "--cycles", "2000", "--traffic", "transpose", "saturation")
        self.assertIn("flits/sending node", out)

    def test_networks_are_ranked_under_a_traffic_pattern(self):
        out = self.accept("compare", "64", "--traffic", "transpose", "--quick", "--json", "a.json")
        rows = json.loads((self.folder / "a.json").read_text())["sizes"][0]["networks"]
        self.assertEqual([r["saturation"] for r in rows], sorted((r["saturation"] for r in rows), reverse=True))
        titles = [r["title"] for r in rows]
        self.assertLess(titles.index("RDT"), titles.index("2D torus"))
        chip = rows[titles.index("RDT chip, half-duplex")]
        # As many pins: 8 links of 36 half-duplex lines, where others have 18 for each direction.
        self.assertEqual(8 * chip["bits"], 2 * 8 * rows[titles.index("RDT")]["bits"])
        self.assertEqual(chip["senders"], 56)
        self.assertIn("left out: star:5", out)
        self.refuse("compare", "64", "--traffic", "nonsense", "--quick", says="nonsense")
        self.refuse("compare", "64", "--traffic", "uniform", "--output", "d", says="--output")

    def test_edges_that_are_not_alike_are_refused(self):
        for name in ("latency", "weight"):
            for value in ("2", "0.5"):
                self.write("g.graphml", f'<graphml><key id="k" for="edge" attr.name="{name}" attr.type="double"/>'
                           '<graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b">'
                           f'<data key="k">{value}</data></edge></graph></graphml>')
                self.refuse("net", "info", "file:g.graphml", says=name)
        self.write("g.graphml", (self.folder / "g.graphml").read_text().replace(">0.5<", ">1<"))
        self.accept("net", "info", "file:g.graphml")


if __name__ == "__main__":
    main()
