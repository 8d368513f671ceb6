#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long a cable may be at which cycle (docs/electrical.md).

usage: cable.py [--sta build/sta.json] [--req NS NS] [--reg NS]

A wire leaves the register of one chip and has to be at that of the other within a cycle:
    clock to output + two pads + wire + from the pin to a register + skew <= period
The time from a REQ pin is measured by make sta; of a link with registered pins it is that of a D pin.
Pads are not in the libraries; theirs, the wire and the skew are assumed, and printed.
"""
import argparse
import json
import pathlib

# ns; of 0.5 um and 0.18 um
CLOCK_TO_OUTPUT = {"osu050": 0.9, "osu018": 0.4}
PADS = {"osu050": 2.5, "osu018": 2.0}
SKEW = 0.5
WIRE = 5.0  # ns a metre
RATES = (20, 30, 40, 50, 60, 80)


def metres(rate, process, to_register):
    left = 1000 / rate - CLOCK_TO_OUTPUT[process] - PADS[process] - SKEW - to_register
    return f"{left / WIRE:.1f}" if left > 0 else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sta", type=pathlib.Path, default=pathlib.Path("build/sta.json"))
    parser.add_argument("--req", type=float, nargs=2, help="ns from a REQ pin in 0.5 and 0.18 um, in place of the measured")
    parser.add_argument("--reg", type=float, default=0.6, help="ns from a pin to its own register (%(default)s)")
    args = parser.parse_args()
    measured = json.loads(args.sta.read_text()) if args.sta.is_file() else {}
    print(f"assumed: wire {WIRE} ns/m, skew {SKEW} ns; clock to output and pads "
          + ", ".join(f"{CLOCK_TO_OUTPUT[p] + PADS[p]:.1f} ns in {p}" for p in PADS))
    rows = []
    for place, process in enumerate(("osu050", "osu018")):
        req = args.req[place] if args.req else measured.get(f"req_pin_ns_{process}_wires")
        if req:
            rows.append((f"{process}, REQ {req:.1f} ns", process, req))
        rows.append((f"{process}, registered pins {args.reg:.1f} ns", process, args.reg))
    print("| metres at | " + " | ".join(f"{rate} MHz" for rate in RATES) + " |")
    print("|---" * (len(RATES) + 1) + "|")
    for name, process, to_register in rows:
        print(f"| {name} | " + " | ".join(metres(rate, process, to_register) for rate in RATES) + " |")


if __name__ == "__main__":
    main()
