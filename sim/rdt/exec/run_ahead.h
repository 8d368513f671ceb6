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

class RunAhead final : public hart::HitPort {
public:
    // Shared data have `size` bytes from `base` on.
    RunAhead(dsm::Memory& memory, uint32_t node, hart::Hart& hart, uint64_t base, uint64_t size)
        : m_cache(memory.cache(node)), m_hart(hart), m_base(base), m_size(size) {}

    bool load(uint64_t address, uint32_t size, uint64_t cycle, uint64_t& value) override;
    bool store(uint64_t address, uint32_t size, uint64_t cycle, uint64_t value) override;

    bool is_open() const { return m_is_open; }
    bool touches(uint32_t line) const {
        const dsm::Cache::Copy* copy = m_is_open ? m_cache.copy_of(line) : nullptr;
        return copy != nullptr && copy->batch == m_batch;
    }
    // Back to the first access. Returns its cycle.
    uint64_t undo();
    struct Store {
        dsm::Access access;
        uint64_t cycle = 0;
        uint64_t old_word = 0;
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
    dsm::Cache::Copy* copy_at(uint64_t offset, uint32_t size);
    void touch(dsm::Cache::Copy& copy, uint32_t line, uint64_t cycle);

    dsm::Cache& m_cache;
    hart::Hart& m_hart;
    const uint64_t m_base;
    const uint64_t m_size;
    bool m_is_open = false;
    uint64_t m_batch = 0;
    uint64_t m_first_cycle = 0;
    uint64_t m_last_cycle = 0;
    bool m_last_is_load = false;
    uint64_t m_num_loads = 0;
    std::vector<uint32_t> m_lines;  // each once
    // Copies that this batch has used last, by line. They cannot leave the cache meanwhile.
    struct Recent {
        uint32_t line = 0;
        uint64_t batch = 0;
        dsm::Cache::Copy* copy = nullptr;
    };
    static constexpr uint32_t NumRecent = 16;
    std::array<Recent, NumRecent> m_recent{};
    std::vector<Store> m_stores;
};

}  // namespace rdt::exec
