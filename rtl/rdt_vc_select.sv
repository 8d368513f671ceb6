// SPDX-License-Identifier: MIT
// Selects the VC of an input that requests, and its outputs: the first in cyclic order from sel_i
// that holds a packet and has a credit on some pending output. Combinational. The arriving packet
// counts from the cycle in which it is routed; its requests are known late and are merged last.
// Promises: set_o names upper ports or others, not both, since those copies of a multicast have
// different headers; neither kind waits for the other. In a halted chip only packets for LOCAL, and
// the one that is dumped, to MBP 0. Relies on: fresh_i names no VC that val_i does; without it
// rdy_i means nothing.
module rdt_vc_select #(
  // Virtual channels of the port, one buffer each.
  parameter int NumVc = 2
) (
  // The router is halted; buffers to be dumped.
  input  logic                halt_i,
  input  logic [NumVc-1:0]    dump_i,  // dump of this VC, in a halted router
  // Packets that wait, outputs they need and VCs they use there.
  input  logic [NumVc-1:0]    val_i,   // VC v holds a packet
  input  logic [NumVc-1:0]    ent_i,   // that has to wait for an ack entry
  input  logic [rdt_pkg::NumOuts*NumVc-1:0] pend_i,
  input  logic [2*NumVc-1:0]  ovc_i,   // VC on rank-0 ports
  input  logic [NumVc-1:0]    uvc_i,   // VC on upper ports
  // Credits of all outputs; whether the input may present a packet.
  input  logic [rdt_pkg::CreditW-1:0] credit_i,
  input  logic                open_i,  // otherwise set_o is empty
  // VC that was presented last.
  input  logic [1:0]          sel_i,
  // The packet that is just complete.
  input  logic [NumVc-1:0]    fresh_i, // a packet comes in
  input  logic [1:0]          fresh_vc_i,
  input  logic [10:0]         rdy_i,   // outputs it may request, with credits
  // VC that is presented, the next in round-robin order, and the outputs it requests.
  output logic [1:0]          sel_o,   // sel_i if there is none
  output logic [1:0]          next_o,  // the VC after sel_i
  output logic [10:0]         set_o    // outputs of VC sel_o
);
  localparam int MaxVc    = rdt_pkg::MaxVc;
  localparam int NumOuts  = rdt_pkg::NumOuts;
  localparam int OutLocal = rdt_pkg::OutLocal;

  logic [9:2] unused_credit;
  for (genvar o = 2; o < rdt_pkg::NumPorts; o++) begin : gen_unused
    if (o < 8) begin : gen_two
      assign unused_credit[o] = credit_i[MaxVc*o + 2];
    end else begin : gen_one
      assign unused_credit[o] = |credit_i[MaxVc*o + 1 +: 2];
    end
  end

  logic [NumOuts*NumVc-1:0] ready;
  logic [NumVc-1:0]    elig, dump;

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic [1:0]  ovc;
    logic [NumOuts-1:0] credit;  // credits of this packet's VC on each output
    assign ovc = ovc_i[2*v +: 2];
    for (genvar o = 0; o < NumOuts; o++) begin : gen_credit
      if (o < 2) begin : gen_three
        assign credit[o] = ovc[1] ? credit_i[MaxVc*o + 2] : ovc[0] ? credit_i[MaxVc*o + 1] : credit_i[MaxVc*o];
      end else if (o < 4) begin : gen_two
        assign credit[o] = ovc[0] ? credit_i[MaxVc*o + 1] : credit_i[MaxVc*o];
      end else if (o < 8) begin : gen_upper
        assign credit[o] = uvc_i[v] ? credit_i[MaxVc*o + 1] : credit_i[MaxVc*o];
      end else begin : gen_one
        assign credit[o] = credit_i[MaxVc*o];
      end
    end
    assign ready[NumOuts*v +: NumOuts] = pend_i[NumOuts*v +: NumOuts] & credit;
    assign dump[v]           = dump_i[v] && credit[rdt_pkg::PortM0];
    assign elig[v]           = val_i[v] && (halt_i ? dump[v] || ready[NumOuts*v + OutLocal]
                                                   : !ent_i[v] && (|ready[NumOuts*v +: NumOuts]));
  end

  logic [1:0]  held;   // the choice among those that are stored
  logic [NumOuts-1:0] mine;   // its ready outputs
  logic        dumps;  // it is dumped
  logic        first;  // no other comes before the packet that comes in

  if (NumVc == 1) begin : gen_sel1
    assign held   = 2'd0;
    assign next_o = 2'd0;
    assign mine   = ready;
    assign dumps  = dump[0];
    assign first  = fresh_i[0];

    logic unused_sel;
    assign unused_sel = ^sel_i;
  end else if (NumVc == 2) begin : gen_sel2
    assign held   = {1'b0, sel_i[0] ? (elig[1] || !elig[0]) : (elig[1] && !elig[0])};
    assign next_o = {1'b0, !sel_i[0]};
    assign mine   = held[0] ? ready[NumOuts +: NumOuts] : ready[0 +: NumOuts];
    assign dumps  = held[0] ? dump[1] : dump[0];
    assign first  = (fresh_i[0] && !(elig[1] && sel_i[0])) || (fresh_i[1] && !(elig[0] && !sel_i[0]));

    logic unused_sel;
    assign unused_sel = sel_i[1];
  end else begin : gen_sel3
    logic e0, e1, e2;
    assign {e2, e1, e0} = elig;
    always_comb begin
      case (sel_i)
        2'd0:    held = e0 ? 2'd0 : e1 ? 2'd1 : e2 ? 2'd2 : 2'd0;
        2'd1:    held = e1 ? 2'd1 : e2 ? 2'd2 : e0 ? 2'd0 : 2'd1;
        default: held = e2 ? 2'd2 : e0 ? 2'd0 : e1 ? 2'd1 : 2'd2;
      endcase
    end
    assign next_o = {sel_i[0], !(|sel_i)};
    assign mine   = held[1] ? ready[2*NumOuts +: NumOuts] : held[0] ? ready[NumOuts +: NumOuts] : ready[0 +: NumOuts];
    assign dumps  = held[1] ? dump[2] : held[0] ? dump[1] : dump[0];

    logic [2:0] from;  // sel_i, one-hot
    assign from  = {sel_i, !(|sel_i)};
    assign first = (fresh_i[0] && !(elig[1] && from[1]) && !(elig[2] && !from[0])) ||
                   (fresh_i[1] && !(elig[2] && from[2]) && !(elig[0] && !from[1])) ||
                   (fresh_i[2] && !(elig[0] && from[0]) && !(elig[1] && !from[2]));
  end

  logic        on, low, up;
  logic [10:0] held_set;
  assign on       = open_i && (|elig);
  assign up       = on && !halt_i;
  assign low      = up && !(|mine[7:4]);
  assign held_set = {mine[10] && (halt_i ? on && !dumps : low), mine[9] && low,
                     halt_i ? on && dumps : mine[8] && low, mine[7:4] & {4{up}}, mine[3:0] & {4{low}}};

  logic        fresh, fresh_low;
  logic [10:0] rdy;
  assign rdy       = rdy_i & {1'b1, {10{!halt_i}}} & {11{first}};
  assign fresh     = |rdy;
  assign fresh_low = open_i && !(|rdy[7:4]);
  assign sel_o     = fresh ? fresh_vc_i : held;
  assign set_o     = (rdy & {{3{fresh_low}}, {4{open_i}}, {4{fresh_low}}}) | (held_set & {11{!fresh}});
endmodule
