// SPDX-License-Identifier: MIT
// What rdt_local_fsm promises and relies on.
logic       f_send_q;
logic [9:0] f_wait_q;
logic [3:0] f_ridx_q;
state_e     f_st_q;
logic       f_counts;  // every cycle is a flit
assign f_counts = tx_o || putrx_o || recv_o || st_q == StDumpRd;
always_ff @(posedge clk_i) begin
  f_send_q <= rst_ni && send;
  f_wait_q <= wait_q;
  f_ridx_q <= ridx_q;
  f_st_q   <= st_q;
  if (!rst_ni) f_st_q <= StIdle;
end
`RDT_PROMISE("an answer waits at most SendWait cycles",
             !send || kind_q == KindShot || wait_q == (f_send_q ? f_wait_q + 10'd1 : 10'd0))
`RDT_PROMISE("it is wanted where there is a credit", (loc_want_o & ~m_credit_i) == 2'd0 && loc_want_o != 2'd3)
`RDT_PROMISE("a packet of its own has at most six flits", !tx_o || ridx_q <= 4'd5)
`RDT_PROMISE("flits are counted", f_st_q != st_q || !f_counts || ridx_q == f_ridx_q + 4'd1)
`RDT_PROMISE("from 0 on", f_st_q == st_q || !f_counts || ridx_q == 4'd0)
`RDT_GIVEN("never stuck: the last cycle of a wait, a packet or a dump is its last",
             !((send && kind_q != KindShot && (&wait_q)) || (f_counts && (&ridx_q)) || (tx_o && ridx_q == 4'd5)) ||
             st_d != st_q)

`RDT_RELY("the injector grants what is wanted", (loc_gnt_i & ~loc_want_o) == 2'd0)
`RDT_RELY("a packet has at most sixteen flits", !(recv_o || putrx_o) || ridx_q != 4'd15 || last_i)
`RDT_RELY("the end of a SHOT packet is an end", !shot_end_i || last_i)
`RDT_RELY("its own packets have as many flits as their kind says",
          !tx_o || tx_last_i == (ridx_q == (kind_q == KindErr ? 4'd5 : kind_q == KindAnswer ? 4'd4 : 4'd2)))
