# SPDX-License-Identifier: MIT
"""The bugs that inject.py injects. An edit is a file, text that occurs there exactly once, and the text
that replaces it."""
from typing import NamedTuple


class Bug(NamedTuple):
    name: str
    checker: str  # pins, fuzz, blocks or attacks
    edits: list
    block: str = ""  # for the checker `blocks`: the kind of block, or wiring
    by: str = "chip_router"  # of the checker `pins`: the program of tests
    attacks: tuple = ()  # of the checker `attacks`: program, test, text of its report (None: it passes)
    tier: str = "nightly"  # the first that injects it: test, regress or nightly


# Those of the checker `pins` show at the pins of a block or a router under valid traffic, those of the
# fuzz only under random pins.
ONE_ROUTER = [
    Bug("rtl_round_robin_starts_at_the_winner", "pins",
        [("rtl/rdt_arbiter.sv", "|xsel[i-1:0]", "|xsel[i:0]")], tier="regress"),
    Bug("rtl_crossbar_loses_a_bit_of_an_input", "pins",
        [("rtl/rdt_crossbar.sv", "(d[StreamW*i +: StreamW] & {StreamW{sel[i]}})",
          "(d[StreamW*i +: StreamW] & {StreamW{sel[i]}} & ~StreamW'(i == 5))")], by="block_crossbar", tier="test"),
    Bug("systemc_crossbar_clears_a_bit_of_an_output", "pins",
        [("systemc/rdt/crossbar.h", "x_o[o].write(column);",
          "x_o[o].write(o == 7 ? column & ~2u : column);")], by="block_crossbar", tier="test"),
    Bug("rtl_reduce_compares_signed_numbers", "pins",
        [("rtl/rdt_reduce.sv", "(x > acc_q)", "($signed(x) > $signed(acc_q))")], by="block_reduce", tier="regress"),
    Bug("rtl_reduce_adds_an_operand_a_cycle_early", "pins",
        [("rtl/rdt_reduce.sv", "<= {land_d, land_q};", "<= {land_d, land_d};")], by="block_reduce"),
    Bug("systemc_reduce_sends_an_old_result_without_operands", "pins",
        [("systemc/rdt/reduce.h", "q.out = q.op != ReduceNone ? q.acc : 0;", "q.out = q.acc;")], by="block_reduce"),
    Bug("fast_round_robin_starts_at_the_winner", "pins",
        [("sim/rdt/fast/arbiter.h", "~((2u << g.winner[o]) - 1)", "~((1u << g.winner[o]) - 1)")]),
    Bug("fast_carries_no_parity", "pins",
        [("sim/rdt/core/route.h", "carry_parity(flit, changed, lanes)",
          "carry_parity(changed, changed, lanes)")]),
    Bug("fast_reset_keeps_findings_of_an_input", "fuzz",
        [("sim/rdt/fast/input_unit.h", "m_found = Findings{}", "(void)m_found")], tier="regress"),
    Bug("fast_unused_rank_consumes_a_map_byte", "fuzz",
        [("sim/rdt/core/bitmap.h", "p.rank >= 1 && p.rank <= 4", "p.rank <= 4")]),
    Bug("fast_context_is_restored_to_any_packet", "fuzz",
        [("sim/rdt/fast/local.h", "is_multicast(uint32_t(h0)) == mc",
          "(is_multicast(uint32_t(h0)) == mc || true)")]),
]
# In each kind of block and in the wiring between the blocks, on either side. `rdt run` names the block.
BLOCKS = [
    Bug("systemc_wiring_of_a_channel_number", "blocks",
        [("systemc/rdt/router_body.h", "u.rx_vc_i(rx_vc[p]);", "u.rx_vc_i(rx_vc[p == 3 ? 2 : p]);")], "wiring"),
    Bug("rtl_wiring_of_a_channel_number", "blocks",
        [("rtl/rdt_router.sv", ".rx_vc_i    (rx_vc[VcW*p +: VcW]),",
          ".rx_vc_i    (rx_vc[VcW*((p == 3) ? 2 : p) +: VcW]),")], "wiring"),
    Bug("systemc_link_io_loses_the_tail_flit", "blocks",
        [("systemc/rdt/link_io.h", "n.receives = n.first || (q.st == LineXfer && !q.mine) || q.tail;",
          "n.receives = n.first || (q.st == LineXfer && !q.mine);")], "link_io"),
    Bug("systemc_output_unit_grants_local_without_an_offer", "blocks",
        [("systemc/rdt/output_unit.h", "loc_gnt_o.write(offer && loc_want);",
          "loc_gnt_o.write(loc_want);")], "output_unit"),
    Bug("systemc_input_unit_misses_a_grant_to_an_upper_port", "blocks",
        [("systemc/rdt/read_pass.h", "q.rd_up = (granted >> PortE1 & 0xF) != 0;",
          "q.rd_up = (granted >> PortE1 & 0x7) != 0;")], "input_unit"),
    Bug("systemc_arbiter_starts_round_robin_at_the_winner", "blocks",
        [("systemc/rdt/arbiter.h", "while (last_winner >> i != 0) ++i;",
          "while (last_winner >> i > 1) ++i;")], "arbiter"),
    Bug("systemc_crossbar_clears_a_bit_of_output_7", "blocks",
        [("systemc/rdt/crossbar.h", "x_o[o].write(column);",
          "x_o[o].write(o == 7 ? column & ~2u : column);")], "crossbar", tier="regress"),
    Bug("systemc_local_divides_the_clock_by_one_more", "blocks",
        [("systemc/rdt/regs.h", "slow_period.write(SlowTick - 1);", "slow_period.write(SlowTick);")], "local"),
    Bug("systemc_ack_counts_generations_to_eight", "blocks",
        [("systemc/rdt/ack_entry.h", "(q.gen + 1) % 16", "(q.gen + 1) % 8")], "ack"),
    Bug("systemc_inject_does_not_rest_between_acks", "blocks",
        [("systemc/rdt/inject.h", "q.cool = rests ? 0 : (q.cool + 1) % 16;",
          "q.cool = rests ? 1 : (q.cool + 1) % 16;")], "inject"),
    Bug("rtl_link_io_owner_loses_a_conflict", "blocks",
        [("rtl/rdt_link_io.sv", "!(peer[0] && mine_q)", "!(peer[0] && !mine_q)")], "link_io"),
    Bug("rtl_output_unit_marks_the_header_of_the_wrong_channel", "blocks",
        [("rtl/rdt_output_unit.sv", "(hidx_q == 2'd2 && vc_q[0])", "(hidx_q == 2'd2 && vc_q[1])")], "output_unit"),
    Bug("rtl_input_unit_repeats_a_virtual_channel", "blocks",
        [("rtl/rdt_vc_select.sv", "assign next_o = {sel_i[0], !(|sel_i)};",
          "assign next_o = {sel_i[0], 1'b0};")], "input_unit"),
    Bug("rtl_arbiter_starts_round_robin_at_the_winner", "blocks",
        [("rtl/rdt_arbiter.sv", "assign mask[i] = |xsel[i-1:0];", "assign mask[i] = |xsel[i:0];")], "arbiter"),
    Bug("rtl_crossbar_loses_a_bit_of_input_5", "blocks",
        [("rtl/rdt_crossbar.sv",
          "(d[StreamW*i +: StreamW] & {StreamW{sel[i]}})",
          "(d[StreamW*i +: StreamW] & {StreamW{sel[i]}} & {1'b1, 19'h7ffff >> (i == 5)})")], "crossbar", tier="regress"),
    Bug("rtl_local_starts_with_a_rank", "blocks",
        [("rtl/rdt_regs.sv", "ranks_q    <= 4'b0000;", "ranks_q    <= 4'b1000;")], "local"),
    Bug("rtl_ack_counts_generations_to_eight", "blocks",
        [("rtl/rdt_ack_entry.sv", "gen_q + 4'd1", "{1'b0, gen_q[2:0] + 3'd1}")], "ack"),
    Bug("rtl_inject_lets_local_precede_acks", "blocks",
        [("rtl/rdt_inject.sv", "assign snd_take_o  = idle && snd_v_i;",
          "assign snd_take_o  = idle && snd_v_i && !(|loc_want_i);")], "inject"),
]
# The protections of the router, removed from RTL and fast engine alike.
WITHOUT_PROTECTIONS = [
    # The assertions detect it too, and would end the run before the attack is visible outside.
    ("rtl/rdt_assert.svh", "assert (condition) else", "assert ((condition) || 1'b1) else"),
    # Entries of the ack table take turns over the ports.
    ("rtl/rdt_ack.sv", "req_ok, ent_mask_q)", "req_ok, ent_mask_q & 10'd0)"),
    ("sim/rdt/fast/ack.h", "next_after(m_q.ent_last, ports)",
     "next_after(m_q.ent_last | 9, ports)"),
    # The distance between acks is kept by link.
    ("rtl/rdt_inject.sv", "assign busy_o = m0_q | m1_q;", "assign busy_o = {10{|(m0_q | m1_q)}};"),
    ("sim/rdt/fast/inject.h", "return m_q.m0 | m_q.m1; }",
     "return (m_q.m0 | m_q.m1) != 0 ? AllPorts : 0; }"),
    # Stray acks are taken as well.
    ("rtl/rdt_ack.sv", "assign taken        = (|ack_v_i) && !look_i;",
     "assign taken        = (|ack_v_i) && !look_i && expected;"),
    ("rtl/rdt_ack.sv", "ack_oh & {10{!look_i}};", "ack_oh & {10{!look_i && expected}};"),
    ("sim/rdt/fast/ack.h", "        return next_after(m_q.last, in.ack_v);\n",
     "        const uint32_t p = next_after(m_q.last, in.ack_v);\n"
     "        return expected(p, in.note[p]) ? p : uint32_t(NumPorts);\n"),
    # LOCAL drops the packet.
    ("rtl/rdt_local_fsm.sv", "send && !sent_o && (kind_q != KindShot) &&",
     "send && !sent_o && (kind_q != KindShot) && (kind_q == KindShot) &&"),
    ("sim/rdt/fast/local.h", "} else if (late && m_q.kind != OwnPacket::KindShot) {",
     "} else if (late && m_q.kind != OwnPacket::KindShot && !late) {"),
    # Only MBP 0 configures.
    ("rtl/rdt_local.sv", "(guard && port_q != rdt_pkg::PortM0)",
     "(guard && port_q != rdt_pkg::PortM0 && port_q == 4'd15)"),
    ("sim/rdt/fast/local.h", "m_q.cfg.guards() && m_q.port != PortM0", "m_q.cfg.guards() && m_q.port == 15"),
    # A context has to fit.
    ("rtl/rdt_local.sv", "(vacant_i && fits) ?", "(vacant_i || fits || recv) ?"),
    ("sim/rdt/fast/local.h", "in.vacant && is_possible(put_ctx()) ?",
     "in.vacant || is_possible(put_ctx()) || true ?"),
    # The injector drops the ack.
    ("rtl/rdt_inject.sv", "!granted && (wait_q == 7'(rdt_pkg::AckWait - 1))",
     "!granted && granted && (wait_q == 7'(rdt_pkg::AckWait - 1))"),
    ("sim/rdt/fast/inject.h", "bool is_late() const { return m_q.wait == AckWait - 1; }",
     "bool is_late() const { return m_q.wait == ~0u; }"),
    # A credit that stays away makes the link shake hands.
    ("rtl/rdt_output_unit.sv", "next = older;", "next = owed;"),
    ("sim/rdt/fast/outputs.h", "        for (TwoBits& owed : m_q.owed) {\n            const TwoBits away",
     "        if (outputs != 0) return;\n        for (TwoBits& owed : m_q.owed) {\n            const TwoBits away"),
    # Maps are compared with the ranks there are.
    ("rtl/rdt_bitmap.sv", "(|(some & ~ranks_i))", "(|(some & ~ranks_i & ~some))"),
    ("sim/rdt/core/bitmap.h", "(maps_of(h) & ~everybody(cfg.ranks)) != 0 ||", "false ||"),
    # An MBP that has waited is served.
    ("rtl/rdt_arbiter.sv", "(age == 5'(rdt_pkg::AgedAt))", "(age == 5'(rdt_pkg::AgedAt)) && !pkt_i[k] && pkt_i[k]"),
    ("sim/rdt/fast/arbiter.h", "uint32_t(m_q.age[0] == AgedAt) << PortM0", "uint32_t(m_q.age[0] > AgedAt) << PortM0"),
    ("sim/rdt/fast/arbiter.h", "uint32_t(m_q.age[1] == AgedAt) << PortM1", "uint32_t(m_q.age[1] > AgedAt) << PortM1"),
    # A late answer of an MBP names the multicast it answers to.
    ("rtl/rdt_ack.sv", "== gen[GenW*e +: GenW] || !(|ack_oh[rdt_pkg::PortM0 +: 2]))", "== gen[GenW*e +: GenW] || (|ack_oh))"),
    ("sim/rdt/fast/ack.h", "(!is_mbp(port) || note.gen == shown_gen(e))", "true"),
]
# Program, test, and text of its report when the attack succeeds; None: the test passes, since it shows a switch that is off.
ATTACKS = [
    ("attack_ack_table", "ack_table.every_port_gets_its_share_of_the_entries", "acks at "),
    ("attack_ack_table", "ack_table.the_distance_between_acks_is_kept_by_link", "Cycles / PerAck"),
    ("attack_ack_table", "ack_table.stray_acks_do_not_block_valid_acks", "answered before any time-out"),
    ("attack_ack_table", "ack_table.a_late_answer_is_not_taken_for_one_of_the_next_multicast",
     "a multicast without answers"),
    ("attack_local", "local.a_read_for_an_mbp_that_takes_nothing_does_not_lock_it", "MBP 0's own read"),
    ("attack_local", "local.strangers_cannot_configure_a_guarded_chip", "chip.read"),
    ("attack_local", "local/StuckReq.mutes_its_own_link_only/0", "acks for another link"),
    ("attack_local", "local/StuckReq.mutes_its_own_link_only/1", "acks for another link"),
    ("attack_contexts", "contexts/Context.*/pend_names_nobody", "reports(ErrBadShot)"),
    ("attack_contexts", "contexts/Context.*/credit_is_out", "reports(ErrBadShot)"),
    ("attack_contexts", "contexts/Context.*/unicast_to_two", "reports(ErrBadShot)"),
    ("attack_starvation", "starvation/Starvation.*/16_0", "cycles between two packets"),
    ("attack_lost_credit", "engines/LostCredit.*/fast", "after the credit was lost"),
    ("attack_maps", "maps.every_byte_of_every_level_is_delivered_or_refused", ""),
    ("attack_maps", "maps/FullRing.*_fast", ""),
    ("attack_strangers", "engines/Strangers.*/fast", ""),
    ("attack_stopped_mbp", "stopped_mbp.without_sink_is_back_pressure_only", None),
]
BUGS = [*ONE_ROUTER, *BLOCKS,
        Bug("one_protection_removed", "attacks", [e for e in WITHOUT_PROTECTIONS if "AgedAt" in e[1]],
            attacks=tuple(a for a in ATTACKS if a[0] == "attack_starvation"), tier="regress"),
        Bug("no_protections", "attacks", WITHOUT_PROTECTIONS, attacks=tuple(ATTACKS))]
