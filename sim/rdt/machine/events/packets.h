// SPDX-License-Identifier: MIT
// Packets in flight. A record is a header and the name of the body it goes with: flits are never
// moved. The copies of a multicast have a record each and share a body.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <rdt/core/flit.h>
#include <rdt/support/arena.h>

namespace rdt::machine::events {

constexpr uint32_t NoPacket = ~0u;

struct alignas(32) Record {
    std::array<uint32_t, 3> h{};  // with parity, as it left the last node but for rewrite()
    uint32_t body = 0;
    uint32_t next = NoPacket;  // in a queue
};

// A packet in a buffer is known with its length, so that a grant need not look at its record.
constexpr uint32_t LengthAt = 28;
constexpr uint32_t with_length(uint32_t packet, uint32_t h0) {
    return packet | uint32_t(get(h0, H0Len)) << LengthAt;
}
constexpr uint32_t record_of(uint32_t packet) { return packet & ((1u << LengthAt) - 1); }
constexpr uint32_t flits_of(uint32_t packet) { return (packet >> LengthAt) + 1; }

class Packets {
public:
    // Records that are free, of one thread.
    using Pool = std::vector<uint32_t>;

    uint32_t make(Pool& pool, const std::array<uint32_t, 3>& header, uint32_t body) {
        if (pool.empty()) fill(pool);
        const uint32_t at = pool.back();
        pool.pop_back();
        m_records[at] = {header, body, NoPacket};
        return at;
    }
    void drop(Pool& pool, uint32_t at) {
        pool.push_back(at);
        if (pool.size() > MostSpare) empty(pool);
    }
    Record& operator[](uint32_t at) { return m_records[at]; }
    const Record& operator[](uint32_t at) const { return m_records[at]; }
    size_t bytes() const { return m_records.bytes(); }

private:
    static constexpr size_t Block = 256;
    // Packets are made in one place and end in another.
    static constexpr size_t MostSpare = 1024;

    void fill(Pool& pool) {
        uint32_t made = 0;
        {
            const std::lock_guard<std::mutex> lock(m_mutex);
            const size_t again = std::min(Block, m_free.size());
            pool.assign(m_free.end() - ptrdiff_t(again), m_free.end());
            m_free.resize(m_free.size() - again);
            made = m_records.extend(uint32_t(Block - again));
        }
        // Memory that is touched for the first time takes long, so other threads do not wait for
        // it.
        for (auto more = uint32_t(Block - pool.size()); more != 0; --more, ++made) {
            m_records.construct(made);
            pool.push_back(made);
        }
    }
    void empty(Pool& pool) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const auto first = pool.end() - MostSpare / 2;
        m_free.insert(m_free.end(), first, pool.end());
        pool.erase(first, pool.end());
    }

    Arena<Record> m_records;
    std::mutex m_mutex;
    Pool m_free;
};

// First in, first out.
struct Queue {
    uint32_t first = NoPacket;
    uint32_t last = NoPacket;

    bool empty() const { return first == NoPacket; }
    void push(Packets& packets, uint32_t at) {
        if (empty()) first = at;
        else packets[last].next = at;
        last = at;
    }
    uint32_t pop(Packets& packets) {
        const uint32_t at = first;
        first = packets[at].next;
        packets[at].next = NoPacket;
        return at;
    }
};

}  // namespace rdt::machine::events
