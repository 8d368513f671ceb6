// SPDX-License-Identifier: MIT
// The packages of a node on their board. No driver is on before the first cycle, nor when a reset comes
// or ends without one. Reset and shoot-down come at random phases of the cycle, and where they
// come too close to an edge the flip-flop that is caught settles to either value: both slices leave
// reset, and halt, in the same cycle. Two packages of which each synchronizes for itself do not.
module pads_tb;
  `include "tb/icarus/check.svh"

  localparam integer Trials = 20;   // tb/chip/pads.cpp has 10,000
  localparam integer Apart  = 60;   // with the packages that are on their own
  localparam integer Window = 20;   // before an edge, of 100 per cycle

  logic         on = 1'b0;      // the clock runs
  logic         apart_on = 1'b0;
  logic         shoot = 1'b0;
  wire          dclk = clk && on;
  wire          aclk = dclk && apart_on;
  tri0  [359:0] d;
  wire  [359:0] bare;           // without the board's pull-downs
  wire  [39:0]  req, cred;
  wire  [1:0]   err;

  rdt_board u_dut (
    .clk_i  (dclk),
    .rst_ni (rst_n),
    .d_io   (d),
    .req_i  (40'd0),
    .req_o  (req),
    .cred_i (40'd0),
    .cred_o (cred),
    .err_o  (err),
    .shoot_i(shoot)
  );

  // The router itself, without pads, and with undriven pins.
  wire [9:0] core_oe, bare_oe;
  rdt_router u_core (
    .clk_i  (1'b0),
    .rst_ni (rst_n),
    .d_i    (180'd0),
    .d_o    (),
    .d_oe_o (core_oe),
    .req_i  (20'd0),
    .req_o  (),
    .cred_i (20'd0),
    .cred_o (),
    .err_o  (),
    .shoot_i(1'b0),
    .slice_i(1'b0),
    .slice_o()
  );
  rdt_board u_bare (
    .clk_i  (1'b0),
    .rst_ni (rst_n),
    .d_io   (bare),
    .req_i  (40'd0),
    .req_o  (),
    .cred_i (40'd0),
    .cred_o (),
    .err_o  (),
    .shoot_i(shoot)
  );

  // The mistake: each package for itself.
  wire  [359:0] ad;
  wire  [1:0]   arst, ashoot, aslice;
  for (genvar k = 0; k < 2; k++) begin : gen_apart
    rdt_pads u_pads (
      .clk_i       (aclk),
      .rst_ni      (rst_n),
      .rst_no      (arst[k]),
      .rst_step_ni (arst[k]),
      .d_io        (ad[180*k +: 180]),
      .req_i       (20'd0),
      .req_o       (),
      .cred_i      (20'd0),
      .cred_o      (),
      .err_o       (),
      .shoot_i     (shoot),
      .shoot_o     (ashoot[k]),
      .shoot_step_i(ashoot[k]),
      .slice_i     (aslice[1 - k]),
      .slice_o     (aslice[k])
    );
  end

  wire [1:0] run   = {u_dut.gen_slice[1].u_pads.rst_q, u_dut.gen_slice[0].u_pads.rst_q};
  wire [1:0] halt  = {u_dut.gen_slice[1].u_pads.u_router.u_local.halt_o,
                      u_dut.gen_slice[0].u_pads.u_router.u_local.halt_o};
  wire [1:0] arun  = {gen_apart[1].u_pads.rst_q, gen_apart[0].u_pads.rst_q};
  wire [1:0] ahalt = {gen_apart[1].u_pads.u_router.u_local.halt_o, gen_apart[0].u_pads.u_router.u_local.halt_o};

  integer shoot_at = 0, rst_at = 0, caught_ffs = 0, apart_run = 0, apart_halt = 0, halts = 0;
  always @(shoot) shoot_at = $time;
  always @(rst_n) rst_at = $time;

  // A flip-flop whose input changed just before the edge, or just after it, has any value then.
  always @(posedge dclk) begin
    #(Window / 2);
    if ($time - shoot_at < Window) begin
      caught_ffs = caught_ffs + 1;
      u_dut.gen_slice[0].u_pads.u_shoot.meta_q = $random(seed);
      u_dut.gen_slice[1].u_pads.u_shoot.meta_q = $random(seed);
      gen_apart[0].u_pads.u_shoot.meta_q = $random(seed);
      gen_apart[1].u_pads.u_shoot.meta_q = $random(seed);
    end
    if (rst_n && $time - rst_at < Window) begin
      caught_ffs = caught_ffs + 1;
      u_dut.gen_slice[0].u_pads.u_rst.meta_q = $random(seed);
      u_dut.gen_slice[1].u_pads.u_rst.meta_q = $random(seed);
      gen_apart[0].u_pads.u_rst.meta_q = $random(seed);
      gen_apart[1].u_pads.u_rst.meta_q = $random(seed);
    end
  end

  always @(posedge clk) if (live) begin
    `EQ(run[1], run[0])
    if (&run) begin
      `KNOWN({req, cred, err})
      `EQ(halt[1], halt[0])
    end
    if (apart_on && arun[1] !== arun[0]) apart_run = apart_run + 1;
    if (apart_on && (&arun) && ahalt[1] !== ahalt[0]) apart_halt = apart_halt + 1;
  end

  integer trial;

  initial begin
    limit = 40 * Trials;
    // Power is on, the clock is not.
    rst_n = 1'b0;
    #1000;
    `EQ(bare, {360{1'bz}})
    `EQ(core_oe, 10'd0)
    `EQ(d, 360'd0)
    // Reset ends too early.
    rst_n = 1'b1;
    #1000;
    `EQ(bare, {360{1'bz}})
    `EQ(d, 360'd0)
    rst_n = 1'b0;
    #20;
    on = 1'b1; apart_on = 1'b1;
    repeat (3) @(negedge clk);
    live = 1'b1;
    for (trial = 0; trial < Trials; trial++) begin
      if (trial == Apart) apart_on = 1'b0;
      shoot = 1'b0;
      #(rnd(100)) rst_n = 1'b0;
      #1 `EQ(d, 360'd0)
      #(200 + rnd(100)) rst_n = 1'b1;
      repeat (5) @(negedge clk);
      `EQ({run, halt}, 4'b1100)
      #(rnd(100)) shoot = 1'b1;
      #(110 + rnd(100)) shoot = 1'b0;
      repeat (5) @(negedge clk);
      `EQ({run, halt}, 4'b1111)
      halts = halts + 1;
    end
    `CLAIM(caught_ffs > Trials / 20, "edges were close enough")
    `CLAIM(apart_run > 0 && apart_halt > 0, "packages that are on their own do it in different cycles")
    `PASS("pads", halts, "halts of both slices in the same cycle")
  end
endmodule
