// SPDX-License-Identifier: MIT
// The other end of a link of the chip, as an MBP: one virtual channel, packets of five flits. It
// brings the link up, requests the line, sends given packets, accepts incoming ones and returns the
// credits. docs/timing.md shows the same on the pins.
module mbp (
  input  logic        clk_i,
  input  logic        rst_ni,
  // pins of the chip
  input  logic [17:0] d_i,
  input  logic        oe_i,
  input  logic [1:0]  req_i,
  input  logic [1:0]  cred_i,
  // own pins
  output logic [17:0] d_o,
  output logic        oe_o,
  output logic [1:0]  req_o,
  output logic [1:0]  cred_o,
  // packets: flit k is [18*k +: 18]
  input  logic        send_i,      // for one cycle
  input  logic [89:0] packet_i,
  output logic        received_o,  // for one cycle
  output logic [89:0] packet_o
);
  localparam logic [2:0] Idle = 0, Gnt = 1, Start = 2, Xfer = 3, Sync = 4, Zero = 5, Ann = 6;
  logic [2:0]  st, nx;
  logic [5:0]  t_st;                 // cycles in it
  logic [1:0]  seen;                 // cycles in which the chip has shown what is waited for
  logic        mine, tx, tail, full; // full: there is a packet to send
  logic [2:0]  k, rx_k;
  logic [89:0] out, in;
  logic        has, once, pause, pend;
  logic [1:0]  shows;
  logic        to_me, to_chip, trouble, want;
  logic [1:0]  owner, other;

  assign owner   = mine ? req_o : req_i;
  assign other   = mine ? req_i : req_o;
  assign want    = full && has;
  assign trouble = (st < Sync && req_i[1] && (mine || st < Start)) ||
                   (st == Xfer && !mine && req_i == 2'd3) || (st == Ann && req_i != 2'd0);

  always_comb begin
    to_me = 1'b0;
    to_chip = 1'b0;
    if (st == Idle && !req_i[1]) begin
      if (req_o != 0 && (req_i == 0 || !mine)) to_me = 1'b1;
      else if (req_i != 0)                     to_chip = 1'b1;
    end else if (st == Start && owner == 0 && other != 0) begin
      to_me   = !mine;
      to_chip = mine;
    end else if (st == Xfer && owner == 2'd1 && other == 0) begin
      to_me   = mine;
      to_chip = !mine;
    end
    case (st)
      Sync:    nx = (t_st >= 9 && seen == 2'd3 && !tx) ? Zero : Sync;
      Zero:    nx = (seen == 2'd1 && req_i == 0 && cred_i == 0) ? Ann :
                    (t_st >= 31 || (req_i == 0 && cred_i != 0)) ? Sync : Zero;
      Ann:     nx = (t_st >= 11) ? Idle : Ann;
      Xfer:    nx = owner[1] ? Xfer : Idle;
      Start:   nx = (owner != 0) ? Xfer : Idle;
      Gnt:     nx = Start;
      default: nx = Idle;
    endcase
    if (to_me || to_chip) nx = Gnt;
    if (trouble)          nx = Sync;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      st <= Sync; t_st <= 0; seen <= 0; mine <= 1'b1; tx <= 1'b0; tail <= 1'b0; full <= 1'b0;
      has <= 1'b0; once <= 1'b0; pause <= 1'b0; pend <= 1'b1; shows <= 0; k <= 0; rx_k <= 0;
      d_o <= 0; oe_o <= 1'b0; req_o <= 2'd3; cred_o <= 2'd3; received_o <= 1'b0; packet_o <= 0;
      out <= 0; in <= 0;
    end else begin
      st   <= nx;
      t_st <= (nx == st) ? t_st + 6'd1 : 6'd0;
      if (nx != st) seen <= 0;
      else if (st == Sync) seen <= (seen == 2'd3) ? 2'd3 :
                                   (req_i == 2'd3 && cred_i == 2'd3) ? seen + 2'd1 : 2'd0;
      else if (st == Zero) seen <= (req_i == 0 && cred_i == 0) ? seen + 2'd1 : 2'd0;
      mine <= (nx >= Sync) ? 1'b1 : (to_me || to_chip) ? to_me : (st == Idle) ? 1'b1 : mine;

      // Packets from the router.
      tail       <= (st == Xfer) && !mine && !req_i[1] && !trouble;
      received_o <= tail;
      if ((st == Start && !mine && req_i != 0) || (st == Xfer && !mine) || tail) begin
        in   <= {d_i, in[89:18]};
        rx_k <= tail ? 3'd0 : rx_k + 3'd1;
      end
      if (tail) begin
        packet_o <= {d_i, in[89:18]};
        pend     <= 1'b1;
      end

      // The chip's credits: a code in two cycles, and a pause.
      if (st == Sync || st == Zero || nx == Sync) begin
        once <= 1'b0; pause <= 1'b0; has <= 1'b0;
      end else if (st == Ann && t_st == 0) pause <= 1'b1;
      else if (pause) pause <= 1'b0;
      else if (once) begin
        has <= 1'b1; once <= 1'b0; pause <= 1'b1;
      end else if (cred_i != 0) once <= 1'b1;

      // Credits for the chip, likewise; what is free is announced when the link comes up.
      if (nx == Sync || nx == Zero) begin
        pend <= 1'b1; shows <= 0;
        cred_o <= (nx == Sync) ? 2'd3 : 2'd0;
      end else if (st == Zero) cred_o <= 2'd3;
      else if (st == Ann && t_st == 0) cred_o <= 2'd0;
      else if (shows == 2'd1) shows <= 2'd2;
      else if (shows == 2'd2) begin
        shows <= 0; cred_o <= 2'd0;
      end else if (pend && !tail) begin
        pend <= 1'b0; shows <= 2'd1; cred_o <= 2'd1;
      end

      // Packets to the router.
      if (send_i) begin
        out <= packet_i; full <= 1'b1;
      end
      oe_o <= tx && nx < Sync;
      if (tx) begin
        d_o <= out[17:0];
        out <= {18'd0, out[89:18]};
        k   <= k + 3'd1;
        if (k == 3'd4) tx <= 1'b0;
      end
      if (nx >= Sync)                  req_o <= (nx == Sync) ? 2'd3 : 2'd0;
      else if (tx && k == 0)           req_o <= 2'd1;
      else if (tx && k < 3'd3)         req_o <= 2'd2;
      else if (st == Gnt && mine && !tx) req_o <= 2'd0;
      else                             req_o <= {1'b0, want};
      if (to_me && want) begin
        tx <= 1'b1; k <= 0; full <= 1'b0; has <= 1'b0;
      end
    end
  end
endmodule
