#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that a difference is traced to the right block: puts the mistakes of block_plants.py, one
after the other, into a copy of one model's source and expects the report of fuzz_blame to name the
kind of block that was changed.

usage: plant_blocks.py [--build DIR] [--only TEXT] [--skip N] [--missed CSV] [--seed N] [--seeds N] [--cycles N] [--csv FILE] WORK_DIR

Only what was changed is compiled again, and linked before what the build has: the test itself for
a SystemC header, one Verilated library for the RTL. fuzz_blame has to be built.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from block_plants import RTL, SYSTEMC

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEST = "fuzz_blame"
OBJECT = "CMakeFiles/fuzz_blame.dir/tb/fuzz/blame.cpp.o"
REPORT = re.compile(r"difference in cycle (\d+): (\S+) .*\n  seed=(\d+)\n  block: (\S+) \((\w+)\) in cycle (\d+)")


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, shell=isinstance(command, str), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"plant_blocks: does not build:\n{done.stdout[-2000:]}{done.stderr[-3000:]}")


def commands(build, target):
    return subprocess.run(["ninja", "-C", build, "-t", "commands", target], check=True,
                          capture_output=True, text=True).stdout.splitlines()


class Planter:
    def __init__(self, build, work):
        self.build, self.work = build, work
        self.all = commands(build, f"bin/{TEST}")
        self.link = next(c for c in self.all if f"-o bin/{TEST}" in c)
        # Only the program; ctest's list of its tests is not needed.
        self.link = re.sub(r"^: && ", "", self.link).split(" && ")[0]

    def copy(self, folder, path, old, new):
        """A copy of the folder with the mistake in it."""
        target = self.work / folder
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(ROOT / folder, target)
        text = (target / path).read_text()
        if text.count(old) != 1:
            sys.exit(f"plant_blocks: not exactly once in {path}: {old}")
        (target / path).write_text(text.replace(old, new))
        return target

    def program(self, objects, without=None):
        link = self.link.replace(without, "") if without else self.link
        program = self.work / TEST
        link = link.replace(f"-o bin/{TEST}", f"{' '.join(map(str, objects))} -o {program}", 1)
        run(link, self.build)
        return program

    def systemc(self, path, old, new):
        folder = self.copy("systemc", f"rdt/{path}", old, new)
        compiled = next(c for c in self.all if f"-o {OBJECT} " in c)
        out = self.work / "blame.o"
        compiled = (compiled.replace(f"-I{ROOT}/systemc", f"-I{folder}").replace(f"-o {OBJECT}", f"-o {out}")
                    .replace(f"-MF {OBJECT}.d", f"-MF {out}.d").replace(" -O3 ", " -O1 ").replace(" -Werror ", " "))
        run(compiled, self.build)
        return self.program([out], without=OBJECT)

    def rtl(self, path, old, new, lib):
        folder = self.copy("rtl", path, old, new)
        prefix = f"Vrdt_{lib}"
        old_dir, new_dir = f"{self.build}/verilated/vrdt_{lib}", f"{self.work}/vrdt_{lib}"
        objects = []
        for command in self.all:
            if f"verilate.py {old_dir} {prefix} " in command:
                command = command.replace(f"{ROOT}/rtl", str(folder)).replace(old_dir, new_dir)
                run(command.replace(" -Wall ", " -Wno-fatal "), self.build)  # a mistake may leave bits unused
        for part in ("fast", "slow"):
            source = f"verilated/vrdt_{lib}/{prefix}__{part}.cc"
            command = next(c for c in self.all if c.endswith(f"{self.build}/{source}") or c.endswith(source))
            out = self.work / f"{part}.o"
            words = shlex.split(command)
            words[words.index("-o") + 1] = str(out)
            words[words.index("-MF") + 1] = f"{out}.d"
            words[-1] = f"{new_dir}/{prefix}__{part}.cc"
            words = [w if w not in ("-O1", "-O3") else "-O0" for w in words]
            run(words, self.build)
            objects.append(out)
        return self.program(objects)


def main():
    parser = argparse.ArgumentParser(description="expects planted mistakes to be traced to their blocks")
    parser.add_argument("work", type=pathlib.Path, help="folder for copies and programs")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--only", default="", help="mistakes with this in side, kind or file")
    parser.add_argument("--skip", type=int, default=0, help="that many of the first ones")
    parser.add_argument("--missed", type=pathlib.Path, help="only those that a CSV of before says were not caught")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--seeds", type=int, default=4, help="tried until one shows a difference")
    parser.add_argument("--cycles", type=int, default=10000, help="of each seed")
    parser.add_argument("--csv", type=pathlib.Path, help="write a line for each mistake")
    args = parser.parse_args()
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    planter = Planter(args.build.resolve(), work)
    plants = [("systemc", *p, None) for p in SYSTEMC] + [("rtl", *p) for p in RTL]
    plants = [p for p in plants if args.only in " ".join(p[:3])]
    plants = plants[args.skip:]
    if args.missed:
        missed = {line.split(",")[2] + line.split(",", 3)[3].split('"')[1] for line in
                  args.missed.read_text().splitlines() if line.endswith("not caught")}
        plants = [p for p in plants if p[2] + p[4] in missed]
    env = dict(os.environ, RDT_SEED=str(args.seed), RDT_SEEDS=str(args.seeds), RDT_CYCLES=str(args.cycles),
               SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
    caught = named = 0
    lines = ["side,kind,file,mistake,seed,clock,pin,block,block_clock,verdict"]
    for side, kind, path, old, new, lib in plants:
        program = planter.systemc(path, old, new) if side == "systemc" else planter.rtl(path, old, new, lib)
        ran = subprocess.run([program, "--gtest_filter=blame.systemc_blocks_are*"], cwd=work, env=env,
                             capture_output=True, text=True)
        found = REPORT.search(ran.stdout)
        if ran.returncode == 0:
            verdict, where = "not caught", ("", "", "", "", "")
        elif found is None:
            sys.exit(f"plant_blocks: {side} {path}: no report:\n{ran.stdout[-3000:]}{ran.stderr[-1000:]}")
        else:
            caught += 1
            named += found[5] == kind
            verdict = "named" if found[5] == kind else "WRONG"
            where = (found[3], found[1], found[2], found[4], found[6])
        seed, clock, pin, block, block_clock = where
        print(f"{verdict:10} {side:8} {kind:12} {path:20} {pin:10} seed {seed or '-':2} clock {clock or '-':6} "
              f"block {block or '-'} in clock {block_clock or '-'}", flush=True)
        lines.append(f'{side},{kind},{path},"{new}",{seed},{clock},{pin},{block},{block_clock},{verdict}')
    print(f"{len(plants)} mistakes, {caught} caught, {named} traced to the right block")
    if args.csv:
        args.csv.write_text("\n".join(lines) + "\n")
    return 0 if caught == 0 or named >= 0.95 * caught else 1


if __name__ == "__main__":
    sys.exit(main())
