// SPDX-License-Identifier: MIT
// What rdt_read_pass promises and relies on.
logic [1:0] f_code_q;  // of the flit before
logic       f_busy_q, f_gnt_q, f_last_q;
always_ff @(posedge clk_i) begin
  f_code_q <= code_o;
  f_busy_q <= rst_ni && rd_busy_q;
  f_gnt_q  <= rst_ni && gnt;
  f_last_q <= rd_last;
end

`RDT_GIVEN("a pass begins in the cycle after its grant", !f_gnt_q || (rd_busy_q && rd_first))
`RDT_GIVEN("a pass has no gaps", !f_busy_q || f_last_q || rd_busy_q)
`RDT_GIVEN("the end of a pass is shown two flits ahead",
             !rd_busy_q || rd_first || f_code_q == 2'd0 && code_o == 2'd1 || code_o != 2'd1)

`RDT_RELY("no pass begins before the previous one has ended", !gnt || !rd_busy_q || rd_last)
`RDT_RELY("no pass is shorter than three flits", !rd_busy_q || !rd_first || rd_len >= 4'd2)
`RDT_RELY("the VC exists", !gnt || sel_i < 2'(NumVc))
