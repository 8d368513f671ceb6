// SPDX-License-Identifier: MIT
// The header of a multicast as one pass of the input unit sends it.
// The bytes that this node has expanded are taken out, except for what the South, the one relay,
// still has to do; each output unit clears that where it does not lead South. The tag becomes
// that of the own ack entry; with banks H1 has the bank, instead of two bits of map 4. Parity is
// carried, not regenerated.
// Promises: flits are unchanged while head_i is 0.
// Relies on: head_i at most one-hot, H0 first; rank_i is the rank the map was read with.
module rdt_mc_copy #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW      = rdt_pkg::FlitW,
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  // Clock; ranks of the node and of the machine.
  input  logic        clk_i,
  input  logic [4:0]  rank_i,    // bit r: the node is on rank r
  input  logic [2:0]  ranks_i,  // bit r-1: some node of the machine is on rank r (4 is never below)
  // Which header flit, and for which ports the copies are.
  input  logic [2:0]  head_i,   // the flit is H2, H1, H0 of a multicast
  input  logic        up_i,     // the pass goes to the upper ports
  // What rdt_bitmap found: relay, expansion of the own level, of level 0; tag of the ack entry.
  input  logic        relay_i,
  input  logic        expl_i,
  input  logic        exp0_i,
  input  logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] tag_i,
  // Flit before and after the maps are rewritten.
  input  logic [DataW-1:0] flit_i,
  output logic [DataW-1:0] flit_o
);
  // Bit l of each: operation on the byte of level l.
  logic [4:0] own;  // expanded as the level of the own rank
  logic [4:0] lo;   // bits 3:0 become 0
  logic [4:0] hi;   // bits 7:4 become 0
  logic [3:0] all;  // all nodes are receivers: all bits not cleared become 1
  logic [4:0] out;  // but no node is on that rank
  logic       lpra, larp;      // the type in H0
  logic       lpra_q, larp_q;

  localparam bit Banks = rdt_ports_pkg::has_banks(NumEntries);
  localparam int Tag  = rdt_pkg::H0TagLo;
  localparam int Type = rdt_pkg::H0TypeLo;

  // Copies that leave the local lineage of a McLpra multicast go to all nodes below them, and so do
  // those of the local lineage of a McLarp one.
  assign lpra = head_i[0] ? (flit_i[Type +: 3] == rdt_pkg::TypeMcLpra) : lpra_q;
  assign larp = head_i[0] ? (flit_i[Type +: 3] == rdt_pkg::TypeMcLarp) : larp_q;

  always_ff @(posedge clk_i) begin
    lpra_q <= lpra;
    larp_q <= larp;
  end

  logic unused_rank;
  assign unused_rank = rank_i[0];

  assign own = {rank_i[4:1], 1'b0} & {5{expl_i || up_i}};
  assign all = {own[4], |own[4:3], |own[4:2], |own[4:1]} & {4{up_i ? lpra : larp}};
  assign out = {1'b0, all[3:1] & ~ranks_i, 1'b0};
  assign lo  = out | own | {4'd0, exp0_i && !up_i};
  assign hi  = out | (own & {5{relay_i || !up_i}}) | {4'd0, exp0_i && !up_i && relay_i && !expl_i};

  logic [16:0] clr, set;

  // H0: map 4 from bit 2 on. H1: the rest of map 4, map 3, map 2 from bit 1 on. H2: the rest.
  assign clr = ({11'd0, {4{hi[4]}}, {2{lo[4]}}} & {17{head_i[0]}}) |
               ({{2{lo[4] && !Banks}}, {4{hi[3]}}, {4{lo[3]}}, {4{hi[2]}}, {3{lo[2]}}} & {17{head_i[1]}}) |
               ({lo[2], {4{hi[1]}}, {4{lo[1]}}, {4{hi[0]}}, {4{lo[0]}}} & {17{head_i[2]}});
  assign set = ({2'd0, {8{all[3]}}, {7{all[2]}}} & {17{head_i[1]}}) |
               ({all[2], {8{all[1]}}, {8{all[0]}}} & {17{head_i[2]}});

  logic        to_sm;  // the copy has no lineage of its own
  logic [16:0] flip;

  assign to_sm = up_i ? lpra || larp : expl_i && larp;

  logic [2:0] tag_flip;
  logic [1:0] type_flip;
  assign tag_flip  = (flit_i[Tag +: 3] ^ tag_i[2:0]) & {3{head_i[0]}};
  assign type_flip = (flit_i[Type +: 2] ^ rdt_pkg::TypeMcSm[1:0]) & {2{head_i[0] && to_sm}};

  logic [1:0] bank_flip;
  if (Banks) begin : gen_bank
    assign bank_flip = (flit_i[rdt_pkg::H1Map4lHi:rdt_pkg::H1Map4lLo] ^ tag_i[4:3]) & {2{head_i[1]}};
  end else begin : gen_no_bank
    assign bank_flip = 2'd0;
  end

  // No map is where tag and type are.
  assign flip = (flit_i[16:0] & clr) | (~flit_i[16:0] & set & ~clr) |
                (17'(tag_flip) << Tag) | (17'(type_flip) << Type) | (17'(bank_flip) << rdt_pkg::H1Map4lLo);

  // The same in all lanes.
  assign flit_o = flit_i ^ {(DataW / rdt_pkg::FlitW){^flip, flip}};
endmodule
