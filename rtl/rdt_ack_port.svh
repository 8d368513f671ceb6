// SPDX-License-Identifier: MIT
// What rdt_ack_port promises and relies on.
// Cycles since the last request of a waiting VC, and ticks of both kinds since its wait is counted.
logic             f_on_q;
logic [NumVc-1:0] f_wait_q, f_oh_q, f_counted_q;
logic [1:0]       f_ewait_q;
logic             f_kept_q;
always_ff @(posedge clk_i) begin
  f_on_q      <= rst_ni;
  f_wait_q    <= wait_i;
  f_oh_q      <= ent_oh_o;
  f_counted_q <= wait_oh;
  f_ewait_q   <= ewait_q;
  f_kept_q    <= ent_req_o && !(answered && counted) && keeps;
end
for (genvar v = 0; v < NumVc; v++) begin : gen_turn
  logic [1:0] f_since_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !wait_i[v] || ent_oh_o[v]) f_since_q <= 2'd0;
    else f_since_q <= f_since_q + 2'd1;
  end
  `RDT_PROMISE("a waiting VC requests at least once in NumVc cycles", f_since_q < 2'(NumVc))
end
`RDT_PROMISE("at most one VC requests at a time", (ent_oh_o & (ent_oh_o - NumVc'(1))) == '0 && (|ent_oh_o) == waits)
`RDT_PROMISE("the requesting VC is a waiting one", (ent_oh_o & ~wait_i) == '0)
`RDT_PROMISE("the requesting VC changes in every cycle if another one waits",
             !f_on_q || f_oh_q == '0 || (wait_i & ~f_oh_q) == '0 || (ent_oh_o & f_oh_q) == '0)
`RDT_PROMISE("the wait of one VC is counted until that VC no longer waits",
             (wait_oh & (wait_oh - NumVc'(1))) == '0 && wait_oh != '0 &&
             (!f_on_q || (f_counted_q & f_wait_q) == '0 || wait_oh == f_counted_q))
`RDT_PROMISE("a counted wait is cleared only by an answer or in a halted router",
             !f_on_q || !f_kept_q || ewait_q >= f_ewait_q)
`RDT_PROMISE("RETRY answers only an aged request", !retry_o || ent_old_o)
if (Pairs) begin : gen_f_pair
  logic f_half_q;  // H0 of an ack has come, and nothing since
  always_ff @(posedge clk_i) f_half_q <= rst_ni && (land_i[0] || (f_half_q && !land_i[1]));
  `RDT_PROMISE("an ack on a link is not taken before its H1 has come", !f_half_q || !ack_v_q)
  `RDT_RELY("H1 of an ack follows its H0", !land_i[1] || (f_half_q && !land_i[0]))
end
`RDT_RELY("a requesting VC gets at most one answer, and no other VC gets one", !(ent_gnt_i && retry_ack_i) && (!answered || ent_req_o))
`RDT_COVER(retry_ack_i && ent_oh_o[NumVc-1] && (&wait_i))
