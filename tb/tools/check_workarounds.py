#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Report which workarounds of the RTL the installed Verilator, Icarus and Yosys no longer need.

Each case of tb/tools does what the RTL avoids. A tool that handles a case correctly gets a notice, not a
failure: older versions still need the workaround. So does a tool that does not take a case or an option any
more. This fails only if a workaround is taken and does not help.

usage: check_workarounds.py [--inject] BUILD_DIR
  --inject   instead: each tool gets a design without the difficulty, which has to give the notice

Exit code 77 (skipped): none of the tools is installed.
"""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ROOT / "tb/tools"
# Verilator compiles its runtime again for every case.
ENVIRONMENT = {**os.environ, **({"OBJCACHE": "ccache"} if shutil.which("ccache") else {})}
# All files as one, and not optimized.
QUICKLY = [w for o in ("OPT_FAST=-O0", "OPT_GLOBAL=-O0", "VM_PARALLEL_BUILDS=0") for w in ("-MAKEFLAGS", o)]
# A correct design in place of each case, to show that this script gives the notice.
SOUND = """module {top} (input logic clk_i, input logic [1:0] hidx_i, input logic mc_i, input logic as_is_i,
  input logic [7:0] x_i, input logic [3:0] a_i, output logic [{width}:0] o);
  logic mc_q;
  always_ff @(posedge clk_i) mc_q <= (hidx_i != 2'd0) ? mc_q : mc_i;
  assign o = {value};
endmodule
"""


class NotTried(Exception):
    """A tool stopped; what it printed, in one line."""


def run(command, folder, limit=120):
    """Exit code and output; None if it does not end."""
    try:
        done = subprocess.run([str(c) for c in command], cwd=folder, timeout=limit, text=True, env=ENVIRONMENT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


def verilator(flags):
    def wrong(source, folder):
        shutil.rmtree(folder / "obj_dir", ignore_errors=True)
        code, text = run(["verilator", "--cc", "--exe", "--build", "-O3", "-Wno-fatal", *flags, *QUICKLY,
                          "--top-module", "bit_tree", source, CASES / "bit_tree.cpp"], folder)
        if code:
            raise NotTried(" ".join(text[-300:].split()))
        return run([folder / "obj_dir/Vbit_tree"], folder)[0] == 1
    return wrong


def icarus_says(word):
    def wrong(source, folder):
        code, text = run(["iverilog", "-g2012", "-t", "null", source], folder)
        return code != 0 or word in text
    return wrong


def icarus_hangs(source, folder):
    code, text = run(["iverilog", "-g2012", "-o", "a.vvp", source], folder)
    if code:
        raise NotTried(" ".join(text[-300:].split()))
    code, text = run(["vvp", "-n", "a.vvp"], folder, 5)
    return code is None


def yosys(claim):
    def wrong(source, folder):
        proof = f"sat -verify -prove o {claim} -show-inputs" if claim else ""
        code, _ = run(["yosys", "-q", "-p", f"read_verilog -sv {source}; hierarchy -auto-top; proc; opt; {proof}"], folder)
        return code != 0
    return wrong


# tool, case, wrong(source, folder), the workaround, value and width of the correct design
LIST = [
    ("verilator", "bit_tree", verilator([]), "-fno-const-bit-op-tree (cmake/verilate.cmake, cmake/rdt-config.cmake.in, "
     "examples/rtl_bench), in_h2 in rdt_output_unit", "(hidx_i == 2'd2 && !as_is_i && mc_q) ? x_i : 8'd0", 7),
    ("iverilog", "settle", icarus_hangs, "functions in place of blocks that pass through 0 (rdt_crossbar)", "a_i", 3),
    ("iverilog", "constant_select", icarus_says("sorry"), "wires for bits that a block reads", "a_i", 3),
    ("iverilog", "enum_choice", icarus_says("error"), "if and else in place of ?: for states", "a_i", 3),
    ("iverilog", "package_enum", icarus_says("error"), "states as enums of their modules, constants in rdt_pkg", "a_i", 3),
    ("yosys", "package_of_package", yosys(None), "widths in rdt_pkg that are numbers and no sums", "a_i", 3),
    ("yosys", "struct_array", yosys("a_i"), "flat vectors in place of arrays of structs", "a_i", 3),
]


def main():
    inject = sys.argv[1] == "--inject"
    # Both modes may run at the same time.
    folder = pathlib.Path(sys.argv[-1]).resolve() / "workarounds" / ("injected" if inject else "real")
    folder.mkdir(parents=True, exist_ok=True)
    installed = {tool for tool in ("verilator", "iverilog", "yosys") if shutil.which(tool)}
    try:
        if "verilator" in installed and verilator(["-fno-const-bit-op-tree"])(CASES / "bit_tree.sv", folder):
            sys.exit("verilator: -fno-const-bit-op-tree does not help any more")
    except NotTried as e:
        print(f"notice: this verilator does not take -fno-const-bit-op-tree: {e}")
    missed = False
    for tool, name, wrong, workaround, value, width in LIST:
        if tool not in installed:
            print(f"{name}: skipped: {tool} is not installed")
            continue
        source = CASES / f"{name}.sv"
        if inject:
            source = folder / f"{name}.sv"
            source.write_text(SOUND.format(top=name, value=value, width=width))
        try:
            needed = wrong(source, folder)
        except NotTried as e:
            print(f"notice: {name}: not tried, {tool} stopped: {e}")
            missed |= inject
            continue
        if needed:
            print(f"{name}: {'NOT noticed in a correct design' if inject else 'needed'}")
            missed |= inject
        else:
            print(f"notice: {name}: this {tool} does not need: {workaround}")
    return 1 if missed else 0 if installed else 77


if __name__ == "__main__":
    sys.exit(main())
