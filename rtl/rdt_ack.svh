// SPDX-License-Identifier: MIT
// What rdt_ack promises and relies on.
logic [9:0] f_gave;
assign f_gave = ent_gnt_o;
`RDT_PROMISE("one ack lands a clock; all that land are taken unless LOCAL looks",
             (|ack_take_o) == ((|ack_v_i) && !look_i) && (ack_take_o & (ack_take_o - 10'd1)) == 10'd0)
`RDT_PROMISE("only an ack that is there is taken", (ack_take_o & ~ack_v_i) == 10'd0)
`RDT_PROMISE("one entry is given a clock to one that asks",
             (f_gave & (f_gave - 10'd1)) == 10'd0 && (f_gave & ~ent_req_i) == 10'd0)
`RDT_PROMISE("a free entry is given if somebody asks", (|f_gave) == ((|ent_req_i) && (|free) && !put_i))
`RDT_PROMISE("an entry has a tag", !(|f_gave) || rdt_ports_pkg::is_entry(ent_new_o, 4'(NumEnt)))
`RDT_PROMISE("an answer goes to a parent that may take one",
             !snd_v_o || !(|(busy_i & rdt_ports_pkg::oh_of(snd_port_o))))
`RDT_PROMISE("a stray ack is one that no entry waits for", !stray_o || !expected)
for (genvar p = 0; p < rdt_pkg::NumPorts; p++) begin : gen_rely
  `RDT_RELY("who asks for an entry wants some ports", !ent_req_i[p] || ent_set_i[10*p +: 10] != 10'd0)
end
`RDT_RELY("an answer is taken only if there is one", !snd_take_i || snd_v_o)
`RDT_RELY("LOCAL puts back only what it looks at", !put_i || look_i)
`RDT_RELY("LOCAL looks only at an entry there is", !look_i || rdt_ports_pkg::is_entry(look_tag_i, 4'(NumEnt)))
`RDT_COVER(snd_take_i && (&(~free)) && stray_o)
