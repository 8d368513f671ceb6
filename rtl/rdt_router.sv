// SPDX-License-Identifier: MIT
// The RDT router chip: ten links, eleven crossbar outputs. Instances and wiring only.
// d_i, d_o and d_oe_o of a link are one bidirectional bus; the tristate is in the pad wrapper
// (rdt_pads). In reset no driver is on, whether the clock runs or not.
module rdt_router #(
  parameter int DataW      = rdt_pkg::FlitW,      // 18: a slice; 36: a whole node, headers twice
  parameter int NumEntries = rdt_pkg::NumEntries, // of the ack table: 1 to 7, or 13, 19, 25 in banks
  parameter int RegReq     = 0,                   // 1: links with registered pins, for longer wires
  parameter int ReduceWidth = 0                   // 16 or 32: bits of the operands of reductions; needs 7 entries
) (
  // Clock and reset.
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // Data of all links: in, out, output enable.
  input  logic [DataW*rdt_pkg::NumPorts-1:0] d_i,
  output logic [DataW*rdt_pkg::NumPorts-1:0] d_o,
  output logic [rdt_pkg::NumPorts-1:0]       d_oe_o,
  // Line requests of all links.
  input  logic [2*rdt_pkg::NumPorts-1:0]     req_i,
  output logic [2*rdt_pkg::NumPorts-1:0]     req_o,
  // Credits of all links.
  input  logic [2*rdt_pkg::NumPorts-1:0]     cred_i,
  output logic [2*rdt_pkg::NumPorts-1:0]     cred_o,
  // A check of the router failed.
  output logic                               err_o,
  // Shoot-down: hand all state to MBP 0.
  input  logic                               shoot_i,
  // Signature of the grants, from and to the other slice.
  input  logic                               slice_i,
  output logic                               slice_o
);
  localparam int NumPorts = rdt_pkg::NumPorts, NumOuts  = rdt_pkg::NumOuts;
  localparam int NumNet   = rdt_pkg::NumNet,   OutLocal = rdt_pkg::OutLocal;
  localparam int MaxVc    = rdt_pkg::MaxVc,    VcW      = rdt_pkg::VcW;
  localparam int CodeW    = rdt_pkg::CodeW,    ErrW     = rdt_pkg::ErrW;
  localparam int TagW     = rdt_ports_pkg::tag_w(NumEntries),  GenW = rdt_pkg::GenW;
  localparam int CtxW     = rdt_ports_pkg::ctx_w(NumEntries),  EntH2 = rdt_ports_pkg::ent_h2_w(NumEntries);
  localparam int AckTagW  = rdt_ports_pkg::num_acks(NumEntries) * TagW;
  localparam int AckStW   = rdt_ports_pkg::num_acks(NumEntries) * rdt_pkg::StatusW;
  localparam int EntGenW  = rdt_ports_pkg::gen_w(NumEntries);
  localparam int StreamW  = CodeW + DataW;

  if (!rdt_ports_pkg::is_table(NumEntries) || (ReduceWidth != 0 && NumEntries != rdt_pkg::NumEntries)) begin : gen_bad
`ifdef __ICARUS__  // knows errors in simulation alone
    initial $fatal(1, "NumEntries must be 1 to 7, 13, 19 or 25, and 7 with ReduceWidth");
`else
    $error("NumEntries must be 1 to 7, 13, 19 or 25, and 7 with ReduceWidth");
