// SPDX-License-Identifier: MIT
// A node of two slices. The peers of router_tb talk to slice 0; slice 1 gets the same control pins
// and headers and other bodies. Both decide alike in every cycle. Then slice 1 alone sees a bit of a
// header flipped: both freeze and raise err_o, answer to SETUP packets, and continue when they are no
// longer compared.
module node_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  logic [179:0] d_i, d_o, pd, d1_i, d1_o;  // slice 0; d1: slice 1
  logic [9:0]   d_oe, poe, oe1;
  logic [19:0]  preq, req, req1, pcred, cred, cred1;
  logic [359:0] nd_i, nd_o;
  logic [19:0]  nd_oe;
  logic [39:0]  nreq_i, nreq_o, ncred_i, ncred_o;
  logic [1:0]   err;
  logic         shoot;
  logic [17:0]  noise, other;              // other: bits of bodies that differ in slice 1
  logic         flip = 1'b0;               // of a bit at W0 of slice 1

  rdt_node u_dut (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .d_i    (nd_i),
    .d_o    (nd_o),
    .d_oe_o (nd_oe),
    .req_i  (nreq_i),
    .req_o  (nreq_o),
    .cred_i (ncred_i),
    .cred_o (ncred_o),
    .err_o  (err),
    .shoot_i(shoot)
  );

  `include "tb/icarus/router_peers.svh"
  `include "tb/icarus/router_packets.svh"

  for (genvar p = 0; p < 10; p++) begin : gen_pins
    logic body_flit;
    assign body_flit = (gen_peer[p].k >= 4) && (tx_f[20*gen_peer[p].cur][16:14] == 3'd0);
    assign d1_i[18*p +: 18] = (poe[p] ? pd[18*p +: 18] ^ (other & {18{body_flit}})
                               : oe1[p] ? d1_o[18*p +: 18] : noise) ^ 18'(p == 1 && flip);
    assign nd_i[36*p +: 36]    = {d1_i[18*p +: 18], d_i[18*p +: 18]};
    assign nreq_i[4*p +: 4]    = {2{preq[2*p +: 2]}};
    assign ncred_i[4*p +: 4]   = {2{pcred[2*p +: 2]}};
    assign {d1_o[18*p +: 18], d_o[18*p +: 18]}  = nd_o[36*p +: 36];
    assign {oe1[p], d_oe[p]}                    = nd_oe[2*p +: 2];
    assign {req1[2*p +: 2], req[2*p +: 2]}      = nreq_o[4*p +: 4];
    assign {cred1[2*p +: 2], cred[2*p +: 2]}    = ncred_o[4*p +: 4];
  end

  logic alike = 1'b1;  // the slices have to be

  always @(posedge clk) if (live) begin
    `KNOWN({nd_o, nd_oe, nreq_o, ncred_o, err})
    if (rst_n && alike) begin
      `EQ({oe1, req1, cred1, err[1]}, {d_oe, req, cred, err[0]})
    end
    noise <= $random(seed);
    other <= {2'b00, {2{8'($random(seed))}}};  // an even number of bits
  end

  integer n, p, t;

  initial begin
    limit = 15000;
    for (int i = 0; i < 10; i++) begin
      q_head[i] = 0; q_tail[i] = 0; t_req[i] = 0; t_cred[i] = 0;
    end
    reset_with_x;
    pd = 180'd0; poe = 10'd0; preq = 20'd0; pcred = 20'd0; noise = 18'd0; other = 18'd0;
    has = 30'd0; shoot = 1'b0;
    go;
    repeat (60) @(negedge clk);
    write(3, 2); rank = 3'd2;
    write(6, 16'hff);
    write(8, 1);
    repeat (100) @(negedge clk);

    lazy = 20;
    for (int i = 0; i < 60; i++) begin
      p = rnd(10); n = 3 + rnd(14);
      vectors(rnd(3) ? 0 : rnd(8), 0, rnd(2) ? 0 : rnd(16), rnd(2) ? 0 : rnd(16), rnd(2));
      f[0] = head0(0, n - 1, 0, rnd(2), 0, 0);
      body(n);
      send(p, rnd(vcs(p)), n);
      while (open > 20) @(negedge clk);
      repeat (rnd(3)) @(negedge clk);
    end
    idle;
    lazy = 0;
    `EQ(err, 2'b00)
    `EQ(has, 30'o1133333377)

    // H1 of a packet for E0 comes into slice 1 with a wrong bit.
    vectors(0, 0, 1, 0, 0); send(1, 0, 3);
    while (!(poe[1] && gen_peer[1].k == 2)) @(negedge clk);
    flip = 1'b1; alike = 1'b0;
    @(negedge clk);
    flip = 1'b0;
    t = clocks;
    while (err != 2'b11) @(negedge clk);
    `CLAIM(clocks - t < 16, "both slices notice")
    // Frozen: what comes in now stays where it is.
    repeat (20) @(negedge clk);
    vectors(0, 0, 0, 1, 0); send(3, 0, 3);
    repeat (60) @(negedge clk);
    `EQ({open, d_oe, oe1}, {32'd1, 20'd0})
    read_frozen;
    `PASS("node", packets, "packets")
  end

  // Registers can still be read and written; not compared any more, the packet continues.
  task read_frozen;
    begin
      ask(0, 9);
      `EQ(value[6], 1'b1)
      ask(0, 8);
      f[0] = head0(5, 4, 0, 0, 0, 0); f[1] = head1(0, 0, 0, 0, 0); f[2] = head2(0, 0, 0, 1);
      f[3] = flit({2'b01, 15'd8}); f[4] = flit(17'd0);
      send(8, 0, 5);
      idle;
    end
  endtask
endmodule
