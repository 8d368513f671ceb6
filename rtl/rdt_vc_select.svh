// SPDX-License-Identifier: MIT
// What rdt_vc_select promises, of any VC and output.
`ifdef FORMAL
logic       rst_ni;
assign rst_ni = 1'b1;
`RDT_RELY("at most one packet arrives, into an empty buffer",
          (fresh_i & val_i) == '0 && (fresh_i == '0 || fresh_i == NumVc'(1) << fresh_vc_i))
`RDT_PROMISE("upper ports and other outputs are not requested together", set_o[7:4] == 4'd0 || (set_o & 11'h70F) == 11'd0)
`RDT_PROMISE("a halted router requests only LOCAL or a dump", !halt_i || (set_o & 11'h2FF) == 11'd0 && !(set_o[8] && set_o[10]))
`RDT_PROMISE("no output is requested while a pass is read", open_i || set_o == 11'd0)
for (genvar v = 0; v < NumVc; v++) begin : gen_promise
  logic [1:0] ovc;
  assign ovc = ovc_i[2*v +: 2];
  for (genvar o = 0; o < rdt_pkg::NumOuts; o++) begin : gen_out
    logic need;  // the credit of its VC
    assign need = (o == 10) ? credit_i[30] : (o >= 8) ? credit_i[3*o] :
                  (o >= 4) ? credit_i[3*o + {31'd0, uvc_i[v]}] :
                  (o >= 2) ? credit_i[3*o + {31'd0, ovc[0]}] :
                  ovc[1] ? credit_i[3*(o % 2) + 2] : credit_i[3*o + {31'd0, ovc[0]}];
    `RDT_PROMISE("no output is requested without a credit for the VC",
                 sel_o != 2'(v) || !set_o[o] || (fresh_i[v] ? rdy_i[o] : need))
    `RDT_PROMISE("only pending outputs of a stored packet are requested",
                 sel_o != 2'(v) || !set_o[o] || fresh_i[v] || (val_i[v] && (pend_i[11*v + o] || (halt_i && o == 8 && dump_i[v]))))
    `RDT_PROMISE("the selected packet does not wait for an ack entry", sel_o != 2'(v) || !set_o[o] || halt_i || fresh_i[v] || !ent_i[v])
    `RDT_PROMISE("no VC waits behind a blocked VC",
                 !open_i || halt_i || !val_i[v] || ent_i[v] || !pend_i[11*v + o] || !need || set_o != 11'd0)
    `RDT_PROMISE("the arriving packet does not wait behind a blocked VC", !open_i || halt_i || !fresh_i[v] || !rdy_i[o] || set_o != 11'd0)
  end
end
`RDT_COVER(set_o == 11'h30F && sel_o != sel_i)
`endif
