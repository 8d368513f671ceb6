// SPDX-License-Identifier: MIT
// The crossbar: an output shows the stream of the input it selects, one input may feed several
// outputs, an output without a selection shows 0, and two selections are ORed.
module crossbar_tb;
  `include "tb/icarus/check.svh"

  logic [199:0] x_i;
  logic [109:0] sel;
  logic [219:0] x_o;

  rdt_crossbar u_dut (
    .x_i  (x_i),
    .sel_i(sel),
    .x_o  (x_o)
  );

  logic [19:0] want;
  integer      passed = 0;  // streams switched through

  always @(posedge clk) if (live) begin
    `KNOWN(x_o)
    for (int o = 0; o < 11; o++) begin
      want = 20'd0;
      for (int i = 0; i < 10; i++) begin
        if (sel[10*o + i]) begin
          want   = want | x_i[20*i +: 20];
          passed = passed + 1;
        end
      end
      `EQ(x_o[20*o +: 20], want)
    end
  end

  initial begin
    reset_with_x;
    x_i = 200'd0; sel = 110'd0;
    go;

    // Every pair alone.
    for (int o = 0; o < 11; o++) begin
      for (int i = 0; i < 10; i++) begin
        sel = 110'd1 << (10*o + i);
        for (int j = 0; j < 10; j++) x_i[20*j +: 20] = 20'h80000 + 20'h1111 * j;
        #1 `EQ(x_o, 220'(20'h80000 + 20'h1111 * i) << (20*o))
        @(negedge clk);
      end
    end

    // Nothing selected: X on the inputs stays outside.
    sel = 110'd0; x_i = {200{1'bx}};
    #1 `EQ(x_o, 220'd0)
    @(negedge clk);

    for (int n = 0; n < 3000; n++) begin
      for (int j = 0; j < 7; j++) x_i[32*j +: 32] = $random(seed);
      sel = 110'd0;
      for (int o = 0; o < 11; o++) begin
        if (rnd(4) != 0) sel[10*o + rnd(10)] = 1'b1;
        if (rnd(50) == 0) sel[10*o + rnd(10)] = 1'b1;
      end
      @(negedge clk);
    end
    `PASS("crossbar", passed, "streams")
  end
endmodule
