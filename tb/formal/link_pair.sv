// SPDX-License-Identifier: MIT
// Two ends of a link, each switched on and off, reset, and used at any time. With FLIP, one of the pins that
// an end sees is inverted in one cycle (link_flips.cpp).
module link_pair #(
  parameter int NumVc    = 2,
  parameter int RegReq   = 0,
  parameter int BackMost = 8,  // cycles that a credit may be on its way back
  parameter int FlipMost = 64  // cycles after a flip until both ends are up for good
) (
  input logic        clk_i,
  input logic [1:0]  reset_i,
  input logic [1:0]  link_en_i,
  input logic [1:0]  slow_i,
  input logic [1:0]  tick_i,
  input logic [1:0]  sink_i,
  input logic [1:0]  cand_i,
  input logic [1:0]  gnt_i,
  input logic [3:0]  vc_i,
  input logic [1:0]  more_i,
  input logic [1:0]  ack_want_i,
  input logic [1:0]  spoilt_i,
  input logic [5:0]  empty_i,
`ifdef FLIP
  input logic        flip_i,     // now
  input logic        flip_end_i, // at this end
  input logic [4:0]  flip_pin_i, // D, CRED, REQ
  output logic [1:0] up_o,
  output logic       lost_o,     // so far
  output logic       told_o,
`endif
  input logic [1:0]  late_i
);
  logic       on_q;
  logic [1:0] rst_n;
  logic       rst_ni;
  initial on_q = 1'b0;
  always_ff @(posedge clk_i) on_q <= 1'b1;
  assign rst_n  = {2{on_q}} & ~reset_i;
  assign rst_ni = on_q;

  logic [35:0] d;
  logic [17:0] line;
  logic [1:0]  oe, up, grant, trouble, ev_cred, ev_owed, over, fresh;
  logic [3:0]  req, cred;
  logic [5:0]  credit, full, coming, sent, back, seen;

  // An undriven line reads 0.
  assign line = (d[17:0] & {18{oe[0]}}) | (d[35:18] & {18{oe[1]}});

  logic [21:0] flip [2];  // {REQ, CRED, D} as seen by each end
`ifdef FLIP
  localparam int Parity = 1;
  logic        flipped_q;
  assign flip[0] = (flip_i && !flipped_q && on_q && !flip_end_i) ? 22'd1 << flip_pin_i : 22'd0;
  assign flip[1] = (flip_i && !flipped_q && on_q && flip_end_i)  ? 22'd1 << flip_pin_i : 22'd0;
  always_ff @(posedge clk_i) flipped_q <= on_q && (flipped_q || flip_i);
`else
  localparam int Parity = 0;
  assign flip[0] = 22'd0;
  assign flip[1] = 22'd0;
`endif

  for (genvar e = 0; e < 2; e++) begin : gen_end
    link_end #(.NumVc(NumVc), .Prio(e), .OutPort(NumVc == 3 ? 0 : NumVc == 2 ? 2 : 8), .RegReq(RegReq),
               .Parity(Parity)) u_end (
      .clk_i(clk_i), .rst_ni(rst_n[e]),
      .link_en_i(link_en_i[e]), .slow_i(slow_i[e]), .tick_i(tick_i[e]), .sink_i(sink_i[e]), .cand_i(cand_i[e]),
      .gnt_i(gnt_i[e]), .vc_i(vc_i[2*e +: 2]), .more_i(more_i[e]), .ack_want_i(ack_want_i[e]),
      .spoilt_i(spoilt_i[e]), .empty_i(empty_i[3*e +: 3]), .late_i(late_i[e]),
      .d_i(line ^ flip[e][17:0]), .req_i(req[2*(1-e) +: 2] ^ flip[e][21:20]), .cred_i(cred[2*(1-e) +: 2] ^ flip[e][19:18]),
      .d_o(d[18*e +: 18]), .oe_o(oe[e]), .req_o(req[2*e +: 2]), .cred_o(cred[2*e +: 2]),
      .up_o(up[e]), .grant_o(grant[e]), .trouble_o(trouble[e]), .ev_cred_o(ev_cred[e]),
      .credit_o(credit[3*e +: 3]), .full_o(full[3*e +: 3]), .coming_o(coming[3*e +: 3]),
      .sent_o(sent[3*e +: 3]), .back_o(back[3*e +: 3]), .seen_o(seen[3*e +: 3]), .over_o(over[e]),
      .fresh_o(fresh[e]), .ev_owed_o(ev_owed[e])
    );
  end

`include "rdt_assert.svh"
  for (genvar e = 0; e < 2; e++) begin : gen_assume
    always @* assume (vc_i[2*e +: 2] < 2'(NumVc));
  end

`ifdef DRIVERS
  `RDT_PROMISE("never two drivers", !(&oe))
  `RDT_PROMISE("never two owners", !(&grant))
  `RDT_COVER(oe[0] && up == 2'b11 && (RegReq == 0 ? grant[1] : req[3:2] == 2'd1))
