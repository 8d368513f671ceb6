# SPDX-License-Identifier: MIT
"""The properties: for each one the harness, the modules whose promises (rtl/<module>.svh) are proven, the
assumptions, and injected bugs (file, text that occurs there once, replacement), which must be refuted.
"""


def vcs(port):
    return 3 if port < 2 else 2 if port < 8 else 1


PROOFS: list[dict] = [
    {
        "name": "arbiter_grants", "block": "rdt_arbiter", "top": "arbiter", "files": ["tb/formal/arbiter.sv"],
        "claim": "one input per output, only on request, and whenever offered and requested",
        "promises": ["rdt_arbiter"],
        "bugs": [("rtl/rdt_arbiter.sv", "first ? 10'h100 : rdt_ports_pkg::low10(pick);", "first ? 10'h100 : pick;")],
    },
    {
        "name": "arbiter_starvation", "block": "rdt_arbiter", "top": "arbiter", "files": ["tb/formal/arbiter.sv"],
        "claim": "a request that counts sees at most nine other grants of its output; MBP 0 one of LOCAL",
        "defines": ["STARVE"], "promises": ["rdt_arbiter"],
        "bugs": [("rtl/rdt_arbiter.sv", "|xsel[i-1:0]", "|xsel[i:0]"),
                   ("rtl/rdt_arbiter.sv", "want[NumNet] && !xsel[NumNet]", "want[NumNet] && xsel[0]"),
                   ("rtl/rdt_arbiter.sv", "(gnt_out_o[o] && !first) ? rdt_ports_pkg::above10(win) : mask_q;",
                    "gnt_out_o[o] ? rdt_ports_pkg::above10(win) : mask_q;")],
    },
    {
        "name": "arbiter_is_specified", "block": "rdt_arbiter", "wrap": "rdt_arbiter", "spec": "spec_arbiter",
        "claim": "grants, turns, ages and signature are those of section 4.5",
        "inside": {"mask": ("u_dut.gen_out[10].gen_first.mask_q", 10), "turned": ("u_spec.turned_q", 1), "turn": ("u_spec.turn_q", 4)},
        "and": ["mask == (turned ? ~10'h3FF | (10'h3FE << turn) : 10'd0)"],
        "reached": "gnt_o[11*8 + 10] && slice_o && xsel_o[109]",
        "bugs": [("rtl/rdt_arbiter.sv", "{mbps & (aged | {2{!transit}})", "{mbps & {2{(|aged) || !transit}}")],
    },
    {
        "name": "line_drivers_2", "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 2},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["DRIVERS"],
        "claim": "two ends, any order of switching on: never two drivers, never two owners",
        "bugs": [("rtl/rdt_link_io.sv", "!(peer[0] && mine_q)", "!(peer[0] && !mine_q)")],
    },
    {
        "name": "credits_2", "limit": 900, "block": "rdt_output_unit", "top": "link_pair", "params": {"NumVc": 2},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["CREDITS"],
        "claim": "a credit in hand is an empty buffer, also over any recovery of the link: none is doubled",
        "bugs": [("rtl/rdt_link_io.sv", "if (zero)     more = room_i & ~keep_q;", "if (zero)     more = AllVc;")],
    },
    {
        "name": "line_drivers_far", "limit": 900, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 2, "RegReq": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["DRIVERS"],
        "claim": "the same of a link with registered pins: never two drivers, never two owners",
        "bugs": [("rtl/rdt_link_io.sv", "assign gnt_ends  = (RegReq == 0) || cnt_q[0];", "assign gnt_ends  = 1'b1;")],
    },
    {
        "name": "credits_far", "limit": 900, "block": "rdt_output_unit", "top": "link_pair", "params": {"NumVc": 1, "RegReq": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["CREDITS"],
        "claim": "the same of a link with registered pins and one VC: a credit in hand is an empty buffer",
        "bugs": [("rtl/rdt_link_io.sv", "!(|cred_in) && !own_any;", "!(|cred_in);")],
    },
    {
        "name": "line_waits_1", "limit": 900, "bug_depth": 200, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LINE"],
        "claim": "a request for the line is granted within 48 cycles, whatever the buffers do: a line waits for nothing",
        "bugs": [("rtl/rdt_output_unit.sv", "((cand_any_i || loc_want_i)", "(((cand_any_i && (|credit_o)) || loc_want_i)")],
    },
    {
        "name": "line_waits_far", "bound": 200, "limit": 120, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 1, "RegReq": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LINE"],
        "claim": "the same of a link with registered pins",
        "bugs": [("rtl/rdt_output_unit.sv", "((cand_any_i || loc_want_i)", "(((cand_any_i && (|credit_o)) || loc_want_i)")],
    },
    {
        "name": "credits_lost_1", "limit": 900, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LOSS"],
        "claim": "while both ends are up a credit is somewhere, also over any recovery of the link: none is lost",
        "bugs": [("rtl/rdt_link_io.sv", "else          more = cred_add_i | (ret & {3{!free}});", "else          more = ret & {3{!free}};")],
    },
    {
        "name": "credits_lost_2", "limit": 900, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 2},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LOSS"],
        "claim": "the same of a link with two VCs: none is lost",
        "bugs": [("rtl/rdt_link_io.sv", "else if (ann) more = (add | (room_i & keep_q)) & {3{!down_o}};", "else if (ann) more = add & {3{!down_o}};")],
    },
    {
        "name": "credits_lost_3", "limit": 900, "bug_depth": 60, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 3},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LOSS"],
        "claim": "the same of a link with three VCs: none is lost",
        "bugs": [("rtl/rdt_link_io.sv", "else if (ann) more = (add | (room_i & keep_q)) & {3{!down_o}};", "else if (ann) more = add & {3{!down_o}};")],
    },
    {
        "name": "credits_lost_far", "limit": 900, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 1, "RegReq": 1},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["LOSS"],
        "claim": "the same of a link with registered pins and one VC: none is lost",
        "bugs": [("rtl/rdt_link_io.sv", "rep_d = ret_now || (|pend_q);", "rep_d = ret_now;")],
    },
    {
        "name": "credits_back_1", "limit": 900, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 1, "BackMost": 4},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["BACK"],
        "claim": "a credit that goes back is with the other end within 4 cycles",
        "bugs": [("rtl/rdt_link_io.sv", "end else if (pend0) begin", "end else if (pend0 && !room_i[0]) begin")],
    },
    {
        "name": "credits_back_2", "bound": 48, "limit": 120, "block": "rdt_link_io", "top": "link_pair", "params": {"NumVc": 2, "BackMost": 7},
        "files": ["tb/formal/link_end.sv", "tb/formal/link_pair.sv"], "defines": ["BACK"],
        "claim": "the same of a link with two VCs, within 7 cycles",
        "bugs": [("rtl/rdt_link_io.sv", "end else if (pend0) begin", "end else if (pend0 && !room_i[0]) begin")],
    },
    {
        "name": "crossbar", "block": "rdt_crossbar", "wrap": "rdt_crossbar",
        "claim": "an output shows its source, and 0 without one",
        "promises": ["rdt_crossbar"],
        "bugs": [("rtl/rdt_crossbar.sv", "{StreamW{sel[i]}}", "{StreamW{sel[i] && i != 7}}")],
    },
    {
        "name": "ack_entry", "quick": True, "block": "rdt_ack_entry", "wrap": "rdt_ack_entry",
        "claim": "the status is the OR of the answers; the second tick ends the waiting, the sixth the quarantine",
        "promises": ["rdt_ack_entry"], "relies": ["rdt_ack_entry"],
        "bugs": [("rtl/rdt_ack_entry.sv", "{6{put_i || (land_i && waits)}}", "{6{put_i || land_i}}"),
                   ("rtl/rdt_ack_entry.sv", "age_q[2] && age_q[0] && !owes_q", "age_q[2] && !owes_q")],
    },
    {
        "name": "ack_lane", "quick": True, "block": "rdt_ack_entry", "wrap": "rdt_ack_entry", "params": {"Lane": 1},
        "claim": "the entry of barriers: the same, but its wait ends by the answers or by end_i, at no tick",
        "promises": ["rdt_ack_entry"], "relies": ["rdt_ack_entry"],
        "bugs": [("rtl/rdt_ack_entry.sv", "(Lane ? end_i : tick_i && age_q[0])", "((Lane && end_i) || (tick_i && age_q[0]))"),
                   ("rtl/rdt_ack_entry.sv", "!new_i && !sent_i && !(tick_i", "!new_i && !(tick_i")],
    },
    {
        "name": "ack_table", "block": "rdt_ack", "wrap": "rdt_ack",
        "claim": "one ack lands per cycle; no entry goes to an earlier class; aged requests first, each within ten grants",
        "promises": ["rdt_ack"], "relies": ["rdt_ack"], "checks": ["rdt_ack_entry"],
        "bugs": [("rtl/rdt_ack.sv", "assign room = room_of(free);", "assign room = room_of(free | quar);"),
                   ("rtl/rdt_ack.sv", "assign step = vct && !up && low;", "assign step = !up && low;"),
                   ("rtl/rdt_ack.sv", "{!low, low, 4'b0000}", "{low, !low, 4'b0000}"),
                   ("rtl/rdt_ack.sv", "& {NumEnt{!d[e]}};", "& {NumEnt{!d[e] || e == 3}};"),
                   ("rtl/rdt_ack.sv", "given(best, cls, req_oh & ~lane)", "given(best, cls, req_oh)"),
                   ("rtl/rdt_ack.sv", "(|old_ok) ? old_ok : req_ok", "(|old_ok) ? ent_old_i & ent_req_i : req_ok"),
                   ("rtl/rdt_ack.sv", "if (gives) ent_mask_q <= rdt_ports_pkg::above10(req_oh);",
                    "if (gives && !(|old_ok)) ent_mask_q <= rdt_ports_pkg::above10(req_oh);")],
    },
    {
        "name": "ack_banks", "block": "rdt_ack", "wrap": "rdt_ack", "params": {"NumEntries": 13}, "limit": 300,
        "claim": "the same with two banks of entries: both acks of a port land together, entries of the further bank are for all classes",
        "promises": ["rdt_ack"], "relies": ["rdt_ack"], "checks": ["rdt_ack_entry"],
        "bugs": [("rtl/rdt_ack.sv", "(also == Tags[5*e +: TagW]) && !tag_oh[e]", "(also == Tags[5*e +: TagW])"),
                   ("rtl/rdt_ack.sv", "if (e == 0 || e <= c - NumClass + Pool || e > NumClass) begin", "if (e == 0 || e <= c - NumClass + Pool) begin")],
    },
    {
        "name": "local", "block": "rdt_local", "wrap": "rdt_local",
        "claim": "never stuck: no state but those that wait for MBP 0 alone lasts longer than 1,024 cycles",
        "promises": ["rdt_local", "rdt_local_fsm"], "relies": ["rdt_local"], "checks": ["rdt_local_fsm", "rdt_shot", "rdt_regs", "rdt_tick"],
        "bugs": [("rtl/rdt_local_fsm.sv", "assign wait_d     = (wait_q + 10'd1) & {10{send}};", "assign wait_d     = wait_q & {10{send}};"),
                   ("rtl/rdt_local_fsm.sv", "else if (last_i)      st_d = StSend;", "else if (last_i && !(&ridx_q)) st_d = StSend;")],
    },
    {
        "name": "routes", "quick": True, "block": "rdt_route", "top": "routes", "defines": ["ROUTE"],
        "files": ["tb/formal/spec_pkg.sv", "tb/formal/routes.sv"],
        "claim": "error, output and VC of every header at every port are those of section 4.3, in both steps of its arrival",
        "bugs": [("rtl/rdt_route.sv", "v3[5], v2[5]", "v2[5], v3[5]"),
                   ("rtl/rdt_route.sv", "type_q  <= is_bad_type;", "type_q  <= is_bad_type && h2_i != 17'd5;"),
                   ("rtl/rdt_route.sv", "(xfer[o] && credit_i[MaxVc*o + 2])", "(xfer[o] && credit_i[MaxVc*o + 1])")],
    },
    {
        "name": "bitmaps", "quick": True, "block": "rdt_bitmap", "top": "routes",
        "files": ["tb/formal/spec_pkg.sv", "tb/formal/routes.sv"],
        "claim": "outputs and plan of every multicast at every port are those of section 4.3a, in both steps of its arrival",
        "bugs": [("rtl/rdt_bitmap.sv", "{1'b0, at_rank[4], |at_rank[4:3], |at_rank[4:2]}", "{at_rank[4], |at_rank[4:3], |at_rank[4:2], 1'b1}"),
                   ("rtl/rdt_bitmap.sv", "some2_q <= |h2_i", "some2_q <= |h1_i"),
                   ("rtl/rdt_bitmap.sv", "(in_vc_i == 2'd0) && !expl", "(in_vc_i == 2'd1) && !expl")],
    },
    {
        "name": "ack_port_3", "quick": True, "block": "rdt_ack_port", "wrap": "rdt_ack_port", "params": {"NumVc": 3, "InPort": 0},
        "claim": "one VC requests for an entry at a time; the priority rotates in every cycle; the wait of one VC is counted",
        "promises": ["rdt_ack_port"], "relies": ["rdt_ack_port"],
        "bugs": [("rtl/rdt_ack_port.sv", "assign evc_d       = waits ? ent_oh_o[1:0] : evc_q;",
                    "assign evc_d       = answered ? ent_oh_o[1:0] : waits ? ent_oh_o[2:1] : evc_q;"),
                   ("rtl/rdt_ack_port.sv", "{2{ent_req_o && !(answered && (counted || !keeps))}}", "{2{ent_req_o && !answered}}"),
                   ("rtl/rdt_ack_port.sv", "assign wvc_d       = (waits && !keeps) ? ent_oh_o[2:1] : wvc_q;",
                    "assign wvc_d       = waits ? ent_oh_o[2:1] : wvc_q;")],
    },
    {
        "name": "ack_port_banks", "quick": True, "block": "rdt_ack_port", "wrap": "rdt_ack_port",
        "params": {"NumVc": 3, "InPort": 0, "NumEntries": 13},
        "claim": "the same with banks of entries: an ack is not taken before its H1, which may have another, has come",
        "promises": ["rdt_ack_port"], "relies": ["rdt_ack_port"],
        "bugs": [("rtl/rdt_ack_port.sv", "(ack_v_q && !ack_take_i && !land_i[0])", "(ack_v_q && !ack_take_i)")],
    },
    {
        "name": "inject_banks", "block": "rdt_inject", "wrap": "rdt_inject", "params": {"NumEntries": 13},
        "claim": "with banks of entries two acks in a packet are for the same port; acks stay AckGap cycles apart",
        "promises": ["rdt_inject"], "relies": ["rdt_inject"],
        "bugs": [("rtl/rdt_inject.sv", "assign busy_o = second ? ~only : m0_q | m1_q;", "assign busy_o = second ? ~only & ~10'd1 : m0_q | m1_q;"),
                   ("rtl/rdt_inject.sv", "assign second = hands && !(|only[9:rdt_pkg::NumNet]);", "assign second = hands;")],
    },
    {
        "name": "shot", "quick": True, "block": "rdt_shot", "wrap": "rdt_shot",
        "claim": "halted one cycle before the scan begins; the scan ends; one buffer is looked at",
        "promises": ["rdt_shot"], "relies": ["rdt_shot"],
        "bugs": [("rtl/rdt_shot.sv", "assign found_o   = step_i && dumping && halted_q &&", "assign found_o   = step_i && dumping &&")],
    },
    {
        "name": "notice", "quick": True, "block": "rdt_notice", "wrap": "rdt_notice",
        "claim": "one time-out is reported at a time; two cycles for packets between notices; nothing of MBP 0's own link",
        "promises": ["rdt_notice"],
        "bugs": [("rtl/rdt_notice.sv", "assign sunk_d   = (ev_sunk_i & ~Mbp0)", "assign sunk_d   = ev_sunk_i"),
                   ("rtl/rdt_notice.sv", "any_o ? 2'd2 :", "any_o ? 2'd1 :")],
    },
    {
        "name": "regs", "quick": True, "block": "rdt_regs", "wrap": "rdt_regs",
        "claim": "setting a bit of Status or LinkErr overrides clearing it; no tick in a halted chip; a written period counts at once",
        "promises": ["rdt_regs", "rdt_tick"], "relies": ["rdt_regs"], "checks": ["rdt_tick"],
        "bugs": [("rtl/rdt_regs.sv", "assign status_d  = stat_keep | stat_set;", "assign status_d  = stat_keep | (stat_set & ~(wdata_i[12:0] & {13{we_i}}));"),
                   ("rtl/rdt_regs.sv", ".load_i  (we_i && addr_i == rdt_pkg::RegTEnt[4:0]),", ".load_i  (1'b0),")],
    },
    {
        "name": "put_back", "block": "rdt_shot", "top": "put_back", "files": ["tb/formal/put_back.sv"],
        "claim": "a context that is dumped, fed back, names the same buffer, fits and is put there bit by bit",
        "bugs": [("rtl/rdt_shot.sv", "at_slot ? {ctx_mc, ctx_k, ctx_ent, 11'd0}", "at_slot ? {ctx_mc, ctx_k & 4'd7, ctx_ent, 11'd0}")],
    },
]


