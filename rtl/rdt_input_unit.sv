// SPDX-License-Identifier: MIT
// Buffers the packets of one link, one per VC, routes them and streams them to the crossbar.
// A multicast is read once for each set of outputs granted at a time, until all have a copy.
// Promises: presents one packet at a time and only outputs with a credit, so no VC waits behind a
// blocked one; cand_o does not depend on gnt_i; a granted pass runs without gaps.
// Relies on: a packet arrives only into a buffer whose credit went out (others are dropped and
// reported), as rdt_link_io frames it; gnt_i is a part of want_o.
module rdt_input_unit #(
  parameter int NumVc  = 2,
  parameter int InPort = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // configuration
  input  logic [2:0]  rank_i,
  input  logic [3:0]  xfer_i,
  input  logic [7:0]  dateline_i,
  input  logic [7:0]  mask_i,
  // own line
  input  logic        rx_valid_i,
  input  logic        rx_first_i,
  input  logic        rx_last_i,
  input  logic [1:0]  rx_vc_i,
  input  logic [17:0] rx_d_i,
  output logic        cred_ret_o,
  output logic [1:0]  cred_vc_o,
  output logic [2:0]  cred_add_o,
  // arbiter and crossbar
  input  logic [30:0] credit_i,
  input  logic [10:0] gnt_i,
  output logic [10:0] want_o,
  output logic [10:0] cand_o,
  output logic [19:0] rd_x_o,
  // LOCAL
  output logic [3:0]  rd_err_o,
  output logic [1:0]  rd_vc_o,
  input  logic        tick_i,
  input  logic        to_ack_i,
  output logic        to_pend_o,
  output logic [1:0]  to_vc_o,
  output logic        ev_body_o,
  output logic        ev_frame_o,
  output logic        ev_over_o,
  // rdt_ack
  output logic        ack_v_o,
  output logic [2:0]  ack_tag_o,
  output logic [5:0]  ack_st_o,
  input  logic        ack_take_i,
  output logic        ent_req_o,
  output logic [9:0]  ent_set_o,
  output logic [2:0]  ent_tag_o,
  input  logic        ent_gnt_i,
  input  logic [2:0]  ent_new_i,
  input  logic        tick_ent_i,
  output logic        retry_o,
  input  logic        retry_ack_i
);
  logic [4:0]       wr_idx_d, wr_idx_q;
  logic             drop_d, drop_q;  // also set for acks
  logic [17:0]      hdr0_q, hdr1_q;
  logic             cur_err_d, cur_err_q;
  logic [NumVc-1:0] pkt_d, pkt_q;
  logic [1:0]       sel_d, sel_q;
  logic [10:0]      want_d, want_q;
  logic             rd_busy_d, rd_busy_q;
  logic [1:0]       rd_vc_d, rd_vc_q;
  logic [3:0]       rd_idx_d, rd_idx_q;
  logic [3:0]       rd_len_d, rd_len_q;
  logic             rd_loc_d, rd_loc_q;
  logic             rd_up_d, rd_up_q;
  logic             rd_fin_d, rd_fin_q;
  logic [1:0]       rd_ty_d, rd_ty_q;
  logic             rd_pois_d, rd_pois_q;

  // One-hot forms of rx_vc_i, sel_q and rd_vc_q.
  logic             gnt;
  logic [NumVc-1:0] rx_oh, sel_oh, rd_oh;

  // sel_q and rd_vc_q are below NumVc, so that for v > 0 one bit of them tells.
  assign gnt = |gnt_i;
  for (genvar v = 0; v < NumVc; v++) begin : gen_oh
    assign rx_oh[v] = (rx_vc_i == 2'(v));
    if (v == 0) begin : gen_none
      assign sel_oh[v] = (sel_q == 2'd0);
      assign rd_oh[v]  = (rd_vc_q == 2'd0);
    end else begin : gen_bit
      assign sel_oh[v] = sel_q[v-1];
      assign rd_oh[v]  = rd_vc_q[v-1];
    end
  end

  // Writing. Acks are not buffered.
  logic [4:0] idx;
  logic       rx_odd, starts, is_ack, no_room, drop, take, fresh;

  assign idx     = wr_idx_q & {5{!rx_first_i}};
  assign rx_odd  = ^rx_d_i;
  assign starts  = rx_valid_i && rx_first_i;
  assign is_ack  = (rx_d_i[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] == rdt_pkg::TypeAck) && rx_odd;
  assign no_room = ((rx_oh & ~pkt_q) == '0);

  always_comb begin
    drop     = rx_first_i ? (no_room || is_ack) : drop_q;
    take     = rx_valid_i && !drop;
    fresh    = take && (idx == 5'd2);
    wr_idx_d = wr_idx_q;
    drop_d   = drop_q;
    if (rx_valid_i) begin
      wr_idx_d = idx[4] ? idx : idx + 5'd1;
      drop_d   = drop;
    end
  end

  // Routing
  logic [10:0]      rt_pend;
  logic             rt_bad, rt_mc, rt_ent;
  logic [3:0]       rt_aux;
  logic [2:0]       rt_tag;
  logic [NumVc-1:0] fresh_oh;

  rdt_header #(
    .InPort(InPort)
  ) u_header (
    .h0_i      (hdr0_q),
    .h1_i      (hdr1_q),
    .h2_i      (rx_d_i),
    .in_vc_i   (rx_vc_i),
    .rank_i    (rank_i),
    .xfer_i    (xfer_i),
    .dateline_i(dateline_i),
    .mask_i    (mask_i),
    .pend_o    (rt_pend),
    .bad_o     (rt_bad),
    .mc_o      (rt_mc),
    .aux_o     (rt_aux),
    .tag_o     (rt_tag),
    .ent_o     (rt_ent)
  );

  assign fresh_oh  = rx_oh & {NumVc{fresh}};
  assign cur_err_d = fresh ? rt_bad : cur_err_q;

  // Buffers. A route counts from the clock it is made in, so the candidates are chosen on the
  // values with the fresh packet in its place.
  logic [NumVc-1:0]    short_oh;       // short packets with passes yet to begin
  logic [NumVc-1:0]    end_oh;         // the last pass is granted
  logic [NumVc-1:0]    old, to_oh;     // to be reported as late; the lowest of them
  logic [NumVc-1:0]    ent_oh, retry_oh;
  logic [11*NumVc-1:0] pend, now_pend;
  logic [NumVc-1:0]    mc, ent, pois, now_ent, now_uvc;
  logic [4*NumVc-1:0]  aux;
  logic [3*NumVc-1:0]  tag;
  logic [2*NumVc-1:0]  now_ovc;

  for (genvar v = 0; v < NumVc; v++) begin : gen_slot
    rdt_slot u_slot (
      .clk_i     (clk_i),
      .fresh_i   (fresh_oh[v]),
      .pend_i    (rt_pend),
      .mc_i      (rt_mc),
      .aux_i     (rt_aux),
      .tag_i     (rt_tag),
      .ent_i     (rt_ent),
      .sel_i     (sel_oh[v]),
      .gnt_any_i (gnt),
      .gnt_i     (gnt_i),
      .ent_gnt_i (ent_gnt_i && ent_oh[v]),
      .ent_new_i (ent_new_i),
      .tick_i    (tick_i),
      .to_ack_i  (to_ack_i && to_oh[v]),
      .short_i   (short_oh[v]),
      .pend_o    (pend[11*v +: 11]),
      .mc_o      (mc[v]),
      .aux_o     (aux[4*v +: 4]),
      .tag_o     (tag[3*v +: 3]),
      .ent_o     (ent[v]),
      .old_o     (old[v]),
      .pois_o    (pois[v]),
      .last_o    (end_oh[v]),
      .now_pend_o(now_pend[11*v +: 11]),
      .now_ent_o (now_ent[v]),
      .now_ovc_o (now_ovc[2*v +: 2]),
      .now_uvc_o (now_uvc[v])
    );
  end

  assign retry_oh   = ent_oh & {NumVc{retry_ack_i}};
  assign pkt_d      = (pkt_q | fresh_oh) & ~end_oh & ~retry_oh;
  assign cred_ret_o = |end_oh;
  assign cred_vc_o  = sel_q;
  assign cred_add_o = 3'(retry_oh);

  // Acks and ack entries
  logic ev_land;

  rdt_ack_port #(
    .NumVc(NumVc)
  ) u_ack_port (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .land_i     (starts && is_ack),
    .land_tag_i (rx_d_i[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo]),
    .land_st_i  (rx_d_i[rdt_pkg::H0StatusHi:rdt_pkg::H0StatusLo]),
    .ack_take_i (ack_take_i),
    .ack_v_o    (ack_v_o),
    .ack_tag_o  (ack_tag_o),
    .ack_st_o   (ack_st_o),
    .ev_over_o  (ev_land),
    .wait_i     (pkt_q & ent),
    .pend_i     (pend),
    .tag_i      (tag),
    .ent_gnt_i  (ent_gnt_i),
    .tick_ent_i (tick_ent_i),
    .retry_ack_i(retry_ack_i),
    .ent_oh_o   (ent_oh),
    .ent_req_o  (ent_req_o),
    .ent_set_o  (ent_set_o),
    .ent_tag_o  (ent_tag_o),
    .retry_o    (retry_o)
  );

  // Length
  logic [3:0] len;
  logic       ends, is_short;

  always_comb begin
    len      = hdr0_q[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo];
    ends     = take && rx_last_i && !cur_err_d;
    is_short = ends && (idx < {1'b0, len});
    short_oh = rx_oh & (fresh_oh | (pkt_q & ~end_oh)) & {NumVc{is_short}};
    // Also for the pass under way, if it is of this packet, and for the one that begins now.
    rd_pois_d = (is_short && (short_oh == '0) && ((rx_oh & ent) == '0)) ||
                ((|(short_oh & ~fresh_oh & rd_oh)) && rd_busy_q && !rd_fin_q) ||
                ((|(short_oh & sel_oh)) && gnt) ||
                (gnt ? |(pois & sel_oh) : rd_pois_q);
  end

  assign ev_frame_o = ends && (idx != {1'b0, len});
  assign ev_body_o  = take && !idx[4] && (idx[3:0] > 4'd2) && !rx_odd;
  assign ev_over_o  = (starts && !is_ack && no_room) || ev_land;

  // Candidates
  logic [1:0]  sel, sel_next;
  logic [10:0] cand_set;
  logic        rd_first, rd_last, rd_prev, open;
  logic [3:0]  rd_inc;

  rdt_vc_select #(
    .NumVc(NumVc)
  ) u_vc_select (
    .val_i   ((pkt_q | fresh_oh) & ~now_ent),
    .pend_i  (now_pend),
    .ovc_i   (now_ovc),
    .uvc_i   (now_uvc),
    .credit_i(credit_i),
    .sel_i   (sel_q),
    .open_i  (open),
    .sel_o   (sel),
    .next_o  (sel_next),
    .set_o   (cand_set)
  );

  // No pass is shorter than three flits, so at its first flit rd_len_q need not be known yet.
  assign rd_inc   = rd_idx_q + 4'd1;
  assign rd_first = (rd_idx_q == 4'd0);
  assign rd_prev  = !rd_first && (rd_inc == rd_len_q);
  assign rd_last  = !rd_first && (rd_idx_q == rd_len_q);
  assign open     = !rd_busy_q || rd_prev || rd_last;

  assign cand_o = cand_set;
  assign want_d = cand_o & {11{!gnt}};
  assign sel_d  = gnt ? sel_next : sel;
  assign want_o = want_q;

  // Reading
  logic [18*NumVc-1:0] ram_d;
  logic [17:0]         flit, copy;
  logic [1:0]          code, rd_ovc;
  logic                rd_mc;
  logic [3:0]          rd_aux;
  logic [2:0]          rd_tag, head;

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    rdt_buffer_ram u_ram (
      .clk_i  (clk_i),
      .we_i   (take && !idx[4] && rx_oh[v]),
      .waddr_i(idx[3:0]),
      .wdata_i(rx_d_i),
      .raddr_i(rd_idx_q),
      .rdata_o(ram_d[18*v +: 18])
    );
  end

  function automatic logic [17:0] pick(input logic [18*NumVc-1:0] d, input logic [NumVc-1:0] oh);
    pick = 18'd0;
    for (int v = 0; v < NumVc; v++) pick = pick | (d[18*v +: 18] & {18{oh[v]}});
  endfunction

  function automatic logic [7:0] pick_slot(input logic [NumVc-1:0] m, input logic [4*NumVc-1:0] a,
                                           input logic [3*NumVc-1:0] t, input logic [NumVc-1:0] oh);
    pick_slot = 8'd0;
    for (int v = 0; v < NumVc; v++) begin
      pick_slot = pick_slot | ({m[v], a[4*v +: 4], t[3*v +: 3]} & {8{oh[v]}});
    end
  endfunction

  assign flit                    = pick(ram_d, rd_oh & {NumVc{rd_busy_q && !(rd_pois_q && rd_idx_q > 4'd2)}});
  assign {rd_mc, rd_aux, rd_tag} = pick_slot(mc, aux, tag, rd_oh);
  assign rd_ovc                  = {rd_aux[1], rd_aux[0] && !(rd_mc && (!rd_aux[3] || rd_aux[2]))};

  for (genvar k = 0; k < 3; k++) begin : gen_head
    assign head[k] = rd_busy_q && rd_mc && (rd_idx_q == 4'(k));
  end

  rdt_mc_copy u_mc_copy (
    .rank_i (rank_i),
    .head_i (head),
    .up_i   (rd_up_q),
    .relay_i(rd_aux[3]),
    .expl_i (rd_aux[2]),
    .exp0_i (rd_aux[0]),
    .ty_i   (rd_ty_d),
    .tag_i  (rd_tag),
    .flit_i (flit),
    .flit_o (copy)
  );

  always_comb begin
    if (!rd_busy_q)    code = 2'd0;
    else if (rd_first) code = (rd_loc_q ? 2'd0 : (rd_mc && rd_up_q) ? {1'b0, rd_aux[3]} : rd_ovc) + 2'd1;
    else if (rd_last)  code = rdt_pkg::ReqWant;
    else if (rd_prev)  code = rdt_pkg::ReqIdle;
    else               code = rdt_pkg::ReqMore;
  end

  assign rd_x_o   = {code, copy};
  assign rd_err_o = {rd_aux[3:2] & {2{!rd_mc}}, rd_ovc} & {4{rd_loc_q}};
  assign rd_vc_o  = rd_vc_q;
  assign rd_ty_d  = rd_first ? flit[rdt_pkg::H0TypeLo +: 2] : rd_ty_q;

  always_comb begin
    rd_busy_d = rd_busy_q;
    rd_vc_d   = rd_vc_q;
    rd_idx_d  = rd_idx_q;
    rd_len_d  = rd_len_q;
    rd_loc_d  = rd_loc_q;
    rd_up_d   = rd_up_q;
    rd_fin_d  = rd_fin_q;
    if (rd_busy_q) begin
      if (rd_first) begin
        // A bad header is reported with its three flits, whatever length it claims.
        rd_len_d = (rd_loc_q && rd_aux != rdt_pkg::ErrNone)
                       ? 4'd2 : flit[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo];
      end
      if (rd_last) rd_busy_d = 1'b0;
      else         rd_idx_d  = rd_inc;
    end
    if (gnt) begin
      rd_busy_d = 1'b1;
      rd_vc_d   = sel_q;
      rd_idx_d  = 4'd0;
      rd_loc_d  = gnt_i[10];
      rd_up_d   = |gnt_i[7:4];
      rd_fin_d  = |end_oh;
    end
  end

  // Time-out
  logic [NumVc-1:0] to_all;

  assign to_all    = pkt_q & old;
  assign to_pend_o = |to_all;
  for (genvar v = 0; v < NumVc; v++) begin : gen_to
    if (v == 0) begin : gen_lowest
      assign to_oh[v] = to_all[v];
    end else begin : gen_higher
      assign to_oh[v] = to_all[v] && !(|to_all[v-1:0]);
    end
  end

  if (NumVc == 1) begin : gen_to_one
    assign to_vc_o = 2'd0;
  end else if (NumVc == 2) begin : gen_to_two
    assign to_vc_o = {1'b0, to_oh[1]};
  end else begin : gen_to_three
    assign to_vc_o = to_oh[2:1];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_idx_q  <= 5'd0;
      drop_q    <= 1'b0;
      cur_err_q <= 1'b0;
      pkt_q     <= '0;
      sel_q     <= 2'd0;
      want_q    <= 11'd0;
      rd_busy_q <= 1'b0;
      rd_vc_q   <= 2'd0;
      rd_idx_q  <= 4'd0;
      rd_len_q  <= 4'd0;
      rd_loc_q  <= 1'b0;
    end else begin
      wr_idx_q  <= wr_idx_d;
      drop_q    <= drop_d;
      cur_err_q <= cur_err_d;
      pkt_q     <= pkt_d;
      sel_q     <= sel_d;
      want_q    <= want_d;
      rd_busy_q <= rd_busy_d;
      rd_vc_q   <= rd_vc_d;
      rd_idx_q  <= rd_idx_d;
      rd_len_q  <= rd_len_d;
      rd_loc_q  <= rd_loc_d;
    end
  end

  // Written before they are used, so without reset. A header register may take other things as well
  // before it takes its flit.
  always_ff @(posedge clk_i) begin
    if (idx == 5'd0) hdr0_q <= rx_d_i;
    if (idx == 5'd1) hdr1_q <= rx_d_i;
    rd_up_q   <= rd_up_d;
    rd_fin_q  <= rd_fin_d;
    rd_ty_q   <= rd_ty_d;
    rd_pois_q <= rd_pois_d;
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni && (gnt_i & ~want_q) != 11'd0) $fatal(1, "granted without a want");
  end
`endif
endmodule
