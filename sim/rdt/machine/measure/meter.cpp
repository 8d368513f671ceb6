// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/meter.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <rdt/machine/measure/timeline.h>
#include <rdt/machine/measure/waits.h>
#include <rdt/machine/traffic/workload.h>

namespace rdt::machine {

namespace {

constexpr uint64_t LookClocks = 1000;     // from one look at convergence to the next
constexpr uint64_t FewestClocks = 10000;  // before the first one

}  // namespace

Meter::Meter(Machine& machine)
    : m_machine(machine), m_nodes(machine.nodes()), m_parts(machine.lanes()) {}

void Meter::begin() {
    m_on = true;
    m_links.begin(m_machine);
}

void Meter::end() {
    if (std::exchange(m_on, false)) m_links.end(m_machine);
}

void Meter::delivered(const Packet& packet, const Delivery& d) {
    if (!d.intact) ++m_damaged;
    Part& part = m_parts[0];
    if (!packet.is_multicast()) {
        count_delivered(part, {packet.message.source, d.node, packet.message.flits, d.hops,
                               packet.born, packet.started, d.tail});
        return;
    }
    ++part.counts.delivered;
    if (!m_on) return;
    ++part.counts.packets;
    part.counts.flits += packet.message.flits;
    part.open.flits += packet.message.flits;
    m_nodes[d.node].accepted += packet.message.flits;
    ++m_copies;
    if (packet.received != packet.receivers) return;
    ++m_multicasts;
    m_multicast.add(d.tail + 1 - packet.born);
}

void Meter::count_delivered(Part& part, const DeliveredUnicast& u) {
    Counts& counts = part.counts;
    ++counts.delivered;
    if (!m_on) return;
    ++counts.packets;
    counts.flits += u.flits;
    part.open.flits += u.flits;
    m_nodes[u.destination].accepted += u.flits;
    const uint64_t total = u.tail + 1 - u.born;
    const uint64_t queueing = u.started - u.born;
    const uint64_t network = u.tail + 1 - u.started;
    ++counts.unicasts;
    ++part.open.unicasts;
    counts.total.add(total);
    part.open.total += total;
    counts.queueing.add(queueing);
    part.open.queueing += queueing;
    counts.network.add(network);
    part.open.network += network;
    counts.hops += u.hops;
    counts.hops_max = std::max(counts.hops_max, u.hops);
    // The source may be in another partition.
    NodeFlits& source = m_nodes[u.source];
    __atomic_fetch_add(&source.packets, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&source.latency, total, __ATOMIC_RELAXED);
}

void Meter::Counts::add(const Counts& other) {
    flits_sent += other.flits_sent;
    offered += other.offered;
    flits += other.flits;
    packets += other.packets;
    delivered += other.delivered;
    unicasts += other.unicasts;
    hops += other.hops;
    hops_max = std::max(hops_max, other.hops_max);
    total.add(other.total);
    queueing.add(other.queueing);
    network.add(other.network);
}

Meter::Counts Meter::counts() const {
    Counts all;
    for (const Part& part : m_parts) all.add(part.counts);
    return all;
}

void Meter::add_to_stretches() {
    for (Part& part : m_parts) {
        const Open open = std::exchange(part.open, {});
        const auto values = [&open](uint64_t sum) {
            return rdt::Stretch{double(open.unicasts), double(sum)};
        };
        m_throughput.add_to_sum(double(open.flits));
        m_total.add(values(open.total));
        m_queueing.add(values(open.queueing));
        m_network.add(values(open.network));
    }
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
    // All stretches are of the same cycles.
    if (m_throughput.ends_with_cycle()) add_to_stretches();
    m_throughput.cycle();
    for (Stretches* s :
         {&m_total, &m_queueing, &m_network, &m_multicast.stretches, &m_ack.stretches})
        s->cycle();
}

void Meter::skip(uint64_t cycles) {
    if (!m_on) return;
    m_clocks += cycles;
    add_to_stretches();
    m_throughput.skip(cycles, m_machine.nodes());
    for (Stretches* s :
         {&m_total, &m_queueing, &m_network, &m_multicast.stretches, &m_ack.stretches})
        s->skip(cycles);
}

uint64_t Meter::cycles_to_batch_end() const { return LookClocks - m_clocks % LookClocks; }

// Statistics of the packets so far.
uint64_t Meter::cycles_needed(const Counts& c) const {
    const double flits = double(c.flits) / double(std::max<uint64_t>(c.packets, 1));
    if (c.unicasts == 0) return 0;
    // Without rivals a packet takes six cycles per chip and one per flit.
    constexpr double PerChip = 6;
    const double alone = PerChip * (double(c.hops) / double(c.unicasts) + 1) + flits;
    return rdt::cycles_needed(c.total.mean() - alone, flits);
}

bool Meter::converged(double tolerance) const {
    if (m_clocks < FewestClocks || m_clocks % LookClocks != 0) return false;
    const Counts c = counts();
    if (m_clocks < cycles_needed(c)) return false;
    const bool has_unicasts = c.unicasts != 0;
    const Stretches& latency = has_unicasts ? m_total : m_multicast.stretches;
    const double mean = has_unicasts ? c.total.mean() : m_multicast.values.mean();
    return half_interval(m_throughput.all()) * double(m_clocks) * m_machine.nodes() <=
               tolerance * double(c.flits) &&
           half_interval(latency.all()) <= tolerance * mean;
}

void Meter::fill_intervals(RunResult& r) const {
    r.cycles_needed = cycles_needed(counts());
    r.is_short = m_clocks < r.cycles_needed;
    if (r.saturated || r.is_short) return;
    r.accepted_half = half_interval(m_throughput.all());
    r.is_short = std::isnan(r.accepted_half);
    r.total.half = half_interval(m_total.all());
    r.queueing.half = half_interval(m_queueing.all());
    r.network.half = half_interval(m_network.all());
    r.multicast.half = half_interval(m_multicast.stretches.all());
    r.ack.half = half_interval(m_ack.stretches.all());
}

// Intermediate result of a running measurement.
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
                l.to_node = m_machine.geometry().neighbor(n, p);
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
    const Counts c = counts();
    const double node_cycles = double(m_clocks) * m_machine.nodes();
    const auto per_node = [&](uint64_t count) {
        return m_clocks == 0 ? 0 : double(count) / node_cycles;
    };
    r.clocks = m_clocks;
    r.offered = per_node(c.flits_sent);
    r.accepted = per_node(c.flits);
    r.packets = c.packets;
    r.packets_offered = c.offered;
    r.total = c.total.summary();
    r.queueing = c.queueing.summary();
    r.network = c.network.summary();
    r.hops_mean = c.unicasts == 0 ? 0 : double(c.hops) / double(c.unicasts);
    r.hops_max = c.hops_max;
    // Two links of each rank a node, and two of its MBPs.
    const std::array<uint64_t, 3> flits = links_so_far().by_rank();
    r.use_rank0 = per_node(flits[0]) / 2;
    r.use_upper = per_node(flits[1]) / 2;
    r.use_mbp = per_node(flits[2]) / 2;
    fill_links(r);
    fill_nodes(r);
    r.histograms = {{"latency", c.total.counts()},
                    {"latency_queueing", c.queueing.counts()},
                    {"latency_network", c.network.counts()},
                    {"multicast_latency", m_multicast.values.counts()},
                    {"ack_latency", m_ack.values.counts()}};
    r.multicasts = m_multicasts;
    r.copies = m_copies;
    r.multicast = m_multicast.values.summary();
    r.acks = m_acks;
    r.retries = m_retries;
    r.timeouts = m_timeouts;
    r.ack = m_ack.values.summary();
    r.delivered = c.delivered;
    r.damaged = m_damaged;
    r.strays = m_strays;
}

