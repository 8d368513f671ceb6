// SPDX-License-Identifier: MIT
// What an input unit has to do with acks: the landing register for one ack, or with banks for the two
// that a packet on a link may have, and the request of the packets that need an ack entry before they
// may continue.
// Promises: one request per cycle. The VCs that wait take turns in every cycle, granted or not: a VC
// may wait for a class of entries that later classes of the same port must not wait for. The wait of
// one VC at a time is counted: ent_old_o after a tick of slow_i, retry_o after two more of tick_ent_i.
// Only acks of an MBP have a generation that counts, so only its port keeps it.
// Relies on: acks come at most once in AckGap cycles; ent_gnt_i and retry_ack_i come only with
// ent_req_o and never together.
module rdt_ack_port #(
  // Virtual channels of the port, one buffer each.
  parameter int NumVc      = 2,
  // Number of the input port.
  parameter int InPort     = 0,
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  // Clock and reset.
  input  logic                clk_i,
  input  logic                rst_ni,
  // landing
  input  logic [rdt_ports_pkg::land_w(rdt_ports_pkg::has_pairs(NumEntries, InPort))-1:0] land_i,
  input  logic [rdt_ports_pkg::num_acks(NumEntries)*rdt_ports_pkg::tag_w(NumEntries)-1:0] land_tag_i,
  input  logic [rdt_ports_pkg::num_acks(NumEntries)*rdt_pkg::StatusW-1:0] land_st_i,
  input  logic [3:0]          land_gen_i,
  input  logic                ack_take_i,
  output logic                ack_v_o,
  output logic [rdt_ports_pkg::num_acks(NumEntries)*rdt_ports_pkg::tag_w(NumEntries)-1:0] ack_tag_o,
  output logic [rdt_ports_pkg::num_acks(NumEntries)*rdt_pkg::StatusW-1:0] ack_st_o,
  output logic [3:0]          ack_gen_o,
  output logic                ev_over_o,
  // entries
  input  logic                halt_i,
  input  logic [NumVc-1:0]    wait_i,    // VC v holds a packet without an entry
  input  logic [rdt_pkg::NumOuts*NumVc-1:0] pend_i,
  input  logic [rdt_ports_pkg::tag_w(NumEntries)*NumVc-1:0] tag_i,
  input  logic                ent_gnt_i,
  input  logic                slow_i,
  input  logic                tick_ent_i,
  input  logic                retry_ack_i,
  output logic [NumVc-1:0]    ent_oh_o,  // the requesting VC
  output logic                ent_req_o,
  output logic [9:0]          ent_set_o,
  output logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] ent_tag_o,
  output logic                ent_vct_o,  // VC-T requests
  output logic                ent_old_o,  // it has waited long
  output logic                retry_o
);
  localparam int NumPorts = rdt_pkg::NumPorts;
  localparam int NumOuts  = rdt_pkg::NumOuts;
  localparam int TagW     = rdt_ports_pkg::tag_w(NumEntries);
  localparam int StatusW  = rdt_pkg::StatusW;
  localparam bit Pairs    = rdt_ports_pkg::has_pairs(NumEntries, InPort);

  logic       ack_v_d, ack_v_q;
  logic [TagW-1:0]    ack_tag_q;
  logic [StatusW-1:0] ack_st_q;
  logic [1:0] ewait_d, ewait_q;

  assign ev_over_o = land_i[0] && ack_v_q && !ack_take_i;
  assign ack_v_o   = ack_v_q;
  assign ack_tag_o[TagW-1:0]   = ack_tag_q;
  assign ack_st_o[StatusW-1:0] = ack_st_q;

  if (Pairs) begin : gen_pair
    // Both are taken together, so the first waits for the second.
    logic [TagW-1:0]    tag2_q;
    logic [StatusW-1:0] st2_q;
    assign ack_v_d = land_i[1] || (ack_v_q && !ack_take_i && !land_i[0]);
    assign ack_tag_o[2*TagW-1:TagW]      = tag2_q;
    assign ack_st_o[2*StatusW-1:StatusW] = st2_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        tag2_q <= '0;
        st2_q  <= '0;
      end else if (land_i[1]) begin
        tag2_q <= land_tag_i[2*TagW-1:TagW] & {TagW{land_i[2]}};
        st2_q  <= land_st_i[2*StatusW-1:StatusW];
      end
    end
  end else begin : gen_single
    assign ack_v_d = land_i || (ack_v_q && !ack_take_i);
    if (rdt_ports_pkg::has_banks(NumEntries)) begin : gen_none
      assign ack_tag_o[2*TagW-1:TagW]      = '0;
      assign ack_st_o[2*StatusW-1:StatusW] = '0;
      logic unused_second;
      assign unused_second = (^land_tag_i[2*TagW-1:TagW]) ^ (^land_st_i[2*StatusW-1:StatusW]);
    end
  end

  if (rdt_ports_pkg::is_mbp(InPort)) begin : gen_mbp
    logic [3:0] ack_gen_q;
    assign ack_gen_o = ack_gen_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni)        ack_gen_q <= 4'd0;
      else if (land_i[0]) ack_gen_q <= land_gen_i;
    end
  end else begin : gen_link
    assign ack_gen_o = 4'd0;
    logic unused_gen;
    assign unused_gen = ^land_gen_i;
  end

  // The requesting VC: the first waiting one from evc_q. wait_oh: the VC whose wait is counted.
  // When it no longer waits, the requesting VC replaces it.
  logic             answered, waits;
  logic [NumVc-1:0] wait_oh;
  logic             keeps, counted;  // the counted VC waits; the requesting VC is the counted one
  assign answered = ent_gnt_i || retry_ack_i;
  assign waits    = |wait_i;
  assign keeps    = |(wait_i & wait_oh);
  assign counted  = |(ent_oh_o & wait_oh);

  if (NumVc == 1) begin : gen_one
    assign ent_oh_o = wait_i;
    assign wait_oh  = 1'b1;
  end else if (NumVc == 2) begin : gen_two
    logic evc_d, evc_q, wvc_d, wvc_q;
    assign ent_oh_o = evc_q ? {wait_i[1], wait_i[0] && !wait_i[1]}
                            : {wait_i[1] && !wait_i[0], wait_i[0]};
    assign wait_oh  = {wvc_q, !wvc_q};
    assign evc_d    = waits ? ent_oh_o[0] : evc_q;
    assign wvc_d    = (waits && !keeps) ? ent_oh_o[1] : wvc_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {evc_q, wvc_q} <= 2'b00;
      else         {evc_q, wvc_q} <= {evc_d, wvc_d};
    end
  end else begin : gen_three
    logic [1:0] evc_d, evc_q, wvc_d, wvc_q;
    logic [2:0] turn, pick;  // VCs from evc_q on
    assign turn        = {1'b1, !evc_q[1], evc_q == 2'd0};
    assign pick        = wait_i & (turn | {3{(wait_i & turn) == 3'd0}});
    assign ent_oh_o[0] = pick[0];
    assign ent_oh_o[1] = pick[1] && !pick[0];
    assign ent_oh_o[2] = pick[2] && !pick[1] && !pick[0];
    assign wait_oh     = {wvc_q[1], wvc_q[0], wvc_q == 2'd0};
    assign evc_d       = waits ? ent_oh_o[1:0] : evc_q;
    assign wvc_d       = (waits && !keeps) ? ent_oh_o[2:1] : wvc_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {evc_q, wvc_q} <= 4'd0;
      else         {evc_q, wvc_q} <= {evc_d, wvc_d};
    end
  end

  function automatic logic [NumPorts-1:0] pick_set(input logic [NumOuts*NumVc-1:0] d, input logic [NumVc-1:0] oh);
    pick_set = '0;
    for (int v = 0; v < NumVc; v++) pick_set = pick_set | (d[NumOuts*v +: NumPorts] & {NumPorts{oh[v]}});
  endfunction

  function automatic logic [TagW-1:0] pick_tag(input logic [TagW*NumVc-1:0] d, input logic [NumVc-1:0] oh);
    pick_tag = '0;
    for (int v = 0; v < NumVc; v++) pick_tag = pick_tag | (d[TagW*v +: TagW] & {TagW{oh[v]}});
  endfunction

  assign ent_req_o = waits && !halt_i;
  assign ent_set_o = pick_set(pend_i, ent_oh_o);
  assign ent_tag_o = pick_tag(tag_i, ent_oh_o);
  assign ent_vct_o = rdt_ports_pkg::has_vct(InPort) && ent_oh_o[NumVc-1];
  assign ent_old_o = ent_req_o && counted && (ewait_q != 2'd0);
  assign retry_o   = ent_req_o && counted && (&ewait_q);

  logic older;
  assign older   = (ewait_q == 2'd0) ? slow_i : tick_ent_i && !(&ewait_q);
  assign ewait_d = (ewait_q + 2'(older)) & {2{ent_req_o && !(answered && (counted || !keeps))}};

  // A multicast with an error has no entry to wait for, so its place in LOCAL is not in the set.
  logic [NumVc-1:0] unused_pend;
  for (genvar v = 0; v < NumVc; v++) begin : gen_unused
    assign unused_pend[v] = pend_i[NumOuts*v + rdt_pkg::OutLocal];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ack_v_q   <= 1'b0;
      ack_tag_q <= '0;
      ack_st_q  <= '0;
      ewait_q   <= 2'd0;
    end else begin
      ack_v_q <= ack_v_d;
      ewait_q <= ewait_d;
      if (land_i[0]) begin
        ack_tag_q <= land_tag_i[TagW-1:0];
        ack_st_q  <= land_st_i[StatusW-1:0];
      end
    end
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_ack_port.svh"
`endif
endmodule