def variants(proofs):
    """Proofs of one property for variants of a block: of those that differ in constants and widths only the first
    has the injected bugs. Each has its own cover.
    """
    first: dict = {}
    for proof in proofs:
        params = proof["params"]
        kind = params.get("NumVc"), params.get("RegReq"), params.get("NumEntries") == 1
        if kind in first:
            proof.update(bugs=[], bugs_in=first[kind])
        first.setdefault(kind, proof["name"])
    return proofs


# Every variant of the output unit that the router has, with all parameters of section 0.
OUTPUTS = [(port, {"OutPort": port, "NumVc": vcs(port)}) for port in range(10)]
OUTPUTS += [("wide_0", {"OutPort": 0, "NumVc": 3, "DataW": 36}), ("wide_8", {"OutPort": 8, "NumVc": 1, "DataW": 36}),
            ("far_6", {"OutPort": 6, "NumVc": 2, "RegReq": 1}), ("one_entry_9", {"OutPort": 9, "NumVc": 1, "NumEntries": 1})]
PROOFS += variants([{
    "name": f"output_unit_{name}", "block": "rdt_output_unit", "wrap": "rdt_output_unit", "spec": "spec_output_unit", "params": params,
    "claim": "pins, header, credits and events are those of section 4.7; an unused grant is void; parity is carried",
    "promises": ["rdt_output_unit"], "relies": ["rdt_output_unit"],
    "reached": "d_oe_o && req_o == 2'd2 && late_o",
    "bugs": [("rtl/rdt_output_unit.sv", "{Lanes{(^flip) ^ flip_vc, flip}}", "{Lanes{flip_vc, flip}}")],
} for name, params in OUTPUTS])


