# SPDX-License-Identifier: MIT
"""Proofs that a mutant is no mistake.

A mutant is equivalent to the unchanged router if its output pins always match, for all inputs. Most
equivalent mutants leave every register unchanged in all reachable states; some change registers
that are not read then. The simulation has seen which ones these are (hidden registers,
tb/mutate/wide_gates.h). The property is about the unchanged router with a second copy of these
registers and of the gates behind them: no other register and no pin ever gets another value. Then
that is so for ever. It is tried from all states: no register has a known value
  near     of the states that few registers can reach, all others free to do what they like: those of both
           ends of the port and which buffer is presented, or the states of LOCAL
  block    of those of the block, in the same way
  around   of those of the port, or of the blocks outside ports
  source   of those of an output unit and of the input that it sends from, for each input (mutate/source.py),
           if there is patience for it
  chip     of those of all but the RAMs, in the same way

Each time the question is first whether anything leaves the blocks in question at all: that is more than is
needed, but of few gates.

All registers hold anything in the first cycle, which is one of reset, and any number of others may
follow; those that no reset sets hold anything after it, too. ABC decides it by unbounded PDR.
"""
import os
import re
import resource
import subprocess

from . import abc_program
from .source import Source

BLOCK = re.compile(r"^(?:\$flatten\\)?((?:gen_port\[\d+\]\.)?\\?u_[a-z_]+)")
RAM = re.compile(r"\.mem_q\[")


