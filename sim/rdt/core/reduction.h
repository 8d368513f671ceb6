// SPDX-License-Identifier: MIT
// Operands of reductions, which the acks of a barrier carry in H1 and H2.
#pragma once

#include <rdt/core/ack_note.h>
#include <rdt/core/entry_class.h>

namespace rdt::core {

struct Operand {
    Reduce operation = ReduceNone;
    uint32_t value = 0;
    bool is_good = true;  // false: some operand was disturbed or lost, so the result is none

    bool operator==(const Operand& o) const {
        return operation == o.operation && value == o.value && is_good == o.is_good;
    }
};

// Flits 1 and 2 of the ack: 0 without an operand.
inline uint32_t payload_of(const Operand& operand, uint32_t flit) {
    const uint32_t half = flit == 1 ? operand.value & 0xFFFF : operand.value >> 16;
    return (operand.operation >> (flit - 1) & 1) << 16 | half;
}
inline uint32_t flit_of(const Operand& operand, uint32_t flit) {
    return make_flit(payload_of(operand, flit)) ^ (operand.is_good ? 0 : ParityBit);
}
inline Operand operand_of(uint32_t h1, uint32_t h2) {
    return {Reduce((h1 >> 16 & 1) | (h2 >> 16 & 1) << 1), (h1 & 0xFFFF) | (h2 & 0xFFFF) << 16,
            is_good_flit(h1) && is_good_flit(h2)};
}

// Combines two operands with the same operation, `width` bits each.
inline uint32_t combined(Reduce operation, uint32_t a, uint32_t b, uint32_t width) {
    switch (operation) {
    case ReduceOr: return a | b;
    case ReduceMax: return a > b ? a : b;
    case ReduceAdd: return width == 32 ? a + b : (a + b) & 0xFFFF;
    default: return b;
    }
}

// Operations for software. Routers combine by Or, Max and Add alone: an operand of another
// operation is changed before it is given and the result changed back.
enum class Reduction { Or, And, Max, Min, Add, SignedMax, SignedMin };

constexpr Reduce operation_of(Reduction r) {
    if (r == Reduction::Add) return ReduceAdd;
    return r == Reduction::Or || r == Reduction::And ? ReduceOr : ReduceMax;
}
// The same for an operand and for the result.
constexpr uint32_t changed_for(Reduction r, uint32_t value, uint32_t width) {
    const uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
    const bool is_signed = r == Reduction::SignedMax || r == Reduction::SignedMin;
    const bool is_inverted =
        r == Reduction::And || r == Reduction::Min || r == Reduction::SignedMin;
    return (value ^ (is_signed ? 1u << (width - 1) : 0) ^ (is_inverted ? ~0u : 0)) & mask;
}
constexpr Operand operand_for(Reduction r, uint32_t value, uint32_t width) {
    return {operation_of(r), changed_for(r, value, width), true};
}

// An ack with what its other flits carry.
struct Ack : AckNote {
    Operand operand;

    Ack(const AckNote& note, const Operand& with = {}) : AckNote(note), operand(with) {}
};

}  // namespace rdt::core
