// SPDX-License-Identifier: MIT
// Section 4.7 of the specification: what an output sends, with which header, and its credits.
module spec_output_unit #(
  parameter int DataW      = rdt_pkg::FlitW,
  parameter int OutPort    = 0,
  parameter int NumVc      = 3,
  parameter int NumEntries = rdt_pkg::NumEntries,
  parameter int RegReq     = 0
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      raw_i,
  input  logic                      tick_i,
  input  logic                      slow_i,
  input  logic                      sink_i,
  input  logic [4:0]                rank_i,
  input  logic [DataW+1:0]          x_i,
  input  logic                      gnt_i,
  input  logic                      cand_any_i,
  output logic                      xb_gnt_o,
  output logic [2:0]                credit_o,
  input  logic                      line_gnt_i,
  input  logic                      line_void_i,
  input  logic                      hush_i,
  input  logic                      ask_i,
  input  logic                      call_i,
  input  logic                      down_i,
  input  logic                      up_i,
  input  logic                      ann_i,
  output logic                      tx_o,
  output logic                      late_o,
  input  logic                      loc_want_i,
  input  logic [DataW+1:0]          loc_x_i,
  output logic                      loc_gnt_o,
  input  logic [4*NumEntries-1:0]   gen_i,
  output logic                      ev_cred_o,
  output logic                      ev_owed_o,
  output logic                      ev_sunk_o,
  input  logic [1:0]                cred_i,
  output logic [DataW-1:0]          d_o,
  output logic                      d_oe_o,
  output logic [1:0]                req_o
);
  logic             tx_q, txloc_q, sunk_q, rw_q, mc_q, hop_q, oe_q, gap_q;
  logic [1:0]       hidx_q, req_q, in_q, vc_q, gone_q, pin_q;
  logic [2:0]       tag_q;
  logic [DataW-1:0] d_q;
  logic [5:0]       owed_q;

  // The stream.
  logic             dead, offer, start, sends, rw, mc, hop, raw, first, last;
  logic [DataW+1:0] x;
  logic [1:0]       code;
  logic [2:0]       kind, tag;
  assign dead      = sink_i && gone_q == 2'd2;
  assign offer     = dead ? !tx_q : line_gnt_i && !(tx_q && sunk_q);
  assign xb_gnt_o  = offer && !loc_want_i;
  assign loc_gnt_o = offer && loc_want_i;
  assign start     = gnt_i || loc_gnt_o;
  assign ev_sunk_o = start && dead;
  assign tx_o      = tx_q;
  assign x         = txloc_q ? loc_x_i : x_i;
  assign first     = (hidx_q == 2'd0);
  assign code      = (OutPort >= 8 && first) ? 2'd1 : x[DataW+1:DataW];
  assign last      = !first && code == 2'd1;
  assign sends     = tx_q && !sunk_q;
  assign kind      = x[rdt_pkg::H0TypeHi:rdt_pkg::H0TypeLo];
  assign raw       = raw_i && OutPort == 8;
  assign rw        = first ? (kind == rdt_pkg::TypeUni || kind == rdt_pkg::TypeSetup) : rw_q;
  assign mc        = first ? spec_pkg::is_multicast(kind) : mc_q;
  assign hop       = first ? code == 2'd3 : hop_q;
  assign tag       = first ? x[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo] : tag_q;

  // The header.
  logic [16:0]      was, now;
  logic [3:0]       generation;
  logic             flip_vc;
  logic [DataW-1:0] flit;
  always_comb begin
    generation = 4'd0;
    for (int t = 1; t <= NumEntries; t++) if (tag == 3'(t)) generation = gen_i[4*(t-1) +: 4];
    was = x[16:0];
    now = was;
    for (int k = 0; k < 3; k++)
      if (hidx_q == 2'(k) && !txloc_q && !raw)
        now = spec_pkg::rewrite(was, k, OutPort, rw, mc, hop && OutPort < 2, spec_pkg::rank_number(rank_i),
                                generation, tag != 3'd0);
    flip_vc = OutPort < 8 && !txloc_q && ((hidx_q == 2'd1 && vc_q == 2'd2 && NumVc == 3) || (hidx_q == 2'd2 && vc_q == 2'd1));
    flit = x[DataW-1:0];
    for (int n = 0; n < DataW / 18; n++)
      flit[18*n +: 18] = x[18*n +: 18] ^ {(^(was ^ now)) ^ flip_vc, was ^ now};
  end

  // Credits.
  logic [1:0] cred;
  logic       live, confirmed;
  logic [1:0] in_d;
  logic       gap_d;
  logic [5:0] owed_d;
  logic [1:0] owed;
  logic       away, used;
  assign cred = (RegReq == 0) ? cred_i : pin_q;
  assign live = up_i || ann_i;
  always_comb begin
    in_d      = 2'd0;
    gap_d     = 1'b0;
    confirmed = 1'b0;
    ev_cred_o = 1'b0;
    if (live) begin
      if (gap_q) begin
        gap_d = (cred != 2'd0);
      end else if (in_q == 2'd0) begin
        if (cred > 2'(NumVc)) begin
          ev_cred_o = !call_i;
          gap_d     = 1'b1;
        end else begin
          in_d = cred;
        end
      end else if (cred == in_q) begin
        confirmed = 1'b1;
        gap_d     = 1'b1;
      end else begin
        ev_cred_o = !call_i;
        gap_d     = (cred != 2'd0);
      end
    end
    owed_d    = owed_q;
    ev_owed_o = 1'b0;
    late_o    = 1'b0;
    credit_o  = 3'd0;
    for (int v = 0; v < NumVc; v++) begin
      owed = owed_q[2*v +: 2];
      away = confirmed && in_q == 2'(v + 1);
      used = sends && first && code == 2'(v + 1) && kind != rdt_pkg::TypeAck;
      if (up_i && owed == 2'd3) late_o = 1'b1;
      credit_o[v] = (owed == 2'd0) || dead;
      if (up_i) begin
        if (used)                          owed = 2'd1;
        else if (away)                     owed = 2'd0;
        else if (slow_i && owed == 2'd1)   owed = 2'd2;
        else if (slow_i && owed == 2'd2)   owed = 2'd3;
        if (call_i) owed = (owed == 2'd0) ? 2'd1 : 2'd3;
      end else if (ann_i) begin
        if (away) begin
          if (owed == 2'd3) ev_owed_o = 1'b1;
          owed = 2'd0;
        end else if (!down_i && owed == 2'd3) begin
          owed = 2'd1;
        end
        if (call_i && owed == 2'd0) owed = 2'd1;
      end else begin
        if (used) owed = 2'd3;
      end
      owed_d[2*v +: 2] = owed;
    end
  end

  // Pins.
  logic want, there;
  assign want   = ((cand_any_i || loc_want_i) && !dead && !hush_i) || ask_i;
  assign there  = up_i && (OutPort < 8 || owed_q[1:0] == 2'd0);
  assign d_o    = d_q;
  assign d_oe_o = oe_q;
  assign req_o  = req_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tx_q   <= 1'b0;
      hidx_q <= 2'd0;
      txloc_q <= 1'b0;
      d_q    <= '0;
      oe_q   <= 1'b0;
      req_q  <= 2'd0;
      in_q   <= 2'd0;
      gap_q  <= 1'b0;
      owed_q <= {3{2'd1}};
      gone_q <= 2'd0;
      pin_q  <= 2'd0;
    end else begin
      if (start) begin
        tx_q    <= 1'b1;
        hidx_q  <= 2'd0;
        txloc_q <= loc_gnt_o;
      end else if (tx_q) begin
        if (hidx_q != 2'd3) hidx_q <= hidx_q + 2'd1;
        if (last) tx_q <= 1'b0;
      end
      if (tx_q) d_q <= flit;
      oe_q <= sends && !down_i;
      if (call_i)                           req_q <= 2'd3;
      else if (down_i)                      req_q <= 2'd0;
      else if (sends && (first || code == 2'd2)) req_q <= code;
      else if (line_void_i && !sends)       req_q <= 2'd0;
      else                                  req_q <= {1'b0, want};
      in_q   <= in_d;
      gap_q  <= gap_d;
      owed_q <= owed_d;
      pin_q  <= cred_i;
      if (there)                            gone_q <= 2'd0;
      else if (tick_i && gone_q < 2'd2)     gone_q <= gone_q + 2'd1;
    end
    if (start) sunk_q <= dead;
    if (tx_q && first) begin
      rw_q  <= rw;
      mc_q  <= mc;
      hop_q <= hop;
      vc_q  <= code - 2'd1;
      tag_q <= tag;
    end
  end
endmodule
