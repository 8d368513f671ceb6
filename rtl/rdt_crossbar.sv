// SPDX-License-Identifier: MIT
// Ten streams in, eleven out, combinational.
// Relies on: at most one bit of sel_i per output; an output without one shows 0.
module rdt_crossbar #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW = rdt_pkg::FlitW
) (
  // Stream of each input: code and flit.
  input  logic [(rdt_pkg::CodeW+DataW)*rdt_pkg::NumPorts-1:0] x_i,
  // Inputs that each output takes, one-hot.
  input  logic [rdt_pkg::NumPorts*rdt_pkg::NumOuts-1:0]             sel_i,
  // Stream of each output.
  output logic [(rdt_pkg::CodeW+DataW)*rdt_pkg::NumOuts-1:0]  x_o
);
  localparam int NumPorts = rdt_pkg::NumPorts;
  localparam int StreamW  = rdt_pkg::CodeW + DataW;

  // A function and not a block: Icarus 11 may never settle when an always_comb passes through other
  // values on its way and feeds another always_comb.
  function automatic logic [StreamW-1:0] column(input logic [StreamW*NumPorts-1:0] d,
                                                input logic [NumPorts-1:0] sel);
    column = '0;
    for (int i = 0; i < NumPorts; i++) begin
      column = column | (d[StreamW*i +: StreamW] & {StreamW{sel[i]}});
    end
  endfunction

  for (genvar o = 0; o < rdt_pkg::NumOuts; o++) begin : gen_out
    assign x_o[StreamW*o +: StreamW] = column(x_i, sel_i[NumPorts*o +: NumPorts]);
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_crossbar.svh"
`endif
endmodule
