// SPDX-License-Identifier: MIT
// Cover points of rdt_local_fsm: every arc, by the kind of packet that is sent.
`include "cov.svh"
module cov_local_fsm (
  // verilator coverage_off
  input logic       clk_i,
  input logic       rst_ni,
  input logic [2:0] st_q,
  input logic [2:0] st_d,
  input logic [1:0] kind_q,
  input logic       note_i,
  input logic       shot_end_i,
  input logic       last_i,
  input logic       err_i,
  input logic       read_i,
  input logic       gives_up_o,
  input logic       sent_o,
  input logic [1:0] deaf_q,
  input logic [1:0] to_mbp,
  input logic [9:0] wait_q,
  input logic       send,
  input logic [1:0] m_credit_i
);
  // verilator coverage_on
  localparam logic [2:0] StIdle = 3'd0, StRecv = 3'd1, StSend = 3'd2, StTx = 3'd3, StDump = 3'd4,
                         StPut = 3'd5, StPutRx = 3'd6, StDumpRd = 3'd7;

  `BIN(idle_to_send_notice, st_q == StIdle && note_i)
  `BIN(idle_to_recv, st_q == StIdle && st_d == StRecv)
  `BIN(idle_to_send_dump, st_q == StIdle && st_d == StSend && !note_i)
  `BIN(recv_to_put, st_q == StRecv && st_d == StPut)
  `BIN(recv_shot_refused, st_q == StRecv && shot_end_i && st_d == StSend)
  `BIN(recv_shot_obeyed, st_q == StRecv && shot_end_i && st_d == StIdle)
  `BIN(recv_to_send_error, st_q == StRecv && !shot_end_i && last_i && err_i)
  `BIN(recv_to_send_answer, st_q == StRecv && !shot_end_i && last_i && !err_i && read_i)
  `BIN(recv_write_done, st_q == StRecv && !shot_end_i && last_i && !err_i && !read_i)
  `BIN(dump_to_dump_rd, st_q == StDump && st_d == StDumpRd)
  `BIN(dump_waits, st_q == StDump && st_d == StDump)
  `BIN(dump_rd_to_idle, st_q == StDumpRd && st_d == StIdle)
  `BIN(put_to_put_rx, st_q == StPut && st_d == StPutRx)
  `BIN(put_waits, st_q == StPut && st_d == StPut)
  `BIN(put_rx_good, st_q == StPutRx && st_d == StIdle)
  `BIN(put_rx_bad, st_q == StPutRx && st_d == StSend)

  for (genvar k = 0; k < 4; k++) begin : gen_kind
    `BIN(send_to_tx_kind, sent_o && kind_q == 2'(k))
    `BIN(send_waits_kind, send && !sent_o && !gives_up_o && kind_q == 2'(k))
    `BIN(tx_to_idle_kind, st_q == StTx && st_d == StIdle && kind_q == 2'(k))
    // A dump waits for its MBP.
    if (k != 3) begin : gen_lost
      `BIN(gives_up_after_waiting_kind, gives_up_o && (&wait_q) && kind_q == 2'(k))
      `BIN(gives_up_on_deaf_mbp_kind, gives_up_o && !(&wait_q) && kind_q == 2'(k))
    end
  end
  `BIN(tx_to_dump, st_q == StTx && st_d == StDump)
  for (genvar m = 0; m < 2; m++) begin : gen_mbp
    `BIN(answer_sent_to_mbp, sent_o && kind_q == 2'd2 && to_mbp[m])
    `BIN(answer_given_up_mbp, gives_up_o && kind_q == 2'd2 && to_mbp[m])
    `BIN(mbp_hears_again, deaf_q[m] && m_credit_i[m])
  end
endmodule

bind rdt_local_fsm cov_local_fsm u_cov (.*);
