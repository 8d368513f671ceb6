// SPDX-License-Identifier: MIT
// From the three header flits of a packet to what its slot keeps. Combinational.
// rdt_route judges the header and routes unicasts and SETUP packets, rdt_bitmap multicasts.
module rdt_header #(
  parameter int InPort = 0
) (
  input  logic [17:0] h0_i,
  input  logic [17:0] h1_i,
  input  logic [17:0] h2_i,
  input  logic [1:0]  in_vc_i,
  input  logic [2:0]  rank_i,
  input  logic [3:0]  xfer_i,
  input  logic [7:0]  dateline_i,
  input  logic [7:0]  mask_i,
  output logic [10:0] pend_o,  // outputs it goes to
  output logic        bad_o,   // it goes to LOCAL with an error
  output logic        mc_o,    // it is a multicast, and a good one
  output logic [3:0]  aux_o,   // error or out VC; of a multicast {relay, expl, xfer, exp0}
  output logic [2:0]  tag_o,
  output logic        ent_o    // it needs an ack entry
);
  logic [3:0] rt_dst, rt_err;
  logic [1:0] rt_ovc;
  logic [9:0] bm_set;
  logic       bm_relay, bm_expl, bm_exp0, bm_xfer, bm_bad;

  rdt_route #(
    .InPort(InPort)
  ) u_route (
    .h0_i      (h0_i),
    .h1_i      (h1_i),
    .h2_i      (h2_i),
    .in_vc_i   (in_vc_i),
    .rank_i    (rank_i),
    .xfer_i    (xfer_i),
    .dateline_i(dateline_i),
    .bad_map_i (bm_bad),
    .dst_o     (rt_dst),
    .ovc_o     (rt_ovc),
    .err_o     (rt_err)
  );

  rdt_bitmap #(
    .InPort(InPort)
  ) u_bitmap (
    .h0_i     (h0_i[16:0]),
    .h1_i     (h1_i[16:0]),
    .h2_i     (h2_i[16:0]),
    .rank_i   (rank_i),
    .xfer_i   (xfer_i),
    .mask_i   (mask_i),
    .set_o    (bm_set),
    .relay_o  (bm_relay),
    .expl_o   (bm_expl),
    .exp0_o   (bm_exp0),
    .xfer_o   (bm_xfer),
    .bad_map_o(bm_bad)
  );

  assign bad_o = (rt_err != rdt_pkg::ErrNone);
  assign mc_o  = !bad_o && !h0_i[rdt_pkg::H0TypeHi] && (h0_i[rdt_pkg::H0TypeLo +: 2] != 2'd0);
  assign tag_o = h0_i[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo];
  assign ent_o = mc_o && (tag_o != 3'd0);

  // The route gives ovc = 0 for LOCAL and multicasts, dst = 0 for multicasts and err = 0 for all
  // that it finds good, so an OR does for a choice.
  assign aux_o = rt_err | {2'b00, rt_ovc} | ({bm_relay, bm_expl, bm_xfer, bm_exp0} & {4{mc_o}});

  assign pend_o[0]  = mc_o ? bm_set[0] : (rt_dst == 4'd0);
  assign pend_o[10] = (rt_dst == rdt_pkg::PortLocal);
  for (genvar o = 1; o < rdt_pkg::NumPorts; o++) begin : gen_pend
    assign pend_o[o] = (mc_o && bm_set[o]) || (rt_dst == 4'(o));
  end
endmodule
