// SPDX-License-Identifier: MIT
// Pending reports of LOCAL to MBP 0: a buffer that timed out, a stray ack, a link that lost
// synchronization or stays down, a dead output that consumes packets. Reported in this order, and
// per kind the lowest port first; repeated events of the same kind and port are reported once.
// Promises: any_o with code, port, VC and tag of the notice, which is reported in a cycle of
// idle_i. Between two notices there are two cycles of idle_i without one, in which LOCAL may take a
// packet. Relies on: the input unit keeps a time-out (to_pend_i) until to_ack_o.
module rdt_notice (
  // Clock and reset.
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        idle_i,      // LOCAL reports a notice
  // time-outs
  input  logic [9:0]  to_pend_i,
  input  logic [19:0] to_vc_i,
  output logic [9:0]  to_ack_o,
  output logic        late_o,      // a time-out is reported
  // the others
  input  logic        stray_i,
  input  logic [3:0]  stray_port_i,
  input  logic [2:0]  stray_tag_i,
  input  logic [9:0]  ev_sync_i,
  input  logic [9:0]  ev_sunk_i,
  // the notice
  output logic        any_o,
  output logic [3:0]  code_o,
  output logic [3:0]  port_o,
  output logic [1:0]  vc_o,
  output logic [2:0]  tag_o
);
  localparam logic [9:0] Mbp0 = 10'd1 << rdt_pkg::PortM0;

  logic       stray_d, stray_q;
  logic [3:0] stray_port_q;
  logic [2:0] stray_tag_q;
  logic [9:0] sync_d, sync_q;
  logic [9:0] sunk_d, sunk_q;

  logic [1:0] turn_d, turn_q;  // cycles of idle_i that belong to packets
  logic       tells;           // a notice may be reported
  logic       late, note, is_sync;
  logic [9:0] oh;     // the port of a time-out, or of sync_q and sunk_q
  logic [9:0] told;   // the port of those, if reported now

  assign late    = |to_pend_i;
  assign note    = (|sync_q) || (|sunk_q);
  assign oh      = rdt_ports_pkg::low10(late ? to_pend_i : sync_q | sunk_q);
  assign is_sync = |(oh & sync_q);
  assign tells   = (turn_q == 2'd0);
  assign any_o   = (late || stray_q || note) && tells;
  assign turn_d  = !idle_i ? turn_q : any_o ? 2'd2 : {1'b0, turn_q[1]};

  assign late_o   = idle_i && late && tells;
  assign to_ack_o = oh & {10{late_o}};
  assign told     = oh & {10{idle_i && tells && !late && !stray_q}};
  // Not for MBP 0's own port, because the report would have to use the failing link.
  assign sync_d   = (ev_sync_i & ~Mbp0) | (sync_q & ~told);
  assign sunk_d   = (ev_sunk_i & ~Mbp0) | (sunk_q & ~(told & {10{!is_sync}}));
  // One that comes while another is kept is only counted.
  assign stray_d  = stray_q ? !(idle_i && tells) || late : stray_i;

  always_comb begin
    port_o = rdt_ports_pkg::port_of(oh);
    vc_o   = 2'd0;
    tag_o  = 3'd0;
    if (late) begin
      code_o = rdt_pkg::ErrTimeout;
      vc_o   = rdt_ports_pkg::pick2(to_vc_i, oh);
    end else if (stray_q) begin
      code_o = rdt_pkg::ErrUnexpectedAck;
      port_o = stray_port_q;
      tag_o  = stray_tag_q;
    end else begin
      code_o = is_sync ? rdt_pkg::ErrLinkSync : rdt_pkg::ErrSunk;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stray_q <= 1'b0;
      sync_q  <= 10'd0;
      sunk_q  <= 10'd0;
      turn_q  <= 2'd0;
    end else begin
      turn_q  <= turn_d;
      stray_q <= stray_d;
      sync_q  <= sync_d;
      sunk_q  <= sunk_d;
    end
  end

  // Seen only with stray_q, so without reset.
  always_ff @(posedge clk_i) begin
    if (stray_i && !stray_q) begin
      stray_port_q <= stray_port_i;
      stray_tag_q  <= stray_tag_i;
    end
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_notice.svh"
`endif
endmodule
