# SPDX-License-Identifier: MIT
"""From a mapped netlist to one with sizes, by fan-out or by a placement."""
import hashlib
import json
import pathlib

from sta import library, place, sizing, synthesis, wires
from synth import areas, flow, liberty

ROUNDS = 10


def key(process):
    """Of what sizing depends on besides the mapping."""
    digest = hashlib.sha256(repr(process).encode())
    for module in (place, sizing, wires):
        digest.update(pathlib.Path(module.__file__).read_bytes())
    digest.update(pathlib.Path(__file__).read_bytes())
    return digest.hexdigest()


def _chip(directory, name, process, top):
    lib = directory / f"{process.name}.lib"
    return wires.Chip(synthesis.module_of(directory / f"{name}.json", top), liberty.read(lib), lib,
                      areas.beside(library.find(process)), process.wire_pf)


def sized(directory, mapped, result, process, top):
    """<result>.v and .json: buffers and sizes for a load for every fan-out."""
    chip = _chip(directory, mapped, process, top)
    sizing.Sizing(chip, top, directory / f"{process.name}_wires.lib", False,
                  directory / f"{result}.sizing.log").improve(directory / f"{result}.sizing.v", ROUNDS)
    path = directory / f"{result}.json"
    part = path.with_suffix(".json.part")
    part.write_text(json.dumps({"creator": "scripts/sta", "modules": {top: chip.json()}}))
    flow.yosys(f"""
        read_liberty -lib -ignore_miss_func {directory / process.name}.lib
        read_json {part}
        check -mapped -assert
        write_verilog -noattr -noexpr -nohex -nodec -simple-lhs {directory / result}.v.part
        """, directory / f"{result}.log", result)
    part.replace(path)
    (directory / f"{result}.v.part").replace(directory / f"{result}.v")


def placed(directory, name, result, process, top):
    """<result>.json with figures: what the placement is like, the period with its wires before and after
    sizing for them. <result>.v is the netlist."""
    chip = _chip(directory, name, process, top)
    figures = {f"placed_{key}": round(value, 2) for key, value in chip.place().items()}
    work = sizing.Sizing(chip, top, directory / f"{process.name}.lib", True, directory / f"{result}.sizing.log")
    path = directory / f"{result}.v"
    figures["as_sized_by_fanout"] = round(work.worst(path)[0][0][0], 2)
    figures["placed"] = round(work.improve(path, ROUNDS), 2)
    figures["placed_gates"] = chip.gates()
    (directory / f"{result}.loads.tcl").write_text(chip.loads(chip.verilog(path, top)) + "\n")
    (directory / f"{result}.json").write_text(json.dumps(figures))
