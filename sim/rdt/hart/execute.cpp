// SPDX-License-Identifier: MIT
#include <rdt/hart/execute.h>

#include <cstring>

namespace rdt::hart {

using namespace detail;

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

namespace {

struct NoHits {
    bool load(uint64_t, uint32_t, uint64_t, uint64_t&) { return false; }
    bool store(uint64_t, uint32_t, uint64_t, uint64_t) { return false; }
};

}  // namespace

Hart::Stop Hart::run(uint64_t max, uint64_t cycle) {
    NoHits none;
    return run_with(none, max, cycle);
}

}  // namespace rdt::hart
