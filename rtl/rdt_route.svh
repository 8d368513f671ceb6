// SPDX-License-Identifier: MIT
// What rdt_route promises.
`ifdef FORMAL
logic rst_ni;
assign rst_ni = 1'b1;
// Without a cycle with H1 before anything may be kept; these are what it means.
logic [5:0] f_v3, f_v2;
assign f_v3 = h1_i[rdt_pkg::H1V3xHi:rdt_pkg::H1V3yLo];
assign f_v2 = h1_i[rdt_pkg::H1V2xHi:rdt_pkg::H1V2yLo];
`RDT_RELY("the stored kind and its errors belong to this H0",
          type_q == is_bad_type && len_q == is_bad_len && short_q == (len < 4'd2) && mc_q == is_mc &&
          setup_q == is_setup && shot_q == is_shot)
`RDT_RELY("the stored errors of H1 belong to this H1",
          uni_q == (!is_mc && !is_shot && !is_bad_type && !is_bad_len && !h1_i[rdt_pkg::H1Rsv1Lo]))
`RDT_RELY("the vectors are those of H0 and H1",
          top_q == {|v4, (|f_v3) && !(|v4), (|f_v2) && !(|v4) && !(|f_v3)} && upper_q == (|{v4, f_v3, f_v2}) &&
          vy_q == {|v4[2:0], |f_v3[2:0], |f_v2[2:0]} && v0x_q == (v0x != 4'd0))
`RDT_PROMISE("a packet with an error goes to LOCAL", err_o == rdt_pkg::ErrNone || (set_o == 11'h400 && ovc_o == 2'd0))
`RDT_PROMISE("a route has at most one output", (set_o & (set_o - 11'd1)) == 11'd0)
`RDT_PROMISE("the route of a multicast without an error has no output", (set_o == 11'd0) == (mc_o && err_o == rdt_pkg::ErrNone))
`RDT_PROMISE("VC-T is used only on E0 and W0", ovc_o != 2'd2 || set_o[1:0] != 2'd0)
`RDT_PROMISE("MBPs and LOCAL use VC 0", set_o[7:0] != 8'd0 || ovc_o == 2'd0)
`RDT_PROMISE("the VC exists", ovc_o != 2'd3)
for (genvar o = 0; o < rdt_pkg::NumOuts; o++) begin : gen_promise
  `RDT_PROMISE("an output is ready exactly with a credit", rdy_o[o] == (set_o[o] && credit_i[3*o + (o < 8 ? {30'd0, ovc_o} : 0)]))
end
`RDT_COVER(ovc_o == 2'd2 && set_o[1])
`endif