def input_unit(name, **params):
    """The input unit of a port: each register of the RTL follows from those of section 4.4."""
    width, num_vc = params.get("DataW", 18), params["NumVc"]
    route, bitmap = "u_dut.u_bitmap_gen.u_route.", "u_dut.u_bitmap_gen.u_bitmap."
    inside = {"ram_d_i": ("u_dut.ram_d", width * num_vc), "raddr": ("u_dut.next_idx", 4), "rx": ("u_dut.f_rx_q", 1),
              "drop": ("u_dut.u_arrival.drop_q", 1), "spec_drop": ("u_spec.drop_q", 1), "ackp": ("u_spec.ackp_q", 1),
              "index": ("u_dut.u_arrival.wr_idx_q", 5), "spec_index": ("u_spec.wr_idx_q", 5),
              "error": ("u_dut.u_arrival.cur_err_q", 1), "spec_error": ("u_spec.cur_err_q", 1),
              "h0": ("u_dut.u_bitmap_gen.h0_q", 17), "h1": ("u_dut.u_bitmap_gen.h1_q", 17),
              "spec_h0": ("u_spec.hdr0_q", 17), "spec_h1": ("u_spec.hdr1_q", 17),
              "busy": ("u_spec.rd_busy_q", 1), "at": ("u_spec.rd_idx_q", 4), "length": ("u_spec.rd_len_q", 4),
              "left": ("u_dut.u_read_pass.rd_left_q", 4), "plan": ("u_spec.rd_plan_q", 9), "dut_plan": ("u_dut.u_bitmap_gen.rd_plan_q", 9),
              "raw": ("u_spec.rd_raw_q", 1), "kind": ("u_spec.rd_ty_q", 3),
              "lpra": ("u_dut.u_bitmap_gen.u_mc_copy.lpra_q", 1), "larp": ("u_dut.u_bitmap_gen.u_mc_copy.larp_q", 1),
              "rt_type": (route + "type_q", 1), "rt_len": (route + "len_q", 1), "rt_short": (route + "short_q", 1), "rt_mc": (route + "mc_q", 1),
              "rt_setup": (route + "setup_q", 1), "rt_shot": (route + "shot_q", 1), "rt_uni": (route + "uni_q", 1),
              "rt_top": (route + "top_q", 3), "rt_upper": (route + "upper_q", 1), "rt_y": (route + "vy_q", 3), "rt_x": (route + "v0x_q", 1),
              "bm_larp": (bitmap + "larp_q", 1), "bm_some": (bitmap + "some_q", 2), "bm_some2": (bitmap + "some2_q", 1)}
    head = "!rx || index != 5'd2 || "  # the step of the header before H2
    v4, v3, v2 = "spec_h0[5:0]", "spec_h1[16:11]", "spec_h1[10:5]"
    kind, size, shot = "spec_h0[16:14]", "spec_h0[13:10]", "1'b1" if params["InPort"] == 8 else "1'b0"
    invariants = [
        "raddr == spec_ram_raddr_o", "!rx || drop == (spec_drop || ackp)", "!rx || index == spec_index",
        "!rx || drop || index < 5'd3 || error == spec_error",
        "!rx || index < 5'd1 || h0 == spec_h0", "!rx || index < 5'd2 || h1 == spec_h1",
        "!busy || at == 4'd0 || (left == length - at && length >= at && length >= 4'd2)", "!busy || plan == dut_plan",
        "!busy || raw || !plan[8] || at == 4'd0 || at > 4'd2 || (lpra == (kind == 3'd2) && larp == (kind == 3'd3))",
        f"{head}rt_mc == spec_pkg::is_multicast({kind})", f"{head}rt_setup == ({kind} == 3'd5)",
        f"{head}rt_shot == ({kind} == 3'd6 && {shot})", f"{head}rt_type == ({kind}[2] && {kind} != 3'd5 && !rt_shot)".replace("spec_h0[16:14][2]", "spec_h0[16]"),
        f"{head}rt_short == ({size} < 4'd2)", f"{head}rt_len == ({size} < 4'd2 || (rt_setup && {size} == 4'd2) || (rt_shot && {size} != 4'd2))",
        f"{head}rt_uni == (!rt_mc && !rt_shot && !rt_type && !rt_len && !spec_h1[0])",
        f"{head}rt_top == {{{v4} != 6'd0, {v3} != 6'd0 && {v4} == 6'd0, {v2} != 6'd0 && {v4} == 6'd0 && {v3} == 6'd0}}",
        f"{head}rt_upper == ({{{v4}, {v3}, {v2}}} != 18'd0)",
        f"{head}rt_y == {{spec_h0[2:0] != 3'd0, spec_h1[13:11] != 3'd0, spec_h1[7:5] != 3'd0}}", f"{head}rt_x == (spec_h1[4:1] != 4'd0)",
        f"{head}bm_larp == ({kind} == 3'd3)", f"{head}bm_some == {{{{spec_h0[5:0], spec_h1[16:15]}} != 8'd0, spec_h1[14:7] != 8'd0}}",
        f"{head}bm_some2 == (spec_h1[6:0] != 7'd0)"]
    inside |= {"waddr": ("u_dut.gen_vc[0].u_ram.waddr_i", 4), "wdata": ("u_dut.gen_vc[0].u_ram.wdata_i", width),
               "pkt": ("u_dut.pkt_q", num_vc), "spec_pkt": ("u_spec.pkt_q", 3), "rsv": ("u_dut.rsv_q", num_vc), "spec_rsv": ("u_spec.rsv_q", 3),
               "spec_pois": ("u_spec.pois_q", 3), "loaded": ("u_spec.loaded_q", 3), "rx_vc": ("u_dut.f_rx_vc_q", 2),
               "flit": ("u_dut.flit_q", width), "spec_flit": ("u_spec.flit_q", width)}
    # Registers that both have.
    same = {"sel_q": ("", 2), "ewait_q": ("u_ack_port.", 2)}
    same |= {f"rd_{r}_q": ("u_read_pass.", w) for r, w in (("busy", 1), ("vc", 2), ("idx", 4), ("loc", 1), ("raw", 1), ("up", 1), ("fin", 1), ("pois", 1))}
    for register, (path, bits) in same.items():
        inside |= {f"dut_{register}": (f"u_dut.{path}{register}", bits), f"of_{register}": (f"u_spec.{register}", bits)}
        invariants.append(f"{'!busy || ' * (register in ('rd_raw_q', 'rd_up_q', 'rd_fin_q', 'rd_pois_q'))}dut_{register} == of_{register}")
    invariants += ["spec_ram_we_o == '0 || (waddr == spec_ram_waddr_o && wdata == spec_ram_wdata_o)", "{3'(pkt), 3'(rsv)} == {spec_pkt, spec_rsv}",
                   "!busy || flit == spec_flit", "!busy || loaded[of_rd_vc_q]", f"of_sel_q < 2'd{num_vc}", "spec_index <= 5'd16",
                   f"of_rd_vc_q < 2'd{num_vc}", f"!rx || drop || (rx_vc < 2'd{num_vc} && index != 5'd0)",
                   "!rx || drop || index > 5'd2 || !spec_pkt[rx_vc] && !spec_rsv[rx_vc]",
                   "!rx || drop || index > 5'd2 || !busy || rx_vc != of_rd_vc_q || index <= {1'b0, at}"]
    if num_vc > 1:
        turns = "<3>gen_two" if num_vc == 2 else "<3>gen_three"
        for register in ("evc_q", "wvc_q"):
            inside |= {f"dut_{register}": (f"u_dut.u_ack_port.{turns}.{register}", num_vc - 1), f"of_{register}": (f"u_spec.{register}", 2)}
            invariants += [f"2'(dut_{register}) == of_{register}", f"of_{register} < 2'd{num_vc}"]
    for v in range(num_vc):
        slot, kept = f"u_dut.gen_slot[{v}].u_slot.", f"u_dut.u_bitmap_gen.gen_plan[{v}].u_plan."
        inside |= {f"we{v}": (f"u_dut.gen_vc[{v}].u_ram.we_i", 1), f"age{v}": (slot + "age_q", 2), f"spec_age{v}": (f"u_spec.age_q[{v}]", 2),
                   f"pend{v}": (slot + "pend_q", 11), f"spec_pend{v}": (f"u_spec.pend_q[{v}]", 11), f"pois{v}": (slot + "pois_q", 1),
                   f"plan{v}": (kept + "plan_o", 9), f"spec_plan{v}": (f"u_spec.plan_q[{v}]", 9)}
        invariants += [f"we{v} == spec_ram_we_o[{v}]", f"!pkt[{v}] || pend{v} != 11'd0",
                       f"!pkt[{v}] || (loaded[{v}] && age{v} == spec_age{v})",
                       f"!rx || drop || index < 5'd3 || rx_vc != 2'd{v} || loaded[{v}]",
                       f"!busy || raw || at > 4'd2 || of_rd_vc_q != 2'd{v} || plan[8:4] == spec_plan{v}[8:4]",
                       f"!loaded[{v}] || {{pend{v}, plan{v}, pois{v}}} == {{spec_pend{v}, spec_plan{v}, spec_pois[{v}]}}"]
    return {
        "name": f"input_unit_{name}", "block": "rdt_input_unit", "wrap": "rdt_input_unit", "spec": "spec_input_unit", "params": params,
        "instead": ["tb/formal/rdt_buffer_ram.sv"],
        "claim": "buffers, route, candidates, passes, copies, ack entries, time-outs and put-back are those of section 4.4",
        "base": 3, "bug_depth": 12, "limit": 120,
        # Proven by input_unit_promises_*.
        "lemmas": ["rdt_input_unit", "rdt_arrival", "rdt_read_pass", "rdt_ack_port"],
        "relies": ["rdt_input_unit", "rdt_arrival", "rdt_read_pass", "rdt_ack_port"],
        "inside": inside, "and": invariants, "when": {"ctx_o": "ctx_o[20] || spec_ctx_o[20]", "rd_err_o": "busy"},
        # The last flit of a pass, while the next pass is requested.
        "reached": "busy && at > 4'd2 && at == length && want_o != 11'd0 && pkt_o", "cover_depth": 40,
        "bugs": [("rtl/rdt_slot.sv", "~(gnt_i & {rdt_pkg::NumOuts{sel_i}})", "~(gnt_i & {rdt_pkg::NumOuts{sel_i && !gnt_i[0]}})")],
    }