`endif
  end

  // configuration
  logic [4:0]                  rank;
  logic [3:0]                  xfer, ranks;
  logic [NumNet-1:0]           dateline, link;
  logic [7:0]                  mask;
  logic                        tick, tick_ent, tick_ack, end_lane, slow, sink, drop;
  // lines
  logic [NumPorts-1:0]         link_en, line_gnt, line_void, hush, ask, call, down, up, ann, tx, late, bad;
  logic [NumPorts-1:0]         rx_valid, rx_first, rx_last, cred_ret, oe;
  logic [VcW*NumPorts-1:0]     rx_vc, cred_vc;
  logic [DataW*NumPorts-1:0]   rx_d;
  logic [MaxVc*NumPorts-1:0]   cred_add, room;
  // arbitration and crossbar
  logic [MaxVc*NumPorts-1:0]   credit;
  logic [NumOuts*NumPorts-1:0] want, cand, gnt, xsel;
  logic [NumPorts-1:0]         cand_any, xb_gnt, pkt;
  logic [NumOuts-1:0]          gnt_out;
  logic                        x_gnt;
  logic [StreamW*NumPorts-1:0] rd_x;
  logic [StreamW*NumOuts-1:0]  x;
  // LOCAL
  logic                        ready, only_mbp0, ev_lost;
  logic [NumPorts-1:0]         ready_in;
  logic [ErrW*NumPorts-1:0]    rd_err;
  logic [VcW*NumPorts-1:0]     rd_vc, to_vc;
  logic [StreamW-1:0]          loc_x;
  logic [1:0]                  loc_want, loc_gnt;
  logic [NumPorts-1:0]         to_pend, to_ack, ev_body, ev_frame, ev_over, ev_cred, ev_owed, ev_sync, ev_sunk;
  // acks
  logic [NumPorts-1:0]            ack_v, ack_take, busy, ent_req, ent_vct, ent_old, ent_gnt, retry, retry_ack;
  logic [AckTagW*NumPorts-1:0]    ack_tag;
  logic [TagW*NumPorts-1:0]       ent_tag;
  logic [AckStW*NumPorts-1:0]     ack_st;
  logic [NumEntries*NumPorts-1:0] held;
  logic [NumEntries-1:0]          held_any;
  logic [GenW*NumPorts-1:0]       ack_gen;
  logic [EntGenW*NumEntries-1:0]  gen;
  logic [NumPorts*NumPorts-1:0]   ent_set;
  logic [TagW-1:0]                ent_new, snd_tag;
  logic [2:0]                     stray_tag;
  logic                           snd_v, snd_take, stray, ev_table, ev_table_any;
  logic [3:0]                     snd_port, stray_port;
  logic [5:0]                     snd_st;
  // shoot-down
  logic                        run, halt, raw, keep, give, dump, dumping, put_we, put_set, clash_any, vacant_any;
  logic [MaxVc*NumPorts-1:0]   look;
  logic [NumPorts-1:0]         clash, vacant;
  logic [CtxW*NumPorts-1:0]    ctx;
  logic [CtxW-1:0]             ctx_any;
  logic [3:0]                  put_addr;
  logic [DataW-1:0]            put_d;
  logic [CtxW-2:0]             put_ctx;
  logic                        look_ent, look_used, put_ent;
  logic [TagW-1:0]             look_tag;
  logic [16:0]                 look_h1, put_h1;
  logic [EntH2-1:0]            look_h2, put_h2;
  // behind the crossbar
  logic [NumPorts-1:0]         inj_want, inj_gnt;
  logic [StreamW-1:0]          inj_x, ack_x;  // ack_x: without the result of a reduction

  // The MBP links are always on.
  assign link_en = {{(NumPorts - NumNet){1'b1}}, link};
  assign d_oe_o  = oe & {NumPorts{rst_ni}};

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    localparam int NumVc = rdt_ports_pkg::vcs_of(p);
    localparam int Mbp   = rdt_ports_pkg::is_mbp(p) ? 1 : 0;
    // E and N ports, and the chip's side of the MBP links.
    localparam int Prio  = (Mbp == 1 || rdt_ports_pkg::is_positive(p)) ? 1 : 0;
    localparam int Reg   = (Mbp == 0) ? RegReq : 0;  // an MBP is on the same board
    localparam bit IsMbp0 = rdt_ports_pkg::is_mbp0(p);

    rdt_link_io #(
      .DataW(DataW), .NumVc(NumVc), .Prio(Prio), .AlwaysOn(Mbp), .RegReq(Reg)
    ) u_link_io (
      .clk_i      (clk_i), .rst_ni(rst_ni),
      .link_en_i  (link_en[p]),
      .slow_i     (slow),
      .d_i        (d_i[DataW*p +: DataW]),
      .req_i      (req_i[CodeW*p +: CodeW]),
      .cred_i     (cred_i[CodeW*p +: CodeW]),
      .cred_o     (cred_o[CodeW*p +: CodeW]),
      .own_req_i  (req_o[CodeW*p +: CodeW]),
      .own_oe_i   (oe[p]),
      .tx_i       (tx[p]),
      .late_i     (late[p]),
      .line_gnt_o (line_gnt[p]),
      .line_void_o(line_void[p]),
      .hush_o     (hush[p]), .ask_o(ask[p]),
      .call_o     (call[p]), .down_o(down[p]),
      .up_o       (up[p]), .ann_o(ann[p]),
      .ev_sync_o  (ev_sync[p]),
      .bad_i      (bad[p]),
      .cred_ret_i (cred_ret[p]),
      .cred_vc_i  (cred_vc[VcW*p +: VcW]),
      .cred_add_i (cred_add[MaxVc*p +: MaxVc]),
      .room_i     (room[MaxVc*p +: MaxVc]),
      .rx_valid_o (rx_valid[p]),
      .rx_first_o (rx_first[p]),
      .rx_last_o  (rx_last[p]),
      .rx_vc_o    (rx_vc[VcW*p +: VcW]),
      .rx_d_o     (rx_d[DataW*p +: DataW])
    );

    rdt_input_unit #(
      .DataW(DataW), .NumVc(NumVc), .InPort(p), .NumEntries(NumEntries)
    ) u_input_unit (
      .clk_i      (clk_i), .rst_ni(rst_ni),
      .rank_i     (rank),
      .xfer_i     (xfer),
      .dateline_i (dateline),
      .mask_i     (mask),
      .ranks_i    (ranks),
      .rx_valid_i (rx_valid[p]),
      .rx_first_i (rx_first[p]),
      .rx_last_i  (rx_last[p]),
      .rx_vc_i    (rx_vc[VcW*p +: VcW]),
      .rx_d_i     (rx_d[DataW*p +: DataW]),
      .cred_ret_o (cred_ret[p]),
      .cred_vc_o  (cred_vc[VcW*p +: VcW]),
      .cred_add_o (cred_add[MaxVc*p +: MaxVc]),
      .room_o     (room[MaxVc*p +: MaxVc]),
      .bad_o      (bad[p]),
      .up_i       (up[p]),
      .credit_i   ({ready_in[p], credit}),
      .gnt_i      (gnt[NumOuts*p +: NumOuts]),
      .want_o     (want[NumOuts*p +: NumOuts]),
      .cand_o     (cand[NumOuts*p +: NumOuts]),
      .rd_x_o     (rd_x[StreamW*p +: StreamW]),
      .pkt_o      (pkt[p]),
      .rd_err_o   (rd_err[ErrW*p +: ErrW]),
      .rd_vc_o    (rd_vc[VcW*p +: VcW]),
      .tick_i     (tick),
      .to_ack_i   (to_ack[p]),
      .drop_i     (drop),
      .to_pend_o  (to_pend[p]),
      .to_vc_o    (to_vc[VcW*p +: VcW]),
      .ev_body_o  (ev_body[p]),
      .ev_frame_o (ev_frame[p]),
      .ev_over_o  (ev_over[p]),
      .run_i      (run),
      .halt_i     (halt),
      .raw_i      (raw && IsMbp0),
      .keep_i     (keep && IsMbp0),
      .free_i     (give && IsMbp0),
      .look_i     (look[MaxVc*p +: MaxVc]),
      .dump_i     (dump),
      .put_we_i   (put_we),
      .put_set_i  (put_set),
      .put_addr_i (put_addr),
      .put_d_i    (put_d),
      .put_ctx_i  (put_ctx),
      .ctx_o      (ctx[CtxW*p +: CtxW]),
      .clash_o    (clash[p]),
      .vacant_o   (vacant[p]),
      .ack_v_o    (ack_v[p]),
      .ack_tag_o  (ack_tag[AckTagW*p +: AckTagW]),
      .ack_st_o   (ack_st[AckStW*p +: AckStW]),
      .ack_gen_o  (ack_gen[GenW*p +: GenW]),
      .ack_take_i (ack_take[p]),
      .held_o     (held[NumEntries*p +: NumEntries]),
      .ent_req_o  (ent_req[p]),
      .ent_set_o  (ent_set[NumPorts*p +: NumPorts]),
      .ent_tag_o  (ent_tag[TagW*p +: TagW]),
      .ent_vct_o  (ent_vct[p]),
      .ent_old_o  (ent_old[p]),
      .ent_gnt_i  (ent_gnt[p]),
      .ent_new_i  (ent_new),
      .slow_i     (slow),
      .tick_ent_i (tick_ent),
      .retry_o    (retry[p]),
      .retry_ack_i(retry_ack[p])
    );

    rdt_output_unit #(
      .DataW(DataW), .OutPort(p), .NumVc(NumVc), .NumEntries(NumEntries), .RegReq(Reg)
    ) u_output_unit (
      .clk_i      (clk_i), .rst_ni(rst_ni),
      .raw_i      (dumping && IsMbp0),
      .tick_i     (tick),
      .slow_i     (slow),
      .sink_i     (sink),
      .rank_i     (rank),
      .x_i        (x[StreamW*p +: StreamW]),
      .gnt_i      (gnt_out[p]),
      .cand_any_i (cand_any[p]),
      .xb_gnt_o   (xb_gnt[p]),
      .credit_o   (credit[MaxVc*p +: MaxVc]),
      .line_gnt_i (line_gnt[p]),
      .line_void_i(line_void[p]),
      .hush_i     (hush[p]), .ask_i(ask[p]),
      .call_i     (call[p]), .down_i(down[p]),
      .up_i       (up[p]), .ann_i(ann[p]),
      .tx_o       (tx[p]),
      .late_o     (late[p]),
      .loc_want_i (inj_want[p]),
      .loc_x_i    (inj_x),
      .loc_gnt_o  (inj_gnt[p]),
      .gen_i      (gen),
      .ev_cred_o  (ev_cred[p]),
      .ev_owed_o  (ev_owed[p]),
      .ev_sunk_o  (ev_sunk[p]),
      .cred_i     (cred_i[CodeW*p +: CodeW]),
      .d_o        (d_o[DataW*p +: DataW]),
      .d_oe_o     (oe[p]),
      .req_o      (req_o[CodeW*p +: CodeW])
    );
  end

  rdt_arbiter u_arbiter (
    .clk_i     (clk_i), .rst_ni(rst_ni),
    .want_i    (want),
    .cand_i    (cand),
    .line_gnt_i({x_gnt, xb_gnt}),
    .pkt_i     (pkt[NumPorts-1:NumNet]),
    .gnt_o     (gnt),
    .gnt_out_o (gnt_out),
    .cand_any_o(cand_any),
    .xsel_o    (xsel),
    .slice_o   (slice_o)
  );

  rdt_crossbar #(.DataW(DataW)) u_crossbar (.x_i(rd_x), .sel_i(xsel), .x_o(x));

  // Only acks of an MBP have a generation that counts, and only MBPs hold up the arbiter's ages.
  logic unused_net;
  assign unused_net = (^ack_gen[GenW*NumNet-1:0]) ^ (^pkt[NumNet-1:0]);

  rdt_glue #(.NumEntries(NumEntries)) u_glue (
    .ready_i    (ready),
    .only_mbp0_i(only_mbp0),
    .ready_o    (ready_in),
    .ctx_i      (ctx),
    .ctx_o      (ctx_any),
    .clash_i    (clash),
    .clash_o    (clash_any),
    .vacant_i   (vacant),
    .vacant_o   (vacant_any),
    .held_i     (held),
    .held_o     (held_any),
    .ev_table_i (ev_table),
    .retry_ack_i(retry_ack),
    .ev_table_o (ev_table_any)
  );

  rdt_local #(.DataW(DataW), .NumEntries(NumEntries)) u_local (
    .clk_i       (clk_i), .rst_ni(rst_ni),
    .shoot_i     (shoot_i),
    .slice_o_i   (slice_o),
    .slice_i     (slice_i),
    .err_o       (err_o),
    .x_i         (x[StreamW*OutLocal +: StreamW]),
    .gnt_i       (gnt_out[OutLocal]),
    .sel_i       (xsel[NumPorts*OutLocal +: NumPorts]),
    .x_gnt_o     (x_gnt),
    .ready_o     (ready),
    .only_mbp0_o (only_mbp0),
    .gnt_mbp0_i  (gnt_out[NumNet]),
    .rd_err_i    (rd_err),
    .rd_vc_i     (rd_vc),
    .to_pend_i   (to_pend),
    .to_vc_i     (to_vc),
    .to_ack_o    (to_ack),
    .drop_o      (drop),
    .tick_o      (tick),
    .tick_ent_o  (tick_ent),
    .tick_ack_o  (tick_ack),
    .end_o       (end_lane),
    .slow_o      (slow),
    .sink_o      (sink),
    .stray_i     (stray),
    .stray_port_i(stray_port),
    .stray_tag_i (stray_tag),
    .ev_table_i  (ev_table_any),
    .ent_look_o  (look_ent),
    .ent_tag_o   (look_tag),
    .ent_used_i  (look_used),
    .ent_h1_i    (look_h1),
    .ent_h2_i    (look_h2),
    .ent_put_o   (put_ent),
    .ent_h1_o    (put_h1),
    .ent_h2_o    (put_h2),
    .m_credit_i  ({credit[MaxVc*(NumNet + 1)], credit[MaxVc*NumNet]}),
    .loc_gnt_i   (loc_gnt),
    .loc_want_o  (loc_want),
    .loc_x_o     (loc_x),
    .ev_body_i   (ev_body),
    .ev_frame_i  (ev_frame),
    .ev_over_i   (ev_over),
    .ev_cred_i   (ev_cred),
    .ev_owed_i   (ev_owed),
    .ev_sync_i   (ev_sync),
    .ev_sunk_i   (ev_sunk),
    .ev_lost_i   (ev_lost),
    .up_i        (up),
    .run_o       (run),
    .halt_o      (halt), .raw_o(raw),
    .keep_o      (keep), .give_o(give),
    .dump_o      (dump), .dumping_o(dumping),
    .look_o      (look),
    .ctx_i       (ctx_any),
    .put_we_o    (put_we),
    .put_set_o   (put_set),
    .put_addr_o  (put_addr),
    .put_d_o     (put_d),
    .put_ctx_o   (put_ctx),
    .clash_i     (clash_any),
    .vacant_i    (vacant_any),
    .rank_o      (rank),
    .xfer_o      (xfer),
    .dateline_o  (dateline),
    .link_o      (link),
    .mask_o      (mask),
    .ranks_o     (ranks)
  );

  // Only ports 0 and 1 have a VC-T.
  logic unused_vct;
  assign unused_vct = ^ent_vct[NumPorts-1:2];

  rdt_ack #(.NumEntries(NumEntries)) u_ack (
    .clk_i       (clk_i), .rst_ni(rst_ni),
    .tick_i      (tick_ack),
    .end_i       (end_lane),
    .ack_v_i     (ack_v),
    .ack_tag_i   (ack_tag),
    .ack_st_i    (ack_st),
    .ack_gen_i   (ack_gen[GenW*NumNet +: 2*GenW]),
    .held_i      (held_any),
    .busy_i      (busy),
    .ack_take_o  (ack_take),
    .ent_req_i   (ent_req),
    .ent_set_i   (ent_set),
    .ent_tag_i   (ent_tag),
    .ent_vct_i   (ent_vct[1:0]),
    .ent_old_i   (ent_old),
    .ent_gnt_o   (ent_gnt),
    .ent_new_o   (ent_new),
    .snd_v_o     (snd_v),
    .snd_port_o  (snd_port),
    .snd_tag_o   (snd_tag),
    .snd_st_o    (snd_st),
    .snd_take_i  (snd_take),
    .stray_o     (stray),
    .stray_port_o(stray_port),
    .stray_tag_o (stray_tag),
    .ev_table_o  (ev_table),
    .gen_o       (gen),
    .look_i      (look_ent),
    .look_tag_i  (look_tag),
    .look_used_o (look_used),
    .look_h1_o   (look_h1),
    .look_h2_o   (look_h2),
    .put_i       (put_ent),
    .put_h1_i    (put_h1),
    .put_h2_i    (put_h2)
  );

  rdt_inject #(.DataW(DataW), .NumEntries(NumEntries)) u_inject (
    .clk_i      (clk_i), .rst_ni(rst_ni),
    .snd_v_i    (snd_v),
    .snd_port_i (snd_port),
    .snd_tag_i  (snd_tag),
    .snd_st_i   (snd_st),
    .snd_take_o (snd_take),
    .retry_i    (retry),
    .ent_gnt_i  (ent_gnt),
    .ent_tag_i  (ent_tag),
    .retry_ack_o(retry_ack),
    .busy_o     (busy),
    .ev_lost_o  (ev_lost),
    .loc_want_i (loc_want),
    .loc_x_i    (loc_x),
    .loc_gnt_o  (loc_gnt),
    .gnt_i      (inj_gnt),
    .want_o     (inj_want),
    .x_o        (ack_x)
  );

  if (ReduceWidth == 0) begin : gen_no_reduce
    assign inj_x = ack_x;
  end else begin : gen_reduce
    localparam int FlitW = rdt_pkg::FlitW;
    logic [FlitW*NumPorts-1:0] rx_slice;  // the header of a whole node is twice the same
    logic [FlitW-1:0]          flip;

    for (genvar p = 0; p < NumPorts; p++) begin : gen_slice
      assign rx_slice[FlitW*p +: FlitW] = rx_d[DataW*p +: FlitW];
    end

    rdt_reduce #(.Width(ReduceWidth)) u_reduce (
      .clk_i     (clk_i), .rst_ni(rst_ni),
      .rx_valid_i(rx_valid),
      .rx_first_i(rx_first),
      .rx_d_i    (rx_slice),
      .ack_take_i(ack_take),
      .ack_tag_i (ack_tag),
      .stray_i   (stray),
      .ent_gnt_i (ent_gnt),
      .ent_new_i (ent_new),
      .put_i     (put_ent),
      .look_tag_i(look_tag),
      .snd_take_i(snd_take),
      .snd_tag_i (snd_tag),
      .want_i    (inj_want),
      .gnt_i     (inj_gnt),
      .lost_i    (ev_lost),
      .flip_o    (flip)
    );
    assign inj_x = ack_x ^ {{CodeW{1'b0}}, {(DataW / FlitW){flip}}};
  end
endmodule
