// SPDX-License-Identifier: MIT
// The decisions of the router as functions, written from docs/specification.md and independent of the
// RTL: where a packet goes, on which VC, with which header, and which port is served next. The proofs compare the
// RTL with them for all inputs (spec_*.sv); tb/block/spec_functions.cpp compares the C++ functions from
// which the channel dependency graph is built.
package spec_pkg;
  // The rank that the five wires name; 7 if they name none of 0 to 4.
  function automatic logic [2:0] rank_number(input logic [4:0] wires);
    rank_number = 3'd7;
    for (int r = 0; r < 5; r++) if (wires[r]) rank_number = 3'(r);
  endfunction

  function automatic logic is_multicast(input logic [2:0] kind);
    is_multicast = (kind == rdt_pkg::TypeMcSm) || (kind == rdt_pkg::TypeMcLpra) || (kind == rdt_pkg::TypeMcLarp);
  endfunction

  // The vector of an upper rank as {x, y}.
  function automatic logic [5:0] vector(input int r, input logic [16:0] h0, input logic [16:0] h1, input logic [16:0] h2);
    case (r)
      4:       vector = {h0[rdt_pkg::H0V4xHi:rdt_pkg::H0V4xLo], h0[rdt_pkg::H0V4yHi:rdt_pkg::H0V4yLo]};
      3:       vector = {h1[rdt_pkg::H1V3xHi:rdt_pkg::H1V3xLo], h1[rdt_pkg::H1V3yHi:rdt_pkg::H1V3yLo]};
      2:       vector = {h1[rdt_pkg::H1V2xHi:rdt_pkg::H1V2xLo], h1[rdt_pkg::H1V2yHi:rdt_pkg::H1V2yLo]};
      default: vector = {h2[rdt_pkg::H2V1xHi:rdt_pkg::H2V1xLo], h2[rdt_pkg::H2V1yHi:rdt_pkg::H2V1yLo]};
    endcase
  endfunction

  // Section 4.3: the step of a unicast or SETUP packet as {transfer, output}.
  function automatic logic [4:0] step(input logic [16:0] h0, input logic [16:0] h1, input logic [16:0] h2,
                                      input logic [2:0] rank, input logic [3:0] xfer);
    logic [5:0] v;
    logic [2:0] p;
    logic [3:0] v0x, v0y;
    v   = 6'd0;
    p   = 3'd0;
    for (int r = 1; r <= 4; r++) begin
      if (vector(r, h0, h1, h2) != 6'd0) begin
        p = 3'(r);
        v = vector(r, h0, h1, h2);
      end
    end
    v0x = h1[rdt_pkg::H1V0xHi:rdt_pkg::H1V0xLo];
    v0y = h2[rdt_pkg::H2V0yHi:rdt_pkg::H2V0yLo];
    if (p != 3'd0 && p != rank)  step = {1'b1, xfer[2'(p - 3'd1)] ? rdt_pkg::PortW0 : rdt_pkg::PortE0};
    else if (p != 3'd0) begin
      if (v[2:0] != 3'd0) step = {1'b0, v[2] ? rdt_pkg::PortS1 : rdt_pkg::PortN1};
      else                step = {1'b0, v[5] ? rdt_pkg::PortW1 : rdt_pkg::PortE1};
    end
    else if (v0y != 4'd0) step = {1'b0, v0y[3] ? rdt_pkg::PortS0 : rdt_pkg::PortN0};
    else if (v0x != 4'd0) step = {1'b0, v0x[3] ? rdt_pkg::PortW0 : rdt_pkg::PortE0};
    else if (h0[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] == rdt_pkg::TypeSetup) step = {1'b0, rdt_pkg::PortLocal};
    else                  step = {1'b0, h0[rdt_pkg::H0MbpLo] ? rdt_pkg::PortM1 : rdt_pkg::PortM0};
  endfunction

  // Section 4.3: {mc, err, ovc, set} of a header.
  function automatic logic [17:0] route(input logic [3:0] in_port, input logic [16:0] h0, input logic [16:0] h1,
                                        input logic [16:0] h2, input logic [1:0] in_vc, input logic [2:0] rank,
                                        input logic [3:0] xfer, input logic [7:0] dateline, input logic bad_map,
                                        input logic raw);
    logic [2:0]  kind;
    logic [3:0]  len, err, dst;
    logic        multicast, unicast, shot, transfer;
    logic [1:0]  ovc;
    logic [10:0] set;
    kind      = h0[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo];
    len       = h0[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo];
    multicast = is_multicast(kind);
    unicast   = (kind == rdt_pkg::TypeUni) || (kind == rdt_pkg::TypeSetup);
    shot      = (kind == rdt_pkg::TypeShot) && (in_port == rdt_pkg::PortM0);
    {transfer, dst} = step(h0, h1, h2, rank, xfer);
    if (raw)                                                err = (len < 4'd2) ? rdt_pkg::ErrBadLength : rdt_pkg::ErrNone;
    else if (!multicast && !unicast && !shot)               err = rdt_pkg::ErrBadType;
    else if (len < 4'd2)                                    err = rdt_pkg::ErrBadLength;
    else if (kind == rdt_pkg::TypeSetup && len < 4'd3)      err = rdt_pkg::ErrBadLength;
    else if (shot && len != 4'd2)                           err = rdt_pkg::ErrBadLength;
    else if (multicast)                                     err = bad_map ? rdt_pkg::ErrBadMap : rdt_pkg::ErrNone;
    else if (shot)                                          err = rdt_pkg::ErrNone;
    else if (h1[rdt_pkg::H1Rsv1Lo] || h2[rdt_pkg::H2Rsv2Lo]) err = rdt_pkg::ErrReserved;
    else if (dst < 4'd8 && h2[rdt_pkg::H2HopHi:rdt_pkg::H2HopLo] == 6'd0) err = rdt_pkg::ErrHopLimit;
    else                                                    err = rdt_pkg::ErrNone;
    ovc = 2'd0;
    if (err != rdt_pkg::ErrNone || raw || shot) begin
      set = 11'd1 << rdt_pkg::PortLocal;
    end else if (multicast) begin
      set = 11'd0;
    end else begin
      set = 11'd1 << dst;
      if (transfer)           ovc = 2'd2;
      else if (dst < 4'd8)    ovc = {1'b0, dateline[dst[2:0]] || (in_vc == 2'd1 && in_port == (dst ^ 4'd1))};
    end
    route = {multicast && !raw && (err == rdt_pkg::ErrNone || err == rdt_pkg::ErrBadMap), err, ovc, set};
  endfunction

  // The map bytes of a header, that of level l in bits 8l+7 to 8l.
  function automatic logic [39:0] maps_of(input logic [16:0] h0, input logic [16:0] h1, input logic [16:0] h2);
    maps_of = {h0[rdt_pkg::H0Map4hHi:rdt_pkg::H0Map4hLo], h1[rdt_pkg::H1Map4lHi:rdt_pkg::H1Map4lLo],
               h1[rdt_pkg::H1Map3Hi:rdt_pkg::H1Map3Lo], h1[rdt_pkg::H1Map2hHi:rdt_pkg::H1Map2hLo],
               h2[rdt_pkg::H2Map2lLo], h2[rdt_pkg::H2Map1Hi:rdt_pkg::H2Map1Lo], h2[rdt_pkg::H2Map0Hi:rdt_pkg::H2Map0Lo]};
  endfunction

  // Section 4.3a: {bad_map, xfer, exp0, expl, relay, set} of a multicast.
  function automatic logic [14:0] bitmap(input logic [3:0] in_port, input logic [16:0] h0, input logic [16:0] h1,
                                         input logic [16:0] h2, input logic [2:0] rank, input logic [3:0] xfer,
                                         input logic [7:0] mask, input logic [3:0] ranks, input logic [1:0] in_vc);
    logic [39:0] m, below;
    logic [2:0]  top, next;
    logic        any, relay, expl, exp0, hop, self, bad;
    logic [7:0]  b;
    logic [9:0]  set, here;
    m    = maps_of(h0, h1, h2);
    here = h0[rdt_pkg::H0MbpLo] ? 10'h200 : 10'h100;
    top  = 3'd0;
    any  = 1'b0;
    bad  = 1'b0;
    for (int l = 0; l < 5; l++) begin
      if (m[8*l +: 8] != 8'd0) begin
        top = 3'(l);
        any = 1'b1;
        if (l > 0 && !ranks[(l + 3) % 4]) bad = 1'b1;
      end
    end
    relay = any && (in_port < 4'd4 ? top == 3'd0 : in_port < 4'd8 && top == rank);
    expl  = (top != 3'd0) && (top == rank);
    exp0  = 1'b0;
    hop   = 1'b0;
    set   = 10'd0;
    // The levels that follow where the node expands its own level and is named itself.
    below = 40'd0;
    for (int l = 0; l < 4; l++) begin
      if (3'(l) < top) begin
        if (h0[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] != rdt_pkg::TypeMcLarp) below[8*l +: 8] = m[8*l +: 8];
        else if (l == 0 || ranks[(l + 3) % 4]) below[8*l +: 8] = 8'hFF;
      end
    end
    next = 3'd0;
    for (int l = 1; l < 4; l++) if (below[8*l +: 8] != 8'd0) next = 3'(l);
    b = m[8*top +: 8];
    if (!any) begin
      set = here;
    end else if (top != 3'd0 && !expl) begin
      hop    = 1'b1;
      set[0] = !xfer[2'(top - 3'd1)];
      set[1] = xfer[2'(top - 3'd1)];
      if (in_port < 4'd2 && in_vc == 2'd2 && set[in_port[0]]) bad = 1'b1;
    end else if (expl) begin
      b    = b & ~mask;
      self = relay ? b[rdt_pkg::MapS] : b[rdt_pkg::MapSelf];
      set[rdt_pkg::PortE1] = relay ? b[rdt_pkg::MapSe] : b[rdt_pkg::MapE];
      set[rdt_pkg::PortW1] = relay ? b[rdt_pkg::MapSw] : b[rdt_pkg::MapW];
      set[rdt_pkg::PortN1] = !relay && b[rdt_pkg::MapN];
      set[rdt_pkg::PortS1] = relay ? b[rdt_pkg::MapSs] : (|b[7:4]);
      if (self) begin
        if (next != 3'd0) begin
          hop    = 1'b1;
          set[0] = !xfer[2'(next - 3'd1)];
          set[1] = xfer[2'(next - 3'd1)];
        end else if (below[7:0] != 8'd0) begin
          exp0 = 1'b1;
          b    = below[7:0];
          set[rdt_pkg::PortE0] = b[rdt_pkg::MapE];
          set[rdt_pkg::PortW0] = b[rdt_pkg::MapW];
          set[rdt_pkg::PortN0] = b[rdt_pkg::MapN];
          set[rdt_pkg::PortS0] = |b[7:4];
          if (b[rdt_pkg::MapSelf]) set = set | here;
        end else begin
          set = set | here;
        end
      end
    end else begin
      exp0 = 1'b1;
      set[rdt_pkg::PortE0] = relay ? b[rdt_pkg::MapSe] : b[rdt_pkg::MapE];
      set[rdt_pkg::PortW0] = relay ? b[rdt_pkg::MapSw] : b[rdt_pkg::MapW];
      set[rdt_pkg::PortN0] = !relay && b[rdt_pkg::MapN];
      set[rdt_pkg::PortS0] = relay ? b[rdt_pkg::MapSs] : (|b[7:4]);
      if (relay ? b[rdt_pkg::MapS] : b[rdt_pkg::MapSelf]) set = set | here;
    end
    if (set == 10'd0 || (in_port == rdt_pkg::PortN1 && in_vc == 2'd0 && !expl)) bad = 1'b1;
    bitmap = {bad, hop, exp0, expl, relay, bad ? 10'd0 : set};
  endfunction

  // Section 4.4: what is kept of a packet, {mc, k, tag, ent}, from route and bit map.
  function automatic logic [8:0] plan(input logic [17:0] found, input logic [14:0] map, input logic [2:0] tag);
    logic mc;
    mc   = found[17] && !map[14];
    plan = {mc, mc ? {map[10], map[11], map[13], map[12]} : (found[16:13] != 4'd0) ? found[16:13] : {2'd0, found[12:11]},
            tag, mc && tag != 3'd0};
  endfunction

  // The VC on ports 0 to 3, aux, and on ports 4 to 7 of a packet whose plan this is.
  function automatic logic [1:0] low_vc(input logic [8:0] kept);
    logic mc, relay, expl, hop, exp0;
    {mc, relay, expl, hop, exp0} = kept[8:4];
    if (mc)           low_vc = hop ? 2'd2 : (exp0 && relay && !expl) ? 2'd1 : 2'd0;
    else              low_vc = kept[5:4];
  endfunction

  function automatic logic high_vc(input logic [8:0] kept);
    high_vc = kept[8] ? kept[7] : kept[4];
  endfunction

  // The outputs of pend that have a credit for the packet's VC.
  function automatic logic [10:0] ready(input logic [10:0] pend, input logic [1:0] low, input logic high,
                                        input logic [30:0] credit);
    logic [10:0] has;
    for (int o = 0; o < 11; o++) begin
      if (o == 10)     has[o] = credit[30];
      else if (o >= 8) has[o] = credit[3*o];
      else if (o >= 4) has[o] = credit[3*o + 32'(high)];
      else if (o >= 2) has[o] = credit[3*o + 32'(low[0])];
      else             has[o] = credit[3*o + 32'(low == 2'd3 ? 2'd2 : low)];
    end
    ready = pend & has;
  endfunction

  // Copies on upper ports and copies on others go in different passes.
  function automatic logic [10:0] one_kind(input logic [10:0] outputs);
    one_kind = (outputs[7:4] != 4'd0) ? outputs & 11'h0F0 : outputs;
  endfunction

  // Section 4.4: a header flit of a multicast as a pass sends it. idx: 0 H0, 1 H1, 2 H2.
  function automatic logic [17:0] copy(input logic [17:0] flit, input int idx, input logic [2:0] stored, input logic up,
                                       input logic [8:0] kept, input logic [2:0] rank, input logic [3:0] ranks);
    logic [39:0] m;
    logic [16:0] h0, h1, h2, was, now;
    logic        relay, expl, exp0, all, to_sm;
    relay = kept[7];
    expl  = kept[6];
    exp0  = kept[4];
    was   = flit[16:0];
    h0    = (idx == 0) ? was : 17'd0;
    h1    = (idx == 1) ? was : 17'd0;
    h2    = (idx == 2) ? was : 17'd0;
    m     = maps_of(h0, h1, h2);
    all   = (up && stored == rdt_pkg::TypeMcLpra) || (!up && expl && stored == rdt_pkg::TypeMcLarp);
    for (int l = 0; l < 5; l++) begin
      if (l > 0 && 3'(l) == rank) begin
        if (up)        m[8*l +: 8] = relay ? 8'd0 : m[8*l +: 8] & 8'hF0;
        else if (expl) m[8*l +: 8] = 8'd0;
      end
      if (all && rank >= 3'd1 && rank <= 3'd4 && 3'(l) < rank)
        m[8*l +: 8] = (l == 0 || ranks[(l + 3) % 4]) ? 8'hFF : 8'h00;
    end
    if (!up && exp0) m[7:0] = (relay && !expl) ? 8'd0 : m[7:0] & 8'hF0;
    to_sm = (up && (stored == rdt_pkg::TypeMcLpra || stored == rdt_pkg::TypeMcLarp)) ||
            (!up && expl && stored == rdt_pkg::TypeMcLarp);
    now = was;
    case (idx)
      0: begin
        now[5:0] = m[39:34];
        now[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo] = kept[3:1];
        if (to_sm) now[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] = rdt_pkg::TypeMcSm;
      end
      1:       now = {m[33:32], m[31:24], m[23:17]};
      default: now = {m[16], m[15:8], m[7:0]};
    endcase
    copy = {flit[17] ^ (^(was ^ now)), now};
  endfunction

  // Section 4.7: the payload of a header flit as an output sends it. transfer: a multicast on VC-T.
  function automatic logic [16:0] rewrite(input logic [16:0] was, input int idx, input int port, input logic unicast,
                                          input logic multicast, input logic transfer, input logic [2:0] rank,
                                          input logic [3:0] generation, input logic has_tag);
    logic [39:0] m;
    logic [2:0]  d3;
    logic [3:0]  d4;
    rewrite = was;
    d3 = (port % 2 == 0) ? 3'd7 : 3'd1;  // E and N subtract 1, W and S add 1
    d4 = (port % 2 == 0) ? 4'd15 : 4'd1;
    if (unicast && port < 8) begin
      if (port < 2 && idx == 1) rewrite[rdt_pkg::H1V0xHi:rdt_pkg::H1V0xLo] = was[rdt_pkg::H1V0xHi:rdt_pkg::H1V0xLo] + d4;
      if (port >= 2 && port < 4 && idx == 2)
        rewrite[rdt_pkg::H2V0yHi:rdt_pkg::H2V0yLo] = was[rdt_pkg::H2V0yHi:rdt_pkg::H2V0yLo] + d4;
      if (port == 4 || port == 5) begin
        if (idx == 0 && rank == 3'd4) rewrite[rdt_pkg::H0V4xHi:rdt_pkg::H0V4xLo] = was[rdt_pkg::H0V4xHi:rdt_pkg::H0V4xLo] + d3;
        if (idx == 1 && rank == 3'd3) rewrite[rdt_pkg::H1V3xHi:rdt_pkg::H1V3xLo] = was[rdt_pkg::H1V3xHi:rdt_pkg::H1V3xLo] + d3;
        if (idx == 1 && rank == 3'd2) rewrite[rdt_pkg::H1V2xHi:rdt_pkg::H1V2xLo] = was[rdt_pkg::H1V2xHi:rdt_pkg::H1V2xLo] + d3;
        if (idx == 2 && rank == 3'd1) rewrite[rdt_pkg::H2V1xHi:rdt_pkg::H2V1xLo] = was[rdt_pkg::H2V1xHi:rdt_pkg::H2V1xLo] + d3;
      end
      if (port == 6 || port == 7) begin
        if (idx == 0 && rank == 3'd4) rewrite[rdt_pkg::H0V4yHi:rdt_pkg::H0V4yLo] = was[rdt_pkg::H0V4yHi:rdt_pkg::H0V4yLo] + d3;
        if (idx == 1 && rank == 3'd3) rewrite[rdt_pkg::H1V3yHi:rdt_pkg::H1V3yLo] = was[rdt_pkg::H1V3yHi:rdt_pkg::H1V3yLo] + d3;
        if (idx == 1 && rank == 3'd2) rewrite[rdt_pkg::H1V2yHi:rdt_pkg::H1V2yLo] = was[rdt_pkg::H1V2yHi:rdt_pkg::H1V2yLo] + d3;
        if (idx == 2 && rank == 3'd1) rewrite[rdt_pkg::H2V1yHi:rdt_pkg::H2V1yLo] = was[rdt_pkg::H2V1yHi:rdt_pkg::H2V1yLo] + d3;
      end
      if (idx == 2) rewrite[rdt_pkg::H2HopHi:rdt_pkg::H2HopLo] = was[rdt_pkg::H2HopHi:rdt_pkg::H2HopLo] - 6'd1;
    end
    if (multicast) begin
      m = maps_of((idx == 0) ? was : 17'd0, (idx == 1) ? was : 17'd0, (idx == 2) ? was : 17'd0);
      if (port >= 4 && port < 7)
        for (int l = 1; l < 5; l++) if (3'(l) == rank) m[8*l +: 8] = 8'd0;
      if ((port < 2 && !transfer) || port == 2 || port >= 8) m[7:0] = 8'd0;
      if (port >= 8 && has_tag) m[3:0] = generation;
      case (idx)
        0:       rewrite[5:0] = m[39:34];
        1:       rewrite = m[33:17];
        default: rewrite = m[16:0];
      endcase
    end
  endfunction

  // Section 4.5 and others: the lowest request above the last one served, else the lowest; 15 if there is no request.
  function automatic logic [3:0] next_after(input logic [9:0] asks, input logic [3:0] last);
    logic [3:0] low, above;
    low   = 4'd15;
    above = 4'd15;
    for (int i = 9; i >= 0; i--) begin
      if (asks[i]) low = 4'(i);
      if (asks[i] && 4'(i) > last) above = 4'(i);
    end
    next_after = (above != 4'd15) ? above : low;
  endfunction

  // The first of n VCs in the cyclic order from the given one on that is set; the given one if none is.
  function automatic logic [1:0] first_from(input logic [2:0] set, input logic [1:0] from, input int n);
    logic       found;
    logic [2:0] v;
    first_from = from;
    found      = 1'b0;
    for (int k = 0; k < n; k++) begin
      v = {1'b0, from} + 3'(k);
      if (v >= 3'(n)) v = v - 3'(n);
      if (n == 1) v = 3'd0;  // the only VC, whatever an induction step begins with
      if (!found && set[v[1:0]]) begin
        first_from = v[1:0];
        found      = 1'b1;
      end
    end
  endfunction

  // Section 4.9: the class of the request of a port.
  function automatic int class_of(input int port, input logic [9:0] set, input logic vct);
    logic up, low;
    up  = (set[7:4] != 4'd0);
    low = (set[3:0] != 4'd0);
    if (port >= 8)        class_of = 0;
    else if (port >= 4)   class_of = up ? 2 : low ? 3 : 5;
    else if (port >= 2)   class_of = low ? 4 : 5;
    else if (!vct)        class_of = 5;
    else if (up)          class_of = 1;
    else if (!low)        class_of = 5;
    else                  class_of = (port == 0) ? 0 : 3;
  endfunction
endpackage
