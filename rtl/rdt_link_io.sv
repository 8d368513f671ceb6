// SPDX-License-Identifier: MIT
// One end of a line: the line machine, the receiving registers and the credits going out.
// Promises: both ends, running this machine over the same two REQ values, agree in every clock
// on who owns the line, and again after a disturbance as soon as neither asks; flits of the other
// end leave here framed by first and last.
// Relies on: the output unit asks (own_req_i) and answers a grant as section 1 of the
// specification says, and cred_ret_i or cred_add_i comes once for each buffer emptied.
module rdt_link_io #(
  parameter int NumVc    = 2,
  parameter int Prio     = 0,
  parameter int AlwaysOn = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        link_en_i,
  // pins
  input  logic [17:0] d_i,
  input  logic [1:0]  req_i,
  output logic [1:0]  cred_o,
  // own output unit
  input  logic [1:0]  own_req_i,
  input  logic        own_oe_i,
  output logic        line_gnt_o,
  output logic        line_void_o,
  output logic        ev_line_o,
  // own input unit
  input  logic        cred_ret_i,
  input  logic [1:0]  cred_vc_i,
  input  logic [2:0]  cred_add_i,
  input  logic [2:0]  room_i,      // VCs whose buffer holds no packet
  output logic        rx_valid_o,
  output logic        rx_first_o,
  output logic        rx_last_o,
  output logic [1:0]  rx_vc_o,
  output logic [17:0] rx_d_o
);
  localparam logic [2:0] AllVc = (NumVc > 2) ? 3'b111 : (NumVc > 1) ? 3'b011 : 3'b001;

  logic [1:0]  st_d, st_q;
  logic        mine_d, mine_q;
  logic        tail_d, tail_q;
  logic        ann_d, ann_q;
  logic [2:0]  pend_d, pend_q;
  logic        rx_valid_d, rx_valid_q;
  logic        rx_first_d, rx_first_q;
  logic        rx_last_q;
  logic [1:0]  rx_vc_d, rx_vc_q;
  logic [17:0] rx_d_q;
  logic [1:0]  cred_d, cred_q;

  logic [1:0]  peer, owner;
  logic        own_any, peer_any, owner_any;
  logic        idle, start, xfer;
  logic        take, give;  // the line goes to this end, to the other end

  // An end that is off must not follow a peer it has never given a credit to.
  assign peer      = req_i & {2{ann_q}};
  assign own_any   = |own_req_i;
  assign peer_any  = |peer;
  assign owner     = mine_q ? own_req_i : peer;
  assign owner_any = |owner;

  assign idle  = (st_q == rdt_pkg::LineIdle);
  assign start = (st_q == rdt_pkg::LineStart);
  assign xfer  = (st_q == rdt_pkg::LineXfer);

  assign take = (idle && own_any && !(peer_any && mine_q)) ||
                (start && !mine_q && !peer_any && own_any) ||
                (xfer && mine_q && own_req_i == rdt_pkg::ReqWant && !peer_any);
  assign give = (idle && peer_any && !(own_any && !mine_q)) ||
                (start && mine_q && !own_any && peer_any) ||
                (xfer && !mine_q && peer == rdt_pkg::ReqWant && !own_any);

  always_comb begin
    mine_d = take || (mine_q && !give);
    if (idle && !own_any && !peer_any) mine_d = (Prio == 0);
    st_d   = rdt_pkg::LineIdle;
    case (st_q)
      rdt_pkg::LineIdle:  ;
      rdt_pkg::LineGnt:   st_d = rdt_pkg::LineStart;
      rdt_pkg::LineStart: if (owner_any) st_d = rdt_pkg::LineXfer;
      default:            if (owner[1]) st_d = rdt_pkg::LineXfer;
    endcase
    if (take || give) st_d = rdt_pkg::LineGnt;
  end

  assign line_gnt_o  = take;
  assign line_void_o = (st_q == rdt_pkg::LineGnt) && mine_q;

  assign rx_first_d = start && !mine_q && peer_any;
  assign rx_valid_d = rx_first_d || (xfer && !mine_q) || tail_q;
  assign tail_d     = xfer && !mine_q && !peer[1];
  assign rx_vc_d    = rx_first_d ? peer - 2'd1 : rx_vc_q;

  // The two ends do not agree on who owns the line.
  assign ev_line_o = (own_oe_i && rx_valid_d) || (xfer && mine_q && peer[1]);

  // Apart from the line machine: cred_ret_i depends on line_gnt_o.
  always_comb begin
    ann_d  = ann_q || link_en_i || (AlwaysOn != 0);
    pend_d = pend_q;
    cred_d = 2'd0;
    if (cred_ret_i) begin
      cred_d = cred_vc_i + 2'd1;
    end else if (pend_q[0]) begin
      cred_d    = rdt_pkg::VcVc0;
      pend_d[0] = 1'b0;
    end else if (pend_q[1]) begin
      cred_d    = rdt_pkg::VcVc1;
      pend_d[1] = 1'b0;
    end else if (pend_q[2]) begin
      cred_d    = rdt_pkg::VcVcT;
      pend_d[2] = 1'b0;
    end
    pend_d = pend_d | cred_add_i | (room_i & AllVc & {3{ann_d && !ann_q}});
  end

  assign rx_valid_o = rx_valid_q;
  assign rx_first_o = rx_first_q;
  assign rx_last_o  = rx_last_q;
  assign rx_vc_o    = rx_vc_q;
  assign rx_d_o     = rx_d_q;
  assign cred_o     = cred_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      st_q       <= rdt_pkg::LineIdle;
      mine_q     <= (Prio == 0);
      tail_q     <= 1'b0;
      ann_q      <= 1'b0;
      pend_q     <= 3'd0;
      rx_valid_q <= 1'b0;
      rx_first_q <= 1'b0;
      rx_last_q  <= 1'b0;
      rx_vc_q    <= 2'd0;
      rx_d_q     <= 18'd0;
      cred_q     <= 2'd0;
    end else begin
      st_q       <= st_d;
      mine_q     <= mine_d;
      tail_q     <= tail_d;
      ann_q      <= ann_d;
      pend_q     <= pend_d;
      rx_valid_q <= rx_valid_d;
      rx_first_q <= rx_first_d;
      rx_last_q  <= tail_q;
      rx_vc_q    <= rx_vc_d;
      rx_d_q     <= d_i;
      cred_q     <= cred_d;
    end
  end
endmodule
