// SPDX-License-Identifier: MIT
// Cover points of rdt_shot: every arc of the shoot-down and what takes it, the scan, and contexts that do not
// fit.
`include "cov.svh"
module cov_shot (
  // verilator coverage_off
  input logic        clk_i,
  input logic        rst_ni,
  input logic [1:0]  shot_q,
  input logic [1:0]  shot_d,
  input logic        fires,
  input logic        trigger_i,
  input logic        end_i,
  input logic [1:0]  what,
  input logic        run,
  input logic        run_i,
  input logic        sent_i,
  input logic        at_end,
  input logic        step_i,
  input logic        dumpable,
  input logic        dumping,
  input logic        halted_q,
  input logic        found_o,
  input logic        ent_put_o,
  input logic        entry_o,
  input logic        slot_o,
  input logic [4:0]  scan_q,
  input logic [16:0] h0_i,
  input logic [16:0] h1_i,
  input logic        mc,
  input logic        ent,
  input logic [9:0]  pend,
  input logic        vc_ok,
  input logic        fits_o
);
  // verilator coverage_on
  // Run 0, Dump 1, Done 2, Restart 3. Nothing but a command that puts back leaves Run or Dump for Restart, and
  // only the end of a dump leads to Done.
  for (genvar s = 0; s < 4; s++) begin : gen_state
    for (genvar w = 0; w < 4; w++) begin : gen_what
      // Slot, Entry, End, Run
      `BIN(command_in_state, end_i && what == 2'(w) && shot_q == 2'(s))
    end
    `BIN(entry_put_and_run_in_state, ent_put_o && run && shot_q == 2'(s))
    `BIN(entry_put_in_state, ent_put_o && !run && shot_q == 2'(s))
    // The packet of a slot is put back in Restart, which the slot's command has brought about; unless the pin
    // fires in between, which it does not while the chip is shot down.
    `BIN(trigger_in_state, trigger_i && shot_q == 2'(s))
  end
  `BIN(run_to_dump, fires)
  `BIN(dump_to_done, sent_i && at_end)
  `BIN(done_to_dump_by_packet, step_i && dumpable && shot_q == 2'd2)
  `BIN(restart_to_dump_by_packet, step_i && dumpable && shot_q == 2'd3)
  `BIN(restart_to_run_by_last_slot, run_i && shot_q == 2'd3)
  `BIN(dump_to_run, shot_q == 2'd1 && shot_d == 2'd0)
  `BIN(done_to_run, shot_q == 2'd2 && shot_d == 2'd0)
  `BIN(entry_refused, end_i && entry_o && !ent_put_o)

  // The scan: 20 buffers, six entries, the end.
  for (genvar n = 0; n < 27; n++) begin : gen_scan
    `BIN(scan_finds, found_o && scan_q == 5'(n))
    if (n < 26) begin : gen_empty
      `BIN(scan_passes_over, step_i && dumping && halted_q && !found_o && scan_q == 5'(n))
    end
  end

  // Why a context does not fit.
  `BIN(unfit_no_output, end_i && slot_o && pend == 10'd0 && !h1_i[10])
  `BIN(unfit_names_local, end_i && slot_o && h1_i[10])
  `BIN(unfit_waits_without_tag, end_i && slot_o && mc && ent && h0_i[9:7] == 3'd0)
  `BIN(unfit_unicast_waits, end_i && slot_o && !mc && ent)
  `BIN(unfit_several_outputs, end_i && slot_o && !mc && !ent && vc_ok && !fits_o && pend != 10'd0 && !h1_i[10])
  `BIN(unfit_vc_of_three, end_i && slot_o && !mc && !vc_ok && |pend[1:0])
  `BIN(unfit_vc_of_two, end_i && slot_o && !mc && !vc_ok && pend[1:0] == 2'd0 && |pend[7:2])
  `BIN(unfit_vc_of_mbp, end_i && slot_o && !mc && !vc_ok && pend[7:0] == 8'd0 && |pend)
endmodule

bind rdt_shot cov_shot u_cov (.*);
