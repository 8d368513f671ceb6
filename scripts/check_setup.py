#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/setup.sh installs what a group needs on every system, and reports what cannot be installed.

It runs with replacements of apt, dpkg, id and sudo that know the packages of five systems
(tb/program/setup_packages.json: names looked up in the archives, and those that an archive lacks). Each
check is then repeated with a setup.sh that has an injected bug, which has to be detected.

usage: check_setup.py
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPT = (ROOT / "scripts/setup.sh").read_text()
TABLE = json.loads((ROOT / "tb/program/setup_packages.json").read_text())
TOOLS = ["sh", "env", "sed", "tr", "mktemp", "rm", "tail", "dirname", "cat"]
RUN = {"g++", "make", "cmake", "ninja-build", "pkg-config", "python3", "verilator", "libsystemc-dev", "libcli11-dev",
       "nlohmann-json3-dev", "libfmt-dev", "libpugixml-dev", "zlib1g-dev", "libbz2-dev", "libmetis-dev"}
# Packages that a group must install on all five systems.
NEEDED = {"run": RUN, "test": RUN | {"libgtest-dev", "iverilog", "yosys"}, "formal": {"python3", "yosys"},
          "bench": {"libbenchmark-dev"}, "wave": {"gtkwave", "xvfb", "imagemagick"}}
FAKES = {
    "dpkg-query": """shift 2; all=" $(tr '\\n' ' ' <"$FAKE/installed") "
        for n in "$@"; do case "$all" in *" $n "*) echo "ii |$n" ;; esac; done""",
    "apt-cache": """[ -e "$FAKE/lists" ] || exit 0; shift; all=" $(tr '\\n' ' ' <"$FAKE/archive") "
        for n in "$@"; do case "$all" in
            *" $n "*) echo "$n:"; echo "  Installed: (none)"; echo "  Candidate: 1.0" ;; esac; done""",
    "apt-get": """echo "apt-get $*" >>"$FAKE/calls"; all=" $(tr '\\n' ' ' <"$FAKE/archive") "
        while [ "${1#-}" != "$1" ]; do [ "$1" = -o ] && shift; shift; done
        [ "$1" = "$(cat "$FAKE/fails")" ] && { echo "E: broken"; exit 100; }
        if [ "$1" = update ]; then : >"$FAKE/lists"; exit 0; fi
        shift; for n in "$@"; do case "$n" in -*) continue ;; esac; case "$all" in
            *" $n "*) echo "$n" >>"$FAKE/installed" ;; *) echo "E: no package $n"; exit 100 ;; esac; done""",
    "id": 'cat "$FAKE/uid"',
    "sudo": 'echo "sudo" >>"$FAKE/calls"; exec "$@"',
}


class Machine:
    """A system in a folder: available packages, installed packages, user."""

    def __init__(self, folder, script, archive, uid=0, sudo=True, apt=True, lists=False):
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        programs = self.folder / "bin"
        programs.mkdir(parents=True)
        for tool in TOOLS:
            (programs / tool).symlink_to(shutil.which(tool))
        for name, text in FAKES.items():
            if name == "sudo" and not sudo or name in ("apt-get", "apt-cache", "dpkg-query") and not apt:
                continue
            (programs / name).write_text(f"#!/bin/sh\n{text}\n")
            (programs / name).chmod(0o755)
        (self.folder / "archive").write_text("".join(f"{n}\n" for n in archive))
        (self.folder / "installed").write_text("")
        (self.folder / "calls").write_text("")
        (self.folder / "fails").write_text("nothing")
        (self.folder / "uid").write_text(f"{uid}\n")
        (self.folder / "setup.sh").write_text(script)
        if lists:
            (self.folder / "lists").touch()

    def run(self, *groups, **environment):
        (self.folder / "calls").write_text("")
        done = subprocess.run(["sh", str(self.folder / "setup.sh"), *groups], text=True, capture_output=True,
                              cwd=self.folder, timeout=60, env={"PATH": str(self.folder / "bin"),
                                                    "FAKE": str(self.folder), **environment})
        self.out, self.err, self.code = done.stdout, done.stderr, done.returncode
        return self

    def installed(self):
        return set((self.folder / "installed").read_text().split())

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()


