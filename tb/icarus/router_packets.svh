// SPDX-License-Identifier: MIT
// Packets through the chip: sent by a peer with what must come of them, and registers by SETUP.
// Part of router_tb: include after router_peers.svh.

// Making packets
task must_come(input integer p, vc, n);  // f[0..n-1], not tied to a packet sent
  begin
    for (int k = 0; k < n; k++) ex_f[16*used + k] = f[k];
    ex_port[used] = p; ex_vc[used] = vc; ex_n[used] = n; ex_short[used] = 99;
    ex_open[used] = 1'b1;
    used = used + 1;
    open = open + 1;
  end
endtask

// f[0..n-1] from peer p on VC vc. The expected result is computed here.
task send(input integer p, vc, n);
  logic [9:0] route;
  integer id, dst, len;
  begin
    id = used;
    if (n > 3 && f[0][16:14] == 3'd0) f[3] = flit({1'b0, id[15:0]}) ^ {~^f[3], 17'd0};
    for (int k = 0; k < n; k++) tx_f[20*id + k] = f[k];
    tx_n[id] = n; tx_vc[id] = vc; t_in[id] = -1; t_out[id] = -1;
    q[256*p + q_tail[p] % 256] = id;
    q_tail[p] = q_tail[p] + 1;

    route = ref_route(p, f[0], f[1], f[2], vc, rank, xfer, dateline, 1'b0, 1'b0);
    dst   = route[3:0];
    len   = f[0][13:10];
    for (int k = 3; k < n && k < 16; k++) if (^f[k] == 0) begin
      bodies = bodies + 1; linkerr[p] = 1'b1;
    end
    ex_open[id] = 1'b0;
    if (route[9:6] == 0 && n != len + 1) begin frames = frames + 1; linkerr[p] = 1'b1; end
    if (route[9:6] != 0) begin
      f[3] = flit(f[0][16:0]); f[4] = flit(f[1][16:0]); f[5] = flit(f[2][16:0]);
      f[0] = first_flit({3'd7, 4'd5, 6'd0, route[9:6]});
      f[1] = flit({4'(p), 2'(vc), 11'd0});
      f[2] = flit({1'b0, my_xy});
      must_come(8, 0, 6);
      errs = errs + 1;
    end else if (dst != Local) begin
      for (int k = 0; k <= len; k++) begin
        if (k < n) f[k] = ref_rewrite(dst, rank, f[0][16:14], route[5:4], k, tx_f[20*id + k]);
        else       f[k] = 18'd0;
      end
      must_come(dst, route[5:4], len + 1);
      if (n <= len) ex_short[id] = n;
    end else used = used + 1;  // SETUP: the caller knows
  end
endtask

// f[0..n-1] from peer p; the caller knows what must come of it.
task raw(input integer p, vc, n);
  begin
    for (int k = 0; k < n; k++) tx_f[20*used + k] = f[k];
    tx_n[used] = n; tx_vc[used] = vc; t_in[used] = -1; t_out[used] = -1; ex_open[used] = 1'b0;
    q[256*p + q_tail[p] % 256] = used;
    q_tail[p] = q_tail[p] + 1;
    used = used + 1;
  end
endtask

// gen: of an MBP, that of the copy it answers; others send their length.
task ack(input integer p, tag, status, gen);
  begin
    f[0] = first_flit({3'd4, 4'(gen), 3'(tag), 1'b0, 6'(status)}); f[1] = flit(17'd0); f[2] = flit(17'd0);
    raw(p, 0, 3);
  end
endtask

task body(input integer n);
  for (int k = 3; k < n; k++) f[k] = flit($random(seed));
endtask

// Waiting
task idle;  // until all has come and the lines are quiet
  integer t;
  begin
    t = clocks;
    @(negedge clk);
    while (open != 0 || busy != 0 || wants != 0) begin
      @(negedge clk);
      if (clocks - t > 3000) begin
        $display("FAIL %m time %0t cycle %0d: %0d packets did not come, busy %b", $time,
                 clocks, open, busy);
        for (int i = 0; i < used; i++)
          if (ex_open[i]) $display("  packet %0d for port %0d VC %0d", i, ex_port[i], ex_vc[i]);
        $fatal(1, "seed=%0d", first_seed);
      end
    end
    repeat (12) @(negedge clk);
  end
endtask

// Registers
integer value;

task ask(input integer mbp, input integer a);
  integer earlier;
  begin
    earlier = answers;
    f[0] = head0(5, 3, 6, mbp, 0, 0); f[1] = head1(0, 0, 0, 0, 0); f[2] = head2(0, 0, 0, 1);
    f[3] = flit({2'b00, 15'(a)});
    send(8 + mbp, 0, 4);
    while (answers == earlier) @(negedge clk);
    `EQ(ans_port, 8 + mbp)
    `EQ({ans_f[0], ans_f[1], ans_f[2], ans_f[3]},
        {head0(5, 4, 6, mbp, 0, 0), flit(17'd0), flit({1'b0, my_xy}), flit({2'b00, 15'(a)})})
    `EQ((^ans_f[4]), 1'b1)
    value = ans_f[4][15:0];
  end
endtask

task read(input integer mbp, input integer a);
  begin
    ask(mbp, a);
    idle;
  end
endtask

task read_must(input integer mbp, a, v);
  begin
    read(mbp, a);
    `EQ(value, v)
  end
endtask

task write(input integer a, input integer v);
  begin
    f[0] = head0(5, 4, 0, 0, 0, 0); f[1] = head1(0, 0, 0, 0, 0); f[2] = head2(0, 0, 0, 1);
    f[3] = flit({2'b01, 15'(a)}); f[4] = flit({1'b0, 16'(v)});
    send(8, 0, 5);
    repeat (3) @(negedge clk);
    idle;
  end
endtask

task vectors(input integer x, y, x0, y0, mbp);  // vectors of rank 2, the router's, and rank 0
  begin
    f[0] = head0(0, 2, 0, mbp, 0, 0); f[1] = head1(0, 0, x, y, x0); f[2] = head2(0, 0, y0, 20);
  end
endtask
