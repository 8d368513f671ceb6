// SPDX-License-Identifier: MIT
// What rdt_inject promises and relies on.
logic       f_want_q, f_loc_q;
logic [6:0] f_wait_q;
always_ff @(posedge clk_i) begin
  f_want_q <= rst_ni && st_q == StWant;
  f_wait_q <= wait_q;
  f_loc_q  <= rst_ni && (|loc_gnt_o);
end
`RDT_GIVEN("at most one line is requested at a time", (want_o & (want_o - 10'd1)) == 10'd0)
`RDT_PROMISE("an ack waits at most AckWait cycles", st_q != StWant || wait_q == (f_want_q ? f_wait_q + 7'd1 : 7'd0))
`RDT_PROMISE("a dropped ack is reported", !(st_q == StWant && st_d == StIdle) || ev_lost_o)
`RDT_PROMISE("an ack has three flits", st_q != StAck || idx_q <= 2'd2)
`RDT_PROMISE("a RETRY answers a request that gets no entry",
             (retry_ack_o & ~(retry_i & ~ent_gnt_i)) == 10'd0 && (retry_ack_o & (retry_ack_o - 10'd1)) == 10'd0)
`RDT_PROMISE("only a pending ack is taken", !snd_take_o || snd_v_i)
`RDT_PROMISE("an ack is taken in Idle, or with banks while the H0 of another one is sent", !snd_take_o || idle || hands)
`RDT_PROMISE("an ack that is taken with another one has no other parent",
             !snd_take_o || idle || (rdt_ports_pkg::oh_of(port_q) | busy_o) == 10'h3FF)
`RDT_PROMISE("an ack to an MBP goes alone", !snd_take_o || idle || port_q < 4'(rdt_pkg::NumNet))
`RDT_PROMISE("LOCAL is granted only its requests", (loc_gnt_o & ~loc_want_i) == 2'd0)
`RDT_PROMISE("an ack or packet is taken only in Idle", idle || !(takes || (|loc_gnt_o)))

`RDT_RELY("an ack is for a port that is not busy", !snd_v_i || (rdt_ports_pkg::oh_of(snd_port_i) & busy_o) == 10'd0)
`RDT_RELY("LOCAL sends to one MBP", loc_want_i != 2'd3)
`RDT_RELY("LOCAL sends from the cycle after its grant on", !f_loc_q || loc_x_i[StreamW-1:DataW] == 2'd1)
`ifdef FORMAL
// Port 3: cycles since its last ack, no more than AckGap counted; the cycles of the state it is in.
logic [4:0] f_gap_q;
logic [7:0] f_stay_q;
always_ff @(posedge clk_i) begin
  if (!rst_ni)                                 f_gap_q <= 5'(rdt_pkg::AckGap);
  else if (used[3])                            f_gap_q <= 5'd1;
  else if (f_gap_q != 5'(rdt_pkg::AckGap))     f_gap_q <= f_gap_q + 5'd1;
  if (!rst_ni || st_d != st_q || st_q == StIdle || st_q == StLoc) f_stay_q <= 8'd0;
  else                                                            f_stay_q <= f_stay_q + 8'd1;
end
`RDT_PROMISE("acks on a link are at least AckGap cycles apart", !used[3] || f_gap_q == 5'(rdt_pkg::AckGap))
`RDT_PROMISE("an ack never blocks the injector", f_stay_q < 8'(rdt_pkg::AckWait))
`RDT_PROMISE("the wait counter ends the wait of an ack", st_q != StWant || f_stay_q == {1'b0, wait_q})
`RDT_PROMISE("a port with an ack is marked as busy", f_gap_q == 5'(rdt_pkg::AckGap) || (m0_q[3] || m1_q[3]))
`RDT_PROMISE("a port stays busy until the counter has wrapped",
             f_gap_q == 5'(rdt_pkg::AckGap) || m1_q[3] || (m0_q[3] && f_gap_q <= {1'b0, cool_q} + 5'd1) || f_gap_q <= {1'b0, cool_q})
`RDT_COVER(ev_lost_o && f_gap_q == 5'(rdt_pkg::AckGap))
`endif
