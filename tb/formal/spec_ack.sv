// SPDX-License-Identifier: MIT
// Section 4.9 of the specification: the table that combines acknowledges.
module spec_ack #(
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        tick_i,
  input  logic        end_i,
  input  logic [9:0]  ack_v_i,
  input  logic [29:0] ack_tag_i,
  input  logic [59:0] ack_st_i,
  input  logic [7:0]  ack_gen_i,
  output logic [9:0]  ack_take_o,
  input  logic [9:0]  ent_req_i,
  input  logic [99:0] ent_set_i,
  input  logic [29:0] ent_tag_i,
  input  logic [1:0]  ent_vct_i,
  input  logic [9:0]  ent_old_i,
  output logic [9:0]  ent_gnt_o,
  output logic [2:0]  ent_new_o,
  input  logic [NumEntries-1:0] held_i,
  output logic        snd_v_o,
  output logic [3:0]  snd_port_o,
  output logic [2:0]  snd_tag_o,
  output logic [5:0]  snd_st_o,
  input  logic        snd_take_i,
  input  logic [9:0]  busy_i,
  output logic [4*NumEntries-1:0] gen_o,
  output logic        stray_o,
  output logic [3:0]  stray_port_o,
  output logic [2:0]  stray_tag_o,
  output logic        ev_table_o,
  input  logic        look_i,
  input  logic [2:0]  look_tag_i,
  output logic        look_used_o,
  output logic [16:0] look_h1_o,
  output logic [10:0] look_h2_o,
  input  logic        put_i,
  input  logic [16:0] put_h1_i,
  input  logic [10:0] put_h2_i
);
  localparam logic [1:0] Free = 2'd0, Wait = 2'd1, Late = 2'd2, Quar = 2'd3;
  // Element t - 1 belongs to the entry with tag t.
  logic [2*NumEntries-1:0]  st_q;
  logic [4*NumEntries-1:0]  port_q, gen_q;
  logic [3*NumEntries-1:0]  tag_q, age_q;
  logic [10*NumEntries-1:0] pend_q;
  logic [6*NumEntries-1:0]  status_q;
  logic [3:0] last_q, ent_last_q;
  logic [2:0] snd_last_q;

  // Landing.
  logic [3:0] port;
  logic [2:0] tag;
  logic [5:0] said;
  logic       lands, expected;
  always_comb begin
    lands    = ack_v_i != 10'd0 && !look_i;
    port     = spec_pkg::next_after(ack_v_i, last_q);
    tag      = 3'd0;
    said     = 6'd0;
    for (int p = 0; p < 10; p++) begin
      if (port == 4'(p)) begin
        tag  = ack_tag_i[3*p +: 3];
        said = ack_st_i[6*p +: 6];
      end
    end
    expected = 1'b0;
    for (int t = 1; t <= NumEntries; t++)
      if (tag == 3'(t) && st_q[2*(t-1) +: 2] != Free && port < 4'd10 && pend_q[10*(t-1) + 32'(port)] &&
          (port < 4'd8 || gen_q[4*(t-1) +: 4] == (port[0] ? ack_gen_i[7:4] : ack_gen_i[3:0])))
        expected = 1'b1;
    ack_take_o   = lands ? 10'd1 << port : 10'd0;
    stray_o      = lands && !expected;
    stray_port_o = port;
    stray_tag_o  = tag;
  end

  // Allocation.
  logic [9:0] able;
  (* mem2reg *)
  logic [2:0] best [10];
  logic [3:0] who;
  logic       gives;
  int         cls, top;
  always_comb begin
    able = 10'd0;
    for (int i = 0; i < 10; i++) begin
      cls     = spec_pkg::class_of(i, ent_set_i[10*i +: 10], i < 2 && ent_vct_i[i % 2]);
      top     = (NumEntries >= 6) ? cls : (cls + NumEntries > 6) ? cls + NumEntries - 6 : 0;
      best[i] = 3'd0;
      for (int t = 1; t <= NumEntries; t++)
        if (st_q[2*(t-1) +: 2] == Free &&
            (NumEntries == 7 && ent_tag_i[3*i +: 3] == 3'd7 ? t == 7 : t != 7 && t <= top + 1)) best[i] = 3'(t);
      able[i] = ent_req_i[i] && best[i] != 3'd0;
    end
    gives     = able != 10'd0 && !put_i;
    who       = spec_pkg::next_after((able & ent_old_i) != 10'd0 ? able & ent_old_i : able, ent_last_q);
    ent_gnt_o = gives ? 10'd1 << who : 10'd0;
    ent_new_o = 3'd0;
    for (int i = 0; i < 10; i++) if (gives && who == 4'(i)) ent_new_o = best[i];
  end

  // Sending.
  logic [9:0] full;
  logic [3:0] next;
  always_comb begin
    full = 10'd0;
    for (int t = 1; t <= NumEntries; t++)
      full[t] = ((st_q[2*(t-1) +: 2] == Wait && pend_q[10*(t-1) +: 10] == 10'd0) || st_q[2*(t-1) +: 2] == Late) &&
                (port_q[4*(t-1) +: 4] > 4'd9 || !busy_i[port_q[4*(t-1) +: 4]]);
    next       = spec_pkg::next_after(full, {1'b0, snd_last_q});
    snd_v_o    = full != 10'd0 && !look_i;
    snd_port_o = 4'd0;
    snd_tag_o  = 3'd0;
    snd_st_o   = 6'd0;
    for (int t = 1; t <= NumEntries; t++)
      if (next == 4'(t)) {snd_port_o, snd_tag_o, snd_st_o} = {port_q[4*(t-1) +: 4], tag_q[3*(t-1) +: 3], status_q[6*(t-1) +: 6]};
    gen_o       = gen_q;
    look_used_o = 1'b0;
    look_h1_o   = 17'd0;
    look_h2_o   = 11'd0;
    for (int t = 1; t <= NumEntries; t++) begin
      if (look_tag_i == 3'(t)) begin
        look_used_o = st_q[2*(t-1) +: 2] != Free;
        look_h1_o   = {port_q[4*(t-1) +: 4], tag_q[3*(t-1) +: 3], pend_q[10*(t-1) +: 10]};
        look_h2_o   = {st_q[2*(t-1) +: 2] == Quar, status_q[6*(t-1) +: 6], gen_q[4*(t-1) +: 4]};
      end
    end
  end

  // The entries.
  logic [2*NumEntries-1:0]  st_d;
  logic [4*NumEntries-1:0]  port_d, gen_d;
  logic [3*NumEntries-1:0]  tag_d, age_d;
  logic [10*NumEntries-1:0] pend_d;
  logic [6*NumEntries-1:0]  status_d;
  logic [1:0] st;
  logic [9:0] pend;
  logic [5:0] status;
  logic [2:0] age;
  logic       sent, lane, late;
  always_comb begin
    {port_d, gen_d, tag_d} = {port_q, gen_q, tag_q};
    {st_d, age_d, pend_d, status_d} = {st_q, age_q, pend_q, status_q};
    ev_table_o = 1'b0;
    for (int t = 1; t <= NumEntries; t++) begin
      st     = st_q[2*(t-1) +: 2];
      pend   = pend_q[10*(t-1) +: 10];
      status = status_q[6*(t-1) +: 6];
      age    = age_q[3*(t-1) +: 3];
      lane   = (t == 7);
      sent   = snd_take_i && next == 4'(t);
      late   = 1'b0;
      if (lands && expected && tag == 3'(t)) begin
        pend = pend & ~(10'd1 << port);
        if (st == Wait) status = status | said;
      end
      case (st_q[2*(t-1) +: 2])
        Wait: begin
          if (sent) begin
            st = Free;
          end else if (pend != 10'd0 && (lane ? end_i : tick_i)) begin
            if (!lane && age == 3'd0) begin
              age = 3'd1;
            end else begin
              st     = Late;
              status = status | 6'd2;
              late   = 1'b1;
            end
          end
        end
        Late: begin
          if (sent) begin
            st  = (pend == 10'd0) ? Free : Quar;
            age = 3'd0;
          end
        end
        Quar: begin
          if (pend == 10'd0) st = Free;
          else if (tick_i && held_i[t-1]) age = 3'd0;
          else if (tick_i && age == 3'd5) st = Free;
          else if (tick_i) age = age + 3'd1;
        end
        default: ;
      endcase
      if (gives && ent_new_o == 3'(t)) begin
        st                   = Wait;
        port_d[4*(t-1) +: 4] = who;
        for (int i = 0; i < 10; i++) begin
          if (who == 4'(i)) begin
            tag_d[3*(t-1) +: 3] = ent_tag_i[3*i +: 3];
            pend                = ent_set_i[10*i +: 10];
          end
        end
        status              = 6'd0;
        age                 = 3'd0;
        gen_d[4*(t-1) +: 4] = gen_q[4*(t-1) +: 4] + 4'd1;
      end
      if (put_i && look_tag_i == 3'(t)) begin
        late = 1'b0;
        st  = put_h2_i[10] ? Quar : Wait;
        age = 3'd0;
        {port_d[4*(t-1) +: 4], tag_d[3*(t-1) +: 3], pend} = put_h1_i;
        {status, gen_d[4*(t-1) +: 4]} = put_h2_i[9:0];
      end
      ev_table_o = ev_table_o || late;
      st_d[2*(t-1) +: 2]      = st;
      pend_d[10*(t-1) +: 10]  = pend;
      status_d[6*(t-1) +: 6]  = status;
      age_d[3*(t-1) +: 3]     = age;
    end
  end

  always_ff @(posedge clk_i) begin
    {port_q, gen_q, tag_q} <= {port_d, gen_d, tag_d};
    {st_q, age_q, pend_q, status_q} <= {st_d, age_d, pend_d, status_d};
    if (lands) last_q <= port;
    if (gives) ent_last_q <= who;
    if (snd_take_i) snd_last_q <= next[2:0];
    if (!rst_ni) begin
      st_q       <= '0;
      gen_q      <= '0;
      last_q     <= 4'd9;
      ent_last_q <= 4'd9;
      snd_last_q <= 3'(NumEntries);
    end
  end
endmodule
