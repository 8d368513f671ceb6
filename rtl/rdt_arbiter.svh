// SPDX-License-Identifier: MIT
// What rdt_arbiter promises.
for (genvar o = 0; o < NumOuts; o++) begin : gen_promise
  logic [NumPorts-1:0] wants, gets;
  for (genvar i = 0; i < NumPorts; i++) begin : gen_in
    assign wants[i] = want_i[NumOuts*i + o];
    assign gets[i]  = gnt_o[NumOuts*i + o];
  end
  `RDT_PROMISE("an output is granted to at most one input", (gets & (gets - 10'd1)) == 10'd0)
  `RDT_PROMISE("only requested outputs are granted", (gets & ~wants) == 10'd0)
  `RDT_PROMISE("an output that is offered and requested is granted",
               (|gets) == (line_gnt_i[o] && (|wants)))
  `RDT_PROMISE("gnt_out_o is set exactly for granted outputs", gnt_out_o[o] == (|gets))
  `RDT_PROMISE("a column of the crossbar has at most one source", (xsel_q[NumPorts*o +: NumPorts] & (xsel_q[NumPorts*o +: NumPorts] - 10'd1)) == 10'd0)
end
