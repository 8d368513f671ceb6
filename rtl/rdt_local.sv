// SPDX-License-Identifier: MIT
// Crossbar output 10: takes SETUP packets and packets with a bad header, and answers them, and
// time-outs and stray acks, with packets to the MBPs. The registers themselves are in rdt_regs.
// Promises: one packet at a time; ready_o and x_gnt_o are low until its answer has been sent.
// Relies on: after gnt_i the packet comes from the next clock on without gaps, with sel_i
// one-hot; a packet with an error code has exactly three flits; a SETUP has at least four.
module rdt_local (
  input  logic        clk_i,
  input  logic        rst_ni,
  // pins
  input  logic        shoot_i,
  input  logic        slice_o_i,
  input  logic        slice_i,
  output logic        err_o,
  // crossbar column 10
  input  logic [19:0] x_i,
  input  logic        gnt_i,
  input  logic [9:0]  sel_i,
  output logic        x_gnt_o,
  output logic        ready_o,
  // input units
  input  logic [39:0] rd_err_i,
  input  logic [19:0] rd_vc_i,
  input  logic [9:0]  to_pend_i,
  input  logic [19:0] to_vc_i,
  output logic [9:0]  to_ack_o,
  output logic        tick_o,
  output logic        tick_ent_o,
  // rdt_ack
  output logic        tick_ack_o,
  input  logic        bad_ack_i,
  input  logic [3:0]  bad_port_i,
  input  logic [2:0]  bad_tag_i,
  output logic        bad_take_o,
  input  logic        ev_table_i,
  // rdt_inject, and the credits of the MBPs
  input  logic [1:0]  m_credit_i,
  input  logic [1:0]  loc_gnt_i,
  output logic [1:0]  loc_want_o,
  output logic [19:0] loc_x_o,
  // events
  input  logic [9:0]  ev_body_i,
  input  logic [9:0]  ev_frame_i,
  input  logic [9:0]  ev_over_i,
  input  logic [9:0]  ev_cred_i,
  // configuration
  output logic [2:0]  rank_o,
  output logic [3:0]  xfer_o,
  output logic [7:0]  dateline_o,
  output logic [7:0]  link_o,
  output logic [7:0]  mask_o,
  output logic        quiesce_o
);
  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StRecv = 2'd1;
  localparam logic [1:0] StSend = 2'd2;
  localparam logic [1:0] StTx   = 2'd3;

  localparam logic [1:0] KindErr     = 2'd0;
  localparam logic [1:0] KindTimeout = 2'd1;  // or a stray ack
  localparam logic [1:0] KindAnswer  = 2'd2;

  logic [1:0]  st_d, st_q;
  logic [3:0]  ridx_d, ridx_q;
  logic [1:0]  kind_d, kind_q;
  logic [3:0]  code_d, code_q;
  logic [3:0]  port_d, port_q;
  logic [1:0]  vc_d, vc_q;
  logic [16:0] h0_q, h1_q, h2_q;
  logic        cmd_d, cmd_q;
  logic [3:0]  addr_d, addr_q;  // a command is kept only if the bits above are 0
  logic [3:0]  e_d, e_q;
  logic [2:0]  tag_d, tag_q;
  logic        quiesce_q;

  logic idle, recv;
  assign idle = (st_q == StIdle);
  assign recv = (st_q == StRecv);

  // Time-outs, the lowest port first.
  logic       to_any;
  logic [9:0] to_oh;

  always_comb begin
    to_any = |to_pend_i;
    to_oh  = to_pend_i & (~to_pend_i + 10'd1);
  end

  assign to_ack_o = to_oh & {10{idle}};
  assign ready_o  = idle;
  assign x_gnt_o  = idle && !to_any && !bad_ack_i && !quiesce_q;

  assign bad_take_o = idle && !to_any && bad_ack_i;

  // Where the packet, or the time-out, comes from.
  logic [9:0] src;
  logic [3:0] src_port, src_err;
  logic [1:0] src_vc;

  function automatic logic [1:0] pick2(input logic [19:0] d, input logic [9:0] oh);
    pick2 = 2'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) pick2 = pick2 | (d[2*i +: 2] & {2{oh[i]}});
  endfunction

  function automatic logic [3:0] pick4(input logic [39:0] d, input logic [9:0] oh);
    pick4 = 4'd0;
    for (int i = 0; i < rdt_pkg::NumPorts; i++) pick4 = pick4 | (d[4*i +: 4] & {4{oh[i]}});
  endfunction

  assign src      = idle ? to_oh : sel_i;
  assign src_port = pick4(40'h9876543210, src);
  assign src_vc   = pick2(idle ? to_vc_i : rd_vc_i, src);
  assign src_err  = pick4(rd_err_i, sel_i);

  // The body of a SETUP packet.
  logic       last, is_cmd, is_data, odd, reg_we;
  logic [3:0] len, flit_err, e_now;
  logic       to_mbp1, sent, tx_last;

  assign len     = h0_q[rdt_pkg::H0LenHi:rdt_pkg::H0LenLo];
  assign last    = (x_i[19:18] == 2'd1) && (ridx_q != 4'd0);
  assign odd     = ^x_i[17:0];
  assign is_cmd  = ridx_q[0] && (ridx_q != 4'd1);
  assign is_data = !ridx_q[0] && (ridx_q[3:2] != 2'd0) && cmd_q;
  assign reg_we  = recv && is_data && odd;

  always_comb begin
    if (!is_cmd && !is_data) flit_err = rdt_pkg::ErrNone;
    else if (!odd)           flit_err = rdt_pkg::ErrBodyParity;
    else if (is_data)        flit_err = rdt_pkg::ErrNone;
    else if (x_i[15] ? last : len != 4'd3)
      flit_err = rdt_pkg::ErrBadLength;
    else if (x_i[14:0] > rdt_pkg::RegTAck || (x_i[15] && x_i[14:0] == rdt_pkg::RegId))
      flit_err = rdt_pkg::ErrUnknownReg;
    else                     flit_err = rdt_pkg::ErrNone;
  end

  assign e_now = (e_q == rdt_pkg::ErrNone) ? flit_err : e_q;

  assign to_mbp1    = (kind_q == KindAnswer) && h0_q[rdt_pkg::H0MbpLo];
  assign sent       = (st_q == StSend) && (to_mbp1 ? loc_gnt_i[1] : loc_gnt_i[0]);
  assign loc_want_o = m_credit_i & {to_mbp1, !to_mbp1} & {2{st_q == StSend}};

  always_comb begin
    st_d   = st_q;
    ridx_d = ridx_q;
    kind_d = kind_q;
    code_d = code_q;
    port_d = port_q;
    vc_d   = vc_q;
    cmd_d  = cmd_q;
    addr_d = addr_q;
    e_d    = e_q;
    tag_d  = tag_q;
    case (st_q)
      StIdle: begin
        ridx_d = 4'd0;
        cmd_d  = 1'b0;
        e_d    = rdt_pkg::ErrNone;
        if (to_any) begin
          st_d   = StSend;
          kind_d = KindTimeout;
          code_d = rdt_pkg::ErrTimeout;
          port_d = src_port;
          vc_d   = src_vc;
          tag_d  = 3'd0;
        end else if (bad_ack_i) begin
          st_d   = StSend;
          kind_d = KindTimeout;
          code_d = rdt_pkg::ErrUnexpectedAck;
          port_d = bad_port_i;
          vc_d   = 2'd0;
          tag_d  = bad_tag_i;
        end else if (gnt_i) begin
          st_d = StRecv;
        end
      end
      StRecv: begin
        ridx_d = ridx_q + 4'd1;
        e_d    = e_now;
        if (ridx_q == 4'd0) begin
          port_d = src_port;
          vc_d   = src_vc;
          code_d = src_err;
        end
        if (is_cmd) begin
          cmd_d = x_i[15] && (flit_err == rdt_pkg::ErrNone);
          if (flit_err == rdt_pkg::ErrNone) addr_d = x_i[3:0];
        end else if (is_data) begin
          cmd_d = 1'b0;
        end
        if (last) begin
          st_d   = StSend;
          kind_d = KindErr;
          if (code_q == rdt_pkg::ErrNone) begin
            code_d = e_now;
            if (e_now == rdt_pkg::ErrNone) begin
              kind_d = KindAnswer;
              if (len != 4'd3) st_d = StIdle;
            end
          end
        end
      end
      StSend: begin
        ridx_d = 4'd0;
        if (sent) st_d = StTx;
      end
      default: begin
        ridx_d = ridx_q + 4'd1;
        if (tx_last) st_d = StIdle;
      end
    endcase
  end

  // Packets made here.
  logic [15:0] value;
  logic [7:0]  x, y;
  logic [16:0] flit;
  logic [3:0]  tx_len;
  logic [1:0]  tx_code;
  logic        answer;

  always_comb begin
    answer = (kind_q == KindAnswer);
    case (kind_q)
      KindErr:     tx_len = 4'd5;
      KindTimeout: tx_len = 4'd2;
      default:     tx_len = 4'd4;
    endcase
    case (ridx_q[2:0])
      3'd0:    flit = answer ? {rdt_pkg::TypeSetup, tx_len,
                                h0_q[rdt_pkg::H0TagHi:rdt_pkg::H0MbpLo], 6'd0}
                             : {rdt_pkg::TypeErr, tx_len, 6'd0, code_q};
      3'd1:    flit = answer ? 17'd0 : {port_q, vc_q,
                                         tag_q & {3{kind_q == KindTimeout}}, 8'd0};
      3'd2:    flit = {1'b0, x, y};
      3'd3:    flit = answer ? {13'd0, addr_q} : h0_q;
      3'd4:    flit = answer ? {1'b0, value} : h1_q;
      default: flit = h2_q;
    endcase
    tx_last = (ridx_q == tx_len);
    if (ridx_q == 4'd0 || tx_last)     tx_code = 2'd1;
    else if (ridx_q + 4'd1 == tx_len)  tx_code = 2'd0;
    else                               tx_code = 2'd2;
  end

  assign loc_x_o = {tx_code, ~^flit, flit} & {20{st_q == StTx}};

  rdt_regs u_regs (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .we_i           (reg_we),
    .addr_i         (addr_q),
    .wdata_i        (x_i[15:0]),
    .rdata_o        (value),
    .set_header_i   (recv && last && code_q != rdt_pkg::ErrNone),
    .set_timeout_i  (idle && to_any),
    .set_setup_i    (recv && last && code_q == rdt_pkg::ErrNone && e_now != rdt_pkg::ErrNone),
    .set_ack_i      (bad_take_o),
    .set_table_i    (ev_table_i),
    .err_sent_i     (sent && !answer),
    .slice_differs_i(slice_o_i != slice_i),
    .ev_body_i      (ev_body_i),
    .ev_frame_i     (ev_frame_i),
    .ev_over_i      (ev_over_i),
    .ev_cred_i      (ev_cred_i),
    .x_o            (x),
    .y_o            (y),
    .rank_o         (rank_o),
    .xfer_o         (xfer_o),
    .dateline_o     (dateline_o),
    .link_o         (link_o),
    .mask_o         (mask_o),
    .tick_o         (tick_o),
    .tick_ent_o     (tick_ent_o),
    .tick_ack_o     (tick_ack_o),
    .err_o          (err_o)
  );

  assign quiesce_o = quiesce_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      st_q      <= StIdle;
      quiesce_q <= 1'b0;
    end else begin
      st_q      <= st_d;
      quiesce_q <= shoot_i;
    end
  end

  // Written in Idle or Recv before they are used, so without reset.
  always_ff @(posedge clk_i) begin
    ridx_q <= ridx_d;
    kind_q <= kind_d;
    code_q <= code_d;
    port_q <= port_d;
    vc_q   <= vc_d;
    cmd_q  <= cmd_d;
    addr_q <= addr_d;
    e_q    <= e_d;
    tag_q  <= tag_d;
    if (recv && ridx_q == 4'd0) h0_q <= x_i[16:0];
    if (recv && ridx_q == 4'd1) h1_q <= x_i[16:0];
    if (recv && ridx_q == 4'd2) h2_q <= x_i[16:0];
  end
endmodule
