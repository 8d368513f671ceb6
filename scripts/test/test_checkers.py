# SPDX-License-Identifier: MIT
"""Every checker of scripts/ detects the mistakes that its option --inject makes.

RDT_BUILD names the folder of the build; without it, checkers that need one are skipped.
"""
import os
import pathlib
import subprocess
import sys
import unittest

from scripts.docs.commands import Command, run_page

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ.get("RDT_BUILD")
SKIPPED = 77


class Checkers(unittest.TestCase):
    def detects(self, script, *options, needs=None):
        if needs and not (BUILD and (pathlib.Path(BUILD) / needs).exists()):
            self.skipTest(f"needs {needs} in the folder that RDT_BUILD names")
        words = [str(pathlib.Path(BUILD) / needs) if option == "BUILT" else option for option in options]
        done = subprocess.run([sys.executable, script, *words], cwd=ROOT, capture_output=True, text=True)
        if done.returncode == SKIPPED:
            self.skipTest(done.stdout.strip())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotEqual(done.stdout.strip(), "", "nothing was injected")

    def test_structure(self):
        self.detects("scripts/check_structure.py", "--inject", "BUILT", needs=".")

    def test_plan(self):
        self.detects("scripts/check_plan.py", "--inject", "BUILT", needs=".")

    def test_documents(self):
        self.detects("scripts/check_docs.py", "inject", "BUILT", needs="bin/rdt")

    def test_pages_show_warnings_of_verilator_but_not_its_report(self):
        report = Command("page", 1, "printf '%s\\n' '- V e r i l a t i o n   R e p o r t: x' '- Verilator: y'", 0)
        warning = Command("page", 2, "echo '%Warning-UNUSED: z'", 0)
        self.assertEqual(len(run_page([report, warning], "/bin/true")), 1)

    def test_language(self):
        self.detects("scripts/check_language.py", "--inject")

    def test_register_descriptions(self):
        self.detects("scripts/check_ip.py", "--inject")

    def test_plugin_headers(self):
        self.detects("scripts/check_abi.py", "--inject")

    def test_core_files(self):
        self.detects("scripts/check_core.py", "--inject")

    def test_declarations(self):
        self.detects("scripts/check_declarations.py", "--inject")

    def test_pyflakes(self):
        self.detects("scripts/check_scripts.py", "--inject", "pyflakes")

    def test_mypy(self):
        self.detects("scripts/check_scripts.py", "--inject", "mypy")

    def test_workarounds(self):
        self.detects("tb/tools/check_workarounds.py", "--inject", "BUILT", needs=".")


if __name__ == "__main__":
    unittest.main()
