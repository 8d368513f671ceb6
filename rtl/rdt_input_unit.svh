// SPDX-License-Identifier: MIT
// What rdt_input_unit promises and relies on.
logic             f_rx_q;    // a packet comes in
logic [1:0]       f_rx_vc_q;
logic [NumVc-1:0] f_look_q;
logic             f_gnt_mbp0_q;
logic             f_halt_q, f_dump_q;
logic [NumVc-1:0] f_out_q;   // buffers without a credit at the other end
logic [NumVc-1:0] f_three_q; // H0 in the buffer has a length of at least three flits
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
  f_gnt_mbp0_q <= gnt_i[rdt_pkg::PortM0];
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

`RDT_GIVEN("at most one stored packet is presented", want_q == 11'd0 || mine[11])
`RDT_GIVEN("a packet is presented only to its pending outputs",
             (want_q & ~mine[10:0]) == 11'd0 || (f_dump_q && want_q == 11'h100))
`RDT_GIVEN("upper ports and other outputs are not requested together", want_q[7:4] == 4'd0 || (want_q & 11'h70F) == 11'd0)
`RDT_GIVEN("a halted router requests only LOCAL and the dump",
             !f_halt_q || want_q == 11'd0 || want_q == 11'h400 || (f_dump_q && want_q == 11'h100))
`RDT_GIVEN("the credit of a buffer is returned once", (f_free & ~f_out_q) == '0 && (add & (sel_oh & {NumVc{cred_ret_o}})) == '0)
`RDT_GIVEN("a buffer is empty when its credit is returned", (f_out_q ^ (pkt_q | rsv_q)) == '0)
`RDT_GIVEN("the credit of an existing VC is returned", cred_vc_o < 2'(NumVc))
`RDT_GIVEN("a buffer is empty in the cycle after its credit was returned", (room & ~f_room_q & ~f_freed_q) == '0)
`RDT_GIVEN("a request for an entry names at least one port", !ent_req_o || ent_set_o != 10'd0)
`RDT_GIVEN("a reserved buffer is empty", (pkt_q & rsv_q) == '0)
`RDT_GIVEN("no pass begins before the previous one has ended", !gnt || code == 2'd0 || (code == 2'd1 && !head[0]))
`RDT_GIVEN("no pass is shorter than three flits",
             !head[0] || (rd_loc && rd_odd) || flit[13:10] >= 4'd2)

logic f_recall_q, f_run_q;
always_ff @(posedge clk_i) begin
  f_recall_q <= rst_ni && recall && !ent_gnt_i;
  f_run_q    <= run_i;
end
`RDT_GIVEN("an MBP that recalls its packet has its buffer back at once, whatever the packet waits for",
           !f_recall_q || !f_run_q || pkt_q == '0)
`RDT_GIVEN("a dropped packet has timed out and has arrived completely",
           (drop_oh & ~(pkt_q & old)) == '0 && (drop_oh & rx_oh & {NumVc{rx_valid_i}}) == '0)
`RDT_RELY("no packet is dropped in a halted router", !halt_i || !drop_i)
`RDT_RELY("no packet is dumped or restored while the router runs",
          !run_i || (!dump_i && !put_set_i && !put_we_i && !keep_i && !raw_i))
`RDT_RELY("a node is on at most one rank", (rank_i & (rank_i - 5'd1)) == 5'd0)
`RDT_RELY("gnt_i is a subset of want_o", (gnt_i & ~want_q) == 11'd0)
`RDT_RELY("packets are framed and have no gaps", f_rx_q ? rx_valid_i && !rx_first_i : !rx_valid_i || rx_first_i)
`RDT_RELY("all flits of a packet use one VC", !f_rx_q || rx_vc_i == f_rx_vc_q)
`RDT_RELY("only the port of MBP 0 is held or raw", rdt_ports_pkg::is_mbp0(InPort) || (!keep_i && !free_i && !raw_i))
`RDT_RELY("a packet is restored only into an empty buffer", (put_oh & pkt_q) == '0)
`RDT_RELY("a restored packet is complete with its last flit", !(|put_oh) || put_addr_i >= 4'd2)
`RDT_RELY("no packet is restored while the header of the previous one is read, except at MBP 0 its H2",
          (put_oh & rd_oh) == '0 || head == 3'd0 || (rdt_ports_pkg::is_mbp0(InPort) && head == 3'd4))
`RDT_RELY("no packet is restored while another arrives, except one of MBP 0 or one that is dropped",
          !(|put_oh) || !rx_valid_i || (rdt_ports_pkg::is_mbp0(InPort) && (!ram_we || (!rx_first_i && idx > 5'd2))))
`RDT_RELY("LOCAL reads at most one buffer", (look & (look - NumVc'(1))) == '0)
`RDT_RELY("a restored packet has at least three flits", (put_oh & ~f_three_q) == '0)
`RDT_RELY("only a stored packet that is not for LOCAL is dumped",
          !halt_i || !dump_i || look == '0 || (ctx_o[PlanW+NumOuts] && !ctx_o[PlanW+NumOuts-1]))
`RDT_RELY("a dump waits until it is granted",
          !f_dump_q || f_look_q == '0 || (f_gnt_q && f_gnt_mbp0_q) || (halt_i && dump_i && look == f_look_q))
`RDT_RELY("entries and RETRY answer only requesting VCs", (!ent_gnt_i || ent_req_o) && (!retry_ack_i || retry_o) && !(ent_gnt_i && retry_ack_i))
`RDT_RELY("a time-out is reported only if one is pending", !to_ack_i || to_pend_o)
`RDT_RELY("a restored packet has pending outputs, LOCAL not among them",
          !(|put_oh) || (put_ctx_i[PlanW +: 10] != 10'd0 && !put_ctx_i[PlanW+10]))
`RDT_RELY("packets are restored only into a halted router", !put_set_i || halt_i)
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
`RDT_GIVEN("an output is granted to a packet once", !gnt || !sel_oh[0] || dumped || (gnt_i & f_done_q) == 11'd0)
`RDT_GIVEN("the pending outputs are those not yet granted", !pkt_q[0] || pend[10:0] == (f_set_q & ~f_done_q))
`RDT_GIVEN("a stored packet has pending outputs", !pkt_q[0] || pend[10:0] != 11'd0)
`RDT_GIVEN("a packet leaves when all its outputs are granted", !end_oh[0] || dumped || (f_set_q & ~(f_done_q | gnt_i)) == 11'd0)
// The restored context is the one on the ports.
logic        f_put_q;
logic [PlanW+NumOuts-1:0] f_ctx_q;
always_ff @(posedge clk_i) begin
  f_put_q <= rst_ni && put_oh[0];
  f_ctx_q <= put_ctx_i;
end
`RDT_GIVEN("a restored context reads back unchanged", !f_put_q || !look[0] || ctx_o == {1'b1, f_ctx_q})
`RDT_COVER(code != 2'd0 && f_done_q == 11'h0F0 && pkt_q == '1 && !halt_i)
`endif
