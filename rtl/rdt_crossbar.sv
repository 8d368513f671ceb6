// SPDX-License-Identifier: MIT
// Ten streams in, eleven out, combinational.
// Relies on: at most one bit of sel_i per output; an output without one shows 0.
module rdt_crossbar (
  input  logic [199:0] x_i,
  input  logic [109:0] sel_i,
  output logic [219:0] x_o
);
  for (genvar o = 0; o < rdt_pkg::NumOuts; o++) begin : gen_out
    logic [9:0]  sel;
    logic [19:0] x;

    assign sel = sel_i[10*o +: 10];

    always_comb begin
      x = 20'd0;
      for (int i = 0; i < rdt_pkg::NumPorts; i++) begin
        x = x | (x_i[20*i +: 20] & {20{sel[i]}});
      end
    end

    assign x_o[20*o +: 20] = x;
  end
endmodule
