// SPDX-License-Identifier: MIT
// The bit-map generator: random maps into ports of all kinds, and the headers of their copies, against
// sections 4.3a and 4.4, with machines that lack ranks.
module bitmap_tb;
  `include "tb/icarus/check.svh"

  // Two ports of rank 0, two of the upper rank, both MBPs.
  function automatic integer port_no(input integer g);
    port_no = (g == 0) ? 1 : (g == 1) ? 4 : (g < 4) ? 6 + g : (g == 4) ? 0 : 6;
  endfunction

  // The forty bits of a map: level l in bits 8*l.
  logic [39:0] map;
  logic [2:0]  ptype, tag, rank;
  logic [3:0]  xfer, ranks;
  logic [7:0]  mask;
  logic        mbp;
  logic [16:0] h0, h1, h2;
  logic [1:0]  in_vc;
  logic [89:0] got;  // {map_bad, xfer, exp0, expl, relay, set} of each input
  logic [59:0] rdys;
  logic [30:0] credit;
  logic        h1_we = 1'b0, strobe = 1'b0;
  integer      turned = 0, unmet = 0;

  assign {h0, h1, h2} = {ptype, 4'd6, tag, mbp, map};

  for (genvar g = 0; g < 6; g++) begin : gen_dut
    rdt_bitmap #(
      .InPort(g == 0 ? 1 : g == 1 ? 4 : g < 4 ? 6 + g : g == 4 ? 0 : 6)
    ) u_dut (
      .clk_i    (strobe),
      .h0_i     (h0),
      .h1_i     (h1),
      .h2_i     (h1_we ? h1 : h2),
      .rank_i   (5'd1 << rank),
      .xfer_i   (xfer),
      .mask_i   (mask),
      .ranks_i  (ranks),
      .in_vc_i  (in_vc),
      .credit_i (credit),
      .set_o    (got[15*g +: 10]),
      .rdy_o    (rdys[10*g +: 10]),
      .relay_o  (got[15*g + 10]),
      .expl_o   (got[15*g + 11]),
      .exp0_o   (got[15*g + 12]),
      .xfer_o   (got[15*g + 13]),
      .bad_map_o(got[15*g + 14])
    );
  end

  // Level l expanded: E, W, N, S and the node itself from bit 0 on.
  function automatic logic [4:0] expand(input logic [7:0] b, input logic relay);
    expand = relay ? {b[4], b[7], 1'b0, b[6], b[5]} : {b[0], |b[7:4], b[3], b[2], b[1]};
  endfunction

  function automatic logic [14:0] ref_map(input integer in);
    logic [39:0] m;
    logic [9:0]  set;
    logic        relay, expl, exp0, hop, bad;
    logic [4:0]  e;
    integer      top, next;
    begin
      m = map; set = 10'd0; expl = 1'b0; exp0 = 1'b0; hop = 1'b0; bad = 1'b0;
      top = -1;
      for (int l = 0; l < 5; l++) if (m[8*l +: 8] != 0) top = l;
      for (int l = 1; l < 5; l++) if (m[8*l +: 8] != 0 && !ranks[l - 1]) bad = 1'b1;
      relay = (top == 0 && in < 4) || (top >= 0 && top == rank && in >= 4 && in < 8);
      next = top;
      if (top > 0 && top == rank) begin
        expl = 1'b1;
        e = expand(m[8*top +: 8] & ~mask, relay);
        set[7:4] = e[3:0];
        next = -2;  // nothing follows
        if (e[4]) begin
          next = -1;
          for (int l = 0; l < top; l++) begin
            if (ptype == 3) m[8*l +: 8] = (l == 0) ? 8'hff : ranks[l - 1] ? 8'hff : 8'h00;
            if (m[8*l +: 8] != 0) next = l;
          end
        end
      end
      if (next == -1) set[8 + mbp] = 1'b1;
      else if (next > 0) begin hop = 1'b1; set[xfer[next - 1]] = 1'b1; end
      else if (next == 0) begin
        exp0 = 1'b1;
        e = expand(m[7:0], relay && !expl);
        set[3:0] = set[3:0] | e[3:0];
        if (e[4]) set[8 + mbp] = 1'b1;
      end
      // Maps that cannot occur in a machine with valid registers.
      if (in < 2 && in_vc == 2 && top > 0 && top != rank && xfer[top - 1] == in) begin bad = 1'b1; turned = turned + 1; end
      if (in == 6 && in_vc == 0 && !(top > 0 && top == rank)) begin bad = 1'b1; unmet = unmet + 1; end
      if (bad) set = 10'd0;
      ref_map = {set == 0, hop, exp0, expl, relay, set};
    end
  endfunction

  // Those outputs that have a credit for the copy's VC.
  function automatic logic [9:0] ref_rdy(input logic [14:0] m);
    integer vc;
    for (int o = 0; o < 10; o++) begin
      vc = (o >= 8) ? 0 : (o >= 4) ? m[10] : m[13] ? 2 : m[12] && m[10] && !m[11];
      ref_rdy[o] = m[o] && credit[3*o + vc];
    end
  endfunction

  // Copies
  logic        up, relay, expl, exp0;
  logic [2:0]  head;
  logic [17:0] flit_in, flit_out;

  rdt_mc_copy u_copy (
    .clk_i  (clk),
    .rank_i (5'd1 << rank),
    .ranks_i(ranks[2:0]),
    .head_i (head),
    .up_i   (up),
    .relay_i(relay),
    .expl_i (expl),
    .exp0_i (exp0),
    .tag_i  (3'd5),
    .flit_i (flit_in),
    .flit_o (flit_out)
  );

  // {type, map} of a copy.
  function automatic logic [42:0] ref_copy(input integer none);
    logic [39:0] m;
    logic [2:0]  t;
    logic        all;
    integer      r;
    begin
      m = map; t = ptype;
      r = (rank >= 1 && rank <= 4) ? rank : 0;
      all = up ? ptype == 2 : expl && ptype == 3;
      if (up) begin
        if (r != 0) m[8*r +: 8] = relay ? 8'h00 : m[8*r +: 8] & 8'hf0;
        if (ptype != 1) t = 3'd1;
      end else if (expl) begin
        if (r != 0) m[8*r +: 8] = 8'h00;
        if (ptype == 3) t = 3'd1;
      end
      if (all) for (int l = 0; l < r; l++) m[8*l +: 8] = (l == 0) ? 8'hff : ranks[l - 1] ? 8'hff : 8'h00;
      if (!up && exp0) m[7:0] = (relay && !expl) ? 8'h00 : m[7:0] & 8'hf0;
      ref_copy = {t, m};
    end
  endfunction

  integer maps = 0, bads = 0;
  logic [42:0] want;
  logic [50:0] copy;

  initial begin
    reset_with_x;
    map = 40'd0; ptype = 3'd1; tag = 3'd0; mbp = 1'b0; rank = 3'd0; xfer = 4'd0; mask = 8'd0;
    ranks = 4'hf; head = 3'd0; up = 1'b0; relay = 1'b0; expl = 1'b0; exp0 = 1'b0; flit_in = 18'd0;
    go;
    for (int n = 0; n < 6000; n++) begin
      in_vc = rnd(3);
      ptype = 1 + rnd(3); tag = rnd(8); mbp = rnd(2); rank = rnd(6); xfer = rnd(16);
      ranks = rnd(2) ? 15 : rnd(16); mask = rnd(4) ? 8'd0 : rnd(256);
      map   = 40'd0;
      for (int l = 0; l < 5; l++) if (rnd(3) == 0) map[8*l +: 8] = rnd(3) ? 1 << rnd(8) : rnd(256);
      credit = {rnd(32768), rnd(65536)} | {rnd(32768), rnd(65536)};
      // H1 comes a cycle before H2, with its H0 stored.
      h1_we = 1'b1;
      #1 strobe = 1'b1;
      #1 strobe = 1'b0;
      h1_we = 1'b0;
      #1 `KNOWN(got)
      `KNOWN(rdys)
      for (int g = 0; g < 6; g++) begin
        `EQ(got[15*g +: 15], ref_map(port_no(g)))
        `EQ(rdys[10*g +: 10], ref_rdy(got[15*g +: 15]))
      end
      if (got[14]) bads = bads + 1;
      {up, relay, expl, exp0} = rnd(16);
      want = ref_copy(0);
      for (int k = 0; k < 3; k++) begin
        head    = 3'd1 << k;
        flit_in = (k == 0) ? first_flit(h0) : flit(k == 1 ? h1 : h2);
        #1 copy[17*(2 - k) +: 17] = flit_out[16:0];
        `EQ(^flit_out, ^flit_in)
        @(negedge clk);
      end
      head = 3'd0;
      #1 `EQ(flit_out, flit_in)
      `EQ(copy, {want[42:40], 4'd6, 3'd5, mbp, want[39:0]})
      maps = maps + 1;
    end
    `CLAIM(bads > 500 && turned > 200 && unmet > 200, "rejected maps")
    `PASS("bitmap", maps, "maps")
  end
endmodule
