// SPDX-License-Identifier: MIT
// The link end. Two of them on one line with senders that behave like output units: nobody ever
// drives against the other, every packet arrives framed and whole, a turn of the line costs one
// clock, a second packet of the same end none, and saturated ends alternate. Beside them three
// more ends with random REQ on both sides, against the formulas of section 4.2.
module link_io_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  // Two ends of one line
  logic        en0;               // end 0 is switched by link_en_i, end 1 is always on
  logic [1:0]  link_en;
  logic [1:0]  sending;           // the end has packets to send
  integer      void_in;           // one of so many grants is not used; 0: all are used
  logic [3:0]  req;               // REQ pins
  logic [1:0]  oe, gnt, line_void, first, last, valid, ev_line;
  logic [3:0]  cred, rx_vc;
  logic [35:0] tx_d, rx_d;
  logic [17:0] d, noise;
  logic [1:0]  cred_ret;
  logic [3:0]  cred_vc;
  integer      packets = 0;
  integer      voids = 0;
  integer      turns = 0;
  integer      follows = 0;
  integer      upsets = 0;

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
      .d_i        (d),
      .req_i      (req[2*(1 - p) +: 2]),
      .cred_o     (cred[2*p +: 2]),
      .own_req_i  (req[2*p +: 2]),
      .own_oe_i   (oe[p]),
      .line_gnt_o (gnt[p]),
      .line_void_o(line_void[p]),
      .cred_ret_i (cred_ret[p]),
      .cred_vc_i  (cred_vc[2*p +: 2]),
      .cred_add_i (3'd0),
      .room_i     (3'd7),
      .ev_line_o  (ev_line[p]),
      .rx_valid_o (valid[p]),
      .rx_first_o (first[p]),
      .rx_last_o  (last[p]),
      .rx_vc_o    (rx_vc[2*p +: 2]),
      .rx_d_o     (rx_d[18*p +: 18])
    );

    // Sender. The same packet is looked at by the receiver's check, one clock behind the pins.
    logic        tx = 1'b0;
    integer      k, n, vc;
    logic [17:0] pkt [0:15];
    logic [20:0] on_pins = 21'd0;  // {valid, first, last, flit}
    logic [1:0]  vc_on_pins = 2'd0;

    always @(posedge clk) if (live) begin
      if (!rst_n) begin
        req[2*p +: 2] <= 2'd0; oe[p] <= 1'b0; tx_d[18*p +: 18] <= 18'd0; tx = 1'b0;
      end else begin
        `CLAIM(!(gnt[p] && tx && k < n - 1), "a grant in the middle of a packet")
        oe[p]   <= tx;
        on_pins <= 21'd0;
        if (tx) begin
          tx_d[18*p +: 18] <= pkt[k];
          on_pins          <= {1'b1, k == 0, k == n - 1, pkt[k]};
          if (k == 0) vc_on_pins <= vc;
        end
        if (tx && k < n - 2 && k > 0)  req[2*p +: 2] <= 2'd2;
        else if (tx && k == 0)         req[2*p +: 2] <= vc + 1;
        else if (line_void[p] && !tx)       req[2*p +: 2] <= 2'd0;
        else                           req[2*p +: 2] <= {1'b0, sending[p]};
        if (tx) begin
          k = k + 1;
          if (k == n) tx = 1'b0;
        end
        if (gnt[p]) begin
          if (void_in != 0 && rnd(void_in) == 0) voids = voids + 1;
          else begin
            tx = 1'b1; k = 0; n = 3 + rnd(14); vc = rnd(3);
            for (int j = 0; j < n; j++) pkt[j] = $random(seed);
            packets = packets + 1;
          end
        end
      end
    end

    // What was on the pins is in the other end's registers one clock later.
    logic [20:0] want = 21'd0;
    logic [1:0]  want_vc = 2'd0;
    always @(posedge clk) if (live) begin
      `KNOWN({gnt[p], line_void[p], cred[2*p +: 2], rx_vc[2*p +: 2], rx_d[18*p +: 18]})
      `KNOWN({valid[p], first[p], last[p]})
      if (rst_n) begin
        `EQ(valid[1 - p], want[20])
        `EQ(first[1 - p], want[19])
        `EQ(last[1 - p], want[18])
        if (want[20]) begin
          `EQ(rx_d[18*(1 - p) +: 18], want[17:0])
          `EQ(rx_vc[2*(1 - p) +: 2], want_vc)
        end
      end
      want    <= on_pins;
      want_vc <= vc_on_pins;
    end
  end

  // The lines: never two drivers, one clock between two ends' packets.
  integer since [0:1];  // clocks since the end last drove
  initial begin since[0] = 100; since[1] = 100; end
  always @(posedge clk) if (live && rst_n) begin
    noise <= $random(seed);
    `CLAIM(oe != 2'b11 && ev_line == 2'b00, "both ends drive")
    `CLAIM(gnt != 2'b11, "both ends are granted")
    for (int i = 0; i < 2; i++) begin
      if (oe[i] && since[1 - i] < since[i]) begin
        `CLAIM(since[1 - i] >= 2, "no clock without a driver at a turn")
        // With both asking all the time and no void grants, exactly one.
        if (sending == 2'b11 && void_in == 0) `EQ(since[1 - i], 2)
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

  // Three ends with random REQ, against the formulas
  logic [1:0]  r_own, r_peer, r_cvc;
  logic        r_en, r_ret;
  logic [2:0]  r_add, r_room;
  logic        r_oe;
  logic [17:0] r_d;

  for (genvar c = 0; c < 3; c++) begin : gen_ref
    localparam int NumVc = 3 - c;
    localparam int Prio  = (c == 1) ? 0 : 1;
    localparam int On    = (c == 2) ? 1 : 0;
    logic        g, v, val, fst, lst, el;
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
      .d_i        (r_d),
      .req_i      (r_peer),
      .cred_o     (cr),
      .own_req_i  (r_own),
      .own_oe_i   (r_oe),
      .line_gnt_o (g),
      .line_void_o(v),
      .cred_ret_i (r_ret),
      .cred_vc_i  (r_cvc),
      .cred_add_i (r_add),
      .room_i     (r_room),
      .ev_line_o  (el),
      .rx_valid_o (val),
      .rx_first_o (fst),
      .rx_last_o  (lst),
      .rx_vc_o    (rvc),
      .rx_d_o     (rd)
    );

    integer      st = 0;  // 0 Idle, 1 Gnt, 2 Start, 3 Xfer
    logic        mine = (Prio == 0);
    logic        tail = 1'b0;
    logic        ann = 1'b0;
    logic [2:0]  pend = 3'd0;
    logic        m_val = 1'b0, m_fst = 1'b0, m_lst = 1'b0;
    logic [1:0]  m_vc = 2'd0, m_cr = 2'd0;
    logic [17:0] m_d = 18'd0;
    logic [1:0]  peer, owner, other;
    logic        to_me, to_peer, m_el;

    always @(posedge clk) if (live) begin
      `KNOWN({g, v, val, fst, lst, cr, rvc, rd, el})
      if (rst_n) begin
        peer    = ann ? r_peer : 2'd0;
        owner   = mine ? r_own : peer;
        other   = mine ? peer : r_own;
        to_me   = 1'b0;
        to_peer = 1'b0;
        case (st)
          0: if (r_own != 0 && (peer == 0 || !mine)) to_me = 1'b1;
             else if (peer != 0)                     to_peer = 1'b1;
          2: if (owner == 0 && other != 0) begin to_me = !mine; to_peer = mine; end
          3: if (owner == 1 && other == 0) begin to_me = mine; to_peer = !mine; end
          default: ;
        endcase
        `EQ(g, to_me)
        `EQ(v, (st == 1 && mine))
        `EQ({val, fst, lst}, {m_val, m_fst, m_lst})
        `EQ(rvc, m_vc)
        `EQ(rd, m_d)
        `EQ(cr, m_cr)

        m_el  = (r_oe && ((st == 2 && !mine && peer != 0) || (st == 3 && !mine) || tail)) ||
                (st == 3 && mine && peer[1]);
        `EQ(el, m_el)
        if (m_el) upsets = upsets + 1;

        m_lst = tail;
        m_fst = (st == 2) && !mine && (peer != 0);
        m_val = m_fst || (st == 3 && !mine) || tail;
        tail  = (st == 3) && !mine && !peer[1];
        m_d   = r_d;
        if (m_fst) m_vc = peer - 1;
        m_cr = 2'd0;
        if (r_ret) m_cr = r_cvc + 2'd1;
        else begin
          for (int i = 2; i >= 0; i--) if (pend[i]) m_cr = i + 1;
          if (m_cr != 0) pend[m_cr - 1] = 1'b0;
        end
        pend = pend | r_add;
        if (!ann && (r_en || On)) begin ann = 1'b1; pend = pend | (r_room & ((1 << NumVc) - 1)); end
        if (to_me || to_peer) begin st = 1; mine = to_me; end
        else if (st == 0)                mine = (Prio == 0);
        else if (st == 1)                st = 2;
        else if (st == 2 && owner != 0)  st = 3;
        else if (st == 3 && owner[1])    st = 3;
        else                             st = 0;
      end
    end
  end

  always @(negedge clk) if (live) begin
    r_own  <= rnd(3) ? rnd(4) : 2'd0;
    r_peer <= rnd(3) ? rnd(4) : 2'd0;
    r_d    <= $random(seed);
    r_ret  <= (clocks > 10) && (rnd(5) == 0);
    r_cvc  <= rnd(3);
    r_add  <= (clocks > 10) && (rnd(8) == 0) ? rnd(8) : 3'd0;
    r_en   <= (clocks > 40) && (rnd(4) != 0);
    r_oe   <= (rnd(4) == 0);
    r_room <= rnd(8);
  end

  initial begin
    reset_with_x;
    en0 = 1'b0; sending = 2'b00; void_in = 0; noise = 18'd0;
    cred_ret = 2'd0; cred_vc = 4'd0;
    req = 4'd0; oe = 2'd0; tx_d = 36'd0;
    r_own = 2'd0; r_peer = 2'd0; r_cvc = 2'd0; r_en = 1'b0; r_ret = 1'b0; r_d = 18'd0;
    r_add = 3'd0; r_room = 3'd5; r_oe = 1'b0;
    go;

    // End 1 is always on: it announces two buffers, one a clock. End 0 is off: it announces
    // nothing and does not follow its peer.
    @(negedge clk); `EQ(cred, 4'b0000)
    @(negedge clk); `EQ(cred, 4'b0100)
    @(negedge clk); `EQ(cred, 4'b1000)
    @(negedge clk); `EQ(cred, 4'b0000)
    // Switched on: three buffers. A credit going back has precedence.
    en0 = 1'b1;
    @(negedge clk); `EQ(cred, 4'b0000)
    @(negedge clk); `EQ(cred, 4'b0001)
    cred_ret = 2'b01; cred_vc = 4'b0000;
    @(negedge clk); `EQ(cred, 4'b0001)
    cred_vc = 4'b0010;
    @(negedge clk); `EQ(cred, 4'b0011)
    cred_ret = 2'b00;
    @(negedge clk); `EQ(cred, 4'b0010)
    @(negedge clk); `EQ(cred, 4'b0011)
    @(negedge clk); `EQ(cred, 4'b0000)
    // Off and on again: nothing is announced twice.
    en0 = 1'b0; @(negedge clk);
    en0 = 1'b1; repeat (4) begin @(negedge clk); `EQ(cred, 4'b0000) end

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
    // Anything goes, with void grants.
    steady = 1'b0;
    for (int c = 0; c < 6000; c++) begin
      void_in = (c / 500) % 4 + 2;
      if (rnd(8) == 0) sending = rnd(4);
      @(negedge clk);
    end
    // Quiet in the end.
    sending = 2'b00;
    repeat (40) @(negedge clk);
    `EQ({oe, valid}, 4'd0)
    `CLAIM(voids > 50 && upsets > 50, "void grants and disturbances happened")
    `PASS("link_io", packets, "packets")
  end
endmodule
