// SPDX-License-Identifier: MIT
// What rdt_local promises and relies on.
logic       f_send_q, f_dump_q;
logic [9:0] f_wait_q;
logic [3:0] f_ridx_q;
logic [2:0] f_st_q;
always_ff @(posedge clk_i) begin
  f_send_q <= rst_ni && send;
  f_wait_q <= wait_q;
  f_dump_q <= (st_q == StDump) && cmd_q;
  f_ridx_q <= ridx_q;
  f_st_q   <= rst_ni ? st_q : StIdle;
end
`RDT_PROMISE("one packet at a time", !x_gnt_o || ready_o)
`RDT_PROMISE("and none while it is answered", !ready_o || idle || put)
`RDT_PROMISE("an answer waits at most SendWait clocks",
             !send || kind_q == KindShot || wait_q == (f_send_q ? f_wait_q + 10'd1 : 10'd0))
`RDT_PROMISE("it is wanted where there is a credit", (loc_want_o & ~m_credit_i) == 2'd0 && loc_want_o != 2'd3)
`RDT_PROMISE("a packet of its own has at most six flits", !tx || ridx_q <= 4'd5)
`RDT_PROMISE("flits are counted", !(f_st_q == st_q && (tx || putrx || recv || f_dump_q)) || ridx_q == f_ridx_q + 4'd1)
`RDT_PROMISE("from 0 on", f_st_q == st_q || !(tx || putrx || recv) || ridx_q == 4'd0)
`RDT_PROMISE("never stuck: the last clock of a wait, a packet or a dump is its last",
             !((send && kind_q != KindShot && (&wait_q)) || ((recv || putrx) && (&ridx_q)) || (tx && ridx_q == 4'd5) ||
               (st_q == StDump && cmd_q && (&ridx_q))) || st_d != st_q)
`RDT_PROMISE("a state there is", st_q != 3'd7)

`RDT_RELY("what is granted was offered", !gnt_i || x_gnt_o)
`RDT_RELY("a packet comes from the clock after its grant on", !(recv || putrx) || ridx_q != 4'd0 || x_i[19:18] == 2'd1)
`RDT_RELY("from one input", !(recv || putrx) || (sel_i != 10'd0 && (sel_i & (sel_i - 10'd1)) == 10'd0))
`RDT_RELY("it has at most sixteen flits", !(recv || putrx) || ridx_q != 4'd15 || x_i[19:18] == 2'd1)
`RDT_RELY("and at least three", !(recv || putrx) || ridx_q != 4'd1 || x_i[19:18] != 2'd1)
`RDT_RELY("one with an error has three; a SETUP more",
          !recv || ridx_q != 4'd2 || code_q == rdt_pkg::ErrNone || x_i[19:18] == 2'd1)
`RDT_RELY("the injector grants what is wanted", (loc_gnt_i & ~loc_want_o) == 2'd0)
`ifdef FORMAL
`RDT_COVER(tx && kind_q == KindAnswer && ridx_q == 4'd4 && value == 16'h1234)
`endif
