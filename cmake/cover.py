#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run Verilator as verilate.py does, for a model that counts what is exercised.

    cover.py DIR PREFIX VERILATOR ARGUMENT...

A model that is destroyed takes its counts along, so it writes them before (coverage.cpp).
"""
import pathlib
import sys

import verilate


def main():
    status = verilate.main()
    if status:
        return status
    file = pathlib.Path(sys.argv[1]) / f"{sys.argv[2]}.cpp"
    text = file.read_text()
    if text.count("    delete vlSymsp;\n") != 1:
        sys.exit(f"cover: {file.name} does not look as expected; where is the model destroyed?")
    text = text.replace("    delete vlSymsp;\n",
                        "    rdt_keep_coverage(*contextp());\n    delete vlSymsp;\n")
    file.write_text("class VerilatedContext;\nvoid rdt_keep_coverage(VerilatedContext&);\n" + text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
