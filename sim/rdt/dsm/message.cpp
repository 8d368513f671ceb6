// SPDX-License-Identifier: MIT
#include <rdt/dsm/message.h>

#include <stdexcept>

namespace rdt::dsm {

namespace {

constexpr uint32_t WordBits = 17;
constexpr uint32_t WordMask = (1u << WordBits) - 1;
constexpr uint32_t KindBits = 4;

// Which of number, version and value a kind carries.
struct Parts {
    bool number;
    bool version;
    bool value;
};
Parts parts_of(Kind kind) {
    switch (kind) {
    case Kind::Read:
    case Kind::Nothing:
    case Kind::Recall:
    case Kind::RecallShared: return {true, false, false};
    case Kind::Write: return {true, false, true};
    case Kind::Done: return {true, true, false};
    case Kind::WriteBack:
    case Kind::Data:
    case Kind::Own: return {true, true, true};
    case Kind::Update: return {false, true, true};
    case Kind::Invalidate: return {false, true, false};
    }
    throw std::invalid_argument("no such message");
}

constexpr uint32_t NumberWords = 2;
constexpr uint32_t VersionWords = 2;
constexpr uint32_t ValueWords = 4;

}  // namespace

std::vector<uint32_t> encode(const Message& m) {
    const Parts parts = parts_of(m.kind);
    std::vector<uint32_t> words{uint32_t(m.kind) | m.node << KindBits, m.line};
    const auto put = [&](bool is_there, uint64_t x, uint32_t count) {
        for (uint32_t k = 0; is_there && k < count; ++k)
            words.push_back(uint32_t(x >> WordBits * k) & WordMask);
    };
    put(parts.number, m.number, NumberWords);
    put(parts.version, m.version, VersionWords);
    put(parts.value, m.value, ValueWords);
    return words;
}

Message decode(const std::vector<uint32_t>& words) {
    Message m;
    size_t at = 0;
    const auto take = [&](bool is_there, uint32_t count) {
        uint64_t x = 0;
        if (is_there && at + count > words.size())
            throw std::invalid_argument("a message that is too short");
        for (uint32_t k = 0; is_there && k < count; ++k) x |= uint64_t(words[at++]) << WordBits * k;
        return x;
    };
    const auto first = uint32_t(take(true, 1));
    m.kind = Kind(first & ((1u << KindBits) - 1));
    m.node = first >> KindBits;
    m.line = uint32_t(take(true, 1));
    const Parts parts = parts_of(m.kind);
    m.number = take(parts.number, NumberWords);
    m.version = take(parts.version, VersionWords);
    m.value = take(parts.value, ValueWords);
    if (at != words.size()) throw std::invalid_argument("a message that is too long");
    return m;
}

}  // namespace rdt::dsm
