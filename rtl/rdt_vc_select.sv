// SPDX-License-Identifier: MIT
// Which VC of an input may ask, and for which outputs: one that holds a packet and has a credit on
// some output it still has to go to, the first in cyclic order from sel_i on. Combinational.
// Promises: set_o names upper ports or others, not both, since those copies of a multicast have
// different headers; neither kind waits for the other. In a halted chip only packets for LOCAL, and
// the one that is dumped, to MBP 0.
module rdt_vc_select #(
  parameter int NumVc = 2
) (
  input  logic                halt_i,
  input  logic [NumVc-1:0]    dump_i,  // of this VC, in a halted chip
  input  logic [NumVc-1:0]    val_i,   // VC v holds a packet
  input  logic [NumVc-1:0]    ent_i,   // that has to wait for an ack entry
  input  logic [11*NumVc-1:0] pend_i,
  input  logic [2*NumVc-1:0]  ovc_i,   // VC on rank-0 ports
  input  logic [NumVc-1:0]    uvc_i,   // VC on upper ports
  input  logic [30:0]         credit_i,
  input  logic                open_i,  // otherwise set_o is empty
  input  logic [1:0]          sel_i,
  output logic [1:0]          sel_o,   // sel_i if there is none
  output logic [1:0]          next_o,  // the VC after sel_i
  output logic [10:0]         set_o    // of VC sel_o
);
  logic [9:2] unused_credit;
  for (genvar o = 2; o < rdt_pkg::NumPorts; o++) begin : gen_unused
    if (o < 8) begin : gen_two
      assign unused_credit[o] = credit_i[3*o + 2];
    end else begin : gen_one
      assign unused_credit[o] = |credit_i[3*o + 1 +: 2];
    end
  end

  logic [11*NumVc-1:0] ready;
  logic [NumVc-1:0]    elig, dump;

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic [1:0]  ovc;
    logic [10:0] credit;  // of this packet's VC on each output
    assign ovc = ovc_i[2*v +: 2];
    for (genvar o = 0; o < rdt_pkg::NumOuts; o++) begin : gen_credit
      if (o < 2) begin : gen_three
        assign credit[o] = ovc[1] ? credit_i[3*o + 2] : ovc[0] ? credit_i[3*o + 1] : credit_i[3*o];
      end else if (o < 4) begin : gen_two
        assign credit[o] = ovc[0] ? credit_i[3*o + 1] : credit_i[3*o];
      end else if (o < 8) begin : gen_upper
        assign credit[o] = uvc_i[v] ? credit_i[3*o + 1] : credit_i[3*o];
      end else begin : gen_one
        assign credit[o] = credit_i[3*o];
      end
    end
    assign ready[11*v +: 11] = pend_i[11*v +: 11] & credit;
    assign dump[v]           = dump_i[v] && credit[8];
    assign elig[v]           = val_i[v] && (halt_i ? dump[v] || ready[11*v + 10]
                                                   : !ent_i[v] && (|ready[11*v +: 11]));
  end

  logic [10:0] mine;   // ready outputs of VC sel_o
  logic        dumps;  // VC sel_o is dumped

  if (NumVc == 1) begin : gen_sel1
    assign sel_o  = 2'd0;
    assign next_o = 2'd0;
    assign mine   = ready;
    assign dumps  = dump[0];

    logic unused_sel;
    assign unused_sel = ^sel_i;
  end else if (NumVc == 2) begin : gen_sel2
    assign sel_o  = {1'b0, sel_i[0] ? (elig[1] || !elig[0]) : (elig[1] && !elig[0])};
    assign next_o = {1'b0, !sel_i[0]};
    assign mine   = sel_o[0] ? ready[21:11] : ready[10:0];
    assign dumps  = sel_o[0] ? dump[1] : dump[0];

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
    assign mine   = sel_o[1] ? ready[32:22] : sel_o[0] ? ready[21:11] : ready[10:0];
    assign dumps  = sel_o[1] ? dump[2] : sel_o[0] ? dump[1] : dump[0];
  end

  logic on, low, up;
  assign on    = open_i && (|elig);
  assign up    = on && !halt_i;
  assign low   = up && !(|mine[7:4]);
  assign set_o = {mine[10] && (halt_i ? on && !dumps : low), mine[9] && low,
                  halt_i ? on && dumps : mine[8] && low, mine[7:4] & {4{up}}, mine[3:0] & {4{low}}};

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_vc_select.svh"
`endif
endmodule
