#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completion in bash offers the commands and options that the program has, and no others; where zsh is
installed, its script is checked for syntax.

usage: completion.py PROGRAM
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent.parent / "sim/cli/completion"


def offered(program, line):
    """Completions of bash at the end of a line; the program is found by its name."""
    words = line.split(" ")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "rdt").symlink_to(pathlib.Path(program).resolve())
        script = (f"PATH={folder}:$PATH; source {SCRIPTS}/rdt.bash; COMP_WORDS=({' '.join(w or chr(39) * 2 for w in words)}); "
                  f"COMP_CWORD={len(words) - 1}; _rdt; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def listed(program, *command):
    """Commands and options that a help text lists, by another rule than that of the scripts."""
    text = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"^ {2}(?:-\w,)?(--[\w-]+)", text, re.M))
    commands = set(re.findall(r"^ {2}(\w[\w-]*)", "".join(re.split("\nsubcommands:\n", text, flags=re.I)[1:]), re.M))
    return commands, options


def main():
    program = sys.argv[1]
    top, _ = listed(program)
    net, _ = listed(program, "net")
    _, run = listed(program, "run")
    wrong = []
    for line, expected in (("rdt ", top), ("rdt net ", net), ("rdt run --", run),
                           ("rdt ru", {"run"}), ("rdt --plugin x.so ne", {"net"}),
                           ("rdt run --seed 3 --loa", {"--load"}), ("rdt run --json ", set()),
                           ("rdt net info --jso", {"--json"}), ("rdt run --no-such", set())):
        found = offered(program, line)
        if found != expected:
            wrong.append(f"{line!r}: offers {sorted(found)}, not {sorted(expected)}")
    if len(top) < 5 or len(run) < 20:
        wrong.append(f"only {len(top)} commands and {len(run)} options of rdt run are listed")
    if shutil.which("zsh"):
        check = subprocess.run(["zsh", "-n", SCRIPTS / "rdt.zsh"], capture_output=True, text=True)
        wrong += check.stderr.splitlines()
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(top)} commands, {len(net)} commands of rdt net, {len(run)} options of rdt run")


if __name__ == "__main__":
    main()
