// SPDX-License-Identifier: MIT
// LOCAL: reads and writes of all registers by SETUP, every refusal, ERR packets, time-outs,
// counters and events, a dump and its restoring; then random stimuli of all kinds, each output in
// each cycle compared with sections 4.8 and 4.12.
module local_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  logic        shoot, slice_own, slice_in, gnt;
  logic [19:0] x;
  logic [9:0]  sel, to_pend, ev_body, ev_frame, ev_over, ev_cred, ev_owed, ev_sync, ev_sunk, up, to_ack;
  logic [39:0] rd_err;
  logic [19:0] rd_vc, to_vc, loc_x;
  logic [1:0]  m_credit, loc_gnt, loc_want;
  logic        err, x_gnt, ready, tick, only_mbp0, gnt_mbp0;
  logic [4:0]  rank;  // bit r: on rank r
  logic [3:0]  xfer, ranks;
  logic [7:0]  dateline, link, map_mask;
  logic        tick_ent, tick_ack, slow, sink, drop, run, end_lane, stray, ev_table, ev_lost;
  logic [3:0]  stray_port, put_addr;
  logic [2:0]  stray_tag, ent_tag;
  logic        halt, raw, keep, give_back, dump, dumping, put_we, put_set, clash, vacant;
  logic        ent_look, ent_put, ent_used;
  logic [29:0] look;
  logic [20:0] ctx;
  logic [17:0] put_d;
  logic [19:0] put_ctx;
  logic [16:0] ent_h1, ent_h1_out;
  logic [10:0] ent_h2, ent_h2_out;

  rdt_local u_dut (
    .clk_i     (clk),
    .rst_ni    (rst_n),
    .shoot_i   (shoot),
    .slice_o_i (slice_own),
    .slice_i   (slice_in),
    .err_o     (err),
    .x_i       (x),
    .gnt_i     (gnt),
    .sel_i     (sel),
    .x_gnt_o   (x_gnt),
    .ready_o   (ready),
    .rd_err_i  (rd_err),
    .rd_vc_i   (rd_vc),
    .to_pend_i (to_pend),
    .to_vc_i   (to_vc),
    .to_ack_o  (to_ack),
    .drop_o    (drop),
    .tick_o    (tick),
    .tick_ent_o(tick_ent),
    .tick_ack_o(tick_ack),
    .end_o     (end_lane),
    .slow_o    (slow),
    .sink_o    (sink),
    .stray_i   (stray),
    .stray_port_i(stray_port),
    .stray_tag_i(stray_tag),
    .ev_table_i(ev_table),
    .only_mbp0_o   (only_mbp0),
    .gnt_mbp0_i    (gnt_mbp0),
    .run_o     (run),
    .halt_o    (halt),
    .raw_o     (raw),
    .keep_o    (keep),
    .give_o    (give_back),
    .dump_o    (dump),
    .dumping_o (dumping),
    .look_o    (look),
    .ctx_i     (ctx),
    .put_we_o  (put_we),
    .put_set_o (put_set),
    .put_addr_o(put_addr),
    .put_d_o   (put_d),
    .put_ctx_o (put_ctx),
    .clash_i   (clash),
    .vacant_i  (vacant),
    .ent_look_o(ent_look),
    .ent_tag_o (ent_tag),
    .ent_used_i(ent_used),
    .ent_h1_i  (ent_h1),
    .ent_h2_i  (ent_h2),
    .ent_put_o (ent_put),
    .ent_h1_o  (ent_h1_out),
    .ent_h2_o  (ent_h2_out),
    .m_credit_i(m_credit),
    .loc_gnt_i (loc_gnt),
    .loc_want_o(loc_want),
    .loc_x_o   (loc_x),
    .ev_body_i (ev_body),
    .ev_frame_i(ev_frame),
    .ev_over_i (ev_over),
    .ev_cred_i (ev_cred),
    .ev_owed_i (ev_owed),
    .ev_sync_i (ev_sync),
    .ev_sunk_i (ev_sunk),
    .ev_lost_i (ev_lost),
    .up_i      (up),
    .rank_o    (rank),
    .xfer_o    (xfer),
    .dateline_o(dateline),
    .link_o    (link),
    .mask_o    (map_mask),
    .ranks_o   (ranks)
  );

  `include "tb/icarus/local_ref.svh"

  `include "tb/icarus/local_peers.svh"

  integer      since, flits, bad;
  logic [16:0] ctx_h1, ctx_h2;

  initial begin
    for (int a = 0; a < 23; a++) begin r[a] = 16'd0; mask[a] = 16'h00ff; end
    r[0] = 16'h5244; mask[17] = 16'hf;
    mask[3] = 16'h7; mask[4] = 16'hf; mask[7] = 16'hffff; mask[8] = 16'h5b; mask[10] = 16'h3ff;
    mask[14] = 16'hffff; mask[15] = 16'hffff;
    reset_with_x;
    shoot = 1'b0; slice_own = 1'b0; slice_in = 1'b0; gnt = 1'b0; x = 20'd0; sel = 10'd1;
    rd_err = 40'd0; rd_vc = 20'd0; to_pend = 10'd0; to_vc = 20'd0; m_credit = 2'd3;
    loc_gnt = 2'd0; ev_body = 10'd0; ev_frame = 10'd0; ev_over = 10'd0; ev_cred = 10'd0;
    stray = 1'b0; stray_port = 4'd0; stray_tag = 3'd0; ev_table = 1'b0; ev_owed = 10'd0;
    gnt_mbp0 = 1'b0; ctx = 21'd0; clash = 1'b0; ent_used = 1'b0; ent_h1 = 17'd0; ent_h2 = 11'd0;
    ev_sync = 10'd0; ev_sunk = 10'd0; ev_lost = 1'b0; up = 10'h3ff; vacant = 1'b1;
    go;

    // After reset: Id, all others 0.
    read(0, 16'h5244);
    for (int a = 1; a < 23; a++) read(a, 0);
    // Excess bits are ignored; a few at once; one register shows the others unchanged.
    write(1, 16'haa12); write(2, 16'h5534); write(3, 16'hfffb); write(4, 16'hfff9);
    write(5, 16'h1181); write(6, 16'hff7e); write(8, 16'hffa0);
    write(13, 16'hff5c); write(17, 16'hfff6); up = 10'h2a5;
    read(1, 16'h12); read(2, 16'h34); read(3, 3); read(4, 9); read(5, 16'h81); read(6, 16'h7e);
    read(8, 0); read(17, 6); read(19, 16'h15a); read(13, 16'h5c);
    `EQ(got[2], flit({1'b0, 8'h12, 8'h34}))  // own x and y
    `EQ({rank, xfer, dateline, link, map_mask, ranks}, {5'b01000, 4'd9, 8'h81, 8'h7e, 8'h5c, 4'd6})
    write(8, 16'h50); `EQ({sink, drop}, 2'b11)
    write(8, 16'h10); `EQ({sink, drop}, 2'b10)
    read(8, 16'h10); write(8, 0);
    `EQ(err, 1'b0)

    // Refused: unknown register, write of Id, write without data, read with more flits, parity.
    body[3] = flit({2'b00, 15'd23});          give(5, 4, 3, 1, 4, 1, 0); must_err(6, 4, 1);
    body[3] = flit({2'b00, 15'h4000});        give(5, 4, 3, 1, 9, 0, 0); must_err(6, 9, 0);
    body[3] = flit({2'b01, 15'd0}); body[4] = flit(17'd1);
    give(5, 5, 0, 0, 0, 2, 0); must_err(6, 0, 2);
    body[3] = flit({2'b01, 15'd16}); body[4] = flit(17'd1);
    give(5, 5, 0, 0, 8, 0, 0); must_err(6, 8, 0);
    body[3] = flit({2'b01, 15'd19}); body[4] = flit(17'd1);
    give(5, 5, 0, 0, 8, 0, 0); must_err(6, 8, 0);
    body[3] = flit({2'b01, 15'd1});           give(5, 4, 0, 0, 8, 0, 0); must_err(3, 8, 0);
    body[3] = flit({2'b00, 15'd1});           give(5, 5, 0, 0, 8, 0, 0); must_err(3, 8, 0);
    body[3] = ~flit({2'b00, 15'd1}) ^ 18'd1;  give(5, 4, 0, 0, 8, 0, 0); must_err(9, 8, 0);
    body[3] = flit({2'b01, 15'd1}); body[4] = {1'b0, 17'd0};
    give(5, 5, 0, 0, 8, 0, 0); must_err(9, 8, 0);
    read(1, 16'h12);
    // The first error is reported, the other commands are still executed.
    body[3] = flit({2'b01, 15'd99}); body[4] = flit(17'd5);
    body[5] = flit({2'b01, 15'd2});  body[6] = flit(17'h77);
    body[7] = flit({2'b01, 15'd3});  body[8] = {1'b0, 17'd0};
    give(5, 9, 0, 0, 8, 0, 0); must_err(6, 8, 0);
    read(2, 16'h77);
    `EQ(err, 1'b1)
    read(9, 16'h80); read(11, 10);
    // A malformed header: three flits, code and position.
    give(2, 12, 1, 1, 7, 1, 2); must_err(2, 7, 1);
    read(9, 16'h81);
    write(9, 16'h80); read(9, 16'h01);
    write(9, 16'hffff); read(9, 0);
    `EQ(err, 1'b0)

    // Time-out: lowest port first, three flits, no body.
    to_vc = 20'd0; to_vc[2*5 +: 2] = 2'd1;
    to_pend = 10'h220;
    #3 `EQ(to_ack, 10'h020)
    `EQ(x_gnt, 1'b0)
    @(negedge clk);
    #3; while (!ready) begin @(negedge clk); #3; end
    `EQ(got_n, 3)
    `EQ({got[0], got[1]}, {first_flit({3'd7, 4'd2, 6'd0, 4'd7}), flit({4'd5, 2'd1, 11'd0})})
    `EQ(x_gnt, 1'b1)  // two cycles are for packets
    repeat (2) @(negedge clk);
    #3 `EQ(x_gnt, 1'b0)
    @(negedge clk);
    #3; while (!ready) begin @(negedge clk); #3; end
    `EQ(got[1], flit({4'd9, 2'd0, 11'd0}))
    read(9, 16'h20); write(9, 16'h20);
    read(11, 13);
    // A stray ack: alike, with its tag. After a time-out.
    stray = 1'b1; stray_port = 4'd6; stray_tag = 3'd5; to_pend = 10'h001; to_vc = 20'd0;
    #3 `EQ({to_ack, x_gnt}, {10'd1, 1'b0})
    @(negedge clk); stray_port = 4'd7;  // only counted
    @(negedge clk); stray = 1'b0;
    #3
    while (!ready) begin @(negedge clk); #3; end
    repeat (3) @(negedge clk);
    #3; while (!ready) begin @(negedge clk); #3; end
    `EQ({got[0], got[1]}, {first_flit({3'd7, 4'd2, 6'd0, 4'd8}), flit({4'd6, 2'd0, 3'd5, 8'd0})})
    read(9, 16'h120); read(21, 2);
    ev_table = 1'b1; @(negedge clk); ev_table = 1'b0;
    read(9, 16'h320); write(9, 16'h320); read(9, 0);
    // Links and dead outputs, the lowest port first.
    ev_sunk = 10'h012; ev_sync = 10'h010; ev_lost = 1'b1; @(negedge clk);
    ev_sunk = 10'd0; ev_sync = 10'd0; ev_lost = 1'b0;
    for (int i = 0; i < 3; i++) begin
      #3 `EQ(x_gnt, 1'b0)
      @(negedge clk);
      #3; while (!ready) begin @(negedge clk); #3; end
      `EQ({got[0], got[1]}, {first_flit({3'd7, 4'd2, 6'd0, i == 1 ? 4'd1 : 4'd13}),
                             flit({i == 0 ? 4'd1 : 4'd4, 13'd0})})
      repeat (2) @(negedge clk);
    end
    #3 `EQ(x_gnt, 1'b1)
    read(9, 16'h1c00); read(10, 16'h12); read(18, 1); read(20, 1); read(22, 1);
    write(9, 16'h1c00); write(10, 16'h3ff);

    // An MBP that takes nothing costs 1,024 cycles, then no more; the other is served.
    m_credit = 2'b10; got_n = 0;
    ev_sync = 10'h001; @(negedge clk); ev_sync = 10'h002;
    since = clocks; @(negedge clk); ev_sync = 10'h000;
    #3; while (!ready) begin @(negedge clk); #3; end
    `EQ(clocks - since, 1025)
    repeat (4) @(negedge clk);
    #3 `EQ({ready, x_gnt}, 2'b11)
    body[3] = flit({2'b00, 15'd20}); give(5, 4, 0, 1, 9, 0, 0);
    `EQ({got_n, got_at}, {32'd5, 32'd1})
    `EQ(got[4], flit(17'd3))
    m_credit = 2'b11; stuck = 1'b1;  // a credit, but not the line
    ev_sync = 10'h001; @(negedge clk); ev_sync = 10'h000;
    since = clocks; @(negedge clk);
    #3; while (!ready) begin @(negedge clk); #3; end
    `EQ(clocks - since, 1025)
    stuck = 1'b0;
    read(20, 4); write(9, 16'hffff); write(10, 16'h3ff); write(18, 0); write(20, 0);

    // Guard: reads are open to all, writes to MBP 0.
    write(8, 8);
    body[3] = flit({2'b01, 15'd1}); body[4] = flit(17'h99);
    give(5, 5, 0, 0, 9, 0, 0); must_err(12, 9, 0);
    read(1, 16'h12); write(1, 16'h13); read(1, 16'h13); write(1, 16'h12);
    write(8, 0); write(9, 16'h80);

    // Events, and which ports.
    ev_body = 10'h041; @(negedge clk); ev_body = 10'd0;
    read(9, 16'h02); read(10, 16'h41); read(12, 1);  // one per cycle
    ev_frame = 10'h002; @(negedge clk); ev_frame = 10'd0;
    ev_over  = 10'h200; @(negedge clk); ev_over  = 10'd0;
    ev_cred  = 10'h100; @(negedge clk); ev_cred  = 10'd0;
    read(9, 16'h1e); read(10, 16'h343);
    ev_owed = 10'h008; @(negedge clk); ev_owed = 10'd0;
    read(9, 16'h41e); read(18, 1); write(9, 16'h400);
    write(10, 16'h30b); read(10, 16'h40);
    slice_in = 1'b1; repeat (2) @(negedge clk);
    read(9, 16'h1e);  // not compared
    write(8, 1); read(9, 16'h5e);
    slice_in = 1'b0; write(9, 16'hff); read(9, 0);
    // Counters stop at 255; a write sets them.
    write(11, 254); write(12, 250);
    for (int i = 0; i < 2; i++) give(2, 3, 0, 0, 0, 0, 1);
    ev_body = 10'd4; repeat (9) @(negedge clk); ev_body = 10'd0;
    read(11, 255); read(12, 255);
    write(12, 3); read(12, 3);
    write(9, 16'hff);

    // Tick: every Timeout + 1 cycles, none at 0.
    for (int t = 9; t > 0; t = t - 4) begin
      write(7, t); read(7, t);
      repeat (12) @(negedge clk);
      @(posedge tick);
      for (int i = 0; i < 5; i++) begin
        since = clocks;
        @(posedge tick);
        `EQ(clocks - since, t + 1)
      end
      @(negedge clk);
    end
    write(7, 0);
    repeat (20) begin @(negedge clk); `EQ(tick, 1'b0) end
    write(14, 3); write(15, 5);
    repeat (40) @(negedge clk);
    for (int i = 0; i < 5; i++) begin
      @(posedge tick_ent); since = clocks; @(posedge tick_ent); `EQ(clocks - since, 4)
      @(posedge tick_ack); since = clocks; @(posedge tick_ack); `EQ(clocks - since, 6)
    end
    @(negedge clk);
    write(7, 16'h8001); read(7, 16'h8001);
    write(7, 0); write(14, 0); write(15, 0);

    // Shot down with one packet and one entry in the chip: context, packet, entry, End.
    shoot = 1'b1; @(negedge clk); shoot = 1'b0;
    `EQ(halt, 1'b1)
    while (look != 30'd1 << 15) @(negedge clk);  // W1, VC 0
    ctx = {1'b1, 11'h031, 1'b1, 4'b0101, 3'd6, 1'b1};
    while (!dumping) @(negedge clk);
    `EQ({got[0], got[1], got[2]},
        {first_flit({3'd6, 4'd2, 3'd6, 7'd0}), flit({4'd5, 2'd0, 11'h031}), flit({6'b101011, 11'd0})})
    while (dumping) @(negedge clk);
    ctx = 21'd0;
    while (!(ent_look && ent_tag == 3'd4)) @(negedge clk);
    ent_used = 1'b1; ent_h1 = 17'h1a5c3; ent_h2 = 11'h553;
    got_n = 0;
    while (got_n < 3) @(negedge clk);
    ent_used = 1'b0;
    `EQ({got[0], got[1], got[2]},
        {first_flit({3'd6, 4'd2, 3'd4, 7'd1}), flit(17'h1a5c3), flit({11'h553, 6'd0})})
    got_n = 0;
    while (got_n < 3) @(negedge clk);
    `EQ({got[0], got[1], got[2]},
        {first_flit({3'd6, 4'd2, 3'd0, 7'd2}), flit(17'd0), flit({1'b0, 8'h12, 8'h77})})
    @(negedge clk);
    read(16, 2);
    `EQ(halt, 1'b1)
    // Back: the entry, the packet; then Run. A packet that cannot be restored is reported.
    shot_packet(1, 0, 4, 17'h1a5c3, {11'h553, 6'd0}); read(16, 3);
    shot_packet(1, 0, 0, 17'd0, 17'd0);              must_err(11, 8, 0);
    put_back_at(6, {4'd5, 2'd0, 11'h031}, {6'b101011, 11'd0}, 1, 0); `EQ(got_n, 0)
    put_back_at(6, {4'd5, 2'd1, 11'h002}, {6'b000100, 11'd0}, 5, 0); `EQ(got_n, 0)
    put_back_at(0, {4'd5, 2'd1, 11'h100}, {6'b100000, 11'd0}, 3, 0); `EQ(got_n, 0)
    // Not empty, or a credit is outstanding; no such slot.
    vacant = 1'b0;
    put_back_at(6, {4'd5, 2'd2, 11'h031}, {6'b101011, 11'd0}, 1, 0); must_err(11, 8, 0);
    vacant = 1'b1;
    // A context that makes no sense: nowhere to go, LOCAL, two outputs, an entry, no such VC, tag 0.
    put_back_at(6, {4'd5, 2'd0, 11'h000}, {6'b101011, 11'd0}, 1, 0); must_err(11, 8, 0);
    put_back_at(6, {4'd5, 2'd0, 11'h431}, {6'b101011, 11'd0}, 1, 0); must_err(11, 8, 0);
    put_back_at(6, {4'd5, 2'd0, 11'h003}, {6'b000000, 11'd0}, 0, 0); must_err(11, 8, 0);
    put_back_at(6, {4'd5, 2'd0, 11'h001}, {6'b000001, 11'd0}, 0, 0); must_err(11, 8, 0);
    put_back_at(6, {4'd5, 2'd0, 11'h002}, {6'b000110, 11'd0}, 0, 0); must_err(11, 8, 0);
    put_back_at(6, {4'd5, 2'd0, 11'h080}, {6'b000100, 11'd0}, 0, 0); must_err(11, 8, 0);
    put_back_at(6, {4'd5, 2'd0, 11'h200}, {6'b000010, 11'd0}, 0, 0); must_err(11, 8, 0);
    put_back_at(0, {4'd5, 2'd0, 11'h003}, {6'b100001, 11'd0}, 1, 0); must_err(11, 8, 0);
    // A multicast that is none, and one that is.
    put_back_at(6, {4'd5, 2'd0, 11'h001}, {6'b100001, 11'd0}, 0, 0); must_err(11, 8, 0);
    put_back_at(6, {4'd5, 2'd0, 11'h001}, {6'b000000, 11'd0}, 2, 0); must_err(11, 8, 0);
    // An error of the packet itself, into port 8's own slot.
    put_back_at(6, {4'd8, 2'd0, 11'h001}, {6'b000000, 11'd0}, 0, 3); must_err(3, 8, 0);
    shot_packet(3, 0, 0, 17'd0, 17'd0); read(16, 0);
    `EQ(halt, 1'b0)
    write(9, 16'hffff);

    noisy = 1'b1; limit = 200000;
    for (int i = 0; i < 400; i++) begin
      for (int k = 3; k < 16; k++) begin
        if (k % 2 == 1) body[k] = flit({1'b0, rnd(6) != 0, 15'(rnd(24))});
        else            body[k] = flit($random(seed));
        if (rnd(15) == 0) body[k] = $random(seed);
      end
      flits = rnd(2) ? 4 : 4 + rnd(13);
      if (flits == 4 && rnd(3) != 0) body[3] = flit({2'b00, 15'(rnd(23))});
      bad = (rnd(6) == 0) ? 1 + rnd(10) : 0;
      if (rnd(3) != 0) give(bad ? rnd(8) : 5, flits, rnd(8), rnd(2), rnd(10), rnd(3), bad);
      else begin
        // Half of the contexts make sense.
        ctx_h1 = {4'(rnd(10)), 2'(rnd(3)), 11'($random(seed))};
        ctx_h2 = $random(seed);
        if (rnd(2)) ctx_h1[10] = 1'b0;
        if (rnd(4)) begin ctx_h1[10:0] = 11'd1 << rnd(10); ctx_h2[15:11] = {4'(rnd(4)), 1'b0}; end
        shot_packet(rnd(3), rnd(2), rnd(8), ctx_h1, ctx_h2);
        if (only_mbp0) begin
          body[0] = head0(rnd(6) ? (ctx_h2[16] ? 1 + rnd(3) : 0) : rnd(8), 6, 0, 0, 0, 0);
          give_raw(3 + rnd(14), 8, rnd(6) ? 0 : 1 + rnd(5));
        end
      end
      repeat (i % 20 == 0 ? 700 : rnd(4)) @(negedge clk);  // now and then a dump comes to its end
    end
    `CLAIM(taken > 400, "packets were taken")
    `CLAIM(dumped > 20 && put_back > 10 && refused > 10 && entries > 10 && ends > 2,
           "everything of a shoot-down came")
    `CLAIM(notices > 50 && given_up > 5 && guarded > 5, "links reported, packets dropped, writes refused")
    `PASS("local", packets, "packets")
  end
endmodule
