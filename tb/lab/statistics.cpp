// SPDX-License-Identifier: MIT
// Intervals, warm-up and saturation: against numbers of textbooks, known series and plain sweeps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <tuple>

#include <rdt/lab/loads.h>
#include <rdt/lab/replicas.h>
#include <rdt/lab/result_text.h>
#include <rdt/support/batches.h>
#include <rdt/support/random.h>
#include "common/run_options.h"

namespace {

using rdt::lab::Interval;
using rdt::lab::Options;

// Between 0 and 1.
double uniform(rdt::SplitMix& random) { return double(random.next() >> 11) / double(1ull << 53); }

TEST(statistics, interval_of_a_known_sample) {
    // Mean 3, standard deviation sqrt(2.5), t(4) = 2.776.
    const Interval i = rdt::lab::interval_of({1, 2, 3, 4, 5});
    EXPECT_DOUBLE_EQ(i.mean, 3);
    EXPECT_NEAR(i.half, 2.776 * std::sqrt(2.5 / 5), 1e-9);
    EXPECT_EQ(rdt::lab::interval_of({7}).half, 0);
    EXPECT_NEAR(rdt::student_95(31), 2.040, 1e-3);
    EXPECT_NEAR(rdt::student_95(120), 1.980, 1e-3);
}

TEST(statistics, intervals_hold_the_truth_in_95_of_100_cases) {
    rdt::SplitMix random(1);
    int holds = 0;
    for (int i = 0; i < 4000; ++i) {
        std::vector<double> values;
        for (int k = 0; k < 5; ++k) values.push_back(uniform(random) + uniform(random));
        const Interval interval = rdt::lab::interval_of(values);
        holds += interval.low() <= 1 && 1 <= interval.high() ? 1 : 0;
    }
    EXPECT_NEAR(holds / 4000.0, 0.95, 0.015);
}

TEST(statistics, only_the_initial_transient_is_excluded) {
    rdt::SplitMix random(2);
    std::vector<double> settling, settled;
    for (int i = 0; i < 128; ++i) {
        const double noise = uniform(random);
        settled.push_back(50 + noise);
        settling.push_back(50 + noise - (i < 30 ? 30 - i : 0));
    }
    EXPECT_NEAR(double(rdt::lab::truncation_by_mser(settling)), 30, 3);
    EXPECT_LT(rdt::lab::truncation_by_mser(settled), 64u);
    EXPECT_EQ(rdt::lab::truncation_by_mser(std::vector<double>(10, 1.0)), 0u);
}

TEST(statistics, batches_leave_out_what_is_over) {
    EXPECT_EQ(rdt::lab::batch_means({9, 1, 3, 5, 7}, 2), (std::vector<double>{2, 6}));
    EXPECT_EQ(rdt::lab::batch_means({1, 2}, 16), (std::vector<double>{1, 2}));
}

TEST(statistics, slices_add_up_to_the_run) {
    const auto network = rdt::make_network("torus:8x8");
    const auto routing = rdt::make_routing(*network, "");
    Options o;
    o.cycles = 5000;
    o.warmup = 1000;
    o.load = 0.2;
    const auto r = rdt::lab::simulate(*network, *routing, o);
    uint64_t generated = 0, arrived = 0;
    for (const auto& slice : r.slices) {
        generated += slice.generated;
        arrived += slice.arrived;
    }
    EXPECT_EQ(generated, r.generated);
    EXPECT_EQ(arrived, r.delivered);
    EXPECT_GT(r.accepted_half, 0);
    EXPECT_GT(r.network.half, 0);
    EXPECT_GT(r.total.half, r.network.half) << "waiting varies most";
}

TEST(statistics, replicas_are_the_runs_of_their_seeds) {
    const auto network = rdt::make_network("rdt:8");
    const auto routing = rdt::make_routing(*network, "");
    Options o;
    o.cycles = 2000;
    o.warmup = 500;
    o.seed = 3;
    const auto one = rdt::lab::replicate(*network, *routing, o, 4, 1);
    const auto many = rdt::lab::replicate(*network, *routing, o, 4, 3);
    EXPECT_EQ(one.latency.mean, many.latency.mean);
    EXPECT_EQ(one.accepted.half, many.accepted.half);
    o.seed = 5;
    EXPECT_EQ(one.runs[2].network.mean, rdt::lab::simulate(*network, *routing, o).network.mean);
}

// All that is written of a run.
std::string text_of(const rdt::lab::SimulationResult& r, const rdt::Network& network) {
    std::string text = rdt::lab::result_json(r, network).dump();
    for (const rdt::lab::Slice& s : r.slices)
        text += " " + std::to_string(s.generated) + " " + std::to_string(s.latency);
    return text;
}

// Replicas of these networks lie side by side; one with a deadlock is simulated again on its own.
TEST(statistics, replicas_side_by_side_are_runs_of_their_own) {
    struct Case {
        const char* net;
        const char* routing;
        const char* traffic;
        double load;
        uint32_t injection = 1;
        uint32_t queue = 0;
        uint32_t flits = 16;
        uint32_t buffer = 4;
    };
    const Case cases[] = {
        {"torus:8x8", "", "uniform", 0.1, 1, 0, 16, 16},
        {"torus:8x8", "dor", "hotspot:0.3", 0.5},
        {"torus:9x9", "", "uniform", 0.02},
        {"rdt:8", "adaptive", "uniform", 0.3},
        {"rdt:16", "adaptive", "tornado", 0.5},
        {"mesh:5x7", "", "uniform", 0.3, 2, 3, 5, 7},
        {"mesh:11x13", "", "neighbor", 0.2, 1, 0, 1, 2},
        {"torus:8x8", "shortest", "uniform", 0.8},
    };
    bool any_deadlock = false;
    for (const Case& c : cases) {
        const auto network = rdt::make_network(c.net);
        const auto routing = rdt::make_routing(*network, c.routing);
        Options o;
        o.traffic = c.traffic;
        o.load = c.load;
        o.injection = c.injection;
        o.queue = c.queue;
        o.flits = c.flits;
        o.header = std::min(o.header, c.flits);
        o.buffer = c.buffer;
        o.ties = rdt::lab::Ties::Random;
        o.cycles = 1500;
        o.warmup = 300;
        o.seed = rdt::tb::seed_or(1);
        const auto all = rdt::lab::replicate(*network, *routing, o, 11, 2);
        ASSERT_EQ(all.runs.size(), 11u);
        any_deadlock = any_deadlock || all.deadlock();
        for (const auto& run : all.runs) {
            const auto own = rdt::lab::simulate(*network, *routing, o);
            EXPECT_GT(own.delivered, 0u);
            EXPECT_EQ(text_of(run, *network), text_of(own, *network))
                << c.net << " " << c.routing << " seed " << o.seed;
            ++o.seed;
        }
    }
    EXPECT_TRUE(any_deadlock);
}

TEST(statistics, warmup_leaves_out_what_is_faster_than_the_rest_and_not_more_than_half) {
    const auto network = rdt::make_network("torus:16x16");
    const auto routing = rdt::make_routing(*network, "");
    Options o;
    o.cycles = 8000;
    o.load = 0.01;
    const uint64_t idle = rdt::lab::warmup_by_mser(*network, *routing, o);
    EXPECT_LE(idle, 4200u);
    o.load = 0.5;  // far too much: the first packets find the network empty, the others do not
    o.warmup = rdt::lab::warmup_by_mser(*network, *routing, o);
    EXPECT_GT(o.warmup, 0u);
    const auto r = rdt::lab::simulate(*network, *routing, o);
    uint64_t arrived = 0, latency = 0;
    for (size_t i = 0; i < o.warmup / r.slice_clocks; ++i) {
        arrived += r.slices[i].arrived;
        latency += r.slices[i].latency;
    }
    ASSERT_GT(arrived, 0u);
    EXPECT_LT(double(latency) / double(arrived), 0.8 * r.network.mean);
}

// Half of the loads are near where they saturate, by sweeps.
TEST(statistics, a_run_that_stops_when_saturated_would_have_been_so_at_its_end) {
    struct Case {
        const char* network;
        const char* traffic;
        double near;
    };
    size_t saturated = 0, stopped = 0;
    for (const Case& c : {Case{"torus:8x8", "uniform", 0.35}, Case{"rdt:16", "uniform", 0.29},
                          Case{"hypercube:8", "uniform", 0.6}, Case{"rdt:16", "hotspot", 0.027}}) {
        const auto network = rdt::make_network(c.network);
        const auto routing = rdt::make_routing(*network, "");
        for (const double share : {0.5, 0.9, 0.95, 1.0, 1.05, 1.1, 1.3, 1.6})
            for (uint64_t seed : {1, 2, 3}) {
                Options o;
                o.traffic = c.traffic;
                o.cycles = 4000;
                o.load = share * c.near;
                o.seed = seed;
                const auto whole = rdt::lab::simulate(*network, *routing, o);
                o.stop_when_saturated = true;
                const auto r = rdt::lab::simulate(*network, *routing, o);
                EXPECT_EQ(r.saturated, whole.saturated) << c.network << " at " << o.load;
                if (!r.saturated) {
                    EXPECT_EQ(r.accepted, whole.accepted);
                }
                saturated += whole.saturated ? 1 : 0;
                stopped += r.clocks < whole.clocks ? 1 : 0;
            }
    }
    EXPECT_GT(saturated, 24u);  // out of 96
    EXPECT_LT(saturated, 72u);
    EXPECT_GT(stopped, saturated / 3);
}

TEST(statistics, saturation_is_where_a_sweep_finds_it) {
    const auto network = rdt::make_network("torus:8x8");
    const auto routing = rdt::make_routing(*network, "");
    Options o;
    o.cycles = 4000;
    o.warmup = 1000;
    rdt::lab::SaturationOptions how;
    how.seeds = 3;
    how.jobs = 1;
    const auto s = rdt::lab::find_saturation(*network, *routing, o, how);
    how.jobs = 2;
    EXPECT_EQ(rdt::lab::find_saturation(*network, *routing, o, how).by_seed, s.by_seed);
    for (uint32_t i = 0; i < 3; ++i) {
        Options point = o;
        point.seed += i;
        point.load = s.by_seed[i] * 0.9;
        EXPECT_FALSE(rdt::lab::simulate(*network, *routing, point).saturated);
        point.load = s.by_seed[i] * 1.1;
        EXPECT_TRUE(rdt::lab::simulate(*network, *routing, point).saturated);
    }
    EXPECT_GT(s.load.half, 0);
    EXPECT_LT(s.load.half, 0.2 * s.load.mean);
    EXPECT_NEAR(s.accepted.mean, s.load.mean, 0.08 * s.load.mean);
    how.most = 0.02;
    const auto below = rdt::lab::find_saturation(*network, *routing, o, how);
    EXPECT_TRUE(below.beyond);
    EXPECT_DOUBLE_EQ(below.load.mean, 0.02);
}

rdt::lab::Saturation saturation_of_torus(uint64_t cycles, uint64_t warmup, double most) {
    const auto network = rdt::make_network("torus:16x16");
    const auto routing = rdt::make_routing(*network, "");
    Options o;
    o.cycles = cycles;
    o.warmup = warmup;
    rdt::lab::SaturationOptions how;
    how.seeds = 2;
    how.most = most;
    return rdt::lab::find_saturation(*network, *routing, o, how);
}

// All links of the torus are busy at 0.5, so bisection from 1 takes the same runs as from 0.5.
TEST(statistics, loads_that_need_more_links_than_there_are_get_no_run) {
    const auto from_1 = saturation_of_torus(1500, 500, 1);
    const auto from_half = saturation_of_torus(1500, 500, 0.5);
    EXPECT_EQ(from_1.by_seed, from_half.by_seed);
    EXPECT_EQ(from_1.runs, from_half.runs);
}

// In a few cycles no packet is late, so such runs are not saturated at any load.
TEST(statistics, load_above_what_links_carry_is_too_high_only_if_a_run_shows_it) {
    const auto s = saturation_of_torus(104, 100, 1);
    EXPECT_TRUE(s.beyond);
    EXPECT_EQ(s.load.mean, 1);
}

struct LargeTorus {
    std::unique_ptr<rdt::Network> network = rdt::make_network("torus:128x128");
    std::unique_ptr<rdt::Routing> routing = rdt::make_routing(*network, "dor-balanced");
    Options options;
    rdt::lab::SaturationOptions how;

