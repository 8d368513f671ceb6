# SPDX-License-Identifier: MIT
"""A generic standard-cell library: for relative comparison only.

No process has these cells. All figures are invented and round, of the size that a 0.18 um, 1.8 V process
has: rows of 10 um, a two-input NAND of 20 um^2, 80 ps for an inverter with four like it as its load. Delay
and transition are straight lines over the load, the same for both edges and for every input slew. So a
timer that knows lines only gives what one with tables gives. The project's scripts use this library where
the OSU libraries are not installed and no other one is given. Models for simulation: generic.v.
"""
from dataclasses import dataclass

NAME = "generic"
VOLTS = 1.8
ROW_UM = 10.0
LOADS = (0.005, 0.05, 0.5)  # pF
SLEWS = (0.05, 0.2, 0.8)    # ns
SETUP, HOLD = 0.1, 0.0      # ns


@dataclass(frozen=True)
class Cell:
    inputs: str      # names of its pins
    function: str
    um: float        # width
    pf: float        # of an input pin
    ns: float        # delay without a load
    ns_per_pf: float
    pj: float        # energy of an output change in the cell


GATES = {
    "INV_X1": Cell("A", "!A", 1.0, 0.005, 0.02, 3.0, 0.01),
    "INV_X2": Cell("A", "!A", 1.5, 0.010, 0.02, 1.5, 0.02),
    "INV_X4": Cell("A", "!A", 2.5, 0.020, 0.02, 0.75, 0.04),
    "INV_X8": Cell("A", "!A", 4.5, 0.040, 0.02, 0.375, 0.08),
    "BUF_X2": Cell("A", "A", 2.0, 0.005, 0.06, 1.5, 0.03),
    "BUF_X4": Cell("A", "A", 3.0, 0.010, 0.06, 0.75, 0.06),
    "NAND2_X1": Cell("AB", "!(A & B)", 2.0, 0.005, 0.03, 3.5, 0.015),
    "NAND3_X1": Cell("ABC", "!(A & B & C)", 3.0, 0.005, 0.04, 4.0, 0.02),
    "NOR2_X1": Cell("AB", "!(A | B)", 2.0, 0.005, 0.04, 4.5, 0.015),
    "NOR3_X1": Cell("ABC", "!(A | B | C)", 3.0, 0.005, 0.06, 6.0, 0.02),
    "AND2_X1": Cell("AB", "A & B", 2.5, 0.005, 0.07, 3.0, 0.025),
    "AND2_X2": Cell("AB", "A & B", 3.0, 0.005, 0.08, 1.5, 0.035),
    "OR2_X1": Cell("AB", "A | B", 2.5, 0.005, 0.08, 3.0, 0.025),
    "OR2_X2": Cell("AB", "A | B", 3.0, 0.005, 0.09, 1.5, 0.035),
    "AOI21_X1": Cell("ABC", "!((A & B) | C)", 3.0, 0.005, 0.04, 4.5, 0.02),
    "OAI21_X1": Cell("ABC", "!((A | B) & C)", 3.0, 0.005, 0.04, 4.5, 0.02),
    "AOI22_X1": Cell("ABCD", "!((A & B) | (C & D))", 4.0, 0.005, 0.05, 4.5, 0.025),
    "OAI22_X1": Cell("ABCD", "!((A | B) & (C | D))", 4.0, 0.005, 0.05, 4.5, 0.025),
    "XOR2_X1": Cell("AB", "A ^ B", 5.0, 0.010, 0.10, 4.0, 0.04),
    "XNOR2_X1": Cell("AB", "!(A ^ B)", 5.0, 0.010, 0.10, 4.0, 0.04),
    "MUX2_X1": Cell("ABS", "(A & !S) | (B & S)", 4.5, 0.006, 0.10, 3.5, 0.035),
}
# Data pin D, clock or enable CLK, output Q.
STORAGE = {
    "DFF_X1": Cell("D", "", 8.0, 0.005, 0.20, 3.0, 0.06),
    "LATCH_X1": Cell("D", "", 5.0, 0.005, 0.15, 3.0, 0.04),
}
CLOCK_PF, CLOCK_PJ = 0.010, 0.05  # capacitance and energy per clock pin, per edge

HEAD = f"""/* Generic standard cells, for relative comparison only: invented round figures, no process has them.
   Delays are straight lines over the load. Written by rtl/flow/synth/generic.py, license MIT. */
library ({NAME}) {{
  delay_model : table_lookup;
  time_unit : "1ns";
  voltage_unit : "1V";
  current_unit : "1uA";
  pulling_resistance_unit : "1kohm";
  leakage_power_unit : "1nW";
  capacitive_load_unit (1, pf);
  slew_lower_threshold_pct_rise : 20;
  slew_upper_threshold_pct_rise : 80;
  slew_lower_threshold_pct_fall : 20;
  slew_upper_threshold_pct_fall : 80;
  input_threshold_pct_rise : 50;
  input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50;
  output_threshold_pct_fall : 50;
  nom_process : 1;
  nom_voltage : {VOLTS};
  nom_temperature : 25;
  operating_conditions (typical) {{
    process : 1;
    voltage : {VOLTS};
    temperature : 25;
  }}
  default_operating_conditions : typical;
  lu_table_template (line) {{
    variable_1 : total_output_net_capacitance;
    variable_2 : input_net_transition;
    index_1 ("{', '.join(map(str, LOADS))}");
    index_2 ("{', '.join(map(str, SLEWS))}");
  }}
  power_lut_template (energy) {{
    variable_1 : total_output_net_capacitance;
    variable_2 : input_transition_time;
    index_1 ("{', '.join(map(str, LOADS))}");
    index_2 ("{', '.join(map(str, SLEWS))}");
  }}
  power_lut_template (passive) {{
    variable_1 : input_transition_time;
    index_1 ("{', '.join(map(str, SLEWS))}");
  }}
  lu_table_template (constraint) {{
    variable_1 : related_pin_transition;
    variable_2 : constrained_pin_transition;
    index_1 ("{', '.join(map(str, SLEWS))}");
    index_2 ("{', '.join(map(str, SLEWS))}");
  }}
"""


