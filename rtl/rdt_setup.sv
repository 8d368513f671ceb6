// SPDX-License-Identifier: MIT
// The body of a SETUP packet: commands that read or write a register, each write followed by its data.
// Promises: we_o only with valid data for a writable register; an error is reported with the flit
// that has it. Relies on: idx_i counts the flits of a packet while recv_i, from 0 on, and idle_i
// comes before it.
module rdt_setup #(
  // Bits of a flit: 18 for a slice, 36 for a whole node.
  parameter int DataW = rdt_pkg::FlitW
) (
  // Clock; state of LOCAL.
  input  logic        clk_i,
  input  logic        idle_i,
  input  logic        recv_i,
  // The flit that arrives, and its number.
  input  logic [3:0]  idx_i,
  input  logic [DataW-1:0] d_i,
  input  logic        last_i,
  // Length in the header; protection.
  input  logic [3:0]  len_i,     // a read is alone in its packet
  input  logic        refuse_i,  // writes are not for this sender
  // Error code; register to write or read.
  output logic [3:0]  err_o,
  output logic        we_o,
  output logic [4:0]  addr_o
);
  logic       cmd_d, cmd_q;    // a write waits for its data
  logic [4:0] addr_d, addr_q;  // a command is kept only if the bits above are 0
  logic       is_cmd, is_data, odd;

  // Good in all lanes; the first one counts.
  logic [DataW/rdt_pkg::FlitW-1:0] odds;
  for (genvar k = 0; k < DataW / rdt_pkg::FlitW; k++) begin : gen_odd
    assign odds[k] = ^d_i[rdt_pkg::FlitW*k +: rdt_pkg::FlitW];
  end
  assign odd = &odds;

  assign is_cmd  = idx_i[0] && (idx_i != 4'd1);
  assign is_data = !idx_i[0] && (idx_i[3:2] != 2'd0) && cmd_q;
  assign we_o    = recv_i && is_data && odd && !refuse_i;
  assign addr_o  = addr_q;

  // A command flit.
  logic        write, shape_bad, reg_bad;
  logic [14:0] number;
  logic [4:0]  low_number;
  assign write      = d_i[15];
  assign number     = d_i[14:0];
  assign low_number = d_i[4:0];
  assign shape_bad  = write ? last_i : len_i != 4'd3;
  assign reg_bad    = (number > rdt_pkg::RegSunkCnt) ||
                      (write && (number == rdt_pkg::RegId || number == rdt_pkg::RegShot || number == rdt_pkg::RegDown));

  always_comb begin
    if (!is_cmd && !is_data) err_o = rdt_pkg::ErrNone;
    else if (!odd)           err_o = rdt_pkg::ErrBodyParity;
    else if (is_data)        err_o = refuse_i ? rdt_pkg::ErrRefused : rdt_pkg::ErrNone;
    else if (shape_bad)      err_o = rdt_pkg::ErrBadLength;
    else if (reg_bad)        err_o = rdt_pkg::ErrUnknownReg;
    else                     err_o = rdt_pkg::ErrNone;
  end

  always_comb begin
    cmd_d  = cmd_q && !idle_i;
    addr_d = addr_q;
    if (recv_i && is_cmd) begin
      cmd_d = write && (err_o == rdt_pkg::ErrNone);
      if (err_o == rdt_pkg::ErrNone) addr_d = low_number;
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
