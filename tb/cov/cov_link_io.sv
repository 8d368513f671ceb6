// SPDX-License-Identifier: MIT
// Cover points of rdt_link_io: every arc of the line machine, line ownership, every kind of error.
`include "cov.svh"
module cov_link_io #(
  parameter int NumVc    = 2,
  parameter int AlwaysOn = 0
) (
  // verilator coverage_off
  input logic       clk_i,
  input logic       rst_ni,
  input logic [2:0] st_q,
  input logic [2:0] st_d,
  input logic       mine_q,
  input logic       take,
  input logic       give,
  input logic       idle,
  input logic       start,
  input logic       xfer,
  input logic       sync,
  input logic       ann,
  input logic       theirs,
  input logic       no_vc,
  input logic       en,
  input logic       late_i,
  input logic       up_o,
  input logic       own_any,
  input logic       owner_any,
  input logic       peer_any,
  input logic [1:0] peer,
  input logic       own_oe_i,
  input logic       rx_valid_d,
  input logic       rx_first_d,
  input logic       bad_i,
  input logic [4:0] cnt_q,
  input logic       ask_o,
  input logic       line_gnt_o,
  input logic       missed,
  input logic       early,
  input logic       zero,
  input logic       tx_i,
  input logic [2:0] pend_q,
  input logic [2:0] keep_q,
  input logic [1:0] cred_q,
  input logic [2:0] cred_add_i,
  input logic       cred_ret_i,
  input logic       free
);
  // Arcs by the state they leave; bit t: to state t. The default of a case that does not exist is none.
  function automatic logic [6:0] to(input int s);
    case (s)
      0:       to = 7'b0010011;  // Idle: stays, Gnt, Sync
      1:       to = 7'b0010100;  // Gnt: Start, Sync
      2:       to = 7'b0011011;  // Start: Idle (void), Gnt, Xfer, Sync
      3:       to = 7'b0011011;  // Xfer: Idle, Gnt, stays, Sync
      4:       to = 7'b0110000;  // Sync: stays, Zero
      5:       to = 7'b1110000;  // Zero: Sync, stays, Ann
      default: to = 7'b1010001;  // Ann: Idle, Sync, stays
    endcase
  endfunction
  // verilator coverage_on

  for (genvar s = 0; s < 7; s++) begin : gen_from
    for (genvar t = 0; t < 7; t++) begin : gen_to
      if (1'(to(s) >> t)) begin : gen_arc
        `BIN(line_arc, st_q == 3'(s) && st_d == 3'(t))
      end
    end
  end

  for (genvar m = 0; m < 2; m++) begin : gen_owner
    `BIN(start_by_owner, start && mine_q == 1'(m) && owner_any)
    `BIN(void_by_owner, start && mine_q == 1'(m) && !owner_any)
    `BIN(xfer_ends_by_owner, xfer && mine_q == 1'(m) && st_d != st_q)
    `BIN(tie_by_last_owner, idle && own_any && peer == 2'd1 && mine_q == 1'(m))
  end
  `BIN(take_when_idle, take && idle)
  `BIN(take_after_void, take && start)
  `BIN(take_behind_own_packet, take && xfer)
  `BIN(give_when_idle, give && idle)
  `BIN(give_after_void, give && start)
  `BIN(give_behind_their_packet, give && xfer)
  `BIN(grant_refused_to_resynchronise, take && !line_gnt_o)
  `BIN(asks_other_end_to_stop, ask_o)

  `BIN(trouble_code_out_of_turn, up_o && peer[1] && !theirs)
  `BIN(trouble_both_drive, up_o && own_oe_i && rx_valid_d)
  `BIN(trouble_bad_packet, up_o && bad_i)
  `BIN(trouble_request_in_ann, ann && peer_any)
  `BIN(trouble_call_in_packet, xfer && !mine_q && (&peer))
  `BIN(trouble_packet_without_end, xfer && !mine_q && (&cnt_q[3:0]))
  if (NumVc < 3) begin : gen_no_vc
    `BIN(trouble_unknown_vc, start && !mine_q && no_vc)
  end
  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    `BIN(packet_begins_vc, rx_first_d && peer == 2'(v + 1))
    `BIN(credit_shown_vc, cred_q == 2'(v + 1) && up_o)
    `BIN(credit_pending_vc, pend_q[v] && up_o)
    `BIN(credit_kept_back_vc, keep_q[v] && ann)
    `BIN(credit_added_vc, cred_add_i[v])
  end
  `BIN(credit_waits_for_another, cred_ret_i && !free)
  `BIN(missing_credit_resynchronises, up_o && late_i)
  `BIN(down_is_told, missed)
  `BIN(in_ann_before_the_other_end, zero && early)
  `BIN(called_while_stream_runs, sync && tx_i)
  // The links of MBPs are always on.
  if (AlwaysOn == 0) begin : gen_off
    `BIN(switched_off_when_up, up_o && !en)
    `BIN(off_stays_down, sync && !en && (&cnt_q))
  end
endmodule

bind rdt_link_io cov_link_io #(.NumVc(NumVc), .AlwaysOn(AlwaysOn)) u_cov (.*);
