#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random RV64IMAFDC instructions for sim/programs/random, as assembler: blocks after which fold() puts all
registers into a hash. No traps, and no rounding to nearest with ties away, which the interpreter does not have.

usage: random_instructions.py SEED BLOCKS [--length INSTRUCTIONS]
"""
import argparse
import random

RESERVED = {2, 4, 8, 31}  # sp and s0 point into the scratch memory, tp to the save area, x31 is the link
TARGETS = [n for n in range(32) if n not in RESERVED]
SHORT = [9, 10, 11, 12, 13, 14, 15]  # registers of compressed instructions but s0
SHORT_FLOATS = list(range(8, 16))
MODES = ["rne", "rtz", "rdn", "rup", "dyn"]

REGISTERS = ("add sub sll slt sltu xor srl sra or and addw subw sllw srlw sraw mul mulh mulhsu mulhu div divu rem "
             "remu mulw divw divuw remw remuw").split()
IMMEDIATES = "addi slti sltiu xori ori andi addiw".split()
SHIFTS = {"slli": 64, "srli": 64, "srai": 64, "slliw": 32, "srliw": 32, "sraiw": 32}
LOADS = {"lb": 1, "lbu": 1, "lh": 2, "lhu": 2, "lw": 4, "lwu": 4, "ld": 8, "flw": 4, "fld": 8}
STORES = {"sb": 1, "sh": 2, "sw": 4, "sd": 8, "fsw": 4, "fsd": 8}
ATOMICS = "amoswap amoadd amoxor amoand amoor amomin amomax amominu amomaxu".split()
BRANCHES = "beq bne blt bge bltu bgeu".split()
ARITHMETIC = "fadd fsub fmul fdiv".split()
FUSED = "fmadd fmsub fnmsub fnmadd".split()
PLAIN = "fsgnj fsgnjn fsgnjx fmin fmax".split()
COMPARED = "feq flt fle".split()
TO_INTEGER = "w wu l lu".split()


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.labels = 0

    def pick(self, choices):
        return self.random.choice(choices)

    def x(self):
        return f"x{self.pick(TARGETS)}"

    def source(self):
        return f"x{self.random.randrange(32)}"

    def f(self):
        return f"f{self.random.randrange(32)}"

    def signed(self, bits):
        return self.random.randrange(-(1 << bits - 1), 1 << bits - 1)

    def integer(self):
        kind = self.random.randrange(10)
        if kind < 5:
            return f"{self.pick(REGISTERS)} {self.x()}, {self.source()}, {self.source()}"
        if kind < 7:
            return f"{self.pick(IMMEDIATES)} {self.x()}, {self.source()}, {self.signed(12)}"
        if kind < 9:
            op = self.pick(list(SHIFTS))
            return f"{op} {self.x()}, {self.source()}, {self.random.randrange(SHIFTS[op])}"
        return f"lui {self.x()}, {self.random.randrange(1 << 20)}"

    def memory(self):
        is_load = self.random.random() < 0.6
        op = self.pick(list(LOADS if is_load else STORES))
        register = self.f() if op.startswith("f") else self.x() if is_load else self.source()
        return f"{op} {register}, {self.signed(12)}(x8)"  # any alignment

    def atomic(self):
        size = self.pick("wd")
        address = f"addi x9, x8, {self.random.randrange(-200, 200) * 8}"
        if self.random.random() < 0.2:
            return f"{address}\n lr.{size} x10, (x9)\n sc.{size} {self.x()}, {self.source()}, (x9)"
        return f"{address}\n {self.pick(ATOMICS)}.{size} {self.x()}, {self.source()}, (x9)"

    def floating(self):
        size = self.pick("sd")
        mode = self.pick(MODES)
        kind = self.random.randrange(12)
        if kind < 4:
            return f"{self.pick(ARITHMETIC)}.{size} {self.f()}, {self.f()}, {self.f()}, {mode}"
        if kind < 6:
            return f"{self.pick(FUSED)}.{size} {self.f()}, {self.f()}, {self.f()}, {self.f()}, {mode}"
        if kind == 6:
            return f"{self.pick(PLAIN)}.{size} {self.f()}, {self.f()}, {self.f()}"
        if kind == 7:
            return f"{self.pick(COMPARED)}.{size} {self.x()}, {self.f()}, {self.f()}"
        if kind == 8:
            to = self.pick(TO_INTEGER)
            mode = self.pick(MODES + ["rmm"])
            return f"fcvt.{to}.{size} {self.x()}, {self.f()}, {mode}"
        if kind == 9:
            to = self.pick(TO_INTEGER)
            exact = size == "d" and to in ("w", "wu")
            return f"fcvt.{size}.{to} {self.f()}, {self.source()}" + ("" if exact else f", {mode}")
        if kind == 10:
            return self.pick([f"fcvt.s.d {self.f()}, {self.f()}, {mode}", f"fcvt.d.s {self.f()}, {self.f()}",
                              f"fsqrt.{size} {self.f()}, {self.f()}, {mode}"])
        return self.pick([f"fclass.{size} {self.x()}, {self.f()}",
                          f"fmv.x.{'w' if size == 's' else 'd'} {self.x()}, {self.f()}",
                          f"fmv.{'w' if size == 's' else 'd'}.x {self.f()}, {self.source()}",
                          f"fsrmi {self.random.randrange(4)}", f"csrrci {self.x()}, fflags, {self.random.randrange(32)}",
                          f"csrrs {self.x()}, fcsr, x0"])

    def compressed(self):
        full = self.pick([n for n in TARGETS if n != 0])
        other = self.random.randrange(1, 32)
        a, b = self.pick(SHORT), self.pick(SHORT + [8])
        f = self.pick(SHORT_FLOATS)
        six = self.pick([n for n in range(-32, 32) if n != 0])
        eight, four = 8 * self.random.randrange(32), 4 * self.random.randrange(32)
        return self.pick([
            f"c.addi x{full}, {six}", f"c.addiw x{full}, {six}", f"c.li x{full}, {six}",
            f"c.lui x{full}, {self.random.randrange(1, 32)}", f"c.slli x{full}, {self.random.randrange(1, 64)}",
            f"c.srli x{a}, {self.random.randrange(1, 64)}", f"c.srai x{a}, {self.random.randrange(1, 64)}",
            f"c.andi x{a}, {six}", f"c.mv x{full}, x{other}", f"c.add x{full}, x{other}",
            f"{self.pick(['c.sub', 'c.xor', 'c.or', 'c.and', 'c.subw', 'c.addw'])} x{a}, x{b}",
            f"c.addi4spn x{a}, sp, {4 * self.random.randrange(1, 256)}",
            f"c.lw x{a}, {four}(x8)", f"c.ld x{a}, {eight}(x8)", f"c.fld f{f}, {eight}(x8)",
            f"c.sw x{b}, {four}(x8)", f"c.sd x{b}, {eight}(x8)", f"c.fsd f{f}, {eight}(x8)",
            f"c.lwsp x{full}, {2 * four}(sp)", f"c.ldsp x{full}, {2 * eight}(sp)",
            f"c.fldsp f{other}, {2 * eight}(sp)", f"c.swsp x{other}, {2 * four}(sp)",
            f"c.sdsp x{other}, {2 * eight}(sp)", f"c.fsdsp f{other}, {2 * eight}(sp)"])

    def branch(self):
        self.labels += 1
        label = f"l{self.labels}"
        skipped = "\n ".join(self.integer() for _ in range(self.random.randrange(1, 4)))
        kind = self.random.random()
        if kind < 0.7:
            jump = f"{self.pick(BRANCHES)} {self.source()}, {self.source()}, {label}"
        elif kind < 0.85:
            jump = f"c.{self.pick(['beqz', 'bnez'])} x{self.pick(SHORT)}, {label}"
        else:
            jump = f"jal {self.x()}, {label}"
        return f"{jump}\n {skipped}\n{label}:"

    def instruction(self):
        kind = self.random.random()
        if kind < 0.30:
            return self.integer()
        if kind < 0.45:
            return self.memory()
        if kind < 0.50:
            return self.atomic()
        if kind < 0.75:
            return self.floating()
        if kind < 0.93:
            return self.compressed()
        return self.branch()


def assembler(seed, blocks, length):
    g = Generator(seed)
    lines = [" .text", " .global random_begin", "random_begin:"]
    for _ in range(blocks):
        lines += [" " + g.instruction() for _ in range(length)]
        lines.append(" jal x31, fold")
    return "\n".join(lines + [" j random_return", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("blocks", type=int)
    parser.add_argument("--length", type=int, default=100)
    args = parser.parse_args()
    print(assembler(args.seed, args.blocks, args.length))


if __name__ == "__main__":
    main()
