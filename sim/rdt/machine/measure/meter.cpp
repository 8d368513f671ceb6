// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/meter.h>

#include <cmath>
#include <utility>

#include <rdt/machine/measure/timeline.h>

namespace rdt::machine {

namespace {

constexpr uint64_t LookClocks = 1000;     // from one look at convergence to the next
constexpr uint64_t FewestClocks = 10000;  // before the first one

}  // namespace

Meter::Meter(Machine& machine) : m_machine(machine), m_nodes(machine.nodes()) {}

void Meter::begin() {
    m_on = true;
    m_links.begin(m_machine);
}

void Meter::end() {
    if (std::exchange(m_on, false)) m_links.end(m_machine);
}

void Meter::delivered(const Packet& packet, const Delivery& d) {
    ++m_delivered;
    if (!d.intact) ++m_damaged;
    if (!m_on) return;
    ++m_packets;
    m_flits += packet.message.flits;
    m_nodes[d.node].accepted += packet.message.flits;
    const uint64_t total = d.tail + 1 - packet.born;
    m_throughput.add_to_sum(packet.message.flits);
    if (packet.is_multicast()) {
        ++m_copies;
        if (packet.received != packet.receivers) return;
        ++m_multicasts;
        m_multicast.add(total);
        return;
    }
    ++m_unicasts;
    m_total.add(total);
    NodeFlits& source = m_nodes[packet.message.source];
    ++source.packets;
    source.latency += total;
    m_queueing.add(packet.started - packet.born);
    m_network.add(d.tail + 1 - packet.started);
    m_hops += d.hops;
    m_hops_max = std::max(m_hops_max, d.hops);
}

void Meter::acked(const Packet& packet, uint32_t status, uint64_t now) {
    if (!m_on) return;
    ++m_acks;
    if ((status >> AckRetry & 1) != 0) ++m_retries;
    if ((status >> AckTimeout & 1) != 0) ++m_timeouts;
    m_ack.add(now - packet.born);
}

void Meter::clock() {
    if (!m_on) return;
    ++m_clocks;
    m_throughput.add_to_count(m_machine.nodes());
    m_throughput.cycle();
    for (Measured* m : {&m_total, &m_queueing, &m_network, &m_multicast, &m_ack})
        m->stretches.cycle();
}

void Meter::skip(uint64_t cycles) {
    if (!m_on) return;
    m_clocks += cycles;
    m_throughput.skip(cycles, m_machine.nodes());
    for (Measured* m : {&m_total, &m_queueing, &m_network, &m_multicast, &m_ack})
        m->stretches.skip(cycles);
}

uint64_t Meter::cycles_to_batch_end() const { return LookClocks - m_clocks % LookClocks; }

// Of the packets so far.
uint64_t Meter::cycles_needed() const {
    const double flits = double(m_flits) / double(std::max<uint64_t>(m_packets, 1));
    if (m_unicasts == 0) return 0;
    // Without rivals a packet takes six cycles per chip and one per flit.
    constexpr double PerChip = 6;
    const double alone = PerChip * (double(m_hops) / double(m_unicasts) + 1) + flits;
    return rdt::cycles_needed(m_total.values.mean() - alone, flits);
}

bool Meter::converged(double tolerance) const {
    if (m_clocks < FewestClocks || m_clocks % LookClocks != 0 || m_clocks < cycles_needed())
        return false;
    const Measured& latency = m_unicasts != 0 ? m_total : m_multicast;
    return half_interval(m_throughput.all()) * double(m_clocks) * m_machine.nodes() <=
               tolerance * double(m_flits) &&
           half_interval(latency.stretches.all()) <= tolerance * latency.values.mean();
}

void Meter::fill_intervals(RunResult& r) const {
    r.cycles_needed = cycles_needed();
    r.is_short = m_clocks < r.cycles_needed;
    if (r.saturated || r.is_short) return;
    r.accepted_half = half_interval(m_throughput.all());
    r.is_short = std::isnan(r.accepted_half);
    r.total.half = half_interval(m_total.stretches.all());
    r.queueing.half = half_interval(m_queueing.stretches.all());
    r.network.half = half_interval(m_network.stretches.all());
    r.multicast.half = half_interval(m_multicast.stretches.all());
    r.ack.half = half_interval(m_ack.stretches.all());
}

// Of a run that is still measured, up to now.
LinkFlits Meter::links_so_far() const {
    LinkFlits links = m_links;
    if (m_on) links.end(m_machine);
    return links;
}

void Meter::fill_links(RunResult& r) const {
    const LinkFlits links = links_so_far();
    const auto use = [&](uint32_t node, uint32_t end) {
        return m_clocks == 0 ? 0 : double(links.flits(node, end)) / double(m_clocks);
    };
    for (uint32_t n = 0; n < m_machine.nodes(); ++n)
        for (uint32_t p = 0; p < NumPorts; ++p) {
            if (!m_machine.has_link(p)) continue;
            LinkUse l{n, p, n, p, use(n, p), 0};
            if (is_network(p)) {
                l.to_node = m_machine.geometry().neighbour(n, p);
                l.to_port = opposite(p);
                l.received = use(l.to_node, l.to_port);
            } else {
                l.received = use(n, NumPorts + p - PortM0);
            }
            r.links.push_back(l);
        }
}

void Meter::fill_nodes(RunResult& r) const {
    const auto per_clock = [this](uint64_t count) {
        return m_clocks == 0 ? 0 : double(count) / double(m_clocks);
    };
    for (uint32_t n = 0; n < m_machine.nodes(); ++n) {
        const NodeFlits& f = m_nodes[n];
        r.nodes.push_back({n, per_clock(f.injected), per_clock(f.accepted),
                           f.packets == 0 ? Unknown : double(f.latency) / double(f.packets)});
    }
}

void Meter::fill(RunResult& r) const {
    const double node_clocks = double(m_clocks) * m_machine.nodes();
    const auto per_node = [&](uint64_t count) {
        return m_clocks == 0 ? 0 : double(count) / node_clocks;
    };
    r.clocks = m_clocks;
    r.offered = per_node(m_flits_sent);
    r.accepted = per_node(m_flits);
    r.packets = m_packets;
    r.packets_offered = m_offered;
    r.total = m_total.values.summary();
    r.queueing = m_queueing.values.summary();
    r.network = m_network.values.summary();
    r.hops_mean = m_unicasts == 0 ? 0 : double(m_hops) / double(m_unicasts);
    r.hops_max = m_hops_max;
    // Two links of each rank a node, and two of its MBPs.
    const std::array<uint64_t, 3> flits = links_so_far().by_rank();
    r.use_rank0 = per_node(flits[0]) / 2;
    r.use_upper = per_node(flits[1]) / 2;
    r.use_mbp = per_node(flits[2]) / 2;
    fill_links(r);
    fill_nodes(r);
    r.histograms = {{"latency", m_total.values.counts()},
                    {"latency_queueing", m_queueing.values.counts()},
                    {"latency_network", m_network.values.counts()},
                    {"multicast_latency", m_multicast.values.counts()},
                    {"ack_latency", m_ack.values.counts()}};
    r.multicasts = m_multicasts;
    r.copies = m_copies;
    r.multicast = m_multicast.values.summary();
    r.acks = m_acks;
    r.retries = m_retries;
    r.timeouts = m_timeouts;
    r.ack = m_ack.values.summary();
    r.delivered = m_delivered;
    r.damaged = m_damaged;
    r.strays = m_strays;
}

}  // namespace rdt::machine
