// SPDX-License-Identifier: MIT
// The injector in four-state logic: an ack from request to last flit, the gap to the next one on the
// same link and none on another, LOCAL between them, RETRY round-robin, an ack that is not
// accepted; then random stimuli of all kinds, with every output compared with section 4.10.
module inject_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  logic        snd_v, snd_take, ev_lost;
  logic [3:0]  snd_port;
  logic [2:0]  snd_tag;
  logic [5:0]  snd_st;
  logic [1:0]  loc_want, loc_gnt;
  logic [19:0] loc_x, x;
  logic [9:0]  gnt, want, retry, ent_gnt, retry_ack, busy;
  logic [29:0] ent_tag;

  rdt_inject u_dut (
    .clk_i     (clk),
    .rst_ni    (rst_n),
    .snd_v_i   (snd_v),
    .snd_port_i(snd_port),
    .snd_tag_i (snd_tag),
    .snd_st_i  (snd_st),
    .snd_take_o(snd_take),
    .busy_o    (busy),
    .retry_i   (retry),
    .ent_gnt_i (ent_gnt),
    .ent_tag_i (ent_tag),
    .retry_ack_o(retry_ack),
    .loc_want_i(loc_want),
    .loc_x_i   (loc_x),
    .loc_gnt_o (loc_gnt),
    .ev_lost_o (ev_lost),
    .gnt_i     (gnt),
    .want_o    (want),
    .x_o       (x)
  );

  // Section 4.10
  localparam int Idle = 0, Want = 1, Ack = 2, Loc = 3;
  integer      st = Idle, k, cool = 0, port, waits, rty = 9, acks = 0, locals = 0, retries = 0, lost = 0, low;
  integer      since [0:9];  // cycles from the first flit of the last ack on each link
  logic [9:0]  m0 = 10'd0, m1 = 10'd0, used;
  logic [16:0] h0;
  logic        m_take;
  logic [9:0]  m_want;
  logic [19:0] m_x;

  initial for (int i = 0; i < 10; i++) since[i] = 1000;

  always @(posedge clk) if (live) begin
    `KNOWN({snd_take, retry_ack, want, x, loc_gnt, busy, ev_lost})
    if (rst_n) begin
      low = -1;  // RETRY to be answered
      for (int i = 9; i >= 0; i--)  if (retry[i] && !ent_gnt[i] && !busy[i]) low = i;
      for (int i = 9; i > rty; i--) if (retry[i] && !ent_gnt[i] && !busy[i]) low = i;
      if (st != Idle || snd_v) low = -1;
      m_take = (st == Idle) && snd_v;
      used   = 10'd0;
      if (st == Want && port < 10) used[port] = gnt[port];
      `EQ(busy, m0 | m1)
      `EQ(ev_lost, (st == Want && used == 0 && waits == 127))
      `EQ(retry_ack, (low >= 0 ? 10'd1 << low : 10'd0))
      m_want = 10'd0;
      if (st == Want && port < 10)   m_want[port] = 1'b1;
      else if (st == Idle && !m_take && low < 0) m_want[9:8] = loc_want;
      m_x = 20'd0;
      if (st == Ack)      m_x = {k == 1 ? 2'd0 : 2'd1, k == 0 ? first_flit(h0) : flit(17'd0)};
      else if (st == Loc) m_x = loc_x;
      `EQ(snd_take, m_take)
      `EQ(want, m_want)
      `EQ(x, m_x)
      `EQ(loc_gnt, (st == Idle && !m_take && low < 0 ? gnt[9:8] & loc_want : 2'd0))
      if (cool == 15) begin m1 = m0 | used; m0 = 10'd0; end
      else m0 = m0 | used;
      if ((busy | used) == 0) cool = 0;
      else                    cool = (cool + 1) % 16;
      for (int i = 0; i < 10; i++) begin
        since[i] = since[i] + 1;
        if (used[i]) begin
          `CLAIM(since[i] >= rdt_pkg::AckGap, "acks on a link keep their distance")
          since[i] = 0;
        end
      end
      case (st)
        Idle:
          if (m_take) begin
            st = Want; waits = 0; port = snd_port; h0 = {3'd4, 4'd2, snd_tag, 1'b0, snd_st};
          end else if (low >= 0) begin
            st = Want; waits = 0; port = low; rty = low; h0 = {3'd4, 4'd2, ent_tag[3*low +: 3], 1'b0, 6'd1};
            retries = retries + 1;
          end else if ((gnt[9:8] & loc_want) != 0) begin
            st = Loc; k = 0; locals = locals + 1;
          end
        Want: begin
          if (used != 0)         begin st = Ack; k = 0; acks = acks + 1; end
          else if (waits == 127) begin st = Idle; lost = lost + 1; end
          waits = waits + 1;
        end
        Ack: begin
          k = k + 1;
          if (k == 3) st = Idle;
        end
        default: begin
          if (k > 0 && loc_x[19:18] == 2'd1) st = Idle;
          k = k + 1;
        end
      endcase
    end
  end

  task offer(input integer p, tag, status);
    begin snd_v = 1'b1; snd_port = p; snd_tag = tag; snd_st = status; end
  endtask

  logic       taken;
  logic [9:0] answered;
  integer left = 0, n;  // flits of LOCAL's packet still to come

  initial begin
    reset_with_x;
    snd_v = 1'b0; snd_port = 4'd0; snd_tag = 3'd0; snd_st = 6'd0;
    loc_want = 2'd0; loc_x = 20'd0; gnt = 10'd0;
    retry = 10'd0; ent_gnt = 10'd0; ent_tag = 30'd0;
    go;
    @(negedge clk);
    `EQ({snd_take, want, x, loc_gnt}, 33'd0)

    // An ack goes before LOCAL, and is three flits to its port.
    loc_want = 2'b01;
    #1 `EQ(want, 10'h100)
    offer(3, 5, 6'h21);
    #1 `EQ({snd_take, want}, {1'b1, 10'd0})
    @(negedge clk); snd_v = 1'b0;
    `EQ(want, 10'h008)
    gnt = 10'h108;
    #1 `EQ(loc_gnt, 2'd0)
    @(negedge clk); gnt = 10'd0;
    n = clocks;
    `EQ(x, {2'd1, first_flit({3'd4, 4'd2, 3'd5, 1'b0, 6'h21})})
    @(negedge clk); `EQ(x, {2'd0, flit(17'd0)})
    @(negedge clk); `EQ(x, {2'd1, flit(17'd0)})
    // The link is busy for 32 cycles; another link, and LOCAL, need not wait.
    @(negedge clk);
    `EQ(busy, 10'h008)
    #1 `EQ({snd_take, want}, {1'b0, 10'h100})
    gnt = 10'h100; #1 `EQ(loc_gnt, 2'b01)
    @(negedge clk); gnt = 10'd0; loc_want = 2'b00;
    for (int i = 0; i < 3; i++) begin loc_x = {code_of(i, 3, 0), flit(17'(i))}; @(negedge clk); end
    retry = 10'h008;
    #1 `EQ(retry_ack, 10'd0)
    offer(4, 6, 6'h00);
    #1 `EQ(snd_take, 1'b1)
    @(negedge clk); snd_v = 1'b0; gnt = 10'h010;
    @(negedge clk); gnt = 10'd0;
    while (busy[3]) @(negedge clk);
    `EQ(clocks - n, 31)
    `EQ(busy, 10'h000)
    #1 `EQ(retry_ack, 10'h008)
    @(negedge clk); retry = 10'd0;
    // Not accepted: dropped after 128 cycles.
    n = clocks;
    while (!ev_lost) @(negedge clk);
    `EQ(clocks - n, 127)
    @(negedge clk);
    `EQ({want, busy}, 20'd0)
    // RETRY: for the next port, round-robin, that does not get its entry in this cycle.
    retry = 10'h0d2; ent_gnt = 10'h010; ent_tag[18 +: 3] = 3'd7;
    #1 `EQ(retry_ack, 10'h040)
    @(negedge clk); retry = 10'd0; ent_gnt = 10'd0;
    `EQ(want, 10'h040)
    gnt = 10'h040; @(negedge clk); gnt = 10'd0;
    `EQ(x, {2'd1, first_flit({3'd4, 4'd2, 3'd7, 1'b0, 6'h01})})
    repeat (4) @(negedge clk);

    for (int c = 0; c < 5000; c++) begin
      if (snd_v) snd_v = (snd_port > 9) || !busy[snd_port];
      if (!snd_v && rnd(8) == 0) begin
        offer(rnd(200) ? rnd(10) : 12, rnd(8), rnd(64));
        if (snd_port < 10) snd_v = !busy[snd_port];
      end
      if (loc_want == 0 && left == 0 && rnd(6) == 0) loc_want = rnd(2) ? 2'b01 : 2'b10;
      loc_x = (left > 0) ? {code_of(n - left, n, 0), 18'($random(seed))} : $random(seed);
      gnt = 10'd0;
      if (rnd(20) == 0) retry = retry | (10'd1 << rnd(10));
      ent_gnt = retry & $random(seed) & $random(seed);
      ent_tag = $random(seed);
      #1 gnt = (rnd(3) == 0 && c % 1000 > 250) ? want | ($random(seed) & ~10'h300) : 10'd0;
      #1;
      if (left > 0) left = left - 1;
      if (loc_gnt != 0) begin n = 3 + rnd(4); left = n; end
      taken = snd_take; answered = retry_ack | ent_gnt;
      @(posedge clk);
      #1 if (taken) snd_v = 1'b0;
      retry = retry & ~answered;
      if (left == n) loc_want = 2'b00;
      @(negedge clk);
    end
    `CLAIM(locals > 100 && retries > 30 && lost > 3, "LOCAL was served, RETRY given, and acks dropped")
    `PASS("inject", acks, "acks")
  end
endmodule
