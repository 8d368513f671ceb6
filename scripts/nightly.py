#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run every make target in a clean clone, in the order of README, then in the reverse order in another
clone with short runs. Campaigns get volumes for a night and the day as their seed. The runs are recorded
in docs/nightly.json, the last success on each system and the last 30 runs of each target; `make report`
shows both.

usage: nightly.py [--only TARGET,...] [--order ORDER] [--limit SECONDS] [--short | --check BUILD_DIR]
  --only    these targets
  --order   readme: only in the order of README; reverse: only in the reverse order
  --limit   stop a target after so many seconds; it has then failed
  --short   instead: short runs in the order of README, of the sources as they are; nothing is recorded
  --check   instead: every public target has a short run

Each target runs in a process of its own, with its output in build/nightly. A failure does not end the
run. Exit code 1: a target failed.
"""
import argparse
import datetime
import json
import os
import platform
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

from tree.files import copy_sources
from report import make_targets
from report.make_targets import IN_NIGHTLY, RECORD, ROOT

FOLDER = ROOT / "build/nightly"
OF_MAKE = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "ONLY", "ORDER", "LIMIT"}


def git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def system():
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = platform.system()
    return f"{name}, {platform.machine()}"


def clone(folder):
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", "--no-local", ROOT, folder], check=True)


def needs_of(target, log):
    """A target is skipped if it needs another version of a tool, or packages that this system does not have."""
    found = re.search(rf"^\w+: (needs .*; this is .*)$|^setup: notice: (this system has no package .*): there is no {target}$",
                      log.read_text(), re.M)
    return found and f"skipped: {found[1] or found[2]}"


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(target, words, folder, log, limit):
    """(result, seconds, CPU seconds) of one target. Its child processes end with it."""
    begin, used = time.monotonic(), cpu_seconds()
    # Variables of `make nightly ONLY=...` are not those of the targets.
    environment = {name: value for name, value in os.environ.items() if name not in OF_MAKE}
    with open(log, "w") as out:
        process = subprocess.Popen(["make", target, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT, start_new_session=True, env=environment)
        try:
            code = process.wait(limit)
            result = "passed" if code == 0 else needs_of(target, log) or f"failed ({code})"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            result = f"stopped after {limit} s"
    return result, time.monotonic() - begin, cpu_seconds() - used


def record(target, result, seconds, cpu):
    """The run, with the last ones of the target; one that passed is the last success on this system too."""
    entries = make_targets.read_record()
    run_now = {"commit": git("rev-parse", "--short", "HEAD"), "date": datetime.date.today().isoformat(), "seconds": round(seconds),
               "cpu_seconds": round(cpu)}
    entry = entries.setdefault(target, {})
    if result == "passed":
        entry.setdefault("passed", {})[system()] = run_now
    entry["runs"] = [*entry.get("runs", []), {**run_now, "result": result}][-make_targets.KEPT_RUNS:]
    part = RECORD.with_suffix(".part")
    part.write_text(json.dumps(dict(sorted(entries.items())), indent=1) + "\n")
    part.replace(RECORD)


def run_all(title, targets, folder, limit, is_short):
    """(title, target, result, CPU seconds) of each."""
    rows = []
    logs = FOLDER / title
    logs.mkdir(parents=True, exist_ok=True)
    for target in targets:
        missing = [p for p in target.needs.split() if not shutil.which(p) and not os.path.isfile(p)] if is_short else []
        if is_short and target.test:
            result, seconds, cpu = f"test {target.test}", 0.0, 0.0
        elif missing:
            result, seconds, cpu = f"skipped: no {missing[0]}", 0.0, 0.0
        else:
            words = shlex.split(target.short if is_short else target.night)
            if not is_short:
                words.append(f"SEED={1000 * datetime.date.today().toordinal()}")
            result, seconds, cpu = run(target.name, words, folder, logs / f"{target.name}.log", limit)
            if not is_short:
                record(target.name, result, seconds, cpu)
        rows.append((title, target.name, result, cpu))
        print(f"{title:8} {target.name:12} {seconds:7.0f} s {cpu:7.0f} s CPU  {result}", flush=True)
    return rows


def check(build):
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    tests = {test["name"] for test in json.loads(listed.stdout)["tests"]}
    # A program that is not built has no names of tests yet.
    tests |= {t.test for t in make_targets.TARGETS if f"{t.test.split('.')[0].replace('/', '_')}_NOT_BUILT" in tests}
    public = make_targets.public_targets()
    wrong = make_targets.disagreements(public, tests)
    # The check itself: a target without a short run, and a test that is missing.
    if len(make_targets.disagreements([*public, "nonsense"], tests)) != len(wrong) + 1:
        wrong.append("an injected target without a short run was not detected")
    if not make_targets.disagreements(public, set()):
        wrong.append("injected missing tests were not detected")
    print("\n".join(wrong) if wrong else f"{len(public)} targets, each with a short run")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description="runs every make target")
    parser.add_argument("--only", default="", help="these targets")
    parser.add_argument("--order", choices=["readme", "reverse"], help="only in this order")
    parser.add_argument("--limit", type=int, help="seconds of a target")
    parser.add_argument("--short", action="store_true", help="short runs of the sources as they are")
    parser.add_argument("--check", metavar="BUILD_DIR", help="every public target has a short run")
    args = parser.parse_args()
    if args.check:
        return check(args.check)
    only = list(filter(None, args.only.split(",")))
    if unknown := set(only) - {t.name for t in IN_NIGHTLY}:
        print(f"nightly: no such target: {' '.join(sorted(unknown))}; there are: {' '.join(t.name for t in IN_NIGHTLY)}",
              file=sys.stderr)
        return 2
    targets = [t for t in IN_NIGHTLY if not only or t.name in only]
    FOLDER.mkdir(parents=True, exist_ok=True)
    if args.short:
        os.environ["RDT_SKIP_SETUP"] = "1"
        if git("rev-parse", "HEAD"):
            clone(FOLDER / "short_tree")
        copy_sources(FOLDER / "short_tree")
        rows = run_all("short", targets, FOLDER / "short_tree", args.limit, True)
    else:
        if git("status", "--porcelain", "--untracked-files=no"):
            print("nightly: changes that are not committed are not tested")
        rows = []
        if args.order != "reverse":
            clone(FOLDER / "tree")
            rows += run_all("full", targets, FOLDER / "tree", args.limit, False)
        if args.order != "readme":
            clone(FOLDER / "tree")
            rows += run_all("reverse", targets[::-1], FOLDER / "tree", args.limit, True)
    failed = [row for row in rows if row[2].startswith(("failed", "stopped"))]
    print(f"{len(rows) - len(failed)} of {len(rows)} runs passed or were skipped, {sum(row[3] for row in rows) / 60:.0f} min of CPU time; "
          "logs in build/nightly")
    for title, target, result, _ in failed:
        print(f"make {target} ({title}): {result}, see build/nightly/{title}/{target}.log")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
