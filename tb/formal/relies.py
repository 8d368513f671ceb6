# SPDX-License-Identifier: MIT
"""The reason why every RELY of the RTL holds, and the check of this table.

A proof of a block assumes its RELYs. Each has a row here, which states why it holds in the router:
  proof NAME       the proof of the block around it asserts it
  promise TEXT     a neighbor promises it (or what implies it), and a proof has that promise
  wiring TEXT      the router connects it so; no logic decides it
  simulated TEXT   it spans several blocks: every simulation of the router asserts it, nothing proves it
A PROMISE holds whatever its block is fed; a GIVEN rests on what its block relies on. A GIVEN of registers
alone ("state") rests on earlier cycles. Those that follow in the same cycle ("logic") must not rest on each
other: their rows have no cycle.

usage: python3 -m tb.formal.relies
"""
import pathlib
import re
import sys

from . import properties

ROOT = pathlib.Path(__file__).resolve().parents[2]


def proof(name):
    return ("proof", name)


def promise(block, text, kind="state"):
    return ("promise", f"rdt_{block}", text, kind)


def wiring(why):
    return ("wiring", why)


def simulated(why):
    return ("simulated", why)


PASS = "the stream of a pass goes through crossbar and arbiter: input unit, arbiter and output together"
PUT_BACK = "LOCAL finds the buffer vacant, and puts a packet there cycles later: LOCAL and input unit together"
ONE_RANK = promise("regs", "a node is on at most one rank")

ROWS = {
    "rdt_ack": {
        "a request for an entry names at least one port": promise("input_unit", "a request for an entry names at least one port"),
        "an answer is taken only if one is pending": promise("inject", "only a pending ack is taken", "logic"),
        "LOCAL restores only the entry that it reads": promise("shot", "a restored entry is read in the same cycle", "logic"),
        "LOCAL reads only an existing entry": promise("shot", "the scan reads only an existing entry", "logic"),
    },
    "rdt_ack_entry": dict.fromkeys((
        "an allocated entry was free", "an ack is sent only when one is pending", "no other event occurs at an entry that is restored",
        "a landing ack was missing", "more_i is the OR of the other missing acks", "empty_i is set exactly when the set is empty",
        "put_i comes only with new_i, and quar_i only with put_i"), proof("ack_table")),
    "rdt_ack_port": {"a requesting VC gets at most one answer, and no other VC gets one": proof("input_unit_promises_0"),
                     "H1 of an ack follows its H0": proof("input_unit_promises_banks_0")},
    "rdt_arrival": {"packets are framed and have no gaps": proof("input_unit_promises_0")},
    "rdt_read_pass": dict.fromkeys((
        "no pass begins before the previous one has ended", "no pass is shorter than three flits", "the VC exists"),
        proof("input_unit_promises_0")),
    "rdt_inject": {
        "an ack is for a port that is not busy": promise("ack", "an answer is sent only to a parent that can accept one", "logic"),
        "LOCAL sends to one MBP": promise("local_fsm", "an answer requests only an MBP with a credit", "logic"),
        "LOCAL sends from the cycle after its grant on": promise("local", "LOCAL sends from the cycle after its grant on"),
    },
    "rdt_reduce": {
        "one ack is taken in a cycle": promise("ack", "exactly one pending ack is taken per cycle unless LOCAL reads an entry", "logic"),
        "the ack of the entry leaves before the next one is taken": simulated("the injector has one ack at a time: rdt_inject and rdt_reduce together"),
    },
    "rdt_input_unit": {
        "no packet is dropped in a halted router": promise("local", "no packet is dropped in a halted router", "logic"),
        "no packet is dumped or restored while the router runs": promise("local", "no packet is dumped or restored while the router runs", "logic"),
        "a node is on at most one rank": ONE_RANK,
        "gnt_i is a subset of want_o": promise("arbiter", "only requested outputs are granted", "logic"),
        "packets are framed and have no gaps": promise("link_io", "flits are framed by first and last"),
        "all flits of a packet use one VC": promise("link_io", "all flits of a packet use one VC"),
        "only the port of MBP 0 is held or raw": wiring("rdt_router ties keep_i, free_i and raw_i of the other ports to 0"),
        "a packet is restored only into an empty buffer": simulated(PUT_BACK),
        "a restored packet is complete with its last flit": promise("local", "a restored packet is complete with its last flit", "logic"),
        "no packet is restored while the header of the previous one is read, except at MBP 0 its H2": simulated(PUT_BACK),
        "no packet is restored while another arrives, except one of MBP 0 or one that is dropped": simulated(PUT_BACK),
        "LOCAL reads at most one buffer": promise("shot", "the scan reads at most one buffer", "logic"),
        "a restored packet has at least three flits": simulated(PUT_BACK),
        "only a stored packet that is not for LOCAL is dumped": simulated(PUT_BACK),
        "a dump waits until it is granted": simulated(PUT_BACK),
        "entries and RETRY answer only requesting VCs": promise("inject", "a RETRY answers a request that gets no entry", "logic"),
        "a time-out is reported only if one is pending": promise("notice", "at most one pending time-out is reported at a time", "logic"),
        "a restored packet has pending outputs, LOCAL not among them": simulated(PUT_BACK),
        "packets are restored only into a halted router": promise("local", "packets are restored only into a halted router", "logic"),
    },
    "rdt_link_io": {
        "REQ is 3 in Sync and 0 in Zero and Ann": promise("output_unit", "REQ is 3 in Sync and 0 in Zero and Ann"),
        "REQ[1] is set only in the own transfer": simulated("line machine and output unit agree on whose transfer it is"),
        "the link does not call in its own transfer": simulated("line machine and output unit agree on whose transfer it is"),
        "the credit of an existing VC is returned": promise("input_unit", "the credit of an existing VC is returned"),
        "a buffer is empty in the cycle after its credit was returned": promise("input_unit", "a buffer is empty in the cycle after its credit was returned"),
    },
    "rdt_local": {
        "a grant was offered": promise("arbiter", "an output that is offered and requested is granted", "logic"),
        "a packet arrives from one input": promise("arbiter", "a column of the crossbar has at most one source"),
        "the injector grants only requests": promise("inject", "LOCAL is granted only its requests", "logic"),
    } | dict.fromkeys((
        "a packet arrives from the cycle after its grant", "a packet has at most sixteen flits", "a packet has at least three flits",
        "a packet with an error has three flits, a SETUP more", "a SHOT without a packet has three flits"), simulated(PASS)),
    "rdt_local_fsm": dict.fromkeys((
        "the injector grants only requests", "a packet has at most sixteen flits", "the end of a SHOT packet is the end of a packet",
        "packets that LOCAL generates have the length of their kind"), proof("local")),
    "rdt_output_unit": {
        "the line is offered only while the link is up": promise("link_io", "a line is offered only while the link is up", "logic"),
        "the link is up unless it went down in the previous cycle": promise("link_io", "the link is up unless it went down in the previous cycle"),
        "a link that is up announces no buffers": promise("link_io", "a link that is up announces no buffers"),
        "a link that goes down calls, and a link that calls is down": promise("link_io", "a link that goes down calls, and a link that calls is down", "logic"),
        "an announcement ends with a call or with the link up": promise("link_io", "an announcement ends with a call or with the link up"),
        "a node is on at most one rank": ONE_RANK,
        "a grant was offered": promise("arbiter", "an output that is offered and requested is granted", "logic"),
    } | dict.fromkeys((
        "a stream begins after the previous one has ended", "the first code is a VC", "the first code of a LOCAL packet is a VC of the output",
        "no packet is shorter than three flits", "the last two codes end a packet", "codes within a packet are 0 to 2"), simulated(PASS)),
    "rdt_regs": {"a write names a writable register": proof("local")},
    "rdt_shot": dict.fromkeys((
        "at most one dump ends at a time", "the scan does not advance while a dump ends", "a dump that ends was started", "LOCAL is in exactly one state",
        "a dumped packet belongs to a buffer"), proof("local")),
    "rdt_tick": {"the period changes only by a write": proof("regs")},
}


