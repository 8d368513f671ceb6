#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prove what the blocks of the chip promise (docs/signoff.md).

Every property of tb/formal/properties.py has an unbounded proof by ABC's PDR on what Yosys makes of
harness and RTL, or up to the depth in the table. Each must refute bugs that are injected into a copy (of
similar variants the first), and reach a cover, so that no property is vacuous. Netlist and RTL
are proven equal block by block, in cells of osu018 or, where it is not installed, of the project's
generic library. Verdicts are kept by the hash of their inputs, so a second run is quick.

Results: a table, and the same in build/formal.json. Exit code 1: something is not as expected. Exit
code 2: something is missing.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed

from rtl.flow.synth import abc_program
from . import engine, equal, properties, relies
from .engine import Failure
from rtl.flow.synth import technology
from rtl.flow.synth.flow import Unusable

ROOT = pathlib.Path(__file__).resolve().parents[2]


def inputs_hash(proof, process):
    """Hash of all inputs of the verdict."""
    total = hashlib.sha256(json.dumps(proof, sort_keys=True).encode())
    harness = proof.get("files", [])
    if "spec" in proof:
        harness = [f"{engine.HARNESSES}/spec_pkg.sv", f"{engine.HARNESSES}/{proof['spec']}.sv", f"rtl/{proof['wrap']}.sv"]
    tops = harness or [f"rtl/{proof['block']}.sv"]
    netlist = proof in properties.EQUAL
    used = equal.used(ROOT, proof["block"]) if netlist else engine.needed(ROOT, [*engine.sources(ROOT), *harness], tops)
    files = [*used, *tops, *(f + "h" for f in used + tops), *proof.get("instead", []), "rtl/rdt_assert.svh",
             "tb/formal/engine.py",
             "rtl/flow/synth/abc_program.py"]
    if netlist:
        files += ["tb/formal/equal.py", *(f"rtl/flow/synth/{f}.py" for f in ("areas", "flow", "liberty", "paper", "proof"))]
        for file in filter(None, (process.liberty, process.lef)):
            total.update(file.read_bytes())
    for file in sorted({f for f in files if (ROOT / f).is_file()}):
        total.update(file.encode() + (ROOT / file).read_bytes())
    return total.hexdigest()


def decide(proof, folder):
    """Verdict, injected bugs and cover of one property."""
    engine.spent.seconds = 0
    limit, ways = proof.get("limit", 300), proof.get("simplify", ("scorr", "scorr -F 2"))
    result = {"name": proof["name"], "block": proof["block"], "claim": proof["claim"], "kind": "property"}
    shutil.rmtree(folder, ignore_errors=True)

    def model(name, edits, covers=False):
        engine.copy_sources(ROOT, folder / name, edits)
        engine.graph(ROOT, proof, folder / name, covers)
        return folder / name

    main = model("proof", [], covers=True)
    if "base" in proof:
        broken, depth = engine.reach(main, proof["base"], limit)
        proven = not broken and depth >= proof["base"] and engine.holds_by_induction(main, limit)
        result.update(result="refuted" if broken else "proven" if proven else "open", depth=depth if broken else None)
    elif "bound" in proof:
        broken, depth = engine.reach(main, proof["bound"], limit)
        result.update(result="refuted" if broken else "bounded" if depth >= proof["bound"] else "open", depth=depth)
    else:
        verdict, depth = engine.decide(main, limit, ways)
        result.update(result=verdict or "open", depth=depth)

    refuted = 0
    for k, edit in enumerate(proof["bugs"]):
        faulty = model(f"bug{k}", [edit])
        # Bounded search finds a long counterexample faster than PDR.
        depth = proof.get("bound", proof.get("bug_depth", proof.get("base")))
        found = depth and engine.reach(faulty, depth, limit)[0]
        refuted += bool(found) or ("base" not in proof and engine.decide(faulty, limit, ways)[0] == "refuted")
    result["injected"] = f"in {proof['bugs_in']}" if "bugs_in" in proof else "yes" if refuted == len(proof["bugs"]) else "no"
    result["cover"] = "yes" if engine.reach(main, proof.get("cover_depth", 160), limit, "cover.aig")[0] else "no"
    result["seconds"] = round(engine.spent.seconds, 1)  # CPU time
    return result


