// SPDX-License-Identifier: MIT
// Threads that share one run: every packet as with one thread, for any number of threads.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/run_options.h"
#include <rdt/lab/result_text.h>
#include <rdt/lab/simulate.h>
#include <rdt/lab/simulator.h>
#include <rdt/net/graph/network.h>

namespace rdt::tb {
namespace {

using lab::Delivery;
using lab::Options;
using lab::Reuse;
using lab::Sharing;

struct Case {
    const char* net;
    const char* routing;
    const char* traffic;
    double load;
    Reuse reuse = Reuse::Auto;
    uint32_t injection = 1;
    uint32_t queue = 0;
    uint32_t flits = 16;
    bool drain = false;
};

// All that is written, and all packets in the order of their arrival.
struct Outcome {
    std::string json;
    std::vector<Delivery> log;
    bool operator==(const Outcome& o) const { return json == o.json && log == o.log; }
};

Outcome outcome_of(const Network& network, const Routing& routing, const Options& options) {
    Outcome o;
    const lab::SimulationResult r = lab::simulate(network, routing, options, &o.log);
    o.json = lab::result_json(r, network).dump();
    for (const lab::Slice& s : r.slices)
        o.json += " " + std::to_string(s.generated) + " " + std::to_string(s.latency);
    return o;
}

const std::vector<Case> Cases = {
    {"torus:32x32", "dor-balanced", "uniform", 0.05},
    {"torus:32x32", "dor-balanced", "uniform", 0.3, Reuse::Auto, 2, 4},
    {"torus:32x32", "dor", "transpose", 0.2, Reuse::Empty},
    {"rdt:32", "adaptive", "uniform", 0.15},
    {"rdt:32", "adaptive", "uniform", 0.3, Reuse::Tail},
    {"torus:64x64", "dor", "uniform", 0.02, Reuse::Empty, 1, 0, 8, true},
    {"mesh:45x37", "", "hotspot:0.2", 0.03, Reuse::Tail, 1, 0, 40},
    {"rdt:32", "", "uniform", 0.1},
    {"hypercube:11", "", "complement", 0.2},
};

Options options_of(const Case& c) {
    Options options;
    options.traffic = c.traffic;
    options.load = c.load;
    options.reuse = c.reuse;
    options.injection = c.injection;
    options.queue = c.queue;
    options.flits = c.flits;
    options.drain = c.drain;
    options.ties = lab::Ties::Random;
    options.cycles = 700;
    options.warmup = 200;
    options.seed = seed_or(1);
    return options;
}

TEST(lab_threads, shared_runs_give_what_one_thread_gives) {
    for (const Case& c : Cases) {
        const auto network = make_network(c.net);
        const auto routing = make_routing(*network, c.routing);
        Options options = options_of(c);
        const Outcome alone = outcome_of(*network, *routing, options);
        EXPECT_GT(alone.log.size(), 100u) << c.net;
        for (const Sharing sharing : {Sharing::IfItPays, Sharing::Always, Sharing::Sometimes})
            for (const unsigned threads : {2u, 3u}) {
                if (threads == 3 && sharing != Sharing::Always) continue;
                options.sharing = sharing;
                options.threads = threads;
                EXPECT_TRUE(outcome_of(*network, *routing, options) == alone)
                    << c.net << " load " << c.load << " threads " << threads << " sharing "
                    << int(sharing) << " seed " << options.seed;
            }
        ++options.seed;
        EXPECT_FALSE(outcome_of(*network, *routing, options) == alone) << c.net;
    }
}

uint64_t shared_clocks(const char* net, Sharing sharing) {
    const auto network = make_network(net);
    const auto routing = make_routing(*network, "");
    Options options;
    options.threads = 2;
    options.sharing = sharing;
    lab::Simulator simulator(*network, *routing, options, nullptr);
    simulator.run(700, true);
    EXPECT_GT(simulator.statistics().delivered, 0u);
    return simulator.shared_clocks();
}

// The claims above are about cycles that were shared.
TEST(lab_threads, a_cycle_is_shared_when_required) {
    EXPECT_EQ(shared_clocks("torus:32x32", Sharing::Always), 700u);
    EXPECT_EQ(shared_clocks("torus:32x32", Sharing::Sometimes), 350u);
    EXPECT_EQ(shared_clocks("torus:16x16", Sharing::Always), 0u);
}

// Sends packets that leave some node out of the network.
class Wrong : public Routing {
public:
    explicit Wrong(const Routing& routing) : m_routing(routing) {}
    uint32_t vcs() const override { return m_routing.vcs(); }
    RouteTag start(NodeId from, NodeId to) const override { return m_routing.start(from, to); }
    void next(NodeId at, NodeId to, const RouteTag& tag, OutChannel in,
              Choices& out) const override {
        m_routing.next(at, to, tag, in, out);
        if (at != 1000) return;
        out.clear();
        out.add(99, 0);
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        return m_routing.advance(at, tag, taken);
    }

private:
    const Routing& m_routing;
};

TEST(lab_threads, a_routing_error_in_any_lane_ends_the_run) {
    const auto network = make_network("torus:32x32");
    const auto routing = make_routing(*network, "");
    Options options;
    options.threads = 2;
    options.sharing = Sharing::Always;
    try {
        lab::simulate(*network, Wrong(*routing), options);
        FAIL() << "no error";
    } catch (const std::logic_error& e) {
        EXPECT_NE(std::string(e.what()).find("no port 99"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace rdt::tb
