# SPDX-License-Identifier: MIT
"""What is proven. One entry a property: the harness, whose promises (rtl/<module>.svh) are proven with
it, what is assumed, and one or more planted mistakes (file, text that stands there once, what becomes
of it), each of which has to be refuted.
"""
PROOFS = [
    {
        "name": "arbiter_grants", "block": "rdt_arbiter", "top": "arbiter", "files": ["tb/formal/arbiter.sv"],
        "says": "one input an output, only wanters, an output that is offered and wanted is granted",
        "promises": ["rdt_arbiter"],
        "plants": [("rtl/rdt_arbiter.sv", "assign win     = rdt_ports_pkg::low10(pick);", "assign win     = pick;")],
    },
    {
        "name": "arbiter_starvation", "block": "rdt_arbiter", "top": "arbiter", "files": ["tb/formal/arbiter.sv"],
        "says": "who wants an output and counts sees at most nine other grants of it; an MBP counts after 31 clocks",
        "defines": ["STARVE"], "promises": ["rdt_arbiter"],
        "plants": [("rtl/rdt_arbiter.sv", "|xsel[i-1:0]", "|xsel[i:0]")],
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
        "name": "ack_table", "block": "rdt_ack", "wrap": "rdt_ack",
        "says": "one ack lands a clock, one entry is given, an answer goes to a parent that may take it",
        "promises": ["rdt_ack"], "relies": ["rdt_ack"], "checks": ["rdt_ack_entry"],
        "plants": [("rtl/rdt_ack.sv", "low10(NumPorts'(free))", "low10(NumPorts'(free | quar))")],
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
        "says": "the same for that of MBP 0, also if it sends without a credit while its own packet is put back",
        "promises": ["rdt_input_unit", "rdt_arrival", "rdt_read_pass"], "relies": ["rdt_input_unit"],
        "checks": ["rdt_arrival", "rdt_read_pass"],
        "plants": [("rtl/rdt_slot.sv", "~(gnt_i & {rdt_pkg::NumOuts{sel_i}})",
                    "~(gnt_i & {rdt_pkg::NumOuts{sel_i && !gnt_i[0]}})")],
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
        "name": "route_0", "quick": True, "block": "rdt_route", "wrap": "rdt_route", "params": {"InPort": 0},
        "says": "an error goes to LOCAL, VC-T only on E0 and W0", "promises": ["rdt_route"],
        "relies": ["rdt_route"],
        "plants": [("rtl/rdt_route.sv", "{2{transfer && ok_go}}", "{2{transfer && ok}}"),
                   ("rtl/rdt_route.sv", "(xfer[o] && credit_i[MaxVc*o + 2])", "(xfer[o] && credit_i[MaxVc*o + 1])")],
    },
    {
        "name": "bitmap_0", "quick": True, "block": "rdt_bitmap", "wrap": "rdt_bitmap", "params": {"InPort": 0},
        "says": "upper ports only from the own level; an empty set is bad", "promises": ["rdt_bitmap"],
        "relies": ["rdt_bitmap"],
        "plants": [("rtl/rdt_bitmap.sv", "assign bad_map_o = nobody ||", "assign bad_map_o ="),
                   ("rtl/rdt_bitmap.sv", "assign last_e = expl && self && !(|rest);", "assign last_e = expl && self && !any;")],
    },
    {
        "name": "ack_port_3", "quick": True, "block": "rdt_ack_port", "wrap": "rdt_ack_port", "params": {"NumVc": 3, "InPort": 0},
        "says": "one VC asks for an entry at a time and keeps asking", "promises": ["rdt_ack_port"], "relies": ["rdt_ack_port"],
        "plants": [("rtl/rdt_ack_port.sv", "assign evc_d       = answered ? ent_oh_o[1:0] : waits ? ent_oh_o[2:1] : evc_q;", "assign evc_d       = answered ? ent_oh_o[1:0] : evc_q;")],
    },
    {
        "name": "shot", "quick": True, "block": "rdt_shot", "wrap": "rdt_shot",
        "says": "halted a clock before the scan begins; the scan ends; one buffer is looked at",
        "promises": ["rdt_shot"], "relies": ["rdt_shot"],
        "plants": [("rtl/rdt_shot.sv", "assign found_o   = step_i && dumping && halted_q &&", "assign found_o   = step_i && dumping &&")],
    },
    {
        "name": "notice", "quick": True, "block": "rdt_notice", "wrap": "rdt_notice",
        "says": "one time-out is told at a time; nothing of MBP 0's own link", "promises": ["rdt_notice"],
        "plants": [("rtl/rdt_notice.sv", "assign sunk_d   = (ev_sunk_i & ~Mbp0)", "assign sunk_d   = ev_sunk_i")],
    },
    {
        "name": "regs", "quick": True, "block": "rdt_regs", "wrap": "rdt_regs",
        "says": "setting a bit of Status or LinkErr wins over clearing it; no tick in a halted chip",
        "promises": ["rdt_regs", "rdt_tick"], "relies": ["rdt_regs"],
        "plants": [("rtl/rdt_regs.sv", "assign status_d  = stat_keep | stat_set;", "assign status_d  = stat_keep | (stat_set & ~(wdata_i[12:0] & {13{we_i}}));")],
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
    {
        "name": "output_unit_2", "block": "rdt_output_unit", "wrap": "rdt_output_unit", "params": {"OutPort": 6, "NumVc": 2},
        "says": "an unused grant is void; parity is carried; a dead output does not ask",
        "promises": ["rdt_output_unit"], "relies": ["rdt_output_unit"],
        "plants": [("rtl/rdt_output_unit.sv", "{Lanes{(^flip) ^ flip_vc, flip}}", "{Lanes{flip_vc, flip}}")],
    },
]

# Netlist = RTL, all variants of a block; together they are the chip.
EQUAL = [{"name": f"netlist_{block}", "block": f"rdt_{block}", "limit": 120}
         for block in ("crossbar", "arbiter", "input_unit", "link_io", "bitmap_gen", "ack", "buffer_ram", "output_unit",
                       "local", "inject", "router")]