def stated(folder, kinds):
    """{block: texts} of the statements of the blocks."""
    found = {}
    for file in sorted((folder / "rtl").glob("*.svh")):
        found[file.stem] = re.findall(rf'`RDT_(?:{kinds})\("([^"]*)"', file.read_text())
    return found


def cycle_of(edges):
    """A cycle of the graph {from: set of to}, or None."""
    def visit(node, path):
        if node in path:
            return path[path.index(node):] + [node]
        return next(filter(None, (visit(n, path + [node]) for n in sorted(edges.get(node, ())))), None)

    return next(filter(None, (visit(node, []) for node in sorted(edges))), None)


def faults(folder=ROOT, rows=None, proofs=None):
    """The errors of the table, one line each."""
    rows = ROWS if rows is None else rows
    proofs = properties.PROOFS if proofs is None else proofs
    relies, promises, given = stated(folder, "RELY"), stated(folder, "PROMISE|GIVEN"), stated(folder, "GIVEN")
    by_name = {p["name"]: p for p in proofs}
    proven = {block for p in proofs for block in p.get("promises", [])}
    wrong = [f"{block}: no row for what it relies on: {text}" for block, texts in relies.items() for text in texts
             if text not in rows.get(block, {})]
    edges: dict = {}
    for block, of_block in rows.items():
        for text, row in of_block.items():
            where = f"{block}: {text}"
            if text not in relies.get(block, []):
                wrong.append(f"{where}: the RTL relies on no such thing")
            elif row[0] == "proof" and block not in by_name.get(row[1], {}).get("checks", []):
                wrong.append(f"{where}: proof {row[1]} does not assert it")
            elif row[0] == "promise" and row[2] not in promises.get(row[1], []):
                wrong.append(f"{where}: {row[1]} does not promise: {row[2]}")
            elif row[0] == "promise" and row[1] not in proven:
                wrong.append(f"{where}: no proof has the promises of {row[1]}")
            elif row[0] == "promise" and row[3] == "logic" and row[2] in given.get(row[1], []):
                edges.setdefault(block, set()).add(row[1])
    cycle = cycle_of(edges)
    if cycle:
        wrong.append(f"promises of one cycle rest on each other: {' -> '.join(cycle)}")
    return wrong


def main():
    wrong = faults()
    for line in wrong:
        print(f"relies: {line}", file=sys.stderr)
    kinds = [row[0] for of_block in ROWS.values() for row in of_block.values()]
    print(f"{len(kinds)} RELYs: " + ", ".join(f"{kinds.count(k)} {k}" for k in ("proof", "promise", "wiring", "simulated")))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
