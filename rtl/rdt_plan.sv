// SPDX-License-Identifier: MIT
// Results of the bit-map generator for the packet in one buffer, needed when a copy leaves: the
// kind, the output VC or how the copies' headers differ, the tag, the request for an ack entry.
// Relies on: nothing here means anything while the buffer is empty, so nothing is reset.
module rdt_plan #(
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  // Clock; plan of a new packet.
  input  logic       clk_i,
  input  logic       load_i,     // routed, or put back
  input  logic [rdt_ports_pkg::plan_w(NumEntries)-1:0] plan_i,     // {mc, k, tag, ent}
  // The ack entry it waited for.
  input  logic       ent_gnt_i,  // an ack entry is given
  input  logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] ent_new_i,  // its tag
  // The plan that is kept, and the VCs of the copies.
  output logic [rdt_ports_pkg::plan_w(NumEntries)-1:0] plan_o,
  output logic [1:0] ovc_o,      // VC on rank-0 ports
  output logic       uvc_o       // VC on upper ports
);
  localparam int TagW = rdt_ports_pkg::tag_w(NumEntries);

  logic       mc_d, mc_q;
  logic [3:0] k_d, k_q;          // error or out VC; of a multicast {relay, expl, xfer, exp0}
  logic [TagW-1:0] tag_d, tag_q;
  logic       ent_d, ent_q;

  logic       new_mc, new_ent;
  logic [3:0] new_k;
  logic [TagW-1:0] new_tag;

  assign {new_mc, new_k, new_tag, new_ent} = plan_i;

  assign mc_d  = load_i ? new_mc : mc_q;
  assign k_d   = load_i ? new_k : k_q;
  assign ent_d = (load_i ? new_ent : ent_q) && !ent_gnt_i;
  assign tag_d = load_i ? new_tag : ent_gnt_i ? ent_new_i : tag_q;

  // A relay of level 0 uses the second VC, a transfer hop VC-T.
  assign ovc_o  = {k_q[1], k_q[0] && !(mc_q && (!k_q[3] || k_q[2] || k_q[1]))};
  assign uvc_o  = mc_q ? k_q[3] : k_q[0];
  assign plan_o = {mc_q, k_q, tag_q, ent_q};

  always_ff @(posedge clk_i) begin
    mc_q  <= mc_d;
    k_q   <= k_d;
    tag_q <= tag_d;
    ent_q <= ent_d;
  end
endmodule
