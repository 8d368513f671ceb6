// SPDX-License-Identifier: MIT
// Which VC of an input may ask for its output: one that holds a packet and whose output has a
// credit, the first in cyclic order from sel_i on. Combinational.
// Relies on: dst and aux as rdt_route makes them, so ovc is 2 only for E0 and W0, 0 for the MBPs.
module rdt_vc_select #(
  parameter int NumVc = 2
) (
  input  logic [NumVc-1:0]   val_i,
  input  logic [4*NumVc-1:0] dst_i,
  input  logic [4*NumVc-1:0] aux_i,
  input  logic [30:0]        credit_i,
  input  logic [1:0]         sel_i,
  output logic               any_o,
  output logic [1:0]         sel_o,   // sel_i if there is none
  output logic [1:0]         next_o,  // the VC after sel_i
  output logic [3:0]         dst_o    // of VC sel_o
);
  // One row of four for each dst. A VC that no route names at that dst shows another's bit, which
  // makes the lookup smaller. LOCAL has one bit for all, because aux holds the error code there.
  logic [63:0] credit;
  logic [9:2]  unused_credit;

  for (genvar o = 0; o < 16; o++) begin : gen_row
    if (o < 2) begin : gen_three
      assign credit[4*o +: 4] = {credit_i[3*o + 2], credit_i[3*o +: 3]};
    end else if (o < 8) begin : gen_two
      assign credit[4*o +: 4] = {2{credit_i[3*o +: 2]}};
      assign unused_credit[o] = credit_i[3*o + 2];
    end else if (o < 10) begin : gen_one
      assign credit[4*o +: 4] = {4{credit_i[3*o]}};
      assign unused_credit[o] = |credit_i[3*o + 1 +: 2];
    end else begin : gen_local
      assign credit[4*o +: 4] = {4{credit_i[30]}};
    end
  end

  logic [NumVc-1:0] elig;
  logic [NumVc-1:0] unused_aux;

  for (genvar v = 0; v < NumVc; v++) begin : gen_elig
    assign elig[v]       = val_i[v] && credit[{dst_i[4*v +: 4], aux_i[4*v +: 2]}];
    assign unused_aux[v] = |aux_i[4*v + 2 +: 2];
  end

  assign any_o = |elig;

  if (NumVc == 1) begin : gen_sel1
    assign sel_o  = 2'd0;
    assign next_o = 2'd0;
    assign dst_o  = dst_i;

    logic unused_sel;
    assign unused_sel = ^sel_i;
  end else if (NumVc == 2) begin : gen_sel2
    assign sel_o  = {1'b0, sel_i[0] ? (elig[1] || !elig[0]) : (elig[1] && !elig[0])};
    assign next_o = {1'b0, !sel_i[0]};
    assign dst_o  = sel_o[0] ? dst_i[7:4] : dst_i[3:0];

    logic unused_sel;
    assign unused_sel = sel_i[1];
  end else begin : gen_sel3
    always_comb begin
      case (sel_i)
        2'd0:    sel_o = elig[0] ? 2'd0 : elig[1] ? 2'd1 : elig[2] ? 2'd2 : 2'd0;
        2'd1:    sel_o = elig[1] ? 2'd1 : elig[2] ? 2'd2 : elig[0] ? 2'd0 : 2'd1;
        default: sel_o = elig[2] ? 2'd2 : elig[0] ? 2'd0 : elig[1] ? 2'd1 : 2'd2;
      endcase
    end
    assign next_o = {sel_i[0], !(|sel_i)};
    assign dst_o  = sel_o[1] ? dst_i[11:8] : sel_o[0] ? dst_i[7:4] : dst_i[3:0];
  end
endmodule
