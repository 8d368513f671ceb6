// SPDX-License-Identifier: MIT
#include <rdt/dsm/fabric.h>

#include <utility>

namespace rdt::dsm {

void Fabric::clock(machine::Transport& transport) {
    m_transport = &transport;
    m_now = transport.machine().now();
    const std::vector<Local> local = std::exchange(m_local, {});
    for (const Local& l : local) (l.mbp == HomeMbp ? on_home : on_cache)(l.node, l.message);
    while (!m_timers.empty() && m_timers.begin()->first <= m_now) {
        const auto timer = m_timers.extract(m_timers.begin());
        timer.mapped()();
    }
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

void Fabric::multicast(Type scheme, Maps maps, const Message& message) {
    machine::Message m;
    m.source = message.node;
    m.source_mbp = HomeMbp;
    m.mbp = CacheMbp;
    m.maps = maps;
    m.type = scheme;
    m.wants_ack = true;
    m.data = encode(message);
    m_transport->send(m);
}

}  // namespace rdt::dsm
