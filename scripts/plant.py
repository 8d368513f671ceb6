#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that the lockstep test catches mistakes: puts one-line mistakes into a copy
of the project, one after the other, and expects the test to report each of them,
with clock, signal, both values, the rerun line and a waveform.

usage: plant.py WORK_DIR
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPIED = ["rtl", "systemc", "sim", "cmake", "tb/common", "tb/cosim/router.cpp", "CMakeLists.txt"]

# name, file, text that stands there exactly once, what the mistake makes of it
PLANTS = [
    ("rtl_forgets_that_a_packet_goes_straight_on", "rtl/rdt_route.sv",
     "dateline_i[port] || straight", "dateline_i[port] || (straight && rank_i == 3'd7)"),
    ("rtl_last_owner_wins_ties", "rtl/rdt_link_io.sv",
     "!(peer[0] && mine_q)", "!(peer[0] && !mine_q)"),
    ("systemc_round_robin_starts_at_the_winner", "systemc/core/arbiter.h",
     "~((2u << g.winner[o]) - 1)", "~((1u << g.winner[o]) - 1)"),
    ("systemc_carries_no_parity", "systemc/core/route.h",
     "return carry_parity(flit, changed, lanes);", "return carry_parity(changed, changed, lanes);"),
]
REPORT = re.compile(
    r"difference at clock \d+: (\S+) rtl=0x[0-9a-f]+ systemc=0x[0-9a-f]+\n"
    r"\s*-?\s*seed=\d+\n.*rerun: RDT_SEED=\d+ .*\n.*waveform: (\S+\.fst)")


def fail(message):
    sys.exit(f"plant: {message}")


def synchronize(work):
    """Makes the copy what the project is; files that are so already keep their time."""
    wanted = set()
    for item in COPIED:
        source = ROOT / item
        files = [p for p in source.rglob("*") if p.is_file()] if source.is_dir() else [source]
        wanted.update(p.relative_to(ROOT) for p in files)
    for folder in {path.parts[0] for path in wanted}:
        for old in (work / folder).rglob("*"):
            if old.is_file() and old.relative_to(work) not in wanted:
                old.unlink()
    for path in wanted:
        target = work / path
        target.parent.mkdir(parents=True, exist_ok=True)
        content = (ROOT / path).read_bytes()
        if not target.exists() or target.read_bytes() != content:
            target.write_bytes(content)


def build_and_run(work):
    """Builds the copy and runs its lockstep test; the text it printed, or None if it passed."""
    built = subprocess.run(["ninja", "-C", work / "build", "cosim_router"], capture_output=True, text=True)
    if built.returncode != 0:
        fail("the copy does not build:\n" + built.stdout[-3000:])
    env = dict(os.environ, RDT_CYCLES="20000", RDT_SEED="1")
    ran = subprocess.run([work / "build/bin/cosim_router"], cwd=work, env=env, capture_output=True, text=True)
    return None if ran.returncode == 0 else ran.stdout + ran.stderr


def main():
    parser = argparse.ArgumentParser(description="expects the lockstep test to catch planted mistakes")
    parser.add_argument("work", type=pathlib.Path, help="folder for the copy and its build")
    work = parser.parse_args().work.resolve()
    synchronize(work)
    configured = subprocess.run(["cmake", "-S", work, "-B", work / "build", "-G", "Ninja"], capture_output=True, text=True)
    if configured.returncode != 0:
        fail("the copy does not configure:\n" + configured.stderr[-3000:])
    if (text := build_and_run(work)) is not None:
        fail("the copy fails before anything is planted:\n" + text[-3000:])
    for name, path, old, new in PLANTS:
        target = work / path
        original = target.read_text()
        if original.count(old) != 1:
            fail(f"{name}: not exactly once in {path}: {old}")
        target.write_text(original.replace(old, new))
        text = build_and_run(work)
        target.write_text(original)
        if text is None:
            fail(f"{name}: not caught")
        found = REPORT.search(text)
        if found is None:
            fail(f"{name}: caught, but without a full report:\n{text[-2000:]}")
        if (work / found[2]).stat().st_size == 0:
            fail(f"{name}: empty waveform {found[2]}")
        print(f"caught {name}: first difference on {found[1]}", flush=True)


if __name__ == "__main__":
    main()
