// SPDX-License-Identifier: MIT
// The packets that LOCAL makes, flit by flit: ERR packets with a header, notices (ERR packets
// without one), answers to register reads, SHOT packets. Combinational.
module rdt_local_tx #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW = rdt_pkg::FlitW
) (
  // The packet to send, and the flit of it.
  input  logic [1:0]  kind_i,   // 0 ERR with header, 1 notice, 2 answer, 3 SHOT
  input  logic [3:0]  idx_i,    // of the flit
  // Fields of an ERR packet or notice: error, port, VC, tag.
  input  logic [3:0]  code_i,
  input  logic [3:0]  port_i,
  input  logic [1:0]  vc_i,
  input  logic [2:0]  tag_i,
  // Header of the packet that is answered or reported.
  input  logic [16:0] h0_i,
  input  logic [16:0] h1_i,
  input  logic [16:0] h2_i,
  // Register that was read; place of the node.
  input  logic [4:0]  addr_i,
  input  logic [15:0] value_i,
  input  logic [15:0] xy_i,
  // Flit of a SHOT packet.
  input  logic [16:0] shot_i,   // flit of a SHOT packet
  // The last flit; the stream to the output.
  output logic        last_o,
  output logic [rdt_pkg::CodeW+DataW-1:0] x_o
);
  logic [3:0]  len;
  logic [1:0]  code;
  logic [16:0] flit;
  logic        notice, answer, shot;

  assign notice = (kind_i == 2'd1);
  assign answer = (kind_i == 2'd2);
  assign shot   = (kind_i == 2'd3);

  always_comb begin
    case (kind_i)
      2'd0:    len = 4'd5;
      2'd2:    len = 4'd4;
      default: len = 4'd2;
    endcase
  end

  logic [2:0] idx;       // none has more than six flits
  logic [3:0] tag_mbp;
  assign idx     = idx_i[2:0];
  assign tag_mbp = h0_i[rdt_pkg::H0TagHi:rdt_pkg::H0MbpLo];

  always_comb begin
    case (idx)
      3'd0:    flit = answer ? {rdt_pkg::TypeSetup, len, tag_mbp, 6'd0}
                             : {rdt_pkg::TypeErr, len, 6'd0, code_i};
      3'd1:    flit = answer ? 17'd0 : {port_i, vc_i, tag_i & {3{notice}}, 8'd0};
      3'd2:    flit = {1'b0, xy_i};
      3'd3:    flit = answer ? {12'd0, addr_i} : h0_i;
      3'd4:    flit = answer ? {1'b0, value_i} : h1_i;
      default: flit = h2_i;
    endcase
    if (shot) flit = shot_i;
  end

  assign last_o = (idx_i == len);

  always_comb begin
    if (idx_i == 4'd0 || last_o)  code = 2'd1;
    else if (idx_i + 4'd1 == len) code = 2'd0;
    else                          code = 2'd2;
  end

  // H0 has even parity, the others odd.
  assign x_o = {code, {(DataW / rdt_pkg::FlitW){(^flit) ^ (idx_i != 4'd0), flit}}};
endmodule
