# SPDX-License-Identifier: MIT
"""What `make test` and `make regress` run of the fuzz, as lines for the program mutants: the numbers of
tb/fuzz/volumes.h, and the tier in which tb/fuzz/CMakeLists.txt registers the test. Tests of blocks, chip
and machine, proofs and the assertions of the RTL are not counted, so a score is a lower bound."""
import re

from rtl.flow.synth.flow import Failure

# Test as ctest names it; its registration, with a group that is there if only `make regress` runs it;
# stimulus, what is compared, and seeds and cycles of each in volumes.h. Those that detect most first.
RUNS = (
    ("fuzz_inside", r"rdt_test\(fuzz inside (REGRESS)?", "one", "registers", "InsideSeeds", "InsideOfSeed"),
    ("fuzz_blame", r"rdt_test\(fuzz blame (REGRESS)?", "lone", "blocks", "BlameSeeds", "BlameOfSeed"),
    ("fuzz_rtl_blocks", r"rdt_test\(fuzz rtl_blocks (REGRESS)?", "lone", "pins", None, "LoneCycles"),
    ("quick/fuzz", r"rdt_check\(quick/fuzz LABELS fuzz (?:quick|(COMMAND))", "four", "chip", None, "QuickCycles"),
    ("fuzz_chip", r'rdt_test\(fuzz chip OPTIMIZED (SLOW "\*whatever_comes")?', "four", "chip", "ChipSeeds", "ChipOfSeed"),
)
TIERS = ("test", "regress")


def runs(root, tier):
    """Lines for the program; those of `make regress` include those of `make test`."""
    folder = root / "tb/fuzz"
    number = dict(re.findall(r"constexpr uint64_t (\w+) = (\d+);", (folder / "volumes.h").read_text()))
    registered = (folder / "CMakeLists.txt").read_text()
    lines = []
    for test, pattern, stimulus, compares, seeds, cycles in RUNS:
        entry = re.search(pattern, registered)
        if entry is None or not {seeds or cycles, cycles} <= set(number):
            raise Failure(f"volumes: {test} is registered in another way, or volumes.h lacks {seeds} or {cycles}")
        if tier == "regress" or entry.group(1) is None:
            lines.append(f"{test} {stimulus} {compares} 1 {number[seeds] if seeds else 1} {number[cycles]}\n")
    return lines
