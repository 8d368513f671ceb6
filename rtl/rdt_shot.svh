// SPDX-License-Identifier: MIT
// What rdt_shot promises and relies on.
logic f_fires_q;
always_ff @(posedge clk_i) f_fires_q <= rst_ni && fires;
`RDT_PROMISE("the chip is halted a clock before the scan begins", !found_o || halted_q)
`RDT_PROMISE("a trigger halts", !f_fires_q || (halt_o && !found_o))
`RDT_PROMISE("one buffer is looked at", (look_o & (look_o - 30'd1)) == 30'd0)
`RDT_PROMISE("what is put back is looked at", !ent_put_o || ent_look_o)
`RDT_GIVEN("only an entry there is", !ent_look_o || rdt_ports_pkg::is_entry(ent_tag_o, 4'(NumEntries)))
`RDT_GIVEN("the scan has an end", scan_q <= End)

`RDT_RELY("one thing ends at a time",
          {1'b0, end_i} + {1'b0, run_i} + {1'b0, sent_i} + {1'b0, dumped_i} <= 2'd1)
`RDT_RELY("nothing steps while something ends", !step_i || !(end_i || run_i || sent_i || dumped_i))
`RDT_RELY("what ends was dumped", !(sent_i || dumped_i) || dumping)
`RDT_RELY("LOCAL is in one state", !(table_i && (recv_i || put_i)) && !(step_i && !table_i) && (!end_i || recv_i))
`RDT_RELY("a buffer's packet", !dumped_i || at_slot)
`RDT_COVER(shot_q == rdt_pkg::ShotDone && f_fires_q == 1'b0)
