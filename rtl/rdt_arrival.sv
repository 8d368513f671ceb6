// SPDX-License-Identifier: MIT
// What the flit on the line is to an input unit: part of a packet that is written to its buffer, an
// ack, or nothing that can be taken.
// Promises: after a malformed header flit, or without a free buffer, no further flit is written,
// and bad_o is high for one cycle. fresh_o comes with the third flit of a packet if all three are
// valid. Flits after the sixteenth are counted, not written. land_o is {H1 of an ack, and it is good;
// its H1; its H0}, or the last alone. Relies on: rdt_link_io frames what arrives; err_i is of the
// header that is complete now, len_i of the packet that comes in.
module rdt_arrival #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW = rdt_pkg::FlitW,
  // 1: the H1 of an ack may have another ack.
  parameter bit Pairs = 1'b0
) (
  // Clock and reset.
  input  logic        clk_i,
  input  logic        rst_ni,
  // own line
  input  logic        rx_valid_i,
  input  logic        rx_first_i,
  input  logic        rx_last_i,
  input  logic [DataW-1:0] rx_d_i,
  input  logic        room_i,     // its VC has an empty buffer
  // bit-map generator
  input  logic        err_i,      // the header has an error, so its length means nothing
  input  logic [3:0]  len_i,
  // the flit
  output logic [4:0]  idx_o,      // in its packet; 16: behind the end of the buffer
  output logic        we_o,
  output logic        fresh_o,    // the header is complete
  output logic [rdt_ports_pkg::land_w(Pairs)-1:0] land_o,  // an ack; acks are not buffered
  output logic        short_o,    // the packet ends before it should
  output logic        over_o,     // there is no buffer for it
  output logic        bad_o,      // it is dropped
  output logic        ev_body_o,
  output logic        ev_frame_o
);
  logic [4:0] wr_idx_d, wr_idx_q;
  logic       drop_d, drop_q;     // also set for acks
  logic       cur_err_d, cur_err_q;
  logic       odd, odd_all, even, is_ack, land, drop, take, body, spoilt, ends;

  // A header flit is the same in all lanes, so one lane is checked. Bodies are not.
  if (DataW == rdt_pkg::FlitW) begin : gen_slice
    assign odd     = ^rx_d_i;
    assign odd_all = odd;
    assign even    = !odd;
  end else begin : gen_node
    localparam int FlitW = rdt_pkg::FlitW;
    logic same;
    assign same    = (rx_d_i[DataW-1:FlitW] == rx_d_i[FlitW-1:0]);
    assign odd     = (^rx_d_i[FlitW-1:0]) && same;
    assign odd_all = (^rx_d_i[FlitW-1:0]) && (^rx_d_i[DataW-1:FlitW]);
    assign even    = !(^rx_d_i[FlitW-1:0]) && same;
  end

  assign idx_o  = wr_idx_q & {5{!rx_first_i}};
  assign is_ack = (rx_d_i[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] == rdt_pkg::TypeAck) && even;
  assign land   = rx_valid_i && rx_first_i && is_ack;
  assign over_o = rx_valid_i && rx_first_i && !is_ack && !room_i;

  if (Pairs) begin : gen_pairs
    logic half_q;  // the H0 of an ack has come
    logic also;
    assign also   = rx_valid_i && !rx_first_i && half_q;
    assign land_o = {also && odd, also, land};

    always_ff @(posedge clk_i) begin
      if (!rst_ni)         half_q <= 1'b0;
      else if (rx_valid_i) half_q <= land;
    end
  end else begin : gen_single
    assign land_o = land;
  end

  assign drop    = rx_first_i ? (!room_i || is_ack) : drop_q;
  assign take    = rx_valid_i && !drop;
  assign body    = take && ((|idx_o[4:2]) || (&idx_o[1:0]));
  assign fresh_o = take && (idx_o == 5'd2) && odd;
  // An undriven line: 0 has even parity, but is not an H0.
  assign spoilt  = take && !body && ((idx_o[1:0] == 2'd0) ? !even || (rx_d_i[16:0] == 17'd0) : !odd);

  logic full;
  assign full = idx_o[4];

  always_comb begin
    wr_idx_d = wr_idx_q;
    drop_d   = drop_q;
    if (rx_valid_i) begin
      wr_idx_d = full ? idx_o : idx_o + 5'd1;
      drop_d   = drop || spoilt;
    end
  end

  assign cur_err_d  = fresh_o ? err_i : cur_err_q;
  assign ends       = (fresh_o || body) && rx_last_i && !cur_err_d;
  assign we_o       = take && !full;
  assign short_o    = ends && (idx_o < {1'b0, len_i});
  assign bad_o      = over_o || spoilt;
  assign ev_body_o  = body && !full && !odd_all;
  assign ev_frame_o = ends && (idx_o != {1'b0, len_i});

  always_ff @(posedge clk_i) begin
    if (!rst_ni) wr_idx_q <= 5'd0;
    else         wr_idx_q <= wr_idx_d;
  end

  // Written before they are used, so without reset.
  always_ff @(posedge clk_i) begin
    drop_q    <= drop_d;
    cur_err_q <= cur_err_d;
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_arrival.svh"
`endif
endmodule
