// SPDX-License-Identifier: MIT
// In place of the RAM where only the control of an input unit matters: of a packet it keeps H0, whose
// length is all that the control reads. Everything else that is read is anything.
module rdt_buffer_ram #(
  parameter int DataW = rdt_pkg::FlitW
) (
  input  logic        clk_i,
  input  logic        we_i,
  input  logic [3:0]  waddr_i,
  input  logic [DataW-1:0] wdata_i,
  input  logic [3:0]  raddr_i,
  output logic [DataW-1:0] rdata_o
);
  logic [DataW-1:0] h0_q;
  (* anyseq *) logic [DataW-1:0] any;
  assign rdata_o = (raddr_i == 4'd0) ? h0_q : any;
  always_ff @(posedge clk_i) begin
    if (we_i && waddr_i == 4'd0) h0_q <= wdata_i;
  end
endmodule
