# SPDX-License-Identifier: MIT
"""Mapped netlists (Yosys JSON) as graphs: cells, longest path, loops, a form for simulation.

Yosys' own ltp gives 0 on library cells, so paths are followed here, cell by cell.
"""
from collections import Counter, namedtuple
from dataclasses import dataclass

# `cell` is the library's name of it, `block` the module that it is in.
Gate = namedtuple("Gate", "inputs output name table cell block", defaults=("", ""))
Flop = namedtuple("Flop", "data output name clock cell block", defaults=("", ""))


class Loop(Exception):
    """Some cells drive themselves without a flip-flop between."""


@dataclass
class Path:
    levels: int = 0
    start: str = ""
    end: str = ""


class Graph:
    """The cells of one module, or of a whole chip. Nets are "0", "1", "x" or (instance, number)."""

    def __init__(self):
        self.gates, self.flops = [], []
        self.ports = {}    # name -> (direction, nets)
        self.starts = {}   # net -> name of what drives it from outside the gates
        self.ends = []     # (net, name of what takes it)
        self._same = {}    # net -> another name of it, where a module passes an input on

    def join(self, a, b):
        a, b = self._find(a), self._find(b)
        if a != b:
            a, b = (b, a) if isinstance(a, str) else (a, b)
            self._same[a] = b

    def _find(self, net):
        while net in self._same:
            net = self._same[net]
        return net

    def close(self):
        """After the last cell: give every net one name."""
        find = self._find
        self.gates = [g._replace(inputs=[find(n) for n in g.inputs], output=find(g.output)) for g in self.gates]
        self.flops = [f._replace(data=find(f.data), output=find(f.output), clock=find(f.clock)) for f in self.flops]
        self.ports = {name: (way, [find(n) for n in nets]) for name, (way, nets) in self.ports.items()}
        self.starts = {find(n): name for n, name in self.starts.items()}
        self.ends = [(find(n), name) for n, name in self.ends]
        for f in self.flops:
            self.starts[f.output] = f.name
            self.ends.append((f.data, f.name))

    def floating(self):
        """Names of what reads a net that nothing drives, or that is undefined."""
        driven = {"0", "1"}.union(self.starts, (g.output for g in self.gates))
        takers = [(n, g.name) for g in self.gates for n in g.inputs] + self.ends
        return sorted({name for n, name in takers if n not in driven})

    def loads(self):
        """Net -> pins that it drives; the clock and constants left out."""
        takers = [n for g in self.gates for n in g.inputs] + [n for n, _ in self.ends]
        return Counter(n for n in takers if not isinstance(n, str))

    def order(self):
        """Put the gates in an order in which each comes after those it depends on."""
        driver = {g.output: i for i, g in enumerate(self.gates)}
        fanout = [[] for _ in self.gates]
        waiting = [0] * len(self.gates)
        for i, gate in enumerate(self.gates):
            for net in set(gate.inputs) & driver.keys():
                fanout[driver[net]].append(i)
                waiting[i] += 1
        ready = [i for i, n in enumerate(waiting) if n == 0]
        for i in ready:
            for j in fanout[i]:
                waiting[j] -= 1
                if waiting[j] == 0:
                    ready.append(j)
        if len(ready) != len(self.gates):
            # Backwards from any gate that was not reached one comes into the loop, and round.
            at, seen = next(i for i, n in enumerate(waiting) if n > 0), []
            while at not in seen:
                seen.append(at)
                at = next(driver[n] for n in self.gates[at].inputs if n in driver and waiting[driver[n]] > 0)
            names = sorted((self.gates[i].name for i in seen[seen.index(at):]), key=lambda n: "$" in n)
            raise Loop(f"combinational loop through {len(names)} cells, among them {', '.join(names[:4])}")
        self.gates = [self.gates[i] for i in ready]

    def longest(self):
        self.order()
        level, before = {}, {}
        for gate in self.gates:
            worst = max(gate.inputs, key=lambda net: level.get(net, 0))
            level[gate.output] = level.get(worst, 0) + 1
            before[gate.output] = worst
        net, end = max(self.ends, key=lambda e: level.get(e[0], 0))
        levels = level.get(net, 0)
        while net in before:
            net = before[net]
        return Path(levels, self.starts.get(net, "constant"), end)

    def write(self, path):
        """For rtl/flow/netlist: one line for each port, flip-flop and gate; the gates in order.
        Nets are numbers, 0 and 1 the constants; the numbers by net are returned."""
        self.order()
        number = {"0": 0, "1": 1}

        def n(net):
            return str(number.setdefault(net, len(number)))

        lines = [f"{way} {name} {len(nets)} {' '.join(map(n, nets))}" for name, (way, nets) in self.ports.items()]
        lines += [f"ff {n(f.output)} {n(f.data)}" for f in self.flops]
        lines += [f"gate {g.name} {g.table} {n(g.output)} {len(g.inputs)} {' '.join(map(n, g.inputs))}"
                  for g in self.gates]
        path.write_text("\n".join(lines) + "\n")
        return number


