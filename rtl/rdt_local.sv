// SPDX-License-Identifier: MIT
// Crossbar output 10: receives SETUP and SHOT packets and packets with a malformed header, answers
// them with packets to the MBPs, and reports errors to MBP 0; dumps and restores the state of the
// router. This module holds the packet that is received, reported or restored. rdt_local_fsm has
// the control, rdt_setup the body of a SETUP, rdt_regs the registers, rdt_notice the pending
// reports, rdt_shot the state of a shoot-down. Promises: one packet at a time; ready_o and x_gnt_o
// are low until its answer has been sent, or has waited for its MBP for SendWait cycles, or not at
// all if that MBP accepted nothing the last time: LOCAL never waits for a dead MBP. A dump waits,
// since MBP 0 is its only taker. Relies on: after gnt_i the packet comes from the next cycle on
// without gaps, with sel_i one-hot; a packet with an error code has exactly three flits, and a SHOT
// packet; a SETUP has at least four.
module rdt_local #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW      = rdt_pkg::FlitW,
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  // Clock and reset.
  input  logic        clk_i,
  input  logic        rst_ni,
  // pins
  input  logic        shoot_i,
  input  logic        slice_o_i,
  input  logic        slice_i,
  output logic        err_o,
  // crossbar column 10
  input  logic [rdt_pkg::CodeW+DataW-1:0] x_i,
  input  logic        gnt_i,
  input  logic [9:0]  sel_i,
  output logic        x_gnt_o,
  output logic        ready_o,
  output logic        only_mbp0_o,
  input  logic        gnt_mbp0_i,   // the output to MBP 0 was granted
  // input units
  input  logic [39:0] rd_err_i,
  input  logic [19:0] rd_vc_i,
  input  logic [9:0]  to_pend_i,
  input  logic [19:0] to_vc_i,
  output logic [9:0]  to_ack_o,
  output logic        drop_o,
  output logic        tick_o,
  output logic        tick_ent_o,
  // output units and links
  output logic        slow_o,
  output logic        sink_o,
  // rdt_ack
  output logic        tick_ack_o,
  output logic        end_o,
  input  logic        stray_i,
  input  logic [3:0]  stray_port_i,
  input  logic [2:0]  stray_tag_i,
  input  logic        ev_table_i,
  output logic        ent_look_o,
  output logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] ent_tag_o,
  input  logic        ent_used_i,
  input  logic [16:0] ent_h1_i,
  input  logic [rdt_ports_pkg::ent_h2_w(NumEntries)-1:0] ent_h2_i,
  output logic        ent_put_o,
  output logic [16:0] ent_h1_o,
  output logic [rdt_ports_pkg::ent_h2_w(NumEntries)-1:0] ent_h2_o,
  // rdt_inject, and the credits of the MBPs
  input  logic [1:0]  m_credit_i,
  input  logic [1:0]  loc_gnt_i,
  output logic [1:0]  loc_want_o,
  output logic [rdt_pkg::CodeW+DataW-1:0] loc_x_o,
  // events
  input  logic [9:0]  ev_body_i,
  input  logic [9:0]  ev_frame_i,
  input  logic [9:0]  ev_over_i,
  input  logic [9:0]  ev_cred_i,
  input  logic [9:0]  ev_owed_i,
  input  logic [9:0]  ev_sync_i,
  input  logic [9:0]  ev_sunk_i,
  input  logic        ev_lost_i,    // rdt_inject dropped an ack
  input  logic [9:0]  up_i,         // links that are up
  // shoot-down
  output logic        run_o,
  output logic        halt_o,
  output logic        raw_o,
  output logic        keep_o,
  output logic        give_o,
  output logic        dump_o,
  output logic        dumping_o,
  output logic [rdt_pkg::MaxVc*rdt_pkg::NumPorts-1:0] look_o,
  input  logic [rdt_ports_pkg::ctx_w(NumEntries)-1:0] ctx_i,
  output logic        put_we_o,
  output logic        put_set_o,
  output logic [3:0]  put_addr_o,
  output logic [DataW-1:0] put_d_o,
  output logic [rdt_ports_pkg::ctx_w(NumEntries)-2:0] put_ctx_o,
  input  logic        clash_i,
  input  logic        vacant_i,     // the selected slot is empty, without a credit outstanding
  // configuration
  output logic [4:0]  rank_o,       // bit r: the node is on rank r
  output logic [3:0]  xfer_o,
  output logic [7:0]  dateline_o,
  output logic [7:0]  link_o,
  output logic [7:0]  mask_o,
  output logic [3:0]  ranks_o
);
  localparam int TagW  = rdt_ports_pkg::tag_w(NumEntries);
  localparam int EntH2 = rdt_ports_pkg::ent_h2_w(NumEntries);

  logic [3:0]  code_d, code_q, port_d, port_q;
  logic [1:0]  vc_d, vc_q;
  logic [16:0] h0_q, h1_q, h2_q;
  logic [3:0]  e_d, e_q;  // the first error of this packet
  logic [2:0]  tag_d, tag_q;

  // The current action, and its flit.
  localparam logic [1:0] KindShot = 2'd3;
  logic        idle, recv, tx, tx_last, put, putrx, sent, gives_up;
  logic [1:0]  kind;
  logic [3:0]  ridx;

  // Notices go before packets. A lost credit means a lost packet or lost synchronization, so it is
  // reported alike.
  logic       note, late;
  logic [9:0] lost_place;
  logic [3:0] note_code, note_port;
  logic [1:0] note_vc;
  logic [2:0] note_tag;

  assign lost_place = ev_sync_i | ev_owed_i;

  assign ready_o = idle || put;
  assign only_mbp0_o = put;
  assign x_gnt_o = (idle && !note) || (put && ridx == 4'd1);

  rdt_notice u_notice (
    .clk_i       (clk_i), .rst_ni(rst_ni),
    .idle_i      (idle),
    .to_pend_i   (to_pend_i),
    .to_vc_i     (to_vc_i),
    .to_ack_o    (to_ack_o),
    .late_o      (late),
    .stray_i     (stray_i),
    .stray_port_i(stray_port_i),
    .stray_tag_i (stray_tag_i),
    .ev_sync_i   (lost_place),
    .ev_sunk_i   (ev_sunk_i),
    .any_o       (note),
    .code_o      (note_code),
    .port_o      (note_port),
    .vc_o        (note_vc),
    .tag_o       (note_tag)
  );

  // Where the packet comes from.
  logic [3:0] src_port, src_err;
  logic [1:0] src_vc;

  assign src_port = rdt_ports_pkg::port_of(sel_i);
  assign src_vc   = rdt_ports_pkg::pick2(rd_vc_i, sel_i);
  assign src_err  = rdt_ports_pkg::pick4(rd_err_i, sel_i);

  // The packet that comes. Only MBP 0 may write if there is a guard.
  logic        last, guard, reg_we, bad_head;
  logic [3:0]  len, flit_err, e_now;
  logic [4:0]  addr;

  assign len      = h0_q[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo];
  assign last     = (x_i[DataW +: rdt_pkg::CodeW] == rdt_pkg::ReqWant) && (ridx != 4'd0);
  assign bad_head = (code_q != rdt_pkg::ErrNone);
  assign e_now    = (e_q == rdt_pkg::ErrNone) ? flit_err : e_q;

  rdt_setup #(.DataW(DataW)) u_setup (
    .clk_i   (clk_i),
    .idle_i  (idle),
    .recv_i  (recv),
    .idx_i   (ridx),
    .d_i     (x_i[DataW-1:0]),
    .last_i  (last),
    .len_i   (len),
    .refuse_i(guard && port_q != rdt_pkg::PortM0),
    .err_o   (flit_err),
    .we_o    (reg_we),
    .addr_o  (addr)
  );

  // Shoot-down.
  logic        shot_end, is_slot, is_entry, refused, fits, found, follows, dumped, shoot, on_late;
  logic        shot_halt, slice_bad;
  logic [1:0]  shot;
  logic [16:0] shot_flit;
  logic        put_end, put_good, at8, is_mc, was_mc, alien;
  logic [3:0]  err8;
  logic [15:0] xy, value;
  logic [rdt_pkg::CodeW+DataW-1:0] tx_x;

  // The end of a SHOT packet; not by that of its stream, which is known late: a good one has three flits.
  assign shot_end = recv && (ridx == 4'd2) && !bad_head &&
                    (h0_q[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] == rdt_pkg::TypeShot);
  assign refused  = is_entry && !ent_put_o;

  // A packet on its way back into its buffer. An error in it is reported at its end. One that goes
  // back into port 8's own buffer stands in it already; its last flits may still be coming in.
  assign err8       = rd_err_i[4*rdt_pkg::PortM0 +: 4];
  assign put_we_o   = putrx && (e_q == rdt_pkg::ErrNone) && !at8 &&
                      ((ridx == 4'd0 ? err8 : code_q) == rdt_pkg::ErrNone);
  assign put_end    = putrx && last;
  assign put_good   = (e_q == rdt_pkg::ErrNone) && !clash_i && !bad_head;
  assign put_set_o  = put_end && put_good;
  assign put_addr_o = ridx;
  assign put_d_o    = x_i[DataW-1:0];
  logic [TagW-1:0] put_tag;
  if (rdt_ports_pkg::has_banks(NumEntries)) begin : gen_bank
    assign put_tag = {h0_q[5:4], h0_q[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo]};
  end else begin : gen_no_bank
    assign put_tag = h0_q[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo];
  end
  assign put_ctx_o  = {h1_q[rdt_pkg::H1SlotpendHi:rdt_pkg::H1SlotpendLo],
                       h2_q[rdt_pkg::H2SlotmcHi:rdt_pkg::H2SlotplanLo], put_tag, h2_q[rdt_pkg::H2SlotentLo]};

  assign at8       = (h1_q[rdt_pkg::H1SlotportHi:rdt_pkg::H1SlotportLo] == rdt_pkg::PortM0);
  assign is_mc     = !x_i[rdt_pkg::H0TypeHi] && (x_i[rdt_pkg::H0TypeLo +: 2] != 2'd0);
  assign was_mc    = h2_q[rdt_pkg::H2SlotmcLo];
  // Ack, Shot and Err are never in a buffer: a context has come without its packet.
  assign alien     = x_i[rdt_pkg::H0TypeHi] && (x_i[rdt_pkg::H0TypeLo +: 2] != rdt_pkg::TypeSetup[1:0]);
  assign raw_o     = put;
  assign keep_o    = put && at8 && (e_q == rdt_pkg::ErrNone);
  assign give_o    = put_end && !put_good && at8;
  assign ent_h1_o  = h1_q;
  assign ent_h2_o  = x_i[16 -: EntH2];
  assign halt_o    = shot_halt || slice_bad;
  assign run_o     = !shot_halt;

  rdt_shot #(.NumEntries(NumEntries)) u_shot (
    .clk_i     (clk_i), .rst_ni(rst_ni),
    .trigger_i (shoot_i || shoot || (on_late && late)),
    .shot_o    (shot),
    .halt_o    (shot_halt),
    .recv_i    (recv && ridx[3:1] != 3'd0),
    .put_i     (put || putrx),
    .table_i   (idle),
    .h0_i      (h0_q),
    .h1_i      (h1_q),
    .h2_i      (h2_q),
    .plan_i    (x_i[rdt_pkg::H2SlotmcHi:rdt_pkg::H2SlotentLo]),
    .end_i     (shot_end),
    .run_i     (put_set_o && h0_q[rdt_pkg::H0RunLo]),
    .slot_o    (is_slot),
    .entry_o   (is_entry),
    .fits_o    (fits),
    .step_i    (idle && !note && !gnt_i),
    .found_o   (found),
    .sent_i    (tx && tx_last && kind == KindShot),
    .dumped_i  (dumped),
    .follows_o (follows),
    .flit_i    (ridx[1:0]),
    .flit_o    (shot_flit),
    .xy_i      (xy),
    .look_o    (look_o),
    .ctx_i     (ctx_i),
    .ent_look_o(ent_look_o),
    .ent_tag_o (ent_tag_o),
    .ent_put_o (ent_put_o),
    .ent_used_i(ent_used_i)
  );

  rdt_local_fsm u_fsm (
    .clk_i     (clk_i), .rst_ni(rst_ni),
    .note_i    (note),
    .gnt_i     (gnt_i),
    .found_i   (found),
    .last_i    (last),
    .shot_end_i(shot_end),
    .slot_i    (is_slot),
    .refused_i (refused),
    .err_i     (bad_head || e_now != rdt_pkg::ErrNone),
    .read_i    (len == 4'd3),
    .good_i    (put_good),
    .mbp_i     (h0_q[rdt_pkg::H0MbpLo]),
    .m_credit_i(m_credit_i),
    .loc_gnt_i (loc_gnt_i),
    .loc_want_o(loc_want_o),
    .kind_o    (kind),
    .sent_o    (sent),
    .gives_up_o(gives_up),
    .tx_last_i (tx_last),
    .follows_i (follows),
    .gnt_mbp0_i(gnt_mbp0_i),
    .idle_o    (idle),
    .recv_o    (recv),
    .tx_o      (tx),
    .dump_o    (dump_o),
    .dumping_o (dumping_o),
    .dumped_o  (dumped),
    .put_o     (put),
    .putrx_o   (putrx),
    .idx_o     (ridx)
  );

  always_comb begin
    code_d = code_q;
    port_d = port_q;
    vc_d   = vc_q;
    e_d    = e_q;
    tag_d  = tag_q;
    if (idle) begin
      e_d = rdt_pkg::ErrNone;
      if (note) begin
        code_d = note_code;
        port_d = note_port;
        vc_d   = note_vc;
        tag_d  = note_tag;
      end
    end
    if (recv) begin
      e_d = e_now;
      if (ridx == 4'd0) begin
        port_d = src_port;
        vc_d   = src_vc;
        code_d = src_err;
      end
      if (shot_end) begin
        if (is_slot)      e_d    = (vacant_i && fits) ? rdt_pkg::ErrNone : rdt_pkg::ErrBadShot;
        else if (refused) code_d = rdt_pkg::ErrBadShot;
      end else if (last && !bad_head) begin
        code_d = e_now;
      end
    end
    if (putrx) begin
      if (ridx == 4'd0) code_d = err8;
      if (clash_i || (ridx == 4'd0 && (alien || is_mc != was_mc))) e_d = rdt_pkg::ErrBadShot;
      if (last && !bad_head) code_d = e_d;
    end
  end

  rdt_local_tx #(.DataW(DataW)) u_tx (
    .kind_i (kind),
    .idx_i  (ridx),
    .code_i (code_q),
    .port_i (port_q),
    .vc_i   (vc_q),
    .tag_i  (tag_q),
    .h0_i   (h0_q),
    .h1_i   (h1_q),
    .h2_i   (h2_q),
    .addr_i (addr),
    .value_i(value),
    .xy_i   (xy),
    .shot_i (shot_flit),
    .last_o (tx_last),
    .x_o    (tx_x)
  );

  assign loc_x_o = tx_x & {(rdt_pkg::CodeW + DataW){tx}};

  rdt_regs u_regs (
    .clk_i          (clk_i), .rst_ni(rst_ni),
    .we_i           (reg_we),
    .addr_i         (addr),
    .wdata_i        (x_i[15:0]),
    .rdata_o        (value),
    .set_header_i   (recv && last && bad_head),
    .set_timeout_i  (late),
    .set_setup_i    ((recv && last && !bad_head && e_now != rdt_pkg::ErrNone) ||
                     (shot_end && refused) || (put_end && !put_good)),
    .set_ack_i      (stray_i),
    .set_table_i    (ev_table_i),
    .set_lost_i     (ev_lost_i || gives_up),
    .err_sent_i     (sent && !kind[1]),
    .shot_i         (shot),
    .halt_i         (halt_o),
    .shoot_o        (shoot),
    .end_o          (end_o),
    .on_late_o      (on_late),
    .slice_bad_o    (slice_bad),
    .slice_differs_i(slice_o_i != slice_i),
    .ev_body_i      (ev_body_i),
    .ev_frame_i     (ev_frame_i),
    .ev_over_i      (ev_over_i),
    .ev_cred_i      (ev_cred_i),
    .ev_owed_i      (ev_owed_i),
    .ev_sync_i      (lost_place),
    .ev_sunk_i      (ev_sunk_i),
    .up_i           (up_i),
    .guard_o        (guard),
    .sink_o         (sink_o),
    .drop_o         (drop_o),
    .xy_o           (xy),
    .rank_o         (rank_o),
    .xfer_o         (xfer_o),
    .dateline_o     (dateline_o),
    .link_o         (link_o),
    .mask_o         (mask_o),
    .ranks_o        (ranks_o),
    .tick_o         (tick_o),
    .tick_ent_o     (tick_ent_o),
    .tick_ack_o     (tick_ack_o),
    .slow_o         (slow_o),
    .err_o          (err_o)
  );

  // Written in Idle or Recv before they are used, so without reset.
  always_ff @(posedge clk_i) begin
    code_q <= code_d;
    port_q <= port_d;
    vc_q   <= vc_d;
    e_q    <= e_d;
    tag_q  <= tag_d;
    if (recv && ridx == 4'd0) h0_q <= x_i[16:0];
    // An entry of the ack table is looked at for one cycle.
    if (ent_look_o && found)         h1_q <= ent_h1_i;
    else if (recv && ridx == 4'd1) h1_q <= x_i[16:0];
    if (ent_look_o && found)         h2_q <= {ent_h2_i, {(17 - EntH2){1'b0}}};
    else if (recv && ridx == 4'd2) h2_q <= x_i[16:0];
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_local.svh"
`endif
endmodule
