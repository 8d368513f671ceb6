// SPDX-License-Identifier: MIT
// One end of a link for the comparison with the model (link_refines.cpp): link controller, arrival
// and output unit as in the router. The test chooses what the crossbar sends, when buffers become
// empty, and ticks. The payload of a flit names its place in its packet and, in H0, the VC.
module one_end #(
  parameter int NumVc   = 1,
  parameter int Prio    = 0,
  parameter int OutPort = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // anything
  input  logic        link_en_i,
  input  logic        slow_i,
  input  logic        cand_i,     // some packet is a candidate
  input  logic        gnt_i,      // the crossbar takes the line if it is offered
  input  logic [1:0]  vc_i,       // for a packet on this VC
  input  logic        more_i,     // and the packet continues
  input  logic [2:0]  ret_i,      // a buffer that is emptied by a grant
  input  logic [2:0]  add_i,      // buffers that are emptied otherwise
  // pins
  input  logic [17:0] d_i,
  input  logic [1:0]  req_i,
  input  logic [1:0]  cred_i,
  // offered in this cycle, and with a credit in the cycle before
  output logic        offer_o,
  output logic [2:0]  had_o,
  // events
  output logic        sync_o,
  output logic        trouble_o,
  output logic        owed_o,
  output logic        over_o,
  output logic        spoilt_o,
  output logic        fresh_o,
  output logic        good_o,     // all three flits of the header are of one packet on this VC
  output logic        land_o,
  output logic        used_o,     // the first flit of a packet is sent
  output logic        told_o,
  output logic        tick_o,
  // registers as the model has them
  output logic [2:0]  st_o,
  output logic        mine_o,
  output logic        tail_o,
  output logic [4:0]  cnt_o,
  output logic [1:0]  p_o,
  output logic [2:0]  pend_o,
  output logic [2:0]  keep_o,
  output logic        rep_o,
  output logic [1:0]  cred_o,
  output logic        rx_valid_o,
  output logic        rx_first_o,
  output logic        rx_second_o,
  output logic [1:0]  rx_vc_o,
  output logic [17:0] rx_d_o,
  output logic [4:0]  idx_o,
  output logic        drop_o,
  output logic [1:0]  head_o,
  output logic        junk_o,
  output logic [2:0]  full_o,
  output logic        tx_o,
  output logic [3:0]  place_o,    // place in its packet of the flit from the crossbar
  output logic [1:0]  code_o,
  output logic [1:0]  tx_vc_o,
  output logic        oe_o,
  output logic [17:0] d_o,
  output logic [1:0]  req_o,
  output logic [1:0]  in_o,
  output logic        gap_o,
  output logic [5:0]  owed_q_o
);
  logic        line_gnt, line_void, hush, ask, call, down, up, ann, tx, late;
  logic        rx_last, bad, loc_gnt, ev_cred, ev_sunk, we, is_short, ev_body, ev_frame, unused;
  logic [4:0]  idx;
  logic [2:0]  credit;

  function automatic logic [17:0] flit(input logic odd, input logic [16:0] payload);
    return {(^payload) ^ odd, payload};
  endfunction
  // Not a type that an output unit rewrites.
  function automatic logic [16:0] name_of(input logic [1:0] kind, input logic [1:0] vc);
    return {rdt_pkg::TypeErr, 10'd0, kind, vc};
  endfunction

  // The crossbar.
  logic       gnt, run_q;
  logic [3:0] place_q;
  logic [1:0] code_q, vc_q;
  logic [2:0] had_q;  // credits of the clock before, in which an input found its candidates
  logic [1:0] kind;
  logic [17:0] x;

  assign gnt = gnt_i && offer_o && had_q[vc_i];
  always_ff @(posedge clk_i) begin
    had_q <= rst_ni ? credit : 3'd0;
    if (!rst_ni) begin
      {run_q, place_q, code_q, vc_q} <= 9'd0;
    end else if (gnt) begin
      {run_q, place_q, code_q, vc_q} <= {1'b1, 4'd0, vc_i + 2'd1, vc_i};
    end else if (run_q && place_q != 4'd0 && code_q == 2'd1) begin
      {run_q, place_q, code_q, vc_q} <= 9'd0;
    end else if (run_q) begin
      place_q <= place_q + 4'd1;
      code_q  <= (place_q != 4'd0 && code_q == 2'd0) ? 2'd1 : more_i ? 2'd2 : 2'd0;
    end
  end
  assign kind = (|place_q[3:2]) ? 2'd3 : place_q[1:0];
  assign x    = run_q ? flit(place_q != 4'd0, name_of(kind, place_q == 4'd0 ? vc_q + 2'd1 : 2'd0)) : 18'd0;

  // The buffers, and which flits of a header were those of a packet.
  logic [2:0] full_q, fresh;
  logic [1:0] head_q, ret_vc;
  logic       junk_q, room, is_head;

  assign room    = (rx_vc_o < 2'(NumVc)) && !full_q[rx_vc_o];
  assign ret_vc  = {ret_i[2], ret_i[1]};
  assign is_head = (rx_d_o == flit(1'b0, name_of(2'd0, rx_d_o[1:0]))) && (rx_d_o[1:0] != 2'd0);
  assign good_o  = fresh_o && !junk_q && (head_q == rx_vc_o + 2'd1) && (rx_d_o == flit(1'b1, name_of(2'd2, 2'd0)));
  for (genvar v = 0; v < 3; v++) begin : gen_vc
    assign fresh[v] = fresh_o && (rx_vc_o == 2'(v));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {full_q, head_q, junk_q} <= 6'd0;
    end else begin
      full_q <= (full_q & ~ret_i & ~add_i) | fresh;
      {head_q, junk_q} <= 3'd0;
      if (rx_valid_o) begin
        head_q <= rx_first_o ? rx_d_o[1:0] & {2{is_head && !bad && !land_o}} : (idx == 5'd1) ? head_q : 2'd0;
        junk_q <= !rx_first_o && (idx == 5'd1) && (rx_d_o != flit(1'b1, name_of(2'd1, 2'd0)));
      end
    end
  end

  rdt_link_io #(.NumVc(NumVc), .Prio(Prio)) u_link_io (
    .clk_i(clk_i), .rst_ni(rst_ni), .link_en_i(link_en_i), .slow_i(slow_i),
    .d_i(d_i), .req_i(req_i), .cred_i(cred_i), .cred_o(cred_o),
    .own_req_i(req_o), .own_oe_i(oe_o), .tx_i(tx), .late_i(late),
    .line_gnt_o(line_gnt), .line_void_o(line_void), .hush_o(hush), .ask_o(ask), .call_o(call),
    .down_o(down), .up_o(up), .ann_o(ann), .ev_sync_o(sync_o),
    .bad_i(bad), .cred_ret_i(|ret_i), .cred_vc_i(ret_vc), .cred_add_i(add_i),
    .room_i(~full_q & 3'((1 << NumVc) - 1)),
    .rx_valid_o(rx_valid_o), .rx_first_o(rx_first_o), .rx_last_o(rx_last), .rx_vc_o(rx_vc_o), .rx_d_o(rx_d_o)
  );

  rdt_arrival u_arrival (
    .clk_i(clk_i), .rst_ni(rst_ni), .rx_valid_i(rx_valid_o), .rx_first_i(rx_first_o), .rx_last_i(rx_last),
    .rx_d_i(rx_d_o), .room_i(room), .err_i(1'b0), .len_i(4'd2), .idx_o(idx), .we_o(we), .fresh_o(fresh_o),
    .land_o(land_o), .short_o(is_short), .over_o(over_o), .bad_o(bad), .ev_body_o(ev_body), .ev_frame_o(ev_frame)
  );

  rdt_output_unit #(.OutPort(OutPort), .NumVc(NumVc)) u_output_unit (
    .clk_i(clk_i), .rst_ni(rst_ni), .raw_i(1'b0), .tick_i(1'b0), .slow_i(slow_i), .sink_i(1'b0),
    .rank_i(5'd1), .x_i({code_q, x}), .gnt_i(gnt), .cand_any_i(cand_i), .xb_gnt_o(offer_o), .credit_o(credit),
    .line_gnt_i(line_gnt), .line_void_i(line_void), .hush_i(hush), .ask_i(ask), .call_i(call),
    .down_i(down), .up_i(up), .ann_i(ann), .tx_o(tx), .late_o(late),
    .loc_want_i(1'b0), .loc_x_i(20'd0), .loc_gnt_o(loc_gnt), .gen_i(28'd0),
    .ev_cred_o(ev_cred), .ev_owed_o(owed_o), .ev_sunk_o(ev_sunk),
    .cred_i(cred_i), .d_o(d_o), .d_oe_o(oe_o), .req_o(req_o)
  );

  assign unused = ^{loc_gnt, ev_cred, ev_sunk, we, is_short, ev_body, ev_frame};

  assign had_o       = had_q;
  assign trouble_o   = u_link_io.trouble;
  assign spoilt_o    = u_arrival.spoilt;
  assign used_o      = u_output_unit.sends && (u_output_unit.hidx_q == 2'd0);
  assign told_o      = u_link_io.told_q;
  assign tick_o      = u_link_io.tick_q;
  assign st_o        = u_link_io.st_q;
  assign mine_o      = u_link_io.mine_q;
  assign tail_o      = u_link_io.tail_q;
  assign cnt_o       = u_link_io.cnt_q;
  assign p_o         = u_link_io.p_q;
  assign pend_o      = u_link_io.pend_q;
  assign keep_o      = u_link_io.keep_q;
  assign rep_o       = u_link_io.rep_q;
  assign rx_second_o = u_link_io.rx_second_q;
  assign idx_o       = u_arrival.wr_idx_q;
  assign drop_o      = u_arrival.drop_q;
  assign head_o      = head_q;
  assign junk_o      = junk_q;
  assign full_o      = full_q;
  assign tx_o        = tx;
  assign place_o     = place_q;
  assign code_o      = code_q;
  assign tx_vc_o     = vc_q;
  assign in_o        = u_output_unit.in_q;
  assign gap_o       = u_output_unit.gap_q;
  assign owed_q_o    = 6'(u_output_unit.owed_q);
endmodule
