// SPDX-License-Identifier: MIT
// What drives the input units: packets flit by flit, grants, and anything at random.
// Part of input_unit_tb.

logic [17:0] out [0:59];             // 20*c + k: the packet being sent to unit c
logic        sending [0:2];
integer      s_k [0:2], s_n [0:2], s_vc [0:2];
logic        primed = 1'b0;          // odd lengths may come

task quiet;
  begin
    rx_valid = 3'd0; rx_first = 3'd0; rx_last = 3'd0; gnt = 3'd0; to_ack = 3'd0; tick = 1'b0;
    part = 33'h1_ffff_ffff; ack_take = 3'd0; ent_gnt = 3'd0; tick_ent = 3'd0; retry_ack = 3'd0;
    halt = 1'b0; dump = 1'b0; look = 9'd0; put_we = 1'b0; put_set = 1'b0; keep = 3'd0; free = 3'd0; up = 3'b111;
  end
endtask

// One flit to unit 0.
task put(input integer k, input integer n, input integer v, input logic [17:0] d);
  begin
    rx_valid[0] = 1'b1; rx_first[0] = (k == 0); rx_last[0] = (k == n - 1);
    rx_vc[1:0] = v; rx_d[17:0] = d;
  end
endtask

// A whole packet to unit 0; ends in the middle of the cycle after its last flit.
task packet(input integer n, input integer v, input logic [17:0] h0, h1, h2);
  begin
    for (int k = 0; k < n; k++) begin
      put(k, n, v, (k == 0) ? h0 : (k == 1) ? h1 : (k == 2) ? h2 : flit(17'h100 * v + k));
      @(negedge clk);
      quiet;
    end
  end
endtask

task grant;
  begin
    gnt[0] = 1'b1;
    @(negedge clk);
    gnt[0] = 1'b0;
  end
endtask

// A packet for unit c, good or not.
task make(input integer c);
  logic [17:0] h0, h1, h2;
  integer n, v, what;
  begin
    what = rnd(12);
    n  = primed ? 3 + rnd(14) : 16;
    v  = (rnd(30) == 0) ? rnd(4) : rnd(num_vc(c));
    h0 = head0(rnd(5) == 0 ? 5 : 0, n - 1, rnd(8), rnd(2), 0, 0);
    h1 = head1(0, 0, rnd(4) ? 0 : rnd(8), 0, rnd(2) ? 0 : rnd(16));
    h2 = head2(rnd(3) ? 0 : rnd(8), 0, rnd(2) ? 0 : rnd(16), 1 + rnd(63));
    if (what == 0) h1 = flit(h1[16:0] | 17'd1);
    if (what == 1) h2 = h2 ^ (18'd1 << rnd(18));  // spoilt, as the next ones
    if (what == 5) h0 = rnd(2) ? 18'd0 : h0 ^ (18'd1 << rnd(18));
    if (what == 6 && rnd(2)) h1 = h1 ^ (18'd1 << rnd(18));
    if (what == 2) h0 = first_flit({3'(6 + rnd(2)), h0[13:0]});
    if (primed && what == 3) n = 3 + rnd(17);  // another length than announced
    if (primed && what == 7) n = 1 + rnd(2);   // trouble on the line
    for (int k = 0; k < 20; k++) out[20*c + k] = flit($random(seed));
    if (what == 4 && n > 3) out[20*c + 3] = ~out[20*c + 3] ^ 18'd1;
    out[20*c] = h0; out[20*c + 1] = h1; out[20*c + 2] = h2;
    // Into a free buffer, or one that is surely still held: that one is dropped.
    if (v < num_vc(c) && !held[3*c + v] && clocks < last_gnt[3*c + v] + 6) v = -1;
    if (v >= 0 && v < num_vc(c) && held[3*c + v] && rnd(20) != 0) v = -1;
    if (v >= 0) begin sending[c] = 1'b1; s_k[c] = 0; s_n[c] = n; s_vc[c] = v; end
  end
endtask

task drive(input integer c, input integer pace);
  begin
    if (!sending[c] && rnd(3) == 0) make(c);
    rx_valid[c] = sending[c]; rx_first[c] = 1'b0; rx_last[c] = 1'b0;
    rx_d[18*c +: 18] = $random(seed);
    if (sending[c]) begin
      rx_first[c] = (s_k[c] == 0);
      rx_last[c]  = (s_k[c] == s_n[c] - 1);
      rx_vc[2*c +: 2]  = s_vc[c];
      rx_d[18*c +: 18] = out[20*c + s_k[c]];
      s_k[c] = s_k[c] + 1;
      if (s_k[c] == s_n[c]) sending[c] = 1'b0;
    end
    gnt[c]    = (want[11*c +: 11] != 0) && (rnd(pace) == 0);
    to_ack[c] = to_pend[c] && (rnd(4) == 0);
  end
endtask
