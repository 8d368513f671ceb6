// SPDX-License-Identifier: MIT
// Section 4.10 of the specification: acks, RETRY answers and LOCAL's packets behind the crossbar.
module spec_inject #(
  parameter int DataW = rdt_pkg::FlitW
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             snd_v_i,
  input  logic [3:0]       snd_port_i,
  input  logic [2:0]       snd_tag_i,
  input  logic [5:0]       snd_st_i,
  output logic             snd_take_o,
  output logic [9:0]       busy_o,
  input  logic [9:0]       retry_i,
  input  logic [9:0]       ent_gnt_i,
  input  logic [29:0]      ent_tag_i,
  output logic [9:0]       retry_ack_o,
  input  logic [1:0]       loc_want_i,
  input  logic [DataW+1:0] loc_x_i,
  output logic [1:0]       loc_gnt_o,
  output logic             ev_lost_o,
  input  logic [9:0]       gnt_i,
  output logic [9:0]       want_o,
  output logic [DataW+1:0] x_o
);
  localparam logic [1:0] Idle = 2'd0, Want = 2'd1, Ack = 2'd2, Loc = 2'd3;
  logic [1:0] st_q, idx_q;
  logic [6:0] wait_q;
  logic [9:0] m0_q, m1_q;
  logic [3:0] cool_q, rty_q, port_q;
  logic [2:0] tag_q;
  logic [5:0] status_q;

  logic [9:0]  asks, used;
  logic [3:0]  pick;
  logic        takes;
  logic [16:0] h0;
  logic [17:0] flit;
  assign busy_o = m0_q | m1_q;
  assign asks   = retry_i & ~ent_gnt_i & ~busy_o;
  assign pick   = spec_pkg::next_after(asks, rty_q);
  assign takes  = st_q == Idle && (snd_v_i || asks != 10'd0);
  always_comb begin
    snd_take_o  = (st_q == Idle) && snd_v_i;
    retry_ack_o = 10'd0;
    want_o      = 10'd0;
    loc_gnt_o   = 2'd0;
    ev_lost_o   = 1'b0;
    used        = 10'd0;
    x_o         = '0;
    h0          = {rdt_pkg::TypeAck, 4'd2, tag_q, 1'b0, status_q};
    flit        = 18'd0;
    case (st_q)
      Idle: begin
        if (!snd_v_i && asks != 10'd0) retry_ack_o = 10'd1 << pick;
        if (!takes) begin
          want_o[9:8] = loc_want_i;
          loc_gnt_o   = gnt_i[9:8] & loc_want_i;
        end
      end
      Want: begin
        if (port_q < 4'd10) want_o = 10'd1 << port_q;
        used      = gnt_i & want_o;
        ev_lost_o = used == 10'd0 && wait_q == 7'd127;
      end
      Ack: begin
        flit = (idx_q == 2'd0) ? {^h0, h0} : {1'b1, 17'd0};
        x_o  = {(idx_q == 2'd1) ? 2'd0 : 2'd1, {(DataW / 18){flit}}};
      end
      default: x_o = loc_x_i;
    endcase
  end

  always_ff @(posedge clk_i) begin
    case (st_q)
      Idle: begin
        if (snd_v_i) begin
          {port_q, tag_q, status_q} <= {snd_port_i, snd_tag_i, snd_st_i};
        end else if (asks != 10'd0) begin
          port_q   <= pick;
          tag_q    <= ent_tag_i[3*pick +: 3];
          status_q <= 6'd1;
          rty_q    <= pick;
        end
        if (takes) begin
          st_q   <= Want;
          wait_q <= 7'd0;
        end else if (loc_gnt_o != 2'd0) begin
          st_q  <= Loc;
          idx_q <= 2'd0;
        end
      end
      Want: begin
        if (used != 10'd0) begin
          st_q  <= Ack;
          idx_q <= 2'd0;
        end else if (ev_lost_o) begin
          st_q <= Idle;
        end
        wait_q <= wait_q + 7'd1;
      end
      Ack: begin
        idx_q <= idx_q + 2'd1;
        if (idx_q == 2'd2) st_q <= Idle;
      end
      default: begin
        idx_q <= 2'd1;
        if (idx_q != 2'd0 && loc_x_i[DataW+1:DataW] == 2'd1) st_q <= Idle;
      end
    endcase
    if (cool_q == 4'd15) begin
      m1_q <= m0_q | used;
      m0_q <= 10'd0;
    end else begin
      m0_q <= m0_q | used;
    end
    cool_q <= ((m0_q | m1_q | used) == 10'd0) ? 4'd0 : cool_q + 4'd1;
    if (!rst_ni) begin
      st_q   <= Idle;
      m0_q   <= 10'd0;
      m1_q   <= 10'd0;
      cool_q <= 4'd0;
      rty_q  <= 4'd9;
    end
  end
endmodule
