// SPDX-License-Identifier: MIT
#include "common/wormhole_reference.h"

#include <algorithm>
#include <tuple>

namespace rdt::tb {

WormholeReference::WormholeReference(const Network& network, const Routing& routing,
                                     const lab::Options& options)
    : m_routing(routing),
      m_options(options),
      m_until_empty(lab::resolve(options.reuse, network, routing) == lab::Reuse::Empty),
      m_nodes(network.nodes()),
      m_random(options.seed),
      m_traffic(network, options.traffic, options.seed),
      m_trials(network.nodes(), options.load / options.flits, m_random) {
    const uint32_t vcs = routing.vcs();
    const uint32_t ports = network.ports();
    for (Node& node : m_nodes) {
        node.ports.resize(ports, Port{std::vector<Channel>(vcs), vcs - 1});
        node.processor_out = Port{std::vector<Channel>(vcs), vcs - 1};
        node.processor_in = Port{std::vector<Channel>(options.injection), options.injection - 1};
    }
    for (NodeId n = 0; n < network.nodes(); ++n) {
        Node& node = m_nodes[n];
        for (uint32_t i = 0; i < options.injection; ++i) {
            Channel& c = node.processor_in.channels[i];
            c.at = n;
            c.number = lab::channel_number(network, n, 0, vcs + i);
            node.inputs.push_back(&c);
        }
        for (uint32_t p = 0; p < ports; ++p) {
            const auto other = network.neighbor(n, p);
            if (!other) continue;
            const uint32_t back = network.directed() ? p : network.port_back(n, p);
            for (uint32_t v = 0; v < vcs; ++v) {
                Channel& c = node.ports[p].channels[v];
                c.exists = true;
                c.at = *other;
                c.in = {uint16_t(back), uint8_t(v)};
                c.number = lab::channel_number(network, n, p, v);
                m_nodes[*other].inputs.push_back(&c);
            }
        }
    }
}

std::vector<lab::Delivery> WormholeReference::run() {
    while (m_now < m_options.cycles) clock(true);
    const uint64_t limit = m_now + 50000;  // a deadlock is not looked for here
    while (m_options.drain && m_arrived.size() < m_packets.size() && m_now < limit) clock(false);
    return m_arrived;
}

// Headers in the order of service: the longest wait first.
std::vector<WormholeReference::Move> WormholeReference::decide_routes() {
    std::vector<Move> moves;
    for (Node& node : m_nodes) {
        std::vector<Channel*> waiting;
        for (Channel* c : node.inputs)
            if (c->ready_since <= m_now && c->connected == nullptr) waiting.push_back(c);
        std::sort(waiting.begin(), waiting.end(), [](const Channel* a, const Channel* b) {
            if (a->ready_since != b->ready_since) return a->ready_since < b->ready_since;
            return a->ready_since % 2 == 0 ? a->number < b->number : a->number > b->number;
        });
        std::vector<Channel*> taken;
        for (Channel* c : waiting) {
            const Packet& packet = m_packets[c->in_buffer.front().packet];
            const NodeId destination = packet.record.destination;
            Choices choices;
            m_routing.next(c->at, destination, packet.tag, c->in, choices);
            std::vector<Channel*> wanted;
            for (const OutChannel& o : choices)
                wanted.push_back(&node.ports[o.port].channels[o.vc]);
            if (choices.empty())
                for (Channel& o : node.processor_out.channels) wanted.push_back(&o);
            for (Channel* o : wanted) {
                if (o->held || std::find(taken.begin(), taken.end(), o) != taken.end()) continue;
                taken.push_back(o);
                moves.push_back({c, o});
                break;
            }
        }
    }
    return moves;
}

std::vector<WormholeReference::Move> WormholeReference::decide_crossbars() {
    std::vector<Move> moves;
    for (Node& node : m_nodes)
        for (Channel* c : node.inputs)
            if (c->connected != nullptr && !c->in_buffer.empty() &&
                c->connected->out_buffer.size() < m_options.out_buffer)
                moves.push_back({c, c->connected});
    return moves;
}

WormholeReference::Channel* WormholeReference::next_of(Port& port, bool to_processor) const {
    const uint32_t vcs = uint32_t(port.channels.size());
    for (uint32_t i = 1; i <= vcs; ++i) {
        Channel& c = port.channels[(port.last + i) % vcs];
        if (c.out_buffer.empty()) continue;
        if (!to_processor && c.in_buffer.size() >= m_options.buffer) continue;
        port.last = (port.last + i) % vcs;
        return &c;
    }
    return nullptr;
}

// A packet stays in the channel that it began in; the next takes the next one that has space.
WormholeReference::Channel* WormholeReference::next_source(Node& node) const {
    if (node.queue.empty()) return nullptr;
    Port& port = node.processor_in;
    const uint32_t count = uint32_t(port.channels.size());
    const auto has_space = [&](uint32_t i) {
        return port.channels[i].in_buffer.size() < m_options.buffer;
    };
    if (!node.queue.front().head) return has_space(port.last) ? &port.channels[port.last] : nullptr;
    for (uint32_t i = 1; i <= count; ++i) {
        const uint32_t next = (port.last + i) % count;
        if (!has_space(next)) continue;
        port.last = next;
        return &port.channels[next];
    }
    return nullptr;
}

std::vector<WormholeReference::Channel*> WormholeReference::decide_links() {
    std::vector<Channel*> sent;
    for (Node& node : m_nodes)
        for (Port& port : node.ports)
            if (Channel* c = next_of(port, false)) sent.push_back(c);
    return sent;
}

void WormholeReference::clock(bool generates) {
    const auto routes = decide_routes();
    const auto crossbars = decide_crossbars();
    const auto links = decide_links();
    std::vector<Channel*> to_processors;
    std::vector<std::pair<Node*, Channel*>> from_processors;
    for (Node& node : m_nodes) {
        if (Channel* c = next_of(node.processor_out, true)) to_processors.push_back(c);
        if (Channel* c = next_source(node)) from_processors.emplace_back(&node, c);
    }

    for (const Move& m : crossbars) {
        const Flit flit = m.from->in_buffer.front();
        m.from->in_buffer.pop_front();
        m.to->out_buffer.push_back(flit);
        if (!flit.tail) continue;
        m.from->connected = nullptr;
        m.from->ready_since = UINT64_MAX;
        if (!m_until_empty || !m.to->exists) m.to->held = false;
        if (m_until_empty) m.from->held = false;
    }
    for (const Move& m : routes) {
        m.from->connected = m.to;
        m.to->held = true;
        Packet& packet = m_packets[m.from->in_buffer.front().packet];
        if (!m.to->exists) continue;
        ++packet.record.hops;
        Node& node = m_nodes[m.from->at];
        for (uint32_t p = 0; p < node.ports.size(); ++p)
            for (uint32_t v = 0; v < node.ports[p].channels.size(); ++v)
                if (&node.ports[p].channels[v] == m.to)
                    packet.tag =
                        m_routing.advance(m.from->at, packet.tag, {uint16_t(p), uint8_t(v)});
    }
    for (Channel* c : links) {
        c->in_buffer.push_back(c->out_buffer.front());
        c->out_buffer.pop_front();
    }
    for (Channel* c : to_processors) {
        const Flit flit = c->out_buffer.front();
        c->out_buffer.pop_front();
        if (!flit.tail) continue;
        m_packets[flit.packet].record.delivered = uint32_t(m_now);
        m_arrived.push_back(m_packets[flit.packet].record);
    }
    for (const auto& [node, channel] : from_processors) {
        const Flit flit = node->queue.front();
        node->queue.pop_front();
        channel->in_buffer.push_back(flit);
        if (flit.head) m_packets[flit.packet].record.injected = uint32_t(m_now);
    }
    find_headers();
    if (generates) generate();
    ++m_now;
}

void WormholeReference::find_headers() {
    for (Node& node : m_nodes)
        for (Channel* c : node.inputs)
            if (c->connected == nullptr && c->ready_since == UINT64_MAX &&
                c->in_buffer.size() >= m_options.header)
                c->ready_since = m_now + 1;
}

void WormholeReference::generate() {
    m_trials.clock(m_now, [&](NodeId node) {
        const NodeId destination = m_traffic.destination(node, m_random);
        if (destination == node) return;
        const uint32_t packet = uint32_t(m_packets.size());
        const uint32_t draws = m_options.ties == lab::Ties::Random ? m_routing.draws() : 1;
        m_packets.push_back({{node, destination, uint32_t(m_now), 0, 0, 0},
                             draws > 1
                                 ? m_routing.start_drawn(node, destination, m_random.below(draws))
                                 : m_routing.start(node, destination)});
        for (uint32_t i = 0; i < m_options.flits; ++i)
            m_nodes[node].queue.push_back({packet, i == 0, i == m_options.flits - 1});
    });
}

}  // namespace rdt::tb
