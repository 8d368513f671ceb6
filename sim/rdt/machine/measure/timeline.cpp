// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/timeline.h>

#include <fmt/core.h>

namespace rdt::machine {

std::array<uint64_t, 3> by_rank(const Machine& machine, LinkCounter& links) {
    std::array<uint64_t, 3> flits{};
    for (uint32_t n = 0; n < machine.nodes(); ++n)
        for (uint32_t end = 0; end < NumPorts + 2; ++end)
            flits[end < PortE1 ? 0 : end < PortM0 ? 1 : 2] += links.flits(n, end);
    return flits;
}

Timeline::Timeline(const Machine& machine, const std::string& path, uint64_t interval)
    : m_machine(machine), m_file(path), m_interval(interval), m_links(machine.nodes()) {
    m_file.write(
        "clock,clocks,offered,accepted,packets,latency_mean,link_use_rank0,link_use_upper,"
        "link_use_mbp,open,links_down\n");
}

void Timeline::delivered(const Packet& packet, const Delivery& delivery) {
    m_now.accepted += packet.message.flits;
    ++m_now.packets;
    m_now.latency += delivery.tail + 1 - packet.born;
}

void Timeline::clock(const Transport& transport) {
    m_machine.count_links(m_links);
    ++m_now.clocks;
    m_open = transport.open();
    if (m_now.clocks == m_interval) end_stretch(m_open);
}

void Timeline::end_stretch(uint64_t open) {
    const double node_clocks = double(m_now.clocks) * m_machine.nodes();
    const std::array<uint64_t, 3> links = by_rank(m_machine, m_links);
    const auto use = [&](size_t rank) {
        return double(links[rank] - m_before[rank]) / node_clocks / 2;
    };
    m_file.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", m_machine.now(), m_now.clocks,
                             double(m_now.offered) / node_clocks,
                             double(m_now.accepted) / node_clocks, m_now.packets,
                             m_now.packets == 0 ? 0 : double(m_now.latency) / double(m_now.packets),
                             use(0), use(1), use(2), open, m_machine.links_down()));
    m_before = links;
    m_now = {};
}

void Timeline::finish() {
    if (m_now.clocks != 0) end_stretch(m_open);
    m_file.commit();
}

}  // namespace rdt::machine
