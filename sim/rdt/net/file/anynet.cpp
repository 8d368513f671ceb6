// SPDX-License-Identifier: MIT
// BookSim's anynet: a line a router (or a node), what it is connected to behind it.
//
//   router 0 node 0 router 1 router 3 1
//
// A number behind a connection is its latency in cycles. Links go both ways, whether both routers
// name each other or one does. The lab has routers with one node each and links of one cycle; what
// has others is refused, since all figures would be those of another network.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include <rdt/net/file/graph_file.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

class AnynetReader {
public:
    explicit AnynetReader(const std::string& path) : m_path(path) {}

    FileGraph read(const std::string& text) {
        std::istringstream lines(text);
        std::string line;
        for (m_line = 1; std::getline(lines, line); ++m_line) read_line(line);
        return graph();
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw NetworkError(fmt::format("{}:{}: {}", m_path, m_line, what));
    }
    [[noreturn]] void fail_whole(const std::string& what) const {
        throw NetworkError(fmt::format("{}: {}", m_path, what));
    }

    static std::optional<uint32_t> number(const std::string& word) {
        uint32_t value = 0;
        const char* end = word.data() + word.size();
        const auto [at, error] = std::from_chars(word.data(), end, value);
        if (error != std::errc() || at != end) return std::nullopt;
        return value;
    }

    struct End {
        bool is_router;
        uint32_t number;
    };
    End end_of(const std::string& kind, std::istringstream& words) const {
        if (kind != "router" && kind != "node")
            fail(fmt::format("expects router or node, not {}", kind));
        std::string word;
        if (!(words >> word)) fail(fmt::format("needs a number behind {}", kind));
        const auto n = number(word);
        if (!n || *n >= MaxNodes) fail(fmt::format("{} is no number of a {}", word, kind));
        return {kind == "router", *n};
    }

    void read_line(const std::string& line) {
        std::istringstream words(line);
        std::string word;
        if (!(words >> word)) return;
        const End head = end_of(word, words);
        if (head.is_router) m_ports[head.number];
        bool has_next = bool(words >> word);
        while (has_next) {
            const End other = end_of(word, words);
            connect(head, other);
            has_next = bool(words >> word);
            if (!has_next || word == "router" || word == "node") continue;
            const auto latency = number(word);
            if (!latency) fail(fmt::format("expects router, node or a latency, not {}", word));
            if (*latency != 1 && head.is_router && other.is_router)
                fail(fmt::format("has a link of {} cycles: must be 1", word));
            has_next = bool(words >> word);
        }
    }

    void connect(const End& a, const End& b) {
        if (!a.is_router && !b.is_router) fail("connects a node to a node");
        if (a.is_router && b.is_router) {
            if (a.number == b.number) fail(fmt::format("connects router {} to itself", a.number));
            if (!m_named.insert({a.number, b.number}).second)
                fail(fmt::format("connects router {} to router {} a second time", a.number,
                                 b.number));
            m_ports[b.number];
            m_ports[a.number].push_back(b.number);
            return;
        }
        const uint32_t router = a.is_router ? a.number : b.number;
        const uint32_t node = a.is_router ? b.number : a.number;
        m_ports[router];
        const auto [it, is_new] = m_router_of.insert({node, router});
        if (!is_new && it->second != router)
            fail(fmt::format("connects node {} to router {} and to router {}", node, it->second,
                             router));
        const auto [at, is_first] = m_node_of.insert({router, node});
        if (!is_first && at->second != node)
            fail(fmt::format("has nodes {} and {} at router {}; routers of the lab have one",
                             at->second, node, router));
    }

    FileGraph graph() {
        if (m_ports.empty()) fail_whole("has no router");
        // Without node entries, each router has one node.
        if (m_router_of.empty())
            for (const auto& [router, to] : m_ports) {
                m_router_of[uint32_t(m_node_of.size())] = router;
                m_node_of.insert({router, uint32_t(m_node_of.size())});
            }
        for (const auto& [router, to] : m_ports)
            if (m_node_of.count(router) == 0)
                fail_whole(
                    fmt::format("router {} has no node; routers of the lab have one", router));
        // Nodes are numbered as the file does, since traffic goes by these numbers.
        if (m_router_of.rbegin()->first + 1 != m_router_of.size())
            fail_whole(fmt::format("has {} nodes, but one with number {}", m_router_of.size(),
                                   m_router_of.rbegin()->first));
        FileGraph graph;
        for (const auto& [node, router] : m_router_of)
            graph.nodes.push_back({fmt::format("{}{}", node == router ? "" : "r", router), {}, 0});
        // A port is the position in the router's line; links named only by the other end follow.
        for (const auto& [from, to] : std::set(m_named))
            if (m_named.insert({to, from}).second) m_ports[to].push_back(from);
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> port;
        for (const auto& [router, list] : m_ports)
            for (uint32_t i = 0; i < list.size(); ++i) port[{router, list[i]}] = i;
        for (const auto& [ends, from_port] : port)
            if (ends.first < ends.second)
                graph.links.push_back({m_node_of.at(ends.first), m_node_of.at(ends.second),
                                       from_port, port.at({ends.second, ends.first})});
        return graph;
    }

    const std::string& m_path;
    uint64_t m_line = 0;
    std::map<uint32_t, std::vector<uint32_t>> m_ports;  // by router: where they lead
    std::set<std::pair<uint32_t, uint32_t>> m_named;
    std::map<uint32_t, uint32_t> m_router_of, m_node_of;
};

}  // namespace

FileGraph parse_anynet(const std::string& text, const std::string& path) {
    return AnynetReader(path).read(text);
}

std::string to_anynet(const Network& network) {
    if (network.directed())
        throw NetworkError("anynet has no directed links; " + network.name() +
                           " can be written as GraphML");
    std::string text;
    for (NodeId node = 0; node < network.nodes(); ++node) {
        text += fmt::format("router {} node {}", node, node);
        std::vector<NodeId> seen;
        for (uint32_t port = 0; port < network.ports(); ++port) {
            const auto to = network.neighbor(node, port);
            if (!to) continue;
            if (std::find(seen.begin(), seen.end(), *to) != seen.end())
                throw NetworkError(fmt::format(
                    "anynet has one link between two routers at most, {} has two between {} and "
                    "{}; it can be written as GraphML",
                    network.name(), network.label(node), network.label(*to)));
            seen.push_back(*to);
            text += fmt::format(" router {}", *to);
        }
        text += "\n";
    }
    return text;
}

}  // namespace rdt
