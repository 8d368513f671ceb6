// SPDX-License-Identifier: MIT
// Cover points of rdt_bitmap_gen and below it: unicasts by rank and direction, multicasts by level and bit,
// where they come in. There is no reset there, and no packet in a reset.
`include "cov.svh"
module cov_route #(
  parameter int NumVc  = 2,
  parameter int InPort = 0
) (
  // verilator coverage_off
  input logic             clk_i,
  input logic             rst_ni,
  input logic [NumVc-1:0] fresh_i,
  input logic             raw_i,
  input logic [4:0]       rank_i,
  input logic [3:0]       ranks_i,
  input logic [7:0]       mask_i,
  input logic [7:0]       dateline_i,
  input logic [1:0]       vc_i,
  input logic [10:0]      rt_set,
  input logic [1:0]       rt_ovc,
  input logic [3:0]       rt_err,
  input logic             rt_mc,
  input logic [9:0]       bm_set,
  input logic             bm_relay,
  input logic             bm_expl,
  input logic             bm_exp0,
  input logic             bm_xfer,
  input logic             bm_bad,
  input logic [16:0]      h0_q,
  input logic [16:0]      h1_q,
  input logic [17:0]      d_i
);
  localparam bit Upper = (InPort >= 4 && InPort < 8);

  logic        fresh, uni, mc;
  logic [7:0]  m4, m3, m2, m1, m0, own;
  logic [4:1]  some;
  logic        nobody;

  assign fresh  = |fresh_i && !raw_i;
  assign uni    = fresh && !rt_mc && rt_err == 4'd0;
  assign mc     = fresh && rt_mc && !bm_bad;
  assign m4     = {h0_q[5:0], h1_q[16:15]};
  assign m3     = h1_q[14:7];
  assign m2     = {h1_q[6:0], d_i[16]};
  assign m1     = d_i[15:8];
  assign m0     = d_i[7:0];
  assign own    = (m4 & {8{rank_i[4]}}) | (m3 & {8{rank_i[3]}}) | (m2 & {8{rank_i[2]}}) | (m1 & {8{rank_i[1]}});
  assign some   = {|m4, |m3, |m2, |m1};
  assign nobody = |(some & ~ranks_i);
  // verilator coverage_on

  for (genvar r = 1; r < 5; r++) begin : gen_rank
    for (genvar o = 4; o < 8; o++) begin : gen_upper
      `BIN(unicast_on_torus_of_rank, uni && rank_i[r] && rt_set[o])
      // The relay of an upper level sends nothing to the North.
      if (!(Upper && o == 6)) begin : gen_mc
        `BIN(multicast_on_torus_of_rank, mc && bm_expl && rank_i[r] && bm_set[o])
      end
    end
    `BIN(multicast_expanded_at_rank, mc && bm_expl && rank_i[r])
    `BIN(multicast_for_rank_of_nobody, fresh && rt_mc && nobody && some[r] && !ranks_i[r-1])
    // There is nothing below rank 1 to transfer to.
    if (r > 1) begin : gen_down
      `BIN(multicast_expanded_and_handed_down_from_rank, mc && bm_expl && bm_xfer && rank_i[r])
    end
  end
  for (genvar o = 0; o < 2; o++) begin : gen_xfer
    `BIN(unicast_transfers, uni && rt_set[o] && rt_ovc[1])
    `BIN(multicast_transfers, mc && bm_xfer && bm_set[o])
  end
  for (genvar o = 0; o < 8; o++) begin : gen_dateline
    `BIN(unicast_crosses_dateline, uni && rt_set[o] && dateline_i[o])
  end
  // A packet that goes straight on keeps VC 1; it comes in at the other port of the axis.
  if (InPort < 8) begin : gen_straight
    `BIN(unicast_keeps_vc_1, uni && rt_set[InPort ^ 1] && vc_i == 2'd1 && !dateline_i[InPort ^ 1] && rt_ovc == 2'd1)
  end
  for (genvar b = 0; b < 8; b++) begin : gen_bit
    // A relay takes the bits of the South alone.
    if (!Upper || b > 3) begin : gen_own
      `BIN(map_bit_of_own_level, mc && bm_expl && own[b] && !mask_i[b])
      `BIN(map_bit_masked, fresh && rt_mc && bm_expl && own[b] && mask_i[b])
    end
    if (InPort > 3 || b > 3) begin : gen_level0
      `BIN(map_bit_of_level_0, mc && bm_exp0 && m0[b])
    end
  end
  // No router north of an MBP has expanded a level.
  if (InPort < 8) begin : gen_relay
    `BIN(multicast_relayed, mc && bm_relay)
  end
  `BIN(multicast_for_own_mbp_alone, mc && bm_set[7:0] == 8'd0)
  `BIN(multicast_larp_for_all_below, mc && h0_q[16:14] == 3'd3 && bm_expl && bm_exp0)
  `BIN(map_bad_nobody_left, fresh && rt_mc && bm_bad && !nobody)
  `BIN(packet_at_home, uni && |rt_set[9:8])
endmodule

bind rdt_bitmap_gen cov_route #(.NumVc(NumVc), .InPort(InPort)) u_cov (.rst_ni(1'b1), .*);
