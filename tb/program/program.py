# SPDX-License-Identifier: MIT
"""The program `rdt` as a user meets it: each test has a folder of its own."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RDT = None
LIMIT = 120  # seconds that a run may take on a busy machine


def has_engine(name):
    run = subprocess.run([RDT, "run", "--engine", name, "--cycles", "1"], capture_output=True, text=True)
    return "is not in this build" not in run.stderr


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rdt_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, *words, **more):
        options = dict(cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True, errors="replace")
        options.update(more)
        return subprocess.Popen([RDT, *map(str, words)], **options)

    def run_it(self, *words, **more):
        """Exit code, standard output and standard error. A signal shows as a negative code."""
        process = self.start(*words, **more)
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail("does not come to an end: rdt " + " ".join(map(str, words)))
        return process.returncode, out, err

    def accept(self, *words, **more):
        code, out, err = self.run_it(*words, **more)
        self.assertEqual(code, 0, f"rdt {' '.join(map(str, words))}: {err}")
        return out

    def refuse(self, *words, says="", **more):
        """One line, exit code 2, nothing printed and nothing written."""
        before = self.files()
        code, out, err = self.run_it(*words, **more)
        line = f"rdt {' '.join(map(str, words))}: {err}"
        self.assertEqual(code, 2, line)
        self.assertEqual(err.count("\n"), 1, line)
        self.assertTrue(err.startswith("rdt: "), line)
        self.assertLess(len(err), 1200, line[:200])
        self.assertEqual(out, "", line)
        self.assertIn(says, err, line)
        self.assertEqual(self.files(), before, line)
        return err

    def files(self):
        return {p.name: p.read_bytes() for p in sorted(self.folder.iterdir()) if p.is_file()}

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def wait_for(self, found, process, what):
        """Until found() holds; the process has to be there as long."""
        end = time.monotonic() + LIMIT
        while not found():
            self.assertIsNone(process.poll(), f"ended before {what}")
            self.assertLess(time.monotonic(), end, f"no {what}")
            time.sleep(0.02)

    def stop(self, process, number=signal.SIGTERM):
        process.send_signal(number)
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail(f"signal {number} is not obeyed")
        return process.returncode, out, err


def main():
    global RDT
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM [tests of unittest]")
    RDT = os.path.abspath(sys.argv.pop(1))
    os.environ.setdefault("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1")
    unittest.main(module="__main__", verbosity=2)