namespace {

std::string name_of(uint32_t node, uint32_t port) {
    return fmt::format("{}.{}", node, to_string(Port(port)));
}

// The resource that a packet at the front of a buffer needs at one output.
Wait wait_of(const Machine& machine, const fast::ChipState& chip, const BufferName& at,
             const fast::Slot& slot, uint32_t output) {
    Wait w{at, output, "", std::nullopt};
    if (slot.ent) {
        w.why = "no entry of the ack table is free";
        return w;
    }
    if (output == PortLocal) {
        w.why = "the local unit is busy";
        return w;
    }
    const std::string out = name_of(at.node, output);
    if (!chip.link(output).up()) {
        w.why = out + " is down";
        return w;
    }
    const uint32_t credit = slot.credit_needed(output);
    if ((chip.credits() & credit) != 0) {
        w.why = out + " transmits another packet";
        return w;
    }
    if (!is_network(output)) {
        w.why = fmt::format("MBP {} of node {} does not accept packets", output - PortM0, at.node);
        return w;
    }
    w.next = BufferName{machine.geometry().neighbor(at.node, output), opposite(output),
                        uint32_t(__builtin_ctz(credit)) - 3 * output};
    w.why = to_string(*w.next) + " is full";
    return w;
}

}  // namespace

std::string to_string(const BufferName& b) {
    return fmt::format("{}/{}", name_of(b.node, b.port), b.vc);
}

