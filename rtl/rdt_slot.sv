// SPDX-License-Identifier: MIT
// State of the packet in one buffer for the multicast controller: the outputs not granted yet, its
// age, and whether its body is corrupt. Relies on: load_i only while the buffer is empty. Nothing
// here means anything while it is empty, so nothing is reset.
module rdt_slot (
  // Clock; a new packet and the outputs it needs.
  input  logic        clk_i,
  input  logic        load_i,     // routed, or put back
  input  logic [rdt_pkg::NumOuts-1:0] pend_i,
  // events of the packet
  input  logic        sel_i,      // grants are for this buffer
  input  logic        gnt_any_i,
  input  logic [rdt_pkg::NumOuts-1:0] gnt_i,
  input  logic        tick_i,
  input  logic        to_ack_i,
  input  logic        short_i,
  // State of the packet.
  output logic [rdt_pkg::NumOuts-1:0] pend_o,
  output logic        old_o,      // its age is to be reported
  output logic        pois_o
);
  logic [rdt_pkg::NumOuts-1:0] pend_d, pend_q;
  logic [1:0]  age_d, age_q;
  logic        pois_d, pois_q;
  logic        gnt;

  assign gnt    = sel_i && gnt_any_i;
  assign pend_d = load_i ? pend_i : pend_q & ~(gnt_i & {rdt_pkg::NumOuts{sel_i}});
  assign pois_d = short_i || (pois_q && !load_i);

  // 2 is to be reported, 3 has been.
  assign age_d = {age_q[1] || (tick_i && age_q[0]),
                  age_q[1] ? age_q[0] || to_ack_i : age_q[0] ^ tick_i} & {2{!gnt && !load_i}};
  assign old_o = (age_q == 2'd2);

  assign pend_o = pend_q;
  assign pois_o = pois_q;

  always_ff @(posedge clk_i) begin
    pend_q <= pend_d;
    age_q  <= age_d;
    pois_q <= pois_d;
  end
endmodule
