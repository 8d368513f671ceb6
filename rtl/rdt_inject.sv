// SPDX-License-Identifier: MIT
// Puts acks, RETRY answers and LOCAL's packets behind the crossbar, one at a time, in this order.
// Promises: acks on the same link are at least AckGap cycles apart, so that the landing register they
// go to is free. An ack that does not get its line in AckWait cycles is dropped and reported: its
// link is down and must not block the others. RETRY answers take turns. With banks an ack on a link
// has a second one in H1, if one for the same port is pending while H0 is sent. Relies on: snd_port_i is
// not busy; at most one bit of loc_want_i; LOCAL sends from the cycle after loc_gnt_o on.
module rdt_inject #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW      = rdt_pkg::FlitW,
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  // Clock and reset.
  input  logic        clk_i,
  input  logic        rst_ni,
  // rdt_ack
  input  logic        snd_v_i,
  input  logic [3:0]  snd_port_i,
  input  logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] snd_tag_i,
  input  logic [5:0]  snd_st_i,
  output logic        snd_take_o,
  output logic [9:0]  busy_o,       // an ack went this way a short time ago
  // multicasts that have waited too long for an ack entry, and do not get one now
  input  logic [9:0]  retry_i,
  input  logic [9:0]  ent_gnt_i,
  input  logic [rdt_ports_pkg::tag_w(NumEntries)*rdt_pkg::NumPorts-1:0] ent_tag_i,
  output logic [9:0]  retry_ack_o,
  // LOCAL
  input  logic [1:0]  loc_want_i,
  input  logic [rdt_pkg::CodeW+DataW-1:0] loc_x_i,
  output logic [1:0]  loc_gnt_o,
  output logic        ev_lost_o,    // an ack is dropped
  // output units
  input  logic [9:0]  gnt_i,
  output logic [9:0]  want_o,
  output logic [rdt_pkg::CodeW+DataW-1:0] x_o
);
  localparam int StreamW = rdt_pkg::CodeW + DataW;
  localparam int Lanes   = DataW / rdt_pkg::FlitW;
  localparam int TagW    = rdt_ports_pkg::tag_w(NumEntries);

  typedef enum logic [1:0] {StIdle = 2'd0, StWant = 2'd1, StAck = 2'd2, StLoc = 2'd3} state_e;

  state_e     st_d, st_q;
  logic [3:0] cool_d, cool_q;
  logic [9:0] m0_d, m0_q;    // ports that got an ack since cool_q was 0, and in the 16 cycles before
  logic [9:0] m1_d, m1_q;
  logic [3:0] rty_d, rty_q;  // the last RETRY
  logic [6:0] wait_d, wait_q;
  logic [1:0] idx_d, idx_q;  // flit of an ack; 0 at the first flit of LOCAL
  logic [3:0] port_q;
  logic [TagW-1:0] tag_q;
  logic [5:0] status_q;

  logic       idle, granted;
  logic [9:0] port_oh;

  assign port_oh = rdt_ports_pkg::oh_of(port_q) & {10{st_q == StWant}};

  logic       takes;
  logic [9:0] asks, retry_oh, used;
  logic [3:0] retry_port;
  logic [1:0] loc;

  assign idle        = (st_q == StIdle);
  assign asks        = retry_i & ~ent_gnt_i & ~busy_o;
  assign retry_oh    = rdt_ports_pkg::next10(asks, rty_q);
  assign retry_port  = rdt_ports_pkg::port_of(retry_oh);
  assign retry_ack_o = retry_oh & {10{idle && !snd_v_i}};
  assign takes       = idle && (snd_v_i || (|asks));
  assign loc         = loc_want_i & {2{idle && !snd_v_i && asks == 10'd0}};
  assign want_o      = port_oh | {loc, 8'd0};
  assign loc_gnt_o   = gnt_i[rdt_pkg::PortM0 +: 2] & loc;
  assign used        = gnt_i & port_oh;
  assign granted     = |used;

  // With banks a second ack for the same port is taken while H0 is sent.
  logic hands;  // the first one makes way for it
  if (rdt_ports_pkg::has_banks(NumEntries)) begin : gen_pairs
    logic [9:0] only;    // the port of the first
    logic       second;
    assign hands  = (st_q == StAck) && (idx_q == 2'd0);
    assign only   = rdt_ports_pkg::oh_of(port_q);
    assign second = hands && !(|only[9:rdt_pkg::NumNet]);
    assign busy_o = second ? ~only : m0_q | m1_q;
    assign snd_take_o = (idle || second) && snd_v_i;
  end else begin : gen_single
    assign hands  = 1'b0;
    assign busy_o = m0_q | m1_q;
    assign snd_take_o  = idle && snd_v_i;
  end

  // Between 18 and 33 cycles from ack to ack, with one counter for all links.
  assign m0_d   = (&cool_q) ? 10'd0 : m0_q | used;
  assign m1_d   = (&cool_q) ? m0_q | used : m1_q;
  assign cool_d = ((m0_q | m1_q | used) == 10'd0) ? 4'd0 : cool_q + 4'd1;

  assign wait_d    = (st_q == StWant) ? wait_q + 7'd1 : 7'd0;
  assign ev_lost_o = (st_q == StWant) && !granted && (wait_q == 7'(rdt_pkg::AckWait - 1));
  assign rty_d     = (idle && !snd_v_i && (|asks)) ? retry_port : rty_q;

  logic ack_ends, loc_ends;
  assign ack_ends = idx_q[1];
  assign loc_ends = idx_q[0] && (loc_x_i[StreamW-1:DataW] == rdt_pkg::ReqWant);

  always_comb begin
    st_d   = st_q;
    idx_d  = 2'd0;
    case (st_q)
      StIdle: begin
        if (takes)           st_d = StWant;
        else if (|loc_gnt_o) st_d = StLoc;
      end
      StWant: begin
        if (granted)        st_d = StAck;
        else if (ev_lost_o) st_d = StIdle;
      end
      StAck: begin
        idx_d = idx_q + 2'd1;
        if (ack_ends) st_d = StIdle;
      end
      default: begin
        idx_d = 2'd1;
        if (loc_ends) st_d = StIdle;
      end
    endcase
  end

  logic [16:0]        flit;
  logic [StreamW-1:0] ack_x;
  if (rdt_ports_pkg::has_banks(NumEntries)) begin : gen_bank
    // The second ack, or nothing, follows the first through the same registers.
    assign flit = (idx_q == 2'd0) ? {rdt_pkg::TypeAck, tag_q[TagW-1:3], 2'd2, tag_q[2:0], 1'b0, status_q}
                                  : 17'({tag_q, status_q}) & {17{!idx_q[1]}};
  end else begin : gen_no_bank
    assign flit = {rdt_pkg::TypeAck, 4'd2, tag_q, 1'b0, status_q} & {17{idx_q == 2'd0}};
  end
  assign ack_x = {1'b0, !idx_q[0], {Lanes{(^flit) ^ (idx_q != 2'd0), flit}}};  // H0 has even parity

  always_comb begin
    case (st_q)
      StAck:   x_o = ack_x;
      StLoc:   x_o = loc_x_i;
      default: x_o = '0;
    endcase
  end

  function automatic logic [TagW-1:0] pick_tag(input logic [TagW*rdt_pkg::NumPorts-1:0] d, input logic [9:0] oh);
    pick_tag = '0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) pick_tag = pick_tag | (d[TagW*i +: TagW] & {TagW{oh[i]}});
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      st_q   <= StIdle;
      cool_q <= 4'd0;
      m0_q   <= 10'd0;
      m1_q   <= 10'd0;
      rty_q  <= 4'd9;
    end else begin
      st_q   <= st_d;
      cool_q <= cool_d;
      m0_q   <= m0_d;
      m1_q   <= m1_d;
      rty_q  <= rty_d;
    end
  end

  // Written on the way to the states that use them, so without reset.
  always_ff @(posedge clk_i) begin
    idx_q  <= idx_d;
    wait_q <= wait_d;
    if (takes) begin
      port_q   <= snd_v_i ? snd_port_i : retry_port;
      tag_q    <= snd_v_i ? snd_tag_i : pick_tag(ent_tag_i, retry_oh);
      status_q <= snd_v_i ? snd_st_i : 6'd1 << rdt_pkg::AckRetry;
    end else if (hands) begin
      tag_q    <= snd_tag_i & {TagW{snd_take_o}};
      status_q <= snd_st_i & {6{snd_take_o}};
    end
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_inject.svh"
`endif
endmodule
