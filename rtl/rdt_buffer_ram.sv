// SPDX-License-Identifier: MIT
// One packet buffer: 16 flits, one write port, one read port.
// A write takes effect at the clock edge; the read is combinational and shows the old flit in
// the cycle of a write. The content is not reset: nothing is read before it has been written,
// except the missing flits of a short packet, which the input unit marks by wrong parity.
module rdt_buffer_ram #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW = rdt_pkg::FlitW
) (
  // Clock.
  input  logic             clk_i,
  // Write port.
  input  logic             we_i,
  input  logic [3:0]       waddr_i,
  input  logic [DataW-1:0] wdata_i,
  // Read port, combinational.
  input  logic [3:0]       raddr_i,
  output logic [DataW-1:0] rdata_o
);
  logic [DataW-1:0] mem_q [0:15];

  assign rdata_o = mem_q[raddr_i];

  always_ff @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
  end
endmodule
