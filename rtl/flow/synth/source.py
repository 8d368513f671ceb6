# SPDX-License-Identifier: MIT
"""Stage "source" of the proofs in mutate/equal.py: an output unit, by the input that it sends from.

The inputs of an output unit depend on the header in the buffer, on how it came there and on the
pass that reads it. That is small for one input and too much for ten. So there is a proof for each
input that the crossbar may have selected for this output, and one for none of them; no other case
is left. Real are the registers by which a packet finds its way through that input, kind and length
of the packets in its RAMs, the output unit, its selection, and those of LOCAL, which puts packets
back. Others do what they like.

They may rely on these facts about the unchanged router, where a state is one cycle's values of some nets:

  empty   no buffer holds a packet that has nowhere to go
  own     LOCAL does not have a packet dumped that is for itself
  wrap    no pass is of a packet of length 0, so that it would run on into the next
  put     no such packet comes to LOCAL to be put back, unless with an error

Each is proven in the same way, from the others in the cycles before; so all of them hold in every cycle, or none
is used.
"""
import re

PORTS, LOCAL = 10, 10
MBP0 = 8  # the port through which LOCAL gets what it puts back
UNIT = re.compile(r"^gen_port\[(\d)\]\.u_output_unit\.$")

# All names are those of registers but for the few that `Source` looks up, since they alone keep them.
LINK = r"u_link_io\.(?:rx_(?:valid|first|last|second|vc)|st|mine|tail)_q"
SLOT = r"u_input_unit\.(?:sel_q|rsv_q|want_q|pkt_q|gen_slot.*pend_q|u_arrival)"
PASS = r"u_input_unit\.u_read_pass"
ROUTE = r"u_input_unit\.u_bitmap_gen\.u_(?:bitmap|route)\."
PLAN = (r"u_input_unit\.u_bitmap_gen\.(?:rd_plan_q|gen_plan.*(?:k|mc)_q|"
        r"u_route\.(?:mc|len|shot|type|short|uni|setup)_q)")


def head(bits):
    """Copies of H0."""
    return rf"(?:u_link_io\.rx_d_q|u_input_unit\.(?:flit_q|u_bitmap_gen\.h0_q|.*\.mem_q\[0\]))\[{bits}\]$"


KIND = head("1[4-6]")
LENGTH = head("1[0-3]")
PUT = r"u_local\.(?:u_fsm\.(?:st|ridx)_q|e_q|h[12]_q|code_q)"
SHOT = r"u_local\.(?:u_fsm\.(?:st|kind|ridx)_q|u_shot\.)"
TO_LOCAL = r"u_arbiter\.xsel_q\[10\d\]|gen_port.*\.want_q\[10\]"


class Source:
    def __init__(self, prover):
        self.prover = prover
        self.net = {cell.name: cell.output for cell in (*prover.graph.gates, *prover.graph.flops)}
        self.sure = None  # the facts are proven; None: not tried yet

    def bits(self, name, value, which):
        return {self.net[f"{name}[{bit}]"]: value >> k & 1 for k, bit in enumerate(which)}

    def taken(self, name):
        """The net that a register takes, or leaves."""
        flop = self.prover.flop[self.net[name]]
        first, second, _ = self.prover.graph.gates[self.prover.driver[flop.data]].inputs
        return second if first == flop.output else first

    def slots(self, port):
        """(name of the outputs it has to go to, nets for "holds a packet" and "LOCAL reads it") of each buffer."""
        unit, vcs = f"gen_port[{port}].u_input_unit.", 3 if port < 2 else 2 if port < MBP0 else 1
        for v, bit in enumerate([f"[{v}]" for v in range(vcs)] if vcs > 1 else [""]):
            yield (f"{unit}gen_slot[{v}].u_slot.pend_q", self.net[f"{unit}pkt_q{bit}"],
                   self.net[f"{unit}u_bitmap_gen.look_i{bit}"])

    def empty(self, port):
        return [{held: 1, **self.bits(pend, 0, range(LOCAL + 1))} for pend, held, _ in self.slots(port)]

    def own(self, port):
        return [{held: 1, self.net[f"{pend}[{LOCAL}]"]: 1, look: 1,
                 **self.bits("u_local.u_fsm.st_q", 4, range(3))} for pend, held, look in self.slots(port)]

    def wrap(self, port):
        read = f"gen_port[{port}].u_input_unit.u_read_pass."
        return [{self.net[read + "rd_busy_q"]: 1, **self.bits(read + "rd_idx_q", 1, range(4)),
                 **self.bits(read + "rd_left_q", 15, range(4))}]

    def put(self):
        return [{**self.bits("u_local.u_fsm.st_q", 6, range(3)), **self.bits("u_local.u_fsm.ridx_q", 0, range(4)),
                 **self.bits(f"gen_port[{MBP0}].u_input_unit.rd_err_o", 0, range(4)),
                 **{self.taken(f"u_local.h0_q[{bit}]"): 0 for bit in range(10, 14)}}]

    @staticmethod
    def real(port, parts, others):
        """Which registers are: these of a port, and others. A restored packet comes in at MBP 0, and may stay there."""
        if port == MBP0:
            others = [*others, PUT, SHOT, TO_LOCAL]
        return re.compile("|".join([rf"gen_port\[{port}\]\.(?:{part})" for part in parts] + others)).match

    def facts(self):
        """(name, states that never hold, what was known before, which registers are real)"""
        for port in range(PORTS):
            before, slots = self.wrap(port), [LINK, SLOT]
            yield f"empty{port}", self.empty(port), before, self.real(port, [*slots, ROUTE], [PUT])
            yield f"own{port}", self.own(port), before + self.empty(port), self.real(port, [*slots, PASS], [SHOT])
            yield (f"wrap{port}", self.wrap(port), self.put() + self.own(port),
                   self.real(port, [*slots, PASS, PLAN, LENGTH], [PUT]))
        yield ("put", self.put(), self.wrap(MBP0) + self.own(MBP0),
               self.real(MBP0, [LINK, SLOT, PASS, PLAN, LENGTH], []))

    def cases(self, output):
        """(state, what is known, which registers are real) of each."""
        selected = [self.net[f"u_arbiter.xsel_q[{PORTS * output + port}]"] for port in range(PORTS)]
        there = [rf"gen_port\[{output}\]\.u_output_unit\.", rf"u_arbiter\.xsel_q\[{output or ''}\d\]"]
        yield {net: 0 for net in selected}, [], re.compile("|".join(there)).match
        for port, net in enumerate(selected):
            yield {net: 1}, self.wrap(port), self.real(port, [LINK, SLOT, PASS, PLAN, KIND], [*there, PUT])

    def output(self, mutant):
        """The output whose unit it is in; None if it is not in one."""
        found = UNIT.match(self.prover.block(mutant.gate))
        return int(found[1]) if found else None

    def decide(self, mutant, twice, seconds):
        """Whether it is proven to be no mistake."""
        output = self.output(mutant)
        if output is None:
            return False
        try:
            cases, facts = list(self.cases(output)), list(self.facts())
        except KeyError:  # a netlist in which not all of these nets have kept their names
            return False

        def prove(name, *about):
            text, _ = self.prover.describe(*about, homes={self.prover.block(mutant.gate)})
            return self.prover.holds(text, name, seconds)

        name = f"{mutant.gate}.{mutant.table}.source"
        if not all(prove(f"{name}{k}", mutant, twice, real, [state], known) for k, (state, known, real) in enumerate(cases)):
            return False
        if self.sure is None:
            self.sure = all(prove(name, None, frozenset(), real, states, before) for name, states, before, real in facts)
        return self.sure
