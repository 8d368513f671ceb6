// SPDX-License-Identifier: MIT
// All unicasts of an RDT, walked through the chip's own routing step.
//
// route() is a function of the header, the input and the router's configuration, and a
// network has few different configurations. So for one displacement the packets of all
// sources share a table of results, and a hop costs a look-up instead of a call.
#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>

#include <rdt/net/rdt/dependency_graph.h>
#include <rdt/net/rdt/rdt_vectors.h>

namespace rdt {

namespace {

using G = DependencyGraph;

// Nodes with the same configuration form a class.
struct Classes {
    explicit Classes(const std::vector<RouteConfig>& per_node) {
        std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> known;
        for (const RouteConfig& c : per_node) {
            const auto [it, fresh] =
                known.try_emplace({c.rank, c.xfer, c.dateline}, uint32_t(configs.size()));
            if (fresh) configs.push_back(c);
            of_node.push_back(it->second);
        }
    }
    std::vector<RouteConfig> configs;
    std::vector<uint32_t> of_node;
};

class Walker {
public:
    Walker(const Geometry& geometry, const Classes& classes, bool without_vct)
        : graph(geometry),
          m_geometry(geometry),
          m_classes(classes),
          m_stride(uint32_t(classes.configs.size()) * G::Rows),
          m_without_vct(without_vct) {}

    void walk_all_sources(Vec displacement) {
        m_headers.clear();
        m_steps.clear();
        uint32_t first[NumKinds];
        for (uint32_t kind = 0; kind < NumKinds; ++kind) {
            const Vec from = example_of(kind);
            const uint32_t src = m_geometry.index(from.x, from.y);
            first[kind] =
                intern(m_geometry.make_header(src, m_geometry.shifted(src, displacement)));
        }
        for (uint32_t src = 0; src < m_geometry.nodes();) {
            m_flying.clear();
            for (; src < m_geometry.nodes() && m_flying.size() < Block; ++src)
                m_flying.push_back({src, src, first[m_geometry.kind(src)], G::Mbp});
            walk(displacement);
        }
    }

    DependencyGraph graph;
    UnicastStats stats;

private:
    struct Step {
        uint32_t next = 0;  // offset of the next header's steps
        uint8_t out = Unknown;
        uint8_t in = 0;  // input lane at the neighbor
        uint8_t port = 0;
    };
    static constexpr uint8_t Unknown = 0xff;
    static constexpr size_t Block = 1024;  // packets that fit the first-level cache

    struct Packet {
        uint32_t src;
        uint32_t node;
        uint32_t header;  // offset of its header's steps
        uint32_t in;      // input lane
    };

    // All packets of a block advance hop by hop together: independent look-ups are twice as fast.
    void walk(Vec displacement) {
        int hops = 0;
        for (; !m_flying.empty(); ++hops) {
            size_t kept = 0;
            for (Packet p : m_flying) {
                const uint32_t at = p.header + m_classes.of_node[p.node] * G::Rows + p.in;
                if (m_steps[at].out == Unknown) take(at, p, displacement);
                const Step step = m_steps[at];
                graph.add(p.node, p.in, step.out);
                if (step.out == G::Mbp) {
                    arrive(p, displacement, hops);
                } else {
                    const uint32_t next = m_geometry.neighbor(p.node, step.port);
                    m_flying[kept++] = {p.src, next, step.next, step.in};
                }
            }
            m_flying.resize(kept);
        }
    }

    void arrive(const Packet& p, Vec displacement, int hops) {
        if (p.node != m_geometry.shifted(p.src, displacement))
            fail(p.src, displacement, "is delivered to " + place(p.node));
        ++stats.pairs;
        stats.hops += uint64_t(hops);
        stats.max_hops = std::max(stats.max_hops, hops);
    }