def input_unit_promises(name, **params):
    return {
        "name": f"input_unit_promises_{name}", "block": "rdt_input_unit", "wrap": "rdt_input_unit", "params": params,
        "instead": ["tb/formal/rdt_buffer_ram.sv"],
        "claim": "one packet presented; no gap in a pass; a buffer freed once; each output of a multicast granted once",
        "promises": ["rdt_input_unit", "rdt_arrival", "rdt_read_pass", "rdt_ack_port"], "relies": ["rdt_input_unit"],
        "checks": ["rdt_arrival", "rdt_read_pass", "rdt_ack_port"],
        "bugs": [("rtl/rdt_arrival.sv", "drop_d   = drop || spoilt;", "drop_d   = drop;"),
                   ("rtl/rdt_read_pass.sv", "(rd_left_q == 4'd1)", "(rd_left_q == 4'd2)")],
    }


INPUTS = [(port, {"InPort": port, "NumVc": vcs(port)}) for port in range(10)]
INPUTS += [("wide_0", {"InPort": 0, "NumVc": 3, "DataW": 36}), ("one_entry_4", {"InPort": 4, "NumVc": 2, "NumEntries": 1})]
PROOFS += variants([input_unit_promises(name, **params)
                    for name, params in [*INPUTS, ("banks_0", {"InPort": 0, "NumVc": 3, "NumEntries": 13})]])
