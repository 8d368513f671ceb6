// SPDX-License-Identifier: MIT
// What LOCAL has around it: inputs that give it packets, MBP outputs that take its own, and what these
// have to be. Part of local_tb.

// The other side: credits and grants of the MBP outputs, and the received packets.
logic        noisy = 1'b0;
logic        dead = 1'b0, stuck = 1'b0;  // the MBPs give no credits; or no line
logic [17:0] got [0:15];
integer      got_n = 0, got_at;
logic        in_tx = 1'b0;

always @(negedge clk) if (live) begin
  if (noisy) begin
    dead     = (clocks % 8000 < 1500);
    m_credit = dead ? 2'd0 : rnd(4) ? 2'd3 : rnd(4);
    ev_sync  = rnd(80) ? 10'd0 : 10'd1 << rnd(10);
    ev_sunk  = rnd(80) ? 10'd0 : 10'd1 << rnd(10);
    ev_lost  = (rnd(80) == 0);
    up       = $random(seed);
    vacant   = (rnd(4) != 0);
    ev_body  = rnd(20) ? 10'd0 : 10'd1 << rnd(10);
    ev_frame = rnd(40) ? 10'd0 : 10'd1 << rnd(10);
    ev_over  = rnd(40) ? 10'd0 : 10'd1 << rnd(10);
    ev_cred  = rnd(40) ? 10'd0 : 10'd1 << rnd(10);
    ev_owed  = rnd(40) ? 10'd0 : 10'd1 << rnd(10);
    slice_in = slice_own ^ (rnd(20) == 0);
    shoot    = (rnd(400) == 0);
    ctx      = {rnd(3) == 0, 20'($random(seed))};
    clash    = 1'b0;
    ent_used = (rnd(3) == 0); ent_h1 = $random(seed); ent_h2 = $random(seed);
    if (rnd(60) == 0) to_pend = to_pend | (10'd1 << rnd(10));
    to_vc    = $random(seed);
    ev_table = (rnd(40) == 0);
    stray_port = rnd(10);
    stray_tag  = rnd(8);
  end
  #1 loc_gnt = loc_want & {2{!noisy || rnd(3) == 0}} & {2{!stuck}};
  gnt_mbp0 = dump && rnd(2);
  if (noisy) begin stray = (rnd(80) == 0); clash = put_we && (rnd(40) == 0); end
end

always @(posedge clk) if (live) begin
  if (loc_gnt != 0) begin in_tx <= 1'b1; got_n = 0; got_at = loc_gnt[1]; end
  if (in_tx) begin
    got[got_n] = loc_x[17:0];
    got_n = got_n + 1;
    if (got_n > 1 && loc_x[19:18] == 2'd1) in_tx <= 1'b0;
  end
  // The input unit drops its request once it has been acknowledged.
  to_pend <= to_pend & ~to_ack;
end

logic [17:0] body [0:15];  // flits 3 on are used
logic [17:0] h1_kept [0:2];

task get_grant(input integer in);
  begin
    got_n = 0;
    #3;
    while (!x_gnt) begin @(negedge clk); #3; end
    #1 gnt = 1'b1;
    @(negedge clk);
    gnt = 1'b0;
    sel = 10'd1 << in;
  end
endtask

task give_flits(input integer flits);
  begin
    for (int k = 0; k < flits; k++) begin
      x = {code_of(k, flits, 0), body[k]};
      @(negedge clk);
    end
    x = 20'd0;
    #3;
    while (!ready) begin @(negedge clk); #3; end
  end
endtask

// One packet into LOCAL from input in, then wait until LOCAL is free again.
task give(input integer ptype, flits, tag, mbp, in, v, bad);
  begin
    body[0] = head0(ptype, flits - 1, tag, mbp, 0, 0);
    body[1] = head1(0, 0, 0, 0, 0);
    body[2] = head2(0, 0, 0, 33);
    get_grant(in);
    rd_err = noisy ? {$random(seed), $random(seed)} : 40'd0;
    rd_vc  = $random(seed);
    rd_err[4*in +: 4] = bad;
    rd_vc[2*in +: 2]  = v;
    give_flits(bad ? 3 : flits);
  end
endtask

// A SHOT packet, or one to be put back, whose header is in body.
task give_raw(input integer flits, in, bad);
  begin
    get_grant(in);
    rd_err = 40'd0; rd_err[4*in +: 4] = bad; rd_vc = 20'd0;
    give_flits(bad ? 3 : flits);
  end
endtask

task shot_packet(input integer what, run, tag, input logic [16:0] h1, h2);
  begin
    body[0] = first_flit({3'd6, 4'd2, 3'(tag), 4'd0, 1'(run), 2'(what)});
    body[1] = flit(h1); body[2] = flit(h2);
    give_raw(3, 8, 0);
  end
endtask

// A context, then a packet of this type; in body is the context afterwards.
task put_back_at(input integer tag, input logic [16:0] h1, h2, input integer ptype, bad);
  begin
    shot_packet(0, 0, tag, h1, h2);
    `EQ({only_mbp0, raw}, 2'b11)
    if (h1[16:13] == 8) `EQ(keep, 1'b1)
    for (int k = 0; k < 3; k++) h1_kept[k] = body[k];
    body[0] = head0(ptype, 6, 0, 0, 0, 0);
    give_raw(7, 8, bad);
    for (int k = 0; k < 3; k++) body[k] = h1_kept[k];
  end
endtask

task write(input integer a, input integer v);
  begin
    body[3] = flit({1'b0, 1'b1, 15'(a)});
    body[4] = flit({1'b0, 16'(v)});
    give(5, 5, 0, 0, 8, 0, 0);
    `EQ(got_n, 0)
  end
endtask

// The answer goes to the MBP named in the header, with its tag.
task read(input integer a, input integer v);
  integer tag, mbp;
  begin
    tag = rnd(8); mbp = rnd(2);
    body[3] = flit({2'b00, 15'(a)});
    give(5, 4, tag, mbp, 9, 0, 0);
    `EQ(got_n, 5)
    `EQ(got_at, mbp)
    `EQ(got[0], head0(5, 4, tag, mbp, 0, 0))
    `EQ(got[1], flit(17'd0))
    `EQ(got[3], flit({2'b00, 15'(a)}))
    `EQ(got[4], flit({1'b0, 16'(v)}))
  end
endtask

task must_err(input integer c, input integer in, input integer v);
  begin
    `EQ(got_n, 6)
    `EQ(got_at, 0)
    `EQ(got[0], first_flit({3'd7, 4'd5, 6'd0, 4'(c)}))
    `EQ(got[1], flit({4'(in), 2'(v), 11'd0}))
    `EQ({got[3][16:0], got[4][16:0], got[5][16:0]},
        {body[0][16:0], body[1][16:0], body[2][16:0]})
  end
endtask
