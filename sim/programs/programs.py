#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""RISC-V programs for `rdt exec`: builds the kernels of sim/programs, runs them and compares them with QEMU.

usage: programs.py build [--output DIR]        compile all kernels
       programs.py page RDT [--output DIR]     run all on 1 to 64 nodes of four machines, and write index.html
       programs.py check RDT [--full]          every kernel prints the same line on a flat memory, QEMU and machines
       programs.py random RDT [--seeds N] [--rounds N] [--inject]   random instructions leave QEMU's registers
       programs.py examples                    the files of examples/program are those of the sources
       programs.py isa RDT DIR                 programs of riscv-tests, built, in DIR

Exit code 77: the cross compiler or QEMU is missing.
"""
import argparse
import html
import json
import pathlib
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

from random_instructions import assembler

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "sim/programs"
EXAMPLES = ROOT / "examples/program"
COMPILER = "riscv64-unknown-elf-gcc"
QEMU = "qemu-system-riscv64"
FLAGS = ("-O2 -g0 -Wall -Wextra -mcmodel=medany -march=rv64imafdc -mabi=lp64d -ffreestanding -fno-math-errno "
         "-nostartfiles -nostdlib -static").split()
KERNELS = sorted(p.stem for p in (SOURCES / "kernels").glob("*.c"))
PREBUILT = ["barrier", "false_sharing", "ocean"]
SKIPPED = 77
TIMEOUT = 600

# Options of `rdt exec`, by the comparison they serve.
MACHINES = {"RDT, multicast, invalidate": [],
            "RDT, multicast, update": ["--protocol", "update"],
            "RDT, exact, invalidate": ["--directory", "exact"],
            "torus, exact, invalidate": ["--torus", "--directory", "exact"]}
# Arguments of the curves of the page.
SIZES = {"barrier": "0 20", "lock": "0 256", "ocean": "128 4", "matmul": "64", "lu": "64", "fft": "11",
         "radix": "4096 3", "nbody": "128 2", "queue": "512 40", "transpose": "128", "false_sharing": "8 50"}


def skip(program):
    print(f"skipped: {program} is not installed")
    sys.exit(SKIPPED)


def need(program):
    if shutil.which(program) is None:
        skip(program)


def compile_program(sources, output):
    rt = SOURCES / "rt"
    subprocess.run([COMPILER, *FLAGS, f"-I{rt}", f"-I{SOURCES / 'kernels'}", "-T", rt / "rdt.ld", rt / "crt0.S",
                    rt / "rdt.c", *sources, "-o", output], check=True)


def build(output):
    need(COMPILER)
    output.mkdir(parents=True, exist_ok=True)
    for kernel in KERNELS:
        compile_program([SOURCES / "kernels" / f"{kernel}.c"], output / f"{kernel}.elf")
    return output


def printed(command):
    """Standard output of a program that ends well, or the reason why it does not."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=TIMEOUT,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stdout[-200:]} {done.stderr[-200:]}"
    return done.stdout


def result_line(kernel, text):
    lines = [line for line in text.splitlines() if line.startswith(kernel)]
    return lines[0] if lines else text


def symbol(elf, name):
    for line in subprocess.run(["riscv64-unknown-elf-nm", elf], capture_output=True, text=True,
                               check=True).stdout.splitlines():
        words = line.split()
        if words[-1] == name:
            return int(words[0], 16)
    return None


def patched(elf, values):
    """A copy of a program with other constants, by symbol."""
    image = bytearray(pathlib.Path(elf).read_bytes())
    headers, count = struct.unpack_from("<Q", image, 32)[0], struct.unpack_from("<H", image, 56)[0]
    for name, value in values.items():
        address = symbol(elf, name)
        for i in range(count):
            offset, _, place, size = struct.unpack_from("<QQQQ", image, headers + 56 * i + 8)
            if place <= address < place + size:
                image[offset + address - place:offset + address - place + len(value)] = value
    copy = pathlib.Path(elf).with_suffix(".qemu")
    copy.write_bytes(image)
    return copy


