// SPDX-License-Identifier: MIT
// The router in a custom testbench: MBP 0 sends a packet to MBP 1 of the same node.
//
// The chip's ports are flat vectors, element p of d_i is [18*p +: 18]. Verilator 5.006 does not
// look again at what depends on a vector when a part of it is written in a process
// (req_i[16 +: 2] = ...): write the whole vector, or assign it, as here.
module bench;
  logic         clk = 1'b0, rst_n = 1'b0;
  logic [179:0] d_i, d_o;
  logic [9:0]   oe;
  logic [19:0]  req_i, req_o, cred_i, cred_o;
  logic         err, slice;

  rdt_router u_chip (
    .clk_i(clk), .rst_ni(rst_n),
    .d_i(d_i), .d_o(d_o), .d_oe_o(oe),
    .req_i(req_i), .req_o(req_o), .cred_i(cred_i), .cred_o(cred_o),
    .err_o(err), .shoot_i(1'b0), .slice_i(slice), .slice_o(slice)
  );

  logic [17:0] m0_d, m1_d;
  logic        m0_oe, m1_oe, send = 1'b0, m0_received, received;
  logic [1:0]  m0_req, m1_req, m0_cred, m1_cred;
  logic [89:0] packet, m0_got, got;

  // The eight links to other chips are off.
  assign d_i    = {m1_oe ? m1_d : d_o[179:162], m0_oe ? m0_d : d_o[161:144], 144'd0};
  assign req_i  = {m1_req, m0_req, 16'd0};
  assign cred_i = {m1_cred, m0_cred, 16'd0};

  mbp u_m0 (.clk_i(clk), .rst_ni(rst_n), .d_i(d_o[161:144]), .oe_i(oe[8]), .req_i(req_o[17:16]),
            .cred_i(cred_o[17:16]), .d_o(m0_d), .oe_o(m0_oe), .req_o(m0_req), .cred_o(m0_cred),
            .send_i(send), .packet_i(packet), .received_o(m0_received), .packet_o(m0_got));
  mbp u_m1 (.clk_i(clk), .rst_ni(rst_n), .d_i(d_o[179:162]), .oe_i(oe[9]), .req_i(req_o[19:18]),
            .cred_i(cred_o[19:18]), .d_o(m1_d), .oe_o(m1_oe), .req_o(m1_req), .cred_o(m1_cred),
            .send_i(1'b0), .packet_i(90'd0), .received_o(received), .packet_o(got));

  // All flits have odd parity, but for the first one (docs/packet.md).
  function automatic logic [17:0] flit(input logic [16:0] payload);
    flit = {~^payload, payload};
  endfunction

  // A unicast of five flits to MBP 1, no vectors, hops to spare.
  wire [16:0] h0 = {3'd0, 4'd4, 3'd0, 1'b1, 6'd0};
  wire [16:0] h2 = {10'd0, 6'd60, 1'b0};
  assign packet = {flit(17'h0CAFE), flit(17'h01234), flit(h2), flit(17'd0), {^h0, h0}};

  integer clocks = 0, sent_at = -1, came_at = -1;
  always #5 clk = ~clk;
  always @(posedge clk) begin
    clocks <= clocks + 1;
    rst_n  <= (clocks > 3);
    send   <= (clocks == 200);
    if (m0_oe && sent_at < 0) sent_at <= clocks;
    if (oe[9] && came_at < 0) came_at <= clocks;
    if (received) begin
      if (got[89:54] == packet[89:54] && !err)
        $display("PASS: %h %h came to MBP 1, first flit after %0d cycles", got[69:54], got[87:72],
                 came_at - sent_at);
      else $display("FAIL: %h, expected %h", got, packet);
      $finish;
    end
    if (clocks == 1000) begin
      $display("FAIL: nothing came");
      $finish;
    end
  end
endmodule
