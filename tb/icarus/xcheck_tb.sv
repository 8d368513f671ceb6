// SPDX-License-Identifier: MIT
// The X check of all other tests detects a register without reset, an undriven wire and a RAM word
// never written, and accepts defined values.
module xcheck_tb;
  `include "tb/icarus/check.svh"

  logic        en;
  logic [3:0]  d;
  logic [3:0]  dirty_q, clean_q;
  wire  [3:0]  floating;
  logic [3:0]  raddr;
  logic [17:0] rdata;

  assign floating[2:0] = 3'b101;

  always_ff @(posedge clk) begin
    if (en) dirty_q <= d;  // the injected bug
    if (!rst_n)  clean_q <= 4'd0;
    else if (en) clean_q <= d;
  end

  rdt_buffer_ram u_ram (
    .clk_i  (clk),
    .we_i   (en),
    .waddr_i(4'd3),
    .wdata_i({14'h2a5, d}),
    .raddr_i(raddr),
    .rdata_o(rdata)
  );

  integer what = 0;
  always @(posedge clk) if (live) begin
    case (what)
      0: `KNOWN(clean_q)
      1: `KNOWN(dirty_q)
      2: `KNOWN(floating)
      default: `KNOWN(rdata)
    endcase
  end

  task look(input integer w, input integer n);  // w for five cycles, n of them caught
    begin
      what   = w;
      caught = 0;
      repeat (5) @(negedge clk);
      `EQ(caught, n)
    end
  endtask

  initial begin
    planted = 1'b1;
    reset_with_x;
    en = 1'b0; d = 4'd9; raddr = 4'd3;
    go;
    look(0, 0);
    look(1, 5);
    look(2, 5);
    look(3, 5);
    en = 1'b1;
    @(negedge clk);
    en = 1'b0;
    look(0, 0);
    look(1, 0);
    look(3, 0);
    raddr = 4'd4;
    look(3, 5);
    `PASS("xcheck", 4, "injected bugs caught")
  end
endmodule
