// SPDX-License-Identifier: MIT
// The buffer RAM: starts unknown, keeps what was written, shows the old flit in the cycle of a
// write. Only written addresses are read.
module buffer_ram_tb;
  `include "tb/icarus/check.svh"

  logic        we;
  logic [3:0]  waddr, raddr;
  logic [17:0] wdata, rdata;

  rdt_buffer_ram u_dut (
    .clk_i  (clk),
    .we_i   (we),
    .waddr_i(waddr),
    .wdata_i(wdata),
    .raddr_i(raddr),
    .rdata_o(rdata)
  );

  logic [17:0] model [0:15];
  logic [15:0] written = 16'd0;
  integer      words = 0;
  integer      collisions = 0;

  always @(posedge clk) if (live) begin
    if (written[raddr]) begin
      `KNOWN(rdata)
      `EQ(rdata, model[raddr])
      if (we && waddr == raddr) collisions = collisions + 1;
    end
    if (we) begin
      model[waddr]   = wdata;
      written[waddr] = 1'b1;
      words          = words + 1;
    end
  end

  task write(input [3:0] a, input [17:0] v);
    begin
      we = 1'b1; waddr = a; wdata = v;
      @(negedge clk);
      we = 1'b0;
    end
  endtask

  initial begin
    reset_with_x;  // the RAM has no reset; these are just cycles
    we = 1'b0; waddr = 4'd0; wdata = 18'd0; raddr = 4'd0;
    #1 `CLAIM((^rdata) === 1'bx, "an unwritten word should be unknown in four-state logic")
    go;

    // A packet: flit k at address k. Reading follows writing by four cycles, as in the chip.
    for (int k = 0; k < 20; k++) begin
      we = (k < 16); waddr = k; wdata = 18'h2_0000 + k * 5;
      raddr = (k < 4) ? 4'd0 : k - 4;
      @(negedge clk);
    end
    we = 1'b0;
    `CLAIM(written === 16'hffff, "all words written")

    // The old word in the cycle of a write, the new one in the next.
    raddr = 4'd7;
    we = 1'b1; waddr = 4'd7; wdata = 18'h1_5555;
    #1 `EQ(rdata, 18'h2_0000 + 18'd35)
    @(negedge clk);
    we = 1'b0;
    #1 `EQ(rdata, 18'h1_5555)
    // Combinational: a new address shows in the same cycle. No write without we_i.
    raddr = 4'd8; waddr = 4'd8; wdata = 18'd0;
    #1 `EQ(rdata, 18'h2_0000 + 18'd40)
    @(negedge clk);
    #1 `EQ(rdata, 18'h2_0000 + 18'd40)
    @(negedge clk);

    for (int n = 0; n < 20000; n++) begin
      we = rnd(2); waddr = rnd(16); wdata = $random(seed); raddr = rnd(16);
      @(negedge clk);
    end
    `CLAIM(collisions > 100, "read and write of one word in one cycle")
    `PASS("buffer_ram", words, "words")
  end
endmodule
