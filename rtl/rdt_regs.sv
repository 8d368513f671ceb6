// SPDX-License-Identifier: MIT
// The registers that SETUP packets read and write, the counters of errors and the ticks.
// Promises: setting a Status or LinkErr bit wins over clearing it, a write to a counter wins
// over counting; rdata_o shows addr_i's register in the same cycle.
// Relies on: addr_i names a register, and not Id, Shot or Down in a write.
module rdt_regs (
  // Clock and reset.
  input  logic        clk_i,
  input  logic        rst_ni,
  // register access
  input  logic        we_i,
  input  logic [4:0]  addr_i,
  input  logic [15:0] wdata_i,
  output logic [15:0] rdata_o,
  // events
  input  logic        set_header_i,
  input  logic        set_timeout_i,
  input  logic        set_setup_i,
  input  logic        set_ack_i,
  input  logic        set_table_i,
  input  logic        set_lost_i,
  input  logic        err_sent_i,
  input  logic        slice_differs_i,
  input  logic [9:0]  ev_body_i,
  input  logic [9:0]  ev_frame_i,
  input  logic [9:0]  ev_over_i,
  input  logic [9:0]  ev_cred_i,
  input  logic [9:0]  ev_owed_i,
  input  logic [9:0]  ev_sync_i,
  input  logic [9:0]  ev_sunk_i,
  input  logic [9:0]  up_i,
  // shoot-down
  input  logic [1:0]  shot_i,
  input  logic        halt_i,
  output logic        shoot_o,      // by a write to Ctrl
  output logic        end_o,        // ends the wait of the lane, by a write to Ctrl
  output logic        on_late_o,    // when a buffer times out
  output logic        slice_bad_o,  // the slices are compared and have differed
  // configuration
  output logic        guard_o,      // only MBP 0 may write
  output logic        sink_o,
  output logic        drop_o,       // a packet that timed out is consumed
  output logic [15:0] xy_o,
  output logic [4:0]  rank_o,       // bit r: the node is on rank r
  output logic [3:0]  xfer_o,
  output logic [7:0]  dateline_o,
  output logic [7:0]  link_o,
  output logic [7:0]  mask_o,
  output logic [3:0]  ranks_o,
  output logic        tick_o,
  output logic        tick_ent_o,
  output logic        tick_ack_o,
  output logic        slow_o,
  output logic        err_o
);
  logic [7:0]  x_d, x_q;
  logic [7:0]  y_d, y_q;
  logic [2:0]  rank_d, rank_q;
  logic [4:0]  rank_oh_q;  // rank_q as the other blocks use it
  logic [3:0]  xfer_d, xfer_q;
  logic [7:0]  dateline_d, dateline_q;
  logic [7:0]  link_d, link_q;
  logic [15:0] timeout_d, timeout_q;
  logic [4:0]  ctrl_d, ctrl_q;  // bits 6, 4, 3, 1, 0
  logic [12:0] status_d, status_q;
  logic [9:0]  linkerr_d, linkerr_q;
  logic [7:0]  mask_d, mask_q;
  logic [15:0] tent_d, tent_q;
  logic [15:0] tack_d, tack_q;
  logic [3:0]  ranks_d, ranks_q;

  logic [12:0] stat_set, stat_keep;
  logic [9:0]  link_keep;

  assign stat_set[rdt_pkg::StatusHeader]  = set_header_i;
  assign stat_set[rdt_pkg::StatusBody]    = |ev_body_i;
  assign stat_set[rdt_pkg::StatusFrame]   = |ev_frame_i;
  assign stat_set[rdt_pkg::StatusOverrun] = |ev_over_i;
  assign stat_set[rdt_pkg::StatusCredit]  = (|ev_cred_i) || (|ev_owed_i);
  assign stat_set[rdt_pkg::StatusTimeout] = set_timeout_i;
  assign stat_set[rdt_pkg::StatusSlice]   = ctrl_q[0] && slice_differs_i;
  assign stat_set[rdt_pkg::StatusSetup]   = set_setup_i;
  assign stat_set[rdt_pkg::StatusAck]     = set_ack_i;
  assign stat_set[rdt_pkg::StatusTable]   = set_table_i;
  assign stat_set[rdt_pkg::StatusSync]    = |ev_sync_i;
  assign stat_set[rdt_pkg::StatusLost]    = set_lost_i;
  assign stat_set[rdt_pkg::StatusSunk]    = |ev_sunk_i;

  // Fields of the written word, and registers that are read together.
  logic [7:0]  w8;
  logic [3:0]  w4;
  logic [4:0]  new_ctrl;
  logic [2:0]  w3;
  logic [12:0] w13;
  logic [9:0]  w10;
  assign w13      = wdata_i[12:0];
  assign w10      = wdata_i[9:0];
  assign w8       = wdata_i[7:0];
  assign w4       = wdata_i[3:0];
  assign w3       = wdata_i[2:0];
  assign new_ctrl = {wdata_i[6], wdata_i[4:3], wdata_i[1:0]};

  always_comb begin
    x_d        = x_q;
    y_d        = y_q;
    rank_d     = rank_q;
    xfer_d     = xfer_q;
    dateline_d = dateline_q;
    link_d     = link_q;
    timeout_d  = timeout_q;
    ctrl_d     = ctrl_q;
    stat_keep  = status_q;
    link_keep  = linkerr_q;
    mask_d     = mask_q;
    tent_d     = tent_q;
    tack_d     = tack_q;
    ranks_d    = ranks_q;

    if (we_i) begin
      case (addr_i)
        rdt_pkg::RegX[4:0]:        x_d        = w8;
        rdt_pkg::RegY[4:0]:        y_d        = w8;
        rdt_pkg::RegRank[4:0]:     rank_d     = w3;
        rdt_pkg::RegXfer[4:0]:     xfer_d     = w4;
        rdt_pkg::RegDateline[4:0]: dateline_d = w8;
        rdt_pkg::RegLink[4:0]:     link_d     = w8;
        rdt_pkg::RegTimeout[4:0]:  timeout_d  = wdata_i;
        rdt_pkg::RegCtrl[4:0]:     ctrl_d     = new_ctrl;
        rdt_pkg::RegStatus[4:0]:   stat_keep  = status_q & ~w13;
        rdt_pkg::RegLinkErr[4:0]:  link_keep  = linkerr_q & ~w10;
        rdt_pkg::RegMask[4:0]:     mask_d     = w8;
        rdt_pkg::RegTEnt[4:0]:     tent_d     = wdata_i;
        rdt_pkg::RegTAck[4:0]:     tack_d     = wdata_i;
        rdt_pkg::RegRanks[4:0]:    ranks_d    = w4;
        default: ;
      endcase
    end
  end

  assign status_d  = stat_keep | stat_set;
  assign linkerr_d = link_keep | ev_body_i | ev_frame_i | ev_over_i | ev_cred_i | ev_owed_i |
                     ev_sync_i | ev_sunk_i;

  // Counters of cycles in which something happens; they stop at 255.
  localparam int NumCnt = 6;
  logic [8*NumCnt-1:0] cnt_d, cnt_q;
  logic [NumCnt-1:0]   cnt_up, cnt_we;

  assign cnt_up = {|ev_sunk_i, set_ack_i, set_lost_i, |ev_sync_i, |ev_body_i, err_sent_i};
  assign cnt_we = {addr_i == rdt_pkg::RegSunkCnt[4:0], addr_i == rdt_pkg::RegStrayCnt[4:0],
                   addr_i == rdt_pkg::RegLostCnt[4:0], addr_i == rdt_pkg::RegSyncCnt[4:0],
                   addr_i == rdt_pkg::RegBodyCnt[4:0], addr_i == rdt_pkg::RegErrCnt[4:0]};

  for (genvar k = 0; k < NumCnt; k++) begin : gen_cnt
    logic [7:0] cnt;
    assign cnt = cnt_q[8*k +: 8];
    assign cnt_d[8*k +: 8] = (we_i && cnt_we[k]) ? wdata_i[7:0]
                                                 : cnt + {7'd0, cnt_up[k] && !(&cnt)};
  end

  logic [15:0] ctrl;
  logic [7:0]  err_cnt, body_cnt, sync_cnt, lost_cnt, stray_cnt, sunk_cnt;
  assign ctrl = {9'd0, ctrl_q[4], 1'b0, ctrl_q[3:2], 1'b0, ctrl_q[1:0]};
  assign {sunk_cnt, stray_cnt, lost_cnt, sync_cnt, body_cnt, err_cnt} = cnt_q;

  always_comb begin
    case (addr_i)
      rdt_pkg::RegId[4:0]:       rdata_o = 16'(rdt_pkg::IdValue);
      rdt_pkg::RegX[4:0]:        rdata_o = {8'd0, x_q};
      rdt_pkg::RegY[4:0]:        rdata_o = {8'd0, y_q};
      rdt_pkg::RegRank[4:0]:     rdata_o = {13'd0, rank_q};
      rdt_pkg::RegXfer[4:0]:     rdata_o = {12'd0, xfer_q};
      rdt_pkg::RegDateline[4:0]: rdata_o = {8'd0, dateline_q};
      rdt_pkg::RegLink[4:0]:     rdata_o = {8'd0, link_q};
      rdt_pkg::RegTimeout[4:0]:  rdata_o = timeout_q;
      rdt_pkg::RegCtrl[4:0]:     rdata_o = ctrl;
      rdt_pkg::RegStatus[4:0]:   rdata_o = {3'd0, status_q};
      rdt_pkg::RegLinkErr[4:0]:  rdata_o = {6'd0, linkerr_q};
      rdt_pkg::RegErrCnt[4:0]:   rdata_o = {8'd0, err_cnt};
      rdt_pkg::RegBodyCnt[4:0]:  rdata_o = {8'd0, body_cnt};
      rdt_pkg::RegMask[4:0]:     rdata_o = {8'd0, mask_q};
      rdt_pkg::RegTEnt[4:0]:     rdata_o = tent_q;
      rdt_pkg::RegTAck[4:0]:     rdata_o = tack_q;
      rdt_pkg::RegShot[4:0]:     rdata_o = {14'd0, shot_i};
      rdt_pkg::RegRanks[4:0]:    rdata_o = {12'd0, ranks_q};
      rdt_pkg::RegSyncCnt[4:0]:  rdata_o = {8'd0, sync_cnt};
      rdt_pkg::RegDown[4:0]:     rdata_o = {6'd0, ~up_i};
      rdt_pkg::RegLostCnt[4:0]:  rdata_o = {8'd0, lost_cnt};
      rdt_pkg::RegStrayCnt[4:0]: rdata_o = {8'd0, stray_cnt};
      default:                   rdata_o = {8'd0, sunk_cnt};
    endcase
  end

  assign xy_o       = {x_q, y_q};
  assign rank_o     = rank_oh_q;
  assign xfer_o     = xfer_q;
  assign dateline_o = dateline_q;
  assign link_o     = link_q;
  assign mask_o     = mask_q;
  assign ranks_o    = ranks_q;
  assign guard_o    = ctrl_q[2];
  assign sink_o     = ctrl_q[3] && !halt_i;
  assign drop_o     = ctrl_q[4] && !halt_i;
  assign err_o      = |status_q;

  assign shoot_o     = we_i && (addr_i == rdt_pkg::RegCtrl[4:0]) && wdata_i[2];
  assign end_o       = we_i && (addr_i == rdt_pkg::RegCtrl[4:0]) && wdata_i[5];
  assign on_late_o   = ctrl_q[1];
  assign slice_bad_o = ctrl_q[0] && status_q[rdt_pkg::StatusSlice];

  rdt_tick u_tick (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .halt_i  (halt_i),
    .load_i  (we_i && addr_i == rdt_pkg::RegTimeout[4:0]),
    .period_i(timeout_q),
    .next_i  (wdata_i),
    .tick_o  (tick_o)
  );

  rdt_tick u_tick_ent (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .halt_i  (halt_i),
    .load_i  (we_i && addr_i == rdt_pkg::RegTEnt[4:0]),
    .period_i(tent_q),
    .next_i  (wdata_i),
    .tick_o  (tick_ent_o)
  );

  rdt_tick u_tick_ack (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .halt_i  (halt_i),
    .load_i  (we_i && addr_i == rdt_pkg::RegTAck[4:0]),
    .period_i(tack_q),
    .next_i  (wdata_i),
    .tick_o  (tick_ack_o)
  );

  rdt_tick #(
    .Width(10)
  ) u_slow (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .halt_i  (halt_i),
    .load_i  (1'b0),
    .period_i(10'(rdt_pkg::SlowTick - 1)),
    .next_i  (10'(rdt_pkg::SlowTick - 1)),
    .tick_o  (slow_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x_q        <= 8'd0;
      y_q        <= 8'd0;
      rank_q     <= 3'd0;
      rank_oh_q  <= 5'd1;
      xfer_q     <= 4'd0;
      dateline_q <= 8'd0;
      link_q     <= 8'd0;
      timeout_q  <= 16'd0;
      ctrl_q     <= 5'd0;
      status_q   <= 13'd0;
      linkerr_q  <= 10'd0;
      mask_q     <= 8'd0;
      tent_q     <= 16'd0;
      tack_q     <= 16'd0;
      ranks_q    <= 4'b0000;
      cnt_q      <= '0;
    end else begin
      x_q        <= x_d;
      y_q        <= y_d;
      rank_q     <= rank_d;
      rank_oh_q  <= 5'd1 << rank_d;
      xfer_q     <= xfer_d;
      dateline_q <= dateline_d;
      link_q     <= link_d;
      timeout_q  <= timeout_d;
      ctrl_q     <= ctrl_d;
      status_q   <= status_d;
      linkerr_q  <= linkerr_d;
      mask_q     <= mask_d;
      tent_q     <= tent_d;
      tack_q     <= tack_d;
      ranks_q    <= ranks_d;
      cnt_q      <= cnt_d;
    end
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_regs.svh"
`endif
endmodule
