// SPDX-License-Identifier: MIT
// Restore is the inverse of dump: a context that one router dumps as a SHOT packet, fed to another router,
// names the same buffer, is accepted as valid and is restored there bit by bit.
module put_back (
  input logic        clk_i,
  input logic        reset_i,
  input logic        step_i,
  input logic [20:0] ctx_i,     // the dumped context
  input logic        run_i      // MBP 0 may set the bit that makes the router resume
);
  logic rst_ni, on_q;
  initial on_q = 1'b0;
  always_ff @(posedge clk_i) on_q <= 1'b1;
  assign rst_ni = on_q && !reset_i;

  logic [29:0] look_dump, look_put;
  logic [16:0] f0, f1, f2, h0;
  logic [20:0] ctx;
  logic        at_slot, fits, is_slot, found;

  // The scan continues while nothing is found; then the packet of three flits is made.
  assign ctx = ctx_i;
  for (genvar k = 0; k < 3; k++) begin : gen_flit
    logic [16:0] flit;
    logic [29:0] look;
    logic [1:0]  s;
    logic        h, sl, en, fi, fo, follows, el, ep;
    logic [2:0]  et;
    rdt_shot u_dump (
      .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(1'b1), .shot_o(s), .halt_o(h), .recv_i(1'b0), .put_i(1'b0),
      .table_i(1'b1), .h0_i(17'd0), .h1_i(17'd0), .h2_i(17'd0), .plan_i(6'd0), .end_i(1'b0), .run_i(1'b0),
      .slot_o(sl), .entry_o(en), .fits_o(fi), .step_i(step_i), .found_o(fo), .sent_i(1'b0), .dumped_i(1'b0),
      .follows_o(follows), .flit_i(2'(k)), .flit_o(flit), .xy_i(16'd0), .look_o(look), .ctx_i(ctx),
      .ent_look_o(el), .ent_tag_o(et), .ent_put_o(ep), .ent_used_i(1'b0)
    );
  end
  assign f0        = gen_flit[0].flit;
  assign f1        = gen_flit[1].flit;
  assign f2        = gen_flit[2].flit;
  assign look_dump = gen_flit[0].look;
  assign found     = gen_flit[0].fo;
  assign at_slot   = gen_flit[0].follows;
  assign h0        = f0 | {14'd0, run_i, 2'd0};

  logic [1:0]  s1;
  logic        h1o, en1, fo1, fl1, el1, ep1;
  logic [2:0]  et1;
  logic [16:0] fx;
  rdt_shot u_put (
    .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(1'b0), .shot_o(s1), .halt_o(h1o), .recv_i(1'b1), .put_i(1'b0),
    .table_i(1'b0), .h0_i(h0), .h1_i(f1), .h2_i(f2), .plan_i(f2[rdt_pkg::H2SlotmcHi:rdt_pkg::H2SlotentLo]),
    .end_i(1'b0), .run_i(1'b0), .slot_o(is_slot), .entry_o(en1), .fits_o(fits), .step_i(1'b0), .found_o(fo1),
    .sent_i(1'b0), .dumped_i(1'b0), .follows_o(fl1), .flit_i(2'd0), .flit_o(fx), .xy_i(16'd0), .look_o(look_put),
    .ctx_i(21'd0), .ent_look_o(el1), .ent_tag_o(et1), .ent_put_o(ep1), .ent_used_i(1'b0)
  );
  // The fields as rdt_local extracts them.
  logic [19:0] put_ctx;
  assign put_ctx = {f1[rdt_pkg::H1SlotpendHi:rdt_pkg::H1SlotpendLo], f2[rdt_pkg::H2SlotmcHi:rdt_pkg::H2SlotplanLo],
                    h0[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo], f2[rdt_pkg::H2SlotentLo]};

  // A context that the router can hold (section 4.4).
  logic       mc, ent;
  logic [9:0] pend;
  logic [3:0] k;
  assign {mc, k, ent} = {ctx_i[8:4], ctx_i[0]};
  assign pend = ctx_i[18:9];
  logic valid;
  assign valid = ctx_i[20] && !ctx_i[19] && (pend != 10'd0) &&
                 (mc ? !ent || ctx_i[3:1] != 3'd0
                     : !ent && (pend & (pend - 10'd1)) == 10'd0 &&
                       ((|pend[1:0]) ? k < 4'd3 : (|pend[7:2]) ? k < 4'd2 : k == 4'd0));

`include "rdt_assert.svh"
  logic dumps;
  assign dumps = found && at_slot && valid;
  `RDT_PROMISE("the dumped packet is decoded as the context of a buffer", !dumps || is_slot)
  `RDT_PROMISE("the context is restored to the buffer it came from", !dumps || look_put == look_dump)
  `RDT_PROMISE("the dumped context is accepted as valid", !dumps || fits)
  `RDT_PROMISE("the restored context equals the dumped context", !dumps || put_ctx == ctx_i[19:0])
  `RDT_COVER(dumps && look_put == 30'd1 << 27 && ctx_i[8])
endmodule
