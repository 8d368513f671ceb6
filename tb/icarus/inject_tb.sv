// SPDX-License-Identifier: MIT
// The injector in four-state logic: an ack from request to last flit, the gap to the next one,
// LOCAL between them, a RETRY; then random ones of all, with every flit checked.
module inject_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  logic        snd_v, snd_take;
  logic [3:0]  snd_port;
  logic [2:0]  snd_tag;
  logic [5:0]  snd_st;
  logic [1:0]  loc_want, loc_gnt;
  logic [19:0] loc_x, x;
  logic [9:0]  gnt, want, retry, ent_gnt, retry_ack;
  logic [29:0] ent_tag;

  rdt_inject u_dut (
    .clk_i     (clk),
    .rst_ni    (rst_n),
    .snd_v_i   (snd_v),
    .snd_port_i(snd_port),
    .snd_tag_i (snd_tag),
    .snd_st_i  (snd_st),
    .snd_take_o(snd_take),
    .retry_i   (retry),
    .ent_gnt_i (ent_gnt),
    .ent_tag_i (ent_tag),
    .retry_ack_o(retry_ack),
    .loc_want_i(loc_want),
    .loc_x_i   (loc_x),
    .loc_gnt_o (loc_gnt),
    .gnt_i     (gnt),
    .want_o    (want),
    .x_o       (x)
  );

  // Section 4.10
  localparam int Idle = 0, Want = 1, Ack = 2, Loc = 3;
  integer      st = Idle, k, cool = 0, port, acks = 0, locals = 0, retries = 0, low;
  logic [16:0] h0;
  logic        m_take;
  logic [9:0]  m_want;
  logic [19:0] m_x;

  always @(posedge clk) if (live) begin
    `KNOWN({snd_take, retry_ack, want, x, loc_gnt})
    if (rst_n) begin
      low = -1;  // RETRY to be answered
      for (int i = 9; i >= 0; i--) if (retry[i] && !ent_gnt[i]) low = i;
      if (st != Idle || cool != 0 || snd_v) low = -1;
      m_take = (st == Idle) && snd_v && (cool == 0);
      `EQ(retry_ack, (low >= 0 ? 10'd1 << low : 10'd0))
      m_want = 10'd0;
      if (st == Want)                m_want[port] = 1'b1;
      else if (st == Idle && !m_take && low < 0) m_want[9:8] = loc_want;
      m_x = 20'd0;
      if (st == Ack)      m_x = {k == 1 ? 2'd0 : 2'd1, k == 0 ? first_flit(h0) : flit(17'd0)};
      else if (st == Loc) m_x = loc_x;
      `EQ(snd_take, m_take)
      `EQ(want, m_want)
      `EQ(x, m_x)
      `EQ(loc_gnt, (st == Idle && !m_take && low < 0 ? gnt[9:8] & loc_want : 2'd0))
      if (cool > 0) cool = cool - 1;
      case (st)
        Idle:
          if (m_take) begin
            st = Want; port = snd_port; h0 = {3'd4, 4'd2, snd_tag, 1'b0, snd_st};
          end else if (low >= 0) begin
            st = Want; port = low; h0 = {3'd4, 4'd2, ent_tag[3*low +: 3], 1'b0, 6'd1};
            retries = retries + 1;
          end else if ((gnt[9:8] & loc_want) != 0) begin
            st = Loc; k = 0; locals = locals + 1;
          end
        Want: if (gnt[port]) begin st = Ack; k = 0; cool = 15; acks = acks + 1; end
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
    offer(4, 6, 6'h00);
    `EQ(x, {2'd1, first_flit({3'd4, 4'd2, 3'd5, 1'b0, 6'h21})})
    @(negedge clk); `EQ(x, {2'd0, flit(17'd0)})
    @(negedge clk); `EQ(x, {2'd1, flit(17'd0)})
    // The next one waits for the gap; LOCAL need not.
    @(negedge clk);
    #1 `EQ({snd_take, want}, {1'b0, 10'h100})
    gnt = 10'h100; #1 `EQ(loc_gnt, 2'b01)
    @(negedge clk); gnt = 10'd0; loc_want = 2'b00;
    for (int i = 0; i < 3; i++) begin loc_x = {code_of(i, 3, 0), flit(17'(i))}; @(negedge clk); end
    while (!snd_take) @(negedge clk);
    @(negedge clk); snd_v = 1'b0; gnt = 10'h010;
    @(negedge clk); gnt = 10'd0;
    `CLAIM(clocks - n >= 16 && clocks - n <= 17, "the gap between acks")
    repeat (20) @(negedge clk);
    // RETRY: of the lowest that does not get its entry in this clock.
    retry = 10'h0c4; ent_gnt = 10'h004; ent_tag[18 +: 3] = 3'd7;
    #1 `EQ(retry_ack, 10'h040)
    @(negedge clk); retry = 10'd0; ent_gnt = 10'd0;
    `EQ(want, 10'h040)
    gnt = 10'h040; @(negedge clk); gnt = 10'd0;
    `EQ(x, {2'd1, first_flit({3'd4, 4'd2, 3'd7, 1'b0, 6'h01})})
    repeat (4) @(negedge clk);

    for (int c = 0; c < 5000; c++) begin
      if (!snd_v && rnd(30) == 0) offer(rnd(10), rnd(8), rnd(64));
      if (loc_want == 0 && left == 0 && rnd(6) == 0) loc_want = rnd(2) ? 2'b01 : 2'b10;
      loc_x = (left > 0) ? {code_of(n - left, n, 0), 18'($random(seed))} : $random(seed);
      gnt = 10'd0;
      if (rnd(20) == 0) retry = retry | (10'd1 << rnd(10));
      ent_gnt = retry & $random(seed) & $random(seed);
      ent_tag = $random(seed);
      #1 gnt = (rnd(3) == 0) ? want | ($random(seed) & ~10'h300) : 10'd0;
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
    `CLAIM(locals > 100 && retries > 30, "LOCAL was served, and RETRY given")
    `PASS("inject", acks, "acks")
  end
endmodule
