// SPDX-License-Identifier: MIT
// The shoot-down: its state, the scan over buffers and ack entries while they are dumped, and which
// of them LOCAL looks at.
// Promises: halt_o one cycle before the scan begins, so that grants of the last cycle of Run have
// taken effect.
// Relies on: at most one of the *_i that end something in a cycle; SHOT packets come in through h0_i
// and h1_i as rdt_local keeps them.
module rdt_shot #(
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  // Clock and reset.
  input  logic        clk_i,
  input  logic        rst_ni,
  // Shoot-down and its state.
  input  logic        trigger_i,    // shoots down, if nothing is shot down yet
  output logic [1:0]  shot_o,
  output logic        halt_o,
  // where LOCAL is
  input  logic        recv_i,       // it takes a packet, and has H0 and H1 of it
  input  logic        put_i,        // or puts one back
  input  logic        table_i,      // it may read the ack table
  // a SHOT packet from MBP 0
  input  logic [16:0] h0_i,
  input  logic [16:0] h1_i,
  input  logic [16:0] h2_i,         // not yet that of the packet coming in
  input  logic [5:0]  plan_i,       // the upper bits of it: {mc, k, ent}
  input  logic        end_i,        // its last flit
  input  logic        run_i,        // a packet was put back, the last one
  output logic        slot_o,       // what it is
  output logic        entry_o,
  output logic        fits_o,       // a slot's context makes sense
  // the scan
  input  logic        step_i,       // LOCAL has nothing else to do
  output logic        found_o,      // it has to send a SHOT packet
  input  logic        sent_i,       // that has been sent
  input  logic        dumped_i,     // the packet of a slot, too
  output logic        follows_o,    // a packet has to follow the SHOT packet
  input  logic [1:0]  flit_i,       // flit of the SHOT packet
  output logic [16:0] flit_o,
  input  logic [15:0] xy_i,
  // input units and rdt_ack
  output logic [rdt_pkg::MaxVc*rdt_pkg::NumPorts-1:0] look_o,
  input  logic [rdt_ports_pkg::ctx_w(NumEntries)-1:0] ctx_i,
  output logic        ent_look_o,
  output logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] ent_tag_o,
  output logic        ent_put_o,
  input  logic        ent_used_i
);
  localparam int MaxVc = rdt_pkg::MaxVc;
  localparam int TagW  = rdt_ports_pkg::tag_w(NumEntries);
  localparam bit Banks = rdt_ports_pkg::has_banks(NumEntries);
  localparam int ScanW = Banks ? 6 : 5;
  localparam logic [ScanW-1:0] Port8      = ScanW'(18);  // the slot of MBP 0
  localparam logic [ScanW-1:0] FirstEntry = ScanW'(20);
  localparam logic [ScanW-1:0] End        = FirstEntry + ScanW'(NumEntries);

  logic [1:0] shot_d, shot_q;
  logic       halted_q;
  logic [ScanW-1:0] scan_d, scan_q;

  logic at_slot, at_end, dumping;
  assign at_slot = (scan_q < FirstEntry);
  assign at_end  = (scan_q == End);
  assign dumping = (shot_q == rdt_pkg::ShotDump);

  // The slot looked at. Slots are numbered by port, then by VC; there are 3,3,2,2,2,2,2,2,1,1.
  logic [3:0] port, scan_port;
  logic [1:0] vc, scan_vc;

  logic [3:0] half;
  logic [1:0] low;
  logic       odd;
  assign half = scan_q[4:1];
  assign low  = scan_q[1:0];
  assign odd  = scan_q[0];

  always_comb begin
    if (scan_q < ScanW'(3)) begin
      scan_port = rdt_pkg::PortE0;
      scan_vc   = low;
    end else if (scan_q < ScanW'(6)) begin
      scan_port = rdt_pkg::PortW0;
      scan_vc   = low - 2'd3;
    end else if (scan_q < Port8) begin
      scan_port = half - 4'd1;
      scan_vc   = {1'b0, odd};
    end else begin
      scan_port = {3'b100, odd};
      scan_vc   = at_slot ? 2'd0 : 2'd3;  // after the slots, one that does not exist
    end
  end

  logic asked;
  assign asked = recv_i || put_i;
  assign port  = asked ? h1_i[rdt_pkg::H1SlotportHi:rdt_pkg::H1SlotportLo] : scan_port;
  assign vc    = asked ? h1_i[rdt_pkg::H1SlotvcHi:rdt_pkg::H1SlotvcLo] : scan_vc;

  for (genvar p = 0; p < rdt_pkg::NumPorts; p++) begin : gen_look
    localparam int NumVc = rdt_ports_pkg::vcs_of(p);
    for (genvar v = 0; v < MaxVc; v++) begin : gen_vc
      if (v < NumVc) begin : gen_slot
        assign look_o[MaxVc*p + v] = (port == 4'(p)) && (vc == 2'(v));
      end else begin : gen_none
        assign look_o[MaxVc*p + v] = 1'b0;
      end
    end
  end

  logic        ctx_pkt, ctx_mc, ctx_ent;
  logic [10:0] ctx_pend;
  logic [3:0]  ctx_k;
  logic [TagW-1:0] ctx_tag;
  assign {ctx_pkt, ctx_pend, ctx_mc, ctx_k, ctx_tag, ctx_ent} = ctx_i;

  // A restored packet must not name LOCAL or a VC that does not exist, or wait for an entry in
  // vain.
  logic       mc, ent;
  logic [3:0] k;
  logic [9:0] pend;
  logic       vc_ok;
  assign {mc, k, ent} = plan_i;
  assign pend = h1_i[9:0];

  assign vc_ok  = (|pend[1:0]) ? k < 4'd3 : (|pend[7:2]) ? k < 4'd2 : k == 4'd0;
  assign fits_o = (pend != 10'd0) && !h1_i[rdt_pkg::H1SlotpendHi] &&
                  (mc ? !ent || (h0_i[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo] != 3'd0)
                      : !ent && vc_ok && (rdt_ports_pkg::low10(pend) == pend));

  // A packet for LOCAL goes there, and is not dumped.
  logic dumpable;
  assign dumpable  = ctx_pkt && !ctx_pend[rdt_pkg::OutLocal];
  assign found_o   = step_i && dumping && halted_q && (at_slot ? dumpable : at_end || ent_used_i);
  assign follows_o = at_slot;

  // The bank of a tag is in H0[5:4] of the SHOT packet.
  localparam int Bank = 4;
  logic [TagW-1:0] h0_tag, scan_tag, flit_tag;  // named by MBP 0, by the scan, sent
  logic [1:0]      flit_bank;
  logic [2:0]      flit_t;
  if (Banks) begin : gen_banks
    localparam logic [rdt_ports_pkg::TagsW-1:0] Tags = rdt_ports_pkg::Tags;
    function automatic logic [TagW-1:0] tag_at(input logic [ScanW-1:0] scan);
      tag_at = '0;
      for (int e = 0; e < NumEntries; e++)
        tag_at = tag_at | (Tags[5*e +: TagW] & {TagW{scan == FirstEntry + ScanW'(e)}});
    endfunction
    assign h0_tag    = {h0_i[Bank +: 2], h0_i[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo]};
    assign scan_tag  = tag_at(scan_q);
    assign flit_bank = flit_tag[TagW-1:3];
  end else begin : gen_no_banks
    assign h0_tag    = h0_i[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo];
    assign scan_tag  = scan_q[2:0] + 3'd5;
    assign flit_bank = 2'd0;
  end

  assign ent_put_o  = end_i && entry_o && rdt_ports_pkg::is_entry(5'(ent_tag_o), NumEntries);
  assign ent_look_o = (dumping && table_i && !at_slot && !at_end) || ent_put_o;
  assign ent_tag_o  = recv_i ? h0_tag : scan_tag;
  assign flit_t     = flit_tag[2:0];
  assign flit_tag   = at_slot ? ctx_tag : ent_tag_o & {TagW{!at_end}};

  // The packet that reports it.
  always_comb begin
    case (flit_i)
      2'd0:    flit_o = {rdt_pkg::TypeShot, 4'd2, flit_t, 1'b0, flit_bank, 2'd0,
                         at_slot ? rdt_pkg::WhatSlot : at_end ? rdt_pkg::WhatEnd : rdt_pkg::WhatEntry};
      2'd1:    flit_o = at_slot ? {port, vc, ctx_pend} : h1_i & {17{!at_end}};
      default: flit_o = at_slot ? {ctx_mc, ctx_k, ctx_ent, 11'd0}
                                : at_end ? {1'b0, xy_i} : h2_i;
    endcase
  end

  // Requests in packets from MBP 0.
  logic [1:0] what;
  logic       run;
  assign what    = h0_i[rdt_pkg::H0WhatHi:rdt_pkg::H0WhatLo];
  assign run     = h0_i[rdt_pkg::H0RunLo];
  assign slot_o  = (what == rdt_pkg::WhatSlot);
  assign entry_o = (what == rdt_pkg::WhatEntry);

  logic fires, again, restarts, stopped;
  assign stopped = shot_q[1];  // Done or Restart
  assign fires = trigger_i && (shot_q == rdt_pkg::ShotRun);
  assign again = end_i && (what == rdt_pkg::WhatEnd);
  assign restarts = end_i && (slot_o || (ent_put_o && !run));

  always_comb begin
    shot_d = shot_q;
    if (sent_i && at_end) shot_d = rdt_pkg::ShotDone;
    // MBP 0 sent a packet before it received the shoot-down, and cannot send another.
    if (step_i && dumpable && stopped) shot_d = rdt_pkg::ShotDump;
    if (run_i)            shot_d = rdt_pkg::ShotRun;
    if (end_i) begin
      case (what)
        rdt_pkg::WhatSlot:  shot_d = rdt_pkg::ShotRestart;
        rdt_pkg::WhatEntry: if (ent_put_o) shot_d = run ? rdt_pkg::ShotRun : rdt_pkg::ShotRestart;
        rdt_pkg::WhatEnd:   shot_d = rdt_pkg::ShotDump;
        default:            shot_d = rdt_pkg::ShotRun;
      endcase
    end
    if (fires) shot_d = rdt_pkg::ShotDump;
  end

  always_comb begin
    scan_d = scan_q;
    if (fires || again) scan_d = '0;
    else if ((sent_i && at_end) || restarts) scan_d = Port8;
    else if (dumped_i || (sent_i && !at_slot && !at_end) ||
             (step_i && dumping && halted_q && !found_o)) scan_d = scan_q + ScanW'(1);
  end

  assign shot_o = shot_q;
  assign halt_o = (shot_q != rdt_pkg::ShotRun);

  logic unused_h;
  assign unused_h = (^h0_i[16:10]) ^ (^h0_i[6:3]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      shot_q   <= rdt_pkg::ShotRun;
      halted_q <= 1'b0;
      scan_q   <= '0;
    end else begin
      shot_q   <= shot_d;
      halted_q <= halt_o;
      scan_q   <= scan_d;
    end
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_shot.svh"
`endif
endmodule
