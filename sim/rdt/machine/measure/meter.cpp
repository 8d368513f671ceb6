// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/meter.h>

#include <cmath>
#include <utility>

#include <rdt/machine/measure/timeline.h>

namespace rdt::machine {

namespace {

constexpr uint64_t BatchClocks = 1000;
constexpr uint64_t FewestBatches = 10;

}  // namespace

double BatchMeans::uncertainty() const {
    if (m_count < 2 || m_sum == 0) return INFINITY;
    const double n = double(m_count);
    const double mean = m_sum / n;
    const double variance = std::max(0.0, (m_squares - n * mean * mean) / (n - 1));
    constexpr double Quantile = 2.1;  // of Student's distribution for some twenty batches
    return Quantile * std::sqrt(variance / n) / mean;
}

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
    ++m_batch_packets;
    m_batch_flits += packet.message.flits;
    m_batch_latency += total;
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
    if (m_clocks % BatchClocks == 0) end_batch();
}

void Meter::skip(uint64_t cycles) {
    if (!m_on) return;
    const uint64_t ended = m_clocks / BatchClocks;
    m_clocks += cycles;
    const uint64_t batches = m_clocks / BatchClocks - ended;
    if (batches == 0) return;
    end_batch();
    m_throughputs.add_zeros(batches - 1);
}

uint64_t Meter::cycles_to_batch_end() const { return BatchClocks - m_clocks % BatchClocks; }

void Meter::end_batch() {
    m_throughputs.add(double(m_batch_flits));
    if (m_batch_packets != 0) m_latencies.add(double(m_batch_latency) / double(m_batch_packets));
    m_batch_flits = m_batch_latency = m_batch_packets = 0;
}

bool Meter::converged(double tolerance) const {
    return m_latencies.count() >= FewestBatches && m_throughputs.uncertainty() <= tolerance &&
           m_latencies.uncertainty() <= tolerance;
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
                           f.packets == 0 ? 0 : double(f.latency) / double(f.packets)});
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
    r.total = m_total.summary();
    r.queueing = m_queueing.summary();
    r.network = m_network.summary();
    r.hops_mean = m_unicasts == 0 ? 0 : double(m_hops) / double(m_unicasts);
    r.hops_max = m_hops_max;
    // Two links of each rank a node, and two of its MBPs.
    const std::array<uint64_t, 3> flits = links_so_far().by_rank();
    r.use_rank0 = per_node(flits[0]) / 2;
    r.use_upper = per_node(flits[1]) / 2;
    r.use_mbp = per_node(flits[2]) / 2;
    fill_links(r);
    fill_nodes(r);
    r.histograms = {{"latency", m_total.counts()},
                    {"latency_queueing", m_queueing.counts()},
                    {"latency_network", m_network.counts()},
                    {"multicast_latency", m_multicast.counts()},
                    {"ack_latency", m_ack.counts()}};
    r.multicasts = m_multicasts;
    r.copies = m_copies;
    r.multicast = m_multicast.summary();
    r.acks = m_acks;
    r.retries = m_retries;
    r.timeouts = m_timeouts;
    r.ack = m_ack.summary();
    r.delivered = m_delivered;
    r.damaged = m_damaged;
    r.strays = m_strays;
}

}  // namespace rdt::machine
