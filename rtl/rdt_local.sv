// SPDX-License-Identifier: MIT
// Crossbar output 10: takes SETUP and SHOT packets and packets with a bad header, and answers them
// with packets to the MBPs, and tells MBP 0 of what went wrong; dumps what the chip holds and puts it
// back. The registers themselves are in rdt_regs, what is to be told in rdt_notice, the state of a
// shoot-down in rdt_shot.
// Promises: one packet at a time; ready_o and x_gnt_o are low until its answer has been sent, or has
// waited for its MBP for SendWait clocks, or not at all if that took nothing the last time: nobody
// waits for an MBP that is gone. A dump waits, since MBP 0 is its only taker.
// Relies on: after gnt_i the packet comes from the next clock on without gaps, with sel_i
// one-hot; a packet with an error code has exactly three flits, and a SHOT packet; a SETUP has at
// least four.
module rdt_local (
  input  logic        clk_i,
  input  logic        rst_ni,
  // pins
  input  logic        shoot_i,
  input  logic        slice_o_i,
  input  logic        slice_i,
  output logic        err_o,
  // crossbar column 10
  input  logic [19:0] x_i,
  input  logic        gnt_i,
  input  logic [9:0]  sel_i,
  output logic        x_gnt_o,
  output logic        ready_o,
  output logic        only8_o,
  input  logic        gnt8_i,       // output 8 was granted
  // input units
  input  logic [39:0] rd_err_i,
  input  logic [19:0] rd_vc_i,
  input  logic [9:0]  to_pend_i,
  input  logic [19:0] to_vc_i,
  output logic [9:0]  to_ack_o,
  output logic        tick_o,
  output logic        tick_ent_o,
  // output units and links
  output logic        slow_o,
  output logic        sink_o,
  // rdt_ack
  output logic        tick_ack_o,
  input  logic        stray_i,
  input  logic [3:0]  stray_port_i,
  input  logic [2:0]  stray_tag_i,
  input  logic        ev_table_i,
  output logic        ent_look_o,
  output logic [2:0]  ent_tag_o,
  input  logic        ent_used_i,
  input  logic [16:0] ent_h1_i,
  input  logic [10:0] ent_h2_i,
  output logic        ent_put_o,
  output logic [16:0] ent_h1_o,
  output logic [10:0] ent_h2_o,
  // rdt_inject, and the credits of the MBPs
  input  logic [1:0]  m_credit_i,
  input  logic [1:0]  loc_gnt_i,
  output logic [1:0]  loc_want_o,
  output logic [19:0] loc_x_o,
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
  output logic        halt_o,
  output logic        raw_o,
  output logic        keep_o,
  output logic        give_o,
  output logic        dump_o,
  output logic        dumping_o,
  output logic [29:0] look_o,
  input  logic [20:0] ctx_i,
  output logic        put_we_o,
  output logic        put_set_o,
  output logic [3:0]  put_addr_o,
  output logic [17:0] put_d_o,
  output logic [19:0] put_ctx_o,
  input  logic        clash_i,
  input  logic        vacant_i,     // the slot named is empty, and nobody holds a credit for it
  // configuration
  output logic [2:0]  rank_o,
  output logic [3:0]  xfer_o,
  output logic [7:0]  dateline_o,
  output logic [7:0]  link_o,
  output logic [7:0]  mask_o,
  output logic [3:0]  ranks_o
);
  localparam logic [2:0] StIdle  = 3'd0;
  localparam logic [2:0] StRecv  = 3'd1;
  localparam logic [2:0] StSend  = 3'd2;
  localparam logic [2:0] StTx    = 3'd3;
  localparam logic [2:0] StDump  = 3'd4;
  localparam logic [2:0] StPut   = 3'd5;
  localparam logic [2:0] StPutRx = 3'd6;

  localparam logic [1:0] KindErr    = 2'd0;
  localparam logic [1:0] KindNotice = 2'd1;
  localparam logic [1:0] KindAnswer = 2'd2;
  localparam logic [1:0] KindShot   = 2'd3;

  logic [2:0]  st_d, st_q;
  logic [3:0]  ridx_d, ridx_q;
  logic [1:0]  kind_d, kind_q;
  logic [3:0]  code_d, code_q;
  logic [3:0]  port_d, port_q;
  logic [1:0]  vc_d, vc_q;
  logic [16:0] h0_q, h1_q, h2_q;
  logic        cmd_d, cmd_q;    // a write waits for its data; in Dump: the pass has been granted
  logic [4:0]  addr_d, addr_q;  // a command is kept only if the bits above are 0
  logic [3:0]  e_d, e_q;
  logic [2:0]  tag_d, tag_q;
  logic [9:0]  wait_d, wait_q;  // clocks in Send
  logic [1:0]  deaf_d, deaf_q;  // the MBP did not take the last packet that was for it

  logic idle, recv, tx, put, putrx;
  assign idle  = (st_q == StIdle);
  assign recv  = (st_q == StRecv);
  assign tx    = (st_q == StTx);
  assign put   = (st_q == StPut);
  assign putrx = (st_q == StPutRx);

  // Notices go before packets. A credit that had been lost went with a packet, or with the place of
  // the link, so it is told alike.
  logic       note, late;
  logic [9:0] lost_place;
  logic [3:0] note_code, note_port;
  logic [1:0] note_vc;
  logic [2:0] note_tag;

  assign lost_place = ev_sync_i | ev_owed_i;

  assign ready_o = idle || put;
  assign only8_o = put;
  assign x_gnt_o = (idle && !note) || (put && ridx_q == 4'd1);

  rdt_notice u_notice (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
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

  // The body of a SETUP packet.
  logic       last, is_cmd, is_data, odd, reg_we;
  logic [3:0] len, flit_err, e_now;
  logic       guard, refused;  // only MBP 0 may write

  assign len     = h0_q[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo];
  assign last    = (x_i[19:18] == 2'd1) && (ridx_q != 4'd0);
  assign odd     = ^x_i[17:0];
  assign is_cmd  = ridx_q[0] && (ridx_q != 4'd1);
  assign is_data = !ridx_q[0] && (ridx_q[3:2] != 2'd0) && cmd_q;
  assign refused = guard && (port_q != rdt_pkg::PortM0);
  assign reg_we  = recv && is_data && odd && !refused;

  always_comb begin
    if (!is_cmd && !is_data) flit_err = rdt_pkg::ErrNone;
    else if (!odd)           flit_err = rdt_pkg::ErrBodyParity;
    else if (is_data)        flit_err = refused ? rdt_pkg::ErrRefused : rdt_pkg::ErrNone;
    else if (x_i[15] ? last : len != 4'd3)
      flit_err = rdt_pkg::ErrBadLength;
    else if (x_i[14:0] > rdt_pkg::RegSunkCnt ||
             (x_i[15] && (x_i[14:0] == rdt_pkg::RegId || x_i[14:0] == rdt_pkg::RegShot ||
                          x_i[14:0] == rdt_pkg::RegDown)))
      flit_err = rdt_pkg::ErrUnknownReg;
    else                     flit_err = rdt_pkg::ErrNone;
  end

  assign e_now = (e_q == rdt_pkg::ErrNone) ? flit_err : e_q;

  // Sending, and giving up.
  logic [1:0] to_mbp;  // one-hot
  logic       send, sent, gives_up, tx_last;

  assign send       = (st_q == StSend);
  assign to_mbp     = (kind_q == KindAnswer && h0_q[rdt_pkg::H0MbpLo]) ? 2'b10 : 2'b01;
  assign sent       = send && (|(loc_gnt_i & to_mbp));
  assign loc_want_o = m_credit_i & to_mbp & {2{send}};
  assign gives_up   = send && !sent && (kind_q != KindShot) &&
                      (wait_q == 10'(rdt_pkg::SendWait - 1) || (|(deaf_q & ~m_credit_i & to_mbp)));
  assign wait_d     = (wait_q + 10'd1) & {10{send}};
  assign deaf_d     = (deaf_q | (to_mbp & {2{gives_up}})) & ~m_credit_i;

  // Shoot-down.
  logic        shot_end;                  // the last flit of a SHOT packet
  logic        is_slot, is_entry, fits, found, follows, dumped, shoot, on_late;
  logic        shot_halt, slice_bad;
  logic [1:0]  shot;
  logic [16:0] shot_flit;
  logic        put_end, put_good, at8, is_mc, alien;
  logic [3:0]  err8;
  logic [15:0] xy;

  assign shot_end = recv && last && (code_q == rdt_pkg::ErrNone) &&
                    (h0_q[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] == rdt_pkg::TypeShot);
  assign dumped   = (st_q == StDump) && cmd_q && (ridx_q == 4'd15);

  // A packet on its way back into its buffer. An error in it is told at its end. One that goes back
  // into port 8's own buffer stands in it already; its last flits may still be coming in.
  assign err8       = rd_err_i[4*rdt_pkg::PortM0 +: 4];
  assign put_we_o   = putrx && (e_q == rdt_pkg::ErrNone) && !at8 &&
                      ((ridx_q == 4'd0 ? err8 : code_q) == rdt_pkg::ErrNone);
  assign put_end    = putrx && last;
  assign put_good   = (e_q == rdt_pkg::ErrNone) && !clash_i && (code_q == rdt_pkg::ErrNone);
  assign put_set_o  = put_end && put_good;
  assign put_addr_o = ridx_q;
  assign put_d_o    = x_i[17:0];
  assign put_ctx_o  = {h1_q[rdt_pkg::H1SlotpendHi:rdt_pkg::H1SlotpendLo],
                       h2_q[rdt_pkg::H2SlotmcHi:rdt_pkg::H2SlotplanLo],
                       h0_q[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo], h2_q[rdt_pkg::H2SlotentLo]};

  assign at8       = (h1_q[rdt_pkg::H1SlotportHi:rdt_pkg::H1SlotportLo] == rdt_pkg::PortM0);
  assign is_mc     = !x_i[rdt_pkg::H0TypeHi] && (x_i[rdt_pkg::H0TypeLo +: 2] != 2'd0);
  // Ack, Shot and Err are never in a buffer: a context has come without its packet.
  assign alien     = x_i[rdt_pkg::H0TypeHi] && (x_i[rdt_pkg::H0TypeLo +: 2] != rdt_pkg::TypeSetup[1:0]);
  assign raw_o     = put;
  assign keep_o    = put && at8 && (e_q == rdt_pkg::ErrNone);
  assign give_o    = put_end && !put_good && at8;
  assign dumping_o = (st_q == StDump);
  assign dump_o    = dumping_o && !cmd_q;
  assign ent_h1_o  = h1_q;
  assign ent_h2_o  = x_i[16:rdt_pkg::H2EntgenLo];
  assign halt_o    = shot_halt || slice_bad;

  rdt_shot u_shot (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .trigger_i (shoot_i || shoot || (on_late && late)),
    .shot_o    (shot),
    .halt_o    (shot_halt),
    .recv_i    (recv && ridx_q[3:1] != 3'd0),
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
    .sent_i    (tx && tx_last && kind_q == KindShot),
    .dumped_i  (dumped),
    .follows_o (follows),
    .flit_i    (ridx_q[1:0]),
    .flit_o    (shot_flit),
    .xy_i      (xy),
    .look_o    (look_o),
    .ctx_i     (ctx_i),
    .ent_look_o(ent_look_o),
    .ent_tag_o (ent_tag_o),
    .ent_put_o (ent_put_o),
    .ent_used_i(ent_used_i)
  );

  always_comb begin
    st_d   = st_q;
    ridx_d = ridx_q;
    kind_d = kind_q;
    code_d = code_q;
    port_d = port_q;
    vc_d   = vc_q;
    cmd_d  = cmd_q;
    addr_d = addr_q;
    e_d    = e_q;
    tag_d  = tag_q;
    case (st_q)
      StIdle: begin
        ridx_d = 4'd0;
        cmd_d  = 1'b0;
        e_d    = rdt_pkg::ErrNone;
        if (note) begin
          st_d   = StSend;
          kind_d = KindNotice;
          code_d = note_code;
          port_d = note_port;
          vc_d   = note_vc;
          tag_d  = note_tag;
        end else if (gnt_i) begin
          st_d = StRecv;
        end else if (found) begin
          st_d   = StSend;
          kind_d = KindShot;
        end
      end
      StRecv: begin
        ridx_d = ridx_q + 4'd1;
        e_d    = e_now;
        if (ridx_q == 4'd0) begin
          port_d = src_port;
          vc_d   = src_vc;
          code_d = src_err;
        end
        if (is_cmd) begin
          cmd_d = x_i[15] && (flit_err == rdt_pkg::ErrNone);
          if (flit_err == rdt_pkg::ErrNone) addr_d = x_i[4:0];
        end else if (is_data) begin
          cmd_d = 1'b0;
        end
        if (shot_end) begin
          ridx_d = 4'd0;
          kind_d = KindErr;
          st_d   = StIdle;
          if (is_slot) begin
            st_d = StPut;
            e_d  = (vacant_i && fits) ? rdt_pkg::ErrNone : rdt_pkg::ErrBadShot;
          end else if (is_entry && !ent_put_o) begin
            st_d   = StSend;
            code_d = rdt_pkg::ErrBadShot;
          end
        end else if (last) begin
          st_d   = StSend;
          kind_d = KindErr;
          if (code_q == rdt_pkg::ErrNone) begin
            code_d = e_now;
            if (e_now == rdt_pkg::ErrNone) begin
              kind_d = KindAnswer;
              if (len != 4'd3) st_d = StIdle;
            end
          end
        end
      end
      StSend: begin
        ridx_d = 4'd0;
        if (sent)          st_d = StTx;
        else if (gives_up) st_d = StIdle;
      end
      StTx: begin
        ridx_d = ridx_q + 4'd1;
        if (tx_last) begin
          ridx_d = 4'd0;
          st_d   = (kind_q == KindShot && follows) ? StDump : StIdle;
        end
      end
      StDump: begin
        if (cmd_q) ridx_d = ridx_q + 4'd1;
        cmd_d = cmd_q || gnt8_i;
        if (dumped) st_d = StIdle;
      end
      StPut: begin
        ridx_d = 4'd1;
        if (gnt_i) begin
          st_d   = StPutRx;
          ridx_d = 4'd0;
        end
      end
      default: begin
        ridx_d = ridx_q + 4'd1;
        if (ridx_q == 4'd0) code_d = err8;
        if (clash_i || (ridx_q == 4'd0 && (alien || is_mc != h2_q[rdt_pkg::H2SlotmcLo])))
          e_d = rdt_pkg::ErrBadShot;
        if (last) begin
          st_d = put_good ? StIdle : StSend;
          if (code_q == rdt_pkg::ErrNone) code_d = e_d;
        end
      end
    endcase
  end

  logic [15:0] value;
  logic [19:0] tx_x;

  rdt_local_tx u_tx (
    .kind_i (kind_q),
    .idx_i  (ridx_q),
    .code_i (code_q),
    .port_i (port_q),
    .vc_i   (vc_q),
    .tag_i  (tag_q),
    .h0_i   (h0_q),
    .h1_i   (h1_q),
    .h2_i   (h2_q),
    .addr_i (addr_q),
    .value_i(value),
    .xy_i   (xy),
    .shot_i (shot_flit),
    .last_o (tx_last),
    .x_o    (tx_x)
  );

  assign loc_x_o = tx_x & {20{tx}};

  rdt_regs u_regs (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .we_i           (reg_we),
    .addr_i         (addr_q),
    .wdata_i        (x_i[15:0]),
    .rdata_o        (value),
    .set_header_i   (recv && last && code_q != rdt_pkg::ErrNone),
    .set_timeout_i  (late),
    .set_setup_i    ((recv && last && code_q == rdt_pkg::ErrNone && e_now != rdt_pkg::ErrNone) ||
                     (shot_end && is_entry && !ent_put_o) || (put_end && !put_good)),
    .set_ack_i      (stray_i),
    .set_table_i    (ev_table_i),
    .set_lost_i     (ev_lost_i || gives_up),
    .err_sent_i     (sent && !kind_q[1]),
    .shot_i         (shot),
    .halt_i         (halt_o),
    .shoot_o        (shoot),
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

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      st_q   <= StIdle;
      deaf_q <= 2'd0;
    end else begin
      st_q   <= st_d;
      deaf_q <= deaf_d;
    end
  end

  // Written in Idle or Recv before they are used, so without reset.
  always_ff @(posedge clk_i) begin
    ridx_q <= ridx_d;
    kind_q <= kind_d;
    code_q <= code_d;
    port_q <= port_d;
    vc_q   <= vc_d;
    cmd_q  <= cmd_d;
    addr_q <= addr_d;
    e_q    <= e_d;
    tag_q  <= tag_d;
    wait_q <= wait_d;
    if (recv && ridx_q == 4'd0) h0_q <= x_i[16:0];
    // An entry of the ack table is looked at for one clock.
    if (ent_look_o && found)         h1_q <= ent_h1_i;
    else if (recv && ridx_q == 4'd1) h1_q <= x_i[16:0];
    if (ent_look_o && found)         h2_q <= {ent_h2_i, 6'd0};
    else if (recv && ridx_q == 4'd2) h2_q <= x_i[16:0];
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_local.svh"
`endif
endmodule
