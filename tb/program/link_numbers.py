#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Numbers per link and node, over time and on a picture; a run repeated from its JSON.

usage: link_numbers.py PROGRAM [tests of unittest]
"""
import csv
import json
import re
import xml.etree.ElementTree

from program import Program, has_engine, main

MIXED = ["--load", "0.3", "--flits", "5-16", "--multicast", "0.05", "--density", "0.3", "--acks", "--t-ent", "400"]
SPEED = {"seconds", "cycles_per_second", "cpu_seconds", "cycles_per_cpu_second", "bytes_per_node", "command"}


class Json(Program):
    def result(self, *words):
        return json.loads(self.accept("run", "--json", "-", *words))

    def test_links_sum_to_their_use(self):
        r = self.result("--cycles", "3000", *MIXED)
        self.assertEqual(len(r["links"]), 640)
        nodes = 64
        total = {"rank0": 0, "upper": 0, "mbp": 0}
        for link in r["links"]:
            rank = "mbp" if link["port"][0] == "M" else "rank0" if link["port"][1] == "0" else "upper"
            total[rank] += link["sent"] + (link["received"] if rank == "mbp" else 0)
        for rank, use in total.items():
            self.assertGreater(use, 0)
            self.assertAlmostEqual(use / (2 * nodes), r["link_utilization_" + rank], places=9)

    def test_both_ends_of_a_link_tell_the_same(self):
        r = self.result("--cycles", "1000", *MIXED)
        ends = {f'{l["node"]}.{l["port"]}': l for l in r["links"]}
        for link in r["links"]:
            if link["port"][0] != "M":
                far = ends[link["to"]]
                self.assertEqual((link["sent"], link["received"]), (far["received"], far["sent"]))

    def test_every_engine_waits_for_packets_in_its_routers(self):
        self.write("mc.trace", "0 19 mc:ff:ff 5 ack\n")
        ends = {engine: self.result("--trace", "mc.trace", "--engine", engine) for engine in ("fast", "rtl", "systemc")
                if has_engine(engine)}
        for engine, r in ends.items():
            self.assertEqual((r["delivered"], r["cycles_simulated"]),
                             (64, ends["fast"]["cycles_simulated"]), engine)

    def test_memory_includes_the_routers_that_were_built_first(self):
        if not has_engine("systemc"):
            self.skipTest("no SystemC")
        r = self.result("--engine", "systemc", "--size", "4", "--cycles", "20")
        self.assertGreater(r["bytes_per_node"], 200_000)  # objects of the kernel

    def test_a_torus_has_no_upper_rank(self):
        r = self.result("--cycles", "500", "--torus")
        self.assertEqual(len(r["links"]), 64 * 6)

    def test_nodes_sum_to_the_throughput(self):
        r = self.result("--cycles", "2000", *MIXED)
        self.assertEqual([n["node"] for n in r["nodes"]], list(range(64)))
        for of in ("accepted", "offered"):
            key = "injected" if of == "offered" else of
            self.assertAlmostEqual(sum(n[key] for n in r["nodes"]) / 64, r[of], places=9)

    def test_histograms_have_the_mean_and_the_largest(self):
        r = self.result("--cycles", "3000", *MIXED)
        for name in ("latency", "latency_queueing", "latency_network", "multicast_latency", "ack_latency"):
            counts = r["histograms"][name]
            packets = sum(count for _, count in counts)
            self.assertGreater(packets, 0, name)
            self.assertAlmostEqual(sum(v * c for v, c in counts) / packets, r[name]["mean"], places=6)
            self.assertEqual(counts[-1][0], r[name]["max"])
            self.assertEqual(counts, sorted(counts))

    def test_a_run_is_repeated_from_its_parameters(self):
        for number, words in enumerate((
                ["--cycles", "700", *MIXED, "--seed", "5", "--warmup", "100", "--queue", "7"],
                ["--cycles", "5000", "--converge", "0.5", "--timeout", "600", "--t-ack", "500", "--torus"],
                ["--cycles", "600", "--cut", "9.E0", "--cut", "20.N1", "--flips", "0.01", "--timeout", "500", "--sink"],
                ["--cycles", "500", "--outstanding", "3", "--traffic", "hotspot:0.5"],
                ["--traffic", "dsm-stencil", "--operations", "300", "--protocol", "update", "--rate", "0.02"])):
            first = self.result(*words)
            self.assertNotEqual(first["version"], "")
            text = "\n".join(f"{name} = {json.dumps(value)}" for name, value in first["parameters"].items())
            again = self.result("--config", self.write(f"{number}.toml", text + "\n"))
            self.assertEqual({k: v for k, v in first.items() if k not in SPEED},
                             {k: v for k, v in again.items() if k not in SPEED}, text)

    def test_all_relevant_parameters_are_in_the_json(self):
        p = self.result("--t-ent", "400", "--t-ack", "500", "--timeout", "600", "--warmup", "100", "--queue", "5",
                        "--converge", "0.5", "--cut", "9.E0", "--flips", "0.01", "--cycles", "300")["parameters"]
        for name, value in {"t-ent": 400, "t-ack": 500, "timeout": 600, "warmup": 100, "queue": 5, "converge": 0.5,
                            "cut": ["9.E0"], "flips": 0.01, "cycles": 300, "threads": 1, "seed": 1, "load": 0.1,
                            "size": 8, "engine": "fast", "torus": False, "traffic": "uniform"}.items():
            self.assertEqual(p[name], value, name)


class Config(Program):
    def test_a_printed_one_is_read(self):
        words = ["--load", "0.2", "--cycles", "400", "--cut", "3.N0", "--torus"]
        toml = self.accept("run", *words, "--print-config")
        self.assertIn("load = 0.2\n", toml)
        self.write("c.toml", toml)
        self.assertEqual(self.accept("run", "--config", "c.toml", "--print-config"), toml)
        sweep = self.accept("sweep", "--cycles", "200", "--print-config")
        self.write("s.toml", sweep)
        self.assertEqual(self.accept("sweep", "--config", "s.toml", "--print-config"), sweep)

    def test_command_line_overrides_the_file(self):
        self.write("c.toml", "load = 0.2\nseed = 9\n")
        out = self.accept("run", "--config", "c.toml", "--load", "0.3", "--print-config")
        self.assertIn("load = 0.3\n", out)
        self.assertIn("seed = 9\n", out)

    def test_wrong_ones_are_refused(self):
        for text in ("nonsense = 1\n", "load = x\n", "load = -1\n", "torus = 5\n", "[sweep]\nload = 0.1\n",
                     "config = \"c\"\n", "load = \n", "acks = true\n", "seed = \"\"\n", "\0\0\0"):
            self.write("c.toml", text)
            self.refuse("run", "--cycles", "100", "--config", "c.toml")
        for name in ("nothere", ".", "/dev/zero"):
            self.refuse("run", "--config", name)


class Pictures(Program):
    def test_a_heatmap_has_north_up_and_node_0_at_the_bottom_left(self):
        self.accept("run", "--cycles", "100", "--heatmap", "h.svg")
        at = {int(n): (float(x), float(y)) for x, y, n in re.findall(
            r'<circle cx="([\d.]+)" cy="([\d.]+)".*?<title>node (\d+) ', (self.folder / "h.svg").read_text())}
        self.assertEqual(len(at), 64)
        self.assertLess(at[0][0], at[1][0])
        self.assertGreater(at[0][1], at[8][1])

    def test_a_heatmap_has_every_link(self):
        self.accept("run", "--cycles", "500", "--heatmap", "h.svg")
        svg = xml.etree.ElementTree.fromstring((self.folder / "h.svg").read_text())
        links = [p for p in svg.iter("{http://www.w3.org/2000/svg}path") if p.get("class") == "link"]
        self.assertEqual(len(links), 512)
        titles = [p.find("{http://www.w3.org/2000/svg}title").text for p in links]
        self.assertEqual(len(set(t.split(":")[0] for t in titles)), 512)
        self.assertIn("0.E0", titles[0])

    def test_a_large_machine_is_drawn_as_cells(self):
        self.accept("run", "--size", "64", "--cycles", "20", "--warmup", "0", "--heatmap", "h.svg")
        svg = (self.folder / "h.svg").read_text()
        self.assertEqual(len(re.findall("<title>node ", svg)), 4096)

    def test_a_timeline_sums_to_the_run(self):
        r = json.loads(self.accept("run", "--cycles", "2500", "--warmup", "0", "--drain", "--json", "-", "--timeline",
                                   "t.csv", "--interval", "300", *MIXED))
        rows = list(csv.DictReader((self.folder / "t.csv").open()))
        clocks = [int(row["cycles"]) for row in rows]
        self.assertEqual(clocks[:-1], [300] * (len(rows) - 1))
        self.assertEqual(int(rows[-1]["cycle"]), r["cycles_simulated"])
        self.assertEqual(sum(int(row["packets"]) for row in rows), r["delivered"])
        self.assertEqual(rows[-1]["in_flight"], "0")


class Waiting(Program):
    """A run that does not drain reports its wait graph, and draws it."""

    def test_behind_a_cut_link(self):
        # More than the buffers on the way hold.
        self.write("t", "".join(f"{clock} {source} 10\n" for clock in range(0, 60, 10) for source in (7, 8, 9)))
        code, out, err = self.run_it("run", "--trace", "t", "--cut", "9.E0", "--json", "r.json", "--heatmap", "h.svg")
        self.assertEqual(code, 0, err)
        self.assertIn("9.E0 is down", out)
        waiting = json.loads((self.folder / "r.json").read_text())["waiting"]
        self.assertTrue(any(w["why"] == "9.E0 is down" and w["for"] is None for w in waiting))
        held = {w["buffer"] for w in waiting}
        for w in waiting:
            if w["for"] is not None:
                self.assertIn(w["for"], held, "waits for a buffer in which nothing is")
        self.assertIn('class="wait"', (self.folder / "h.svg").read_text())

    def test_a_drained_run_has_no_waiting_packet(self):
        self.accept("run", "--cycles", "500", "--drain", "--json", "r.json")
        r = json.loads((self.folder / "r.json").read_text())
        self.assertEqual((r["waiting"], r["deadlock"]), ([], []))


if __name__ == "__main__":
    main()
