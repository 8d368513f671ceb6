// SPDX-License-Identifier: MIT
// The bit-map generator of one input: from the header of a packet to the set of crossbar outputs it
// goes to, and to the header that each of its copies leaves with. rdt_route judges the header and
// routes all but multicasts, rdt_bitmap multicasts; what they find is kept for each buffer.
// Promises: set_o, rdy_o and bad_o are valid in the cycle of fresh_i.
// Relies on: the header flits arrive valid and in order, H2 with fresh_i; put_i not together with
// fresh_i; head_i at most one-hot, and only for a multicast the flits of one pass after each other;
// the stored data of a packet does not change from its first possible grant until its header has
// been read.
module rdt_bitmap_gen #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW      = rdt_pkg::FlitW,
  // Virtual channels of the port, one buffer each.
  parameter int NumVc      = 2,
  // Number of the input port.
  parameter int InPort     = 0,
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  // Clock.
  input  logic               clk_i,
  // configuration
  input  logic [4:0]         rank_i,     // bit r: the node is on rank r
  input  logic [3:0]         xfer_i,
  input  logic [7:0]         dateline_i,
  input  logic [7:0]         mask_i,
  input  logic [3:0]         ranks_i,
  // the header coming in
  input  logic               h0_we_i,
  input  logic               h1_we_i,
  input  logic [rdt_pkg::FlitW-1:0] d_i,  // header of the first lane
  input  logic [1:0]         vc_i,
  input  logic               raw_i,
  input  logic [rdt_pkg::CreditW-1:0] credit_i,
  output logic [3:0]         len_o,
  output logic [rdt_pkg::NumOuts-1:0] set_o,      // outputs it goes to
  output logic [rdt_pkg::NumOuts-1:0] rdy_o,      // those that it may request at once
  output logic               bad_o,      // it goes to LOCAL with an error
  // what is kept for each buffer
  input  logic [NumVc-1:0]   fresh_i,
  input  logic [NumVc-1:0]   put_i,
  input  logic [rdt_ports_pkg::plan_w(NumEntries)-1:0] put_plan_i,
  input  logic [NumVc-1:0]   ent_gnt_i,
  input  logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] ent_new_i,
  input  logic [NumVc-1:0]   look_i,
  output logic [rdt_ports_pkg::plan_w(NumEntries)-1:0] look_plan_o,
  output logic [NumVc-1:0]   mc_o,
  output logic [rdt_ports_pkg::tag_w(NumEntries)*NumVc-1:0] tag_o,
  output logic [NumVc-1:0]   ent_o,
  output logic [2*NumVc-1:0] ovc_o,
  output logic [NumVc-1:0]   uvc_o,
  // the pass that is read
  input  logic [NumVc-1:0]   rd_i,       // its buffer, a cycle before
  input  logic               up_i,       // it goes to the upper ports
  input  logic [2:0]         head_i,     // the flit is H2, H1, H0, and may be changed
  input  logic [DataW-1:0]   flit_i,
  output logic [DataW-1:0]   flit_o,
  output logic [1:0]         vc_o,       // it goes out on
  output logic [3:0]         err_o,      // of its packet
  output logic               odd_o       // its packet has an error, or is not on VC 0
);
  logic [16:0] h0_q, h1_q;

  // Written before they are used, so without reset. They may take other things as well before.
  always_ff @(posedge clk_i) begin
    if (h0_we_i) h0_q <= d_i[16:0];
    if (h1_we_i) h1_q <= d_i[16:0];
  end

  logic unused_parity;
  assign unused_parity = d_i[17];

  assign len_o = h0_q[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo];

  logic [10:0] rt_set, rt_rdy;
  logic [3:0]  rt_err;
  logic [1:0]  rt_ovc;
  logic        rt_mc;
  logic [9:0]  bm_set, bm_rdy;
  logic        bm_relay, bm_expl, bm_exp0, bm_xfer, bm_bad;

  rdt_route #(
    .InPort(InPort)
  ) u_route (
    .clk_i     (clk_i),
    .h0_i      (h0_q),
    .h1_i      (h1_q),
    .h2_i      (d_i[16:0]),
    .in_vc_i   (vc_i),
    .rank_i    (rank_i),
    .xfer_i    (xfer_i),
    .dateline_i(dateline_i),
    .bad_map_i (bm_bad),
    .raw_i     (raw_i),
    .credit_i  (credit_i),
    .set_o     (rt_set),
    .rdy_o     (rt_rdy),
    .ovc_o     (rt_ovc),
    .mc_o      (rt_mc),
    .err_o     (rt_err)
  );

  rdt_bitmap #(
    .InPort(InPort), .NumEntries(NumEntries)
  ) u_bitmap (
    .clk_i    (clk_i),
    .h0_i     (h0_q),
    .h1_i     (h1_q),
    .h2_i     (d_i[16:0]),
    .rank_i   (rank_i),
    .xfer_i   (xfer_i),
    .mask_i   (mask_i),
    .ranks_i  (ranks_i),
    .in_vc_i  (vc_i),
    .credit_i (credit_i),
    .set_o    (bm_set),
    .rdy_o    (bm_rdy),
    .relay_o  (bm_relay),
    .expl_o   (bm_expl),
    .exp0_o   (bm_exp0),
    .xfer_o   (bm_xfer),
    .bad_map_o(bm_bad)
  );

  logic       mc;
  logic [3:0] k;
  logic [2:0] tag;

  assign bad_o = (rt_err != rdt_pkg::ErrNone);
  assign mc    = rt_mc && !bm_bad;
  assign tag   = h0_q[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo];

  // The route has no outputs and ovc = 0 for multicasts, and a rejected map has none, so an OR
  // combines them. A multicast with a tag has to wait for an ack entry.
  assign k     = rt_err | {2'b00, rt_ovc} | ({bm_relay, bm_expl, bm_xfer, bm_exp0} & {4{mc}});
  assign set_o = rt_set | {1'b0, bm_set & {10{rt_mc}}};
  assign rdy_o = rt_rdy | {1'b0, bm_rdy & {10{rt_mc && tag == 3'd0}}};

  localparam int PlanW = rdt_ports_pkg::plan_w(NumEntries);
  localparam int TagW  = rdt_ports_pkg::tag_w(NumEntries);
  localparam int VcW   = rdt_pkg::VcW;

  logic [TagW-1:0]        load_tag;
  logic [PlanW-1:0]       load_plan;
  logic [PlanW*NumVc-1:0] plan;

  if (rdt_ports_pkg::has_banks(NumEntries)) begin : gen_bank
    assign load_tag = {h1_q[rdt_pkg::H1Map4lHi:rdt_pkg::H1Map4lLo], tag};
  end else begin : gen_no_bank
    assign load_tag = tag;
  end

  assign load_plan = (|fresh_i) ? {mc, k, load_tag, mc && (tag != 3'd0)} : put_plan_i;

  for (genvar v = 0; v < NumVc; v++) begin : gen_plan
    rdt_plan #(.NumEntries(NumEntries)) u_plan (
      .clk_i    (clk_i),
      .load_i   (fresh_i[v] || put_i[v]),
      .plan_i   (load_plan),
      .ent_gnt_i(ent_gnt_i[v]),
      .ent_new_i(ent_new_i),
      .plan_o   (plan[PlanW*v +: PlanW]),
      .ovc_o    (ovc_o[VcW*v +: VcW]),
      .uvc_o    (uvc_o[v])
    );
    assign tag_o[TagW*v +: TagW] = plan[PlanW*v + 1 +: TagW];
    assign ent_o[v]              = plan[PlanW*v];
    assign mc_o[v]               = plan[PlanW*v + PlanW - 1];
  end

  function automatic logic [PlanW-1:0] pick_plan(input logic [PlanW*NumVc-1:0] d, input logic [NumVc-1:0] oh);
    pick_plan = '0;
    for (int v = 0; v < NumVc; v++) pick_plan = pick_plan | (d[PlanW*v +: PlanW] & {PlanW{oh[v]}});
  endfunction

  assign look_plan_o = pick_plan(plan, look_i);

  // Copies
  logic       rd_mc, rd_ent;
  logic [3:0] rd_k;
  logic [TagW-1:0] rd_tag;
  logic [1:0] rd_ovc;

  logic [PlanW-1:0] rd_plan_q;

  // Written before it is used, so without reset.
  always_ff @(posedge clk_i) begin
    rd_plan_q <= pick_plan(plan, rd_i);
  end

  assign {rd_mc, rd_k, rd_tag, rd_ent} = rd_plan_q;
  // Never 3, also if that was put back: its code would void the grant under the packet.
  assign rd_ovc = {rd_k[1], rd_k[0] && !rd_k[1] && !(rd_mc && (!rd_k[3] || rd_k[2]))};
  assign vc_o   = (rd_mc && up_i) ? {1'b0, rd_k[3]} : rd_ovc;
  assign err_o  = rd_k & {4{!rd_mc}};
  assign odd_o  = (|rd_ovc) || (|err_o);

  logic unused_rd_ent;
  assign unused_rd_ent = rd_ent;

  rdt_mc_copy #(.DataW(DataW), .NumEntries(NumEntries)) u_mc_copy (
    .clk_i  (clk_i),
    .rank_i (rank_i),
    .ranks_i(ranks_i[2:0]),
    .head_i (head_i & {3{rd_mc}}),
    .up_i   (up_i),
    .relay_i(rd_k[3]),
    .expl_i (rd_k[2]),
    .exp0_i (rd_k[0]),
    .tag_i  (rd_tag),
    .flit_i (flit_i),
    .flit_o (flit_o)
  );
endmodule
