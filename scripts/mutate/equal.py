# SPDX-License-Identifier: MIT
"""Proofs that a mutant is no mistake.

A mutant is the sound chip if in no state that can be reached, with whatever at the pins, any register
or pin gets another value from the changed gate: then both are in the same state for ever. That is one
property of the sound chip alone, which has the gates behind the changed one a second time. It is asked

  all      of all states: no register is known to hold anything
  block    of the states that the registers of the block can reach, all others free to do what they like
  around   of those of the port, or of what is no port, in the same way

and at last (twin) the block stands there twice, sound and changed, with registers of their own: what
goes out of it is always the same, whatever comes in, though a register may hold something else that
nobody looks at. All registers hold anything in the first clock, which is one of reset, and any number
of others may follow; in that first clock only those registers have to get the same that a reset sets.
ABC decides it: PDR, without a bound.
"""
import os
import re
import subprocess

BLOCK = re.compile(r"^(?:\$flatten\\)?((?:gen_port\[\d+\]\.)?\\?u_[a-z_]+)")
RAM = re.compile(r"\.mem_q\[")


class Prover:
    # With the seconds that it may take.
    STAGES = (("all", 5), ("block", 5), ("around", 10), ("twin", 10))

    def __init__(self, graph, work, quick=False):
        self.graph, self.work = graph, work
        self.stages = (("all", 5), ("block", 5)) if quick else self.STAGES
        self.driver = {g.output: i for i, g in enumerate(graph.gates)}
        self.flop = {f.output: f for f in graph.flops}
        self.takers = {}
        for i, g in enumerate(graph.gates):
            for net in g.inputs:
                self.takers.setdefault(net, []).append(i)
        self.ends = {net for way, bits in graph.ports.values() if way == "output" for net in bits}
        self.ends.update(f.data for f in graph.flops)
        self.reset_ends = self.constant_in_reset() & {f.data for f in graph.flops}

    def constant_in_reset(self):
        """Nets that have one value while rst_ni is 0, whatever all registers and pins are."""
        value = {"0": 0, "1": 1, self.graph.ports["rst_ni"][1][0]: 0}
        for g in self.graph.gates:
            rows = [0]
            for k, net in enumerate(g.inputs):
                known = value.get(net)
                rows = [r | bit << k for r in rows for bit in ((0, 1) if known is None else (known,))]
            results = {g.table >> r & 1 for r in rows}
            if len(results) == 1:
                value[g.output] = results.pop()
        return set(value)

    def behind(self, gate):
        """Gates that a gate can change within a clock, itself first among them, in order."""
        found, todo = set(), [gate]
        while todo:
            i = todo.pop()
            if i not in found:
                found.add(i)
                todo += self.takers.get(self.graph.gates[i].output, [])
        return sorted(found)

    def support(self, nets):
        """(gates in order, registers) that nets depend on within a clock."""
        gates, flops, seen, todo = set(), set(), set(), list(nets)
        while todo:
            net = todo.pop()
            if net in seen:
                continue
            seen.add(net)
            if net in self.driver:
                gates.add(self.driver[net])
                todo += self.graph.gates[self.driver[net]].inputs
            elif net in self.flop:
                flops.add(net)
        return gates, flops

    def block(self, gate):
        """The block that a gate is in. If it has no name that says so, the nearest one that has."""
        todo, seen = [gate], {gate}
        for i in todo:
            found = BLOCK.match(self.graph.gates[i].name)
            if found:
                return found[1].replace("\\", "") + "."
            around = [self.driver[n] for n in self.graph.gates[i].inputs if n in self.driver]
            for j in [*self.takers.get(self.graph.gates[i].output, []), *around]:
                if j not in seen:
                    seen.add(j)
                    todo.append(j)
        return "u_"

    def around(self, home):
        """Prefixes of names of the blocks around a block, and its own."""
        if home.startswith("gen_port"):
            return (home[:home.index(".") + 1], "u_local.u_shot.", "u_local.u_fsm.")
        return ("u_local.", "u_ack.", "u_inject.", "u_arbiter.", "gen_port[8].")

    def model(self, mutant, stage):
        """BLIF of the property; None if there is nothing to be known."""
        home = self.block(mutant.gate)
        if stage == "twin":
            return self.twins(mutant, home)
        doubled = self.behind(mutant.gate)
        outputs = {self.graph.gates[i].output for i in doubled}
        ends = [net for net in outputs if net in self.ends]
        gates, flops = self.support([*ends, *(n for i in doubled for n in self.graph.gates[i].inputs)])
        known = {"all": (), "block": (home,), "around": self.around(home)}[stage]
        kept, fresh = set(), flops
        while fresh and known:  # all that these depend on, too
            fresh = {f for f in fresh if self.flop[f].name.startswith(known)
                     and not RAM.search(self.flop[f].name)} - kept
            kept |= fresh
            more, fresh = self.support([self.flop[f].data for f in fresh])
            gates |= more
        if known and not kept:
            return None
        return self.write(mutant, doubled, outputs, ends, sorted(gates), kept)

    def twins(self, mutant, home):
        """The block twice. What is in it goes by the names; a gate without one is in none, and what it
        gets has to be the same."""
        def is_in(name):
            found = BLOCK.match(name)
            return found is not None and found[1].replace("\\", "") + "." == home
        inside = {i for i, g in enumerate(self.graph.gates) if is_in(g.name)} | {mutant.gate}
        flops = {net for net, f in self.flop.items() if f.name.startswith(home) and not RAM.search(f.name)}
        made = {self.graph.gates[i].output for i in inside} | flops
        if not flops:
            return None
        takers = {net for i, g in enumerate(self.graph.gates) if i not in inside for net in g.inputs}
        takers.update(f.data for net, f in self.flop.items() if net not in flops)
        takers.update(net for way, bits in self.graph.ports.values() if way == "output" for net in bits)
        ends = sorted(made & takers)
        return self.write(mutant, sorted(inside), made, ends, sorted(inside), flops, twin=True)

    def write(self, mutant, doubled, outputs, ends, gates, kept, twin=False):
        names = {"0": "zero", "1": "one"}
        driven = {self.graph.gates[i].output for i in gates} | kept | {"0", "1"}
        reset = self.graph.ports["rst_ni"][1][0]

        def n(net):
            return names.setdefault(net, f"n{len(names)}")

        def other(net):
            return n(net) + "m" if net in outputs else n(net)

        def rows(table, inputs, result):
            everything = (1 << (1 << len(inputs))) - 1
            if table in (0, everything):  # ABC takes no constant with inputs
                return [f".names {result}"] + ["1"] * (table != 0)
            return [f".names {' '.join(inputs)} {result}",
                    *(f"{row:0{len(inputs)}b}"[::-1] + " 1" for row in range(1 << len(inputs)) if table >> row & 1)]

        text = [".names zero", ".names one", "1"]
        for i in gates:
            g = self.graph.gates[i]
            text += rows(g.table, [n(x) for x in g.inputs], n(g.output))
        for i in doubled:
            g = self.graph.gates[i]
            text += rows(mutant.table if i == mutant.gate else g.table, [other(x) for x in g.inputs], other(g.output))
        inputs = []
        if kept:
            text += [".latch one on re clk 0", f".names on rst {n(reset)}", "11 1"]
            inputs.append("rst")
            driven.add(reset)
        for net in sorted(kept):  # on ? q : anything
            q, free = f"{n(net)}q", f"{n(net)}f"
            text += [f".latch {n(self.flop[net].data)} {q} re clk 0", f".names on {q} {free} {n(net)}", "11- 1", "0-1 1"]
            inputs.append(free)
            if twin:
                text += [f".latch {other(self.flop[net].data)} {q}m re clk 0",
                         f".names on {q}m {free} {other(net)}", "11- 1", "0-1 1"]
        for k, e in enumerate(ends):
            if not kept or (e in self.reset_ends and not twin):
                text += [f".names {n(e)} {other(e)} d{k}", "10 1", "01 1"]
            else:
                text += [f".names on {n(e)} {other(e)} d{k}", "110 1", "101 1"]
        text += [".names " + " ".join(f"d{k}" for k in range(len(ends))) + " differ",
                 *("-" * k + "1" + "-" * (len(ends) - k - 1) + " 1" for k in range(len(ends)))]
        inputs += [name for net, name in names.items() if net not in driven]
        return "\n".join([".model chip", ".inputs " + " ".join(inputs), ".outputs differ", *text, ".end", ""])

    def decide(self, mutant):
        """The stage at which it is proven to be no mistake; None if it is not proven."""
        for stage, seconds in self.stages:
            text = self.model(mutant, stage)
            if text is None:
                continue
            path = self.work / f"{mutant.gate}.{mutant.table}.{stage}.{os.getpid()}.blif"
            path.write_text(text)
            how = ("scorr; " if stage == "twin" else "") + f"pdr -T {seconds}"
            try:
                said = subprocess.run(["berkeley-abc", "-q", f"read_blif {path}; strash; {how}"], text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=2 * seconds + 30).stdout
            except subprocess.TimeoutExpired:
                said = ""
            path.unlink()
            if "Property proved" in said:
                return stage
        return None
