// SPDX-License-Identifier: MIT
// What rdt_link_io promises and relies on.
logic       f_open_q, f_down_q, f_call_q;
logic [2:0] f_room_q, f_add_q;
always_ff @(posedge clk_i) begin
  f_open_q <= rst_ni && rx_valid_q && !rx_last_q;
  f_down_q <= rst_ni && down_o;
  f_call_q <= call_o;
  f_room_q <= rst_ni ? room_i : 3'b111;
  f_add_q  <= add;
end

`RDT_PROMISE("flits are framed by first and last", rx_valid_q == (rx_first_q || f_open_q) && !(rx_first_q && f_open_q))
`RDT_PROMISE("the line is acquired or released, not both", !(take && give))
`RDT_PROMISE("a line is offered only while the link is up", !line_gnt_o || up_o)
`RDT_PROMISE("a credit shown in two cycles encodes its VC", !rep_q || ann || (!(NumVc < 3 && cred_q == 2'd3) && !(NumVc < 2 && cred_q[1])))
`RDT_PROMISE("the state is one of the defined states", st_q != 3'd7)

`RDT_RELY("REQ is 3 in Sync and 0 in Zero and Ann", !f_down_q || own_req_i == {2{f_call_q}})
`RDT_RELY("REQ[1] is set only in the own transfer", !up_o || !own[1] || (mine_q && (start || xfer)))
`RDT_RELY("the link does not call in its own transfer", !xfer || !mine_q || own != rdt_pkg::ReqCall)
`RDT_RELY("a buffer is empty in the cycle after its credit was returned", (room_i & ~f_room_q & ~f_add_q) == 3'd0)
`RDT_COVER(rx_last_q && rx_vc_q == 2'(NumVc - 1) && mine_q && line_gnt_o)
