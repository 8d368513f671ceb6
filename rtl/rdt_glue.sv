// SPDX-License-Identifier: MIT
// The gates between the blocks of the router: combined reports of ten ports to LOCAL and the ack
// table, and the ports from which LOCAL receives packets. Promises: each output is that of its
// port, or the OR over all ports; no register. Relies on: only the input unit that is looked at
// shows a context, or that it is vacant.
module rdt_glue #(
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  // LOCAL is ready, or only for a packet that comes back from MBP 0
  input  logic         ready_i,
  input  logic         only_mbp0_i,
  output logic [rdt_pkg::NumPorts-1:0] ready_o,
  // shoot-down
  input  logic [rdt_ports_pkg::ctx_w(NumEntries)*rdt_pkg::NumPorts-1:0] ctx_i,
  output logic [rdt_ports_pkg::ctx_w(NumEntries)-1:0] ctx_o,
  input  logic [rdt_pkg::NumPorts-1:0] clash_i,
  output logic         clash_o,
  input  logic [rdt_pkg::NumPorts-1:0] vacant_i,
  output logic         vacant_o,
  // acks
  input  logic [NumEntries*rdt_pkg::NumPorts-1:0] held_i,
  output logic [NumEntries-1:0] held_o,
  input  logic         ev_table_i,
  input  logic [rdt_pkg::NumPorts-1:0] retry_ack_i,  // reported like a full table
  output logic         ev_table_o
);
  localparam int                  NumPorts = rdt_pkg::NumPorts;
  localparam int                  CtxW     = rdt_ports_pkg::ctx_w(NumEntries);
  localparam logic [NumPorts-1:0] Mbp0     = NumPorts'(1 << rdt_pkg::PortM0);

  assign ready_o    = {NumPorts{ready_i}} & (Mbp0 | {NumPorts{!only_mbp0_i}});
  assign clash_o    = |clash_i;
  assign vacant_o   = |vacant_i;
  assign ev_table_o = ev_table_i || (|retry_ack_i);

  function automatic logic [CtxW-1:0] any_ctx(input logic [CtxW*NumPorts-1:0] c);
    any_ctx = '0;
    for (int p = 0; p < NumPorts; p++) any_ctx = any_ctx | c[CtxW*p +: CtxW];
  endfunction

  function automatic logic [NumEntries-1:0] any_held(input logic [NumEntries*NumPorts-1:0] h);
    any_held = '0;
    for (int p = 0; p < NumPorts; p++) any_held = any_held | h[NumEntries*p +: NumEntries];
  endfunction

  assign ctx_o  = any_ctx(ctx_i);
  assign held_o = any_held(held_i);
endmodule
