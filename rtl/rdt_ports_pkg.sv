// SPDX-License-Identifier: MIT
// Vectors with an element for each port: the lowest of several ports, the next one round-robin, the
// number of the only one, and its element of a vector.
package rdt_ports_pkg;
  // A port to an MBP; all others lead to neighbors.
  function automatic logic is_mbp(input int port);
    is_mbp = (port >= rdt_pkg::NumNet);
  endfunction

  // The port to MBP 0, which configures the router and receives its reports.
  function automatic logic is_mbp0(input int port);
    is_mbp0 = (port == 32'(rdt_pkg::PortM0));
  endfunction

  // A port of the rank-0 torus, or of the upper-rank torus.
  function automatic logic is_rank0(input int port);
    is_rank0 = (port < 32'(rdt_pkg::PortE1));
  endfunction

  function automatic logic is_upper(input int port);
    is_upper = (port >= 32'(rdt_pkg::PortE1)) && (port < 32'(rdt_pkg::PortM0));
  endfunction

  // A port to the East or West, of either rank.
  function automatic logic is_x(input int port);
    is_x = (port < 32'(rdt_pkg::PortN0)) || (port == 32'(rdt_pkg::PortE1)) || (port == 32'(rdt_pkg::PortW1));
  endfunction

  // A port with VC-T: East and West of rank 0.
  function automatic logic has_vct(input int port);
    has_vct = (port < 32'(rdt_pkg::PortN0));
  endfunction

  // A port to the South, of either rank: the relay of a multicast is behind it.
  function automatic logic is_south(input int port);
    is_south = (port == 32'(rdt_pkg::PortS0)) || (port == 32'(rdt_pkg::PortS1));
  endfunction

  // A port in positive direction, East or North, of either rank.
  function automatic logic is_positive(input int port);
    is_positive = (port % 2 == 0);
  endfunction

  // VCs of a port: 20 buffers in all.
  function automatic int vcs_of(input int port);
    vcs_of = (port < 2) ? 3 : (port < rdt_pkg::NumNet) ? 2 : 1;
  endfunction

  // A table of n entries has one of this tag.
  function automatic logic is_entry(input logic [2:0] tag, input logic [3:0] n);
    is_entry = (tag != 3'd0) && ({1'b0, tag} <= n);
  endfunction

  // The lowest bit that is set. Each bit by itself: d & -d becomes an adder in the netlist, and a loop
  // that remembers what it has seen a chain.
  function automatic logic [9:0] low10(input logic [9:0] d);
    for (int i = 0; i < rdt_pkg::NumPorts; i++)
      low10[i] = d[i] && ((d & ~(10'h3FF << i)) == 10'd0);
  endfunction

  // All bits above the only one that is set.
  function automatic logic [9:0] above10(input logic [9:0] oh);
    for (int i = 0; i < rdt_pkg::NumPorts; i++) above10[i] = ((oh & ~(10'h3FF << i)) != 10'd0);
  endfunction

  // Round robin: the lowest bit of the mask that is set, else the lowest of all.
  function automatic logic [9:0] turn10(input logic [9:0] d, input logic [9:0] mask);
    turn10 = ((d & mask) == 10'd0) ? low10(d) : low10(d & mask);
  endfunction

  // The same with all bits above number last as the mask.
  function automatic logic [9:0] next10(input logic [9:0] d, input logic [3:0] last);
    logic [9:0] mask;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) mask[i] = (last < 4'(i));
    next10 = turn10(d, mask);
  endfunction

  function automatic logic [9:0] oh_of(input logic [3:0] port);
    for (int i = 0; i < rdt_pkg::NumPorts; i++) oh_of[i] = (port == 4'(i));
  endfunction

  function automatic logic [3:0] port_of(input logic [9:0] oh);
    port_of = 4'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) port_of = port_of | (4'(i) & {4{oh[i]}});
  endfunction

  function automatic logic [1:0] pick2(input logic [19:0] d, input logic [9:0] oh);
    pick2 = 2'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) pick2 = pick2 | (d[2*i +: 2] & {2{oh[i]}});
  endfunction

  function automatic logic [2:0] pick3(input logic [29:0] d, input logic [9:0] oh);
    pick3 = 3'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) pick3 = pick3 | (d[3*i +: 3] & {3{oh[i]}});
  endfunction

  function automatic logic [3:0] pick4(input logic [39:0] d, input logic [9:0] oh);
    pick4 = 4'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) pick4 = pick4 | (d[4*i +: 4] & {4{oh[i]}});
  endfunction

  function automatic logic [5:0] pick6(input logic [59:0] d, input logic [9:0] oh);
    pick6 = 6'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) pick6 = pick6 | (d[6*i +: 6] & {6{oh[i]}});
  endfunction

  function automatic logic [9:0] pick10(input logic [99:0] d, input logic [9:0] oh);
    pick10 = 10'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) pick10 = pick10 | (d[10*i +: 10] & {10{oh[i]}});
  endfunction
endpackage
