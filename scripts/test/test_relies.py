# SPDX-License-Identifier: MIT
"""The check of the table of RELYs reports each kind of fault: a RELY without a row, a row without a RELY, a
missing or unproven promise, a proof that does not assert it, and promises that rest on each other.

usage: python3 -m scripts.test.test_relies
"""
import copy
import pathlib
import sys
import tempfile

from tb.formal import relies

RTL = {"rdt_a": '`RDT_RELY("a relies", x)\n`RDT_GIVEN("a gives", y)\n',
       "rdt_b": '`RDT_RELY("b relies", x)\n`RDT_GIVEN("b gives", y)\n'}
ROWS = {"rdt_a": {"a relies": ("promise", "rdt_b", "b gives", "state")},
        "rdt_b": {"b relies": ("promise", "rdt_a", "a gives", "logic")}}
PROOFS = [{"name": "both", "promises": ["rdt_a", "rdt_b"], "checks": []}]


def changed(change):
    rows, proofs = copy.deepcopy((ROWS, PROOFS))
    change(rows, proofs)
    return rows, proofs


FAULTS = {
    "no row for what it relies on": changed(lambda rows, _: rows["rdt_a"].clear()),
    "relies on no such thing": changed(lambda rows, _: rows["rdt_a"].update({"other": ("wiring", "")})),
    "does not promise": changed(lambda rows, _: rows["rdt_a"].update({"a relies": ("promise", "rdt_b", "other", "state")})),
    "no proof has the promises": changed(lambda _, proofs: proofs[0]["promises"].remove("rdt_b")),
    "does not assert it": changed(lambda rows, _: rows["rdt_a"].update({"a relies": ("proof", "both")})),
    "rest on each other": changed(lambda rows, _: rows["rdt_a"].update({"a relies": ("promise", "rdt_b", "b gives", "logic")})),
}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "rtl").mkdir()
        for block, text in RTL.items():
            (folder / f"rtl/{block}.svh").write_text(text)
        missed = [] if not relies.faults(folder, ROWS, PROOFS) else ["a valid table is refused"]
        missed += [f"not reported: {fault}" for fault, (rows, proofs) in FAULTS.items()
                   if not any(fault in line for line in relies.faults(folder, rows, proofs))]
    if missed:
        sys.exit("\n".join(missed))
    print(f"{len(FAULTS)} faults of the table reported")
    return 0


if __name__ == "__main__":
    sys.exit(main())
