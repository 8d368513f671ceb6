// SPDX-License-Identifier: MIT
// Section 4.5 of the specification: the winner of each output, and the signature of the grants.
module spec_arbiter (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [109:0] want_i,
  input  logic [109:0] cand_i,
  input  logic [10:0]  line_gnt_i,
  input  logic [1:0]   pkt_i,
  output logic [109:0] gnt_o,
  output logic [10:0]  gnt_out_o,
  output logic [9:0]   cand_any_o,
  output logic [109:0] xsel_o,
  output logic         slice_o
);
  logic [10:0] named_q;  // output o was granted before
  logic [43:0] last_q;   // the last winner of each output
  logic [3:0]  turn_q;   // the last round-robin winner of LOCAL
  logic        turned_q;
  logic [9:0]  age_q;
  logic [3:0]  sig_q;

  function automatic logic [3:0] rotl(input logic [3:0] a, input int n);
    for (int k = 0; k < 4; k++) rotl[(k + n) % 4] = a[k];
  endfunction

  // The winner of output o among the requests; 15 if there is none.
  function automatic logic [3:0] winner(input logic [9:0] want, input logic [1:0] aged, input logic named, input logic [3:0] last);
    logic [9:0] first;
    first = want & {aged, 8'hFF};
    winner = spec_pkg::next_after((first != 10'd0) ? first : want, named ? last : 4'd15);
  endfunction

  logic [1:0]  aged;
  logic [43:0] win;
  logic        out_of_turn;
  logic [3:0]  h;
  logic [9:0]  want;
  always_comb begin
    aged      = {age_q[9:5] == 5'd31, age_q[4:0] == 5'd31};
    gnt_o     = 110'd0;
    gnt_out_o = 11'd0;
    h         = 4'd0;
    win       = 44'd0;
    for (int o = 0; o < 11; o++) begin
      for (int i = 0; i < 10; i++) want[i] = want_i[11*i + o];
      win[4*o +: 4] = (o == 10) ? winner(want, aged, turned_q, turn_q) : winner(want, aged, named_q[o], last_q[4*o +: 4]);
      if (o == 10 && out_of_turn) win[4*o +: 4] = 4'd8;
      gnt_out_o[o] = line_gnt_i[o] && (want != 10'd0);
      for (int i = 0; i < 10; i++) gnt_o[11*i + o] = gnt_out_o[o] && (win[4*o +: 4] == 4'(i));
      if (gnt_out_o[o]) h = h ^ rotl(win[4*o +: 4] + 4'd1, o % 4);
    end
  end
  assign out_of_turn = want_i[11*8 + 10] && !(named_q[10] && last_q[43:40] == 4'd8);

  always_comb begin
    cand_any_o = 10'd0;
    for (int i = 0; i < 10; i++) cand_any_o = cand_any_o | cand_i[11*i +: 10];
    for (int o = 0; o < 11; o++)
      for (int i = 0; i < 10; i++) xsel_o[10*o + i] = named_q[o] && (last_q[4*o +: 4] == 4'(i));
  end
  assign slice_o = sig_q[3];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      named_q  <= 11'd0;
      last_q   <= 44'd0;
      turn_q   <= 4'd0;
      turned_q <= 1'b0;
      age_q    <= 10'd0;
      sig_q    <= 4'd0;
    end else begin
      for (int o = 0; o < 11; o++) begin
        if (gnt_out_o[o]) begin
          named_q[o]       <= 1'b1;
          last_q[4*o +: 4] <= win[4*o +: 4];
        end
      end
      if (gnt_out_o[10] && !out_of_turn) begin
        turned_q <= 1'b1;
        turn_q   <= win[43:40];
      end
      for (int k = 0; k < 2; k++) begin
        if (gnt_o[11*(8 + k) +: 11] != 11'd0) age_q[5*k +: 5] <= 5'd0;
        else if (pkt_i[k] && age_q[5*k +: 5] < 5'd31) age_q[5*k +: 5] <= age_q[5*k +: 5] + 5'd1;
      end
      sig_q <= rotl(sig_q, 1) ^ h;
    end
  end
endmodule
