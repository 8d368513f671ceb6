// SPDX-License-Identifier: MIT
package package_enum_pkg;
  typedef enum logic [1:0] {StA = 2'd0, StB = 2'd1} state_e;
endpackage
module package_enum (
  input  logic       a_i,
  output logic [1:0] o
);
  package_enum_pkg::state_e st;
  always_comb begin
    st = package_enum_pkg::StA;
    if (a_i) st = package_enum_pkg::StB;
  end
  assign o = st;
endmodule
