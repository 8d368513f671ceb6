// SPDX-License-Identifier: MIT
// A tick every period_i + 1 clocks that are not halted; none while period_i is 0.
// A new period counts from the next tick on.
module rdt_tick (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        halt_i,
  input  logic [15:0] period_i,
  output logic        tick_o
);
  logic [15:0] cnt_d, cnt_q;

  always_comb begin
    if (halt_i)              cnt_d = cnt_q;
    else if (cnt_q == 16'd0) cnt_d = period_i;
    else                     cnt_d = cnt_q - 16'd1;
  end

  assign tick_o = (period_i != 16'd0) && (cnt_q == 16'd0) && !halt_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) cnt_q <= 16'd0;
    else         cnt_q <= cnt_d;
  end
endmodule