def archive(suite, without=()):
    return [n for n in TABLE["looked_up"] if n not in TABLE["absent"][suite] and n not in without]


def groups_of(script):
    text = script[script.index("most='") + 6:]
    return text[:text.index("'")].split() + ["build", "slurm", "mpi", "ci"]


def problems(script, folder, suites, groups):
    """One line per expectation that does not hold."""
    wrong = []

    def expect(is_so, text):
        if not is_so:
            wrong.append(text)

    for suite in suites:
        for group in groups:
            machine = Machine(folder, script, archive(suite)).run(*([group] if group else []))
            place = f"{suite}, {group or 'all groups'}"
            expect(machine.code == 0 and not machine.err, f"{place}: exit code {machine.code}: {machine.err.strip()}")
            expect(NEEDED.get(group, set()) <= machine.installed(),
                   f"{place}: not installed: {sorted(NEEDED.get(group, set()) - machine.installed())}")
            named = {name for name in TABLE["absent"][suite] if f"no package {name}" in machine.out}
            expect(all(": " in line.split("no package ")[1] and not line.endswith(": ") for line in machine.out.splitlines()
                       if "no package" in line), f"{place}: does not state the omitted part")
            expect(not (named & machine.installed()), f"{place}: named as absent and installed: {named}")
            if group in ("run", None):
                expect(group is None or machine.installed() == RUN, f"{place}: {sorted(machine.installed() ^ RUN)}")
                said = [line for line in machine.out.splitlines() if "no package" not in line]
                expect(len(said) == 1 and "building and running rdt" in said[0], f"{place}: does not state its purpose")
            again = machine.run(*([group] if group else []))
            expect(again.code == 0 and not again.calls(), f"{place}: a second run calls {again.calls()}")
        abc = {"yosys-abc", "berkeley-abc"} & Machine(folder, script, archive(suite)).run("formal").installed()
        expect(len(abc) == 1, f"{suite}: ABC installed: {abc}")

    unknown = {n for n in Machine(folder, script, []).run("run", "nonsense").err.split() if n == "run"}
    machine = Machine(folder, script, archive("trixie")).run("nonsense")
    expect(machine.code == 2 and "nonsense" in machine.err and unknown, "an unknown group is accepted")

    # A required package that the archive lacks: one line, exit code 2, nothing installed.
    machine = Machine(folder, script, archive("trixie", {"verilator"})).run("run")
    expect(machine.code == 2 and "no package verilator" in machine.err and "running rdt" in machine.err
           and machine.err.count("\n") == 1 and not machine.installed(), f"no Verilator: {machine.code} {machine.err}")
    # An optional one: named, and the rest is installed.
    machine = Machine(folder, script, archive("trixie", {"libmetis-dev"})).run("run")
    expect(machine.code == 0 and "no package libmetis-dev: bisections" in machine.out
           and machine.installed() == RUN - {"libmetis-dev"}, f"no METIS: {machine.code} {machine.out}{machine.err}")
    again = machine.run("run")
    expect(again.code == 0 and not again.calls(), "no METIS: a second run calls apt-get")

    # Without root and sudo: one line with the exact command. The lists may be empty.
    for lists in (True, False):
        machine = Machine(folder, script, archive("trixie"), uid=1000, sudo=False, lists=lists).run("test")
        line = machine.err.strip()
        expect(machine.code == 2 and "\n" not in line and "RDT_SKIP_SETUP=1" in line and not machine.calls(),
               f"no root: {machine.code} {line}")
        command = line.partition("apt-get install ")[2].partition(" (")[0].split()
        expect(NEEDED["test"] <= set(command) and "yosys-abc" in command, f"no root: {command}")
        expect(not lists or set(command) <= set(archive("trixie")), f"no root: names that do not exist: {command}")
        (machine.folder / "installed").write_text("\n".join(command) + "\n")
        expect(machine.run("test").code == 0, "no root: the command does not install all")
        # Only something optional is missing: that is no reason to stop.
        (machine.folder / "installed").write_text("\n".join(c for c in command if c != "iverilog") + "\n")
        machine.run("test")
        expect(machine.code == 0 and "iverilog" in machine.out, f"no root, no Icarus: {machine.code} {machine.err}")

    machine = Machine(folder, script, archive("noble"), uid=1000).run("run")
    expect(machine.code == 0 and "sudo" in machine.calls() and machine.installed() == RUN, f"sudo: {machine.err}")
    machine = Machine(folder, script, archive("noble"), apt=False).run("run")
    expect(machine.code == 2 and "docs/systems.md" in machine.err and machine.err.count("\n") == 1, "no apt")
    machine = Machine(folder, script, archive("noble")).run("run", RDT_SKIP_SETUP="1")
    expect(machine.code == 0 and not machine.calls(), "RDT_SKIP_SETUP=1 does not turn it off")
    for step in ("update", "install"):
        machine = Machine(folder, script, archive("bookworm"))
        (machine.folder / "fails").write_text(step)
        machine.run("run")
        expect(machine.code == 2 and f"apt-get {step} failed" in machine.err, f"apt-get {step} fails: {machine.code}")
    machine = Machine(folder, script, archive("bookworm"), lists=True)
    (machine.folder / "installed").write_text("\n".join(RUN - {"libmetis-dev"}) + "\n")
    (machine.folder / "fails").write_text("update")
    expect(machine.run("run").code == 0, "a failing apt-get stops the build for an optional package")
    return wrong


