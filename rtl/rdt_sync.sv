// SPDX-License-Identifier: MIT
// Brings a signal that changes at any time into step with the clock: two flip-flops, of which the first
// may be caught between two values and has a cycle to settle.
// Promises: 0 in reset, whether the clock runs or not; q_o follows d_i after two cycles, or one more if
// d_i changed too close to the edge.
// Relies on: d_i keeps its value for more than a cycle.
module rdt_sync (
  // Clock; reset.
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous
  // Signal before and after synchronization.
  input  logic d_i,
  output logic q_o
);
  logic meta_q, q_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      meta_q <= 1'b0;
      q_q    <= 1'b0;
    end else begin
      meta_q <= d_i;
      q_q    <= meta_q;
    end
  end

  assign q_o = q_q;
endmodule
