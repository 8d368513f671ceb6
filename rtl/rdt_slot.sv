// SPDX-License-Identifier: MIT
// What an input unit knows about the packet in one buffer, apart from its flits: the outputs that
// have not been granted yet, how its copies differ, whether it waits for an ack entry, its age.
// Promises: the now_* outputs show a fresh packet in the clock it is routed in.
// Relies on: fresh_i only while the buffer is empty. Nothing here means anything while it is empty,
// so nothing is reset.
module rdt_slot (
  input  logic        clk_i,
  // a packet has been routed
  input  logic        fresh_i,
  input  logic [10:0] pend_i,
  input  logic        mc_i,
  input  logic [3:0]  aux_i,
  input  logic [2:0]  tag_i,
  input  logic        ent_i,
  // what happens to it
  input  logic        sel_i,      // grants are for this buffer
  input  logic        gnt_any_i,
  input  logic [10:0] gnt_i,
  input  logic        ent_gnt_i,
  input  logic [2:0]  ent_new_i,
  input  logic        tick_i,
  input  logic        to_ack_i,
  input  logic        short_i,
  // as stored
  output logic [10:0] pend_o,
  output logic        mc_o,
  output logic [3:0]  aux_o,      // error or out VC; of a multicast {relay, expl, xfer, exp0}
  output logic [2:0]  tag_o,
  output logic        ent_o,
  output logic        old_o,      // its age is to be reported
  output logic        pois_o,
  output logic        last_o,     // the last outputs are granted
  // with a fresh packet in its place
  output logic [10:0] now_pend_o,
  output logic        now_ent_o,
  output logic [1:0]  now_ovc_o,  // VC on rank-0 ports
  output logic        now_uvc_o   // VC on upper ports
);
  logic [10:0] pend_d, pend_q;
  logic        mc_d, mc_q;
  logic [3:0]  aux_d, aux_q;
  logic [2:0]  tag_d, tag_q;
  logic        ent_d, ent_q;
  logic [1:0]  age_d, age_q;
  logic        pois_d, pois_q;
  logic        gnt;

  assign gnt = sel_i && gnt_any_i;

  assign now_pend_o = fresh_i ? pend_i : pend_q;
  assign now_ent_o  = fresh_i ? ent_i : ent_q;
  assign mc_d       = fresh_i ? mc_i : mc_q;
  assign aux_d      = fresh_i ? aux_i : aux_q;

  // A relay of level 0 uses the second VC, a transfer hop VC-T.
  assign now_ovc_o = {aux_d[1], aux_d[0] && !(mc_d && (!aux_d[3] || aux_d[2]))};
  assign now_uvc_o = mc_d ? aux_d[3] : aux_d[0];

  assign pend_d = now_pend_o & ~(gnt_i & {11{sel_i}});
  assign last_o = gnt && (pend_d == 11'd0);
  assign ent_d  = now_ent_o && !ent_gnt_i;
  assign pois_d = short_i || (pois_q && !fresh_i);

  always_comb begin
    if (fresh_i)        tag_d = tag_i;
    else if (ent_gnt_i) tag_d = ent_new_i;
    else                tag_d = tag_q;
  end

  // 2 is to be reported, 3 has been.
  assign age_d = {age_q[1] || (tick_i && age_q[0]),
                  age_q[1] ? age_q[0] || to_ack_i : age_q[0] ^ tick_i} & {2{!gnt && !fresh_i}};
  assign old_o = (age_q == 2'd2);

  assign pend_o = pend_q;
  assign mc_o   = mc_q;
  assign aux_o  = aux_q;
  assign tag_o  = tag_q;
  assign ent_o  = ent_q;
  assign pois_o = pois_q;

  always_ff @(posedge clk_i) begin
    pend_q <= pend_d;
    mc_q   <= mc_d;
    aux_q  <= aux_d;
    tag_q  <= tag_d;
    ent_q  <= ent_d;
    age_q  <= age_d;
    pois_q <= pois_d;
  end
endmodule