def _table(kind, template, rows):
    """The indices are repeated from the template, since not every reader looks there."""
    first, second = {"line": (LOADS, SLEWS), "energy": (LOADS, SLEWS), "passive": (SLEWS, ()),
                     "constraint": (SLEWS, SLEWS)}[template]
    index = "".join(f' index_{k} ("{", ".join(map(str, i))}");' for k, i in ((1, first), (2, second)) if i)
    values = ", ".join('"' + ", ".join(f"{v:.6g}" for v in row) + '"' for row in rows)
    return f"{kind} ({template}) {{{index} values ({values}); }}"


def _over_load(value):
    return [[value(load)] * len(SLEWS) for load in LOADS]


def _input(pin, pf, pj=0.0, clock=False, more=()):
    lines = ["direction : input;", *(f"{edge}capacitance : {pf};" for edge in ("", "rise_", "fall_"))]
    lines += ["clock : true;"] * clock
    if pj:
        lines += ["internal_power () {", *(f"  {_table(kind, 'passive', [[pj] * len(SLEWS)])}"
                                           for kind in ("rise_power", "fall_power")), "}"]
    return _group(f"pin ({pin})", [*lines, *more])


def _output(pin, cell, related, sense, function):
    lines = ["direction : output;", "capacitance : 0;", f"max_capacitance : {LOADS[-1]};", f'function : "{function}";']
    for source in related:
        timing = [f'related_pin : "{source}";', sense]
        for edge in ("rise", "fall"):
            timing.append(_table(f"cell_{edge}", "line", _over_load(lambda pf: cell.ns + cell.ns_per_pf * pf)))
            timing.append(_table(f"{edge}_transition", "line", _over_load(lambda pf: cell.ns + 2 * cell.ns_per_pf * pf)))
        lines += _group("timing ()", timing)
        power = [f'related_pin : "{source}";']
        power += [_table(f"{edge}_power", "energy", _over_load(lambda pf: cell.pj)) for edge in ("rise", "fall")]
        lines += _group("internal_power ()", power)
    return _group(f"pin ({pin})", lines)


def _group(head, lines):
    return [f"{head} {{", *(f"  {line}" for line in lines), "}"]


def _sense(name, pin):
    """XOR and the select pin of a multiplexer pass either edge on as either."""
    if name.startswith(("XOR", "XNOR")) or pin == "S":
        return "timing_sense : non_unate;"
    return f"timing_sense : {'negative' if GATES[name].function.startswith('!') else 'positive'}_unate;"


def _gate(name, cell):
    lines = [f"area : {cell.um * ROW_UM:g};", "cell_leakage_power : 0.1;"]
    for pin in cell.inputs:
        lines += _input(pin, cell.pf)
    # One pin group with a timing group for each input; the sense may differ.
    output = _output("Y", cell, cell.inputs, "@", cell.function)
    for pin in cell.inputs:
        output[output.index("    @")] = f"    {_sense(name, pin)}"
    return _group(f"cell ({name})", lines + output)


def _storage(name, cell):
    flop = name.startswith("DFF")
    edge, closing = ("rising_edge", "rising") if flop else ("rising_edge", "falling")
    state = ["next_state", "clocked_on"] if flop else ["data_in", "enable"]
    lines = [f"area : {cell.um * ROW_UM:g};", "cell_leakage_power : 0.2;"]
    lines += _group(f"{'ff' if flop else 'latch'} (IQ, IQN)", [f'{state[0]} : "D";', f'{state[1]} : "CLK";'])
    lines += _input("CLK", CLOCK_PF, CLOCK_PJ, clock=True)
    checks = []
    for kind, ns in (("setup", SETUP), ("hold", HOLD)):
        tables = [_table(f"{e}_constraint", "constraint", [[ns] * len(SLEWS)] * len(SLEWS)) for e in ("rise", "fall")]
        checks += _group("timing ()", ['related_pin : "CLK";', f"timing_type : {kind}_{closing};", *tables])
    lines += _input("D", cell.pf, cell.pj / 2, more=checks)
    lines += _output("Q", cell, ["CLK"], f"timing_type : {edge};", "IQ")
    return _group(f"cell ({name})", lines)


def liberty():
    cells = [_gate(n, c) for n, c in GATES.items()] + [_storage(n, c) for n, c in STORAGE.items()]
    return HEAD + "".join(f"  {line}\n" for cell in cells for line in cell) + "}\n"


def lef():
    """Outlines only."""
    text = "# Generic standard cells, for relative comparison only. Written by rtl/flow/synth/generic.py, license MIT.\nVERSION 5.7 ;\n"
    for name, cell in {**GATES, **STORAGE}.items():
        text += f"MACRO {name}\n  CLASS CORE ;\n  SIZE {cell.um:g} BY {ROW_UM:g} ;\nEND {name}\n"
    return text + "END LIBRARY\n"


def write(directory):
    """generic.lib and generic.lef; the path of the first."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{NAME}.lef").write_text(lef())
    path = directory / f"{NAME}.lib"
    path.write_text(liberty())
    return path