PROOFS += variants([input_unit(name, **params) for name, params in INPUTS])

LINKS = [(f"{n}_{prio}", {"NumVc": n, "Prio": prio}) for n in (3, 2) for prio in (1, 0)]
LINKS += [("mbp", {"NumVc": 1, "Prio": 1, "AlwaysOn": 1}), ("wide", {"NumVc": 3, "Prio": 1, "DataW": 36})]
LINKS += [(f"far_{n}_{prio}", {"NumVc": n, "Prio": prio, "RegReq": 1}) for n in (3, 2) for prio in (1, 0)]
PROOFS += variants([{
    "name": f"link_io_{name}", "block": "rdt_link_io", "wrap": "rdt_link_io", "spec": "spec_link_io", "params": params,
    "claim": "line machine, recovery, framing and credits are those of sections 1, 1a and 4.2, whatever the pins show",
    "promises": ["rdt_link_io"], "relies": ["rdt_link_io"],
    "reached": "rx_last_o && line_gnt_o && cred_o != 2'd0",
    "bugs": [("rtl/rdt_link_io.sv", "assign rx_last_d = tail_q || (trouble && rx_valid_d);", "assign rx_last_d = tail_q;")],
} for name, params in LINKS])

INJECTOR = {"st": 2, "m0": 10, "m1": 10, "cool": 4, "rty": 4, "wait": 7, "idx": 2, "port": 4, "tag": 3, "status": 6}  # registers
PROOFS += variants([{
    "name": f"inject_{width}", "block": "rdt_inject", "wrap": "rdt_inject", "spec": "spec_inject", "params": {"DataW": width},
    "claim": "acks, RETRY answers and LOCAL's packets are sent as in section 4.10; never stuck; acks on a link at least 16 cycles apart",
    "promises": ["rdt_inject"], "relies": ["rdt_inject"],
    "inside": {f"{side}_{r}": (f"u_{side}.{r}_q", w) for side in ("dut", "spec") for r, w in INJECTOR.items()},
    "and": [*(f"dut_{r} == spec_{r}" for r in ("st", "m0", "m1", "cool", "rty")), "spec_st != 2'd1 || dut_wait == spec_wait",
            "spec_st != 2'd2 || (dut_idx == spec_idx && spec_idx != 2'd3)", "spec_st != 2'd3 || dut_idx == {1'b0, spec_idx != 2'd0}",
            "spec_st == 2'd0 || spec_st == 2'd3 || {dut_port, dut_tag, dut_status} == {spec_port, spec_tag, spec_status}"],
    "reached": "ev_lost_o", "simplify": ["scorr -F 2", "scorr"],
    "bugs": [("rtl/rdt_inject.sv", "assign m1_d   = (&cool_q) ? m0_q | used : m1_q;", "assign m1_d   = (&cool_q) ? m0_q : m1_q;")],
} for width in (18, 36)])

