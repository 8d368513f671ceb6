// SPDX-License-Identifier: MIT
// Acknowledge combining: one entry per multicast with missing acks. The tag of an entry goes out with
// the copies and comes back with their acks; the last ack sends one ack with the OR of all statuses.
// Promises: one ack per entry, only to a parent whose link may accept one (busy_i). The tag of an
// entry that timed out stays in quarantine, and an MBP's ack names the generation of the entry, so a
// late ack never counts for a later multicast. Every landing ack is taken; a stray one is reported.
// Landing acks, requests and answers are served round-robin. Entry e is allocated only to class e (the
// position in the multicast tree) and later ones, so routers never wait for each other in a cycle. The
// seventh entry is reserved for barriers: its wait ends by end_i, not by ticks. Those of the other
// banks are for all classes. With banks a port has two acks, {second, first}, which land together.
// Relies on: snd_take_i only with snd_v_o. LOCAL may read or restore an entry; no ack lands or is sent
// in that cycle, so these accesses share the selection of an entry.
module rdt_ack #(
  parameter int NumEntries = rdt_pkg::NumEntries  // 1 to 7, or 13, 19, 25 in banks
) (
  // Clock and reset; tick of the time-out.
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        tick_i,
  input  logic        end_i,         // ends the wait of the lane
  // input units
  input  logic [9:0]  ack_v_i,
  input  logic [rdt_ports_pkg::num_acks(NumEntries)*rdt_ports_pkg::tag_w(NumEntries)*rdt_pkg::NumPorts-1:0] ack_tag_i,
  input  logic [rdt_ports_pkg::num_acks(NumEntries)*rdt_pkg::StatusW*rdt_pkg::NumPorts-1:0] ack_st_i,
  input  logic [2*rdt_pkg::GenW-1:0] ack_gen_i,  // generations from the MBPs' ports
  output logic [9:0]  ack_take_o,
  input  logic [9:0]  ent_req_i,
  input  logic [rdt_pkg::NumPorts*rdt_pkg::NumPorts-1:0] ent_set_i,
  input  logic [rdt_ports_pkg::tag_w(NumEntries)*rdt_pkg::NumPorts-1:0] ent_tag_i,
  input  logic [1:0]  ent_vct_i,     // the request of port 0, 1 is of VC-T
  input  logic [9:0]  ent_old_i,     // requests that go first
  output logic [9:0]  ent_gnt_o,
  output logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] ent_new_o,
  input  logic [NumEntries-1:0] held_i,        // a copy with the tag of the entry waits in a buffer
  // rdt_inject
  output logic        snd_v_o,
  output logic [3:0]  snd_port_o,
  output logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] snd_tag_o,
  output logic [5:0]  snd_st_o,
  input  logic        snd_take_i,
  input  logic [9:0]  busy_i,        // ports that may not be sent an ack yet
  // output units
  output logic [rdt_ports_pkg::gen_w(NumEntries)*NumEntries-1:0] gen_o,
  // LOCAL
  output logic        stray_o,
  output logic [3:0]  stray_port_o,
  output logic [2:0]  stray_tag_o,
  output logic        ev_table_o,
  input  logic        look_i,
  input  logic [rdt_ports_pkg::tag_w(NumEntries)-1:0] look_tag_i,
  output logic        look_used_o,
  output logic [16:0] look_h1_o,
  output logic [rdt_ports_pkg::ent_h2_w(NumEntries)-1:0] look_h2_o,
  input  logic        put_i,         // with look_i
  input  logic [16:0] put_h1_i,
  input  logic [rdt_ports_pkg::ent_h2_w(NumEntries)-1:0] put_h2_i
);
  localparam int NumPorts = rdt_pkg::NumPorts;
  localparam int NumEnt   = NumEntries;
  localparam int TagW     = rdt_ports_pkg::tag_w(NumEntries);
  localparam int StatusW  = rdt_pkg::StatusW;
  localparam int AllGenW  = rdt_pkg::GenW;
  localparam int GenW     = rdt_ports_pkg::gen_w(NumEntries);  // bits for the MBPs
  localparam int PortW    = rdt_pkg::PortW;
  localparam int EntH2    = rdt_ports_pkg::ent_h2_w(NumEntries);
  localparam logic [rdt_ports_pkg::TagsW-1:0] Tags = rdt_ports_pkg::Tags;
  localparam bit Banks    = rdt_ports_pkg::has_banks(NumEntries);
  localparam int AckTagW  = rdt_ports_pkg::num_acks(NumEntries) * TagW;
  localparam int AckStW   = rdt_ports_pkg::num_acks(NumEntries) * StatusW;

  // Element e of the vectors over entries belongs to entry e + 1: to this tag, without banks.
  logic [NumPorts*NumEnt-1:0] pend;
  logic [PortW*NumEnt-1:0]    par_port;
  logic [TagW*NumEnt-1:0]     par_tag;
  logic [StatusW*NumEnt-1:0]  status;
  logic [AllGenW*NumEnt-1:0]  gens;
  logic [GenW*NumEnt-1:0]     gen;
  logic [NumEnt-1:0]          free, quar, full, late;

  // Round-robin state.
  logic [3:0]           last_d, last_q;          // last of the ports whose acks land
  logic [3:0]           ent_last_d, ent_last_q;  // last of the ports that request an entry
  logic [TagW-1:0]      snd_last_d, snd_last_q;  // last of the entries answered, by tag
  logic [9:0]           mask_q, ent_mask_q;      // ports above last_q and ent_last_q

  function automatic logic [TagW-1:0] tag_of(input logic [NumEnt-1:0] oh);
    tag_of = '0;
    for (int e = 0; e < NumEnt; e++) tag_of = tag_of | (Tags[5*e +: TagW] & {TagW{oh[e]}});
  endfunction

  function automatic logic [3:0] gen_of(input logic [AllGenW*NumEnt-1:0] d, input logic [NumEnt-1:0] oh);
    gen_of = 4'd0;
    for (int e = 0; e < NumEnt; e++) gen_of = gen_of | (d[AllGenW*e +: AllGenW] & {AllGenW{oh[e]}});
  endfunction

  function automatic logic [AckTagW-1:0] pick_ack(input logic [AckTagW*NumPorts-1:0] d, input logic [NumPorts-1:0] oh);
    pick_ack = '0;
    for (int p = 0; p < NumPorts; p++) pick_ack = pick_ack | (d[AckTagW*p +: AckTagW] & {AckTagW{oh[p]}});
  endfunction

  function automatic logic [AckStW-1:0] pick_st(input logic [AckStW*NumPorts-1:0] d, input logic [NumPorts-1:0] oh);
    pick_st = '0;
    for (int p = 0; p < NumPorts; p++) pick_st = pick_st | (d[AckStW*p +: AckStW] & {AckStW{oh[p]}});
  endfunction

  function automatic logic [TagW-1:0] pick_tag(input logic [TagW*NumPorts-1:0] d, input logic [NumPorts-1:0] oh);
    pick_tag = '0;
    for (int p = 0; p < NumPorts; p++) pick_tag = pick_tag | (d[TagW*p +: TagW] & {TagW{oh[p]}});
  endfunction

  function automatic logic [9:0] pend_of(input logic [NumPorts*NumEnt-1:0] d, input logic [NumEnt-1:0] oh);
    pend_of = 10'd0;
    for (int e = 0; e < NumEnt; e++) pend_of = pend_of | (d[NumPorts*e +: NumPorts] & {NumPorts{oh[e]}});
  endfunction

  // Landing.
  logic [9:0]        ack_oh;
  logic [AckTagW-1:0] acks;      // tags, {second, first} with banks
  logic [AckStW-1:0]  ack_sts;   // statuses
  logic [TagW-1:0]   ack_tag, tag;
  logic [5:0]        ack_st;
  logic [3:0]        ack_port;
  logic [NumEnt-1:0] tag_oh;    // the ack, or LOCAL, names this entry
  logic [NumEnt-1:0] waits;     // the entry waits for this ack, if it is the one named
  logic [NumEnt-1:0] also_oh;   // the second ack names this entry, and the first another one
  logic [GenW-1:0]   ack_gen;
  logic              ack_up, expected, taken;
  logic              also_stray;  // no entry expects the second ack
  logic [9:0]        up_oh, low_oh;  // the choice among the ports of the mask, and among all

  assign ack_up       = |(ack_v_i & mask_q);
  assign up_oh        = rdt_ports_pkg::low10(ack_v_i & mask_q);
  assign low_oh       = rdt_ports_pkg::low10(ack_v_i);
  assign ack_oh       = ack_up ? up_oh : low_oh;
  assign acks         = ack_up ? pick_ack(ack_tag_i, up_oh) : pick_ack(ack_tag_i, low_oh);
  assign ack_sts      = pick_st(ack_st_i, ack_oh);
  assign ack_tag      = acks[TagW-1:0];
  assign ack_st       = ack_sts[StatusW-1:0];
  assign ack_port     = rdt_ports_pkg::port_of(ack_oh);
  assign tag          = look_i ? look_tag_i : ack_tag;
  assign ack_gen      = (ack_gen_i[0 +: GenW] & {GenW{ack_oh[rdt_pkg::PortM0]}}) |
                        (ack_gen_i[AllGenW +: GenW] & {GenW{ack_oh[rdt_pkg::PortM1]}});
  assign expected     = (|(tag_oh & waits)) && !look_i;
  assign taken        = (|ack_v_i) && !look_i;
  assign ack_take_o   = ack_oh & {10{!look_i}};
  assign last_d       = taken ? ack_port : last_q;
  assign stray_o      = taken && (!expected || also_stray);
  assign stray_port_o = ack_port & {4{!look_i}};

  logic [StatusW-1:0] also_st;
  if (Banks) begin : gen_second
    logic [TagW-1:0] also;
    assign also        = acks[2*TagW-1:TagW];
    assign also_st     = ack_sts[2*StatusW-1:StatusW];
    assign also_stray  = (also[2:0] != 3'd0) && !(|(also_oh & waits));
    assign stray_tag_o = (expected ? also[2:0] : ack_tag[2:0]) & {3{!look_i}};
    for (genvar e = 0; e < NumEnt; e++) begin : gen_also
      assign also_oh[e] = (also == Tags[5*e +: TagW]) && !tag_oh[e];
    end
    logic unused_gen;
    assign unused_gen = (^ack_gen_i[GenW +: AllGenW - GenW]) ^ (^ack_gen_i[AllGenW + GenW +: AllGenW - GenW]);
  end else begin : gen_single
    assign also_st     = '0;
    assign also_stray  = 1'b0;
    assign also_oh     = '0;
    assign stray_tag_o = ack_tag & {3{!look_i}};
  end

  // Allocation. A restored entry uses the same path.
  logic [NumEnt-1:0] new_oh, put_oh;
  logic [9:0]        req_ok, old_ok, req_oh, new_set;
  logic              gives;
  logic [TagW-1:0]   new_tag, put_tag;
  logic [3:0]        new_port;

  // Classes by the place in the tree: 0 source or transfer upwards, 1 expands the own rank after a
  // transfer, 2 relay of the own rank, 3 goes down, 4 relay of rank 0, 5 leaf.
  localparam int NumClass = 6;
  logic [NumClass*NumPorts-1:0] cls;   // class of the request of each port, one-hot
  logic [NumClass-1:0]          room;  // an entry that the class may have is free
  logic [NumEnt*NumClass-1:0]   best;  // the highest of them
  localparam int Pool = (NumEnt > NumClass) ? NumClass : NumEnt;  // entries without the lane
  logic [NumPorts-1:0]          lane;  // the request is for the lane

  // Entries of class c: 0 up to its own number, or with fewer than six entries those that are left; and
  // all behind the lane.
  function automatic logic [NumClass-1:0] room_of(input logic [NumEnt-1:0] d);
    room_of = '0;
    for (int c = 0; c < NumClass; c++)
      for (int e = 0; e < NumEnt; e++)
        room_of[c] = room_of[c] || (d[e] && (e == 0 || e <= c - NumClass + Pool || e > NumClass));
  endfunction

  function automatic logic [NumEnt*NumClass-1:0] best_of(input logic [NumEnt-1:0] d);
    best_of = '0;
    for (int c = 0; c < NumClass; c++)
      for (int e = 0; e < NumEnt; e++)
        if (e == 0 || e <= c - NumClass + Pool || e > NumClass) begin
          best_of[NumEnt*c +: NumEnt] = best_of[NumEnt*c +: NumEnt] & {NumEnt{!d[e]}};
          best_of[NumEnt*c+e] = d[e];
        end
  endfunction

  // The entry that the request of this port gets.
  function automatic logic [NumEnt-1:0] given(input logic [NumEnt*NumClass-1:0] entry, input logic [NumClass*NumPorts-1:0] of,
                                              input logic [NumPorts-1:0] oh);
    logic is_class;
    given = '0;
    for (int c = 0; c < NumClass; c++) begin
      is_class = 1'b0;
      for (int p = 0; p < NumPorts; p++) is_class = is_class || (oh[p] && of[NumClass*p+c]);
      given = given | (entry[NumEnt*c +: NumEnt] & {NumEnt{is_class}});
    end
  endfunction

  assign room = room_of(free);
  assign best = best_of(free);

  for (genvar p = 0; p < NumPorts; p++) begin : gen_class
    if (rdt_ports_pkg::is_mbp(p)) begin : gen_mbp
      assign cls[NumClass*p +: NumClass] = 6'b000001;
    end else if (rdt_ports_pkg::is_upper(p)) begin : gen_upper
      logic up, low;
      assign up  = |ent_set_i[NumPorts*p+4 +: 4];
      assign low = |ent_set_i[NumPorts*p +: 4];
      assign cls[NumClass*p +: NumClass] = {!up && !low, 1'b0, !up && low, up, 2'b00};
    end else if (!rdt_ports_pkg::is_x(p)) begin : gen_y
      logic low;
      assign low = |ent_set_i[NumPorts*p +: 4];
      assign cls[NumClass*p +: NumClass] = {!low, low, 4'b0000};
    end else begin : gen_x
      localparam bit Positive = rdt_ports_pkg::is_positive(p);
      logic up, low, vct, leaf, step;
      assign up   = |ent_set_i[NumPorts*p+4 +: 4];
      assign low  = |ent_set_i[NumPorts*p +: 4];
      assign vct  = ent_vct_i[p];
      assign leaf = !vct || (!up && !low);
      assign step = vct && !up && low;
      assign cls[NumClass*p +: NumClass] = {leaf, 1'b0, step && !Positive, 1'b0, vct && up, step && Positive};
    end
    if (NumEnt > Pool) begin : gen_lane
      assign lane[p] = (ent_tag_i[TagW*p +: TagW] == Tags[5*Pool +: TagW]);
      assign req_ok[p] = ent_req_i[p] && (lane[p] ? free[Pool] : |(cls[NumClass*p +: NumClass] & room));
    end else begin : gen_no_lane
      assign lane[p]   = 1'b0;
      assign req_ok[p] = ent_req_i[p] && (|(cls[NumClass*p +: NumClass] & room));
    end
  end

  assign old_ok     = req_ok & ent_old_i;
  assign gives      = (|req_ok) && !put_i;
  assign req_oh     = rdt_ports_pkg::turn10((|old_ok) ? old_ok : req_ok, ent_mask_q) & {10{!put_i}};
  assign new_oh     = given(best, cls, req_oh & ~lane) | NumEnt'(NumEnt'(|(req_oh & lane)) << Pool);
  assign ent_gnt_o  = req_oh;
  assign ent_new_o  = tag_of(new_oh);
  assign ent_last_d = gives ? new_port : ent_last_q;
  assign put_oh     = tag_oh & {NumEnt{put_i}};

  // H1 of a restored entry is {parent port, parent tag, pend}, H2 {quarantine, status, generation}; behind
  // it the bank of the parent tag.
  if (Banks) begin : gen_put_bank
    assign put_tag = {put_h2_i[TagW-4:0], put_h1_i[NumPorts +: 3]};
  end else begin : gen_put
    assign put_tag = put_h1_i[NumPorts +: TagW];
  end
  assign {new_port, new_tag, new_set} = {rdt_ports_pkg::port_of(req_oh), pick_tag(ent_tag_i, req_oh),
                                         rdt_ports_pkg::pick10(ent_set_i, req_oh)} |
                                        ({put_h1_i[16:13], put_tag, put_h1_i[9:0]} & {(14 + TagW){put_i}});

  // Sending.
  logic [NumEnt-1:0] may, snd_mask, snd_oh;

  function automatic logic [9+TagW:0] parent(input logic [PortW*NumEnt-1:0] p, input logic [TagW*NumEnt-1:0] t,
                                         input logic [StatusW*NumEnt-1:0] s, input logic [NumEnt-1:0] oh);
    parent = '0;
    for (int e = 0; e < NumEnt; e++) begin
      parent = parent | ({p[PortW*e +: PortW], t[TagW*e +: TagW], s[StatusW*e +: StatusW]} & {(10 + TagW){oh[e]}});
    end
  endfunction

  // Each bit by itself, as in low10.
  function automatic logic [NumEnt-1:0] lowest(input logic [NumEnt-1:0] d);
    for (int e = 0; e < NumEnt; e++) lowest[e] = d[e] && ((d & ~({NumEnt{1'b1}} << e)) == '0);
  endfunction

  for (genvar e = 0; e < NumEnt; e++) begin : gen_may
    assign snd_mask[e] = (snd_last_q < Tags[5*e +: TagW]);
    assign may[e] = full[e] && !(|(busy_i & rdt_ports_pkg::oh_of(par_port[PortW*e +: PortW])));
  end

  assign snd_oh                            = ((may & snd_mask) == '0) ? lowest(may) : lowest(may & snd_mask);
  assign snd_v_o                           = (|may) && !look_i;
  assign snd_last_d                        = snd_take_i ? tag_of(snd_oh) : snd_last_q;
  assign {snd_port_o, snd_tag_o, snd_st_o} = parent(par_port, par_tag, status, look_i ? tag_oh : snd_oh);
  assign ev_table_o                        = |late;

  // Looking.
  assign look_used_o = |(tag_oh & ~free);
  assign look_h1_o   = {snd_port_o, snd_tag_o[2:0], pend_of(pend, tag_oh)};
  assign look_h2_o[EntH2-1 -: 11] = {|(tag_oh & quar), snd_st_o, gen_of(gens, tag_oh)};
  if (Banks) begin : gen_look_bank
    assign look_h2_o[TagW-4:0] = snd_tag_o[TagW-1:3];
  end
  assign gen_o       = gen;

  for (genvar e = 0; e < NumEnt; e++) begin : gen_entry
    assign tag_oh[e] = (tag == Tags[5*e +: TagW]);
    assign gen[GenW*e +: GenW] = gens[AllGenW*e +: GenW];
    assign waits[e]  = !free[e] && (|(pend[NumPorts*e +: NumPorts] & ack_oh)) &&
                       (ack_gen == gen[GenW*e +: GenW] || !(|ack_oh[rdt_pkg::PortM0 +: 2]));

    rdt_ack_entry #(.Lane(e == Pool), .TagW(TagW)) u_entry (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .tick_i  (tick_i),
      .end_i   (end_i),
      .new_i   (new_oh[e] || put_oh[e]),
      .put_i   (put_oh[e]),
      .quar_i  (put_i && put_h2_i[EntH2-1]),
      .port_i  (new_port),
      .tag_i   (new_tag),
      .set_i   (new_set),
      .empty_i (new_set == 10'd0),
      .gen_i   (put_h2_i[EntH2-8 -: 4]),
      .land_i  ((tag_oh[e] || also_oh[e]) && waits[e] && !look_i),
      .ack_oh_i(ack_oh),
      .st_i    (put_i ? put_h2_i[EntH2-2 -: 6] : also_oh[e] ? also_st : ack_st),
      .more_i  (|(pend[NumPorts*e +: NumPorts] & ~ack_oh)),
      .sent_i  (snd_oh[e] && snd_take_i),
      .full_o  (full[e]),
      .port_o  (par_port[PortW*e +: PortW]),
      .tag_o   (par_tag[TagW*e +: TagW]),
      .status_o(status[StatusW*e +: StatusW]),
      .held_i  (held_i[e]),
      .free_o  (free[e]),
      .quar_o  (quar[e]),
      .late_o  (late[e]),
      .pend_o  (pend[NumPorts*e +: NumPorts]),
      .gen_o   (gens[AllGenW*e +: AllGenW])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_q     <= 4'd9;
      mask_q     <= 10'd0;
      ent_last_q <= 4'd9;
      ent_mask_q <= 10'd0;
      snd_last_q <= Tags[5*(NumEnt - 1) +: TagW];
    end else begin
      last_q     <= last_d;
      ent_last_q <= ent_last_d;
      if (taken) mask_q     <= rdt_ports_pkg::above10(ack_oh);
      if (gives) ent_mask_q <= rdt_ports_pkg::above10(req_oh);
      snd_last_q <= snd_last_d;
    end
  end

`ifndef SYNTHESIS
`include "rdt_assert.svh"
`include "rdt_ack.svh"
`endif
endmodule