def on_qemu(elf, nodes, arguments=""):
    """QEMU does not know the facts that `rdt exec` gives to a program."""
    copy = patched(elf, {"rdt_nodes_": struct.pack("<I", nodes), "rdt_arguments_": arguments.encode() + b"\0"})
    return printed([QEMU, "-machine", "virt", "-smp", nodes, "-m", "512M", "-bios", "none", "-kernel", copy, "-display",
                    "none", "-serial", "stdio", "-monitor", "none"])


def check(rdt, full):
    """Number of differences; the reference is one hart on a flat memory."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        elves = build(pathlib.Path(folder))
        for kernel in KERNELS:
            elf = elves / f"{kernel}.elf"
            expected = result_line(kernel, printed([rdt, "exec", elf, "--flat", "--nodes", 1]))
            runs = [("flat", 4, [rdt, "exec", elf, "--flat", "--nodes", 4])]
            for name, options in MACHINES.items():
                for nodes in ([1, 4, 16, 64] if full else [4]):
                    runs.append((name, nodes, [rdt, "exec", elf, "--nodes", nodes, *options]))
            if full:
                runs += [("store buffer", 16, [rdt, "exec", elf, "--nodes", 16, "--store-buffer", 4]),
                         ("small cache", 16, [rdt, "exec", elf, "--nodes", 16, "--cache-lines", 64]),
                         ("pages", 64, [rdt, "exec", elf, "--nodes", 64, "--page", 16])]
            results = [(name, nodes, result_line(kernel, printed(command))) for name, nodes, command in runs]
            if shutil.which(QEMU):
                results += [("QEMU", n, result_line(kernel, on_qemu(elf, n))) for n in ([1, 2, 4] if full else [2])]
            different = [(name, nodes, line) for name, nodes, line in results if line != expected]
            for name, nodes, line in different:
                print(f"{kernel}, {name}, {nodes} nodes: {line.strip()!r} instead of {expected!r}")
            wrong += len(different)
            print(f"{expected}: {len(results) - len(different)} of {len(results)} runs agree")
    if not shutil.which(QEMU):
        print(f"not compared with QEMU: {QEMU} is not installed")
    return wrong


def random_program(folder, seed, blocks, mutate=False):
    text = assembler(seed, blocks, 100)
    if mutate:  # one instruction of the whole program
        text = re.sub(r"^ xor (x\d+), (x\d+), (x\d+)$", r" or \1, \2, \3", text, count=1, flags=re.M)
    source = folder / f"{seed}{'m' if mutate else ''}.S"
    source.write_text(text)
    elf = source.with_suffix(".elf")
    compile_program([SOURCES / "random/fold.c", SOURCES / "random/save.S", source], elf)
    return elf


def check_random(rdt, seeds, rounds, inject):
    need(COMPILER)
    need(QEMU)
    wrong = 0
    blocks = 200
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, seeds + 1):
            elf = random_program(pathlib.Path(folder), seed, blocks)
            other = random_program(pathlib.Path(folder), seed, blocks, mutate=True) if inject else elf
            ours = printed([rdt, "exec", other, "--flat", "--nodes", 1, "--args", rounds])
            reference = on_qemu(elf, 1, str(rounds))
            same = ours == reference and reference.count("\n") > blocks * rounds / 20
            at = next((i for i, (a, b) in enumerate(zip(ours.splitlines(), reference.splitlines())) if a != b), None)
            print(f"seed {seed}: {blocks * rounds} blocks of 100 or more instructions, "
                  f"{'registers equal' if same else f'different after block {16 * (at or 0)}'}")
            wrong += same == inject
    return wrong


def check_examples():
    """The prebuilt programs, byte by byte where the compiler is the one that made them."""
    wrong = 0
    made_by = (EXAMPLES / "compiler.txt").read_text().strip()
    need(COMPILER)
    here = subprocess.run([COMPILER, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    if here != made_by:
        print(f"skipped: the examples were made by {made_by}, and this is {here}")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        for kernel in PREBUILT:
            elf = pathlib.Path(folder) / f"{kernel}.elf"
            compile_program([SOURCES / "kernels" / f"{kernel}.c"], elf)
            if elf.read_bytes() != (EXAMPLES / f"{kernel}.elf").read_bytes():
                print(f"examples/program/{kernel}.elf is not what sim/programs gives: sim/programs/programs.py examples --update")
                wrong += 1
    return wrong


def update_examples():
    need(COMPILER)
    for kernel in PREBUILT:
        compile_program([SOURCES / "kernels" / f"{kernel}.c"], EXAMPLES / f"{kernel}.elf")
    here = subprocess.run([COMPILER, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    (EXAMPLES / "compiler.txt").write_text(here + "\n")
    return 0


def check_isa(rdt, folder):
    """rv64u{i,m,a,f,d,c}-p-* of riscv-tests, as its Makefile builds them."""
    tests = sorted(p for p in folder.rglob("rv64u[imafdc]-p-*") if p.is_file() and not p.suffix)
    if not tests:
        print(f"{folder}: no rv64u*-p-* of riscv-tests")
        return 2
    failed = [p.name for p in tests
              if subprocess.run([rdt, "exec", p, "--flat", "--nodes", "1", "--cycles", "1000000"], check=False,
                                capture_output=True).returncode != 0]
    print(f"{len(tests) - len(failed)} of {len(tests)} programs pass" + (f"; not {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


def cpu_seconds():
    """CPU time of all programs that were run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def page(rdt, output, nodes):
    build(output)
    parts, rows = [], []
    for number, kernel in enumerate(KERNELS, 1):
        out = {kind: output / f"{kernel}.{kind}" for kind in ("svg", "csv", "json")}
        before = cpu_seconds()
        subprocess.run([rdt, "speedup", output / f"{kernel}.elf", "--nodes", nodes, "--args", SIZES[kernel], "--against",
                        "update,exact,torus", "--svg", out["svg"], "--csv", out["csv"], "--json", out["json"]],
                       check=True, stdout=subprocess.DEVNULL)
        print(f"{number} of {len(KERNELS)}: {kernel} {SIZES[kernel]}, {cpu_seconds() - before:.1f} s CPU", flush=True)
        points = json.loads(out["json"].read_text())["points"]
        last = {p["machine"]: p for p in points if p["nodes"] == max(q["nodes"] for q in points)}
        rows.append(f"<tr><td>{kernel} {SIZES[kernel]}</td>" +
                    "".join(f"<td>{p['cycles']:,}</td><td>{p['speedup']:.1f}</td>" for p in last.values()) + "</tr>")
        parts.append(f"<h2>{kernel}</h2>\n{out['svg'].read_text()}")
        names = list(last)
    head = "".join(f"<th colspan=2>{html.escape(name)}</th>" for name in names)
    (output / "index.html").write_text(
        "<!doctype html><meta charset=utf-8><title>Programs on the machine</title>\n"
        "<style>body{font-family:sans-serif;max-width:60em;margin:auto}td,th{padding:.2em .6em;text-align:right}"
        "svg{max-width:100%;height:auto}</style>\n"
        f"<h1>Programs on the machine</h1>\n<p>Cycles of the region of interest and speed-up with {nodes.split(',')[-1]} "
        "nodes, for each machine.</p>\n"
        f"<table><tr><th>kernel</th>{head}</tr>\n" + "\n".join(rows) + "</table>\n" + "\n".join(parts) + "\n")
    print(f"{output / 'index.html'}, {cpu_seconds():.0f} s CPU")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["build", "page", "check", "random", "examples", "isa"])
    parser.add_argument("rdt", nargs="?")
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/programs")
    parser.add_argument("--nodes", default="1,2,4,8,16,32,64")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--inject", action="store_true")
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    if args.command == "build":
        print(build(args.output))
        return 0
    if args.command == "examples":
        return update_examples() if args.update else check_examples()
    if args.rdt is None or (args.command == "isa" and args.folder is None):
        parser.error(f"{args.command} needs the program rdt" + (" and a folder" if args.command == "isa" else ""))
    if args.command == "page":
        return page(args.rdt, args.output, args.nodes)
    if args.command == "check":
        return 1 if check(args.rdt, args.full) else 0
    if args.command == "random":
        return 1 if check_random(args.rdt, args.seeds, args.rounds, args.inject) else 0
    return check_isa(args.rdt, args.folder)


if __name__ == "__main__":
    sys.exit(main())
