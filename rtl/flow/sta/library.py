# SPDX-License-Identifier: MIT
"""The cell libraries: areas from the LEF, two wrong set-up times, and a wire for every fan-out.

In osu050 the set-up table of the flip-flop has 5.9 and 5.5 ns among values of 0.3 to 0.6. If the
clock edge has zero rise time, OpenSTA extrapolates past the first of them and overestimates a path by
a nanosecond. They are replaced by the values beside them; any other value of that size is an error.

The wire estimate is 180 um per fan-out in 0.5 um and 60 um in 0.18 um, at 0.2 fF/um: 36 and 12 fF. It
is an estimate; a placement of the chip has a mean of two thirds of it and a longer tail. OpenSTA
gets it as a wire-load model. ABC knows none, so its copy has the wire in the pins it leads to, and
ABC sizes and buffers for it.
"""
import re

from rtl.flow.synth import areas, technology
from rtl.flow.synth.flow import Unusable

CAPACITANCE = re.compile(r"(\b(?:rise_|fall_)?capacitance\s*:\s*)([\d.]+)(\s*;)")
CONSTRAINT = re.compile(r"_constraint\s*\([^{]*\{[^}]*\}")
MOST_NS = 1.5  # a set-up or hold time
KNOWN = {"osu050": {"5.9": "0.39375", "5.5": "0.53125"}}  # DFFPOSX1, between and beside their neighbors
WIRE_LOAD = re.compile(r"^\s*default_wire_load(?:_mode|_selection)?\s*:[^;]*;", re.M)
CELL = re.compile(r"^\s*cell\s*\(", re.M)
CONDITIONS = re.compile(r'^\s*default_operating_conditions\s*:\s*"?\w+"?\s*;', re.M)


def constraints_corrected(text, process):
    """Data of the flip-flop in use; other sequential cells are not used."""
    start = text.index("cell (DFFPOSX1)")
    end = text.index("\ncell (", start)

    def table(found):
        head, _, values = found[0].partition("values")

        def value(number):
            if abs(float(number[0])) <= MOST_NS:
                return number[0]
            if number[0] not in KNOWN.get(process.name, {}):
                raise Unusable(f"{process.name}: DFFPOSX1 has a set-up or hold time of {number[0]} ns")
            return KNOWN[process.name][number[0]]
        return head + "values" + re.sub(r"-?\d+(?:\.\d+)?", value, values)

    return text[:start] + CONSTRAINT.sub(table, text[start:end]) + text[end:]


def write(process, directory):
    """<name>.lib and <name>_wires.lib for OpenSTA, <name>_abc.lib for ABC."""
    technology.check_units(process)
    text = areas.corrected(process)[0]
    if process.documented:
        text = constraints_corrected(text, process)

    wire = f"""
  wire_load("fanout") {{
    resistance : 0;
    capacitance : {process.wire_pf};
    area : 0;
    slope : 1;
    fanout_length(1, 1);
  }}
  default_wire_load : "fanout";
  default_wire_load_mode : top;"""
    plain = WIRE_LOAD.sub("", text)
    with_wires, places = CONDITIONS.subn(lambda found: found[0] + wire, plain)
    if not places:
        with_wires, places = CELL.subn(lambda found: f"{wire}\n{found[0]}", plain, count=1)
    if places != 1:
        raise Unusable(f"{process.liberty.name}: no position for a wire-load model")

    def longer(pin):  # outputs have 0: the wire is counted once, at its far end
        value = float(pin[2])
        return f"{pin[1]}{value + process.wire_pf:.7g}{pin[3]}" if value > 0 else pin[0]

    for suffix, content in (("", text), ("_wires", with_wires), ("_abc", CAPACITANCE.sub(longer, text))):
        (directory / f"{process.name}{suffix}.lib").write_text(content)
