#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The structure of clock and reset in the package (rtl/rdt_pads.sv), as Yosys elaborates it:

  - every register takes the rising edge of clk_i of its module, and every instance that of its parent
  - the clock goes to registers and instances only: no gated, divided or derived clock
  - there is no latch; a reset is asynchronous only where ASYNCHRONOUS lists it
  - the reset of an instance is that of its parent; the chip's is the register that rdt_pads has for it
  - the asynchronous inputs of the package go to synchronizers and asynchronous resets only

usage: check_clocks.py [--inject]
  --inject   instead: each kind of mistake is made in the elaborated design, and has to be detected
Exit code 2: Yosys is missing, or cannot read the RTL.
"""
import argparse
import copy
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOP = "rdt_pads"
ASYNCHRONOUS = {"rdt_sync", "rdt_pads"}   # modules whose registers have an asynchronous reset
INPUTS = {"rst_ni", "shoot_i"}            # asynchronous inputs of the package
PLAIN = {"$dff", "$dffe", "$sdff", "$sdffe", "$sdffce"}
RESET = {"$adff", "$adffe", "$aldff", "$aldffe"}
LATCHES = {"$dlatch", "$adlatch", "$dlatchsr", "$sr", "$dffsr", "$dffsre", "$ff"}
MEMORY = {"$memwr", "$memwr_v2", "$memrd", "$memrd_v2", "$mem", "$mem_v2"}
CLOCK_PINS = {"CLK", "WR_CLK", "RD_CLK", "clk_i"}


class Unusable(Exception):
    """One line."""


def elaborate():
    """Yosys' JSON of the modules."""
    if not shutil.which("yosys"):
        raise Unusable("yosys is not installed (Debian package yosys)")
    files = [line for line in (ROOT / "rtl/rdt_router.f").read_text().split() if not line.startswith("+")]
    files += [f"rtl/{name}.sv" for name in ("rdt_sync", "rdt_pad", "rdt_pads") if f"rtl/{name}.sv" not in files]
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "design.json"
        script = (f"read_verilog -sv -DSYNTHESIS -Irtl {' '.join(files)}; hierarchy -check -top {TOP}; proc; opt_clean; "
                  f"write_json {result}")
        done = subprocess.run(["yosys", "-q", "-p", script], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            raise Unusable(f"yosys: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
        return json.loads(result.read_text())["modules"]


def plain_name(module):
    """The name in the RTL of a module with parameters: $paramod$<hash>\\rdt_x, $paramod\\rdt_x\\N=..."""
    return next(part for part in module.split("\\") if part.startswith("rdt_"))


def faults_of(name, module, modules):
    kind = plain_name(name)
    ports = {port: of["bits"] for port, of in module["ports"].items()}
    clock, reset = ports.get("clk_i"), ports.get("rst_ni")
    chip_reset = []  # the register behind the asynchronous reset
    for cell in module["cells"].values():
        if cell["type"] in RESET:
            chip_reset += cell["connections"]["Q"]
    for cell_name, cell in module["cells"].items():
        type_, pins = cell["type"], cell["connections"]
        where = f"{kind}: {cell_name}"
        if type_ in LATCHES:
            yield f"{where}: {type_} is a latch or has asynchronous set and reset"
        if type_ in PLAIN | RESET:
            if pins["CLK"] != clock:
                yield f"{where}: its clock is not clk_i"
            if int(cell["parameters"]["CLK_POLARITY"], 2) != 1:
                yield f"{where}: takes the falling edge"
        if type_ in RESET and (kind not in ASYNCHRONOUS or pins.get("ARST") != reset):
            yield f"{where}: asynchronous reset"
        if type_ in MEMORY:
            for pin in CLOCK_PINS & set(pins):
                enabled = int(cell["parameters"].get(pin + "_ENABLE", "1").replace("x", "0"), 2) != 0
                if enabled and set(pins[pin]) - set(clock or []):
                    yield f"{where}: its clock is not clk_i"
        if type_ in modules:
            if "clk_i" in pins and pins["clk_i"] != clock:
                yield f"{where}: its clk_i is not that of {kind}"
            if "rst_ni" in pins and pins["rst_ni"] != reset and not (kind == TOP and set(pins["rst_ni"]) <= set(chip_reset)):
                yield f"{where}: its rst_ni is not that of {kind}"
        for pin, bits in pins.items():
            if clock and set(clock) & set(bits) and pin not in CLOCK_PINS:
                yield f"{where}: the clock goes to {pin}"
            if name == TOP or kind == TOP:
                synchronizes = type_ in modules and plain_name(type_) == "rdt_sync"
                for free in sorted(INPUTS):
                    if set(ports[free]) & set(bits) and not synchronizes and pin != "ARST":
                        yield f"{where}: the asynchronous {free} goes to {pin}"


def faults(modules):
    own = {name: module for name, module in modules.items() if "rdt_" in name}
    return [line for name, module in sorted(own.items()) for line in faults_of(name, module, own)]


def registers(modules):
    return sum(len(cell["connections"]["Q"]) for module in modules.values() for cell in module["cells"].values()
               if cell["type"] in PLAIN | RESET)


def injected(modules):
    """(what was done, modules)"""
    def first(module, types):
        return next(cell for cell in module["cells"].values() if cell["type"] in types)

    def change(part, types, edit):
        other = copy.deepcopy(modules)
        name = next(n for n in other if plain_name(n) == part)
        edit(first(other[name], types), other[name])
        return other

    def to(pin, bits):
        def edit(cell, _):
            cell["connections"][pin] = bits
        return edit

    instances = {name for name in modules if "rdt_" in name}
    yield "a derived clock", change("rdt_tick", PLAIN, to("CLK", [99999]))
    yield "the falling edge", change("rdt_tick", PLAIN, lambda cell, _: cell["parameters"].update(CLK_POLARITY="0"))
    yield "a latch", change("rdt_tick", PLAIN, lambda cell, _: cell.update(type="$dlatch"))
    yield "an asynchronous reset", change("rdt_tick", PLAIN, lambda cell, _: cell.update(type="$adff"))
    yield "another clock of an instance", change("rdt_router", instances, to("clk_i", [99999]))
    yield "another reset of an instance", change("rdt_router", instances, to("rst_ni", [99999]))
    yield "a gated clock", change("rdt_tick", PLAIN, lambda cell, module: cell["connections"].update(D=module["ports"]["clk_i"]["bits"]))
    yield "an input that is not synchronized", change(
        TOP, RESET, lambda cell, module: cell["connections"].update(D=module["ports"]["shoot_i"]["bits"]))


def main():
    parser = argparse.ArgumentParser(description="structure of clock and reset")
    parser.add_argument("--inject", action="store_true", help="make every kind of mistake in the elaborated design")
    options = parser.parse_args()
    try:
        modules = elaborate()
    except Unusable as reason:
        print(f"clock domains: {reason}", file=sys.stderr)
        return 2
    wrong = faults(modules)
    if options.inject:
        missed = [what for what, other in injected(modules) if len(faults(other)) <= len(wrong)]
        for what in missed:
            print(f"clock domains: not detected: {what}", file=sys.stderr)
        return 1 if missed else 0
    for line in wrong:
        print(f"clock domains: {line}", file=sys.stderr)
    if not wrong:
        print(f"{len(modules)} modules, {registers(modules)} bits of registers in their code: a single clock, a single reset")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
