// SPDX-License-Identifier: MIT
// Sections 1, 1a and 4.2 of the specification: one end of a line. It is written from the tables and the text
// of these sections with other registers than the RTL: a counter of the cycles in every state, the position of
// a flit in its packet, and the next two values of CRED.
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
  typedef enum logic [2:0] { Idle, Gnt, Start, Xfer, Sync, Zero, Ann } state_t;
  localparam logic [2:0] Vcs       = 3'((1 << NumVc) - 1);
  localparam logic       LastOwner = (Prio == 0);  // after reset and in an idle line

  state_t     state_q, state_d;
  logic       owns_q;                 // this end owns the line, or owned it last
  logic [4:0] cycles_q;               // in this state, at most 31
  logic [1:0] calls_q;                // Sync: recovery requests in consecutive cycles; 3 stays
  logic       silent_q, present_q;    // Zero: the cycle before was silent; Ann: CRED was not 0
  logic       reported_q, tick_q;     // the link stays down, and a slow tick has seen it down
  logic       valid_q, last_q, final_q;
  logic [1:0] position_q;             // position of the flit in flit_q: 0, 1, 2, and 3 for all later ones
  logic [1:0] vc_q;
  logic [DataW-1:0] flit_q;
  logic [1:0] cred_now_q, cred_next_q;
  logic [2:0] owed_q, away_q;         // credits to return; buffers that were not empty when the link went down

  // Section 1a: with registered pins an end sees both REQs, CRED, D and its own driver a cycle late.
  logic [DataW-1:0] late_d_q, d;
  logic [1:0] late_peer_q, late_cred_q, late_own_q, peer, cred, own;
  logic       late_drives_q, drives;
  always_ff @(posedge clk_i) begin
    late_d_q      <= d_i;
    late_peer_q   <= rst_ni ? req_i : 2'd0;
    late_cred_q   <= rst_ni ? cred_i : 2'd0;
    late_own_q    <= rst_ni ? own_req_i : 2'd0;
    late_drives_q <= rst_ni && own_oe_i;
  end
  always_comb begin
    {d, peer, cred, own, drives} = {d_i, req_i, cred_i, own_req_i, own_oe_i};
    if (RegReq != 0) {d, peer, cred, own, drives} = {late_d_q, late_peer_q, late_cred_q, late_own_q, late_drives_q};
  end

  // Names of section 1.
  logic is_on, is_up, asks, peer_asks, receives, begins, silent, wants_resync;
  assign is_on        = AlwaysOn != 0 || link_en_i;
  assign is_up        = state_q == Idle || state_q == Gnt || state_q == Start || state_q == Xfer;
  assign asks         = own != 2'd0;
  assign peer_asks    = peer != 2'd0;
  assign begins       = !owns_q && state_q == Start && peer_asks;
  assign receives     = begins || (!owns_q && state_q == Xfer) || final_q;
  assign silent       = {peer, cred} == 4'd0 && !(RegReq != 0 && asks);
  assign wants_resync = is_up && (!is_on || late_i);

  // The table of link errors.
  logic unexpected_req, invalid_vc, call_in_transfer, too_long, conflict, link_error;
  assign unexpected_req   = (is_up && peer >= 2'd2 && (owns_q || state_q == Idle || state_q == Gnt)) || (state_q == Ann && peer_asks);
  assign invalid_vc       = begins && {1'b0, peer} > 3'(NumVc);
  assign call_in_transfer = state_q == Xfer && !owns_q && peer == 2'd3;
  assign too_long         = state_q == Xfer && !owns_q && cycles_q >= 5'd15;
  assign conflict         = is_up && drives && receives;
  assign link_error       = unexpected_req || invalid_vc || call_in_transfer || too_long || conflict || (is_up && bad_i);

  // The table of states. The line goes to this end, to the other end, or becomes idle.
  typedef enum logic [1:0] { Keep, Mine, Theirs, Free } line_t;
  line_t line;
  always_comb begin
    line    = Keep;
    state_d = state_q;
    case (state_q)
      Idle:
        if (asks && peer == 2'd0)                     line = Mine;
        else if (asks && peer == 2'd1)                line = owns_q ? Theirs : Mine;  // the last owner loses
        else                                          line = peer == 2'd1 ? Theirs : Free;
      Gnt:   if (RegReq == 0 || cycles_q != 5'd0)     state_d = Start;
      Start:
        if (owns_q ? asks : peer_asks)                state_d = Xfer;
        else if (owns_q ? peer_asks : asks)           line = owns_q ? Theirs : Mine;  // the grant is void
        else                                          line = Free;
      Xfer:
        if (owns_q ? own < 2'd2 : peer < 2'd2) begin                                  // one flit is left
          line = Free;
          if (owns_q && own == 2'd1 && !peer_asks)    line = Mine;
          if (!owns_q && peer == 2'd1 && !asks)       line = Theirs;
        end
      Sync:  if (cycles_q > 5'd7 && calls_q == 2'd3 && is_on && !tx_i) state_d = Zero;
      Zero:
        if (silent && silent_q)                       state_d = Ann;
        else if (cycles_q == 5'd31)                   state_d = Sync;
        else if (!peer_asks && cred != 2'd0)          state_d = Sync;  // the other end announces already
      Ann:   if (cycles_q == 5'd11)                   state_d = present_q ? Idle : Sync;
      default: state_d = state_q;
    endcase
    case (line)
      Mine, Theirs: state_d = Gnt;
      Free:         state_d = (wants_resync && !(state_q == Xfer && owns_q)) ? Sync : Idle;
      default:      ;
    endcase
    if (link_error) state_d = Sync;
  end

  assign up_o        = is_up;
  assign down_o      = state_d == Sync || state_d == Zero || state_d == Ann;
  assign call_o      = state_d == Sync;
  assign ann_o       = state_q == Ann && cycles_q > 5'(RegReq);  // CRED of the first cycle is no credit
  assign hush_o      = wants_resync;
  assign line_gnt_o  = line == Mine && !wants_resync;
  assign line_void_o = state_q == Gnt && owns_q && cycles_q == 5'd0;
  always_comb begin
    ask_o = begins || (!owns_q && state_q == Xfer);
    if (RegReq != 0 && state_q == Gnt && cycles_q == 5'd1 && last_q) ask_o = 1'b1;
    if (!wants_resync) ask_o = 1'b0;
  end

  // Reports: an error, but for a recovery request in Idle; and once that the link stays down.
  logic stays_down;
  assign stays_down = is_on && slow_i && !reported_q && (tick_q || (state_q == Sync && cycles_q == 5'd31));
  assign ev_sync_o  = stays_down || (link_error && (state_q != Idle || peer != 2'd3));

  // Credits: the code of the VC in two cycles, and 0 in the next.
  logic       may_show, shows_ret, shows_owed;
  logic [1:0] code;
  logic [2:0] emptied, on_cred, shown_owed;
  always_comb begin
    may_show   = cred_now_q == 2'd0 && state_q != Zero && state_d != Sync && state_d != Zero;
    shows_ret  = may_show && cred_ret_i && state_q != Ann;
    shows_owed = may_show && !shows_ret && owed_q != 3'd0;
    code       = shows_ret ? cred_vc_i + 2'd1 : owed_q[0] ? 2'd1 : owed_q[1] ? 2'd2 : 2'd3;
    for (int v = 0; v < 3; v++) begin
      emptied[v]    = cred_add_i[v] || (cred_ret_i && cred_vc_i == 2'(v));
      on_cred[v]    = cred_now_q == 2'(v + 1);
      shown_owed[v] = shows_owed && code == 2'(v + 1);
    end
  end

  // VC mark: H2 of VC 1 and H1 of VC-T have even parity on the lines.
  logic marked;
  assign marked = peer != 2'd3 && ((vc_q == 2'd2 && position_q == 2'd0) || (vc_q == 2'd1 && position_q == 2'd1));

  assign {rx_valid_o, rx_last_o, rx_vc_o, rx_d_o, cred_o} = {valid_q, last_q, vc_q, flit_q, cred_now_q};
  assign rx_first_o = valid_q && position_q == 2'd0;

  always_ff @(posedge clk_i) begin
    state_q  <= state_d;
    cycles_q <= (state_d != state_q) ? 5'd0 : (cycles_q == 5'd31) ? 5'd31 : cycles_q + 5'd1;
    if (line == Mine)   owns_q <= 1'b1;
    if (line == Theirs) owns_q <= 1'b0;
    if (down_o || (state_q == Idle && line == Free)) owns_q <= LastOwner;

    if (state_q != Sync || state_d != Sync)  calls_q <= 2'd0;
    else if (calls_q != 2'd3)                calls_q <= ({peer, cred} == 4'hF) ? calls_q + 2'd1 : 2'd0;
    silent_q   <= state_q == Zero && state_d == Zero && silent;
    present_q  <= state_q == Ann && state_d == Ann && (present_q || cred != 2'd0);
    reported_q <= down_o && (reported_q || stays_down);
    tick_q     <= down_o && is_on && (tick_q || slow_i);

    valid_q    <= receives;
    last_q     <= final_q || (receives && link_error);
    final_q    <= state_q == Xfer && !owns_q && peer < 2'd2 && !link_error;  // the last flit is on the line next
    position_q <= begins ? 2'd0 : (position_q == 2'd3) ? 2'd3 : position_q + 2'd1;
    if (begins) vc_q <= peer - 2'd1;
    flit_q     <= d;
    for (int n = 0; n < DataW; n += 18) flit_q[n + 17] <= d[n + 17] != marked;

    case (state_d)
      Sync:    {cred_now_q, cred_next_q} <= {{2{is_on}}, 2'd0};
      Zero:    {cred_now_q, cred_next_q} <= 4'd0;
      default:
        if (state_q == Zero)              {cred_now_q, cred_next_q} <= {2'd3, 2'd0};  // this end is present
        else if (shows_ret || shows_owed) {cred_now_q, cred_next_q} <= {code, code};
        else                              {cred_now_q, cred_next_q} <= {cred_next_q, 2'd0};
    endcase
    for (int v = 0; v < 3; v++) begin
      if (v >= NumVc || state_d == Sync || state_d == Zero)
        owed_q[v] <= 1'b0;
      else if (state_q == Zero)
        owed_q[v] <= room_i[v] && !away_q[v];
      else if (state_q == Ann)
        owed_q[v] <= (owed_q[v] && !shown_owed[v]) || (state_d == Idle && (emptied[v] || (room_i[v] && away_q[v])));
      else
        owed_q[v] <= (owed_q[v] && !shown_owed[v]) || cred_add_i[v] || (emptied[v] && !shows_ret);
      if (v < NumVc) begin
        if (is_up && state_d == Sync)                   away_q[v] <= !room_i[v] || emptied[v] || owed_q[v] || on_cred[v];
        else if (state_q == Sync && cycles_q <= 5'd7)   away_q[v] <= away_q[v] || !room_i[v] || emptied[v];
      end
    end
    if (!rst_ni) begin
      {state_q, owns_q, cycles_q, calls_q, silent_q, present_q} <= {Sync, LastOwner, 5'd0, 2'd0, 1'b0, 1'b0};
      {reported_q, tick_q, owed_q, away_q}                      <= {1'b1, 1'b0, 3'd0, 3'd0};
      {valid_q, last_q, final_q, position_q, vc_q}              <= {3'b000, 2'd3, 2'd0};
      {cred_now_q, cred_next_q}                                 <= 4'd0;
    end
  end
endmodule
