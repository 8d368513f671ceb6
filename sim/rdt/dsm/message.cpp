// SPDX-License-Identifier: MIT
#include <rdt/dsm/message.h>

#include <array>
#include <stdexcept>

namespace rdt::dsm {

namespace {

using machine::Words;

// Word 0: kind 5, node 13, number 16 low bits. Word 1: line 24, number 10 high bits. Then what the
// kind has of: version 34; operation 4, word 2, mask 8; value 2 x 32; line 8 x 32.
constexpr uint32_t KindBits = 5;
constexpr uint32_t NodeBits = 13;
constexpr uint32_t LowNumberBits = 16;
constexpr uint32_t LineBits = 24;
constexpr uint32_t HighNumberBits = 10;
constexpr uint32_t OpBits = 4;
constexpr uint32_t WordBits = 2;
constexpr uint32_t MaskBits = 8;
static_assert(MaxNodes == 1u << NodeBits && MaxLines == 1u << LineBits);
static_assert(MaxNumber == 1u << (LowNumberBits + HighNumberBits));
static_assert(NumKinds <= 1u << KindBits && NumOps <= 1u << OpBits);

struct Parts {
    bool version = false;
    bool operation = false;
    bool value = false;
    bool line = false;
    uint32_t words = 0;
};
constexpr Parts make_parts(Kind kind) {
    switch (kind) {
    case Kind::Read:
    case Kind::ReadForLease:
    case Kind::Acquire:
    case Kind::NotOwner:
    case Kind::Refused:
    case Kind::Recall:
    case Kind::RecallShared: return {false, false, false, false, 2};
    case Kind::AcquireIf:
    case Kind::Ack:
    case Kind::Done:
    case Kind::Release:
    case Kind::Invalidate: return {true, false, false, false, 3};
    case Kind::OldValue: return {true, false, true, false, 5};
    case Kind::Write:
    case Kind::Atomic: return {false, true, true, false, 5};
    case Kind::WriteIf:
    case Kind::Update:
    case Kind::UpdateAlone: return {true, true, true, false, 6};
    case Kind::WriteBack:
    case Kind::Data:
    case Kind::Own: return {true, false, false, true, 3 + LineBytes / 4};
    }
    return {};
}
constexpr std::array<Parts, NumKinds> make_all_parts() {
    std::array<Parts, NumKinds> all{};
    for (uint32_t kind = 0; kind < NumKinds; ++kind) all[kind] = make_parts(Kind(kind));
    return all;
}
constexpr std::array<Parts, NumKinds> AllParts = make_all_parts();

const Parts& parts_of(Kind kind) {
    if (uint32_t(kind) >= NumKinds) throw std::invalid_argument("message: unknown kind");
    return AllParts[uint32_t(kind)];
}

constexpr uint64_t low_bits(uint64_t x, uint32_t bits) { return x & ((uint64_t(1) << bits) - 1); }

}  // namespace

Words encode(const Message& m) {
    const Parts& parts = parts_of(m.kind);
    Words words;
    words.push_back(uint64_t(m.kind) | uint64_t(m.node) << KindBits |
                    low_bits(m.number, LowNumberBits) << (KindBits + NodeBits));
    words.push_back(m.line | uint64_t(m.number >> LowNumberBits) << LineBits);
    if (parts.version) words.push_back(low_bits(m.version, Words::Bits));
    if (parts.operation)
        words.push_back(uint64_t(m.op) | uint64_t(m.word) << OpBits |
                        uint64_t(m.mask) << (OpBits + WordBits));
    if (parts.value) {
        words.push_back(uint32_t(m.value));
        words.push_back(m.value >> 32);
    }
    if (parts.line)
        for (uint32_t w = 0; w < LineBytes / WordBytes; ++w) {
            words.push_back(uint32_t(word_of(m.bytes, w)));
            words.push_back(word_of(m.bytes, w) >> 32);
        }
    return words;
}

Message decode(const Words& words) {
    if (words.size() < 2) throw std::invalid_argument("message: too short");
    const uint64_t first = words[0];
    const uint64_t second = words[1];
    Message m;
    m.kind = Kind(low_bits(first, KindBits));
    m.node = uint32_t(low_bits(first >> KindBits, NodeBits));
    m.line = uint32_t(low_bits(second, LineBits));
    m.number = uint32_t(low_bits(first >> (KindBits + NodeBits), LowNumberBits) |
                        low_bits(second >> LineBits, HighNumberBits) << LowNumberBits);
    const Parts& parts = parts_of(m.kind);
    if (words.size() < parts.words) throw std::invalid_argument("message: too short");
    uint32_t at = 2;
    if (parts.version) m.version = words[at++];
    if (parts.operation) {
        const uint64_t operation = words[at++];
        const uint64_t op = low_bits(operation, OpBits);
        if (op >= NumOps) throw std::invalid_argument("message: unknown operation");
        m.op = Op(op);
        m.word = uint8_t(low_bits(operation >> OpBits, WordBits));
        m.mask = uint8_t(low_bits(operation >> (OpBits + WordBits), MaskBits));
    }
    if (parts.value) {
        m.value = low_bits(words[at], 32) | low_bits(words[at + 1], 32) << 32;
        at += 2;
    }
    if (parts.line)
        for (uint32_t w = 0; w < LineBytes / WordBytes; ++w, at += 2)
            set_word(m.bytes, w, low_bits(words[at], 32) | low_bits(words[at + 1], 32) << 32);
    if (words.size() > parts.words) throw std::invalid_argument("message: too long");
    return m;
}

}  // namespace rdt::dsm
