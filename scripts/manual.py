#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the manual page from the help texts of the program.

usage: manual.py PROGRAM FILE.1.gz
"""
import gzip
import re
import subprocess
import sys


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def escaped(text):
    return re.sub(r"^([.'])", r"\\&\1", text.replace("\\", "\\e").replace("-", "\\-"), flags=re.M)


def main():
    program, target = sys.argv[1:]
    version = run(program, "--version").split()[1]
    overview = run(program, "--help")
    # CLI11 2.6 and later writes the heading in capitals.
    names = re.findall(r"^  (\w+) ", re.split("subcommands:", overview, flags=re.I)[1], flags=re.M)
    page = [f'.TH RDT 1 "" "rdt {version}" "User Commands"', ".SH NAME",
            "rdt \\- router chip of the Recursive Diagonal Torus, its machine and its lab",
            ".SH SYNOPSIS", ".B rdt", "SUBCOMMAND [OPTIONS]", ".SH OVERVIEW", ".nf", escaped(overview), ".fi"]
    for name in names:
        page += [f".SH RDT {name.upper()}", ".nf", escaped(run(program, name, "--help")), ".fi"]
    with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(("\n".join(page) + "\n").encode())


if __name__ == "__main__":
    main()
