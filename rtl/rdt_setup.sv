// SPDX-License-Identifier: MIT
// The body of a SETUP packet: commands that read or write a register, each write followed by its data.
// Promises: we_o only with data that are sound, for a register that can be written; an error is told
// with the flit that has it.
// Relies on: idx_i counts the flits of a packet while recv_i, from 0 on, and idle_i comes before it.
module rdt_setup (
  input  logic        clk_i,
  input  logic        idle_i,
  input  logic        recv_i,
  input  logic [3:0]  idx_i,
  input  logic [17:0] d_i,
  input  logic        last_i,
  input  logic [3:0]  len_i,     // a read is alone in its packet
  input  logic        refuse_i,  // writes are not for this sender
  output logic [3:0]  err_o,
  output logic        we_o,
  output logic [4:0]  addr_o
);
  logic       cmd_d, cmd_q;    // a write waits for its data
  logic [4:0] addr_d, addr_q;  // a command is kept only if the bits above are 0
  logic       is_cmd, is_data, odd;

  assign odd     = ^d_i;
  assign is_cmd  = idx_i[0] && (idx_i != 4'd1);
  assign is_data = !idx_i[0] && (idx_i[3:2] != 2'd0) && cmd_q;
  assign we_o    = recv_i && is_data && odd && !refuse_i;
  assign addr_o  = addr_q;

  always_comb begin
    if (!is_cmd && !is_data) err_o = rdt_pkg::ErrNone;
    else if (!odd)           err_o = rdt_pkg::ErrBodyParity;
    else if (is_data)        err_o = refuse_i ? rdt_pkg::ErrRefused : rdt_pkg::ErrNone;
    else if (d_i[15] ? last_i : len_i != 4'd3)
      err_o = rdt_pkg::ErrBadLength;
    else if (d_i[14:0] > rdt_pkg::RegSunkCnt ||
             (d_i[15] && (d_i[14:0] == rdt_pkg::RegId || d_i[14:0] == rdt_pkg::RegShot ||
                          d_i[14:0] == rdt_pkg::RegDown)))
      err_o = rdt_pkg::ErrUnknownReg;
    else                     err_o = rdt_pkg::ErrNone;
  end

  always_comb begin
    cmd_d  = cmd_q && !idle_i;
    addr_d = addr_q;
    if (recv_i && is_cmd) begin
      cmd_d = d_i[15] && (err_o == rdt_pkg::ErrNone);
      if (err_o == rdt_pkg::ErrNone) addr_d = d_i[4:0];
    end else if (recv_i && is_data) begin
      cmd_d = 1'b0;
    end
  end

  // Written in Idle or before they are used, so without reset.
  always_ff @(posedge clk_i) begin
    cmd_q  <= cmd_d;
    addr_q <= addr_d;
  end
endmodule
