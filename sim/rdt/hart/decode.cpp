// SPDX-License-Identifier: MIT
#include <rdt/hart/instruction.h>

#include <array>

namespace rdt::hart {

namespace {

constexpr uint32_t bits(uint32_t v, uint32_t high, uint32_t low) {
    return v >> low & ((1u << (high - low + 1)) - 1);
}
constexpr int32_t extended(uint32_t v, uint32_t width) {
    return int32_t(v << (32 - width)) >> (32 - width);
}

using Choice = std::array<Opcode, 8>;
using O = Opcode;
constexpr O Ill = O::Illegal;

int32_t immediate_s(uint32_t b) { return extended(bits(b, 31, 25) << 5 | bits(b, 11, 7), 12); }
int32_t immediate_b(uint32_t b) {
    return extended(
        bits(b, 31, 31) << 12 | bits(b, 7, 7) << 11 | bits(b, 30, 25) << 5 | bits(b, 11, 8) << 1,
        13);
}
int32_t immediate_j(uint32_t b) {
    return extended(bits(b, 31, 31) << 20 | bits(b, 19, 12) << 12 | bits(b, 20, 20) << 11 |
                        bits(b, 30, 21) << 1,
                    21);
}

O float_opcode(const Instruction& n) {
    switch (n.funct7 >> 2) {
    case 0x00: return O::Fadd;
    case 0x01: return O::Fsub;
    case 0x02: return O::Fmul;
    case 0x03: return O::Fdiv;
    case 0x0b: return n.rs2 == 0 ? O::Fsqrt : Ill;
    case 0x04: return n.funct3 <= 2 ? O::Fsgnj : Ill;
    case 0x05: return n.funct3 <= 1 ? O::Fminmax : Ill;
    case 0x14: return n.funct3 <= 2 ? O::Fcompare : Ill;
    case 0x18: return n.rs2 <= 3 ? O::FloatToInt : Ill;
    case 0x1a: return n.rs2 <= 3 ? O::IntToFloat : Ill;
    case 0x08: return n.rs2 == (n.is_double ? 0 : 1) ? O::FloatToFloat : Ill;
    case 0x1c: return n.rs2 == 0 && n.funct3 <= 1 ? O::FclassMove : Ill;
    case 0x1e: return n.rs2 == 0 && n.funct3 == 0 ? O::MoveToFloat : Ill;
    default: return Ill;
    }
}

bool has_rounding_mode(O op) {
    switch (op) {
    case O::Fsgnj:
    case O::Fminmax:
    case O::Fcompare:
    case O::FclassMove:
    case O::MoveToFloat: return false;
    default: return true;
    }
}

bool is_amo(uint32_t funct5, uint32_t rs2) {
    switch (funct5) {
    case 2: return rs2 == 0;
    case 0:
    case 1:
    case 3:
    case 4:
    case 8:
    case 12:
    case 16:
    case 20:
    case 24:
    case 28: return true;
    default: return false;
    }
}

O system_opcode(uint32_t b, uint32_t funct3) {
    if (funct3 != 0) return funct3 == 4 ? Ill : O::Csr;
    switch (b) {
    case 0x00000073: return O::Ecall;
    case 0x00100073: return O::Ebreak;
    case 0x10500073: return O::Wfi;
    case 0x30200073: return O::Mret;
    default: return Ill;
    }
}

Instruction decode_full(uint32_t b) {
    Instruction n;
    n.op = Ill;
    n.raw = b;
    n.rd = uint8_t(bits(b, 11, 7) == 0 ? Instruction::Discard : bits(b, 11, 7));
    n.rs1 = uint8_t(bits(b, 19, 15));
    n.rs2 = uint8_t(bits(b, 24, 20));
    n.funct3 = uint8_t(bits(b, 14, 12));
    n.funct7 = uint8_t(b >> 25);
    n.imm = int32_t(b) >> 20;
    const auto choose = [&n](const Choice& by_funct3) { n.op = by_funct3[n.funct3]; };
    switch (b & 0x7f) {
    case 0x37:
        n.op = O::Lui;
        n.imm = int32_t(b & 0xfffff000);
        break;
    case 0x17:
        n.op = O::Auipc;
        n.imm = int32_t(b & 0xfffff000);
        break;
    case 0x6f:
        n.op = O::Jal;
        n.imm = immediate_j(b);
        break;
    case 0x67: n.op = n.funct3 == 0 ? O::Jalr : Ill; break;
    case 0x63:
        choose({O::Beq, O::Bne, Ill, Ill, O::Blt, O::Bge, O::Bltu, O::Bgeu});
        n.imm = immediate_b(b);
        break;
    case 0x03: choose({O::Lb, O::Lh, O::Lw, O::Ld, O::Lbu, O::Lhu, O::Lwu, Ill}); break;
    case 0x07: choose({Ill, Ill, O::Flw, O::Fld, Ill, Ill, Ill, Ill}); break;
    case 0x23:
        choose({O::Sb, O::Sh, O::Sw, O::Sd, Ill, Ill, Ill, Ill});
        n.imm = immediate_s(b);
        break;
    case 0x27:
        choose({Ill, Ill, O::Fsw, O::Fsd, Ill, Ill, Ill, Ill});
        n.imm = immediate_s(b);
        break;
    case 0x13:
        choose({O::Addi, O::Slli, O::Slti, O::Sltiu, O::Xori, O::Srli, O::Ori, O::Andi});
        if (n.op == O::Slli && n.funct7 >> 1 != 0) n.op = Ill;
        if (n.op == O::Srli && n.funct7 >> 1 != 0) n.op = n.funct7 >> 1 == 0x10 ? O::Srai : Ill;
        if (n.funct3 == 1 || n.funct3 == 5) n.imm &= 63;
        break;
    case 0x1b:
        if (n.funct3 == 0) n.op = O::Addiw;
        if (n.funct3 == 1 && n.funct7 == 0) n.op = O::Slliw;
        if (n.funct3 == 5 && n.funct7 == 0) n.op = O::Srliw;
        if (n.funct3 == 5 && n.funct7 == 0x20) n.op = O::Sraiw;
        if (n.funct3 != 0) n.imm &= 31;
        break;
    case 0x33:
        if (n.funct7 == 0) choose({O::Add, O::Sll, O::Slt, O::Sltu, O::Xor, O::Srl, O::Or, O::And});
        if (n.funct7 == 1)
            choose({O::Mul, O::Mulh, O::Mulhsu, O::Mulhu, O::Div, O::Divu, O::Rem, O::Remu});
        if (n.funct7 == 0x20) choose({O::Sub, Ill, Ill, Ill, Ill, O::Sra, Ill, Ill});
        break;
    case 0x3b:
        if (n.funct7 == 0) choose({O::Addw, O::Sllw, Ill, Ill, Ill, O::Srlw, Ill, Ill});
        if (n.funct7 == 1) choose({O::Mulw, Ill, Ill, Ill, O::Divw, O::Divuw, O::Remw, O::Remuw});
        if (n.funct7 == 0x20) choose({O::Subw, Ill, Ill, Ill, Ill, O::Sraw, Ill, Ill});
        break;
    case 0x0f: choose({O::Fence, O::FenceI, Ill, Ill, Ill, Ill, Ill, Ill}); break;
    case 0x2f:
        if ((n.funct3 == 2 || n.funct3 == 3) && is_amo(n.funct7 >> 2, n.rs2)) n.op = O::Amo;
        break;
    case 0x73: n.op = system_opcode(b, n.funct3); break;
    case 0x43:
    case 0x47:
    case 0x4b:
    case 0x4f: {
        constexpr O Fused[] = {O::Fmadd, O::Fmsub, O::Fnmsub, O::Fnmadd};
        n.op = (n.funct7 & 2) != 0 ? Ill : Fused[bits(b, 3, 2)];
        n.is_double = (n.funct7 & 1) != 0;
        n.funct7 = uint8_t(b >> 27);
        break;
    }
    case 0x53:
        n.is_double = (n.funct7 & 1) != 0;
        n.op = (n.funct7 & 2) != 0 ? Ill : float_opcode(n);
        break;
    default: break;
    }
    const bool is_float = n.op >= O::Fadd;
    if (is_float && has_rounding_mode(n.op) && (n.funct3 == 5 || n.funct3 == 6)) n.op = Ill;
    return n;
}

// Builds what a compressed instruction stands for.
struct Compressed {
    uint32_t b;
    Instruction n{};

