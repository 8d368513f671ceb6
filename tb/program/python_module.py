#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The module `rdt` gives what the program gives, to the last digit; Ctrl-C ends a run; other threads
continue meanwhile.

    PYTHONPATH=build/python python_module.py RDT [--inject]

--inject: results that differ in the last digit have to be detected instead.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import rdt

# Times and values that depend on them, and fields about the program.
OWN = {"seconds", "cycles_per_second", "bytes_per_node", "cpu_seconds",
       "cycles_per_cpu_second", "version", "command", "plugins", "parameters"}
wrong = []


def expect(right, what):
    if not right:
        wrong.append(what)


def program(*words):
    run = subprocess.run([sys.argv[1], *words, "--json", "-"], capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: {run.returncode} {run.stderr}")
    return json.loads(run.stdout)


def without_times(result):
    return {key: value for key, value in result.items() if key not in OWN}


def same(a, b, what):
    a, b = without_times(a), without_times(b)
    different = [key for key in {*a, *b} if a.get(key, "-") != b.get(key, "-")]
    expect(not different, f"{what}: {[(k, a.get(k, '-'), b.get(k, '-')) for k in different]}"[:500])


def check_runs():
    for arguments in ({"load": 0.3}, {"load": 0.1, "size": 16, "seed": 7, "drain": True},
                      {"load": 0.2, "flits": "5-16", "multicast": 0.05, "density": 0.3,
                       "acks": True, "t_ent": 400},
                      {"traffic": "transpose", "torus": True, "outstanding": 4}):
        arguments = {"cycles": 3000, "warmup": 500, **arguments}
        words = []
        for key, value in arguments.items():
            words += [f"--{key.replace('_', '-')}"] + ([] if value is True else [str(value)])
        result = rdt.run(**arguments)
        same(result, program("run", "--engine", result["engine"], *words), f"run {arguments}")
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder, "a.trace")
        trace.write_text("0 0 9\n0 9 0 8 after:0\n0 3 mc:ff:0f 8 ack after:0,1+40\n")
        result = rdt.run(trace=str(trace), engine="fast")
        same(result, program("run", "--engine", result["engine"], "--trace", str(trace)), "trace")


def check_sweep():
    with tempfile.TemporaryDirectory() as folder:
        csv = pathlib.Path(folder, "s.csv")
        subprocess.run([sys.argv[1], "sweep", "--from", "0.1", "--to", "0.9", "--step", "0.2",
                        "--cycles", "2000", "--warmup", "500", "--csv", str(csv)],
                       check=True, capture_output=True)
        lines = [line for line in csv.read_text().splitlines() if not line.startswith("#")]
    names = lines[0].split(",")
    rows = [line.split(",") for line in lines[1:]]
    table = rdt.sweep(from_=0.1, to=0.9, step=0.2, cycles=2000, warmup=500)
    expect(len(rows) == len(table["load"]) and table["saturated"][-1], f"sweep {table} {rows}")
    expect(list(table) == names, f"sweep: columns {list(table)}, not those of the CSV {names}")
    for at, name in enumerate(names):
        # An empty cell is a figure that was not measured.
        cells = [float(row[at] or "nan") for row in rows]
        expect(np.array_equal(cells, np.asarray(table.get(name, []), float), equal_nan=True), f"sweep: {name}")
    expect(all(isinstance(c, np.ndarray) for c in table.values()), "columns are arrays")


def check_lab():
    arguments = {"load": 0.2, "cycles": 3000, "warmup": 500, "seed": 3}
    for net, routing in (("torus:8x8", ""), ("rdt:8", "adaptive"), ("star:4", "")):
        words = [x for key, value in arguments.items() for x in (f"--{key}", str(value))]
        words += ["--routing", routing] if routing else []
        same(rdt.lab(net, routing=routing, **arguments), program("lab", "--net", net, *words),
             f"lab {net}")
    curve = rdt.lab_sweep("torus:4x4", [0.1, 0.2], cycles=2000, warmup=500)
    for load, latency in zip(curve["load"], curve["latency_mean"]):
        one = rdt.lab("torus:4x4", load, cycles=2000, warmup=500)
        expect(one["latency_mean"] == latency, "lab_sweep")


