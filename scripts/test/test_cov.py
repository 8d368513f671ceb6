#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks make cov with synthetic counts: covered, missed, excluded with a reason, and wrong exclusions."""
import pathlib
import re
import tempfile
import unittest

from tb.cov import toggles
from tb.cov.constants import Constants, constant_bits
from tb.cov.exclusions import Exclusions, Failure
from tb.cov.points import Points
from tb.cov.summary import Summary


SOURCE = "module rdt_x;\n  if (a) b = 1;\n  else   b = 0;\n  default: c = 1;\nendmodule\n"
# kind, file, line, column, instance, what, lines, sum, most of one model
COUNTS = """v_branch/rdt_x\trtl/rdt_x.sv\t2\t3\t.rdt_router.u_x\tif\t2\t{a}\t{a}
v_branch/rdt_x\trtl/rdt_x.sv\t2\t4\t.rdt_router.u_x\telse\t3\t7\t7
v_line/rdt_x\trtl/rdt_x.sv\t4\t3\t.rdt_router.u_x\tcase\t4\t{c}\t{c}
v_toggle/rdt_x\trtl/rdt_x.sv\t1\t1\t.rdt_router.u_x\td[0]\t\t9\t{d}
v_toggle/rdt_x__N2\trtl/rdt_x.sv\t1\t1\t.rdt_router.u_y\td[0]\t\t1\t1
v_toggle/rdt_x\trtl/rdt_x.sv\t1\t1\t.rdt_router.u_x\td[1]\t\t2\t2
v_line/cov_x\ttb/cov/cov_x.sv\t1\t1\t.rdt_router.u_x.u_cov\tblock\t1\t0\t0
v_user/cov_x\ttb/cov/cov_x.sv\t3\t1\t.rdt_router.u_x.u_cov.gen_p__BRA__0__KET__.seen\tseen\t3\t5\t5
v_user/cov_x\ttb/cov/cov_x.sv\t3\t1\t.rdt_router.u_x.u_cov.gen_p__BRA__1__KET__.seen\tseen\t3\t{bin}\t0
"""


# Bits of a, whose first counter is 5, as Verilator writes them.
BITS = """    if ((1U & ((IData)(vlSelf->a)
               ^ (IData)(vlSelf->b)))) {
        ++vlSymsp->__Vcoverage[5];
        vlSelf->b = ((6U & (IData)(vlSelf->b)) | (1U & (IData)(vlSelf->a)));
    }
    if ((2U & ((IData)(vlSelf->a) ^ (IData)(vlSelf->b)))) {
        ++vlSymsp->__Vcoverage[6];
        vlSelf->b = ((5U & (IData)(vlSelf->b)) | (2U & (IData)(vlSelf->a)));
    }
    if ((4U & ((IData)(vlSelf->a) ^ (IData)(vlSelf->b)))) {
        ++vlSymsp->__Vcoverage[7];
        vlSelf->b = ((3U & (IData)(vlSelf->b)) | (4U & (IData)(vlSelf->%s)));
    }
"""


def summary(exclusions="", constants=(), **counts):
    values = dict(a=1, c=1, d=2, bin=1)
    values.update(counts)
    points = Points()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "counts.txt"
        path.write_text(COUNTS.format(**values))
        points.read(path)
    rules = Exclusions(exclusions)
    return Summary(points, rules, lambda name: SOURCE, Constants(constants)), rules


