# SPDX-License-Identifier: MIT
"""Copies of the project with injected bugs."""
import fcntl
import os
import re
import shutil
import subprocess

from scripts.tree.files import copy_sources, source_files

CORES = os.cpu_count() or 1
# Edits of every copy: a bug may leave bits unused, and compiling the Verilated router takes longer than running it.
OF_EVERY_COPY = [("cmake/verilate.cmake", "--cc -Wall -O3", "--cc -Wno-fatal -O3"),
                 ("cmake/verilate.cmake", "$<IF:$<BOOL:${arg_WAVES}>,-O0,-O1>", "-O0")]


class NotInjected(Exception):
    """The bug is not in the copy, or the copy does not build; what was printed."""


def edited(path, text, old, new):
    """The text with one place changed."""
    if text.count(old) != 1:
        raise NotInjected(f"nothing was injected: {text.count(old)} times instead of once in {path}: {old}")
    return text.replace(old, new)


def copy_with_edits(top, edits):
    """The files of the project in another folder, with edits."""
    if lacking := sorted({edit[0] for edit in edits} - set(source_files())):
        raise NotInjected(f"nothing was injected: there is no file {lacking[0]}")

    def edit(name, content):
        for path, old, new in edits:
            if path == name:
                content = edited(path, content.decode(), old, new).encode()
        return content
    copy_sources(top, edit)


class Copy:
    """A copy of the project that has bugs injected and is built."""

    def __init__(self, build, name="tree", jobs=CORES):
        """BUILD/injected/<name>, built by so many jobs at once."""
        self.top = build / f"injected/{name}"
        self.results = build / f"injected/results_of_{name}"
        self._jobs = str(jobs)
        self.top.mkdir(parents=True, exist_ok=True)
        self._lock = open(build / f"injected/lock_of_{name}", "w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)  # tests that run at the same time take turns
        generator = re.search(r"^CMAKE_GENERATOR:INTERNAL=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
        self._generator = generator[1] if generator else "Ninja"

    def build(self, targets):
        commands = [["cmake", "-S", self.top, "-B", self.top / "build", "-G", self._generator],
                    ["cmake", "--build", self.top / "build", "-j", self._jobs, "--target", *targets]]
        if (self.top / "build/CMakeCache.txt").exists():
            del commands[0]
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                raise NotInjected("the copy does not build:\n" + (done.stdout + done.stderr)[-3000:])

    def run(self, program, arguments=(), **environment):
        """(exit code, output) of a program of the copy."""
        shutil.rmtree(self.results, ignore_errors=True)
        self.results.mkdir()
        done = subprocess.run([self.top / "build/bin" / program, *arguments], cwd=self.results, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1", **environment})
        return done.returncode, done.stdout
