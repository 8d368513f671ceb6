// SPDX-License-Identifier: MIT
#include <rdt/dsm/processor.h>

#include <utility>

namespace rdt::dsm {

Processor::Processor(Cache& cache, uint32_t slot, const Context& context, const Pattern& pattern,
                     uint64_t operations, uint64_t seed)
    : m_cache(cache),
      m_slot(slot),
      m_context(context),
      m_pattern(pattern),
      m_random(seed),
      m_left(operations),
      m_base(seed << 32) {}

void Processor::issue() {
    m_waiting.push_back(m_context.fabric.now());
    if (m_context.statistics.is_measured) ++m_context.statistics.issued;
}

void Processor::request(Request request) {
    m_requests.push_back(std::move(request));
    issue();
}

// A pattern uses the words of a line cyclically, so that partial writes of a line are merged.
Access Processor::next_access() {
    const Operation next = m_pattern.next();
    Access access;
    access.address =
        uint64_t(next.line) * LineBytes + m_count % (LineBytes / WordBytes) * WordBytes;
    if (!next.is_write) return access;
    access.op = Op::Store;
    access.value = m_base + ++m_count;
    if (m_context.options.atomics > 0 && m_random.unit() <= m_context.options.atomics) {
        constexpr uint32_t NumAtomics = uint32_t(Op::MaxUnsigned) - uint32_t(Op::Swap) + 1;
        access.op = Op(uint32_t(Op::Swap) + m_random.below(NumAtomics));
        access.size = m_random.below(2) == 0 ? 4 : 8;
    }
    return access;
}

void Processor::clock() {
    if (m_left > 0) {
        --m_left;
        issue();
    }
    m_issued = m_waiting.front();
    m_waiting.pop_front();
    m_begun = m_context.fabric.now();
    m_is_pending = true;
    Result result;
    if (m_requests.empty()) {
        if (begin(next_access(), result)) end(result);
        return;
    }
    const Access access = m_requests.front().access;
    m_ended = std::move(m_requests.front().ended);
    m_requests.pop_front();
    if (begin(access, result)) end(result);
}

bool Processor::access(const Access& access, Result& result) {
    m_issued = m_begun = m_context.fabric.now();
    m_is_pending = m_is_direct = true;
    if (m_context.statistics.is_measured) ++m_context.statistics.issued;
    if (!begin(access, result)) return false;
    end(result);
    return true;
}

bool Processor::begin(const Access& access, Result& result) {
    if (m_context.options.store_buffer != 0) return begin_buffered(access, result);
    if (access.op != Op::Fence) return m_cache.begin(m_slot, access, result);
    result = {};
    return true;
}

bool Processor::begin_buffered(const Access& access, Result& result) {
    if (access.op == Op::Load && forwards(access, result)) {
        ++m_context.statistics.reads;
        ++m_context.statistics.forwarded;
        return true;
    }
    const bool waits = access.op == Op::Load    ? overlaps(access)
                       : access.op == Op::Store ? m_buffer.size() >= m_context.options.store_buffer
                                                : !m_buffer.empty();
    if (waits) {
        m_blocked = access;
        m_is_blocked = true;
        return false;
    }
    result = {};
    if (access.op == Op::Fence) return true;
    // A store by bytes refers to memory of the caller: it does not outlive the operation.
    if (access.op != Op::Store || (access.bytes != nullptr && m_buffer.empty()))
        return m_cache.begin(m_slot, access, result);
    if (access.bytes != nullptr) {
        m_blocked = access;
        m_is_blocked = true;
        return false;
    }
    ++m_context.statistics.buffered;
    m_buffer.push_back(access);
    drain();
    return true;
}

// The newest store that the load overlaps has all its bytes.
bool Processor::forwards(const Access& load, Result& result) const {
    for (auto s = m_buffer.rbegin(); s != m_buffer.rend(); ++s) {
        if (s->address >= load.address + load.size || load.address >= s->address + s->size)
            continue;
        const bool is_inside = load.address >= s->address &&
                               load.address + load.size <= s->address + s->size &&
                               s->mask() == (1u << s->size) - 1;
        if (!is_inside) return false;
        result = {};
        result.value = truncated(s->value >> 8 * (load.address - s->address), load.size);
        store(result.line, load.offset(), (1u << load.size) - 1, result.value);
        return true;
    }
    return false;
}

bool Processor::overlaps(const Access& load) const {
    for (const Access& s : m_buffer)
        if (s.address < load.address + load.size && load.address < s.address + s.size) return true;
    return false;
}

void Processor::drain() {
    Result result;
    while (!m_is_draining && !m_buffer.empty()) {
        m_is_draining = true;
        if (!m_cache.begin(m_slot + 1, m_buffer.front(), result)) return;
        m_buffer.pop_front();
        m_is_draining = false;
    }
}

bool Processor::ended(uint32_t slot, Result& result) {
    if (slot == m_slot) return end(result);
    m_buffer.pop_front();
    m_is_draining = false;
    drain();
    if (!m_is_blocked) return false;
    m_is_blocked = false;
    return begin_buffered(m_blocked, result) && end(result);
}

// The receiver of the result may start an operation from within.
bool Processor::end(const Result& result) {
    const uint64_t now = m_context.fabric.now();
    m_is_pending = false;
    if (m_context.statistics.is_measured) {
        ++m_context.statistics.ended;
        m_context.statistics.latency.add(now - m_issued);
        m_context.statistics.processing.add(now - m_begun);
    }
    if (const auto ended = std::exchange(m_ended, nullptr)) ended(result);
    return std::exchange(m_is_direct, false);
}

}  // namespace rdt::dsm
