// SPDX-License-Identifier: MIT
// A buffer RAM with gated words (rtl/flow/power) beside its RTL: the same writes and reads, other
// inputs in every cycle, and whatever is read compared. Icarus; `wrong` injects a word that is
// written with its neighbor, which has to be seen.
`timescale 1ns / 1ps
module gated_ram;
  parameter CLOCKS = 20000;
  reg clk = 0, we = 0;
  reg [3:0] waddr = 0, raddr = 0;
  reg [17:0] wdata = 0;
  reg [15:0] known = 0;
  wire [17:0] rtl, gates;
  integer n, differ = 0, compared = 0, seed = 1;

  rdt_buffer_ram u_rtl (.clk_i(clk), .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .raddr_i(raddr), .rdata_o(rtl));
  gated u_gates (.clk_i(clk), .we_i(we),
`ifdef WRONG
                 .waddr_i({waddr[3:1], waddr[0] & waddr[3]}),
`else
                 .waddr_i(waddr),
`endif
                 .wdata_i(wdata), .raddr_i(raddr), .rdata_o(gates));

  initial begin
    for (n = 0; n < CLOCKS; n = n + 1) begin
      #1 we = $random(seed);  // well after the falling edge
      waddr = $random(seed);
      wdata = $random(seed);
      raddr = $random(seed);
      #3;
      if (&known) begin  // before, the gates of the read multiplexer make more unknown than is
        compared = compared + 1;
        if (rtl !== gates) differ = differ + 1;
      end
      #1 clk = 1;
      if (we) known[waddr] = 1;
      #2 we = $random(seed);  // changes while the clock is high must not matter
      #3 clk = 0;
    end
    $display("compared %0d differ %0d", compared, differ);
    $finish(0);  // Icarus 12 reports a plain one
  end
endmodule