INJECTED = [
    ("?yosys-abc|berkeley-abc", "?berkeley-abc"),
    ("formal='python3 yosys yosys-abc|berkeley-abc", "formal='python3 yosys berkeley-abc"),
    ("?libmetis-dev'", "libmetis-dev'"),
    ("?libmetis-dev'", "?libmetis-dev iverilog'"),
    ("verilator libsystemc-dev", "libsystemc-dev"),
    ("?qflow-tech-osu018'", "qflow-tech-osu018'"),
    ("'bisections are searched from fewer starting cuts'", "''"),
    ("(if the tools come from elsewhere, set RDT_SKIP_SETUP=1)", ""),
    ("[ -n \"$candidates\" ] || candidates=$every", ":"),
    ("    apt_get update\n", ""),
]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "machine"
        wrong = problems(SCRIPT, folder, TABLE["absent"], [*groups_of(SCRIPT), None])
        unknown = set()
        for group in groups_of(SCRIPT):
            machine = Machine(folder, SCRIPT, archive("trixie"), lists=True)
            (machine.folder / "bin/apt-cache").write_text('#!/bin/sh\nshift; for n in "$@"; do echo "$n"; done >>"$FAKE/names"\n')
            machine.run(group)
            unknown |= set((machine.folder / "names").read_text().split()) - set(TABLE["looked_up"])
        if unknown:
            wrong.append(f"not looked up in the archives (tb/program/setup_packages.json): {sorted(unknown)}")
        for old, new in INJECTED:
            if old not in SCRIPT:
                wrong.append(f"an injected bug does not apply: {old}")
            elif not problems(SCRIPT.replace(old, new), folder, ["trixie"], ["run"]):
                wrong.append(f"an injected bug is not detected: {old} -> {new}")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"setup.sh: {len(TABLE['absent'])} systems, {len(groups_of(SCRIPT))} groups; {len(INJECTED)} injected bugs are detected")


if __name__ == "__main__":
    os.environ.pop("RDT_SKIP_SETUP", None)
    main()
