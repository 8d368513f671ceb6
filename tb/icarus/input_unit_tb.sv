// SPDX-License-Identifier: MIT
// Three input units, with 3, 2 and 1 VCs, fed with framed packets: valid ones, malformed and
// corrupted headers, short, long, truncated and unrequested ones. Directed on the first unit, with
// a dump, the buffer reserved by it and the restoring of a packet; then random stimuli, with every
// output in every cycle compared with section 4.4. The buffers start unknown, so short packets come
// only after each buffer has been full once.
module input_unit_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  logic [2:0]  rank;
  logic [3:0]  xfer;
  logic [7:0]  dateline;
  logic [30:0] credit;
  logic        tick;
  logic [2:0]  rx_valid, rx_first, rx_last, gnt, to_ack;  // gnt: all requests
  logic [5:0]  rx_vc;
  logic [53:0] rx_d;
  logic [32:0] want, cand;
  logic [59:0] rd_x;
  logic [11:0] rd_err;
  logic [5:0]  rd_vc, cred_vc, to_vc;
  logic [2:0]  cred_ret, to_pend, ev_body, ev_frame, ev_over, bad_o, up, pkt, free, vacant;
  logic [7:0]  mask;
  logic [32:0] part;        // requested outputs that may be granted
  logic [2:0]  ack_v, ack_take, ent_req, ent_gnt, ent_new, tick_ent, retry, retry_ack;
  logic [8:0]  ack_tag, ent_tag, cred_add;
  logic [17:0] ack_st;
  logic [20:0] held_tags;
  logic [2:0]  ent_vct, ent_old;
  logic        drop_late = 1'b0, slow = 1'b0;
  logic [11:0] ack_gen;
  logic [29:0] ent_set;
  logic        halt, dump, put_we, put_set;
  logic [8:0]  look, room;
  logic [3:0]  put_addr;
  logic [17:0] put_d;
  logic [19:0] put_ctx;
  logic [62:0] ctx;
  logic [2:0]  clash, keep;

  function automatic integer num_vc(input integer c);  num_vc = 3 - c; endfunction
  function automatic integer in_port(input integer c); in_port = (c == 0) ? 1 : c * 4; endfunction

  for (genvar c = 0; c < 3; c++) begin : gen_dut
    rdt_input_unit #(
      .NumVc (3 - c),
      .InPort(c == 0 ? 1 : c * 4)
    ) u_dut (
      .clk_i     (clk),
      .rst_ni    (rst_n),
      .rank_i    (5'd1 << rank),
      .xfer_i    (xfer),
      .dateline_i(dateline),
      .mask_i    (mask),
      .ranks_i   (4'b1111),
      .rx_valid_i(rx_valid[c]),
      .rx_first_i(rx_first[c]),
      .rx_last_i (rx_last[c]),
      .rx_vc_i   (rx_vc[2*c +: 2]),
      .rx_d_i    (rx_d[18*c +: 18]),
      .cred_ret_o(cred_ret[c]),
      .cred_vc_o (cred_vc[2*c +: 2]),
      .credit_i  (credit),
      .cred_add_o(cred_add[3*c +: 3]),
      .gnt_i     (want[11*c +: 11] & part[11*c +: 11] & {11{gnt[c]}}),
      .want_o    (want[11*c +: 11]),
      .cand_o    (cand[11*c +: 11]),
      .rd_x_o    (rd_x[20*c +: 20]),
      .rd_err_o  (rd_err[4*c +: 4]),
      .rd_vc_o   (rd_vc[2*c +: 2]),
      .tick_i    (tick),
      .to_ack_i  (to_ack[c]),
      .drop_i    (drop_late),
      .to_pend_o (to_pend[c]),
      .to_vc_o   (to_vc[2*c +: 2]),
      .ev_body_o (ev_body[c]),
      .ev_frame_o(ev_frame[c]),
      .ev_over_o (ev_over[c]),
      .bad_o     (bad_o[c]),
      .up_i      (up[c]),
      .pkt_o     (pkt[c]),
      .free_i    (free[c]),
      .vacant_o  (vacant[c]),
      .held_o    (held_tags[7*c +: 7]),
      .ack_gen_o (ack_gen[4*c +: 4]),
      .ack_v_o   (ack_v[c]),
      .ack_tag_o (ack_tag[3*c +: 3]),
      .ack_st_o  (ack_st[6*c +: 6]),
      .ack_take_i(ack_take[c]),
      .ent_req_o (ent_req[c]),
      .ent_set_o (ent_set[10*c +: 10]),
      .ent_tag_o (ent_tag[3*c +: 3]),
      .ent_vct_o (ent_vct[c]),
      .ent_old_o (ent_old[c]),
      .ent_gnt_i (ent_gnt[c]),
      .ent_new_i (ent_new),
      .slow_i    (slow),
      .tick_ent_i(tick_ent[c]),
      .retry_o   (retry[c]),
      .retry_ack_i(retry_ack[c]),
      .run_i     (!halt),
      .halt_i    (halt),
      .raw_i     (1'b0),
      .keep_i    (keep[c]),
      .look_i    (look[3*c +: 3]),
      .dump_i    (dump),
      .put_we_i  (put_we),
      .put_set_i (put_set),
      .put_addr_i(put_addr),
      .put_d_i   (put_d),
      .put_ctx_i (put_ctx),
      .ctx_o     (ctx[21*c +: 21]),
      .clash_o   (clash[c]),
      .room_o    (room[3*c +: 3])
    );
  end

  logic halting = 1'b0;  // not modeled by the per-cycle checks

  `include "tb/icarus/input_unit_ref.svh"

  `include "tb/icarus/input_unit_drive.svh"

  initial begin
    for (int i = 0; i < 9; i++) begin held[i] = 1'b0; age[i] = 0; last_gnt[i] = -100; end
    for (int c = 0; c < 3; c++) begin
      idx[c] = 0; drop[c] = 1'b0; sel[c] = 0; m_want[c] = 11'd0; busy[c] = 1'b0;
      sending[c] = 1'b0; bad[c] = 1'b0; r_pois[c] = 1'b0;
    end
    reset_with_x;
    quiet; rank = 3'd0; xfer = 4'd0; dateline = 8'd0; credit = 31'd0; rx_vc = 6'd0; rx_d = 54'd0;
    mask = 8'd0; ent_new = 3'd0; put_addr = 4'd0; put_d = 18'd0; put_ctx = 20'd0;
    go;

    // H2 in: candidate at once, request in the next cycle. Straight on from W0 to E0, VC 1 kept.
    credit = 31'd1 << 1;
    put(0, 5, 1, head0(0, 4, 0, 0, 0, 0)); @(negedge clk);
    put(1, 5, 1, head1(0, 0, 0, 0, 2));    @(negedge clk);
    put(2, 5, 1, head2(0, 0, 0, 7));
    #1 `EQ(cand[10:0], 11'd1)
    `EQ(want[10:0], 11'd0)
    @(negedge clk);
    `EQ(want[10:0], 11'd1)
    put(3, 5, 1, flit(17'd77));
    gnt[0] = 1'b1;
    #1 `EQ({cred_ret[0], cred_vc[1:0]}, 3'b101)
    @(negedge clk);
    // Four flits behind the input, H0 is read. VC code 2, then 2, 2, 0, 1.
    gnt[0] = 1'b0;
    put(4, 5, 1, flit(17'd78));
    #1 `EQ(rd_x[19:0], {2'd2, head0(0, 4, 0, 0, 0, 0)})
    @(negedge clk); quiet;
    #1 `EQ(rd_x[19:0], {2'd2, head1(0, 0, 0, 0, 2)})
    @(negedge clk);
    #1 `EQ(rd_x[19:0], {2'd2, head2(0, 0, 0, 7)})
    @(negedge clk);
    #1 `EQ(rd_x[19:0], {2'd0, flit(17'd77)})
    @(negedge clk);
    #1 `EQ(rd_x[19:0], {2'd1, flit(17'd78)})
    @(negedge clk);
    #1 `EQ(rd_x[19:0], 20'd0)

    // No VC waits behind a blocked one: VC 0 has no credit at E0, VC 2 goes to M1.
    credit = 31'd0;
    packet(3, 0, head0(0, 2, 0, 0, 0, 0), head1(0, 0, 0, 0, 1), head2(0, 0, 0, 7));
    packet(3, 2, head0(0, 2, 0, 1, 0, 0), head1(0, 0, 0, 0, 0), head2(0, 0, 0, 7));
    `EQ(want[10:0], 11'd0)
    credit = 31'd1 << 27;
    @(negedge clk);
    `EQ(want[10:0], 11'd512)
    // A second packet for VC 0 is dropped and reported; the first one stays.
    put(0, 3, 0, 18'h3ffff);
    #1 `EQ({ev_over[0], bad_o[0]}, 2'b11)
    @(negedge clk);
    put(1, 3, 0, 18'h3ffff); @(negedge clk);
    put(2, 3, 0, 18'h3ffff); @(negedge clk);
    quiet;
    grant;
    credit = 31'd1;
    repeat (3) @(negedge clk);
    `EQ(want[10:0], 11'd1)
    grant;
    #1 `EQ(rd_x[19:0], {2'd1, head0(0, 2, 0, 0, 0, 0)})
    repeat (4) @(negedge clk);

    // A header with wrong parity, or undriven: reported to the link, and nothing is stored.
    for (int k = 0; k < 4; k++) begin
      for (int j = 0; j < 3; j++) begin
        put(j, 3, 2, (k == 3) ? {j != 0, 17'd0} : (j == 0) ? head0(0, 2, 0, 0, 0, 0) ^ 18'(k == 0)
                                                           : head2(0, 0, 0, 7) ^ 18'(k == j));
        #1 `EQ(bad_o[0], (k == 3) ? j == 0 : k == j)
        `EQ({ev_over[0], ev_frame[0], pkt[0]}, 3'd0)
        @(negedge clk); quiet;
      end
      `EQ({pkt[0], room[2:0]}, 4'o07)
    end

    // A malformed header goes to LOCAL, when that is free, as three flits with its code.
    credit = 31'h3fff_ffff;
    packet(9, 2, head0(0, 8, 0, 0, 0, 0), head1(0, 0, 0, 0, 0) ^ 18'h20001, head2(0, 0, 0, 7));
    `EQ({pkt[0], room[2:0]}, 4'o13)
    `EQ(want[10:0], 11'd0)
    credit[30] = 1'b1;
    @(negedge clk);
    `EQ(want[10:0], 11'd1024)
    grant;
    #1 `EQ(rd_err[3:0], 4'd4)
    `EQ(rd_vc[1:0], 2'd2)
    `EQ(rd_x[19:18], 2'd1)
    @(negedge clk); #1 `EQ(rd_x[19:18], 2'd0)
    @(negedge clk); #1 `EQ(rd_x[19:18], 2'd1)
    @(negedge clk); #1 `EQ(rd_x[19:0], 20'd0)

    // Time-out: reported once, at the second tick after the route.
    credit = 31'd0;
    packet(3, 1, head0(0, 2, 0, 0, 0, 0), head1(0, 0, 0, 0, 0), head2(0, 0, 0, 7));
    for (int t = 0; t < 5; t++) begin
      tick = 1'b1; @(negedge clk);
      tick = 1'b0;
      #1 `EQ(to_pend[0], t == 1)
      if (t == 1) begin
        `EQ(to_vc[1:0], 2'd1)
        to_ack[0] = 1'b1; @(negedge clk);
        to_ack[0] = 1'b0;
      end
      repeat (2) @(negedge clk);
    end
    credit = 31'd1 << 24;
    @(negedge clk);
    grant;
    repeat (6) @(negedge clk);

    // An ack lands beside the buffers, and once more in the cycle in which it is taken.
    for (int t = 1; t < 8; t++) begin
      put(0, 3, 0, first_flit({3'd4, 4'd2, t[2:0], 1'b0, 6'(9 * t)})); ack_take[0] = (t > 1);
      #1 `EQ(ev_over[0], 1'b0)
      @(negedge clk);
      `EQ({ack_v[0], ack_tag[2:0], ack_st[5:0]}, {1'b1, t[2:0], 6'(9 * t)})
      put(1, 3, 0, flit(17'd0)); ack_take[0] = 1'b0; @(negedge clk);
      put(2, 3, 0, flit(17'd0)); @(negedge clk); quiet;
      `EQ(want[10:0], 11'd0)
    end
    ack_take[0] = 1'b1; @(negedge clk);
    quiet;
    `EQ(ack_v[0], 1'b0)

    // The ack of an MBP has a generation.
    rx_valid[2] = 1'b1; rx_first[2] = 1'b1; rx_vc[5:4] = 2'd0; rx_d[53:36] = first_flit({3'd4, 4'd9, 3'd2, 7'd5});
    @(negedge clk); quiet;
    `EQ({ack_v, ack_tag[8:6], ack_st[17:12], ack_gen}, {3'b100, 3'd2, 6'd5, 12'h900})
    ack_take[2] = 1'b1; @(negedge clk); quiet;

    // Dump: the router is halted, so packets go only to LOCAL, and the selected buffer to M0,
    // unchanged from the RAM. Its credit is kept.
    halting = 1'b1;
    // With Drop a packet that timed out is consumed when it is reported, and its credit goes back.
    credit = 31'd0; drop_late = 1'b1;
    packet(3, 1, head0(0, 2, 0, 0, 0, 0), head1(0, 0, 0, 0, 0), head2(0, 0, 0, 7));
    tick = 1'b1; repeat (2) @(negedge clk);
    tick = 1'b0; #1 `EQ(to_pend[0], 1'b1)
    to_ack[0] = 1'b1; #1 `EQ({cred_ret[0], cred_add}, {1'b0, 9'o002})
    @(negedge clk); quiet; drop_late = 1'b0;
    #1 `EQ({pkt, to_pend, room[2:0], cred_add}, {3'd0, 3'd0, 3'd7, 9'd0})
    // An MBP recalls its packet by an ack with tag 0, which does not land.
    for (int k = 0; k < 3; k++) begin
      rx_valid[2] = 1'b1; rx_first[2] = (k == 0); rx_last[2] = (k == 2); rx_vc[5:4] = 2'd0;
      rx_d[53:36] = (k == 0) ? head0(0, 2, 0, 0, 0, 0) : (k == 1) ? head1(0, 0, 0, 0, 2) : head2(0, 0, 0, 7);
      @(negedge clk);
    end
    quiet;
    `EQ({pkt, want}, {3'b100, 33'd0})
    credit[0] = 1'b1; @(negedge clk);
    `EQ(want[32:22], 11'd1)
    rx_valid[2] = 1'b1; rx_first[2] = 1'b1; rx_d[53:36] = first_flit({3'd4, 4'd2, 10'd0});
    #1 `EQ({cred_ret[2], cred_add, ev_over[2]}, {1'b0, 9'o100, 1'b0})
    @(negedge clk); quiet;
    #1 `EQ({pkt, want, ack_v, room[8:6], cred_add}, {3'd0, 33'd0, 3'd0, 3'd1, 9'd0})
    repeat (2) @(negedge clk);
    credit = 31'h7fffffff; halt = 1'b1;
    for (int k = 0; k < 3; k++) begin
      put(k, 3, 1, (k == 0) ? first_flit({3'd1, 4'd2, 3'd5, 7'd0}) : flit((k == 1) ? 17'd0 : 17'h20));
      if (k == 2) #1 `EQ(cand[10:0], 11'd0)
      @(negedge clk); quiet; halt = 1'b1;
    end
    look = 9'o002;
    #1 `EQ(ctx[20:0], {1'b1, 11'h001, 1'b1, 4'b1001, 3'd5, 1'b1})
    `EQ({vacant, held_tags}, 24'd0)
    `EQ(room, 9'o135)
    `EQ({ent_req[0], want[10:0]}, 12'd0)
    dump = 1'b1;
    #1 `EQ(cand[10:0], 11'h100)
    credit[24] = 1'b0;
    #1 `EQ(cand[10:0], 11'd0)
    credit[24] = 1'b1;
    @(negedge clk);
    `EQ(want[10:0], 11'h100)
    gnt[0] = 1'b1;
    #1 `EQ(cred_ret[0], 1'b0)
    @(negedge clk);
    gnt[0] = 1'b0; dump = 1'b0;
    #1 `EQ(rd_x[19:0], {2'd1, first_flit({3'd1, 4'd2, 3'd5, 7'd0})})
    `EQ(ctx[20], 1'b0)
    // Empty, but promised.
    `EQ({vacant, room, pkt, cred_add}, {3'b001, 9'o135, 3'd0, 9'd0})
    repeat (4) @(negedge clk);
    put(0, 3, 1, head0(0, 2, 0, 0, 0, 0));
    #1 `EQ({ev_over[0], bad_o[0]}, 2'b11)
    @(negedge clk); rx_valid = 3'd0;
    // Another is vacant only with its link down: no credit for it is outstanding then.
    look = 9'o020; #1 `EQ(vacant, 3'b000)
    up = 3'b101;   #1 `EQ(vacant, 3'b010)
    look = 9'o100; #1 `EQ(vacant, 3'b100)
    up = 3'b111;
    // Put back, into another chip for all it knows; not against a packet that comes in.
    look = 9'o002;
    for (int k = 0; k < 3; k++) begin
      put_we = 1'b1; put_addr = k;
      put_d = (k == 0) ? first_flit({3'd1, 4'd2, 3'd5, 7'd0}) : flit((k == 1) ? 17'd0 : 17'h3f);
      put_set = (k == 2); put_ctx = {11'h202, 1'b1, 4'b0001, 3'd6, 1'b0};
      @(negedge clk);
    end
    put_we = 1'b0; put_set = 1'b0;
    #1 `EQ(ctx[20:0], {1'b1, put_ctx})
    `EQ({vacant, held_tags}, {3'b000, 21'o40})
    look = 9'd0; halt = 1'b0;
    #1 `EQ({cand[10:0], cred_add}, {11'h202, 9'd0})
    @(negedge clk);
    grant;
    #1 `EQ(rd_x[19:0], {2'd1, first_flit({3'd1, 4'd2, 3'd6, 7'd0})})
    repeat (2) @(negedge clk);
    #1 `EQ(rd_x[19:0], {2'd1, flit(17'h30)})
    @(negedge clk);
    look = 9'o002; put_we = 1'b1; put(0, 3, 0, first_flit({3'd4, 4'd2, 3'd1, 7'd0}));
    #1 `EQ(clash, 3'b001)
    @(negedge clk);
    quiet; put(1, 3, 0, flit(17'd0)); @(negedge clk); put(2, 3, 0, flit(17'd0)); @(negedge clk);
    quiet; ack_take[0] = 1'b1; @(negedge clk);
    quiet;
    repeat (3) @(negedge clk);
    // Dumped and not put back: the buffer is given back when the chip runs again, once.
    credit = 31'd0;
    packet(3, 1, head0(0, 2, 0, 0, 0, 0), head1(0, 0, 0, 0, 0), head2(0, 0, 0, 7));
    halt = 1'b1; look = 9'o002; dump = 1'b1; credit[24] = 1'b1; @(negedge clk);
    gnt[0] = 1'b1; #1 `EQ(cred_ret[0], 1'b0)
    @(negedge clk);
    gnt[0] = 1'b0; dump = 1'b0; repeat (4) @(negedge clk);
    `EQ({room[2:0], cred_add}, {3'o5, 9'o000})
    halt = 1'b0; #1 `EQ(cred_add, 9'o002)
    @(negedge clk); quiet;
    #1 `EQ({room[2:0], cred_add}, {3'o7, 9'o000})
    // MBP 0's own buffer is kept for a packet on its way back into it, until LOCAL refuses it.
    credit = 31'h7fffffff; halt = 1'b1;
    for (int k = 0; k < 3; k++) begin
      rx_valid[2] = 1'b1; rx_first[2] = (k == 0); rx_last[2] = (k == 2); rx_vc[5:4] = 2'd0;
      rx_d[53:36] = (k == 0) ? first_flit({3'd7, 4'd2, 10'd0}) : flit(17'd0);
      @(negedge clk);
    end
    rx_valid = 3'd0; rx_first = 3'd0; rx_last = 3'd0;
    `EQ({want[32:22], pkt}, {11'h400, 3'b100})
    keep[2] = 1'b1; gnt[2] = 1'b1; #1 `EQ(cred_ret[2], 1'b0)
    @(negedge clk); gnt[2] = 1'b0; keep[2] = 1'b0;
    repeat (4) @(negedge clk);
    `EQ({pkt, room[8:6], cred_add}, {3'd0, 3'd0, 9'd0})
    free[2] = 1'b1; #1 `EQ(cred_add, 9'o100)
    @(negedge clk); free[2] = 1'b0;
    #1 `EQ({room[8:6], cred_add}, {3'd1, 9'd0})
    quiet; credit = 31'd0;
    repeat (3) @(negedge clk);
    sel[1] = gen_dut[1].u_dut.sel_q; sel[2] = 0; drop[2] = 1'b1;
    sel[0] = gen_dut[0].u_dut.sel_q; idx[0] = 3; drop[0] = 1'b1;
    halting = 1'b0;

    // Fill every buffer once, then anything.
    for (int n = 0; n < 3600; n++) begin
      primed = (n > 900);
      for (int c = 0; c < 3; c++) drive(c, 1 + (n / 600) % 3);
      tick = (rnd(8) == 0);
      if (rnd(4) == 0) credit = $random(seed);
      if (n % 60 < 10) credit = 31'h7fffffff;
      if (n % 500 == 499) begin rank = rnd(5); xfer = rnd(16); dateline = rnd(256); end
      @(negedge clk);
      if (n == 900) for (int b = 0; b < 144; b++)
        if ((b / 16) % 3 < num_vc(b / 48)) `CLAIM((^mem[b]) !== 1'bx, "a buffer is not full yet")
    end
    // Drain
    quiet; credit = 31'h7fffffff;
    for (int n = 0; n < 200; n++) begin
      for (int c = 0; c < 3; c++) begin
        if (sending[c]) drive(c, 1);
        else begin
          rx_valid[c] = 1'b0; rx_first[c] = 1'b0; rx_last[c] = 1'b0;
          gnt[c] = (want[11*c +: 11] != 0);
        end
      end
      @(negedge clk);
    end
    for (int b = 0; b < 9; b++) `CLAIM(!held[b], "a packet is left")
    `CLAIM(dropped > 10 && spoils > 9 && cuts > 9 && shorts > 9 && longs > 9 && bodies > 9 && timeouts > 9,
           "every kind of trouble came")
    `PASS("input_unit", packets, "packets")
  end
endmodule
