// SPDX-License-Identifier: MIT
// Section 4.4 of the specification: the buffers of a port, from the flits on the line to the streams.
// The RAMs are those of the RTL (ram_d_i): the proof compares the write address, the written data and the read data.
module spec_input_unit #(
  parameter int DataW      = rdt_pkg::FlitW,
  parameter int NumVc      = 2,
  parameter int InPort     = 0,
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [4:0]  rank_i,
  input  logic [3:0]  xfer_i,
  input  logic [7:0]  dateline_i,
  input  logic [7:0]  mask_i,
  input  logic [3:0]  ranks_i,
  input  logic        rx_valid_i,
  input  logic        rx_first_i,
  input  logic        rx_last_i,
  input  logic [1:0]  rx_vc_i,
  input  logic [DataW-1:0] rx_d_i,
  output logic        cred_ret_o,
  output logic [1:0]  cred_vc_o,
  output logic [2:0]  cred_add_o,
  output logic [2:0]  room_o,
  output logic        bad_o,
  input  logic        up_i,
  input  logic [30:0] credit_i,
  input  logic [10:0] gnt_i,
  output logic [10:0] want_o,
  output logic [10:0] cand_o,
  output logic [DataW+1:0] rd_x_o,
  output logic        pkt_o,
  output logic [3:0]  rd_err_o,
  output logic [1:0]  rd_vc_o,
  input  logic        tick_i,
  input  logic        to_ack_i,
  input  logic        drop_i,
  output logic        to_pend_o,
  output logic [1:0]  to_vc_o,
  output logic        ev_body_o,
  output logic        ev_frame_o,
  output logic        ev_over_o,
  input  logic        run_i,
  input  logic        halt_i,
  input  logic        raw_i,
  input  logic        keep_i,
  input  logic        free_i,
  input  logic [2:0]  look_i,
  input  logic        dump_i,
  input  logic        put_we_i,
  input  logic        put_set_i,
  input  logic [3:0]  put_addr_i,
  input  logic [DataW-1:0] put_d_i,
  input  logic [19:0] put_ctx_i,
  output logic [20:0] ctx_o,
  output logic        clash_o,
  output logic        vacant_o,
  output logic        ack_v_o,
  output logic [2:0]  ack_tag_o,
  output logic [5:0]  ack_st_o,
  output logic [3:0]  ack_gen_o,
  input  logic        ack_take_i,
  output logic [NumEntries-1:0] held_o,
  output logic        ent_req_o,
  output logic [9:0]  ent_set_o,
  output logic [2:0]  ent_tag_o,
  output logic        ent_vct_o,
  output logic        ent_old_o,
  input  logic        ent_gnt_i,
  input  logic [2:0]  ent_new_i,
  input  logic        slow_i,
  input  logic        tick_ent_i,
  output logic        retry_o,
  input  logic        retry_ack_i,
  // the RAMs
  input  logic [DataW*NumVc-1:0] ram_d_i,
  output logic [NumVc-1:0]       ram_we_o,
  output logic [3:0]             ram_waddr_o,
  output logic [DataW-1:0]       ram_wdata_o,
  output logic [3:0]             ram_raddr_o
);
  localparam int Lanes = DataW / 18;

  logic [2:0]  pkt_q, rsv_q, pois_q;
  logic [2:0]  loaded_q;  // a packet has been there since reset: what is not reset counts
  (* mem2reg *)
  logic [10:0] pend_q [3];
  (* mem2reg *)
  logic [8:0]  plan_q [3];  // {mc, k, tag, ent}
  (* mem2reg *)
  logic [1:0]  age_q  [3];
  logic [4:0]  wr_idx_q;
  logic        drop_q, ackp_q, cur_err_q;
  logic [16:0] hdr0_q, hdr1_q;
  logic        ack_v_q;
  logic [2:0]  ack_tag_q;
  logic [5:0]  ack_st_q;
  logic [3:0]  ack_gen_q;
  logic [1:0]  sel_q, ewait_q, evc_q, wvc_q;
  logic [10:0] want_q;
  logic        rd_busy_q, rd_loc_q, rd_raw_q, rd_up_q, rd_fin_q, rd_pois_q;
  logic [1:0]  rd_vc_q;
  logic [3:0]  rd_idx_q, rd_len_q;
  logic [2:0]  rd_ty_q;
  logic [DataW-1:0] flit_q;
  logic [8:0]  rd_plan_q;

  // Acks and writing. A flit whose lanes differ is no good header flit.
  logic        same, odd0, any_bad, is_ack, full, drop, take, spoilt, fresh, recall, recalled;
  logic [4:0]  idx;
  logic [2:0]  rx_oh;
  always_comb begin
    same    = 1'b1;
    any_bad = 1'b0;
    for (int n = 0; n < Lanes; n++) begin
      if (rx_d_i[18*n +: 18] != rx_d_i[17:0]) same = 1'b0;
      if (!(^rx_d_i[18*n +: 18])) any_bad = 1'b1;
    end
  end
  assign odd0   = ^rx_d_i[17:0];
  assign is_ack = rx_first_i ? (rx_d_i[16:14] == rdt_pkg::TypeAck && !odd0 && same) : ackp_q;
  assign rx_oh  = 3'd1 << rx_vc_i;
  assign idx    = rx_first_i ? 5'd0 : wr_idx_q;
  assign full   = rx_vc_i >= 2'(NumVc) || pkt_q[rx_vc_i] || rsv_q[rx_vc_i];
  assign drop   = rx_first_i ? full : drop_q;
  assign take   = rx_valid_i && !is_ack && !drop;
  assign spoilt = take && (idx == 5'd0 ? (odd0 || !same || rx_d_i[16:0] == 17'd0) : (idx <= 5'd2 && (!odd0 || !same)));
  assign fresh  = take && !spoilt && idx == 5'd2;
  assign bad_o  = spoilt || (rx_valid_i && rx_first_i && !is_ack && drop);
  assign ev_body_o = take && idx >= 5'd3 && idx < 5'd16 && any_bad;
  assign recall    = rx_valid_i && rx_first_i && is_ack && rx_d_i[9:7] == 3'd0 && InPort >= 8;
  assign recalled  = recall && run_i && pkt_q[0] && !ent_gnt_i;
  assign ev_over_o = rx_valid_i && rx_first_i && (is_ack ? !recall && ack_v_q && !ack_take_i : drop);

  // Route.
  logic [2:0]  rank;
  logic [14:0] map;
  logic [17:0] found;
  logic [10:0] new_set;
  logic [8:0]  new_plan;
  logic        new_err;
  assign rank     = spec_pkg::rank_number(rank_i);
  assign map      = spec_pkg::bitmap(4'(InPort), hdr0_q, hdr1_q, rx_d_i[16:0], rank, xfer_i, mask_i, ranks_i, rx_vc_i);
  assign found    = spec_pkg::route(4'(InPort), hdr0_q, hdr1_q, rx_d_i[16:0], rx_vc_i, rank, xfer_i, dateline_i, map[14],
                                    raw_i && InPort == 8);
  assign new_plan = spec_pkg::plan(found, map, hdr0_q[9:7]);
  assign new_err  = (found[16:13] != 4'd0);
  assign new_set  = new_plan[8] ? {1'b0, map[9:0]} : found[10:0];

  // Length.
  logic ends, is_short, waits, pois_slot, pois_read;
  assign ends       = take && !spoilt && rx_last_i && idx >= 5'd2 && !(fresh ? new_err : cur_err_q);
  assign ev_frame_o = ends && idx != {1'b0, hdr0_q[13:10]};
  assign is_short   = ends && idx < {1'b0, hdr0_q[13:10]};
  assign waits      = fresh || pkt_q[rx_vc_i];
  assign pois_slot  = is_short && waits;
  logic gnt;
  assign gnt        = (gnt_i != 11'd0);
  assign pois_read  = (is_short && !waits && (!plan_q[rx_vc_i][0] || (rd_busy_q && rd_raw_q && rd_vc_q == rx_vc_i))) ||
                      (is_short && waits && !fresh && rd_busy_q && rd_vc_q == rx_vc_i && !rd_fin_q) ||
                      (is_short && waits && gnt && sel_q == rx_vc_i);

  // Candidates.
  logic [2:0]  elig;
  (* mem2reg *)
  logic [10:0] sets [3];
  logic [10:0] able;
  logic [8:0]  kept;
  logic        val;
  logic [1:0]  sel;
  logic        last2, last1, open;
  logic [3:0]  len;
  always_comb begin
    elig = 3'd0;
    for (int v = 0; v < 3; v++) begin
      sets[v] = 11'd0;
      if (v < NumVc) begin
        val  = pkt_q[v] || (fresh && rx_oh[v]);
        kept = (fresh && rx_oh[v]) ? new_plan : plan_q[v];
        able = spec_pkg::ready((fresh && rx_oh[v]) ? new_set : pend_q[v], spec_pkg::low_vc(kept), spec_pkg::high_vc(kept), credit_i);
        if (halt_i) begin
          sets[v] = (dump_i && look_i[v] && pkt_q[v] && credit_i[24]) ? 11'h100 : able & 11'h400;
          elig[v] = val && sets[v] != 11'd0;
        end else begin
          sets[v] = spec_pkg::one_kind(able);
          elig[v] = val && !kept[0] && sets[v] != 11'd0;
        end
      end
    end
  end
  assign sel    = spec_pkg::first_from(elig, sel_q, NumVc);
  assign len    = (rd_idx_q == 4'd0) ? ((rd_loc_q && !rd_raw_q && spec_rd_aux != 4'd0) ? 4'd2 : flit_q[13:10]) : rd_len_q;
  assign last2  = rd_idx_q != 4'd0 && rd_idx_q == len - 4'd1;
  assign last1  = rd_idx_q != 4'd0 && rd_idx_q == len;
  assign open   = !rd_busy_q || last2 || last1;
  assign cand_o = (open && elig[sel]) ? sets[sel] : 11'd0;

  // Granted.
  logic        dumped, last, to_drop;
  logic [10:0] left;
  logic [2:0]  gone, add;
  assign dumped = halt_i && dump_i && look_i[sel_q] && gnt_i[8];
  assign left   = pend_q[sel_q] & ~gnt_i;
  assign last   = gnt && (dumped || left == 11'd0);
  assign cred_ret_o = last && !(dumped && InPort != 8) && !keep_i;
  assign cred_vc_o  = sel_q;
  always_comb begin
    to_vc_o   = 2'd0;
    to_pend_o = 1'b0;
    for (int v = NumVc - 1; v >= 0; v--) begin
      if (pkt_q[v] && age_q[v] == 2'd2) begin
        to_vc_o   = 2'(v);
        to_pend_o = 1'b1;
      end
    end
  end
  assign to_drop = to_ack_i && drop_i && !ent_gnt_i && !(rx_valid_i && rx_vc_i == to_vc_o);
  assign gone    = (recalled ? 3'd1 : 3'd0) | (to_drop ? 3'd1 << to_vc_o : 3'd0);

  // Ack entries.
  logic [2:0] need;
  logic [1:0] asks, counted;
  logic       answered;
  assign need      = {NumVc > 2 && pkt_q[2] && plan_q[2][0], NumVc > 1 && pkt_q[1] && plan_q[1][0], pkt_q[0] && plan_q[0][0]};
  assign asks      = spec_pkg::first_from(need, evc_q, NumVc);
  assign counted   = need[wvc_q] ? wvc_q : asks;
  assign answered  = ent_gnt_i || retry_ack_i;
  assign ent_req_o = need != 3'd0 && !halt_i;
  assign ent_set_o = (need != 3'd0) ? pend_q[asks][9:0] : 10'd0;
  assign ent_tag_o = (need != 3'd0) ? plan_q[asks][3:1] : 3'd0;
  assign ent_vct_o = InPort < 2 && need != 3'd0 && asks == 2'd2;
  assign ent_old_o = ent_req_o && asks == wvc_q && ewait_q != 2'd0;
  assign retry_o   = ent_req_o && asks == wvc_q && ewait_q == 2'd3;

  always_comb begin
    add = 3'd0;
    if (retry_ack_i) add[asks] = 1'b1;
    for (int v = 0; v < NumVc; v++) begin
      if (gone[v] && !(last && sel_q == 2'(v))) add[v] = 1'b1;
      if (rsv_q[v] && (!halt_i || free_i)) add[v] = 1'b1;
    end
    cred_add_o = add;
    room_o     = ~(pkt_q | rsv_q) & 3'((1 << NumVc) - 1);
    vacant_o   = 1'b0;
    clash_o    = 1'b0;
    ctx_o      = 21'd0;
    held_o     = '0;
    for (int v = 0; v < NumVc; v++) begin
      if (look_i[v]) begin
        if (!pkt_q[v] && (rsv_q[v] || InPort >= 8 || !up_i)) vacant_o = 1'b1;
        if (put_we_i && (rx_valid_i || pkt_q[v])) clash_o = 1'b1;
        ctx_o = {pkt_q[v], pend_q[v], plan_q[v]};
      end
      for (int t = 1; t <= NumEntries; t++)
        if (pkt_q[v] && plan_q[v][8] && !plan_q[v][0] && plan_q[v][3:1] == 3'(t)) held_o[t-1] = 1'b1;
    end
  end
  assign pkt_o     = (pkt_q != 3'd0);
  assign want_o    = want_q;
  assign ack_v_o   = ack_v_q;
  assign ack_tag_o = ack_tag_q;
  assign ack_st_o  = ack_st_q;
  assign ack_gen_o = (InPort >= 8) ? ack_gen_q : 4'd0;

  // Reading.
  logic [3:0]  spec_rd_aux;  // aux of the slot
  logic        rd_mc;
  logic [2:0]  ty;
  logic [1:0]  rd_code, out_vc, next_vc, aux_vc;
  logic [DataW-1:0] sent;
  logic [17:0] lane;
  assign rd_mc       = rd_plan_q[8];
  assign spec_rd_aux = rd_mc ? {2'd0, spec_pkg::low_vc(rd_plan_q)} : rd_plan_q[7:4];
  assign ty          = (rd_idx_q == 4'd0) ? flit_q[16:14] : rd_ty_q;
  assign aux_vc      = spec_pkg::low_vc(rd_plan_q);
  assign out_vc      = rd_loc_q ? 2'd0 : (rd_mc && rd_up_q) ? {1'b0, rd_plan_q[7]} : (aux_vc == 2'd3) ? 2'd2 : aux_vc;
  always_comb begin
    sent = flit_q;
    for (int n = 0; n < Lanes; n++) begin
      lane = flit_q[17:0];
      for (int k = 0; k < 3; k++)
        if (rd_mc && !rd_raw_q && rd_idx_q == 4'(k)) lane = spec_pkg::copy(flit_q[17:0], k, ty, rd_up_q, rd_plan_q, rank, ranks_i);
      // The same change in every lane.
      sent[18*n +: 18] = flit_q[18*n +: 18] ^ flit_q[17:0] ^ lane;
    end
    if (rd_pois_q && rd_idx_q >= 4'd3) sent = '0;
    if (rd_idx_q == 4'd0) rd_code = out_vc + 2'd1;
    else if (last1)       rd_code = 2'd1;
    else if (last2)       rd_code = 2'd0;
    else                  rd_code = 2'd2;
  end
  assign rd_x_o      = rd_busy_q ? {rd_code, sent} : '0;
  assign rd_err_o    = (rd_loc_q && !rd_mc) ? rd_plan_q[7:4] : 4'd0;
  assign rd_vc_o     = rd_vc_q;
  assign next_vc     = (rd_busy_q && !last1) ? rd_vc_q : sel_q;
  assign ram_raddr_o = (rd_busy_q && !last1) ? rd_idx_q + 4'd1 : 4'd0;
  always_comb begin
    ram_we_o    = '0;
    ram_waddr_o = rx_valid_i ? idx[3:0] : put_addr_i;
    ram_wdata_o = rx_valid_i ? rx_d_i : put_d_i;
    for (int v = 0; v < NumVc; v++)
      if ((take && idx < 5'd16 && rx_oh[v]) || (put_we_i && look_i[v] && !rx_valid_i && !pkt_q[v])) ram_we_o[v] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (rx_valid_i) begin
      wr_idx_q <= (idx < 5'd16) ? idx + 5'd1 : 5'd16;
      drop_q   <= drop || spoilt;
      ackp_q   <= is_ack;
      if (idx == 5'd0) hdr0_q <= rx_d_i[16:0];
      if (idx == 5'd1) hdr1_q <= rx_d_i[16:0];
    end
    if (fresh) cur_err_q <= new_err;
    if (ack_take_i) ack_v_q <= 1'b0;
    if (rx_valid_i && rx_first_i && is_ack && !recall) begin
      ack_v_q   <= 1'b1;
      ack_tag_q <= rx_d_i[9:7];
      ack_st_q  <= rx_d_i[5:0];
      ack_gen_q <= rx_d_i[13:10];
    end
    for (int v = 0; v < NumVc; v++) begin
      // gnt, then to_ack_i, then tick_i
      if (gnt && sel_q == 2'(v)) begin
        age_q[v]  <= 2'd0;
        pend_q[v] <= left;
        if (last) pkt_q[v] <= 1'b0;
      end else if (to_ack_i && to_vc_o == 2'(v)) begin
        if (!drop_i) age_q[v] <= 2'd3;
      end else if (tick_i && pkt_q[v] && age_q[v] < 2'd2) begin
        age_q[v] <= age_q[v] + 2'd1;
      end
      if (gone[v] || (retry_ack_i && asks == 2'(v))) pkt_q[v] <= 1'b0;
      if (ent_gnt_i && asks == 2'(v)) plan_q[v][3:0] <= {ent_new_i, 1'b0};
      rsv_q[v] <= (rsv_q[v] && halt_i && !free_i && !(put_set_i && look_i[v])) ||
                  (last && sel_q == 2'(v) && ((dumped && InPort != 8) || keep_i));
      if (put_set_i && look_i[v]) begin
        pkt_q[v]  <= 1'b1;
        pend_q[v] <= put_ctx_i[19:9];
        plan_q[v] <= put_ctx_i[8:0];
        age_q[v]  <= 2'd0;
        pois_q[v] <= 1'b0;
      end
      if (fresh && rx_oh[v]) begin
        pkt_q[v]  <= 1'b1;
        pend_q[v] <= new_set;
        plan_q[v] <= new_plan;
        age_q[v]  <= 2'd0;
        pois_q[v] <= 1'b0;
      end
      if (pois_slot && rx_oh[v]) pois_q[v] <= 1'b1;
      if ((put_set_i && look_i[v]) || (fresh && rx_oh[v])) loaded_q[v] <= 1'b1;
    end
    if (need != 3'd0) begin
      evc_q <= (asks == 2'(NumVc - 1)) ? 2'd0 : asks + 2'd1;
      wvc_q <= counted;
    end
    if (!ent_req_o || (answered && asks == counted)) ewait_q <= 2'd0;
    else if (ewait_q == 2'd0)                        ewait_q <= {1'b0, slow_i};
    else if (tick_ent_i && ewait_q < 2'd3)           ewait_q <= ewait_q + 2'd1;
    want_q <= (gnt || gone != 3'd0) ? 11'd0 : cand_o;
    sel_q  <= gnt ? ((sel_q == 2'(NumVc - 1)) ? 2'd0 : sel_q + 2'd1) : sel;
    if (gnt) begin
      rd_busy_q <= 1'b1;
      rd_vc_q   <= sel_q;
      rd_idx_q  <= 4'd0;
      rd_loc_q  <= gnt_i[10] || dumped;
      rd_raw_q  <= dumped;
      rd_up_q   <= (gnt_i[7:4] != 4'd0);
      rd_fin_q  <= last;
    end else if (rd_busy_q) begin
      if (last1) rd_busy_q <= 1'b0;
      else       rd_idx_q  <= rd_idx_q + 4'd1;
    end
    rd_pois_q <= pois_read || (gnt ? pois_q[sel_q] : rd_pois_q);
    rd_len_q  <= len;
    rd_ty_q   <= ty;
    flit_q    <= '0;
    rd_plan_q <= 9'd0;
    for (int v = 0; v < NumVc; v++) begin
      if (next_vc == 2'(v)) begin
        flit_q    <= ram_d_i[DataW*v +: DataW];
        rd_plan_q <= plan_q[v];
      end
    end
    if (!rst_ni) begin
      pkt_q     <= 3'd0;
      loaded_q  <= 3'd0;
      rsv_q     <= 3'd0;
      wr_idx_q  <= 5'd0;
      ack_v_q   <= 1'b0;
      ack_tag_q <= 3'd0;
      ack_st_q  <= 6'd0;
      ack_gen_q <= 4'd0;
      sel_q     <= 2'd0;
      want_q    <= 11'd0;
      ewait_q   <= 2'd0;
      evc_q     <= 2'd0;
      wvc_q     <= 2'd0;
      rd_busy_q <= 1'b0;
      rd_vc_q   <= 2'd0;
      rd_idx_q  <= 4'd0;
      rd_loc_q  <= 1'b0;
    end
  end
endmodule
