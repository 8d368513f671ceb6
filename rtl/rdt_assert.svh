// SPDX-License-Identifier: MIT
// Assertions beside the modules, in rdt_<module>.svh, which the module includes at its end.
//   RDT_PROMISE(text, condition)  what the module promises: checked in every simulation, proven
//   RDT_RELY(text, condition)     what it relies on: assumed by the proof of the module; checked in
//                                 simulations of the chip. A block alone (RDT_ALONE) may be fed anything.
//   RDT_GIVEN(text, condition)    a promise that holds only given what the module relies on: checked and
//                                 proven as a promise, but not in a block alone
//   RDT_COVER(condition)          a proof shows that this is reached
// All hold at the end of each cycle out of reset. Nothing of this is synthesized.
`ifndef RDT_ASSERT_SVH
`define RDT_ASSERT_SVH

`ifdef FORMAL
  `define RDT_PROMISE(text, condition) always @* if (rst_ni) assert (condition);
  // Apart from the promises by its name (tb/formal/engine.py); one in a module.
  `define RDT_COVER(condition) always @* if (rst_ni) rdt_cover: assert (!(condition));
  `define RDT_GIVEN(text, condition) `RDT_PROMISE(text, condition)
  `define RDT_RELY(text, condition) always @* if (rst_ni) assume (condition);
`else
  `ifdef VERILATOR  // as assertions, which --no-assert takes out
    `define RDT_PROMISE(text, condition) \
      always @(posedge clk_i) if (rst_ni) assert (condition) else $fatal(1, "%m: not kept: %s", text);
  `else
    `define RDT_PROMISE(text, condition) \
      always @(posedge clk_i) if (rst_ni && !(condition)) $fatal(1, "%m: not kept: %s", text);
  `endif
  `ifdef RDT_ALONE
    `define RDT_GIVEN(text, condition) `RDT_PROMISE(text, (condition) || 1'b1)
  `else
    `define RDT_GIVEN(text, condition) `RDT_PROMISE(text, condition)
  `endif
  `define RDT_RELY(text, condition) `RDT_GIVEN(text, condition)
  `define RDT_COVER(condition)
`endif
`endif
