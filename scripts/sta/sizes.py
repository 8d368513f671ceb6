# SPDX-License-Identifier: MIT
"""From a mapped netlist to one with sizes, by fan-out or by a placement."""
import hashlib
import json
import pathlib

from sta import library, place, sizing, synthesis, wires
from synth import areas, liberty

ROUNDS = 10  # of sizing, timed each
TURNS = 3    # of sizing and putting what is new into the rows


def key(process):
    """Of what sizing depends on besides the mapping."""
    digest = hashlib.sha256(repr(process).encode())
    files = [pathlib.Path(module.__file__) for module in (place, sizing, wires)]
    for file in [*files, *sorted(place.SOURCES.iterdir()), pathlib.Path(__file__)]:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _chip(directory, name, process, top):
    lib = directory / f"{process.name}.lib"
    return wires.Chip(synthesis.module_of(directory / f"{name}.json", top), liberty.read(lib), lib,
                      areas.beside(library.find(process)), process.wire_pf)


def sized(directory, mapped, result, process, top):
    """<result>.v and .json: buffers and sizes for a load for every fan-out."""
    chip = _chip(directory, mapped, process, top)
    work = sizing.Sizing(chip, top, directory / f"{process.name}_wires.lib", False, directory / f"{result}.sizing.log", process.late_ns)
    work.improve(directory / f"{result}.sizing.v", ROUNDS)
    _write(chip, directory, result, top)


def _write(chip, directory, result, top):
    """Netlists that every tool reads (sta.cells); Yosys' own writer takes half a minute for this one."""
    part = directory / f"{result}.part"
    part.write_text(json.dumps({"creator": "scripts/sta", "modules": {top: chip.json()}}))
    part.replace(directory / f"{result}.json")
    chip.verilog(part, top, known=True)
    part.replace(directory / f"{result}.v")


def placed(directory, name, result, process, top):
    """<result>.figures.json: what the placement is like, the period with its wires before and after sizing for
    them. <result>.v and .json are the netlist, <result>.loads.tcl its wires."""
    chip = _chip(directory, name, process, top)
    file, path = directory / f"{result}.place", directory / f"{result}.sizing.v"
    figures = {"placed_first_wire_m": round(chip.place(file)["wire_m"], 2)}
    work = sizing.Sizing(chip, top, directory / f"{process.name}.lib", True, directory / f"{result}.sizing.log", process.late_ns)
    best = None
    for turn in range(TURNS + 1):
        ns, through = work.time(path)
        if turn == 0:
            figures["as_sized_by_fanout"] = round(ns, 2)
        late = max(through.values())
        if turn and (best is None or late < best[0]):
            best = late, ns, shape, chip.state()
        if turn < TURNS:
            _, through = work.improve(path, ROUNDS, (ns, through))
            shape = chip.place(file, sizing.weights(chip, through), rounds=0)
    _, ns, shape, state = best
    chip.restore(state)
    figures.update({f"placed_{key}": round(value, 2) for key, value in shape.items()})
    figures["placed"] = round(ns, 2)
    figures["placed_gates"] = chip.gates()
    _write(chip, directory, result, top)
    (directory / f"{result}.loads.tcl").write_text(chip.loads(chip.verilog(path, top)) + "\n")
    (directory / f"{result}.figures.json").write_text(json.dumps(figures))
