// SPDX-License-Identifier: MIT
// Section 4.4 of the specification, for three units side by side. Part of input_unit_tb.
// [c] is a unit, [b] = [3*c + v] a buffer.

integer      idx [0:2];             // index of the arriving flit
logic        drop [0:2];
logic        bad [0:2];             // the packet coming in has a header error
logic [17:0] hdr0 [0:2], hdr1 [0:2];
logic        held [0:8];            // routed and not granted
integer      dst [0:8], ovc [0:8], err [0:8], age [0:8];
logic        pois [0:8];
logic [17:0] mem [0:143];           // 16*b + k
integer      sel [0:2];
logic [10:0] m_want [0:2];
logic        busy [0:2], r_loc [0:2], r_pois [0:2];
integer      r_k [0:2], r_n [0:2], r_vc [0:2], r_ovc [0:2], r_err [0:2];
integer      last_gnt [0:8];        // clock of the last grant
integer      packets = 0, dropped = 0, spoils = 0, cuts = 0, shorts = 0, longs = 0, bodies = 0, timeouts = 0;

// Whether buffer b has a packet whose output has a credit.
function automatic logic eligible(input integer b);
  eligible = held[b] && (dst[b] == Local ? credit[30] : credit[3*dst[b] + ovc[b]]);
endfunction

