// SPDX-License-Identifier: MIT
#include <rdt/exec/run_ahead.h>

#include <rdt/hart/execute.h>

namespace rdt::exec {

using dsm::LineBytes;
using dsm::WordBytes;

hart::Hart::Stop RunAhead::run(uint64_t max, uint64_t cycle) {
    return m_hart.run_with(*this, max, cycle);
}

void RunAhead::touch_other(dsm::Cache::Copy& copy, uint32_t line, uint64_t cycle) {
    if (!m_is_open) {
        m_is_open = true;
        m_first_cycle = cycle;
        m_hart.make_checkpoint();
    }
    m_recent[line % NumRecent] = {m_batch, &copy, line};
    if (copy.batch == m_batch) return;
    copy.batch = m_batch;
    m_touched.push_back({&copy, line});
}

bool RunAhead::store(uint64_t address, uint32_t size, uint64_t cycle, uint64_t value) {
    const uint64_t offset = address - m_base;
    dsm::Cache::Copy* copy = copy_at(offset, size);
    if (copy == nullptr || !copy->is_owned) return false;
    touch(*copy, uint32_t(offset / LineBytes), cycle);
    m_last_is_load = false;
    const auto word = uint32_t(offset % LineBytes / WordBytes);
    const uint32_t shift = 8 * uint32_t(offset % WordBytes);
    const uint64_t old_word = dsm::word_of(copy->bytes, word);
    const uint64_t mask = dsm::truncated(~uint64_t(0), size) << shift;
    dsm::set_word(copy->bytes, word, (old_word & ~mask) | (value << shift & mask));
    m_stores.push_back({offset, value, old_word, cycle, copy, size});
    return true;
}

uint64_t RunAhead::undo() {
    for (auto s = m_stores.rbegin(); s != m_stores.rend(); ++s)
        dsm::set_word(s->copy->bytes, uint32_t(s->offset % LineBytes / WordBytes), s->old_word);
    m_hart.return_to_checkpoint();
    close();
    return m_first_cycle;
}

void RunAhead::commit() {
    dsm::Access access;
    access.op = dsm::Op::Store;
    for (const Store& s : m_stores) {
        access.address = s.offset;
        access.size = s.size;
        access.value = s.value;
        m_cache.commit_store(*s.copy, access);
    }
    for (const Touched& t : m_touched) m_cache.commit_loads(t.line, *t.copy);
    m_cache.commit(m_num_loads, m_stores.size());
    close();
}

void RunAhead::close() {
    m_hart.forget_checkpoint();
    ++m_batch;
    m_is_open = false;
    m_num_loads = 0;
    m_touched.clear();
    m_stores.clear();
}

}  // namespace rdt::exec
