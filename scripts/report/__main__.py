#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One page with the results of the last runs: build/report/index.html, and summary.svg beside it.

Reads docs/testplan.md, what ctest knows, and the results that the targets of the Makefile leave in
the folder of the build. Results that are missing are marked as not run, with the command.

usage: python3 -m scripts.report [--build DIR] [--output DIR]
Exit code 1: plan and tests disagree. Exit code 2: something is missing. Failed tests are on the
page, and were reported by the run.
"""
import argparse
import os
import pathlib
import sys

from . import plan, runs
from .page import make


def main():
    parser = argparse.ArgumentParser(description="a page with the results of the last runs")
    parser.add_argument("--build", type=pathlib.Path, default=plan.ROOT / "build", help="folder of the build (build)")
    parser.add_argument("--output", type=pathlib.Path, help="folder of the page (report in that of the build)")
    args = parser.parse_args()
    output = args.output or args.build / "report"
    try:
        rows = plan.read_plan(plan.PLAN.read_text())
        wrong, results = make(rows, plan.list_tests(args.build), runs.Runs(args.build), output)
    except (plan.Failure, OSError) as e:
        print(f"report: {e}", file=sys.stderr)
        return 2
    except (KeyError, TypeError, ValueError, AttributeError) as e:
        if os.environ.get("RDT_DEBUG"):
            raise
        print(f"report: a result in {args.build} is not what its command writes: {type(e).__name__} {e}", file=sys.stderr)
        return 2
    for line in wrong:
        print(f"report: {line}", file=sys.stderr)
    failed = [r.row.id for r in results if r.verdict() == "failed"]
    passed = sum(r.verdict() == "passed" for r in results)
    print(f"{len(rows)} rows: {passed} passed, {len(failed)} failed{': ' if failed else ''}{', '.join(failed)}, "
          f"{len(rows) - passed - len(failed)} not run or in part")
    print(os.path.relpath(output / "index.html"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