task automatic check_unit(input integer c);
  logic        val, fst, lst, fresh, over, spoilt, body, frame, short, open, any;
  logic [17:0] d;
  logic [19:0] x;
  logic [10:0] m_cand;
  logic [9:0]  route;
  integer      v, b, new_sel, to;
  begin
    val = rx_valid[c]; fst = val && rx_first[c]; lst = val && rx_last[c];
    d   = rx_d[18*c +: 18];
    v   = rx_vc[2*c +: 2];
    b   = 3*c + v;

    any = 1'b0;
    for (int i = 0; i < num_vc(c); i++) begin
      any = any || held[3*c + i];
      `EQ(room[3*c + i], !held[3*c + i])
    end
    `EQ({pkt[c], vacant[c], cred_add[3*c +: 3]}, {any, 1'b0, 3'd0})

    // Reading comes first: it shows the buffers as they were.
    x = 20'd0;
    open = 1'b1;
    if (busy[c]) begin
      x = {code_of(r_k[c], r_n[c], r_ovc[c]), mem[16*(3*c + r_vc[c]) + r_k[c]]};
      if (r_pois[c] && r_k[c] >= 3) x[17:0] = 18'd0;
      open = (r_k[c] >= r_n[c] - 2);
    end
    `EQ(rd_x[20*c +: 20], x)
    `EQ(want[11*c +: 11], m_want[c])
    if (busy[c]) begin
      // Later the next packet may have been routed into the buffer.
      if (r_k[c] < 3) `EQ(rd_err[4*c +: 4], (r_loc[c] ? 4'(r_err[c]) : 4'd0))
      `EQ(rd_vc[2*c +: 2], 2'(r_vc[c]))
    end
    `EQ(cred_ret[c], gnt[c])
    if (gnt[c]) `EQ(cred_vc[2*c +: 2], 2'(sel[c]))
    to = -1;
    for (int i = 2; i >= 0; i--) if (held[3*c + i] && age[3*c + i] == 2) to = i;
    `EQ(to_pend[c], to >= 0)
    `EQ(to_vc[2*c +: 2], (to >= 0 ? 2'(to) : 2'd0))

    // Writing
    fresh = 1'b0; over = 1'b0; spoilt = 1'b0; body = 1'b0; frame = 1'b0; short = 1'b0;
    if (val) begin
      if (fst) begin
        idx[c]  = 0;
        over    = (v >= num_vc(c)) || held[b];
        drop[c] = over;
        if (d[16:14] == 3'd4 && ^d == 0) begin  // an ack goes to no buffer
          over    = ack_v[c] && !ack_take[c];
          drop[c] = 1'b1;
        end
        if (over) dropped = dropped + 1;
      end
      if (idx[c] == 0) hdr0[c] = d;
      if (idx[c] == 1) hdr1[c] = d;
      if (!drop[c]) begin
        if (idx[c] < 16) mem[16*b + idx[c]] = d;
        if (idx[c] == 0) spoilt = (^d == 1) || (d[16:0] == 0);
        else if (idx[c] < 3) spoilt = (^d == 0);
        if (spoilt) begin drop[c] = 1'b1; spoils = spoils + 1; end
        if (lst && idx[c] < 2) cuts = cuts + 1;
        fresh = (idx[c] == 2) && !spoilt;
        body  = (idx[c] >= 3) && (idx[c] < 16) && (^d == 0);
        if (fresh) begin
          route = ref_route(in_port(c), hdr0[c], hdr1[c], d, v, rank, xfer, dateline, 1'b0, 1'b0);
          err[b] = route[9:6]; ovc[b] = route[5:4]; dst[b] = route[3:0];
          age[b] = 0; pois[b] = 1'b0; held[b] = 1'b1;
          bad[c] = (err[b] != 0);
        end
        if (lst && idx[c] >= 2 && !spoilt && !bad[c]) begin
          frame = (idx[c] != hdr0[c][13:10]);
          short = (idx[c] < hdr0[c][13:10]);
          if (short) shorts = shorts + 1;
          else if (frame) longs = longs + 1;
        end
      end
    end
    `EQ({ev_body[c], ev_frame[c], ev_over[c], bad_o[c]}, {body, frame, over, over || spoilt})
    if (body) bodies = bodies + 1;

    // Candidate, with the packet routed in this cycle
    new_sel = sel[c];
    for (int i = num_vc(c) - 1; i >= 0; i--)
      if (eligible(3*c + (sel[c] + i) % num_vc(c))) new_sel = (sel[c] + i) % num_vc(c);
    m_cand = 11'd0;
    if (open && eligible(3*c + new_sel)) m_cand[dst[3*c + new_sel]] = 1'b1;
    `EQ(cand[11*c +: 11], m_cand)
    m_want[c] = gnt[c] ? 11'd0 : m_cand;

    // Time-out: after grant and fresh
    for (int i = 0; i < num_vc(c); i++) begin
      if (to_ack[c] && i == to) begin age[3*c + i] = 3; timeouts = timeouts + 1; end
      else if (tick && held[3*c + i] && age[3*c + i] < 2 && !(fresh && i == v))
        age[3*c + i] = age[3*c + i] + 1;
    end

    // Pass: on, then begun by a grant
    if (busy[c]) begin
      r_k[c] = r_k[c] + 1;
      if (r_k[c] == r_n[c]) busy[c] = 1'b0;
    end
    if (short && held[b] && !(gnt[c] && sel[c] == v)) pois[b] = 1'b1;
    else if (short && !gnt[c]) r_pois[c] = 1'b1;
    if (gnt[c]) begin
      b = 3*c + sel[c];
      busy[c] = 1'b1; r_k[c] = 0; r_vc[c] = sel[c];
      r_loc[c] = (dst[b] == Local); r_err[c] = err[b]; r_ovc[c] = ovc[b];
      r_n[c] = (r_loc[c] && err[b] != 0) ? 3 : mem[16*b][13:10] + 1;
      r_pois[c] = pois[b] || (short && sel[c] == v);
      held[b] = 1'b0; age[b] = 0;
      last_gnt[b] = clocks;
      packets = packets + 1;
      new_sel = (sel[c] + 1) % num_vc(c);
    end
    sel[c] = new_sel;
    if (val && idx[c] < 16) idx[c] = idx[c] + 1;
  end
endtask

always @(posedge clk) if (live) begin
  `KNOWN({want, cand, rd_x})
  `KNOWN({rd_err, rd_vc, cred_ret, cred_vc})
  `KNOWN({to_pend, to_vc, ev_body, ev_frame, ev_over, bad_o})
  `KNOWN({ack_v, ack_gen, ent_req, ent_set, ent_tag, ent_vct, ent_old, retry, cred_add, room, clash})
  `KNOWN({pkt, vacant, held_tags})
  if (ack_v[0]) `KNOWN({ack_tag[2:0], ack_st[5:0]})
  if (rst_n && !halting) for (int c = 0; c < 3; c++) check_unit(c);
end
