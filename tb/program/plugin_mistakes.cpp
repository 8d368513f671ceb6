// SPDX-License-Identifier: MIT
// A plug-in with a mistake that the environment names (RDT_MISTAKE): a ring invalid:N, a workload
// and a traffic pattern. Without a selected bug all are correct. plugins.py has the expected result
// of each.
#include <cstdlib>
#include <cstring>

#include <nlohmann/json.hpp>

#include <rdt/machine/traffic/synthetic.h>
#include <rdt/machine/traffic/workload.h>
#include <rdt/net/graph/network.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/net/graph/traffic.h>

namespace {

using namespace rdt;

bool has(const char* mistake) {
    const char* named = std::getenv("RDT_MISTAKE");
    return named != nullptr && std::strcmp(named, mistake) == 0;
}

enum Port : uint32_t { Up, Down };

// Up all the way, on VC 1 once the packet is past the end of the ring.
class UpRouting : public Routing {
public:
    explicit UpRouting(uint32_t nodes) : m_nodes(nodes) {}
    uint32_t vcs() const override { return has("no_vcs") ? 0 : has("many_vcs") ? 300 : 2; }
    void next(NodeId at, NodeId dst, const RouteTag&, OutChannel in, Choices& out) const override {
        if (has("throws_5_in_next")) throw 5;
        if (has("throws_in_next")) throw std::runtime_error("this routing is not finished");
        if (!has("choices_not_cleared")) out.clear();
        if (at == dst && !has("circles")) return;
        if (has("dead_end") && (dst + m_nodes - at) % m_nodes == 2) return;
        if (has("many_choices"))
            for (int i = 0; i < 40; ++i) out.add(Up, 0);
        const uint32_t vc = in.port == NoPort ? 0 : at == 0 ? 1 : in.vc;
        if (has("port_that_is_not_there")) out.add(7, vc);
        else if (has("port_without_link")) out.add(2, vc);
        else if (has("vc_that_is_not_there")) out.add(Up, 9);
        else out.add(Up, vc);
    }

private:
    const uint32_t m_nodes;
};

class BadRing : public Network {
public:
    explicit BadRing(uint32_t nodes) : m_nodes(nodes) {}
    std::string name() const override {
        if (has("throws_in_name")) throw std::runtime_error("no name");
        return "invalid:" + std::to_string(m_nodes);
    }
    uint32_t nodes() const override {
        return has("no_nodes") ? 0 : has("many_nodes") ? ~0u : m_nodes;
    }
    uint32_t ports() const override { return has("no_ports") ? 0 : has("many_ports") ? 70000 : 3; }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        if (has("throws_5_in_neighbor")) throw 5;
        if (port > Down) return std::nullopt;
        if (has("neighbor_beyond") && node == 5 && port == Up) return m_nodes;
        if (has("neighbor_far_beyond") && node == 5 && port == Up) return 4000000000u;
        if (has("one_way_link") && node == 5 && port == Down) return std::nullopt;
        return port == Up ? (node + 1) % m_nodes : (node + m_nodes - 1) % m_nodes;
    }
    uint32_t port_back(NodeId, uint32_t port) const override {
        if (has("port_back_is_itself")) return port;
        if (has("port_back_beyond")) return 9;
        return port == Up ? Down : Up;
    }
    std::vector<std::string> routings() const override {
        return has("no_routings") ? std::vector<std::string>{} : std::vector<std::string>{"up"};
    }
    std::unique_ptr<Routing> routing(const std::string&) const override {
        if (has("null_routing")) return nullptr;
        if (has("throws_5_in_routing")) throw 5;
        return std::make_unique<UpRouting>(m_nodes);
    }
    std::vector<NodeId> representatives() const override {
        return has("representative_beyond") ? std::vector<NodeId>{m_nodes} : std::vector<NodeId>{};
    }

private:
    const uint32_t m_nodes;
};

std::unique_ptr<Network> make_ring(const std::string& text) {
    if (has("null_network")) return nullptr;
    if (has("throws_5_in_factory")) throw 5;
    if (has("says_nothing")) throw std::logic_error("");
    return std::make_unique<BadRing>(parse_number(text, "invalid:N", 3, 1000));
}

struct Static {
    Static() {
        if (has("throws_in_static")) throw std::runtime_error("no such license");
        if (has("throws_5_in_static")) throw 5;
        if (has("says_nothing_in_static")) throw std::logic_error("");
    }
} on_load;

const NetworkKind kind{has("name_of_another") ? "torus" : "invalid", "invalid:N", "a ring",
                       has("null_factory") ? NetworkKind::Make() : NetworkKind::Make(make_ring)};

class OneByOne : public machine::Workload {
public:
    void clock(machine::Transport& transport) override {
        if (has("throws_5_in_clock")) throw 5;
        if (m_sent++ > 100) return;
        machine::Message m;
        m.source = has("source_beyond") ? 6400 : 1;
        m.source_mbp = has("mbp_beyond") ? 7 : 0;
        m.destination = has("destination_beyond") ? 6400 : 2;
        m.flits = has("long_packet") ? 99 : 8;
        transport.send(m);
    }

private:
    int m_sent = 0;
};

std::unique_ptr<machine::Workload> make_workload(const machine::Machine&,
                                                 const machine::SyntheticOptions&) {
    if (has("null_workload")) return nullptr;
    if (has("throws_5_in_workload")) throw 5;
    return std::make_unique<OneByOne>();
}
const machine::WorkloadKind workload{has("workload_of_another") ? "transpose" : "one-by-one",
                                     "a hundred packets",
                                     has("null_workload_factory") ? nullptr : make_workload};

PatternKind::Destination make_pattern(const Network& network, const std::string& text, uint64_t) {
    if (has("null_pattern")) return {};
    const uint32_t nodes = network.nodes();
    const uint32_t by = text.empty() ? 1 : parse_number(text, "ahead:N", 1, 1000);
    return [nodes, by](NodeId source, Random&) {
        if (has("throws_5_in_pattern")) throw 5;
        return has("pattern_beyond") ? nodes : (source + by) % nodes;
    };
}
const PatternKind pattern{
    has("pattern_of_another") ? "uniform" : "ahead", "N nodes ahead",
    has("null_pattern_factory") ? PatternKind::Make() : PatternKind::Make(make_pattern)};

}  // namespace
