// SPDX-License-Identifier: MIT
// What rdt_arrival promises and relies on.
logic f_rx_q;    // a packet comes in
logic f_gone_q;  // that was dropped, or is an ack
logic f_head_q;  // and whose header is not complete
always_ff @(posedge clk_i) begin
  f_rx_q   <= rst_ni && rx_valid_i && !rx_last_i;
  f_gone_q <= land_o[0] || bad_o || (f_gone_q && !rx_first_i);
  f_head_q <= !fresh_o && (rx_first_i || f_head_q);
end

`RDT_GIVEN("no flit of a dropped packet is written", !f_rx_q || !f_gone_q || (!we_o && !fresh_o && !bad_o))
`RDT_GIVEN("no flit of an ack is written", !land_o[0] || (!we_o && !bad_o))
`RDT_GIVEN("a header is complete once per packet", !fresh_o || f_head_q)
`RDT_GIVEN("only a packet with a complete header has a length", !(short_o || ev_frame_o) || fresh_o || !f_head_q)

if (Pairs) begin : gen_f_pairs
  `RDT_GIVEN("no flit of the second ack is written", !land_o[1] || (!we_o && !bad_o && f_rx_q))
end

`RDT_RELY("packets are framed and have no gaps", f_rx_q ? rx_valid_i && !rx_first_i : !rx_valid_i || rx_first_i)
