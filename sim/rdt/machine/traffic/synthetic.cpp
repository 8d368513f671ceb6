// SPDX-License-Identifier: MIT
#include <rdt/machine/traffic/synthetic.h>

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <rdt/machine/traffic/broadcast_traffic.h>
#include <rdt/machine/traffic/barrier_traffic.h>
#include <rdt/machine/traffic/machine_network.h>
#include <rdt/machine/traffic/scheme_names.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::machine {

namespace {

const SyntheticOptions& checked(const SyntheticOptions& o) {
    const auto within = [](double value, double low, double high, const char* what) {
        if (!(value >= low && value <= high))
            throw std::invalid_argument(
                fmt::format("{} {:g}: must be {:g} to {:g}", what, value, low, high));
    };
    within(o.load, 0, 2, "--load");
    within(o.multicasts, 0, 1, "--multicast");
    within(o.density, 0, 1, "--density");
    within(o.flits_min, MinFlits, MaxFlits, "--flits");
    within(o.flits_max, o.flits_min, MaxFlits, "--flits");
    within(o.outstanding, 0, MostOutstanding, "--outstanding");
    return o;
}

double mean_flits(const SyntheticOptions& o) { return (o.flits_min + o.flits_max) / 2.0; }

}  // namespace

Synthetic::Synthetic(const Machine& machine, const SyntheticOptions& options)
    : m_geometry(machine.geometry()),
      m_options(checked(options)),
      m_network(std::make_unique<MachineNetwork>(machine)),
      m_random(options.seed),
      m_pattern(*m_network, options.pattern, options.seed),
      m_trials(machine.nodes(), options.outstanding == 0 ? options.load / mean_flits(options) : 0,
               m_random),
      m_upper_rank(machine.config().upper_rank) {
    if (uint64_t(options.outstanding) * machine.nodes() > MostOutstandingOfAll)
        throw std::invalid_argument(
            fmt::format("--outstanding {}: must be at most {} with {} nodes", options.outstanding,
                        MostOutstandingOfAll / machine.nodes(), machine.nodes()));
}

WorkloadKind::WorkloadKind(std::string name, std::string about, Make make) {
    const auto is_same = [&name](const auto& other) { return other.name == name; };
    const std::vector<Traffic::Pattern> patterns = Traffic::patterns();
    if (std::any_of(all().begin(), all().end(), is_same) ||
        std::any_of(patterns.begin(), patterns.end(), is_same) || BarrierTraffic::is_name(name))
        throw std::invalid_argument(fmt::format("there is traffic {} already", name));
    all().push_back({std::move(name), std::move(about), make});
}

std::vector<WorkloadKind::Entry>& WorkloadKind::all() {
    static std::vector<Entry> entries;
    return entries;
}

std::unique_ptr<Workload> make_workload(const Machine& machine, const SyntheticOptions& options) {
    for (const WorkloadKind::Entry& entry : WorkloadKind::all())
        if (entry.name == options.pattern) {
            if (entry.make == nullptr)
                throw std::invalid_argument(fmt::format("workload {} has no factory", entry.name));
            std::unique_ptr<Workload> workload = entry.make(machine, options);
            if (!workload)
                throw std::invalid_argument(
                    fmt::format("the factory of workload {} returns none", entry.name));
            return workload;
        }
    if (BarrierTraffic::is_name(options.pattern))
        return std::make_unique<BarrierTraffic>(machine, options);
    return std::make_unique<Synthetic>(machine, options);
}

void Synthetic::clock(Transport& transport) {
    const uint64_t now = m_clock++;
    if (m_stopped) return;
    if (is_open_loop()) {
        transport.send(static_cast<UnicastStream&>(*this), now);
        return;
    }
    if (m_options.outstanding != 0 && !m_filled) {
        m_filled = true;
        for (uint32_t n = 0; n < m_options.outstanding; ++n)
            for (uint32_t node = 0; node < m_geometry.nodes(); ++node) send(transport, node);
    }
    m_trials.clock(now, [&](uint32_t node) {
        const size_t waiting = transport.queued(node, 0) + transport.queued(node, 1);
        if (m_options.queue != 0 && waiting >= m_options.queue) ++m_refused;
        else send(transport, node);
    });
}

void Synthetic::done(Transport& transport, const Packet& packet) {
    if (m_options.outstanding != 0 && !m_stopped) send(transport, packet.message.source);
}

const std::vector<Unicast>& Synthetic::unicasts(uint64_t clock) {
    prepare(clock);
    m_now.swap(m_next);
    m_next.clear();
    return m_now;
}

// Nodes have their trials one after the other.
void Synthetic::prepare(uint64_t clock) {
    m_trials.clock(clock, [this](uint32_t node) {
        Unicast unicast = draw(node);
        unicast.destination = m_pattern.destination(node, m_random);
        // Otherwise this node does not send in this pattern.
        if (unicast.destination != node) m_next.push_back(unicast);
    });
}

