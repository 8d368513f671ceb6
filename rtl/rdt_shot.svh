// SPDX-License-Identifier: MIT
// What rdt_shot promises and relies on.
logic f_fires_q;
always_ff @(posedge clk_i) f_fires_q <= rst_ni && fires;
`RDT_PROMISE("the router is halted one cycle before the scan begins", !found_o || halted_q)
`RDT_PROMISE("a trigger halts the router", !f_fires_q || (halt_o && !found_o))
`RDT_PROMISE("the scan reads at most one buffer", (look_o & (look_o - 30'd1)) == 30'd0)
`RDT_PROMISE("a restored entry is read in the same cycle", !ent_put_o || ent_look_o)
`RDT_GIVEN("the scan reads only an existing entry", !ent_look_o || rdt_ports_pkg::is_entry(5'(ent_tag_o), NumEntries))
`RDT_GIVEN("the scan position does not pass its end", scan_q <= End)

`RDT_RELY("at most one dump ends at a time",
          {1'b0, end_i} + {1'b0, run_i} + {1'b0, sent_i} + {1'b0, dumped_i} <= 2'd1)
`RDT_RELY("the scan does not advance while a dump ends", !step_i || !(end_i || run_i || sent_i || dumped_i))
`RDT_RELY("a dump that ends was started", !(sent_i || dumped_i) || dumping)
`RDT_RELY("LOCAL is in exactly one state", !(table_i && (recv_i || put_i)) && !(step_i && !table_i) && (!end_i || recv_i))
`RDT_RELY("a dumped packet belongs to a buffer", !dumped_i || at_slot)
`RDT_COVER(shot_q == rdt_pkg::ShotDone && f_fires_q == 1'b0)
