// SPDX-License-Identifier: MIT
// A network and the ways to route on it, as everything in the lab sees them: analysis, the
// dependency-graph check, the flit-level simulator, the program.
//
// A new network is one .cpp file that derives from Network and ends with one line:
//   const NetworkKind kind{"torus", "torus:AxB[xC...]", "what it is", make};
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <rdt/support/plugin.h>

namespace rdt {

using NodeId = uint32_t;

// A wrong name, size, label or routing; what() is one line that states the allowed values.
struct NetworkError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// An output of a node: one of its ports and a virtual channel on it.
struct OutChannel {
    uint16_t port;
    uint8_t vc;
};
constexpr uint16_t NoPort = 0xFFFF;  // where a packet comes in at its source

// Routing state of a packet: set at the source, updated hop by hop.
using RouteTag = std::array<uint64_t, 2>;

// The channels a packet may take next, best first.
class Choices {
public:
    static constexpr size_t Max = 32;
    void clear() { m_size = 0; }
    // Throws std::length_error beyond Max: the routing does not clear them first, or has too many.
    void add(uint32_t port, uint32_t vc) {
        if (m_size == Max) throw std::length_error("a routing gives at most 32 choices for a hop");
        m_list[m_size++] = {uint16_t(port), uint8_t(vc)};
    }
    size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    OutChannel operator[](size_t i) const { return m_list[i]; }
    const OutChannel* begin() const { return m_list.data(); }
    const OutChannel* end() const { return m_list.data() + m_size; }

private:
    std::array<OutChannel, Max> m_list;
    size_t m_size = 0;
};

// A routing function. Deterministic routings give one choice a step; adaptive ones several, the
// last of which is then the escape channel that keeps them free of deadlock. Const and free of
// hidden state, so that threads may share it.
class Routing {
public:
    virtual ~Routing() = default;
    virtual uint32_t vcs() const = 0;
    virtual RouteTag start(NodeId /*src*/, NodeId /*dst*/) const { return {}; }
    // Where ways are as good as each other start() has a rule. Instead a packet may draw one of
    // draws() numbers, each as likely as the others, that decide it; 1: there is nothing to draw.
    virtual uint32_t draws() const { return 1; }
    virtual RouteTag start_drawn(NodeId src, NodeId dst, uint32_t /*draw*/) const {
        return start(src, dst);
    }
    // Choices of a packet for dst that is at `at`, having come in on port in.port of it (NoPort at
    // the source; in a directed network the sender's port) on VC in.vc. None: it has arrived.
    virtual void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel in,
                      Choices& out) const = 0;
    // The tag after the hop out of `at` on `taken`; always the same one, if keeps_tag().
    virtual bool keeps_tag() const { return false; }
    virtual RouteTag advance(NodeId /*at*/, const RouteTag& tag, OutChannel /*taken*/) const {
        return tag;
    }
};

struct Position {
    double x = 0;
    double y = 0;
};

class Network {
public:
    virtual ~Network() = default;
    virtual std::string name() const = 0;  // as make_network() takes it
    virtual uint32_t nodes() const = 0;
    virtual uint32_t ports() const = 0;  // maximum over all nodes
    // The node at the other end of a port; none where the port does not exist.
    virtual std::optional<NodeId> neighbor(NodeId node, uint32_t port) const = 0;
    // The port by which that node sees this link; undirected networks only.
    virtual uint32_t port_back(NodeId node, uint32_t port) const = 0;
    virtual bool directed() const { return false; }

    virtual std::string label(NodeId node) const { return std::to_string(node); }
    virtual NodeId parse(const std::string& text) const;  // index or label; throws NetworkError

    // Names of the routings, the default first (negative_hop.h has one for any network). "shortest"
    // may deadlock: make_routing() has it everywhere, but only by name, also if there is no other.
    virtual std::vector<std::string> routings() const = 0;
    virtual std::unique_ptr<Routing> routing(const std::string& name) const = 0;

    virtual Position position(NodeId node) const;  // for drawing; default: on a circle
    // Width and height after which a picture of a flat torus begins again; links across its edge
    // are then drawn as stubs. 0: it is no such picture.
    virtual Position period() const { return {}; }

    // Known properties that save analysis work; both are optional. Nodes such that every node sees
    // the network as one of them does, equally many as each; a vertex-transitive network returns
    // {0}. Default: nothing known.
    virtual std::vector<NodeId> representatives() const { return {}; }
    // Links that the best cut into two equal halves crosses, where that is proven.
    virtual std::optional<uint64_t> known_bisection() const { return std::nullopt; }
};

// Registration, by the part of the name before the colon.
struct NetworkKind {
    using Make = std::function<std::unique_ptr<Network>(const std::string& parameters)>;
    struct Entry {
        std::string form;   // "torus:AxB[xC...]"
        std::string about;  // one line
        Make make;
        bool is_checked = false;  // make_network() calls check_network(): set for plug-ins
    };
    // Throws NetworkError if there is one of that name.
    NetworkKind(const std::string& kind, std::string form, std::string about, Make make);
    static std::map<std::string, Entry>& all();
};

// Checks the contract of Network for every node and port: ports lead to existing nodes and back.
// Also checks representatives(). Throws NetworkError: one line that names the first port that is
// wrong.
void check_network(const Network& network);

// "torus:16x16x16" and the like; throws NetworkError.
std::unique_ptr<Network> make_network(const std::string& name);
// A routing of that network by name, "" for its default; throws NetworkError.
std::unique_ptr<Routing> make_routing(const Network& network, const std::string& name);

}  // namespace rdt
