// SPDX-License-Identifier: MIT
#include <rdt/net/graph/traffic.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <rdt/net/graph/traffic_table.h>

namespace rdt {

namespace {

uint32_t bits_of(uint32_t nodes) {
    uint32_t bits = 0;
    while ((1ull << bits) < nodes) ++bits;
    return bits;
}

uint32_t reversed(uint32_t value, uint32_t bits) {
    uint32_t result = 0;
    for (uint32_t i = 0; i < bits; ++i) result |= ((value >> i) & 1) << (bits - 1 - i);
    return result;
}

// Half of the way round a ring, as far as a packet can go without either way being the shorter.
uint32_t half_round(uint32_t at, uint32_t size) { return (at + (size + 1) / 2 - 1) % size; }

}  // namespace

PatternKind::PatternKind(std::string name, std::string about, Make make) {
    for (const Traffic::Pattern& p : Traffic::patterns())
        if (p.name == name) throw NetworkError(fmt::format("there is traffic {} already", name));
    all().push_back({std::move(name), std::move(about), std::move(make)});
}

std::vector<PatternKind::Entry>& PatternKind::all() {
    static std::vector<Entry> entries;
    return entries;
}

std::vector<Traffic::Pattern> Traffic::patterns() {
    std::vector<Pattern> all = {
        {"uniform", "to all other nodes with equal probability"},
        {"hotspot",
         "all packets to 1/32 of the nodes, chosen by the seed; hotspot:F: a fraction F of them"},
        {"hotblock", "like hotspot, to the first 1/32 of the nodes"},
        {"hotrect",
         "like hotspot, to a quarter of the columns by an eighth of the rows of a square"},
        {"hotgrid", "like hotspot, to every 4th column of every 8th row of a square"},
        {"hotstride", "like hotspot, to every 32nd node"},
        {"transpose", "node (x, y) to (y, x) of a square"},
        {"complement", "all bits of the node number inverted"},
        {"reverse", "bits of the node number in reverse order"},
        {"shuffle", "bits of the node number rotated by one"},
        {"tornado", "to the node half the side away, in x and y where the nodes form a square"},
        {"neighbor", "to a random direct neighbor per packet"},
    };
    for (const PatternKind::Entry& entry : PatternKind::all())
        all.push_back({entry.name, entry.about});
    return all;
}

Traffic::Traffic(const Network& network, const std::string& name, uint64_t seed,
                 const std::vector<NodeId>& down)
    : m_nodes(network.nodes()), m_name(name) {
    if (m_nodes < 2) throw NetworkError("traffic needs two nodes at least");
    if (name.rfind("hotspot", 0) == 0 && (name.size() == 7 || name[7] == ':')) {
        m_kind = Kind::HotSpot;
        choose_hot_spots(name.size() > 7 ? name.substr(8) : "1", seed);
    } else if (place_hot_spots(name)) {
        m_kind = Kind::HotSpot;
    } else if (name == "neighbor" || name == "neighbour") {
        m_kind = Kind::Neighbor;
        list_neighbors(network);
    } else if (is_traffic_table(name)) {
        m_kind = Kind::Neighbor;  // drawn from a list of the source's own, too
        DrawLists lists = read_traffic_table(traffic_table_path(name), network);
        m_first = std::move(lists.first);
        m_list = std::move(lists.list);
    } else if (use_registered(network, name, seed)) {
        m_kind = Kind::Registered;
    } else if (name != "uniform") {
        m_kind = Kind::Fixed;
        fix(name);
    }
    leave_out(down);
}

bool Traffic::use_registered(const Network& network, const std::string& name, uint64_t seed) {
    const size_t colon = name.find(':');
    for (const PatternKind::Entry& entry : PatternKind::all()) {
        if (entry.name != name.substr(0, colon)) continue;
        if (entry.make)
            m_registered =
                entry.make(network, colon == std::string::npos ? "" : name.substr(colon + 1), seed);
        if (!m_registered) throw NetworkError(fmt::format("traffic {} has no factory", entry.name));
        return true;
    }
    return false;
}

NodeId Traffic::to_registered(NodeId source, Random& random) const {
    const NodeId node = m_registered(source, random);
    if (node < m_nodes) return node;
    throw NetworkError(fmt::format("traffic {} sends from node {} to node {}; there are {} nodes",
                                   m_name, source, node, m_nodes));
}

void Traffic::leave_out(const std::vector<NodeId>& down) {
    if (down.empty()) return;
    m_is_down.assign(m_nodes, false);
    for (NodeId node : down) m_is_down[node] = true;
    if (std::count(m_is_down.begin(), m_is_down.end(), false) < 2)
        throw NetworkError("traffic needs two nodes that are not down at least");
    if (m_kind == Kind::Uniform) m_kind = Kind::Healthy;
    if (m_kind != Kind::Fixed) return;
    for (NodeId node = 0; node < m_nodes; ++node)
        if (m_is_down[node] || m_is_down[m_list[node]]) m_list[node] = node;
}

uint32_t Traffic::senders() const {
    constexpr int Tries = 16;
    Random random(1);
    uint32_t count = 0;
    for (NodeId node = 0; node < m_nodes; ++node) {
        bool is_own = m_kind == Kind::Registered;
        for (int i = 0; is_own && i < Tries; ++i) is_own = to_registered(node, random) == node;
        const bool is_silent = is_own || (m_kind == Kind::Fixed && m_list[node] == node) ||
                               (m_kind == Kind::Neighbor && m_first[node] == m_first[node + 1]) ||
                               (!m_is_down.empty() && m_is_down[node]);
        count += is_silent ? 0 : 1;
    }
    return count;
}

// Drawn again while it is one that is down; who draws none in many tries does not send.
NodeId Traffic::among_healthy(NodeId source, Random& random) const {
    constexpr int Tries = 1000;
    if (m_is_down[source]) return source;
    for (int i = 0; i < Tries; ++i) {
        const NodeId node =
            m_kind == Kind::Healthy ? any_other(source, random) : drawn(source, random);
        if (!m_is_down[node]) return node;
    }
    return source;
}

NodeId Traffic::to_hot_spot(NodeId source, Random& random) const {
    if (m_hot_share < 1 && random.unit() > m_hot_share) return any_other(source, random);
    const NodeId node = m_list[random.below(uint32_t(m_list.size()))];
    if (node != source) return node;
    return m_list.size() > 1 ? to_hot_spot(source, random) : any_other(source, random);
}

NodeId Traffic::to_neighbor(NodeId source, Random& random) const {
    const uint32_t count = m_first[source + 1] - m_first[source];
    return count == 0 ? source : m_list[m_first[source] + random.below(count)];
}

void Traffic::choose_hot_spots(const std::string& share, uint64_t seed) {
    size_t used = 0;
    try {
        m_hot_share = std::stod(share, &used);
    } catch (const std::exception&) {
    }
    if (used == 0 || used != share.size() || !(m_hot_share > 0 && m_hot_share <= 1))
        throw NetworkError(fmt::format(
            "hotspot:{} needs a share of the traffic, more than 0 and at most 1", share));
    std::vector<NodeId> nodes(m_nodes);
    std::iota(nodes.begin(), nodes.end(), 0);
    const uint32_t count = std::max(1u, m_nodes / 32);
    Random random(seed ^ 0x686F7473706F7473);
    for (uint32_t i = 0; i < count; ++i) std::swap(nodes[i], nodes[i + random.below(m_nodes - i)]);
    nodes.resize(count);
    m_list = std::move(nodes);
}

// 1/32 of the nodes at fixed places; rows and columns are those of the numbering, row by row.
bool Traffic::place_hot_spots(const std::string& name) {
    if (name == "hotblock") {
        m_list.resize(std::max(1u, m_nodes / 32));
        std::iota(m_list.begin(), m_list.end(), 0);
        return true;
    }
    if (name == "hotstride") {
        for (NodeId node = 0; node < m_nodes; node += 32) m_list.push_back(node);
        return true;
    }
    if (name != "hotrect" && name != "hotgrid") return false;
    const uint32_t side = uint32_t(std::lround(std::sqrt(double(m_nodes))));
    if (uint64_t(side) * side != m_nodes || side % 8 != 0)
        throw NetworkError(fmt::format(
            "traffic {} needs a square of nodes with a side that is a multiple of 8, not {} nodes",
            name, m_nodes));
    const bool is_grid = name == "hotgrid";
    for (uint32_t y = 0; y < side / 8; ++y)
        for (uint32_t x = 0; x < side / 4; ++x)
            m_list.push_back(is_grid ? 4 * x + 8 * y * side : x + y * side);
    return true;
}

void Traffic::list_neighbors(const Network& network) {
    m_first.push_back(0);
    for (NodeId node = 0; node < m_nodes; ++node) {
        for (uint32_t port = 0; port < network.ports(); ++port) {
            const auto other = network.neighbor(node, port);
            if (other && *other != node) m_list.push_back(*other);
        }
        m_first.push_back(uint32_t(m_list.size()));
    }
}

void Traffic::fix(const std::string& name) {
    const uint32_t bits = bits_of(m_nodes);
    const uint32_t side = uint32_t(std::lround(std::sqrt(double(m_nodes))));
    const bool square = uint64_t(side) * side == m_nodes;
    const bool of_bits = name == "complement" || name == "reverse" || name == "shuffle";
    if (of_bits && m_nodes != 1u << bits)
        throw NetworkError(
            fmt::format("traffic {} needs a power of two of nodes, not {}", name, m_nodes));
    if (name == "transpose" && !square)
        throw NetworkError(
            fmt::format("traffic transpose needs a square of nodes, not {}", m_nodes));
    for (NodeId n = 0; n < m_nodes; ++n) {
        if (name == "complement") m_list.push_back(~n & (m_nodes - 1));
        else if (name == "reverse") m_list.push_back(reversed(n, bits));
        else if (name == "shuffle")
            m_list.push_back(((n << 1) | (n >> (bits - 1))) & (m_nodes - 1));
        else if (name == "transpose") m_list.push_back(n / side + n % side * side);
        else if (name == "tornado")
            m_list.push_back(square ? half_round(n % side, side) + half_round(n / side, side) * side
                                    : half_round(n, m_nodes));
    }
    if (!m_list.empty()) return;
    std::string names;
    for (const Pattern& p : patterns()) names += (names.empty() ? "" : ", ") + p.name;
    throw NetworkError(fmt::format("--traffic {}: must be one of {}, table:FILE", name, names));
}

}  // namespace rdt