def check_networks():
    expect({n["kind"] for n in rdt.networks()} ==
           {n["kind"] for n in program("net", "list")["networks"]}, "networks()")
    for name in ("torus:4x4", "rdt:8", "chordal:64,8"):
        network = rdt.Network(name)
        same(network.info(), program("net", "info", name), f"info {name}")
        same(network.cdg(), program("net", "cdg", name), f"cdg {name}")
        loads = network.loads()
        expect(int(loads.max()) == program("net", "loads", name)["load_max"], f"loads {name}")
        links = network.links()
        expect(links.shape[1] == 4 and len(links) == network.info()["links"] *
               (1 if network.directed else 2), f"links {name}")
        expect(network.positions().shape == (network.nodes, 2), "positions")
    expect(rdt.Network("torus:4x4").route("0", "5") ==
           program("net", "route", "torus:4x4", "0", "5")["path"], "route")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "x.graphml")
        path.write_text(rdt.Network("rdt:8").graphml())
        a, b = rdt.Network("rdt:8").info(), rdt.Network(f"file:{path}").info()
        expect(a["mean_distance"] == b["mean_distance"] and a["links"] == b["links"], "file")


def check_errors():
    """Wrong values and wrong types have the exceptions of Python, with one line that names them."""
    for kind, words, call in (
            (ValueError, "network", lambda: rdt.Network("no:1")),
            (ValueError, "", lambda: rdt.run(size=9)),
            (ValueError, "", lambda: rdt.lab("torus:4x4", 2)),
            (ValueError, "flits", lambda: rdt.run(flits="x")),
            (ValueError, "cycles", lambda: rdt.run(cycles=-1)),
            (ValueError, "engine", lambda: rdt.run(engine="rtl")),
            (TypeError, "load", lambda: rdt.run(load="x")),
            (TypeError, "load", lambda: rdt.run(load=None)),
            (TypeError, "cycles", lambda: rdt.run(cycles=0.5)),
            (TypeError, "loads", lambda: rdt.sweep(loads=[0.1, "x"])),
            (TypeError, "drain", lambda: rdt.run(drain="x")),
            (TypeError, "trace", lambda: rdt.run(trace=1)),
            (TypeError, "laod", lambda: rdt.run(laod=0.3))):
        try:
            call()
            expect(False, f"not refused: {kind.__name__} {words}")
        except Exception as error:
            expect(type(error) is kind and words in str(error) and "\n" not in str(error),
                   f"{type(error).__name__} {error}, not a {kind.__name__} with {words}")


def check_interrupt():
    """A signal half a second into something that would take minutes."""
    work = {"run": lambda: rdt.run(load=0.3, cycles=10**9),
            "sweep": lambda: rdt.sweep(cycles=10**9),
            "lab": lambda: rdt.lab("torus:8x8", 0.3, cycles=10**9),
            "lab_sweep": lambda: rdt.lab_sweep("torus:8x8", [0.1, 0.2], cycles=10**9)}
    for name, call in work.items():
        ticks = []
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        ticker = threading.Thread(
            target=lambda: [ticks.append(time.sleep(0.01)) for _ in range(20)])
        ticker.start()
        begin = time.monotonic()
        try:
            call()
            expect(False, f"{name} came to an end")
        except KeyboardInterrupt:
            pass
        ticker.join()
        expect(time.monotonic() - begin < 20, f"{name} continued for {time.monotonic() - begin} s")
        expect(len(ticks) == 20, f"{name} kept other threads from running")


def is_caught(check, name, change):
    """The check has to see a result that differs in its last digit."""
    real = getattr(rdt, name)
    setattr(rdt, name, lambda *a, **k: change(real(*a, **k)))
    check()
    setattr(rdt, name, real)
    caught = bool(wrong)
    wrong.clear()
    return caught


def one_digit(result):
    if isinstance(result["latency_mean"], float):
        result["latency_mean"] = float(np.nextafter(result["latency_mean"], 1e9))
    else:
        result["latency_mean"][0] = np.nextafter(result["latency_mean"][0], 1e9)
    return result


def inject():
    def of_run(result):
        result["latency"]["mean"] = float(np.nextafter(result["latency"]["mean"], 1e9))
        return result
    caught = [is_caught(check_runs, "run", of_run), is_caught(check_sweep, "sweep", one_digit),
              is_caught(check_lab, "lab", one_digit), is_caught(check_lab, "lab_sweep", one_digit)]
    print(f"{sum(caught)} of {len(caught)} injected bugs are caught")
    return 0 if all(caught) else 1


def main():
    if "--inject" in sys.argv:
        return inject()
    for check in (check_runs, check_sweep, check_lab, check_networks, check_errors, check_interrupt):
        check()
    for line in wrong:
        print(line)
    print(f"{len(wrong)} wrong" if wrong else "as the program")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
