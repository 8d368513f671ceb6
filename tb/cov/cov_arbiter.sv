// SPDX-License-Identifier: MIT
// Cover points of rdt_arbiter: competing inputs and winner of each output.
`include "cov.svh"
module cov_arbiter (
  // verilator coverage_off
  input logic         clk_i,
  input logic         rst_ni,
  input logic [109:0] want_i,
  input logic [109:0] gnt_o,
  input logic [10:0]  line_gnt_i,
  input logic [10:0]  gnt_out_o,
  input logic [1:0]   aged
);
  logic [109:0] by_out;  // want_i by output
  for (genvar o = 0; o < 11; o++) begin : gen_sort
    for (genvar i = 0; i < 10; i++) begin : gen_in
      assign by_out[10*o + i] = want_i[11*i + o];
    end
  end
  // verilator coverage_on

  for (genvar o = 0; o < 11; o++) begin : gen_out
    for (genvar n = 2; n < 5; n++) begin : gen_tie
      `BIN(inputs_at_once_for_output, gnt_out_o[o] && $countones(by_out[10*o +: 10]) == n)
    end
    // A free line is not offered without a request, and has no wait state.
    `BIN(output_wanted_in_vain, |by_out[10*o +: 10] && !line_gnt_i[o])
    for (genvar k = 0; k < 2; k++) begin : gen_mbp
      `BIN(young_mbp_after_transit, gnt_out_o[o] && by_out[10*o + 8 + k] && !gnt_o[11*(8 + k) + o] && !aged[k])
      `BIN(aged_mbp_wins, gnt_o[11*(8 + k) + o] && aged[k] && |by_out[10*o +: 8])
    end
  end
  for (genvar i = 0; i < 10; i++) begin : gen_in
    for (genvar n = 1; n < 5; n++) begin : gen_copies
      `BIN(outputs_granted_at_once_to_input, $countones(gnt_o[11*i +: 11]) == n)
    end
  end
endmodule

bind rdt_arbiter cov_arbiter u_cov (.*);
