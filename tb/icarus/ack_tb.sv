// SPDX-License-Identifier: MIT
// Ack combining in four-state logic: entries, their tags, generations and acks, turns, looking and
// putting directed; then inputs that keep the rules with receivers that do not. Every output in every
// cycle against section 4.9.
module ack_tb;
  `include "tb/icarus/check.svh"

  logic        tick, end_lane, snd_take, snd_v, stray, ev_table, look, put, used;
  logic [9:0]  ack_v, ent_req, ent_old, ack_take, ent_gnt, busy;
  logic [1:0]  ent_vct;
  logic [6:0]  held;
  logic [7:0]  ack_gen;
  logic [27:0] gen_out;
  logic [29:0] ack_tag, ent_tag;
  logic [59:0] ack_st;
  logic [99:0] ent_set;
  logic [2:0]  ent_new, snd_tag, stray_tag, look_tag;
  logic [3:0]  snd_port, stray_port;
  logic [16:0] look_h1, put_h1;
  logic [10:0] look_h2, put_h2;
  logic [5:0]  snd_st;

  rdt_ack u_dut (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .tick_i     (tick),
    .end_i      (end_lane),
    .ack_v_i    (ack_v),
    .ack_tag_i  (ack_tag),
    .ack_st_i   (ack_st),
    .ack_gen_i  (ack_gen),
    .ack_take_o (ack_take),
    .ent_req_i  (ent_req),
    .ent_set_i  (ent_set),
    .ent_tag_i  (ent_tag),
    .ent_vct_i  (ent_vct),
    .ent_old_i  (ent_old),
    .ent_gnt_o  (ent_gnt),
    .ent_new_o  (ent_new),
    .held_i     (held),
    .snd_v_o    (snd_v),
    .snd_port_o (snd_port),
    .snd_tag_o  (snd_tag),
    .snd_st_o   (snd_st),
    .snd_take_i (snd_take),
    .busy_i     (busy),
    .gen_o      (gen_out),
    .stray_o    (stray),
    .stray_port_o(stray_port),
    .stray_tag_o(stray_tag),
    .ev_table_o (ev_table),
    .look_i     (look),
    .look_tag_i (look_tag),
    .look_used_o(used),
    .look_h1_o  (look_h1),
    .look_h2_o  (look_h2),
    .put_i      (put),
    .put_h1_i   (put_h1),
    .put_h2_i   (put_h2)
  );

  // Section 4.9
  localparam int Free = 0, Wait = 1, Late = 2, Quar = 3;
  localparam int N = rdt_pkg::NumEntries;
  integer      st [1:N], age [1:N], port [1:N], tag [1:N];
  logic [3:0]  gen [1:N];
  logic [9:0]  pend [1:N];
  logic [5:0]  status [1:N];
  integer      last = 9, ent_last = 9, snd_last = N;
  integer      p, t, i, q, s, lands;
  logic        hit, m_table;
  logic [9:0]  m_take, m_gnt;
  logic [2:0]  m_new;

  integer entries = 0, sent = 0, strays = 0, late = 0, looks = 0, foreign = 0, freed = 0, kept = 0, aged = 0, ended = 0;

  initial for (int e = 1; e <= N; e++) begin
    st[e] = Free; gen[e] = 4'd0; pend[e] = 10'd0; status[e] = 6'd0; age[e] = 0; port[e] = 0; tag[e] = 0;
  end

  // The first after number n, round-robin, or -1.
  function automatic integer turn(input logic [9:0] d, input integer n);
    begin
      turn = -1;
      for (int k = 9; k >= 0; k--) if (d[k]) turn = k;
      for (int k = 9; k > n; k--)  if (d[k]) turn = k;
    end
  endfunction

  logic [9:0] may, has_room;

  // The highest free entry that the request of this port may have, or 0.
  function automatic integer entry_for(input integer p);
    integer top;
    logic   up, low;
    begin
      up  = |ent_set[10*p + 4 +: 4];
      low = |ent_set[10*p +: 4];
      case (p)
        8, 9:       top = 1;
        4, 5, 6, 7: top = up ? 3 : low ? 4 : 6;
        2, 3:       top = low ? 5 : 6;
        default:    top = !ent_vct[p & 1] ? 6 : up ? 2 : !low ? 6 : p == 0 ? 1 : 4;
      endcase
      entry_for = 0;
      for (int e = 1; e <= top; e++) if (st[e] == Free) entry_for = e;
      if (ent_tag[3*p +: 3] == 3'd7) entry_for = (st[7] == Free) ? 7 : 0;
    end
  endfunction

  always @(posedge clk) if (live) begin
    `KNOWN({ack_take, ent_gnt, ent_new, ev_table, snd_v, stray, gen_out})
    if (snd_v) `KNOWN({snd_port, snd_tag, snd_st})
    if (stray) `KNOWN({stray_port, stray_tag})
    if (rst_n) begin
      // Landing
      p = look ? -1 : turn(ack_v, last);
      t = (p < 0) ? 0 : ack_tag[3*p +: 3];
      hit = 1'b0;
      if (p >= 0 && t >= 1 && t <= N)
        hit = st[t] != Free && pend[t][p] && (p < 8 || ack_gen[4*(p & 1) +: 4] == gen[t]);
      if (p >= 8 && t >= 1 && t <= N) if (st[t] != Free && pend[t][p] && !hit) foreign = foreign + 1;
      m_take = (p >= 0) ? 10'd1 << p : 10'd0;
      `EQ(ack_take, m_take)
      `EQ(stray, (p >= 0 && !hit))
      if (stray) `EQ({stray_port, stray_tag}, {4'(p), 3'(t)})
      // Allocation
      for (int k = 0; k < 10; k++) has_room[k] = ent_req[k] && entry_for(k) != 0;
      if ((has_room & ent_old) != 0) begin has_room = has_room & ent_old; aged = aged + 1; end
      i = put ? -1 : turn(has_room, ent_last);
      q = (i >= 0) ? entry_for(i) : 0;
      m_gnt = (i >= 0) ? 10'd1 << i : 10'd0;
      m_new = (i >= 0) ? q : 0;
      `EQ({ent_gnt, ent_new}, {m_gnt, m_new})
      // Sending
      may = 10'd0;
      for (int e = 1; e <= N; e++)
        may[e] = ((st[e] == Wait && pend[e] == 0) || st[e] == Late) && (port[e] > 9 || !busy[port[e]]);
      s = look ? -1 : turn(may, snd_last);
      `EQ(snd_v, (s >= 0))
      if (s >= 0) `EQ({snd_port, snd_tag, snd_st}, {4'(port[s]), 3'(tag[s]), status[s]})
      // Looking
      if (look && look_tag >= 1 && look_tag <= N) begin
        `EQ(used, (st[look_tag] != Free))
        if (used) `EQ({look_h1, look_h2}, {4'(port[look_tag]), 3'(tag[look_tag]), pend[look_tag],
                                           st[look_tag] == Quar, status[look_tag], gen[look_tag]})
      end
      for (int e = 1; e <= N; e++) `EQ(gen_out[4*(e - 1) +: 4], gen[e])

      // Next state
      m_table = 1'b0;
      if (p >= 0) last = p;
      if (hit) begin
        pend[t][p] = 1'b0;
        if (st[t] == Wait) status[t] = status[t] | ack_st[6*p +: 6];
      end
      for (int e = 1; e <= N; e++) begin
        if (e == s && snd_take) begin
          snd_last = e;
          if (st[e] == Late && pend[e] != 0) begin st[e] = Quar; age[e] = 0; end
          else st[e] = Free;
        end else if (st[e] == Wait && (e == 7 ? end_lane : tick) && pend[e] != 0) begin
          if (e == 7) ended = ended + 1;
          if (e != 7 && age[e] == 0) age[e] = 1;
          else if (!(put && look_tag == e)) begin
            st[e] = Late; status[e] = status[e] | 6'd2; m_table = 1'b1;
          end
        end else if (st[e] == Quar) begin
          if (pend[e] == 0) st[e] = Free;
          else if (tick) begin
            if (held[e - 1]) begin age[e] = 0; kept = kept + 1; end
            else if (age[e] < 5) age[e] = age[e] + 1;
            else begin st[e] = Free; freed = freed + 1; end
          end
        end
      end
      if (i >= 0) begin
        ent_last = i;
        st[q] = Wait; port[q] = i; tag[q] = ent_tag[3*i +: 3]; pend[q] = ent_set[10*i +: 10];
        status[q] = 6'd0; age[q] = 0; gen[q] = gen[q] + 4'd1;
      end
      if (put) begin
        t = look_tag;
        st[t] = put_h2[10] ? Quar : Wait; age[t] = 0;
        port[t] = put_h1[16:13]; tag[t] = put_h1[12:10]; pend[t] = put_h1[9:0];
        status[t] = put_h2[9:4]; gen[t] = put_h2[3:0];
      end
      `EQ(ev_table, m_table)

      if (ent_gnt != 0) entries = entries + 1;
      if (snd_v && snd_take) sent = sent + 1;
      if (stray) strays = strays + 1;
      if (ev_table) late = late + 1;
      if (look) looks = looks + 1;
    end
    ent_req <= ent_req & ~ent_gnt;
    ack_v   <= ack_v & ~ack_take;
  end

  task quiet;
    begin
      tick = 1'b0; snd_take = 1'b0; look = 1'b0; put = 1'b0; held = 7'd0; busy = 10'd0;
      end_lane = 1'b0; ent_old = 10'd0; ent_vct = 2'd0;
    end
  endtask

  task enter(input integer p, tag, set, got);
    begin
      ent_req[p] = 1'b1; ent_tag[3*p +: 3] = tag; ent_set[10*p +: 10] = set;
      #1 `EQ({ent_gnt, ent_new}, {10'd1 << p, 3'(got)})
      @(negedge clk);
    end
  endtask

  task land(input integer p, tag, st);
    begin
      ack_v[p] = 1'b1; ack_tag[3*p +: 3] = tag; ack_st[6*p +: 6] = st;
      if (p >= 8) ack_gen[4*(p - 8) +: 4] = gen_out[4*(tag - 1) +: 4];
      #1 `EQ({ack_take, stray}, {10'd1 << p, 1'b0})
      @(negedge clk);
    end
  endtask

  task must_send(input integer p, tag, st);
    begin
      snd_take = 1'b1;
      #1 `EQ({snd_v, snd_port, snd_tag, snd_st}, {1'b1, 4'(p), 3'(tag), 6'(st)})
      @(negedge clk);
      snd_take = 1'b0;
      #1 `EQ(snd_v, 1'b0)
    end
  endtask

  task must_look(input integer t, u, port, tag, pend, quar, st, gen);
    begin
      look = 1'b1; look_tag = t;
      #1 `EQ(used, 1'(u))
      if (u) `EQ({look_h1, look_h2}, {4'(port), 3'(tag), 10'(pend), 1'(quar), 6'(st), 4'(gen)})
      look = 1'b0;
      #1;
    end
  endtask

  task must_put(input integer t, port, tag, pend, quar, st, gen);
    begin
      look = 1'b1; look_tag = t; put = 1'b1;
      put_h1 = {4'(port), 3'(tag), 10'(pend)}; put_h2 = {1'(quar), 6'(st), 4'(gen)};
      @(negedge clk);
      quiet;
      must_look(t, 1, port, tag, pend, quar, st, gen);
    end
  endtask

  integer n;

  initial begin
    reset_with_x;
    quiet; ack_v = 10'd0; ent_req = 10'd0; look_tag = 3'd1; put_h1 = 17'd0; put_h2 = 11'd0; ack_gen = 8'd0;
    ack_tag = 30'd0; ent_tag = 30'd0; ack_st = 60'd0; ent_set = 100'd0;
    go;
    @(negedge clk);
    `EQ({snd_v, stray, ev_table}, 3'd0)

    // Three copies, one ack with all statuses.
    enter(6, 5, 10'h109, 4);
    land(3, 4, 6'h08); land(8, 4, 6'h00);
    `EQ(snd_v, 1'b0)
    must_look(4, 1, 6, 5, 10'h001, 0, 6'h08, 1);
    must_look(2, 0, 0, 0, 0, 0, 0, 0);
    land(0, 4, 6'h24);
    must_send(6, 5, 6'h2c);
    // A stray ack is taken and reported.
    ack_v[7] = 1'b1; ack_tag[21 +: 3] = 3'd3;
    #1 `EQ({ack_take, stray, stray_port, stray_tag}, {10'h080, 1'b1, 4'd7, 3'd3})
    @(negedge clk);
    ack_v[2] = 1'b1; ack_tag[6 +: 3] = 3'd0;
    #1 `EQ({ack_take, stray, stray_port, stray_tag}, {10'h004, 1'b1, 4'd2, 3'd0})
    @(negedge clk);
    // Late: two ticks, then the time-out bit; the tag is kept back until the ack has come.
    enter(1, 2, 10'h010, 6);
    tick = 1'b1; repeat (2) @(negedge clk);
    quiet;
    must_send(1, 2, 6'h02);
    enter(1, 3, 10'h010, 5);
    must_look(6, 1, 1, 2, 10'h010, 1, 6'h02, 1);
    land(4, 6, 6'h3f);
    @(negedge clk);
    enter(1, 4, 10'h010, 6);
    land(4, 5, 0); must_send(1, 3, 0);
    land(4, 6, 0); must_send(1, 4, 0);
    // Or until six ticks have passed since the last copy left.
    enter(1, 5, 10'h010, 6);
    tick = 1'b1; repeat (2) @(negedge clk);
    tick = 1'b0; must_send(1, 5, 6'h02);
    tick = 1'b1; repeat (4) @(negedge clk);
    held = 7'h20; @(negedge clk); held = 7'h00;
    repeat (5) @(negedge clk);
    tick = 1'b0; must_look(6, 1, 1, 5, 10'h010, 1, 6'h02, 3);
    tick = 1'b1; @(negedge clk);
    quiet; must_look(6, 0, 0, 0, 0, 0, 0, 0);
    // An MBP must answer with the generation of its copy; other answers are ignored.
    enter(2, 6, 10'h200, 6);
    ack_v[9] = 1'b1; ack_tag[27 +: 3] = 3'd6; ack_gen[7:4] = 4'd3;
    #1 `EQ({ack_take, stray, stray_port, stray_tag}, {10'h200, 1'b1, 4'd9, 3'd6})
    @(negedge clk);
    `EQ(snd_v, 1'b0)
    land(9, 6, 0);
    // Its parent's link may not be free for an ack.
    busy = 10'h004; #1 `EQ(snd_v, 1'b0)
    busy = 10'h3fb; #1 `EQ(snd_v, 1'b1)
    must_send(2, 6, 0); quiet;
    // Ports take turns, and entries: the one just answered comes last.
    for (int k = 0; k < 4; k++) begin
      ent_req = 10'h3ff; ent_set = 100'd0;
      #1 `EQ(ent_gnt, 10'd8 << k)
      @(negedge clk);
    end
    ent_req = 10'd0;
    snd_take = 1'b1;
    for (int k = 0; k < 4; k++) begin
      #1 `EQ({snd_v, snd_port}, {1'b1, 4'(6 - k)})
      @(negedge clk);
    end
    quiet;
    // All entries, then none.
    for (int t = 1; t <= N; t++) enter(0, t, 10'h200, t == 7 ? 7 : 7 - t);
    ent_req[5] = 1'b1; ent_tag[15 +: 3] = 3'd4;
    #1 `EQ({ent_gnt, ent_new}, 13'd0)
    ent_req[5] = 1'b0;
    for (int t = 1; t <= N; t++) begin land(9, t, 0); must_send(0, t == 7 ? 7 : 7 - t, 0); end
    // A source has one entry; the others go to later classes: a relay, then a leaf.
    enter(8, 1, 10'h001, 1);
    ent_req[9] = 1'b1; ent_tag[27 +: 3] = 3'd2; ent_set[90 +: 10] = 10'h002; ent_old = 10'h200;
    #1 `EQ({ent_gnt, ent_new}, 13'd0)
    enter(5, 3, 10'h010, 3);
    enter(5, 4, 10'h020, 2);
    ent_req[6] = 1'b1; ent_tag[18 +: 3] = 3'd2; ent_set[60 +: 10] = 10'h020;
    #1 `EQ({ent_gnt, ent_new}, 13'd0)
    ent_req[6] = 1'b0;
    enter(2, 5, 10'h001, 5);
    enter(3, 6, 10'h100, 6);
    enter(3, 6, 10'h200, 4);
    ent_vct = 2'd3;
    ent_req[0] = 1'b1; ent_tag[2:0] = 3'd1; ent_set[9:0] = 10'h002;
    ent_req[1] = 1'b1; ent_tag[5:3] = 3'd1; ent_set[19:10] = 10'h001;
    #1 `EQ({ent_gnt, ent_new}, 13'd0)
    // Entry 1 goes to the aged source, not to the transfer hops.
    land(0, 1, 0); snd_take = 1'b1; @(negedge clk); snd_take = 1'b0;
    #1 `EQ({ent_gnt, ent_new}, {10'h200, 3'd1})
    @(negedge clk);
    land(9, 4, 0); snd_take = 1'b1; @(negedge clk); snd_take = 1'b0;
    #1 `EQ({ent_gnt, ent_new}, {10'h002, 3'd4})
    @(negedge clk);
    quiet; ent_req = 10'd0;
    land(1, 1, 0); must_send(9, 2, 0);
    land(0, 4, 0); must_send(1, 1, 0);
    land(5, 2, 0); must_send(5, 4, 0);
    land(4, 3, 0); must_send(5, 3, 0);
    land(0, 5, 0); must_send(2, 5, 0);
    land(8, 6, 0); must_send(3, 6, 0);
    // The lane waits through ticks, until it is ended.
    enter(4, 7, 10'h030, 7);
    ent_req[2] = 1'b1; ent_tag[8:6] = 3'd7; ent_set[29:20] = 10'h100;
    #1 `EQ({ent_gnt, ent_new}, 13'd0)
    ent_req[2] = 1'b0;
    tick = 1'b1; repeat (20) @(negedge clk);
    quiet; land(4, 7, 6'h08);
    `EQ(snd_v, 1'b0)
    end_lane = 1'b1; #1 `EQ(ev_table, 1'b1)
    @(negedge clk);
    end_lane = 1'b0; must_send(4, 7, 6'h0a);
    must_look(7, 1, 4, 7, 10'h020, 1, 6'h0a, 2);
    land(5, 7, 0); @(negedge clk);
    must_look(7, 0, 0, 0, 0, 0, 0, 0);
    // Put back: one that waits, one in quarantine, one that is complete; over another entry, too.
    must_put(5, 3, 6, 10'h021, 0, 6'h18, 9);
    must_put(2, 8, 1, 10'h004, 1, 6'h02, 15);
    enter(4, 6, 10'h001, 4);
    must_put(4, 9, 2, 10'h000, 0, 6'h07, 0);
    must_send(9, 2, 6'h07);
    look = 1'b1; look_tag = 3'd5; ack_v[0] = 1'b1; ack_tag[2:0] = 3'd5; ack_st[5:0] = 6'h01;
    #1 `EQ({ack_take, snd_v}, 11'd0)
    @(negedge clk); look = 1'b0;
    #1 `EQ(ack_take, 10'd1)
    @(negedge clk);
    land(5, 5, 6'h00);
    must_send(3, 6, 6'h19);
    land(2, 2, 6'h3f); @(negedge clk);
    must_look(2, 0, 0, 0, 0, 0, 0, 0);

    entries = 0; sent = 0;
    for (int c = 0; c < 12000; c++) begin
      tick     = (rnd(c < 6000 ? 30 : 6) == 0);
      held     = $random(seed) & $random(seed) & $random(seed);
      busy     = $random(seed) & $random(seed);
      look     = (rnd(8) == 0);
      look_tag = 1 + rnd(7);
      end_lane = (rnd(40) == 0);
      ent_old  = $random(seed) & $random(seed);
      ent_vct  = $random(seed);
      put      = look && (rnd(40) == 0);
      put_h1   = {4'(rnd(11)), 13'($random(seed))};
      put_h2   = $random(seed);
      n = rnd(10);
      if (!ent_req[n] && rnd(6) == 0) begin
        ent_req[n] = 1'b1; ent_tag[3*n +: 3] = 1 + rnd(7);
        ent_set[10*n +: 10] = 10'd1 << rnd(10) | 10'd1 << rnd(10);
      end
      n = (rnd(3) == 0) ? 8 + rnd(2) : rnd(10);
      if (!ack_v[n] && rnd(c < 6000 ? 2 : 10) == 0) begin
        ack_v[n] = 1'b1; ack_tag[3*n +: 3] = rnd(8); ack_st[6*n +: 6] = rnd(64);
        if (n >= 8) ack_gen[4*(n - 8) +: 4] = gen[1 + (ack_tag[3*n +: 3] + 6) % 7] - (rnd(3) == 0);
      end
      snd_take = 1'b0;
      #1 snd_take = snd_v && (rnd(8) == 0);
      @(negedge clk);
    end
    `CLAIM(entries > 200 && sent > 200, "entries were taken and answered")
    `CLAIM(strays > 50 && looks > 50 && late > 50 && foreign > 20 && freed > 20 && kept > 50 &&
           aged > 50 && ended > 5,
           "every kind of trouble came")
    `PASS("ack", sent, "acks sent")
  end
endmodule
