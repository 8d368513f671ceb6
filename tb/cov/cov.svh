// SPDX-License-Identifier: MIT
// Cover points are bound to the modules of the RTL (cov_<module>.sv) and hit by conditions in a cycle out
// of reset. A point in a loop is a bin for each iteration, in each instance of its module;
// impossible cases are not bins, with the reason at the loop. The name of a point is its row in
// build/cov.json.
`ifndef RDT_COV_SVH
`define RDT_COV_SVH
`define BIN(name, condition) name: cover property (@(posedge clk_i) rst_ni && (condition));
`endif
