// SPDX-License-Identifier: MIT
// A tick every period_i + 1 cycles that are not halted; none while period_i is 0.
// With load_i the period begins again with next_i, which is period_i in the next cycle.
module rdt_tick #(
  // Bits of the period.
  parameter int Width = 16
) (
  // Clock and reset.
  input  logic             clk_i,
  input  logic             rst_ni,
  // Stops the counter; begins a period.
  input  logic             halt_i,
  input  logic             load_i,
  // Cycles per tick minus one: now, and from the next cycle on.
  input  logic [Width-1:0] period_i,
  input  logic [Width-1:0] next_i,
  // One cycle per period.
  output logic             tick_o
);
  logic [Width-1:0] cnt_d, cnt_q;

  always_comb begin
    if (load_i)           cnt_d = next_i;
    else if (halt_i)      cnt_d = cnt_q;
    else if (cnt_q == '0) cnt_d = period_i;
    else                  cnt_d = cnt_q - {{(Width - 1){1'b0}}, 1'b1};
  end

  assign tick_o = (period_i != '0) && (cnt_q == '0) && !halt_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) cnt_q <= '0;
    else         cnt_q <= cnt_d;
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_tick.svh"
`endif
endmodule
