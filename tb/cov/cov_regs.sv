// SPDX-License-Identifier: MIT
// Cover points of rdt_regs: every status bit set and cleared, and the ends of counters.
`include "cov.svh"
module cov_regs (
  // verilator coverage_off
  input logic        clk_i,
  input logic        rst_ni,
  input logic        we_i,
  input logic [4:0]  addr_i,
  input logic [15:0] wdata_i,
  input logic [12:0] stat_set,
  input logic [12:0] status_q,
  input logic [9:0]  linkerr_q,
  input logic [9:0]  ev_body_i,
  input logic [9:0]  ev_frame_i,
  input logic [9:0]  ev_over_i,
  input logic [9:0]  ev_cred_i,
  input logic [9:0]  ev_owed_i,
  input logic [9:0]  ev_sync_i,
  input logic [9:0]  ev_sunk_i,
  input logic [47:0] cnt_q,
  input logic [5:0]  cnt_up,
  input logic [5:0]  cnt_we,
  input logic        tick_o,
  input logic        tick_ent_o,
  input logic        tick_ack_o,
  input logic        slow_o,
  input logic [2:0]  rank_q,
  input logic [4:0]  ctrl_q,
  input logic [9:0]  up_i
);
  logic [69:0] events;
  assign events = {ev_sunk_i, ev_sync_i, ev_owed_i, ev_cred_i, ev_over_i, ev_frame_i, ev_body_i};
  // verilator coverage_on

  for (genvar b = 0; b < 13; b++) begin : gen_status
    `BIN(status_bit_set, stat_set[b] && !status_q[b])
    `BIN(status_bit_cleared, we_i && addr_i == 5'd9 && wdata_i[b] && status_q[b] && !stat_set[b])
    // Header, Setup and Timeout are set by LOCAL, which does one thing at a time.
    if (b != 0 && b != 5 && b != 7) begin : gen_both
      `BIN(status_bit_set_and_cleared, we_i && addr_i == 5'd9 && wdata_i[b] && stat_set[b])
    end
  end
  for (genvar p = 0; p < 10; p++) begin : gen_port
    // body, frame, overrun, credit, lost credit, sync, `Sunk`
    for (genvar e = 0; e < 7; e++) begin : gen_event
      `BIN(link_event_of_port, events[10*e + p])
    end
    `BIN(link_error_cleared, we_i && addr_i == 5'd10 && wdata_i[p] && linkerr_q[p])
    `BIN(link_down, !up_i[p])
    `BIN(link_up, up_i[p])
  end
  for (genvar k = 0; k < 6; k++) begin : gen_count
    `BIN(counter_counts, cnt_up[k])
    `BIN(counter_full, &cnt_q[8*k +: 8])
    `BIN(counter_counts_when_full, &cnt_q[8*k +: 8] && cnt_up[k])
    `BIN(counter_written_while_counting, cnt_up[k] && we_i && cnt_we[k])
  end
  `BIN(tick_of_buffers, tick_o)
  `BIN(tick_of_waits_for_entries, tick_ent_o)
  `BIN(tick_of_acks, tick_ack_o)
  `BIN(tick_of_credits, slow_o)
  for (genvar r = 0; r < 8; r++) begin : gen_rank
    `BIN(rank, rank_q == 3'(r))
  end
  for (genvar c = 0; c < 16; c++) begin : gen_ctrl
    `BIN(control_bits, ctrl_q[3:0] == 4'(c))
  end
  `BIN(control_drop, ctrl_q[4])
endmodule

bind rdt_regs cov_regs u_cov (.*);
