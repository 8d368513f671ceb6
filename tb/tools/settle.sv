// SPDX-License-Identifier: MIT
// Two blocks that pass through 0 on their way and feed each other, but not in a circle of bits: prints
// "settled 11". As rdt_crossbar would if it were a block and no function.
module settle;
  logic       in;
  logic [1:0] x, y;
  always_comb begin
    y = 2'd0;
    for (int i = 0; i < 2; i++) y = y | (2'(i == 0 ? in : x[0]) << i);
  end
  always_comb begin
    x = 2'd0;
    for (int i = 0; i < 2; i++) x = x | (2'(y[i]) << i);
  end
  initial begin
    in = 1'b1;
    #1 $display("settled %b", x);
    $finish;
  end
endmodule
