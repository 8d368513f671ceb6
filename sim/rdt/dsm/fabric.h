// SPDX-License-Identifier: MIT
// Messages between homes and caches: packets between different nodes, a queue within one, delays
// and timers. MBP 0 of a node is the home of its part of the memory, MBP 1 serves its cache. An MBP
// takes every message without waiting for those it sends, and its queues are as long as they need
// to be, so that requests and replies never wait for each other.
#pragma once

#include <deque>
#include <queue>
#include <vector>

#include <rdt/dsm/message.h>
#include <rdt/machine/transport.h>

namespace rdt::dsm {

struct Timer {
    enum class Kind : uint8_t { Request, Recall, Sharers, Multicast, Lease, Deliver };
    Kind kind;
    uint32_t node;
    uint32_t at;      // slot of a cache, line of a home, or delayed message
    uint64_t number;  // subject of the timer
};

class Fabric {
public:
    static constexpr uint32_t HomeMbp = 0;
    static constexpr uint32_t CacheMbp = 1;

    class Client {
    public:
        virtual ~Client() = default;
        virtual void home_receives(uint32_t node, const Message& message) = 0;
        virtual void home_handles(uint32_t node, const Message& message) = 0;
        virtual void cache_receives(uint32_t node, const Message& message) = 0;
        virtual void cache_handles(uint32_t node, const Message& message) = 0;
        virtual void timer_ends(const Timer& timer) = 0;
    };

    Fabric(Client& client, uint64_t resend) : m_client(client), m_resend(resend) {}

    // Before everything else in a cycle.
    void clock(machine::Transport& transport);

    uint64_t now() const { return m_now; }
    void skip(uint64_t cycles) { m_now += cycles; }
    // Sent in so many cycles.
    void to_home(uint32_t home, const Message& message, uint64_t cycles = 0);
    void to_cache(uint32_t node, const Message& message, uint64_t cycles = 0);
    // To all caches that the maps name, but for those that pruning caches leave out by the key.
    void multicast(Type scheme, Maps maps, const Message& message, bool wants_ack,
                   uint64_t pruning_key);
    // The home, or the cache, handles a message in so many cycles.
    void home_handles_after(uint64_t cycles, uint32_t home, const Message& message);
    void cache_handles_after(uint64_t cycles, uint32_t node, const Message& message);

    // After the time without an answer.
    void after_resend(const Timer& timer) { m_resends.push_back({m_now + m_resend, timer}); }
    void after(uint64_t cycles, const Timer& timer) {
        m_timers.push({m_now + cycles, m_order++, timer});
    }
    bool idle() const { return m_local.empty() && m_num_delayed == 0; }
    // The cycle of the first timer.
    uint64_t next_timer() const;

private:
    struct Local {
        uint32_t node;
        uint32_t mbp;
        Message message;
    };
    struct Waiting {
        uint64_t time;
        Timer timer;
    };
    struct Ordered {
        uint64_t time;
        uint64_t order;
        Timer timer;
        bool operator<(const Ordered& other) const {  // the first one is the greatest
            return time != other.time ? time > other.time : order > other.order;
        }
    };
    void send(uint32_t node, uint32_t mbp, const Message& message);
    void delay(uint64_t cycles, uint32_t node, uint32_t mbp, const Message& message, bool arrives);
    void deliver(uint32_t at);

    Client& m_client;
    const uint64_t m_resend;
    machine::Transport* m_transport = nullptr;
    uint64_t m_now = 0;
    bool m_is_clocking = false;
    uint64_t m_order = 0;
    std::vector<Local> m_local;  // within a node, for the next cycle
    std::vector<Local> m_arrived;
    std::deque<Waiting> m_resends;  // in the order of time, since all wait equally long
    std::priority_queue<Ordered> m_timers;
    struct Delayed {
        Local local;
        bool arrives;  // at its receiver; otherwise it is sent
    };
    std::vector<Delayed> m_delayed;
    std::vector<uint32_t> m_free;
    uint64_t m_num_delayed = 0;
};

}  // namespace rdt::dsm
