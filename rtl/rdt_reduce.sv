// SPDX-License-Identifier: MIT
// Reductions: combines the operands of the acks of a barrier (tag 7) while rdt_ack combines the acks,
// and puts the result into the ack to the parent. An operand is in H1 and H2 of an ack, which are 0
// in all other acks. It changes no cycle of any ack.
// Promises: each ack that rdt_ack counts for entry 7 adds its operand once, and no other ack does; the
// result starts again with each multicast of the entry. The result has the wrong parity if an operand
// was disturbed or did not arrive, if operations differ, or if the entry was put back.
// Relies on: an ack of the entry is sent after all that it counts have been taken, its first flit at
// least two cycles after snd_take_i; operands of the next multicast come later than that.
module rdt_reduce #(
  parameter int Width = 32  // bits of an operand, 16 or 32
) (
  // Clock and reset.
  input  logic         clk_i,
  input  logic         rst_ni,
  // links: flits that arrive
  input  logic [9:0]   rx_valid_i,
  input  logic [9:0]   rx_first_i,
  input  logic [rdt_pkg::FlitW*rdt_pkg::NumPorts-1:0] rx_d_i,
  // rdt_ack: an ack is taken, an entry is given or put back, an ack is to be sent
  input  logic [9:0]   ack_take_i,
  input  logic [rdt_pkg::TagW*rdt_pkg::NumPorts-1:0] ack_tag_i,
  input  logic         stray_i,
  input  logic [9:0]   ent_gnt_i,
  input  logic [2:0]   ent_new_i,
  input  logic         put_i,
  input  logic [2:0]   look_tag_i,
  input  logic         snd_take_i,
  input  logic [2:0]   snd_tag_i,
  // rdt_inject: the line is granted, or the ack is dropped
  input  logic [9:0]   want_i,
  input  logic [9:0]   gnt_i,
  input  logic         lost_i,
  output logic [17:0]  flip_o       // bits to invert in the flit that rdt_inject sends
);
  localparam int NumPorts = rdt_pkg::NumPorts;
  localparam int FlitW    = rdt_pkg::FlitW;
  localparam int TagW     = rdt_pkg::TagW;
  localparam int OpW      = 2;
  localparam logic [OpW-1:0] OpNone = rdt_pkg::ReduceNone, OpOr = rdt_pkg::ReduceOr, OpMax = rdt_pkg::ReduceMax;
  localparam int XW = OpW + Width;  // an operand and its operation

  // Landing: 1 after H0, 2 after H1, 3 when the operand is complete.
  logic [NumPorts-1:0]    whole;
  logic [XW*NumPorts-1:0] landed;
  logic [NumPorts-1:0]    lane;    // the ack that has landed is one of the entry

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [FlitW-1:0] d;
    logic [1:0]       n_d, n_q;
    logic             next, starts, in_h1, in_h2;
    logic [16:0]      h1_q;

    assign d      = rx_d_i[FlitW*p +: FlitW];
    assign next   = rx_valid_i[p] && !rx_first_i[p];
    assign starts = (d[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo] == rdt_pkg::TypeAck) &&
                    (&d[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo]) && !(^d);
    assign in_h1  = next && (n_q == 2'd1);
    assign in_h2  = next && (n_q == 2'd2);

    always_comb begin
      n_d = n_q;
      if (rx_valid_i[p] && rx_first_i[p]) n_d = starts ? 2'd1 : {2{&n_q}};
      else if (in_h1)                     n_d = {^d, 1'b0};
      else if (in_h2)                     n_d = {2{^d}};
    end

    assign whole[p] = &n_q;
    assign lane[p]  = &ack_tag_i[TagW*p +: TagW];

    // Width 16: the second half has the operation alone.
    if (Width > 16) begin : gen_two
      logic [16:0] h2_q;
      always_ff @(posedge clk_i) if (in_h2) h2_q <= d[16:0];
      assign landed[XW*p +: XW] = {h2_q[16], h1_q[16], h2_q[Width-17:0], h1_q[15:0]};
    end else begin : gen_one
      logic h2_q;
      always_ff @(posedge clk_i) if (in_h2) h2_q <= d[16];
      assign landed[XW*p +: XW] = {h2_q, h1_q};
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) n_q <= 2'd0;
      else         n_q <= n_d;
    end
    always_ff @(posedge clk_i) if (in_h1) h1_q <= d[16:0];
  end

  // An ack may be taken in the cycle after its H0, two cycles before its operand is here. All that
  // happens to the entry counts two cycles later, in the same order.
  logic [9:0] land_d, land_q, land2_q;
  logic [2:0] event_d, event_q, event2_q;  // sent, given, put back
  logic       sent, given, put;

  assign land_d  = ack_take_i & lane & {10{!stray_i}};
  assign event_d = {snd_take_i && (&snd_tag_i), (|ent_gnt_i) && (&ent_new_i), put_i && (&look_tag_i)};
  assign {sent, given, put} = event2_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {land_q, land2_q}   <= 20'd0;
      {event_q, event2_q} <= 6'd0;
    end else begin
      {land_q, land2_q}   <= {land_d, land_q};
      {event_q, event2_q} <= {event_d, event_q};
    end
  end

  // Combining.
  logic [Width-1:0] x, acc_d, acc_q;
  logic [OpW-1:0]   x_op, op_d, op_q;
  logic             x_whole, adds, differs, bad_d, bad_q;

  function automatic logic [XW-1:0] pick(input logic [XW*NumPorts-1:0] d, input logic [NumPorts-1:0] oh);
    pick = '0;
    for (int p = 0; p < NumPorts; p++) pick = pick | (d[XW*p +: XW] & {XW{oh[p]}});
  endfunction

  assign {x_op, x} = pick(landed, land2_q);
  assign x_whole   = |(land2_q & whole);
  assign differs   = (x_op != OpNone) && (op_q != OpNone) && (x_op != op_q);
  assign adds      = x_whole && (x_op != OpNone) && !differs;

  always_comb begin
    acc_d = acc_q;
    if (adds) begin
      if (op_q == OpNone)     acc_d = x;
      else if (op_q == OpOr)  acc_d = acc_q | x;
      else if (op_q == OpMax) acc_d = (x > acc_q) ? x : acc_q;
      else                    acc_d = acc_q + x;
    end
  end

  assign op_d  = (adds ? x_op : op_q) & {OpW{!given && !put}};
  assign bad_d = ((bad_q || ((|land2_q) && (!x_whole || differs))) && !given) || put;

  // Sending: the entry may be used again while its ack waits for the line.
  logic [Width-1:0] out_q;
  logic [OpW-1:0]   out_op_q;
  logic             out_bad_q;
  logic             hold_d, hold_q;  // the ack that rdt_inject has is of the entry
  logic [1:0]       idx_d, idx_q;    // 1 to 3: it sends H0, H1, H2
  logic             starts_ack;
  logic [31:0]      out;
  logic [16:0]      payload;

  assign starts_ack = hold_q && (|(want_i & gnt_i));
  assign hold_d     = event_d[2] || (hold_q && !starts_ack && !lost_i);
  assign idx_d      = starts_ack ? 2'd1 : (idx_q == 2'd0) ? 2'd0 : idx_q + 2'd1;
  assign out        = 32'(out_q);
  assign payload    = ({out_op_q[0], out[15:0]} & {17{idx_q == 2'd2}}) |
                      ({out_op_q[1], out[31:16]} & {17{idx_q == 2'd3}});
  assign flip_o     = {(^payload) ^ (out_bad_q && idx_q[1]), payload};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      op_q   <= OpNone;
      bad_q  <= 1'b0;
      hold_q <= 1'b0;
      idx_q  <= 2'd0;
    end else begin
      op_q   <= op_d;
      bad_q  <= bad_d;
      hold_q <= hold_d;
      idx_q  <= idx_d;
    end
  end

  // Written before they are used.
  always_ff @(posedge clk_i) begin
    acc_q <= acc_d;
    if (sent) begin
      out_q     <= acc_q & {Width{op_q != OpNone}};
      out_op_q  <= op_q;
      out_bad_q <= bad_q;
    end
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_reduce.svh"
`endif
endmodule
