// SPDX-License-Identifier: MIT
// What rdt_output_unit promises and relies on.
logic       f_void_q;
logic [1:0] f_code_q;  // code of the previous flit
always_ff @(posedge clk_i) begin
  f_void_q <= rst_ni && line_void_i && !sends && !down_i;
  f_code_q <= code;
end

`RDT_PROMISE("an unused grant is void", !f_void_q || req_q == rdt_pkg::ReqIdle)
`RDT_PROMISE("parity is preserved", !tx_q || (^d_d[rdt_pkg::FlitW-1:0]) == ((^x) ^ flip_vc))
`RDT_PROMISE("a dead output does not request the line", !dead || sends || down_i || ask_i || line_void_i || !req_d[0])

`RDT_RELY("the line is offered only while the link is up", !line_gnt_i || up_i)
`RDT_RELY("a grant was offered", !gnt_i || xb_gnt_o)
`RDT_RELY("a stream begins after the previous one has ended", !start || !tx_q || (hidx_q != 2'd0 && code == 2'd1))
// From the crossbar VC-T may come to an output that has none: in a multicast that was put back with a context
// that none had. The other end takes it for no packet and the link re-synchronizes.
`RDT_RELY("the first code is a VC", !head || (code != 2'd0 && !(NumVc < 2 && code[1])))
`RDT_RELY("the first code of a LOCAL packet is a VC of the output", !head || !txloc_q || !(NumVc < 3 && code == 2'd3))
`RDT_RELY("no packet is shorter than three flits", !tx_q || hidx_q != 2'd1 || !code[0])
`RDT_RELY("the last two codes end a packet", !tx_q || hidx_q < 2'd2 || (f_code_q == 2'd0) == (code == 2'd1))
`RDT_RELY("codes within a packet are 0 to 2", !tx_q || hidx_q == 2'd0 || code != 2'd3)
`RDT_COVER(oe_q && f_void_q == 1'b0 && hidx_q == 2'd2 && flip != 17'd0)
