// SPDX-License-Identifier: MIT
// What rdt_bitmap promises.
`ifdef FORMAL
logic rst_ni;
assign rst_ni = 1'b1;
`RDT_PROMISE("upper ports only from the level of the own rank", expl_o || set_o[7:4] == 4'd0)
`RDT_PROMISE("a transfer hop goes one way", !xfer_o || expl_o || (set_o & (set_o - 10'd1)) == 10'd0)
`RDT_PROMISE("an empty set is bad", set_o != 10'd0 || bad_map_o)
`RDT_COVER(set_o == 10'h1F3 && !bad_map_o)
`endif
