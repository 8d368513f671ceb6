// SPDX-License-Identifier: MIT
// The chip at its pins. Ten behavioral peers run the line protocol of section 1 and check every
// packet, driver, credit and pin. Directed: reset out of X, configuration by SETUP from M0, six
// cycles from H0 in to H0 out, time-out, a shoot-down and the restart after it, slice compare, links
// that lose a header, a REQ or a credit and resynchronize. Random: valid and malformed packets
// through all ports, also short ones: no pin ever shows an X, although the buffer RAMs start as X.
module router_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  logic [179:0] d_i, d_o, pd;
  logic [9:0]   d_oe, poe;
  logic [19:0]  preq, req, pcred, cred;  // p...: driven by the peers
  logic         err, shoot, slice, slice_flip;
  logic [17:0]  noise;                   // on undriven lines
  logic [19:0]  flip_req = 20'd0, flip_cred = 20'd0;  // pins disturbed on their way to the chip

  rdt_router u_dut (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .d_i    (d_i),
    .d_o    (d_o),
    .d_oe_o (d_oe),
    .req_i  (preq ^ flip_req),
    .req_o  (req),
    .cred_i (pcred ^ flip_cred),
    .cred_o (cred),
    .err_o  (err),
    .shoot_i(shoot),
    .slice_i(slice ^ slice_flip),
    .slice_o(slice)
  );

  always @(posedge clk) if (live) begin
    `KNOWN({d_o, d_oe})
    `KNOWN({req, cred, err, slice})
    noise <= $random(seed);
  end

  `include "tb/icarus/router_peers.svh"
  `include "tb/icarus/router_packets.svh"

  // One packet through the idle chip: 6 cycles, and what happens in between
  task timed(input integer p, vc, n, dst);  // f[0..2] are set
    integer id, delay;
    begin
      id = used;
      f[0] = first_flit({f[0][16:14], 4'(n - 1), f[0][9:0]});
      body(n);
      send(p, vc, n);
      `EQ(ex_port[id], dst)
      t_req[dst] = -1;
      idle;
      // Back out of the same port it has to wait for its own tail and the change of direction.
      delay = (p == dst && n > 5) ? n + 1 : 6;
      `EQ(t_out[id] - t_in[id], delay)
      `EQ(t_req[dst] - t_in[id], 4)
      `EQ(t_cred[p] - t_in[id], delay - 1)
    end
  endtask

  // Data given to M0: the context of a slot; both are sent back.
  task slot(input integer i, p, vc, tag, pend, mc_k, ent);
    begin
      `EQ(log_n[i], 3)
      `EQ({log_f[16*i], log_f[16*i + 1], log_f[16*i + 2]},
          {first_flit({3'd6, 4'd2, 3'(tag), 7'd0}), flit({4'(p), 2'(vc), 11'(pend)}),
           flit({5'(mc_k), 1'(ent), 11'd0})})
    end
  endtask

  task put_back(input integer i, run);
    begin
      f[0] = first_flit(log_f[16*i][16:0] | 17'(4 * run)); f[1] = log_f[16*i + 1]; f[2] = log_f[16*i + 2];
      raw(8, 0, 3);
      for (int k = 0; k < log_n[i + 1]; k++) f[k] = log_f[16*(i + 1) + k];
      raw(8, 0, log_n[i + 1]);
    end
  endtask

  // A notice of port p to M0.
  task notice(input integer p, code);
    begin
      f[0] = first_flit({3'd7, 4'd2, 6'd0, 4'(code)}); f[1] = flit({4'(p), 13'd0}); f[2] = flit({1'b0, my_xy});
      must_come(8, 0, 3);
    end
  endtask

  function automatic integer some(input integer n); some = rnd(2) ? 0 : rnd(n); endfunction

  integer n, p, vc, what, id;

  initial begin
    limit = 15000;
    for (int i = 0; i < 10; i++) begin
      q_head[i] = 0; q_tail[i] = 0; t_req[i] = 0; t_cred[i] = 0;
    end
    reset_with_x;
    `CLAIM((^u_dut.gen_port[8].u_input_unit.gen_vc[0].u_ram.mem_q[0]) === 1'bx,
           "the RAM should start unknown")
    pd = 180'd0; poe = 10'd0; preq = 20'd0; pcred = 20'd0; noise = 18'd0; has = 30'd0;
    shoot = 1'b0; slice_flip = 1'b0;
    go;

    // Only the MBP links are on.
    repeat (60) @(negedge clk);
    `EQ(has, 30'h0900_0000)
    `EQ({req, cred, d_oe, err}, {20'h0ffff, 20'd0, 11'd0})

    // Configuration by SETUP from M0: six registers in one packet.
    read_must(0, 0, 16'h5244);
    f[0] = head0(5, 14, 0, 0, 0, 0); f[1] = head1(0, 0, 0, 0, 0); f[2] = head2(0, 0, 0, 1);
    for (int i = 0; i < 6; i++) begin
      f[3 + 2*i] = flit({2'b01, 15'(i + 1)});
      f[4 + 2*i] = flit(i == 0 ? 17'h12 : i == 1 ? 17'hfe : i == 2 ? 17'd2 : i == 3 ? 17'b0101
                        : i == 4 ? 17'h24 : 17'hff);
    end
    send(8, 0, 15);
    my_xy = 16'h12fe; rank = 3'd2; xfer = 4'b0101; dateline = 8'h24;
    repeat (40) @(negedge clk);
    f[0] = head0(5, 4, 0, 0, 0, 0); f[3] = flit({2'b01, 15'd17}); f[4] = flit(17'hf);  // all ranks
    send(8, 0, 5);
    repeat (60) @(negedge clk);
    // Every network port has announced its buffers.
    `EQ(has, 30'o1133333377)
    read_must(1, 6, 16'hff);
    read_must(0, 5, 16'h24);
    write(8, 1);
    read_must(0, 8, 1);

    // H0 in to H0 out, idle chip: ports, VCs and lengths.
    vectors(0, 0, 1, 0, 0);   timed(1, 1, 3, 0);     // W0 to E0, straight on, VC 1 kept
    vectors(0, 0, -1, 0, 0);  timed(0, 0, 16, 1);
    vectors(0, 0, 0, 1, 0);   timed(3, 0, 4, 2);     // dateline at N0
    vectors(0, 0, 3, -2, 0);  timed(2, 1, 7, 3);
    vectors(1, 0, 0, 0, 0);   timed(8, 0, 3, 4);
    vectors(-1, 0, 5, 5, 0);  timed(9, 0, 8, 5);     // dateline at W1
    vectors(1, 2, 0, 0, 0);   timed(7, 1, 5, 6);
    vectors(1, -2, 0, 0, 0);  timed(0, 2, 5, 7);
    vectors(0, 0, 0, 0, 0);   timed(4, 1, 3, 8);
    vectors(0, 0, 0, 0, 1);   timed(1, 2, 16, 9);
    vectors(0, 0, 0, 0, 1);   timed(8, 0, 6, 9);
    vectors(0, 0, 0, 0, 0);   timed(8, 0, 5, 8);     // back to where it came from
    vectors(0, 0, 0, 0, 0);   timed(8, 0, 6, 8);
    vectors(0, 0, 0, 0, 0);
    f[1] = head1(1, 0, 1, 1, 0); timed(6, 0, 5, 1);  // transfer to rank 3, West, VC T
    vectors(0, 0, 0, 0, 0);
    f[0] = head0(0, 0, 0, 0, 0, 1); timed(9, 0, 5, 0);  // to rank 4, East

    // Anything, everywhere.
    lazy = 20;
    for (int i = 0; i < 165; i++) begin
      p = rnd(10); vc = rnd(vcs(p)); n = 3 + rnd(14); what = rnd(20);
      f[0] = head0(0, n - 1, rnd(8), rnd(2), rnd(6) ? 0 : some(8), 0);
      f[1] = head1(0, rnd(4) ? 0 : some(8), some(8), some(8), some(16));
      f[2] = head2(rnd(4) ? 0 : some(8), 0, some(16), 1 + rnd(63));
      if (rnd(3) == 0) vectors(0, 0, 0, 0, rnd(2));
      f[0] = first_flit({f[0][16:14], 4'(n - 1), f[0][9:0]});
      body(16);
      f[16] = flit(17'd1); f[17] = flit(17'd2); f[18] = flit(17'd3);
      case (what)
        0: f[1] = flit(f[1][16:0] | 17'd1);                    // Reserved
        1: f[2] = flit(f[2][16:0] & ~17'h7e);                  // HopLimit, or nothing
        2: f[0] = first_flit({3'd7, f[0][13:0]});                    // BadType
        3: if (n > 3) f[3 + rnd(n - 3)][17] = rnd(2);          // Body, or nothing
        4: n = 4 + rnd(14);                                    // Frame, or nothing
        default: ;
      endcase
      send(p, vc, n);
      while (open > 60) @(negedge clk);
      repeat (rnd(3)) @(negedge clk);
    end
    idle;
    lazy = 0;
    `CLAIM(errs > 0 && bodies > 0 && frames > 0, "every kind of trouble came")
    `EQ(has, 30'o1133333377)  // all buffers are free
    `EQ(err, 1'b1)
    read_must(1, 9, 16'h7);
    read_must(1, 10, linkerr);
    read_must(1, 11, errs);
    read(0, 12);
    `CLAIM(value > 0 && value <= bodies, "BodyCnt")
    write(9, 16'hffff);
    `EQ(err, 1'b0)

    // Time-out: E0's peer keeps its buffer, so a second packet waits, and is reported once.
    hold[0] = 1'b1;
    write(7, 63);
    vectors(0, 0, 2, 0, 0); send(3, 1, 3);
    idle;
    vectors(0, 0, 2, 0, 0); send(4, 1, 3);
    id = used - 1;
    f[0] = first_flit({3'd7, 4'd2, 6'd0, 4'd7});
    f[1] = flit({4'd4, 2'd1, 11'd0});
    f[2] = flit({1'b0, my_xy});
    must_come(8, 0, 3);
    repeat (400) @(negedge clk);
    `EQ(open, 1)
    `CLAIM(t_out[used - 1] - t_in[id] >= 64 && t_out[used - 1] - t_in[id] < 150, "time-out")
    hold[0] = 1'b0;
    idle;
    write(7, 0);
    read_must(0, 9, 16'h20);

    // A multicast from M1 that requests an ack, to M1, E0, W0, N0, S0 and beyond, E1: six copies
    // with the router's own tag, each without the consumed map bytes; the acks are combined into
    // one.
    write(9, 16'hff);
    f[0] = first_flit({3'd1, 4'd4, 3'd6, 1'b1, 6'd0}); f[1] = flit({10'd0, 7'd1}); f[2] = flit(17'h1003f);
    body(5);
    raw(9, 0, 5);
    f[0] = first_flit({3'd1, 4'd4, 3'd1, 1'b1, 6'd0}); f[1] = flit(17'd0); f[2] = flit(17'h0003f);
    must_come(4, 0, 5);
    f[2] = flit(17'h00030); must_come(3, 0, 5);
    f[2] = flit(17'h00000);
    must_come(0, 0, 5); must_come(1, 0, 5); must_come(2, 0, 5);
    f[2] = flit(17'h00001); must_come(9, 0, 5);  // with the generation of the entry
    idle;
    for (int i = 0; i < 6; i++) begin
      `EQ(acks, 0)
      ack(i == 5 ? 9 : i, 1, 1 << i, i == 5 ? 1 : 2);
      repeat (60) @(negedge clk);
    end
    `EQ(acks, 1)
    `EQ(ack_port, 9)
    `EQ(ack_f, first_flit({3'd4, 4'd2, 3'd6, 1'b0, 6'h3f}))
    `EQ(err, 1'b0)
    // One more is one too many.
    f[0] = first_flit({3'd7, 4'd2, 6'd0, 4'd8}); f[1] = flit({4'd2, 2'd0, 3'd1, 8'd0});
    f[2] = flit({1'b0, my_xy});
    must_come(8, 0, 3);
    ack(2, 1, 0, 2);
    idle;
    // No answers: an ack with the time-out bit.
    write(15, 40);
    f[0] = first_flit({3'd1, 4'd2, 3'd2, 1'b0, 6'd0}); f[1] = flit(17'd0); f[2] = flit(17'h2);
    raw(9, 0, 3);
    f[0] = first_flit({3'd1, 4'd2, 3'd1, 1'b0, 6'd0}); f[2] = flit(17'd0); must_come(0, 0, 3);
    idle;
    repeat (450) @(negedge clk);  // and the end of the quarantine
    `EQ(acks, 2)
    `EQ(ack_f, first_flit({3'd4, 4'd2, 3'd2, 1'b0, 6'h02}))
    write(15, 0);
    read_must(0, 9, 16'h300);
    write(9, 16'hffff);

    // Shoot-down. E0's peer keeps its buffer, so three packets wait, one of them a multicast with
    // an ack entry and half its copies sent.
    hold[0] = 1'b1;
    vectors(0, 0, 2, 0, 0); send(3, 1, 3);
    idle;
    vectors(0, 0, 2, 0, 0); f[0] = head0(0, 15, 0, 0, 0, 0); body(16); send(4, 1, 16);
    vectors(0, 0, 3, 0, 0); f[0] = head0(0, 4, 0, 0, 0, 0); body(5); send(8, 0, 5);
    f[0] = first_flit({3'd1, 4'd3, 3'd3, 1'b0, 6'd0}); f[1] = flit(17'd0); f[2] = flit(17'h0a);
    f[3] = flit(17'h15555); raw(9, 0, 4);
    f[0] = first_flit({3'd1, 4'd3, 3'd1, 1'b0, 6'd0}); f[2] = flit(17'd0);
    must_come(0, 0, 4); must_come(2, 0, 4);
    repeat (100) @(negedge clk);
    `EQ(open, 3)
    collecting = 1'b1;
    shoot = 1'b1; @(negedge clk); shoot = 1'b0;
    // A packet that is already on its way out ends; one for LOCAL is reported; M0 gets the rest.
    repeat (400) @(negedge clk);
    `EQ(logged, 8)
    slot(0, 4, 1, 0, 11'h001, 5'b00000, 0);
    slot(2, 8, 0, 0, 11'h001, 5'b00000, 0);
    slot(4, 9, 0, 1, 11'h001, 5'b10001, 0);
    `EQ({log_n[1], log_n[3], log_n[5]}, {32'd16, 32'd5, 32'd4})
    `EQ({log_f[16*5], log_f[16*5 + 2]}, {first_flit({3'd1, 4'd3, 3'd3, 7'd0}), flit(17'h0a)})
    `EQ({log_f[16*6], log_f[16*6 + 1], log_f[16*6 + 2]},
        {first_flit({3'd6, 4'd2, 3'd1, 7'd1}), flit({4'd9, 3'd3, 10'h005}), flit({7'd0, 4'd3, 6'd0})})
    `EQ({log_f[16*7], log_f[16*7 + 1], log_f[16*7 + 2]},
        {first_flit({3'd6, 4'd2, 3'd0, 7'd2}), flit(17'd0), flit({1'b0, my_xy})})
    `EQ(has, 30'o1133333377 & ~30'o1000020000)  // the buffers are promised to their packets
    collecting = 1'b0;
    hold[0] = 1'b0;  // a halted chip sends nothing, credit or not
    ack(2, 1, 6'h20, 2);  // acks are not halted
    ask(0, 16);
    `EQ({value, open}, {32'd2, 32'd3})
    put_back(0, 0); put_back(4, 0); put_back(2, 1);
    idle;
    read_must(0, 16, 0);
    ack(0, 1, 6'h08, 2);
    repeat (60) @(negedge clk);
    `EQ({acks, ack_port}, {32'd3, 32'd9})
    `EQ(ack_f, first_flit({3'd4, 4'd2, 3'd3, 1'b0, 6'h28}))
    `EQ(has, 30'o1133333377)
    `EQ(err, 1'b0)

    // The other slice grants differently.
    slice_flip = 1'b1;
    @(negedge clk);
    slice_flip = 1'b0;
    read_must(1, 9, 16'h40);
    write(9, 16'h40);
    `EQ(err, 1'b0)

    // A spoilt header flit, at each port; then a disturbed REQ pin. The link is called down,
    // reported, and comes back with all credits.
    write(9, 16'hffff); write(10, 16'h3ff); write(18, 0);
    syncs = 0;
    for (int i = 0; i < 20; i++) begin
      p = i % 10;
      if (i < 10) begin
        vectors(0, 0, 0, 0, 1); f[0] = head0(0, 3, 0, 1, 0, 0); body(4);
        f[p % 3] = f[p % 3] ^ (18'd1 << rnd(18));
        raw(p, 0, 4);
      end else begin
        flip_req[2*p + 1] = 1'b1; @(negedge clk);
        flip_req = 20'd0;
      end
      if (p != 8) notice(p, 1);  // MBP 0's own link is not reported
      idle;
      while (is_up != 10'h3ff) @(negedge clk);
      repeat (4) @(negedge clk);
      `EQ({is_up, has, syncs}, {10'h3ff, 30'o1133333377, 32'(i + 1)})
    end
    read_must(0, 18, 20);
    read_must(0, 9, 16'h400);
    read_must(0, 10, 16'h3ff);
    read_must(0, 19, 0);
    // A credit of E0 is lost on CRED. It is missed within two slow ticks, and reported when found.
    write(9, 16'hffff);
    vectors(0, 0, 2, 0, 0); send(3, 1, 3);
    while (gen_peer[0].shows != 1) @(negedge clk);
    flip_cred[1:0] = 2'd2; @(negedge clk);
    flip_cred = 20'd0;
    idle;
    read_must(0, 9, 16'h10);
    id = clocks;
    notice(0, 1);
    while (syncs != 21) @(negedge clk);
    `CLAIM(clocks - id < 2060, "the credit is missed")
    idle;
    while (is_up != 10'h3ff) @(negedge clk);
    `EQ({is_up, has}, {10'h3ff, 30'o1133333377})
    vectors(0, 0, 2, 0, 0); send(3, 1, 3);
    idle;

    // A second reset, in the middle of traffic, leaves nothing behind.
    for (int i = 0; i < 8; i++) begin vectors(0, 0, 1, 0, 0); body(3); send(i, 0, 3); end
    repeat (9) @(negedge clk);
    rst_n = 1'b0;
    repeat (2) @(negedge clk);
    `EQ({d_oe, req, cred, err, slice, d_o}, 232'd0)
    `PASS("router", packets, "packets")
  end
endmodule
