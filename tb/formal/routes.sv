// SPDX-License-Identifier: MIT
// Route and bit map of all ten input ports, fed with any header in its two steps, and compared with the
// functions of spec_pkg.sv. The ports share what comes in, so one proof covers them all.
module routes (
  input logic        clk_i,
  input logic [16:0] h0_i,
  input logic [16:0] h1_i,
  input logic [16:0] h2_i,
  input logic [1:0]  in_vc_i,
  input logic [2:0]  rank_i,
  input logic [3:0]  xfer_i,
  input logic [7:0]  dateline_i,
  input logic [7:0]  mask_i,
  input logic [3:0]  ranks_i,
  input logic        bad_map_i,
  input logic        raw_i,
  input logic [30:0] credit_i
);
  // In the cycle before H2 its H1 was on h2_i and its H0 on h0_i.
  logic        rst_ni, on_q;
  logic [16:0] h0_q, h1_q;
  initial on_q = 1'b0;
  always_ff @(posedge clk_i) begin
    on_q <= 1'b1;
    h0_q <= h0_i;
    h1_q <= h2_i;
  end
  assign rst_ni = on_q && (h0_q == h0_i) && (h1_q == h1_i);

  logic [4:0] rank;  // on five wires
  logic [2:0] number;
  assign rank   = 5'(8'd1 << rank_i);
  assign number = spec_pkg::rank_number(rank);

`include "rdt_assert.svh"
  for (genvar p = 0; p < rdt_pkg::NumPorts; p++) begin : gen_port
`ifdef ROUTE
    logic [10:0] set, rdy;
    logic [1:0]  ovc;
    logic        mc;
    logic [3:0]  err;
    logic [17:0] spec;
    logic        raw;
    assign raw = raw_i && (p == 8);
    rdt_route #(.InPort(p)) u_route (
      .clk_i(clk_i), .h0_i(h0_i), .h1_i(h1_i), .h2_i(h2_i), .in_vc_i(in_vc_i), .rank_i(rank), .xfer_i(xfer_i),
      .dateline_i(dateline_i), .bad_map_i(bad_map_i), .raw_i(raw), .credit_i(credit_i),
      .set_o(set), .rdy_o(rdy), .ovc_o(ovc), .mc_o(mc), .err_o(err)
    );
    assign spec = spec_pkg::route(4'(p), h0_i, h1_i, h2_i, in_vc_i, number, xfer_i, dateline_i, bad_map_i, raw);
    `RDT_PROMISE("the route is as specified", {mc, err, ovc, set} == spec)
    `RDT_PROMISE("ready is what has a credit", rdy == spec_pkg::ready(spec[10:0], spec[12:11], spec[11], credit_i))
`else
    logic [9:0]  set, rdy;
    logic        relay, expl, exp0, hop, bad;
    logic [14:0] spec;
    logic [8:0]  kept;
    rdt_bitmap #(.InPort(p)) u_bitmap (
      .clk_i(clk_i), .h0_i(h0_i), .h1_i(h1_i), .h2_i(h2_i), .rank_i(rank), .xfer_i(xfer_i), .mask_i(mask_i),
      .ranks_i(ranks_i), .in_vc_i(in_vc_i), .credit_i(credit_i),
      .set_o(set), .rdy_o(rdy), .relay_o(relay), .expl_o(expl), .exp0_o(exp0), .xfer_o(hop), .bad_map_o(bad)
    );
    assign spec = spec_pkg::bitmap(4'(p), h0_i, h1_i, h2_i, number, xfer_i, mask_i, ranks_i, in_vc_i);
    assign kept = spec_pkg::plan({1'b1, 17'd0}, spec, 3'd0);
    `RDT_PROMISE("the outputs are as specified", {bad, set} == {spec[14], spec[9:0]})
    `RDT_PROMISE("the plan is as specified", bad || {hop, exp0, expl, relay} == spec[13:10])
    `RDT_PROMISE("ready is what has a credit",
                 bad || {1'b0, rdy} == spec_pkg::ready({1'b0, set}, spec_pkg::low_vc(kept), spec_pkg::high_vc(kept), credit_i))
`endif
  end
`ifdef ROUTE
  `RDT_COVER(gen_port[0].ovc == 2'd1 && gen_port[1].ovc == 2'd0 && gen_port[3].set[1])
`else
  `RDT_COVER(gen_port[6].set == 10'h1BF)
`endif
endmodule
