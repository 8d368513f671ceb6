// SPDX-License-Identifier: MIT
// One end of a line: the line machine, the receiving registers and the credits going out.
// Promises: both ends, running this machine over the same two REQ values, agree in every cycle
// on who owns the line; an event that is impossible on an error-free link takes both to Sync, from
// where they come up again together. Flits of the other end leave here framed by first and last,
// also a packet that trouble has cut. A pin that is stuck keeps this link down and does nothing
// else. line_gnt_o does not wait for bad_i. Relies on: the output unit requests (own_req_i) and
// answers a grant as in section 1 of the specification, drives 3 with call_o and 0 with down_o;
// cred_ret_i or cred_add_i comes for each buffer emptied, and room_i shows it in the cycle after.
module rdt_link_io #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW    = rdt_pkg::FlitW,
  // Virtual channels of the port, one buffer each.
  parameter int NumVc    = 2,
  // 1: E and N ports and the router's end of MBP links; 0: the opposite end of a link.
  parameter int Prio     = 0,
  // 1: the link cannot be switched off (MBP).
  parameter int AlwaysOn = 0,
  parameter int RegReq   = 0   // 1: pins are taken in a register first, for longer wires
) (
  // Clock and reset; enable of the link; slow tick, after which a missing answer is an error.
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        link_en_i,
  input  logic        slow_i,
  // pins
  input  logic [DataW-1:0] d_i,
  input  logic [1:0]  req_i,
  input  logic [1:0]  cred_i,
  output logic [1:0]  cred_o,
  // own output unit
  input  logic [1:0]  own_req_i,
  input  logic        own_oe_i,
  input  logic        tx_i,        // a stream runs
  input  logic        late_i,      // a credit is missing
  output logic        line_gnt_o,
  output logic        line_void_o,
  output logic        hush_o,      // requests are blocked, because this end will resynchronize
  output logic        ask_o,       // but for that the other end stops
  output logic        call_o,      // in Sync, Sync or Zero or Ann, from the next cycle on
  output logic        down_o,
  output logic        up_o,
  output logic        ann_o,
  output logic        ev_sync_o,
  // own input unit
  input  logic        bad_i,
  input  logic        cred_ret_i,
  input  logic [1:0]  cred_vc_i,
  input  logic [2:0]  cred_add_i,
  input  logic [2:0]  room_i,      // VCs whose buffer is empty and not reserved
  output logic        rx_valid_o,
  output logic        rx_first_o,
  output logic        rx_last_o,
  output logic [1:0]  rx_vc_o,
  output logic [DataW-1:0] rx_d_o
);
  localparam logic [2:0] AllVc = (NumVc > 2) ? 3'b111 : (NumVc > 1) ? 3'b011 : 3'b001;
  localparam int         Lanes = DataW / rdt_pkg::FlitW;

  typedef enum logic [2:0] {
    StIdle  = rdt_pkg::LineIdle,
    StGnt   = rdt_pkg::LineGnt,
    StStart = rdt_pkg::LineStart,
    StXfer  = rdt_pkg::LineXfer,
    StSync  = rdt_pkg::LineSync,
    StZero  = rdt_pkg::LineZero,
    StAnn   = rdt_pkg::LineAnn
  } state_e;

  state_e      st_d, st_q;
  logic        mine_d, mine_q;
  logic        tail_d, tail_q;
  logic [4:0]  cnt_d, cnt_q;    // cycles in this state
  logic [1:0]  p_d, p_q;        // Sync: calls of the other end on end; Zero: it was silent
  logic        told_d, told_q;  // that the link stays down
  logic        tick_d, tick_q;  // a slow tick found it down
  logic [2:0]  pend_d, pend_q;
  logic [2:0]  keep_d, keep_q;  // was not empty, or its credit on the way, when the link went down
  logic        rep_d, rep_q;    // the credit on the pins is to be shown once more
  logic        rx_valid_d, rx_valid_q;
  logic        rx_first_d, rx_first_q;
  logic        rx_second_q;
  logic        rx_last_d, rx_last_q;
  logic [1:0]  rx_vc_d, rx_vc_q;
  logic [DataW-1:0] rx_d_d, rx_d_q;
  logic [1:0]  cred_d, cred_q;

  logic [DataW-1:0] d_in;        // the pins as this end sees them
  logic [1:0]  cred_in, own;
  logic        oe_in;
  logic [1:0]  peer, owner;
  logic        own_any, peer_any, owner_any;
  logic        idle, start, xfer, sync, zero, ann;
  logic        gnt, gnt_waits, gnt_ends, goes_on;
  logic        take, give;      // the line goes to this end, to the other end
  logic        en, polite, theirs, no_vc, trouble, missed;
  logic        calls, silent, early;  // the other end
  logic        stays;

  assign en        = (AlwaysOn != 0) || link_en_i;
  assign own_any   = |own;
  assign peer_any  = |peer;
  assign owner     = mine_q ? own : peer;
  assign owner_any = |owner;
  assign calls     = (&peer) && (&cred_in);
  assign early     = !peer_any && (|cred_in);  // in Zero: it is in Ann already, and must not stay there

  if (RegReq == 0) begin : gen_pins
    assign {d_in, peer, cred_in, own, oe_in} = {d_i, req_i, cred_i, own_req_i, own_oe_i};
    assign silent = !peer_any && !(|cred_in);
  end else begin : gen_regs
    // This end sees its own REQ as late as the other end's, so both ends see the same values.
    logic [DataW-1:0] pin_d_q;
    logic [1:0]       pin_req_q, pin_cred_q, own_req_q;
    logic             own_oe_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {pin_req_q, pin_cred_q, own_req_q, own_oe_q} <= 7'd0;
      else         {pin_req_q, pin_cred_q, own_req_q, own_oe_q} <= {req_i, cred_i, own_req_i, own_oe_i};
      pin_d_q <= d_i;
    end
    assign {d_in, peer, cred_in, own, oe_in} = {pin_d_q, pin_req_q, pin_cred_q, own_req_q, own_oe_q};
    assign silent = !peer_any && !(|cred_in) && !own_any;
  end

  assign idle  = (st_q == StIdle);
  assign start = (st_q == StStart);
  assign xfer  = (st_q == StXfer);
  assign sync  = (st_q == StSync);
  assign zero  = (st_q == StZero);
  assign ann   = (st_q == StAnn);
  assign up_o  = !st_q[2];
  // In the first cycle of Ann CRED does not name a buffer: each end shows that it is here.
  if (RegReq == 0) begin : gen_ann
    assign ann_o = ann && (|cnt_q);
  end else begin : gen_late_ann
    assign ann_o = ann && (|cnt_q[4:1]);
  end

  assign take = (idle && own_any && !peer[1] && !(peer[0] && mine_q)) ||
                (start && !mine_q && !peer_any && own_any) ||
                (xfer && mine_q && own == rdt_pkg::ReqWant && !peer_any);
  assign give = (idle && peer == rdt_pkg::ReqWant && !(own_any && !mine_q)) ||
                (start && mine_q && !own_any && peer_any) ||
                (xfer && !mine_q && peer == rdt_pkg::ReqWant && !own_any);

  // An end that needs to resynchronize sends nothing, and requests only while the other end sends,
  // so the line is idle afterwards. Two such ends do not exchange void grants forever.
  assign polite      = up_o && (late_i || !en);
  assign hush_o      = polite;
  assign ask_o       = polite && (rx_first_d || (xfer && !mine_q) || goes_on);
  assign line_gnt_o  = take && !polite;
  assign line_void_o = gnt && mine_q && !gnt_waits;

  // With registered pins the grant reaches both ends one cycle later, and a packet may end before
  // the other end has requested; so it requests when another packet follows.
  assign gnt       = (st_q == StGnt);
  assign gnt_waits = (RegReq != 0) && cnt_q[0];
  assign gnt_ends  = (RegReq == 0) || cnt_q[0];
  assign goes_on   = gnt && gnt_waits && rx_last_q;

  assign theirs     = !mine_q && (start || xfer);
  assign rx_first_d = start && !mine_q && peer_any;
  assign rx_valid_d = rx_first_d || (xfer && !mine_q) || tail_q;
  assign rx_vc_d    = rx_first_d ? peer - 2'd1 : rx_vc_q;

  // A packet on VC 1 comes with the wrong parity in H2, one on VC-T in H1.
  assign rx_d_d = d_in ^ {Lanes{peer != rdt_pkg::ReqCall &&
                                ((rx_first_q && rx_vc_q[1]) || (rx_second_q && rx_vc_q == 2'd1)), 17'd0}};

  if (NumVc == 3) begin : gen_all_vc
    assign no_vc = 1'b0;
  end else if (NumVc == 2) begin : gen_no_vct
    assign no_vc = &peer;
  end else begin : gen_one_vc
    assign no_vc = peer[1];
  end

  // A transfer of the other end does not last beyond cnt_q = 15, so four bits suffice.
  assign trouble = (up_o && ((peer[1] && !theirs) || (oe_in && rx_valid_d) || bad_i)) ||
                   (ann && peer_any) ||
                   (start && !mine_q && no_vc) ||
                   (xfer && !mine_q && ((&peer) || (&cnt_q[3:0])));

  assign tail_d    = xfer && !mine_q && !peer[1] && !trouble;
  assign rx_last_d = tail_q || (trouble && rx_valid_d);

  logic more_flits, settled, heard, met, late_ann;
  assign more_flits = owner[1];
  assign settled    = |cnt_q[4:3];                  // Sync has lasted eight cycles
  assign heard      = &p_q;
  assign met        = p_q[0];                       // the other end is there
  assign late_ann   = cnt_q[3] && (&cnt_q[1:0]);    // the twelfth clock of Ann

  always_comb begin
    st_d = st_q;
    case (st_q)
      StIdle:  ;
      StGnt:   if (gnt_ends) st_d = StStart;
      StStart: if (owner_any) st_d = StXfer;
               else st_d = StIdle;
      StXfer:  if (!more_flits) st_d = StIdle;
      StSync:  if (settled && heard && en && !tx_i) st_d = StZero;
      StZero:  if (met && silent) st_d = StAnn;
               else if ((&cnt_q) || early) st_d = StSync;
      default: if (late_ann && met) st_d = StIdle;
               else if (late_ann) st_d = StSync;  // not without the other end
    endcase
    // The last flit of this end is still to come when its Xfer ends.
    if (take || give)                                        st_d = StGnt;
    else if (polite && st_d == StIdle && !(xfer && mine_q)) st_d = StSync;
    if (trouble)                                             st_d = StSync;
  end

  assign down_o = st_d[2];
  assign call_o = (st_d == StSync);
  assign mine_d = (down_o || (idle && !take && !give)) ? (Prio == 0) : take || (mine_q && !give);

  assign stays = (st_d == st_q) && (!up_o || xfer || (RegReq != 0 && gnt));

  always_comb begin
    cnt_d = 5'd0;
    if (stays) cnt_d = (&cnt_q) ? cnt_q : cnt_q + 5'd1;
    p_d = 2'd0;
    if (stays && sync) begin
      if (heard)      p_d = p_q;
      else if (calls) p_d = p_q + 2'd1;
    end else if (stays && zero) begin
      p_d = {1'b0, silent};
    end else if (stays && ann) begin
      p_d = {1'b0, met || (|cred_in)};
    end
  end

  // Trouble comes only up or in Ann. An end called in Idle does not report an error: it has lost
  // nothing. A link with a REQ stuck at 3 is down, but in Sync or Zero only for a while each.
  assign missed    = slow_i && en && !told_q && ((sync && (&cnt_q)) || tick_q);
  assign ev_sync_o = (trouble && !(idle && (&peer))) || missed;
  assign told_d    = down_o && (told_q || missed);
  assign tick_d    = down_o && en && (tick_q || slow_i);

  // Apart from the line machine: cred_ret_i depends on line_gnt_o. In Zero nothing is pending or
  // on the pins, so what is set there continues to Ann. The other end counts a buffer announced in
  // Ann as a lost credit, so buffers emptied since then wait for the end of Ann.
  logic       free, quiet, ret_now;
  logic       pend0, pend1, pend2;
  logic [2:0] ret, add, shown, more;

  assign free  = !(|cred_q) && !zero;
  assign quiet = st_d[2] && !st_d[1];  // Sync or Zero
  for (genvar v = 0; v < 3; v++) begin : gen_ret
    assign ret[v]   = cred_ret_i && (cred_vc_i == 2'(v));
    assign shown[v] = (cred_q == 2'(v + 1));
  end
  assign add     = cred_add_i | ret;
  assign ret_now = cred_ret_i && !ann;

  // A packet may still be on its way in when the link goes down; after eight cycles it is there.
  always_comb begin
    keep_d = keep_q;
    if (up_o && call_o)        keep_d = AllVc & (~room_i | add | pend_q | shown);
    else if (sync && !settled) keep_d = AllVc & (~room_i | add | keep_q);
  end

  assign {pend2, pend1, pend0} = pend_q;

  always_comb begin
    pend_d = pend_q;
    cred_d = 2'd0;
    rep_d  = 1'b0;
    if (rep_q) begin
      cred_d = cred_q;
    end else if (free) begin
      rep_d = ret_now || (|pend_q);
      if (ret_now) begin
        cred_d = cred_vc_i + 2'd1;
      end else if (pend0) begin
        cred_d    = rdt_pkg::VcVc0;
        pend_d[0] = 1'b0;
      end else if (pend1) begin
        cred_d    = rdt_pkg::VcVc1;
        pend_d[1] = 1'b0;
      end else if (pend2) begin
        cred_d    = rdt_pkg::VcVcT;
        pend_d[2] = 1'b0;
      end
    end
    if (zero)     more = room_i & ~keep_q;
    else if (ann) more = (add | (room_i & keep_q)) & {3{!down_o}};
    else          more = cred_add_i | (ret & {3{!free}});
    pend_d = (pend_d | more) & AllVc;
    if (zero) cred_d = 2'd3;  // and Ann is next
    if (quiet) begin
      pend_d = 3'd0;
      cred_d = {2{call_o && en}};
      rep_d  = 1'b0;
    end
  end

  assign rx_valid_o = rx_valid_q;
  assign rx_first_o = rx_first_q;
  assign rx_last_o  = rx_last_q;
  assign rx_vc_o    = rx_vc_q;
  assign rx_d_o     = rx_d_q;
  assign cred_o     = cred_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      st_q       <= StSync;
      mine_q     <= (Prio == 0);
      tail_q     <= 1'b0;
      cnt_q      <= 5'd0;
      p_q        <= 2'd0;
      told_q     <= 1'b1;
      tick_q     <= 1'b0;
      pend_q     <= 3'd0;
      keep_q     <= 3'd0;
      rep_q      <= 1'b0;
      rx_valid_q <= 1'b0;
      rx_first_q <= 1'b0;
      rx_last_q  <= 1'b0;
      rx_vc_q    <= 2'd0;
      cred_q     <= 2'd0;
    end else begin
      st_q       <= st_d;
      mine_q     <= mine_d;
      tail_q     <= tail_d;
      cnt_q      <= cnt_d;
      p_q        <= p_d;
      told_q     <= told_d;
      tick_q     <= tick_d;
      pend_q     <= pend_d;
      keep_q     <= keep_d;
      rep_q      <= rep_d;
      rx_valid_q <= rx_valid_d;
      rx_first_q <= rx_first_d;
      rx_last_q  <= rx_last_d;
      rx_vc_q    <= rx_vc_d;
      cred_q     <= cred_d;
    end
  end

  // They count only with rx_valid_q and after rx_first_q, which are reset.
  always_ff @(posedge clk_i) begin
    rx_second_q <= rx_first_q;
    rx_d_q      <= rx_d_d;
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_link_io.svh"
`endif
endmodule
