// SPDX-License-Identifier: MIT
// Sends one stream at a time on its line: REQ, header rewrite, output register, and the
// credits that the other end has given.
// Promises: everything on the pins comes from a register; an unused grant is answered with REQ = 0
// (void); a flit lost inside the chip keeps its wrong parity; a credit that does not come back is
// late between one and two slow ticks after its packet was sent; with sink_i an output whose link
// or MBP has been dead for one to two ticks consumes its packets and reports it. Relies on: after a
// start the stream comes from the next cycle on without gaps, its first code at most NumVc (but for
// an MBP); line_gnt_i only while the link is up.
module rdt_output_unit #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW      = rdt_pkg::FlitW,
  // Number of the output port.
  parameter int OutPort    = 0,
  // Virtual channels of the port, one buffer each.
  parameter int NumVc      = 2,
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries,
  parameter int RegReq     = 0   // 1: CRED is taken in a register first, as in rdt_link_io
) (
  // Clock and reset; ticks; mode and rank of the node.
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        raw_i,       // a packet is dumped as it is
  input  logic        tick_i,
  input  logic        slow_i,
  input  logic        sink_i,      // a dead output consumes packets
  input  logic [4:0]  rank_i,     // bit r: the node is on rank r
  // crossbar
  input  logic [rdt_pkg::CodeW+DataW-1:0] x_i,
  input  logic        gnt_i,
  input  logic        cand_any_i,
  output logic        xb_gnt_o,
  output logic [2:0]  credit_o,
  // own line
  input  logic        line_gnt_i,
  input  logic        line_void_i,
  input  logic        hush_i,
  input  logic        ask_i,
  input  logic        call_i,
  input  logic        down_i,
  input  logic        up_i,
  input  logic        ann_i,
  output logic        tx_o,
  output logic        late_o,      // some credit does not come back
  // rdt_inject
  input  logic        loc_want_i,
  input  logic [rdt_pkg::CodeW+DataW-1:0] loc_x_i,
  output logic        loc_gnt_o,
  // rdt_ack
  input  logic [rdt_ports_pkg::gen_w(NumEntries)*NumEntries-1:0] gen_i,       // generation of each entry
  // LOCAL
  output logic        ev_cred_o,
  output logic        ev_owed_o,
  output logic        ev_sunk_o,
  // pins
  input  logic [1:0]  cred_i,
  output logic [DataW-1:0] d_o,
  output logic        d_oe_o,
  output logic [1:0]  req_o
);
  localparam int StreamW = rdt_pkg::CodeW + DataW;
  localparam int Lanes   = DataW / rdt_pkg::FlitW;
  localparam bit IsMbp   = rdt_ports_pkg::is_mbp(OutPort);
  localparam bit IsX     = rdt_ports_pkg::is_x(OutPort);
  localparam bit Banks   = rdt_ports_pkg::has_banks(NumEntries);

  logic        tx_d, tx_q;
  logic [1:0]  hidx_d, hidx_q;
  logic        txloc_d, txloc_q;
  logic [DataW-1:0] d_d, d_q;
  logic        oe_d, oe_q;
  logic [1:0]  req_d, req_q;
  logic        sunk_d, sunk_q;  // the stream goes nowhere
  logic [1:0]  gone_d, gone_q;  // ticks without a link or its MBP

  logic [rdt_pkg::FlitW-1:0] x;  // the flit that is sent, of the first lane
  logic [1:0]  x_code;  // of a packet from the crossbar
  logic [1:0]  code;
  logic [16:0] flip;  // payload bits that the rewrite changes
  logic        flip_vc;  // and the parity alone, to show the VC
  logic        dead, offer, start, sends, head, want;
  logic [2:0]  ptype;  // at the first flit
  logic [2:0]  xtype;  // the same of a packet from the crossbar

  assign dead      = sink_i && gone_q[1];
  // A stream that goes nowhere may still run when the line is there again.
  assign offer     = dead ? !tx_q : line_gnt_i && !(tx_q && sunk_q);
  assign xb_gnt_o  = offer && !loc_want_i;
  assign loc_gnt_o = offer && loc_want_i;
  assign sends     = tx_q && !sunk_q;

  assign x    = txloc_q ? loc_x_i[rdt_pkg::FlitW-1:0] : x_i[rdt_pkg::FlitW-1:0];
  assign head = tx_q && (hidx_q == 2'd0);

  // A pass may have copies on another VC beside that for an MBP, which has only one.
  assign code   = (IsMbp && hidx_q == 2'd0) ? rdt_pkg::VcVc0
                  : txloc_q ? loc_x_i[StreamW-1:DataW] : x_code;
  assign x_code = x_i[StreamW-1:DataW];

  assign start = gnt_i || loc_gnt_o;

  always_comb begin
    tx_d    = tx_q;
    hidx_d  = hidx_q;
    txloc_d = txloc_q;
    sunk_d  = sunk_q;
    if (start) begin
      tx_d    = 1'b1;
      hidx_d  = 2'd0;
      txloc_d = loc_gnt_o;
      sunk_d  = dead;
    end else if (tx_q) begin
      if (hidx_q != 2'd3) hidx_d = hidx_q + 2'd1;
      if (hidx_q != 2'd0 && code == rdt_pkg::ReqWant) tx_d = 1'b0;
    end
  end

  // Parity is carried, not regenerated. Only what comes from the crossbar is changed, so the rewrite
  // does not wait for what is sent from behind it.
  assign d_d  = txloc_q ? loc_x_i[DataW-1:0] : x_i[DataW-1:0] ^ {Lanes{(^flip) ^ flip_vc, flip}};
  assign oe_d = sends && !down_i;

  assign want = ((cand_any_i || loc_want_i) && !dead && !hush_i) || ask_i;

  always_comb begin
    if (down_i)                                                     req_d = {2{call_i}};
    else if (sends && (hidx_q == 2'd0 || code == rdt_pkg::ReqMore)) req_d = code;
    else if (line_void_i && !sends)                                 req_d = rdt_pkg::ReqIdle;
    else                                                            req_d = {1'b0, want};
  end

  assign ev_sunk_o = start && dead;
  assign tx_o      = tx_q;

  if (!IsMbp) begin : gen_unused
    logic unused_gen;
    assign unused_gen = ^gen_i;
  end

  // Header rewrite. Which kind it is shows in H0 and is kept for H1 and H2.
  logic [2:0]  in_h;        // the flit is H2, H1, H0 of a packet from the crossbar
  logic [16:0] flip_step, flip_map;

  logic as_is;
  if (rdt_ports_pkg::is_mbp0(OutPort)) begin : gen_raw
    assign as_is = txloc_q || raw_i;
  end else begin : gen_no_raw
    assign as_is = txloc_q;
    logic unused_raw;
    assign unused_raw = raw_i;
  end

  for (genvar k = 0; k < 3; k++) begin : gen_in_h
    assign in_h[k] = !as_is && (hidx_q == 2'(k));
  end
  assign ptype = x[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo];
  assign xtype = x_i[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo];
  assign flip  = flip_step | flip_map;

  // A packet on VC 1 has the wrong parity in H2, one on VC-T in H1.
  if (!IsMbp) begin : gen_vc
    logic [1:0] vc_q;  // VC-T, VC 1
    assign flip_vc = ((hidx_q == 2'd1 && vc_q[1]) || (hidx_q == 2'd2 && vc_q[0])) && !txloc_q;

    always_ff @(posedge clk_i) begin
      if (head) vc_q <= {(NumVc == 3) && (x_code == rdt_pkg::VcVcT), x_code == rdt_pkg::VcVc1};
    end
  end else begin : gen_no_vc
    assign flip_vc = 1'b0;
  end

  // Multicasts: a byte that was used up continues only to the South.
  if (rdt_ports_pkg::is_south(OutPort)) begin : gen_south
    assign flip_map = 17'd0;
  end else begin : gen_map
    logic       mc_d, mc_q;
    logic [2:0] in_m;

    assign mc_d = (hidx_q != 2'd0) ? mc_q :
                  !xtype[2] && (xtype[1:0] != 2'd0) && !(rdt_ports_pkg::has_vct(OutPort) && x_code == rdt_pkg::VcVcT);
    assign in_m = in_h & {3{mc_d}};

    always_ff @(posedge clk_i) begin
      if (head) mc_q <= mc_d;
    end

    if (rdt_ports_pkg::is_upper(OutPort)) begin : gen_upper
      logic r1, r2, r3, r4;
      assign {r4, r3, r2, r1} = rank_i[4:1];
      assign flip_map = x_i[16:0] & (({11'd0, {6{r4}}} & {17{in_m[0]}}) |
                                   ({{2{r4 && !Banks}}, {8{r3}}, {7{r2}}} & {17{in_m[1]}}) |
                                   ({r2, {8{r1}}, 8'd0} & {17{in_m[2]}}));
    end else begin : gen_level0
      // Not by in_m[2]: Verilator 5.006 takes a bit of that vector for 1 in the flits of the body.
      logic       in_h2;
      logic [3:0] gen;  // replaces the empty map
      assign in_h2    = mc_d && !as_is && (hidx_q == 2'd2);
      assign flip_map = {9'd0, (x_i[rdt_pkg::H2Map0Hi:rdt_pkg::H2Map0Lo] ^ {4'd0, gen}) & {8{in_h2}}};

      // An MBP answers with the generation of the entry, so that a late ack is known as such.
      if (IsMbp) begin : gen_gen
        localparam int TagW = rdt_ports_pkg::tag_w(NumEntries);
        localparam int GenW = rdt_ports_pkg::gen_w(NumEntries);
        localparam logic [rdt_ports_pkg::TagsW-1:0] Tags = rdt_ports_pkg::Tags;
        logic [TagW-1:0] tag_q;

        // Also of the bank, which is empty if the tag names no entry.
        function automatic logic [rdt_pkg::GenW-1:0] gen_of(input logic [GenW*NumEntries-1:0] d, input logic [TagW-1:0] tag);
          gen_of = '0;
          for (int e = 0; e < NumEntries; e++)
            gen_of = gen_of | (rdt_pkg::GenW'({Tags[5*e+3 +: 2], d[GenW*e +: GenW]}) &
                               {rdt_pkg::GenW{tag == Tags[5*e +: TagW]}});
        endfunction

        assign gen = gen_of(gen_i, tag_q);

        always_ff @(posedge clk_i) begin
          if (head) tag_q[2:0] <= x_i[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo];
        end
        if (Banks) begin : gen_bank
          always_ff @(posedge clk_i) begin
            if (hidx_q == 2'd1) tag_q[TagW-1:3] <= x_i[rdt_pkg::H1Map4lHi:rdt_pkg::H1Map4lLo];
          end
        end
      end else begin : gen_no_gen
        assign gen = 4'd0;
      end

      logic unused_in_m;
      assign unused_in_m = ^in_m;
    end
  end

  // Unicasts and SETUP: the component moved along gets one step closer to zero. A step toggles bit
  // 0, and every bit above as long as all bits below it are 0 (down) or 1 (up).
  if (!IsMbp) begin : gen_step
    logic        rw_d, rw_q;
    logic        in_h0, in_h1, in_h2;
    logic [16:0] t;
    logic [5:0]  f_hop;
    logic [16:0] flip_v;

    assign rw_d  = (hidx_q == 2'd0) ? (xtype == rdt_pkg::TypeUni || xtype == rdt_pkg::TypeSetup)
                                    : rw_q;
    assign in_h0 = rw_d && in_h[0];
    assign in_h1 = rw_d && in_h[1];
    assign in_h2 = rw_d && in_h[2];
    assign t     = rdt_ports_pkg::is_positive(OutPort) ? ~x_i[16:0] : x_i[16:0];

    logic unused_t;
    assign unused_t = ^t;

    always_ff @(posedge clk_i) begin
      if (head) rw_q <= rw_d;
    end

    localparam int Hop = rdt_pkg::H2HopLo;
    assign f_hop     = {~|x_i[Hop +: 5], ~|x_i[Hop +: 4], ~|x_i[Hop +: 3], ~|x_i[Hop +: 2], ~x_i[Hop], 1'b1} &
                       {6{in_h2}};
    assign flip_step = flip_v | (17'(f_hop) << Hop);

    if (rdt_ports_pkg::is_rank0(OutPort)) begin : gen_rank0
      localparam int Lo = IsX ? rdt_pkg::H1V0xLo : rdt_pkg::H2V0yLo;
      logic [3:0] f;

      assign f      = {&t[Lo +: 3], &t[Lo +: 2], t[Lo], 1'b1} & {4{IsX ? in_h1 : in_h2}};
      assign flip_v = 17'(f) << Lo;

      logic unused_rank;
      assign unused_rank = (^rank_i) ^ in_h0;
    end else begin : gen_upper
      localparam int Lo  = IsX ? rdt_pkg::H0V4xLo : rdt_pkg::H0V4yLo;
      localparam int Mid = IsX ? rdt_pkg::H1V2xLo : rdt_pkg::H1V2yLo;
      localparam int Hi  = IsX ? rdt_pkg::H1V3xLo : rdt_pkg::H1V3yLo;  // and v1
      logic       in_lo, in_mid, in_hi;
      logic [2:0] f_lo, f_mid, f_hi;

      assign in_lo  = in_h0 && rank_i[4];
      assign in_mid = in_h1 && rank_i[2];
      assign in_hi  = (in_h1 && rank_i[3]) || (in_h2 && rank_i[1]);
      assign f_lo   = {&t[Lo +: 2], t[Lo], 1'b1} & {3{in_lo}};
      assign f_mid  = {&t[Mid +: 2], t[Mid], 1'b1} & {3{in_mid}};
      assign f_hi   = {&t[Hi +: 2], t[Hi], 1'b1} & {3{in_hi}};
      assign flip_v = (17'(f_lo) << Lo) | (17'(f_mid) << Mid) | (17'(f_hi) << Hi);

      logic unused_rank;
      assign unused_rank = rank_i[0];
    end
  end else begin : gen_as_is
    assign flip_step = 17'd0;

    logic unused_rank;
    assign unused_rank = ^rank_i;
  end

  // Credits come as a code in two cycles on end, and then a cycle of 0. A code on CRED when the
  // other end begins to call is not a credit and not an error.
  logic [1:0] cred;
  logic       live, known, gap_d, gap_q;
  logic [1:0] in_d, in_q;  // seen once
  logic       twice;

  if (RegReq == 0) begin : gen_pin
    assign cred = cred_i;
  end else begin : gen_reg
    logic [1:0] pin_cred_q;
    assign cred = pin_cred_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) pin_cred_q <= 2'd0;
      else         pin_cred_q <= cred_i;
    end
  end

  if (NumVc == 3) begin : gen_all_vc
    assign known = 1'b1;
  end else begin : gen_some_vc
    assign known = (cred <= 2'(NumVc));
  end

  assign live  = up_i || ann_i;
  assign twice = (|in_q) && (cred == in_q);

  always_comb begin
    in_d      = 2'd0;
    gap_d     = 1'b0;
    ev_cred_o = 1'b0;
    if (live) begin
      gap_d = |cred;
      if (|in_q) begin
        ev_cred_o = !twice && !call_i;
      end else if (!gap_q) begin
        gap_d     = !known;
        ev_cred_o = !known && !call_i;
        in_d      = cred & {2{known}};
      end
    end
  end

  // How long each credit has been away: 0 it is here, 1 away, 2 a slow tick has passed, 3 late.
  // In Sync and Zero: 1 it was here, 3 it was away. A packet that did not arrive left its credit
  // away, so it is missed when its buffer is announced.
  logic [NumVc-1:0]   here, late, found, have;
  logic [2*NumVc-1:0] owed_d, owed_q;
  for (genvar v = 0; v < NumVc; v++) begin : gen_credit
    logic [1:0] owed, next, older;
    logic       cred_in, cred_out;
    assign owed     = owed_q[2*v +: 2];
    assign older    = {1'b1, owed[1]};
    assign cred_in  = twice && (in_q == 2'(v + 1));
    assign cred_out = sends && (hidx_q == 2'd0) && (code == 2'(v + 1)) && (ptype != rdt_pkg::TypeAck);
    assign late[v]  = &owed;
    assign here[v]  = !(|owed);
    assign found[v] = ann_i && cred_in && late[v];  // it had been lost, not only kept
    always_comb begin
      next = owed;
      if (up_i) begin
        if (cred_out)                    next = 2'd1;
        else if (cred_in)                next = 2'd0;
        else if (slow_i && (owed != '0)) next = older;
      end else if (ann_i) begin
        if (cred_in)      next = 2'd0;
        else if (!down_i) next = {1'b0, |owed};
      end else if (cred_out) begin
        next = 2'd3;
      end
    end
    assign owed_d[2*v +: 2] = {next[1] || (call_i && up_i && next[0]), next[0] || call_i};
  end
  assign late_o    = up_i && (|late);
  assign ev_owed_o = |found;
  assign have      = here | {NumVc{dead}};
  assign credit_o  = 3'(have);

  // An MBP is there as long as it takes packets.
  logic there;
  assign there  = up_i && (!IsMbp || here[0]);
  assign gone_d = {gone_q[1] || (tick_i && gone_q[0]), gone_q[0] ^ (tick_i && !gone_q[1])} & {2{!there}};

  assign d_o    = d_q;
  assign d_oe_o = oe_q;
  assign req_o  = req_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tx_q    <= 1'b0;
      hidx_q  <= 2'd0;
      txloc_q <= 1'b0;
      d_q     <= '0;
      oe_q    <= 1'b0;
      req_q   <= rdt_pkg::ReqIdle;
      in_q    <= 2'd0;
      gap_q   <= 1'b0;
      owed_q  <= {NumVc{2'd1}};
      gone_q  <= 2'd0;
    end else begin
      tx_q    <= tx_d;
      hidx_q  <= hidx_d;
      txloc_q <= txloc_d;
      if (tx_q) d_q <= d_d;
      oe_q    <= oe_d;
      req_q   <= req_d;
      in_q    <= in_d;
      gap_q   <= gap_d;
      owed_q  <= owed_d;
      gone_q  <= gone_d;
    end
  end

  // Written before it is used.
  always_ff @(posedge clk_i) begin
    sunk_q <= sunk_d;
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_output_unit.svh"
`endif
endmodule
