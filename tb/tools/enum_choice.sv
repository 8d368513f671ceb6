// SPDX-License-Identifier: MIT
module enum_choice (
  input  logic       a_i,
  output logic [1:0] o
);
  typedef enum logic [1:0] {StA = 2'd0, StB = 2'd1} state_e;
  state_e st;
  always_comb st = a_i ? StA : StB;
  assign o = st;
endmodule
