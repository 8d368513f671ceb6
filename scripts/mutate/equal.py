# SPDX-License-Identifier: MIT
"""Proofs that a mutant is no mistake.

A mutant is the sound chip if in no state that can be reached, with whatever at the pins, any register
or pin gets another value from the changed gate: then both are in the same state for ever. That is one
property of the sound chip alone, which has the gates behind the changed one a second time. First it is
asked of all states (no register is known to hold anything); then of those that the registers of the
block can reach, and then those of the blocks around it, with all that is farther away free to do what
it likes. All registers hold anything in the first clock, which is one of reset, and any number of
others may follow; in that first clock only those registers have to get the same that a reset sets.
ABC decides it: PDR, without a bound.
"""
import re
import subprocess

BLOCK = re.compile(r"^(?:\$flatten\\)?((?:gen_port\[\d+\]\.)?\\?u_[a-z_]+)")
RAM = re.compile(r"\.mem_q\[")


class Prover:
    # Registers: none, those of the block, those up to so many steps away; seconds.
    STAGES = ((0, 10), (1, 10), (2, 30))

    def __init__(self, graph, work):
        self.graph, self.work = graph, work
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

    def model(self, mutant, stage):
        """BLIF of the property; None if there are no more registers than at the stage before."""
        doubled = self.behind(mutant.gate)
        outputs = {self.graph.gates[i].output for i in doubled}
        ends = [net for net in outputs if net in self.ends]
        gates, flops = self.support([*ends, *(n for i in doubled for n in self.graph.gates[i].inputs)])
        home = self.block(mutant.gate)
        kept, fresh = set(), set()
        if stage == 1:
            todo = {f for f in flops if self.flop[f].name.startswith(home)}
            while todo:  # all of the block that these depend on
                kept |= todo
                more = self.support([self.flop[f].data for f in todo])
                gates |= more[0]
                todo = {f for f in more[1] if self.flop[f].name.startswith(home)
                        and not RAM.search(self.flop[f].name)} - kept
        elif stage > 1:
            fresh = {f for f in flops if not RAM.search(self.flop[f].name)}
            for _ in range(stage):
                kept |= fresh
                more = self.support([self.flop[f].data for f in fresh])
                gates |= more[0]
                fresh = {f for f in more[1] if not RAM.search(self.flop[f].name)} - kept
        if stage and not kept:
            return None
        return self.write(mutant, doubled, outputs, ends, sorted(gates), kept)

    def write(self, mutant, doubled, outputs, ends, gates, kept):
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
        for k, e in enumerate(ends):
            if not kept or e in self.reset_ends:
                text += [f".names {n(e)} {other(e)} d{k}", "10 1", "01 1"]
            else:
                text += [f".names on {n(e)} {other(e)} d{k}", "110 1", "101 1"]
        text += [".names " + " ".join(f"d{k}" for k in range(len(ends))) + " differ",
                 *("-" * k + "1" + "-" * (len(ends) - k - 1) + " 1" for k in range(len(ends)))]
        inputs += [name for net, name in names.items() if net not in driven]
        return "\n".join([".model chip", ".inputs " + " ".join(inputs), ".outputs differ", *text, ".end", ""])

    def decide(self, mutant):
        """The stage at which it is proven to be no mistake; None if it is not proven."""
        for stage, seconds in self.STAGES:
            text = self.model(mutant, stage)
            if text is None:
                continue
            path = self.work / f"{mutant.number}.{stage}.blif"
            path.write_text(text)
            how = f"pdr -T {seconds}"
            try:
                said = subprocess.run(["berkeley-abc", "-q", f"read_blif {path}; strash; {how}"], text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=2 * seconds + 30).stdout
            except subprocess.TimeoutExpired:
                said = ""
            path.unlink()
            if "Property proved" in said:
                return stage
        return None
