# SPDX-License-Identifier: MIT
"""The library's cells in Verilog that every tool reads, and the tools that read the netlist.

The models that come with the library have user-defined primitives, which Verilator does not know.
"""
import subprocess

TOOLS = {"Icarus": "iverilog", "Verilator": "verilator", "Yosys": "yosys"}  # besides the timer


def _model(name, cell):
    pins = [f"input {pin}" for pin in cell.inputs] + [f"output {'' if cell.kind == 'gate' else 'reg '}{pin}"
                                                      for pin in cell.functions]
    lines = [f"module {name} ({', '.join(pins)});"]
    for pin, table in cell.functions.items():
        if cell.kind == "ff":
            lines.append(f"  always @(posedge {cell.clock}) {pin} <= {cell.data};")
            continue
        if cell.kind == "latch":
            lines.append(f"  always @* if ({cell.clock}) {pin} = {cell.data};")
            continue
        rows = 1 << len(cell.inputs)
        lines.append(f"  wire [{rows - 1}:0] {pin}_table = {rows}'d{table};")
        lines.append(f"  assign {pin} = {pin}_table[{{{', '.join(reversed(cell.inputs))}}}];")
    return "\n".join(lines + ["endmodule", ""])


def write(library, path):
    text = "".join(_model(name, cell) for name, cell in library.items() if cell.kind in ("gate", "ff", "latch"))
    path.write_text("// Cells of the library as truth tables, first input in the lowest bit.\n" + text)


def check(netlist, models, top, log):
    """Errors of the tools that read the netlist; empty if they succeed."""
    files = [str(models), str(netlist)]
    commands = {
        "Icarus": ["iverilog", "-g2005", "-s", top, "-o", "/dev/null", *files],
        "Verilator": ["verilator", "--lint-only", "-Wno-lint", "-Wno-fatal", "--top-module", top, *files],
        "Yosys": ["yosys", "-q", "-p", f"read_verilog {' '.join(files)}; hierarchy -check -top {top}; check -assert"],
    }
    failures = []
    with open(log, "w") as out:
        for tool, command in commands.items():
            out.write(" ".join(command) + "\n")
            out.flush()
            if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT).returncode:
                failures.append(f"{tool} cannot read {netlist} (log: {log})")
            else:
                print(f"{tool} reads the netlist", flush=True)
    return failures
