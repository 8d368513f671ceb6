// SPDX-License-Identifier: MIT
// The bit-map generator: from the header of a multicast to the ports its copies go to.
// Combinational. A map byte names eight receivers of one level: 0 self, 1 E, 2 W, 3 N, 4 S, and
// through the node in the South 5 SE, 6 SW, 7 SS.
// Promises: every output is named at most once, since upper ports come only from the level of the
// own rank and the others only from what follows it. A map that names a rank no node of the machine is
// on is bad, since nobody would ever take its copies off the ring of transfer hops. Not meant for other
// types than multicasts.
module rdt_bitmap #(
  parameter int InPort = 0
) (
  input  logic [16:0] h0_i,
  input  logic [16:0] h1_i,
  input  logic [16:0] h2_i,
  input  logic [2:0]  rank_i,
  input  logic [3:0]  xfer_i,
  input  logic [7:0]  mask_i,
  input  logic [3:0]  ranks_i,  // bit r-1: some node of the machine is on rank r
  output logic [9:0]  set_o,
  output logic        relay_o,  // this node is the South of the one that expanded the level
  output logic        expl_o,   // the level of the own rank is expanded here
  output logic        exp0_o,   // level 0 is expanded here
  output logic        xfer_o,   // a copy goes on to the node of another rank
  output logic        bad_map_o
);
  logic [7:0] m4, m3, m2, m1, m0;

  assign m4 = {h0_i[rdt_pkg::H0Map4hHi:rdt_pkg::H0Map4hLo],
               h1_i[rdt_pkg::H1Map4lHi:rdt_pkg::H1Map4lLo]};
  assign m3 = h1_i[rdt_pkg::H1Map3Hi:rdt_pkg::H1Map3Lo];
  assign m2 = {h1_i[rdt_pkg::H1Map2hHi:rdt_pkg::H1Map2hLo], h2_i[rdt_pkg::H2Map2lLo]};
  assign m1 = h2_i[rdt_pkg::H2Map1Hi:rdt_pkg::H2Map1Lo];
  assign m0 = h2_i[rdt_pkg::H2Map0Hi:rdt_pkg::H2Map0Lo];

  logic [3:0] at_rank;  // bit r-1: the node is on rank r
  logic [3:0] some;     // bit r-1: the byte of level r is not 0
  logic [3:0] below;    // bit r-1: level r is below the own rank
  logic       some0;
  logic       only0;    // no level above 0 is left, but 0 is
  logic       expl;     // the highest level is that of the own rank
  logic       relay;
  logic [7:0] bl, b0;   // the bytes expanded
  logic [3:0] up_set;   // S1, N1, W1, E1
  logic       self;     // the own node is among the receivers of its rank's level
  logic       larp;
  logic [3:0] rest;     // bit r-1: level r is left for the nodes of other ranks
  logic       west, xfer, exp0, here;

  assign at_rank = {rank_i == 3'd4, rank_i == 3'd3, rank_i == 3'd2, rank_i == 3'd1};
  assign below   = {1'b0, at_rank[3], |at_rank[3:2], |at_rank[3:1]};
  assign some    = {|m4, |m3, |m2, |m1};
  assign some0   = |m0;
  assign only0   = !(|some) && some0;

  assign expl  = |(at_rank & some & {1'b1, !some[3], !(|some[3:2]), !(|some[3:1])});
  assign larp  = (h0_i[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] == rdt_pkg::TypeMcLarp);

  if (InPort < 4) begin : gen_rank0
    assign relay = only0;
  end else if (InPort < 8) begin : gen_upper
    assign relay = expl || (only0 && rank_i == 3'd0);
  end else begin : gen_mbp
    assign relay = 1'b0;
  end

  // Level of the own rank.
  assign bl = ((m4 & {8{at_rank[3]}}) | (m3 & {8{at_rank[2]}}) |
               (m2 & {8{at_rank[1]}}) | (m1 & {8{at_rank[0]}})) & ~mask_i & {8{expl}};
  assign up_set = relay ? {bl[7], 1'b0, bl[6], bl[5]} : {|bl[7:4], bl[3], bl[2], bl[1]};
  assign self   = relay ? bl[4] : bl[0];

  // What follows in the same visit. Everybody below the local lineage of a McLarp multicast is
  // meant, on the ranks there are. With nothing expanded above, the levels are those of the packet itself.
  always_comb begin
    if (expl) rest = below & (larp ? ranks_i : some) & {4{self}};
    else      rest = some;
    xfer = |rest;
    west = |(xfer_i & rest & {1'b1, !rest[3], !(|rest[3:2]), !(|rest[3:1])});
    exp0 = expl ? self && !xfer && (larp || some0) : only0;
    here = !xfer && (expl ? self && !larp && !some0 : !some0);
  end

  assign b0 = (m0 | {8{expl && larp}}) & {8{exp0}};

  logic       in0, turn0;  // level 0: the own node; expanded as a relay
  logic [3:0] set0;        // S0, N0, W0, E0
  assign turn0 = relay && !expl;
  assign set0  = turn0 ? {b0[7], 1'b0, b0[6], b0[5]} : {|b0[7:4], b0[3], b0[2], b0[1]};
  assign in0   = turn0 ? b0[4] : b0[0];

  logic mbp;
  assign mbp   = h0_i[rdt_pkg::H0MbpLo];
  assign set_o = {{mbp, !mbp} & {2{here || in0}}, up_set, set0 | {2'b00, xfer && west, xfer && !west}};

  assign relay_o   = relay;
  assign expl_o    = expl;
  assign exp0_o    = exp0;
  assign xfer_o    = xfer;
  assign bad_map_o = (set_o == 10'd0) || (|(some & ~ranks_i));

  logic unused_h0;
  assign unused_h0 = ^h0_i[rdt_pkg::H0LenHi:rdt_pkg::H0TagLo];

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_bitmap.svh"
`endif
endmodule
