// SPDX-License-Identifier: MIT
// Cover points of rdt_input_unit: what passes from each buffer to each output, what goes wrong on the way
// in, waiting, and shoot-downs.
`include "cov.svh"
module cov_input_unit #(
  parameter int NumVc  = 2,
  parameter int InPort = 0
) (
  // verilator coverage_off
  input logic             clk_i,
  input logic             rst_ni,
  input logic [10:0]      gnt_i,
  input logic [1:0]       sel_q,
  input logic             dumped,
  input logic             ends,
  input logic [2:0]       head,
  input logic [17:0]      flit,
  input logic [1:0]       code,
  input logic [1:0]       rd_vc_o,
  input logic [3:0]       rd_err_o,
  input logic [NumVc-1:0] pkt_q,
  input logic [NumVc-1:0] mc,
  input logic [NumVc-1:0] ent,
  input logic [NumVc-1:0] put_oh,
  input logic [NumVc-1:0] ent_oh,
  input logic [NumVc-1:0] to_oh,
  input logic [NumVc-1:0] short_oh,
  input logic [NumVc-1:0] rsv_q,
  input logic [19:0]      put_ctx_i,
  input logic             to_ack_i,
  input logic             ent_gnt_i,
  input logic             retry_ack_i,
  input logic             halt_i,
  input logic             clash_o,
  input logic             gone,
  input logic             over,
  input logic             ev_land,
  input logic             ev_body_o,
  input logic             ev_frame_o,
  input logic             is_short,
  input logic             bad_o,
  input logic             land,
  input logic             up_i,
  input logic             rx_valid_i
);
  localparam bit Upper = (InPort >= 4 && InPort < 8);

  logic [10:0] gnt_q;
  logic        dumped_q;
  logic [2:0]  ptype;

  always_ff @(posedge clk_i) begin
    gnt_q    <= gnt_i;
    dumped_q <= dumped;
  end
  assign ptype = flit[16:14];
  // verilator coverage_on

  // The first flit of a pass comes in the cycle after its grant. Acks do not pass.
  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    // verilator coverage_off
    // A pass over this buffer has begun, and others follow.
    logic sent_q;
    always_ff @(posedge clk_i) begin
      if (!pkt_q[v] || put_oh[v])        sent_q <= 1'b0;
      else if (|gnt_i && sel_q == 2'(v)) sent_q <= !ends;
    end
    // verilator coverage_on
    for (genvar t = 0; t < 8; t++) begin : gen_type
      for (genvar o = 0; o < 11; o++) begin : gen_out
        // SETUP is for chips, not for MBPs; SHOT and ERR go to LOCAL, most of them as errors; the relay of an
        // upper level sends nothing to the North.
        localparam bit No = (t == 4) || (t == 5 && (o == 8 || o == 9)) || (t > 5 && o != 10) ||
                            (t > 0 && t < 4 && o == 6 && Upper);
        if (!No) begin : gen_bin
          `BIN(packet_type_output_vc, head[0] && gnt_q[o] && rd_vc_o == 2'(v) && ptype == 3'(t))
        end
      end
      if (t < 4 || t == 5) begin : gen_dump
        `BIN(dumped_type_vc, dumped_q && rd_vc_o == 2'(v) && ptype == 3'(t))
      end
    end
    `BIN(dumped_between_passes_vc, dumped && sel_q == 2'(v) && mc[v] && !ent[v] && sent_q)
    `BIN(dumped_waiting_for_entry_vc, dumped && sel_q == 2'(v) && ent[v])
    `BIN(put_back_unicast_vc, put_oh[v] && !put_ctx_i[8])
    `BIN(put_back_multicast_vc, put_oh[v] && put_ctx_i[8] && !put_ctx_i[0])
    `BIN(put_back_waiting_for_entry_vc, put_oh[v] && put_ctx_i[8] && put_ctx_i[0])
    `BIN(timed_out_vc, to_ack_i && to_oh[v])
    `BIN(entry_granted_vc, ent_gnt_i && ent_oh[v])
    `BIN(retry_vc, retry_ack_i && ent_oh[v])
    `BIN(short_in_buffer_vc, short_oh[v])
    // The buffer of MBP 0 is reserved only while its own packet is put back.
    if (InPort != 8) begin : gen_held
      `BIN(held_back_vc, rsv_q[v] && !halt_i)
    end
    `BIN(passes_several_vc, |gnt_i && sel_q == 2'(v) && sent_q && mc[v])
  end

  // MBPs have one VC, and their copies are of no other; only E0 and W0 have a third.
  for (genvar o = 0; o < 10; o++) begin : gen_way
    localparam int OutVc = (o < 2) ? 3 : (o < 8) ? 2 : 1;
    for (genvar v = 0; v < OutVc; v++) begin : gen_out_vc
      `BIN(output_and_its_vc, head[0] && gnt_q[o] && (o > 7 || code == 2'(v + 1)))
    end
  end
  for (genvar n = 2; n < 16; n++) begin : gen_len
    `BIN(packet_length, head[0] && flit[13:10] == 4'(n))
  end
  // The error of a header, as rdt_route finds it; None is a SETUP or SHOT packet.
  for (genvar e = 0; e < 16; e++) begin : gen_err
    if (e == 0 || (e >= 2 && e <= 5) || e == 10) begin : gen_bin
      `BIN(header_error, head[0] && gnt_q[10] && rd_err_o == 4'(e))
    end
  end

  `BIN(ack_landed, land)
  `BIN(ack_overrun, ev_land)
  `BIN(packet_overrun, over)
  `BIN(bad_header_flit, bad_o && !over)
  `BIN(bad_body_flit, ev_body_o)
  `BIN(packet_too_short, is_short)
  `BIN(packet_too_long, ev_frame_o && !is_short)
  `BIN(short_read_by_its_last_pass, gone)
  `BIN(all_buffers_full, &pkt_q)
  `BIN(halted_while_packet_comes, halt_i && rx_valid_i)
  `BIN(buffer_cleared_while_link_down, !up_i && ends)
  // A packet restored into MBP 0's buffer is not written: it is already there.
  if (InPort != 8) begin : gen_clash
    `BIN(put_back_clashes, clash_o)
  end
endmodule

bind rdt_input_unit cov_input_unit #(.NumVc(NumVc), .InPort(InPort)) u_cov (.*);
