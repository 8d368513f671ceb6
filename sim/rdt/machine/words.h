// SPDX-License-Identifier: MIT
// Payloads of the body flits of a packet. A node is two router slices; each carries 17 data bits of
// a flit. An engine simulates slice 0, whose flits hold the low 17 bits of every word. Slice 1 does
// the same in the same cycle, so its half of the packet accompanies the packet without flits of
// its own.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace rdt::machine {

class Words {
public:
    static constexpr uint32_t Bits = 34;
    static constexpr uint32_t Capacity = 11;

    // The words are left uninitialized on purpose: most packets use few of them.
    Words() {}  // NOLINT(modernize-use-equals-default)
    Words(const Words& other) { *this = other; }
    Words(uint32_t count, uint64_t value) { assign(count, value); }
    Words& operator=(const Words& other) {
        m_size = other.m_size;
        std::copy_n(other.m_words.begin(), std::min(m_size, Capacity), m_words.begin());
        return *this;
    }

    // More than Capacity are counted and not kept, so that Transport can refuse the message.
    void push_back(uint64_t word) {
        if (m_size < Capacity) m_words[m_size] = word;
        ++m_size;
    }
    void assign(uint32_t count, uint64_t value) {
        m_size = count;
        std::fill_n(m_words.begin(), std::min(m_size, Capacity), value);
    }
    void pop_back() { --m_size; }
    void clear() { m_size = 0; }
    uint32_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    uint64_t operator[](uint32_t at) const { return m_words[at]; }
    uint64_t& operator[](uint32_t at) { return m_words[at]; }
    const uint64_t* begin() const { return m_words.data(); }
    const uint64_t* end() const { return m_words.data() + std::min(m_size, Capacity); }
    friend bool operator==(const Words& a, const Words& b) {
        return a.m_size == b.m_size && std::equal(a.begin(), a.end(), b.begin());
    }

private:
    uint32_t m_size = 0;
    std::array<uint64_t, Capacity> m_words;
};

}  // namespace rdt::machine
