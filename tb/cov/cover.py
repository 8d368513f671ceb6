#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run Verilator as verilate.py does, for a model that counts what is exercised.

    PYTHONPATH=cmake python3 -m tb.cov.cover DIR PREFIX PARTS VERILATOR ARGUMENT...

Verilator's own runtime keeps a description of every point in every model, and loses the counts of a
model with it. Here all models of a class share one description and add up what they have counted
when they are destroyed (tb/cov/counts.h). Code that runs every cycle is in PARTS files, because it
is several times larger with counters; code that runs once is in one more file, as in verilate.py.
"""
import pathlib
import re
import sys

import verilate
from . import toggles

BODY = re.compile(r"(::__vlCoverInsert\([^{]*\{).*?\n\}\n", re.S)
INSERT = """
    static auto& counts = rdt::cov::counts_of("{prefix}");
    if (!enable) return;
    *countp = 0;
    counts.describe(size_t(countp - vlSymsp->__Vcoverage),
                    {{filenamep, lineno, column, hierp, pagep, commentp, linescovp}});
}}
"""


def only(text, old, new, file):
    if text.count(old) != 1:
        sys.exit(f"cover: {file.name} does not look as expected: {text.count(old)} times {old!r}")
    return text.replace(old, new)


def adapt(directory, prefix):
    """Plain counters, described once; counts are kept when the model is destroyed."""
    symbols = directory / f"{prefix}__Syms.h"
    text = symbols.read_text()
    found = re.search(r"std::atomic<uint32_t> __Vcoverage\[(\d+)\];", text)
    if not found:
        sys.exit(f"cover: {symbols.name} has no counters")
    number = int(found.group(1))
    symbols.write_text(text.replace(found.group(0), f"uint32_t __Vcoverage[{number}];"))
    for file in [*directory.glob("*.cpp"), *directory.glob("*.h")]:
        text = before = file.read_text()
        text = text.replace("std::atomic<uint32_t>* countp", "uint32_t* countp")
        text = text.replace('#include "verilated_cov.h"\n', "")  # so that the header is that of any model
        text = re.sub(r"(vlSymsp->__Vcoverage\[\d+\])\.fetch_add\(1, std::memory_order_relaxed\)", r"++\1", text)
        text = BODY.sub(lambda m: m.group(1) + INSERT.format(prefix=prefix), text)
        text = toggles.gather(text)
        if file.name == f"{prefix}.cpp":
            text = only(text, "    delete vlSymsp;\n",
                        f'    rdt::cov::counts_of("{prefix}").add(vlSymsp->__Vcoverage, {number});\n'
                        "    delete vlSymsp;\n", file)
        if "rdt::cov" in text:
            text = '#include "cov/counts.h"\n' + text
        if text != before:
            file.write_text(text)


def divide(directory, prefix, parts):
    """Splits the code that runs every cycle into `parts` files of about equal size."""
    shares = [[] for _ in range(parts)]
    sizes = [0] * parts
    often = [f for f in directory.glob("*.cpp") if not f.stem.endswith(("__Slow", "__Syms"))]
    for file in sorted(often, key=lambda f: (-f.stat().st_size, f.name)):
        least = sizes.index(min(sizes))
        shares[least].append(file.name)
        sizes[least] += file.stat().st_size
    for i, names in enumerate(shares):
        (directory / f"{prefix}__{i}.cc").write_text("".join(f'#include "{n}"\n' for n in sorted(names)))


def main():
    directory, prefix, parts = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    del sys.argv[3]
    status = verilate.main()
    if status:
        return status
    adapt(directory, prefix)
    divide(directory, prefix, parts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
