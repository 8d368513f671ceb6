// SPDX-License-Identifier: MIT
#include <rdt/exec/run_ahead.h>

namespace rdt::exec {

using dsm::LineBytes;
using dsm::WordBytes;

// nullptr: not a plain access of shared data that hits.
dsm::Cache::Copy* RunAhead::copy_at(uint64_t offset, uint32_t size) {
    if (offset >= m_size || offset % WordBytes + size > WordBytes) return nullptr;
    const auto line = uint32_t(offset / LineBytes);
    const Recent& recent = m_recent[line % NumRecent];
    if (m_is_open && recent.batch == m_batch && recent.line == line) return recent.copy;
    return m_cache.readable(line);
}

void RunAhead::touch(dsm::Cache::Copy& copy, uint32_t line, uint64_t cycle) {
    if (!m_is_open) {
        m_is_open = true;
        ++m_batch;
        m_first_cycle = cycle;
        m_hart.make_checkpoint();
    }
    m_last_cycle = cycle;
    m_recent[line % NumRecent] = {line, m_batch, &copy};
    if (copy.batch == m_batch) return;
    copy.batch = m_batch;
    m_lines.push_back(line);
}

bool RunAhead::load(uint64_t address, uint32_t size, uint64_t cycle, uint64_t& value) {
    const uint64_t offset = address - m_base;
    dsm::Cache::Copy* copy = copy_at(offset, size);
    if (copy == nullptr) return false;
    if (spin != nullptr && spin->repeats(m_hart, cycle, messages)) return false;
    touch(*copy, uint32_t(offset / LineBytes), cycle);
    m_last_is_load = true;
    ++m_num_loads;
    const uint64_t word = dsm::word_of(copy->bytes, uint32_t(offset % LineBytes / WordBytes));
    value = dsm::truncated(word >> 8 * (offset % WordBytes), size);
    return true;
}

bool RunAhead::store(uint64_t address, uint32_t size, uint64_t cycle, uint64_t value) {
    const uint64_t offset = address - m_base;
    dsm::Cache::Copy* copy = copy_at(offset, size);
    if (copy == nullptr || !copy->is_owned) return false;
    touch(*copy, uint32_t(offset / LineBytes), cycle);
    m_last_is_load = false;
    Store& s = m_stores.emplace_back();
    s.access.address = offset;
    s.access.op = dsm::Op::Store;
    s.access.size = size;
    s.access.value = value;
    s.cycle = cycle;
    const auto word = uint32_t(offset % LineBytes / WordBytes);
    const uint32_t shift = 8 * uint32_t(offset % WordBytes);
    s.old_word = dsm::word_of(copy->bytes, word);
    const uint64_t mask = dsm::truncated(~uint64_t(0), size) << shift;
    dsm::set_word(copy->bytes, word, (s.old_word & ~mask) | (value << shift & mask));
    return true;
}

uint64_t RunAhead::undo() {
    for (auto s = m_stores.rbegin(); s != m_stores.rend(); ++s)
        dsm::set_word(m_cache.readable(s->access.line())->bytes, s->access.offset() / WordBytes,
                      s->old_word);
    m_hart.return_to_checkpoint();
    m_hart.forget_checkpoint();
    m_is_open = false;
    m_num_loads = 0;
    m_lines.clear();
    m_stores.clear();
    return m_first_cycle;
}

void RunAhead::commit() {
    for (const Store& s : m_stores) m_cache.commit_store(s.access);
    m_cache.commit_loads(m_num_loads, m_lines);
    m_hart.forget_checkpoint();
    m_is_open = false;
    m_num_loads = 0;
    m_lines.clear();
    m_stores.clear();
}

}  // namespace rdt::exec
