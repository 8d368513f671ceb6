// SPDX-License-Identifier: MIT
// Cover points of rdt_ack: occupancy of the table, life cycle of each entry, answered ports.
`include "cov.svh"
module cov_ack (
  // verilator coverage_off
  input logic        clk_i,
  input logic        rst_ni,
  input logic [6:0]  free,
  input logic [6:0]  quar,
  input logic [6:0]  full,
  input logic [6:0]  late,
  input logic [6:0]  new_oh,
  input logic [6:0]  put_oh,
  input logic [6:0]  tag_oh,
  input logic [6:0]  snd_oh,
  input logic [6:0]  held_i,
  input logic [10:0] put_h2_i,
  input logic [9:0]  ent_gnt_o,
  input logic [9:0]  ent_req_i,
  input logic [9:0]  req_ok,
  input logic [9:0]  old_ok,
  input logic [9:0]  lane,
  input logic [9:0]  ack_v_i,
  input logic [9:0]  ack_oh,
  input logic        expected,
  input logic        stray_o,
  input logic        snd_take_i,
  input logic [3:0]  snd_port_o,
  input logic [5:0]  snd_st_o,
  input logic [9:0]  busy_i,
  input logic        look_i,
  input logic        put_i,
  input logic        tick_i
);
  logic [6:0] free_q, quar_q, put_q;
  logic       was_q;  // not the first cycle after reset
  always_ff @(posedge clk_i) begin
    free_q <= free;
    quar_q <= quar;
    put_q  <= put_oh;
    was_q  <= rst_ni;
  end

  function automatic logic [2:0] count(input logic [6:0] d);
    count = 3'd0;
    for (int e = 0; e < 7; e++) count = count + 3'(d[e]);
  endfunction
  // verilator coverage_on

  for (genvar n = 0; n < 8; n++) begin : gen_fill
    `BIN(table_fill, count(~free) == 3'(n))
    `BIN(entries_in_quarantine, count(quar) == 3'(n))
  end
  // A request is passed over, since its class has no free entry, while another is given one.
  for (genvar p = 0; p < 10; p++) begin : gen_class
    `BIN(request_without_room, ent_req_i[p] && !req_ok[p] && |ent_gnt_o)
    `BIN(aged_request_goes_first, ent_gnt_o[p] && old_ok[p] && |(req_ok & ~old_ok))
  end
  `BIN(lane_is_ended, late[6])
  `BIN(lane_asked_for_twice, |(ent_req_i & lane) && !free[6])
  `BIN(table_full_and_asked, free[5:0] == 6'd0 && |ent_req_i)

  for (genvar e = 0; e < 7; e++) begin : gen_entry
    `BIN(entry_taken, new_oh[e])
    `BIN(entry_late, late[e])
    `BIN(entry_answered_in_time, snd_take_i && snd_oh[e] && !snd_st_o[1])
    `BIN(entry_late_to_quarantine, was_q && !free_q[e] && !quar_q[e] && !put_q[e] && quar[e])
    `BIN(entry_quarantine_to_free, was_q && quar_q[e] && !put_q[e] && free[e])
    `BIN(entry_put_back, put_oh[e] && !put_h2_i[10])
    `BIN(entry_put_back_into_quarantine, put_oh[e] && put_h2_i[10])
    `BIN(entry_overwritten, put_oh[e] && !free[e])
    `BIN(entry_looked_at_waiting, look_i && !put_i && tag_oh[e] && !free[e] && !quar[e])
    `BIN(entry_looked_at_in_quarantine, look_i && !put_i && tag_oh[e] && quar[e])
    `BIN(entry_looked_at_free, look_i && !put_i && tag_oh[e] && free[e])
    `BIN(entry_answer_waits_for_its_port, full[e] && |busy_i)
    `BIN(entry_tag_held_in_quarantine, quar[e] && held_i[e] && tick_i)
    for (genvar p = 0; p < 10; p++) begin : gen_port
      // An MBP is a source, which has entry 0; the lane is for all.
      if (p < 8 || e == 0 || e == 6) begin : gen_given
        `BIN(entry_given_to_port, new_oh[e] && ent_gnt_o[p])
      end
      `BIN(ack_for_entry_from_port, expected && tag_oh[e] && ack_oh[p])
    end
  end
  for (genvar p = 0; p < 10; p++) begin : gen_ack
    `BIN(ack_stray_from_port, stray_o && ack_oh[p])
    `BIN(ack_sent_to_port, snd_take_i && snd_port_o == 4'(p))
    for (genvar s = 0; s < 6; s++) begin : gen_status
      `BIN(ack_status_to_port, snd_take_i && snd_port_o == 4'(p) && snd_st_o[s])
    end
  end
  `BIN(stray_for_free_entry, stray_o && |(tag_oh & free))
  `BIN(stray_for_entry_in_quarantine, stray_o && |(tag_oh & quar))
  `BIN(stray_without_tag, stray_o && tag_oh == 7'd0)
  `BIN(late_answer_taken_in_quarantine, expected && |(tag_oh & quar))
  // An ack of an MBP that names another generation.
  for (genvar k = 8; k < 10; k++) begin : gen_mbp
    `BIN(stray_of_old_generation, stray_o && ack_oh[k] && |(tag_oh & ~free))
  end
  for (genvar n = 2; n < 5; n++) begin : gen_many
    `BIN(acks_landed_at_once, $countones(ack_v_i) == n)
  end
endmodule

bind rdt_ack cov_ack u_cov (.*);
