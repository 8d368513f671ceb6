// SPDX-License-Identifier: MIT
// Cover points of rdt_local: reports per port, and reads and writes per register and source.
`include "cov.svh"
module cov_local (
  // verilator coverage_off
  input logic        clk_i,
  input logic        rst_ni,
  input logic        sent,
  input logic [1:0]  kind,
  input logic [3:0]  code_q,
  input logic [3:0]  port_q,
  input logic        reg_we,
  input logic [4:0]  addr,
  input logic        put_end,
  input logic        put_good,
  input logic        at8,
  input logic        give_o,
  input logic        clash_i,
  input logic        shot_end,
  input logic        is_slot,
  input logic        vacant_i,
  input logic        fits,
  input logic        alien,
  input logic        is_mc,
  input logic        putrx,
  input logic [3:0]  ridx,
  input logic [16:0] h2_q,
  input logic        bad_head,
  input logic        guard,
  input logic        slice_bad,
  input logic        shoot_i,
  input logic        shoot,
  input logic        on_late,
  input logic        late,
  input logic [1:0]  shot
);
  // verilator coverage_on

  // MBP 0's own link is not reported to MBP 0; only MBP 0 restores packets, and it is never
  // refused.
  for (genvar e = 1; e < 14; e++) begin : gen_error
    for (genvar p = 0; p < 10; p++) begin : gen_port
      localparam bit No = (p == 8) ? (e == 1 || e == 12 || e == 13) : (e == 11);
      if (!No) begin : gen_bin
        `BIN(error_told_of_port, sent && !kind[1] && code_q == 4'(e) && port_q == 4'(p))
      end
    end
  end

  for (genvar r = 0; r < 23; r++) begin : gen_reg
    // Id, Shot and Down are read only.
    if (r != 0 && r != 16 && r != 19) begin : gen_write
      `BIN(register_written_by_mbp_0, reg_we && addr == 5'(r) && port_q == 4'd8)
      `BIN(register_written_by_others, reg_we && addr == 5'(r) && port_q != 4'd8)
    end
    `BIN(register_read_by_mbp_0, sent && kind == 2'd2 && addr == 5'(r) && port_q == 4'd8)
    `BIN(register_read_by_others, sent && kind == 2'd2 && addr == 5'(r) && port_q != 4'd8)
  end
  for (genvar p = 0; p < 10; p++) begin : gen_by
    `BIN(setup_writes_from_port, reg_we && port_q == 4'(p))
    `BIN(setup_reads_from_port, sent && kind == 2'd2 && port_q == 4'(p))
    if (p != 8) begin : gen_guard
      `BIN(setup_reads_from_port_with_guard, sent && kind == 2'd2 && port_q == 4'(p) && guard)
    end
  end

  // Putting back.
  `BIN(slot_taken, shot_end && is_slot && !vacant_i)
  `BIN(slot_context_does_not_fit, shot_end && is_slot && vacant_i && !fits)
  `BIN(slot_accepted, shot_end && is_slot && vacant_i && fits)
  `BIN(slot_of_port_8_good, put_end && at8 && put_good)
  `BIN(slot_of_port_8_bad, give_o)
  `BIN(put_packet_alien, putrx && ridx == 4'd0 && alien)
  `BIN(put_packet_other_kind, putrx && ridx == 4'd0 && !alien && is_mc != h2_q[16])
  `BIN(put_packet_bad_header, put_end && bad_head)
  `BIN(put_packet_clashes, putrx && clash_i)

  // Causes and times of a shoot-down.
  for (genvar s = 0; s < 4; s++) begin : gen_shot
    `BIN(shoot_by_pin_state, shoot_i && shot == 2'(s))
    `BIN(shoot_by_register_state, shoot && shot == 2'(s))
  end
  // Packets do not age in a halted router, but earlier time-outs may be reported in its first
  // cycles.
  `BIN(shoot_by_time_out, on_late && late && shot == 2'd0)
  `BIN(halt_by_slices, slice_bad && shot == 2'd0)
endmodule

bind rdt_local cov_local u_cov (.*);
