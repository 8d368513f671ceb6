// SPDX-License-Identifier: MIT
// Cover points of rdt_output_unit: streams, credits, dead outputs, the rewrite of headers.
`include "cov.svh"
module cov_output_unit #(
  parameter int OutPort = 0,
  parameter int NumVc   = 2
) (
  // verilator coverage_off
  input logic             clk_i,
  input logic             rst_ni,
  input logic             gnt_i,
  input logic             loc_gnt_o,
  input logic             dead,
  input logic             head,
  input logic             sends,
  input logic             tx_q,
  input logic             txloc_q,
  input logic             sunk_q,
  input logic             down_i,
  input logic             up_i,
  input logic             ann_i,
  input logic             hush_i,
  input logic             line_void_i,
  input logic             raw_i,
  input logic [1:0]       in_q,
  input logic             twice,
  input logic             ev_cred_o,
  input logic [NumVc-1:0] late,
  input logic [NumVc-1:0] found,
  input logic [4:0]       rank_i,
  input logic [2:0]       xtype,
  input logic [1:0]       gone_q
);
  // verilator coverage_on
  `BIN(stream_from_crossbar, gnt_i && !dead)
  `BIN(stream_from_behind_it, loc_gnt_o && !dead)
  `BIN(sunk_from_crossbar, gnt_i && dead)
  `BIN(sunk_still_runs_when_up, tx_q && sunk_q && up_i)
  `BIN(cut_by_the_link, sends && down_i)
  `BIN(grant_void, line_void_i && !sends)
  `BIN(not_asked_to_resynchronise, hush_i && up_i)
  `BIN(gone_comes_back, gone_q[1] && !dead && up_i)
  `BIN(credit_disturbed, ev_cred_o)
  // LOCAL drops packets for a dead MBP earlier: it has no credit.
  if (OutPort < 8) begin : gen_link
    `BIN(ack_sunk, loc_gnt_o && dead)
  end else begin : gen_mbp
    `BIN(mbp_without_credit_is_gone, gone_q[1] && up_i)
  end

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    `BIN(credit_back_vc, up_i && twice && in_q == 2'(v + 1))
    `BIN(credit_announced_vc, ann_i && twice && in_q == 2'(v + 1))
    `BIN(credit_late_vc, up_i && late[v])
    `BIN(credit_was_lost_vc, found[v])
  end

  // Which rank's component is stepped, and which byte of a map is used up. Upper ports are those of the own
  // rank, and copies on them have no lineage: they are all McSm.
  for (genvar t = 0; t < 6; t++) begin : gen_type
    if (t != 4 && !(OutPort > 3 && (t == 2 || t == 3))) begin : gen_bin
      for (genvar r = 0; r < 5; r++) begin : gen_rank
        if (OutPort < 8 && (OutPort < 4 || r > 0)) begin : gen_step
          `BIN(rewritten_type_rank, head && !txloc_q && xtype == 3'(t) && rank_i[r])
        end
      end
    end
  end
  if (OutPort == 8) begin : gen_raw
    `BIN(dumped_as_it_is, head && raw_i && !txloc_q)
  end
endmodule

bind rdt_output_unit cov_output_unit #(.OutPort(OutPort), .NumVc(NumVc)) u_cov (.*);
