#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Verilator's JSON and XML give the same header of the RTL's instance tree (cmake/rtl_tree.py).

A port whose width is changed in one of the two has to be reported. Exit code 77 (skipped) where
Verilator writes only one of the formats.

usage: PYTHONPATH=cmake python3 -m scripts.test.test_rtl_tree VERILATOR
"""
import pathlib
import sys

import rtl_tree

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    verilator = sys.argv[1]
    rtl = ROOT / "rtl"
    args = ["--top-module", "rdt_router", "-y", str(rtl),
            *(str(rtl / f"{f}.sv") for f in ("rdt_pkg", "rdt_ports_pkg", "rdt_router"))]
    netlists = {}
    for kind in rtl_tree.NETLISTS:
        try:
            netlists[kind] = rtl_tree.read(kind, verilator, args)
        except rtl_tree.Unsupported:
            pass
    if len(netlists) < 2:
        print(f"skipped: this Verilator writes only {' '.join(netlists) or 'neither format'}")
        return 77
    if rtl_tree.header(netlists["json"]) != rtl_tree.header(netlists["xml"]):
        sys.exit("the headers from JSON and from XML differ")
    port = next(v for v in netlists["json"].top["stmtsp"] if v["type"] == "VAR" and v["name"] == "d_i")
    netlists["json"].types[port["dtypep"]]["range"] = "2:0"
    if rtl_tree.header(netlists["json"]) == rtl_tree.header(netlists["xml"]):
        sys.exit("an injected width was not detected")
    print("the headers from JSON and from XML match")
    return 0


if __name__ == "__main__":
    sys.exit(main())
