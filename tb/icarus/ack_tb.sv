// SPDX-License-Identifier: MIT
// Ack combining in four-state logic: entries, their tags and acks, looking and putting directed;
// then inputs that keep the rules with receivers that do not: every entry is answered once, and no
// output is ever X.
// Function in full is compared by tb/unit/ack.cpp.
module ack_tb;
  `include "tb/icarus/check.svh"

  logic        tick, snd_take, stray_ok, snd_v, stray, ev_table, look, put, used;
  logic [9:0]  ack_v, ent_req, ack_take, ent_gnt;
  logic [29:0] ack_tag, ent_tag;
  logic [59:0] ack_st;
  logic [99:0] ent_set;
  logic [2:0]  ent_new, snd_tag, stray_tag, look_tag;
  logic [3:0]  snd_port, stray_port;
  logic [16:0] look_h1, put_h1;
  logic [6:0]  look_h2, put_h2;
  logic [5:0]  snd_st;

  rdt_ack u_dut (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .tick_i     (tick),
    .ack_v_i    (ack_v),
    .ack_tag_i  (ack_tag),
    .ack_st_i   (ack_st),
    .ack_take_o (ack_take),
    .ent_req_i  (ent_req),
    .ent_set_i  (ent_set),
    .ent_tag_i  (ent_tag),
    .ent_gnt_o  (ent_gnt),
    .ent_new_o  (ent_new),
    .snd_v_o    (snd_v),
    .snd_port_o (snd_port),
    .snd_tag_o  (snd_tag),
    .snd_st_o   (snd_st),
    .snd_take_i (snd_take),
    .stray_ok_i (stray_ok),
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

  integer entries = 0, sent = 0, strays = 0, late = 0, looks = 0;

  always @(posedge clk) if (live) begin
    `KNOWN({ack_take, ent_gnt, ent_new, ev_table, snd_v, stray})
    if (snd_v) `KNOWN({snd_port, snd_tag, snd_st})
    if (stray) `KNOWN({stray_port, stray_tag})
    if (look && look_tag != 0) `KNOWN(used)
    if (look && look_tag != 0 && used) `KNOWN({look_h1, look_h2})
    if (rst_n) begin
      if (ent_gnt != 0) entries = entries + 1;
      if (snd_v && snd_take) sent = sent + 1;
      if (stray) strays = strays + 1;
      if (ev_table) late = late + 1;
      if (look) looks = looks + 1;
      `CLAIM((ack_take & ~ack_v) == 0 && (ent_gnt & ~ent_req) == 0,
             "nobody is answered who did not ask")
      `CLAIM(!(look && (ack_take != 0 || snd_v)), "nothing lands or leaves while LOCAL looks")
      `CLAIM(!(stray && !stray_ok), "a stray ack only when LOCAL can keep it")
    end
    ent_req <= ent_req & ~ent_gnt;
    ack_v   <= ack_v & ~ack_take;
  end

  task quiet;
    begin
      tick = 1'b0; snd_take = 1'b0; stray_ok = 1'b1; look = 1'b0; put = 1'b0;
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
      #1 `EQ(ack_take, 10'd1 << p)
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

  task must_look(input integer t, u, port, tag, pend, quar, st);
    begin
      look = 1'b1; look_tag = t;
      #1 `EQ(used, 1'(u))
      if (u) `EQ({look_h1, look_h2}, {4'(port), 3'(tag), 10'(pend), 1'(quar), 6'(st)})
      look = 1'b0;
      #1;
    end
  endtask

  task must_put(input integer t, port, tag, pend, quar, st);
    begin
      look = 1'b1; look_tag = t; put = 1'b1;
      put_h1 = {4'(port), 3'(tag), 10'(pend)}; put_h2 = {1'(quar), 6'(st)};
      @(negedge clk);
      quiet;
      must_look(t, 1, port, tag, pend, quar, st);
    end
  endtask

  integer p;

  initial begin
    reset_with_x;
    quiet; ack_v = 10'd0; ent_req = 10'd0; look_tag = 3'd1; put_h1 = 17'd0; put_h2 = 7'd0;
    ack_tag = 30'd0; ent_tag = 30'd0; ack_st = 60'd0; ent_set = 100'd0;
    go;
    @(negedge clk);
    `EQ({snd_v, stray, ev_table}, 3'd0)

    // Three copies, one ack with all statuses.
    enter(6, 5, 10'h109, 1);
    land(3, 1, 6'h08); land(8, 1, 6'h00);
    `EQ(snd_v, 1'b0)
    must_look(1, 1, 6, 5, 10'h001, 0, 6'h08);
    must_look(2, 0, 0, 0, 0, 0, 0);
    land(0, 1, 6'h24);
    must_send(6, 5, 6'h2c);
    // An ack for nobody waits until LOCAL can keep it.
    ack_v[7] = 1'b1; ack_tag[21 +: 3] = 3'd3; stray_ok = 1'b0;
    #1 `EQ({ack_take, stray}, 11'd0)
    @(negedge clk); stray_ok = 1'b1;
    #1 `EQ({ack_take, stray, stray_port, stray_tag}, {10'h080, 1'b1, 4'd7, 3'd3})
    @(negedge clk);
    ack_v[2] = 1'b1; ack_tag[6 +: 3] = 3'd0;
    #1 `EQ({ack_take, stray, stray_port, stray_tag}, {10'h004, 1'b1, 4'd2, 3'd0})
    @(negedge clk);
    // Late: two ticks, then the time-out bit; the tag is kept back until the ack has come.
    enter(1, 2, 10'h010, 1);
    tick = 1'b1; repeat (2) @(negedge clk);
    quiet;
    must_send(1, 2, 6'h02);
    enter(1, 3, 10'h010, 2);
    must_look(1, 1, 1, 2, 10'h010, 1, 6'h02);
    land(4, 1, 6'h3f);
    @(negedge clk);
    enter(1, 4, 10'h010, 1);
    land(4, 2, 0); must_send(1, 3, 0);
    land(4, 1, 0); must_send(1, 4, 0);
    // Seven entries, then none.
    for (int t = 1; t < 8; t++) enter(0, t, 10'h200, t);
    ent_req[5] = 1'b1; ent_tag[15 +: 3] = 3'd4;
    #1 `EQ({ent_gnt, ent_new}, 13'd0)
    ent_req[5] = 1'b0;
    for (int t = 1; t < 8; t++) begin land(9, t, 0); must_send(0, t, 0); end
    // Put back: one that waits, one in quarantine, one that is complete; over another entry, too.
    must_put(5, 3, 6, 10'h021, 0, 6'h18);
    must_put(2, 8, 1, 10'h004, 1, 6'h02);
    enter(4, 7, 10'h001, 1);
    must_put(1, 9, 2, 10'h000, 0, 6'h07);
    must_send(9, 2, 6'h07);
    look = 1'b1; look_tag = 3'd5; ack_v[0] = 1'b1; ack_tag[2:0] = 3'd5; ack_st[5:0] = 6'h01;
    #1 `EQ({ack_take, snd_v}, 11'd0)
    @(negedge clk); look = 1'b0;
    #1 `EQ(ack_take, 10'd1)
    @(negedge clk);
    land(5, 5, 6'h00);
    must_send(3, 6, 6'h19);
    land(2, 2, 6'h3f); @(negedge clk);
    must_look(2, 0, 0, 0, 0, 0, 0);

    entries = 0; sent = 0;
    for (int n = 0; n < 6000; n++) begin
      tick     = (rnd(30) == 0);
      stray_ok = (rnd(4) == 0);
      look     = (rnd(8) == 0);
      look_tag = rnd(8);
      snd_take = 1'b0;
      p = rnd(10);
      if (!ent_req[p] && rnd(6) == 0) begin
        ent_req[p] = 1'b1; ent_tag[3*p +: 3] = 1 + rnd(7);
        ent_set[10*p +: 10] = 10'd1 << rnd(10) | 10'd1 << rnd(10);
      end
      p = rnd(10);
      if (!ack_v[p]) begin ack_v[p] = 1'b1; ack_tag[3*p +: 3] = rnd(8); ack_st[6*p +: 6] = rnd(64); end
      #1 snd_take = snd_v && (rnd(8) == 0);
      @(negedge clk);
    end
    `CLAIM(entries >= sent && entries - sent <= 7, "one ack for each entry")
    `CLAIM(strays > 50 && looks > 50 && late > 50, "every kind of trouble came")
    `PASS("ack", sent, "acks sent")
  end
endmodule
