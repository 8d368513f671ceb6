// SPDX-License-Identifier: MIT
// Control and status registers, and traps.
#include <rdt/hart/hart.h>

namespace rdt::hart {

namespace {

enum Csr : uint32_t {
    FFlags = 0x001,
    Frm = 0x002,
    Fcsr = 0x003,
    Mstatus = 0x300,
    Misa = 0x301,
    Mie = 0x304,
    Mtvec = 0x305,
    Mscratch = 0x340,
    Mepc = 0x341,
    Mcause = 0x342,
    Mtval = 0x343,
    Mip = 0x344,
    PmpFirst = 0x3a0,
    PmpLast = 0x3ef,
    Mcycle = 0xb00,
    Minstret = 0xb02,
    Cycle = 0xc00,
    Time = 0xc01,
    Instret = 0xc02,
    Mvendorid = 0xf11,
    Mhartid = 0xf14,
};
constexpr uint64_t MisaValue =
    uint64_t(2) << 62 | 1 << 0 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 8 | 1 << 12;  // RV64, ACDFIM

}  // namespace

const char* to_string(Cause cause) {
    switch (cause) {
    case FetchFault: return "executes no code";
    case IllegalInstruction: return "illegal instruction";
    case Breakpoint: return "ebreak without a debugger";
    case LoadMisaligned: return "misaligned load";
    case LoadFault: return "load from no memory of this node";
    case StoreMisaligned: return "misaligned store or atomic operation";
    case StoreFault: return "store to no memory of this node";
    case EnvironmentCall: return "ecall without a handler";
    }
    return "trap";
}

bool Hart::trap(Cause cause, uint64_t value) {
    m_control.mepc = pc;
    m_control.mcause = cause;
    m_control.mtval = value;
    ++m_effects;
    if (m_control.mtvec == 0) return false;
    pc = m_control.mtvec & ~uint64_t(3);
    return true;
}

bool Hart::read_csr(uint32_t number, uint64_t& value) const {
    if (number >= PmpFirst && number <= PmpLast) {
        value = 0;
        return true;
    }
    switch (number) {
    case FFlags: value = fcsr & 31; return true;
    case Frm: value = fcsr >> 5; return true;
    case Fcsr: value = fcsr; return true;
    case Mstatus: value = m_control.mstatus; return true;
    case Misa: value = MisaValue; return true;
    case Mie: value = m_control.mie; return true;
    case Mip: value = 0; return true;
    case Mtvec: value = m_control.mtvec; return true;
    case Mscratch: value = m_control.mscratch; return true;
    case Mepc: value = m_control.mepc; return true;
    case Mcause: value = m_control.mcause; return true;
    case Mtval: value = m_control.mtval; return true;
    case Mcycle:
    case Cycle:
    case Time: value = m_cycle + m_executed; return true;
    case Minstret:
    case Instret: value = m_instructions; return true;
    case Mhartid: value = m_id; return true;
    default: break;
    }
    value = 0;
    return number >= Mvendorid && number < Mhartid;
}

bool Hart::write_csr(uint32_t number, uint64_t value) {
    switch (number) {
    case FFlags: fcsr = (fcsr & ~31u) | (value & 31); return true;
    case Frm: fcsr = (fcsr & 31u) | uint32_t(value & 7) << 5; return true;
    case Fcsr: fcsr = value & 255; return true;
    case Mstatus: m_control.mstatus = value; return true;
    case Mie: m_control.mie = value; return true;
    case Mtvec: m_control.mtvec = value; return true;
    case Mscratch: m_control.mscratch = value; return true;
    case Mepc: m_control.mepc = value & ~uint64_t(1); return true;
    case Mcause: m_control.mcause = value; return true;
    case Mtval: m_control.mtval = value; return true;
    default: break;
    }
    return number >> 10 != 3;  // others have no effect; those are read only
}

bool Hart::execute_csr(const Instruction& n) {
    const uint32_t number = n.raw >> 20;
    const uint32_t kind = n.funct3 & 3;
    uint64_t old = 0;
    ++m_effects;
    if (!read_csr(number, old)) return false;
    const uint64_t operand = (n.funct3 & 4) != 0 ? n.rs1 : x[n.rs1];
    const uint64_t value = kind == 1 ? operand : kind == 2 ? old | operand : old & ~operand;
    if ((kind == 1 || n.rs1 != 0) && !write_csr(number, value)) return false;
    x[n.rd] = old;
    return true;
}

}  // namespace rdt::hart
