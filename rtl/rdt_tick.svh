// SPDX-License-Identifier: MIT
// What rdt_tick promises and relies on.
logic f_on_q, f_load_q;
logic [Width-1:0] f_next_q, f_period_q;
always_ff @(posedge clk_i) begin
  f_on_q     <= rst_ni;
  f_period_q <= period_i;
  f_load_q <= rst_ni && load_i;
  f_next_q <= next_i;
end
`RDT_PROMISE("a written period takes effect at once", !f_load_q || cnt_q == f_next_q)
`RDT_PROMISE("the next tick is at most a period away", cnt_q <= period_i)
`RDT_RELY("the period changes only by a write", f_on_q == 1'b0 || period_i == (f_load_q ? f_next_q : f_period_q))
`RDT_PROMISE("a halted router and a period of 0 have no ticks", !tick_o || (!halt_i && period_i != '0))
