// SPDX-License-Identifier: MIT
// A processor in front of a node's cache. It does one operation at a time; those that are issued
// meanwhile wait. With a store buffer, a store ends when it is in the buffer; stores leave it one
// after the other, and loads pass them: total store order (TSO).
#pragma once

#include <deque>
#include <functional>

#include <rdt/dsm/cache.h>
#include <rdt/dsm/pattern.h>

namespace rdt::dsm {

struct Request {
    Access access;
    std::function<void(const Result&)> ended;
};

class Processor {
public:
    // It issues `operations` of the sharing pattern itself, each when the last one has ended.
    // Its slots of the cache begin with `slot`.
    Processor(Cache& cache, uint32_t slot, const Context& context, const Pattern& pattern,
              uint64_t operations, uint64_t seed);

    // One more operation of the pattern.
    void issue();
    void request(Request request);
    // Begins the next operation that waits. Only if may_begin().
    void clock();
    // An operation from outside that begins now. Returns whether it has ended; otherwise the next
    // end is its end. Only if nothing is pending.
    bool access(const Access& access, Result& result);
    // Called by the cache's client. Returns whether an operation from access() has ended, with
    // the result.
    bool ended(uint32_t slot, Result& result);

    void stop() {
        m_left = 0;
        m_waiting.clear();
        m_requests.clear();
    }
    bool is_pending() const { return m_is_pending; }
    bool may_begin() const { return !m_is_pending && (m_left > 0 || !m_waiting.empty()); }
    bool idle() const {
        return m_left == 0 && m_waiting.empty() && !m_is_pending && m_buffer.empty();
    }

private:
    // Returns whether the operation has ended.
    bool begin(const Access& access, Result& result);
    bool begin_buffered(const Access& access, Result& result);
    bool forwards(const Access& load, Result& result) const;
    bool overlaps(const Access& load) const;
    void drain();
    bool end(const Result& result);
    Access next_access();

    Cache& m_cache;
    const uint32_t m_slot;
    const Context m_context;
    Pattern m_pattern;
    Random m_random;
    uint64_t m_left;                 // operations to issue itself
    std::deque<uint64_t> m_waiting;  // cycles in which those to begin were issued
    std::deque<Request> m_requests;  // from outside, of those
    std::function<void(const Result&)> m_ended;
    bool m_is_pending = false;
    bool m_is_blocked = false;  // by the store buffer
    bool m_is_direct = false;   // by access()
    bool m_is_draining = false;
    Access m_blocked;
    std::deque<Access> m_buffer;
    uint64_t m_issued = 0;  // cycle, of the operation that was begun last
    uint64_t m_begun = 0;
    uint64_t m_count = 0;   // writes of the pattern
    const uint64_t m_base;  // of the values that it writes
};

}  // namespace rdt::dsm
