// SPDX-License-Identifier: MIT
#include <rdt/algo/broadcast.h>

#include <algorithm>

namespace rdt::algo {

namespace {

constexpr uint32_t Up = 0;
constexpr uint32_t Down = 1;
constexpr uint32_t Lateral = 2;

// A growing schedule, with the nodes that have the message so far.
class Plan {
public:
    Plan(const Network& network, NodeId source)
        : m_network(network), m_has(network.nodes(), false), m_claimed(network.nodes(), 0) {
        m_has[source] = true;
    }

    bool has(NodeId node) const { return m_has[node]; }
    NodeId to(NodeId from, uint32_t port) const { return *m_network.neighbor(from, port); }

    void begin_step(bool lateral) {
        schedule.steps.emplace_back();
        schedule.lateral += lateral ? 1 : 0;
        m_new.clear();
    }
    // Not if the receiver has the message or gets it in this step from another one.
    bool can_send(NodeId from, uint32_t port) const {
        const auto node = m_network.neighbor(from, port);
        return node && !m_has[*node] && m_claimed[*node] != schedule.steps.size();
    }
    bool send(NodeId from, uint32_t port) {
        if (!can_send(from, port)) return false;
        schedule.steps.back().push_back({from, port});
        m_new.push_back(to(from, port));
        m_claimed[m_new.back()] = schedule.steps.size();
        return true;
    }
    void end_step() {
        for (NodeId node : m_new) m_has[node] = true;
    }

