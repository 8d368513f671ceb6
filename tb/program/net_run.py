#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rdt net run from outside: results as JSON, refusals in one line with exit code 2.

    net_run.py RDT
"""
import json
import subprocess
import sys

RUNS: list = [
    # network, algorithm, parameters, steps, bound
    ("rcc:4,2", "sort", [], 449, 449),
    ("rcc:4,2", "ascend", [], 14, 14),
    ("rcc:4,2", "rank", [], 14, 14),
    ("rcc:4,2", "compress", [], 14, 14),
    ("rcc:4,2", "distribute", [], 14, 14),
    ("rcc:4,2", "generalize", [], 14, 14),
    ("rcc:4,2", "rar", [], 968, 968),
    ("rcc:4,2", "raw", [], 491, 491),
    ("rcc:4,1", "pram", ["program=prefix"], 540, 540),
    ("rcc:4,1", "permute", ["pattern=rows"], 11, 13),
    ("rhsn:3,q2", "ascend", [], 10, 10),
    ("rhsn:3,q2", "descend", [], 10, 10),
    ("rhsn:3,q2", "semigroup", [], 8, 8),
    ("rhsn:3,q2", "prefix", [], 10, 10),
    ("rhsn:3,q2", "matmul", [], 4, 6),
    ("rhsn:3,q2", "bitonic", [], 33, 50),
    ("rhsn:3,q2", "fft", [], 10, 10),
    ("rhsn:4,q3", "emulate", ["port=all"], 6, 9),
    ("scc:5", "broadcast", [], 18, 18),
    ("scc:6", "broadcast", ["ports=all", "messages=3"], 27, 27),
    ("scc:6", "broadcast", ["ports=all", "messages=3", "interval=step"], 23, 23),
    ("star:5", "broadcast", [], 8, 12),
    ("ccc:4", "broadcast", [], 9, 9),
    ("hypercube:7", "broadcast", ["from=5"], 7, 7),
    ("tree:4,4", "broadcast", [], 8, None),
    ("prdt:64", "broadcast", [], 8, 8),
    ("rdt:64", "broadcast", [], 11, 11),
    ("prdt:32", "hypercube", [], 2, 2),
    ("rdt:32", "hypercube", [], 5, 8),
]

REFUSALS = [
    "net info rcc:4,4",
    "net info rcc:1,1",
    "net info rcc:4",
    "net info rhsn:3,z4",
    "net info rhsn:9,q9",
    "net info rhsn:0,q3",
    "net route rcc:4,1 0.9 0.0",
    "net route rcc:4,1 0 16",
    "net route rcc:4,1 0 5 --routing alg9",
    "net run rcc:4,2 srot",
    "net run rcc:4,2",
    "net run torus:4x4 sort",
    "net run rcc:4,2 sort input=x",
    "net run rcc:4,2 sort inptu=random",
    "net run rcc:256,1 sort",
    "net run rcc:3,2 rar",
    "net run rhsn:2,path4 ascend",
    "net run rhsn:2,q3 matmul",
    "net run rcc:4,2 sort --json /no/such/folder/x",
    "net info scc:10",
    "net info prc:9,2,4",
    "net info prc:8,3,4",
    "net info chordal:8,9",
    "net route scc:5 9:12345 0",
    "net route scc:5 3:11234 0",
    "net route prc:100,4,20 0 99 --fault 20-30",
    "net route torus:4x4 0 5 --fault 0-1",
    "net info rdt:256,3",
    "net info rdt:64,2,9,1",
    "net info rdt:64,2,3,0",
    "net info rdt:10,3,2,1",
    "net info tree:4,99",
    "net tori torus:4x4",
    "net tori rdt:16 16,0",
    "net territory prdt:16",
    "net territory rdt:16 --level 3",
    "net route rdt:8 0,0 1,1 --fault 0,0",
    "net route rdt:8 0,0 1,1 --fault 0,0-5,1",
    "net route rdt:8 0,0 1,1 --fault 5,5 --routing closed",
    "net run rdt:36,3,2,2 hypercube",
    "lab --net torus:4x4 --fault 1",
    "lab --net rdt:128 --fault 1",
    "net run scc:5 broadcast messages=0",
    "net run scc:5 broadcast interval=step",
    "compare 65",
]


def main():
    program = sys.argv[1]
    wrong = []
    for network, algorithm, parameters, steps, bound in RUNS:
        command = ["net", "run", network, algorithm, *parameters, "--json", "-"]
        run = subprocess.run([program, *command], capture_output=True, text=True)
        result = json.loads(run.stdout) if run.returncode == 0 else {}
        expected = {"network": network, "algorithm": algorithm, "steps": steps, "bound": bound,
                    "correct": True}
        if any(result.get(key) != value for key, value in expected.items()):
            wrong.append(f"{' '.join(command)}: {run.returncode} {run.stdout}{run.stderr}")
        elif any(result["parameters"].get(name) != value for name, value in (p.split("=") for p in parameters)):
            wrong.append(f"{' '.join(command)}: parameters are {result['parameters']}")
    for refused in REFUSALS:
        run = subprocess.run([program, *refused.split()], capture_output=True, text=True)
        lines = run.stderr.splitlines()
        if run.returncode != 2 or len(lines) != 1 or not lines[0].startswith("rdt: ") or run.stdout:
            wrong.append(f"{refused}: {run.returncode} {run.stdout}{run.stderr}")
    print("\n".join(wrong) if wrong else f"{len(RUNS)} runs, {len(REFUSALS)} refusals")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