PROOFS += variants([{
    "name": f"reduce_{width}", "block": "rdt_reduce", "wrap": "rdt_reduce", "params": {"Width": width},
    "claim": "only H1 and H2 of an ack of entry 7 change; no two operands in a cycle",
    "promises": ["rdt_reduce"], "relies": ["rdt_reduce"],
    "bugs": [("rtl/rdt_reduce.sv", "(out_bad_q && idx_q[1])", "out_bad_q"),
             ("rtl/rdt_reduce.sv", "ack_take_i & lane & {10{!stray_i}};", "(ack_take_i | lane) & {10{!stray_i}};")],
} for width in (16, 32)])


def ack_table(entries, bugs):
    inside = {"mask": ("u_dut.mask_q", 10), "ent_mask": ("u_dut.ent_mask_q", 10), "last": ("u_spec.last_q", 4), "dut_last": ("u_dut.last_q", 4),
              "ent_last": ("u_spec.ent_last_q", 4), "dut_ent_last": ("u_dut.ent_last_q", 4),
              "snd_last": ("u_spec.snd_last_q", 3), "dut_snd_last": ("u_dut.snd_last_q", 3), "st": ("u_spec.st_q", 2 * entries),
              "pend": ("u_spec.pend_q", 10 * entries), "dut_pend": ("u_dut.pend", 10 * entries), "age": ("u_spec.age_q", 3 * entries),
              "port": ("u_spec.port_q", 4 * entries), "dut_port": ("u_dut.par_port", 4 * entries), "tag": ("u_spec.tag_q", 3 * entries),
              "dut_tag": ("u_dut.par_tag", 3 * entries), "status": ("u_spec.status_q", 6 * entries), "dut_status": ("u_dut.status", 6 * entries)}
    invariants = ["last == dut_last", "ent_last == dut_ent_last", "snd_last == dut_snd_last", "last <= 4'd9 && ent_last <= 4'd9",
                  f"snd_last != 3'd0 && snd_last <= 3'd{entries}",
                  "mask == 10'(10'h3FE << last)", "ent_mask == 10'(10'h3FE << ent_last)"]
    for e in range(entries):
        state = f"st[{2 * e + 1}:{2 * e}]"
        entry = f"u_dut.gen_entry[{e}].u_entry."
        inside |= {f"dut_owes{e}": (entry + "owes_q", 1), f"late{e}": (entry + "late_q", 1), f"age{e}": (entry + "age_q", 3),
                   f"done{e}": (entry + "done_q", 1)}
        same = " && ".join(f"{r}[{w * e + w - 1}:{w * e}] == dut_{r}[{w * e + w - 1}:{w * e}]"
                           for r, w in (("pend", 10), ("status", 6), ("port", 4), ("tag", 3)))
        timed = "1'b0" if e == 6 else f"({state} == 2'd1 && pend[{10 * e + 9}:{10 * e}] != 10'd0)"
        invariants += [f"dut_owes{e} == ({state} == 2'd1 || {state} == 2'd2)", f"late{e} == st[{2 * e + 1}]",
                       f"{state} == 2'd0 || ({same})",
                       f"!({timed} || {state} == 2'd3) || age{e} == age[{3 * e + 2}:{3 * e}]",
                       f"{state} == 2'd0 || done{e} == (pend[{10 * e + 9}:{10 * e}] == 10'd0)",
                       f"!{timed} || age{e} <= 3'd1", f"{state} != 2'd3 || age{e} <= 3'd5"]
    return {
        "name": f"ack_table_{entries}", "block": "rdt_ack", "wrap": "rdt_ack", "spec": "spec_ack", "params": {"NumEntries": entries},
        "claim": "landing, classes, allocation, combining and time-outs are those of section 4.9",
        "base": 3, "bug_depth": 4, "limit": 300, "cover_depth": 12,
        "relies": ["rdt_ack"], "inside": inside, "and": invariants,
        "when": {"stray_port_o": "stray_o", "stray_tag_o": "stray_o", "snd_port_o": "snd_v_o", "snd_tag_o": "snd_v_o", "snd_st_o": "snd_v_o",
                 "look_used_o": "look_i", "look_h1_o": "look_i && look_used_o", "look_h2_o": "look_i && look_used_o"},
        # A single entry cannot be answered and given in the same cycle.
        "reached": "snd_take_i && stray_o" + (" && ent_gnt_o != 10'd0" if entries > 1 else ""), "bugs": bugs,
    }


PROOFS += variants([ack_table(n, [("rtl/rdt_ack.sv", "assign room = room_of(free);", "assign room = room_of(free | ~free);")])
                    for n in (7, 6, 5, 1)])

# Netlist = RTL, all variants of a block; together they are the chip.
EQUAL: list[dict] = [{"name": f"netlist_{block}", "block": f"rdt_{block}", "limit": 120}
         for block in ("crossbar", "arbiter", "input_unit", "link_io", "bitmap_gen", "ack", "buffer_ram", "output_unit",
                       "local", "inject", "router")]
