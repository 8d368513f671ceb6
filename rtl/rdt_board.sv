// SPDX-License-Identifier: MIT
// A node on its board: two packages, and the wires between them. Slice 0 brings reset and shoot-down into
// step with the clock for both. Wiring only. Slice k has half k of each vector, in it link p its place p.
/* verilator lint_off MULTITOP */  // rdt_node is the same without pads
module rdt_board #(
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries,
  // 1: links with registered pins, for longer wires.
  parameter int RegReq     = 0
) (
  // Clock and reset.
  input  wire                                          clk_i,
  input  wire                                          rst_ni,  // at any time
  // Pins of all links of both slices: data, REQ, CRED.
  inout  wire [2*rdt_pkg::NumPorts*rdt_pkg::FlitW-1:0] d_io,
  input  wire [2*rdt_pkg::NumPorts*rdt_pkg::CodeW-1:0] req_i,
  output wire [2*rdt_pkg::NumPorts*rdt_pkg::CodeW-1:0] req_o,
  input  wire [2*rdt_pkg::NumPorts*rdt_pkg::CodeW-1:0] cred_i,
  output wire [2*rdt_pkg::NumPorts*rdt_pkg::CodeW-1:0] cred_o,
  // Error of each slice; shoot-down.
  output wire [1:0]                                    err_o,
  input  wire                                          shoot_i  // at any time
);
  localparam int DataPins = rdt_pkg::NumPorts * rdt_pkg::FlitW;
  localparam int CodePins = rdt_pkg::NumPorts * rdt_pkg::CodeW;

  wire [1:0] slice, rst_n, shoot;

  for (genvar k = 0; k < 2; k++) begin : gen_slice
    rdt_pads #(.NumEntries(NumEntries), .RegReq(RegReq)) u_pads (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .rst_no      (rst_n[k]),
      .rst_step_ni (rst_n[0]),
      .d_io        (d_io[DataPins*k +: DataPins]),
      .req_i       (req_i[CodePins*k +: CodePins]),
      .req_o       (req_o[CodePins*k +: CodePins]),
      .cred_i      (cred_i[CodePins*k +: CodePins]),
      .cred_o      (cred_o[CodePins*k +: CodePins]),
      .err_o       (err_o[k]),
      .shoot_i     (shoot_i),
      .shoot_o     (shoot[k]),
      .shoot_step_i(shoot[0]),
      .slice_i     (slice[1 - k]),
      .slice_o     (slice[k])
    );
  end

  wire unused;
  assign unused = rst_n[1] ^ shoot[1];
endmodule
