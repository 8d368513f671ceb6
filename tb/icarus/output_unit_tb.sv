// SPDX-License-Identifier: MIT
// The output units of all ten ports side by side on the same streams. Directed: REQ and flits
// of one packet, void grant, LOCAL, a raw
// packet, credits, some that stay away. Random: every output against section 4.7.
module output_unit_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  logic        raw, tick, cand_any, line_gnt, line_void, loc_want, take;
  logic [9:0]  link_en;
  logic [2:0]  rank;
  logic [19:0] x, loc_x;
  logic [1:0]  cred;
  logic [9:0]  xb_gnt, loc_gnt, ev_cred, ev_owed, oe;
  logic [29:0] credit;
  logic [179:0] d;
  logic [19:0] req;

  // State of the stimulus: the stream that is being sent, alike in all ten.
  logic        busy = 1'b0;
  logic        loc;
  integer      k, n, vc, ptype;
  logic [17:0] pkt [0:15];
  integer      packets = 0;
  integer      voids = 0;
  integer      overdue = 0;
  logic        gnt;

  // gnt_out of the arbiter: an offered line that somebody wants.
  assign gnt = xb_gnt[0] && take;

  logic [9:0] raw_in;  // only M0 sends raw packets
  assign raw_in = {1'b0, raw, 8'd0};

  for (genvar p = 0; p < 10; p++) begin : gen_dut
    localparam int NumVc = (p < 2) ? 3 : (p < 8) ? 2 : 1;

    rdt_output_unit #(
      .OutPort(p),
      .NumVc  (NumVc)
    ) u_dut (
      .clk_i      (clk),
      .rst_ni     (rst_n),
      .link_en_i  (link_en[p]),
      .raw_i      (raw_in[p]),
      .tick_i     (tick),
      .rank_i     (rank),
      .x_i        (x),
      .gnt_i      (gnt),
      .cand_any_i (cand_any),
      .xb_gnt_o   (xb_gnt[p]),
      .credit_o   (credit[3*p +: 3]),
      .line_gnt_i (line_gnt),
      .line_void_i(line_void),
      .loc_want_i (loc_want),
      .loc_x_i    (loc_x),
      .loc_gnt_o  (loc_gnt[p]),
      .ev_cred_o  (ev_cred[p]),
      .ev_owed_o  (ev_owed[p]),
      .cred_i     (cred),
      .d_o        (d[18*p +: 18]),
      .d_oe_o     (oe[p]),
      .req_o      (req[2*p +: 2])
    );

    // Reference: what the pins and credits must be in this clock.
    logic [17:0] m_d = 18'd0;
    logic        m_oe = 1'b0;
    logic [1:0]  m_req = 2'd0;
    logic [2:0]  m_credit = 3'd0;
    logic        bad_cred, m_owed;
    integer      owed [0:2];
    integer      used;  // VC whose credit is used in this clock, or -1
    initial begin owed[0] = 0; owed[1] = 0; owed[2] = 0; end

    always @(posedge clk) if (live && rst_n) begin
      bad_cred = (cred > NumVc) || (cred != 0 && m_credit[cred - 1]);
      `EQ(d[18*p +: 18], m_d)
      `EQ(oe[p], m_oe)
      `EQ(req[2*p +: 2], m_req)
      `EQ(credit[3*p +: 3], (link_en[p] ? m_credit : 3'd0))
      `EQ(ev_cred[p], bad_cred)
      `EQ(xb_gnt[p], line_gnt && !loc_want)
      `EQ(loc_gnt[p], line_gnt && loc_want)
      used = -1;
      if (busy && k == 0 && ptype != 4) used = (p >= 8) ? 0 : vc;
      m_owed = 1'b0;
      for (int i = 0; i < NumVc; i++) begin
        if (cred == i + 1)             owed[i] = 0;
        else if (used == i)            owed[i] = 1;
        else if (tick && owed[i] == 1) owed[i] = 2;
        else if (tick && owed[i] == 2) begin owed[i] = 3; m_owed = 1'b1; end
      end
      `EQ(ev_owed[p], m_owed)
      if (m_owed) overdue = overdue + 1;

      m_oe = busy;
      if (busy) m_d = (loc || raw_in[p]) ? pkt[k] : ref_rewrite(p, rank, ptype, vc, k, pkt[k]);
      if (busy && k == 0)          m_req = (p >= 8) ? 2'd1 : vc + 1;  // an MBP has one VC
      else if (busy && k < n - 2)  m_req = 2'd2;
      else if (line_void && !busy) m_req = 2'd0;
      else                         m_req = {1'b0, cand_any || loc_want};
      if (used >= 0 && used < NumVc) m_credit[used] = 1'b0;  // acks need none
      if (cred != 0 && cred <= NumVc)   m_credit[cred - 1] = 1'b1;
    end
  end

  always @(posedge clk) if (live) begin
    `KNOWN({d, oe, req, credit})
    `KNOWN({xb_gnt, loc_gnt, ev_cred, ev_owed})
  end

  // The stream, from the clock after its grant on. At its last flit the next may be granted.
  function automatic logic [19:0] stream_now(input integer unused);
    stream_now = busy ? {code_of(k, n, vc), pkt[k]} : 20'd0;
  endfunction

  task make(input integer t, input integer flits, input integer v);
    begin
      ptype = t; n = flits; vc = v; k = 0;
      for (int j = 0; j < 16; j++) pkt[j] = $random(seed);
      pkt[0] = first_flit({t[2:0], 4'(flits - 1), pkt[0][9:0]});
      if (rnd(4) == 0) pkt[rnd(3)][17] = rnd(2);  // a wrong parity must stay wrong
    end
  endtask

  // One clock of the stimulus; go_on: a packet may start if the line is given.
  task clock(input logic start_ok);
    logic starts;
    begin
      x     = (busy && !loc) ? stream_now(0) : (rnd(2) ? 20'd0 : $random(seed));
      loc_x = (busy && loc) ? stream_now(0) : (rnd(2) ? 20'd0 : $random(seed));
      take  = start_ok;
      #1 starts = gnt || loc_gnt[0];
      @(posedge clk);
      @(negedge clk);
      if (busy) begin
        k = k + 1;
        if (k == n) busy = 1'b0;
      end
      if (starts) begin
        busy    = 1'b1;
        loc     = loc_want;
        packets = packets + 1;
        make(loc ? 4 + rnd(4) : rnd(8), 3 + rnd(14), loc ? 0 : rnd(3));
      end
    end
  endtask

  task quiet;
    begin
      raw = 1'b0; tick = 1'b0; cand_any = 1'b0; line_gnt = 1'b0; line_void = 1'b0; loc_want = 1'b0;
      cred = 2'd0; take = 1'b0;
    end
  endtask

  logic last_flit;

  initial begin
    limit = 20000;
    reset_with_x;
    quiet; x = 20'd0; loc_x = 20'd0; rank = 3'd0; link_en = 10'h300;
    go;
    @(negedge clk);
    `EQ({d, oe, req, credit}, 240'd0)

    // Credits: held while the link is off, shown once it is on; a second one is an error.
    cred = 2'd1; clock(0);
    cred = 2'd0;
    #1 `EQ(credit, 30'h0900_0000)
    link_en = 10'h3ff;
    #1 `EQ(credit, 30'o1111111111)
    cred = 2'd1;
    #1 `EQ(ev_cred, 10'h3ff)
    cred = 2'd2;
    #1 `EQ(ev_cred, 10'h300)
    cred = 2'd3;
    #1 `EQ(ev_cred, 10'h3fc)
    quiet;

    // A void grant: REQ 1 (Want), then 0 in the clock after Gnt.
    cand_any = 1'b1; clock(0);
    `EQ(req, {10{2'd1}})
    cand_any = 1'b0; line_gnt = 1'b1; clock(0);
    line_gnt = 1'b0; line_void = 1'b1; cand_any = 1'b1; clock(0);
    `EQ(req, 20'd0)
    `EQ(oe, 10'd0)
    quiet; clock(0);

    // A packet of three flits: REQ is VC code, 0, 0; credit 0 is spent with the first flit.
    line_gnt = 1'b1; clock(1);
    quiet; make(0, 3, 0); clock(0);
    `EQ(req, {10{2'd1}})
    `EQ(oe, 10'h3ff)
    `EQ(d[18*8 +: 18], pkt[0])  // unchanged towards an MBP
    `EQ(credit, 30'd0)
    clock(0);
    `EQ(req, 20'd0)
    clock(0);
    `EQ({req, oe}, {20'd0, 10'h3ff})
    clock(0);
    `EQ(oe, 10'd0)

    // Header rewrite, worked out by hand: E0 takes 1 from v0x = 3, W0 adds 1, hop 5 -> 4.
    line_gnt = 1'b1; clock(1);
    quiet; make(0, 3, 0); rank = 3'd1;
    pkt[0] = head0(0, 2, 0, 0, 0, 0); pkt[1] = head1(0, 0, 0, 0, 3); pkt[2] = head2(1, -4, 0, 5);
    clock(0);
    `EQ(d, {10{pkt[0]}})
    clock(0);
    `EQ(d[0 +: 36], {head1(0, 0, 0, 0, 4), head1(0, 0, 0, 0, 2)})
    clock(0);
    `EQ(d[0 +: 18], head2(1, -4, 0, 4))
    `EQ(d[18*2 +: 36], {head2(1, -4, 1, 4), head2(1, -4, -1, 4)})
    `EQ(d[18*4 +: 36], {head2(2, -4, 0, 4), head2(0, -4, 0, 4)})
    `EQ(d[18*6 +: 36], {head2(1, -3, 0, 4), head2(1, 3, 0, 4)})  // -4 - 1 wraps
    `EQ(d[18*8 +: 36], {2{head2(1, -4, 0, 5)}})
    clock(0);

    // A multicast: each output but the South clears the byte it has used up, E0 and W0 unless
    // they go by VC T.
    line_gnt = 1'b1; clock(1);
    quiet; make(1, 3, 0); rank = 3'd1;
    pkt[0] = head0(1, 2, 0, 0, 0, 0); pkt[1] = flit(17'd5); pkt[2] = flit(17'h1a5f0);
    clock(0); clock(0); clock(0);
    `EQ(d[0 +: 54], {3{flit(17'h1a500)}})
    `EQ(d[18*3 +: 18], pkt[2])
    `EQ(d[18*4 +: 54], {3{flit(17'h100f0)}})
    `EQ(d[18*7 +: 18], pkt[2])
    `EQ(d[18*8 +: 36], {2{flit(17'h1a500)}})
    clock(0);

    // The same to M0 as it is.
    line_gnt = 1'b1; clock(1);
    quiet; make(1, 3, 0); raw = 1'b1; pkt[2] = flit(17'h1a5f0);
    clock(0); clock(0); clock(0);
    `EQ(d[18*8 +: 36], {flit(17'h1a500), pkt[2]})
    clock(0);

    // LOCAL goes before the crossbar.
    loc_want = 1'b1; line_gnt = 1'b1; cand_any = 1'b1;
    #1 `EQ({xb_gnt, loc_gnt}, {10'd0, 10'h3ff})
    quiet;
    // VC 0 of all has been used and not come back: told at the second tick, once.
    for (int t = 0; t < 4; t++) begin
      tick = 1'b1;
      #1 `EQ(ev_owed, (t == 1 ? 10'h3ff : 10'd0))
      clock(0);
    end
    quiet;
    packets = 0;

    for (int c = 0; c < 2500; c++) begin
      last_flit = busy && (k == n - 1);
      line_gnt  = (!busy || last_flit) && (rnd(3) != 0);
      line_void = !busy && rnd(2);
      if (line_void) voids = voids + 1;
      cand_any  = rnd(2);
      loc_want  = (rnd(4) == 0);
      if (!busy) raw = (rnd(4) == 0);
      tick      = (rnd(20) == 0);
      cred      = rnd(3) ? 2'd0 : rnd(4);
      if (!busy) rank = rnd(8);
      if (rnd(50) == 0) link_en = $random(seed);
      clock(rnd(4) != 0);
    end
    `CLAIM(voids > 50 && overdue > 50, "void grants and lost credits happened")
    `PASS("output_unit", packets, "packets")
  end
endmodule
