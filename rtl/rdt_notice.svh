// SPDX-License-Identifier: MIT
// What rdt_notice promises and relies on.
`RDT_PROMISE("at most one pending time-out is reported at a time",
             (to_ack_o & (to_ack_o - 10'd1)) == 10'd0 && (to_ack_o & ~to_pend_i) == 10'd0)
logic [1:0] f_idle_q;  // cycles of idle_i since the last notice
always_ff @(posedge clk_i) begin
  if (!rst_ni) f_idle_q <= 2'd2;
  else if (idle_i && any_o) f_idle_q <= 2'd0;
  else if (idle_i && f_idle_q != 2'd2) f_idle_q <= f_idle_q + 2'd1;
end
`RDT_PROMISE("a pending notice is reported when LOCAL is idle and has had time for a packet",
             !idle_i || !late || (|to_ack_o) || f_idle_q != 2'd2)
`RDT_PROMISE("LOCAL has two cycles for packets after a notice", !(idle_i && any_o) || f_idle_q == 2'd2)
`RDT_PROMISE("events of MBP 0's own link are not reported", !sync_q[rdt_pkg::PortM0] && !sunk_q[rdt_pkg::PortM0])
`RDT_COVER(stray_q && (|sync_q) && (|sunk_q) && (|to_ack_o))
