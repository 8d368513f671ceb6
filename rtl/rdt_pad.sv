// SPDX-License-Identifier: MIT
// Bidirectional pads of one link. In synthesis a library's cells stand here.
module rdt_pad #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW = rdt_pkg::FlitW
) (
  // The pins of a link.
  inout  wire  [DataW-1:0] pad_io,
  // The router's side: data out, output enable, data in.
  input  logic [DataW-1:0] d_i,
  input  logic             oe_i,
  output logic [DataW-1:0] d_o
);
`ifndef SYNTHESIS
  assign pad_io = oe_i ? d_i : {DataW{1'bz}};
  assign d_o    = pad_io;
`endif
endmodule
