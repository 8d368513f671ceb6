// SPDX-License-Identifier: MIT
// The arbiter: round robin of each output, MBPs behind the links until they are aged, grants
// only on offered lines; then random requests compared with section 4.5, including the mask.
module arbiter_tb;
  `include "tb/icarus/check.svh"

  logic [109:0] want, cand, xsel, gnt;
  logic [10:0]  line_gnt, gnt_out;
  logic [9:0]   gnt_in, cand_any;
  logic         slice;
  logic [1:0]   pkt, some;  // inputs 8 and 9 hold a packet: those with a request, and some without

  rdt_arbiter u_dut (
    .clk_i     (clk),
    .rst_ni    (rst_n),
    .want_i    (want),
    .cand_i    (cand),
    .line_gnt_i(line_gnt),
    .pkt_i     (pkt),
    .gnt_o     (gnt),
    .gnt_out_o (gnt_out),
    .cand_any_o(cand_any),
    .xsel_o    (xsel),
    .slice_o   (slice)
  );

  assign pkt = some | {|want[99 +: 11], |want[88 +: 11]};

  // Inputs granted anything
  for (genvar i = 0; i < 10; i++) begin : gen_in
    assign gnt_in[i] = |gnt[11*i +: 11];
  end

  // Reference
  logic [9:0]   m_mask [0:10];
  logic [109:0] m_xsel;
  integer       m_age [0:1];
  logic [3:0]   m_sig, m_turn;
  logic [9:0]   a, b, req, m_in, m_any;
  logic [10:0]  m_out, m_first;
  logic [109:0] m_gnt;
  integer       win, m_win [0:10];
  integer       grants = 0;
  integer       by_mbp = 0;

  always @(posedge clk) if (live) begin
    m_in = 10'd0; m_out = 11'd0; m_any = 10'd0; m_gnt = 110'd0;
    for (int o = 0; o < 11; o++) begin
      a = 10'd0; b = 10'd0;
      for (int i = 0; i < 10; i++) begin
        if (want[11*i + o]) begin
          if (i < 8 || m_age[i & 1] == 31) a[i] = 1'b1;
          else                             b[i] = 1'b1;
        end
        if (o < 10 && cand[11*i + o]) m_any[o] = 1'b1;
      end
      req = (a != 0) ? a : b;
      win = -1;
      for (int i = 9; i >= 0; i--) if (req[i]) win = i;
      for (int i = 9; i >= 0; i--) if (req[i] && m_mask[o][i]) win = i;
      // At LOCAL MBP 0 goes first unless it was the last, out of turn.
      m_first[o] = (o == 10) && want[11*8 + o] && !m_xsel[10*o + 8];
      if (m_first[o]) win = 8;
      if (rst_n && line_gnt[o] && req != 0) begin
        m_in[win] = 1'b1;
        m_out[o]  = 1'b1;
        m_win[o]  = win;
        m_gnt[11*win + o] = 1'b1;
        grants    = grants + 1;
        if (win >= 8) by_mbp = by_mbp + 1;
      end
    end

    `KNOWN({gnt, gnt_out, cand_any, xsel, slice})
    `EQ(xsel, m_xsel)
    `EQ(slice, m_sig[3])
    `EQ(cand_any, m_any)
    if (rst_n) begin
      `EQ(gnt, m_gnt)
      `EQ(gnt_out, m_out)
    end

    for (int o = 0; o < 11; o++) begin
      if (m_out[o]) begin
        m_xsel[10*o +: 10] = 10'd1 << m_win[o];
        if (!m_first[o]) m_mask[o] = ~((10'd2 << m_win[o]) - 10'd1);
      end
    end
    for (int k = 0; k < 2; k++) begin
      if (m_in[8 + k])                            m_age[k] = 0;
      else if (rst_n && pkt[k] && m_age[k] < 31) m_age[k] = m_age[k] + 1;
    end
    m_sig = {m_sig[2:0], m_sig[3]};
    for (int o = 0; o < 11; o++) if (m_out[o]) begin
      m_turn = m_win[o] + 1;
      repeat (o % 4) m_turn = {m_turn[2:0], m_turn[3]};
      m_sig = m_sig ^ m_turn;
    end
    if (!rst_n) m_sig = 4'd0;
  end

  task idle(input integer n);
    begin
      want = 110'd0; cand = 110'd0; line_gnt = 11'd0;
      repeat (n) @(negedge clk);
    end
  endtask

  integer last, turn;
  logic [9:0] heard = 10'd0;

  initial begin
    for (int o = 0; o < 11; o++) m_mask[o] = 10'd0;
    m_xsel = 110'd0; m_sig = 4'd0; m_age[0] = 0; m_age[1] = 0;
    reset_with_x;
    some = 2'd0; want = 110'd0; cand = 110'd0; line_gnt = 11'd0;
    go;
    `EQ(xsel, 110'd0)

    // An offered line without a request is not granted, nor a requested line that is not offered.
    line_gnt = 11'h7ff;
    #1 `EQ({gnt_in, gnt_out}, 21'd0)
    @(negedge clk);
    idle(1);
    want[11*3 + 5] = 1'b1;
    #1 `EQ({gnt_in, gnt_out}, 21'd0)
    line_gnt[5] = 1'b1;
    #1 `EQ({gnt_in, gnt_out}, {10'd8, 11'd32})
    @(negedge clk);
    `EQ(xsel, 110'd8 << 50)
    `EQ(slice, 1'b1)  // 4 turned by 1
    idle(1);
    `EQ(slice, 1'b0)
    `EQ(xsel, 110'd8 << 50)  // the selection stays for the packet

    // All eight links request output 2: served round-robin, from the lowest.
    for (int i = 0; i < 8; i++) want[11*i + 2] = 1'b1;
    line_gnt[2] = 1'b1;
    for (int n = 0; n < 24; n++) begin
      #1 `EQ(gnt_in, 10'd1 << (n % 8))
      @(negedge clk);
    end
    idle(1);

    // An MBP against a link that always requests: granted in its 32nd cycle, not before.
    want[11*1 + 9] = 1'b1; want[11*8 + 9] = 1'b1; line_gnt[9] = 1'b1;
    for (int n = 0; n < 31; n++) begin
      #1 `EQ(gnt_in, 10'd2)
      @(negedge clk);
    end
    #1 `EQ(gnt_in, 10'd256)
    @(negedge clk);
    #1 `EQ(gnt_in, 10'd2)  // the age starts again
    @(negedge clk);
    idle(1);
    // It grows old without a credit, too, and then goes first.
    some = 2'd2; repeat (31) @(negedge clk);
    some = 2'd0; want[11*1 + 9] = 1'b1; want[11*9 + 9] = 1'b1; line_gnt[9] = 1'b1;
    #1 `EQ(gnt_in, 10'd512)
    @(negedge clk);
    #1 `EQ(gnt_in, 10'd2)
    @(negedge clk);
    idle(1);
    // Without a link it need not wait; two MBPs take turns.
    want[11*8 + 7] = 1'b1; want[11*9 + 7] = 1'b1; line_gnt[7] = 1'b1;
    last = 0;
    for (int n = 0; n < 6; n++) begin
      #1 turn = gnt_in;
      `CLAIM(turn == 256 || turn == 512, "one MBP granted")
      `CLAIM(turn != last, "MBPs alternate")
      last = turn;
      @(negedge clk);
    end
    idle(1);
    // With all inputs at LOCAL MBP 0 waits for one grant at most, and the others take turns as ever.
    for (int i = 0; i < 10; i++) want[11*i + 10] = 1'b1;
    line_gnt[10] = 1'b1;
    last = 256;
    for (int n = 0; n < 20; n++) begin
      #1 turn = gnt_in;
      `CLAIM(turn == 256 || last == 256, "MBP 0 waits for one grant at most")
      if (turn != 256) heard = heard | gnt_in;
      last = turn;
      @(negedge clk);
    end
    `CLAIM(heard[7:0] == 8'hff, "no link waits longer than one round")
    // Eleven outputs are independent: ten grants in one cycle.
    idle(1);
    for (int i = 0; i < 10; i++) want[11*i + 10 - i] = 1'b1;
    line_gnt = 11'h7ff;
    #1 `EQ({gnt_in, gnt_out}, {10'h3ff, 11'h7fe})
    @(negedge clk);
    idle(2);
    // One input may win several of them at once, and needs no more than it is given.
    want[11*4 +: 11] = 11'h5a3; want[11*2 +: 11] = 11'h001; line_gnt = 11'h1ff;
    #1 `EQ(gnt[11*4 +: 11], 11'h1a2)
    `EQ(gnt[11*2 +: 11], 11'h001)
    @(negedge clk);
    idle(2);

    for (int n = 0; n < 2500; n++) begin
      want = 110'd0;
      for (int i = 0; i < 10; i++) begin
        // Mostly few outputs, so that requests conflict.
        if (rnd(4) != 0) want[11*i + (n < 1500 ? rnd(3) : rnd(11))] = 1'b1;
        if (rnd(4) == 0) want[11*i +: 11] = $random(seed) & $random(seed);
      end
      for (int j = 0; j < 4; j++) cand[32*j +: 32] = $random(seed) & $random(seed) & $random(seed);
      line_gnt = $random(seed);
      some     = $random(seed);
      if (rnd(3) == 0) line_gnt = 11'd0;
      @(negedge clk);
    end
    `CLAIM(by_mbp > 50, "MBPs were granted")
    `PASS("arbiter", grants, "grants")
  end
endmodule
