// SPDX-License-Identifier: MIT
// Ten behavioral peers of the chip and the table of packets that they send and expect. Each runs
// the line machine of section 1 and checks driver, framing, credits and content of received
// packets. Part of router_tb: include after its pins.

// Packets: as sent, and as they must come out
localparam int Max = 1200;
logic [17:0] tx_f [0:20*Max-1];
integer      tx_n [0:Max-1], tx_vc [0:Max-1], t_in [0:Max-1], t_out [0:Max-1];
logic [17:0] ex_f [0:16*Max-1];
integer      ex_n [0:Max-1], ex_port [0:Max-1], ex_vc [0:Max-1];
integer      ex_short [0:Max-1];     // flits from here on were never sent; 99: all were
logic        ex_open [0:Max-1];      // must still come
integer      used = 0, open = 0, packets = 0, errs = 0, bodies = 0, frames = 0;
logic [9:0]  linkerr = 10'd0;
integer      q [0:2559];             // 256*p + i: packets to send
integer      q_head [0:9], q_tail [0:9];
logic [17:0] rx_f [0:199];           // 20*p + k: the packet coming in at peer p
logic [17:0] f [0:19];               // the packet being made
logic [9:0]  hold = 10'd0;           // peer p gives no buffer back
integer      lazy = 0;               // cycles for which a peer keeps a buffer, at most
integer      t_req [0:9], t_cred [0:9];
logic [29:0] has;                    // 3*p + v: peer p has a credit for v
logic [9:0]  busy;                   // peer p sends or receives
logic [9:0]  wants, is_up;
integer      syncs = 0;              // links that went down

// Answers to register reads
integer      answers = 0, ans_port;
logic [17:0] ans_f [0:4];

// State that a shoot-down hands to M0
logic        collecting = 1'b0;
integer      logged = 0;
logic [17:0] log_f [0:511];          // 16*i + k
integer      log_n [0:31];

// Acks
integer      acks = 0, ack_port;
logic [17:0] ack_f;

// Configuration as written
logic [2:0]  rank = 3'd0;
logic [3:0]  xfer = 4'd0;
logic [7:0]  dateline = 8'd0;
logic [15:0] my_xy = 16'd0;

function automatic integer vcs(input integer p); vcs = (p < 2) ? 3 : (p < 8) ? 2 : 1; endfunction

