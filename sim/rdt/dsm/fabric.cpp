// SPDX-License-Identifier: MIT
#include <rdt/dsm/fabric.h>

#include <algorithm>

namespace rdt::dsm {

void Fabric::clock(machine::Transport& transport) {
    m_transport = &transport;
    m_now = transport.machine().now();
    m_is_clocking = true;
    if (!m_local.empty()) {
        m_arrived.swap(m_local);
        for (const Local& l : m_arrived)
            if (l.mbp == HomeMbp) m_client.home_receives(l.node, l.message);
            else m_client.cache_receives(l.node, l.message);
        m_arrived.clear();
    }
    while (!m_timers.empty() && m_timers.top().time <= m_now) {
        const Timer timer = m_timers.top().timer;
        m_timers.pop();
        if (timer.kind == Timer::Kind::Deliver) deliver(timer.at);
        else m_client.timer_ends(timer);
    }
    while (!m_resends.empty() && m_resends.front().time <= m_now) {
        const Timer timer = m_resends.front().timer;
        m_resends.pop_front();
        m_client.timer_ends(timer);
    }
    m_is_clocking = false;
}

uint64_t Fabric::next_timer() const {
    const uint64_t first = m_timers.empty() ? ~uint64_t(0) : m_timers.top().time;
    return m_resends.empty() ? first : std::min(first, m_resends.front().time);
}

void Fabric::to_home(uint32_t home, const Message& message, uint64_t cycles) {
    if (cycles == 0) send(home, HomeMbp, message);
    else delay(cycles, home, HomeMbp, message, false);
}

void Fabric::to_cache(uint32_t node, const Message& message, uint64_t cycles) {
    if (cycles == 0) send(node, CacheMbp, message);
    else delay(cycles, node, CacheMbp, message, false);
}

void Fabric::home_handles_after(uint64_t cycles, uint32_t home, const Message& message) {
    delay(cycles, home, HomeMbp, message, true);
}

void Fabric::cache_handles_after(uint64_t cycles, uint32_t node, const Message& message) {
    delay(cycles, node, CacheMbp, message, true);
}

void Fabric::delay(uint64_t cycles, uint32_t node, uint32_t mbp, const Message& message,
                   bool arrives) {
    uint32_t at = uint32_t(m_delayed.size());
    if (m_free.empty()) {
        m_delayed.emplace_back();
    } else {
        at = m_free.back();
        m_free.pop_back();
    }
    m_delayed[at] = {{node, mbp, message}, arrives};
    ++m_num_delayed;
    // Messages that come by packets arrive at the end of a cycle, timers end at its beginning.
    after(cycles + (m_is_clocking ? 0 : 1), {Timer::Kind::Deliver, node, at, 0});
}

void Fabric::deliver(uint32_t at) {
    const Delayed delayed = m_delayed[at];
    m_free.push_back(at);
    --m_num_delayed;
    const auto& [node, mbp, message] = delayed.local;
    if (!delayed.arrives) send(node, mbp, message);
    else if (mbp == HomeMbp) m_client.home_handles(node, message);
    else m_client.cache_handles(node, message);
}

void Fabric::send(uint32_t node, uint32_t mbp, const Message& message) {
    if (node == message.node) {
        m_local.push_back({node, mbp, message});
        return;
    }
    machine::Message m;
    m.source = message.node;
    m.source_mbp = mbp == HomeMbp ? CacheMbp : HomeMbp;
    m.destination = node;
    m.mbp = mbp;
    m.data = encode(message);
    m_transport->send(m);
}

void Fabric::multicast(Type scheme, Maps maps, const Message& message, bool wants_ack,
                       uint64_t pruning_key) {
    machine::Message m;
    m.source = message.node;
    m.source_mbp = HomeMbp;
    m.mbp = CacheMbp;
    m.maps = maps;
    m.type = scheme;
    m.wants_ack = wants_ack;
    m.pruning_key = pruning_key;
    m.data = encode(message);
    m_transport->send(m);
}

}  // namespace rdt::dsm
