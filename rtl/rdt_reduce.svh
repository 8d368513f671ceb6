// SPDX-License-Identifier: MIT
// What rdt_reduce promises and relies on.
`RDT_PROMISE("only H1 and H2 of an ack change", flip_o == 18'd0 || idx_q[1])
`RDT_PROMISE("an operand counts at most once per ack", (land2_q & (land2_q - 10'd1)) == 10'd0)
`RDT_RELY("one ack is taken in a cycle", (ack_take_i & (ack_take_i - 10'd1)) == 10'd0)
`RDT_RELY("the ack of the entry leaves before the next one is taken", !(snd_take_i && hold_q))
`ifdef FORMAL
`RDT_COVER(out_bad_q && (|out_op_q) && idx_q == 2'd3)
`endif
