// SPDX-License-Identifier: MIT
// o has to be 0 but in hidx_i = 2 of a multicast that is not sent as it is. As in rdt_output_unit,
// where a bit of in_m was taken for 1.
module bit_tree (
  input  logic       clk_i,
  input  logic [1:0] hidx_i,
  input  logic       mc_i,
  input  logic       as_is_i,
  input  logic [7:0] x_i,
  output logic [7:0] o
);
  logic [2:0] in_h, in_m;
  logic       mc_d, mc_q;
  for (genvar k = 0; k < 3; k++) begin : gen_in_h
    assign in_h[k] = !as_is_i && (hidx_i == 2'(k));
  end
  assign mc_d = (hidx_i != 2'd0) ? mc_q : mc_i;
  assign in_m = in_h & {3{mc_d}};
  always_ff @(posedge clk_i) mc_q <= mc_d;
  assign o = x_i & {8{in_m[2]}};
  logic unused;
  assign unused = ^in_m;
endmodule
