# SPDX-License-Identifier: MIT
"""Show that the tests of `make test` detect semantic mistakes in the blocks that decide where packets go.

Mistakes are drawn from tb/formal/mistakes.py and applied one at a time to a copy of the project. The
tests of `make test` run until one fails: those of the block, then the comparison and the fuzz of the chip,
then the rest. The draw is that of `python3 -m tb.formal.detect` with the same options.

usage: python3 -m tb.inject.detect [--draw N] [--seed N] [--only TEXT] [--list FILE] [--jobs N] [--build DIR]

Results: a line a mistake, and the same in build/test_mistakes.json. Exit code 1: a mistake is not
detected. Exit code 2: a mistake cannot be applied, or a copy does not build.
"""
import argparse
import concurrent.futures
import json
import pathlib
import queue
import re
import subprocess
import sys

from scripts.tree.files import ROOT
from tb.formal import mistakes

from . import copies

# The programs of tests of a block; those of the input unit are for all others.
PROGRAMS_OF = {
    "rdt_route": ["route"], "rdt_bitmap": ["bitmap"], "rdt_arbiter": ["arbiter"], "rdt_ack": ["ack", "ack_rules"],
    "rdt_ack_entry": ["ack", "ack_rules"], "rdt_inject": ["inject", "inject_turns"],
    "rdt_link_io": ["link_io", "link_io_sync", "link_io_trouble"],
    "rdt_output_unit": ["output_unit", "output_unit_credits", "output_unit_multicast"],
}
INPUT_UNIT = ["input_unit", "input_unit_acks", "input_unit_multicast", "input_unit_random", "input_unit_short", "input_unit_shot"]


def first_failure(copy, selection):
    """The first test that fails of those of `make test` that ctest selects so, or None."""
    done = subprocess.run(["ctest", "--test-dir", copy.top / "build", "-L", "^test$", "--stop-on-failure", "--no-tests=error", *selection],
                          capture_output=True, text=True)
    if done.returncode == 0:
        return None
    failed = re.search(r"^\s*\d+ - (\S+) \((.*)\)", done.stdout, re.M)
    if failed is None or failed[2] == "Not Run":
        raise copies.NotInjected("the tests do not run:\n" + (done.stdout + done.stderr)[-2000:])
    return failed[1]


def detected_by(copy, edit):
    """The test of the block, or of the comparison and the fuzz of the chip, that fails; or None."""
    copies.copy_with_edits(copy.top, [*copies.OF_EVERY_COPY, edit])
    block = [f"block_{name}" for name in PROGRAMS_OF.get(pathlib.Path(edit[0]).stem, INPUT_UNIT)]
    copy.build(block)
    found = first_failure(copy, ["-L", f"^({'|'.join(block)})$"])
    if found is None:
        copy.build(["chip_router", "fuzz_chip"])
        found = first_failure(copy, ["-R", "^quick/(chip_lockstep|fuzz)$"])
    return found


def detected_by_others(copy, edit):
    copies.copy_with_edits(copy.top, [*copies.OF_EVERY_COPY, edit])
    copy.build(["all"])
    return first_failure(copy, ["-L", "^(chip|attack|formal|fuzz|machine)$"])


def results_of(drawn, options):
    """(mistake, test or None), as they come."""
    idle: queue.SimpleQueue = queue.SimpleQueue()
    for number in range(min(options.jobs, len(drawn))):
        idle.put(copies.Copy(options.build.resolve(), f"mistakes{number}", max(1, copies.CORES // options.jobs)))

    def one(edit):
        copy = idle.get()
        try:
            return edit, detected_by(copy, edit)
        finally:
            idle.put(copy)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = concurrent.futures.as_completed([pool.submit(one, edit) for edit in drawn])
        left = []
        for edit, found in (future.result() for future in done):
            if found is None:
                left.append(edit)
            else:
                yield edit, found
    # Few reach the tests that need most of the project.
    for edit in left:
        yield edit, detected_by_others(copies.Copy(options.build.resolve(), "mistakes"), edit)


def main():
    parser = argparse.ArgumentParser(prog="python3 -m tb.inject.detect", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    mistakes.add_options(parser)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of the build")
    options = parser.parse_args()
    results = []
    try:
        for number, (edit, found) in enumerate(results_of(mistakes.draw(options), options)):
            results.append({"file": edit[0], "old": edit[1], "new": edit[2], "detected": found})
            print(f"{number + 1:>3} {found or 'NOT DETECTED'}\n    {edit[0]}: {' '.join(edit[2].split())}", flush=True)
    except (copies.NotInjected, OSError, AttributeError) as failure:
        print(f"detect: {failure}", file=sys.stderr)
        return 2
    found = sum(r["detected"] is not None for r in results)
    print(f"{found} of {len(results)} mistakes are detected by the tests of make test")
    if not options.only:
        (options.build / "test_mistakes.json").write_text(json.dumps({"seed": options.seed, "mistakes": results}, indent=2) + "\n")
    return 0 if results and found == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
