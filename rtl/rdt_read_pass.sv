// SPDX-License-Identifier: MIT
// The pass in which an input unit reads a packet to the outputs that were granted: the flit and the
// buffer, and the code for the crossbar. Promises: begins in the cycle after its grant and runs
// without gaps to the packet's length, at least three flits; open_o is high from the last but one
// on, so that the next pass may follow at once. The body of a packet that turns out to be short is
// read as zeros from there on. Which flit comes next is known without the grant, so it is read a
// cycle ahead. Relies on: a grant comes only when no pass runs, or with its last flit; len_i in the
// first flit is that of its packet, at least 2.
module rdt_read_pass #(
  // Virtual channels of the port, one buffer each.
  parameter int NumVc = 2
) (
  // Clock and reset.
  input  logic             clk_i,
  input  logic             rst_ni,
  // the pass that begins
  input  logic [rdt_pkg::NumOuts-1:0] gnt_i,  // for these outputs; 0: none
  input  logic [1:0]       sel_i,         // of the packet on this VC
  input  logic             dumped_i,
  input  logic             fin_i,         // no other pass over it follows
  input  logic             pois_i,        // it is short
  // the packet that comes in ends and is short
  input  logic             short_i,       // and is read by this pass, or the one that begins, if at all
  input  logic             short_dump_i,  // and is in the buffer being read, which counts for a dump
  input  logic             short_more_i,  // and is in it with other passes to follow
  // the flit being read
  input  logic [3:0]       len_i,
  input  logic             odd_i,         // its packet has an error
  input  logic [1:0]       ovc_i,
  output logic [1:0]       vc_o,
  output logic [NumVc-1:0] oh_o,          // vc_o, one-hot
  output logic             on_o,          // there is one, and it is not corrupt
  output logic [2:0]       head_o,        // it is H0, H1, H2
  output logic             up_o,          // for upper ports
  output logic             loc_o,         // for LOCAL, or dumped
  output logic [1:0]       code_o,
  output logic             open_o,
  // the flit read in the next cycle, if any
  output logic [3:0]       next_idx_o,
  output logic [NumVc-1:0] next_oh_o
);
  logic       rd_busy_d, rd_busy_q;
  logic [1:0] rd_vc_d, rd_vc_q;
  logic [3:0] rd_idx_d, rd_idx_q;
  logic [3:0] rd_left_d, rd_left_q;  // flits still to be read behind this one
  logic       rd_loc_d, rd_loc_q;
  logic       rd_raw_d, rd_raw_q;
  logic       rd_up_d, rd_up_q;
  logic       rd_fin_d, rd_fin_q;
  logic       rd_pois_d, rd_pois_q;
  logic       gnt, rd_first, rd_prev, rd_last, goes_on;
  logic [3:0] rd_len, rd_inc;

  // No pass is shorter than three flits, so at its first flit rd_left_q need not be known yet.
  assign gnt      = |gnt_i;
  assign rd_first = (rd_idx_q == 4'd0);
  assign rd_prev  = !rd_first && (rd_left_q == 4'd1);
  assign rd_last  = !rd_first && (rd_left_q == 4'd0);

  // rd_vc_q and sel_i are below NumVc, so for v > 0 one bit of them suffices.
  assign oh_o   = NumVc'({rd_vc_q, rd_vc_q == 2'd0});
  assign on_o   = rd_busy_q && !(rd_pois_q && rd_idx_q > 4'd2);
  assign head_o = {rd_idx_q == 4'd2, rd_idx_q == 4'd1, rd_first} & {3{rd_busy_q && !rd_raw_q}};
  assign open_o = !rd_busy_q || rd_prev || rd_last;
  assign vc_o   = rd_vc_q;
  assign up_o   = rd_up_q;
  assign loc_o  = rd_loc_q;

  always_comb begin
    if (!rd_busy_q)    code_o = 2'd0;
    else if (rd_first) code_o = (rd_loc_q ? 2'd0 : ovc_i) + 2'd1;
    else if (rd_last)  code_o = rdt_pkg::ReqWant;
    else if (rd_prev)  code_o = rdt_pkg::ReqIdle;
    else               code_o = rdt_pkg::ReqMore;
  end

  assign goes_on    = rd_busy_q && !rd_last;
  assign rd_inc     = rd_idx_q + 4'd1;
  assign next_idx_o = rd_inc & {4{goes_on}};
  assign next_oh_o  = goes_on ? oh_o : NumVc'({sel_i, sel_i == 2'd0});

  // A malformed header is reported with its three flits, whatever its length field.
  assign rd_len    = (rd_loc_q && !rd_raw_q && odd_i) ? 4'd2 : len_i;
  assign rd_left_d = (rd_first ? rd_len : rd_left_q) - 4'd1;

  assign rd_pois_d = short_i || (short_dump_i && rd_busy_q && rd_raw_q) ||
                     (short_more_i && rd_busy_q && !rd_fin_q) || (gnt ? pois_i : rd_pois_q);

  logic to_loc, to_up;
  assign to_loc = gnt_i[rdt_pkg::OutLocal] || dumped_i;
  assign to_up  = |gnt_i[rdt_pkg::PortE1 +: 4];

  always_comb begin
    rd_busy_d = rd_busy_q;
    rd_vc_d   = rd_vc_q;
    rd_idx_d  = rd_idx_q;
    rd_loc_d  = rd_loc_q;
    rd_raw_d  = rd_raw_q;
    rd_up_d   = rd_up_q;
    rd_fin_d  = rd_fin_q;
    if (rd_busy_q) begin
      if (rd_last) rd_busy_d = 1'b0;
      else         rd_idx_d  = rd_inc;
    end
    if (gnt) begin
      rd_busy_d = 1'b1;
      rd_vc_d   = sel_i;
      rd_idx_d  = 4'd0;
      rd_loc_d  = to_loc;
      rd_raw_d  = dumped_i;
      rd_up_d   = to_up;
      rd_fin_d  = fin_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rd_busy_q <= 1'b0;
      rd_vc_q   <= 2'd0;
      rd_idx_q  <= 4'd0;
      rd_loc_q  <= 1'b0;
    end else begin
      rd_busy_q <= rd_busy_d;
      rd_vc_q   <= rd_vc_d;
      rd_idx_q  <= rd_idx_d;
      rd_loc_q  <= rd_loc_d;
    end
  end

  // Written before they are used, so without reset.
  always_ff @(posedge clk_i) begin
    rd_left_q <= rd_left_d;
    rd_raw_q  <= rd_raw_d;
    rd_up_q   <= rd_up_d;
    rd_fin_q  <= rd_fin_d;
    rd_pois_q <= rd_pois_d;
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_read_pass.svh"
`endif
endmodule