class _Builder:
    def __init__(self, modules, library, outside):
        self.modules, self.library, self.outside = modules, library, outside
        self.graph = Graph()
        self.cells = Counter()

    def add(self, name, at, ports):
        """The cells of one instance; `ports` maps bits of its ports to nets of the graph."""
        module = self.modules[name]
        names = self._names(module)

        def net(bit):
            return bit if isinstance(bit, str) else ports.get(bit, (at, bit))

        for cell_name, cell in module["cells"].items():
            pins = cell["connections"]
            kind = self.library.get(cell["type"])
            if cell["type"] in self.outside:
                self._boundary(at + cell_name, cell, net)
            elif kind is None:
                self._instance(f"{at}{cell_name}.", cell, net)
            else:
                self.cells[cell["type"]] += 1
                for pin, table in kind.functions.items():
                    for bit in pins.get(pin, []):
                        label = at + names.get(bit, cell_name)
                        if kind.kind == "gate":
                            inputs = [net(pins[i][0]) for i in kind.inputs]
                            self.graph.gates.append(Gate(inputs, net(bit), label, table, cell["type"], name))
                        else:
                            data, clock = net(pins[kind.data][0]), net(pins[kind.clock][0])
                            self.graph.flops.append(Flop(data, net(bit), label, clock, cell["type"], name))

    @staticmethod
    def _names(module):
        """Net -> the name a reader knows it by."""
        names = {}
        for name, net in sorted(module["netnames"].items(), key=lambda n: (n[1].get("hide_name", 0), n[0])):
            for i, bit in enumerate(net["bits"]):
                names.setdefault(bit, f"{name}[{i}]" if len(net["bits"]) > 1 else name)
        return names

    def _instance(self, at, cell, net):
        ports = {}
        for port, info in self.modules[cell["type"]]["ports"].items():
            for inner, outer in zip(info["bits"], cell["connections"].get(port, [])):
                if isinstance(inner, str):
                    self.graph.join(net(outer), inner)
                elif inner in ports:
                    self.graph.join(net(outer), ports[inner])
                else:
                    ports[inner] = net(outer)
        self.add(cell["type"], at, ports)

    def _boundary(self, name, cell, net):
        for port, bits in cell["connections"].items():
            label = f"{name}.{port}"
            if cell["port_directions"][port] == "input":
                self.graph.ends += [(net(b), label) for b in bits]
            else:
                self.graph.starts.update((net(b), label) for b in bits)


def graph_of(modules, library, top, outside=()):
    """The logic of a module and of the modules in it, except those `outside`; and its cells."""
    builder = _Builder(modules, library, set(outside) - {top})
    graph = builder.graph
    builder.add(top, "", {})
    for port, info in modules[top]["ports"].items():
        nets = [bit if isinstance(bit, str) else ("", bit) for bit in info["bits"]]
        graph.ports[port] = (info["direction"], nets)
        for i, net in enumerate(nets):
            label = f"{port}[{i}]" if len(nets) > 1 else port
            if info["direction"] == "input":
                graph.starts[net] = label
            else:
                graph.ends.append((net, label))
    graph.close()
    return graph, builder.cells
