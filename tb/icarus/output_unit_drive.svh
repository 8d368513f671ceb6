// SPDX-License-Identifier: MIT
// What drives the output units: the stream, credits, a link that goes down and comes back.
// Part of output_unit_tb.

// The stream, from the cycle after its grant on. At its last flit the next may be granted.
function automatic logic [19:0] stream_now(input integer unused);
  stream_now = busy ? {code_of(k, n, vc), pkt[k]} : 20'd0;
endfunction

task make(input integer t, input integer flits, input integer v);
  begin
    ptype = t; n = flits; vc = v; k = 0;
    for (int j = 0; j < 16; j++) pkt[j] = $random(seed);
    pkt[0] = first_flit({t[2:0], 4'(flits - 1), pkt[0][9:0]});
    if (rnd(4) == 0) pkt[rnd(3)][17] = rnd(2);  // a wrong parity must stay wrong
  end
endtask

// One cycle of the stimulus; go_on: a packet may start if the line is given.
task clock(input logic start_ok);
  logic starts, dies;
  begin
    x     = (busy && !loc) ? stream_now(0) : (rnd(2) ? 20'd0 : $random(seed));
    loc_x = (busy && loc) ? stream_now(0) : (rnd(2) ? 20'd0 : $random(seed));
    take  = start_ok;
    #1 starts = gnt || loc_gnt[0];
    dies = ev_sunk[0];
    @(posedge clk);
    @(negedge clk);
    if (busy) begin
      k = k + 1;
      if (k == n) busy = 1'b0;
    end
    if (starts) begin
      busy    = 1'b1;
      sunk    = dies;
      loc     = loc_want;
      packets = packets + 1;
      make(loc ? 4 + rnd(4) : rnd(8), 3 + rnd(14), loc ? 0 : rnd(3));
    end
  end
endtask

// A link that goes down and comes back; lk is that of the link in the cycle now driven.
integer lk = 0, nlk = 0, lk_t = 0;  // 0 up, 1 Sync, 2 Zero, 3 Ann
task link(input integer to);
  begin
    lk = nlk; nlk = to;
    lk_t = (nlk != lk) ? 0 : lk_t + 1;
    up = (lk == 0); ann = (lk == 3); down = (nlk != 0); call = (nlk == 1);
  end
endtask

// The credits c of all outputs, each in two cycles.
task credits(input integer lo, hi);
  for (int c = lo; c <= hi; c++) begin
    cred = c; clock(0); clock(0);
    cred = 2'd0; clock(0);
  end
endtask

task quiet;
  begin
    slow = 1'b0; sink = 1'b0; ask = 1'b0; hush = 1'b0;
    raw = 1'b0; tick = 1'b0; cand_any = 1'b0; line_gnt = 1'b0; line_void = 1'b0; loc_want = 1'b0;
    cred = 2'd0; take = 1'b0;
  end
endtask

logic last_flit;
logic again = 1'b0;  // the code on CRED has been shown twice
