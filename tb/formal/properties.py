# SPDX-License-Identifier: MIT
"""What is proven. One entry a property: the harness, whose promises (rtl/<module>.svh) are proven with
it, what is assumed, and one or more planted mistakes (file, text that stands there once, what becomes
of it), each of which has to be refuted.
"""
def vcs(port):
    return 3 if port < 2 else 2 if port < 8 else 1


PROOFS = [
    {
        "name": "arbiter_grants", "block": "rdt_arbiter", "top": "arbiter", "files": ["tb/formal/arbiter.sv"],
        "says": "one input an output, only wanters, an output that is offered and wanted is granted",
        "promises": ["rdt_arbiter"],
        "plants": [("rtl/rdt_arbiter.sv", "assign win     = rdt_ports_pkg::low10(pick);", "assign win     = pick;")],
    },
    {
        "name": "arbiter_starvation", "block": "rdt_arbiter", "top": "arbiter", "files": ["tb/formal/arbiter.sv"],
        "says": "who wants an output and counts sees at most nine other grants of it; MBP 0 one of LOCAL",
        "defines": ["STARVE"], "promises": ["rdt_arbiter"],
        "plants": [("rtl/rdt_arbiter.sv", "|xsel[i-1:0]", "|xsel[i:0]"),
                   ("rtl/rdt_arbiter.sv", "want[NumNet] && !xsel[NumNet]", "want[NumNet] && xsel[0]"),
                   ("rtl/rdt_arbiter.sv", "(gnt_out_o[o] && !first) ? rdt_ports_pkg::above10(win) : mask_q;",
                    "gnt_out_o[o] ? rdt_ports_pkg::above10(win) : mask_q;")],
    },
    {
        "name": "arbiter_is_specified", "quick": True, "block": "rdt_arbiter", "wrap": "rdt_arbiter", "spec": "spec_arbiter",
        "says": "grants, turns, ages and signature are those of section 4.5",
        "inside": {"mask": ("u_dut.gen_out[10].gen_first.mask_q", 10), "turned": ("u_spec.turned_q", 1), "turn": ("u_spec.turn_q", 4)},
        "and": ["mask == (turned ? ~10'h3FF | (10'h3FE << turn) : 10'd0)"],
        "reached": "gnt_o[11*8 + 10] && slice_o && xsel_o[109]",
        "plants": [("rtl/rdt_arbiter.sv", "{mbps & (aged | {2{!transit}})", "{mbps & {2{(|aged) || !transit}}")],
    },
    {
        "name": "line_drivers_2", "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 2},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["DRIVERS"],
        "says": "two ends, any order of switching on: never two drivers, never two owners",
        "plants": [("rtl/rdt_link_io.sv", "!(peer[0] && mine_q)", "!(peer[0] && !mine_q)")],
    },
    {
        "name": "credits_2", "limit": 900, "block": "rdt_output_unit", "top": "link_pair", "params": {"NumVc": 2},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["CREDITS"],
        "says": "a credit in hand is an empty buffer, also over any recovery of the link: none is doubled",
        "plants": [("rtl/rdt_link_io.sv", "if (zero)     more = room_i & ~keep_q;", "if (zero)     more = AllVc;")],
    },
    {
        "name": "line_drivers_far", "limit": 900, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 2, "RegReq": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["DRIVERS"],
        "says": "the same of a link with registered pins: never two drivers, never two owners",
        "plants": [("rtl/rdt_link_io.sv", "assign gnt_ends  = (RegReq == 0) || cnt_q[0];", "assign gnt_ends  = 1'b1;")],
    },
    {
        "name": "credits_far", "limit": 900, "block": "rdt_output_unit", "top": "link_pair", "params": {"NumVc": 1, "RegReq": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["CREDITS"],
        "says": "the same of a link with registered pins and one VC: a credit in hand is an empty buffer",
        "plants": [("rtl/rdt_link_io.sv", "!(|cred_in) && !own_any;", "!(|cred_in);")],
    },
    {
        "name": "line_waits_1", "limit": 900, "plant_depth": 200, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LINE"],
        "says": "who asks for the line gets it within 48 clocks, whatever the buffers do: a line waits for nothing",
        "plants": [("rtl/rdt_output_unit.sv", "((cand_any_i || loc_want_i)", "(((cand_any_i && (|credit_o)) || loc_want_i)")],
    },
    {
        "name": "line_waits_far", "bound": 200, "limit": 120, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 1, "RegReq": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LINE"],
        "says": "the same of a link with registered pins",
        "plants": [("rtl/rdt_output_unit.sv", "((cand_any_i || loc_want_i)", "(((cand_any_i && (|credit_o)) || loc_want_i)")],
    },
    {
        "name": "credits_lost_1", "limit": 900, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LOSS"],
        "says": "while both ends are up a credit is somewhere, also over any recovery of the link: none is lost",
        "plants": [("rtl/rdt_link_io.sv", "else          more = cred_add_i | (ret & {3{!free}});", "else          more = ret & {3{!free}};")],
    },
    {
        "name": "credits_lost_2", "limit": 900, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 2},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LOSS"],
        "says": "the same of a link with two VCs: none is lost",
        "plants": [("rtl/rdt_link_io.sv", "else if (ann) more = (add | (room_i & keep_q)) & {3{!down_o}};", "else if (ann) more = add & {3{!down_o}};")],
    },
    {
        "name": "credits_lost_3", "limit": 900, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 3},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LOSS"],
        "says": "the same of a link with three VCs: none is lost",
        "plants": [("rtl/rdt_link_io.sv", "else if (ann) more = (add | (room_i & keep_q)) & {3{!down_o}};", "else if (ann) more = add & {3{!down_o}};")],
    },
    {
        "name": "credits_lost_far", "limit": 900, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 1, "RegReq": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LOSS"],
        "says": "the same of a link with registered pins and one VC: none is lost",
        "plants": [("rtl/rdt_link_io.sv", "rep_d = ret_now || (|pend_q);", "rep_d = ret_now;")],
    },
    {
        "name": "credits_back_1", "limit": 900, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 1, "BackMost": 4},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["BACK"],
        "says": "a credit that goes back is with the other end within 4 clocks",
        "plants": [("rtl/rdt_link_io.sv", "end else if (pend0) begin", "end else if (pend0 && !room_i[0]) begin")],
    },
    {
        "name": "credits_back_2", "bound": 48, "limit": 120, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 2, "BackMost": 7},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["BACK"],
        "says": "the same of a link with two VCs, within 7 clocks",
        "plants": [("rtl/rdt_link_io.sv", "end else if (pend0) begin", "end else if (pend0 && !room_i[0]) begin")],
    },
    {
        "name": "crossbar", "block": "rdt_crossbar", "wrap": "rdt_crossbar",
        "says": "an output shows its source, and 0 without one",
        "promises": ["rdt_crossbar"],
        "plants": [("rtl/rdt_crossbar.sv", "{StreamW{sel[i]}}", "{StreamW{sel[i] && i != 7}}")],
    },
    {
        "name": "vc_select_3", "block": "rdt_vc_select", "wrap": "rdt_vc_select", "params": {"NumVc": 3},
        "says": "no output without a credit, a packet and a need; no VC waits behind a blocked one",
        "promises": ["rdt_vc_select"], "relies": ["rdt_vc_select"],
        "plants": [("rtl/rdt_vc_select.sv", "e1 ? 2'd1 : e2 ? 2'd2 : e0 ? 2'd0 : 2'd1", "e1 ? 2'd1 : e2 ? 2'd2 : 2'd1")],
    },
    {
        "name": "ack_entry", "quick": True, "block": "rdt_ack_entry", "wrap": "rdt_ack_entry",
        "says": "the status is the OR of the answers; the second tick ends the waiting, the sixth the quarantine",
        "promises": ["rdt_ack_entry"], "relies": ["rdt_ack_entry"],
        "plants": [("rtl/rdt_ack_entry.sv", "{6{put_i || (land_i && waits)}}", "{6{put_i || land_i}}"),
                   ("rtl/rdt_ack_entry.sv", "age_q[2] && age_q[0] && !owes_q", "age_q[2] && !owes_q")],
    },
    {
        "name": "ack_lane", "quick": True, "block": "rdt_ack_entry", "wrap": "rdt_ack_entry", "params": {"Lane": 1},
        "says": "the entry of barriers: the same, but its wait ends by the answers or by end_i, at no tick",
        "promises": ["rdt_ack_entry"], "relies": ["rdt_ack_entry"],
        "plants": [("rtl/rdt_ack_entry.sv", "(Lane ? end_i : tick_i && age_q[0])", "((Lane && end_i) || (tick_i && age_q[0]))"),
                   ("rtl/rdt_ack_entry.sv", "!new_i && !sent_i && !(tick_i", "!new_i && !(tick_i")],
    },
    {
        "name": "ack_table", "block": "rdt_ack", "wrap": "rdt_ack",
        "says": "one ack lands a clock; no entry goes to an earlier class, aged requests first, each within ten grants",
        "promises": ["rdt_ack"], "relies": ["rdt_ack"], "checks": ["rdt_ack_entry"],
        "plants": [("rtl/rdt_ack.sv", "assign room = room_of(free);", "assign room = room_of(free | quar);"),
                   ("rtl/rdt_ack.sv", "assign step = vct && !up && low;", "assign step = !up && low;"),
                   ("rtl/rdt_ack.sv", "{!low, low, 4'b0000}", "{low, !low, 4'b0000}"),
                   ("rtl/rdt_ack.sv", "& {NumEnt{!d[e]}};", "& {NumEnt{!d[e] || e == 3}};"),
                   ("rtl/rdt_ack.sv", "given(best, cls, req_oh & ~lane)", "given(best, cls, req_oh)"),
                   ("rtl/rdt_ack.sv", "(|old_ok) ? old_ok : req_ok", "(|old_ok) ? ent_old_i & ent_req_i : req_ok"),
                   ("rtl/rdt_ack.sv", "if (gives) ent_mask_q <= rdt_ports_pkg::above10(req_oh);",
                    "if (gives && !(|old_ok)) ent_mask_q <= rdt_ports_pkg::above10(req_oh);")],
    },
    {
        "name": "input_unit_2", "quick": True, "block": "rdt_input_unit", "wrap": "rdt_input_unit", "params": {"NumVc": 2, "InPort": 2},
        "instead": ["tb/formal/rdt_buffer_ram.sv"],
        "says": "one packet presented; a buffer freed once; each output of a multicast granted once",
        "promises": ["rdt_input_unit", "rdt_arrival", "rdt_read_pass"], "relies": ["rdt_input_unit"],
        "checks": ["rdt_arrival", "rdt_read_pass"],
        "plants": [("rtl/rdt_slot.sv", "~(gnt_i & {rdt_pkg::NumOuts{sel_i}})",
                    "~(gnt_i & {rdt_pkg::NumOuts{sel_i && !gnt_i[0]}})"),
                   ("rtl/rdt_arrival.sv", "drop_d   = drop || spoilt;", "drop_d   = drop;"),
                   ("rtl/rdt_read_pass.sv", "(rd_left_q == 4'd1)", "(rd_left_q == 4'd2)")],
    },
    {
        "name": "input_unit_8", "block": "rdt_input_unit", "wrap": "rdt_input_unit", "params": {"NumVc": 1, "InPort": 8},
        "instead": ["tb/formal/rdt_buffer_ram.sv"],
        "says": "the same for that of MBP 0, also if it sends without a credit while its own packet is put back; it has its buffer back after a recall",
        "promises": ["rdt_input_unit", "rdt_arrival", "rdt_read_pass"], "relies": ["rdt_input_unit"],
        "checks": ["rdt_arrival", "rdt_read_pass"],
        "plants": [("rtl/rdt_slot.sv", "~(gnt_i & {rdt_pkg::NumOuts{sel_i}})",
                    "~(gnt_i & {rdt_pkg::NumOuts{sel_i && !gnt_i[0]}})"),
                   ("rtl/rdt_input_unit.sv", "(gone_oh & ~end_oh)", "gone_oh"),
                   ("rtl/rdt_input_unit.sv", "{!gnt && gone_oh == '0}", "{!gnt}")],
    },
    {
        "name": "inject", "quick": True, "block": "rdt_inject", "wrap": "rdt_inject",
        "says": "never stuck with an ack; acks on a link at least 16 clocks apart; one thing at a time",
        "promises": ["rdt_inject"], "relies": ["rdt_inject"],
        "plants": [("rtl/rdt_inject.sv", "assign m1_d   = (&cool_q) ? m0_q | used : m1_q;", "assign m1_d   = (&cool_q) ? m0_q : m1_q;")],
    },
    {
        "name": "local", "block": "rdt_local", "wrap": "rdt_local",
        "says": "never stuck: no state but those that wait for MBP 0 alone lasts longer than 1,024 clocks",
        "promises": ["rdt_local", "rdt_local_fsm"], "relies": ["rdt_local"], "checks": ["rdt_local_fsm"],
        "plants": [("rtl/rdt_local_fsm.sv", "wait_q == 10'(rdt_pkg::SendWait - 1) ||", "")],
    },
    {
        "name": "routes", "quick": True, "block": "rdt_route", "top": "routes", "defines": ["ROUTE"],
        "files": ["tb/formal/spec_pkg.sv", "tb/formal/routes.sv"],
        "says": "error, output and VC of every header at every port are those of section 4.3, in both steps of its arrival",
        "plants": [("rtl/rdt_route.sv", "v3[5], v2[5]", "v2[5], v3[5]"),
                   ("rtl/rdt_route.sv", "type_q  <= is_bad_type;", "type_q  <= is_bad_type && h2_i != 17'd5;"),
                   ("rtl/rdt_route.sv", "(xfer[o] && credit_i[MaxVc*o + 2])", "(xfer[o] && credit_i[MaxVc*o + 1])")],
    },
    {
        "name": "bitmaps", "quick": True, "block": "rdt_bitmap", "top": "routes",
        "files": ["tb/formal/spec_pkg.sv", "tb/formal/routes.sv"],
        "says": "outputs and plan of every multicast at every port are those of section 4.3a, in both steps of its arrival",
        "plants": [("rtl/rdt_bitmap.sv", "{1'b0, at_rank[4], |at_rank[4:3], |at_rank[4:2]}", "{at_rank[4], |at_rank[4:3], |at_rank[4:2], 1'b1}"),
                   ("rtl/rdt_bitmap.sv", "some2_q <= |h2_i", "some2_q <= |h1_i"),
                   ("rtl/rdt_bitmap.sv", "(in_vc_i == 2'd0) && !expl", "(in_vc_i == 2'd1) && !expl")],
    },
    {
        "name": "ack_port_3", "quick": True, "block": "rdt_ack_port", "wrap": "rdt_ack_port", "params": {"NumVc": 3, "InPort": 0},
        "says": "one VC asks for an entry at a time; the turn moves in every cycle; the wait of one VC is counted",
        "promises": ["rdt_ack_port"], "relies": ["rdt_ack_port"],
        "plants": [("rtl/rdt_ack_port.sv", "assign evc_d       = waits ? ent_oh_o[1:0] : evc_q;",
                    "assign evc_d       = answered ? ent_oh_o[1:0] : waits ? ent_oh_o[2:1] : evc_q;"),
                   ("rtl/rdt_ack_port.sv", "{2{ent_req_o && !(answered && (counted || !keeps))}}", "{2{ent_req_o && !answered}}"),
                   ("rtl/rdt_ack_port.sv", "assign wvc_d       = (waits && !keeps) ? ent_oh_o[2:1] : wvc_q;",
                    "assign wvc_d       = waits ? ent_oh_o[2:1] : wvc_q;")],
    },
    {
        "name": "shot", "quick": True, "block": "rdt_shot", "wrap": "rdt_shot",
        "says": "halted a clock before the scan begins; the scan ends; one buffer is looked at",
        "promises": ["rdt_shot"], "relies": ["rdt_shot"],
        "plants": [("rtl/rdt_shot.sv", "assign found_o   = step_i && dumping && halted_q &&", "assign found_o   = step_i && dumping &&")],
    },
    {
        "name": "notice", "quick": True, "block": "rdt_notice", "wrap": "rdt_notice",
        "says": "one time-out is told at a time; two cycles for packets between notices; nothing of MBP 0's own link",
        "promises": ["rdt_notice"],
        "plants": [("rtl/rdt_notice.sv", "assign sunk_d   = (ev_sunk_i & ~Mbp0)", "assign sunk_d   = ev_sunk_i"),
                   ("rtl/rdt_notice.sv", "any_o ? 2'd2 :", "any_o ? 2'd1 :")],
    },
    {
        "name": "regs", "quick": True, "block": "rdt_regs", "wrap": "rdt_regs",
        "says": "setting a bit of Status or LinkErr wins over clearing it; no tick in a halted chip; a written period counts at once",
        "promises": ["rdt_regs", "rdt_tick"], "relies": ["rdt_regs"], "checks": ["rdt_tick"],
        "plants": [("rtl/rdt_regs.sv", "assign status_d  = stat_keep | stat_set;", "assign status_d  = stat_keep | (stat_set & ~(wdata_i[12:0] & {13{we_i}}));"),
                   ("rtl/rdt_regs.sv", ".load_i  (we_i && addr_i == rdt_pkg::RegTEnt[4:0]),", ".load_i  (1'b0),")],
    },
    {
        "name": "put_back", "block": "rdt_shot", "top": "put_back", "files": ["tb/formal/put_back.sv"],
        "says": "a context that is dumped, fed back, names the same buffer, fits and is put there bit by bit",
        "plants": [("rtl/rdt_shot.sv", "at_slot ? {ctx_mc, ctx_k, ctx_ent, 11'd0}", "at_slot ? {ctx_mc, ctx_k & 4'd7, ctx_ent, 11'd0}")],
    },
    {
        "name": "link_io_3", "block": "rdt_link_io", "wrap": "rdt_link_io", "params": {"NumVc": 3, "Prio": 0, "AlwaysOn": 0},
        "says": "whatever the pins show: flits are framed by first and last, the line is offered only while up",
        "promises": ["rdt_link_io"], "relies": ["rdt_link_io"],
        "plants": [("rtl/rdt_link_io.sv", "assign rx_last_d = tail_q || (trouble && rx_valid_d);", "assign rx_last_d = tail_q;")],
    },
]