std::vector<Wait> waits_of(const Machine& machine) {
    std::vector<Wait> waits;
    for (uint32_t n = 0; n < machine.nodes(); ++n) {
        const fast::ChipState* chip = machine.state(n);
        if (chip == nullptr) continue;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const fast::InputUnit& input = chip->input(p);
            for (uint32_t v = 0; v < fast::MaxVc; ++v) {
                const fast::Slot& slot = input.q().slot[v];
                if ((input.pkt_mask() >> v & 1) == 0) continue;
                for (uint32_t left = slot.pend; left != 0; left &= left - 1)
                    waits.push_back(
                        wait_of(machine, *chip, {n, p, v}, slot, uint32_t(__builtin_ctz(left))));
            }
        }
    }
    return waits;
}

std::vector<BufferName> cycle_of(const std::vector<Wait>& waits) {
    std::map<BufferName, std::vector<BufferName>> next;
    for (const Wait& w : waits)
        if (w.next) next[w.buffer].push_back(*w.next);
    enum class Mark { New, Open, Done };
    std::map<BufferName, Mark> marks;
    std::vector<BufferName> way;
    // Depth first without recursion: a chain may be as long as there are buffers.
    for (const auto& [start, unused] : next) {
        if (marks[start] != Mark::New) continue;
        std::vector<std::pair<BufferName, size_t>> stack{{start, 0}};
        marks[start] = Mark::Open;
        while (!stack.empty()) {
            auto& [at, tried] = stack.back();
            const auto found = next.find(at);
            if (found == next.end() || tried == found->second.size()) {
                marks[at] = Mark::Done;
                stack.pop_back();
                continue;
            }
            const BufferName to = found->second[tried++];
            if (marks[to] == Mark::Open) {
                const auto first = std::find_if(stack.begin(), stack.end(),
                                                [&](const auto& s) { return s.first == to; });
                for (auto it = first; it != stack.end(); ++it) way.push_back(it->first);
                return way;
            }
            if (marks[to] == Mark::New) {
                marks[to] = Mark::Open;
                stack.emplace_back(to, 0);
            }
        }
    }
    return {};
}

std::string to_text(const std::vector<Wait>& waits) {
    constexpr size_t Shown = 8;
    if (waits.empty()) return "";
    std::string text;
    const std::vector<BufferName> cycle = cycle_of(waits);
    if (!cycle.empty()) {
        std::string names;
        for (const BufferName& b : cycle) names += to_string(b) + " -> ";
        text += table_row("deadlock", names + to_string(cycle.front()));
    }
    // Packets that wait for no other buffer are the roots.
    std::map<std::string, size_t> roots;
    for (const Wait& w : waits)
        if (!w.next) ++roots[w.why];
    std::vector<std::pair<size_t, std::string>> by_count;
    for (const auto& [why, count] : roots) by_count.emplace_back(count, why);
    std::sort(by_count.rbegin(), by_count.rend());
    size_t shown = 0;
    for (const auto& [count, why] : by_count)
        if (shown++ < Shown)
            text += table_row(shown == 1 ? "waiting" : "", fmt::format("{}: {}", count, why));
    const size_t behind =
        waits.size() -
        size_t(std::count_if(waits.begin(), waits.end(), [](const Wait& w) { return !w.next; }));
    if (behind != 0)
        text += table_row(
            shown == 0 ? "waiting" : "",
            fmt::format("{}: behind other packets (--json and --heatmap list all)", behind));
    return text;
}

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
        "cycle,cycles,offered,accepted,packets,latency_mean,link_utilization_rank0,link_"
        "utilization_upper,"
        "link_utilization_mbp,in_flight,links_down\n");
}

void TimelineFile::take(const Stretch& s) {
    const double node_cycles = double(s.clocks) * machine().nodes();
    const auto use = [&](size_t rank) { return double(s.links[rank]) / node_cycles / 2; };
    m_file.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", s.end, s.clocks,
                             double(s.offered) / node_cycles, double(s.accepted) / node_cycles,
                             s.packets, s.packets == 0 ? "" : fmt::format("{}", s.latency_mean()),
                             use(0), use(1), use(2), s.open, s.links_down));
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
