// SPDX-License-Identifier: MIT
// What rdt_bitmap promises.
`ifdef FORMAL
logic rst_ni;
assign rst_ni = 1'b1;
`RDT_RELY("the stored decisions belong to this H0 and H1",
          larp_q == (h0_i[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] == rdt_pkg::TypeMcLarp) &&
          some_q == {|m4, |m3} && some2_q == (|m2[7:1]))
`RDT_PROMISE("upper ports are used only from the level of the own rank", expl_o || set_o[7:4] == 4'd0)
`RDT_PROMISE("a transfer hop goes in one direction", !xfer_o || expl_o || (set_o & (set_o - 10'd1)) == 10'd0)
`RDT_PROMISE("a map is rejected exactly when its set of outputs is empty", (set_o == 10'd0) == bad_map_o)
`RDT_PROMISE("exactly the outputs with a credit are ready", (rdy_o & ~set_o) == 10'd0 && ((&credit_i) ? rdy_o == set_o : 1'b1))
`RDT_PROMISE("a copy from a transfer hop returns by one only from a node that expands its level",
             !(rdt_ports_pkg::has_vct(InPort) && in_vc_i == 2'd2 && set_o[InPort % 2] && xfer_o) || expl_o)
`RDT_PROMISE("a map for a relay reaches a relay or is rejected", !(FromNorth && in_vc_i == 2'd0) || expl_o || bad_map_o)
`RDT_COVER(set_o == (FromNorth ? 10'h1BF : 10'h1F3) && !bad_map_o)
`endif
