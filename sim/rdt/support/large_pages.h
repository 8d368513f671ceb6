// SPDX-License-Identifier: MIT
// Memory for what is touched here and there: every access to a small page of its own would first
// have to find the page.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace rdt {

constexpr size_t LargePage = 2u << 20;

// An allocator. Smaller allocations use small pages, but start at a cache line.
template <typename T, size_t From = LargePage>
struct LargePages {
    using value_type = T;
    template <typename U>
    struct rebind {
        using other = LargePages<U, From>;
    };

    LargePages() = default;
    template <typename U>
    LargePages(const LargePages<U, From>&) {}

    T* allocate(size_t count) {
        const size_t alignment = alignment_of(count);
        const size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
        void* at = std::aligned_alloc(alignment, bytes);
        if (at == nullptr) throw std::bad_alloc();
        // Only a wish: what becomes of it does not matter.
        if (alignment == LargePage) madvise(at, bytes, MADV_HUGEPAGE);
        return static_cast<T*>(at);
    }
    void deallocate(T* at, size_t) { std::free(at); }

    template <typename U>
    bool operator==(const LargePages<U, From>&) const {
        return true;
    }
    template <typename U>
    bool operator!=(const LargePages<U, From>&) const {
        return false;
    }

private:
    static constexpr size_t CacheLine = 64;
    static size_t alignment_of(size_t count) {
        return count >= From / sizeof(T) ? LargePage : std::max(CacheLine, alignof(T));
    }
};

}  // namespace rdt