    void take(uint32_t at, const Packet& p, Vec displacement) {
        const Header header = m_headers[at / m_stride];
        const RouteConfig& cfg = m_classes.configs[at % m_stride / G::Rows];
        const uint32_t lane = at % G::Rows;
        const bool injected = lane == G::Mbp;
        const Route r = route(header, injected ? uint32_t(PortM0) : lane / G::VcsPerPort,
                              injected ? 0 : lane % G::VcsPerPort, cfg);
        if (r.err != ErrNone)
            fail(p.src, displacement,
                 std::string("ends with ") + to_string(Err(r.err)) + " at " + place(p.node));
        Step step;
        step.out = G::Mbp;
        if (is_network(r.dst)) {
            if (r.ovc >= vcs_of(r.dst))
                fail(p.src, displacement, "takes a VC that does not exist at " + place(p.node));
            const uint32_t vc = m_without_vct && r.ovc == 2 ? 0 : r.ovc;
            step.port = uint8_t(r.dst);
            step.out = uint8_t(r.dst * G::VcsPerPort + vc);
            step.in = uint8_t(opposite(r.dst) * G::VcsPerPort + vc);
            step.next = intern(leave(header, r.dst, cfg.rank));
        }
        m_steps[at] = step;
    }

    uint32_t intern(const Header& h) {
        const auto same = [&h](const Header& o) {
            return o.h0 == h.h0 && o.h1 == h.h1 && o.h2 == h.h2;
        };
        const auto it = std::find_if(m_headers.begin(), m_headers.end(), same);
        const auto i = uint32_t(it - m_headers.begin());
        if (it == m_headers.end()) {
            m_headers.push_back(h);
            m_steps.resize(m_headers.size() * m_stride);
        }
        return i * m_stride;
    }

    std::string place(uint32_t node) const {
        return std::to_string(m_geometry.x_of(node)) + "," + std::to_string(m_geometry.y_of(node));
    }
    [[noreturn]] void fail(uint32_t src, Vec displacement, const std::string& what) const {
        throw std::runtime_error("the packet from " + place(src) + " to " +
                                 place(m_geometry.shifted(src, displacement)) + " " + what);
    }

    const Geometry& m_geometry;
    const Classes& m_classes;
    const uint32_t m_stride;
    const bool m_without_vct;
    std::vector<Packet> m_flying;
    std::vector<Header> m_headers;
    std::vector<Step> m_steps;  // per header, class and input lane
};

}  // namespace

UnicastStats add_all_unicasts(DependencyGraph& graph, const Geometry& geometry,
                              const UnicastOptions& options) {
    const Classes classes(options.configs != nullptr ? *options.configs : geometry.configs());
    std::atomic<uint32_t> next{0};
    std::mutex merging;
    std::exception_ptr error;
    UnicastStats total;

    const auto work = [&](bool reports) {
        Walker walker(geometry, classes, options.without_vct);
        try {
            for (uint32_t i; (i = next.fetch_add(1)) < geometry.nodes();) {
                walker.walk_all_sources(geometry.displacement(0, i));
                if (reports && options.progress) options.progress(double(i) / geometry.nodes());
            }
        } catch (...) {
            next = geometry.nodes();
            const std::lock_guard<std::mutex> lock(merging);
            error = std::current_exception();
            return;
        }
        const std::lock_guard<std::mutex> lock(merging);
        graph.add_all(walker.graph);
        total.pairs += walker.stats.pairs;
        total.hops += walker.stats.hops;
        total.max_hops = std::max(total.max_hops, walker.stats.max_hops);
    };

    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const unsigned count = options.threads != 0 ? options.threads : cores;
    std::vector<std::thread> others;
    try {
        for (unsigned t = 1; t < count; ++t) others.emplace_back(work, false);
    } catch (const std::exception&) {
        // Fewer do as well.
    }
    work(true);
    for (std::thread& t : others) t.join();
    if (error) std::rethrow_exception(error);
    return total;
}

}  // namespace rdt
