// SPDX-License-Identifier: MIT
// The link end. Two of them on one line with senders that behave like output units: they come up
// together, never drive at the same time, deliver every packet framed and complete, need one cycle
// to change direction and none for a second packet of the same end, and alternate when saturated.
// Then pins are disturbed in the middle of traffic: the ends agree again each time. Beside them
// three more ends with random pins, against the formulas of section 4.2.
module link_io_tb;
  `include "tb/icarus/check.svh"
  `include "tb/icarus/ref.svh"

  // Two ends of one line
  logic        en0;               // end 0 is switched by link_en_i, end 1 is always on
  logic [1:0]  link_en, late;
  logic [1:0]  sending;           // the end has packets to send
  integer      void_in;           // one of so many grants is not used; 0: all are used
  logic [3:0]  req, flip_req, flip_cred;  // REQ pins; as the end sees the other's
  logic [1:0]  oe, gnt, line_void, first, last, valid, hush, ask, call, down, up, ann, ev_sync, tx, bad;
  logic [3:0]  cred, last_cred, rx_vc;
  logic [35:0] tx_d, rx_d;
  logic [17:0] d, noise;
  logic [1:0]  cred_ret;
  logic [3:0]  cred_vc;
  logic        calm = 1'b1;       // no pin is disturbed
  integer      packets = 0;
  integer      voids = 0;
  integer      turns = 0;
  integer      follows = 0;
  integer      upsets = 0;
  integer      syncs = 0;

  assign link_en = {1'b0, en0};  // Icarus takes no bare genvar in a port expression
  assign d = oe[0] ? tx_d[17:0] : oe[1] ? tx_d[35:18] : noise;

  for (genvar p = 0; p < 2; p++) begin : gen_end
    rdt_link_io #(
      .NumVc   (3 - p),
      .Prio    (1 - p),
      .AlwaysOn(p)
    ) u_dut (
      .clk_i      (clk),
      .rst_ni     (rst_n),
      .link_en_i  (link_en[p]),
      .slow_i     (1'b0),
      .d_i        (d),
      .req_i      (req[2*(1 - p) +: 2] ^ flip_req[2*p +: 2]),
      .cred_i     (cred[2*(1 - p) +: 2] ^ flip_cred[2*p +: 2]),
      .cred_o     (cred[2*p +: 2]),
      .own_req_i  (req[2*p +: 2]),
      .own_oe_i   (oe[p]),
      .tx_i       (tx[p]),
      .late_i     (late[p]),
      .line_gnt_o (gnt[p]),
      .line_void_o(line_void[p]),
      .hush_o     (hush[p]),
      .ask_o      (ask[p]),
      .call_o     (call[p]),
      .down_o     (down[p]),
      .up_o       (up[p]),
      .ann_o      (ann[p]),
      .ev_sync_o  (ev_sync[p]),
      .bad_i      (bad[p]),
      .cred_ret_i (cred_ret[p]),
      .cred_vc_i  (cred_vc[2*p +: 2]),
      .cred_add_i (3'd0),
      .room_i     (3'd7),
      .rx_valid_o (valid[p]),
      .rx_first_o (first[p]),
      .rx_last_o  (last[p]),
      .rx_vc_o    (rx_vc[2*p +: 2]),
      .rx_d_o     (rx_d[18*p +: 18])
    );

    // The input unit's part: the parities of a header.
    integer at = 0;
    always @(posedge clk) if (valid[p]) at <= first[p] ? 1 : at + 1;
    assign bad[p] = valid[p] && (first[p] ? (^rx_d[18*p +: 18]) || rx_d[18*p +: 18] == 0
                                          : at < 3 && !(^rx_d[18*p +: 18]));

    // Sender. The same packet is looked at by the receiver's check, one cycle behind the pins.
    integer      k, n, vc;
    logic [17:0] pkt [0:15];
    logic [20:0] on_pins = 21'd0;  // {valid, first, last, flit}
    logic [1:0]  vc_on_pins = 2'd0;

    always @(posedge clk) if (live) begin
      if (!rst_n) begin
        req[2*p +: 2] <= 2'd0; oe[p] <= 1'b0; tx_d[18*p +: 18] <= 18'd0; tx[p] = 1'b0;
      end else begin
        `CLAIM(!(gnt[p] && tx[p] && k < n - 1), "a grant in the middle of a packet")
        oe[p]   <= tx[p] && !down[p];
        on_pins <= 21'd0;
        if (tx[p]) begin
          // The VC shows in the parities of H1 and H2.
          tx_d[18*p +: 18] <= pkt[k] ^ {(k == 1 && vc == 2) || (k == 2 && vc == 1), 17'd0};
          on_pins          <= {1'b1, k == 0, k == n - 1, pkt[k]};
          if (k == 0) vc_on_pins <= vc;
        end
        if (call[p])                          req[2*p +: 2] <= 2'd3;
        else if (down[p])                     req[2*p +: 2] <= 2'd0;
        else if (tx[p] && k < n - 2 && k > 0) req[2*p +: 2] <= 2'd2;
        else if (tx[p] && k == 0)             req[2*p +: 2] <= vc + 1;
        else if (line_void[p] && !tx[p])      req[2*p +: 2] <= 2'd0;
        else                                  req[2*p +: 2] <= {1'b0, (sending[p] && !hush[p]) || ask[p]};
        if (tx[p]) begin
          k = k + 1;
          if (k == n) tx[p] = 1'b0;
        end
        if (gnt[p]) begin
          if (void_in != 0 && rnd(void_in) == 0) voids = voids + 1;
          else begin
            tx[p] = 1'b1; k = 0; n = 3 + rnd(14); vc = rnd(2 + p);
            for (int j = 0; j < n; j++) pkt[j] = flit($random(seed));
            pkt[0] = first_flit({1'b1, 16'($random(seed))});
            packets = packets + 1;
          end
        end
      end
    end

    // The values on the pins are in the other end's registers one cycle later.
    logic [20:0] want = 21'd0;
    logic [1:0]  want_vc = 2'd0;
    always @(posedge clk) if (live) begin
      `KNOWN({gnt[p], line_void[p], cred[2*p +: 2], rx_vc[2*p +: 2], rx_d[18*p +: 18] & {18{valid[p]}}})
      `KNOWN({valid[p], first[p], last[p], hush[p], ask[p], call[p], down[p], up[p], ann[p], ev_sync[p]})
      if (rst_n && calm) begin
        `EQ(valid[1 - p], want[20])
        `EQ(first[1 - p], want[19])
        `EQ(last[1 - p], want[18])
        if (want[20]) begin
          `EQ(rx_d[18*(1 - p) +: 18], want[17:0])
          `EQ(rx_vc[2*(1 - p) +: 2], want_vc)
        end
        `EQ(bad[p], 1'b0)
      end
      if (rst_n && up[p] && call[p]) syncs = syncs + 1;
      want    <= on_pins;
      want_vc <= vc_on_pins;
    end
  end

  // The lines: never two drivers, one cycle between two ends' packets.
  integer since [0:1];  // cycles since the end last drove
  initial begin since[0] = 100; since[1] = 100; end
  always @(posedge clk) if (live && rst_n) begin
    noise <= calm ? $random(seed) : 18'd0;
    if (calm) begin
      `CLAIM(oe != 2'b11, "both ends drive")
      `CLAIM(gnt != 2'b11, "both ends are granted")
      `CLAIM(up[0] == up[1] || call == 2'b11, "one end is up alone")
    end
    for (int i = 0; i < 2; i++) begin
      if (oe[i] && since[1 - i] < since[i]) begin
        if (calm) `CLAIM(since[1 - i] >= 2, "no undriven cycle at a change of direction")
        // If both always request, without void grants, exactly one.
        if (steady && sending == 2'b11) `EQ(since[1 - i], 2)
        turns = turns + 1;
      end
      // A single requesting end sends packets without a gap; two ends never send two in a row.
      if (oe[i] && starts[i]) begin
        if (since[i] == 1) follows = follows + 1;
        if (steady && sending == 2'b11) `CLAIM(since[1 - i] < since[i], "the ends alternate")
        if (steady && sending != 2'b11) `EQ(since[i], 1)
      end
    end
    for (int i = 0; i < 2; i++) since[i] = oe[i] ? 1 : since[i] + 1;
  end
  logic       steady = 1'b0;
  logic [1:0] starts;
  assign starts = {gen_end[1].on_pins[19], gen_end[0].on_pins[19]};

  task upcoming(input integer most);  // both ends come up, and in the same cycle
    integer t;
    begin
      t = clocks;
      while (up != 2'b11 && clocks - t < most) @(negedge clk);
      `EQ(up, 2'b11)
    end
  endtask

  `include "tb/icarus/link_io_random.svh"

  initial begin
    reset_with_x;
    en0 = 1'b0; sending = 2'b00; void_in = 0; noise = 18'd0; late = 2'd0; flip_req = 4'd0; flip_cred = 4'd0;
    cred_ret = 2'd0; cred_vc = 4'd0;
    req = 4'd0; oe = 2'd0; tx_d = 36'd0; tx = 2'd0;
    go;

    // End 1 is always on and calls. End 0 is off: it holds REQ up, but not CRED.
    repeat (60) begin
      @(negedge clk);
      `EQ({req, cred, up, ann, down, call}, {4'b1111, 4'b1100, 2'b00, 2'b00, 2'b11, 2'b11})
    end
    // Switched on: both stop driving, announce themselves, and announce their buffers, each as a
    // pair and a pause.
    en0 = 1'b1;
    while (ann == 2'b00) begin last_cred = cred; @(negedge clk); `EQ(up, 2'b00) end
    `EQ(last_cred, 4'b1111)
    `EQ({ann, cred, req}, {2'b11, 4'b0000, 4'b0000})
    @(negedge clk); `EQ(cred, 4'b0101)
    @(negedge clk); `EQ(cred, 4'b0101)
    @(negedge clk); `EQ(cred, 4'b0000)
    @(negedge clk); `EQ(cred, 4'b1010)
    @(negedge clk); `EQ(cred, 4'b1010)
    @(negedge clk); `EQ(cred, 4'b0000)
    @(negedge clk); `EQ(cred, 4'b0011)
    @(negedge clk); `EQ(cred, 4'b0011)
    `EQ(ann, 2'b11)
    while (up == 2'b00) begin @(negedge clk); `EQ(cred, 4'b0000) end
    `EQ({ann, up}, {2'b00, 2'b11})
    // A returned credit has precedence where CRED is free, and otherwise waits.
    cred_ret = 2'b01; cred_vc = 4'b0010;
    @(negedge clk); `EQ(cred, 4'b0011)
    cred_vc = 4'b0000;
    @(negedge clk); `EQ(cred, 4'b0011)
    cred_vc = 4'b0010;
    @(negedge clk); `EQ(cred, 4'b0000)
    cred_vc = 4'b0001;
    @(negedge clk); `EQ(cred, 4'b0010)
    cred_ret = 2'b00;
    @(negedge clk); `EQ(cred, 4'b0010)
    @(negedge clk); `EQ(cred, 4'b0000)
    @(negedge clk); `EQ(cred, 4'b0001)
    @(negedge clk); `EQ(cred, 4'b0001)
    @(negedge clk); `EQ(cred, 4'b0000)
    @(negedge clk); `EQ(cred, 4'b0011)
    @(negedge clk); `EQ(cred, 4'b0011)
    repeat (6) begin @(negedge clk); `EQ(cred, 4'b0000) end
    `EQ(syncs, 0)

    // Both request in the same cycle: Prio = 1, that is end 0, goes first. Then they alternate.
    sending = 2'b11;
    while (oe == 2'b00) @(negedge clk);
    `EQ(oe, 2'b01)
    while (oe != 2'b10) @(negedge clk);
    steady = 1'b1;
    repeat (1000) @(negedge clk);
    `CLAIM(turns > 60, "both ends sent")
    // One end alone: no gaps.
    for (int i = 0; i < 2; i++) begin
      steady = 1'b0;
      sending = 2'b01 << i;
      repeat (60) @(negedge clk);
      steady = 1'b1;
      follows = 0;
      repeat (500) @(negedge clk);
      `CLAIM(follows > 30, "packets followed each other")
    end
    // Random stimuli with void grants; occasionally an end requests link recovery, without a loss.
    steady = 1'b0;
    for (int c = 0; c < 3000; c++) begin
      void_in = (c / 500) % 4 + 2;
      if (rnd(8) == 0) sending = rnd(4);
      if (up == 2'b11 && rnd(200) == 0) late = 1 + rnd(3);
      if (up == 2'b00) late = 2'b00;
      @(negedge clk);
    end
    late = 2'b00;
    `CLAIM(syncs > 10, "link recoveries requested")
    upcoming(60);
    // Switched off: the line is left in peace first.
    void_in = 0; sending = 2'b11;
    repeat (20) @(negedge clk);
    en0 = 1'b0;
    repeat (100) @(negedge clk);
    `EQ({req, cred, oe}, {4'b1111, 4'b1100, 2'b00})
    en0 = 1'b1;
    upcoming(60);

    // Any pin disturbed for a cycle or two, in any moment: soon both are up and agree.
    void_in = 6;
    for (int c = 0; c < 150; c++) begin
      repeat (rnd(40)) begin
        if (rnd(6) == 0) sending = rnd(4);
        @(negedge clk);
      end
      calm = 1'b0;
      for (int i = 0; i < 1 + rnd(2); i++) begin
        if (c % 3 == 2) flip_cred = 4'd1 << rnd(4);
        else            flip_req = 4'd1 << rnd(4);
        @(negedge clk);
        flip_req = 4'd0; flip_cred = 4'd0;
      end
      sending = 2'b11;  // a disagreement is detected as soon as an end sends
      repeat (120) @(negedge clk);
      calm = 1'b1;
      upcoming(1);
    end
    // Quiet in the end.
    sending = 2'b00;
    repeat (40) @(negedge clk);
    `EQ({oe, valid}, 4'd0)
    for (int i = 0; i < 7; i++)
      `CLAIM(gen_ref[0].seen[i] > 50 && gen_ref[1].seen[i] > 50 && gen_ref[2].seen[i] > 50,
             "every state was seen")
    `CLAIM(voids > 50 && upsets > 50, "void grants and disturbances happened")
    `CLAIM(gen_ref[0].told_n > 3, "links that stayed down were missed")
    `PASS("link_io", packets, "packets")
  end
endmodule
