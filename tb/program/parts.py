#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sweep in parts, as tasks of a batch system measure it: put together it is the sweep that one process
makes, whatever became of the parts."""
import program

SWEEP = ["sweep", "--cycles", "400", "--warmup", "100", "--from", "0.1", "--step", "0.1", "--csv"]


class Parts(program.Program):
    def setUp(self):
        super().setUp()
        self.accept(*SWEEP, "whole.csv")
        self.whole = (self.folder / "whole.csv").read_text()
        self.rows = self.whole.splitlines()[2:]
        self.assertTrue(self.rows[-1].endswith(",1"), "does not saturate")

    def part(self, number, of=3, *more):
        return self.accept(*SWEEP, "s.csv", "--part", f"{number}/{of}", *more)

    def text(self, name="s.csv"):
        return (self.folder / name).read_text()

    def test_together_they_are_the_whole_sweep(self):
        for number in (2, 0, 1):
            self.assertIn(f"part {number}/3: ", self.part(number))
        self.assertFalse((self.folder / "s.csv").exists())
        measured = []
        for number in range(3):
            lines = self.text(f"s.csv.{number}-of-3").splitlines()
            self.assertEqual(lines[:2], self.whole.splitlines()[:2])
            measured += lines[2:]
        loads = [line.split(",")[0] for line in measured]
        self.assertEqual(len(loads), len(set(loads)), "measured twice")
        self.assertEqual([row for row in self.rows if row in measured], self.rows)
        before = self.files()
        self.assertIn("saturated at the last injection rate", self.accept(*SWEEP, "s.csv"))
        self.assertEqual(self.text(), self.whole)
        # The parts are as they were.
        self.assertEqual({name: text for name, text in self.files().items() if name != "s.csv"}, before)

    def test_missing_points_are_measured(self):
        self.part(1)
        self.accept(*SWEEP, "s.csv")
        self.assertEqual(self.text(), self.whole)

    def test_a_part_goes_on_and_ends_where_others_are_saturated(self):
        self.part(0, 1)  # all of it, in one part
        lines = self.text("s.csv.0-of-1").splitlines(keepends=True)
        self.assertEqual(lines[2:], self.whole.splitlines(keepends=True)[2:])
        # Those of three parts find everything there, and nothing to do behind the end.
        for number in range(3):
            self.part(number)
            own = self.text(f"s.csv.{number}-of-3").splitlines()[2:]
            self.assertEqual(own, self.rows[number::3])
        # A part whose last points are lost, and its last line cut.
        text = self.text("s.csv.0-of-3")
        for name in ("s.csv.0-of-1", "s.csv.1-of-3"):
            (self.folder / name).unlink()
        self.write("s.csv.0-of-3", text[:text.rindex("\n", 0, -1) + 9])
        self.part(0)
        self.assertEqual(self.text("s.csv.0-of-3"), text)

    def test_contradicting_points_are_refused(self):
        self.part(0)
        text = self.text("s.csv.0-of-3")
        first = text.splitlines()[2]
        words = first.split(",")
        words[3] = str(float(words[3]) + 1)
        self.write("s.csv.0-of-2", text.replace(first, ",".join(words)))
        line = self.refuse(*SWEEP, "s.csv", says="different results")
        for name in ("s.csv.0-of-2", "s.csv.0-of-3", words[0]):
            self.assertIn(name, line)
        self.refuse(*SWEEP, "s.csv", "--part", "1/2", says="different results")

    def test_parts_of_another_sweep_are_refused(self):
        self.part(0)
        self.refuse(*SWEEP, "s.csv", "--seed", "2", says="s.csv.0-of-3: was made with other parameters")
        self.write("s.csv.1-of-3", "nonsense\n")
        self.refuse(*SWEEP, "s.csv", says="s.csv.1-of-3")
        # Names that only look alike are none.
        (self.folder / "s.csv.1-of-3").unlink()
        for name in ("s.csv.3-of-3", "s.csv.1-of-", "s.csv.a-of-3", "t.csv.0-of-3", "s.csv.0-of-3.old"):
            self.write(name, "nonsense\n")
        self.accept(*SWEEP, "s.csv")
        self.assertEqual(self.text(), self.whole)

    def test_wrong_parts_are_refused(self):
        for value in ("3/3", "0/0", "1", "1/", "/2", "-1/2", "1/2/3", "0x1/2", "1/99999999999", "a/b", "0/10001"):
            self.refuse(*SWEEP, "s.csv", "--part", value, says="--part")
        self.refuse(*SWEEP, "-", "--part", "0/2", says="--csv")
        self.refuse(*SWEEP, "/dev/null", "--part", "0/2", says="--csv")
        self.refuse(*SWEEP, "s.csv", "--svg", "s.svg", "--part", "0/2", says="--svg")


if __name__ == "__main__":
    program.main()
