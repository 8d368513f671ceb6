// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/broadcast_steps.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

namespace rdt {

namespace {

// When each node that has the message got it.
using Arrivals = std::map<uint32_t, uint32_t>;

// The step on the base torus, if one is needed, to a node with this rank.
Vec step_to_rank(const Geometry& g, uint32_t node, uint32_t rank) {
    if (g.rank(node) == rank) return {0, 0};
    for (Vec step : {Vec{1, 0}, Vec{-1, 0}, Vec{0, 1}, Vec{0, -1}})
        if (g.rank(g.shifted(node, step)) == rank) return step;
    throw std::logic_error("no neighbor has rank " + std::to_string(rank));
}

class Spreading {
public:
    Spreading(const Geometry& geometry, uint32_t source)
        : m_geometry(geometry), m_arrivals{{source, 0}} {}

    void go_to_rank(uint32_t rank) {
        Arrivals moved;
        for (const auto& [node, when] : m_arrivals)
            send(moved, node, step_to_rank(m_geometry, node, rank), when);
        m_arrivals = moved;
    }

    void flood(uint32_t rank) {
        const Axes a = axes_of(rank);
        const std::array<Vec, 4> links{a.x, -1 * a.x, a.y, -1 * a.y};
        std::vector<uint32_t> queue;
        for (const auto& arrival : m_arrivals) queue.push_back(arrival.first);
        for (size_t i = 0; i < queue.size(); ++i)
            for (Vec step : links) {
                const uint32_t to = m_geometry.shifted(queue[i], step);
                if (m_arrivals.count(to) != 0) continue;
                send(m_arrivals, queue[i], step, m_arrivals.at(queue[i]));
                queue.push_back(to);
            }
    }

    void spread(uint32_t rank) {
        const Axes a = axes_of(rank);
        const Vec south = -1 * a.y;
        Arrivals reached;
        for (const auto& [node, when] : m_arrivals) {
            send(reached, node, {0, 0}, when);
            for (Vec step : {a.x, -1 * a.x, a.y, south}) send(reached, node, step, when);
            const uint32_t relay = m_geometry.shifted(node, south);
            for (Vec step : {a.x, -1 * a.x, south}) send(reached, relay, step, when + 1);
        }
        m_arrivals = reached;
    }

    uint64_t messages() const { return m_messages; }
    uint64_t reached() const { return m_arrivals.size(); }
    uint32_t last() const {
        uint32_t last = 0;
        for (const auto& arrival : m_arrivals) last = std::max(last, arrival.second);
        return last;
    }

private:
    void send(Arrivals& arrivals, uint32_t node, Vec step, uint32_t when) {
        const bool stays = step == Vec{0, 0};
        if (!stays) ++m_messages;
        const auto [it, fresh] =
            arrivals.try_emplace(m_geometry.shifted(node, step), when + (stays ? 0 : 1));
        if (!fresh) it->second = std::min(it->second, when + (stays ? 0 : 1));
    }

    const Geometry& m_geometry;
    Arrivals m_arrivals;
    uint64_t m_messages = 0;
};

}  // namespace

BroadcastSteps broadcast_steps(const Geometry& geometry) {
    std::optional<BroadcastSteps> result;
    // The assignment repeats along the rank-1 axes: these sources stand for all.
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 4; ++x) {
            Spreading spreading(geometry, geometry.index(x, y));
            const uint32_t top = geometry.top_rank();
            spreading.go_to_rank(top);
            spreading.flood(top);
            for (uint32_t rank = top - 1; rank > 0; --rank) {
                spreading.go_to_rank(rank);
                spreading.spread(rank);
            }
            spreading.spread(0);
            if (!result) result = {0, spreading.messages(), spreading.reached()};
            result->steps = std::max(result->steps, spreading.last());
        }
    return *result;
}

uint32_t tree_broadcast_steps(uint32_t nodes, uint32_t arity) {
    uint32_t levels = 0;
    for (uint64_t size = 1; size < nodes; size *= arity) ++levels;
    return levels < 2 ? levels : 2 * (levels - 1);
}

}  // namespace rdt
