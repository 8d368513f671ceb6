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
`RDT_PROMISE("an answer requests only an MBP with a credit", (loc_want_o & ~m_credit_i) == 2'd0 && loc_want_o != 2'd3)
`RDT_PROMISE("a packet that LOCAL generates has at most six flits", !tx_o || ridx_q <= 4'd5)
`RDT_PROMISE("flits are counted", f_st_q != st_q || !f_counts || ridx_q == f_ridx_q + 4'd1)
`RDT_PROMISE("the flit counter starts at 0", f_st_q == st_q || !f_counts || ridx_q == 4'd0)
`RDT_GIVEN("a wait, a packet or a dump ends in its last cycle",
             !((send && kind_q != KindShot && (&wait_q)) || (f_counts && (&ridx_q)) || (tx_o && ridx_q == 4'd5)) ||
             st_d != st_q)

`RDT_RELY("the injector grants only requests", (loc_gnt_i & ~loc_want_o) == 2'd0)
`RDT_RELY("a packet has at most sixteen flits", !(recv_o || putrx_o) || ridx_q != 4'd15 || last_i)
`RDT_RELY("the end of a SHOT packet is the end of a packet", !shot_end_i || last_i)
`RDT_RELY("packets that LOCAL generates have the length of their kind",
          !tx_o || tx_last_i == (ridx_q == (kind_q == KindErr ? 4'd5 : kind_q == KindAnswer ? 4'd4 : 4'd2)))
