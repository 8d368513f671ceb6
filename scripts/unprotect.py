#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that the attacks in tb/attack would succeed: takes the protections out of RTL and C++ in a
copy of the project, all at once and in both models alike, and expects every attack to fail there
for what it says, and not because the models differ.

usage: unprotect.py WORK_DIR
"""
import argparse
import pathlib
import re
import subprocess
import sys

import plant

# file, text that stands there exactly once, what is left without the protection
EDITS = [
    # The assertions say so too, and would end the run before the attack is seen from outside.
    ("rtl/rdt_assert.svh", "assert (condition) else", "assert ((condition) || 1'b1) else"),
    # Entries of the ack table take turns over the ports.
    ("rtl/rdt_ack.sv", "turn10(ent_req_i, ent_mask_q)", "turn10(ent_req_i, ent_mask_q & 10'd0)"),
    ("systemc/rdt/fast/ack.h", "next_after(m_q.ent_last, in.ent_req)",
     "next_after(m_q.ent_last | 9, in.ent_req)"),
    # The distance between acks is kept by link.
    ("rtl/rdt_inject.sv", "assign busy_o = m0_q | m1_q;", "assign busy_o = {10{|(m0_q | m1_q)}};"),
    ("systemc/rdt/fast/inject.h", "return m_q.m0 | m_q.m1; }",
     "return (m_q.m0 | m_q.m1) != 0 ? AllPorts : 0; }"),
    # Acks that nobody waits for are taken as well.
    ("rtl/rdt_ack.sv", "assign taken        = (|ack_v_i) && !look_i;",
     "assign taken        = (|ack_v_i) && !look_i && expected;"),
    ("rtl/rdt_ack.sv", "ack_oh & {10{!look_i}};", "ack_oh & {10{!look_i && expected}};"),
    ("systemc/rdt/fast/ack.h", "        return next_after(m_q.last, in.ack_v);\n",
     "        const uint32_t p = next_after(m_q.last, in.ack_v);\n"
     "        return expected(p, in.note[p]) ? p : uint32_t(NumPorts);\n"),
    # LOCAL gives up.
    ("rtl/rdt_local_fsm.sv", "send && !sent_o && (kind_q != KindShot) &&",
     "send && !sent_o && (kind_q != KindShot) && (kind_q == KindShot) &&"),
    ("systemc/rdt/fast/local.h", "} else if (late && m_q.kind != OwnPacket::KindShot) {",
     "} else if (late && m_q.kind != OwnPacket::KindShot && !late) {"),
    # Only MBP 0 configures.
    ("rtl/rdt_local.sv", "(guard && port_q != rdt_pkg::PortM0)",
     "(guard && port_q != rdt_pkg::PortM0 && port_q == 4'd15)"),
    ("systemc/rdt/fast/local.h", "m_q.cfg.guards() && m_q.port != PortM0", "m_q.cfg.guards() && m_q.port == 15"),
    # A context has to fit.
    ("rtl/rdt_local.sv", "(vacant_i && fits) ?", "(vacant_i || fits || recv) ?"),
    ("systemc/rdt/fast/local.h", "in.vacant && is_possible(put_ctx()) ?",
     "in.vacant || is_possible(put_ctx()) || true ?"),
    # The injector gives up.
    ("rtl/rdt_inject.sv", "!granted && (wait_q == 7'(rdt_pkg::AckWait - 1))",
     "!granted && granted && (wait_q == 7'(rdt_pkg::AckWait - 1))"),
    ("systemc/rdt/fast/inject.h", "bool is_late() const { return m_q.wait == AckWait - 1; }",
     "bool is_late() const { return m_q.wait == ~0u; }"),
    # A credit that stays away makes the link shake hands.
    ("rtl/rdt_output_unit.sv", "next = older;", "next = owed;"),
    ("systemc/rdt/fast/outputs.h", "        for (TwoBits& owed : m_q.owed) {\n            const TwoBits away",
     "        if (outputs != 0) return;\n        for (TwoBits& owed : m_q.owed) {\n            const TwoBits away"),
    # Maps are held against the ranks there are.
    ("rtl/rdt_bitmap.sv", "|(some & ~ranks_i);", "|(some & ~ranks_i & ~some);"),
    ("systemc/rdt/core/bitmap.h", "map.set == 0 || (maps_of(h) & ~everybody(cfg.ranks)) != 0;",
     "map.set == 0;"),
    # An MBP that has waited is served.
    ("rtl/rdt_arbiter.sv", "(age == 5'(rdt_pkg::AgedAt))", "(age == 5'(rdt_pkg::AgedAt)) && !pkt_i[k] && pkt_i[k]"),
    ("systemc/rdt/fast/arbiter.h", "uint32_t(m_q.age[0] == AgedAt) << PortM0", "uint32_t(m_q.age[0] > AgedAt) << PortM0"),
    ("systemc/rdt/fast/arbiter.h", "uint32_t(m_q.age[1] == AgedAt) << PortM1", "uint32_t(m_q.age[1] > AgedAt) << PortM1"),
    # A late answer of an MBP names the multicast it answers to.
    ("rtl/rdt_ack.sv", "== gen[GenW*e +: GenW] || !(|ack_oh[9:8]))", "== gen[GenW*e +: GenW] || (|ack_oh))"),
    ("systemc/rdt/fast/ack.h", "&& (!is_mbp(port) || note.gen == e.gen)", ""),
]
# program, test, what it says when the attack succeeds
ATTACKS = [
    ("attack_ack_table", "ack_table.every_port_gets_its_share_of_the_entries", "acks at "),
    ("attack_ack_table", "ack_table.the_distance_between_acks_is_kept_by_link", "Clocks / PerAck"),
    ("attack_ack_table", "ack_table.stray_acks_do_not_hold_up_sound_ones", "answered before any time-out"),
    ("attack_ack_table", "ack_table.a_late_answer_is_not_taken_for_one_of_the_next_multicast",
     "a multicast that nobody answered"),
    ("attack_local", "local.a_read_for_an_mbp_that_takes_nothing_does_not_lock_it", "MBP 0's own read"),
    ("attack_local", "local.strangers_cannot_configure_a_guarded_chip", "chip.read"),
    ("attack_local", "local/StuckReq.mutes_its_own_link_only/0", "acks for another link"),
    ("attack_local", "local/StuckReq.mutes_its_own_link_only/1", "acks for another link"),
    ("attack_contexts", "contexts/Context.*/pend_names_nobody", "reports(ErrBadShot)"),
    ("attack_contexts", "contexts/Context.*/credit_is_out", "reports(ErrBadShot)"),
    ("attack_contexts", "contexts/Context.*/unicast_to_two", "reports(ErrBadShot)"),
    ("attack_starvation", "starvation/Starvation.*/16_0", "clocks between two packets"),
    ("attack_lost_credit", "engines/LostCredit.*/fast", "after the credit was lost"),
    ("attack_maps", "maps.every_byte_of_every_level_is_delivered_or_refused", ""),
    ("attack_maps", "maps/FullRing.*", ""),
    ("attack_strangers", "engines/Strangers.*/fast", ""),
    ("attack_stopped_mbp", "stopped_mbp.without_sink_is_back_pressure_only", None),
]
DIFFERS = re.compile(r"difference in cycle|rtl=0x")


def take_out(work):
    for path, old, new in EDITS:
        target = work / path
        text = target.read_text()
        if text.count(old) != 1:
            sys.exit(f"unprotect: not exactly once in {path}: {old}")
        target.write_text(text.replace(old, new))


def attack(work, program, test, says):
    """True if the attack does what it should without the protection."""
    ran = subprocess.run([work / "build/bin" / program, f"--gtest_filter={test}"], cwd=work,
                         capture_output=True, text=True)
    text = ran.stdout + ran.stderr
    if "[==========] Running 0 tests" in text:
        sys.exit(f"unprotect: no such test: {test}")
    if says is None:  # there is a switch, and this is the test without it
        succeeds = ran.returncode == 0
    else:
        succeeds = ran.returncode != 0 and says in text and not DIFFERS.search(text)
    print(f"{'succeeds' if succeeds else 'DOES NOT SUCCEED'}  {test}", flush=True)
    for line in text.splitlines():
        if not succeeds or re.match(r"\s+(Which is|Actual|Expected)|.*Failure$|[A-Z].*:.*actual", line):
            print("    " + line)
    return succeeds


def main():
    parser = argparse.ArgumentParser(description="expects attacks on a chip without protections to succeed")
    parser.add_argument("work", type=pathlib.Path, help="folder for the copy and its build")
    work = parser.parse_args().work.resolve()
    plant.synchronize(work, plant.COPIED + ["tb", "scripts"])
    take_out(work)
    programs = sorted({program for program, _, _ in ATTACKS})
    for command in (["cmake", "-S", work, "-B", work / "build", "-G", "Ninja"],
                    ["ninja", "-C", work / "build"] + programs):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("unprotect: the copy does not build:\n" + (done.stdout + done.stderr)[-3000:])
    if not all([attack(work, *a) for a in ATTACKS]):
        sys.exit(1)


if __name__ == "__main__":
    main()
