// SPDX-License-Identifier: MIT
// From the payloads of a packet's three header flits to its error code, and of all but multicasts to
// its output and output VC; a multicast is routed by rdt_bitmap. SHOT packets and raw ones, which a
// restart puts back, come from MBP 0 alone and go to LOCAL.
// The part that depends on H0 and H1 only is computed when H1 arrives, and stored; the rest when H2
// arrives. The node's registers count only then. Y goes before X because the multicast's South
// relay turns from Y to X. Promises: at most one bit of set_o; with an error LOCAL's; none for a
// multicast without one. ovc is 2 only for E0 and W0, and 0 for the MBPs and LOCAL. Relies on: in
// the cycle before H2 its H1 was on h2_i and its H0 on h0_i; the parity of the header was found
// right.
module rdt_route #(
  // Number of the input port.
  parameter int InPort = 0
) (
  // Clock; header flits of the packet, and the VC it came in on.
  input  logic        clk_i,
  input  logic [16:0] h0_i,
  input  logic [16:0] h1_i,
  input  logic [16:0] h2_i,
  input  logic [1:0]  in_vc_i,
  // Configuration of the node: rank, transfer port, datelines.
  input  logic [4:0]  rank_i,    // bit r: the node is on rank r
  input  logic [3:0]  xfer_i,
  input  logic [7:0]  dateline_i,
  // From rdt_bitmap; a packet that is put back; credits of all outputs.
  input  logic        bad_map_i,
  input  logic        raw_i,     // to LOCAL, whatever it is
  input  logic [rdt_pkg::CreditW-1:0] credit_i,
  // Output of the packet, alone and with a credit; its VC there.
  output logic [10:0] set_o,
  output logic [10:0] rdy_o,     // the same, if there is a credit for its VC
  output logic [1:0]  ovc_o,
  // Multicast; error code.
  output logic        mc_o,      // a multicast, and nothing is wrong with it but perhaps its map
  output logic [3:0]  err_o
);
  localparam int MaxVc = rdt_pkg::MaxVc;

  // With H1.
  logic [2:0] ptype;
  logic [3:0] len;
  logic [5:0] in_v4, in_v3, in_v2;
  logic       is_mc, is_setup, is_shot, is_bad_type, is_bad_len;

  assign ptype       = h0_i[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo];
  assign len         = h0_i[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo];
  assign is_mc       = !ptype[2] && (ptype != rdt_pkg::TypeUni);
  assign is_setup    = (ptype == rdt_pkg::TypeSetup);
  assign is_shot     = rdt_ports_pkg::is_mbp0(InPort) && (ptype == rdt_pkg::TypeShot);
  assign is_bad_type = ptype[2] && !is_setup && !is_shot;
  assign is_bad_len  = (len < 4'd2) || (is_setup && len == 4'd2) || (is_shot && len != 4'd2);
  assign in_v4       = h0_i[rdt_pkg::H0V4xHi:rdt_pkg::H0V4yLo];
  assign in_v3       = h2_i[rdt_pkg::H1V3xHi:rdt_pkg::H1V3yLo];
  assign in_v2       = h2_i[rdt_pkg::H1V2xHi:rdt_pkg::H1V2yLo];

  logic       type_q, len_q, short_q;  // errors; short_q: of a raw packet
  logic       mc_q, setup_q, shot_q;
  logic       uni_q;                   // unicast or SETUP, and nothing wrong so far
  logic [4:2] top_q;                   // r is the highest rank whose vector is not zero
  logic       upper_q;                 // one of them is not
  logic [4:2] vy_q;                    // their y is not zero
  logic       v0x_q;

  // They count in the cycle after H1, so without reset or enable.
  always_ff @(posedge clk_i) begin
    type_q  <= is_bad_type;
    len_q   <= is_bad_len;
    short_q <= (len < 4'd2);
    mc_q    <= is_mc;
    setup_q <= is_setup;
    shot_q  <= is_shot;
    uni_q   <= !is_mc && !is_shot && !is_bad_type && !is_bad_len && !h2_i[rdt_pkg::H1Rsv1Lo];
    top_q   <= {|in_v4, (|in_v3) && !(|in_v4), (|in_v2) && !(|in_v4) && !(|in_v3)};
    upper_q <= (|in_v4) || (|in_v3) || (|in_v2);
    vy_q    <= {|in_v4[2:0], |in_v3[2:0], |in_v2[2:0]};
    v0x_q   <= |h2_i[rdt_pkg::H1V0xHi:rdt_pkg::H1V0xLo];
  end

  // With H2.
  logic [5:0] v4, v3, v2, v1;  // {x, y}
  logic [3:0] v0x, v0y;

  assign v4  = h0_i[rdt_pkg::H0V4xHi:rdt_pkg::H0V4yLo];
  assign v3  = h1_i[rdt_pkg::H1V3xHi:rdt_pkg::H1V3yLo];
  assign v2  = h1_i[rdt_pkg::H1V2xHi:rdt_pkg::H1V2yLo];
  assign v1  = h2_i[rdt_pkg::H2V1xHi:rdt_pkg::H2V1yLo];
  assign v0x = h1_i[rdt_pkg::H1V0xHi:rdt_pkg::H1V0xLo];
  assign v0y = h2_i[rdt_pkg::H2V0yHi:rdt_pkg::H2V0yLo];

  logic [4:1] at_rank;   // the node is on rank r
  logic       top1;      // 1 is the highest rank whose vector is not zero
  logic       on_torus;  // that rank is the one this node is on
  logic       transfer;  // or another one
  logic       home, west;
  logic       vpx_neg, vpy_neg, vpy_any, v0y_any;  // vp: the vector of the node's own rank

  assign at_rank  = rank_i[4:1];
  assign top1     = (|v1) && !upper_q;
  assign on_torus = (|(top_q & at_rank[4:2])) || (top1 && at_rank[1]);
  assign transfer = (upper_q && (top_q & at_rank[4:2]) == 3'd0) || (top1 && !at_rank[1]);
  assign west     = |({top_q, top1} & xfer_i);
  assign vpx_neg  = |(at_rank & {v4[5], v3[5], v2[5], v1[5]});
  assign vpy_neg  = |(at_rank & {v4[2], v3[2], v2[2], v1[2]});
  assign vpy_any  = |(at_rank & {vy_q, |v1[2:0]});
  assign v0y_any  = |v0y;
  assign home     = !upper_q && v1 == 6'd0 && !v0x_q && !v0y_any;

  // Raw packets come from MBP 0 alone.
  logic raw, hops, ok, ok_go, bad;
  assign raw   = rdt_ports_pkg::is_mbp0(InPort) && raw_i;
  assign hops  = |h2_i[rdt_pkg::H2HopHi:rdt_pkg::H2HopLo];
  assign ok    = uni_q && !h2_i[rdt_pkg::H2Rsv2Lo] && !raw;
  assign ok_go = ok && hops;
  assign bad   = (type_q && !raw) || (raw ? short_q : len_q) ||
                 (mc_o ? bad_map_i : !raw && !shot_q && !ok) || (ok && !home && !hops);
  assign mc_o  = mc_q && !len_q && !raw;

  always_comb begin
    if (type_q && !raw)             err_o = rdt_pkg::ErrBadType;
    else if (raw ? short_q : len_q) err_o = rdt_pkg::ErrBadLength;
    else if (raw || shot_q)         err_o = rdt_pkg::ErrNone;
    else if (mc_q)                  err_o = bad_map_i ? rdt_pkg::ErrBadMap : rdt_pkg::ErrNone;
    else if (!ok)                   err_o = rdt_pkg::ErrReserved;
    else if (!home && !hops)        err_o = rdt_pkg::ErrHopLimit;
    else                            err_o = rdt_pkg::ErrNone;
  end

  logic [7:0] go;     // not as a transfer
  logic [1:0] xfer;   // to W0, E0
  logic [1:0] mbp;
  logic       loc;

  assign go[7:4] = {vpy_any && vpy_neg, vpy_any && !vpy_neg, !vpy_any && vpx_neg, !vpy_any && !vpx_neg} &
                   {4{on_torus && ok_go}};
  assign go[3:0] = {v0y_any && v0y[3], v0y_any && !v0y[3], !v0y_any && v0x_q && v0x[3], !v0y_any && v0x_q && !v0x[3]} &
                   {4{!upper_q && v1 == 6'd0 && ok_go}};
  assign xfer    = {west, !west} & {2{transfer && ok_go}};
  assign mbp     = {h0_i[rdt_pkg::H0MbpLo], !h0_i[rdt_pkg::H0MbpLo]} & {2{home && ok && !setup_q}};
  assign loc     = bad || raw || shot_q || (home && setup_q);
  assign set_o   = {loc, mbp, go[7:2], go[1:0] | xfer};

  // A packet that goes straight on keeps VC 1, one that turns starts a new ring. So the VC on each
  // output is known before the output is.
  logic [7:0] vc1;
  for (genvar o = 0; o < 8; o++) begin : gen_vc
    assign vc1[o] = dateline_i[o] || (!rdt_ports_pkg::is_mbp(InPort) && o == (InPort ^ 1) && in_vc_i == 2'd1);
    if (o < 2) begin : gen_three
      assign rdy_o[o] = (go[o] && (vc1[o] ? credit_i[MaxVc*o + 1] : credit_i[MaxVc*o])) || (xfer[o] && credit_i[MaxVc*o + 2]);
    end else begin : gen_two
      assign rdy_o[o] = go[o] && (vc1[o] ? credit_i[MaxVc*o + 1] : credit_i[MaxVc*o]);
    end
  end
  assign rdy_o[10:8] = {loc, mbp} & {credit_i[MaxVc*rdt_pkg::NumPorts], credit_i[MaxVc*rdt_pkg::PortM1], credit_i[MaxVc*rdt_pkg::PortM0]};
  assign ovc_o       = {|xfer, |(go & vc1)};

  logic unused;
  assign unused = (^{v4, v3, v2, v0x}) ^ (^rank_i) ^ (^in_vc_i) ^ raw_i ^ (^credit_i) ^ (^h1_i);

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_route.svh"
`endif
endmodule
