// SPDX-License-Identifier: MIT
// Sections 4.8 and 4.12 of the specification: every output of LOCAL in every cycle. Part of local_tb.

localparam int Idle = 0, Recv = 1, Send = 2, Tx = 3, Dump = 4, Put = 5, PutRx = 6;
localparam int Run = 0, Dumps = 1, Done = 2, Restart = 3;  // state of shot
integer      st = Idle, ridx, kind, len;
integer      cnt [0:3];           // counters of the ticks
logic [15:0] r [0:22];            // registers by address
logic [15:0] mask [0:22];         // bits they have
logic [3:0]  code, port, e;
logic [1:0]  vc;
logic [16:0] h [0:2];
logic        cmd;
integer      shot = Run, scan = 0;
logic        halted = 1'b0, m_halt, fires;
logic        m_stray = 1'b0;
logic [3:0]  m_stray_port;
logic [2:0]  m_stray_tag;
logic [9:0]  m_sync = 10'd0, m_sunk = 10'd0;
logic [1:0]  deaf = 2'd0;
integer      waits = 0, given_up = 0, notices = 0, guarded = 0, tells;
logic        m_lost, kept;
logic [29:0] m_look;
logic        m_eput, m_elook, m_we, m_end, m_ok, sends;
logic [3:0]  e8;
integer      dumped = 0, put_back = 0, refused = 0, entries = 0, ends = 0, to;
logic [14:0] addr;
logic [12:0] set;
logic [2:0]  tag;
logic [9:0]  linkset;
logic        we;
logic [14:0] waddr;
logic [3:0]  fe;                  // error of this flit
logic        last, m, counted;
logic [9:0]  m_ack;
logic [16:0] p;
integer      n, low, at;
integer      turn = 0;            // cycles of Idle that are for packets
logic        was_idle;
integer      packets = 0;         // made by LOCAL
integer      taken = 0;           // given to LOCAL

initial for (int i = 0; i < 4; i++) cnt[i] = 0;

function automatic integer vcs(input integer p); vcs = (p < 2) ? 3 : (p < 8) ? 2 : 1; endfunction

// The slot of this number, or none.
function automatic logic [29:0] slot_of(input integer number);
  integer i;
  begin
    slot_of = 30'd0;
    i = 0;
    for (int q = 0; q < 10; q++) for (int v = 0; v < vcs(q); v++) begin
      if (i == number) slot_of[3*q + v] = 1'b1;
      i = i + 1;
    end
  end
endfunction

function automatic logic [5:0] name_of(input logic [29:0] oh);
  begin
    name_of = 6'd0;
    for (int i = 0; i < 30; i++) if (oh[i]) name_of = {4'(i / 3), 2'(i % 3)};
  end
endfunction

// A context that may be put back: h1, and the upper bits of h2.
function automatic logic fit(input logic [2:0] t, input logic [16:0] h1, h2);
  integer outs, out;
  begin
    outs = 0; out = 0;
    for (int i = 0; i < 10; i++) if (h1[i]) begin outs = outs + 1; out = i; end
    if (h1[10] || outs == 0) fit = 1'b0;
    else if (h2[16])         fit = !(h2[11] && t == 0);
    else                     fit = outs == 1 && !h2[11] && h2[15:12] < vcs(out);
  end
endfunction

