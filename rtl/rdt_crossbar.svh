// SPDX-License-Identifier: MIT
// What rdt_crossbar promises. That an output has one source is the arbiter's promise.
`ifdef FORMAL
logic rst_ni;
assign rst_ni = 1'b1;
for (genvar o = 0; o < rdt_pkg::NumOuts; o++) begin : gen_promise
  `RDT_PROMISE("an output without a source shows 0", sel_i[10*o +: 10] != 10'd0 || x_o[20*o +: 20] == 20'd0)
  for (genvar i = 0; i < rdt_pkg::NumPorts; i++) begin : gen_in
    `RDT_PROMISE("an output shows its only source", sel_i[10*o +: 10] != 10'd1 << i || x_o[20*o +: 20] == x_i[20*i +: 20])
  end
end
`RDT_COVER(x_o[219:200] == 20'hABCDE && x_o[19:0] == 20'h12345 && sel_i[109:100] == 10'd4)
`endif
