# SPDX-License-Identifier: MIT
"""Yosys: elaborate the chip once, then map every block of it on its own.

A block is mapped as a whole, with the modules in it that are no blocks themselves, so that it is
counted alone and the jobs run in parallel. Together the mapped blocks are the netlist of the chip.
"""
import hashlib
import json
import pathlib
import subprocess
from concurrent.futures import as_completed
from dataclasses import dataclass, field

TOP = "rdt_router"
LATCHES = ("$dlatch", "$adlatch", "$dlatchsr", "$sr")

# One script for all blocks, for area: the smallest of the five that were tried on every block.
# Timing uses another mapping (rtl/flow/sta).
AREA = "-script +strash;ifraig;dch;amap"


class Failure(Exception):
    """Something in the design is not as it has to be; one line."""


class Unusable(Exception):
    """Something that the flow needs is not there, or not as it has to be; one line."""


@dataclass
class Module:
    name: str   # in the netlist: the block and its parameters
    block: str  # in the RTL
    parameters: dict
    count: int = 0  # instances in the chip
    json: dict = field(default_factory=dict, repr=False)


def yosys(script, log, what):
    """Run a script; its warnings as a list. -q keeps the log to warnings and errors."""
    run = subprocess.run(["yosys", "-q", "-l", str(log), "-s", "-"], input=script, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        # The warnings before an error give its cause.
        lines = [line for line in run.stdout.splitlines() if "Warning:" in line or "ERROR:" in line]
        raise Failure(f"{what}: {lines[0] if lines else 'Yosys failed'} (log: {log})")
    return [line for line in run.stdout.splitlines() if "Warning:" in line]


def sources(root):
    """Relative to the top of the project, where everything here runs."""
    return [line for line in (root / "rtl/rdt_router.f").read_text().split() if not line.startswith("+")]


def elaborate(root, build):
    """The modules the chip is made of, in the variants it uses, written to elaborated.il."""
    il, description = build / "elaborated.il", build / "elaborated.json"
    warnings = yosys(f"""
        read_verilog -sv -DSYNTHESIS {' '.join(sources(root))}
        hierarchy -check -top {TOP}
        proc
        check -assert
        write_rtlil {il}
        write_json {description}
        """, build / "elaborate.log", "elaboration")
    if warnings:  # where Yosys 0.23 misreads SystemVerilog, a warning is often the only sign
        raise Failure(f"elaboration: {warnings[0]} (log: {build / 'elaborate.log'})")

    described = json.loads(description.read_text())["modules"]
    modules, text = {}, il.read_text()
    for yosys_name, module in described.items():
        for cell in module["cells"].values():
            if cell["type"] in LATCHES:
                raise Failure(f"latch at {cell['attributes'].get('src', yosys_name)}")
        block = module["attributes"].get("hdlname", yosys_name).lstrip("\\")
        parameters = {k: int(v, 2) for k, v in module.get("parameter_default_values", {}).items()}
        name = block
        if yosys_name.startswith("$"):  # a variant; the chip itself has its parameters, and its own name
            name = "_".join([block] + [f"{k}{v}" for k, v in sorted(parameters.items())])
            text = text.replace(yosys_name, "\\" + name)
        modules[yosys_name] = Module(name, block, parameters)
    il.write_text(text)

    def count(yosys_name):
        modules[yosys_name].count += 1
        for cell in described[yosys_name]["cells"].values():
            if cell["type"] in modules:
                count(cell["type"])

    count(TOP)
    return sorted(modules.values(), key=lambda m: m.name)


def key(build, liberty):
    """Hash of all inputs of a mapping."""
    digest = hashlib.sha256(subprocess.run(["yosys", "-V"], capture_output=True).stdout)
    for path in (build / "elaborated.il", liberty, pathlib.Path(__file__)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def map_block(module, others, build, liberty, made):
    """One block in library cells: <name>.v for simulation, <name>.json for measuring;
    <name>.before.json has the names of registers that mapping merges. Kept as long as the key
    `made` is the same."""
    netlist, stamp = build / f"{module.name}.json", build / f"{module.name}.key"
    if not stamp.exists() or stamp.read_text() != made:
        stamp.unlink(missing_ok=True)
        _map(module, others, build, liberty, netlist)
        stamp.write_text(made)
    module.json = json.loads(netlist.read_text())["modules"][module.name]


def _map(module, others, build, liberty, netlist):
    yosys(f"""
        read_rtlil {build / 'elaborated.il'}
        hierarchy -top {module.name}
        blackbox {' '.join(others)}
        flatten
        synth -nofsm -noabc -top {module.name}
        dfflibmap -liberty {liberty}
        opt
        write_json {build / module.name}.before.json
        abc -liberty {liberty} {AREA}
        opt_clean -purge
        read_liberty -lib -ignore_miss_func {liberty}
        check -mapped -assert
        write_verilog -noattr -noexpr {build / module.name}.v
        write_json {netlist}
        """, build / f"{module.name}.log", module.name)


def map_all(modules, build, liberty, pool, progress):
    names, made = {m.name for m in modules}, key(build, liberty)
    work = {pool.submit(map_block, m, sorted(names - {m.name}), build, liberty, made): m for m in modules}
    for done in as_completed(work):
        done.result()
        progress(work[done])
    netlist = "".join((build / f"{m.name}.v").read_text() for m in modules)
    (build / "netlist.v").write_text(netlist)


def check_cells(modules, library):
    """Nothing but library cells and blocks may be left, and no latch."""
    known = {m.name for m in modules}
    for module in modules:
        for name, cell in module.json["cells"].items():
            kind = library[cell["type"]].kind if cell["type"] in library else "block"
            if kind == "block" and cell["type"] not in known:
                raise Failure(f"{module.name}: {name} is a {cell['type']}, which is not in the library")
            if kind not in ("block", "gate", "ff"):
                raise Failure(f"{module.name}: {name} is a {cell['type']}: neither a gate nor a plain flip-flop")
