// SPDX-License-Identifier: MIT
// One round-robin arbiter per crossbar output, all in one cycle.
// The MBPs come after the links, so that traffic in transit is not held up by traffic that
// enters; an MBP whose packet has waited AgedAt cycles, with a credit or without, counts as a link.
// MBP 0 waits for LOCAL (output 10) for one other packet at most, so that it can always set up the chip.
// Promises: an output whose line is offered (line_gnt_i) and that is requested is granted to one
// input. An input may be granted several outputs at once; all of them get the same pass. Two chips
// that grant differently show it on slice_o within four cycles.
module rdt_arbiter (
  // Clock and reset.
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // Requests of inputs for outputs, bit 11*i + o: for the crossbar, and for the line.
  input  logic [rdt_pkg::NumOuts*rdt_pkg::NumPorts-1:0] want_i,
  input  logic [rdt_pkg::NumOuts*rdt_pkg::NumPorts-1:0] cand_i,
  // Outputs whose line is offered.
  input  logic [rdt_pkg::NumOuts-1:0]                   line_gnt_i,
  // Inputs of the MBPs, whose packets age.
  input  logic [1:0]                                    pkt_i,       // the inputs of the MBPs hold a packet
  // Grants, bit 11*i + o, and by output alone.
  output logic [rdt_pkg::NumOuts*rdt_pkg::NumPorts-1:0] gnt_o,
  output logic [rdt_pkg::NumOuts-1:0]                   gnt_out_o,
  // Outputs whose line is requested; setting of the crossbar; signature of the grants.
  output logic [rdt_pkg::NumPorts-1:0]                  cand_any_o,
  output logic [rdt_pkg::NumPorts*rdt_pkg::NumOuts-1:0] xsel_o,
  output logic                                          slice_o
);
  localparam int NumPorts = rdt_pkg::NumPorts;
  localparam int NumOuts  = rdt_pkg::NumOuts;
  localparam int NumNet   = rdt_pkg::NumNet;

  logic [NumPorts*NumOuts-1:0] xsel_d, xsel_q;
  logic [9:0]                  age_d, age_q;  // two counters of 5 bits
  logic [3:0]                  sig_d, sig_q;

  logic [1:0]                  aged;

  for (genvar k = 0; k < 2; k++) begin : gen_age
    logic [4:0] age;
    assign age     = age_q[5*k +: 5];
    assign aged[k] = (age == 5'(rdt_pkg::AgedAt));
    assign age_d[5*k +: 5] = (age + 5'(pkt_i[k] && !aged[k])) & {5{!(|gnt_o[NumOuts*(NumNet + k) +: NumOuts])}};
  end

  for (genvar o = 0; o < NumOuts; o++) begin : gen_out
    logic [NumPorts-1:0] want, req, xsel, mask, pick, win;
    logic [1:0]          mbps;
    logic                transit, first;

    for (genvar i = 0; i < NumPorts; i++) begin : gen_want
      assign want[i] = want_i[NumOuts*i + o];
    end

    assign xsel = xsel_q[NumPorts*o +: NumPorts];

    // The mask of the round robin, the inputs above the last winner, follows from the last
    // winner, which xsel_q keeps anyway; so it needs no register.
    if (o == rdt_pkg::OutLocal) begin : gen_first
      // MBP 0 goes first unless it was the last; its turns out of order do not count for the others'.
      logic [NumPorts-1:0] mask_d, mask_q;
      assign first  = want[NumNet] && !xsel[NumNet];
      assign mask   = mask_q;
      assign mask_d = (gnt_out_o[o] && !first) ? rdt_ports_pkg::above10(win) : mask_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) mask_q <= '0;
        else         mask_q <= mask_d;
      end
    end else begin : gen_turns
      assign first   = 1'b0;
      assign mask[0] = 1'b0;
      for (genvar i = 1; i < NumPorts; i++) begin : gen_mask
        assign mask[i] = |xsel[i-1:0];
      end
    end

    assign mbps    = want[NumPorts-1:NumNet];
    assign transit = (|want[NumNet-1:0]) || (|(mbps & aged));
    assign req     = {mbps & (aged | {2{!transit}}), want[NumNet-1:0]};
    assign pick    = req & (mask | {NumPorts{(req & mask) == '0}});
    assign win     = first ? 10'h100 : rdt_ports_pkg::low10(pick);

    assign gnt_out_o[o] = line_gnt_i[o] && (|want);
    assign xsel_d[NumPorts*o +: NumPorts] = gnt_out_o[o] ? win : xsel;

    for (genvar i = 0; i < NumPorts; i++) begin : gen_gnt
      assign gnt_o[NumOuts*i + o] = win[i] && line_gnt_i[o];
    end
  end

  function automatic logic [NumPorts-1:0] any_in(input logic [NumOuts*NumPorts-1:0] c);
    any_in = '0;
    for (int i = 0; i < NumPorts; i++) any_in = any_in | c[NumOuts*i +: NumPorts];
  endfunction

  assign cand_any_o = any_in(cand_i);

  assign xsel_o  = xsel_q;

  // Signature of all grants: output o adds the winner's number plus one, turned left by o.
  function automatic logic [3:0] turn(input logic [3:0] d, input int n);
    turn = 4'({d, d} >> (4 - n % 4));
  endfunction

  function automatic logic [3:0] mix(input logic [NumOuts*NumPorts-1:0] g);
    logic [3:0] number;
    mix = 4'd0;
    for (int o = 0; o < NumOuts; o++) begin
      number = 4'd0;
      for (int i = 0; i < NumPorts; i++) number = number | (4'(i + 1) & {4{g[NumOuts*i + o]}});
      mix = mix ^ turn(number, o);
    end
  endfunction

  assign sig_d   = turn(sig_q, 1) ^ mix(gnt_o);
  assign slice_o = sig_q[3];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      xsel_q  <= '0;
      age_q   <= 10'd0;
      sig_q   <= 4'd0;
    end else begin
      xsel_q  <= xsel_d;
      age_q   <= age_d;
      sig_q   <= sig_d;
    end
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_arbiter.svh"
`endif
endmodule
