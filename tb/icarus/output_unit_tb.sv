// SPDX-License-Identifier: MIT
// The output units of all ten ports side by side on the same streams. Directed: REQ and flits
// of one packet, void grant, LOCAL, a raw packet, generations, credits, some that are late, some that
// had been lost, an output that is dead. Random, with links that go down and come back: every
// output against section 4.7.
module output_unit_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  logic        raw, tick, slow, sink, cand_any, line_gnt, line_void, loc_want, take;
  logic        hush, ask, call, down, up, ann;
  logic [23:0] gen;
  logic [2:0]  rank;
  logic [19:0] x, loc_x;
  logic [1:0]  cred;
  logic [9:0]  xb_gnt, loc_gnt, ev_cred, ev_owed, ev_sunk, tx, late, oe;
  logic [29:0] credit;
  logic [179:0] d;
  logic [19:0] req;

  // State of the stimulus: the stream that is being sent, alike in all ten.
  logic        busy = 1'b0;
  logic        loc, sunk;
  integer      k, n, vc, ptype;
  logic [17:0] pkt [0:15];
  integer      packets = 0;
  integer      voids = 0;
  integer      overdue = 0, found = 0, noise = 0, sunken = 0;
  logic        gnt;

  // gnt_out of the arbiter: an offered line with a request.
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
      .raw_i      (raw_in[p]),
      .tick_i     (tick),
      .slow_i     (slow),
      .sink_i     (sink),
      .rank_i     (5'd1 << rank),
      .x_i        (x),
      .gnt_i      (gnt),
      .cand_any_i (cand_any),
      .xb_gnt_o   (xb_gnt[p]),
      .credit_o   (credit[3*p +: 3]),
      .line_gnt_i (line_gnt),
      .line_void_i(line_void),
      .hush_i     (hush),
      .ask_i      (ask),
      .call_i     (call),
      .down_i     (down),
      .up_i       (up),
      .ann_i      (ann),
      .tx_o       (tx[p]),
      .late_o     (late[p]),
      .gen_i      (gen),
      .loc_want_i (loc_want),
      .loc_x_i    (loc_x),
      .loc_gnt_o  (loc_gnt[p]),
      .ev_cred_o  (ev_cred[p]),
      .ev_owed_o  (ev_owed[p]),
      .ev_sunk_o  (ev_sunk[p]),
      .cred_i     (cred),
      .d_o        (d[18*p +: 18]),
      .d_oe_o     (oe[p]),
      .req_o      (req[2*p +: 2])
    );

    // Reference: what the pins and credits must be in this cycle.
    logic [17:0] m_d = 18'd0;
    logic        m_oe = 1'b0;
    logic [1:0]  m_req = 2'd0;
    logic [2:0]  m_credit;
    logic        m_cred, m_owed, m_late, dead, offer, sends;
    integer      owed [0:2];
    integer      once = 0;   // VC code seen once
    logic        pause = 1'b0;
    integer      sure;       // VC whose credit came in this cycle, or -1
    integer      used;       // VC whose credit is used in this cycle, or -1
    integer      gone = 0;
    integer      tag;
    initial begin owed[0] = 1; owed[1] = 1; owed[2] = 1; end

    always @(posedge clk) if (live && rst_n) begin
      dead  = sink && (gone == 2);
      offer = dead ? !busy : line_gnt && !(busy && sunk);
      sends = busy && !sunk;
      m_late = 1'b0;
      m_credit = 3'd0;
      for (int i = 0; i < NumVc; i++) begin
        if (up && owed[i] == 3) m_late = 1'b1;
        m_credit[i] = dead || (owed[i] == 0);
      end
      `EQ(d[18*p +: 18], m_d)
      `EQ(oe[p], m_oe)
      `EQ(req[2*p +: 2], m_req)
      `EQ(credit[3*p +: 3], m_credit)
      `EQ(late[p], m_late)
      `EQ(tx[p], busy)
      `EQ(xb_gnt[p], offer && !loc_want)
      `EQ(loc_gnt[p], offer && loc_want)
      `EQ(ev_sunk[p], dead && (gnt || loc_gnt[p]))
      if (ev_sunk[p]) sunken = sunken + 1;

      // A credit is a code in two cycles on end, then a pause.
      m_cred = 1'b0; sure = -1;
      if (!up && !ann) begin
        once = 0; pause = 1'b0;
      end else if (pause) pause = (cred != 0);
      else if (once == 0) begin
        if (cred > NumVc) begin m_cred = 1'b1; pause = 1'b1; end
        else once = cred;
      end else begin
        if (cred == once) sure = once - 1;
        else m_cred = 1'b1;
        once = 0; pause = (cred != 0);
      end
      m_cred = m_cred && !call;
      `EQ(ev_cred[p], m_cred)
      if (m_cred) noise = noise + 1;

      used = -1;
      if (sends && k == 0 && ptype != 4) used = (p >= 8) ? 0 : vc;
      if (up && (p < 8 || owed[0] == 0)) gone = 0;
      else if (tick && gone < 2)         gone = gone + 1;
      m_owed = 1'b0;
      for (int i = 0; i < NumVc; i++) begin
        if (up) begin
          if (used == i)                 owed[i] = 1;
          else if (sure == i)            owed[i] = 0;
          else if (slow && owed[i] == 1) owed[i] = 2;
          else if (slow && owed[i] == 2) begin owed[i] = 3; overdue = overdue + 1; end
        end else if (ann) begin
          if (sure == i) begin
            if (owed[i] == 3) m_owed = 1'b1;
            owed[i] = 0;
          end else if (!down && owed[i] == 3) owed[i] = 1;
        end else if (used == i) owed[i] = 3;
        // 1 in Sync: it was in hand; 3: it was away.
        if (call && up)  owed[i] = (owed[i] == 0) ? 1 : 3;
        if (call && ann) owed[i] = (owed[i] == 0) ? 1 : owed[i];
      end
      `EQ(ev_owed[p], m_owed)
      if (m_owed) found = found + 1;

      m_oe = sends && !down;
      if (busy) begin
        m_d = (loc || raw_in[p]) ? pkt[k] : ref_rewrite(p, rank, ptype, vc, k, pkt[k]);
        tag = pkt[0][9:7];
        if (p >= 8 && !loc && !raw_in[p] && ptype > 0 && ptype < 4 && k == 2 && tag > 0 && tag < 7) begin
          m_d[3:0] = gen[4*(tag - 1) +: 4];
          m_d[17]  = m_d[17] ^ (^m_d[3:0]);
        end
        if (p < 8 && !loc && k == 1 && vc == 2 && NumVc == 3) m_d[17] = !m_d[17];
        if (p < 8 && !loc && k == 2 && vc == 1)               m_d[17] = !m_d[17];
      end
      if (call)                     m_req = 2'd3;
      else if (down)                m_req = 2'd0;
      else if (sends && k == 0)     m_req = (p >= 8) ? 2'd1 : vc + 1;  // an MBP has one VC
      else if (sends && k < n - 2)  m_req = 2'd2;
      else if (line_void && !sends) m_req = 2'd0;
      else                          m_req = {1'b0, ((cand_any || loc_want) && !dead && !hush) || ask};
    end
  end

  always @(posedge clk) if (live) begin
    `KNOWN({d, oe, req, credit})
    `KNOWN({xb_gnt, loc_gnt, ev_cred, ev_owed, ev_sunk, tx, late})
    // All ten take the same streams, so in this bench they have to be dead together.
    if (rst_n) `CLAIM((xb_gnt == 10'd0 || (&xb_gnt)) && (loc_gnt == 10'd0 || (&loc_gnt)), "alike")
  end

  `include "tb/icarus/output_unit_drive.svh"

  initial begin
    limit = 20000;
    reset_with_x;
    quiet; x = 20'd0; loc_x = 20'd0; rank = 3'd0; gen = 24'h654321;
    nlk = 1; link(1); sunk = 1'b0;
    go;
    @(negedge clk);
    `EQ({d, oe, req, credit}, {180'd0, 10'd0, 20'hfffff, 30'd0})

    // Credits in Ann: a pair is one credit; a single code or an invalid one is none and is
    // reported.
    link(2); clock(0); `EQ(req, 20'd0)
    link(3); clock(0);
    link(3); cred = 2'd1; clock(0);
    #1 `EQ(credit, 30'd0)
    clock(0); cred = 2'd0;
    #1 `EQ(credit, 30'o1111111111)
    `EQ(ev_owed, 10'd0)
    clock(0);
    cred = 2'd2;
    #1 `EQ(ev_cred, 10'h300)
    clock(0); cred = 2'd1;
    #1 `EQ(ev_cred, 10'h0ff)
    clock(0); cred = 2'd0; clock(0);
    cred = 2'd3;
    #1 `EQ(ev_cred, 10'h3fc)
    clock(0); cred = 2'd0; clock(0); clock(0);
    `EQ(credit, 30'o1111111111)
    link(0); clock(0); link(0);
    quiet;

    // A void grant: REQ 1 (the code `Want`), then 0 in the cycle after Gnt.
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
    pkt[0] = head0(1, 2, 5, 0, 0, 0); pkt[1] = flit(17'd5); pkt[2] = flit(17'h1a5f0);
    clock(0); clock(0); clock(0);
    `EQ(d[0 +: 54], {3{flit(17'h1a500)}})
    `EQ(d[18*3 +: 18], pkt[2])
    `EQ(d[18*4 +: 54], {3{flit(17'h100f0)}})
    `EQ(d[18*7 +: 18], pkt[2])
    `EQ(d[18*8 +: 36], {2{flit(17'h1a505)}})  // generation 5 of entry 5
    clock(0);

    // The same to M0 as it is.
    line_gnt = 1'b1; clock(1);
    quiet; make(1, 3, 0); raw = 1'b1; pkt[0] = head0(1, 2, 3, 0, 0, 0); pkt[2] = flit(17'h1a5f0);
    clock(0); clock(0); clock(0);
    `EQ(d[18*8 +: 36], {flit(17'h1a503), pkt[2]})
    clock(0);

    // VC 1 shows in H2, VC-T in H1, but not to an MBP.
    for (int v = 1; v < 3; v++) begin
      line_gnt = 1'b1; clock(1);
      quiet; make(7, 3, v); rank = 3'd0;
      for (int j = 1; j < 3; j++) pkt[j] = flit(pkt[j][16:0]);
      clock(0); clock(0);
      `EQ(d[17:0], pkt[1] ^ {v == 2, 17'd0})
      `EQ(d[18*9 +: 18], pkt[1])
      clock(0);
      `EQ(d[17:0], pkt[2] ^ {v == 1, 17'd0})
      `EQ(d[18*9 +: 18], pkt[2])
      clock(0);
    end

    // LOCAL goes before the crossbar.
    loc_want = 1'b1; line_gnt = 1'b1; cand_any = 1'b1;
    #1 `EQ({xb_gnt, loc_gnt}, {10'd0, 10'h3ff})
    quiet;
    // VC 0 of all has been used and not come back: late after the second slow tick.
    for (int t = 0; t < 3; t++) begin
      slow = 1'b1;
      #1 `EQ(late, (t == 2 ? 10'h3ff : 10'd0))
      clock(0);
    end
    quiet;
    // The link requests recovery, goes down and comes back. A credit announced now had been lost.
    cand_any = 1'b1; hush = 1'b1; clock(0);
    `EQ(req, 20'd0)
    ask = 1'b1; clock(0);
    `EQ(req, {10{2'd1}})
    quiet;
    link(1); clock(0); link(1); clock(0); link(2); clock(0); link(3); clock(0); link(3);
    `EQ(late, 10'd0)
    cred = 2'd1; clock(0);
    #1 `EQ(ev_owed, 10'h3ff)
    clock(0); cred = 2'd0; clock(0);
    credits(2, 3);
    link(0); clock(0); link(0);
    `EQ(credit, 30'o1133333377)
    clock(0);
    `EQ(late, 10'd0)

    // Down for two ticks and more: dead, everything is taken and goes nowhere. Not without sink_i.
    link(1); clock(0); link(1);
    for (int t = 0; t < 3; t++) begin tick = 1'b1; clock(0); tick = 1'b0; clock(0); end
    #1 `EQ({credit, xb_gnt}, 40'd0)
    sink = 1'b1; cand_any = 1'b1;
    #1 `EQ({credit, xb_gnt}, {30'o1133333377, 10'h3ff})
    take = 1'b1;
    #1 `EQ(ev_sunk, 10'h3ff)
    clock(1); take = 1'b0;
    `EQ({xb_gnt, ev_sunk}, 20'd0)
    while (busy) clock(0);
    `EQ({oe, req}, {10'd0, 20'hfffff})
    quiet;
    link(2); clock(0); link(3); clock(0); link(3); credits(1, 3); link(0); clock(0); link(0); clock(0);
    `EQ(credit, 30'o1133333377)
    // An MBP whose credit stays away is dead too, but no other port.
    line_gnt = 1'b1; clock(1); quiet; make(0, 3, 0);
    while (busy) clock(0);
    tick = 1'b1; clock(0); clock(0); quiet;
    `EQ(credit[0], 1'b0)
    sink = 1'b1;
    #1 `EQ({credit[29:21], xb_gnt}, {9'o112, 10'h300})
    sink = 1'b0;
    credits(1, 1);
    quiet;
    packets = 0;

    for (int c = 0; c < 5000; c++) begin
      case (nlk)
        0: link(rnd(150) == 0 ? 1 : 0);
        1: link(lk == 1 && !busy && rnd(30) == 0 ? 2 : 1);
        2: link(lk == 2 && !busy && rnd(3) == 0 ? 3 : 2);
        default: link(lk_t >= 11 && !busy ? 0 : 3);
      endcase
      last_flit = busy && (k == n - 1);
      line_gnt  = up && (!busy || last_flit) && (rnd(3) != 0);
      line_void = up && !busy && rnd(2);
      if (line_void) voids = voids + 1;
      cand_any  = rnd(2);
      ask       = up && (rnd(20) == 0);
      hush      = up && (rnd(10) == 0);
      loc_want  = (rnd(4) == 0);
      if (!busy) raw = (rnd(4) == 0);
      slow      = (rnd(20) == 0);
      sink      = (c / 1000) % 2;
      tick      = (lk == 1) && (nlk == 1) && (rnd(6) == 0);
      // Pairs, some of them broken; in Ann first that of VC 0, so that no MBP stays dead.
      if (lk == 3 && lk_t < 3)  cred = (lk_t == 0) ? 2'd0 : 2'd1;
      else if (cred != 0 && !again) begin again = (rnd(10) != 0); cred = rnd(10) ? cred : rnd(4); end
      else begin again = 1'b0; cred = (cred != 0 || rnd(3)) ? 2'd0 : rnd(4); end
      if (lk == 3 && lk_t == 3) begin again = 1'b0; cred = 2'd0; end
      if (!busy) rank = rnd(8);
      gen       = $random(seed);
      clock(rnd(4) != 0);
    end
    `CLAIM(voids > 50 && overdue > 50 && found > 10 && noise > 50 && sunken > 50,
           "void grants, late, lost and broken credits and dead outputs happened")
    `PASS("output_unit", packets, "packets")
  end
endmodule
