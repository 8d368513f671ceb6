// SPDX-License-Identifier: MIT
// Buffers the packets of one link, one per VC, and streams them to the crossbar outputs that
// rdt_bitmap_gen finds. A multicast is read once per set of granted outputs. For a shoot-down LOCAL
// reads a buffer, dumps its packet to MBP 0 (dump_i) and later restores it (put_*).
// Promises: presents one packet at a time, only to outputs with a credit, so no VC waits behind a
// blocked one; cand_o does not depend on gnt_i; a granted pass has no gaps. While halt_i, only packets
// for LOCAL or a dump begin. A packet with a malformed header, or without a free buffer, is dropped and
// reported to the link (bad_o); one that ends before its third flit is dropped silently. The buffer of
// a dumped packet stays reserved until it is restored or the router runs again. An ack with tag 0
// recalls an MBP's own packet. Relies on: rdt_link_io frames flits; gnt_i is a subset of want_o;
// put_set_i not with clash_o (only into an empty buffer while nothing arrives).
module rdt_input_unit #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW      = rdt_pkg::FlitW,
  // Virtual channels of the port, one buffer each.
  parameter int NumVc      = 2,
  // Number of the input port.
  parameter int InPort     = 0,
  // Entries of the ack table: 1 to 7, or 13, 19, 25 in banks.
  parameter int NumEntries = rdt_pkg::NumEntries
) (
  // Clock and reset.
  input  logic        clk_i,
  input  logic        rst_ni,
  // configuration
  input  logic [4:0]  rank_i,     // bit r: the node is on rank r
  input  logic [3:0]  xfer_i,
  input  logic [7:0]  dateline_i,
  input  logic [7:0]  mask_i,
  input  logic [3:0]  ranks_i,
  // own line
  input  logic        rx_valid_i,
  input  logic        rx_first_i,
  input  logic        rx_last_i,
  input  logic [1:0]  rx_vc_i,
  input  logic [DataW-1:0] rx_d_i,
  output logic        cred_ret_o,
  output logic [1:0]  cred_vc_o,
  output logic [2:0]  cred_add_o,
  output logic [2:0]  room_o,
  output logic        bad_o,
  input  logic        up_i,
  // arbiter and crossbar
  input  logic [rdt_pkg::CreditW-1:0] credit_i,
  input  logic [rdt_pkg::NumOuts-1:0] gnt_i,
  output logic [rdt_pkg::NumOuts-1:0] want_o,
  output logic [rdt_pkg::NumOuts-1:0] cand_o,
  output logic [rdt_pkg::CodeW+DataW-1:0] rd_x_o,
  output logic        pkt_o,
  // LOCAL
  output logic [3:0]  rd_err_o,
  output logic [1:0]  rd_vc_o,
  input  logic        tick_i,
  input  logic        to_ack_i,
  input  logic        drop_i,      // reported packets are consumed
  output logic        to_pend_o,
  output logic [1:0]  to_vc_o,
  output logic        ev_body_o,
  output logic        ev_frame_o,
  output logic        ev_over_o,
  // LOCAL: shoot-down
  input  logic        run_i,       // no shoot-down: an MBP may recall its packet
  input  logic        halt_i,
  input  logic        raw_i,       // packets are for LOCAL, whatever they are
  input  logic        keep_i,      // the credit is not given back
  input  logic        free_i,      // but now it is
  input  logic [2:0]  look_i,
  input  logic        dump_i,
  input  logic        put_we_i,
  input  logic        put_set_i,
  input  logic [3:0]  put_addr_i,
  input  logic [DataW-1:0] put_d_i,
  input  logic [rdt_ports_pkg::ctx_w(NumEntries)-2:0] put_ctx_i,  // {pend, mc, k, tag, ent}
  output logic [rdt_ports_pkg::ctx_w(NumEntries)-1:0] ctx_o,  // {pkt, pend, mc, k, tag, ent}
  output logic        clash_o,
  output logic        vacant_o,    // the selected buffer is empty, without a credit outstanding
  // rdt_ack
  output logic        ack_v_o,
  output logic [rdt_ports_pkg::num_acks(NumEntries)*rdt_ports_pkg::tag_w(NumEntries)-1:0] ack_tag_o,
  output logic [rdt_ports_pkg::num_acks(NumEntries)*rdt_pkg::StatusW-1:0] ack_st_o,
  output logic [3:0]  ack_gen_o,
  input  logic        ack_take_i,
  output logic [NumEntries-1:0] held_o,  // tags of the multicasts here that have an entry
  output logic        ent_req_o,
  output logic [9:0]  ent_set_o,
  output logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] ent_tag_o,
  output logic        ent_vct_o,
  output logic        ent_old_o,
  input  logic        ent_gnt_i,
  input  logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] ent_new_i,
  input  logic        slow_i,
  input  logic        tick_ent_i,
  output logic        retry_o,
  input  logic        retry_ack_i
);
  localparam int NumOuts = rdt_pkg::NumOuts, PlanW = rdt_ports_pkg::plan_w(NumEntries);
  localparam int TagW    = rdt_ports_pkg::tag_w(NumEntries), VcW = rdt_pkg::VcW;
  localparam bit Pairs   = rdt_ports_pkg::has_pairs(NumEntries, InPort);
  localparam logic [rdt_ports_pkg::TagsW-1:0] Tags = rdt_ports_pkg::Tags;
  localparam int LandW   = rdt_ports_pkg::land_w(Pairs), NumAcks = rdt_ports_pkg::num_acks(NumEntries);

  logic [NumVc-1:0] pkt_d, pkt_q;
  logic [NumVc-1:0] rsv_d, rsv_q;    // empty, but promised to the packet that was dumped
  logic [1:0]       sel_d, sel_q;
  logic [NumOuts-1:0] want_d, want_q;
  logic             gnt;
  logic [NumVc-1:0] rx_oh, sel_oh, rd_oh;  // rx_vc_i, sel_q and the VC being read, one-hot
  logic [NumVc-1:0] look, put_oh;

  // sel_q is below NumVc, so for v > 0 one bit of it suffices.
  assign gnt    = |gnt_i;
  assign rx_oh  = NumVc'({rx_vc_i == 2'd2, rx_vc_i == 2'd1, rx_vc_i == 2'd0});
  assign sel_oh = NumVc'({sel_q, sel_q == 2'd0});
  assign look   = look_i[NumVc-1:0];
  assign put_oh = look & {NumVc{put_set_i}};

  // Writing
  logic [4:0]       idx;
  logic [3:0]       len;
  logic             ram_we, fresh, land, is_short, over, rt_bad;
  logic [LandW-1:0] landing;
  logic [NumVc-1:0] room, fresh_oh;

  assign room     = ~(pkt_q | rsv_q);
  assign fresh_oh = rx_oh & {NumVc{fresh}};
  assign land     = landing[0];

  rdt_arrival #(.DataW(DataW), .Pairs(Pairs)) u_arrival (
    .clk_i     (clk_i), .rst_ni(rst_ni),
    .rx_valid_i(rx_valid_i),
    .rx_first_i(rx_first_i),
    .rx_last_i (rx_last_i),
    .rx_d_i    (rx_d_i),
    .room_i    (|(rx_oh & room)),
    .err_i     (rt_bad),
    .len_i     (len),
    .idx_o     (idx),
    .we_o      (ram_we),
    .fresh_o   (fresh),
    .land_o    (landing),
    .short_o   (is_short),
    .over_o    (over),
    .bad_o     (bad_o),
    .ev_body_o (ev_body_o),
    .ev_frame_o(ev_frame_o)
  );

  // Buffers. A route counts from the cycle it is made in.
  logic [NumOuts-1:0]  rt_set, rt_rdy;
  logic [NumVc-1:0]    short_oh;       // short packets with passes yet to begin
  logic [NumVc-1:0]    end_oh;         // the last pass is granted
  logic [NumVc-1:0]    old, to_oh;     // to be reported as late; the lowest of them
  logic [NumVc-1:0]    ent_oh, retry_oh;
  logic [NumVc-1:0]    gone_oh;        // consumed: recalled by its MBP, or timed out
  logic [NumVc-1:0]    drop_oh, recall_oh;
  logic [NumOuts*NumVc-1:0] pend;
  logic [NumVc-1:0]    ent, pois, uvc;
  logic [TagW*NumVc-1:0] tag;
  logic [VcW*NumVc-1:0]  ovc;
  logic [NumOuts-1:0]  load_pend;
  logic [PlanW-1:0]    look_plan;

  assign load_pend = fresh ? rt_set : put_ctx_i[PlanW +: NumOuts];

  for (genvar v = 0; v < NumVc; v++) begin : gen_slot
    rdt_slot u_slot (
      .clk_i     (clk_i),
      .load_i    (fresh_oh[v] || put_oh[v]),
      .pend_i    (load_pend),
      .sel_i     (sel_oh[v]),
      .gnt_any_i (gnt),
      .gnt_i     (gnt_i),
      .tick_i    (tick_i),
      .to_ack_i  (to_ack_i && to_oh[v] && !drop_i),
      .short_i   (short_oh[v]),
      .pend_o    (pend[NumOuts*v +: NumOuts]),
      .old_o     (old[v]),
      .pois_o    (pois[v])
    );
  end

  // A packet that is dumped leaves whatever outputs it still has to go to. Its buffer is promised
  // to it until it is put back, so the credit stays away; but MBP 0 has to talk to the chip.
  logic             dumped, ends, hold, unhold;
  logic [NumVc-1:0] add;
  logic [NumOuts:0] mine;  // {pkt, pend} of the packet that is presented

  function automatic logic [NumOuts:0] pick_ctx(input logic [NumVc-1:0] p, input logic [NumOuts*NumVc-1:0] d,
                                                input logic [NumVc-1:0] oh);
    pick_ctx = '0;
    for (int v = 0; v < NumVc; v++)
      pick_ctx = pick_ctx | ({p[v], d[NumOuts*v +: NumOuts]} & {(NumOuts + 1){oh[v]}});
  endfunction

  // A packet that is presented has outputs to go to, so with none left some were granted.
  assign mine       = pick_ctx(pkt_q, pend, sel_oh);
  assign dumped     = halt_i && dump_i && gnt_i[rdt_pkg::PortM0] && (|(look & sel_oh));
  assign ends       = ((|want_q) && (mine[NumOuts-1:0] & ~gnt_i) == '0) || dumped;
  assign hold       = keep_i || (dumped && !rdt_ports_pkg::is_mbp0(InPort));
  assign unhold     = !halt_i || free_i;
  assign end_oh     = sel_oh & {NumVc{ends}};
  assign retry_oh   = ent_oh & {NumVc{retry_ack_i}};
  assign pkt_d      = (pkt_q & ~end_oh & ~retry_oh & ~gone_oh) | fresh_oh | put_oh;
  assign rsv_d      = (rsv_q & ~put_oh & {NumVc{!unhold}}) | (end_oh & {NumVc{hold}});
  assign cred_ret_o = ends && !hold;
  assign cred_vc_o  = sel_q;
  assign add        = retry_oh | (gone_oh & ~end_oh) | (rsv_q & {NumVc{unhold}});
  assign cred_add_o = 3'(add);
  assign room_o     = 3'(room);
  assign pkt_o      = |pkt_q;
  assign vacant_o   = |(look & ~pkt_q & (rsv_q | {NumVc{rdt_ports_pkg::is_mbp(InPort) || !up_i}}));

  assign ctx_o   = {pick_ctx(pkt_q, pend, look), look_plan};
  assign clash_o = put_we_i && (|(look & (pkt_q | {NumVc{rx_valid_i}})));

  // Acks and ack entries
  logic             ev_land;
  logic [NumVc-1:0] mc;

  function automatic logic [NumEntries-1:0] tags(input logic [NumVc-1:0] on, input logic [TagW*NumVc-1:0] d);
    tags = '0;
    for (int v = 0; v < NumVc; v++)
      for (int t = 0; t < NumEntries; t++)
        tags[t] = tags[t] || (on[v] && d[TagW*v +: TagW] == Tags[5*t +: TagW]);
  endfunction

  assign held_o = tags(pkt_q & mc & ~ent, tag);

  // A recall answers nothing, so it does not land. Nothing else of the port comes in with it.
  logic recall;
  if (rdt_ports_pkg::is_mbp(InPort)) begin : gen_recall
    assign recall  = land && (rx_d_i[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo] == 3'd0);
    assign recall_oh = pkt_q & {NumVc{recall && run_i && !ent_gnt_i}};
  end else begin : gen_no_recall
    assign recall  = 1'b0;
    assign recall_oh = '0;
    logic unused_run;
    assign unused_run = run_i;
  end

  // With banks the bits of an MBP's generation have the bank, too, and H1 another ack.
  logic [LandW-1:0]                    ack_land;
  logic [NumAcks*TagW-1:0]             ack_tag;
  logic [NumAcks*rdt_pkg::StatusW-1:0] ack_st;
  logic [rdt_pkg::GenW-1:0]            ack_gen;
  if (Pairs) begin : gen_pair
    assign ack_land = {landing[2:1], land};
  end else begin : gen_single
    assign ack_land = land && !recall;
  end
  if (rdt_ports_pkg::has_banks(NumEntries)) begin : gen_bank
    assign ack_tag = {rx_d_i[rdt_pkg::H0StatusHi+1 +: TagW],
                      rx_d_i[rdt_pkg::H0GenHi -: 2], rx_d_i[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo]};
    assign ack_st  = {NumAcks{rx_d_i[rdt_pkg::H0StatusHi:rdt_pkg::H0StatusLo]}};
    assign ack_gen = {2'd0, rx_d_i[rdt_pkg::H0GenLo +: 2]};
  end else begin : gen_no_bank
    assign ack_tag = rx_d_i[rdt_pkg::H0TagHi:rdt_pkg::H0TagLo];
    assign ack_st  = rx_d_i[rdt_pkg::H0StatusHi:rdt_pkg::H0StatusLo];
    assign ack_gen = rx_d_i[rdt_pkg::H0GenHi:rdt_pkg::H0GenLo];
  end

  rdt_ack_port #(.NumVc(NumVc), .InPort(InPort), .NumEntries(NumEntries)) u_ack_port (
    .clk_i      (clk_i), .rst_ni(rst_ni),
    .land_i     (ack_land),
    .land_tag_i (ack_tag),
    .land_st_i  (ack_st),
    .land_gen_i (ack_gen),
    .ack_take_i (ack_take_i),
    .ack_v_o    (ack_v_o),
    .ack_tag_o  (ack_tag_o),
    .ack_st_o   (ack_st_o),
    .ack_gen_o  (ack_gen_o),
    .ev_over_o  (ev_land),
    .halt_i     (halt_i),
    .wait_i     (pkt_q & ent),
    .pend_i     (pend),
    .tag_i      (tag),
    .ent_gnt_i  (ent_gnt_i),
    .slow_i     (slow_i),
    .tick_ent_i (tick_ent_i),
    .retry_ack_i(retry_ack_i),
    .ent_oh_o   (ent_oh),
    .ent_req_o  (ent_req_o),
    .ent_set_o  (ent_set_o),
    .ent_tag_o  (ent_tag_o),
    .ent_vct_o  (ent_vct_o),
    .ent_old_o  (ent_old_o),
    .retry_o    (retry_o)
  );

  // A packet that is short marks its slot as corrupt for later passes, and the pass that begins
  // now. Otherwise the running pass reads it, unless it still needs an entry: then a RETRY has
  // consumed it. The start of the last pass is not needed here, because its slot is not read again.
  logic gone;

  assign short_oh  = rx_oh & (fresh_oh | pkt_q) & {NumVc{is_short}};
  assign gone      = is_short && (short_oh == '0);
  assign ev_over_o = over || ev_land;

  // Candidates
  logic [1:0] sel, sel_next;
  logic       open;

  rdt_vc_select #(.NumVc(NumVc)) u_vc_select (
    .halt_i    (halt_i),
    .dump_i    (look & {NumVc{dump_i}}),
    .val_i     (pkt_q),
    .ent_i     (ent),
    .pend_i    (pend),
    .ovc_i     (ovc),
    .uvc_i     (uvc),
    .credit_i  (credit_i),
    .sel_i     (sel_q),
    .fresh_i   (fresh_oh),
    .fresh_vc_i(rx_vc_i),
    .rdy_i     (rt_rdy),
    .open_i    (open),
    .sel_o     (sel),
    .next_o    (sel_next),
    .set_o     (cand_o)
  );

  // A packet is not consumed while it still comes in, nor when it gets its entry: it is reported again.
  assign drop_oh = to_oh & ~(rx_oh & {NumVc{rx_valid_i}}) & {NumVc{to_ack_i && drop_i && !ent_gnt_i}};
  assign gone_oh = recall_oh | drop_oh;

  assign want_d = cand_o & {NumOuts{!gnt && gone_oh == '0}};
  assign want_o = want_q;
  assign sel_d  = gnt ? sel_next : sel;

  // Reading, a cycle ahead: what comes next is known without the grant, and was written cycles before.
  logic [DataW*NumVc-1:0] ram_d;
  logic [DataW-1:0]    flit_q, flit, copy;
  logic [1:0]          code, rd_ovc;
  logic [3:0]          next_idx, rd_err;
  logic                rd_on, rd_odd, rd_up, rd_loc;
  logic [NumVc-1:0]    next_oh;
  logic [2:0]          head;

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    rdt_buffer_ram #(.DataW(DataW)) u_ram (
      .clk_i  (clk_i),
      .we_i   ((ram_we && rx_oh[v]) || (put_we_i && !rx_valid_i && look[v] && !pkt_q[v])),
      .waddr_i(rx_valid_i ? idx[3:0] : put_addr_i),
      .wdata_i(rx_valid_i ? rx_d_i : put_d_i),
      .raddr_i(next_idx),
      .rdata_o(ram_d[DataW*v +: DataW])
    );
  end

  function automatic logic [DataW-1:0] pick(input logic [DataW*NumVc-1:0] d, input logic [NumVc-1:0] oh);
    pick = '0;
    for (int v = 0; v < NumVc; v++) pick = pick | (d[DataW*v +: DataW] & {DataW{oh[v]}});
  endfunction

  always_ff @(posedge clk_i) flit_q <= pick(ram_d, next_oh);  // written before it is used

  assign flit = flit_q & {DataW{rd_on}};

  rdt_read_pass #(.NumVc(NumVc)) u_read_pass (
    .clk_i       (clk_i), .rst_ni(rst_ni),
    .gnt_i       (gnt_i),
    .sel_i       (sel_q),
    .dumped_i    (dumped),
    .fin_i       (ends),
    .pois_i      (|((pois | short_oh) & sel_oh)),
    .short_i     (gone && (rx_oh & ent) == '0),
    .short_dump_i(gone && |(rx_oh & rd_oh)),
    .short_more_i(|(short_oh & ~fresh_oh & rd_oh)),
    .len_i       (flit[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo]),
    .odd_i       (rd_odd),
    .ovc_i       (rd_ovc),
    .vc_o        (rd_vc_o),
    .oh_o        (rd_oh),
    .on_o        (rd_on),
    .head_o      (head),
    .up_o        (rd_up),
    .loc_o       (rd_loc),
    .code_o      (code),
    .open_o      (open),
    .next_idx_o  (next_idx),
    .next_oh_o   (next_oh)
  );

  rdt_bitmap_gen #(
    .DataW(DataW), .NumVc(NumVc), .InPort(InPort), .NumEntries(NumEntries)
  ) u_bitmap_gen (
    .clk_i      (clk_i),
    .rank_i     (rank_i),
    .xfer_i     (xfer_i),
    .dateline_i (dateline_i),
    .mask_i     (mask_i),
    .ranks_i    (ranks_i),
    .h0_we_i    (idx == 5'd0),
    .h1_we_i    (idx == 5'd1),
    .d_i        (rx_d_i[rdt_pkg::FlitW-1:0]),
    .vc_i       (rx_vc_i),
    .raw_i      (raw_i),
    .credit_i   (credit_i),
    .len_o      (len),
    .set_o      (rt_set),
    .rdy_o      (rt_rdy),
    .bad_o      (rt_bad),
    .fresh_i    (fresh_oh),
    .put_i      (put_oh),
    .put_plan_i (put_ctx_i[PlanW-1:0]),
    .ent_gnt_i  (ent_oh & {NumVc{ent_gnt_i}}),
    .ent_new_i  (ent_new_i),
    .look_i     (look),
    .look_plan_o(look_plan),
    .mc_o       (mc),
    .tag_o      (tag), .ent_o(ent),
    .ovc_o      (ovc), .uvc_o(uvc),
    .rd_i       (next_oh),
    .up_i       (rd_up),
    .head_i     (head),
    .flit_i     (flit),
    .flit_o     (copy),
    .vc_o       (rd_ovc), .err_o(rd_err), .odd_o(rd_odd)
  );

  assign rd_x_o   = {code, copy};
  assign rd_err_o = rd_err & {4{rd_loc}};

  // Time-out
  logic [NumVc-1:0]             to_all;
  logic [rdt_pkg::NumPorts-1:0] to_low;

  assign to_all    = pkt_q & old;
  assign to_low    = rdt_ports_pkg::low10(rdt_pkg::NumPorts'(to_all));
  assign to_oh     = to_low[NumVc-1:0];
  assign to_pend_o = |to_all;
  assign to_vc_o   = to_low[2:1];

  logic unused;
  assign unused = (^to_low) ^ (^look_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pkt_q  <= '0;
      rsv_q  <= '0;
      sel_q  <= 2'd0;
      want_q <= '0;
    end else begin
      pkt_q  <= pkt_d;
      rsv_q  <= rsv_d;
      sel_q  <= sel_d;
      want_q <= want_d;
    end
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_input_unit.svh"
`endif
endmodule
