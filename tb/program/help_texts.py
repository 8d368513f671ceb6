#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The help of the program and of all its commands: default and allowed values of every option, width of the lines.

usage: help_texts.py PROGRAM [tests of unittest]
"""
import re

from program import Program, main


class HelpEntry:
    """An option or argument of a help text, `  --size INT=8    nodes per side`, folded over several lines. CLI11
    2.4 and later writes `INT [8]`."""
    COLUMN = 30
    NUMBERS = ("INT", "UINT", "FLOAT", "COUNT", "COUNT|auto", "NUMBER", "F", "RANK", "VC", "ENTRIES")

    def __init__(self, line):
        is_split = len(line) > self.COLUMN and line[self.COLUMN - 1] == " " and line[self.COLUMN] != "["
        head = re.sub(r" (Needs|Excludes): .*", "", line[:self.COLUMN] if is_split else line).strip()
        self.name, _, self.value = re.sub(r" \[(.*)\]", r"=\1", head).partition(" ")
        self.text = line[self.COLUMN:] if is_split else ""

    def lapses(self):
        """Statements that the help of a value lacks."""
        is_required = "REQUIRED" in self.value or "required" in self.text
        if not self.value and self.name.startswith("-"):
            return  # a flag
        if "=" not in self.value and not is_required and "default" not in self.text:
            yield f"{self.name} {self.value}: no default"
        type_of = re.split("[=:]", self.value)[0].removesuffix(" ...")
        if type_of in self.NUMBERS and not re.search(r"(\d|--[\w-]+) to \S|\d, \d|at least", self.text):
            yield f"{self.name} {self.value}: no allowed values"


def help_entries(text):
    entries = []
    section = ""
    for line in text.splitlines():
        if re.fullmatch(r"\S.*:", line):
            section = line
        elif re.match(r"  -", line) or (section.lower() == "positionals:" and re.match(r"  \S", line)):
            entries.append(HelpEntry(line))
        elif entries and re.match(r"   +\S", line):
            entries[-1].text += " " + line.strip()
    return [e for e in entries if e.name not in ("-h,--help", "--version")]


def help_lapses(text):
    return [lapse for entry in help_entries(text) for lapse in entry.lapses()]


class Help(Program):
    def commands(self, words=()):
        """All commands and subcommands."""
        yield list(words)
        _, *listed = re.split("\nsubcommands:\n", self.accept(*words, "--help"), flags=re.I)
        for name in re.findall(r"^  (\w+)", "".join(listed).partition("\n\n")[0], re.M):
            yield from self.commands((*words, name))

    def test_every_value_has_a_default_and_allowed_numbers(self):
        commands = list(self.commands())
        self.assertIn(["lab", "sweep"], commands)
        for command in commands:
            text = self.accept(*command, "--help")
            self.assertEqual(help_lapses(text), [], command)
            if command == ["run"]:
                self.assertGreater(len(help_entries(text)), 50)

    def test_a_value_without_default_or_allowed_numbers_is_a_lapse(self):
        text = ("Options:\n  -h,--help                   Print this\n"
                "  --torus                     disable the upper rank\n"
                "  --json FILE                 write the result (default: none)\n"
                "  --size INT=8                nodes per side: 4, 8\n"
                "  --nodes INT [8]             nodes per side: 4, 8\n")
        self.assertEqual(help_lapses(text), [])
        for injected, lapse in (("  --csv FILE                  write all points\n", "no default"),
                                ("  --depth INT=4               buffer depth in flits\n", "no allowed values"),
                                ("  --very-long-name-of-an-option NODES ...\n                              nodes\n", "no default")):
            self.assertEqual([found.partition(": ")[2] for found in help_lapses(text + injected)], [lapse])

    def test_is_in_groups_and_narrow(self):
        for command in (["run"], ["sweep"], ["lab"], ["lab", "sweep"], ["compare"], ["paper"], ["net", "info"]):
            for line in self.accept(*command, "--help").splitlines():
                self.assertLessEqual(len(line), 100, line)
        text = self.accept("run", "--help")
        for group in ("Machine:", "Traffic:", "Shared memory", "Time:", "Faults:", "Output:"):
            self.assertIn("\n" + group, text)
        self.assertNotIn("Excludes", text)


if __name__ == "__main__":
    main()
