#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Signals end runs, sweeps and curves with complete files, nothing left behind and their exit code.

usage: signals.py PROGRAM [tests of unittest]
"""
import json
import os
import pathlib
import pty
import re
import resource
import select
import signal
import subprocess
import time

import program
from program import Program, main


class Signals(Program):
    LONG = ["run", "--cycles", "1000000000", "--json", "a.json", "--packet-log", "a.log", "--wave", "a.vcd"]

    def begun(self, process):
        self.wait_for(lambda: any(".tmp" in n for n in os.listdir(self.folder)), process, "temporary file")
        time.sleep(0.3)

    def test_end_a_run_with_complete_files(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start(*self.LONG)
            self.begun(process)
            code, out, err = self.stop(process, number)
            self.assertEqual((code, err), (128 + number, ""), number)
            self.assertIn('"stopped": true', (self.folder / "a.json").read_text())
            self.assertTrue((self.folder / "a.log").exists())
            self.assertEqual([n for n in os.listdir(self.folder) if ".tmp" in n], [])
            for p in self.folder.iterdir():
                p.unlink()

    def test_a_waveform_of_the_other_kind_leaves_nothing_either(self):
        if not program.has_engine("rtl"):
            return
        process = self.start("run", "--cycles", "1000000000", "--wave", "a.fst")
        self.begun(process)
        self.assertEqual(self.stop(process)[0], 143)
        self.assertEqual([n for n in os.listdir(self.folder) if "tmp" in n], [])

    def test_orphaned_processes_remove_their_files(self):
        for number in (signal.SIGQUIT, signal.SIGXCPU):
            def no_core():
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            process = self.start(*self.LONG, preexec_fn=no_core)
            self.begun(process)
            process.send_signal(signal.SIGTERM)
            process.send_signal(number)
            process.communicate(timeout=program.LIMIT)
            self.assertEqual([n for n in os.listdir(self.folder) if ".tmp" in n], [])

    def test_a_sweep_ends_with_its_processes_and_goes_on(self):
        words = ["sweep", "--csv", "s.csv", "--cycles", "20000", "--from", "0.1", "--step", "0.05", "--jobs", "2"]
        process = self.start(*words)
        self.wait_for((self.folder / "s.csv").exists, process, "point")
        code, out, err = self.stop(process, signal.SIGINT)
        self.assertEqual((code, err), (130, ""))
        self.assertIn("stopped", out)
        children = subprocess.run(["pgrep", "-f", str(self.folder)], capture_output=True, text=True).stdout
        self.assertEqual(children, "")
        self.assertEqual(sorted(os.listdir(self.folder)), ["s.csv"])

    def test_a_run_of_the_lab_ends_with_its_results_so_far(self):
        for more in ([], ["--seeds", "3", "--threads", "2"], ["saturation", "--seeds", "3"],
                     ["sweep", "--csv", "s.csv"]):
            process = self.start("lab", "--net", "torus:16x16", "--cycles", "100000000", "--json", "a.json", *more)
            time.sleep(0.5)
            code, out, err = self.stop(process, signal.SIGINT)
            if code == -signal.SIGINT:  # it was not yet in flight
                continue
            self.assertEqual(code, 130, f"{more}: {err}")
            if "sweep" in more:
                self.assertIn("stopped before the first point", err)
                continue
            self.assertEqual(err, "", more)
            self.assertIn("stopped", out, more)
            self.assertTrue(json.loads((self.folder / "a.json").read_text())["stopped"], more)

    def watch(self, words, text):
        """The program shows this on a terminal; it is then killed."""
        terminal, side = pty.openpty()
        process = self.start(*words, stderr=side)
        os.close(side)
        seen, end = "", time.monotonic() + program.LIMIT
        while not re.search(text, seen):
            self.assertLess(time.monotonic(), end, f"{words}: {seen[-200:]}")
            if select.select([terminal], [], [], 0.1)[0]:
                seen += os.read(terminal, 4096).decode()
        process.kill()
        process.communicate()
        os.close(terminal)

    def test_progress_has_rate_and_time_left(self):
        lab = ["lab", "--net", "torus:16x16", "--cycles", "10000000"]
        curve = ["--from", "0.01", "--step", "0.001", "--csv", "s.csv"]
        for words in (["run", "--cycles", "1000000000"], ["sweep", "--cycles", "30000", *curve], lab,
                      [*lab, "--seeds", "3"], [*lab, "saturation"],
                      ["lab", "--net", "torus:8x8", "--cycles", "30000", "sweep", *curve]):
            self.watch(words, r" %, [0-9.e+]+ (cycles|points)/s, [0-9.]+ (s|min|h) left")
            for p in self.folder.iterdir():
                p.unlink()

    def test_packets_that_cannot_arrive_are_waited_for(self):
        for more in (["--drain"], ["--traffic", "dsm-stencil", "--operations", "50"]):
            self.watch(["run", "--cycles", "100", "--cut", "9.E0", *more],
                       "100 %, waiting for packets in flight, at most 1000000 cycles")

    def test_a_curve_of_the_lab_keeps_its_points_and_goes_on(self):
        words = ["lab", "--net", "torus:8x8", "--cycles", "60000", "sweep", "--csv", "s.csv", "--from", "0.05",
                 "--step", "0.05", "--to", "0.4", "--threads", "1"]
        process = self.start(*words)
        self.wait_for((self.folder / "s.csv").exists, process, "point")
        process.kill()
        process.communicate()
        for p in self.folder.iterdir():
            if p.name != "s.csv":
                self.assertTrue(p.name.startswith("s.csv"), p.name)
        begun = (self.folder / "s.csv").read_text()
        self.accept(*words)
        resumed = (self.folder / "s.csv").read_text()
        # A point that is measured again would not keep a figure that was put there by hand.
        first, latency = begun.splitlines()[2], begun.splitlines()[2].split(",")[3]
        (self.folder / "s.csv").write_text(begun.replace(first, first.replace(latency, "1.25")))
        self.accept(*words)
        self.assertEqual((self.folder / "s.csv").read_text().replace("1.25", latency), resumed)
        (self.folder / "s.csv").unlink()
        self.accept(*words)
        self.assertEqual((self.folder / "s.csv").read_text(), resumed)
        self.refuse(*words, "--seed", "2", says="other settings")

    def test_a_sweep_that_is_killed_takes_its_processes_with_it(self):
        process = self.start("sweep", "--csv", "s.csv", "--cycles", "100000000", "--jobs", "2")
        children = lambda: [int(p) for p in
                            pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
        self.wait_for(lambda: len(children()) == 2, process, "processes")
        both = children()
        process.kill()
        process.wait()  # those that are left over would keep its output open

        def runs(pid):  # no parent may be left to reap it
            try:
                return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
            except FileNotFoundError:
                return False
        end = time.monotonic() + 20
        while any(map(runs, both)) and time.monotonic() < end:
            time.sleep(0.01)
        left = [pid for pid in both if runs(pid)]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        process.communicate()
        self.assertEqual(left, [])


if __name__ == "__main__":
    main()