// All but the destination.
Unicast Synthetic::draw(uint32_t node) {
    Unicast u;
    u.source = node;
    u.flits = uint8_t(m_options.flits_min +
                      m_random.below(m_options.flits_max - m_options.flits_min + 1));
    const uint32_t mbps = m_random.below(4);
    u.source_mbp = m_options.only_mbp0 ? 0 : mbps & 1;
    u.mbp = uint8_t(m_options.only_mbp0 ? 0 : mbps >> 1);
    return u;
}

void Synthetic::send(Transport& transport, uint32_t node) {
    Message m = draw(node).message();
    if (m_options.multicasts > 0 && m_random.unit() <= m_options.multicasts) {
        m.maps = draw_maps();
        m.type = m_options.scheme;
        m.wants_ack = m_options.acks;
    } else {
        m.destination = m_pattern.destination(node, m_random);
        if (m.destination == node) return;  // this node does not send in this pattern
    }
    transport.send(m);
}

// At least one receiver per level.
Maps Synthetic::draw_maps() {
    Maps maps = 0;
    const uint32_t top = m_upper_rank ? m_geometry.top_rank() : 0;
    for (uint32_t level = 0; level <= top; ++level) {
        uint32_t map = 0;
        do {
            for (uint32_t bit = 0; bit < 8; ++bit)
                if (m_random.unit() <= m_options.density) map |= 1u << bit;
            if (m_options.density == 0) map = 1u << m_random.below(8);
        } while (receivers_of(m_geometry, TypeMcSm, map_byte(level, map)) == 0 || map == 0);
        maps |= map_byte(level, map);
    }
    return maps;
}

std::string Synthetic::table() const {
    const uint32_t senders = m_pattern.senders();
    if (senders == m_geometry.nodes() || m_options.multicasts > 0) return {};
    return table_row("sources",
                     fmt::format("{} of {} nodes inject packets", senders, m_geometry.nodes()));
}

void Synthetic::add_figures(nlohmann::ordered_json& json) const {
    json["pattern"] = m_options.pattern;
    if (m_options.outstanding != 0) json["outstanding"] = m_options.outstanding;
    else json["load"] = m_options.load;
    json["flits_min"] = m_options.flits_min;
    json["flits_max"] = m_options.flits_max;
    json["multicast_share"] = m_options.multicasts;
    json["map_density"] = m_options.density;
    json["scheme"] = scheme_name(m_options.scheme);
    json["acks"] = m_options.acks;
    json["refused"] = m_refused;
    json["senders"] = m_options.multicasts > 0 ? m_geometry.nodes() : m_pattern.senders();
}

namespace {

constexpr uint32_t EightNodes = 0xFF;

// Receivers of a map byte in the axes of its rank.
constexpr Vec Receivers[8] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, -1}, {0, -2}};

}  // namespace

BroadcastTraffic::BroadcastTraffic(const Machine& machine, double load, uint32_t flits,
                                   uint64_t seed)
    : m_geometry(machine.geometry()),
      m_upper_rank(machine.config().upper_rank),
      m_flits(flits),
      m_random(seed),
      m_trials(machine.nodes(), load / (double(flits) * machine.nodes()), m_random) {
    if (m_geometry.top_rank() != 1)
        throw std::invalid_argument("broadcasts without the upper rank are for 8 x 8 nodes");
    const Axes axes = axes_of(1);
    for (size_t i = 0; i < m_roots.size(); ++i)
        m_roots[i] = Receivers[i].x * axes.x + Receivers[i].y * axes.y;
}

void BroadcastTraffic::clock(Transport& transport) {
    const uint64_t now = m_clock++;
    if (m_stopped) return;
    m_trials.clock(now, [&](uint32_t node) {
        const uint64_t number = m_begun++;
        m_open[number] = {transport.machine().now(), m_geometry.nodes()};
        expand(transport, node, number);
        if (m_upper_rank) return;
        for (size_t i = 1; i < m_roots.size(); ++i) {
            Message m;
            m.source = node;
            m.destination = m_geometry.shifted(node, m_roots[i]);
            m.source_mbp = m.mbp = uint32_t(number & 1);
            m.flits = m_flits;
            m.user = number;
            transport.send(m);
        }
    });
}

// The multicast by which a node reaches all, or all of its part.
void BroadcastTraffic::expand(Transport& transport, uint32_t node, uint64_t number) {
    Message m;
    m.source = node;
    m.source_mbp = m.mbp = uint32_t(number & 1);
    m.maps = m_upper_rank ? full_maps(m_geometry) : map_byte(0, EightNodes);
    m.flits = m_flits;
    m.user = number;
    transport.send(m);
}

void BroadcastTraffic::delivered(Transport& transport, const Packet& packet, const Delivery& d) {
    const uint64_t number = packet.message.user;
    if (!packet.is_multicast()) {
        expand(transport, d.node, number);
        return;
    }
    Open& open = m_open.at(number);
    if (--open.missing != 0) return;
    m_latency.add(d.tail + 1 - open.born);
    ++m_done;
    m_open.erase(number);
}

void BroadcastTraffic::add_figures(nlohmann::ordered_json& json) const {
    json["broadcasts"] = m_done;
    json["broadcast_latency"] = mean_latency();
}

}  // namespace rdt::machine
