#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The silicon flow without the OSU libraries and without OpenSTA.

The generic cells (synth/generic.py) are complete: each has a simulation model of the same function, in the
reader of the project and in that of Yosys, and a block maps to them. A wrong function and a missing cell
are detected, for every cell. Timing by straight lines gives what a path adds up to, and what OpenSTA gives
where it is installed. The library is the requested one, or the error is one line. An undecided
proof fails nothing, and too many of them do.

usage: python3 -m scripts.test.test_silicon [tests of unittest]
"""
import argparse
import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from unittest import mock

from rtl.flow.sta import library, linear, timing
from rtl.flow.synth import areas, flow, generic, liberty, netlist, simulate, technology
from rtl.flow.synth.roles import Roles

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "rtl/flow/synth/generic.v"
BLOCK, PARAMETERS = "rdt_link_io", {"NumVc": 2, "Prio": 1, "AlwaysOn": 0}
# Values of D and CLK, one pair after another: both edges of the cycle, with D stable and with D changing at
# a high and at a low clock.
SEQUENCE = ((0, 0), (0, 1), (0, 0), (1, 0), (1, 1), (0, 1), (0, 0), (1, 0), (0, 0), (0, 1), (1, 1), (1, 0), (1, 1))


def stored(kind, sequence):
    """Q after each pair; None before the first value is stored."""
    q, last, found = None, 0, []
    for data, clock in sequence:
        if clock and (kind == "latch" or not last):
            q = data
        last = clock
        found.append(q)
    return found


def expected(cells):
    """Cell -> the values of its output under the stimulus of bench()."""
    result = {}
    for name, cell in cells.items():
        if cell.kind == "gate":
            table = next(iter(cell.functions.values()))
            result[name] = "".join(str(table >> row & 1) for row in range(1 << len(cell.inputs)))
        else:
            result[name] = "".join("x" if q is None else str(q) for q in stored(cell.kind, SEQUENCE))
    return result


def bench(cells):
    """Verilog that prints a line for each cell; a gate gets all values of its inputs in order."""
    lines = ["module bench;", "integer row;", "reg [3:0] in = 0;", "reg D = 0, CLK = 0;"]
    steps = []
    for name, cell in cells.items():
        out = next(iter(cell.functions))
        pins = [f".{pin}(in[{k}])" for k, pin in enumerate(cell.inputs)] if cell.kind == "gate" else [".D(D)", ".CLK(CLK)"]
        lines += [f"wire y_{name};", f"{name} u_{name} ({', '.join([*pins, f'.{out}(y_{name})'])});"]
        steps.append(f'$write("{name} ");')
        if cell.kind == "gate":
            steps.append(f'for (row = 0; row < {1 << len(cell.inputs)}; row = row + 1) begin in = row; #1 $write("%b", y_{name}); end')
        else:
            # One pair at a time. Each cell gets the whole sequence, so Q is unknown only in the first of them.
            steps += [f'D = {d}; #1 CLK = {c}; #1 $write("%b", y_{name});' for d, c in SEQUENCE]
            steps.append("D = 0; CLK = 0; #1;")
        steps.append('$write("\\n");')
    return "\n".join([*lines, "initial begin", *steps, "$finish(0); end", "endmodule", ""])


def simulated(models, cells, directory):
    (directory / "bench.v").write_text(bench(cells))
    program = directory / "bench"
    subprocess.run(["iverilog", "-g2005", "-s", "bench", "-o", str(program), str(directory / "bench.v"), str(models)], check=True)
    said = subprocess.run(["vvp", "-n", str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return dict(line.split(" ", 1) for line in said.splitlines() if " " in line)


def differences(said, cells):
    """Cells whose model does something else, or that only one side has."""
    wanted = expected({n: c for n, c in cells.items() if c.kind != "other"})
    # A storage cell keeps what the stimulus of the one before it left.
    return sorted(n for n in said.keys() | wanted.keys() if n not in said or n not in wanted
                  or any(w != "x" and s != w for s, w in zip(said[n].strip(), wanted[n])) or len(said[n].strip()) != len(wanted[n]))


def options(build, **given):
    return argparse.Namespace(build=build, **{"liberty": None, "lef": None, **given})


class Base(unittest.TestCase):
    folder: pathlib.Path
    process: technology.Process
    cells: dict

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.process = technology.processes(options(cls.folder, liberty="generic"))[0]
        cls.cells = liberty.read(cls.process.liberty)


class GenericCells(Base):
    def test_functions_match_the_simulation_models(self):
        self.assertEqual(differences(simulated(MODELS, self.cells, self.folder), self.cells), [])

    def test_yosys_reads_the_same_functions(self):
        read = self.folder / "read.v"
        flow.yosys(f"read_liberty {self.process.liberty}\nwrite_verilog -noattr {read}\n", self.folder / "read.log", "reading")
        self.assertEqual(differences(simulated(read, self.cells, self.folder), self.cells), [])

    def test_every_model_is_a_cell(self):
        self.assertEqual(set(re.findall(r"^module (\w+)", MODELS.read_text(), re.M)), set(self.cells))

    def test_a_wrong_function_is_detected_in_every_cell(self):
        said = simulated(MODELS, self.cells, self.folder)
        text, wrong = self.process.liberty.read_text(), self.folder / "wrong.lib"
        for name, cell in self.cells.items():
            body = liberty.group(text, text.index(f"cell ({name})"))
            if cell.kind == "gate":
                bad = re.sub(r'function : "([^"]*)"', r'function : "!(\1)"', body)
            else:  # a flip-flop that is a latch, and the other way round
                swap = {"ff": "latch", "latch": "ff", "next_state": "data_in", "data_in": "next_state",
                        "clocked_on": "enable", "enable": "clocked_on"}
                bad = re.sub(r"\b(ff|latch|next_state|data_in|clocked_on|enable)\b", lambda m: swap[m[1]], body)
            wrong.write_text(text.replace(body, bad))
            self.assertEqual(differences(said, liberty.read(wrong)), [name])

    def test_a_missing_cell_is_detected(self):
        said = simulated(MODELS, self.cells, self.folder)
        for name in self.cells:
            self.assertEqual(differences(said, {n: c for n, c in self.cells.items() if n != name}), [name])

    def test_areas_match_the_outlines_and_a_wrong_one_is_detected(self):
        text, changed = areas.corrected(self.process)  # puts a wrong area into a copy, for each cell
        self.assertEqual((text, changed), (self.process.liberty.read_text(), {}))
        self.assertEqual(set(areas.outlines(self.process.lef)), set(self.cells))

    def test_generic_library_is_named(self):
        self.assertIn("for relative comparison only", self.process.liberty.read_text().splitlines()[0])
        self.assertIn("for relative comparison only", self.process.note)
        self.assertEqual(technology.result(self.folder, "synth", self.process).name, "synth_generic.json")


class Mapping(Base):
    module: dict

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        library.write(cls.process, cls.folder)
        sets = " ".join(f"-set {k} {v}" for k, v in PARAMETERS.items())
        flow.yosys(f"""
            read_verilog -sv -DSYNTHESIS {' '.join(flow.sources(ROOT))}
            chparam {sets} {BLOCK}
            hierarchy -check -top {BLOCK}
            synth -nofsm -noabc -flatten -top {BLOCK}
            dfflibmap -liberty {cls.process.liberty}
            opt
            abc -liberty {cls.process.liberty} {flow.AREA}
            opt_clean -purge
            rename -top block
            splitnets
            rename -enumerate
            read_liberty -lib {cls.process.liberty}
            check -mapped -assert
            write_verilog -noattr -noexpr -nohex -nodec -simple-lhs {cls.folder}/block.v
            write_json {cls.folder}/block.json
            """, cls.folder / "block.log", BLOCK)
        cls.module = json.loads((cls.folder / "block.json").read_text())["modules"]["block"]

    def test_a_block_maps_to_cells_of_the_library(self):
        mapped = flow.Module("block", "block", {}, json=self.module)
        flow.check_cells([mapped], self.cells)
        self.assertGreater(len(self.module["cells"]), 200)
        used = {cell["type"] for cell in self.module["cells"].values()}
        self.assertIn("DFF_X1", used)
        for cell in used:
            left = {n: c for n, c in self.cells.items() if n != cell}
            with self.assertRaisesRegex(flow.Failure, f"is a {cell}, which is not in the library"):
                flow.check_cells([mapped], left)

    def test_linear_model_matches_opensta(self):
        if not shutil.which(timing.OpenSta.program):
            self.skipTest("OpenSTA is not installed")
        timers: list = [timing.OpenSta(), linear.Linear()]
        for wires in (False, True):
            found = [timer.analyse(self.folder, "block", "block", self.process, wires, ends=400, pins=("req_i*",))
                     for timer in timers]
            for what in ("all", "hold", "req_i*"):
                first, second = ([w.ns for w in f[what]] for f in found)
                self.assertEqual(len(first), len(second))
                for a, b in zip(first, second):
                    self.assertAlmostEqual(a, b, delta=0.0101, msg=f"{what}, wires {wires}")


class Lines(Base):
    def test_a_path_takes_the_sum_of_its_cells(self):
        library.write(self.process, self.folder)
        (self.folder / "chain.v").write_text("""
            module chain (input clk_i, input a, output q);
              wire b, c;
              INV_X1 u1 (.A(a), .Y(b));
              NAND2_X1 u2 (.A(b), .B(b), .Y(c));
              DFF_X1 u3 (.CLK(clk_i), .D(c), .Q(q));
            endmodule""")
        flow.yosys(f"""
            read_liberty -lib {self.process.liberty}
            read_verilog {self.folder}/chain.v
            write_json {self.folder}/chain.json
            """, self.folder / "chain.log", "chain")
        for wires, wire in ((False, 0.0), (True, 0.012)):
            ways = linear.Linear().analyse(self.folder, "chain", "chain", self.process, wires, ends=2)["all"]
            # INV_X1 drives two pins of 5 fF, the NAND one of 5 fF, the flip-flop an output pin.
            to_d = 0.02 + 3.0 * 2 * (0.005 + wire) + 0.03 + 3.5 * (0.005 + wire) + generic.SETUP
            to_q = 0.20 + 3.0 * wire
            self.assertEqual([(w.ns, w.start, w.end) for w in ways],
                             sorted([(round(to_d, 2), "a", "u3/D"), (round(to_q, 2), "u3/Q", "q")], reverse=True))


class Library(Base):
    def asked(self, **given):
        with self.assertRaises(flow.Unusable) as raised:
            process = technology.processes(options(self.folder, **given))[0]
            Roles(liberty.read(process.liberty), process.liberty.name)
        self.assertNotIn("\n", str(raised.exception))
        return str(raised.exception)

    def test_the_environment_names_it_and_an_option_comes_first(self):
        other = self.folder / "other.lib"
        shutil.copy(self.process.liberty, other)
        with mock.patch.dict(os.environ, {"RDT_LIBERTY": str(other), "RDT_LEF": str(self.process.lef)}):
            found = technology.processes(options(self.folder))
            self.assertEqual([(p.name, p.lef, p.documented) for p in found], [("other", self.process.lef, False)])
            self.assertEqual(technology.processes(options(self.folder, liberty="generic"))[0].name, "generic")

    def test_without_osu_it_is_the_generic_one(self):
        said = io.StringIO()
        with (mock.patch.object(technology, "installed", lambda process: None), mock.patch.dict(os.environ, {"RDT_LIBERTY": ""}),
              contextlib.redirect_stderr(said)):
            self.assertEqual([p.name for p in technology.processes(options(self.folder))], ["generic"])
        self.assertEqual(said.getvalue(), "cell library osu050 and osu018 not installed: generic cells are used, "
                                          "for relative comparison only\n")

    def test_without_a_lef_file_areas_are_those_of_the_liberty_file(self):
        alone = self.folder / "alone" / "x.lib"
        alone.parent.mkdir()
        shutil.copy(self.process.liberty, alone)
        process = technology.processes(options(self.folder, liberty=str(alone)))[0]
        self.assertIsNone(process.lef)
        self.assertEqual(areas.rows(process, self.cells)[0]["NAND2_X1"], 20)

    def test_unusable_library_is_named(self):
        self.assertIn("no such file", self.asked(liberty="nothing.lib"))
        self.assertIn("--lef needs --liberty", self.asked(lef=self.process.lef))
        bad = self.folder / "invalid.lib"
        for text, says in (("no library", "no cells"), ("library (x) { cell (A) { area : 1;", "not a Liberty file"),
                           (self.process.liberty.read_text().replace("clocked_on : \"CLK\"", "clocked_on : \"!CLK\""), "no D flip-flop")):
            bad.write_text(text)
            self.assertIn(says, self.asked(liberty=str(bad)))


class InjectedGates(unittest.TestCase):
    """simulate.run with a made-up simulation: gates are detected or not, proven harmless or not."""

    def run_with(self, unseen, harmless):
        """Sixty gates are drawn from 0 on, without those that were replaced."""
        def once(program, file, clocks, seed, without, nets):
            drawn = [gate for gate in range(1000) if gate not in without][:60]
            found = [simulate.Injected(g not in unseen, g, 0, f"gate{g}", frozenset()) for g in drawn]
            return {"injected": 60, "injected_seen": sum(p.seen for p in found)}, None, found

        prover = mock.Mock()
        prover.block.return_value = "block"
        prover.decide.side_effect = lambda p, *_: "all" if p.gate in harmless else None
        with (mock.patch.object(simulate, "_once", once), mock.patch.object(simulate, "Prover", lambda *_, **__: prover),
              contextlib.redirect_stdout(io.StringIO())):
            return simulate.run("program", netlist.Graph(), pathlib.Path(os.devnull), 10, 1)

    def test_an_undecided_gate_is_named_and_replaced(self):
        counted, difference = self.run_with({3, 7, 60}, {7})
        self.assertIsNone(difference)
        self.assertEqual((counted["injected_seen"], counted["injected_harmless"], counted["injected_undecided"]), (60, 1, 2))
        self.assertEqual(counted["injected_undecided_are"], "gate3 of block, gate60 of block")

    def test_too_many_undecided_gates_fail(self):
        counted, difference = self.run_with(set(range(0, 70, 8)), set())
        self.assertIn("the traffic detects too little", difference)
        self.assertGreater(counted["injected_undecided"], 6)

    def test_a_detected_gate_must_not_be_proven_harmless(self):
        with self.assertRaisesRegex(flow.Failure, "gate0: proven to change nothing, but detected"):
            self.run_with({3}, {0, 3})


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
