// SPDX-License-Identifier: MIT
// Ack combining in four-state logic: entries, their tags and acks directed; then inputs that keep
// the rules with receivers that do not: every entry is answered once, and no output is ever X.
// Function in full is compared by tb/unit/ack.cpp.
module ack_tb;
  `include "tb/icarus/check.svh"

  logic        tick, snd_take, bad_take, snd_v, bad_ack, ev_table;
  logic [9:0]  ack_v, ent_req, retry, ack_take, ent_gnt, retry_ack;
  logic [29:0] ack_tag, ent_tag;
  logic [59:0] ack_st;
  logic [99:0] ent_set;
  logic [2:0]  ent_new, snd_tag, bad_tag;
  logic [3:0]  snd_port, bad_port;
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
    .retry_i    (retry),
    .retry_ack_o(retry_ack),
    .snd_v_o    (snd_v),
    .snd_port_o (snd_port),
    .snd_tag_o  (snd_tag),
    .snd_st_o   (snd_st),
    .snd_take_i (snd_take),
    .bad_ack_o  (bad_ack),
    .bad_port_o (bad_port),
    .bad_tag_o  (bad_tag),
    .bad_take_i (bad_take),
    .ev_table_o (ev_table)
  );

  integer entries = 0, sent = 0, stray = 0, retries = 0, late = 0;
  logic [9:0] taken;

  always @(posedge clk) if (live) begin
    `KNOWN({ack_take, ent_gnt, ent_new, retry_ack, ev_table})
    `KNOWN({snd_v, snd_port, snd_tag, snd_st, bad_ack})
    if (bad_ack) `KNOWN({bad_port, bad_tag})
    if (rst_n) begin
      if (ent_gnt != 0) entries = entries + 1;
      if (snd_v && snd_take && retry_ack == 0) sent = sent + 1;
      if (retry_ack != 0) retries = retries + 1;
      if (bad_take) stray = stray + 1;
      if (ev_table && retry_ack == 0) late = late + 1;
      `CLAIM((ack_take & ~ack_v) == 0 && (ent_gnt & ~ent_req) == 0 && (retry_ack & ~retry) == 0,
             "nobody is answered who did not ask")
      `CLAIM((ent_gnt & retry_ack) == 0, "an entry or RETRY, not both")
    end
    taken = ack_take;
    ent_req <= ent_req & ~ent_gnt & ~retry_ack;
    retry   <= retry & ~ent_gnt & ~retry_ack;
    ack_v   <= ack_v & ~ack_take;
  end

  task quiet;
    begin
      tick = 1'b0; snd_take = 1'b0; bad_take = 1'b0;
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
      #1 `EQ({snd_v, snd_port, snd_tag, snd_st}, 14'd0)
    end
  endtask

  integer p;

  initial begin
    reset_with_x;
    quiet; ack_v = 10'd0; ent_req = 10'd0; retry = 10'd0;
    ack_tag = 30'd0; ent_tag = 30'd0; ack_st = 60'd0; ent_set = 100'd0;
    go;
    @(negedge clk);
    `EQ({snd_v, bad_ack, ev_table}, 3'd0)

    // Three copies, one ack with all statuses.
    enter(6, 5, 10'h109, 1);
    land(3, 1, 6'h08); land(8, 1, 6'h00);
    `EQ(snd_v, 1'b0)
    land(0, 1, 6'h24);
    must_send(6, 5, 6'h2c);
    // An ack for nobody is kept until it has been reported; the next one waits.
    land(7, 3, 0);
    `EQ({bad_ack, bad_port, bad_tag}, {1'b1, 4'd7, 3'd3})
    ack_v[2] = 1'b1; ack_tag[6 +: 3] = 3'd0;
    #1 `EQ(ack_take, 10'd0)
    bad_take = 1'b1;
    #1 `EQ(ack_take, 10'd4)
    @(negedge clk); quiet;
    `EQ({bad_ack, bad_port, bad_tag}, {1'b1, 4'd2, 3'd0})
    bad_take = 1'b1; @(negedge clk); quiet;
    `EQ(bad_ack, 1'b0)
    // Late: two ticks, then the time-out bit; the tag is kept back until the ack has come.
    enter(1, 2, 10'h010, 1);
    tick = 1'b1; repeat (2) @(negedge clk);
    quiet;
    must_send(1, 2, 6'h02);
    enter(1, 3, 10'h010, 2);
    land(4, 1, 6'h3f);
    @(negedge clk);
    `EQ(bad_ack, 1'b0)
    enter(1, 4, 10'h010, 1);
    land(4, 2, 0); must_send(1, 3, 0);
    land(4, 1, 0); must_send(1, 4, 0);
    // Seven entries, then RETRY.
    for (int t = 1; t < 8; t++) enter(0, t, 10'h200, t);
    ent_req[5] = 1'b1; retry[5] = 1'b1; ent_tag[15 +: 3] = 3'd4;
    #1 `EQ({ent_gnt, ent_new}, 13'd0)
    snd_take = 1'b1;
    #1 `EQ({snd_v, snd_port, snd_tag, snd_st, retry_ack}, {1'b1, 4'd5, 3'd4, 6'd1, 10'd32})
    `EQ(ev_table, 1'b1)
    @(negedge clk);
    quiet;
    for (int t = 1; t < 8; t++) begin land(9, t, 0); must_send(0, t, 0); end

    entries = 0; sent = 0;
    for (int n = 0; n < 6000; n++) begin
      tick     = (rnd(30) == 0);
      bad_take = bad_ack && (rnd(4) == 0);
      snd_take = 1'b0;
      p = rnd(10);
      if (!ent_req[p] && rnd(6) == 0) begin
        ent_req[p] = 1'b1; ent_tag[3*p +: 3] = 1 + rnd(7);
        ent_set[10*p +: 10] = 10'd1 << rnd(10) | 10'd1 << rnd(10);
      end
      if (rnd(10) == 0) retry = retry | (ent_req & (10'd1 << rnd(10)));
      p = rnd(10);
      if (!ack_v[p]) begin ack_v[p] = 1'b1; ack_tag[3*p +: 3] = rnd(8); ack_st[6*p +: 6] = rnd(64); end
      #1 snd_take = snd_v && (rnd(8) == 0);
      @(negedge clk);
    end
    `CLAIM(entries >= sent && entries - sent <= 7, "one ack for each entry")
    `CLAIM(stray > 50 && retries > 50 && late > 50, "every kind of trouble came")
    `PASS("ack", sent, "acks sent")
  end
endmodule
