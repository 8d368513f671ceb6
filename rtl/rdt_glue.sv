// SPDX-License-Identifier: MIT
// The gates between the blocks of the chip: what ten ports tell LOCAL or the ack table as one, and
// which of them LOCAL takes packets from.
// Promises: each output is that of its port, or the OR over all ports; no register.
// Relies on: only the input unit that is looked at shows a context, or that it is vacant.
module rdt_glue (
  // LOCAL is ready, or only for a packet that comes back from MBP 0
  input  logic         ready_i,
  input  logic         only8_i,
  output logic [9:0]   ready_o,
  // shoot-down
  input  logic [209:0] ctx_i,
  output logic [20:0]  ctx_o,
  input  logic [9:0]   clash_i,
  output logic         clash_o,
  input  logic [9:0]   vacant_i,
  output logic         vacant_o,
  // acks
  input  logic [59:0]  held_i,
  output logic [5:0]   held_o,
  input  logic         ev_table_i,
  input  logic [9:0]   retry_ack_i,  // told like a full table
  output logic         ev_table_o
);
  localparam logic [9:0] Mbp0 = 10'(1 << rdt_pkg::PortM0);

  assign ready_o    = {10{ready_i}} & (Mbp0 | {10{!only8_i}});
  assign clash_o    = |clash_i;
  assign vacant_o   = |vacant_i;
  assign ev_table_o = ev_table_i || (|retry_ack_i);

  function automatic logic [20:0] any_ctx(input logic [209:0] c);
    any_ctx = 21'd0;
    for (int p = 0; p < rdt_pkg::NumPorts; p++) any_ctx = any_ctx | c[21*p +: 21];
  endfunction

  function automatic logic [5:0] any_held(input logic [59:0] h);
    any_held = 6'd0;
    for (int p = 0; p < rdt_pkg::NumPorts; p++) any_held = any_held | h[6*p +: 6];
  endfunction

  assign ctx_o  = any_ctx(ctx_i);
  assign held_o = any_held(held_i);
endmodule