    LargeTorus() {
        options.ties = rdt::lab::Ties::Random;
        how.seeds = 2;
        how.by_accuracy = true;
    }
    rdt::lab::Saturation saturation() const {
        return rdt::lab::find_saturation(*network, *routing, options, how);
    }
};

// Full-length runs give 0.0315 +- 0.0005 with five seeds.
TEST(statistics, lengths_by_accuracy_find_the_saturation_of_full_length_runs) {
    LargeTorus torus;
    const auto s = torus.saturation();
    EXPECT_TRUE(s.by_accuracy);
    EXPECT_NEAR(s.load.mean, 0.0315, 0.0015);
    EXPECT_LT(s.cycles, 3 * torus.options.cycles);
    torus.how.jobs = 1;
    EXPECT_EQ(torus.saturation().by_seed, s.by_seed);
}

TEST(statistics, lengths_by_accuracy_give_the_throughput_at_the_highest_rate_allowed) {
    LargeTorus torus;
    torus.how.most = 0.02;
    const auto s = torus.saturation();
    EXPECT_TRUE(s.beyond);
    EXPECT_NEAR(s.accepted.mean, 0.02, 0.001);
    // Stopped in the first run.
    torus.options.progress = [](uint64_t) { return false; };
    const auto stopped = torus.saturation();
    EXPECT_TRUE(stopped.stopped);
    EXPECT_FALSE(stopped.beyond);
}

TEST(statistics, more_packets_in_a_channel_than_its_ring_has_places_are_refused) {
    const auto network = rdt::make_network("torus:4x4");
    const auto routing = rdt::make_routing(*network, "");
    Options o;
    o.flits = 1;
    o.header = 1;
    o.buffer = 252;
    rdt::lab::check(o, *network, *routing);
    o.buffer = 253;
    EXPECT_THROW(rdt::lab::check(o, *network, *routing), rdt::lab::OptionError);
    o.flits = 2;
    rdt::lab::check(o, *network, *routing);
}

// Runs with RDT_SEEDS seeds from RDT_SEED on, at 0.9 of the load that saturates the network. Seeds
// whose run is too short have no interval and do not count.
struct Runs {
    std::vector<rdt::lab::SimulationResult> known;
    double total = 0;  // mean latencies of all packets of all runs and of a long one
    double network = 0;
};

Runs runs_near_saturation(const char* net, double load, uint64_t cycles, uint64_t seeds) {
    const auto network = rdt::make_network(net);
    const auto routing = rdt::make_routing(*network, "");
    Options o;
    o.load = load;
    o.ties = rdt::lab::Ties::Random;
    Runs runs;
    double packets = 0;
    const uint64_t first = rdt::tb::from_environment("RDT_SEED", 1);
    for (uint64_t i = 0; i <= seeds; ++i) {
        o.seed = i == 0 ? 99999 : first + i - 1;
        o.cycles = i == 0 ? 1500000 : cycles;
        const auto r = rdt::lab::simulate(*network, *routing, o);
        packets += double(r.measured);
        runs.total += r.total.mean * double(r.measured);
        runs.network += r.network.mean * double(r.measured);
        if (i > 0 && !r.saturated && !r.is_short) runs.known.push_back(r);
    }
    runs.total /= packets;
    runs.network /= packets;
    return runs;
}

// 90 % of 200 seeds; of fewer as many as chance allows (two standard deviations). Whether intervals
// half as wide, an injected error, hold too few.
template <typename Error, typename Half>
bool expect_covered(const Runs& runs, const char* what, Error error, Half half) {
    const size_t count = runs.known.size();
    const double share = count >= 150 ? 0.9 : 0.9 - 2 * std::sqrt(0.9 * 0.1 / double(count));
    size_t held = 0, held_by_half = 0;
    for (const auto& r : runs.known) {
        held += std::abs(error(r)) <= half(r) ? 1 : 0;
        held_by_half += std::abs(error(r)) <= half(r) / 2 ? 1 : 0;
    }
    std::printf("%s: %zu of %zu intervals hold it, %zu if half as wide\n", what, held, count,
                held_by_half);
    EXPECT_GE(double(held), share * double(count)) << what;
    return double(held_by_half) < share * double(count);
}

class CoverageNearSaturation
    : public testing::TestWithParam<std::tuple<const char*, double, uint64_t>> {};

TEST_P(CoverageNearSaturation, is_90_percent) {
    using Result = rdt::lab::SimulationResult;
    const auto [net, load, cycles] = GetParam();
    const double offered = load;  // lambdas cannot name parts of a tuple
    const uint64_t seeds = rdt::tb::from_environment("RDT_SEEDS", 12);
    const Runs runs = runs_near_saturation(net, load, cycles, seeds);
    ASSERT_GE(runs.known.size(), seeds / 2) << "too short a run for this test";
    const bool in_total = expect_covered(
        runs, "packet latency", [&](const Result& r) { return r.total.mean - runs.total; },
        [](const Result& r) { return r.total.half; });
    const bool in_network = expect_covered(
        runs, "network latency", [&](const Result& r) { return r.network.mean - runs.network; },
        [](const Result& r) { return r.network.half; });
    // A network that is not saturated accepts what is generated.
    expect_covered(
        runs, "throughput", [&](const Result& r) { return r.accepted - offered; },
        [](const Result& r) { return r.accepted_half; });
    constexpr size_t Enough = 60;
    if (runs.known.size() >= Enough) {
        EXPECT_TRUE(in_total || in_network) << "intervals half as wide were not detected";
    }
    rdt::tb::print_count(seeds, "runs");
}
// 0.9 of the 0.350 and 0.574 that `rdt lab saturation` finds.
INSTANTIATE_TEST_SUITE_P(networks, CoverageNearSaturation,
                         testing::Values(std::tuple("torus:8x8", 0.315, 260000),
                                         std::tuple("rdt:8", 0.517, 260000)));

TEST(statistics, short_runs_near_saturation_have_no_interval) {
    const auto network = rdt::make_network("torus:8x8");
    const auto routing = rdt::make_routing(*network, "");
    Options o;
    o.load = 0.315;
    o.ties = rdt::lab::Ties::Random;
    for (o.seed = 1; o.seed <= 20; ++o.seed) {
        const auto r = rdt::lab::simulate(*network, *routing, o);
        EXPECT_TRUE(r.is_short || r.saturated) << o.seed;
        EXPECT_TRUE(std::isnan(r.total.half) && std::isnan(r.network.half)) << o.seed;
        EXPECT_GT(r.cycles_needed, o.cycles) << o.seed;
    }
}

// Six batches of an autoregressive series: without the correction for their correlation 95 % are
// not reached by far.
TEST(statistics, correlated_stretches_widen_the_interval) {
    rdt::SplitMix random(3);
    int holds = 0, narrow = 0;
    constexpr int Cases = 2000;
    for (int i = 0; i < Cases; ++i) {
        std::vector<rdt::Stretch> correlated;
        double state = 0;
        for (int k = 0; k < 120; ++k) {
            state = 0.9 * state + uniform(random) - 0.5;
            correlated.push_back({1, 10 + state});
        }
        double sum = 0;
        for (const auto& s : correlated) sum += s.sum;
        std::vector<double> values;
        for (const auto& s : correlated) values.push_back(s.sum);
        holds += std::abs(sum / 120 - 10) <= rdt::half_interval(correlated) ? 1 : 0;
        narrow += std::abs(sum / 120 - 10) <= rdt::lab::interval_of(values).half ? 1 : 0;
    }
    EXPECT_GT(holds, 0.9 * Cases);
    EXPECT_LT(narrow, 0.6 * Cases) << "the series is not correlated";
}

TEST(statistics, stretches_of_a_long_run_become_longer) {
    rdt::Stretches s;
    double sum = 0;
    for (int i = 0; i < 100000; ++i) {
        s.add(i);
        s.cycle();
    }
    EXPECT_LT(s.all().size(), 192u);
    EXPECT_GE(s.all().size(), 96u);
    double count = 0;
    for (const rdt::Stretch& stretch : s.all()) {
        EXPECT_EQ(stretch.count, s.all()[0].count);
        count += stretch.count;
        sum += stretch.sum;
    }
    EXPECT_GT(count, 98000);
    EXPECT_DOUBLE_EQ(sum, count * (count - 1) / 2);
    EXPECT_TRUE(std::isnan(rdt::half_interval({{1, 1}, {1, 2}})));
}

}  // namespace
