// SPDX-License-Identifier: MIT
#include <rdt/hart/hart.h>

#include <cstring>

namespace rdt::hart {

namespace {

uint64_t extended(uint64_t v) { return uint64_t(int64_t(int32_t(uint32_t(v)))); }

uint64_t high_product(int64_t a, int64_t b) { return uint64_t((__int128(a) * b) >> 64); }
uint64_t high_product(uint64_t a, uint64_t b) {
    return uint64_t((static_cast<unsigned __int128>(a) * b) >> 64);
}
uint64_t high_product(int64_t a, uint64_t b) {
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

dsm::Op operation_of(uint32_t funct5) {
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

double as_double(uint64_t v) {
    double d = 0;
    std::memcpy(&d, &v, sizeof d);
    return d;
}
uint64_t as_bits(double d) {
    uint64_t v = 0;
    std::memcpy(&v, &d, sizeof v);
    return v;
}
// A normal result, not the least: no exception but inexact can have come with it.
bool is_ordinary(uint64_t bits) { return (bits >> 52 & 0x7ff) - 2 < 0x7ff - 2; }
constexpr uint32_t Inexact = 1;

}  // namespace

Instruction Text::decode_at(uint64_t pc) const {
    uint32_t bits = 0;
    const uint64_t left = m_window.size - (pc - m_window.base);
    std::memcpy(&bits, m_window.at(pc), left < 4 ? left : 4);
    if ((bits & 3) == 3 && left < 4) bits = 0;  // cut off: illegal
    return decode(bits);
}

void Hart::complete(uint64_t v) {
    const Instruction& n = *m_text.at(pc);
    switch (n.op) {
    case Opcode::Lb: x[n.rd] = uint64_t(int64_t(int8_t(v))); break;
    case Opcode::Lh: x[n.rd] = uint64_t(int64_t(int16_t(v))); break;
    case Opcode::Lw: x[n.rd] = extended(v); break;
    case Opcode::Ld:
    case Opcode::Lbu:
    case Opcode::Lhu:
    case Opcode::Lwu: x[n.rd] = v; break;
    case Opcode::Amo: x[n.rd] = n.funct3 == 2 ? extended(v) : v; break;
    case Opcode::Flw: f[n.fd()] = 0xffffffff00000000u | v; break;
    case Opcode::Fld: f[n.fd()] = v; break;
    default: break;
    }
    if (!dsm::is_load(m_request.op) || n.op == Opcode::Amo || n.op == Opcode::Fld ||
        n.op == Opcode::Flw)
        ++m_effects;
    pc += n.length;
    ++m_instructions;
}

void Hart::make_checkpoint() {
    m_checkpoint = {x, f, pc, fcsr, m_instructions, m_effects, m_control};
    m_overwritten.clear();
    m_records_stores = true;
}

void Hart::return_to_checkpoint() {
    for (auto w = m_overwritten.rbegin(); w != m_overwritten.rend(); ++w)
        std::memcpy(memory.at(w->address), &w->value, w->size);
    m_overwritten.clear();
    x = m_checkpoint.x;
    f = m_checkpoint.f;
    pc = m_checkpoint.pc;
    fcsr = m_checkpoint.fcsr;
    m_instructions = m_checkpoint.instructions;
    m_effects = m_checkpoint.effects;
    m_control = m_checkpoint.control;
}

void Hart::record_store(uint64_t address, uint32_t size) {
    OverwrittenWord word{address, 0, size};
    std::memcpy(&word.value, memory.at(address), size);
    m_overwritten.push_back(word);
}

// In the window.
uint64_t Hart::atomic(const Instruction& n, uint64_t address, uint64_t operand) {
    const dsm::Op op = operation_of(n.funct7 >> 2);
    const uint32_t size = n.funct3 == 2 ? 4 : 8;
    uint64_t old = 0;
    std::memcpy(&old, memory.at(address), size);
    if (op == dsm::Op::LoadReserved) {
        m_control.has_reservation = true;
        m_control.reservation = address;
        return old;
    }
    if (op == dsm::Op::StoreConditional) {
        const bool is_held = m_control.has_reservation && m_control.reservation == address;
        m_control.has_reservation = false;
        if (is_held) std::memcpy(memory.at(address), &operand, size);
        return is_held ? 0 : 1;
    }
    const uint64_t value = dsm::combined(op, size, old, operand);
    std::memcpy(memory.at(address), &value, size);
    return old;
}

Hart::Stop Hart::run(uint64_t max, uint64_t cycle) {
    m_cycle = cycle;
    m_executed = 0;
    uint64_t at = pc;
    uint64_t executed = 0;
    const Window code = m_text.window();
    Instruction* const decoded = m_text.decoded();
    // Loop variables to members, for everything that is called from here.
    const auto publish = [&] {
        pc = at;
        m_instructions += executed - m_executed;
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
        if (!trap(cause, value)) return false;
        at = pc;
        ++executed;
        return true;
    };
    while (executed < max) {
        if (at - code.base >= code.size || (at & 1) != 0) {
            if (!raises(FetchFault, at) || m_text.at(at) == nullptr) return end(Stop::Trap);
            continue;
        }
        const Instruction& n = decoded[(at - code.base) / 2];
        const uint64_t a = x[n.rs1];
        const uint64_t b = x[n.rs2];
        const auto imm = uint64_t(int64_t(n.imm));
        uint64_t r = 0;
        switch (n.op) {
        case Opcode::Lui: r = imm; break;
        case Opcode::Auipc: r = at + imm; break;
        case Opcode::Jal:
        case Opcode::Jalr: {
            const uint64_t target = n.op == Opcode::Jal ? at + imm : (a + imm) & ~uint64_t(1);
            const bool was_in = at - region_base < region_size;
            x[n.rd] = at + n.length;
            at = target;
            ++executed;
            if ((at - region_base < region_size) != was_in) return end(Stop::Region);
            continue;
        }
#define RDT_BRANCH(OP, CONDITION)           \
    case Opcode::OP:                        \
        at += (CONDITION) ? imm : n.length; \
        ++executed;                         \
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
            if (hits == nullptr ||                                                     \
                !hits->load(address, sizeof(TYPE), m_cycle + executed, value)) {       \
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
            RDT_LOAD(Flw, uint32_t, f[n.fd()] = 0xffffffff00000000u | v; ++m_effects; goto next)
            RDT_LOAD(Fld, uint64_t, f[n.fd()] = v; ++m_effects; goto next)
#undef RDT_LOAD
#define RDT_STORE(OP, TYPE, VALUE)                                                               \
    case Opcode::OP: {                                                                           \
        const uint64_t address = a + imm;                                                        \
        const auto v = TYPE(VALUE);                                                              \
        if (memory.has(address, sizeof(TYPE))) {                                                 \
            if (m_records_stores) record_store(address, sizeof v);                               \
            std::memcpy(memory.at(address), &v, sizeof v);                                       \
        } else {                                                                                 \
            publish();                                                                           \
            if (hits == nullptr || !hits->store(address, sizeof(TYPE), m_cycle + executed, v)) { \
                ask(dsm::Op::Store, sizeof(TYPE), address, v);                                   \
                return Stop::Access;                                                             \
            }                                                                                    \
        }                                                                                        \
        ++m_effects;                                                                             \
        goto next;                                                                               \
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
            ++m_effects;
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
            ++executed;
            ++m_effects;
            m_text.forget();
            continue;
        case Opcode::Csr:
            publish();
            if (execute_csr(n)) goto next;
            if (!raises(IllegalInstruction, n.raw)) return end(Stop::Trap);
            continue;
        case Opcode::Mret:
            at = m_control.mepc;
            ++executed;
            ++m_effects;
            continue;
        case Opcode::Wfi: return end(Stop::Halt);
        case Opcode::Ecall:
            if (!raises(EnvironmentCall, 0)) return end(Stop::Trap);
            continue;
        case Opcode::Ebreak:
            if (!raises(Breakpoint, at)) return end(Stop::Trap);
            continue;
        case Opcode::Undecoded: decoded[(at - code.base) / 2] = m_text.decode_at(at); continue;
        case Opcode::Illegal:
            if (!raises(IllegalInstruction, n.raw)) return end(Stop::Trap);
            continue;
        default: {
            ++m_effects;
            // The usual case: double precision, round to nearest, and inexact is noted already.
            const uint32_t mode = n.funct3 == 7 ? fcsr >> 5 : n.funct3;
            if (n.is_double && mode == 0 && (fcsr & Inexact) != 0) {
                const double p = as_double(f[n.rs1]);
                const double q = as_double(f[n.rs2]);
                bool is_simple = true;
                double result = 0;
                switch (n.op) {
                case Opcode::Fadd: result = p + q; break;
                case Opcode::Fsub: result = p - q; break;
                case Opcode::Fmul: result = p * q; break;
                case Opcode::Fmadd: result = __builtin_fma(p, q, as_double(f[n.funct7])); break;
                default: is_simple = false;
                }
                const uint64_t bits = as_bits(result);
                if (is_simple && is_ordinary(bits)) {
                    f[n.fd()] = bits;
                    goto next;
                }
            }
            if (execute_float(n)) goto next;
            if (!raises(IllegalInstruction, n.raw)) return end(Stop::Trap);
            continue;
        }
        }
        x[n.rd] = r;
    next:
        at += n.length;
        ++executed;
    }
    return end(Stop::Budget);
}

}  // namespace rdt::hart
