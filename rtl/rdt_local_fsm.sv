// SPDX-License-Identifier: MIT
// What LOCAL does when: takes a packet, sends one, has one dumped or put back. Counts the flits,
// and drops the packet for an MBP that accepts nothing. Promises: one thing at a time. A packet to
// be sent waits for its MBP for SendWait cycles, or not at all if that took nothing the last time;
// but a SHOT packet waits. No other state lasts longer than a packet, but for those that wait for
// MBP 0 to dump or to put back. Relies on: a packet comes from the cycle after gnt_i on without
// gaps; loc_gnt_i is a part of loc_want_o.
module rdt_local_fsm (
  // Clock and reset.
  input  logic       clk_i,
  input  logic       rst_ni,
  // pending work, in this order
  input  logic       note_i,      // a report is pending
  input  logic       gnt_i,       // a packet comes
  input  logic       found_i,     // something is to be dumped
  // the packet that comes
  input  logic       last_i,      // its last flit
  input  logic       shot_end_i,  // that of a SHOT packet
  input  logic       slot_i,      // which a packet follows that goes back into its buffer
  input  logic       refused_i,   // whose entry is not put back
  input  logic       err_i,       // it is to be reported
  input  logic       read_i,      // it is to be answered
  input  logic       good_i,      // it is back in its buffer
  // the packet to be sent
  input  logic       mbp_i,       // an answer is for MBP 1
  input  logic [1:0] m_credit_i,
  input  logic [1:0] loc_gnt_i,
  output logic [1:0] loc_want_o,
  output logic [1:0] kind_o,      // as in rdt_local_tx
  output logic       sent_o,
  output logic       gives_up_o,
  input  logic       tx_last_i,
  input  logic       follows_i,   // behind it the packet in the buffer is dumped
  input  logic       gnt_mbp0_i,  // which begins now
  // states
  output logic       idle_o,
  output logic       recv_o,
  output logic       tx_o,
  output logic       dump_o,      // waits for gnt_mbp0_i
  output logic       dumping_o,   // or is being dumped
  output logic       dumped_o,    // has been
  output logic       put_o,       // waits for the packet that is put back
  output logic       putrx_o,
  output logic [3:0] idx_o        // flit of the packet
);
  typedef enum logic [2:0] {
    StIdle   = 3'd0,
    StRecv   = 3'd1,
    StSend   = 3'd2,
    StTx     = 3'd3,
    StDump   = 3'd4,
    StPut    = 3'd5,
    StPutRx  = 3'd6,
    StDumpRd = 3'd7
  } state_e;

  typedef enum logic [1:0] {KindErr = 2'd0, KindNotice = 2'd1, KindAnswer = 2'd2, KindShot = 2'd3} kind_e;

  state_e     st_d, st_q;
  logic [3:0] ridx_d, ridx_q;
  kind_e      kind_d, kind_q;
  logic [9:0] wait_d, wait_q;  // cycles in Send
  logic [1:0] deaf_d, deaf_q;  // the MBP did not take the last packet that was for it

  assign idle_o    = (st_q == StIdle);
  assign recv_o    = (st_q == StRecv);
  assign tx_o      = (st_q == StTx);
  assign dump_o    = (st_q == StDump);
  assign dumping_o = dump_o || (st_q == StDumpRd);
  assign dumped_o  = (st_q == StDumpRd) && (ridx_q == 4'd15);
  assign put_o     = (st_q == StPut);
  assign putrx_o   = (st_q == StPutRx);
  assign idx_o     = ridx_q;
  assign kind_o    = kind_q;

  // Sending, and dropping.
  logic [1:0] to_mbp;  // one-hot
  logic       send;

  assign send       = (st_q == StSend);
  assign to_mbp     = (kind_q == KindAnswer && mbp_i) ? 2'b10 : 2'b01;
  assign sent_o     = send && (|(loc_gnt_i & to_mbp));
  assign loc_want_o = m_credit_i & to_mbp & {2{send}};
  assign gives_up_o = send && !sent_o && (kind_q != KindShot) &&
                      (wait_q == 10'(rdt_pkg::SendWait - 1) || (|(deaf_q & ~m_credit_i & to_mbp)));
  assign wait_d     = (wait_q + 10'd1) & {10{send}};
  assign deaf_d     = (deaf_q | (to_mbp & {2{gives_up_o}})) & ~m_credit_i;

  always_comb begin
    st_d   = st_q;
    ridx_d = ridx_q;
    kind_d = kind_q;
    case (st_q)
      StIdle: begin
        ridx_d = 4'd0;
        if (note_i) begin
          st_d   = StSend;
          kind_d = KindNotice;
        end else if (gnt_i) begin
          st_d = StRecv;
        end else if (found_i) begin
          st_d   = StSend;
          kind_d = KindShot;
        end
      end
      StRecv: begin
        ridx_d = ridx_q + 4'd1;
        if (shot_end_i) begin
          ridx_d = 4'd0;
          kind_d = KindErr;
          st_d   = StIdle;
          if (slot_i)         st_d = StPut;
          else if (refused_i) st_d = StSend;
        end else if (last_i) begin
          kind_d = KindAnswer;
          st_d   = StIdle;
          if (err_i)           kind_d = KindErr;
          if (err_i || read_i) st_d   = StSend;
        end
      end
      StSend: begin
        ridx_d = 4'd0;
        if (sent_o)          st_d = StTx;
        else if (gives_up_o) st_d = StIdle;
      end
      StTx: begin
        ridx_d = ridx_q + 4'd1;
        if (tx_last_i) begin
          ridx_d = 4'd0;
          st_d   = StIdle;
          if (kind_q == KindShot && follows_i) st_d = StDump;
        end
      end
      StDump: if (gnt_mbp0_i) st_d = StDumpRd;
      StPut: begin
        ridx_d = 4'd1;
        if (gnt_i) begin
          st_d   = StPutRx;
          ridx_d = 4'd0;
        end
      end
      StPutRx: begin
        ridx_d = ridx_q + 4'd1;
        if (last_i && good_i) st_d = StIdle;
        else if (last_i)      st_d = StSend;
      end
      default: begin
        ridx_d = ridx_q + 4'd1;
        if (dumped_o) st_d = StIdle;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      st_q   <= StIdle;
      deaf_q <= 2'd0;
    end else begin
      st_q   <= st_d;
      deaf_q <= deaf_d;
    end
  end

  // Written before they are used, so without reset.
  always_ff @(posedge clk_i) begin
    ridx_q <= ridx_d;
    kind_q <= kind_d;
    wait_q <= wait_d;
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_local_fsm.svh"
`endif
endmodule
