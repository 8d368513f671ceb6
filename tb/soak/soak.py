#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Models side by side for as long as one likes, with seeds that never come twice.

    soak.py [--cycles N] [--jobs J] [--program P] [--file F]
    soak.py --next                     (prints the seed that comes next)

N chip cycles are shared out over the kinds of build/bin/soak. Most go to the gates of the RTL beside the fast
engine (machines of 64 nodes, and the fuzz of 64 chips), which cost a tenth of the time; the rest to the
Verilated RTL in machines, to a router under valid traffic and to the fuzz of four routers. A task is
one seed of build/bin/soak; what it has done is added to F when it has ended, and only then, so that
the same command continues after an end of any kind, with other seeds; any number of them may run at the
same time. F (docs/soak.json) has an entry for each version of the RTL and of the models: what was run
on another version does not count for this one.

Exit code 1: a difference; its report is shown and is in build/soak.
"""
import argparse
import fcntl
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Per task: cycles, routers in it, and the fraction of all router cycles.
KINDS = {"machine": (20000, 64, 0.06), "chip": (300000, 1, 0.01), "fuzz": (50000, 4, 0.01),
         "gates": (200000, 64, 0.7), "gates_fuzz": (100000, 64, 0.22)}


class Book:
    """The file, for one version of the models."""

    def __init__(self, path):
        self.path = path
        self.models = self._hash("rtl/*.sv", "systemc/rdt/*.[hc]*", "sim/rdt/core/*.h", "sim/rdt/fast/*.h")
        self.rtl = self._hash("rtl/*.sv")

    @staticmethod
    def _hash(*patterns):
        total = hashlib.sha256()
        for pattern in patterns:
            for file in sorted(ROOT.glob(pattern)):
                total.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
        return total.hexdigest()[:16]

    @staticmethod
    def _commit():
        said = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return said.stdout.strip() if said.returncode == 0 else "unknown"

    def change(self, function):
        """function(book, entry) under a lock; whole or not at all."""
        with open(self.path.with_name(self.path.name + ".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            book = json.loads(self.path.read_text()) if self.path.exists() else {"next_seed": 1, "entries": []}
            entry = next((e for e in book["entries"] if e["models"] == self.models), None)
            if entry is None:
                entry = {"models": self.models, "rtl": self.rtl, "commit": self._commit(), "begun": today(),
                         "until": today(), "chip_cycles": 0, "seeds": 0, "cpu_seconds": 0, "differences": [],
                         "kinds": {}}
                book["entries"].append(entry)
            result = function(book, entry)
            part = self.path.with_name(f"{self.path.name}.{os.getpid()}.{threading.get_ident()}.part")
            part.write_text(json.dumps(book, indent=1) + "\n")
            part.replace(self.path)
            return result

    def draw(self, clocks, kinds):
        """(kind, seed) of tasks for so many chip cycles; no seed is drawn twice."""
        whole = sum(KINDS[kind][2] for kind in kinds)
        numbers = {kind: max(1, round(clocks * share / whole / (length * chips)))
                   for kind, (length, chips, share) in KINDS.items() if kind in kinds}
        # Interleaved, so that an early stop has some of each.
        tasks = sorted(((i + 0.5) / n, kind) for kind, n in numbers.items() for i in range(n))

        def take(book, _):
            first = book["next_seed"]
            book["next_seed"] += len(tasks)
            return [(kind, first + i) for i, (_, kind) in enumerate(tasks)]
        return self.change(take)

    def add(self, done, seconds):
        def count(_, entry):
            kind = entry["kinds"].setdefault(done["kind"], {"seeds": 0, "cycles": 0, "chip_cycles": 0,
                                                            "cpu_seconds": 0})
            chip_cycles = done["cycles"] * done["chips"]
            for row in (kind, entry):
                row["seeds"] += 1
                row["chip_cycles"] += chip_cycles
                row["cpu_seconds"] = round(row["cpu_seconds"] + seconds, 1)
            kind["cycles"] += done["cycles"]
            entry["until"] = today()
            return dict(entry)
        return self.change(count)

    def add_difference(self, kind, seed):
        def note(_, entry):
            entry["differences"].append({"kind": kind, "seed": seed, "cycles": KINDS[kind][0]})
        self.change(note)

    def next(self):
        return json.loads(self.path.read_text())["next_seed"] if self.path.exists() else 1

    def entry(self):
        return self.change(lambda _, entry: dict(entry))


def today():
    return time.strftime("%Y-%m-%d")


def run_one(args, book, kind, seed):
    """Whether all was equal; None if it was ended."""
    length = args.length or KINDS[kind][0]
    task = subprocess.Popen([args.program, kind, str(seed), str(length)], text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = task.stdout.read()
    _, status, usage = os.wait4(task.pid, 0)
    task.returncode = code = os.waitstatus_to_exitcode(status)
    if code == 0:
        book.add(json.loads(text.splitlines()[-1]), usage.ru_utime + usage.ru_stime)
        return True
    if code < 0:  # a signal: it did not fail, it was ended
        return None
    folder = ROOT / "build/soak"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{kind}.{seed}.failed").write_text(text)
    print(text, end="", flush=True)
    book.add_difference(kind, seed)
    return False


def positive(text):
    value = int(float(text))
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def tell(entry):
    for kind, row in sorted(entry["kinds"].items()):
        rate = row["chip_cycles"] / row["cpu_seconds"] if row["cpu_seconds"] else 0
        print(f"{kind:8} {row['seeds']:6} seeds {row['cycles']:14,} cycles {row['chip_cycles']:14,} chip cycles "
              f"{rate:9,.0f} a CPU second")
    print(f"all      {entry['seeds']:6} seeds {'':14}        {entry['chip_cycles']:14,} chip cycles, "
          f"{len(entry['differences'])} differences, on {entry['commit']}")


def main():
    parser = argparse.ArgumentParser(description="models side by side, with seeds that never come twice")
    parser.add_argument("--cycles", type=positive, default=10000000, help="of chips, in this run")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, help="tasks at once (%(default)s)")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/soak")
    parser.add_argument("--file", type=pathlib.Path, default=ROOT / "docs/soak.json")
    parser.add_argument("--length", type=positive, help="cycles of a task, whatever its kind")
    parser.add_argument("--only", help="tasks of this kind alone")
    parser.add_argument("--next", action="store_true", help="print the seed that comes next")
    args = parser.parse_args()
    book = Book(args.file)
    if args.next:
        print(book.next())
        return 0
    if not args.program.exists():
        print(f"soak: there is no program {args.program}", file=sys.stderr)
        return 2
    built = subprocess.run([args.program, "kinds"], capture_output=True, text=True, check=True).stdout.split()
    kinds = [kind for kind in KINDS if kind in built and args.only in (None, kind)]
    if not kinds:
        print(f"soak: this build has no kind {args.only}; it has {', '.join(built)}", file=sys.stderr)
        return 2
    tasks = book.draw(args.cycles, kinds)
    print(f"{len(tasks)} seeds from {tasks[0][1]} on, {args.jobs} at once", flush=True)
    with ThreadPoolExecutor(args.jobs) as pool:
        running = [pool.submit(run_one, args, book, kind, seed) for kind, seed in tasks]
        try:
            results = [r.result() for r in running]
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            results = [r.result() if r.done() and not r.cancelled() else None for r in running]
    tell(book.entry())
    if None in results:
        print(f"soak: {results.count(None)} of {len(tasks)} seeds have not ended; the same command continues with others",
              file=sys.stderr)
    return 1 if False in results or None in results else 0


if __name__ == "__main__":
    sys.exit(main())
