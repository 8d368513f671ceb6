// SPDX-License-Identifier: MIT
// What rdt_input_unit promises and relies on.
logic             f_rx_q;    // a packet comes in
logic [1:0]       f_rx_vc_q;
logic [NumVc-1:0] f_look_q;
logic             f_gnt8_q;
logic             f_halt_q, f_dump_q;
logic [NumVc-1:0] f_out_q;   // buffers that the other end has no credit for
logic [NumVc-1:0] f_three_q; // H0 in the buffer says at least three flits
logic             f_gnt_q;
logic [NumVc-1:0] f_room_q, f_freed_q;
logic [NumVc-1:0] f_free;    // buffers that are given back

assign f_free = add | (sel_oh & {NumVc{cred_ret_o}});
always_ff @(posedge clk_i) begin
  f_rx_q   <= rst_ni && rx_valid_i && !rx_last_i;
  f_rx_vc_q <= rx_vc_i;
  f_halt_q <= halt_i;
  f_dump_q <= rst_ni && halt_i && dump_i;
  f_look_q <= look;
  f_gnt8_q <= gnt_i[8];
  f_out_q  <= (f_out_q & ~f_free | fresh_oh | put_oh) & {NumVc{rst_ni}};
  for (int v = 0; v < NumVc; v++) begin
    if (!rst_ni) f_three_q[v] <= 1'b0;
    else if (ram_we && rx_oh[v] && idx == 5'd0) f_three_q[v] <= (rx_d_i[13:10] >= 4'd2);
    else if (put_we_i && !rx_valid_i && look[v] && !pkt_q[v] && put_addr_i == 4'd0) f_three_q[v] <= (put_d_i[13:10] >= 4'd2);
  end
  f_gnt_q  <= rst_ni && gnt;
  f_room_q  <= rst_ni ? room : '1;
  f_freed_q <= f_free;
end

`RDT_GIVEN("one packet that is there is presented", want_q == 11'd0 || mine[11])
`RDT_GIVEN("it is presented only to outputs it still has to go to",
             (want_q & ~mine[10:0]) == 11'd0 || (f_dump_q && want_q == 11'h100))
