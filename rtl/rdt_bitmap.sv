// SPDX-License-Identifier: MIT
// The bit-map generator: from the header of a multicast to the ports its copies go to.
// A map byte names eight receivers of one level: 0 self, 1 E, 2 W, 3 N, 4 S, and through the node in
// the South 5 SE, 6 SW, 7 SS. The part that depends on H0 and H1 only is computed when H1 arrives,
// and stored; the rest when H2 arrives. The node's registers count only then. Promises: every
// output is named at most once, since upper ports come only from the level of the own rank and the
// others only from what follows it. A map is rejected if it names a rank without nodes, because its
// copies would never leave the ring of transfer hops. It is also rejected if it would go back by a
// transfer hop, or needs a relay and does not reach one, so wrong registers cannot let a multicast
// circulate. Exactly the rejected maps have no outputs. Not meant for other types than multicasts.
// Relies on: in the cycle before H2 its H1 was on h2_i and its H0 on h0_i.
module rdt_bitmap #(
  // Number of the input port.
  parameter int InPort     = 0,
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  // Clock; header flits of the packet.
  input  logic        clk_i,
  input  logic [16:0] h0_i,
  input  logic [16:0] h1_i,
  input  logic [16:0] h2_i,
  // Configuration of the node: rank, transfer ports, map bits to ignore.
  input  logic [4:0]  rank_i,    // bit r: the node is on rank r
  input  logic [3:0]  xfer_i,
  input  logic [7:0]  mask_i,
  input  logic [3:0]  ranks_i,  // bit r-1: some node of the machine is on rank r
  // VC the packet came in on; credits of all outputs.
  input  logic [1:0]  in_vc_i,  // the packet came in on
  input  logic [rdt_pkg::CreditW-1:0] credit_i,
  // Outputs that need a copy.
  output logic [9:0]  set_o,
  output logic [9:0]  rdy_o,    // those of them that have a credit for the copy's VC
  output logic        relay_o,  // this node is the South of the one that expanded the level
  output logic        expl_o,   // the level of the own rank is expanded here
  output logic        exp0_o,   // level 0 is expanded here
  output logic        xfer_o,   // a copy continues to the node of another rank
  // The maps cannot be expanded here.
  output logic        bad_map_o
);
  // Where the level of the own rank is expanded, the port alone determines whether as a relay.
  localparam bit UpRelay   = rdt_ports_pkg::is_upper(InPort);
  localparam bit FromRank0 = rdt_ports_pkg::is_rank0(InPort);
  localparam bit FromNorth = (4'(InPort) == rdt_pkg::PortN1);
  localparam bit FromEast  = (4'(InPort) == rdt_pkg::PortE0);
  localparam bit FromWest  = (4'(InPort) == rdt_pkg::PortW0);
  localparam int UpVc    = UpRelay ? 1 : 0;
  localparam int MaxVc   = rdt_pkg::MaxVc;
  localparam bit Map4l   = !rdt_ports_pkg::has_banks(NumEntries);  // bits 1:0 of map 4, or the bank of the tag

  // With H1.
  logic       larp_q;
  logic [4:3] some_q;   // the byte of the level is not 0
  logic       some2_q;  // nor what H1 has of that of level 2

  // They count in the cycle after H1, so without reset or enable.
  always_ff @(posedge clk_i) begin
    larp_q  <= (h0_i[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] == rdt_pkg::TypeMcLarp);
    some_q  <= {(|h0_i[rdt_pkg::H0Map4hHi:rdt_pkg::H0Map4hLo]) ||
                (Map4l && (|h2_i[rdt_pkg::H1Map4lHi:rdt_pkg::H1Map4lLo])),
                |h2_i[rdt_pkg::H1Map3Hi:rdt_pkg::H1Map3Lo]};
    some2_q <= |h2_i[rdt_pkg::H1Map2hHi:rdt_pkg::H1Map2hLo];
  end

  // With H2.
  logic [7:0] m4, m3, m2, m1, m0;

  assign m4 = {h0_i[rdt_pkg::H0Map4hHi:rdt_pkg::H0Map4hLo],
               h1_i[rdt_pkg::H1Map4lHi:rdt_pkg::H1Map4lLo] & {2{Map4l}}};
  assign m3 = h1_i[rdt_pkg::H1Map3Hi:rdt_pkg::H1Map3Lo];
  assign m2 = {h1_i[rdt_pkg::H1Map2hHi:rdt_pkg::H1Map2hLo], h2_i[rdt_pkg::H2Map2lLo]};
  assign m1 = h2_i[rdt_pkg::H2Map1Hi:rdt_pkg::H2Map1Lo];
  assign m0 = h2_i[rdt_pkg::H2Map0Hi:rdt_pkg::H2Map0Lo];

  logic [4:1] at_rank;  // the node is on rank r
  logic [4:1] some;     // the byte of level r is not 0
  logic [4:1] below;    // level r is below the own rank
  logic       some0, any, nobody, lost;
  logic       expl;     // the highest level is that of the own rank
  logic [7:0] b;        // the byte of the own rank's level
  logic       self;     // names the own node
  logic [3:0] up;       // S1, N1, W1, E1

  assign at_rank = rank_i[4:1];
  assign below   = {1'b0, at_rank[4], |at_rank[4:3], |at_rank[4:2]};
  assign some    = {some_q, some2_q || h2_i[rdt_pkg::H2Map2lLo], |m1};
  assign some0   = |m0;
  assign any     = |some;
  // A copy that leaves by S1 on VC 0 is for a relay of its rank.
  assign lost    = FromNorth && (in_vc_i == 2'd0) && !expl;
  assign nobody  = (|(some & ~ranks_i)) || lost;
  assign expl    = |(at_rank & some & {1'b1, !some[4], !(|some[4:3]), !(|some[4:2])});
  assign b       = ((m4 & {8{at_rank[4]}}) | (m3 & {8{at_rank[3]}}) |
                    (m2 & {8{at_rank[2]}}) | (m1 & {8{at_rank[1]}})) & ~mask_i;
  assign self    = UpRelay ? b[4] : b[0];
  assign up      = (UpRelay ? {b[7], 1'b0, b[6], b[5]} : {|b[7:4], b[3], b[2], b[1]}) & {4{expl}};

  // Further levels in the same visit, where the own level is expanded and names this node.
  // All nodes below the local lineage of a McLarp multicast are receivers, on the existing ranks.
  logic [4:1] rest;  // levels left for the nodes of other ranks
  logic       west_e, xfer_e, last_e, exp0_e, here_e;

  assign rest   = below & (larp_q ? ranks_i : some);
  assign west_e = |(xfer_i & rest & {1'b1, !rest[4], !(|rest[4:3]), !(|rest[4:2])});
  assign xfer_e = expl && self && (|rest);
  assign last_e = expl && self && !(|rest);
  assign exp0_e = last_e && (larp_q || some0);
  assign here_e = last_e && !larp_q && !some0;

  // And where it is not: the levels are those of the packet itself. Level 0 alone, from a rank-0 port
  // or in a node on no upper rank, was expanded by the node in the North and has been relayed to here.
  logic west_n, xfer_n, exp0_n, here_n, turn;
  logic back;  // it came by a transfer hop, and does not go back by one
  assign back = rdt_ports_pkg::has_vct(InPort) && (in_vc_i == 2'd2);

  assign west_n = |(xfer_i & some & {1'b1, !some[4], !(|some[4:3]), !(|some[4:2])});
  assign xfer_n = any && !expl;
  assign exp0_n = !any && some0;
  assign here_n = !any && !some0;
  assign turn   = FromRank0 || (UpRelay && rank_i[0]);

  // S0, N0, W0, E0 and the own node. At most one reason holds for each, and it determines the VC.
  logic [4:0] own, turned;
  logic [1:0] to;
  logic [1:0] mbp;

  assign own    = (({|m0[7:4], m0[3:0]} | {5{larp_q}}) & {5{exp0_e}}) |
                  ({|m0[7:4], m0[3:0]} & {5{exp0_n && !turn}});
  assign turned = {m0[7], 1'b0, m0[6], m0[5], m0[4]} & {5{exp0_n && turn}};
  assign to     = {(xfer_e && west_e) || (xfer_n && west_n && !(back && FromWest)),
                   (xfer_e && !west_e) || (xfer_n && !west_n && !(back && FromEast))};
  assign mbp    = {h0_i[rdt_pkg::H0MbpLo], !h0_i[rdt_pkg::H0MbpLo]} &
                  {2{here_e || here_n || own[0] || turned[0]}};

  assign set_o = {mbp, up, own[4:3] | turned[4:3], own[2:1] | turned[2:1] | to} & {10{!nobody}};
  for (genvar o = 0; o < rdt_pkg::NumPorts; o++) begin : gen_rdy
    logic with_credit;
    if (o < 2) begin : gen_three
      assign with_credit = (own[o + 1] && credit_i[MaxVc*o]) || (turned[o + 1] && credit_i[MaxVc*o + 1]) ||
                           (to[o] && credit_i[MaxVc*o + 2]);
    end else if (o < 4) begin : gen_two
      assign with_credit = (own[o + 1] && credit_i[MaxVc*o]) || (turned[o + 1] && credit_i[MaxVc*o + 1]);
    end else if (o < 8) begin : gen_upper
      assign with_credit = up[o - 4] && credit_i[MaxVc*o + UpVc];
    end else begin : gen_mbp
      assign with_credit = mbp[o - 8] && credit_i[MaxVc*o];
    end
    assign rdy_o[o] = with_credit && !nobody;
  end

  assign relay_o   = UpRelay ? expl || (exp0_n && turn) : exp0_n && turn;
  assign expl_o    = expl;
  assign exp0_o    = exp0_e || exp0_n;
  assign xfer_o    = xfer_e || xfer_n;
  assign bad_map_o = nobody || (expl && (UpRelay ? b[7:4] == 4'd0 : b == 8'd0)) ||
                     (exp0_n && turn && m0[7:4] == 4'd0) || (xfer_n && back && west_n == FromWest);

  logic unused;
  assign unused = (^h0_i) ^ (^h1_i) ^ (^credit_i) ^ (^b) ^ (^in_vc_i);
endmodule