# Every variant of the output unit that the router has, with all parameters of section 0.
OUTPUTS = [(port, {"OutPort": port, "NumVc": vcs(port)}) for port in range(10)]
OUTPUTS += [("wide_0", {"OutPort": 0, "NumVc": 3, "DataW": 36}), ("wide_8", {"OutPort": 8, "NumVc": 1, "DataW": 36}),
            ("far_6", {"OutPort": 6, "NumVc": 2, "RegReq": 1}), ("one_entry_9", {"OutPort": 9, "NumVc": 1, "NumEntries": 1})]
PROOFS += [{
    "name": f"output_unit_{name}", "block": "rdt_output_unit", "wrap": "rdt_output_unit", "spec": "spec_output_unit", "params": params,
    "says": "pins, header, credits and events are those of section 4.7; an unused grant is void; parity is carried",
    "promises": ["rdt_output_unit"], "relies": ["rdt_output_unit"],
    "reached": "d_oe_o && req_o == 2'd2 && late_o",
    "plants": [("rtl/rdt_output_unit.sv", "{Lanes{(^flip) ^ flip_vc, flip}}", "{Lanes{flip_vc, flip}}")],
} for name, params in OUTPUTS]

# Netlist = RTL, all variants of a block; together they are the chip.
EQUAL = [{"name": f"netlist_{block}", "block": f"rdt_{block}", "limit": 120}
         for block in ("crossbar", "arbiter", "input_unit", "link_io", "bitmap_gen", "ack", "buffer_ram", "output_unit",
                       "local", "inject", "router")]
