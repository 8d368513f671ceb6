// SPDX-License-Identifier: MIT
// One end of a link: link controller and output unit as in the router. The proof chooses freely which
// packets the crossbar sends while it has a credit, when the injector sends acks, and when buffers
// become empty.
module link_end #(
  parameter int NumVc    = 2,
  parameter int Prio     = 0,
  parameter int AlwaysOn = 0,
  parameter int OutPort  = 2,
  parameter int RegReq   = 0,
  parameter int Parity   = 0   // 1: parity as in rdt_arrival decides which headers are malformed, not spoilt_i
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // anything
  input  logic        link_en_i,
  input  logic        slow_i,
  input  logic        tick_i,
  input  logic        sink_i,
  input  logic        cand_i,
  input  logic        gnt_i,      // the crossbar takes the line if it is offered
  input  logic [1:0]  vc_i,       // for a packet on this VC
  input  logic        more_i,     // and the packet continues
  input  logic        ack_want_i, // the injector requests to send an ack
  input  logic        spoilt_i,   // a header flit is malformed
  input  logic [2:0]  empty_i,    // buffers that are emptied
  input  logic        late_i,     // by cred_add, not by cred_ret
  // pins
  input  logic [17:0] d_i,
  input  logic [1:0]  req_i,
  input  logic [1:0]  cred_i,
  output logic [17:0] d_o,
  output logic        oe_o,
  output logic [1:0]  req_o,
  output logic [1:0]  cred_o,
  // for the properties
  output logic        up_o,
  output logic        grant_o,
  output logic        trouble_o,
  output logic        ev_cred_o,
  output logic [2:0]  credit_o,
  output logic [2:0]  full_o,     // buffers that hold a packet
  output logic [2:0]  coming_o,   // a packet for the buffer comes in
  output logic [2:0]  sent_o,     // the first flit of a packet is on the line
  output logic [2:0]  back_o,     // a credit that this end has to give back, or shows on its pins
  output logic [2:0]  seen_o,     // a credit that was seen once
  output logic        over_o,
  output logic        fresh_o,    // a packet is in its buffer
  output logic        ev_owed_o
);
  logic        line_gnt, line_void, hush, ask, call, down, ann, tx, late, ev_sync, ev_sunk;
  logic        rx_valid, rx_first, rx_last, bad, xb_gnt, loc_gnt;
  logic [1:0]  rx_vc;
  logic [17:0] rx_d;
  logic [19:0] x, loc_x;
  logic [2:0]  credit;

  // The crossbar: 16 flits at most.
  logic       gnt, first_q;
  logic [1:0] code_q, loc_q;
  logic [3:0] left_q;
  logic [2:0] had_q;  // credits of the clock before, in which an input found its candidates

  assign gnt = gnt_i && xb_gnt && had_q[vc_i];
  always_ff @(posedge clk_i) begin
    had_q <= credit;
    if (gnt) begin
      code_q <= vc_i + 2'd1;
      left_q <= 4'd14;
      first_q <= 1'b1;
    end else begin
      first_q <= 1'b0;
      left_q  <= left_q - {3'd0, left_q != 4'd0};
      if (first_q || code_q == 2'd2) code_q <= (more_i && left_q > 4'd1) ? 2'd2 : 2'd0;
      else                           code_q <= {1'b0, code_q == 2'd0};
    end
    if (!rst_ni)      loc_q <= 2'd0;
    else if (loc_gnt) loc_q <= 2'd1;
    else if (loc_q != 2'd0) loc_q <= loc_q + 2'd1;
  end
  // H0 has even parity.
  assign x     = {code_q, Parity != 0 && first_q, rdt_pkg::TypeUni, 14'd1};
  assign loc_x = {loc_q == 2'd2 ? 2'd0 : 2'd1, Parity != 0 && loc_q == 2'd1, (loc_q == 2'd1) ? rdt_pkg::TypeAck : 3'd0, 14'd0};

  // The buffers.
  logic [2:0] full_q, ret, add, fresh;
  logic [1:0] idx_q;
  logic       ack, drop_q, over, spoilt, coming, wrong;
  logic [1:0] ret_vc;
  logic [1:0] idx;

  assign ack    = rx_first && (rx_d[16:14] == rdt_pkg::TypeAck) && !(Parity != 0 && (^rx_d));
  assign idx    = rx_first ? 2'd0 : idx_q;
  assign over   = rx_valid && rx_first && !ack && (rx_vc >= 2'(NumVc) || full_q[rx_vc]);
  assign coming = rx_valid && (rx_first ? !ack && !over : !drop_q) && (idx != 2'd3);
  assign wrong  = (idx == 2'd0) ? (^rx_d) || rx_d[16:0] == 17'd0 : !(^rx_d);
  assign spoilt = coming && (Parity != 0 ? wrong : spoilt_i);
  assign bad    = over || spoilt;
  for (genvar v = 0; v < 3; v++) begin : gen_vc
    assign fresh[v]    = coming && !spoilt && (idx == 2'd2) && (rx_vc == 2'(v));
    assign coming_o[v] = coming && (rx_vc == 2'(v));
  end
  always_comb begin
    ret = 3'd0;
    ret_vc = 2'd0;
    for (int v = 2; v >= 0; v--) if (full_q[v] && empty_i[v]) ret_vc = 2'(v);
    if ((full_q & empty_i) != 3'd0 && !late_i) ret = 3'd1 << ret_vc;
    add = late_i ? full_q & empty_i : 3'd0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q <= 3'd0;
      idx_q  <= 2'd3;
    end else begin
      full_q <= (full_q & ~ret & ~add) | fresh;
      if (rx_valid) begin
        idx_q  <= (idx == 2'd3) ? 2'd3 : idx + 2'd1;
        drop_q <= rx_first ? ack || over || spoilt : drop_q || spoilt;
      end
    end
  end

  rdt_link_io #(.NumVc(NumVc), .Prio(Prio), .AlwaysOn(AlwaysOn), .RegReq(RegReq)) u_link_io (
    .clk_i(clk_i), .rst_ni(rst_ni), .link_en_i(link_en_i), .slow_i(slow_i),
    .d_i(d_i), .req_i(req_i), .cred_i(cred_i), .cred_o(cred_o),
    .own_req_i(req_o), .own_oe_i(oe_o), .tx_i(tx), .late_i(late),
    .line_gnt_o(line_gnt), .line_void_o(line_void), .hush_o(hush), .ask_o(ask), .call_o(call),
    .down_o(down), .up_o(up_o), .ann_o(ann), .ev_sync_o(ev_sync),
    .bad_i(bad), .cred_ret_i(|ret), .cred_vc_i(ret_vc), .cred_add_i(add),
    .room_i(~full_q & 3'((1 << NumVc) - 1)),
    .rx_valid_o(rx_valid), .rx_first_o(rx_first), .rx_last_o(rx_last), .rx_vc_o(rx_vc), .rx_d_o(rx_d)
  );

  rdt_output_unit #(.OutPort(OutPort), .NumVc(NumVc), .RegReq(RegReq)) u_output_unit (
    .clk_i(clk_i), .rst_ni(rst_ni), .raw_i(1'b0), .tick_i(tick_i), .slow_i(slow_i), .sink_i(sink_i),
    .rank_i(5'd1), .x_i(x), .gnt_i(gnt), .cand_any_i(cand_i), .xb_gnt_o(xb_gnt), .credit_o(credit),
    .line_gnt_i(line_gnt), .line_void_i(line_void), .hush_i(hush), .ask_i(ask), .call_i(call),
    .down_i(down), .up_i(up_o), .ann_i(ann), .tx_o(tx), .late_o(late),
    .loc_want_i(ack_want_i), .loc_x_i(loc_x), .loc_gnt_o(loc_gnt), .gen_i(24'd0),
    .ev_cred_o(ev_cred_o), .ev_owed_o(ev_owed_o), .ev_sunk_o(ev_sunk),
    .cred_i(cred_i), .d_o(d_o), .d_oe_o(oe_o), .req_o(req_o)
  );

  // Registers that hold a credit on its way from the buffer back to the sender.
`ifdef VERILATOR
  wire [2:0] \u_link_io.pend_q = u_link_io.pend_q;
  wire [1:0] \u_output_unit.in_q = u_output_unit.in_q;
  wire [1:0] \u_output_unit.hidx_q = u_output_unit.hidx_q;
  wire [1:0] \u_output_unit.code = u_output_unit.code;
  wire [2:0] \u_output_unit.ptype = u_output_unit.ptype;
  wire       \u_output_unit.sends = u_output_unit.sends;
`else
  (* hierconn *) wire [2:0] \u_link_io.pend_q ;
  (* hierconn *) wire [1:0] \u_output_unit.in_q ;
  (* hierconn *) wire [1:0] \u_output_unit.hidx_q ;
  (* hierconn *) wire [1:0] \u_output_unit.code ;
  (* hierconn *) wire [2:0] \u_output_unit.ptype ;
  (* hierconn *) wire       \u_output_unit.sends ;
`endif
  logic first;
  assign first = \u_output_unit.sends && (\u_output_unit.hidx_q == 2'd0) && (\u_output_unit.ptype != rdt_pkg::TypeAck);
  for (genvar v = 0; v < 3; v++) begin : gen_place
    always_ff @(posedge clk_i) sent_o[v] <= first && (\u_output_unit.code == 2'(v + 1));
    assign back_o[v] = \u_link_io.pend_q [v] || (cred_o == 2'(v + 1));
    assign seen_o[v] = (\u_output_unit.in_q == 2'(v + 1));
  end

  assign grant_o   = line_gnt;
  assign trouble_o = ev_sync;
  assign credit_o  = credit;
  assign full_o    = full_q;
  assign over_o    = over;
  assign fresh_o   = |fresh;
endmodule
