// SPDX-License-Identifier: MIT
// Puts acks, RETRY answers and LOCAL's packets behind the crossbar, one at a time, in this order.
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
  // multicasts that have waited too long for an ack entry, and do not get one now
  input  logic [9:0]  retry_i,
  input  logic [9:0]  ent_gnt_i,
  input  logic [29:0] ent_tag_i,
  output logic [9:0]  retry_ack_o,
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

  logic       may, takes;
  logic [9:0] retry_oh;
  logic [1:0] loc;

  assign idle        = (st_q == StIdle);
  assign may         = idle && (cool_q == 5'd0);
  assign retry_oh    = rdt_ports_pkg::low10(retry_i & ~ent_gnt_i);
  assign snd_take_o  = may && snd_v_i;
  assign retry_ack_o = retry_oh & {10{may && !snd_v_i}};
  assign takes       = snd_take_o || (|retry_ack_o);
  assign loc         = loc_want_i & {2{idle && !takes}};
  assign want_o      = port_oh | {loc, 8'd0};
  assign loc_gnt_o   = gnt_i[9:8] & loc;
  assign granted     = |(gnt_i & port_oh);

  always_comb begin
    st_d   = st_q;
    idx_d  = 2'd0;
    cool_d = (cool_q == 5'd0) ? 5'd0 : cool_q - 5'd1;
    case (st_q)
      StIdle: begin
        if (takes)           st_d = StWant;
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
      StAck:   x_o = {1'b0, !idx_q[0], (^flit) ^ (idx_q != 2'd0), flit};  // H0 has even parity
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
    if (takes) begin
      port_q   <= snd_v_i ? snd_port_i : rdt_ports_pkg::port_of(retry_oh);
      tag_q    <= snd_v_i ? snd_tag_i : rdt_ports_pkg::pick3(ent_tag_i, retry_oh);
      status_q <= snd_v_i ? snd_st_i : 6'd1 << rdt_pkg::AckRetry;
    end
  end
endmodule
