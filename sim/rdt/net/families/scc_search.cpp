// SPDX-License-Identifier: MIT
#include <rdt/net/families/scc_search.h>

#include <algorithm>

namespace rdt {

namespace {

constexpr uint32_t None = ~0u;

struct Vertex {
    uint32_t place;
    Permutation order;
    uint32_t level;
    uint32_t locals;    // so far
    uint32_t estimate;  // of all, never too high
    uint32_t parent;
    bool is_leaf;
};

// The digits of the paper's sets B and F together with the local links inside the cycles.
struct Prospects {
    std::vector<uint32_t> begins;  // lateral links that can come next
    std::vector<uint32_t> ends;    // lateral links that can be the last
    uint32_t locals = 0;
};

Prospects prospects_of(const Permutation& order) {
    const uint32_t n = order.size();
    Prospects p;
    for (const auto& cycle : order.cycles()) {
        const bool opens = cycle[0] == 1;
        for (size_t j = opens ? 2 : 1; j < cycle.size(); ++j)
            p.locals += ring_distance(cycle[j - 1], cycle[j], n);
        if (opens) {
            p.begins.push_back(cycle[1]);
            p.ends.push_back(cycle.back());
        } else {
            p.locals += ring_distance(cycle.back(), cycle[0], n);
            p.begins.insert(p.begins.end(), cycle.begin(), cycle.end());
            p.ends.insert(p.ends.end(), cycle.begin(), cycle.end());
        }
    }
    return p;
}

uint32_t nearest(uint32_t place, const std::vector<uint32_t>& places, uint32_t n) {
    uint32_t least = None;
    for (uint32_t other : places) least = std::min(least, ring_distance(place, other, n));
    return least;
}

class Search {
public:
    Search(const Permutation& order, uint32_t from, uint32_t to)
        : m_n(order.size()), m_to(to), m_last(star_distance(order) + 1) {
        add({from, order, 0, 0, 0, None, true});
        m_bound = m_vertices[0].estimate;
    }

    // The vertex at the end of a shortest path.
    const Vertex& run() {
        std::vector<uint32_t> enabled{0};
        for (;;) {
            for (uint32_t v : enabled)
                if (m_vertices[v].level == m_last) return m_vertices[v];
            std::vector<uint32_t> children;
            for (uint32_t v : enabled) expand(v, children);
            enabled.clear();
            for (uint32_t v : children)
                if (m_vertices[v].estimate <= m_bound) enabled.push_back(v);
            if (enabled.empty()) enabled = backtrack();
        }
    }

    const std::vector<Vertex>& vertices() const { return m_vertices; }
    uint32_t backtracks() const { return m_backtracks; }

private:
    void expand(uint32_t parent, std::vector<uint32_t>& children) {
        m_vertices[parent].is_leaf = false;
        const Vertex v = m_vertices[parent];
        const auto add_child = [&](uint32_t place, const Permutation& order) {
            children.push_back(uint32_t(m_vertices.size()));
            add({place, order, v.level + 1, v.locals + ring_distance(v.place, place, m_n), 0,
                 parent, true});
        };
        if (v.level + 1 == m_last) return add_child(m_to, v.order);
        for (uint32_t place : prospects_of(v.order).begins) {
            Permutation order = v.order;
            order.swap_first_with(place);
            add_child(place, order);
        }
    }

    void add(Vertex v) {
        v.estimate = v.locals;
        if (v.order.in_order()) {
            v.estimate += ring_distance(v.place, m_to, m_n);
        } else {
            const Prospects p = prospects_of(v.order);
            v.estimate += nearest(v.place, p.begins, m_n) + p.locals + nearest(m_to, p.ends, m_n);
        }
        m_vertices.push_back(v);
    }

    // The leaves with the lowest estimate, which is the new bound.
    std::vector<uint32_t> backtrack() {
        ++m_backtracks;
        m_bound = None;
        for (const Vertex& v : m_vertices)
            if (v.is_leaf) m_bound = std::min(m_bound, v.estimate);
        std::vector<uint32_t> leaves;
        for (uint32_t v = 0; v < m_vertices.size(); ++v)
            if (m_vertices[v].is_leaf && m_vertices[v].estimate == m_bound) leaves.push_back(v);
        return leaves;
    }

    const uint32_t m_n;
    const uint32_t m_to;
    const uint32_t m_last;
    uint32_t m_bound = 0;
    uint32_t m_backtracks = 0;
    std::vector<Vertex> m_vertices;
};

}  // namespace

uint32_t ring_distance(uint32_t a, uint32_t b, uint32_t n) {
    const uint32_t apart = a < b ? b - a : a - b;
    return std::min(apart, n - 1 - apart);
}

uint32_t star_distance(const Permutation& order) {
    uint32_t distance = 0;
    for (const auto& cycle : order.cycles()) distance += uint32_t(cycle.size()) + 1;
    return distance - (order[1] == 1 ? 0 : 2);
}

uint32_t scc_path_length(const SccNode& from, const SccNode& to,
                         const std::vector<uint32_t>& laterals) {
    const uint32_t n = from.order.size();
    uint32_t length = uint32_t(laterals.size());
    uint32_t place = from.place;
    for (uint32_t lateral : laterals) {
        length += ring_distance(place, lateral, n);
        place = lateral;
    }
    return length + ring_distance(place, to.place, n);
}

SccRoute scc_search(const SccNode& from, const SccNode& to) {
    Search search(from.order.seen_from(to.order), from.place, to.place);
    const Vertex& end = search.run();
    SccRoute route{{}, end.locals, std::vector<uint32_t>(end.level + 1, 0), search.backtracks()};
    for (const Vertex& v : search.vertices()) ++route.vertices[v.level];
    // The last vertex is where the ring of the destination ends, the first one the source.
    for (uint32_t v = end.parent; search.vertices()[v].parent != None;
         v = search.vertices()[v].parent)
        route.laterals.push_back(search.vertices()[v].place);
    std::reverse(route.laterals.begin(), route.laterals.end());
    return route;
}

}  // namespace rdt
