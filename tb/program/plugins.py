#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plug-ins with a mistake each: one line and exit code 2, never a signal, never a figure that is wrong.

usage: plugins.py PROGRAM [tests of unittest]
"""
import atexit
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from program import Program, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
INFO = ["net", "info", "invalid:8"]
CDG = ["net", "cdg", "invalid:8"]
LAB = ["lab", "--net", "invalid:8", "--cycles", "600", "--warmup", "100", "--load", "0.2"]
RUN = ["run", "--traffic", "one-by-one", "--cycles", "300", "--warmup", "50"]
AHEAD = ["run", "--traffic", "ahead:3", "--cycles", "300", "--warmup", "50"]
LAB_AHEAD = [*LAB, "--traffic", "ahead:3"]

# Mistakes that every command refuses which makes the network, and a part of the line.
OF_NETWORKS = {
    "neighbor_beyond": "node 5 port 0 leads to node 8",
    "neighbor_far_beyond": "node 5 port 0 leads to node 4000000000",
    "one_way_link": "does not lead back",
    "port_back_is_itself": "does not lead back",
    "port_back_beyond": "port_back() 9",
    "no_nodes": "0 nodes",
    "many_nodes": "4294967295 nodes",
    "no_ports": "0 ports",
    "many_ports": "70000 ports",
    "representative_beyond": "representatives",
    "null_factory": "no factory",
    "null_network": "returns none",
    "throws_5_in_factory": "not a std::exception",
    "throws_5_in_neighbor": "not a std::exception",
    "says_nothing": "std::logic_error",
    "throws_in_name": "no name",
}
# The same, of the file itself: whatever the command.
OF_FILES = {
    "throws_in_static": "no such license",
    "throws_5_in_static": "not a std::exception",
    "says_nothing_in_static": "std::logic_error",
    "name_of_another": "torus",
    "workload_of_another": "transpose",
    "pattern_of_another": "uniform",
}
# Mistakes of the routing: of no concern for the network itself.
OF_ROUTINGS = {
    "null_routing": "no routing",
    "no_routings": "no routing",
    "throws_5_in_routing": "not a std::exception",
    "throws_5_in_next": "not a std::exception",
    "throws_in_next": "not finished",
    "many_choices": "32 choices",
    "choices_not_cleared": "",
    "port_that_is_not_there": "",
    "port_without_link": "",
    "vc_that_is_not_there": "",
    "no_vcs": "virtual channels",
    "many_vcs": "virtual channels",
    "dead_end": "",
}
OF_WORKLOADS = {
    "null_workload_factory": "no factory",
    "null_workload": "returns none",
    "throws_5_in_workload": "not a std::exception",
    "throws_5_in_clock": "not a std::exception",
    "source_beyond": "node 6400",
    "destination_beyond": "node 6400",
    "mbp_beyond": "MBP 7",
    "long_packet": "flits",
}
OF_PATTERNS = {
    "null_pattern_factory": "no factory",
    "null_pattern": "no factory",
    "throws_5_in_pattern": "not a std::exception",
    "pattern_beyond": "there are",
}


def compiled():
    """The plug-in, built once."""
    folder = tempfile.mkdtemp(prefix="rdt_plugin_")
    atexit.register(shutil.rmtree, folder)
    file = pathlib.Path(folder) / "mistakes.so"
    done = subprocess.run([*os.environ.get("CXX", "c++").split(), "-std=c++17", "-shared", "-fPIC",
                           "-DFMT_HEADER_ONLY", f"-I{ROOT}/sim", f"-I{ROOT}/systemc",
                           ROOT / "tb/program/plugin_mistakes.cpp", "-o", file], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return file


class Plugin(Program):
    FILE = None

    def setUp(self):
        super().setUp()
        Plugin.FILE = Plugin.FILE or compiled()

    def with_mistake(self, mistake):
        return dict(env=dict(os.environ, RDT_MISTAKE=mistake))

    def refuse_all(self, mistakes, *commands):
        for mistake, says in mistakes.items():
            for words in commands:
                with self.subTest(mistake=mistake, command=words[:2]):
                    self.refuse("--plugin", self.FILE, *words, says=says, **self.with_mistake(mistake))


class Mistakes(Plugin):
    def test_without_one_all_is_well(self):
        for words in (INFO, CDG, LAB, RUN, AHEAD, LAB_AHEAD):
            self.accept("--plugin", self.FILE, *words, **self.with_mistake(""))
        self.assertIn("acyclic", self.accept("--plugin", self.FILE, *CDG))

    def test_of_a_network_are_refused_before_anything_runs(self):
        self.refuse_all(OF_NETWORKS, INFO, CDG, LAB)

    def test_of_static_objects_are_refused(self):
        self.refuse_all(OF_FILES, INFO, CDG, LAB)
        # The machine has no other networks, so their names are free there.
        self.refuse_all({mistake: says for mistake, says in OF_FILES.items() if mistake != "name_of_another"}, RUN)

    def test_of_a_routing_are_refused(self):
        self.refuse_all(OF_ROUTINGS, CDG, LAB)
        self.refuse_all({"circles": "is routed in a loop"}, CDG)
        # The lab sees it as a deadlock, which it names.
        code, out, err = self.run_it("--plugin", self.FILE, *LAB, **self.with_mistake("circles"))
        self.assertEqual((code, err), (1, ""), out)
        self.assertIn("deadlock", out)
        for mistake in OF_ROUTINGS:
            with self.subTest(mistake=mistake):
                code, _, err = self.run_it("--plugin", self.FILE, *INFO, **self.with_mistake(mistake))
                self.assertIn(code, (0, 2), err)
                self.assertEqual(err.count("\n"), 1 if code else 0, err)

    def test_of_a_workload_are_refused(self):
        self.refuse_all(OF_WORKLOADS, RUN)

    def test_of_a_traffic_pattern_are_refused(self):
        self.refuse_all(OF_PATTERNS, AHEAD, LAB_AHEAD)
        self.refuse_all(OF_PATTERNS, ["lab", "--net", "torus:4x4", "--traffic", "ahead", "--cycles", "1200", "sweep"])


class Interface(Plugin):
    """A plug-in that was built with other headers."""

    def changed(self, pattern, by):
        data = self.FILE.read_bytes()
        found = re.findall(pattern, data)
        self.assertTrue(found, pattern)
        for text in found:
            data = data.replace(text, by(text))
        (self.folder / "other.so").write_bytes(data)
        return "./other.so"

    def test_of_another_version_is_refused(self):
        mark = rb"rdt plug-in interface: [^;]*;"
        other = self.changed(mark, lambda text: re.sub(rb": \d", b": 9", text))
        self.refuse("--plugin", other, *INFO, says="must be rebuilt")

    def test_with_other_headers_is_refused(self):
        other = self.changed(rb"rdt plug-in interface: [^;]*;", lambda t: t[:-2] + (b"1;" if t[-2:-1] != b"1" else b"2;"))
        self.refuse("--plugin", other, *INFO, says="must be rebuilt")

    def test_without_a_version_is_refused(self):
        other = self.changed(rb"rdt plug-in interface: ", lambda text: b"x" * len(text))
        self.refuse("--plugin", other, *INFO, says="registers nothing")

    def test_file_without_a_shared_library_is_refused(self):
        self.write("text.so", "rdt plug-in interface: none;")
        self.refuse("--plugin", "./text.so", *INFO, says="cannot load")
        self.refuse("--plugin", "./nothere.so", *INFO, says="cannot load")
        (self.folder / "short.so").write_bytes(self.FILE.read_bytes()[:3000])
        self.refuse("--plugin", "./short.so", *INFO)


class Patterns(Plugin):
    def test_are_listed_and_named(self):
        for command in ("run", "lab"):
            self.assertIn("N nodes ahead", self.accept("--plugin", self.FILE, command, "--help"))
        self.refuse("--plugin", self.FILE, "lab", "--net", "torus:4x4", "--traffic", "ahed", says="ahead")

    def test_send_where_they_say(self):
        self.write("t", "".join(f"{n} {(n + 3) % 64} 1\n" for n in range(64)))
        words = ["lab", "--net", "torus:8x8", "--load", "0.05", "--cycles", "3000"]
        def hops(*more):
            out = self.accept(*more[:-1], *words, "--traffic", more[-1])
            return float(re.search(r"hops +mean ([0-9.]+)", out)[1])
        # Three in x; three of eight nodes one more in y.
        self.assertAlmostEqual(hops("--plugin", self.FILE, "ahead:3"), 3.375, delta=0.1)
        self.assertAlmostEqual(hops("table:t"), 3.375, delta=0.1)


if __name__ == "__main__":
    main()
