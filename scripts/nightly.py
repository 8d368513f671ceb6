#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run every make target once and record the last successful run of each (docs/nightly.json).

The targets are those that README's order of use gives; each runs in a process of its own, with its
output in build/nightly/TARGET.log. A table at the end has result and time of each. `make report` shows
the record beside the rows of the test plan that cite a target.

usage: nightly.py [--reverse] [--only TARGET,...] [--list]
  --reverse   in the opposite order, which finds targets that rely on others before them
  --only      these targets
  --list      print the targets
Exit code 1: a target failed.
"""
import argparse
import datetime
import json
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "docs/nightly.json"
LOGS = ROOT / "build/nightly"
# In the order of README and of docs/start.md. Campaigns run with their default volumes.
TARGETS = ["run", "test", "rest", "wave", "build", "docs", "live", "python", "synth", "sta", "power", "layout", "formal",
           "mutate", "cov", "unprotect", "bench", "soak", "fuzz", "fuzz-cli", "flips", "faults", "memory", "mpi", "slurm",
           "deb", "report", "browse", "pictures", "quick", "lint"]
# Targets that are parts of others, change the machine, or are this one.
NOT_RUN = {"help", "setup", "configure", "configure-python", "regress", "nightly", "format", "install", "clean"}


def defined_targets():
    text = (ROOT / "Makefile").read_text()
    return {name for name in re.findall(r"^([a-z-]+):", text, re.M)}


def commit():
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def run(target):
    """(result, seconds) of one target."""
    begin = time.monotonic()
    with open(LOGS / f"{target}.log", "w") as log:
        done = subprocess.run(["make", target], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    return ("passed" if done.returncode == 0 else f"failed ({done.returncode})"), time.monotonic() - begin


def record(target, seconds):
    entries = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    entries[target] = {"commit": commit(), "date": datetime.date.today().isoformat(), "seconds": round(seconds)}
    text = json.dumps(dict(sorted(entries.items())), indent=1) + "\n"
    written = RECORD.with_suffix(".tmp")
    written.write_text(text)
    written.replace(RECORD)


def main():
    parser = argparse.ArgumentParser(description="runs every make target once")
    parser.add_argument("--reverse", action="store_true", help="in the opposite order")
    parser.add_argument("--only", default="", help="these targets")
    parser.add_argument("--list", action="store_true", help="print the targets")
    args = parser.parse_args()
    unknown = defined_targets() - set(TARGETS) - NOT_RUN
    if unknown:
        sys.exit(f"nightly: not in the list of scripts/nightly.py: {' '.join(sorted(unknown))}")
    targets = [t for t in TARGETS if not args.only or t in args.only.split(",")]
    missing = set(filter(None, args.only.split(","))) - set(targets)
    if missing:
        print(f"nightly: no such target: {' '.join(sorted(missing))}; see nightly.py --list", file=sys.stderr)
        return 2
    if args.list:
        print(" ".join(targets))
        return 0
    LOGS.mkdir(parents=True, exist_ok=True)
    rows = []
    for target in reversed(targets) if args.reverse else targets:
        result, seconds = run(target)
        if result == "passed":
            record(target, seconds)
        rows.append((target, result, seconds))
        print(f"{target:10} {result:12} {seconds:7.0f} s", flush=True)
    failed = [row for row in rows if row[1] != "passed"]
    print(f"{len(rows) - len(failed)} of {len(rows)} targets passed; logs in build/nightly")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
