#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs with 64 ranks on this machine: every message that Open MPI's own monitoring counts is in the
trace, with its bytes, and the machine carries the trace.

usage: mpi.py PROGRAM BUILD_DIR [tests of unittest]
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

import program

RANKS = 64
BUILD = None


class Mpi(program.Program):
    def mpirun(self, name, *words, ranks=RANKS):
        """Messages and bytes by source and destination as Open MPI counted them: of the program's own
        messages (E) and of its collective operations (C)."""
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        run = subprocess.run(
            ["mpirun", "--oversubscribe", "--mca", "btl", "self,vader", "--mca", "mpi_yield_when_idle", "1",
             "--mca", "pml_monitoring_enable", "2", "--mca", "pml_monitoring_enable_output", "3",
             "--mca", "pml_monitoring_filename", str(self.folder / "count"),
             "-x", f"LD_PRELOAD={BUILD / 'lib/librdt_mpi.so'}", "-x", f"RDT_MPI_TRACE={self.folder / 'trace'}",
             "-n", str(ranks), str(BUILD / "mpi" / name), *map(str, words)],
            capture_output=True, text=True, cwd=self.folder, env=environment, timeout=800)
        self.assertEqual(run.returncode, 0, run.stderr)
        counts = {"E": {}, "C": {}}
        for path in self.folder.glob("count.*.prof"):
            for kind, source, to, size, number in re.findall(
                    r"^([EC])\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs sent", path.read_text(), re.M):
                counts[kind][int(source), int(to)] = (int(number), int(size))
        return run, counts

    def noted(self, collective):
        """The same from the folder of the shim; tags of collective operations are below 0."""
        counts = collections.defaultdict(lambda: (0, 0))
        for path in (self.folder / "trace").glob("rank.*"):
            source = int(path.name.split(".")[1])
            for line in path.read_text().splitlines()[1:]:
                words = line.split()
                if words[0] == "s" and (int(words[2]) < 0) == collective:
                    number, size = counts[source, int(words[1])]
                    counts[source, int(words[1])] = number + 1, size + int(words[3])
        return dict(counts)

    def carried(self, messages):
        """The trace on the machine: all of it, and in the order that the program had."""
        said = self.accept("trace", "mpi", "trace", "-o", "x.trace")
        self.assertIn(f"{RANKS} ranks, {messages} messages", said)
        out = json.loads(self.accept("run", "--trace", "x.trace", "--json", "-"))
        packets = int(re.search(r"as (\d+) packets", said)[1])
        self.assertEqual(out["injected"], packets)
        self.assertTrue(out["drained"])
        return out

    def test_a_stencil_has_all_its_messages(self):
        steps = 10
        run, counts = self.mpirun("stencil", steps, 4)
        self.assertRegex(run.stdout, r"64 ranks, 10 steps, change 7\d\.")
        own = self.noted(collective=False)
        self.assertEqual(own, counts["E"])
        self.assertEqual(sum(number for number, _ in own.values()), RANKS * 4 * steps)
        # One reduction in ten steps: up the tree, and down.
        both = self.noted(collective=True)
        self.assertEqual(sum(number for number, _ in both.values()), 2 * (RANKS - 1))
        out = self.carried(RANKS * 4 * steps + 2 * (RANKS - 1))
        # Ten exchanges are sequential: no rank runs ahead of its neighbors.
        self.assertGreater(out["cycles_simulated"], 10 * 2 * 20)

    def test_all_to_all_has_all_its_messages(self):
        times, numbers = 2, 4
        run, counts = self.mpirun("all_to_all", times, numbers)
        self.assertIn("64 ranks, 2 times, 0 wrong", run.stdout)
        every = {(a, b): (times, times * numbers * 4) for a in range(RANKS) for b in range(RANKS) if a != b}
        self.assertEqual(counts["C"], every, "what Open MPI counts")
        self.assertEqual(self.noted(collective=True), every)
        self.carried(RANKS * (RANKS - 1) * times)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    BUILD = pathlib.Path(sys.argv.pop(2)).resolve()
    program.main()
