// SPDX-License-Identifier: MIT
// What rdt_crossbar promises. The arbiter promises that an output has one source.
`ifdef FORMAL
logic rst_ni;
assign rst_ni = 1'b1;
for (genvar o = 0; o < rdt_pkg::NumOuts; o++) begin : gen_promise
  `RDT_PROMISE("an output without a source is 0", sel_i[NumPorts*o +: NumPorts] != '0 || x_o[StreamW*o +: StreamW] == '0)
  for (genvar i = 0; i < NumPorts; i++) begin : gen_in
    `RDT_PROMISE("an output equals its only source",
                 sel_i[NumPorts*o +: NumPorts] != NumPorts'(1) << i || x_o[StreamW*o +: StreamW] == x_i[StreamW*i +: StreamW])
  end
end
`RDT_COVER(x_o[StreamW*rdt_pkg::OutLocal +: StreamW] == StreamW'(20'hABCDE) && x_o[StreamW-1:0] == StreamW'(20'h12345) &&
           sel_i[NumPorts*rdt_pkg::OutLocal +: NumPorts] == NumPorts'(4))
`endif
