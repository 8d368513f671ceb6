// SPDX-License-Identifier: MIT
// One entry of the ack table: a multicast whose copies have not all been answered.
// Promises: full_o until the ack to the parent is sent; after a time-out the entry stays taken, in
// quarantine, until the acks still missing have come or six ticks have passed since no copy
// with its tag is held in the chip any more. The lane waits until its acks have come or end_i. new_i
// wins over all else. gen_o changes only when the entry is taken.
// Relies on: new_i of an allocation only while free_o, sent_i only while full_o; neither land_i nor
// sent_i together with put_i.
module rdt_ack_entry #(
  // 1: the entry of barriers, which has no time-out.
  parameter bit Lane = 1'b0,
  // Bits of a tag.
  parameter int TagW = rdt_pkg::TagW
) (
  // Clock and reset; tick of the time-out.
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       tick_i,
  input  logic       end_i,     // ends the wait of the reserved entry
  // allocation, or an entry put back
  input  logic       new_i,
  input  logic       put_i,     // it is put back, with the status st_i and the generation gen_i
  input  logic       quar_i,    // into quarantine
  input  logic [3:0] port_i,
  input  logic [TagW-1:0] tag_i,
  input  logic [9:0] set_i,
  input  logic       empty_i,   // set_i is 0
  input  logic [3:0] gen_i,
  // an ack that the entry waits for
  input  logic       land_i,
  input  logic [9:0] ack_oh_i,  // its port
  input  logic [5:0] st_i,
  input  logic       more_i,    // others are missing
  // the ack to the parent
  input  logic       sent_i,
  output logic       full_o,
  output logic [3:0] port_o,
  output logic [TagW-1:0] tag_o,
  output logic [5:0] status_o,
  // state
  input  logic       held_i,    // a copy with its tag waits in a buffer of this chip
  output logic       free_o,
  output logic       quar_o,
  output logic       late_o,    // time-out in this cycle
  output logic [9:0] pend_o,    // ports whose ack is missing, unless free
  output logic [3:0] gen_o
);
  // Free, Wait, Late, Quar by two bits that change for reasons of their own.
  logic       owes_d, owes_q;  // Wait or Late: the parent has no answer yet
  logic       late_d, late_q;  // Late or Quar: a port did not answer in time
  logic [3:0] port_q;
  logic [TagW-1:0] tag_q;
  logic [9:0] pend_d, pend_q;
  logic       done_d, done_q;  // pend_q is 0
  logic [5:0] status_d, status_q;
  logic [2:0] age_d, age_q;
  logic [3:0] gen_d, gen_q;

  logic waits, left;  // left: acks are missing after this cycle's landing
  assign waits = owes_q && !late_q;
  assign left  = land_i ? more_i : !done_q;

  assign free_o = !owes_q && !late_q;
  assign quar_o = !owes_q && late_q;
  assign full_o = owes_q && (late_q || done_q);
  // An entry that waits and has acks missing is never older than 1, unless it is the lane.
  assign late_o = (Lane ? end_i : tick_i && age_q[0]) && waits && left && !new_i;

  if (!Lane) begin : gen_no_lane
    logic unused_end;
    assign unused_end = end_i;
  end

  logic over;  // the sixth tick in quarantine
  assign over   = tick_i && !held_i && age_q[2] && age_q[0] && !owes_q;
  assign owes_d = new_i ? !quar_i : owes_q && !sent_i;
  assign late_d = new_i ? quar_i
                        : late_o || (late_q && ((owes_q && !sent_i) || (left && !over)));

  // Counts on where it is not looked at: in Late, and without acks missing.
  logic [2:0] older;
  assign older = {age_q[2] ^ (&age_q[1:0]), age_q[1] ^ age_q[0], !age_q[0]};
  assign age_d = (tick_i ? older : age_q) & {3{!new_i && !sent_i && !(tick_i && held_i && late_q)}};

  assign pend_d   = new_i ? set_i : pend_q & ~(ack_oh_i & {10{land_i}});
  assign done_d   = new_i ? empty_i : !left;
  assign status_d = (status_q & {6{!new_i}}) | (6'(late_o) << rdt_pkg::AckTimeout) |
                    (st_i & {6{put_i || (land_i && waits)}});
  assign gen_d    = put_i ? gen_i : gen_q + 4'd1;

  assign port_o   = port_q;
  assign tag_o    = tag_q;
  assign status_o = status_q;
  assign pend_o   = pend_q;
  assign gen_o    = gen_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owes_q <= 1'b0;
      late_q <= 1'b0;
      gen_q  <= 4'd0;
    end else begin
      owes_q <= owes_d;
      late_q <= late_d;
      if (new_i) gen_q <= gen_d;
    end
  end

  // Written when the entry is taken, so without reset.
  always_ff @(posedge clk_i) begin
    if (new_i) port_q <= port_i;
    if (new_i) tag_q  <= tag_i;
    pend_q   <= pend_d;
    done_q   <= done_d;
    status_q <= status_d;
    age_q    <= age_d;
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_ack_entry.svh"
`endif
endmodule
