// SPDX-License-Identifier: MIT
// What rdt_ack promises and relies on.
logic [9:0] f_gave;
assign f_gave = ent_gnt_o;
`RDT_PROMISE("exactly one pending ack is taken per cycle unless LOCAL reads an entry",
             (|ack_take_o) == ((|ack_v_i) && !look_i) && (ack_take_o & (ack_take_o - 10'd1)) == 10'd0)
`RDT_PROMISE("only a pending ack is taken", (ack_take_o & ~ack_v_i) == 10'd0)
`RDT_PROMISE("at most one entry is allocated per cycle, and only to a requesting port",
             (f_gave & (f_gave - 10'd1)) == 10'd0 && (f_gave & ~ent_req_i) == 10'd0)
// Number of the last entry that a request of port p may have, by the place in the tree.
function automatic logic [2:0] f_top(input int p, input logic [7:0] set, input logic vct);
  int c;
  if (rdt_ports_pkg::is_mbp(p)) c = 0;
  else if (rdt_ports_pkg::is_upper(p)) c = (set[7:4] != 4'd0) ? 2 : (set[3:0] != 4'd0) ? 3 : 5;
  else if (!rdt_ports_pkg::is_x(p)) c = (set[3:0] != 4'd0) ? 4 : 5;
  else if (!vct) c = 5;
  else c = (set[7:4] != 4'd0) ? 1 : (set[3:0] == 4'd0) ? 5 : (rdt_ports_pkg::is_positive(p)) ? 0 : 3;
  f_top = (NumEnt >= 6) ? 3'(c) : (c + NumEnt > 6) ? 3'(c + NumEnt - 6) : 3'd0;
endfunction
logic [9:0] f_room, f_first;
logic [NumEnt*10-1:0] f_may;  // free entries that the request of each port may have
for (genvar p = 0; p < rdt_pkg::NumPorts; p++) begin : gen_f_class
  logic [2:0] top;
  assign top = f_top(p, ent_set_i[10*p +: 8], rdt_ports_pkg::has_vct(p) && ent_vct_i[p % 2]);
  for (genvar e = 0; e < NumEnt; e++) begin : gen_f_may
    assign f_may[NumEnt*p+e] = ent_req_i[p] && free[e] &&
                               (NumEnt >= 7 && ent_tag_i[TagW*p +: TagW] == TagW'(7) ? e == 6 : e > 6 || {3'd0, top} + 6'd1 > 6'(e));
  end
  assign f_room[p]  = |f_may[NumEnt*p +: NumEnt];
  assign f_first[p] = f_room[p] && ent_old_i[p];
  `RDT_PROMISE("the highest free entry that the class allows is allocated",
               !f_gave[p] || ((new_oh & ~f_may[NumEnt*p +: NumEnt]) == '0 && new_oh != '0 &&
                              (new_oh & (new_oh - NumEnt'(1))) == '0 &&
                              (f_may[NumEnt*p +: NumEnt] >> 1) < new_oh))
  // Grants to others while this port could have been given an entry.
  logic [3:0] f_passed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || f_gave[p] || !(|f_first ? f_first[p] : f_room[p])) f_passed_q <= 4'd0;
    else if (|f_gave) f_passed_q <= f_passed_q + 4'd1;
  end
  `RDT_PROMISE("a request with a free entry is granted within ten grants", f_passed_q < 4'd10)
end
`RDT_PROMISE("an entry is allocated if some request has a free entry", (|f_gave) == ((|f_room) && !put_i))
`RDT_PROMISE("aged requests have priority", !(|f_first) || (f_gave & ~f_first) == 10'd0)
`RDT_PROMISE("every entry has a tag", !(|f_gave) || rdt_ports_pkg::is_entry(5'(ent_new_o), NumEnt))
`RDT_PROMISE("an answer is sent only to a parent that can accept one",
             !snd_v_o || !(|(busy_i & rdt_ports_pkg::oh_of(snd_port_o))))
`RDT_PROMISE("a stray ack is an ack that no entry waits for", !stray_o || !expected || also_stray)
`RDT_PROMISE("two acks of a port count for different entries", (tag_oh & also_oh) == '0)
for (genvar p = 0; p < rdt_pkg::NumPorts; p++) begin : gen_rely
  `RDT_RELY("a request for an entry names at least one port", !ent_req_i[p] || ent_set_i[10*p +: 10] != 10'd0)
end
`RDT_RELY("an answer is taken only if one is pending", !snd_take_i || snd_v_o)
`RDT_RELY("LOCAL restores only the entry that it reads", !put_i || look_i)
`RDT_RELY("LOCAL reads only an existing entry", !look_i || rdt_ports_pkg::is_entry(5'(look_tag_i), NumEnt))
`RDT_COVER(snd_take_i && (&(~free)) && stray_o)
