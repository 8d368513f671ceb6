# SPDX-License-Identifier: MIT
"""How many semantic mistakes in the blocks that decide the proofs alone detect.

Mistakes are drawn from mistakes.py, applied to a copy of the RTL one at a time, and the proofs of the block
run until one is refuted. A proof by induction detects a mistake if a step leaves its invariants: `make formal`
then fails. Any other proof that reaches no verdict counts as no detection.

usage: python3 -m tb.formal.detect [--draw N] [--seed N] [--only TEXT] [--list FILE] [--limit SECONDS] [--jobs N] [--build DIR]
  --list  mistakes of another file with the same table

Results: a line a mistake, and the same in build/formal_mistakes.json. Exit code 1: less than 80 % are
detected. Exit code 2: a mistake cannot be applied, or a program is missing.
"""
import argparse
import concurrent.futures
import json
import pathlib
import shutil
import sys

from rtl.flow.synth import abc_program
from . import engine, mistakes, properties

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOAL = 80  # percent
# The proofs of a block, the cheapest and most general first.
INPUT_UNIT = ["input_unit_8", "input_unit_2", "input_unit_0", "input_unit_promises_8", "input_unit_promises_2", "input_unit_promises_0",
              "input_unit_wide_0"]
PROOFS_OF = {
    "rdt_route": ["routes"], "rdt_bitmap": ["bitmaps"], "rdt_arbiter": ["arbiter_is_specified"],
    "rdt_output_unit": ["output_unit_0", "output_unit_6", "output_unit_7", "output_unit_8", "output_unit_2", "output_unit_5",
                        "output_unit_far_6", "output_unit_wide_0"],
    "rdt_link_io": ["link_io_2_1", "link_io_3_0", "link_io_far_2_1", "link_io_mbp", "link_io_wide"],
    "rdt_ack": ["ack_table_7", "ack_table", "ack_table_5", "ack_table_1"], "rdt_ack_entry": ["ack_table_7", "ack_entry", "ack_lane"],
    "rdt_inject": ["inject_18", "inject_36"],
    "rdt_crossbar": ["crossbar"], "rdt_shot": ["shot", "put_back"], "rdt_notice": ["notice"], "rdt_regs": ["regs"],
    "rdt_local": ["local"], "rdt_local_fsm": ["local"],
}


def detected_by(edit, folder, limit):
    """The name of the proof that is refuted, or None; whether only its induction step fails; and the proofs
    without a verdict."""
    open_ones = []
    by_name = {p["name"]: p for p in properties.PROOFS}
    for name in PROOFS_OF.get(pathlib.Path(edit[0]).stem, INPUT_UNIT):
        shutil.rmtree(folder, ignore_errors=True)
        engine.copy_sources(ROOT, folder, [edit])
        engine.graph(ROOT, by_name[name], folder)
        proof = by_name[name]
        if "base" in proof:
            broken, _ = engine.reach(folder, proof["base"], limit)
            if not broken and not engine.holds_by_induction(folder, limit):
                return name, True, open_ones
            verdict = "refuted" if broken else "proven"
        elif "bound" in proof:
            broken, depth = engine.reach(folder, proof["bound"], limit)
            verdict = "refuted" if broken else "bounded" if depth >= proof["bound"] else None
        else:
            verdict, _ = engine.decide(folder, limit, proof.get("simplify", ("scorr", "scorr -F 2")))
        if verdict == "refuted":
            return name, False, open_ones
        if verdict is None:
            open_ones.append(name)
    return None, False, open_ones


def main():
    parser = argparse.ArgumentParser(prog="python3 -m tb.formal.detect", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    mistakes.add_options(parser)
    parser.add_argument("--limit", type=int, default=60, help="seconds of CPU time a proof (%(default)s)")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="directory (%(default)s)")
    options = parser.parse_args()
    if not shutil.which("yosys") or not abc_program.find():
        print(f"detect: yosys or {abc_program.PACKAGES} is not installed", file=sys.stderr)
        return 2
    results = []
    try:
        drawn = mistakes.draw(options)
        folders = [(options.build / f"formal/mistake{number}").resolve() for number in range(len(drawn))]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            verdicts = pool.map(detected_by, drawn, folders, [options.limit] * len(drawn))
            for number, (edit, (name, by_induction, open_ones)) in enumerate(zip(drawn, verdicts)):
                results.append({"file": edit[0], "old": edit[1], "new": edit[2], "detected": name, "induction": by_induction,
                                "open": open_ones})
                shutil.rmtree(folders[number], ignore_errors=True)
                print(f"{number + 1:>3} {name or 'NOT DETECTED':<24} {'induction' if by_induction else '':<9} "
                      f"{edit[0]}: {' '.join(edit[2].split())}", flush=True)
    except (engine.Failure, OSError, AttributeError) as failure:
        print(f"detect: {failure}", file=sys.stderr)
        return 2
    found = sum(r["detected"] is not None for r in results)
    steps = sum(r["induction"] for r in results)
    print(f"{found} of {len(results)} mistakes are detected by proofs alone, {steps} of them by a failing induction step")
    if not options.only:
        (options.build / "formal_mistakes.json").write_text(json.dumps({"seed": options.seed, "mistakes": results}, indent=2) + "\n")
    return 0 if results and 100 * found >= GOAL * len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
