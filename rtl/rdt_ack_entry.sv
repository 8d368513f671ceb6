// SPDX-License-Identifier: MIT
// One entry of the ack table: a multicast whose copies have not all been answered.
// Promises: full_o until the ack to the parent is sent; after a time-out the entry stays taken, in
// quarantine, until the acks still missing have come or two more ticks have passed. new_i wins over
// all else.
// Relies on: new_i of an allocation only while free_o, sent_i only while full_o and without new_i.
module rdt_ack_entry (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       tick_i,
  // allocation, or an entry put back
  input  logic       new_i,
  input  logic       quar_i,      // it begins in quarantine
  input  logic [3:0] port_i,
  input  logic [2:0] tag_i,
  input  logic [9:0] set_i,
  input  logic       empty_i,     // set_i is 0
  // an ack that names this entry, or the status of one put back
  input  logic       named_i,
  input  logic [9:0] ack_oh_i,    // its port
  input  logic [5:0] st_i,
  input  logic       st_put_i,
  input  logic       expected_i,  // this port's ack was still missing
  input  logic       more_i,      // and other ports' are
  // the ack to the parent
  input  logic       sent_i,
  output logic       full_o,
  output logic [3:0] port_o,
  output logic [2:0] tag_o,
  output logic [5:0] status_o,
  // state
  output logic       free_o,
  output logic       quar_o,
  output logic       late_o,      // gives up waiting in this clock
  output logic [9:0] pend_o       // ports whose ack is missing, unless free
);
  localparam logic [1:0] StFree = 2'd0;
  localparam logic [1:0] StWait = 2'd1;
  localparam logic [1:0] StLate = 2'd2;
  localparam logic [1:0] StQuar = 2'd3;

  logic [1:0] st_d, st_q;
  logic [3:0] port_q;
  logic [2:0] tag_q;
  logic [9:0] pend_d, pend_q;
  logic       done_d, done_q;  // pend_q is 0
  logic [5:0] status_d, status_q;
  logic       age_d, age_q;

  logic waits, left;  // left: acks are missing after this clock's landing
  assign waits = (st_q == StWait);
  assign left  = named_i ? more_i : !done_q;

  assign free_o = (st_q == StFree);
  assign quar_o = (st_q == StQuar);
  assign full_o = (waits && done_q) || (st_q == StLate);
  assign late_o = tick_i && waits && left && age_q && !new_i;

  always_comb begin
    st_d = st_q;
    case (st_q)
      StFree: ;
      StWait: begin
        if (late_o)      st_d = StLate;
        else if (sent_i) st_d = StFree;
      end
      StLate:  if (sent_i) st_d = left ? StQuar : StFree;
      default: if (!left || (tick_i && age_q)) st_d = StFree;
    endcase
    if (new_i) st_d = {quar_i, 1'b1};
  end

  // Only Wait and Quar age, and each begins after a state that does not, or with new_i. An ack that
  // is not expected clears nothing, since its bit is 0 or the entry is free.
  assign age_d    = st_q[0] && !new_i && (age_q || tick_i);
  assign pend_d   = new_i ? set_i : pend_q & ~(ack_oh_i & {10{named_i}});
  assign done_d   = new_i ? empty_i : !left;
  assign status_d = (status_q & {6{!new_i}}) | (6'(late_o) << rdt_pkg::AckTimeout) |
                    (st_i & {6{st_put_i || (named_i && expected_i && waits)}});

  assign port_o   = port_q;
  assign tag_o    = tag_q;
  assign status_o = status_q;
  assign pend_o   = pend_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) st_q <= StFree;
    else         st_q <= st_d;
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
endmodule
