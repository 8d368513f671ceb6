# SPDX-License-Identifier: MIT
"""What one gate of a chip can change, for ABC: does another gate in its place matter?"""
import subprocess

from synth.flow import Failure


class Cones:
    """What is between the registers, as far as one gate can change it: for ABC."""

    def __init__(self, graph):
        self.graph = graph
        self.driver = {g.output: i for i, g in enumerate(graph.gates)}
        self.takers = {}
        for i, g in enumerate(graph.gates):
            for net in g.inputs:
                self.takers.setdefault(net, []).append(i)
        self.ends = {net for way, bits in graph.ports.values() if way == "output" for net in bits}
        self.ends.update(f.data for f in graph.flops)

    def of(self, gate):
        """(gates in order, nets at their end) of everything that the ends behind a gate depend on."""
        behind, todo = set(), [gate]
        while todo:
            i = todo.pop()
            if i not in behind:
                behind.add(i)
                todo += self.takers.get(self.graph.gates[i].output, [])
        ends = sorted(i for i in behind if self.graph.gates[i].output in self.ends)
        needed, todo = set(), list(ends)
        while todo:
            i = todo.pop()
            if i not in needed:
                needed.add(i)
                todo += [self.driver[n] for n in self.graph.gates[i].inputs if n in self.driver]
        return sorted(needed), [self.graph.gates[i].output for i in ends]

    def write(self, path, cone, gate=None, table=None):
        """As BLIF; the gate may be another one."""
        gates, ends = cone
        nets = {"0": "zero", "1": "one"}

        def n(net):
            return nets.setdefault(net, f"n{len(nets)}")

        made = {self.graph.gates[i].output for i in gates}
        text = [".names zero", ".names one", "1"]
        for i in gates:
            g = self.graph.gates[i]
            rows, everything = table if i == gate else g.table, (1 << (1 << len(g.inputs))) - 1
            names = [n(net) for net in [*g.inputs, g.output]]
            if rows in (0, everything):  # ABC takes no constant with inputs
                text += [f".names {names[-1]}"] + ["1"] * (rows != 0)
                continue
            text.append(".names " + " ".join(names))
            text += [f"{row:0{len(g.inputs)}b}"[::-1] + " 1" for row in range(1 << len(g.inputs)) if rows >> row & 1]
        inputs = [name for net, name in nets.items() if net not in made and net not in ("0", "1")]
        path.write_text("\n".join([".model chip", ".inputs " + " ".join(inputs),
                                   ".outputs " + " ".join(map(n, ends)), *text, ".end", ""]))

    def harmless(self, gate, table, directory, name):
        """Whether a gate may have another table: proven that no register and no pin ever gets another value.
        False: some may."""
        sound, other = directory / f"{name}.sound.blif", directory / f"{name}.blif"
        cone = self.of(gate)
        self.write(sound, cone)
        self.write(other, cone, gate, table)
        done = subprocess.run(["berkeley-abc", "-q", f"cec -n {sound} {other}"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        sound.unlink()
        other.unlink()
        if "equivalent" not in done.stdout.lower():
            raise Failure(f"ABC says nothing about {name}: {done.stdout.strip()[-200:]}")
        return "are equivalent" in done.stdout.lower()
