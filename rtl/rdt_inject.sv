// SPDX-License-Identifier: MIT
// Puts acks and LOCAL's packets behind the crossbar, one at a time. Acks come first.
// Promises: acks are at least AckGap clocks apart, so the landing registers they go to are free.
// Relies on: at most one bit of loc_want_i; LOCAL sends from the clock after loc_gnt_o on.
module rdt_inject (
  input  logic        clk_i,
  input  logic        rst_ni,
  // rdt_ack
  input  logic        snd_v_i,
  input  logic [3:0]  snd_port_i,
  input  logic [2:0]  snd_tag_i,
  input  logic [5:0]  snd_st_i,
  output logic        snd_take_o,
  // LOCAL
  input  logic [1:0]  loc_want_i,
  input  logic [19:0] loc_x_i,
  output logic [1:0]  loc_gnt_o,
  // output units
  input  logic [9:0]  gnt_i,
  output logic [9:0]  want_o,
  output logic [19:0] x_o
);
  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StWant = 2'd1;
  localparam logic [1:0] StAck  = 2'd2;
  localparam logic [1:0] StLoc  = 2'd3;

  logic [1:0] st_d, st_q;
  logic [4:0] cool_d, cool_q;
  logic [1:0] idx_d, idx_q;  // flit of an ack; 0 at the first flit of LOCAL
  logic [3:0] port_q;
  logic [2:0] tag_q;
  logic [5:0] status_q;

  logic       idle, granted;
  logic [9:0] port_oh;

  for (genvar p = 0; p < rdt_pkg::NumPorts; p++) begin : gen_oh
    assign port_oh[p] = (st_q == StWant) && (port_q == 4'(p));
  end

  assign idle       = (st_q == StIdle);
  assign snd_take_o = idle && snd_v_i && (cool_q == 5'd0);
  assign want_o     = port_oh | {loc_want_i & {2{idle && !snd_take_o}}, 8'd0};
  assign loc_gnt_o  = gnt_i[9:8] & loc_want_i & {2{idle && !snd_take_o}};
  assign granted    = |(gnt_i & port_oh);

  always_comb begin
    st_d   = st_q;
    idx_d  = 2'd0;
    cool_d = (cool_q == 5'd0) ? 5'd0 : cool_q - 5'd1;
    case (st_q)
      StIdle: begin
        if (snd_take_o)      st_d = StWant;
        else if (|loc_gnt_o) st_d = StLoc;
      end
      StWant: begin
        if (granted) begin
          st_d   = StAck;
          cool_d = 5'(rdt_pkg::AckGap - 1);
        end
      end
      StAck: begin
        idx_d = idx_q + 2'd1;
        if (idx_q[1]) st_d = StIdle;
      end
      default: begin
        idx_d = 2'd1;
        if (idx_q[0] && loc_x_i[19:18] == 2'd1) st_d = StIdle;
      end
    endcase
  end

  logic [16:0] flit;
  assign flit = {rdt_pkg::TypeAck, 4'd2, tag_q, 1'b0, status_q} & {17{idx_q == 2'd0}};

  always_comb begin
    case (st_q)
      StAck:   x_o = {1'b0, !idx_q[0], ~^flit, flit};
      StLoc:   x_o = loc_x_i;
      default: x_o = 20'd0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      st_q   <= StIdle;
      cool_q <= 5'd0;
    end else begin
      st_q   <= st_d;
      cool_q <= cool_d;
    end
  end

  // Written on the way to the states that use them, so without reset.
  always_ff @(posedge clk_i) begin
    idx_q <= idx_d;
    if (snd_take_o) begin
      port_q   <= snd_port_i;
      tag_q    <= snd_tag_i;
      status_q <= snd_st_i;
    end
  end
endmodule