class Prover:
    # With the seconds of CPU time that each may take.
    STAGES = (("all", 5), ("near", 5), ("block", 5), ("around", 10))
    LAST = (("source", 40), ("chip", 20))

    # Gates that a cut is behind the border of a block: some that belong to it have names of the next.
    BORDER = 2
    FEW = 8  # registers

    def __init__(self, graph, work, quick=False, patience=1):
        self.graph, self.work = graph, work
        stages = self.STAGES[:1] if quick else (*self.STAGES, *self.LAST) if patience > 1 else self.STAGES
        self.stages = [(stage, patience * seconds) for stage, seconds in stages]
        self.driver = {g.output: i for i, g in enumerate(graph.gates)}
        self.flop = {f.output: f for f in graph.flops}
        self.takers = {}
        for i, g in enumerate(graph.gates):
            for net in g.inputs:
                self.takers.setdefault(net, []).append(i)
        self.pins = {net for way, bits in graph.ports.values() if way == "output" for net in bits}
        self.taken_by = {}
        for f in graph.flops:
            self.taken_by.setdefault(f.data, set()).add(f.output)
        self.reset_ends = self.constant_in_reset() & ({f.data for f in graph.flops} | self.pins)
        self.blocks = {}
        self.source = Source(self)

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

    def behind(self, gate, nets, homes):
        """Gates that a gate and these nets can change within a cycle, in order; of these blocks, if there are any,
        and the first ones outside."""
        found, todo = {}, [(i, 0) for i in (gate, *(i for net in nets for i in self.takers.get(net, [])))]
        while todo:
            i, steps = todo.pop()
            if homes and self.block(i) not in homes:
                steps += 1
            if steps <= self.BORDER and steps < found.get(i, self.BORDER + 1):
                found[i] = steps
                todo += [(j, steps) for j in self.takers.get(self.graph.gates[i].output, [])]
        return sorted(found)

    def fed(self, mutant):
        """The registers that the gate may reach in a cycle, if it is few of them and nothing else."""
        nets = {self.graph.gates[i].output for i in self.behind(mutant.gate, (), ())}
        registers = {f for net in nets for f in self.taken_by.get(net, ())}
        return frozenset() if nets & self.pins or len(registers) > self.FEW else frozenset(registers)

    def support(self, nets):
        """(gates in order, registers) that nets depend on within a cycle."""
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
        """The block that a gate is in. If its name does not contain it, the nearest gate or
        register whose name does."""
        if gate not in self.blocks:
            self.blocks[gate] = self.nearest_block(gate)
        return self.blocks[gate]

    def nearest_block(self, gate):
        todo, seen = [gate], {gate}
        for i in todo:
            g = self.graph.gates[i]
            registers = [*self.taken_by.get(g.output, ()), *(n for n in g.inputs if n in self.flop)]
            for name in [g.name, *sorted(self.flop[f].name for f in registers)]:
                found = BLOCK.match(name)
                if found:
                    return found[1].replace("\\", "") + "."
            around = [self.driver[n] for n in g.inputs if n in self.driver]
            for j in [*self.takers.get(g.output, []), *around]:
                if j not in seen:
                    seen.add(j)
                    todo.append(j)
        return "u_"

    @staticmethod
    def near(home):
        """Prefixes of names of the registers that constrain the inputs of a block most."""
        if home.startswith("gen_port"):
            port = home[:home.index(".") + 1]
            return tuple(port + name for name in ("u_link_io.", "u_output_unit.", "u_input_unit.sel_q", "u_input_unit.pkt_q"))
        return ("u_local.u_fsm.", "u_local.u_setup.", "u_local.u_shot.")

    def around(self, home):
        """Prefixes of names of the blocks around a block, and its own."""
        if home.startswith("gen_port"):
            return (home[:home.index(".") + 1], "u_local.u_shot.", "u_local.u_fsm.")
        return ("u_local.", "u_ack.", "u_inject.", "u_arbiter.", "gen_port[8].")

    def model(self, mutant, stage, twice, cut):
        """BLIF of the property, with these registers twice; None if there is nothing to be known. With a cut
        of what leaves the block instead of what registers and pins get, which is more than is needed."""
        homes = {self.block(mutant.gate)}
        for net in twice:
            found = BLOCK.match(self.flop[net].name)
            homes.add(found[1].replace("\\", "") + "." if found else "u_")
        known = {"all": (), "near": tuple(p for home in homes for p in self.near(home)), "block": tuple(homes),
                 "around": tuple(p for home in homes for p in self.around(home)), "chip": ("",)}[stage]
        text, kept = self.describe(mutant, twice, lambda name: name.startswith(known) and not RAM.search(name),
                                   homes=homes if cut else ())
        return text if kept or stage == "all" else None

    def describe(self, mutant, twice, keep, when=(), never=(), homes=()):
        """BLIF of the property, and the registers that are real in it: those that `keep` selects by
        name, if it depends on them. In cycles in which one of the states `when` holds, if there are
        any, and none of those that `never` do has held: they give values to nets. Without a mutant:
        `when` does not hold itself, while `never` has not in any cycle before."""
        doubled = self.behind(mutant.gate, twice, homes) if mutant else []
        outputs = {self.graph.gates[i].output for i in doubled} | set(twice)
        # The input of a duplicated register may differ, unless another register has it, too.
        inside = set(doubled)
        ends = [net for net in outputs if net in self.pins or self.taken_by.get(net, set()) - set(twice)
                or not inside.issuperset(self.takers.get(net, ()))]
        gates, flops = self.support([*ends, *(n for i in doubled for n in self.graph.gates[i].inputs),
                                     *(self.flop[f].data for f in twice),
                                     *(n for state in (*when, *never) for n in state)])
        kept, fresh = set(), flops | set(twice)
        while fresh:  # all that these depend on, too
            fresh = {f for f in fresh if f in twice or keep(self.flop[f].name)} - kept
            kept |= fresh
            more, fresh = self.support([self.flop[f].data for f in fresh])
            gates |= more
        return self.write(mutant, doubled, outputs, ends, sorted(gates), kept, twice, when, never), kept

    def write(self, mutant, doubled, outputs, ends, gates, kept, twice, when, never):
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
            text += [".latch one on re clk 0", ".latch on ran re clk 0", f".names on rst {n(reset)}", "11 1"]
            inputs.append("rst")
            driven.add(reset)

        def latch(data, name, known, free):  # known ? what was taken : anything
            inputs.extend([free] if free not in inputs else [])
            return [f".latch {data} {name}q re clk 0", f".names {known} {name}q {free} {name}", "11- 1", "0-1 1"]

        for net in sorted(kept):
            data = self.flop[net].data
            known = "on" if data in self.reset_ends else "ran"
            text += latch(n(data), n(net), known, f"{n(net)}f")
            if net in twice:
                text += latch(other(data), other(net), known, f"{n(net)}f" if known == "on" else f"{n(net)}g")
        for k, e in enumerate(ends):
            if not kept or e in self.reset_ends:
                text += [f".names {n(e)} {other(e)} d{k}", "10 1", "01 1"]
            else:
                text += [f".names on {n(e)} {other(e)} d{k}", "110 1", "101 1"]
        def any_of(some, name):  # in a tree: a gate of thousands of inputs has a table of megabytes
            while len(some) > 1:
                groups, some = [some[i:i + 16] for i in range(0, len(some), 16)], []
                for few in groups:
                    some.append(few[0] + "o")
                    text.extend([f".names {' '.join(few)} {some[-1]}",
                                 *("-" * k + "1" + "-" * (len(few) - k - 1) + " 1" for k in range(len(few)))])
            text.extend([f".names {some[0]} {name}", "1 1"])

        def state(values, name):
            text.extend([f".names {' '.join(map(n, values))} {name}", "".join(map(str, values.values())) + " 1"])
            return name

        any_of([f"d{k}" for k in range(len(ends))] or ["zero"] if mutant else ["on"], "ends")
        any_of([state(s, f"s{k}") for k, s in enumerate(when)] or ["one"], "now")
        any_of([state(s, f"t{k}") for k, s in enumerate(never)] or ["zero"], "broken")
        if never:
            text += [".names on broken before after", "11- 1", "--1 1", ".latch after before re clk 0"]
        limit = "zero" if not never else "after" if mutant else "before"
        text += [f".names ends now {limit} differ", "110 1"]
        inputs += [name for net, name in names.items() if net not in driven]
        return "\n".join([".model chip", ".inputs " + " ".join(inputs), ".outputs differ", *text, ".end", ""])

    def decide(self, mutant, twice=frozenset(), only=""):
        """The stage at which it is proven to be no mistake; None if it is not proven. Results of one stage or all."""
        for stage, seconds in self.stages:
            if only not in ("", stage):
                continue
            if stage == "source":
                proven = self.source.decide(mutant, twice, seconds)
            else:
                proven = self.asked(mutant, stage, twice, seconds)
            if proven:
                return stage
        return None

    def asked(self, mutant, stage, twice, seconds):
        """Whether it is proven at a stage. With a cut first; nearby registers that may differ, last."""
        def ask(differ, cut):
            text = self.model(mutant, stage, differ, cut)
            return self.holds(text, f"{mutant.gate}.{mutant.table}.{stage}", seconds) if text else None

        proven = ask(twice, True)
        if proven is False:
            proven = ask(twice, False)
        fed = self.fed(mutant)
        return proven or bool(fed - twice) and ask(twice | fed, True)

    def holds(self, text, name, seconds):
        """Whether ABC proves it; None if it comes to no end."""
        path = self.work / f"{name}.{os.getpid()}.blif"
        path.write_text(text)
        # Rewritten first (dc2): most of it is there twice, and PDR does not see that by itself.
        # CPU time, so that the proofs do not depend on the load of the machine.
        left = path.with_suffix(".aig")
        said = subprocess.run([abc_program.program(), "-q", f"read_blif {path}; strash; dc2; write_aiger {left}; pdr"],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))).stdout
        path.unlink()
        is_zero = abc_program.is_constant_zero(left)
        left.unlink(missing_ok=True)
        return True if is_zero or "Property proved" in said else False if "was asserted" in said else None
