// SPDX-License-Identifier: MIT
// Arrays indexed by line, of which a run may touch few elements: the memory comes zeroed from the
// system and takes space page by page as it is used.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace rdt::dsm {

template <class T>
class ZeroArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "elements begin as zero bytes");

public:
    explicit ZeroArray(size_t size) : m_size(size), m_block(std::calloc(size + 1, sizeof(T))) {
        if (!m_block) throw std::bad_alloc();
        // One item more than used was allocated, for this.
        const auto at = reinterpret_cast<uintptr_t>(m_block.get());
        m_items = reinterpret_cast<T*>((at + alignof(T) - 1) / alignof(T) * alignof(T));
    }
    T& operator[](size_t at) { return m_items[at]; }
    const T& operator[](size_t at) const { return m_items[at]; }
    size_t size() const { return m_size; }

private:
    struct Free {
        void operator()(void* p) const { std::free(p); }
    };
    size_t m_size;
    std::unique_ptr<void, Free> m_block;
    T* m_items;
};

// An item for some of the lines.
template <class T>
class LineTable {
public:
    explicit LineTable(size_t lines) : m_index(lines) {}
    T* find(uint32_t line) {
        const uint32_t at = m_index[line];
        return at == 0 ? nullptr : &item(at - 1);
    }
    const T* find(uint32_t line) const { return const_cast<LineTable*>(this)->find(line); }
    // The item of this line, new if there is none yet.
    T& operator[](uint32_t line) {
        uint32_t& at = m_index[line];
        if (at == 0) {
            if (m_free.empty()) {
                if (m_lines.size() % ChunkItems == 0) m_chunks.push_back(std::make_unique<Chunk>());
                m_lines.push_back(0);
                at = uint32_t(m_lines.size());
            } else {
                at = m_free.back();
                m_free.pop_back();
                item(at - 1) = {};
            }
            m_lines[at - 1] = line + 1;
        }
        return item(at - 1);
    }
    void erase(uint32_t line) {
        if (m_index[line] == 0) return;
        m_free.push_back(m_index[line]);
        m_lines[m_index[line] - 1] = 0;
        m_index[line] = 0;
    }
    template <class F>
    void for_each(F&& f) const {
        for (size_t at = 0; at < m_lines.size(); ++at)
            if (m_lines[at] != 0)
                f(m_lines[at] - 1, std::as_const((*m_chunks[at / ChunkItems])[at % ChunkItems]));
    }

private:
    static constexpr size_t ChunkItems = 64;
    using Chunk = std::array<T, ChunkItems>;
    T& item(size_t at) { return (*m_chunks[at / ChunkItems])[at % ChunkItems]; }

    ZeroArray<uint32_t> m_index;                   // item + 1
    std::vector<std::unique_ptr<Chunk>> m_chunks;  // items do not move
    std::vector<uint32_t> m_lines;                 // by item: line + 1
    std::vector<uint32_t> m_free;
};

}  // namespace rdt::dsm
