#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What commands leave behind: equal files for equal runs, waveforms with the packets' types.

usage: results.py PROGRAM [tests of unittest]
"""
from program import Program, main


class EqualRuns(Program):
    """The same command gives the same bytes, however many threads or processes share the work."""

    SWEEP = ["lab", "--net", "torus:8x8", "--traffic", "transpose", "--cycles", "3000", "sweep", "--from", "0.05",
             "--step", "0.05", "--csv", "s.csv", "--svg", "s.svg"]
    COMMANDS = [(SWEEP, "--threads"),
                (SWEEP[:-4] + ["--json", "s.json"], "--threads"),
                (["lab", "saturation", "--net", "mesh:6x6", "--cycles", "2000", "--seeds", "3", "--json", "a.json"],
                 "--threads"),
                (["lab", "--net", "torus:8x8", "--load", "0.3", "--injection", "2", "--json", "a.json"], None),
                (["lab", "--net", "torus:32x32", "--load", "0.1", "--cycles", "3000", "--json", "a.json"], "--threads"),
                (["lab", "--net", "hypercube:5", "--load", "0.3", "--seeds", "3", "--json", "a.json"],
                 "--threads"),
                (["sweep", "--cycles", "2000", "--from", "0.1", "--step", "0.2", "--svg", "s.svg"], "--jobs")]

    def test_leave_equal_files(self):
        for words, jobs in self.COMMANDS:
            seen = []
            for count in ("1", "2", "2"):
                self.accept(*words, *([jobs, count] if jobs else []))
                files = sorted(self.folder.iterdir())
                self.assertTrue(files, words)
                seen.append({p.name: p.read_bytes() for p in files})
                for p in files:
                    p.unlink()
            self.assertEqual(seen[0], seen[1], words)
            self.assertEqual(seen[0], seen[2], words)


class Waveform(Program):
    """The type on a link is that of the packet on it, in either direction, and none when it is idle."""

    def lane(self, text, scope):
        """Values of the signal `type` of a scope, in order."""
        at, names = [], {}
        values = []
        for line in text.splitlines():
            words = line.split()
            if line.startswith("$scope"):
                at.append(words[2])
            elif line.startswith("$upscope"):
                at.pop()
            elif line.startswith("$var") and words[4].startswith("type"):
                names[words[3]] = ".".join(at)
            elif line.startswith("b") and names.get(words[-1]) == scope:
                values.append(int(words[0][1:], 2))
        return values

    def test_received_packets_are_shown_too(self):
        self.write("t", "0 0 1\n")
        self.accept("run", "--trace", "t", "--wave", "w.vcd", "--wave-nodes", "0,1")
        text = (self.folder / "w.vcd").read_text()
        sent, idle = 0, 8
        for scope in ("link.n0.E0", "link.n1.W0"):
            self.assertEqual(self.lane(text, scope), [idle, sent, idle], scope)
        self.assertEqual(self.lane(text, "link.n0.N0"), [idle])
        self.assertIn("1000 -\n", (self.folder / "type.flt").read_text())


if __name__ == "__main__":
    main()
