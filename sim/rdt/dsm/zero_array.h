// SPDX-License-Identifier: MIT
// Arrays indexed by line, of which a run may touch few elements: the memory comes zeroed from the
// system and takes space page by page as it is used.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace rdt::dsm {

template <class T>
class ZeroArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "elements begin as zero bytes");

public:
    explicit ZeroArray(size_t size)
        : m_size(size), m_items(static_cast<T*>(std::calloc(size == 0 ? 1 : size, sizeof(T)))) {
        if (!m_items) throw std::bad_alloc();
    }
    T& operator[](size_t at) { return m_items.get()[at]; }
    const T& operator[](size_t at) const { return m_items.get()[at]; }
    size_t size() const { return m_size; }

private:
    struct Free {
        void operator()(void* p) const { std::free(p); }
    };
    size_t m_size;
    std::unique_ptr<T, Free> m_items;
};

// An item for some of the lines.
template <class T>
class LineTable {
public:
    explicit LineTable(size_t lines) : m_index(lines) {}
    T* find(uint32_t line) {
        const uint32_t at = m_index[line];
        return at == 0 ? nullptr : &m_items[at - 1];
    }
    const T* find(uint32_t line) const { return const_cast<LineTable*>(this)->find(line); }
    // The item of this line, new if there is none yet.
    T& operator[](uint32_t line) {
        uint32_t& at = m_index[line];
        if (at == 0) {
            if (m_free.empty()) {
                m_items.emplace_back();
                m_lines.push_back(0);
                at = uint32_t(m_items.size());
            } else {
                at = m_free.back();
                m_free.pop_back();
                m_items[at - 1] = {};
            }
            m_lines[at - 1] = line + 1;
        }
        return m_items[at - 1];
    }
    void erase(uint32_t line) {
        if (m_index[line] == 0) return;
        m_free.push_back(m_index[line]);
        m_lines[m_index[line] - 1] = 0;
        m_index[line] = 0;
    }
    template <class F>
    void for_each(F&& f) const {
        for (size_t at = 0; at < m_items.size(); ++at)
            if (m_lines[at] != 0) f(m_lines[at] - 1, m_items[at]);
    }

private:
    ZeroArray<uint32_t> m_index;    // item + 1
    std::deque<T> m_items;          // do not move
    std::vector<uint32_t> m_lines;  // by item: line + 1
    std::vector<uint32_t> m_free;
};

}  // namespace rdt::dsm