class Coverage(unittest.TestCase):
    def figures(self, of):
        return {k: of.percent(k) for k in ("line", "branch", "toggle", "functional")}

    def test_all_is_covered(self):
        of, rules = summary()
        self.assertEqual(self.figures(of), {"line": 100, "branch": 100, "toggle": 100, "functional": 100})
        self.assertEqual((of.holes, rules.mistakes()), ([], []))

    def test_a_line_and_its_branch_are_missed(self):
        of, _ = summary(c=0)
        self.assertEqual({(h["kind"], h["line"]) for h in of.holes}, {("line", 4), ("branch", 4)})
        self.assertLess(of.percent("line"), 100)
        self.assertLess(of.percent("branch"), 100)

    def test_a_bit_that_only_rises_is_missed(self):
        of, _ = summary(d=1)  # twice in all, but once in each model
        self.assertEqual([(h["kind"], h["what"]) for h in of.holes], [("toggle", "d[0]")])
        self.assertEqual(of.percent("toggle"), 50)

    def test_a_bin_is_an_instance(self):
        of, _ = summary(bin=0)
        self.assertEqual(of.functional["x: seen"], {"points": 2, "hit": 1, "excluded": 0})
        self.assertEqual(of.holes[0]["text"], "rdt_router.u_x.u_cov.gen_p[1].seen")

    def test_a_figure_below_its_floor(self):
        floors = {"line": 100, "branch": 100, "toggle": 98, "functional": 95}
        self.assertEqual(summary()[0].below(floors), [])
        self.assertEqual([line.split()[0] for line in summary(c=0)[0].below(floors)], ["line", "branch"])
        self.assertEqual([line.split()[0] for line in summary(d=0, bin=0)[0].below(floors)], ["toggle", "functional"])

    def test_points_with_a_reason_do_not_count(self):
        reasons = ("rdt_x.sv branch case default: c = 1; # never\nrdt_x.sv line default: c = 1; # never\n"
                   "rdt_x.sv toggle d\\[0\\] # tied\ncov_x.sv bin seen .*gen_p\\[1\\].* # no such port\n")
        of, rules = summary(reasons, c=0, d=0, bin=0)
        self.assertEqual((of.holes, rules.mistakes()), ([], []))
        self.assertEqual(of.files["rdt_x.sv"]["toggle"], {"points": 1, "hit": 1, "excluded": 1})

    def test_a_constant_needs_no_reason(self):
        both = ("rdt_router.u_x.d[0]", "rdt_router.u_y.d[0]")
        of, _ = summary(constants=both, d=0)
        self.assertEqual((of.holes, of.files["rdt_x.sv"]["toggle"]), ([], {"points": 1, "hit": 1, "excluded": 1}))
        of, _ = summary(constants=both[:1], d=0)  # in one of its two places only
        self.assertEqual([h["what"] for h in of.holes], ["d[0]"])

    def test_a_constant_that_toggles(self):
        constants = Constants(["rdt_router.u_x.d[0]"])
        self.assertEqual(constants.mistakes({("rdt_router.u_x", "d[1]")}), [])
        self.assertIn("has toggled", constants.mistakes({("rdt_router.u_x", "d[0]")})[0])

    def test_constants_of_a_netlist(self):
        nets = {"u_x.d": {"bits": [7, "0", "x", "1"]}, "one": {"bits": ["1"]}, "up": {"bits": ["0", 3], "offset": 4}}
        self.assertEqual(constant_bits(nets),
                         ["rdt_router.one", "rdt_router.u_x.d[1]", "rdt_router.u_x.d[3]", "rdt_router.up[4]"])

    def test_bits_beside_each_other_are_one_statement(self):
        text = toggles.gather(BITS % "a")
        self.assertEqual(re.findall(r"= (0x\w+)U & .*\n.*toggled\(vlSymsp->__Vcoverage, (\d+),", text), [("0x7", "5")])
        self.assertNotIn("++", text)
        # The last one is of another vector.
        text = toggles.gather(BITS % "c")
        self.assertEqual(re.findall(r"= (0x\w+)U &|Vcoverage\[(\d+)\]", text), [("0x3", ""), ("", "7")])

    def test_a_reason_for_nothing(self):
        _, rules = summary("rdt_x.sv line default: d = 1; # never\n")
        self.assertIn("matches nothing", rules.mistakes()[0])

    def test_a_reason_for_a_covered_point_is_wrong(self):
        _, rules = summary("rdt_x.sv toggle d.* # tied\n", d=0)
        self.assertIn("1 of 2 points", rules.mistakes()[0])

    def test_no_reason(self):
        for line in ("rdt_x.sv line default: c = 1;\n", "rdt_x.sv line default: c = 1; # \n",
                     "rdt_x.sv lines x # y\n", "rdt_x.sv line [ # y\n"):
            with self.assertRaises(Failure):
                Exclusions(line)


if __name__ == "__main__":
    unittest.main()
