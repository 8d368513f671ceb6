// SPDX-License-Identifier: MIT
// A custom arbiter (docs/tutorials/block.md): the requesting input with the lowest number gets an
// output. The ports are those of rdt_arbiter.
module own_arbiter (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [109:0] want_i,
  input  logic [109:0] cand_i,
  input  logic [10:0]  line_gnt_i,
  input  logic [1:0]   pkt_i,
  output logic [109:0] gnt_o,
  output logic [10:0]  gnt_out_o,
  output logic [9:0]   cand_any_o,
  output logic [109:0] xsel_o,
  output logic         slice_o
);
  logic [109:0] xsel_d, xsel_q;

  for (genvar o = 0; o < rdt_pkg::NumOuts; o++) begin : gen_out
    logic [9:0] want, win;
    for (genvar i = 0; i < rdt_pkg::NumPorts; i++) begin : gen_in
      assign want[i]         = want_i[11*i + o];
      assign gnt_o[11*i + o] = win[i] && line_gnt_i[o];
    end
    assign win                = want & (~want + 10'd1);
    assign gnt_out_o[o]       = line_gnt_i[o] && (|want);
    assign xsel_d[10*o +: 10] = gnt_out_o[o] ? win : xsel_q[10*o +: 10];
  end

  function automatic logic [9:0] any_in(input logic [109:0] c);
    any_in = 10'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) any_in = any_in | c[11*i +: 10];
  endfunction

  assign cand_any_o = any_in(cand_i);
  assign xsel_o     = xsel_q;
  assign slice_o    = 1'b0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) xsel_q <= 110'd0;
    else         xsel_q <= xsel_d;
  end

  logic unused_age;
  assign unused_age = ^pkt_i;
endmodule
