// SPDX-License-Identifier: MIT
// From the payloads of a packet's three header flits to its error code, and of all but multicasts to
// its output and output VC; a multicast is routed by rdt_bitmap. SHOT packets and raw ones, which a
// restart puts back, come from MBP 0 alone and go to LOCAL.
// Combinational. Y goes before X because the multicast's South relay turns from Y to X.
// Promises: with an error the packet goes to LOCAL (dst 10, ovc 0); ovc is 2 only for E0 and W0,
// and 0 for the MBPs and LOCAL.
// Relies on: the parity of the header was found right.
module rdt_route #(
  parameter int InPort = 0
) (
  input  logic [16:0] h0_i,
  input  logic [16:0] h1_i,
  input  logic [16:0] h2_i,
  input  logic [1:0]  in_vc_i,
  input  logic [2:0]  rank_i,
  input  logic [3:0]  xfer_i,
  input  logic [7:0]  dateline_i,
  input  logic        bad_map_i,
  input  logic        raw_i,     // to LOCAL, whatever it is
  output logic [3:0]  dst_o,
  output logic [1:0]  ovc_o,
  output logic [3:0]  err_o
);
  logic [2:0] ptype;
  logic       mc;
  logic [3:0] len;
  logic [5:0] v4, v3, v2, v1;  // {x, y}
  logic [3:0] v0x, v0y;

  assign ptype = h0_i[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo];
  assign mc    = !ptype[2] && (ptype != rdt_pkg::TypeUni);
  assign len   = h0_i[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo];
  assign v4    = h0_i[rdt_pkg::H0V4xHi:rdt_pkg::H0V4yLo];
  assign v3    = h1_i[rdt_pkg::H1V3xHi:rdt_pkg::H1V3yLo];
  assign v2    = h1_i[rdt_pkg::H1V2xHi:rdt_pkg::H1V2yLo];
  assign v1    = h2_i[rdt_pkg::H2V1xHi:rdt_pkg::H2V1yLo];
  assign v0x   = h1_i[rdt_pkg::H1V0xHi:rdt_pkg::H1V0xLo];
  assign v0y   = h2_i[rdt_pkg::H2V0yHi:rdt_pkg::H2V0yLo];

  logic [3:0] left;      // bit r-1: the vector of rank r is not zero
  logic [3:0] top;       // bit r-1: r is the highest such rank
  logic [3:0] at_rank;   // bit r-1: the node is on rank r
  logic       upper;     // some upper rank is left to travel
  logic       on_torus;  // and it is the one this node is on
  logic       transfer;  // and it is another one
  logic       home;
  logic       vpx_neg, vpy_neg, vpy_any;  // the vector of the node's own rank
  logic       y_any, neg;
  logic [2:0] port;      // network port {upper, y, negative}

  assign left = {|v4, |v3, |v2, |v1};

  always_comb begin
    top  = {left[3], left[2] && !left[3], left[1] && !left[3] && !left[2],
            left[0] && !left[3] && !left[2] && !left[1]};
    at_rank = {rank_i == 3'd4, rank_i == 3'd3, rank_i == 3'd2, rank_i == 3'd1};

    upper    = |left;
    on_torus = |(top & at_rank);
    transfer = upper && !on_torus;
    vpx_neg = |(at_rank & {v4[5], v3[5], v2[5], v1[5]});
    vpy_neg = |(at_rank & {v4[2], v3[2], v2[2], v1[2]});
    vpy_any = |(at_rank & {|v4[2:0], |v3[2:0], |v2[2:0], |v1[2:0]});

    y_any = on_torus ? vpy_any : |v0y;
    home  = !upper && (v0x == 4'd0) && (v0y == 4'd0);
    if (on_torus)      neg = y_any ? vpy_neg : vpx_neg;
    else if (transfer) neg = |(top & xfer_i);
    else               neg = y_any ? v0y[3] : v0x[3];
    port = {on_torus, y_any && !transfer, neg};
  end

  logic shot, raw;
  if (InPort == 8) begin : gen_mbp0
    assign shot = (ptype == rdt_pkg::TypeShot);
    assign raw  = raw_i;
  end else begin : gen_other
    assign shot = 1'b0;
    assign raw  = 1'b0;
    logic unused_raw;
    assign unused_raw = raw_i;
  end

  always_comb begin
    if (ptype[2] && ptype != rdt_pkg::TypeSetup && !shot && !raw) err_o = rdt_pkg::ErrBadType;
    else if (len < 4'd2 || (!raw && ptype == rdt_pkg::TypeSetup && len == 4'd2) ||
             (!raw && shot && len != 4'd2))
      err_o = rdt_pkg::ErrBadLength;
    else if (raw || shot) err_o = rdt_pkg::ErrNone;
    else if (mc) err_o = bad_map_i ? rdt_pkg::ErrBadMap : rdt_pkg::ErrNone;
    else if (h1_i[rdt_pkg::H1Rsv1Lo] || h2_i[rdt_pkg::H2Rsv2Lo]) err_o = rdt_pkg::ErrReserved;
    else if (!home && h2_i[rdt_pkg::H2HopHi:rdt_pkg::H2HopLo] == 6'd0)
      err_o = rdt_pkg::ErrHopLimit;
    else err_o = rdt_pkg::ErrNone;
  end

  // A packet that goes straight on keeps VC 1, one that turns starts a new ring.
  logic straight;
  if (InPort < 8) begin : gen_straight
    assign straight = (in_vc_i == 2'd1) && ({29'd0, port} == (InPort ^ 1));
  end else begin : gen_inject
    assign straight = 1'b0;
    logic unused_in_vc;
    assign unused_in_vc = ^in_vc_i;
  end

  always_comb begin
    if (err_o != rdt_pkg::ErrNone || raw || shot) begin
      dst_o = rdt_pkg::PortLocal;
      ovc_o = 2'd0;
    end else if (mc) begin
      dst_o = 4'd0;
      ovc_o = 2'd0;
    end else if (home) begin
      dst_o = (ptype == rdt_pkg::TypeSetup) ? rdt_pkg::PortLocal
                                            : {rdt_pkg::PortM0[3:1], h0_i[rdt_pkg::H0MbpLo]};
      ovc_o = 2'd0;
    end else begin
      dst_o = {1'b0, port};
      ovc_o = transfer ? 2'd2 : {1'b0, dateline_i[port] || straight};
    end
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_route.svh"
`endif
endmodule
