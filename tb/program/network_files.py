#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Networks and traffic from files, from outside: a written network is read back unchanged, and an
error is one line and exit code 2.

    network_files.py RDT
"""
import json
import pathlib
import subprocess
import sys
import tempfile

# Keys in which `net info` differs from the exported network.
OWN = {"name", "routings", "seconds", "bisection_exact", "bisection_method", "bisection_at_least"}

NETWORKS = ["torus:6x6", "hypercube:6", "rdt:8", "rdt:16", "star:5", "chordal:64,8", "ccc:4",
            "rhsn:3,q2", "tree:4,2"]

WRONG = {
    "empty.graphml": "",
    "cut.graphml": "<graphml><graph edgedefault='undirected'><node id='a'>",
    "apart.graphml": "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/>"
                     "<node id='c'/><edge source='a' target='b'/></graph></graphml>",
    "long.anynet": "router 0 node 0 router 1 15\nrouter 1 node 1\n",
    "word.anynet": "router 0 node 0 switch 1\n",
    "x.txt": "router 0 node 0 router 1\n",
}

TABLES = {"0 1 0.5\n1 99\n": 2, "0 0\n": 1, "0 1 -1\n": 1, "0 1 0.1 0.2\n": 1, "": 0,
          "0 1 0.1 0.1 5 9\n": 1}


class Checker:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.wrong = []

    def run(self, *words):
        return subprocess.run([self.program, *words], capture_output=True, text=True,
                              cwd=self.folder)

    def json(self, *words):
        run = self.run(*words, "--json", "-")
        if run.returncode != 0:
            self.wrong.append(f"{' '.join(words)}: {run.returncode} {run.stderr}")
            return {}
        return json.loads(run.stdout)

    def expect(self, right, what):
        if not right:
            self.wrong.append(what)

    def expect_refused(self, *words):
        run = self.run(*words)
        self.expect(run.returncode == 2 and run.stderr.count("\n") == 1 and not run.stdout,
                    f"{' '.join(words)}: {run.returncode} {run.stdout}{run.stderr}")
        return run.stderr


def check_networks(c):
    for name in NETWORKS:
        out = "x.graphml"
        run = c.run("net", "export", name, "--output", out)
        c.expect(run.returncode == 0, f"export {name}: {run.stderr}")
        a, b = c.json("net", "info", name), c.json("net", "info", f"file:{out}")
        c.expect({k: v for k, v in a.items() if k not in OWN} ==
                 {k: v for k, v in b.items() if k not in OWN}, f"{name}: {a} {b}")
        cdg = c.json("net", "cdg", f"file:{out}")
        c.expect(cdg.get("acyclic") is True, f"{name}: {cdg}")
        # The same routing on both: the results of the lab are equal.
        options = ["--routing", "shortest", "--load", "0.02", "--cycles", "2000", "--warmup", "500"]
        a = c.json("lab", "--net", name, *options)
        b = c.json("lab", "--net", f"file:{out}", *options)
        for key in ("accepted", "latency_mean", "latency_max", "hops_mean", "delivered"):
            c.expect(a.get(key) == b.get(key), f"{name}: {key} {a.get(key)} {b.get(key)}")
        text = c.run("net", "export", f"file:{out}").stdout
        written = (c.folder / out).read_text()
        c.expect(text.replace(f"file:{out}", name) == written, f"{name} is written otherwise")
    c.expect(c.run("net", "export", "torus:4x4", "-o", "t.anynet").returncode == 0, "anynet")
    c.expect(c.json("net", "info", "file:t.anynet").get("links") == 32, "anynet")
    run = c.run("lab", "--net", "file:t.anynet", "--routing", "up-down", "--drain")
    c.expect(run.returncode == 0 and ": all" in run.stdout, run.stderr + run.stdout)
    c.expect_refused("net", "export", "chordal:64,8", "--format", "anynet")
    c.expect_refused("net", "export", "rdt:16", "-o", "x.anynet")
    for name, text in WRONG.items():
        (c.folder / name).write_text(text)
        for words in (["net", "info"], ["lab", "--net"], ["net", "cdg"]):
            message = c.expect_refused(*words, f"file:{name}")
            c.expect(name in message, message)
    c.expect_refused("net", "info", "file:")
    c.expect_refused("net", "info", "file:none.graphml")
    c.expect_refused("net", "info", f"file:{c.folder}")


def check_curve(c):
    """A curve is not continued with another network in the same file."""
    sweep = ["lab", "sweep", "--net", "file:c.graphml", "--from", "0.02", "--to", "0.04",
             "--cycles", "1000", "--warmup", "100", "--csv", "c.csv"]
    c.run("net", "export", "torus:4x4", "-o", "c.graphml")
    c.expect(c.run(*sweep).returncode == 0 and c.run(*sweep).returncode == 0, "sweep of a file")
    c.run("net", "export", "mesh:4x4", "-o", "c.graphml")
    c.expect_refused(*sweep)


def check_traffic(c):
    (c.folder / "t.table").write_text("% source destination rate\n0 5 0.02\n0 6 0.01\n3 9 0.015\n")
    r = c.json("lab", "--net", "torus:4x4", "--traffic", "table:t.table", "--load", "0.6",
               "--cycles", "40000")
    # Node 0 sends at the load, node 3 at half of it, no other node sends.
    c.expect(abs(r.get("offered", 0) * 16 - 0.9) < 0.02, f"offered {r.get('offered')}")
    r = c.json("run", "--traffic", "table:t.table", "--load", "0.2", "--cycles", "5000")
    senders = [n["node"] for n in r.get("nodes", []) if n["injected"] > 0]
    c.expect(senders == [0, 3], f"senders {senders}")
    for text, line in TABLES.items():
        (c.folder / "w.table").write_text(text)
        for words in (["lab", "--net", "torus:4x4"], ["run"]):
            message = c.expect_refused(*words, "--traffic", "table:w.table")
            c.expect(f"w.table:{line}:" in message or line == 0, message)
    c.expect_refused("run", "--traffic", "table:none")


def check_trace(c):
    (c.folder / "a.trace").write_text("0 0 9\n0 9 0 8 after:0\n0 3 mc:ff:0f 8 ack after:0,1+40\n")
    r = c.json("run", "--trace", "a.trace")
    c.expect(r.get("injected") == 3 and r.get("drained") is True, f"trace {r}")
    # From a pipe, as from a program that unpacks or makes it.
    pipe = subprocess.run(f"cat a.trace | {c.program} run --trace /dev/stdin --json -", shell=True,
                          capture_output=True, text=True, cwd=c.folder)
    c.expect(pipe.returncode == 0 and json.loads(pipe.stdout)["cycles_simulated"] == r.get("cycles_simulated"),
             pipe.stderr)
    for text in ("0 0 9 after:0\n", "0 0 9\n0 9 0 after:\n", "0 0 9\n0 9 0 after:0+x\n"):
        (c.folder / "w.trace").write_text(text)
        c.expect("w.trace:" in c.expect_refused("run", "--trace", "w.trace"), text)


def main():
    with tempfile.TemporaryDirectory() as folder:
        c = Checker(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(folder))
        for check in (check_networks, check_curve, check_traffic, check_trace):
            check(c)
    for line in c.wrong:
        print(line)
    print(f"{len(c.wrong)} wrong" if c.wrong else "as it should be")
    return 1 if c.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
