// SPDX-License-Identifier: MIT
// Cover points are bound to the modules of the RTL (cov_<module>.sv) and hit by conditions in a cycle out
// of reset. One in a loop is a bin for each turn of it, in each instance of its module; what cannot be is
// no bin, and the loop says why. The name of a point is its row in build/cov.json.
`ifndef RDT_COV_SVH
`define RDT_COV_SVH
`define BIN(name, condition) name: cover property (@(posedge clk_i) rst_ni && (condition));
`endif
