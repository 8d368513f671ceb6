#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that the lockstep test and the fuzz catch mistakes: puts one-line mistakes into a copy
of the project, each to be had by its number while the test runs, and expects the test to pass without
any and to report each of them, with clock, signal, all values, the rerun line and, of the lockstep
test, a waveform.

usage: plant.py [--fuzz] [--build DIR] WORK_DIR
  --fuzz   those that only the fuzz finds

The test has to be built. What depends on a file with a mistake is made again, once for all of them.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

from rebuild import Failure, ROOT, Rebuild

# name, file, an expression that stands there exactly once, what the mistake makes of it. Those of the
# RTL are in blocks of which there is one, so that few models are Verilated again (plant_blocks.py has
# all).
PLANTS = [
    ("rtl_round_robin_starts_at_the_winner", "rtl/rdt_arbiter.sv", "|xsel[i-1:0]", "|xsel[i:0]"),
    ("rtl_crossbar_loses_a_bit_of_an_input", "rtl/rdt_crossbar.sv",
     "(d[StreamW*i +: StreamW] & {StreamW{sel[i]}})",
     "(d[StreamW*i +: StreamW] & {StreamW{sel[i]}} & ~StreamW'(i == 5))"),
    ("systemc_round_robin_starts_at_the_winner", "systemc/rdt/fast/arbiter.h",
     "~((2u << g.winner[o]) - 1)", "~((1u << g.winner[o]) - 1)"),
    ("systemc_carries_no_parity", "systemc/rdt/core/route.h",
     "carry_parity(flit, changed, lanes)", "carry_parity(changed, changed, lanes)"),
]
# What the models once differed in, and no traffic but the fuzz showed.
FUZZ_PLANTS = [
    ("reset_leaves_what_an_input_had_found", "systemc/rdt/fast/input_unit.h",
     "m_found = Findings{}", "m_found"),
    ("rank_that_nobody_has_uses_up_a_map_byte", "systemc/rdt/core/bitmap.h",
     "p.rank >= 1 && p.rank <= 4", "p.rank <= 4"),
    ("context_is_put_back_to_any_packet", "systemc/rdt/fast/local.h",
     "is_multicast(uint32_t(h0)) == mc", "(is_multicast(uint32_t(h0)) == mc || true)"),
]
# They make blocks of RTL or name and print what others have computed, and compile as long as all others.
KEPT = ["/rdt_rtl_blocks.dir/", "/rdt_cosim.dir/", "/rdt_rtl_signals.dir/"]
# The mistake that an expression has, if any: 1 for the first. Constants have none.
PLANTED = """// SPDX-License-Identifier: MIT
#pragma once
#ifdef __cplusplus
#include <cstdlib>
inline int rdt_planted() {
    static const int number = std::atoi(std::getenv("RDT_PLANTED"));
    return number;
}
#endif
"""
REPORT = re.compile(
    r"difference in cycle \d+: (\S+) rtl=0x[0-9a-f]+ systemc=0x[0-9a-f]+\n"
    r"\s*-?\s*seed=\d+\n.*rerun: RDT_SEED=\d+ .*\n.*waveform: (\S+\.fst)")
FUZZ_REPORT = re.compile(
    r"chip \d of 4: (\S+): rtl [0-9a-f]+, [^\n]*\n(?:.*\n)*?"
    r"in clock (\d+) of seed \d+\n(?:.*\n)*?rerun: RDT_SEED=\d+ ")


def fail(message):
    sys.exit(f"plant: {message}")


def plant(rebuild, mistakes):
    """Each expression becomes: what it was, or the mistake if that has been chosen."""
    for number, (name, path, old, new) in enumerate(mistakes, 1):
        target = rebuild.copy_of(path)
        original = target.read_text()
        if original.count(old) != 1:
            fail(f"{name}: not exactly once in {path}: {old}")
        chosen = (f'$c32("rdt_planted()") == {number}' if path.endswith(".sv")
                  else f"!__builtin_is_constant_evaluated() && rdt_planted() == {number}")
        target.write_text(original.replace(old, f"(({chosen}) ? ({new}) : ({old}))"))


def run(program, work, number):
    """What the test printed with this mistake in it, or None if it passed."""
    env = dict(os.environ, RDT_SEED="1", RDT_PLANTED=str(number))
    env["RDT_CYCLES"] = "20000" if program.name == "chip_router" else "200000"
    ran = subprocess.run([program], cwd=work, env=env, capture_output=True, text=True)
    return None if ran.returncode == 0 else ran.stdout + ran.stderr


def main():
    parser = argparse.ArgumentParser(description="expects the lockstep tests to catch planted mistakes")
    parser.add_argument("work", type=pathlib.Path, help="folder for the copy and its program")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="has the test")
    parser.add_argument("--fuzz", action="store_true", help="those that only the fuzz finds")
    args = parser.parse_args()
    work, test = args.work.resolve(), "fuzz_chip" if args.fuzz else "chip_router"
    work.mkdir(parents=True, exist_ok=True)
    chosen = work / "planted.h"
    chosen.write_text(PLANTED)
    mistakes, report = (FUZZ_PLANTS, FUZZ_REPORT) if args.fuzz else (PLANTS, REPORT)
    try:
        # The fuzz runs longer.
        flags = ["-O1" if args.fuzz else "-O0", "-include", str(chosen)]
        rebuild = Rebuild(args.build.resolve(), work, test, flags, KEPT)
        plant(rebuild, mistakes)
        program = rebuild.program()
    except Failure as e:
        fail(str(e))
    if (text := run(program, work, 0)) is not None:
        fail("the copy fails with no mistake in it:\n" + text[-3000:])
    for number, (name, *_) in enumerate(mistakes, 1):
        if (text := run(program, work, number)) is None:
            fail(f"{name}: not caught")
        if (found := report.search(text)) is None:
            fail(f"{name}: caught, but without a full report:\n{text[-2000:]}")
        if not args.fuzz and (work / found[2]).stat().st_size == 0:
            fail(f"{name}: empty waveform {found[2]}")
        where = f" in clock {found[2]}" if args.fuzz else ""
        print(f"caught {name}: first difference on {found[1]}{where}", flush=True)


if __name__ == "__main__":
    main()
