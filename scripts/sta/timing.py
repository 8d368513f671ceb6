# SPDX-License-Identifier: MIT
"""OpenSTA: the shortest clock period of a netlist, and what keeps it from being shorter.

The clock is ideal but for the time it takes to rise, the least that the libraries know; all pins are at
0 ns: inputs arrive with the clock edge, outputs are taken at
the next. A period is what a path takes from the edge to its end, set-up time included.
"""
import re
import subprocess
from dataclasses import dataclass

from synth.flow import Failure

PERIOD = 1000.0  # far above any path, so that no slack is negative
ROW = re.compile(r"^(\S+) \((\S+)\)\s+(\S+) \((\S+)\)\s+(-?[\d.]+)$", re.M)

SCRIPT = """
read_liberty {lib}
read_verilog {netlist}
link_design {top}
{setup}
create_clock -name clk -period {period} {clock}
if {{"{clock}" ne ""}} {{ set_clock_transition 0.06 [get_clocks clk] }}
set inputs {{}}
foreach pin [all_inputs] {{ if {{[get_full_name $pin] ne "clk_i"}} {{ lappend inputs $pin }} }}
if {{[llength $inputs]}} {{ set_input_delay 0 -clock clk $inputs }}
foreach pin [all_outputs] {{  # the clock goes on to blocks that were cut out
  if {{![string match "*clk_i" [get_full_name $pin]]}} {{ set_output_delay 0 -clock clk $pin }}
}}
puts "@@all"
report_checks -path_delay max -group_count {ends} -format summary
{more}
puts "@@hold"
report_checks -path_delay min -format summary
puts "@@done"
"""


@dataclass(frozen=True)
class Way:
    ns: float
    start: str  # cell and pin, or a pin of the design
    end: str


def analyse(netlist, top, lib, clocked=True, ends=1, pins=(), setup=""):
    """The worst ways by what they are: "all", "hold" and one for each pattern of input pins. Of all
    ends the worst `ends` are named, each with its worst start. `setup` are commands, as for loads."""
    more = "\n".join(f'puts "@@{p}"\nreport_checks -path_delay max -from [get_ports {{{p}}}] -format summary'
                     for p in pins)
    # A block of logic alone has no clock pin; its clock is one that nothing in it uses.
    script = SCRIPT.format(lib=lib, netlist=netlist, top=top, period=PERIOD, ends=ends, more=more, setup=setup,
                           clock="[get_ports clk_i]" if clocked else "")
    log, tcl = netlist.with_suffix(".sta.log"), netlist.with_suffix(".tcl")
    tcl.write_text(script)
    run = subprocess.run(["sta", "-no_splash", "-exit", str(tcl)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    log.write_text(run.stdout)
    # OpenSTA goes on after an error and ends with 0.
    trouble = [line for line in run.stdout.splitlines() if line.startswith(("Error", "Warning"))]
    if run.returncode or trouble or "@@done" not in run.stdout:
        raise Failure(f"{netlist.name}: OpenSTA: {trouble[0] if trouble else 'stopped'} (log: {log})")
    ways = {}
    for section in run.stdout.split("@@")[1:]:
        name, _, text = section.partition("\n")
        found = []
        for start, _, end, _, slack in ROW.findall(text):
            ns = float(slack) if name == "hold" else PERIOD - float(slack)
            found.append(Way(round(ns, 2), start.replace("\\", ""), end.replace("\\", "")))
        ways[name] = found
    return ways
