// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include <rdt/net/file/graph_file.h>
#include <rdt/net/graph/negative_hop.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/net/graph/partition.h>
#include <rdt/net/graph/text_file.h>
#include <rdt/net/graph/up_down.h>

namespace rdt {

namespace {

constexpr uint64_t MostPlaces = uint64_t(1) << 28;  // limit of ports, equally many at all nodes

class FileNetwork : public Network, public WithFingerprint {
public:
    FileNetwork(FileGraph graph, const std::string& path)
        : m_path(path), m_graph(std::move(graph)) {
        if (m_graph.nodes.size() < 2)
            fail(
                fmt::format("a network has two nodes at least, this one {}", m_graph.nodes.size()));
        checked_nodes(m_graph.nodes.size());
        number_ports();
        connect();
        check_connected();
        m_fingerprint = hash_of_links();
        m_graph.links = {};
    }

    std::string name() const override { return "file:" + m_path; }
    uint32_t nodes() const override { return uint32_t(m_graph.nodes.size()); }
    uint32_t ports() const override { return m_ports; }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        const Place& place = m_places[size_t(node) * m_ports + port];
        if (place.to == None) return std::nullopt;
        return place.to;
    }
    uint32_t port_back(NodeId node, uint32_t port) const override {
        return m_places[size_t(node) * m_ports + port].back;
    }
    bool directed() const override { return m_graph.directed; }
    std::string label(NodeId node) const override { return m_graph.nodes[node].label; }
    Position position(NodeId node) const override {
        return m_graph.has_positions ? m_graph.nodes[node].position : Network::position(node);
    }
    Position period() const override { return m_graph.period; }
    std::string fingerprint() const override { return m_fingerprint; }

    // Shortest paths on some virtual channels; one channel, if links go both ways.
    std::vector<std::string> routings() const override {
        if (m_graph.directed) return {"negative-hop"};
        return {"negative-hop", "up-down"};
    }
    std::unique_ptr<Routing> routing(const std::string& name) const override {
        if (name == "up-down") return make_up_down_routing(*this);
        return make_negative_hop_routing(*this);
    }

protected:
    const FileGraph& graph() const { return m_graph; }

private:
    static constexpr NodeId None = ~0u;
    struct Place {
        NodeId to = None;
        uint16_t back = NoPort;
    };

    [[noreturn]] void fail(const std::string& what) const {
        throw NetworkError(m_path + ": " + what);
    }

    // Where the file does not: in the order of links.
    void number_ports() {
        if (m_graph.links.empty()) fail("there are no links");
        const auto is_numbered = [&](const FileGraph::Link& l) {
            return l.from_port != NoPort && (m_graph.directed || l.to_port != NoPort);
        };
        const auto numbered =
            std::count_if(m_graph.links.begin(), m_graph.links.end(), is_numbered);
        std::vector<uint32_t> next(m_graph.nodes.size(), 0);
        for (FileGraph::Link& l : m_graph.links) {
            if (l.from == l.to) fail(fmt::format("node {} has a link to itself", label(l.from)));
            if (numbered == 0) {
                l.from_port = next[l.from]++;
                if (!m_graph.directed) l.to_port = next[l.to]++;
            } else if (!is_numbered(l)) {
                fail(fmt::format("the link from {} to {} lacks its ports, which others have",
                                 label(l.from), label(l.to)));
            }
            m_ports = std::max(m_ports, l.from_port + 1);
            if (!m_graph.directed) m_ports = std::max(m_ports, l.to_port + 1);
        }
        if (m_ports >= NoPort || uint64_t(m_ports) * m_graph.nodes.size() > MostPlaces)
            fail(fmt::format("{} ports at {} nodes are too many", m_ports, m_graph.nodes.size()));
    }
    void connect() {
        m_places.resize(m_graph.nodes.size() * m_ports);
        const auto put = [&](NodeId from, uint32_t port, NodeId to, uint32_t back) {
            Place& place = m_places[size_t(from) * m_ports + port];
            if (place.to != None)
                fail(fmt::format("node {} has two links at port {}", label(from), port));
            place = {to, uint16_t(back)};
        };
        for (const FileGraph::Link& l : m_graph.links) {
            put(l.from, l.from_port, l.to, l.to_port);
            if (!m_graph.directed) put(l.to, l.to_port, l.from, l.from_port);
        }
    }

    // From node 0 to all, and back.
    void check_connected() const {
        std::vector<std::vector<NodeId>> out(nodes()), in(nodes());
        for (const FileGraph::Link& l : m_graph.links) {
            out[l.from].push_back(l.to);
            in[l.to].push_back(l.from);
            if (m_graph.directed) continue;
            out[l.to].push_back(l.from);
        }
        if (const auto node = not_reached(out); node != None)
            fail(fmt::format("there is no path from {} to {}", label(0), label(node)));
        if (!m_graph.directed) return;
        if (const auto node = not_reached(in); node != None)
            fail(fmt::format("there is no path from {} to {}", label(node), label(0)));
    }
    static NodeId not_reached(const std::vector<std::vector<NodeId>>& links) {
        std::vector<bool> seen(links.size(), false);
        std::vector<NodeId> queue{0};
        seen[0] = true;
        for (size_t i = 0; i < queue.size(); ++i)
            for (const NodeId to : links[queue[i]]) {
                if (seen[to]) continue;
                seen[to] = true;
                queue.push_back(to);
            }
        const auto it = std::find(seen.begin(), seen.end(), false);
        return it == seen.end() ? None : NodeId(it - seen.begin());
    }

    // FNV-1a: not against malice, but against a file that was changed.
    std::string hash_of_links() const {
        uint64_t hash = 0xCBF29CE484222325;
        const auto add = [&hash](uint64_t value) {
            for (int i = 0; i < 4; ++i) hash = (hash ^ (value >> 8 * i & 0xFF)) * 0x100000001B3;
        };
        add(m_graph.directed ? 1 : 0);
        for (const Place& place : m_places) {
            add(place.to);
            add(place.back);
        }
        return fmt::format("{:016x}", hash);
    }

    const std::string m_path;
    FileGraph m_graph;
    uint32_t m_ports = 0;
    std::vector<Place> m_places;
    std::string m_fingerprint;
};

class OrderedFileNetwork : public FileNetwork, public WithNaturalOrder {
public:
    using FileNetwork::FileNetwork;
    std::vector<double> natural_order() const override {
        std::vector<double> order;
        for (const FileGraph::Node& n : graph().nodes) order.push_back(n.order);
        return order;
    }
};

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

const NetworkKind file_kind{
    "file", "file:PATH", "from a file, .graphml (GraphML) or .anynet (BookSim); see docs/files.md",
    read_network};

}  // namespace

std::string fingerprint_of(const Network& network) {
    const auto* file = dynamic_cast<const WithFingerprint*>(&network);
    return file ? file->fingerprint() : "";
}

std::unique_ptr<Network> make_file_network(FileGraph graph, const std::string& path) {
    if (graph.has_order) return std::make_unique<OrderedFileNetwork>(std::move(graph), path);
    return std::make_unique<FileNetwork>(std::move(graph), path);
}

std::unique_ptr<Network> read_network(const std::string& path) {
    const bool is_graphml = ends_with(path, ".graphml") || ends_with(path, ".xml");
    if (!is_graphml && !ends_with(path, ".anynet"))
        throw NetworkError(fmt::format(
            "file:{}: a network is read from a file that ends with .graphml, .xml or .anynet",
            path));
    const std::string text = text_of_file(path);
    return make_file_network(is_graphml ? parse_graphml(text, path) : parse_anynet(text, path),
                             path);
}

}  // namespace rdt
