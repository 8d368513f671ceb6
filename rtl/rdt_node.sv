// SPDX-License-Identifier: MIT
// The router of a node: two chips, slice k with bits 18k+17..18k of every 36-bit link and control
// pins of its own. Headers are the same in both halves, so both slices decide alike; what they have
// decided is compared. Instances and wiring only; shoot_i comes in step with clk_i (rdt_pads).
// Element 2*p + k of the vectors over links and slices belongs to link p, slice k.
module rdt_node #(
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries,
  // 1: links with registered pins, for longer wires.
  parameter int RegReq     = 0
) (
  // Clock and reset.
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // Data of all links: in, out, output enable.
  input  logic [2*rdt_pkg::FlitW*rdt_pkg::NumPorts-1:0] d_i,     // 36 bits per link
  output logic [2*rdt_pkg::FlitW*rdt_pkg::NumPorts-1:0] d_o,
  output logic [2*rdt_pkg::NumPorts-1:0]                d_oe_o,
  // Line requests of all links.
  input  logic [2*rdt_pkg::CodeW*rdt_pkg::NumPorts-1:0] req_i,   // 2 bits per link and slice
  output logic [2*rdt_pkg::CodeW*rdt_pkg::NumPorts-1:0] req_o,
  // Credits of all links.
  input  logic [2*rdt_pkg::CodeW*rdt_pkg::NumPorts-1:0] cred_i,
  output logic [2*rdt_pkg::CodeW*rdt_pkg::NumPorts-1:0] cred_o,
  // Error of each slice.
  output logic [1:0]                                    err_o,   // one a slice
  // Shoot-down of both slices.
  input  logic                                          shoot_i
);
  localparam int FlitW    = rdt_pkg::FlitW;
  localparam int CodeW    = rdt_pkg::CodeW;
  localparam int NumPorts = rdt_pkg::NumPorts;

  logic [1:0] slice;

  for (genvar k = 0; k < 2; k++) begin : gen_slice
    logic [FlitW*NumPorts-1:0] d_in, d_out;
    logic [NumPorts-1:0]       oe;
    logic [CodeW*NumPorts-1:0] req_in, req_out, cred_in, cred_out;

    for (genvar p = 0; p < NumPorts; p++) begin : gen_link
      localparam int Lane = 2*p + k;
      assign d_in[FlitW*p +: FlitW]       = d_i[FlitW*Lane +: FlitW];
      assign req_in[CodeW*p +: CodeW]     = req_i[CodeW*Lane +: CodeW];
      assign cred_in[CodeW*p +: CodeW]    = cred_i[CodeW*Lane +: CodeW];
      assign d_o[FlitW*Lane +: FlitW]     = d_out[FlitW*p +: FlitW];
      assign d_oe_o[Lane]                 = oe[p];
      assign req_o[CodeW*Lane +: CodeW]   = req_out[CodeW*p +: CodeW];
      assign cred_o[CodeW*Lane +: CodeW]  = cred_out[CodeW*p +: CodeW];
    end

    rdt_router #(.NumEntries(NumEntries), .RegReq(RegReq)) u_router (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .d_i    (d_in),
      .d_o    (d_out),
      .d_oe_o (oe),
      .req_i  (req_in),
      .req_o  (req_out),
      .cred_i (cred_in),
      .cred_o (cred_out),
      .err_o  (err_o[k]),
      .shoot_i(shoot_i),
      .slice_i(slice[1 - k]),
      .slice_o(slice[k])
    );
  end
endmodule
