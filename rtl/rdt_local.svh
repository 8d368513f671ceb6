// SPDX-License-Identifier: MIT
// What rdt_local promises and relies on.
`RDT_PROMISE("one packet at a time", !x_gnt_o || ready_o)
`RDT_PROMISE("and none while it is answered", !ready_o || idle || put)

logic f_loc_q;
always_ff @(posedge clk_i) f_loc_q <= rst_ni && (|loc_gnt_i);
`RDT_GIVEN("it sends from the clock after its grant on", !f_loc_q || loc_x_o[DataW +: rdt_pkg::CodeW] == 2'd1)
`RDT_GIVEN("nothing is dropped in a halted chip", !halt_o || !drop_o)
`RDT_GIVEN("nothing is dumped or put back while the chip runs",
           !run_o || (!dump_o && !put_set_o && !put_we_o && !keep_o && !raw_o))
`RDT_GIVEN("what is put back is there with its last flit", !put_set_o || put_addr_o >= 4'd2)
`RDT_GIVEN("packets are put back into a halted chip", !put_set_o || halt_o)

`RDT_RELY("what is granted was offered", !gnt_i || x_gnt_o)
`RDT_RELY("a packet comes from the clock after its grant on", !(recv || putrx) || ridx != 4'd0 || x_i[DataW +: rdt_pkg::CodeW] == 2'd1)
`RDT_RELY("from one input", !(recv || putrx) || (sel_i != 10'd0 && (sel_i & (sel_i - 10'd1)) == 10'd0))
`RDT_RELY("it has at most sixteen flits", !(recv || putrx) || ridx != 4'd15 || x_i[DataW +: rdt_pkg::CodeW] == 2'd1)
`RDT_RELY("and at least three", !(recv || putrx) || ridx != 4'd1 || x_i[DataW +: rdt_pkg::CodeW] != 2'd1)
`RDT_RELY("one with an error has three; a SETUP more",
          !recv || ridx != 4'd2 || code_q == rdt_pkg::ErrNone || x_i[DataW +: rdt_pkg::CodeW] == 2'd1)
`RDT_RELY("a SHOT without one has three",
          !recv || ridx != 4'd2 || h0_q[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] != rdt_pkg::TypeShot ||
          x_i[DataW +: rdt_pkg::CodeW] == 2'd1)
`RDT_RELY("the injector grants what is wanted", (loc_gnt_i & ~loc_want_o) == 2'd0)
`ifdef FORMAL
`RDT_COVER(tx && kind == 2'd2 && ridx == 4'd4 && value == 16'h1234)
`endif
