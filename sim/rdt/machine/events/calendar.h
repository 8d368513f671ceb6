// SPDX-License-Identifier: MIT
// What happens in which of the coming cycles: a ring of lists. Nothing is known further ahead than
// a packet is long.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace rdt::machine::events {

// A port of a node, a credit of it, a buffer, a link: each kind of thing is named by one number.
constexpr uint32_t Stride = 32;  // names a node has of each kind
constexpr uint32_t name_of(uint32_t node, uint32_t what) { return node * Stride + what; }
constexpr uint32_t node_of(uint32_t name) { return name / Stride; }
constexpr uint32_t what_of(uint32_t name) { return name % Stride; }

// A packet comes somewhere.
struct Coming {
    uint32_t where;
    uint32_t packet;
};

// Aligned so that a day is found without a product.
struct alignas(512) Day {
    std::vector<uint32_t> decide;    // links whose line is granted
    std::vector<uint32_t> used;      // credits that are gone,
    std::vector<uint32_t> back;      // ... and come
    std::vector<uint32_t> open;      // inputs that may present the next packet
    std::vector<Coming> fresh;       // headers that are complete, by buffer
    std::vector<Coming> land;        // acks, by port; the packet is its H0
    std::vector<Coming> deliver;     // packets and acks that are complete, by MBP
    std::vector<uint32_t> mbp;       // MBPs that may send another ack,
    std::vector<uint32_t> mbp_back;  // ... or that have their credit back
    std::vector<uint32_t> owed;      // receivers that have a credit to show
    std::vector<uint32_t> gone;      // records no longer needed
    std::vector<uint32_t> resync;    // links that resynchronize

    bool brings_packets() const { return !(fresh.empty() && land.empty() && deliver.empty()); }
    bool is_empty() const {
        return decide.empty() && used.empty() && back.empty() && open.empty() &&
               !brings_packets() && mbp.empty() && mbp_back.empty() && owed.empty() &&
               gone.empty() && resync.empty();
    }

    void clear() {
        decide.clear();
        used.clear();
        back.clear();
        open.clear();
        fresh.clear();
        land.clear();
        deliver.clear();
        mbp.clear();
        mbp_back.clear();
        owed.clear();
        gone.clear();
        resync.clear();
    }
};

class Calendar {
public:
    static constexpr uint32_t Days = 32;  // more than the longest packet and its credit take

    Day& at(uint64_t clock) { return m_days[clock % Days]; }
    const Day& at(uint64_t clock) const { return m_days[clock % Days]; }
    bool is_empty() const {
        return std::all_of(m_days.begin(), m_days.end(),
                           [](const Day& day) { return day.is_empty(); });
    }
    bool brings_packets() const {
        return std::any_of(m_days.begin(), m_days.end(),
                           [](const Day& day) { return day.brings_packets(); });
    }

private:
    std::array<Day, Days> m_days;
};

}  // namespace rdt::machine::events
