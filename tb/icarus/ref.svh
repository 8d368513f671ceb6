// SPDX-License-Identifier: MIT
// Headers, route and header rewrite as in sections 3, 4.3 and 4.7 of the specification, written
// with signed numbers and case distinctions, unlike the RTL. Include after check.svh.

localparam int Local = 10;

function automatic logic [17:0] head0(input integer ptype, len, tag, mbp, v4x, v4y);
  head0 = first_flit({ptype[2:0], len[3:0], tag[2:0], mbp[0], v4x[2:0], v4y[2:0]});
endfunction

function automatic logic [17:0] head1(input integer v3x, v3y, v2x, v2y, v0x);
  head1 = flit({v3x[2:0], v3y[2:0], v2x[2:0], v2y[2:0], v0x[3:0], 1'b0});
endfunction

function automatic logic [17:0] head2(input integer v1x, v1y, v0y, hop);
  head2 = flit({v1x[2:0], v1y[2:0], v0y[3:0], hop[5:0], 1'b0});
endfunction

// Stream code of flit k of n.
function automatic logic [1:0] code_of(input integer k, n, vc);
  if (k == 0)          code_of = vc + 1;
  else if (k == n - 1) code_of = 2'd1;
  else if (k == n - 2) code_of = 2'd0;
  else                 code_of = 2'd2;
endfunction

// {err[3:0], ovc[1:0], dst[3:0]} of a header whose parity is right.
function automatic logic [9:0] ref_route(
    input integer in, input logic [17:0] h0, h1, h2, input logic [1:0] in_vc,
    input logic [2:0] rank, input logic [3:0] xfer, input logic [7:0] dateline, input logic bad_map, raw);
  integer p, x, y, dst, ovc, err, ptype, len;
  begin
    ptype = h0[16:14];
    len   = h0[13:10];
    p = 0;
    x = $signed(h1[4:1]);
    y = $signed(h2[10:7]);
    if (h2[16:11] != 0) begin p = 1; x = $signed(h2[16:14]); y = $signed(h2[13:11]); end
    if (h1[10:5] != 0)  begin p = 2; x = $signed(h1[10:8]);  y = $signed(h1[7:5]);   end
    if (h1[16:11] != 0) begin p = 3; x = $signed(h1[16:14]); y = $signed(h1[13:11]); end
    if (h0[5:0] != 0)   begin p = 4; x = $signed(h0[5:3]);   y = $signed(h0[2:0]);   end

    if (p != 0 && p != rank)  dst = xfer[p - 1] ? 1 : 0;
    else if (y > 0)           dst = 2;
    else if (y < 0)           dst = 3;
    else if (x > 0)           dst = 0;
    else if (x < 0)           dst = 1;
    else                      dst = (ptype == 5) ? Local : 8 + h0[6];
    if (p != 0 && p == rank)  dst = dst + 4;

    if (dst >= 8)                                 ovc = 0;
    else if (p != 0 && p != rank)                 ovc = 2;
    else if (dateline[dst])                       ovc = 1;
    else if (in_vc == 1 && in == (dst ^ 1))       ovc = 1;
    else                                          ovc = 0;

    if (raw)                                      err = (len < 2) ? 3 : 0;
    else if (ptype == 6 && in == 8)               err = (len != 2) ? 3 : 0;
    else if (ptype > 3 && ptype != 5)             err = 2;
    else if (len < 2 || (ptype == 5 && len < 3))  err = 3;
    else if (ptype > 0 && ptype < 4)              err = bad_map ? 10 : 0;
    else if (h1[0] || h2[0])                      err = 4;
    else if (dst < 8 && h2[6:1] == 0)             err = 5;
    else                                          err = 0;
    if (ptype > 0 && ptype < 4) begin dst = 0; ovc = 0; end
    if (err != 0 || raw || ptype == 6) begin dst = Local; ovc = 0; end
    ref_route = {err[3:0], ovc[1:0], dst[3:0]};
  end
endfunction

// Flit k of a packet of this type on VC vc, as it leaves port out.
function automatic logic [17:0] ref_rewrite(
    input integer out, input logic [2:0] rank, input logic [2:0] ptype, input integer vc, k,
    input logic [17:0] f);
  logic [16:0] n;
  integer step, lo;
  begin
    n    = f[16:0];
    step = (out % 2 == 0) ? -1 : 1;  // E and N down, W and S up
    if (out < 8 && (ptype == 0 || ptype == 5)) begin
      lo = -1;  // lowest bit of the moved component, if it is in this flit
      if (out < 2)      begin if (k == 1) n[4:1]  = n[4:1] + step; end
      else if (out < 4) begin if (k == 2) n[10:7] = n[10:7] + step; end
      else begin
        if (rank == 4 && k == 0) lo = 0;
        if (rank == 3 && k == 1) lo = 11;
        if (rank == 2 && k == 1) lo = 5;
        if (rank == 1 && k == 2) lo = 11;
        if (lo >= 0 && out < 6) lo = lo + 3;  // x lies above y
        if (lo >= 0) n[lo +: 3] = n[lo +: 3] + step;
      end
      if (k == 2) n[6:1] = n[6:1] - 6'd1;
    end
    // A multicast: the byte used up, bits 8*level of the forty in H0[5:0], H1 and H2.
    if (ptype > 0 && ptype < 4) begin
      lo = -1;
      if (out == 2 || out >= 8)                               lo = 0;
      else if (out < 2 && vc != 2)                            lo = 0;
      else if (out >= 4 && out != 7 && rank > 0 && rank <= 4) lo = 8 * rank;
      for (int i = 0; i < 17; i++) begin
        step = i + 17 * (2 - k);  // bit i of this flit, if it is one of the forty
        if (lo >= 0 && step >= lo && step < lo + 8) n[i] = 1'b0;
      end
    end
    ref_rewrite = {f[17] ^ (^(f[16:0] ^ n)), n};
  end
endfunction
