// SPDX-License-Identifier: MIT
// The chip in its package: bidirectional data pins, and what comes from outside at any time brought into
// step with the clock. Reset and shoot-down have to reach both slices of a node in the same cycle, so one
// slice does it for both: rst_no and shoot_o of slice 0 go to rst_step_ni and shoot_step_i of both slices
// (rdt_board). A chip that is a whole node has them wired to itself.
// Promises: no driver is on from rst_ni = 0 on until three cycles after its end, whether the clock runs
// or not; the chip is reset for at least two cycles.
// Relies on: rst_no and shoot_o arrive within a cycle; shoot_i lasts longer than a cycle.
module rdt_pads #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW      = rdt_pkg::FlitW,
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries,
  // 1: links with registered pins, for longer wires.
  parameter int RegReq     = 0
) (
  // Clock and reset, with the synchronized reset as output and input.
  input  wire                                clk_i,
  input  wire                                rst_ni,       // at any time
  output wire                                rst_no,       // its end in step with the clock
  input  wire                                rst_step_ni,
  // Pins of all links: data, REQ, CRED.
  inout  wire  [DataW*rdt_pkg::NumPorts-1:0] d_io,
  input  wire  [2*rdt_pkg::NumPorts-1:0]     req_i,
  output wire  [2*rdt_pkg::NumPorts-1:0]     req_o,
  input  wire  [2*rdt_pkg::NumPorts-1:0]     cred_i,
  output wire  [2*rdt_pkg::NumPorts-1:0]     cred_o,
  // Error; shoot-down, with the synchronized signal as output and input.
  output wire                                err_o,
  input  wire                                shoot_i,      // at any time
  output wire                                shoot_o,      // in step with the clock
  input  wire                                shoot_step_i,
  // Signature from and to the other slice.
  input  wire                                slice_i,
  output wire                                slice_o
);
  logic [DataW*rdt_pkg::NumPorts-1:0] d_i, d_o;
  logic [rdt_pkg::NumPorts-1:0]       oe;
  logic                               rst_q, shoot_q;

  rdt_sync u_rst (.clk_i(clk_i), .rst_ni(rst_ni), .d_i(1'b1), .q_o(rst_no));
  rdt_sync u_shoot (.clk_i(clk_i), .rst_ni(rst_ni), .d_i(shoot_i), .q_o(shoot_o));

  // When rst_ni ends rst_step_ni is still 0, so this register is not caught.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rst_q   <= 1'b0;
      shoot_q <= 1'b0;
    end else begin
      rst_q   <= rst_step_ni;
      shoot_q <= shoot_step_i;
    end
  end

  rdt_router #(.DataW(DataW), .NumEntries(NumEntries), .RegReq(RegReq)) u_router (
    .clk_i  (clk_i),
    .rst_ni (rst_q),
    .d_i    (d_i),
    .d_o    (d_o),
    .d_oe_o (oe),
    .req_i  (req_i),
    .req_o  (req_o),
    .cred_i (cred_i),
    .cred_o (cred_o),
    .err_o  (err_o),
    .shoot_i(shoot_q),
    .slice_i(slice_i),
    .slice_o(slice_o)
  );

  for (genvar p = 0; p < rdt_pkg::NumPorts; p++) begin : gen_pad
    rdt_pad #(.DataW(DataW)) u_pad (
      .pad_io(d_io[DataW*p +: DataW]),
      .d_i   (d_o[DataW*p +: DataW]),
      .oe_i  (oe[p]),
      .d_o   (d_i[DataW*p +: DataW])
    );
  end
endmodule