    Schedule schedule;

private:
    const Network& m_network;
    std::vector<bool> m_has;
    std::vector<NodeId> m_new;
    std::vector<size_t> m_claimed;  // in which step
};

// Spreads the message on rings, each of `side` nodes behind each other, from those of their nodes
// that have it.
void spread(Plan& plan, const std::vector<uint32_t>& rings, uint32_t side, PortModel model) {
    struct Traveller {
        NodeId at;
        uint32_t port;
    };
    std::vector<NodeId> starts;
    for (uint32_t ring : rings)
        for (NodeId node = ring * side; node < (ring + 1) * side; ++node)
            if (plan.has(node)) starts.push_back(node);
    const bool one_port = model == PortModel::OnePort;
    const uint32_t steps = one_port ? (side + 1) / 2 : side / 2;
    std::vector<Traveller> travellers;
    for (uint32_t step = 1; step <= steps; ++step) {
        std::vector<Traveller> senders = std::move(travellers);
        for (NodeId node : starts) {
            if (step == 1) senders.push_back({node, Up});
            if (step == (one_port ? 2 : 1)) senders.push_back({node, Down});
        }
        travellers.clear();
        plan.begin_step(false);
        for (const Traveller& t : senders)
            if (plan.send(t.at, t.port)) travellers.push_back({plan.to(t.at, t.port), t.port});
        plan.end_step();
    }
}

}  // namespace

uint32_t ring_size(const Network& network) {
    uint32_t size = 1;
    for (NodeId node = *network.neighbor(0, Up); node != 0; node = *network.neighbor(node, Up))
        ++size;
    return size;
}

Schedule scc_broadcast(const Network& network, PortModel model, NodeId source) {
    const uint32_t side = ring_size(network);
    const uint32_t rounds = 3 * side / 2;  // the star graph's diameter
    Plan plan(network, source);
    std::vector<bool> reached(network.nodes() / side, false);
    std::vector<uint32_t> active{source / side};
    reached[source / side] = true;
    for (uint32_t round = 0; round < rounds; ++round) {
        spread(plan, active, side, model);
        std::vector<uint32_t> next;
        plan.begin_step(true);
        for (uint32_t ring : active)
            for (NodeId node = ring * side; node < (ring + 1) * side; ++node)
                if (plan.send(node, Lateral)) next.push_back(plan.to(node, Lateral) / side);
        plan.end_step();
        active.clear();
        for (uint32_t ring : next) {
            if (reached[ring]) continue;
            reached[ring] = true;
            active.push_back(ring);
        }
    }
    return plan.schedule;
}

Schedule ccc_broadcast(const Network& network, NodeId source) {
    const uint32_t side = ring_size(network);
    Plan plan(network, source);
    const auto all_send = [&](uint32_t port) {
        plan.begin_step(port == Lateral);
        for (NodeId node = 0; node < network.nodes(); ++node)
            if (plan.has(node)) plan.send(node, port);
        plan.end_step();
    };
    for (uint32_t i = 0; i < side; ++i) {
        if (i > 0) all_send(Up);
        all_send(Lateral);
    }
    std::vector<uint32_t> rings(network.nodes() / side);
    for (uint32_t ring = 0; ring < rings.size(); ++ring) rings[ring] = ring;
    spread(plan, rings, side, PortModel::OnePort);
    return plan.schedule;
}

Schedule hypercube_broadcast(const Network& network, NodeId source) {
    Plan plan(network, source);
    for (uint32_t d = 0; d < network.ports(); ++d) {
        plan.begin_step(true);
        for (NodeId node = 0; node < network.nodes(); ++node)
            if (plan.has(node)) plan.send(node, d);
        plan.end_step();
    }
    return plan.schedule;
}

Schedule matched_broadcast(const Network& network, NodeId source) {
    Plan plan(network, source);
    std::vector<NodeId> holders{source};
    std::vector<uint32_t> offers(network.nodes(), 0);  // neighbors that have it or are to get it
    const auto offer = [&](NodeId node) {
        for (uint32_t port = 0; port < network.ports(); ++port)
            if (const auto to = network.neighbor(node, port)) ++offers[*to];
    };
    offer(source);
    while (holders.size() < network.nodes()) {
        plan.begin_step(true);
        for (size_t i = 0, senders = holders.size(); i < senders; ++i) {
            std::optional<uint32_t> best;
            for (uint32_t port = 0; port < network.ports(); ++port)
                if (plan.can_send(holders[i], port) &&
                    (!best ||
                     offers[plan.to(holders[i], port)] < offers[plan.to(holders[i], *best)]))
                    best = port;
            if (!best) continue;
            plan.send(holders[i], *best);
            holders.push_back(plan.to(holders[i], *best));
            offer(holders.back());
        }
        plan.end_step();
    }
    return plan.schedule;
}

Schedule flood(const Network& network, NodeId source) {
    Plan plan(network, source);
    std::vector<NodeId> latest{source};
    while (!latest.empty()) {
        std::vector<NodeId> next;
        plan.begin_step(true);
        for (NodeId node : latest)
            for (uint32_t port = 0; port < network.ports(); ++port)
                if (plan.send(node, port)) next.push_back(plan.to(node, port));
        plan.end_step();
        latest = std::move(next);
    }
    plan.schedule.steps.pop_back();  // in which no node was left
    --plan.schedule.lateral;
    return plan.schedule;
}

BroadcastResult run_broadcast(const Network& network, PortModel model, const Schedule& schedule,
                              NodeId source, uint32_t messages, uint32_t interval) {
    const uint32_t nodes = network.nodes();
    const auto length = uint32_t(schedule.steps.size());
    const uint32_t steps = length + (messages - 1) * interval;
    StepMachine machine(network, model);
    std::vector<std::vector<bool>> has(messages, std::vector<bool>(nodes, false));
    std::vector<uint32_t> arrival(nodes, 0);  // arrival of message 0, in steps
    BroadcastResult r{0, true, 1, {1}};
    for (uint32_t step = 0; step < steps; ++step) {
        if (step % interval == 0 && step / interval < messages) has[step / interval][source] = true;
        uint32_t fresh = 0;
        machine.step<uint32_t>(
            [&](auto&& send) {
                for (uint32_t m = 0; m < messages && m * interval <= step; ++m) {
                    if (step - m * interval >= length) continue;
                    for (const Send& s : schedule.steps[step - m * interval]) {
                        if (!has[m][s.from]) r.complete = false;
                        send(s.from, s.port, m);
                    }
                }
            },
            [&](NodeId to, NodeId, uint32_t m) {
                if (has[m][to]) r.complete = false;
                has[m][to] = true;
                if (m != 0) return;
                arrival[to] = step + 1;
                ++fresh;
            });
        r.informed.push_back(r.informed.back() + fresh);
    }
    // A message is kept from its arrival to the step in which the node sends it last; the next ones
    // come at the same interval.
    for (uint32_t s = 0; s < length; ++s)
        for (const Send& send : schedule.steps[s]) {
            const uint32_t kept = s + 1 - std::min(arrival[send.from], s);
            r.buffers = std::max(r.buffers, std::min(messages, (kept + interval - 1) / interval));
        }
    for (const auto& message : has)
        r.complete &= std::find(message.begin(), message.end(), false) == message.end();
    r.steps = machine.steps();
    return r;
}

}  // namespace rdt::algo
