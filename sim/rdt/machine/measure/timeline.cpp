// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/timeline.h>

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace rdt::machine {

void Stretch::append(const Stretch& next) {
    clocks += next.clocks;
    offered += next.offered;
    accepted += next.accepted;
    packets += next.packets;
    latency += next.latency;
    for (size_t rank = 0; rank < links.size(); ++rank) links[rank] += next.links[rank];
    end = next.end;
    open = next.open;
    links_down = next.links_down;
}

void Timeline::delivered(const Packet& packet, const Delivery& delivery) {
    m_now.accepted += packet.message.flits;
    ++m_now.packets;
    m_now.latency += delivery.tail + 1 - packet.born;
}

void Timeline::clock(const Transport& transport) {
    // After the first cycle of a run no flit is on a link yet.
    if (m_links.is_empty()) m_links.begin(m_machine);
    ++m_now.clocks;
    m_now.open = transport.open();
    if (m_now.clocks == m_interval) end_stretch(m_machine.now());
}

void Timeline::skip(const Transport& transport, uint64_t cycles) {
    if (m_links.is_empty()) m_links.begin(m_machine);
    while (cycles != 0) {
        // All whole stretches at once, if they become one anyway.
        const bool is_merged = m_now.clocks == 0 && m_idle >= MostIdle && cycles >= m_interval;
        const uint64_t step =
            is_merged ? cycles - cycles % m_interval : std::min(cycles, m_interval - m_now.clocks);
        cycles -= step;
        m_now.clocks += step;
        m_now.open = transport.open();
        if (m_now.clocks >= m_interval) end_stretch(m_machine.now() - cycles);
    }
}

void Timeline::end_stretch(uint64_t end) {
    m_links.end(m_machine);
    m_now.links = m_links.by_rank();
    m_links.begin(m_machine);
    m_now.end = end;
    m_now.links_down = m_machine.links_down();
    pass_on(m_now);
    m_now = {};
}

void Timeline::pass_on(const Stretch& s) {
    const bool is_idle =
        s.offered == 0 && s.packets == 0 && s.links == decltype(s.links){} && s.links_down == 0;
    m_idle = is_idle ? m_idle + 1 : 0;
    if (m_idle > MostIdle) {
        m_merged.append(s);
        return;
    }
    if (m_merged.clocks != 0) take(std::exchange(m_merged, {}));
    take(s);
}

void Timeline::finish() {
    if (m_now.clocks != 0) end_stretch(m_machine.now());
    if (m_merged.clocks != 0) take(std::exchange(m_merged, {}));
}

TimelineFile::TimelineFile(const Machine& machine, const std::string& path, uint64_t interval)
    : Timeline(machine, interval), m_file(path) {
    m_file.write(
        "clock,clocks,offered,accepted,packets,latency_mean,link_use_rank0,link_use_upper,"
        "link_use_mbp,open,links_down\n");
}

void TimelineFile::take(const Stretch& s) {
    const double node_clocks = double(s.clocks) * machine().nodes();
    const auto use = [&](size_t rank) { return double(s.links[rank]) / node_clocks / 2; };
    m_file.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", s.end, s.clocks,
                             double(s.offered) / node_clocks, double(s.accepted) / node_clocks,
                             s.packets, s.latency_mean(), use(0), use(1), use(2), s.open,
                             s.links_down));
}

void TimelineFile::finish() {
    Timeline::finish();
    m_file.commit();
}

void TimelineCurve::take(const Stretch& stretch) {
    if (m_stretches.empty() || m_stretches.back().clocks >= m_width) m_stretches.push_back(stretch);
    else m_stretches.back().append(stretch);
    if (m_stretches.size() < Most || m_stretches.back().clocks < m_width) return;
    for (size_t i = 0; i < Most / 2; ++i) {
        Stretch pair = m_stretches[2 * i];
        pair.append(m_stretches[2 * i + 1]);
        m_stretches[i] = pair;
    }
    m_stretches.resize(Most / 2);
    m_width *= 2;
}

}  // namespace rdt::machine
