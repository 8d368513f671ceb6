// SPDX-License-Identifier: MIT
// How homes and caches reach each other: packets between different nodes, a queue within one, and
// a clock to be woken by. MBP 0 of a node is the home of its part of the memory, MBP 1 serves its
// cache. An MBP takes whatever comes without waiting for what it sends, and its queues are as long
// as they need to be (there is at most one operation a node), so that requests and replies never
// wait for each other.
#pragma once

#include <functional>
#include <map>

#include <rdt/dsm/message.h>
#include <rdt/machine/transport.h>

namespace rdt::dsm {

class Fabric {
public:
    static constexpr uint32_t HomeMbp = 0;
    static constexpr uint32_t CacheMbp = 1;

    std::function<void(uint32_t node, const Message&)> on_home;
    std::function<void(uint32_t node, const Message&)> on_cache;

    // Before anything else in a clock.
    void clock(machine::Transport& transport);

    uint64_t now() const { return m_now; }
    void skip(uint64_t cycles) { m_now += cycles; }
    void to_home(uint32_t home, const Message& message) { send(home, HomeMbp, message); }
    void to_cache(uint32_t node, const Message& message) { send(node, CacheMbp, message); }
    // To all caches that the maps name; answered by one combined ack.
    void multicast(Type scheme, Maps maps, const Message& message);
    void after(uint64_t clocks, std::function<void()> what) {
        m_timers.emplace(m_now + clocks, std::move(what));
    }
    bool idle() const { return m_local.empty(); }
    // The cycle of the first timer.
    uint64_t next_timer() const {
        return m_timers.empty() ? ~uint64_t(0) : m_timers.begin()->first;
    }

private:
    struct Local {
        uint32_t node;
        uint32_t mbp;
        Message message;
    };
    void send(uint32_t node, uint32_t mbp, const Message& message);

    machine::Transport* m_transport = nullptr;
    uint64_t m_now = 0;
    std::vector<Local> m_local;  // within a node, for the next clock
    std::multimap<uint64_t, std::function<void()>> m_timers;
};

}  // namespace rdt::dsm
