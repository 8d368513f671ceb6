// SPDX-License-Identifier: MIT
// What rdt_ack_entry promises and relies on.
logic       f_on_q, f_new_q, f_full_q, f_quar_q;
logic [3:0] f_gen_q;
always_ff @(posedge clk_i) begin
  f_on_q   <= rst_ni;
  f_new_q  <= new_i;
  f_full_q <= rst_ni && full_o && !sent_i && !new_i;
  f_quar_q <= rst_ni && quar_o && !tick_i && left && !new_i;
  f_gen_q  <= gen_q;
end
`RDT_GIVEN("an entry stays full until its ack is sent", !f_full_q || full_o)
`RDT_GIVEN("quarantine ends only by a tick or the last ack", !f_quar_q || quar_o)
`RDT_GIVEN("the generation changes only when the entry is taken", !f_on_q || f_new_q || gen_q == f_gen_q)
`RDT_GIVEN("done_q is set exactly when no ack is missing", free_o || done_q == (pend_q == 10'd0))

`RDT_RELY("an allocated entry was free", !new_i || put_i || free_o)
`RDT_RELY("an ack is sent only when one is pending", !sent_i || full_o)
`RDT_RELY("no other event occurs at an entry that is restored", !put_i || (!land_i && !sent_i))
`RDT_RELY("a landing ack was missing", !land_i || (!free_o && (ack_oh_i & pend_q) != 10'd0))
`RDT_RELY("more_i is the OR of the other missing acks", !land_i || more_i == ((pend_q & ~ack_oh_i) != 10'd0))
`RDT_RELY("empty_i is set exactly when the set is empty", !new_i || empty_i == (set_i == 10'd0))
`RDT_RELY("put_i comes only with new_i, and quar_i only with put_i", (!put_i || new_i) && (!quar_i || put_i || !new_i))

`ifdef FORMAL
// Status of its answers, ports that have answered, and ticks so far.
logic [5:0] f_said_q;
logic [9:0] f_miss_q;
logic [1:0] f_wait_q;  // ticks in Wait
logic [2:0] f_rest_q;  // ticks in quarantine since no copy is held
logic       f_was_q, f_over_q;
always_ff @(posedge clk_i) begin
  if (new_i) begin
    f_said_q <= put_i ? st_i : 6'd0;
    f_miss_q <= set_i;
    f_wait_q <= 2'd0;
    f_rest_q <= 3'd0;
  end else begin
    if (land_i) f_miss_q <= f_miss_q & ~ack_oh_i;
    f_said_q <= f_said_q | (st_i & {6{land_i && waits}}) | (6'(late_o) << rdt_pkg::AckTimeout);
    if (tick_i && waits) f_wait_q <= f_wait_q + 2'd1;
    if (sent_i || !quar_o || (tick_i && held_i)) f_rest_q <= 3'd0;
    else if (tick_i) f_rest_q <= f_rest_q + 3'd1;
  end
  f_was_q  <= rst_ni && quar_o && !new_i;
  f_over_q <= tick_i && !held_i && f_rest_q == 3'd5;
end
`RDT_GIVEN("the status is the OR of its answers", !full_o || status_q == f_said_q)
`RDT_GIVEN("an entry waits exactly for the ports that have not answered", free_o || pend_q == f_miss_q)
`RDT_GIVEN("the second tick ends the wait of an entry", Lane || !waits || done_q || f_wait_q <= 2'd1)
`RDT_GIVEN("the wait of the reserved entry is ended by LOCAL, not by ticks", !Lane || late_o == (end_i && waits && left && !new_i))
`RDT_GIVEN("the sixth tick ends the quarantine of an entry", !quar_o || f_rest_q <= 3'd5)
`RDT_GIVEN("a tag is not reused while answers may still come", !f_was_q || !free_o || f_over_q || f_miss_q == 10'd0)
`RDT_COVER(quar_o && f_rest_q == 3'd5 && f_said_q == 6'h3F)
`endif