// Is packet i what peer p got?
function automatic logic fits(input integer i, input integer p, vc, n);
  logic ok;
  begin
    ok = ex_open[i] && ex_port[i] == p && ex_vc[i] == vc && ex_n[i] == n;
    for (int k = 0; k < n; k++) if (ok) begin
      // Whether a sent flit is marked as corrupt depends on when it is read.
      if (k >= 3 && k < ex_short[i] && ex_short[i] < 99)
        ok = (rx_f[20*p + k] === ex_f[16*i + k]) || (rx_f[20*p + k] === 18'd0);
      else
        ok = (rx_f[20*p + k] === ex_f[16*i + k]);
    end
    fits = ok;
  end
endfunction

function automatic logic is_ack(input integer i); is_ack = (tx_f[20*i][16:14] == 3'd4); endfunction

function automatic logic may_go(input integer p, input integer i);
  may_go = is_ack(i) || has[3*p + tx_vc[i]];
endfunction

task automatic received(input integer p, vc, n, t);
  integer i;
  begin
    i = -1;
    if (rx_f[20*p][16:14] == 3'd4) begin
      `EQ({n, rx_f[20*p + 1], rx_f[20*p + 2]}, {32'd3, {2{flit(17'd0)}}})
      ack_port = p;
      ack_f    = rx_f[20*p];
      acks     = acks + 1;
    end else if (collecting && p == 8) begin
      for (int k = 0; k < n; k++) log_f[16*logged + k] = rx_f[20*p + k];
      log_n[logged] = n;
      logged = logged + 1;
    end else if (rx_f[20*p][16:14] == 3'd5) begin
      `EQ(n, 5)
      ans_port = p;
      for (int k = 0; k < 5; k++) ans_f[k] = rx_f[20*p + k];
      answers = answers + 1;
    end else begin
      // A valid body begins with the packet's number; others are searched.
      if (rx_f[20*p][16:14] == 3'd0 && n > 3 && rx_f[20*p + 3] != 18'd0) i = rx_f[20*p + 3][15:0];
      else for (int j = used - 1; j >= 0; j--) if (fits(j, p, vc, n)) i = j;
      if (i < 0 || i >= used || !fits(i, p, vc, n)) begin
        $display("FAIL %m time %0t cycle %0d: port %0d VC %0d, %0d flits, not expected (%0d):",
                 $time, clocks, p, vc, n, i);
        for (int k = 0; k < n; k++)
          $display("  %h, expected %h", rx_f[20*p + k], ex_f[16*((i < 0) ? 0 : i % Max) + k]);
        $fatal(1, "seed=%0d", first_seed);
      end
      ex_open[i] = 1'b0;
      t_out[i]   = t;
      open       = open - 1;
      packets    = packets + 1;
    end
  end
endtask

// The peers
for (genvar p = 0; p < 10; p++) begin : gen_peer
  localparam int NumVc = (p < 2) ? 3 : (p < 8) ? 2 : 1;
  integer      st = 4, nx;                            // Idle, Gnt, Start, Xfer, Sync, Zero, Ann
  integer      t_st = 0, seen = 0;                    // cycles in it, and of the router in its transfer
  logic        mine = (p >= 8 || p % 2 == 0);         // Prio is the chip's, so this end has 0
  logic        tx = 1'b0, tail = 1'b0, first, valid, want, to_me, to_chip, trouble;
  integer      k, cur, rx_k, rx_vc, rx_t;
  logic [1:0]  own, chip, ccred, owner, other;
  logic [2:0]  room = 3'd0;                           // given to the chip
  logic [2:0]  pend = 3'((1 << NumVc) - 1);           // to be given
  integer      due [0:2];
  integer      shows = 0;                             // cycles for which the credit has been shown
  integer      once = 0;                              // the chip's credit seen once
  logic        pause = 1'b0;

  initial begin due[0] = 0; due[1] = 0; due[2] = 0; end

  assign d_i[18*p +: 18] = poe[p] ? pd[18*p +: 18] : d_oe[p] ? d_o[18*p +: 18] : noise;
  assign busy[p]  = (st != 0 && st != 4) || tx || tail;
  assign wants[p] = (preq[2*p +: 2] == 2'd1);
  assign is_up[p] = (st < 4);

  always @(posedge clk) if (live && rst_n) begin
    own   = preq[2*p +: 2];
    chip  = req[2*p +: 2];
    ccred = cred[2*p +: 2];
    owner = mine ? own : chip;
    other = mine ? chip : own;
    trouble = (st < 4 && chip[1] && (mine || st < 2)) || (st == 3 && !mine && chip == 3) ||
              (st == 6 && chip != 0);

    // Packets the router sends. It drives in no other cycle.
    first = (st == 2) && !mine && (chip != 0);
    valid = first || (st == 3 && !mine) || tail;
    if (!trouble) `EQ(d_oe[p], valid)
    `CLAIM(!(d_oe[p] && poe[p]), "two drivers")
    if (first) begin
      rx_k = 0; rx_vc = chip - 1; rx_t = clocks;
      if (d_o[18*p + 14 +: 3] != 3'd4) begin  // acks need none
        `CLAIM(rx_vc < NumVc && room[rx_vc], "a packet without a credit")
        room[rx_vc] = 1'b0;
      end
    end
    if (valid) begin
      `CLAIM(rx_k < 16, "a packet of more than 16 flits")
      rx_f[20*p + rx_k] = d_o[18*p +: 18];
      // The VC shows in the parities of H1 and H2.
      if ((rx_k == 1 && rx_vc == 2) || (rx_k == 2 && rx_vc == 1))
        rx_f[20*p + rx_k] = rx_f[20*p + rx_k] ^ 18'h20000;
      rx_k = rx_k + 1;
    end
    if (tail) begin
      received(p, rx_vc, rx_k, rx_t);
      if (rx_f[20*p][16:14] != 3'd4) begin
        pend[rx_vc] = 1'b1;
        due[rx_vc]  = clocks + (lazy == 0 ? 0 : rnd(lazy));
      end
    end
    if (t_req[p] < 0 && chip != 0) t_req[p] = clocks;

    // The line machine
    to_me = 1'b0; to_chip = 1'b0;
    if (st == 0 && !chip[1]) begin
      if (own != 0 && (chip == 0 || !mine)) to_me = 1'b1;
      else if (chip != 0)                   to_chip = 1'b1;
    end else if (st == 2 && owner == 0 && other != 0) begin
      to_me = !mine; to_chip = mine;
    end else if (st == 3 && owner == 1 && other == 0) begin
      to_me = mine; to_chip = !mine;
    end
    case (st)
      4: begin
        seen = (seen == 3 || (chip == 3 && ccred == 3)) ? (seen < 3 ? seen + 1 : 3) : 0;
        nx = (t_st >= 9 && seen == 3 && !tx) ? 5 : 4;
      end
      5: begin
        seen = (chip == 0 && ccred == 0) ? seen + 1 : 0;
        nx = (seen >= 2) ? 6 : (t_st >= 31 || (chip == 0 && ccred != 0)) ? 4 : 5;
      end
      6: nx = (t_st >= 11) ? 0 : 6;
      3: nx = owner[1] ? 3 : 0;
      2: nx = (owner != 0) ? 3 : 0;
      1: nx = 2;
      default: nx = 0;
    endcase
    if (to_me || to_chip) nx = 1;
    if (trouble)          nx = 4;

    // Credits of the chip: a code in two cycles, and a pause.
    if (st == 4 || st == 5 || nx == 4) begin
      once = 0; pause = 1'b0; has[3*p +: 3] = 3'd0;
    end else if (st == 6 && t_st == 0) begin
      `EQ(ccred, 2'd3)  // it is there
      pause = 1'b1;
    end else if (pause) begin
      `EQ(ccred, 2'd0)
      pause = 1'b0;
    end else if (once != 0) begin
      `EQ(ccred, 2'(once))
      `CLAIM(!has[3*p + once - 1], "a credit too many")
      has[3*p + once - 1] = 1'b1;
      once = 0; pause = 1'b1;
    end else if (ccred != 0) begin
      `CLAIM(ccred <= NumVc, "a credit for no VC")
      once = ccred;
      t_cred[p] = clocks;
    end

    // Credits for the chip, likewise. Free buffers are announced again when the link comes up.
    if (nx == 4 || nx == 5) begin
      for (int v = 0; v < NumVc; v++) if (!pend[v]) begin pend[v] = 1'b1; due[v] = 0; end
      room = 3'd0; shows = 0;
      pcred[2*p +: 2] <= (nx == 4) ? 2'd3 : 2'd0;
    end else if (st == 5) pcred[2*p +: 2] <= 2'd3;
    else if (st == 6 && t_st == 0) pcred[2*p +: 2] <= 2'd0;
    else if (shows == 1) shows = 2;
    else if (shows == 2) begin shows = 0; pcred[2*p +: 2] <= 2'd0; end
    else for (int v = 0; v < NumVc; v++) if (shows == 0 && pend[v] && clocks >= due[v] && !hold[p]) begin
      pend[v] = 1'b0; room[v] = 1'b1; shows = 1;
      pcred[2*p +: 2] <= v + 1;
    end

    // Packets the peer sends
    want = 1'b0;
    if (q_head[p] != q_tail[p]) want = may_go(p, q[256*p + q_head[p] % 256]);
    poe[p] <= tx && nx < 4;
    if (tx) pd[18*p +: 18] <= tx_f[20*cur + k] ^
                              ((k == 1 && tx_vc[cur] == 2) || (k == 2 && tx_vc[cur] == 1) ? 18'h20000 : 18'd0);
    if (tx && k == 0) t_in[cur] = clocks + 1;
    if (nx >= 4)                          preq[2*p +: 2] <= (nx == 4) ? 2'd3 : 2'd0;
    else if (tx && k == 0)                preq[2*p +: 2] <= tx_vc[cur] + 1;
    else if (tx && k < tx_n[cur] - 2)     preq[2*p +: 2] <= 2'd2;
    else if (st == 1 && mine && !tx)      preq[2*p +: 2] <= 2'd0;
    else                                  preq[2*p +: 2] <= {1'b0, want};
    if (tx) begin
      k = k + 1;
      if (k == tx_n[cur]) tx = 1'b0;
    end
    if (to_me && want && rnd(16) != 0) begin  // else the grant is void
      tx = 1'b1; k = 0;
      cur = q[256*p + q_head[p] % 256];
      q_head[p] = q_head[p] + 1;
      if (!is_ack(cur)) has[3*p + tx_vc[cur]] = 1'b0;
    end

    tail = (st == 3) && !mine && !chip[1] && !trouble;
    if (nx >= 4)               mine = (p >= 8 || p % 2 == 0);
    else if (to_me || to_chip) mine = to_me;
    else if (st == 0)          mine = (p >= 8 || p % 2 == 0);
    if (st < 4 && nx == 4) syncs = syncs + 1;
    t_st = (nx == st) ? t_st + 1 : 0;
    if (nx != st) seen = 0;
    st   = nx;
  end
end
