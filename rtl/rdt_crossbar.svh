// SPDX-License-Identifier: MIT
// What rdt_crossbar promises and relies on. That the arbiter keeps it is checked there.
`ifdef FORMAL
logic rst_ni;
assign rst_ni = 1'b1;
for (genvar o = 0; o < rdt_pkg::NumOuts; o++) begin : gen_promise
  `RDT_RELY("an output has one source", (sel_i[10*o +: 10] & (sel_i[10*o +: 10] - 10'd1)) == 10'd0)
  `RDT_PROMISE("an output without a source shows 0", sel_i[10*o +: 10] != 10'd0 || x_o[20*o +: 20] == 20'd0)
  for (genvar i = 0; i < rdt_pkg::NumPorts; i++) begin : gen_in
    `RDT_PROMISE("an output shows its source", !sel_i[10*o + i] || x_o[20*o +: 20] == x_i[20*i +: 20])
  end
end
`endif
