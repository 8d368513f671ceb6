// SPDX-License-Identifier: MIT
package inner_pkg;
  localparam int Inner = 3;
endpackage
package outer_pkg;
  localparam int Outer = inner_pkg::Inner + 1;
endpackage
module package_of_package (
  output logic [3:0] o
);
  assign o = 4'(outer_pkg::Outer);
endmodule
