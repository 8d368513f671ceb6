#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show that the checkers detect bugs. Each bug of bugs.py is an edit of the sources. It is
applied to a copy of the project, the copy is built with CMake and Ninja, and the checker of the bug has
to fail there with the expected report.

usage: python3 -m tb.inject [--checker NAME] [--only TEXT] [--tier NAME] [--draw N [--seed N]] [--list | --dry] [--build DIR]
  --checker  bugs of this checker: pins, fuzz, blocks or attacks; repeatable
  --only     bugs with this text in their name
  --tier     bugs of `make test` (test), or those that `make regress` has beyond them (regress)
  --draw     so many of these bugs, drawn with --seed
  --list     print the names of the bugs
  --dry      only check that every edit applies

The copy is BUILD/injected/tree. Between bugs only the edited files change, and ccache, where it is
installed, supplies the objects that the main build has. Exit code 1: a checker did not detect a bug, or
reported something else. Exit code 2: nothing was injected, or the copy does not build.
"""
import argparse
import pathlib
import random
import re
import sys

from scripts.tree.files import ROOT

from . import bugs as injected_bugs
from .copies import OF_EVERY_COPY, Copy, NotInjected, copy_with_edits, edited

CHECKERS = ("pins", "fuzz", "blocks", "attacks")


class NotDetected(Exception):
    """The checker passed, or failed for another reason; what was printed."""


PINS_REPORT = re.compile(
    r"difference in cycle (?P<cycle>\d+): (?P<signal>\S+) rtl=0x[0-9a-f]+ systemc=0x[0-9a-f]+\n"
    r"\s*-?\s*seed=\d+\n.*rerun: RDT_SEED=\d+ .*\n.*waveform: (?P<wave>\S+\.fst)")
FUZZ_REPORT = re.compile(
    r"chip \d of 4: (?P<signal>\S+): rtl [0-9a-f]+, [^\n]*\n(?:.*\n)*?"
    r"in cycle (?P<cycle>\d+) of seed \d+\n(?:.*\n)*?rerun: RDT_SEED=\d+ ")
BLOCK_REPORT = re.compile(
    r"(?:difference in cycle \d+: |assertion of the RTL failed at node \d+ in cycle \d+)(?:.*\n)*?"
    r"\s+block: (?:\S+ \((?P<kind>\w+)\) in|none; all blocks match their RTL, the (?P<wiring>wiring) between them does "
    r"not, first in) cycle (?P<cycle>\d+): (?P<signal>\S+) rtl=")
# Mixed traffic on 64 nodes.
RUN = ["run", "--engine", "rtl", "--check", "systemc", "--load", "0.3", "--flits", "5-16", "--multicast", "0.1", "--density",
       "0.3", "--acks", "--t-ent", "400", "--warmup", "100", "--cycles", "1200"]


def expect(report, code, text):
    if code == 0:
        raise NotDetected("nothing was detected")
    found = report.search(text)
    if found is None:
        raise NotDetected("detected, but without a full report:\n" + text[-2000:])
    return found


def check_pins(copy, bug):
    copy.build([bug.by])
    found = expect(PINS_REPORT, *copy.run(bug.by, RDT_SEED="1", RDT_CYCLES="20000"))
    if (copy.results / found["wave"]).stat().st_size == 0:
        raise NotDetected(f"empty waveform {found['wave']}")
    return f"{found['signal']} in cycle {found['cycle']}"


def check_fuzz(copy, bug):
    copy.build(["fuzz_chip"])
    found = expect(FUZZ_REPORT, *copy.run("fuzz_chip", RDT_SEED="1", RDT_CYCLES="200000"))
    return f"{found['signal']} in cycle {found['cycle']}"


def check_waveform(copy, found):
    """The save file opens 20 cycles before the difference, with the marker at it, on the signals of
    the block; the report ends with the command that records more."""
    save = next(copy.results.glob("check_*_blocks.gtkw")).read_text()
    start, cycle = int(re.search(r"^\[timestart\] (\d+)$", save, re.M)[1]), int(found["cycle"])
    if not max(0, cycle - 20) <= start <= cycle:
        raise NotDetected(f"the waveform opens in cycle {start}, the difference is in cycle {cycle}")
    if found["kind"]:
        if not re.search(rf"^\*\S+ {cycle}$", save, re.M):
            raise NotDetected(f"the waveform's marker is not at the difference in cycle {cycle}")
        group = re.search(r"^-node \d+ block to blame: u_[^\n]*\n(.*?)^@1000200$", save, re.M | re.S)
        names = set(re.findall(r"\{(\w+).* (systemc|rtl)\}", group[1])) if group else set()
        if not {(found["signal"].split("[")[0], side) for side in ("systemc", "rtl")} <= names:
            raise NotDetected(f"the waveform does not show {found['signal']} on both sides")
    if not re.search(r"record from reset: \S*rdt run .* --wave ", found.string):
        raise NotDetected("the report has no command for a longer waveform")


def check_blocks(copy, bug):
    """The block is named, also when the models run in two threads."""
    copy.build(["rdt"])
    found, same = (expect(BLOCK_REPORT, *copy.run("rdt", [*RUN, "--threads", threads])) for threads in ("1", "2"))
    if found[0] != same[0].replace("--threads 2", "--threads 1"):
        raise NotDetected(f"two threads report:\n{same[0]}\ninstead of:\n{found[0]}")
    check_waveform(copy, found)
    named = found["kind"] or found["wiring"]
    if named != bug.block:
        raise NotDetected(f"the report names {named} instead of {bug.block}:\n{found[0]}")
    return f"{named} {found['signal']} in cycle {found['cycle']}"


def check_attacks(copy, bug):
    """Every attack of the bug succeeds for the reason that it states, and not because the models differ."""
    copy.build(sorted({program for program, _, _ in bug.attacks}))
    failed = []
    for program, test, states in bug.attacks:
        code, text = copy.run(program, [f"--gtest_filter={test}"])
        if "[==========] Running 0 tests" in text:
            raise NotInjected(f"{program} has no test {test}")
        # Without a text: the test shows the behavior without a switch, and passes.
        succeeds = code == 0 if states is None else (
            code != 0 and states in text and not re.search(r"difference in cycle|rtl=0x", text))
        print(f"  {'succeeds' if succeeds else 'DOES NOT SUCCEED'}: {test}", flush=True)
        if not succeeds:
            failed.append(f"{test}:\n{text[-1500:]}")
    if failed:
        raise NotDetected(f"{len(failed)} of {len(bug.attacks)} attacks do not succeed:\n" + "\n".join(failed))
    return f"{len(bug.attacks)} attacks succeed"


def check(copy, bug):
    """True if the checker of the bug detects it; prints a line."""
    try:
        copy_with_edits(copy.top, [*OF_EVERY_COPY, *bug.edits])
        where = globals()[f"check_{bug.checker}"](copy, bug)
    except NotDetected as e:
        print(f"NOT DETECTED {bug.name}: {e}", flush=True)
        return False
    print(f"detected {bug.name}: {where}", flush=True)
    return True


def selected(args):
    bugs = [b for b in injected_bugs.BUGS if args.only in b.name and b.checker in (args.checker or CHECKERS) and
            args.tier in ("", b.tier)]
    if not bugs:
        raise NotInjected("no bug of this name")
    return bugs if args.draw is None else random.Random(args.seed).sample(bugs, min(args.draw, len(bugs)))


def main():
    parser = argparse.ArgumentParser(prog="python3 -m tb.inject", description="inject bugs and expect the checkers to detect them")
    parser.add_argument("--checker", choices=CHECKERS, action="append", help="bugs of this checker; repeatable")
    parser.add_argument("--only", default="", help="bugs with this text in their name")
    parser.add_argument("--tier", choices=("test", "regress", "nightly"), default="", help="those of this tier")
    parser.add_argument("--draw", type=int, help="so many of these bugs")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (%(default)s)")
    parser.add_argument("--list", action="store_true", help="print their names")
    parser.add_argument("--dry", action="store_true", help="only check that every edit applies and every attack has its text")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of the build")
    args = parser.parse_args()
    try:
        bugs = selected(args)
        if args.list:
            print("\n".join(f"{b.checker:8} {b.name}" for b in bugs))
            return 0
        if args.dry:
            for bug in bugs:
                for edit in [*OF_EVERY_COPY, *bug.edits]:
                    edited(edit[0], (ROOT / edit[0]).read_text(), *edit[1:])
                for program, test, states in bug.attacks:
                    source = ROOT / f"tb/attack/{program.removeprefix('attack_')}.cpp"
                    if (states or "") not in source.read_text():
                        raise NotInjected(f"{test}: {source.name} has no text '{states}'")
            print(f"{len(bugs)} bugs, every edit applies")
            return 0
        copy = Copy(args.build.resolve())
        missed = [b.name for b in bugs if not check(copy, b)]
    except (NotInjected, OSError) as e:
        print(f"inject: {e}", file=sys.stderr)
        return 2
    print(f"{len(bugs)} injected bugs, {len(bugs) - len(missed)} detected" + (f"; not: {', '.join(missed)}" if missed else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
