#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Models side by side for any number of cycles, with seeds that never repeat.

    soak.py [--cycles N] [--seconds S] [--jobs J] [--kinds K,K...] [--program P] [--file F]
    soak.py --merge FILE               (adds the record of another machine to F)
    soak.py --next                     (prints the next seed)

N router cycles are divided among the kinds of build/bin/soak. Most go to the gates of the RTL beside the fast
engine (machines of 64 nodes, and 64 chips with random pins), which cost a tenth of the time. The rest goes to
the Verilated RTL in machines, to a router under valid traffic and to four routers with random pins. A task is a
run of build/bin/soak with one or four seeds. Its counts are added to F when it has ended, so the same command
continues after an interruption, with other seeds; several may run at the same time. F (docs/soak.json) has an
entry for each version of the RTL and of the models. A new F continues with the seeds of docs/soak.json.

Exit code 1: a difference; the report is shown and is in build/soak.
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
RECORD = ROOT / "docs/soak.json"
# Per task: cycles, routers in it, seeds, and the fraction of all router cycles. A task takes some 10 s.
KINDS = {"machine": (20000, 64, 1, 0.02), "chip": (300000, 1, 1, 0.005), "fuzz": (50000, 4, 1, 0.005),
         "gates": (40000, 256, 4, 0.95), "gates_fuzz": (10000, 256, 4, 0.02)}
COUNTS = ("seeds", "cycles", "chip_cycles", "cpu_seconds")


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

    def _read(self):
        if self.path.exists():
            return json.loads(self.path.read_text())
        first = json.loads(RECORD.read_text())["next_seed"] if RECORD.exists() else 1
        return {"first_seed": first, "next_seed": first, "entries": []}

    def change(self, function):
        """function(book, entry) under a lock; whole or not at all."""
        with open(self.path.with_name(self.path.name + ".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            book = self._read()
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

    def draw(self, cycles, kinds):
        """(kind, first seed) of tasks for so many router cycles; no seed is drawn twice."""
        whole = sum(KINDS[kind][3] for kind in kinds)
        numbers = {kind: max(1, round(cycles * share / whole / (length * chips)))
                   for kind, (length, chips, _, share) in KINDS.items() if kind in kinds}
        # Interleaved, so that an early stop has some of each.
        tasks = sorted(((i + 0.5) / n, kind) for kind, n in numbers.items() for i in range(n))

        def take(book, _):
            drawn = []
            for _, kind in tasks:
                drawn.append((kind, book["next_seed"]))
                book["next_seed"] += KINDS[kind][2]
            return drawn
        return self.change(take)

    @staticmethod
    def _count(entry, name, counts):
        kind = entry["kinds"].setdefault(name, dict.fromkeys(COUNTS, 0))
        for row in (kind, entry):
            for key in COUNTS:
                if key in row:
                    row[key] = round(row[key] + counts[key], 1) if key == "cpu_seconds" else row[key] + counts[key]

    def add(self, done, seconds):
        def count(_, entry):
            self._count(entry, done["kind"], {"seeds": done["seeds"], "cycles": done["cycles"], "cpu_seconds": seconds,
                                              "chip_cycles": done["cycles"] * done["chips"]})
            entry["until"] = today()
            return dict(entry)
        return self.change(count)

    def merge(self, path):
        """Adds the entry of another file that began where this one is; an error message, or None."""
        other = json.loads(path.read_text())
        new = next((e for e in other["entries"] if e["models"] == self.models), None)
        if new is None:
            return f"{path}: no entry of these models ({self.models})"

        def add(book, entry):
            if other.get("first_seed", 0) < book["next_seed"]:
                return f"{path}: seeds below {book['next_seed']} may be counted already"
            for kind, row in new["kinds"].items():
                self._count(entry, kind, row)
            entry["differences"] += new["differences"]
            entry["until"] = max(entry["until"], new["until"])
            book["next_seed"] = other["next_seed"]
            return None
        return self.change(add)

    def add_difference(self, kind, seed):
        def note(_, entry):
            entry["differences"].append({"kind": kind, "seed": seed, "cycles": KINDS[kind][0]})
        self.change(note)

    def next(self):
        return self._read()["next_seed"]

    def entry(self):
        return self.change(lambda _, entry: dict(entry))


def today():
    return time.strftime("%Y-%m-%d")


def run_one(args, book, kind, seed):
    """Whether all was equal; None if it was ended, "late" if the time was over before it began."""
    if time.monotonic() > args.until:
        return "late"
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
              f"{rate:9,.0f} per CPU second")
    print(f"all      {entry['seeds']:6} seeds {'':14}        {entry['chip_cycles']:14,} chip cycles, "
          f"{len(entry['differences'])} differences, on {entry['commit']}")


def main():
    parser = argparse.ArgumentParser(description="models side by side, with seeds that never repeat")
    parser.add_argument("--cycles", type=positive, default=10000000, help="router cycles of this run (%(default)s)")
    parser.add_argument("--seconds", type=positive, help="start no task after this time")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, help="tasks at once (%(default)s)")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/soak")
    parser.add_argument("--file", type=pathlib.Path, default=RECORD)
    parser.add_argument("--length", type=positive, help="cycles of a task, whatever its kind")
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=list(KINDS), help="these kinds alone")
    parser.add_argument("--merge", type=pathlib.Path, metavar="FILE", help="add the record of another machine")
    parser.add_argument("--next", action="store_true", help="print the seed that comes next")
    args = parser.parse_args()
    book = Book(args.file)
    args.until = time.monotonic() + (args.seconds or 1e9)
    if args.next:
        print(book.next())
        return 0
    if args.merge:
        error = book.merge(args.merge)
        print(f"soak: {error}", file=sys.stderr) if error else tell(book.entry())
        return 2 if error else 0
    if not args.program.exists():
        print(f"soak: there is no program {args.program}", file=sys.stderr)
        return 2
    built = subprocess.run([args.program, "kinds"], capture_output=True, text=True, check=True).stdout.split()
    kinds = [kind for kind in KINDS if kind in built and kind in args.kinds]
    if not kinds:
        print(f"soak: this build has no kind {', '.join(args.kinds)}; it has {', '.join(built)}", file=sys.stderr)
        return 2
    tasks = book.draw(args.cycles, kinds)
    print(f"{len(tasks)} tasks, seeds from {tasks[0][1]} on, {args.jobs} at once", flush=True)
    with ThreadPoolExecutor(args.jobs) as pool:
        running = [pool.submit(run_one, args, book, kind, seed) for kind, seed in tasks]
        try:
            results = [r.result() for r in running]
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            results = [r.result() if r.done() and not r.cancelled() else None for r in running]
    tell(book.entry())
    if "late" in results:
        print(f"{results.count('late')} of {len(tasks)} tasks were not started in {args.seconds} seconds")
    if None in results:
        print(f"soak: {results.count(None)} of {len(tasks)} tasks have not ended; the same command continues with others",
              file=sys.stderr)
    return 1 if False in results or None in results else 0


if __name__ == "__main__":
    sys.exit(main())
