// SPDX-License-Identifier: MIT
#include <rdt/lab/continued_run.h>

#include <algorithm>
#include <cmath>

#include <rdt/lab/simulator.h>

namespace rdt::lab {

namespace {

// Whether packets of another seed go to other nodes, as with hot spots.
bool depends_on_seed(const Network& network, const Options& options, uint64_t seed) {
    constexpr uint32_t Samples = 256;
    const Traffic one(network, options.traffic, options.seed, options.down);
    const Traffic other(network, options.traffic, seed, options.down);
    Random random(1), same(1);
    for (uint32_t i = 0; i < Samples; ++i) {
        const NodeId source = uint32_t(uint64_t(network.nodes()) * i / Samples);
        if (one.destination(source, random) != other.destination(source, same)) return true;
    }
    return false;
}

// Runs that are not measured: statistics keep only totals.
Options unmeasured(Options options) {
    options.cycles = 1;
    options.warmup = 0;
    options.threads = 1;
    return options;
}

}  // namespace

uint64_t transit_of(double mean_hops, const Options& options) {
    const double alone = (mean_hops + 1) * (options.header + 2) + options.flits - 1;
    return std::max(uint64_t(std::ceil(alone)), uint64_t(16) * options.flits);
}

ContinuedRun::ContinuedRun(const Network& network, const Routing& routing, const Options& options,
                           uint64_t transit)
    : m_network(network), m_routing(routing), m_options(unmeasured(options)), m_transit(transit) {}

ContinuedRun::ContinuedRun(const ContinuedRun& other, uint64_t seed)
    : m_network(other.m_network),
      m_routing(other.m_routing),
      m_options(other.m_options),
      m_transit(other.m_transit) {
    if (depends_on_seed(m_network, m_options, seed)) m_settle = 3 * m_transit;
    m_options.seed = seed;
    if (other.m_state) m_state = std::make_unique<Simulator>(*other.m_state, m_network, m_options);
}

ContinuedRun::~ContinuedRun() = default;
ContinuedRun::ContinuedRun(ContinuedRun&&) noexcept = default;

std::unique_ptr<Simulator> ContinuedRun::begin(double load, uint64_t& settle) const {
    Options options = m_options;
    options.load = load;
    if (!m_state || load < m_options.load) {
        settle = 3 * m_transit;
        return std::make_unique<Simulator>(m_network, m_routing, options, nullptr);
    }
    settle = m_settle + (load > m_options.load ? m_transit * 3 / 2 : 0);
    return std::make_unique<Simulator>(*m_state, m_network, options);
}

void ContinuedRun::measure(Simulator& simulator, const std::function<bool(uint64_t)>& run,
                           bool only_verdict, SimulationResult& r) const {
    constexpr uint64_t Looks = 4, FewestLooks = 2;  // per transit
    constexpr double Accuracy = 0.015;
    const uint64_t MostLooks = Looks * 9000 / m_transit + Looks;  // few packets
    const Statistics& s = simulator.statistics();
    const uint64_t generated = s.generated, delivered = s.delivered, refused = s.refused;
    const uint64_t from = simulator.now();
    bool is_known = false;
    for (uint64_t look = 1; !is_known && !r.stopped && simulator.deadlock().empty(); ++look) {
        r.stopped = !run(from + m_transit * look / Looks);
        r.generated = s.generated - generated;
        r.delivered = s.delivered - delivered;
        r.refused = s.refused - refused;
        const double offered = std::max(1.0, double(r.generated));
        const double behind = (offered - double(r.delivered)) / offered;
        r.saturated = r.refused > 0 || behind > MostBehindSoon;
        // Two standard deviations of the difference of two numbers of independent packets.
        const double half = 2 * std::sqrt(2 / offered);
        is_known =
            (only_verdict && look >= FewestLooks && std::abs(behind - MostBehindSoon) > half) ||
            (look >= Looks && half <= Accuracy) || look == MostLooks;
    }
    const double node_cycles =
        double(std::max<uint64_t>(1, simulator.now() - from)) * m_network.nodes();
    r.accepted = double(r.delivered) * m_options.flits / node_cycles;
}

SimulationResult ContinuedRun::probe(double load, bool only_verdict, const Progress& progress) {
    constexpr uint64_t NodeCycles = 1 << 20;  // some hundredths of a second
    const uint64_t stretch = std::max<uint64_t>(1, NodeCycles / m_network.nodes());
    SimulationResult r;
    uint64_t settle = 0;
    auto simulator = begin(load, settle);
    const uint64_t from = simulator->now();
    const auto run = [&](uint64_t end) {
        while (simulator->now() < end && simulator->deadlock().empty()) {
            simulator->run(std::min(end, simulator->now() + stretch), true);
            if (progress && !progress(simulator->now() - from)) return false;
        }
        return true;
    };
    r.stopped = !run(from + settle);
    if (!r.stopped) measure(*simulator, run, only_verdict, r);
    r.deadlock = simulator->deadlock().empty() && r.saturated ? simulator->find_deadlock()
                                                              : simulator->deadlock();
    r.clocks = simulator->now() - from;
    r.senders = simulator->senders();
    if (r.saturated || r.stopped || !r.deadlock.empty()) return r;
    m_state = std::move(simulator);
    m_options.load = load;
    m_settle = 0;
    return r;
}

}  // namespace rdt::lab
