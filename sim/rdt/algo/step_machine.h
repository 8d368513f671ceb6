// SPDX-License-Identifier: MIT
// Algorithms as data movements over the links of a network, counted in steps.
//
// In a step every link carries one value at most in each direction, and a node uses its links as
// the port model allows. A movement that the network cannot make is a MovementError: an algorithm
// that runs to its end has used nothing but real links.
#pragma once

#include <utility>
#include <vector>

#include <rdt/net/graph/network.h>

namespace rdt::algo {

// Port model per step: a node sends and receives one value on any links, or one value on each of
// its links.
enum class PortModel { OnePort, AllPort };

// A movement over a link that is not there, a second one on the same link, or one port too many.
struct MovementError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class StepMachine {
public:
    StepMachine(const Network& network, PortModel model);

    const Network& network() const { return m_network; }
    uint64_t steps() const { return m_steps; }
    uint64_t movements() const { return m_movements; }

    // The port of `from` that leads to `to`; throws MovementError if none does.
    uint32_t port_to(NodeId from, NodeId to) const;

    // One step. send_all(send) is given a function send(from, port, value) and calls it for every
    // movement; then arrive(to, from, value) is called for each, so that all values of the step
    // leave before the first arrives. A step without movements counts too.
    template <class T, class SendAll, class Arrive>
    void step(SendAll&& send_all, Arrive&& arrive) {
        std::vector<Movement<T>> movements;
        movements.reserve(m_last);
        begin();
        send_all([&](NodeId from, uint32_t port, T value) {
            movements.push_back({from, use(from, port), std::move(value)});
        });
        m_last = movements.size();
        for (Movement<T>& m : movements) arrive(m.to, m.from, std::move(m.value));
    }

    // One step in which every node for which port_of(node) names a port exchanges its value with
    // the neighbor there; combine(to, from, value) is applied at the receiver.
    template <class T, class PortOf, class Combine>
    void exchange(std::vector<T>& values, PortOf&& port_of, Combine&& combine) {
        step<T>(
            [&](auto&& send) {
                for (NodeId node = 0; node < m_network.nodes(); ++node)
                    if (const std::optional<uint32_t> port = port_of(node))
                        send(node, *port, values[node]);
            },
            [&](NodeId to, NodeId from, T&& value) { combine(to, from, std::move(value)); });
    }

private:
    template <class T>
    struct Movement {
        NodeId from;
        NodeId to;
        T value;
    };

    static constexpr NodeId NoLink = ~NodeId(0);

    void begin() { ++m_steps; }
    // Claims the link for this step; the node at its other end.
    NodeId use(NodeId from, uint32_t port) {
        const size_t link = size_t(from) * m_ports + port;
        const NodeId to = port < m_ports && link < m_neighbor.size() ? m_neighbor[link] : NoLink;
        if (to == NoLink) no_link(from, port);
        if (m_link[link] == m_steps) twice("two values on one link", from, to);
        m_link[link] = m_steps;
        if (m_model == PortModel::OnePort) {
            if (m_sent[from] == m_steps) twice("the sender sends twice", from, to);
            if (m_received[to] == m_steps) twice("the receiver receives twice", from, to);
            m_sent[from] = m_received[to] = m_steps;
        }
        ++m_movements;
        return to;
    }
    [[noreturn]] void no_link(NodeId from, uint32_t port) const;
    [[noreturn]] void twice(const char* what, NodeId from, NodeId to) const;

    const Network& m_network;
    const PortModel m_model;
    const uint32_t m_ports;
    uint64_t m_steps = 0;
    uint64_t m_movements = 0;
    size_t m_last = 0;  // movements of the last step: the next one may have as many
    // Where every link leads, by node * ports + port; NoLink where there is none. Read in every
    // movement.
    std::vector<NodeId> m_neighbor;
    // The last step in which each was used.
    std::vector<uint64_t> m_link;      // by node * ports + port
    std::vector<uint64_t> m_sent;      // by node
    std::vector<uint64_t> m_received;  // by node
};

}  // namespace rdt::algo
