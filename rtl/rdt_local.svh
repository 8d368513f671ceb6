// SPDX-License-Identifier: MIT
// What rdt_local promises and relies on.
`RDT_PROMISE("LOCAL receives one packet at a time", !x_gnt_o || ready_o)
`RDT_PROMISE("LOCAL receives no packet while it answers one", !ready_o || idle || put)

`RDT_RELY("a grant was offered", !gnt_i || x_gnt_o)
`RDT_RELY("a packet arrives from the cycle after its grant", !(recv || putrx) || ridx != 4'd0 || x_i[DataW +: rdt_pkg::CodeW] == 2'd1)
`RDT_RELY("a packet arrives from one input", !(recv || putrx) || (sel_i != 10'd0 && (sel_i & (sel_i - 10'd1)) == 10'd0))
`RDT_RELY("a packet has at most sixteen flits", !(recv || putrx) || ridx != 4'd15 || x_i[DataW +: rdt_pkg::CodeW] == 2'd1)
`RDT_RELY("a packet has at least three flits", !(recv || putrx) || ridx != 4'd1 || x_i[DataW +: rdt_pkg::CodeW] != 2'd1)
`RDT_RELY("a packet with an error has three flits, a SETUP more",
          !recv || ridx != 4'd2 || code_q == rdt_pkg::ErrNone || x_i[DataW +: rdt_pkg::CodeW] == 2'd1)
`RDT_RELY("a SHOT without a packet has three flits",
          !recv || ridx != 4'd2 || h0_q[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] != rdt_pkg::TypeShot ||
          x_i[DataW +: rdt_pkg::CodeW] == 2'd1)
`RDT_RELY("the injector grants only requests", (loc_gnt_i & ~loc_want_o) == 2'd0)
`ifdef FORMAL
`RDT_COVER(tx && kind == 2'd2 && ridx == 4'd4 && value == 16'h1234)
`endif
