// SPDX-License-Identifier: MIT
// Ten streams in, eleven out, combinational.
// Relies on: at most one bit of sel_i per output; an output without one shows 0.
module rdt_crossbar (
  input  logic [199:0] x_i,
  input  logic [109:0] sel_i,
  output logic [219:0] x_o
);
  // A function and not a block: Icarus 11 may never settle when an always_comb passes through other
  // values on its way and feeds another always_comb.
  function automatic logic [19:0] column(input logic [199:0] d, input logic [9:0] sel);
    column = 20'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) begin
      column = column | (d[20*i +: 20] & {20{sel[i]}});
    end
  endfunction

  for (genvar o = 0; o < rdt_pkg::NumOuts; o++) begin : gen_out
    assign x_o[20*o +: 20] = column(x_i, sel_i[10*o +: 10]);
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_crossbar.svh"
`endif
endmodule