`RDT_GIVEN("upper ports and others are not asked for together", want_q[7:4] == 4'd0 || (want_q & 11'h70F) == 11'd0)
`RDT_GIVEN("in a halted chip only LOCAL and the dump are asked",
             !f_halt_q || want_q == 11'd0 || want_q == 11'h400 || (f_dump_q && want_q == 11'h100))
`RDT_GIVEN("a buffer is given back once", (f_free & ~f_out_q) == '0 && (add & (sel_oh & {NumVc{cred_ret_o}})) == '0)
`RDT_GIVEN("and is empty then", (f_out_q ^ (pkt_q | rsv_q)) == '0)
`RDT_GIVEN("a credit is given back for a VC there is", cred_vc_o < 2'(NumVc))
`RDT_GIVEN("a buffer is empty in the clock after it was given back", (room & ~f_room_q & ~f_freed_q) == '0)
`RDT_GIVEN("who asks for an entry wants some ports", !ent_req_o || ent_set_o != 10'd0)
`RDT_GIVEN("a buffer that is promised is empty", (pkt_q & rsv_q) == '0)
`RDT_GIVEN("a grant begins no pass before the last has ended", !gnt || code == 2'd0 || (code == 2'd1 && !head[0]))
`RDT_GIVEN("no pass is shorter than three flits",
             !head[0] || (rd_loc && rd_odd) || flit[13:10] >= 4'd2)

logic f_recall_q, f_run_q;
always_ff @(posedge clk_i) begin
  f_recall_q <= rst_ni && recall && !ent_gnt_i;
  f_run_q    <= run_i;
end
`RDT_GIVEN("an MBP that recalls its packet has its buffer back at once, whatever the packet waits for",
           !f_recall_q || !f_run_q || pkt_q == '0)
`RDT_GIVEN("what is dropped has timed out and is no longer coming in",
           (drop_oh & ~(pkt_q & old)) == '0 && (drop_oh & rx_oh & {NumVc{rx_valid_i}}) == '0)
`RDT_RELY("nothing is dropped in a halted chip", !halt_i || !drop_i)
`RDT_RELY("nothing is dumped or put back while the chip runs",
          !run_i || (!dump_i && !put_set_i && !put_we_i && !keep_i && !raw_i))
`RDT_RELY("a node is on one rank at most", (rank_i & (rank_i - 5'd1)) == 5'd0)
`RDT_RELY("gnt_i is a part of want_o", (gnt_i & ~want_q) == 11'd0)
`RDT_RELY("packets are framed and without gaps", f_rx_q ? rx_valid_i && !rx_first_i : !rx_valid_i || rx_first_i)
`RDT_RELY("and on one VC", !f_rx_q || rx_vc_i == f_rx_vc_q)
`RDT_RELY("only MBP 0's port is kept or raw", InPort == 8 || (!keep_i && !free_i && !raw_i))
`RDT_RELY("a packet is put only into an empty buffer", (put_oh & pkt_q) == '0)
`RDT_RELY("and is there with its last flit", !(|put_oh) || put_addr_i >= 4'd2)
`RDT_RELY("and not while the header of the one before is read", (put_oh & rd_oh) == '0 || head == 3'd0)
`RDT_RELY("and not while one comes in; but that of MBP 0 itself may still be, or one that is dropped",
          !(|put_oh) || !rx_valid_i || (InPort == 8 && (!ram_we || (!rx_first_i && idx > 5'd2))))
`RDT_RELY("one buffer is looked at", (look & (look - NumVc'(1))) == '0)
`RDT_RELY("what is put back has three flits", (put_oh & ~f_three_q) == '0)
`RDT_RELY("only a packet that is there and not for LOCAL is dumped",
          !halt_i || !dump_i || look == '0 || (ctx_o[20] && !ctx_o[19]))
`RDT_RELY("a dump waits until it is granted",
          !f_dump_q || f_look_q == '0 || (f_gnt_q && f_gnt8_q) || (halt_i && dump_i && look == f_look_q))
`RDT_RELY("entries and RETRY only for who asks", (!ent_gnt_i || ent_req_o) && (!retry_ack_i || retry_o) && !(ent_gnt_i && retry_ack_i))
`RDT_RELY("a time-out is told only if there is one", !to_ack_i || to_pend_o)
`RDT_RELY("a packet that is put back has to go somewhere and not to LOCAL",
          !(|put_oh) || (put_ctx_i[18:9] != 10'd0 && !put_ctx_i[19]))
`RDT_RELY("packets are put back into a halted chip", !put_set_i || halt_i)
`ifdef FORMAL
// The outputs of the packet in buffer 0, from when it is routed or put back until it is gone.
logic [10:0] f_set_q, f_done_q;
always_ff @(posedge clk_i) begin
  if (fresh_oh[0] || put_oh[0]) begin
    f_set_q  <= load_pend;
    f_done_q <= 11'd0;
  end else if (gnt && sel_oh[0]) begin
    f_done_q <= f_done_q | gnt_i;
  end
end
`RDT_GIVEN("an output is granted once to a packet", !gnt || !sel_oh[0] || dumped || (gnt_i & f_done_q) == 11'd0)
`RDT_GIVEN("what is left is what was not granted", !pkt_q[0] || pend[10:0] == (f_set_q & ~f_done_q))
`RDT_GIVEN("a packet that is there has to go somewhere", !pkt_q[0] || pend[10:0] != 11'd0)
`RDT_GIVEN("it goes when all are granted", !end_oh[0] || dumped || (f_set_q & ~(f_done_q | gnt_i)) == 11'd0)
// What is put back is what is shown.
logic        f_put_q;
logic [19:0] f_ctx_q;
always_ff @(posedge clk_i) begin
  f_put_q <= rst_ni && put_oh[0];
  f_ctx_q <= put_ctx_i;
end
`RDT_GIVEN("a context that is put back is shown again", !f_put_q || !look[0] || ctx_o == {1'b1, f_ctx_q})
`RDT_COVER(code != 2'd0 && f_done_q == 11'h0F0 && pkt_q == '1 && !halt_i)
`endif