`endif

`ifdef CREDITS
  always @* assume (sink_i == 2'd0);  // a dead output consumes without credits
  logic upset_q;
  always_ff @(posedge clk_i) upset_q <= on_q && (upset_q || (|reset_i) || (|spoilt_i));
  for (genvar e = 0; e < 2; e++) begin : gen_credit
    // A call of the other end, reset or upset, may look like the start of a packet.
    `RDT_PROMISE("nothing comes without a buffer for it", !over[e] || upset_q)
    `RDT_PROMISE("CRED is never disturbed", !ev_cred[e] || upset_q)
    for (genvar v = 0; v < NumVc; v++) begin : gen_vc
      `RDT_PROMISE("a credit in hand is a buffer that is empty",
                   !up[e] || !credit[3*e + v] || !(full[3*(1-e) + v] || coming[3*(1-e) + v]))
    end
  end
  `RDT_COVER(full[0] && full[NumVc + 2] && (NumVc == 1 || credit[0]) && up == 2'b11)
`endif

`ifdef LINE
  // Between ends that stay on, a request for the line is granted, whatever the buffers of either end do.
  // So no holder of the line waits for a buffer: in the graph of what waits for what no edge leads
  // from a line to anything (tb/lab/line_graph.cpp).
  always @* assume (reset_i == 2'd0 && (&link_en_i) && slow_i == 2'd0 && sink_i == 2'd0 && spoilt_i == 2'd0);
  localparam int Most = 48;  // cycles: the own packet before, one of the other end, and turns between
  for (genvar e = 0; e < 2; e++) begin : gen_line
    logic [5:0] wait_q;
    logic       waits;
    assign waits = (&up) && (cand_i[e] || ack_want_i[e]) && !grant[e];
    always_ff @(posedge clk_i) begin
      if (!waits || !on_q)         wait_q <= 6'd0;
      else if (wait_q != 6'(Most)) wait_q <= wait_q + 6'd1;
    end
    `RDT_PROMISE("a request for the line is granted", wait_q != 6'(Most))
  end
  // All buffers of both ends are full, no credit is left, and an end still requests.
  `RDT_COVER(full[NumVc-1:0] == '1 && full[3 +: NumVc] == '1 && gen_line[0].wait_q == 6'd16)
`endif

`ifdef LOSS
  // Between ends that are up every credit is somewhere: in hand, on the line with a packet, in a buffer, or on
  // its way back. Registers at the pins hold one unseen.
  always @* assume (sink_i == 2'd0);
  localparam int Hidden = 2 * RegReq;  // cycles
  for (genvar e = 0; e < 2; e++) begin : gen_loss
    for (genvar v = 0; v < NumVc; v++) begin : gen_vc
      localparam int Own = 3 * e + v, Far = 3 * (1 - e) + v;
      logic [1:0] lost_q;
      logic       lost;
      assign lost = (&up) && (&rst_n) &&
                    !(credit[Own] || sent[Own] || coming[Far] || full[Far] || back[Far] || seen[Own]);
      always_ff @(posedge clk_i) lost_q <= lost ? lost_q + 2'd1 : 2'd0;
      `RDT_PROMISE("no credit is lost", !(lost && lost_q == 2'(Hidden)))
    end
  end
  `RDT_COVER(full[0] && back[NumVc+2] && up == 2'b11)
`endif

`ifdef BACK
  // And on its way back it does not stay.
  always @* assume (sink_i == 2'd0);
  for (genvar e = 0; e < 2; e++) begin : gen_back
    for (genvar v = 0; v < NumVc; v++) begin : gen_vc
      logic [4:0] wait_q;
      always_ff @(posedge clk_i) begin
        if (!(&up) || !(&rst_n) || !back[3*e + v]) wait_q <= 5'd0;
        else if (wait_q != 5'(BackMost))           wait_q <= wait_q + 5'd1;
      end
      `RDT_PROMISE("a credit that goes back arrives", wait_q != 5'(BackMost))
    end
  end
  `RDT_COVER(gen_back[0].gen_vc[NumVc-1].wait_q == 5'(BackMost-1))
`endif

`ifdef FLIP
  // Ends that stay on. Slow ticks, which find missing credits, come when the link has recovered.
  always @* assume (reset_i == 2'd0 && (&link_en_i) && tick_i == 2'd0 && sink_i == 2'd0);
  always @* assume (slow_i == 2'd0 || after_q == 8'(FlipMost));
  always @* assume (flip_pin_i < 5'd22);
  logic [7:0] after_q;   // cycles since the flip
  logic       told_q, lost_q, told, run_q, ticked_q;
  logic [1:0] lost;
  initial run_q = 1'b0;
  always_ff @(posedge clk_i) run_q <= on_q;  // the values before reset are gone
  assign told = (|trouble) || (|ev_cred) || (|ev_owed);
  // A packet is in the buffer of the other end a few cycles after its first flit was on the line, or is lost.
  for (genvar e = 0; e < 2; e++) begin : gen_flight
    logic       flight_q, starts;
    logic [3:0] age_q;
    assign starts  = |sent[3*e +: 3];
    assign lost[e] = flight_q ? !fresh[1-e] && (starts || age_q == 4'd8) : fresh[1-e];  // lost, or never sent
    always_ff @(posedge clk_i) begin
      flight_q <= run_q && (starts || (flight_q && !fresh[1-e] && !lost[e]));
      age_q    <= starts ? 4'd0 : age_q + 4'd1;
    end
  end
  assign {up_o, lost_o, told_o} = {up, lost_q, told_q};
  always_ff @(posedge clk_i) begin
    after_q <= (!on_q || !(flipped_q || flip_i)) ? 8'd0 : (after_q == 8'(FlipMost)) ? after_q : after_q + 8'd1;
    told_q  <= run_q && (told_q || told);
    lost_q  <= run_q && (lost_q || (|lost));
    ticked_q <= on_q && (ticked_q || (|slow_i));
  end
  `RDT_PROMISE("nothing is lost or reported without a flip", flipped_q || flip_i || !run_q || !((|lost) || told))
  `RDT_PROMISE("both ends are up again after a flip", after_q != 8'(FlipMost) || ticked_q || (&up))
`endif
endmodule
