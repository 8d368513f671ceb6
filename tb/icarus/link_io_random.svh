// SPDX-License-Identifier: MIT
// Three ends of links with random pins, against the formulas of section 4.2.
// Part of link_io_tb.

// Three ends with random pins, against the formulas
for (genvar c = 0; c < 3; c++) begin : gen_ref
  localparam int NumVc = 3 - c;
  localparam int Prio  = (c == 1) ? 0 : 1;
  localparam int On    = (c == 2) ? 1 : 0;
  logic [1:0]  r_own, r_peer, r_cin, r_cvc;
  logic        r_en, r_ret, r_oe, r_tx, r_late, r_bad, r_slow;
  logic [2:0]  r_add, r_room;
  logic [17:0] r_d;
  logic        g, v, h, a, cl, dn, u, an, ev, val, fst, lst;
  logic [1:0]  cr, rvc;
  logic [17:0] rd;

  rdt_link_io #(
    .NumVc   (NumVc),
    .Prio    (Prio),
    .AlwaysOn(On)
  ) u_dut (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .link_en_i  (r_en),
    .slow_i     (r_slow),
    .d_i        (r_d),
    .req_i      (r_peer),
    .cred_i     (r_cin),
    .cred_o     (cr),
    .own_req_i  (r_own),
    .own_oe_i   (r_oe),
    .tx_i       (r_tx),
    .late_i     (r_late),
    .line_gnt_o (g),
    .line_void_o(v),
    .hush_o     (h),
    .ask_o      (a),
    .call_o     (cl),
    .down_o     (dn),
    .up_o       (u),
    .ann_o      (an),
    .ev_sync_o  (ev),
    .bad_i      (r_bad),
    .cred_ret_i (r_ret),
    .cred_vc_i  (r_cvc),
    .cred_add_i (r_add),
    .room_i     (r_room),
    .rx_valid_o (val),
    .rx_first_o (fst),
    .rx_last_o  (lst),
    .rx_vc_o    (rvc),
    .rx_d_o     (rd)
  );

  integer      st = 4, nx;  // Idle, Gnt, Start, Xfer, Sync, Zero, Ann
  integer      seen [0:6];
  integer      cnt = 0, p = 0, told_n = 0;
  logic        mine = (Prio == 0);
  logic        tail = 1'b0;
  logic        told = 1'b1, ticked = 1'b0;
  logic [2:0]  pend = 3'd0, keep = 3'd0, add, all;
  logic        rep = 1'b0;
  logic        m_val = 1'b0, m_fst = 1'b0, m_snd = 1'b0, m_lst = 1'b0;
  logic [1:0]  m_vc = 2'd0, m_cr = 2'd0;
  logic [17:0] m_d = 18'd0;
  logic [1:0]  owner, other;
  logic        to_me, to_peer, on, asks, theirs, trouble, missed, rx;
  initial for (int i = 0; i < 7; i++) seen[i] = 0;

  always @(posedge clk) if (live) begin
    `KNOWN({g, v, h, a, cl, dn, u, an, ev, val, fst, lst, cr, rvc, rd & {18{val}}})
    if (rst_n) begin
      seen[st] = seen[st] + 1;
      on     = r_en || On;
      all    = (1 << NumVc) - 1;
      owner  = mine ? r_own : r_peer;
      other  = mine ? r_peer : r_own;
      theirs = !mine && (st == 2 || st == 3);
      asks   = (st < 4) && (r_late || !on);
      to_me  = 1'b0; to_peer = 1'b0;
      case (st)
        0: if (!r_peer[1]) begin
             if (r_own != 0 && (r_peer == 0 || !mine)) to_me = 1'b1;
             else if (r_peer != 0)                     to_peer = 1'b1;
           end
        2: if (owner == 0 && other != 0) begin to_me = !mine; to_peer = mine; end
        3: if (owner == 1 && other == 0) begin to_me = mine; to_peer = !mine; end
        default: ;
      endcase
      rx = (st == 2 && !mine && r_peer != 0) || (st == 3 && !mine) || tail;
      trouble = 1'b0;
      if (st < 4) begin
        if (r_peer[1] && !theirs)                               trouble = 1'b1;
        if (st == 2 && !mine && r_peer > NumVc)                 trouble = 1'b1;
        if (st == 3 && !mine && (r_peer == 3 || cnt == 15))     trouble = 1'b1;
        if ((r_oe && rx) || r_bad)                              trouble = 1'b1;
      end
      if (st == 6 && r_peer != 0) trouble = 1'b1;
      missed = r_slow && on && !told && ((st == 4 && cnt == 31) || ticked);

      nx = st;
      case (st)
        0: nx = 0;
        1: nx = 2;
        2: nx = (owner != 0) ? 3 : 0;
        3: nx = owner[1] ? 3 : 0;
        4: if (cnt >= 8 && p == 3 && on && !r_tx) nx = 5;
        5: if (p == 1 && r_peer == 0 && r_cin == 0) nx = 6;
           else if (cnt == 31 || (r_peer == 0 && r_cin != 0)) nx = 4;
        default: if (cnt == 11) nx = (p != 0) ? 0 : 4;
      endcase
      if (to_me || to_peer)                nx = 1;
      else if (st < 4 && nx == 0 && asks && !(st == 3 && mine)) nx = 4;
      if (trouble)                         nx = 4;

      `EQ({g, v, h}, {to_me && !asks, st == 1 && mine, asks})
      `EQ(a, asks && !mine && ((st == 2 && r_peer != 0) || st == 3))
      `EQ({cl, dn, u, an}, {nx == 4, nx >= 4, st < 4, st == 6 && cnt != 0})
      `EQ(ev, (trouble && !(st == 0 && r_peer == 3)) || missed)
      `EQ({val, fst, lst}, {m_val, m_fst, m_lst})
      `EQ(rvc, m_vc)
      if (clocks > 1) `EQ(rd, m_d)
      `EQ(cr, m_cr)
      if (trouble) upsets = upsets + 1;
      if (missed) told_n = told_n + 1;

      m_d = r_d;
      // Who calls drives nothing, and nothing must not become a good flit.
      if (r_peer != 3 && ((m_fst && m_vc == 2) || (m_snd && m_vc == 1))) m_d[17] = !m_d[17];
      m_lst = tail || (trouble && rx);
      m_snd = m_fst;
      m_fst = (st == 2) && !mine && (r_peer != 0);
      m_val = rx;
      tail  = (st == 3) && !mine && !r_peer[1] && !trouble;
      if (m_fst) m_vc = r_peer - 1;

      // Credits
      add = r_add;
      if (r_ret) add[r_cvc] = 1'b1;
      if (st < 4 && nx == 4) begin
        keep = (~r_room | add | pend) & all;
        if (m_cr != 0) keep[m_cr - 1] = 1'b1;
      end else if (st == 4 && cnt < 8) keep = keep | ((~r_room | add) & all);
      if (nx == 4 || nx == 5) begin
        m_cr = (nx == 4 && on) ? 2'd3 : 2'd0;
        pend = 3'd0; rep = 1'b0;
      end else if (st == 5) begin
        m_cr = 2'd3; rep = 1'b0;
        pend = r_room & ~keep & all;
      end else begin
        if (rep) begin
          rep = 1'b0;
          if (r_ret && st != 6) pend[r_cvc] = 1'b1;
        end else if (m_cr != 0) begin
          m_cr = 2'd0;
          if (r_ret && st != 6) pend[r_cvc] = 1'b1;
        end else if (r_ret && st != 6) begin
          m_cr = r_cvc + 2'd1; rep = 1'b1;
        end else begin
          for (int i = 2; i >= 0; i--) if (pend[i]) m_cr = i + 1;
          if (m_cr != 0) begin pend[m_cr - 1] = 1'b0; rep = 1'b1; end
        end
        if (st != 6)      pend = pend | r_add;
        else if (nx != 6) pend = pend | ((add | (r_room & keep)) & all);
      end

      if (nx < 4)      told = 1'b0;
      else if (missed) told = 1'b1;
      ticked = (nx >= 4) && on && (ticked || r_slow);
      if (nx != st) p = 0;
      else if (st == 4) p = (p == 3) ? 3 : (r_peer == 3 && r_cin == 3) ? p + 1 : 0;
      else if (st == 5) p = (r_peer == 0 && r_cin == 0);
      else if (st == 6) p = (p != 0 || r_cin != 0);
      else              p = 0;
      if (nx != st || nx < 3)  cnt = 0;
      else if (cnt < 31)       cnt = cnt + 1;
      if (nx >= 4)               mine = (Prio == 0);
      else if (to_me || to_peer) mine = to_me;
      else if (st == 0)          mine = (Prio == 0);
      st = nx;
    end
  end

  // Mostly as on an error-free link in this state, so that all states occur.
  task stir(input integer odd);  // one cycle in so many is not
    begin
      r_d    <= $random(seed);
      r_oe   <= (rnd(odd) == 0);
      r_bad  <= (rnd(odd) == 0);
      r_tx   <= (rnd(4) == 0);
      r_slow <= (rnd(20) == 0);
      r_ret  <= (rnd(5) == 0);
      r_cvc  <= rnd(NumVc);
      r_add  <= (rnd(8) == 0) ? rnd(8) & ((1 << NumVc) - 1) : 3'd0;
      r_room <= rnd(8);
      r_en   <= r_en ? (rnd(200) != 0) : (rnd(40) == 0);
      r_late <= r_late ? (rnd(4) != 0) : (rnd(200) == 0);
      r_cin  <= rnd(4);
      if (st < 4) begin
        r_own  <= (mine && st > 1) ? (rnd(6) ? 2'd2 : rnd(4)) : rnd(2);
        r_peer <= (!mine && st > 1) ? (rnd(6) ? 2'd2 : rnd(odd) ? rnd(3) : 2'd3)
                                    : (rnd(odd) ? rnd(2) : rnd(4));
        if (st == 2 && rnd(3)) begin
          if (mine) r_own <= 1 + rnd(3); else r_peer <= 1 + rnd(NumVc);
        end
      end else begin
        r_own  <= (st == 4) ? 2'd3 : 2'd0;
        r_peer <= (rnd(odd) == 0) ? rnd(4) : (st == 4) ? 2'd3 : 2'd0;
        if (rnd(odd) != 0) r_cin <= (st == 4) ? 2'd3 : 2'd0;
        if ((clocks / 150) % 8 == 1) r_cin <= 2'd1;   // a pin is stuck
      end
    end
  endtask
  always @(negedge clk) if (live) stir((clocks / 700) % 2 ? 12 : 60);
  initial begin
    r_own = 2'd0; r_peer = 2'd0; r_cvc = 2'd0; r_en = 1'b0; r_ret = 1'b0; r_d = 18'd0; r_cin = 2'd0;
    r_add = 3'd0; r_room = 3'd5; r_oe = 1'b0; r_tx = 1'b0; r_late = 1'b0; r_bad = 1'b0; r_slow = 1'b0;
  end
end
