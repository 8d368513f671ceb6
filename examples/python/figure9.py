#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figure 9 of the RDT paper: latency over throughput, uniform traffic, 16 flits.

    PYTHONPATH=build/python examples/python/figure9.py [--nodes 64|4096] [figure9.svg]

With 4096 nodes as in the paper it takes an hour of one core; with 64 seconds.
"""
import argparse

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import rdt

NETWORKS = {
    64: {"2D torus": ("torus:8x8", ""), "3D torus": ("torus:4x4x4", ""),
         "hypercube": ("hypercube:6", ""),
         "RDT, simple vectors": ("rdt:8", "deadlock-free-simple"),
         "RDT, adaptive": ("rdt:8", "adaptive")},
    4096: {"2D torus": ("torus:64x64", ""), "3D torus": ("torus:16x16x16", ""),
           "4D torus": ("torus:8x8x8x8", ""), "hypercube": ("hypercube:12", ""),
           "RDT, simple vectors": ("rdt:64", "deadlock-free-simple"),
           "RDT, adaptive": ("rdt:64", "adaptive")},
}

parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--nodes", type=int, choices=NETWORKS, default=64)
parser.add_argument("--cycles", type=int, default=4000)
parser.add_argument("output", nargs="?", default="figure9.svg")
options = parser.parse_args()

loads = [0.02 * i for i in range(1, 51)]
for name, (net, routing) in NETWORKS[options.nodes].items():
    curve = rdt.lab_sweep(net, loads, routing=routing, flits=16, cycles=options.cycles)
    plt.plot(curve["accepted"], curve["network_latency_mean"], marker=".", label=name)
    print(f"{name:20} accepts {curve['accepted'].max():.3f} flits/node/cycle")
plt.title(f"Uniform traffic, 16 flits, {options.nodes} nodes")
plt.xlabel("accepted throughput [flits/node/cycle]")
plt.ylabel("mean latency [cycles]")
plt.ylim(0, 400)
plt.grid(alpha=0.3)
plt.legend()
plt.savefig(options.output)
