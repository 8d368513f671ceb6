#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that the lockstep test and the fuzz catch mistakes: puts one-line mistakes into a copy
of the project, one after the other, and expects the test to report each of them,
with clock, signal, all values, the rerun line and, of the lockstep test, a waveform.

usage: plant.py [--fuzz] WORK_DIR
  --fuzz   those that only the fuzz finds
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPIED = ["rtl", "systemc", "sim", "cmake", "tb/common", "tb/chip/router.cpp", "tb/fuzz",
          "CMakeLists.txt", "LICENSE"]

# name, file, text that stands there exactly once, what the mistake makes of it. Those of the RTL are
# in blocks of which there is one, so that few models are Verilated again (plant_blocks.py has all).
PLANTS = [
    ("rtl_round_robin_starts_at_the_winner", "rtl/rdt_arbiter.sv",
     "assign mask[i] = |xsel[i-1:0];", "assign mask[i] = |xsel[i:0];"),
    ("rtl_crossbar_loses_a_bit_of_an_input", "rtl/rdt_crossbar.sv",
     "(d[20*i +: 20] & {20{sel[i]}})", "(d[20*i +: 20] & {20{sel[i]}} & ~20'(i == 5))"),
    ("systemc_round_robin_starts_at_the_winner", "systemc/rdt/fast/arbiter.h",
     "~((2u << g.winner[o]) - 1)", "~((1u << g.winner[o]) - 1)"),
    ("systemc_carries_no_parity", "systemc/rdt/core/route.h",
     "return carry_parity(flit, changed, lanes);", "return carry_parity(changed, changed, lanes);"),
]
# What the models once differed in, and no traffic but the fuzz showed.
FUZZ_PLANTS = [
    ("reset_leaves_what_an_input_had_found", "systemc/rdt/fast/input_unit.h",
     "        m_found = Findings{};\n", ""),
    ("rank_that_nobody_has_uses_up_a_map_byte", "systemc/rdt/core/bitmap.h",
     "has_rank = p.rank >= 1 && p.rank <= 4;", "has_rank = p.rank <= 4;"),
    ("context_is_put_back_to_any_packet", "systemc/rdt/fast/local.h",
     "is_multicast(uint32_t(h0)) == mc && type", "(is_multicast(uint32_t(h0)) == mc || true) && type"),
]
REPORT = re.compile(
    r"difference at clock \d+: (\S+) rtl=0x[0-9a-f]+ systemc=0x[0-9a-f]+\n"
    r"\s*-?\s*seed=\d+\n.*rerun: RDT_SEED=\d+ .*\n.*waveform: (\S+\.fst)")
FUZZ_REPORT = re.compile(
    r"chip \d of 4: (\S+): rtl [0-9a-f]+, [^\n]*\n(?:.*\n)*?"
    r"in clock (\d+) of seed \d+\n(?:.*\n)*?rerun: RDT_SEED=\d+ ")


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


def build_and_run(work, test):
    """Builds the copy and runs the test; the text it printed, or None if it passed."""
    built = subprocess.run(["ninja", "-C", work / "build", test], capture_output=True, text=True)
    if built.returncode != 0:
        fail("the copy does not build:\n" + built.stdout[-3000:])
    env = dict(os.environ, RDT_SEED="1")
    if test == "chip_router":
        env["RDT_CYCLES"] = "20000"
    ran = subprocess.run([work / "build/bin" / test], cwd=work, env=env, capture_output=True, text=True)
    return None if ran.returncode == 0 else ran.stdout + ran.stderr


def plant(work, test, mistake, report):
    """What the test reported of it."""
    name, path, old, new = mistake
    target = work / path
    original = target.read_text()
    if original.count(old) != 1:
        fail(f"{name}: not exactly once in {path}: {old}")
    target.write_text(original.replace(old, new))
    text = build_and_run(work, test)
    target.write_text(original)
    if text is None:
        fail(f"{name}: not caught")
    found = report.search(text)
    if found is None:
        fail(f"{name}: caught, but without a full report:\n{text[-2000:]}")
    return found


def main():
    parser = argparse.ArgumentParser(description="expects the lockstep tests to catch planted mistakes")
    parser.add_argument("work", type=pathlib.Path, help="folder for the copy and its build")
    parser.add_argument("--fuzz", action="store_true", help="those that only the fuzz finds")
    args = parser.parse_args()
    work, test = args.work.resolve(), "fuzz_chip" if args.fuzz else "chip_router"
    synchronize(work)
    configured = subprocess.run(["cmake", "-S", work, "-B", work / "build", "-G", "Ninja"],
                                capture_output=True, text=True)
    if configured.returncode != 0:
        fail("the copy does not configure:\n" + configured.stderr[-3000:])
    if (text := build_and_run(work, test)) is not None:
        fail("the copy fails before anything is planted:\n" + text[-3000:])
    for mistake in FUZZ_PLANTS if args.fuzz else PLANTS:
        found = plant(work, test, mistake, FUZZ_REPORT if args.fuzz else REPORT)
        if not args.fuzz and (work / found[2]).stat().st_size == 0:
            fail(f"{mistake[0]}: empty waveform {found[2]}")
        where = f" in clock {found[2]}" if args.fuzz else ""
        print(f"caught {mistake[0]}: first difference on {found[1]}{where}", flush=True)


if __name__ == "__main__":
    main()
