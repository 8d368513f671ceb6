// SPDX-License-Identifier: MIT
// Cover points of rdt_inject: packets behind the crossbar, their ports, and dropped ones.
`include "cov.svh"
module cov_inject (
  // verilator coverage_off
  input logic       clk_i,
  input logic       rst_ni,
  input logic [1:0] st_q,
  input logic [1:0] st_d,
  input logic       snd_take_o,
  input logic [9:0] retry_ack_o,
  input logic [9:0] asks,
  input logic [9:0] used,
  input logic [9:0] retry_i,
  input logic [9:0] busy_o,
  input logic [1:0] loc_gnt_o,
  input logic [1:0] loc_want_i,
  input logic       ev_lost_o,
  input logic [3:0] port_q,
  input logic [6:0] wait_q,
  input logic       idle,
  input logic       snd_v_i
);
  // verilator coverage_on
  for (genvar p = 0; p < 10; p++) begin : gen_port
    `BIN(ack_goes_to_port, used[p])
    `BIN(retry_goes_to_port, retry_ack_o[p])
    `BIN(ack_given_up_for_port, ev_lost_o && port_q == 4'(p))
    `BIN(port_cools_down, busy_o[p])
    `BIN(retry_waits_for_busy_port, retry_i[p] && busy_o[p])
  end
  `BIN(ack_for_no_port_given_up, ev_lost_o && port_q > 4'd9)
  for (genvar m = 0; m < 2; m++) begin : gen_mbp
    `BIN(packet_of_local_to_mbp, loc_gnt_o[m])
    `BIN(local_waits_for_ack, loc_want_i[m] && idle && snd_v_i)
    `BIN(local_waits_for_retry, loc_want_i[m] && idle && !snd_v_i && |asks)
  end
  `BIN(several_retries, $countones(asks) > 1)
  `BIN(ack_before_retry, snd_take_o && |asks)
  `BIN(ack_waits, st_q == 2'd1 && wait_q > 7'd20)
  `BIN(idle_to_want, st_q == 2'd0 && st_d == 2'd1)
  `BIN(idle_to_local, st_q == 2'd0 && st_d == 2'd3)
  `BIN(want_to_ack, st_q == 2'd1 && st_d == 2'd2)
  `BIN(want_to_idle, st_q == 2'd1 && st_d == 2'd0)
  `BIN(ack_to_idle, st_q == 2'd2 && st_d == 2'd0)
  `BIN(local_to_idle, st_q == 2'd3 && st_d == 2'd0)
endmodule

bind rdt_inject cov_inject u_cov (.*);