    explicit Compressed(uint32_t bits16) : b(bits16) {
        n.op = Ill;
        n.length = 2;
        n.raw = b;
    }
    uint32_t at(uint32_t high, uint32_t low) const { return bits(b, high, low); }
    uint8_t short1() const { return uint8_t(8 + at(9, 7)); }
    uint8_t short2() const { return uint8_t(8 + at(4, 2)); }
    uint8_t full1() const { return uint8_t(at(11, 7)); }
    uint8_t full2() const { return uint8_t(at(6, 2)); }
    int32_t immediate6() const { return extended(at(12, 12) << 5 | at(6, 2), 6); }
    uint32_t shift() const { return at(12, 12) << 5 | at(6, 2); }
    uint32_t offset_words() const { return at(12, 10) << 3 | at(6, 6) << 2 | at(5, 5) << 6; }
    uint32_t offset_doubles() const { return at(12, 10) << 3 | at(6, 5) << 6; }
    uint32_t stack_doubles() const { return at(12, 12) << 5 | at(6, 5) << 3 | at(4, 2) << 6; }

    // Loads of floating point take the register from `raw`, so it goes there.
    void set(O op, uint8_t rd, uint8_t rs1, uint8_t rs2, int32_t imm) {
        n.op = op;
        n.rd = rd == 0 ? Instruction::Discard : rd;
        n.rs1 = rs1;
        n.rs2 = rs2;
        n.imm = imm;
        n.raw = (b & ~(31u << 7)) | uint32_t(rd) << 7;
    }
    void quadrant0() {
        switch (at(15, 13)) {
        case 0: {
            const uint32_t imm = at(12, 11) << 4 | at(10, 7) << 6 | at(6, 6) << 2 | at(5, 5) << 3;
            if (imm != 0) set(O::Addi, short2(), 2, 0, int32_t(imm));
            break;
        }
        case 1: set(O::Fld, short2(), short1(), 0, int32_t(offset_doubles())); break;
        case 2: set(O::Lw, short2(), short1(), 0, int32_t(offset_words())); break;
        case 3: set(O::Ld, short2(), short1(), 0, int32_t(offset_doubles())); break;
        case 5: set(O::Fsd, 0, short1(), short2(), int32_t(offset_doubles())); break;
        case 6: set(O::Sw, 0, short1(), short2(), int32_t(offset_words())); break;
        case 7: set(O::Sd, 0, short1(), short2(), int32_t(offset_doubles())); break;
        default: break;
        }
    }
    void arithmetic() {
        const uint8_t r = short1();
        switch (at(11, 10)) {
        case 0: return set(O::Srli, r, r, 0, int32_t(shift()));
        case 1: return set(O::Srai, r, r, 0, int32_t(shift()));
        case 2: return set(O::Andi, r, r, 0, immediate6());
        default: break;
        }
        constexpr O Ops[] = {O::Sub, O::Xor, O::Or, O::And, O::Subw, O::Addw, Ill, Ill};
        const O op = Ops[at(12, 12) << 2 | at(6, 5)];
        if (op != Ill) set(op, r, r, short2(), 0);
    }
    void quadrant1() {
        const uint8_t r = full1();
        switch (at(15, 13)) {
        case 0: set(O::Addi, r, r, 0, immediate6()); break;
        case 1:
            if (r != 0) set(O::Addiw, r, r, 0, immediate6());
            break;
        case 2: set(O::Addi, r, 0, 0, immediate6()); break;
        case 3:
            if (shift() == 0) break;
            if (r == 2)
                set(O::Addi, 2, 2, 0,
                    extended(at(12, 12) << 9 | at(6, 6) << 4 | at(5, 5) << 6 | at(4, 3) << 7 |
                                 at(2, 2) << 5,
                             10));
            else set(O::Lui, r, 0, 0, immediate6() * 4096);
            break;
        case 4: arithmetic(); break;
        case 5:
            set(O::Jal, 0, 0, 0,
                extended(at(12, 12) << 11 | at(11, 11) << 4 | at(10, 9) << 8 | at(8, 8) << 10 |
                             at(7, 7) << 6 | at(6, 6) << 7 | at(5, 3) << 1 | at(2, 2) << 5,
                         12));
            break;
        default:
            set(at(13, 13) == 0 ? O::Beq : O::Bne, 0, short1(), 0,
                extended(at(12, 12) << 8 | at(11, 10) << 3 | at(6, 5) << 6 | at(4, 3) << 1 |
                             at(2, 2) << 5,
                         9));
            break;
        }
    }
    void jump_or_move() {
        const uint8_t r = full1();
        const uint8_t s = full2();
        if (at(12, 12) == 0) {
            if (s != 0) set(O::Add, r, 0, s, 0);
            else if (r != 0) set(O::Jalr, 0, r, 0, 0);
        } else if (s != 0) {
            set(O::Add, r, r, s, 0);
        } else if (r != 0) {
            set(O::Jalr, 1, r, 0, 0);
        } else {
            set(O::Ebreak, 0, 0, 0, 0);
        }
    }
    void quadrant2() {
        const uint8_t r = full1();
        switch (at(15, 13)) {
        case 0: set(O::Slli, r, r, 0, int32_t(shift())); break;
        case 1: set(O::Fld, r, 2, 0, int32_t(stack_doubles())); break;
        case 2:
            if (r != 0)
                set(O::Lw, r, 2, 0, int32_t(at(12, 12) << 5 | at(6, 4) << 2 | at(3, 2) << 6));
            break;
        case 3:
            if (r != 0) set(O::Ld, r, 2, 0, int32_t(stack_doubles()));
            break;
        case 4: jump_or_move(); break;
        case 5: set(O::Fsd, 0, 2, full2(), int32_t(at(12, 10) << 3 | at(9, 7) << 6)); break;
        case 6: set(O::Sw, 0, 2, full2(), int32_t(at(12, 9) << 2 | at(8, 7) << 6)); break;
        default: set(O::Sd, 0, 2, full2(), int32_t(at(12, 10) << 3 | at(9, 7) << 6)); break;
        }
    }
};

}  // namespace

Instruction decode(uint32_t b) {
    if ((b & 3) == 3) return decode_full(b);
    Compressed c(b & 0xffff);
    if ((b & 3) == 0) c.quadrant0();
    else if ((b & 3) == 1) c.quadrant1();
    else c.quadrant2();
    if (c.n.op == Opcode::Illegal) c.n.raw = b & 0xffff;
    return c.n;
}

}  // namespace rdt::hart
