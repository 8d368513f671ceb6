# SPDX-License-Identifier: MIT
"""OpenSTA: the shortest clock period of a netlist, and what keeps it from being shorter.

The clock is ideal but for the time it takes to rise, the least that the libraries know; all pins
are at 0 ns: inputs arrive with the clock edge, outputs are taken at the next. A period is what a
path takes from the edge to its end, set-up time included.
"""
import re
import subprocess
from dataclasses import dataclass

from rtl.flow.synth.flow import Failure

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
foreach pin [all_outputs] {{  # the clock continues to blocks that were cut out
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


# Drivers first, and of those near the worst also what they drive.
PINS = """
set_input_delay {late} -clock clk [get_ports req_i*]
set drivers {{}}
set worst {period}
foreach pattern {{{patterns}}} {{
  foreach pin [get_pins $pattern] {{
    set slack [expr min([get_property $pin max_rise_slack], [get_property $pin max_fall_slack])]
    lappend drivers $pin $slack
    if {{$slack < $worst}} {{ set worst $slack }}
  }}
}}
set limit [expr $worst + {near} * ({period} - $worst)]
set out [open {file} w]
foreach {{driver slack}} $drivers {{
  if {{$slack < $limit}} {{
    puts $out "[get_full_name $driver] $slack"
    foreach pin [get_pins -of_objects [get_nets -of_objects $driver]] {{
      puts $out "[get_full_name $pin] [expr min([get_property $pin max_rise_slack], [get_property $pin max_fall_slack])]"
    }}
  }}
}}
close $out
"""


class OpenSta:
    """See sta/linear.py for what is used where it is not installed."""
    name = "OpenSTA"
    program = "sta"

    def _run(self, netlist, log, script):
        tcl = netlist.with_suffix(".tcl")
        tcl.write_text(script)
        run = subprocess.run([self.program, "-no_splash", "-exit", str(tcl)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True)
        log.write_text(run.stdout)
        # OpenSTA continues after an error and ends with 0.
        trouble = [line for line in run.stdout.splitlines() if line.startswith(("Error", "Warning"))]
        if run.returncode or trouble or "@@done" not in run.stdout:
            raise Failure(f"{netlist.name}: OpenSTA: {trouble[0] if trouble else 'stopped'} (log: {log})")
        return run.stdout

    def analyse(self, directory, name, top, process, with_wires, ends=1, pins=()):
        """The worst paths by kind: "all", "hold" and one for each pattern of input pins. The worst
        `ends` path ends are listed, each with its worst start."""
        netlist, lib = directory / f"{name}.v", directory / f"{process.name}{'_wires' if with_wires else ''}.lib"
        more = "\n".join(f'puts "@@{p}"\nreport_checks -path_delay max -from [get_ports {{{p}}}] -format summary'
                         for p in pins)
        # A block of logic alone has no clock pin; its cycle is one that nothing in it uses.
        clocked = "input clk_i;" in netlist.read_text()
        said = self._run(netlist, netlist.with_suffix(".sta.log"), SCRIPT.format(
            lib=lib, netlist=netlist, top=top, period=PERIOD, ends=ends, more=more, setup="",
            clock="[get_ports clk_i]" if clocked else ""))
        ways = {}
        for section in said.split("@@")[1:]:
            name, _, text = section.partition("\n")
            found = []
            for start, _, end, _, slack in ROW.findall(text):
                ns = float(slack) if name == "hold" else PERIOD - float(slack)
                found.append(Way(round(ns, 2), start.replace("\\", ""), end.replace("\\", "")))
            ways[name] = found
        return ways

    def through(self, chip, path, top, lib, loads, late, near, log):
        """The period; and of each driver near the worst path, and its sinks, how long the worst path through it
        is with REQ pins late by `late`, by (cell, pin). With `loads` the wires are given net by net."""
        names = chip.verilog(path, top)
        file = path.with_suffix(".pins")
        used = {kind for kind, _ in chip.cells.values()}
        patterns = sorted({f"*/{pin}" for kind in used for pin in chip.library[kind].functions}, reverse=True)
        said = self._run(path, log, SCRIPT.format(
            lib=lib, netlist=path, top=top, period=PERIOD, ends=1, clock="[get_ports clk_i]",
            setup=chip.loads(names) if loads else "",
            more=PINS.format(late=late, file=file, near=near, period=PERIOD, patterns=" ".join(patterns))))
        through = {}
        for line in file.read_text().splitlines():
            pin, slack = line.split()
            cell, _, pin = pin.rpartition("/")
            through[cell, pin] = PERIOD - float(slack)
        return PERIOD - float(ROW.search(said)[5]), through
