// SPDX-License-Identifier: MIT
// What is to be done in a part of the nodes. Lanes may be worked on side by side: each changes only
// its own nodes and lists, and leaves word for the others, who read it when all are done.
#pragma once

#include <atomic>
#include <exception>

#include <rdt/machine/events/calendar.h>
#include <rdt/machine/events/node.h>

namespace rdt::machine::events {

// Into the calendar of another lane, from the next cycle on.
struct Mail {
    enum Kind : uint8_t { Decide, Back, Fresh, Land, Asked };
    Kind kind;
    uint8_t day;
    uint32_t where;
    uint32_t packet;
};

// A line that was given to an end.
struct Grant {
    uint32_t node;
    uint32_t link;
    uint8_t end;
    bool is_overdue;  // has missed a credit for too long, and does not use it
};

// An input that may pass its packet to an output.
struct InputGrant {
    uint32_t node;
    uint32_t link;
    uint8_t input;
    uint8_t output;
};

// An input that requests these outputs from now on.
struct Asking {
    uint32_t node;
    uint16_t input;
    uint16_t outputs;
};

using Sides = uint32_t;  // bits by Side
constexpr Sides BothSides = 1u << First | 1u << Second;

// A link whose recovery starts.
struct RecoveryStart {
    uint32_t link;
    Sides overdue;  // have missed a credit for too long
};

// Messages of a lane to another one. Written by the sender alone, which also clears it after the
// receiver has read it. Lists that are written and read at the same time share no cache line.
struct Outbox {
    template <typename T>
    struct alignas(64) List {
        std::vector<T> items;
    };
    List<Grant> grants;              // read in the second half of the same cycle
    std::array<List<Mail>, 2> mail;  // of even and of odd cycles: read in the cycle after

    bool has_mail() const { return !(mail[0].items.empty() && mail[1].items.empty()); }
};

// Events of a cycle that concern all lanes. Seldom set, so that every cycle looks at one cache
// line instead of at all lanes.
struct alignas(64) Notes {
    std::atomic<bool> has_late{false};        // Lane::late
    std::atomic<bool> has_recoveries{false};  // Lane::recoveries
    std::atomic<bool> has_error{false};       // Lane::error
    std::atomic<bool> is_irregular{false};

    static void set(std::atomic<bool>& note) { note.store(true, std::memory_order_relaxed); }
    static bool take(std::atomic<bool>& note) {
        if (!note.load(std::memory_order_relaxed)) return false;
        note.store(false, std::memory_order_relaxed);
        return true;
    }
};

// A multicast that was granted something.
struct LingeringRequest {
    uint32_t input;
    uint32_t granted;
    uint32_t needs;  // credits before the grant
    uint32_t tag;
};

// Its calendar aligns it, so that no two lanes share a cache line.
struct Lane {
    uint32_t number = 0;
    uint32_t first = 0;  // node
    uint32_t end = 0;
    Calendar calendar;
    Packets::Pool pool;
    std::vector<uint32_t> with_control;  // nodes
    std::vector<uint32_t> awake;
    std::vector<uint32_t> marked;
    std::vector<uint32_t> marked_mbps;
    std::vector<std::pair<uint32_t, uint32_t>> late;  // nodes and credits, from the next cycle on
    std::vector<InputGrant> won;
    std::vector<Asking> asking;
    std::vector<RecoveryStart> recoveries;
    std::vector<uint32_t> asked;           // links, from their other end
    std::vector<uint32_t> resting;         // links, since their last packet ended without a request
    std::vector<uint32_t> won_multicasts;  // inputs
    std::vector<uint32_t> granted;         // inputs, in the cycle before
    std::vector<uint32_t> granted_now;
    std::vector<uint32_t> entered;  // slots that got an entry in the cycle before
    std::vector<uint32_t> entered_now;
    std::vector<LingeringRequest> lingering_requests;
    fast::AckTable::In table_in;  // inputs of the control side that is clocked
    fast::Inject::In inject_in;
    std::vector<std::pair<uint32_t, fast::Local::In>> reports;  // to LOCALs
    std::vector<uint32_t> stale_requests;  // outputs requested by a multicast that has left
    std::exception_ptr error;

    bool has(uint32_t node) const { return node - first < end - first; }

    // Nothing is to be done, in this cycle or in one to come.
    bool is_at_rest() const {
        return awake.empty() && marked.empty() && marked_mbps.empty() && late.empty() &&
               granted.empty() && entered.empty() && stale_requests.empty() && asked.empty() &&
               resting.empty() && calendar.is_empty();
    }
};

}  // namespace rdt::machine::events
