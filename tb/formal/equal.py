# SPDX-License-Identifier: MIT
"""Netlist = RTL, block by block, in every variant that the chip has of it (synth/proof.py).

The block is mapped as make synth maps it, without the blocks in it that are proven by themselves, so
all of them together are the chip. In each variant gates are replaced by others, which has to be detected.
"""
import re
import threading
import time

from . import engine
from rtl.flow.synth import areas, flow, liberty, proof
from rtl.flow.synth.paper import BLOCKS

PLANTS = 2  # in each variant
_lock, _elaborated = threading.Lock(), {}


def used(root, block):
    """Files that a block's netlist depends on: those in it, and those that set its parameters."""
    files = engine.sources(root)
    texts = {f: (root / f).read_text() for f in files}
    name = {f: f.split("/")[-1].removesuffix(".sv") for f in files}
    tops, fresh = {f for f in files if name[f] == block}, [block]
    while fresh:
        module = fresh.pop()
        for f in files:
            if f not in tops and re.search(rf"\b{module}\s+(#|u_|gen_)", texts[f]):
                tops.add(f)
                fresh.append(name[f])
    return sorted(tops | set(engine.needed(root, files, [f for f in files if name[f] == block])))


def elaborated(root, folder, process):
    """Once for all blocks."""
    with _lock:
        if folder not in _elaborated:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "cells.lib").write_text(areas.corrected(process)[0])
            modules = [m for m in flow.elaborate(root, folder) if m.block in BLOCKS]
            _elaborated[folder] = modules, liberty.read(folder / "cells.lib"), flow.key(folder, folder / "cells.lib")
        return _elaborated[folder]


def decide(root, wanted, folder, process):
    start = time.monotonic()
    shared = folder.parent.parent / "synth"  # the netlists of make synth, if it has made some of this RTL
    limit, undecided, differs = wanted.get("limit", 120), [], []
    try:
        modules, library, made = elaborated(root, shared, process)
        folder.mkdir(parents=True, exist_ok=True)
        variants = [m for m in modules if m.block == wanted["block"]]
        registers = ends = found = redundant = vague = 0
        for module in variants:
            others = sorted({m.name for m in modules} - {module.name})
            flow.map_block(module, others, shared, shared / "cells.lib", made)
            rtl = proof.rtl_of(module.name, others, shared / "elaborated.il", folder)
            pair = proof.Pair(rtl, proof.Side(module.json, library, rtl.wide),
                              proof.read(shared / f"{module.name}.before.json", module.name, library, rtl.wide))
            verdict, where = pair.decide(folder, limit)
            registers, ends = registers + len(pair.of), ends + len(pair.rtl.ends)
            if verdict is None:
                undecided.append(module.name)
            elif not verdict:
                differs.append(f"{module.name} at {where}")
            else:
                seen, same, late = pair.plants(folder, limit, PLANTS)
                found, redundant, vague = found + seen, redundant + same, vague + late
    except (flow.Failure, flow.Unusable) as failure:
        raise engine.Failure(str(failure)) from None
    says = f"{len(variants)} netlist{'s' * (len(variants) > 1)} = RTL: {registers:,} registers, {ends:,} pins"
    if not process.documented:
        says += f" (cells of {process.liberty.name})"
    for number, what in ((redundant, "were redundant"), (vague, "are undecided")):
        says += f"; {number} of the gates replaced {what}" if number else ""
    for names, what in ((undecided, "undecided"), (differs, "DIFFERS")):
        says += f"; {what}: {', '.join(names)}" if names else ""
    return {"name": wanted["name"], "block": wanted["block"], "kind": "netlist", "depth": None, "claim": says,
            "injected": "yes" if found == PLANTS * len(variants) else "no",
            "result": "refuted" if differs else "open" if undecided else "proven",
            "seconds": round(time.monotonic() - start, 1)}
