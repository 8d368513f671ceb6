// SPDX-License-Identifier: MIT
// What rdt_regs promises and relies on.
logic [12:0] f_set_q;
logic [9:0]  f_ev_q;
always_ff @(posedge clk_i) begin
  f_set_q <= stat_set & {13{rst_ni}};
  f_ev_q  <= (ev_body_i | ev_frame_i | ev_over_i | ev_cred_i | ev_owed_i | ev_sync_i | ev_sunk_i) & {10{rst_ni}};
end
`RDT_PROMISE("setting a bit overrides clearing it", (f_set_q & ~status_q) == 13'd0 && (f_ev_q & ~linkerr_q) == 10'd0)
`RDT_RELY("a write names a writable register",
          !we_i || (addr_i <= rdt_pkg::RegSunkCnt[4:0] && addr_i != rdt_pkg::RegId[4:0] &&
                    addr_i != rdt_pkg::RegShot[4:0] && addr_i != rdt_pkg::RegDown[4:0]))
`RDT_COVER(we_i && addr_i == rdt_pkg::RegStatus[4:0] && (wdata_i[12:0] & status_q & stat_set) != 13'd0)
