# SPDX-License-Identifier: MIT
"""The cell library of the silicon flow, and data of its process.

In this order: --liberty FILE, the environment's RDT_LIBERTY, the OSU libraries of qflow where they are
installed, and the generic library of the project (synth/generic.py), which `generic` in place of a FILE
names too. The LEF file with the outlines of the cells is that of --lef or RDT_LEF, or the only one beside
the Liberty file. Where there is none, cell areas are those of the Liberty file.

Goals, and comparisons with the paper or with documented figures, are those of the OSU libraries. Results
of any other library go to files of its own name, so that they are never mistaken for those.
"""
import os
import pathlib
import re
import sys
from dataclasses import dataclass, replace

from . import generic, liberty
from .flow import Unusable


@dataclass(frozen=True)
class Process:
    name: str
    feature: str             # as tables name it
    volts: float
    wire_pf: float           # wire capacitance per fan-out
    late_ns: float           # of REQ pins, when paths from them are made shorter
    goal_ns: float = None    # of the chip, with wires; None: there is none
    liberty: pathlib.Path = None
    lef: pathlib.Path = None

    @property
    def documented(self):
        """Whether docs/silicon.md has its figures."""
        return self.goal_ns is not None

    @property
    def note(self):
        if self.documented:
            return ""
        what = "generic cells, invented round figures" if self.name == generic.NAME else f"cells of {self.liberty.name}"
        return f"{what}: for relative comparison only, no comparison with the paper"


# 60 MHz, the paper's clock, is 16.7 ns; 0.4 of it are left for clock-tree skew and jitter:
# the netlist has no clock tree yet. The paper's process was 0.5 um. In 0.18 um the goal is the same chip scaled:
# 6.7 ns, 149 MHz. REQ pins are taken to be late by the clock-to-output delay and two pads (docs/electrical.md).
OSU050 = Process("osu050", "0.5 um", 5.0, 0.036, 3.4, 16.3)
OSU018 = Process("osu018", "0.18 um", 1.8, 0.012, 1.4, 6.7)
FILES = {OSU050: "qflow/tech/osu050/osu05_stdcells.lib", OSU018: "qflow/tech/osu018/osu018_stdcells.lib"}
OTHER = Process("", "", 0.0, 0.012, 1.4)  # any other library
START = pathlib.Path.cwd()  # names of files are relative to it, also after a script has changed directory


def add_options(parser):
    parser.add_argument("--liberty", metavar="FILE",
                        help="cell library, or `generic` (RDT_LIBERTY, else the OSU libraries, else generic)")
    parser.add_argument("--lef", type=pathlib.Path, metavar="FILE",
                        help="its LEF file (RDT_LEF, else the only one beside FILE)")


def installed(process):
    roots = os.environ.get("XDG_DATA_DIRS", "").split(":") + ["/usr/share", "/usr/local/share"]
    places = (pathlib.Path(root, FILES[process]) for root in roots if root)
    return next((p.resolve() for p in places if p.is_file()), None)


def _beside(path):
    files = sorted(path.parent.glob("*.lef"))
    return files[0] if len(files) == 1 else None


def _given(option, key):
    """The user's choice and its source; an empty variable counts as unset."""
    if option:
        return str(option), f"--{key}"
    variable = f"RDT_{key.upper()}"
    return os.environ.get(variable, ""), variable


def _file(name, how):
    path = (START / name).resolve()
    if not path.is_file():
        raise Unusable(f"{how} {name}: no such file")
    return path


def _named(name, how, lef):
    """The process of a Liberty file."""
    path = _file(name, how)
    for process, file in FILES.items():
        if path.name == pathlib.Path(file).name:
            return replace(process, liberty=path, lef=lef or _beside(path))
    label = re.sub(r"\W", "_", path.stem)
    volts = liberty.value("nom_voltage", liberty.text_of(path))
    return replace(OTHER, name=label, feature=label, volts=float(volts or 0), liberty=path, lef=lef or _beside(path))


def processes(options, wanted=(OSU050, OSU018)):
    """Those to use, at least one: the one that the user named, or which of `wanted` are installed, or the
    generic one, whose files are written to the build directory."""
    name, how = _given(options.liberty, "liberty")
    outlines, lef_how = _given(options.lef, "lef")
    if options.lef and not name:
        raise Unusable("--lef needs --liberty FILE")
    if name and name != generic.NAME:
        return [_named(name, how, _file(outlines, lef_how) if outlines else None)]
    found = [] if name else [replace(p, liberty=path, lef=_beside(path)) for p in wanted if (path := installed(p))]
    left_out = [p.name for p in wanted if not name and p.name not in {f.name for f in found}]
    if left_out:
        instead = "left out" if found else "generic cells are used, for relative comparison only"
        print(f"cell library {' and '.join(left_out)} not installed: {instead}", file=sys.stderr)
    if found:
        return found
    path = generic.write(options.build / generic.NAME)
    return [replace(OTHER, name=generic.NAME, feature="generic", volts=generic.VOLTS, liberty=path, lef=_beside(path))]


def for_area(options):
    """The one that make synth maps to."""
    return processes(options, (OSU018,))[0]


def result(build, name, process):
    """The file of the figures: build/synth.json for the documented library, synth_NAME.json for any other."""
    return build / (f"{name}.json" if process.documented else f"{name}_{process.name}.json")


def check_units(process):
    """Times and energies are read as they stand."""
    text = liberty.text_of(process.liberty)
    units = liberty.value("time_unit", text), *re.findall(r"capacitive_load_unit\s*\(\s*([\d.]+)\s*,\s*\"?(\w+)", text)
    if not (len(units) == 2 and units[0] == "1ns" and float(units[1][0]) == 1 and units[1][1].lower() == "pf"):
        raise Unusable(f"{process.liberty}: times and capacitances must be in 1ns and 1pf")
    if not process.volts:
        raise Unusable(f"{process.liberty}: has no nom_voltage")
