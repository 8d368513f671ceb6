// SPDX-License-Identifier: MIT
// The interpreter. Files that include it are compiled with -ffp-contract=off.
#pragma once

#include <cstring>

#include <rdt/hart/hart.h>

namespace rdt::hart {

namespace detail {

inline uint64_t extended(uint64_t v) { return uint64_t(int64_t(int32_t(uint32_t(v)))); }

inline uint64_t high_product(int64_t a, int64_t b) { return uint64_t((__int128(a) * b) >> 64); }
inline uint64_t high_product(uint64_t a, uint64_t b) {
    return uint64_t((static_cast<unsigned __int128>(a) * b) >> 64);
}
inline uint64_t high_product(int64_t a, uint64_t b) {
    return high_product(uint64_t(a), b) - (a < 0 ? b : 0);
}

template <class S>
S quotient(S a, S b, S least) {
    if (b == 0) return S(-1);
    return a == least && b == S(-1) ? a : S(a / b);
}
template <class S>
S remainder(S a, S b, S least) {
    if (b == 0) return a;
    return a == least && b == S(-1) ? S(0) : S(a % b);
}
constexpr int64_t Least64 = INT64_MIN;
constexpr int32_t Least32 = INT32_MIN;

inline dsm::Op operation_of(uint32_t funct5) {
    switch (funct5) {
    case 0: return dsm::Op::Add;
    case 1: return dsm::Op::Swap;
    case 2: return dsm::Op::LoadReserved;
    case 3: return dsm::Op::StoreConditional;
    case 4: return dsm::Op::Xor;
    case 8: return dsm::Op::Or;
    case 12: return dsm::Op::And;
    case 16: return dsm::Op::Min;
    case 20: return dsm::Op::Max;
    case 24: return dsm::Op::MinUnsigned;
    default: return dsm::Op::MaxUnsigned;
    }
}

inline double as_double(uint64_t v) {
    double d = 0;
    std::memcpy(&d, &v, sizeof d);
    return d;
}
inline uint64_t as_bits(double d) {
    uint64_t v = 0;
    std::memcpy(&v, &d, sizeof v);
    return v;
}
// A normal result, not the least: no exception but inexact can have come with it.
inline bool is_ordinary(uint64_t bits) { return (bits >> 52 & 0x7ff) - 2 < 0x7ff - 2; }
constexpr uint32_t Inexact = 1;

}  // namespace detail

template <class Hits>
Hart::Stop Hart::run_with(Hits& hits, uint64_t max, uint64_t cycle) {
    using namespace detail;
    m_cycle = cycle;
    const uint64_t before = m_instructions;
    uint64_t executed = 0;
    uint64_t effects = m_effects;
    uint64_t at = pc;
    const Instruction* next_one = m_text.find(at);
    const auto go = [&](uint64_t target) {
        at = target;
        next_one = m_text.find(at);
    };
    // Loop variables to members, for everything that is called from here.
    const auto publish = [&] {
        pc = at;
        m_effects = effects;
        m_instructions = before + executed;
        m_executed = executed;
    };
    const auto end = [&](Stop stop) {
        publish();
        return stop;
    };
    const auto ask = [this](dsm::Op op, uint32_t size, uint64_t address, uint64_t value) {
        m_request.op = op;
        m_request.size = size;
        m_request.address = address;
        m_request.value = value;
    };
    // A trap takes a cycle, too, so that a handler which traps again comes to an end.
    const auto raises = [&](Cause cause, uint64_t value) {
        publish();
        const bool is_handled = trap(cause, value);
        effects = m_effects;
        if (!is_handled) return false;
        go(pc);
        ++executed;
        return true;
    };
    while (executed < max) {
        const Instruction& n = *next_one;
        const uint64_t a = x[n.rs1];
        const uint64_t b = x[n.rs2];
        const auto imm = uint64_t(int64_t(n.imm));
        uint64_t r = 0;
        bool is_legal = true;
        switch (n.op) {
        case Opcode::Lui: r = imm; break;
        case Opcode::Auipc: r = at + imm; break;
        case Opcode::Jal:
        case Opcode::Jalr: {
            const uint64_t target = n.op == Opcode::Jal ? at + imm : (a + imm) & ~uint64_t(1);
            const bool was_in = at - region_base < region_size;
            x[n.rd] = at + n.length;
            go(target);
            ++executed;
            if ((at - region_base < region_size) != was_in) return end(Stop::Region);
            continue;
        }
#define RDT_BRANCH(OP, CONDITION)    \
    case Opcode::OP:                 \
        if (!(CONDITION)) goto next; \
        go(at + imm);                \
        ++executed;                  \
        continue;
            RDT_BRANCH(Beq, a == b)
            RDT_BRANCH(Bne, a != b)
            RDT_BRANCH(Blt, int64_t(a) < int64_t(b))
            RDT_BRANCH(Bge, int64_t(a) >= int64_t(b))
            RDT_BRANCH(Bltu, a < b)
            RDT_BRANCH(Bgeu, a >= b)
#undef RDT_BRANCH
#define RDT_LOAD(OP, TYPE, TO)                                                         \
    case Opcode::OP: {                                                                 \
        const uint64_t address = a + imm;                                              \
        const Window& window = memory.has(address, sizeof(TYPE)) ? memory : constants; \
        TYPE v;                                                                        \
        if (window.has(address, sizeof(TYPE))) {                                       \
            std::memcpy(&v, window.at(address), sizeof v);                             \
        } else {                                                                       \
            uint64_t value = 0;                                                        \
            publish();                                                                 \
            if (!hits.load(address, sizeof(TYPE), cycle + executed, value)) {          \
                ask(dsm::Op::Load, sizeof(TYPE), address, 0);                          \
                return Stop::Access;                                                   \
            }                                                                          \
            v = TYPE(value);                                                           \
        }                                                                              \
        TO;                                                                            \
        break;                                                                         \
    }
            RDT_LOAD(Lb, int8_t, r = uint64_t(int64_t(v)))
            RDT_LOAD(Lh, int16_t, r = uint64_t(int64_t(v)))
            RDT_LOAD(Lw, int32_t, r = uint64_t(int64_t(v)))
            RDT_LOAD(Ld, uint64_t, r = v)
            RDT_LOAD(Lbu, uint8_t, r = v)
            RDT_LOAD(Lhu, uint16_t, r = v)
            RDT_LOAD(Lwu, uint32_t, r = v)
            RDT_LOAD(Flw, uint32_t, f[n.fd()] = 0xffffffff00000000u | v; ++effects; goto next)
            RDT_LOAD(Fld, uint64_t, f[n.fd()] = v; ++effects; goto next)
#undef RDT_LOAD
#define RDT_STORE(OP, TYPE, VALUE)                                         \
    case Opcode::OP: {                                                     \
        const uint64_t address = a + imm;                                  \
        const auto v = TYPE(VALUE);                                        \
        if (memory.has(address, sizeof(TYPE))) {                           \
            if (m_records_stores) record_store(address, sizeof v);         \
            std::memcpy(memory.at(address), &v, sizeof v);                 \
        } else {                                                           \
            publish();                                                     \
            if (!hits.store(address, sizeof(TYPE), cycle + executed, v)) { \
                ask(dsm::Op::Store, sizeof(TYPE), address, v);             \
                return Stop::Access;                                       \
            }                                                              \
        }                                                                  \
        ++effects;                                                         \
        goto next;                                                         \
    }
            RDT_STORE(Sb, uint8_t, b)
            RDT_STORE(Sh, uint16_t, b)
            RDT_STORE(Sw, uint32_t, b)
            RDT_STORE(Sd, uint64_t, b)
            RDT_STORE(Fsw, uint32_t, f[n.rs2])
            RDT_STORE(Fsd, uint64_t, f[n.rs2])
#undef RDT_STORE
        case Opcode::Amo: {
            const uint32_t size = n.funct3 == 2 ? 4 : 8;
            const uint64_t operand = dsm::truncated(b, size);
            ++effects;
            if (a % size != 0) {
                if (!raises(n.funct7 >> 2 == 2 ? LoadMisaligned : StoreMisaligned, a))
                    return end(Stop::Trap);
                continue;
            }
            if (!memory.has(a, size)) {
                ask(operation_of(n.funct7 >> 2), size, a, operand);
                return end(Stop::Access);
            }
            if (m_records_stores) record_store(a, size);
            r = atomic(n, a, operand);
            if (size == 4) r = extended(r);
            break;
        }
        case Opcode::Addi: r = a + imm; break;
        case Opcode::Slti: r = int64_t(a) < int64_t(imm) ? 1 : 0; break;
        case Opcode::Sltiu: r = a < imm ? 1 : 0; break;
        case Opcode::Xori: r = a ^ imm; break;
        case Opcode::Ori: r = a | imm; break;
        case Opcode::Andi: r = a & imm; break;
        case Opcode::Slli: r = a << n.imm; break;
        case Opcode::Srli: r = a >> n.imm; break;
        case Opcode::Srai: r = uint64_t(int64_t(a) >> n.imm); break;
        case Opcode::Addiw: r = extended(a + imm); break;
        case Opcode::Slliw: r = extended(a << n.imm); break;
        case Opcode::Srliw: r = extended(uint32_t(a) >> n.imm); break;
        case Opcode::Sraiw: r = uint64_t(int64_t(int32_t(a) >> n.imm)); break;
        case Opcode::Add: r = a + b; break;
        case Opcode::Sub: r = a - b; break;
        case Opcode::Sll: r = a << (b & 63); break;
        case Opcode::Slt: r = int64_t(a) < int64_t(b) ? 1 : 0; break;
        case Opcode::Sltu: r = a < b ? 1 : 0; break;
        case Opcode::Xor: r = a ^ b; break;
        case Opcode::Srl: r = a >> (b & 63); break;
        case Opcode::Sra: r = uint64_t(int64_t(a) >> (b & 63)); break;
        case Opcode::Or: r = a | b; break;
        case Opcode::And: r = a & b; break;
        case Opcode::Addw: r = extended(a + b); break;
        case Opcode::Subw: r = extended(a - b); break;
        case Opcode::Sllw: r = extended(a << (b & 31)); break;
        case Opcode::Srlw: r = extended(uint32_t(a) >> (b & 31)); break;
        case Opcode::Sraw: r = uint64_t(int64_t(int32_t(a) >> (b & 31))); break;
        case Opcode::Mul: r = a * b; break;
        case Opcode::Mulh: r = high_product(int64_t(a), int64_t(b)); break;
        case Opcode::Mulhsu: r = high_product(int64_t(a), b); break;
        case Opcode::Mulhu: r = high_product(a, b); break;
        case Opcode::Div: r = uint64_t(quotient(int64_t(a), int64_t(b), Least64)); break;
        case Opcode::Divu: r = b == 0 ? ~uint64_t(0) : a / b; break;
        case Opcode::Rem: r = uint64_t(remainder(int64_t(a), int64_t(b), Least64)); break;
        case Opcode::Remu: r = b == 0 ? a : a % b; break;
        case Opcode::Mulw: r = extended(a * b); break;
        case Opcode::Divw: r = uint64_t(int64_t(quotient(int32_t(a), int32_t(b), Least32))); break;
        case Opcode::Divuw:
            r = uint32_t(b) == 0 ? ~uint64_t(0) : extended(uint32_t(a) / uint32_t(b));
            break;
        case Opcode::Remw: r = uint64_t(int64_t(remainder(int32_t(a), int32_t(b), Least32))); break;
        case Opcode::Remuw: r = extended(uint32_t(b) == 0 ? a : uint32_t(a) % uint32_t(b)); break;
        case Opcode::Fence:
            if (requests_fences) {
                ask(dsm::Op::Fence, 8, 0, 0);
                return end(Stop::Access);
            }
            goto next;
        case Opcode::FenceI:
            at += n.length;
            m_text.forget();
            go(at);
            ++executed;
            ++effects;
            continue;
        case Opcode::Csr:
            publish();
            is_legal = execute_csr(n);
            effects = m_effects;
            if (is_legal) goto next;
            if (!raises(IllegalInstruction, n.raw)) return end(Stop::Trap);
            continue;
        case Opcode::Mret:
            go(m_control.mepc);
            ++executed;
            ++effects;
            continue;
        case Opcode::Wfi: return end(Stop::Halt);
        case Opcode::Ecall:
            if (!raises(EnvironmentCall, 0)) return end(Stop::Trap);
            continue;
        case Opcode::Ebreak:
            if (!raises(Breakpoint, at)) return end(Stop::Trap);
            continue;
        case Opcode::Undecoded: m_text.decode_now(at); continue;
        case Opcode::Outside:
            if (!raises(FetchFault, at) || m_text.at(at) == nullptr) return end(Stop::Trap);
            continue;
        case Opcode::Illegal:
            if (!raises(IllegalInstruction, n.raw)) return end(Stop::Trap);
            continue;
#define RDT_DOUBLE(OP, RESULT)                                                                    \
    case Opcode::OP: {                                                                            \
        if (!n.is_double || (n.funct3 == 7 ? fcsr >> 5 : n.funct3) != 0 || (fcsr & Inexact) == 0) \
            goto any_float;                                                                       \
        const double p = as_double(f[n.rs1]);                                                     \
        const double q = as_double(f[n.rs2]);                                                     \
        const uint64_t bits = as_bits(RESULT);                                                    \
        if (!is_ordinary(bits)) goto any_float;                                                   \
        ++effects;                                                                                \
        f[n.fd()] = bits;                                                                         \
        goto next;                                                                                \
    }
            // The usual case: double precision, to nearest, and inexact is noted already.
            RDT_DOUBLE(Fadd, p + q)
            RDT_DOUBLE(Fsub, p - q)
            RDT_DOUBLE(Fmul, p * q)
            RDT_DOUBLE(Fmadd, __builtin_fma(p, q, as_double(f[n.funct7])))
#undef RDT_DOUBLE
        default:
        any_float:
            ++effects;
            if (execute_float(n)) goto next;
            if (!raises(IllegalInstruction, n.raw)) return end(Stop::Trap);
            continue;
        }
        x[n.rd] = r;
    next:
        at += n.length;
        next_one += n.length / 2;
        ++executed;
    }
    return end(Stop::Budget);
}

}  // namespace rdt::hart
