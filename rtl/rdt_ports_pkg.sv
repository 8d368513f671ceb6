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

  // The ack table of a router with n entries: with more than seven in banks, each of six entries beside
  // the barrier entry. A tag is then {bank, t}, and a packet on a link may have two acks.
  function automatic logic is_table(input int n);
    is_table = (n >= 1 && n <= 7) || n == 13 || n == 19 || n == 25;
  endfunction

  function automatic logic has_banks(input int n);
    has_banks = (n > 7);
  endfunction

  function automatic int num_banks(input int n);
    num_banks = (n <= 7) ? 1 : (n <= 13) ? 2 : (n <= 19) ? 3 : 4;
  endfunction

  // Bits of a tag, of the plan and of the context of a buffered packet, of H2 of an entry that is dumped.
  function automatic int tag_w(input int n);
    tag_w = has_banks(n) ? rdt_pkg::TagW + 2 : rdt_pkg::TagW;
  endfunction

  function automatic int plan_w(input int n);
    plan_w = rdt_pkg::PlanW - rdt_pkg::TagW + tag_w(n);
  endfunction

  function automatic int ctx_w(input int n);
    ctx_w = rdt_pkg::CtxW - rdt_pkg::TagW + tag_w(n);
  endfunction

  function automatic int ent_h2_w(input int n);
    ent_h2_w = 11 - rdt_pkg::TagW + tag_w(n);
  endfunction

  // Bits of an entry's generation that an MBP gets.
  function automatic int gen_w(input int n);
    gen_w = has_banks(n) ? 2 : rdt_pkg::GenW;
  endfunction

  // Acks in a landing register.
  function automatic int num_acks(input int n);
    num_acks = has_banks(n) ? 2 : 1;
  endfunction

  // The H1 of an ack from a link may have a second ack. Its landing is then three bits: {good H1, H1, H0}.
  function automatic logic has_pairs(input int n, input int port);
    has_pairs = has_banks(n) && !is_mbp(port);
  endfunction

  function automatic int land_w(input logic pairs);
    land_w = pairs ? 3 : 1;
  endfunction

  // The tags of all entries, {bank, t}: that of entry e + 1 is in bits 5*e on. Bank 3 comes first here, and
  // bank 0, with the barrier entry, last.
  /* verilator lint_off UNUSEDPARAM */  // not every block uses them
  localparam int TagsW = 5 * 25;
  localparam logic [TagsW-1:0] Tags = {5'd30, 5'd29, 5'd28, 5'd27, 5'd26, 5'd25,
                                       5'd22, 5'd21, 5'd20, 5'd19, 5'd18, 5'd17,
                                       5'd14, 5'd13, 5'd12, 5'd11, 5'd10, 5'd9,
                                       5'd7, 5'd6, 5'd5, 5'd4, 5'd3, 5'd2, 5'd1};
  /* verilator lint_on UNUSEDPARAM */

  // A table of n entries has one of this tag.
  function automatic logic is_entry(input logic [4:0] tag, input int n);
    is_entry = (tag[2:0] != 3'd0) &&
               (has_banks(n) ? ({1'b0, tag[4:3]} < 3'(num_banks(n))) && (tag[4:3] == 2'd0 || tag[2:0] != 3'd7)
                             : tag <= 5'(n));
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

  function automatic logic [3:0] pick4(input logic [39:0] d, input logic [9:0] oh);
    pick4 = 4'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) pick4 = pick4 | (d[4*i +: 4] & {4{oh[i]}});
  endfunction

  function automatic logic [9:0] pick10(input logic [99:0] d, input logic [9:0] oh);
    pick10 = 10'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) pick10 = pick10 | (d[10*i +: 10] & {10{oh[i]}});
  endfunction
endpackage
