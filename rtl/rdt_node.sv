// SPDX-License-Identifier: MIT
// The router of a node: two chips, slice k with bits 18k+17..18k of every 36-bit link and control
// pins of its own. Headers are the same in both halves, so both slices decide alike; what they have
// decided is compared. Instances and wiring only.
// Element 2*p + k of the vectors over links and slices belongs to link p, slice k.
module rdt_node (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [359:0] d_i,      // 36 bits a link
  output logic [359:0] d_o,
  output logic [19:0]  d_oe_o,
  input  logic [39:0]  req_i,    // 2 bits a link and slice
  output logic [39:0]  req_o,
  input  logic [39:0]  cred_i,
  output logic [39:0]  cred_o,
  output logic [1:0]   err_o,    // one a slice
  input  logic         shoot_i
);
  logic [1:0] slice;

  for (genvar k = 0; k < 2; k++) begin : gen_slice
    logic [179:0] d_in, d_out;
    logic [9:0]   oe;
    logic [19:0]  req_in, req_out, cred_in, cred_out;

    for (genvar p = 0; p < rdt_pkg::NumPorts; p++) begin : gen_link
      assign d_in[18*p +: 18] = d_i[36*p + 18*k +: 18];
      assign req_in[2*p +: 2] = req_i[4*p + 2*k +: 2];
      assign cred_in[2*p +: 2] = cred_i[4*p + 2*k +: 2];
      assign d_o[36*p + 18*k +: 18] = d_out[18*p +: 18];
      assign d_oe_o[2*p + k] = oe[p];
      assign req_o[4*p + 2*k +: 2] = req_out[2*p +: 2];
      assign cred_o[4*p + 2*k +: 2] = cred_out[2*p +: 2];
    end

    rdt_router u_router (
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
