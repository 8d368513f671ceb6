// SPDX-License-Identifier: MIT
// A word of flip-flops with an enable as one whose clock comes only when it is written: a latch, open
// while the clock is low, keeps the enable still while the clock is high. gated_invert, gated_latch and
// gated_and become cells of the library.
(* techmap_celltype = "$dffe" *)
module gated_word (CLK, EN, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1'b1;
  parameter EN_POLARITY = 1'b1;
  input CLK, EN;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire _TECHMAP_FAIL_ = WIDTH < 8 || !CLK_POLARITY;
  wire low, enable, gated;
  gated_invert invert (.A(CLK), .Y(low));
  gated_latch hold (.CLK(low), .D(EN ^ !EN_POLARITY), .Q(enable));
  gated_and gate (.A(CLK), .B(enable), .Y(gated));
  $dff #(.WIDTH(WIDTH), .CLK_POLARITY(1'b1)) word (.CLK(gated), .D(D), .Q(Q));
endmodule
