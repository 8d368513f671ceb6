// SPDX-License-Identifier: MIT
// The functions of spec_pkg.sv as a module that Verilator can compile, for the test of the C++ functions.
`include "spec_pkg.sv"
module spec_functions (
  input  logic [3:0]  port_i,
  input  logic [16:0] h0_i,
  input  logic [16:0] h1_i,
  input  logic [16:0] h2_i,
  input  logic [1:0]  in_vc_i,
  input  logic [2:0]  rank_i,
  input  logic [3:0]  xfer_i,
  input  logic [7:0]  dateline_i,
  input  logic [7:0]  mask_i,
  input  logic [3:0]  ranks_i,
  input  logic        bad_map_i,
  input  logic        raw_i,
  output logic [17:0] route_o,
  output logic [14:0] bitmap_o,
  // a header flit, and how it leaves
  input  logic [17:0] flit_i,
  input  logic [1:0]  idx_i,
  input  logic [2:0]  type_i,
  input  logic        up_i,
  input  logic [8:0]  plan_i,
  input  logic        unicast_i,
  input  logic        transfer_i,
  output logic [17:0] copy_o,
  output logic [16:0] rewrite_o
);
  assign route_o   = spec_pkg::route(port_i, h0_i, h1_i, h2_i, in_vc_i, rank_i, xfer_i, dateline_i, bad_map_i, raw_i);
  assign bitmap_o  = spec_pkg::bitmap(port_i, h0_i, h1_i, h2_i, rank_i, xfer_i, mask_i, ranks_i, in_vc_i);
  assign copy_o    = spec_pkg::copy(flit_i, 32'(idx_i), type_i, up_i, plan_i, rank_i, ranks_i);
  assign rewrite_o = spec_pkg::rewrite(flit_i[16:0], 32'(idx_i), 32'(port_i), unicast_i, !unicast_i, transfer_i, rank_i, 4'd0, 1'b0);
endmodule
