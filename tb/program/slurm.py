#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sweeps and campaigns as array jobs of Slurm give what they give without it, also after tasks were
canceled and killed. A cluster of one node is started for it."""
import os
import pathlib
import re
import signal
import sys
import tempfile
import time

import program
import slurm_cluster

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PARTS = 4
SWEEP = ["sweep", "--from", "0.05", "--step", "0.05", "--cycles", "2000", "--warmup", "200"]
# Two points a part, each long enough that tasks can be met at work.
LONG = ["sweep", "--from", "0.05", "--step", "0.05", "--to", "0.4", "--cycles", "200000", "--warmup", "200"]
CSV = ["--csv", "s.csv"]
CAMPAIGN = ROOT / "scripts/run_seeds.py"


class Slurm(program.Program):
    cluster: slurm_cluster.Cluster

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="rdt_slurm_")
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = slurm_cluster.Cluster(folder.name)
        cls.addClassCleanup(cls.cluster.stop)

    def until(self, what, found):
        end = time.monotonic() + program.LIMIT
        while not found():
            self.assertLess(time.monotonic(), end, f"no {what}")
            time.sleep(0.05)

    def submit(self, words, *options):
        """One task a part. Each leaves its process number, which stays that of the program."""
        line = " ".join(map(str, [program.RDT, *words, *CSV, "--part"]))
        run = self.cluster.run(
            "sbatch", "--parsable", f"--array=0-{PARTS - 1}", "--output=task.%a.out", *options, "--wrap",
            f"echo $$ >pid.$SLURM_ARRAY_TASK_ID; exec {line} $SLURM_ARRAY_TASK_ID/{PARTS}", cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout.strip()

    def reference(self, words):
        self.accept(*words, "--csv", "local.csv")
        return (self.folder / "local.csv").read_text()

    def points(self):
        """Lines of all parts, by load."""
        lines = {}
        for path in self.folder.glob(f"s.csv.*-of-{PARTS}"):
            for line in path.read_text().splitlines()[2:]:
                lines[float(line.split(",")[0])] = line
        return lines

    def test_a_sweep_writes_the_same_file_as_without_slurm(self):
        expected = self.reference(SWEEP)
        self.submit(SWEEP, "--wait")
        for k in range(PARTS):
            self.assertIn(f"part {k}/{PARTS}", (self.folder / f"task.{k}.out").read_text())
        # All that counts is measured: putting it together takes no simulation.
        rows = expected.splitlines()[2:]
        parts = self.points()
        self.assertTrue(rows[-1].endswith(",1"), "does not saturate")
        self.assertEqual([parts.get(float(r.split(",")[0])) for r in rows], rows)
        self.accept(*SWEEP, *CSV)
        self.assertEqual((self.folder / "s.csv").read_text(), expected)

    def test_a_cancelled_and_a_killed_task_are_made_up_for(self):
        job = self.submit(LONG)
        stopped, killed = 0, 1
        # Each when it has measured its first point.
        self.until("task", (self.folder / f"s.csv.{stopped}-of-{PARTS}").exists)
        run = self.cluster.run("scancel", f"{job}_{stopped}")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.until("task", (self.folder / f"s.csv.{killed}-of-{PARTS}").exists)
        os.kill(int((self.folder / f"pid.{killed}").read_text()), signal.SIGKILL)
        self.until("end", lambda: not any(j.startswith(job) for j in self.cluster.jobs()))
        ended = {t: (self.folder / f"task.{t}.out").read_text() for t in range(PARTS)}
        self.assertIn("CANCELLED", ended[stopped])
        self.assertNotIn("part", ended[killed].replace("partition", ""))
        before = self.points()
        expected = self.reference(LONG)
        rows = expected.splitlines()[2:]
        self.assertLess(len([r for r in rows if float(r.split(",")[0]) in before]), len(rows), "ended too late")
        # Once more: only what is missing.
        kept = {t: (self.folder / f"s.csv.{t}-of-{PARTS}").read_text().splitlines() for t in range(PARTS)}
        self.submit(LONG, "--wait")
        for t, lines in kept.items():
            self.assertEqual((self.folder / f"s.csv.{t}-of-{PARTS}").read_text().splitlines()[:len(lines)], lines)
        self.accept(*LONG, *CSV)
        self.assertEqual((self.folder / "s.csv").read_text(), expected)
        # Or never: then it is measured here.
        for name in ("s.csv", f"s.csv.0-of-{PARTS}", f"s.csv.2-of-{PARTS}"):
            (self.folder / name).unlink()
        self.accept(*LONG, *CSV)
        self.assertEqual((self.folder / "s.csv").read_text(), expected)

    def campaign(self, *words, name="c", command="echo seed {}, 7 cases", tasks=3):
        return self.cluster.run(sys.executable, CAMPAIGN, name, "--folder", self.folder, "--first", 5, "--tasks", tasks,
                                *words, "--", command, cwd=self.folder)

    def logs(self, name="c"):
        return {p.name: p.read_text() for p in self.folder.glob(f"{name}.*.log")}

    def test_a_campaign_leaves_the_same_files_as_without_slurm(self):
        run = self.campaign("--jobs", "2")
        self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
        here = self.logs()
        self.assertEqual(sorted(here), ["c.5.log", "c.6.log", "c.7.log"])
        for p in self.folder.glob("c.*.log"):
            p.unlink()
        run = self.campaign("--slurm")
        self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
        self.assertEqual(self.logs(), here)
        # Completed points stay; another command is another campaign.
        run = self.campaign("--slurm")
        self.assertIn("3 of 3 were done before", run.stdout)
        run = self.campaign("--slurm", command="echo other {}")
        self.assertNotIn("before", run.stdout)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_failed_task_fails_the_campaign_and_is_shown(self):
        for where in (["--slurm"], ["--jobs", "1"]):
            run = self.campaign(*where, command="echo prints {}; [ {} != 6 ]")
            self.assertEqual(run.returncode, 1, run.stdout)
            self.assertIn("prints 6", run.stdout)
            self.assertNotIn("prints 5", run.stdout)
            for p in [*self.folder.glob("c.*")]:
                p.unlink()

    def test_a_campaign_goes_on_after_its_tasks_were_killed(self):
        # Task 6 kills itself the first time; 5 and 7 are not run again.
        command = "echo {} >>ran; if [ {} = 6 ] && ! [ -e once ]; then touch once; kill -9 0; fi; echo fine {}"
        run = self.campaign("--slurm", command=command)
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertRegex(run.stderr, r"^run_seeds: c: 1 of 3 tasks ended without a result \(6\); the same command continues\n$")
        run = self.campaign("--slurm", command=command)
        self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
        self.assertIn("2 of 3 were done before", run.stdout)
        self.assertEqual(sorted((self.folder / "ran").read_text().split()), ["5", "6", "6", "7"])
        self.assertEqual(len(self.logs()), 3)

    def test_wrong_campaigns_are_refused_in_a_line(self):
        for words in (["--slurm", "--sbatch=--no-such-option"], ["--jobs", "0"]):
            run = self.campaign(*words)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertTrue(re.fullmatch(r"run_seeds: .*\n", run.stderr), run.stderr)


if __name__ == "__main__":
    lacking = slurm_cluster.missing_programs()
    if lacking:
        sys.exit(f"needs {', '.join(lacking)}: scripts/setup.sh slurm")
    program.main()
