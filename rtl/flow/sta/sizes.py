# SPDX-License-Identifier: MIT
"""From a mapped netlist to one with sizes, by fan-out or by a placement."""
import hashlib
import json
import pathlib

from . import linear, place, sizing, timing, wires
from rtl.flow.synth import areas, liberty
from rtl.flow.synth.roles import Roles

ROUNDS = 10  # rounds of sizing, each timed


def key(process, timer):
    """Hash of the inputs of sizing besides the mapping."""
    digest = hashlib.sha256(repr((process, timer.name)).encode())
    files = [pathlib.Path(module.__file__) for module in (linear, place, sizing, timing, wires)]
    for file in [*files, *sorted(place.SOURCES.iterdir()), pathlib.Path(__file__)]:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _chip(directory, name, process, top):
    lib = directory / f"{process.name}.lib"
    cells = liberty.read(lib)
    return wires.Chip.read(directory / f"{name}.json", top, Roles(cells, lib.name), lib, process.wire_pf, areas.rows(process, cells))


def sized(timer, directory, mapped, result, process, top):
    """<result>.v and .json: buffers and sizes for a load for every fan-out."""
    chip = _chip(directory, mapped, process, top)
    work = sizing.Sizing(timer, chip, top, directory / f"{process.name}_wires.lib", False, directory / f"{result}.sizing.log",
                         process.late_ns)
    work.improve(directory / f"{result}.sizing.v", ROUNDS)
    _write(chip, directory, result, top)


def _write(chip, directory, result, top, known=True):
    """Netlists that every tool reads (sta.cells); Yosys' own writer takes half a minute for this one. Names of
    its nets are returned."""
    part = directory / f"{result}.part"
    part.write_text(json.dumps({"creator": "rtl/flow/sta", "modules": {top: chip.json()}}))
    part.replace(directory / f"{result}.json")
    names = chip.verilog(part, top, known)
    part.replace(directory / f"{result}.v")
    return names


def placed(timer, directory, name, result, process, top):
    """<result>.figures.json: what the placement is like, the period with its wires before and after sizing for
    them. <result>.v and .json are the netlist, <result>.loads.tcl its wires."""
    chip = _chip(directory, name, process, top)
    file, path = directory / f"{result}.place", directory / f"{result}.sizing.v"
    chip.place(file)
    work = sizing.Sizing(timer, chip, top, directory / f"{process.name}.lib", True, directory / f"{result}.sizing.log",
                         process.late_ns)
    timed = work.time(path)
    _, through = work.improve(path, ROUNDS, timed)
    # New cells get positions in the rows, and nets of slow paths are kept short.
    shape = chip.place(file, sizing.weights(chip, through), rounds=0)
    figures = {"as_sized_by_fanout": round(timed[0], 2), "placed": round(work.time(path)[0], 2)}
    figures.update({f"placed_{key}": round(value, 2) for key, value in shape.items()})
    figures["placed_gates"] = chip.gates()
    names = _write(chip, directory, result, top, known=False)
    (directory / f"{result}.loads.tcl").write_text(chip.loads(names) + "\n")
    (directory / f"{result}.figures.json").write_text(json.dumps(figures))
