// SPDX-License-Identifier: MIT
// The bytes of a line, and the operations on them. Multi-byte values are little-endian.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace rdt::dsm {

constexpr uint32_t LineBytes = 32;
constexpr uint32_t WordBytes = 8;
using Bytes = std::array<uint8_t, LineBytes>;

enum class Op : uint8_t {
    Load,
    Store,
    LoadReserved,
    StoreConditional,
    Swap,
    Add,
    And,
    Or,
    Xor,
    Min,
    Max,
    MinUnsigned,
    MaxUnsigned,
    Fence,  // ends when all earlier stores of the processor are complete
};
constexpr uint32_t NumOps = uint32_t(Op::Fence) + 1;

constexpr bool is_atomic(Op op) { return op >= Op::Swap && op <= Op::MaxUnsigned; }
constexpr bool is_load(Op op) { return op == Op::Load || op == Op::LoadReserved; }

// The low `size` bytes of a value.
constexpr uint64_t truncated(uint64_t value, uint32_t size) {
    return size >= 8 ? value : value & ((uint64_t(1) << 8 * size) - 1);
}
inline uint64_t load(const Bytes& bytes, uint32_t offset, uint32_t size) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < size; ++i) value |= uint64_t(bytes[offset + i]) << 8 * i;
    return value;
}
// Writes the bytes whose bit is set in the mask.
inline void store(Bytes& bytes, uint32_t offset, uint32_t mask, uint64_t value) {
    for (uint32_t i = 0; mask >> i != 0; ++i)
        if ((mask >> i & 1) != 0) bytes[offset + i] = uint8_t(value >> 8 * i);
}

// An aligned word of the line, on a little-endian host.
inline uint64_t word_of(const Bytes& bytes, uint32_t word) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + word * WordBytes, WordBytes);
    return value;
}
inline void set_word(Bytes& bytes, uint32_t word, uint64_t value) {
    std::memcpy(bytes.data() + word * WordBytes, &value, WordBytes);
}

inline bool is_equal(const Bytes& a, const Bytes& b) {
    uint64_t difference = 0;
    for (uint32_t w = 0; w < LineBytes / WordBytes; ++w)
        difference |= word_of(a, w) ^ word_of(b, w);
    return difference == 0;
}

// The result in memory of an atomic operation of 4 or 8 bytes, or of a store.
inline uint64_t combined(Op op, uint32_t size, uint64_t old, uint64_t operand) {
    const auto as_signed = [size](uint64_t v) {
        return size == 4 ? int64_t(int32_t(uint32_t(v))) : int64_t(v);
    };
    old = truncated(old, size);
    operand = truncated(operand, size);
    switch (op) {
    case Op::Add: return truncated(old + operand, size);
    case Op::And: return old & operand;
    case Op::Or: return old | operand;
    case Op::Xor: return old ^ operand;
    case Op::Min: return as_signed(old) < as_signed(operand) ? old : operand;
    case Op::Max: return as_signed(old) > as_signed(operand) ? old : operand;
    case Op::MinUnsigned: return old < operand ? old : operand;
    case Op::MaxUnsigned: return old > operand ? old : operand;
    default: return operand;
    }
}

}  // namespace rdt::dsm
