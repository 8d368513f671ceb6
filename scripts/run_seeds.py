#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One command with many seeds: here, some at a time, or as the tasks of an array job of Slurm.

    run_seeds.py NAME --first SEED --tasks COUNT [--jobs J | --slurm [--sbatch=OPTIONS]] -- COMMAND

COMMAND is a line of sh in which {} is the seed. The output of a task is in FOLDER/NAME.SEED.log
after success, independent of where it ran, or in .failed after a failure, which is shown. A task
whose log is there, of this very command and these programs, is not run again: after a Ctrl-C, a
scancel or a lost node the same command continues.

Exit code 0: all ended well. 1: some failed, or ended without a result. 2: cannot be run.
"""
import argparse
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def fail(text, code=2):
    print(f"run_seeds: {text}", file=sys.stderr)
    sys.exit(code)


def at_least_one(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


class Parser(argparse.ArgumentParser):
    def error(self, message):
        fail(message)


def fingerprint(command):
    """Hash of the command and of all files that it names: another program is another campaign."""
    digest = hashlib.sha256(command.encode())
    try:
        words = shlex.split(command)
    except ValueError as e:
        fail(f"{command}: {e}")
    for word in words:
        if os.path.isfile(word):
            digest.update(pathlib.Path(word).read_bytes())
    return digest.hexdigest()[:16]


class Campaign:
    def __init__(self, args):
        self.args = args
        self.command = re.sub(r"\\\n\s*", "", args.command[0])  # lines that a backslash continues
        if "\n" in self.command:
            fail("the command has more than one line")
        self.head = f"# {fingerprint(self.command)} {self.command}\n"
        self.seeds = range(args.first, args.first + args.tasks)

    def path(self, seed, kind):
        return self.args.folder / f"{self.args.name}.{seed}.{kind}"

    def is_done(self, seed):
        try:
            with open(self.path(seed, "log")) as log:
                return log.readline() == self.head
        except OSError:
            return False

    def run_one(self, seed):
        """In a file of another name until it is over: one that was ended leaves no log."""
        for kind in ("log", "failed"):
            self.path(seed, kind).unlink(missing_ok=True)
        part = self.path(seed, "part")
        with open(part, "w") as log:
            log.write(self.head)
            log.flush()
            code = subprocess.run(["sh", "-c", self.command.replace("{}", str(seed))], stdin=subprocess.DEVNULL,
                                  stdout=log, stderr=subprocess.STDOUT).returncode
        if code >= 0:  # else a signal: it did not fail, it was ended
            part.replace(self.path(seed, "log" if code == 0 else "failed"))

    def run_here(self, seeds):
        with ThreadPoolExecutor(self.args.jobs) as pool:
            try:
                list(pool.map(self.run_one, seeds))
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)
                raise

    def run_on_slurm(self, seeds):
        """Tasks count from 0 on: a cluster has a largest number."""
        again = [sys.executable, str(pathlib.Path(__file__).resolve()), self.args.name, "--folder",
                 str(self.args.folder), "--first", str(self.args.first), "--tasks", str(self.args.tasks)]
        line = f"exec {shlex.join(again)} --one $SLURM_ARRAY_TASK_ID -- {shlex.quote(self.command)}"
        array = ",".join(str(s - self.args.first) for s in seeds)
        try:
            job = subprocess.Popen(
                ["sbatch", "--parsable", "--wait", f"--array={array}", f"--job-name=rdt-{self.args.name}",
                 f"--output={self.args.folder}/{self.args.name}.%a.task", *shlex.split(self.args.sbatch), "--wrap", line],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        except OSError as e:
            fail(f"cannot run sbatch: {e.strerror}")
        number = job.stdout.readline().strip().split(";")[0]
        try:
            errors = job.communicate()[1].strip()
        except KeyboardInterrupt:
            if number:
                subprocess.run(["scancel", number])
            raise
        if not number:
            fail(f"sbatch: {' '.join(errors.split())}")

    def missing(self):
        return [s for s in self.seeds if not self.is_done(s)]

    def run(self):
        args = self.args
        if args.one is not None:
            self.run_one(args.first + args.one)
            return 0
        left = self.missing()
        if len(left) < args.tasks:
            print(f"{args.tasks - len(left)} of {args.tasks} were done before")
        if left:
            for seed in left:
                for kind in ("log", "failed", "part"):
                    self.path(seed, kind).unlink(missing_ok=True)
            self.run_on_slurm(left) if args.slurm else self.run_here(left)
        failed = [s for s in self.missing() if self.path(s, "failed").exists()]
        for seed in failed:
            print(self.path(seed, "failed").read_text(errors="replace"), end="")
        lost = [s for s in self.missing() if s not in failed]
        if lost:
            fail(f"{args.name}: {len(lost)} of {args.tasks} tasks ended without a result "
                 f"({', '.join(map(str, lost))}); the same command continues", 1)
        return 1 if failed else 0


def main():
    parser = Parser(prog="run_seeds.py", description="a command with many seeds, here or on Slurm")
    parser.add_argument("name", help="of the logs")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build"), help="of the logs")
    parser.add_argument("--first", type=int, default=1, help="seed")
    parser.add_argument("--tasks", type=at_least_one, required=True)
    parser.add_argument("--jobs", type=at_least_one, default=1, help="at a time, without Slurm")
    parser.add_argument("--slurm", action="store_true")
    parser.add_argument("--sbatch", default="", help="further options, as --sbatch='--partition=long --time=60'")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("command", nargs=1)
    args = parser.parse_args()
    if not args.folder.is_dir():
        fail(f"there is no folder {args.folder}")
    args.folder = args.folder.resolve()
    try:
        return Campaign(args).run()
    except KeyboardInterrupt:
        fail(f"{args.name}: stopped; the same command continues", 1)


if __name__ == "__main__":
    sys.exit(main())