def cached(proof, work, function, process):
    keep = work / "verdicts" / f"{proof['name']}.json"
    digest = inputs_hash(proof, process)
    if keep.is_file():
        known = json.loads(keep.read_text())
        if known["hash"] == digest:
            return known["result"]
    result = function(proof, work / proof["name"])
    keep.parent.mkdir(parents=True, exist_ok=True)
    keep.write_text(json.dumps({"hash": digest, "result": result}))
    shutil.rmtree(work / proof["name"], ignore_errors=True)
    return result


def as_expected(result):
    return result["result"] in ("proven", "bounded") and result.get("injected") != "no" and result.get("cover") != "no"


def line(r):
    depth = f"to cycle {r['depth']}" if r["result"] == "bounded" else ""
    extra = f"injected {r['injected']:<3}" + (f" cover {r['cover']:<3}" if "cover" in r else "")
    print(f"{r['result']:<8} {depth:<12} {r['seconds']:>6.1f} s  {extra:<22} {r['name']:<20} {r['claim']}", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="python3 -m tb.formal", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="properties at once (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="only those that take seconds")
    parser.add_argument("--only", metavar="TEXT", help="only those with TEXT in their name")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="directory (%(default)s)")
    technology.add_options(parser)
    options = parser.parse_args()
    options.build = (ROOT / options.build).resolve()
    os.chdir(ROOT)
    for tool, package in (("yosys", "yosys"), (abc_program.program(), abc_program.PACKAGES)):
        if not shutil.which(tool):
            print(f"formal: {tool} is not installed (Debian package {package})", file=sys.stderr)
            return 2

    wrong = relies.faults()
    if wrong:
        print("\n".join(f"formal: {line}" for line in wrong), file=sys.stderr)
        return 1
    try:
        process = technology.for_area(options)
    except Unusable as reason:
        print(f"formal: {reason}", file=sys.stderr)
        return 2
    jobs = [(p, decide) for p in properties.PROOFS]
    jobs += [(p, lambda proof, folder: equal.decide(ROOT, proof, folder, process)) for p in properties.EQUAL]
    if options.quick:
        jobs = [(p, f) for p, f in jobs if p.get("quick")]
    if options.only:
        jobs = [(p, f) for p, f in jobs if options.only in p["name"]]
    if not jobs:
        print(f"formal: no property with {options.only} in its name", file=sys.stderr)
        return 2
    # The longest first.
    jobs.sort(key=lambda job: -job[0].get("limit", 0))

    work = (options.build / "formal").resolve()
    results, failed = [], []
    with ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(cached, p, work, f, process): p for p, f in jobs}
        for done in as_completed(running):
            try:
                results.append(done.result())
                line(results[-1])
            except Failure as failure:
                failed.append(str(failure))
                print(f"formal: {running[done]['name']}: {failure}", file=sys.stderr)
    results.sort(key=lambda r: (r["kind"] == "netlist", r["name"]))
    if not options.quick and not options.only:
        part = options.build / "formal.json.part"
        part.write_text(json.dumps(results, indent=2) + "\n")
        part.replace(options.build / "formal.json")
    wrong = [r["name"] for r in results if not as_expected(r)]
    proven = sum(r["result"] == "proven" for r in results)
    print(f"{proven} of {len(running)} with an unbounded proof, {sum(r['result'] == 'bounded' for r in results)} bounded")
    for name in wrong:
        print(f"formal: FAILED: {name}", file=sys.stderr)
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    sys.exit(main())