always @(posedge clk) if (live) begin
  `KNOWN({err, x_gnt, ready, tick, rank, xfer, dateline, link})
  `KNOWN({map_mask, ranks, tick_ent, tick_ack, slow, sink, drop, run, end_lane})
  `KNOWN({only_mbp0, halt, raw, keep, give_back, dump, dumping, put_we, put_set, ent_look, ent_put})
  if (rst_n && st != Recv) `KNOWN(look)
  `KNOWN({to_ack, loc_want, loc_x})
  if (rst_n) begin
    // Outputs
    low = -1;
    for (int i = 9; i >= 0; i--) if (to_pend[i]) low = i;
    tells = -1;  // port of a notice about a link
    for (int i = 9; i >= 0; i--) if (m_sync[i] || m_sunk[i]) tells = i;
    // Two cycles of Idle after each notice are for packets.
    if (turn != 0) begin low = -1; tells = -1; end
    m_ack = 10'd0;
    if (st == Idle && low >= 0) m_ack[low] = 1'b1;
    m = (st == Send || st == Tx) && (kind == 2) && h[0][6];
    n = (kind == 0) ? 6 : (kind == 2) ? 5 : 3;
    p = 17'd0;
    if (st == Tx) begin
      case (ridx)
        0: p = (kind == 2) ? {3'd5, 4'd4, h[0][9:6], 6'd0} : {3'd7, 4'(n - 1), 6'd0, code};
        1: p = (kind == 2) ? 17'd0 : {port, vc, (kind == 1) ? tag : 3'd0, 8'd0};
        2: p = {1'b0, r[1][7:0], r[2][7:0]};
        3: p = (kind == 2) ? {2'd0, addr} : h[0];
        4: p = (kind == 2) ? {1'b0, addr == 19 ? {6'd0, ~up} : r[addr]} : h[1];
        default: p = h[2];
      endcase
      if (kind == 3) begin
        if (scan < 20)
          p = (ridx == 0) ? {3'd6, 4'd2, ctx[3:1], 7'd0}
              : (ridx == 1) ? {name_of(slot_of(scan)), ctx[19:9]} : {ctx[8:4], ctx[0], 11'd0};
        else if (scan < 27)
          p = (ridx == 0) ? {3'd6, 4'd2, 3'(scan - 19), 7'd1} : h[ridx];
        else
          p = (ridx == 0) ? {3'd6, 4'd2, 3'd0, 7'd2} : (ridx == 1) ? 17'd0
              : {1'b0, r[1][7:0], r[2][7:0]};
      end
    end
    last   = (x[19:18] == 2'd1) && (ridx != 0);
    m_halt = (shot != Run) || (r[8][0] && r[9][6]);
    m_look = slot_of(scan);
    if (st == Put || st == PutRx || (st == Recv && ridx >= 2)) begin
      m_look = 30'd0;
      if (h[1][16:13] < 10) if (h[1][12:11] < vcs(h[1][16:13]))
        m_look[3*h[1][16:13] + h[1][12:11]] = 1'b1;
    end
    m_end   = (st == Recv) && last && code == 0 && h[0][16:14] == 3'd6;
    m_eput  = m_end && h[0][1:0] == 2'd1 && h[0][9:7] != 0;
    m_elook = (shot == Dumps && scan >= 20 && scan <= 26 && st == Idle) || m_eput;
    e8      = rd_err[32 +: 4];
    m_we    = (st == PutRx) && h[1][16:13] != 4'd8 && e == 0 && (ridx == 0 ? e8 == 0 : code == 0);
    m_ok    = (st == PutRx) && e == 0 && code == 0 && !clash;
    `EQ({halt, only_mbp0, raw, sink, drop, run}, {m_halt, {2{st == Put}}, r[8][4] && !m_halt, r[8][6] && !m_halt, shot == Run})
    `EQ({dump, dumping}, {st == Dump && !cmd, st == Dump})
    if (st != Recv || m_end) `EQ(look, m_look)
    `EQ({ent_look, ent_put}, {m_elook, m_eput})
    if (m_elook) `EQ(ent_tag, (st == Recv ? h[0][9:7] : 3'(scan - 19)))
    if (m_eput) `EQ({ent_h1_out, ent_h2_out}, {h[1], x[16:6]})
    `EQ(keep, (st == Put && h[1][16:13] == 4'd8 && e == 0))
    `EQ(put_we, m_we)
    if (m_we) `EQ({put_addr, put_d}, {4'(ridx), x[17:0]})
    `EQ(put_set, (m_ok && last))
    if (m_ok && last) `EQ(put_ctx, {h[1][10:0], h[2][16:12], h[0][9:7], h[2][11]})
    `EQ(give_back, (st == PutRx && last && !m_ok && h[1][16:13] == 4'd8))
    `EQ(ready, (st == Idle || st == Put))
    `EQ(x_gnt, ((st == Idle && low < 0 && !(m_stray && turn == 0) && tells < 0) || (st == Put && ridx == 1)))
    `EQ(to_ack, m_ack)
    `EQ(loc_want, (st == Send ? m_credit & (m ? 2'd2 : 2'd1) : 2'd0))
    `EQ(loc_x, (st == Tx ? {code_of(ridx, n, 0), ridx == 0 ? first_flit(p) : flit(p)} : 20'd0))
    `EQ(tick, (r[7] != 0 && cnt[0] == 0 && !m_halt))
    `EQ(tick_ent, (r[14] != 0 && cnt[1] == 0 && !m_halt))
    `EQ(tick_ack, (r[15] != 0 && cnt[2] == 0 && !m_halt))
    `EQ(slow, (cnt[3] == 0 && !m_halt))
    `EQ({rank, xfer, dateline, link}, {5'd1 << r[3][2:0], r[4][3:0], r[5][7:0], r[6][7:0]})
    `EQ({map_mask, ranks}, {r[13][7:0], r[17][3:0]})
    `EQ(err, r[9] != 0)

    // Next state
    was_idle = (st == Idle);
    set = {|ev_sunk, ev_lost, |(ev_sync | ev_owed), ev_table, stray, 1'b0, r[8][0] && slice_own != slice_in, 1'b0,
           (|ev_owed) || (|ev_cred), |ev_over, |ev_frame, |ev_body, 1'b0};
    m_lost = ev_lost;
    we = 1'b0; counted = 1'b0;
    if (!m_halt) begin
      cnt[0] = (cnt[0] == 0) ? r[7] : cnt[0] - 1;
      cnt[1] = (cnt[1] == 0) ? r[14] : cnt[1] - 1;
      cnt[2] = (cnt[2] == 0) ? r[15] : cnt[2] - 1;
      cnt[3] = (cnt[3] == 0) ? 1023 : cnt[3] - 1;
    end
    fires = (shot == Run) && (shoot || (r[8][1] && m_ack != 0));
    to    = (fires) ? Dumps : shot;
    sends = halted && shot == Dumps;
    halted = (shot != Run);
    if (fires) scan = 0;
    kept = stray && !m_stray;  // to be reported, but not in this cycle
    if (kept) begin m_stray = 1'b1; m_stray_port = stray_port; m_stray_tag = stray_tag; end
    if (st != Send) waits = 0;
    case (st)
      Idle:
        if (low >= 0) begin
          st = Send; kind = 1; code = 4'd7; port = low; vc = to_vc[2*low +: 2]; set[5] = 1'b1;
          tag = 3'd0;
        end else if (m_stray && !kept && turn == 0) begin
          st = Send; kind = 1; code = 4'd8; port = m_stray_port; vc = 2'd0;
          tag = m_stray_tag; m_stray = 1'b0;
        end else if (tells >= 0) begin
          st = Send; kind = 1; port = tells; vc = 2'd0; tag = 3'd0; notices = notices + 1;
          if (m_sync[tells]) begin code = 4'd1; m_sync[tells] = 1'b0; end
          else begin code = 4'd13; m_sunk[tells] = 1'b0; end
        end else if (gnt) begin
          st = Recv; ridx = 0; e = 4'd0; cmd = 1'b0; taken = taken + 1;
        end else if (sends) begin
          if (scan < 20 ? ctx[20] && !ctx[19] : scan == 27 || ent_used) begin
            if (scan >= 20 && scan < 27) begin h[1] = ent_h1; h[2] = {ent_h2, 6'd0}; end
            st = Send; kind = 3; cmd = 1'b0;
          end else scan = scan + 1;
        end else if ((shot == Done || shot == Restart) && ctx[20] && !ctx[19]) to = Dumps;
      Recv: begin
        if (ridx < 3) h[ridx] = x[16:0];
        if (ridx == 0) begin
          for (int i = 0; i < 10; i++) if (sel[i]) at = i;
          code = rd_err[4*at +: 4]; port = at; vc = rd_vc[2*at +: 2];
        end
        len = h[0][13:10];
        fe  = 4'd0;
        if (ridx >= 3 && ridx % 2 == 1) begin
          if (^x[17:0] == 0)                       fe = 4'd9;
          else if (x[15] ? last : len != 3)        fe = 4'd3;
          else if (x[14:0] > 22 || (x[15] && (x[14:0] == 0 || x[14:0] == 16 || x[14:0] == 19))) fe = 4'd6;
          cmd = x[15] && (fe == 0);
          if (fe == 0) addr = x[14:0];
        end else if (ridx >= 4 && cmd) begin
          if (^x[17:0] == 0) fe = 4'd9;
          else if (r[8][3] && port != 8) begin fe = 4'd12; guarded = guarded + 1; end
          else begin we = 1'b1; waddr = addr; end
          if (we && addr == 8 && x[2] && shot == Run) begin to = Dumps; scan = 0; end
          cmd = 1'b0;
        end
        if (e == 0) e = fe;
        ridx = ridx + 1;
        if (m_end) begin
          kind = 0; ridx = 0; st = Idle;
          case (h[0][1:0])
            2'd0: begin st = Put; to = Restart; scan = 18; e = (vacant && fit(h[0][9:7], h[1], x[16:0])) ? 4'd0 : 4'd11; end
            2'd1: if (m_eput) begin
                    to = h[0][2] ? Run : Restart; entries = entries + 1;
                    if (!h[0][2]) scan = 18;
                  end
                  else begin st = Send; code = 4'd11; set[7] = 1'b1; end
            2'd2: begin to = Dumps; scan = 0; end
            default: to = Run;
          endcase
        end else if (last) begin
          kind = 0;
          if (code != 0) begin st = Send; set[0] = 1'b1; end
          else if (e != 0) begin st = Send; code = e; set[7] = 1'b1; end
          else if (len == 3) begin st = Send; kind = 2; end
          else st = Idle;
        end
      end
      Send: begin
        waits = waits + 1;
        if (loc_gnt[m]) begin
          st = Tx; ridx = 0; packets = packets + 1; counted = (kind < 2);
        end else if (kind < 3 && (waits == 1024 || (deaf[m] && !m_credit[m]))) begin
          st = Idle; deaf[m] = 1'b1; m_lost = 1'b1; set[11] = 1'b1; given_up = given_up + 1;
        end
      end
      Tx: begin
        ridx = ridx + 1;
        if (ridx == n) begin
          st = Idle; ridx = 0;
          if (kind == 3 && scan < 20)       st = Dump;
          else if (kind == 3 && scan == 27) begin to = Done; scan = 18; ends = ends + 1; end
          else if (kind == 3)               scan = scan + 1;
        end
      end
      Dump: begin
        if (cmd) begin
          ridx = ridx + 1;
          if (ridx == 16) begin st = Idle; scan = scan + 1; cmd = 1'b0; dumped = dumped + 1; end
        end else cmd = gnt_mbp0;
      end
      Put: begin
        ridx = 1;
        if (gnt) begin st = PutRx; ridx = 0; end
      end
      default: begin
        if (ridx == 0) begin
          code = e8;
          if (x[16:14] == 4 || x[16:14] > 5 || h[2][16] != (x[16:14] > 0 && x[16:14] < 4)) e = 4'd11;
        end
        if (last) begin
          st = Idle;
          if (m_ok) begin
            if (h[0][2]) to = Run;
            put_back = put_back + 1;
          end else begin
            st = Send; kind = 0; set[7] = 1'b1; refused = refused + 1;
            if (clash) e = 4'd11;
            if (code == 0) code = e;
          end
        end
        if (clash) e = 4'd11;
        ridx = ridx + 1;
      end
    endcase
    if (was_idle && st == Send && kind == 1) turn = 2;
    else if (was_idle && turn != 0) turn = turn - 1;
    if (fires) begin to = Dumps; scan = 0; end  // wins over a SHOT packet
    shot  = to;
    r[16] = to;
    m_sync = m_sync | ((ev_sync | ev_owed) & 10'h2ff);
    m_sunk = m_sunk | (ev_sunk & 10'h2ff);
    deaf   = deaf & ~m_credit;
    if (counted && r[11] < 255) r[11] = r[11] + 1;
    if (ev_body != 0 && r[12] < 255) r[12] = r[12] + 1;
    if ((ev_sync | ev_owed) != 0 && r[18] < 255) r[18] = r[18] + 1;
    if (m_lost && r[20] < 255)       r[20] = r[20] + 1;
    if (stray && r[21] < 255)        r[21] = r[21] + 1;
    if (ev_sunk != 0 && r[22] < 255) r[22] = r[22] + 1;
    `EQ(end_lane, (we && waddr == 8 && x[5]))
    if (we) begin
      if (waddr == 9 || waddr == 10) r[waddr] = r[waddr] & ~x[15:0];
      else                           r[waddr] = x[15:0] & mask[waddr];
      case (waddr)
        7:       cnt[0] = x[15:0];
        14:      cnt[1] = x[15:0];
        15:      cnt[2] = x[15:0];
        default: ;
      endcase
    end
    r[9]  = r[9] | set;
    r[10] = r[10] | ev_body | ev_frame | ev_over | ev_cred | ev_owed | ev_sync | ev_sunk;
  end
end
