// SPDX-License-Identifier: MIT
// The arbiter, fed with anything. An input that requests an output and counts (a link, or an MBP that is
// old) sees at most nine other grants of it, but for those of LOCAL to MBP 0 out of turn: no input
// starves. MBP 0 sees one other grant of LOCAL at most.
module arbiter (
  input logic         clk_i,
  input logic         reset_i,
  input logic [109:0] want_i,
  input logic [109:0] cand_i,
  input logic [10:0]  line_gnt_i,
  input logic [1:0]   pkt_i
);
  logic rst_ni, on_q;
  initial on_q = 1'b0;
  always_ff @(posedge clk_i) on_q <= 1'b1;
  assign rst_ni = on_q && !reset_i;

  logic [109:0] gnt, xsel;
  logic [10:0]  gnt_out;
  logic [9:0]   cand_any;
  logic         slice;

  rdt_arbiter u_arbiter (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .want_i    (want_i),
    .cand_i    (cand_i),
    .line_gnt_i(line_gnt_i),
    .pkt_i     (pkt_i),
    .gnt_o     (gnt),
    .gnt_out_o (gnt_out),
    .cand_any_o(cand_any),
    .xsel_o    (xsel),
    .slice_o   (slice)
  );

`include "rdt_assert.svh"
`ifdef STARVE
  // Cycles since an MBP has a packet and got nothing.
  logic [11:0] old_q;
  for (genvar k = 0; k < 2; k++) begin : gen_old
    always_ff @(posedge clk_i) begin
      if (!rst_ni || |gnt[11*(8 + k) +: 11])                            old_q[6*k +: 6] <= 6'd0;
      else if (pkt_i[k] && old_q[6*k +: 6] != 6'(rdt_pkg::AgedAt)) old_q[6*k +: 6] <= old_q[6*k +: 6] + 6'd1;
    end
  end

  for (genvar o = 0; o < rdt_pkg::NumOuts; o += 10) begin : gen_out  // all but LOCAL are alike
    logic       counted;  // a round-robin grant
    logic [9:0] last_q;   // the winner of the last such grant
    assign counted = gnt_out[o] && !(o == 10 && gnt[11*8 + o] && !xsel[10*o + 8]);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) last_q <= 10'd0;
      else if (counted) for (int i = 0; i < rdt_pkg::NumPorts; i++) last_q[i] <= gnt[11*i + o];
    end
    for (genvar i = 0; i < rdt_pkg::NumPorts; i++) begin : gen_in
      logic       waits, counts;
      logic [3:0] others_q;  // grants to others since it waits
      logic [3:0] ahead;     // inputs between the last winner and this one
      assign counts = (i < 8) ? 1'b1 : (old_q[6*(i % 2) +: 6] == 6'(rdt_pkg::AgedAt));
      assign waits  = want_i[11*i + o] && !gnt[11*i + o] && counts;
      always_comb begin
        ahead = 4'd0;
        for (int w = 0; w < rdt_pkg::NumPorts; w++)
          if (last_q[w]) ahead = 4'((i + 19 - w) % 10);
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni || !waits) others_q <= 4'd0;
        else if (counted)      others_q <= others_q + 4'd1;
      end
      `RDT_PROMISE("at most nine grants to others while it waits", others_q <= 4'd9)
      `RDT_PROMISE("the grants to others are at most those ahead of it", others_q == 4'd0 || others_q + ahead <= 4'd9)
    end
  end
  logic [1:0] passed_q;  // grants of LOCAL to others while MBP 0 requests it
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !want_i[11*8 + 10] || gnt[11*8 + 10]) passed_q <= 2'd0;
    else if (gnt_out[10] && passed_q != 2'd3)            passed_q <= passed_q + 2'd1;
  end
  `RDT_PROMISE("MBP 0 sees one grant of LOCAL to others at most", passed_q <= 2'd1)
  `RDT_COVER(gen_out[0].gen_in[0].others_q == 4'd9 && gnt[0])
`else
  `RDT_COVER(gnt[0] && gnt[1] && !gnt[12] && gnt[9*11 + 10])
`endif
endmodule
