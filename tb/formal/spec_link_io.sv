// SPDX-License-Identifier: MIT
// Sections 1, 1a and 4.2 of the specification: one end of a line.
module spec_link_io #(
  parameter int DataW    = rdt_pkg::FlitW,
  parameter int NumVc    = 2,
  parameter int Prio     = 0,
  parameter int AlwaysOn = 0,
  parameter int RegReq   = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        link_en_i,
  input  logic        slow_i,
  input  logic [DataW-1:0] d_i,
  input  logic [1:0]  req_i,
  input  logic [1:0]  cred_i,
  output logic [1:0]  cred_o,
  input  logic [1:0]  own_req_i,
  input  logic        own_oe_i,
  input  logic        tx_i,
  input  logic        late_i,
  output logic        line_gnt_o,
  output logic        line_void_o,
  output logic        hush_o,
  output logic        ask_o,
  output logic        call_o,
  output logic        down_o,
  output logic        up_o,
  output logic        ann_o,
  output logic        ev_sync_o,
  input  logic        bad_i,
  input  logic        cred_ret_i,
  input  logic [1:0]  cred_vc_i,
  input  logic [2:0]  cred_add_i,
  input  logic [2:0]  room_i,
  output logic        rx_valid_o,
  output logic        rx_first_o,
  output logic        rx_last_o,
  output logic [1:0]  rx_vc_o,
  output logic [DataW-1:0] rx_d_o
);
  localparam logic [2:0] Idle = 3'd0, Gnt = 3'd1, Start = 3'd2, Xfer = 3'd3, Sync = 3'd4, Zero = 3'd5, Ann = 3'd6;
  localparam logic [2:0] Vcs = 3'((1 << NumVc) - 1);
  localparam logic       MineAtReset = (Prio == 0);

  logic [2:0] st_q, st_d, pend_q, keep_q;
  logic       mine_q, tail_q, told_q, tick_q, rep_q;
  logic [4:0] cnt_q;
  logic [1:0] p_q, cred_q, rx_vc_q;
  logic       rx_valid_q, rx_first_q, rx_second_q, rx_last_q;
  logic [DataW-1:0] rx_d_q;

  // The pins, or the registers that take them first.
  logic [DataW-1:0] pin_d_q, d;
  logic [1:0] pin_req_q, pin_cred_q, pin_own_q, peer, cred, own;
  logic       pin_oe_q, oe;
  always_ff @(posedge clk_i) begin
    pin_d_q <= d_i;
    {pin_req_q, pin_cred_q, pin_own_q, pin_oe_q} <= rst_ni ? {req_i, cred_i, own_req_i, own_oe_i} : 7'd0;
  end
  assign {d, peer, cred, own, oe} = (RegReq == 0) ? {d_i, req_i, cred_i, own_req_i, own_oe_i}
                                                  : {pin_d_q, pin_req_q, pin_cred_q, pin_own_q, pin_oe_q};

  logic en, polite, take, give, first, valid, trouble, silent, gnt_over, to_idle;
  logic [1:0] owner, other;
  assign en       = AlwaysOn != 0 || link_en_i;
  assign up_o     = st_q <= Xfer;
  assign ann_o    = st_q == Ann && (RegReq == 0 ? cnt_q != 5'd0 : cnt_q > 5'd1);
  assign owner    = mine_q ? own : peer;
  assign other    = mine_q ? peer : own;
  assign gnt_over = RegReq == 0 || cnt_q[0];
  assign silent   = peer == 2'd0 && cred == 2'd0 && (RegReq == 0 || own == 2'd0);

  // The table of section 1: the end of the link that gets the line.
  always_comb begin
    take    = 1'b0;
    give    = 1'b0;
    to_idle = 1'b0;
    st_d    = st_q;
    case (st_q)
      Idle: begin
        if (peer[1])                                      to_idle = 1'b1;
        else if (own != 2'd0 && (peer == 2'd0 || !mine_q)) take   = 1'b1;
        else if (peer != 2'd0)                            give    = 1'b1;
        else                                              to_idle = 1'b1;
      end
      Gnt: if (gnt_over) st_d = Start;
      Start: begin
        if (owner != 2'd0)      st_d    = Xfer;
        else if (other == 2'd0) to_idle = 1'b1;
        else if (mine_q)        give    = 1'b1;
        else                    take    = 1'b1;
      end
      Xfer: begin
        if (owner[1])                          st_d = Xfer;
        else if (owner[0] && other == 2'd0) begin
          take = mine_q;
          give = !mine_q;
        end else                               to_idle = 1'b1;
      end
      Sync: if (cnt_q >= 5'd8 && p_q == 2'd3 && en && !tx_i) st_d = Zero;
      Zero: begin
        if (p_q == 2'd1 && silent)                                           st_d = Ann;
        else if (cnt_q == 5'd31 || (peer == 2'd0 && cred != 2'd0))           st_d = Sync;
      end
      default: if (cnt_q == 5'd11) st_d = (p_q != 2'd0) ? Idle : Sync;
    endcase
    if (take || give) st_d = Gnt;
    if (to_idle)      st_d = (polite && !(st_q == Xfer && mine_q)) ? Sync : Idle;
    if (trouble)      st_d = Sync;
  end

  assign polite      = up_o && (late_i || !en);
  assign hush_o      = polite;
  assign ask_o       = polite && (first || (st_q == Xfer && !mine_q) || (RegReq != 0 && st_q == Gnt && cnt_q[0] && rx_last_q));
  assign line_gnt_o  = take && !polite;
  assign line_void_o = st_q == Gnt && mine_q && (RegReq == 0 || !cnt_q[0]);
  assign first       = st_q == Start && !mine_q && peer != 2'd0;
  assign valid       = first || (st_q == Xfer && !mine_q) || tail_q;
  assign trouble     = (up_o && peer[1] && !(!mine_q && (st_q == Start || st_q == Xfer))) || (st_q == Ann && peer != 2'd0) ||
                       (st_q == Start && !mine_q && peer > 2'(NumVc)) ||
                       (st_q == Xfer && !mine_q && (peer == 2'd3 || cnt_q == 5'd15)) ||
                       (up_o && oe && valid) || (up_o && bad_i);
  assign down_o      = st_d > Xfer;
  assign call_o      = st_d == Sync;

  // A link that stays down is reported once.
  logic missed;
  assign missed    = slow_i && en && !told_q && ((st_q == Sync && cnt_q == 5'd31) || tick_q);
  assign ev_sync_o = ((up_o || st_q == Ann) && trouble && !(st_q == Idle && peer == 2'd3)) || missed;

  // Credits.
  logic [2:0] add, ret, shown, pend_d;
  logic [1:0] cred_d;
  logic       rep_d, free;
  always_comb begin
    ret    = cred_ret_i ? 3'd1 << cred_vc_i : 3'd0;
    add    = cred_add_i | ret;
    shown  = (cred_q != 2'd0) ? 3'd1 << (cred_q - 2'd1) : 3'd0;
    free   = cred_q == 2'd0;
    pend_d = pend_q;
    cred_d = 2'd0;
    rep_d  = 1'b0;
    if (st_d == Sync) begin
      cred_d = en ? 2'd3 : 2'd0;
      pend_d = 3'd0;
    end else if (st_d == Zero) begin
      pend_d = 3'd0;
    end else if (st_q == Zero) begin
      cred_d = 2'd3;
      pend_d = room_i & ~keep_q;
    end else begin
      if (rep_q) begin
        cred_d = cred_q;
      end else if (free) begin
        if (cred_ret_i && st_q != Ann) begin
          cred_d = cred_vc_i + 2'd1;
          rep_d  = 1'b1;
        end else begin
          for (int v = 2; v >= 0; v--) begin
            if (pend_q[v]) begin
              cred_d = 2'(v + 1);
              rep_d  = 1'b1;
              pend_d = pend_q & ~(3'd1 << v);
            end
          end
        end
      end
      if (st_q != Ann)        pend_d = pend_d | cred_add_i | (free && !rep_q ? 3'd0 : ret);
      else if (st_d == Idle)  pend_d = pend_d | add | (room_i & keep_q);
    end
    pend_d = pend_d & Vcs;
  end

  assign rx_valid_o = rx_valid_q;
  assign rx_first_o = rx_first_q;
  assign rx_last_o  = rx_last_q;
  assign rx_vc_o    = rx_vc_q;
  assign rx_d_o     = rx_d_q;
  assign cred_o     = cred_q;

  logic [DataW-1:0] flip;
  always_comb begin
    flip = '0;
    for (int n = 0; n < DataW / 18; n++)
      flip[18*n + 17] = peer != 2'd3 && ((rx_first_q && rx_vc_q == 2'd2) || (rx_second_q && rx_vc_q == 2'd1));
  end

  always_ff @(posedge clk_i) begin
    st_q <= st_d;
    if (st_d <= Start && !(RegReq != 0 && st_d == Gnt && st_q == Gnt)) cnt_q <= 5'd0;
    else if (st_d != st_q)        cnt_q <= 5'd0;
    else if (cnt_q != 5'd31)      cnt_q <= cnt_q + 5'd1;
    if (st_d != st_q)             p_q <= 2'd0;
    else if (st_q == Sync)        p_q <= (p_q == 2'd3) ? 2'd3 : (peer == 2'd3 && cred == 2'd3) ? p_q + 2'd1 : 2'd0;
    else if (st_q == Zero)        p_q <= {1'b0, silent};
    else if (st_q == Ann)         p_q <= {1'b0, p_q == 2'd1 || cred != 2'd0};
    else                          p_q <= 2'd0;
    if (down_o)                   mine_q <= MineAtReset;
    else if (take)                mine_q <= 1'b1;
    else if (give)                mine_q <= 1'b0;
    else if (st_q == Idle)        mine_q <= MineAtReset;
    tail_q      <= st_q == Xfer && !mine_q && !peer[1] && !trouble;
    rx_valid_q  <= valid;
    rx_first_q  <= first;
    rx_second_q <= rx_first_q;
    rx_last_q   <= tail_q || (trouble && valid);
    if (first) rx_vc_q <= peer - 2'd1;
    rx_d_q      <= d ^ flip;
    told_q      <= down_o && (missed || told_q);
    tick_q      <= down_o && en && (tick_q || slow_i);
    pend_q      <= pend_d;
    cred_q      <= cred_d;
    rep_q       <= rep_d;
    if (up_o && call_o)                       keep_q <= (~room_i | add | pend_q | shown) & Vcs;
    else if (st_q == Sync && cnt_q < 5'd8)    keep_q <= (keep_q | ~room_i | add) & Vcs;
    if (!rst_ni) begin
      st_q       <= Sync;
      mine_q     <= MineAtReset;
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
    end
  end
endmodule
