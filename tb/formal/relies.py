# SPDX-License-Identifier: MIT
"""What every RELY of the RTL rests on, and the check of this table.

A proof of a block assumes its RELYs. Each has a row here, which says why it holds in the router:
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
ONE_RANK = promise("regs", "a node is on one rank at most")

ROWS = {
    "rdt_ack": {
        "who asks for an entry wants some ports": promise("input_unit", "who asks for an entry wants some ports"),
        "an answer is taken only if there is one": promise("inject", "only an ack that is there is taken", "logic"),
        "LOCAL puts back only what it looks at": promise("shot", "what is put back is looked at", "logic"),
        "LOCAL looks only at an entry there is": promise("shot", "only an entry there is", "logic"),
    },
    "rdt_ack_entry": dict.fromkeys((
        "an entry that is given was free", "an ack is sent only when there is one", "nothing happens to an entry that is put back",
        "an ack that lands was missing", "more_i tells of the others", "empty_i tells of the set",
        "put_i only with new_i; quar_i only with put_i"), proof("ack_table_7")),
    "rdt_ack_port": {"an answer comes only to who asks, and one": proof("input_unit_promises_0")},
    "rdt_arrival": {"packets are framed and without gaps": proof("input_unit_promises_0")},
    "rdt_read_pass": dict.fromkeys((
        "a grant begins no pass before the last has ended", "no pass is shorter than three flits", "there is such a VC"),
        proof("input_unit_promises_0")),
    "rdt_inject": {
        "an ack is for a port that is not busy": promise("ack", "an answer goes to a parent that may take one", "logic"),
        "LOCAL sends to one MBP": promise("local_fsm", "it is wanted where there is a credit", "logic"),
        "LOCAL sends from the clock after its grant on": promise("local", "it sends from the clock after its grant on"),
    },
    "rdt_input_unit": {
        "nothing is dropped in a halted chip": promise("local", "nothing is dropped in a halted chip", "logic"),
        "nothing is dumped or put back while the chip runs": promise("local", "nothing is dumped or put back while the chip runs", "logic"),
        "a node is on one rank at most": ONE_RANK,
        "gnt_i is a part of want_o": promise("arbiter", "only what is wanted is granted", "logic"),
        "packets are framed and without gaps": promise("link_io", "flits are framed by first and last"),
        "and on one VC": promise("link_io", "a packet is on one VC"),
        "only MBP 0's port is kept or raw": wiring("rdt_router ties keep_i, free_i and raw_i of the other ports to 0"),
        "a packet is put only into an empty buffer": simulated(PUT_BACK),
        "and is there with its last flit": promise("local", "what is put back is there with its last flit", "logic"),
        "and not while the header of the one before is read": simulated(PUT_BACK),
        "and not while one comes in; but that of MBP 0 itself may still be, or one that is dropped": simulated(PUT_BACK),
        "one buffer is looked at": promise("shot", "one buffer is looked at", "logic"),
        "what is put back has three flits": simulated(PUT_BACK),
        "only a packet that is there and not for LOCAL is dumped": simulated(PUT_BACK),
        "a dump waits until it is granted": simulated(PUT_BACK),
        "entries and RETRY only for who asks": promise("inject", "a RETRY answers one that asks and is given no entry", "logic"),
        "a time-out is told only if there is one": promise("notice", "one time-out is told at a time, of one that is there", "logic"),
        "a packet that is put back has to go somewhere and not to LOCAL": simulated(PUT_BACK),
        "packets are put back into a halted chip": promise("local", "packets are put back into a halted chip", "logic"),
    },
    "rdt_link_io": {
        "3 is shown in Sync and 0 in Zero and Ann": promise("output_unit", "3 is shown in Sync and 0 in Zero and Ann"),
        "REQ[1] belongs to the own transfer": simulated("line machine and output unit agree on whose transfer it is"),
        "no call in the own transfer": simulated("line machine and output unit agree on whose transfer it is"),
        "a credit is given back for a VC there is": promise("input_unit", "a credit is given back for a VC there is"),
        "a buffer is empty in the clock after it was given back": promise("input_unit", "a buffer is empty in the clock after it was given back"),
    },
    "rdt_local": {
        "what is granted was offered": promise("arbiter", "an output that is offered and wanted is granted", "logic"),
        "from one input": promise("arbiter", "a column of the crossbar has one source"),
        "the injector grants what is wanted": promise("inject", "LOCAL is granted what it wants", "logic"),
    } | dict.fromkeys((
        "a packet comes from the clock after its grant on", "it has at most sixteen flits", "and at least three",
        "one with an error has three; a SETUP more", "a SHOT without one has three"), simulated(PASS)),
    "rdt_local_fsm": dict.fromkeys((
        "the injector grants what is wanted", "a packet has at most sixteen flits", "the end of a SHOT packet is an end",
        "its own packets have as many flits as their kind says"), proof("local")),
    "rdt_output_unit": {
        "the line is offered only while the link is up": promise("link_io", "a line is offered only while the link is up", "logic"),
        "the link is up if it was not to be down": promise("link_io", "the link is up if it was not to be down"),
        "and does not announce then": promise("link_io", "and does not announce then"),
        "a link that goes down calls; who calls is down": promise("link_io", "a link that goes down calls; who calls is down", "logic"),
        "what is announced ends with a call or up": promise("link_io", "what is announced ends with a call or up"),
        "a node is on one rank at most": ONE_RANK,
        "what is granted was offered": promise("arbiter", "an output that is offered and wanted is granted", "logic"),
    } | dict.fromkeys((
        "a stream begins when the one before has ended", "the first code is a VC", "of the output, if it is LOCAL's",
        "no packet is shorter than three flits", "two flits end a packet", "no code but 0 to 2 in a packet"), simulated(PASS)),
    "rdt_regs": {"a write names a register that can be written": simulated("rdt_setup decodes the address: inside LOCAL")},
    "rdt_shot": dict.fromkeys((
        "one thing ends at a time", "nothing steps while something ends", "what ends was dumped", "LOCAL is in one state",
        "a buffer's packet"), simulated("rdt_local_fsm has one state at a time: inside LOCAL")),
    "rdt_tick": {"the period changes only by a write": proof("regs")},
}


def stated(folder, kinds):
    """{block: texts} of what the blocks state."""
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
    """What is wrong with the table, a line each."""
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
