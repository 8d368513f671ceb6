// SPDX-License-Identifier: MIT
// The chip for a simulator that is called once per cycle: every change of clk_i is one rising edge
// of the chip's clock, which falls again within the same call. Verilator evaluates what follows
// from the pins in every call, so that a call for the falling edge alone costs about as much as
// half of the other. For measuring speed; nothing to be built.
module rdt_router_once (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [179:0] d_i,
  output logic [179:0] d_o,
  output logic [9:0]   d_oe_o,
  input  logic [19:0]  req_i,
  output logic [19:0]  req_o,
  input  logic [19:0]  cred_i,
  output logic [19:0]  cred_o,
  output logic         err_o,
  input  logic         shoot_i,
  input  logic         slice_i,
  output logic         slice_o
);
  logic clk;
  logic seen = 1'b0;

  assign clk = clk_i ^ seen;
  always_ff @(posedge clk) seen <= clk_i;

  rdt_router chip (.clk_i(clk), .*);
endmodule
