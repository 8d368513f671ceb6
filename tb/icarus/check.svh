// SPDX-License-Identifier: MIT
// What all tests share. To be included inside the test's module, from the top of the tree.
// Inputs change at the falling edge of clk. Checks read at the rising edge, before any register
// moves. A failure prints one FAIL line and ends the run; rerun with vvp -n <file> +seed=<seed>.

// Fails if a bit of sig is X or Z. While injected is set, it counts instead (xcheck_tb).
`define KNOWN(sig) \
  begin \
    known = known + 1; \
    if ((^(sig)) === 1'bx) begin \
      if (planted) caught = caught + 1; \
      else begin \
        $display("FAIL %m time %0t cycle %0d: %s = %b", $time, clocks, `"sig`", sig); \
        $fatal(1, "seed=%0d", first_seed); \
      end \
    end \
  end

// Fails unless sig has exactly this value; an X never equals.
`define EQ(sig, want) \
  begin \
    checks = checks + 1; \
    if ((sig) !== (want)) begin \
      $display("FAIL %m time %0t cycle %0d: %s = %h, expected %h", $time, clocks, `"sig`", sig, \
               want); \
      $fatal(1, "seed=%0d", first_seed); \
    end \
  end

// Fails unless the condition is true.
`define CLAIM(cond, text) \
  begin \
    checks = checks + 1; \
    if ((cond) !== 1'b1) begin \
      $display("FAIL %m time %0t cycle %0d: %s", $time, clocks, text); \
      $fatal(1, "seed=%0d", first_seed); \
    end \
  end

// Ends the test. It passes only if something was done: n counts packets or the like.
`define PASS(name, n, what) \
  begin \
    if (clocks > 0 && checks > 0 && known > 0 && (n) > 0) \
      $display("PASS %s: %0d cycles, %0d %s, %0d checks, %0d X checks", name, clocks, n, what, \
               checks, known); \
    else begin \
      $display("FAIL %s: nothing happened: %0d cycles, %0d %s, %0d checks", name, clocks, n, \
               what, checks); \
      $fatal(1, "nothing happened"); \
    end \
    $finish; \
  end

integer clocks  = 0;     // since reset
integer checks  = 0;
integer known   = 0;     // X checks made
integer caught  = 0;     // X checks that failed while injected
logic   planted = 1'b0;
logic   live    = 1'b0;  // the inputs are known and reset has been seen
integer first_seed = 1;  // to run the same again
integer seed       = 1;
integer limit   = 50000;
logic   clk     = 1'b0;
logic   rst_n;

always #50 clk = ~clk;

always @(posedge clk) begin
  if (live) clocks <= clocks + 1;
  if (clocks > limit) begin
    $display("FAIL %m time %0t: no end after %0d cycles", $time, clocks);
    $fatal(1, "seed=%0d", first_seed);
  end
end

initial begin
  if (!$value$plusargs("seed=%d", first_seed)) first_seed = 1;
  seed = first_seed;
end

// Reset from power-up on, when all registers are X, and with X on all inputs. No clock without
// reset comes before it: if and case take X for false and would clean up what reset does not.
// Then the test gives its inputs values and calls go.
task reset_with_x;
  begin
    live  = 1'b0;
    rst_n = 1'b0;
    repeat (3) @(negedge clk);
  end
endtask

task go;
  begin
    live = 1'b1;
    @(negedge clk);
    rst_n = 1'b1;
  end
endtask

function automatic integer rnd(input integer n);
  rnd = {$random(seed)} % n;
endfunction

function automatic logic [17:0] flit(input logic [16:0] payload);
  flit = {~^payload, payload};
endfunction

// H0 has the other parity.
function automatic logic [17:0] first_flit(input logic [16:0] payload);
  first_flit = {^payload, payload};
endfunction
