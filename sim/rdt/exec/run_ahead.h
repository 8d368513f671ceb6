// SPDX-License-Identifier: MIT
// Loads and stores of a hart that hit in the cache of its node, executed ahead of their cycles.
// Nothing outside the node depends on them before a message about one of these lines arrives. Then
// undo() takes them back, and those that are before the message are executed again. The bytes of a
// store are in the copy at once; versions, counters and checks follow with commit().
#pragma once

#include <array>
#include <vector>

#include <rdt/dsm/memory.h>
#include <rdt/exec/spin_loop.h>
#include <rdt/hart/hart.h>

namespace rdt::exec {

class RunAhead {
public:
    // Shared data have `size` bytes from `base` on.
    RunAhead(dsm::Memory& memory, uint32_t node, hart::Hart& hart, uint64_t base, uint64_t size)
        : m_cache(memory.cache(node)), m_hart(hart), m_base(base), m_size(size) {}

    // The hart's run(), with these hits.
    hart::Hart::Stop run(uint64_t max, uint64_t cycle);
    // For the hart: false if it has to stop with a request.
    bool load(uint64_t address, uint32_t size, uint64_t cycle, uint64_t& value) {
        const uint64_t offset = address - m_base;
        dsm::Cache::Copy* copy = copy_at(offset, size);
        if (copy == nullptr) return false;
        if (spin != nullptr && spin->repeats(m_hart, cycle, messages)) return false;
        touch(*copy, uint32_t(offset / dsm::LineBytes), cycle);
        m_last_is_load = true;
        ++m_num_loads;
        const uint64_t word =
            dsm::word_of(copy->bytes, uint32_t(offset % dsm::LineBytes / dsm::WordBytes));
        value = dsm::truncated(word >> 8 * (offset % dsm::WordBytes), size);
        return true;
    }
    bool store(uint64_t address, uint32_t size, uint64_t cycle, uint64_t value);

    bool is_open() const { return m_is_open; }
    bool touches(uint32_t line) const {
        const dsm::Cache::Copy* copy = m_is_open ? m_cache.copy_of(line) : nullptr;
        return copy != nullptr && copy->batch == m_batch;
    }
    // Back to the first access. Returns its cycle.
    uint64_t undo();
    struct Store {
        uint64_t offset;  // in the shared data
        uint64_t value;
        uint64_t old_word;
        uint64_t cycle;
        dsm::Cache::Copy* copy;
        uint32_t size;
    };
    uint64_t num_loads() const { return m_num_loads; }
    const std::vector<Store>& stores() const { return m_stores; }
    uint64_t last_cycle() const { return m_last_cycle; }
    bool last_is_load() const { return m_last_is_load; }
    // All cycles of its accesses are over.
    void commit();

    // Loads that repeat a loop are not answered. nullptr: all are.
    SpinLoop* spin = nullptr;
    uint64_t messages = 0;  // for the cache

private:
    // nullptr: not a plain access of shared data that hits.
    dsm::Cache::Copy* copy_at(uint64_t offset, uint32_t size) {
        if (offset >= m_size || offset % dsm::WordBytes + size > dsm::WordBytes) return nullptr;
        const auto line = uint32_t(offset / dsm::LineBytes);
        const Recent& recent = m_recent[line % NumRecent];
        if (recent.batch == m_batch && recent.line == line) return recent.copy;
        return m_cache.readable(line);
    }
    void touch(dsm::Cache::Copy& copy, uint32_t line, uint64_t cycle) {
        m_last_cycle = cycle;
        const Recent& recent = m_recent[line % NumRecent];
        if (recent.batch != m_batch || recent.line != line) touch_other(copy, line, cycle);
    }
    void touch_other(dsm::Cache::Copy& copy, uint32_t line, uint64_t cycle);
    void close();

    dsm::Cache& m_cache;
    hart::Hart& m_hart;
    const uint64_t m_base;
    const uint64_t m_size;
    bool m_is_open = false;
    bool m_last_is_load = false;
    uint64_t m_batch = 1;  // the next one if none is open
    uint64_t m_first_cycle = 0;
    uint64_t m_last_cycle = 0;
    uint64_t m_num_loads = 0;
    // Copies that this batch has used last, by line. They cannot leave the cache meanwhile.
    struct Recent {
        uint64_t batch = 0;
        dsm::Cache::Copy* copy = nullptr;
        uint32_t line = 0;
    };
    static constexpr uint32_t NumRecent = 16;
    std::array<Recent, NumRecent> m_recent{};
    struct Touched {
        const dsm::Cache::Copy* copy;
        uint32_t line;
    };
    std::vector<Touched> m_touched;  // each once
    std::vector<Store> m_stores;
};

}  // namespace rdt::exec
