// SPDX-License-Identifier: MIT
// What rdt_ack_port promises and relies on.
logic             f_asks_q;
logic [NumVc-1:0] f_oh_q;
always_ff @(posedge clk_i) begin
  f_asks_q <= rst_ni && waits && !answered;
  f_oh_q   <= ent_oh_o;
end
`RDT_PROMISE("one VC asks at a time", (ent_oh_o & (ent_oh_o - NumVc'(1))) == '0 && (|ent_oh_o) == waits)
`RDT_PROMISE("it is one that waits", (ent_oh_o & ~wait_i) == '0)
`RDT_PROMISE("who asks keeps asking until answered", !f_asks_q || (f_oh_q & wait_i) == '0 || ent_oh_o == f_oh_q)
`RDT_RELY("an answer comes only to who asks, and one", !(ent_gnt_i && retry_ack_i) && (!answered || ent_req_o))
`RDT_COVER(retry_ack_i && ent_oh_o[NumVc-1] && (&wait_i))
