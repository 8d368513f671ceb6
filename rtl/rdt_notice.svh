// SPDX-License-Identifier: MIT
// What rdt_notice promises and relies on.
`RDT_PROMISE("one time-out is told at a time, of one that is there",
             (to_ack_o & (to_ack_o - 10'd1)) == 10'd0 && (to_ack_o & ~to_pend_i) == 10'd0)
`RDT_PROMISE("what is there is told when LOCAL is idle", !idle_i || !late || (|to_ack_o))
`RDT_PROMISE("nothing of MBP 0's own link is told", !sync_q[8] && !sunk_q[8])
`RDT_COVER(stray_q && (|sync_q) && (|sunk_q) && (|to_ack_o))
