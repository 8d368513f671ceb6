// SPDX-License-Identifier: MIT
// o is a_i.
module struct_array (
  input  logic [3:0] a_i,
  output logic [3:0] o
);
  typedef struct packed {
    logic [1:0] k;
    logic [1:0] v;
  } pair_t;
  pair_t [1:0] x;
  assign x[0] = {a_i[1:0], 2'd0};
  assign x[1] = {a_i[3:2], 2'd3};
  assign o    = {x[1].k, x[0].k};
endmodule
