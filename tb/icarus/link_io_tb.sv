// SPDX-License-Identifier: MIT
// The link end. Two of them on one line with senders that behave like output units: they come up
// together, nobody ever drives against the other, every packet arrives framed and whole, a turn of
// the line costs one clock, a second packet of the same end none, and saturated ends alternate.
// Then pins are disturbed in the middle of traffic: the ends agree again each time.
// Beside them three more ends with random pins, against the formulas of section 4.2.
module link_io_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  // Two ends of one line
  logic        en0;               // end 0 is switched by link_en_i, end 1 is always on
  logic [1:0]  link_en, late;
  logic [1:0]  sending;           // the end has packets to send
  integer      void_in;           // one of so many grants is not used; 0: all are used
  logic [3:0]  req, flip_req, flip_cred;  // REQ pins; as the end sees the other's
  logic [1:0]  oe, gnt, line_void, first, last, valid, hush, ask, call, down, up, ann, ev_sync, tx, bad;
  logic [3:0]  cred, last_cred, rx_vc;
  logic [35:0] tx_d, rx_d;
  logic [17:0] d, noise;
  logic [1:0]  cred_ret;
  logic [3:0]  cred_vc;
  logic        calm = 1'b1;       // no pin is disturbed
  integer      packets = 0;
  integer      voids = 0;
  integer      turns = 0;
  integer      follows = 0;
  integer      upsets = 0;
  integer      syncs = 0;

  assign link_en = {1'b0, en0};  // Icarus takes no bare genvar in a port expression
  assign d = oe[0] ? tx_d[17:0] : oe[1] ? tx_d[35:18] : noise;

  for (genvar p = 0; p < 2; p++) begin : gen_end
    rdt_link_io #(
      .NumVc   (3 - p),
      .Prio    (1 - p),
      .AlwaysOn(p)
    ) u_dut (
      .clk_i      (clk),
      .rst_ni     (rst_n),
      .link_en_i  (link_en[p]),
      .slow_i     (1'b0),
      .d_i        (d),
      .req_i      (req[2*(1 - p) +: 2] ^ flip_req[2*p +: 2]),
      .cred_i     (cred[2*(1 - p) +: 2] ^ flip_cred[2*p +: 2]),
      .cred_o     (cred[2*p +: 2]),
      .own_req_i  (req[2*p +: 2]),
      .own_oe_i   (oe[p]),
      .tx_i       (tx[p]),
      .late_i     (late[p]),
      .line_gnt_o (gnt[p]),
      .line_void_o(line_void[p]),
      .hush_o     (hush[p]),
      .ask_o      (ask[p]),
      .call_o     (call[p]),
      .down_o     (down[p]),
      .up_o       (up[p]),
      .ann_o      (ann[p]),
      .ev_sync_o  (ev_sync[p]),
      .bad_i      (bad[p]),
      .cred_ret_i (cred_ret[p]),
      .cred_vc_i  (cred_vc[2*p +: 2]),
      .cred_add_i (3'd0),
      .room_i     (3'd7),
      .rx_valid_o (valid[p]),
      .rx_first_o (first[p]),
      .rx_last_o  (last[p]),
      .rx_vc_o    (rx_vc[2*p +: 2]),
      .rx_d_o     (rx_d[18*p +: 18])
    );

    // The input unit's part: the parities of a header.
    integer at = 0;
    always @(posedge clk) if (valid[p]) at <= first[p] ? 1 : at + 1;
    assign bad[p] = valid[p] && (first[p] ? (^rx_d[18*p +: 18]) || rx_d[18*p +: 18] == 0
                                          : at < 3 && !(^rx_d[18*p +: 18]));

    // Sender. The same packet is looked at by the receiver's check, one clock behind the pins.
    integer      k, n, vc;
    logic [17:0] pkt [0:15];
    logic [20:0] on_pins = 21'd0;  // {valid, first, last, flit}
    logic [1:0]  vc_on_pins = 2'd0;

    always @(posedge clk) if (live) begin
      if (!rst_n) begin
        req[2*p +: 2] <= 2'd0; oe[p] <= 1'b0; tx_d[18*p +: 18] <= 18'd0; tx[p] = 1'b0;
      end else begin
        `CLAIM(!(gnt[p] && tx[p] && k < n - 1), "a grant in the middle of a packet")
        oe[p]   <= tx[p] && !down[p];
        on_pins <= 21'd0;
        if (tx[p]) begin
          // The VC shows in the parities of H1 and H2.
          tx_d[18*p +: 18] <= pkt[k] ^ {(k == 1 && vc == 2) || (k == 2 && vc == 1), 17'd0};
          on_pins          <= {1'b1, k == 0, k == n - 1, pkt[k]};
          if (k == 0) vc_on_pins <= vc;
        end
        if (call[p])                          req[2*p +: 2] <= 2'd3;
        else if (down[p])                     req[2*p +: 2] <= 2'd0;
        else if (tx[p] && k < n - 2 && k > 0) req[2*p +: 2] <= 2'd2;
        else if (tx[p] && k == 0)             req[2*p +: 2] <= vc + 1;
        else if (line_void[p] && !tx[p])      req[2*p +: 2] <= 2'd0;
        else                                  req[2*p +: 2] <= {1'b0, (sending[p] && !hush[p]) || ask[p]};
        if (tx[p]) begin
          k = k + 1;
          if (k == n) tx[p] = 1'b0;
        end
        if (gnt[p]) begin
          if (void_in != 0 && rnd(void_in) == 0) voids = voids + 1;
          else begin
            tx[p] = 1'b1; k = 0; n = 3 + rnd(14); vc = rnd(2 + p);
            for (int j = 0; j < n; j++) pkt[j] = flit($random(seed));
            pkt[0] = first_flit({1'b1, 16'($random(seed))});
            packets = packets + 1;
          end
        end
      end
    end

    // What was on the pins is in the other end's registers one clock later.
    logic [20:0] want = 21'd0;
    logic [1:0]  want_vc = 2'd0;
    always @(posedge clk) if (live) begin
      `KNOWN({gnt[p], line_void[p], cred[2*p +: 2], rx_vc[2*p +: 2], rx_d[18*p +: 18] & {18{valid[p]}}})
      `KNOWN({valid[p], first[p], last[p], hush[p], ask[p], call[p], down[p], up[p], ann[p], ev_sync[p]})
      if (rst_n && calm) begin
        `EQ(valid[1 - p], want[20])
        `EQ(first[1 - p], want[19])
        `EQ(last[1 - p], want[18])
        if (want[20]) begin
          `EQ(rx_d[18*(1 - p) +: 18], want[17:0])
          `EQ(rx_vc[2*(1 - p) +: 2], want_vc)
        end
        `EQ(bad[p], 1'b0)
      end
      if (rst_n && up[p] && call[p]) syncs = syncs + 1;
      want    <= on_pins;
      want_vc <= vc_on_pins;
    end
  end

  // The lines: never two drivers, one clock between two ends' packets.
  integer since [0:1];  // clocks since the end last drove
  initial begin since[0] = 100; since[1] = 100; end
  always @(posedge clk) if (live && rst_n) begin
    noise <= calm ? $random(seed) : 18'd0;
    if (calm) begin
      `CLAIM(oe != 2'b11, "both ends drive")
      `CLAIM(gnt != 2'b11, "both ends are granted")
      `CLAIM(up[0] == up[1] || call == 2'b11, "one end is up alone")
    end
    for (int i = 0; i < 2; i++) begin
      if (oe[i] && since[1 - i] < since[i]) begin
        if (calm) `CLAIM(since[1 - i] >= 2, "no clock without a driver at a turn")
        // With both asking all the time and no void grants, exactly one.
        if (steady && sending == 2'b11) `EQ(since[1 - i], 2)
        turns = turns + 1;
      end
      // Alone and asking, packets follow without a gap; together, never two in a row.
      if (oe[i] && starts[i]) begin
        if (since[i] == 1) follows = follows + 1;
        if (steady && sending == 2'b11) `CLAIM(since[1 - i] < since[i], "the ends alternate")
        if (steady && sending != 2'b11) `EQ(since[i], 1)
      end
    end
    for (int i = 0; i < 2; i++) since[i] = oe[i] ? 1 : since[i] + 1;
  end
  logic       steady = 1'b0;
  logic [1:0] starts;
  assign starts = {gen_end[1].on_pins[19], gen_end[0].on_pins[19]};

  task upcoming(input integer most);  // both ends come up, and in the same clock
    integer t;
    begin
      t = clocks;
      while (up != 2'b11 && clocks - t < most) @(negedge clk);
      `EQ(up, 2'b11)
    end
  endtask

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

    // Mostly as on a sound link in this state, so that all of them are seen.
    task stir(input integer odd);  // one clock in so many is not
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

  initial begin
    reset_with_x;
    en0 = 1'b0; sending = 2'b00; void_in = 0; noise = 18'd0; late = 2'd0; flip_req = 4'd0; flip_cred = 4'd0;
    cred_ret = 2'd0; cred_vc = 4'd0;
    req = 4'd0; oe = 2'd0; tx_d = 36'd0; tx = 2'd0;
    go;

    // End 1 is always on and calls. End 0 is off: it holds REQ up, but not CRED.
    repeat (60) begin
      @(negedge clk);
      `EQ({req, cred, up, ann, down, call}, {4'b1111, 4'b1100, 2'b00, 2'b00, 2'b11, 2'b11})
    end
    // Switched on: both fall silent, show that they are there, and announce their buffers, each as
    // a pair and a pause.
    en0 = 1'b1;
    while (ann == 2'b00) begin last_cred = cred; @(negedge clk); `EQ(up, 2'b00) end
    `EQ(last_cred, 4'b1111)
    `EQ({ann, cred, req}, {2'b11, 4'b0000, 4'b0000})
    @(negedge clk); `EQ(cred, 4'b0101)
    @(negedge clk); `EQ(cred, 4'b0101)
    @(negedge clk); `EQ(cred, 4'b0000)
    @(negedge clk); `EQ(cred, 4'b1010)
    @(negedge clk); `EQ(cred, 4'b1010)
    @(negedge clk); `EQ(cred, 4'b0000)
    @(negedge clk); `EQ(cred, 4'b0011)
    @(negedge clk); `EQ(cred, 4'b0011)
    `EQ(ann, 2'b11)
    while (up == 2'b00) begin @(negedge clk); `EQ(cred, 4'b0000) end
    `EQ({ann, up}, {2'b00, 2'b11})
    // A credit going back has precedence where there is room, and otherwise waits.
    cred_ret = 2'b01; cred_vc = 4'b0010;
    @(negedge clk); `EQ(cred, 4'b0011)
    cred_vc = 4'b0000;
    @(negedge clk); `EQ(cred, 4'b0011)
    cred_vc = 4'b0010;
    @(negedge clk); `EQ(cred, 4'b0000)
    cred_vc = 4'b0001;
    @(negedge clk); `EQ(cred, 4'b0010)
    cred_ret = 2'b00;
    @(negedge clk); `EQ(cred, 4'b0010)
    @(negedge clk); `EQ(cred, 4'b0000)
    @(negedge clk); `EQ(cred, 4'b0001)
    @(negedge clk); `EQ(cred, 4'b0001)
    @(negedge clk); `EQ(cred, 4'b0000)
    @(negedge clk); `EQ(cred, 4'b0011)
    @(negedge clk); `EQ(cred, 4'b0011)
    repeat (6) begin @(negedge clk); `EQ(cred, 4'b0000) end
    `EQ(syncs, 0)

    // Both ask in the same clock: Prio = 1, that is end 0, goes first. Then they alternate.
    sending = 2'b11;
    while (oe == 2'b00) @(negedge clk);
    `EQ(oe, 2'b01)
    while (oe != 2'b10) @(negedge clk);
    steady = 1'b1;
    repeat (1000) @(negedge clk);
    `CLAIM(turns > 60, "both ends sent")
    // One end alone: no gaps.
    for (int i = 0; i < 2; i++) begin
      steady = 1'b0;
      sending = 2'b01 << i;
      repeat (60) @(negedge clk);
      steady = 1'b1;
      follows = 0;
      repeat (500) @(negedge clk);
      `CLAIM(follows > 30, "packets followed each other")
    end
    // Anything goes, with void grants; and now and then an end asks to re-synchronise, by which
    // nothing is lost and only the other end is surprised.
    steady = 1'b0;
    for (int c = 0; c < 6000; c++) begin
      void_in = (c / 500) % 4 + 2;
      if (rnd(8) == 0) sending = rnd(4);
      if (up == 2'b11 && rnd(200) == 0) late = 1 + rnd(3);
      if (up == 2'b00) late = 2'b00;
      @(negedge clk);
    end
    late = 2'b00;
    `CLAIM(syncs > 10, "ends asked to re-synchronise")
    upcoming(60);
    // Switched off: the line is left in peace first.
    void_in = 0; sending = 2'b11;
    repeat (20) @(negedge clk);
    en0 = 1'b0;
    repeat (100) @(negedge clk);
    `EQ({req, cred, oe}, {4'b1111, 4'b1100, 2'b00})
    en0 = 1'b1;
    upcoming(60);

    // Any pin disturbed for a clock or two, in any moment: soon both are up and agree.
    void_in = 6;
    for (int c = 0; c < 150; c++) begin
      repeat (rnd(40)) begin
        if (rnd(6) == 0) sending = rnd(4);
        @(negedge clk);
      end
      calm = 1'b0;
      for (int i = 0; i < 1 + rnd(2); i++) begin
        if (c % 3 == 2) flip_cred = 4'd1 << rnd(4);
        else            flip_req = 4'd1 << rnd(4);
        @(negedge clk);
        flip_req = 4'd0; flip_cred = 4'd0;
      end
      sending = 2'b11;  // what does not agree is found as soon as somebody sends
      repeat (120) @(negedge clk);
      calm = 1'b1;
      upcoming(1);
    end
    // Quiet in the end.
    sending = 2'b00;
    repeat (40) @(negedge clk);
    `EQ({oe, valid}, 4'd0)
    for (int i = 0; i < 7; i++)
      `CLAIM(gen_ref[0].seen[i] > 50 && gen_ref[1].seen[i] > 50 && gen_ref[2].seen[i] > 50,
             "every state was seen")
    `CLAIM(voids > 50 && upsets > 50, "void grants and disturbances happened")
    `CLAIM(gen_ref[0].told_n > 3, "links that stayed down were missed")
    `PASS("link_io", packets, "packets")
  end
endmodule
