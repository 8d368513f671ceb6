// SPDX-License-Identifier: MIT
// A decoded RISC-V instruction. Compressed instructions are decoded to those that they stand for.
#pragma once

#include <cstdint>

namespace rdt::hart {

enum class Opcode : uint8_t {
    Undecoded,  // must be 0: not looked at yet
    Illegal,
    Outside,  // not in the text
    Lui,
    Auipc,
    Jal,
    Jalr,
    Beq,
    Bne,
    Blt,
    Bge,
    Bltu,
    Bgeu,
    Lb,
    Lh,
    Lw,
    Ld,
    Lbu,
    Lhu,
    Lwu,
    Flw,
    Fld,
    Sb,
    Sh,
    Sw,
    Sd,
    Fsw,
    Fsd,
    Addi,
    Slti,
    Sltiu,
    Xori,
    Ori,
    Andi,
    Slli,
    Srli,
    Srai,
    Addiw,
    Slliw,
    Srliw,
    Sraiw,
    Add,
    Sub,
    Sll,
    Slt,
    Sltu,
    Xor,
    Srl,
    Sra,
    Or,
    And,
    Addw,
    Subw,
    Sllw,
    Srlw,
    Sraw,
    Mul,
    Mulh,
    Mulhsu,
    Mulhu,
    Div,
    Divu,
    Rem,
    Remu,
    Mulw,
    Divw,
    Divuw,
    Remw,
    Remuw,
    Fence,
    FenceI,
    Csr,
    Ecall,
    Ebreak,
    Mret,
    Wfi,
    Amo,  // LR and SC included
    // Floating point: from here on.
    Fadd,
    Fsub,
    Fmul,
    Fdiv,
    Fsqrt,
    Fmadd,
    Fmsub,
    Fnmsub,
    Fnmadd,
    Fsgnj,
    Fminmax,
    Fcompare,
    FclassMove,    // fclass, or the bits to an integer register
    MoveToFloat,   // the bits of an integer register
    FloatToInt,    // fcvt
    IntToFloat,    // fcvt
    FloatToFloat,  // fcvt.s.d, fcvt.d.s
};

struct Instruction {
    // Writes to x0 go to a register that nothing reads.
    static constexpr uint8_t Discard = 32;

    Opcode op = Opcode::Undecoded;
    uint8_t length = 4;  // bytes
    uint8_t rd = Discard;
    uint8_t rs1 = 0;
    uint8_t rs2 = 0;
    uint8_t funct3 = 0;  // floating point: the rounding mode
    uint8_t funct7 = 0;  // of a fused multiply-add: rs3
    bool is_double = false;
    int32_t imm = 0;
    uint32_t raw = 0;

    // The floating-point register; there rd is a register like the others.
    uint8_t fd() const { return uint8_t(raw >> 7 & 31); }
};

// The instruction that begins with these 32 bits, of which a compressed one uses 16.
Instruction decode(uint32_t bits);

}  // namespace rdt::hart
