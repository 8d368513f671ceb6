// SPDX-License-Identifier: MIT
// GraphML by pugixml: it reads any encoding and resolves no external entities, so that a file from
// elsewhere can neither open others nor grow.
//
// Data that is understood, by the attr.name of its key; everything else is left alone:
//   nodes   label, x, y, cut_order
//   edges   source_port, target_port; latency, weight and the like have to be 1
//   graph   period_x, period_y
#include <fmt/core.h>
#include <pugixml.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>

#include <rdt/net/file/graph_file.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/net/graph/partition.h>

namespace rdt {

namespace {

// The name without a prefix of its namespace.
std::string local_name(const pugi::xml_node& node) {
    const std::string name = node.name();
    const size_t colon = name.find(':');
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

class GraphmlReader {
public:
    GraphmlReader(const std::string& text, const std::string& path) : m_text(text), m_path(path) {}

    FileGraph read() {
        pugi::xml_document document;
        const pugi::xml_parse_result result =
            document.load_buffer(m_text.data(), m_text.size(), pugi::parse_default);
        if (!result) fail(result.offset, result.description());
        const pugi::xml_node root = document.document_element();
        if (local_name(root) != "graphml")
            fail(root.offset_debug(), fmt::format("is no GraphML, but <{}>", root.name()));
        for (const pugi::xml_node& child : root.children())
            if (local_name(child) == "key") read_key(child);
        const pugi::xml_node graph = only_graph(root);
        read_graph(graph);
        return std::move(m_graph);
    }

private:
    [[noreturn]] void fail(ptrdiff_t offset, const std::string& what) const {
        const size_t end = std::min(m_text.size(), size_t(std::max<ptrdiff_t>(offset, 0)));
        const auto line = 1 + std::count(m_text.begin(), m_text.begin() + ptrdiff_t(end), '\n');
        throw NetworkError(fmt::format("{}:{}: {}", m_path, line, what));
    }
    [[noreturn]] void fail(const pugi::xml_node& node, const std::string& what) const {
        fail(node.offset_debug(), what);
    }

    static std::string name_of(const pugi::xml_node& key) {
        const char* name = key.attribute("attr.name").value();
        return *name != 0 ? name : key.attribute("id").value();
    }

    void read_key(const pugi::xml_node& key) {
        const std::string name = name_of(key);
        const std::string of = key.attribute("for").value();
        m_names[key.attribute("id").value()] = name;
        for (const pugi::xml_node& child : key.children())
            if (local_name(child) == "default" && of != "node" && of != "graph")
                m_edge_defaults[name] = child.text().get();
    }

    pugi::xml_node only_graph(const pugi::xml_node& root) const {
        pugi::xml_node graph;
        for (const pugi::xml_node& child : root.children()) {
            if (local_name(child) != "graph") continue;
            if (graph) fail(child, "has a second graph; a network is one");
            graph = child;
        }
        if (!graph) fail(root, "has no graph");
        return graph;
    }

    using Data = std::map<std::string, std::string>;
    Data data_of(const pugi::xml_node& node) const {
        Data data;
        for (const pugi::xml_node& child : node.children()) {
            if (local_name(child) != "data") continue;
            const auto name = m_names.find(child.attribute("key").value());
            if (name != m_names.end()) data[name->second] = child.text().get();
        }
        return data;
    }
    std::optional<double> real(const pugi::xml_node& node, const Data& data,
                               const char* name) const {
        const auto it = data.find(name);
        if (it == data.end()) return std::nullopt;
        double value = 0;
        const char* end = it->second.data() + it->second.size();
        const auto [at, error] = std::from_chars(it->second.data(), end, value);
        if (error != std::errc() || at != end || !(std::abs(value) < 1e12))
            fail(node, fmt::format("{} is no number for {}", it->second, name));
        return value;
    }
    uint32_t port(const pugi::xml_node& node, const Data& data, const char* name) const {
        const auto it = data.find(name);
        if (it == data.end()) return NoPort;
        uint32_t value = 0;
        const char* end = it->second.data() + it->second.size();
        const auto [at, error] = std::from_chars(it->second.data(), end, value);
        if (error != std::errc() || at != end || value >= NoPort)
            fail(node, fmt::format("{} is no port; they go from 0 to {}", it->second, NoPort - 1));
        return value;
    }

    void read_graph(const pugi::xml_node& graph) {
        const std::string usual = graph.attribute("edgedefault").value();
        if (usual != "directed" && usual != "undirected")
            fail(graph, fmt::format("edgedefault is directed or undirected, not \"{}\"", usual));
        const Data data = data_of(graph);
        m_graph.period.x = real(graph, data, "period_x").value_or(0);
        m_graph.period.y = real(graph, data, "period_y").value_or(0);
        size_t placed = 0, ordered = 0;
        for (const pugi::xml_node& child : graph.children()) {
            if (local_name(child) == "hyperedge")
                fail(child, "has a hyperedge; a link has two ends");
            if (local_name(child) == "node") read_node(child, placed, ordered);
        }
        m_graph.has_positions = placed == m_graph.nodes.size();
        m_graph.has_order = ordered == m_graph.nodes.size();
        // One link that goes one way makes all the others two that do.
        for (const pugi::xml_node& child : graph.children())
            if (local_name(child) == "edge") m_graph.directed |= is_directed(child, usual);
        for (const pugi::xml_node& child : graph.children())
            if (local_name(child) == "edge") read_edge(child, usual);
    }

    void read_node(const pugi::xml_node& node, size_t& placed, size_t& ordered) {
        const std::string id = node.attribute("id").value();
        if (id.empty()) fail(node, "has a node without an id");
        checked_nodes(m_graph.nodes.size() + 1);
        if (!m_number.emplace(id, NodeId(m_graph.nodes.size())).second)
            fail(node, fmt::format("has a second node {}", id));
        for (const pugi::xml_node& child : node.children())
            if (local_name(child) == "graph") fail(child, "has a graph within a node");
        const Data data = data_of(node);
        FileGraph::Node n;
        const auto label = data.find("label");
        n.label = label != data.end() && !label->second.empty() ? label->second : id;
        for (char& c : n.label)
            if (static_cast<unsigned char>(c) < ' ') c = ' ';
        const auto x = real(node, data, "x"), y = real(node, data, "y");
        if (x && y) ++placed;
        n.position = {x.value_or(0), y.value_or(0)};
        const auto order = real(node, data, "cut_order");
        if (order) ++ordered;
        n.order = order.value_or(0);
        m_graph.nodes.push_back(std::move(n));
    }

    bool is_directed(const pugi::xml_node& edge, const std::string& usual) const {
        const std::string own = edge.attribute("directed").value();
        if (own.empty()) return usual == "directed";
        if (own != "true" && own != "false")
            fail(edge, fmt::format("directed is true or false, not \"{}\"", own));
        return own == "true";
    }
    NodeId end_of(const pugi::xml_node& edge, const char* name) const {
        const std::string id = edge.attribute(name).value();
        const auto it = m_number.find(id);
        if (it == m_number.end())
            fail(edge, fmt::format("has an edge whose {} \"{}\" is no node", name, id));
        return it->second;
    }
    // All links of the lab are equal: data that specifies otherwise describes another network. So
    // do defaults, attributes of the edge itself, and names such as Weight.
    void refuse_unequal(const pugi::xml_node& edge, const Data& of_edge) const {
        Data data;
        for (const auto& [name, value] : of_edge) data.emplace(lower(name), value);
        for (const pugi::xml_attribute& a : edge.attributes())
            data.emplace(lower(a.name()), a.value());
        for (const auto& [name, value] : m_edge_defaults) data.emplace(lower(name), value);
        for (const char* name :
             {"latency", "delay", "weight", "length", "cost", "bandwidth", "capacity", "width"}) {
            const std::optional<double> value = real(edge, data, name);
            if (value && *value != 1)
                fail(edge, fmt::format("has an edge with {} {}; links of the lab are all alike",
                                       name, *value));
        }
    }
    static std::string lower(std::string text) {
        for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
        return text;
    }
    void read_edge(const pugi::xml_node& edge, const std::string& usual) {
        FileGraph::Link link{end_of(edge, "source"), end_of(edge, "target")};
        const Data data = data_of(edge);
        link.from_port = port(edge, data, "source_port");
        link.to_port = port(edge, data, "target_port");
        refuse_unequal(edge, data);
        const bool both = m_graph.directed && !is_directed(edge, usual);
        const FileGraph::Link back{link.to, link.from, link.to_port, NoPort};
        if (m_graph.directed) link.to_port = NoPort;
        m_graph.links.push_back(link);
        if (both) m_graph.links.push_back(back);
    }

    const std::string& m_text;
    const std::string& m_path;
    FileGraph m_graph;
    std::map<std::string, std::string> m_names;  // data names, by the key's id
    Data m_edge_defaults;                        // by name, of edges without that data
    std::unordered_map<std::string, NodeId> m_number;
};

void add_key(pugi::xml_node& root, const char* name, const char* of, const char* type) {
    pugi::xml_node key = root.append_child("key");
    key.append_attribute("id") = name;
    key.append_attribute("for") = of;
    key.append_attribute("attr.name") = name;
    key.append_attribute("attr.type") = type;
}
void add_data(pugi::xml_node& node, const char* name, const std::string& value) {
    pugi::xml_node data = node.append_child("data");
    data.append_attribute("key") = name;
    data.text() = value.c_str();
}
// The fewest digits that are read back as the same number.
std::string exact(double value) { return fmt::format("{}", value); }

void add_links(pugi::xml_node& graph, const Network& network) {
    for (NodeId node = 0; node < network.nodes(); ++node)
        for (uint32_t port = 0; port < network.ports(); ++port) {
            const auto to = network.neighbor(node, port);
            if (!to) continue;
            const uint32_t back = network.directed() ? NoPort : network.port_back(node, port);
            if (!network.directed() && std::pair(*to, back) < std::pair(node, port)) continue;
            pugi::xml_node edge = graph.append_child("edge");
            edge.append_attribute("source") = fmt::format("n{}", node).c_str();
            edge.append_attribute("target") = fmt::format("n{}", *to).c_str();
            add_data(edge, "source_port", std::to_string(port));
            if (!network.directed()) add_data(edge, "target_port", std::to_string(back));
        }
}

}  // namespace

FileGraph parse_graphml(const std::string& text, const std::string& path) {
    return GraphmlReader(text, path).read();
}

std::string to_graphml(const Network& network) {
    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    pugi::xml_node root = document.append_child("graphml");
    root.append_attribute("xmlns") = "http://graphml.graphdrawing.org/xmlns";
    const auto* natural = dynamic_cast<const WithNaturalOrder*>(&network);
    const std::vector<double> order = natural ? natural->natural_order() : std::vector<double>();
    const Position period = network.period();
    add_key(root, "label", "node", "string");
    add_key(root, "x", "node", "double");
    add_key(root, "y", "node", "double");
    if (natural) add_key(root, "cut_order", "node", "double");
    add_key(root, "source_port", "edge", "int");
    if (!network.directed()) add_key(root, "target_port", "edge", "int");
    const bool is_flat = period.x != 0 || period.y != 0;
    for (const char* name : {"period_x", "period_y"})
        if (is_flat) add_key(root, name, "graph", "double");
    pugi::xml_node graph = root.append_child("graph");
    graph.append_attribute("edgedefault") = network.directed() ? "directed" : "undirected";
    graph.append_child("desc").text() = network.name().c_str();
    if (is_flat) add_data(graph, "period_x", exact(period.x));
    if (is_flat) add_data(graph, "period_y", exact(period.y));
    for (NodeId n = 0; n < network.nodes(); ++n) {
        pugi::xml_node node = graph.append_child("node");
        node.append_attribute("id") = fmt::format("n{}", n).c_str();
        add_data(node, "label", network.label(n));
        add_data(node, "x", exact(network.position(n).x));
        add_data(node, "y", exact(network.position(n).y));
        if (natural) add_data(node, "cut_order", exact(order[n]));
    }
    add_links(graph, network);
    std::ostringstream out;
    document.save(out, " ");
    return out.str();
}

}  // namespace rdt
