// SPDX-License-Identifier: MIT
// Buffers the packets of one link, one per VC, routes them and streams them to the crossbar.
// Promises: presents one candidate at a time and only one whose output has a credit, so no VC
// waits behind a blocked one; cand_o does not depend on gnt_i; a granted pass runs without gaps.
// Relies on: a packet arrives only into a buffer whose credit went out (others are dropped and
// reported), as rdt_link_io frames it; gnt_i comes only while want_o is one-hot.
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
  // own line
  input  logic        rx_valid_i,
  input  logic        rx_first_i,
  input  logic        rx_last_i,
  input  logic [1:0]  rx_vc_i,
  input  logic [17:0] rx_d_i,
  output logic        cred_ret_o,
  output logic [1:0]  cred_vc_o,
  // arbiter and crossbar
  input  logic [30:0] credit_i,
  input  logic        gnt_i,
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
  output logic        ev_over_o
);
  logic [4:0]         wr_idx_d, wr_idx_q;
  logic               drop_d, drop_q;
  logic [17:0]        hdr0_q, hdr1_q;
  logic               cur_err_d, cur_err_q;
  logic [NumVc-1:0]   pkt_d, pkt_q;
  logic [4*NumVc-1:0] dst_d, dst_q;
  logic [4*NumVc-1:0] aux_d, aux_q;
  logic [2*NumVc-1:0] age_d, age_q;
  logic [NumVc-1:0]   pois_d, pois_q;
  logic [1:0]         sel_d, sel_q;
  logic [10:0]        want_d, want_q;
  logic               rd_busy_d, rd_busy_q;
  logic [1:0]         rd_vc_d, rd_vc_q;
  logic [3:0]         rd_idx_d, rd_idx_q;
  logic [3:0]         rd_len_d, rd_len_q;
  logic [3:0]         rd_aux_d, rd_aux_q;
  logic               rd_loc_d, rd_loc_q;
  logic               rd_pois_d, rd_pois_q;

  // One-hot forms of rx_vc_i, sel_q (while granted) and rd_vc_q (while busy).
  logic [NumVc-1:0] rx_oh, gnt_oh, rd_oh;

  for (genvar v = 0; v < NumVc; v++) begin : gen_oh
    assign rx_oh[v]  = (rx_vc_i == 2'(v));
    assign gnt_oh[v] = gnt_i && (sel_q == 2'(v));
    assign rd_oh[v]  = rd_busy_q && (rd_vc_q == 2'(v));
  end

  // Writing
  logic [4:0] idx;
  logic       drop, take, fresh;

  assign idx = wr_idx_q & {5{!rx_first_i}};

  always_comb begin
    drop     = rx_first_i ? ((rx_oh & ~pkt_q) == '0) : drop_q;
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
  logic [3:0]       rt_dst, rt_err, rt_aux;
  logic [1:0]       rt_ovc;
  logic [NumVc-1:0] fresh_oh;

  rdt_route #(
    .InPort(InPort)
  ) u_route (
    .h0_i      (hdr0_q),
    .h1_i      (hdr1_q),
    .h2_i      (rx_d_i),
    .in_vc_i   (rx_vc_i),
    .rank_i    (rank_i),
    .xfer_i    (xfer_i),
    .dateline_i(dateline_i),
    .dst_o     (rt_dst),
    .ovc_o     (rt_ovc),
    .err_o     (rt_err)
  );

  // The route gives ovc = 0 for LOCAL and err = 0 for all others, so an OR does for a choice.
  assign rt_aux    = rt_err | {2'b00, rt_ovc};
  assign fresh_oh  = rx_oh & {NumVc{fresh}};
  assign cur_err_d = fresh ? (rt_err != rdt_pkg::ErrNone) : cur_err_q;

  for (genvar v = 0; v < NumVc; v++) begin : gen_stored
    assign dst_d[4*v +: 4] = fresh_oh[v] ? rt_dst : dst_q[4*v +: 4];
    assign aux_d[4*v +: 4] = fresh_oh[v] ? rt_aux : aux_q[4*v +: 4];
  end
  assign pkt_d = (pkt_q | fresh_oh) & ~gnt_oh;

  // Length
  logic [3:0]       len;
  logic             ends, is_short;
  logic [NumVc-1:0] short_oh;  // short packets whose pass has not begun

  always_comb begin
    len       = hdr0_q[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo];
    ends      = take && rx_last_i && !cur_err_d;
    is_short  = ends && (idx < {1'b0, len});
    short_oh  = rx_oh & (fresh_oh | (pkt_q & ~gnt_oh)) & {NumVc{is_short}};
    pois_d    = short_oh | (pois_q & ~fresh_oh);
    rd_pois_d = (is_short && (short_oh == '0)) ||
                (gnt_i ? |(pois_q & gnt_oh) : rd_pois_q);
  end

  assign ev_frame_o = ends && (idx != {1'b0, len});
  assign ev_body_o  = take && !idx[4] && (idx[3:0] > 4'd2) && !(^rx_d_i);
  assign ev_over_o  = rx_valid_i && rx_first_i && drop;

  // Candidates. A route counts from the clock it is made in, so the lookup is done on dst_d, aux_d.
  logic       elig_any;
  logic [1:0] sel, sel_next;
  logic [3:0] cand_dst;
  logic       rd_first, rd_last, rd_prev, open;
  logic [3:0] rd_inc;

  rdt_vc_select #(
    .NumVc(NumVc)
  ) u_vc_select (
    .val_i   (pkt_q | fresh_oh),
    .dst_i   (dst_d),
    .aux_i   (aux_d),
    .credit_i(credit_i),
    .sel_i   (sel_q),
    .any_o   (elig_any),
    .sel_o   (sel),
    .next_o  (sel_next),
    .dst_o   (cand_dst)
  );

  // No pass is shorter than three flits, so at its first flit rd_len_q need not be known yet.
  assign rd_inc   = rd_idx_q + 4'd1;
  assign rd_first = (rd_idx_q == 4'd0);
  assign rd_prev  = !rd_first && (rd_inc == rd_len_q);
  assign rd_last  = !rd_first && (rd_idx_q == rd_len_q);
  assign open     = !rd_busy_q || rd_prev || rd_last;

  for (genvar o = 0; o < rdt_pkg::NumOuts; o++) begin : gen_cand
    assign cand_o[o] = open && elig_any && (cand_dst == 4'(o));
  end

  assign want_d = cand_o & {11{!gnt_i}};
  assign sel_d  = gnt_i ? sel_next : sel;
  assign want_o = want_q;

  assign cred_ret_o = gnt_i;
  assign cred_vc_o  = sel_q;

  // Reading
  logic [18*NumVc-1:0] ram_d;
  logic [17:0]         flit;
  logic [1:0]          code;

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

  assign flit = pick(ram_d, rd_oh);

  always_comb begin
    if (!rd_busy_q)    code = 2'd0;
    else if (rd_first) code = rd_loc_q ? rdt_pkg::VcVc0 : rd_aux_q[1:0] + 2'd1;
    else if (rd_last)  code = rdt_pkg::ReqWant;
    else if (rd_prev)  code = rdt_pkg::ReqIdle;
    else               code = rdt_pkg::ReqMore;
  end

  assign rd_x_o   = {code, flit & {18{!(rd_pois_q && (rd_idx_q > 4'd2))}}};
  assign rd_err_o = rd_aux_q & {4{rd_loc_q}};
  assign rd_vc_o  = rd_vc_q;

  always_comb begin
    rd_busy_d = rd_busy_q;
    rd_vc_d   = rd_vc_q;
    rd_idx_d  = rd_idx_q;
    rd_len_d  = rd_len_q;
    rd_aux_d  = rd_aux_q;
    rd_loc_d  = rd_loc_q;
    if (rd_busy_q) begin
      if (rd_first) begin
        // A bad header is reported with its three flits, whatever length it claims.
        rd_len_d = (rd_loc_q && rd_aux_q != rdt_pkg::ErrNone)
                       ? 4'd2 : flit[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo];
      end
      if (rd_last) rd_busy_d = 1'b0;
      else         rd_idx_d  = rd_inc;
    end
    if (gnt_i) begin
      rd_busy_d = 1'b1;
      rd_vc_d   = sel_q;
      rd_idx_d  = 4'd0;
      rd_aux_d  = 4'd0;
      rd_loc_d  = want_q[10];
      for (int v = 0; v < NumVc; v++) begin
        rd_aux_d = rd_aux_d | (aux_q[4*v +: 4] & {4{sel_q == 2'(v)}});
      end
    end
  end

  // Time-out
  logic [NumVc-1:0] to_all, to_oh;

  for (genvar v = 0; v < NumVc; v++) begin : gen_age
    logic [1:0] age;
    assign age       = age_q[2*v +: 2];
    assign to_all[v] = pkt_q[v] && (age == 2'd2);
    if (v == 0) begin : gen_lowest
      assign to_oh[v] = to_all[v];
    end else begin : gen_higher
      assign to_oh[v] = to_all[v] && !(|to_all[v-1:0]);
    end
    always_comb begin
      age_d[2*v +: 2] = age;
      if (gnt_oh[v] || fresh_oh[v])           age_d[2*v +: 2] = 2'd0;
      else if (to_ack_i && to_oh[v])          age_d[2*v +: 2] = 2'd3;
      else if (tick_i && pkt_q[v] && !age[1]) age_d[2*v +: 2] = age + 2'd1;
    end
  end

  assign to_pend_o = |to_all;
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

  // Written before they are used, so without reset.
  always_ff @(posedge clk_i) begin
    if (rx_valid_i && idx == 5'd0) hdr0_q <= rx_d_i;
    if (rx_valid_i && idx == 5'd1) hdr1_q <= rx_d_i;
    dst_q     <= dst_d;
    aux_q     <= aux_d;
    age_q     <= age_d;
    pois_q    <= pois_d;
    rd_aux_q  <= rd_aux_d;
    rd_pois_q <= rd_pois_d;
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni && gnt_i && (want_q == 11'd0 || (want_q & (want_q - 11'd1)) != 11'd0)) begin
      $fatal(1, "granted without a want");
    end
  end
`endif
endmodule
