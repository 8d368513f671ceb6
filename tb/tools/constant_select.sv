// SPDX-License-Identifier: MIT
module constant_select (
  input  logic [3:0] a_i,
  output logic       o
);
  always_comb o = a_i[2];
endmodule
