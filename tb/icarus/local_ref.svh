// SPDX-License-Identifier: MIT
// Section 4.8 of the specification: every output of LOCAL in every clock. Part of local_tb.

localparam int Idle = 0, Recv = 1, Send = 2, Tx = 3;
integer      st = Idle, ridx, kind, len;
integer      cnt [0:2];           // of the ticks
logic [15:0] r [0:15];            // registers by address
logic [15:0] mask [0:15];         // bits they have
logic [3:0]  code, port, e;
logic [1:0]  vc;
logic [16:0] h [0:2];
logic        cmd, m_quiesce = 1'b0;
logic [14:0] addr;
logic [9:0]  set;
logic [2:0]  tag;
logic [9:0]  linkset;
logic        we;
logic [14:0] waddr;
logic [3:0]  fe;                  // error of this flit
logic        last, m, counted;
logic [9:0]  m_ack;
logic [16:0] p;
integer      n, low, at;
integer      packets = 0;         // made by LOCAL
integer      taken = 0;           // given to LOCAL

initial begin cnt[0] = 0; cnt[1] = 0; cnt[2] = 0; end

always @(posedge clk) if (live) begin
  `KNOWN({err, x_gnt, ready, tick, quiesce, rank, xfer, dateline, link})
  `KNOWN({map_mask, tick_ent, tick_ack, bad_take})
  `KNOWN({to_ack, loc_want, loc_x})
  if (rst_n) begin
    // Outputs
    low = -1;
    for (int i = 9; i >= 0; i--) if (to_pend[i]) low = i;
    m_ack = 10'd0;
    if (st == Idle && low >= 0) m_ack[low] = 1'b1;
    m = (st == Send || st == Tx) && (kind == 2) && h[0][6];
    n = (kind == 0) ? 6 : (kind == 1) ? 3 : 5;
    p = 17'd0;
    if (st == Tx) begin
      case (ridx)
        0: p = (kind == 2) ? {3'd5, 4'd4, h[0][9:6], 6'd0} : {3'd7, 4'(n - 1), 6'd0, code};
        1: p = (kind == 2) ? 17'd0 : {port, vc, (kind == 1) ? tag : 3'd0, 8'd0};
        2: p = {1'b0, r[1][7:0], r[2][7:0]};
        3: p = (kind == 2) ? {2'd0, addr} : h[0];
        4: p = (kind == 2) ? {1'b0, r[addr]} : h[1];
        default: p = h[2];
      endcase
    end
    `EQ(ready, st == Idle)
    `EQ(x_gnt, st == Idle && low < 0 && !bad_ack && !m_quiesce)
    `EQ(bad_take, st == Idle && low < 0 && bad_ack)
    `EQ(to_ack, m_ack)
    `EQ(loc_want, (st == Send ? m_credit & (m ? 2'd2 : 2'd1) : 2'd0))
    `EQ(loc_x, (st == Tx ? {code_of(ridx, n, 0), flit(p)} : 20'd0))
    `EQ(tick, (r[7] != 0 && cnt[0] == 0))
    `EQ(tick_ent, (r[14] != 0 && cnt[1] == 0))
    `EQ(tick_ack, (r[15] != 0 && cnt[2] == 0))
    `EQ({rank, xfer, dateline, link}, {r[3][2:0], r[4][3:0], r[5][7:0], r[6][7:0]})
    `EQ(map_mask, r[13][7:0])
    `EQ(quiesce, m_quiesce)
    `EQ(err, r[9] != 0)

    // Next state
    set = {ev_table, 2'b00, r[8][0] && slice_own != slice_in, 1'b0, |ev_cred, |ev_over, |ev_frame,
           |ev_body, 1'b0};
    we = 1'b0; counted = 1'b0;
    cnt[0] = (cnt[0] == 0) ? r[7] : cnt[0] - 1;
    cnt[1] = (cnt[1] == 0) ? r[14] : cnt[1] - 1;
    cnt[2] = (cnt[2] == 0) ? r[15] : cnt[2] - 1;
    case (st)
      Idle:
        if (low >= 0) begin
          st = Send; kind = 1; code = 4'd7; port = low; vc = to_vc[2*low +: 2]; set[5] = 1'b1;
          tag = 3'd0;
        end else if (bad_ack) begin
          st = Send; kind = 1; code = 4'd8; port = bad_port; vc = 2'd0; set[8] = 1'b1;
          tag = bad_tag;
        end else if (gnt) begin
          st = Recv; ridx = 0; e = 4'd0; cmd = 1'b0; taken = taken + 1;
        end
      Recv: begin
        last = (x[19:18] == 2'd1) && (ridx != 0);
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
          else if (x[14:0] > 15 || (x[15] && x[14:0] == 0)) fe = 4'd6;
          cmd = x[15] && (fe == 0);
          if (fe == 0) addr = x[14:0];
        end else if (ridx >= 4 && cmd) begin
          if (^x[17:0] == 0) fe = 4'd9;
          else begin we = 1'b1; waddr = addr; end
          cmd = 1'b0;
        end
        if (e == 0) e = fe;
        ridx = ridx + 1;
        if (last) begin
          kind = 0;
          if (code != 0) begin st = Send; set[0] = 1'b1; end
          else if (e != 0) begin st = Send; code = e; set[7] = 1'b1; end
          else if (len == 3) begin st = Send; kind = 2; end
          else st = Idle;
        end
      end
      Send:
        if (loc_gnt[m]) begin
          st = Tx; ridx = 0; packets = packets + 1; counted = (kind != 2);
        end
      default: begin
        ridx = ridx + 1;
        if (ridx == n) st = Idle;
      end
    endcase
    if (counted && r[11] < 255) r[11] = r[11] + 1;
    if (ev_body != 0 && r[12] < 255) r[12] = r[12] + 1;
    if (we) begin
      if (waddr == 9 || waddr == 10) r[waddr] = r[waddr] & ~x[15:0];
      else                           r[waddr] = x[15:0] & mask[waddr];
    end
    r[9]  = r[9] | set;
    r[10] = r[10] | ev_body | ev_frame | ev_over | ev_cred;
    m_quiesce = shoot;
  end
end
