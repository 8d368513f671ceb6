// SPDX-License-Identifier: MIT
// The route of all ten input ports: each rule and each error of section 4.3, then random headers
// against the reference.
module route_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  logic [17:0] h0, h1, h2;
  logic [1:0]  in_vc;
  logic [2:0]  rank;
  logic [3:0]  xfer;
  logic [7:0]  dateline;
  logic        bad_map, raw;
  logic [9:0]  raw_in;  // MBP 0 alone puts packets back
  logic [99:0] got;  // {err, ovc, dst} of each input port
  logic [109:0] sets, rdys;
  logic [30:0] credit;
  logic        h1_we = 1'b0, strobe = 1'b0;
  logic [9:0]  want;
  integer      headers = 0;
  integer      seen [0:15];  // by error code
  integer      went [0:10];  // by output, without an error

  assign raw_in = {1'b0, raw, 8'd0};

  for (genvar p = 0; p < 10; p++) begin : gen_dut
    rdt_route #(
      .InPort(p)
    ) u_dut (
      .clk_i     (strobe),
      .h0_i      (h0[16:0]),
      .h1_i      (h1[16:0]),
      .h2_i      (h1_we ? h1[16:0] : h2[16:0]),
      .in_vc_i   (in_vc),
      .rank_i    (5'd1 << rank),
      .xfer_i    (xfer),
      .dateline_i(dateline),
      .bad_map_i (bad_map),
      .raw_i     (raw_in[p]),
      .credit_i  (credit),
      .set_o     (sets[11*p +: 11]),
      .rdy_o     (rdys[11*p +: 11]),
      .ovc_o     (got[10*p + 4 +: 2]),
      .mc_o      (),
      .err_o     (got[10*p + 6 +: 4])
    );
    assign got[10*p +: 4] = number(sets[11*p +: 11]);
  end

  // VC of the only output; 0 without one, as in the reference for a multicast.
  function automatic logic [3:0] number(input logic [10:0] set);
    number = 4'd15;
    for (int o = 0; o < 11; o++) if (set == 11'd1 << o) number = o;
    if (set == 11'd0) number = 4'd0;
    if ((^set) === 1'bx) number = 4'bx;
  endfunction

  // H1 comes a cycle before H2, with its H0 stored.
  task judge;
    begin
      h1_we = 1'b1;
      #1 strobe = 1'b1;
      #1 strobe = 1'b0;
      h1_we = 1'b0;
    end
  endtask

  always @(posedge clk) if (live) begin
    `KNOWN(got)
    `KNOWN(rdys)
    for (int p = 0; p < 10; p++) begin
      for (int o = 0; o < 11; o++)
        `EQ(rdys[11*p + o], sets[11*p + o] && credit[3*o + (o < 8 ? got[10*p + 4 +: 2] : 0)])
      want = ref_route(p, h0, h1, h2, in_vc, rank, xfer, dateline, bad_map, raw_in[p]);
      `EQ(got[10*p +: 10], want)
    end
    headers = headers + 1;
    seen[want[9:6]] = seen[want[9:6]] + 1;
    if (want[9:6] == 0) went[want[3:0]] = went[want[3:0]] + 1;
  end

  // The expected result of input port p for the header.
  task must(input integer p, input integer err, input integer ovc, input integer dst);
    begin
      judge;
      #1 `EQ(got[10*p +: 10], {err[3:0], ovc[1:0], dst[3:0]})
      @(negedge clk);
    end
  endtask

  // Vectors of all ranks 0, but for what the caller sets afterwards.
  task home(input integer ptype, input integer len);
    begin
      h0 = head0(ptype, len, 0, 0, 0, 0);
      h1 = head1(0, 0, 0, 0, 0);
      h2 = head2(0, 0, 0, 9);
    end
  endtask

  function automatic integer often_zero(input integer n);
    often_zero = (rnd(3) != 0) ? 0 : rnd(n);
  endfunction

  initial begin
    for (int i = 0; i < 16; i++) seen[i] = 0;
    for (int i = 0; i < 11; i++) went[i] = 0;
    reset_with_x;
    in_vc = 2'd0; rank = 3'd0; xfer = 4'd0; dateline = 8'd0;
    bad_map = 1'b0; raw = 1'b0;
    credit = 31'h7FFFFFFF;
    home(0, 2);
    judge;
    go;

    // Arrived
    home(0, 2);                               must(0, 0, 0, 8);
    h0 = head0(0, 15, 5, 1, 0, 0);            must(0, 0, 0, 9);
    home(5, 3);                               must(8, 0, 0, 10);
    h2 = head2(0, 0, 0, 0);                   must(8, 0, 0, 10);  // no hop needed
    // Rank 0: Y before X
    home(0, 2);
    h1 = head1(0, 0, 0, 0, 3);                must(8, 0, 0, 0);
    h1 = head1(0, 0, 0, 0, -8);               must(8, 0, 0, 1);
    h2 = head2(0, 0, 1, 9);                   must(8, 0, 0, 2);
    h2 = head2(0, 0, -1, 9);                  must(8, 0, 0, 3);
    // The node's own rank, all four, highest first
    for (int r = 1; r <= 4; r++) begin
      rank = r;
      for (int d = 0; d < 4; d++) begin
        integer x, y;
        x = (d == 0) ? 3 : (d == 1) ? -4 : 1;
        y = (d == 2) ? 3 : (d == 3) ? -4 : 0;
        h0 = head0(0, 2, 0, 0, r == 4 ? x : 0, r == 4 ? y : 0);
        h1 = head1(r == 3 ? x : 0, r == 3 ? y : 0, r == 2 ? x : 0, r == 2 ? y : 0, 1);
        h2 = head2(r == 1 ? x : 0, r == 1 ? y : 0, 1, 9);
        must(8, 0, 0, 4 + d);
        rank = (r == 4) ? 1 : r + 1;  // another rank: transfer, on VC 2
        xfer = 4'd0;
        must(8, 0, 2, 0);
        xfer = 4'd1 << (r - 1);
        must(8, 0, 2, 1);
        rank = r;
      end
    end
    // Highest rank first
    rank = 3'd2; xfer = 4'b0100;
    h0 = head0(0, 2, 0, 0, 0, 0); h1 = head1(0, 1, 1, 0, 0); must(8, 0, 2, 1);
    // VC 1: from a dateline on, and kept only straight on
    rank = 3'd0; home(0, 2); h1 = head1(0, 0, 0, 0, 1);
    dateline = 8'h01;                         must(8, 0, 1, 0);
    dateline = 8'hfe; in_vc = 2'd1;           must(1, 0, 1, 0);
    must(0, 0, 0, 0); must(2, 0, 0, 0); must(8, 0, 0, 0); must(9, 0, 0, 0);
    in_vc = 2'd2;                             must(1, 0, 0, 0);
    in_vc = 2'd0; dateline = 8'd0;

    // Errors, the first that applies
    for (int t = 4; t < 8; t++) if (t != 5) begin home(t, 0); must(9, 2, 0, 10); end
    // SHOT packets from MBP 0 alone, of three flits; raw ones go to LOCAL whatever they are.
    home(6, 2);                               must(8, 0, 0, 10);
    must(0, 2, 0, 10);
    home(6, 3);                               must(8, 3, 0, 10);
    raw = 1'b1;
    for (int t = 0; t < 8; t++) begin
      home(t, 2); h1 = flit(17'h1);           must(8, 0, 0, 10);
      home(t, 1);                             must(8, 3, 0, 10);
    end
    raw = 1'b0;
    for (int t = 1; t < 4; t++) begin
      home(t, 1);                             must(8, 3, 0, 10);
      home(t, 2); h1 = flit(17'h1);           must(8, 0, 0, 0);  // a map, no reserved bit
      bad_map = 1'b1;                         must(8, 10, 0, 10);
      bad_map = 1'b0;
    end
    home(0, 1);                               must(8, 3, 0, 10);
    home(5, 2);                               must(8, 3, 0, 10);
    home(0, 2); h1 = flit(17'h1);             must(8, 4, 0, 10);
    home(0, 2); h2 = flit(17'h1);             must(8, 4, 0, 10);
    home(0, 2); h1 = head1(0, 0, 0, 0, 1); h2 = head2(0, 0, 0, 0); must(8, 5, 0, 10);
    h2 = head2(0, 0, 0, 1);                   must(8, 0, 0, 0);

    for (int n = 0; n < 3000; n++) begin
      h0 = head0(often_zero(8) == 0 ? (rnd(4) == 0 ? 5 : 0) : rnd(8), rnd(16), rnd(8), rnd(2),
                 often_zero(8), often_zero(8));
      h1 = head1(often_zero(8), often_zero(8), often_zero(8), often_zero(8), often_zero(16));
      h2 = head2(often_zero(8), often_zero(8), often_zero(16), rnd(6) == 0 ? 0 : rnd(64));
      if (rnd(3) == 0) begin
        h0 = first_flit(h0[16:0] & ~17'h3f); h1 = flit(h1[16:0] & 17'h1f); h2 = flit(h2[16:0] & 17'h7ff);
      end
      if (rnd(20) == 0) h1 = flit(h1[16:0] | 17'd1);
      if (rnd(20) == 0) h2 = flit(h2[16:0] | 17'd1);
      if (rnd(20) == 0) h0 = h0 ^ (18'd1 << rnd(18));
      if (rnd(20) == 0) h1 = h1 ^ (18'd1 << rnd(18));
      if (rnd(20) == 0) h2 = h2 ^ (18'd1 << rnd(18));
      raw = (rnd(8) == 0); bad_map = rnd(2); in_vc = rnd(3); rank = rnd(8); xfer = rnd(16); dateline = rnd(256);
      credit = {rnd(32768), rnd(65536)} | {rnd(32768), rnd(65536)};
      judge;
      @(negedge clk);
    end
    for (int i = 0; i < 11; i++) `CLAIM(went[i] > 10, "every output was reached")
    for (int i = 2; i < 11; i++) if (i < 6 || i > 9) `CLAIM(seen[i] > 10, "every error came")
    `CLAIM(seen[0] > 10, "and none")
    `PASS("route", headers, "headers")
  end
endmodule
