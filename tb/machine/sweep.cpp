// SPDX-License-Identifier: MIT
// A sweep ends at saturation, continues where it stopped, and does not take a file for another.
#include <gtest/gtest.h>
#include <unistd.h>

#include <rdt/support/output.h>
#include "machine/program.h"
#include <rdt/machine/measure/sweep.h>
#include <rdt/machine/traffic/synthetic.h>
#include <rdt/support/saturation.h>

namespace rdt::tb {
namespace {

using machine::Sweep;
using machine::sweep;
using machine::SweepPoint;
using machine::Swept;

// A machine that carries 0.5, with a latency that grows beside it.
SweepPoint imagined(double load) {
    SweepPoint p;
    p.load = p.offered = load;
    p.accepted = std::min(load, 0.5);
    p.latency_mean = 40 / (1 - std::min(load, 0.6));
    p.count = 1000;
    p.saturated = is_saturated(uint64_t(100000 * p.offered), uint64_t(100000 * p.accepted), 0, 64);
    return p;
}

SweepOptions options_of(unsigned jobs) {
    SweepOptions o;
    for (int i = 1; i <= 10; ++i) o.loads.push_back(i / 10.0);
    o.jobs = jobs;
    return o;
}

std::vector<double> loads_of(const std::vector<SweepPoint>& points) {
    std::vector<double> loads;
    for (const SweepPoint& p : points) loads.push_back(p.load);
    return loads;
}

TEST(sweep, ends_at_the_first_saturated_point_however_many_jobs_there_are) {
    for (const unsigned jobs : {1u, 2u, 8u}) {
        const Sweep s = sweep(options_of(jobs), {}, imagined);
        EXPECT_TRUE(s.saturated);
        EXPECT_FALSE(s.stopped);
        EXPECT_EQ(loads_of(s.points), (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}));
    }
}

TEST(sweep, sweep_continues_past_saturation_on_request) {
    SweepOptions o = options_of(2);
    o.past_saturation = true;
    const Sweep s = sweep(o, {}, imagined);
    EXPECT_TRUE(s.saturated);
    EXPECT_EQ(loads_of(s.points), o.loads);
}

TEST(saturation, is_more_than_a_twentieth_and_half_a_packet_a_node_behind) {
    EXPECT_FALSE(is_saturated(10000, 9500, 0, 64));
    EXPECT_TRUE(is_saturated(10000, 9499, 0, 64));
    // Packets in flight at the end of a short run.
    EXPECT_FALSE(is_saturated(100, 68, 0, 64));
    EXPECT_TRUE(is_saturated(100, 67, 0, 64));
    EXPECT_FALSE(is_saturated(0, 0, 0, 64));
    EXPECT_FALSE(is_saturated(100, 400, 0, 64)) << "packets from before the measurement";
    EXPECT_TRUE(is_saturated(10000, 10000, 1, 64)) << "a full queue";
}

// Multicasts deliver more copies than packets are sent; few copies do not mean saturation.
TEST(saturation, saturation_of_multicasts_counts_every_copy) {
    const auto run_at = [](double load, uint32_t queue) {
        const auto machine = machine::make_machine({});
        machine->bring_up();
        machine::SyntheticOptions traffic;
        traffic.load = load;
        traffic.multicasts = 0.5;
        traffic.density = 0.5;
        traffic.queue = queue;
        machine::Synthetic workload(*machine, traffic);
        machine::RunOptions options;
        options.warmup = 1000;
        options.cycles = 4000;
        return machine::run(*machine, workload, options);
    };
    const machine::RunResult below = run_at(0.01, 0);
    EXPECT_GT(below.accepted, 4 * below.offered);
    EXPECT_FALSE(below.saturated);
    const machine::RunResult above = run_at(0.2, 0);
    EXPECT_GT(above.accepted, above.offered) << "by flits alone it would seem to carry them";
    EXPECT_TRUE(above.saturated);
    EXPECT_TRUE(run_at(0.2, 4).saturated) << "what is turned away was not offered";
}

TEST(sweep, measures_only_what_is_missing) {
    const std::vector<SweepPoint> known{imagined(0.1), imagined(0.2), imagined(0.4)};
    std::vector<size_t> saved;
    const auto measure = [](double load) {
        if (load < 0.25 || (load > 0.35 && load < 0.45)) throw std::runtime_error("measured again");
        return imagined(load);
    };
    const Sweep s =
        sweep(options_of(1), known, measure,
              [&](const std::vector<SweepPoint>& points) { saved.push_back(points.size()); });
    EXPECT_EQ(s.points.size(), 6u);
    EXPECT_EQ(saved, (std::vector<size_t>{4, 5, 6}));
}

TEST(sweep, complete_sweep_measures_nothing) {
    const Sweep first = sweep(options_of(2), {}, imagined);
    const Sweep again = sweep(options_of(2), first.points,
                              [](double) -> SweepPoint { throw std::runtime_error("measured"); });
    EXPECT_EQ(loads_of(again.points), loads_of(first.points));
    EXPECT_TRUE(again.saturated);
}

TEST(sweep, can_be_stopped_and_keeps_what_it_has) {
    SweepOptions o = options_of(1);
    size_t points = 0;
    o.is_stopped = [&] { return points == 2; };
    const Sweep s =
        sweep(o, {}, imagined, [&](const std::vector<SweepPoint>& p) { points = p.size(); });
    EXPECT_EQ(s.points.size(), 2u);
    EXPECT_FALSE(s.saturated);
}

TEST(sweep, errors_name_the_injection_rate) {
    const auto broken = [](double load) {
        if (load > 0.25) throw std::runtime_error("models differ");
        return imagined(load);
    };
    try {
        sweep(options_of(1), {}, broken);
        FAIL() << "nothing was thrown";
    } catch (const machine::SweepError& e) {
        EXPECT_STREQ(e.what(), "at injection rate 0.3: models differ");
    }
    EXPECT_THROW(sweep(options_of(1), {}, [](double) -> SweepPoint { _exit(3); }),
                 machine::SweepError);
}

TEST(sweep, a_file_comes_back_as_it_was_written) {
    SweepPoint p = imagined(1.0 / 3);
    p.latency_p99 = 123;
    p.latency_max = 4567;
    p.hops_mean = 2.3;
    p.unqueued_mean = 38.25;
    p.latency_half = 1.5;
    const auto back = machine::from_csv(machine::to_csv({p}, Swept::Packets, "a=1 b=2"),
                                        Swept::Packets, "a=1 b=2");
    ASSERT_EQ(back.size(), 1u);
    EXPECT_EQ(machine::to_csv(back, Swept::Packets, ""), machine::to_csv({p}, Swept::Packets, ""));
    EXPECT_EQ(back[0].load, p.load);
    EXPECT_EQ(back[0].latency_half, p.latency_half);
    EXPECT_TRUE(std::isnan(back[0].accepted_half)) << "not known";
}

TEST(sweep, malformed_files_are_refused) {
    const std::string good = machine::to_csv({imagined(0.1), imagined(0.2)}, Swept::Packets, "a=1");
    const auto read = [](const std::string& text) {
        return machine::from_csv(text, Swept::Packets, "a=1");
    };
    EXPECT_THROW(machine::from_csv(good, Swept::Packets, "a=2"), std::invalid_argument);
    EXPECT_THROW(machine::from_csv(good, Swept::Operations, "a=1"), std::invalid_argument);
    EXPECT_THROW(read(""), std::invalid_argument);
    EXPECT_THROW(read("load,accepted\n"), std::invalid_argument);
    EXPECT_THROW(read("# rdt sweep a=1\nload\n"), std::invalid_argument);
    EXPECT_THROW(read(good + "0.3,zero\n"), std::invalid_argument);
    EXPECT_EQ(read(good + "0.3,1,2,,3,,4,5,6,,7,8,0\n").size(), 3u);
    EXPECT_EQ(read(good + "0.3,1,2,,,,,,,,,0,0\n").size(), 3u) << "nothing was measured";
    EXPECT_THROW(read(good + "0.3,1,2,,,,,,,,,8,0\n"), std::invalid_argument) << "no latency";
    EXPECT_THROW(read(good + "0.3,1,2,,3,,4,5,6,,7,8,0,9\n"), std::invalid_argument);
    EXPECT_THROW(read(good + "0.3,1,2,,3,,4,5,6,,7,8,2\n"), std::invalid_argument)
        << "saturated: 2";
    // Cut off in the middle of the last line.
    EXPECT_EQ(read(good.substr(0, good.size() - 4)).size(), 1u);
}

class SweepProgram : public Program {
protected:
    int sweep(const std::string& options) const {
        return run("sweep --cycles 400 --warmup 100 --from 0.2 --step 0.3 --csv " + file("s.csv") +
                   " " + options);
    }
    int sweep_memory(const std::string& options, const std::string& csv = "s.csv") const {
        return run("sweep --traffic dsm-stencil --operations 1000 --from 0.01 --step 0.04 --csv " +
                   file(csv) + " " + options);
    }
};

TEST_F(SweepProgram, writes_continues_and_guards_its_file) {
    ASSERT_EQ(sweep("--svg " + file("s.svg")), 0) << text("err");
    const std::string csv = text("s.csv");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5) << csv;  // 0.2, 0.5, 0.8
    EXPECT_NE(text("out").find("saturated at the last injection rate"), std::string::npos);
    EXPECT_NE(text("s.svg").find("</svg>"), std::string::npos);
    // Without its last point the file is continued, to the same result.
    write_file(file("s.csv"), csv.substr(0, csv.rfind("\n0.8") + 1));
    ASSERT_EQ(sweep(""), 0);
    EXPECT_EQ(text("s.csv"), csv);
    // Other parameters: nothing is touched.
    EXPECT_EQ(sweep("--seed 2"), 2);
    EXPECT_EQ(text("s.csv"), csv);
    const std::string error = text("err");
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
    EXPECT_NE(error.find("other parameters"), std::string::npos) << error;
}

TEST_F(SweepProgram, measures_operations_of_a_shared_memory_until_it_carries_no_more) {
    ASSERT_EQ(sweep_memory("--protocol update --svg " + file("s.svg")), 0) << text("err");
    const std::string csv = text("s.csv");
    EXPECT_NE(text("out").find("saturated at the last injection rate"), std::string::npos)
        << text("out");
    EXPECT_NE(text("s.svg").find("completed operations [per node per cycle]"), std::string::npos);
    EXPECT_NE(csv.find(",operations,saturated\n0.01,"), std::string::npos) << csv;
    const std::string parameters =
        csv.substr(0, csv.find('\n')).substr(std::string("# rdt sweep ").size());
    const auto points = machine::from_csv(csv, Swept::Operations, parameters);
    ASSERT_EQ(points.size(), 2u) << csv;
    EXPECT_NEAR(points[0].offered, 0.01, 0.001);
    EXPECT_NEAR(points[0].accepted, points[0].offered, 0.0005);
    EXPECT_NEAR(double(points[0].count), 1000, 100);
    EXPECT_GT(points[1].accepted, 0.02);
    EXPECT_LT(points[1].accepted, 0.03);
    EXPECT_GT(points[1].latency_mean, 2 * points[1].unqueued_mean) << "nothing waits";
    EXPECT_GT(points[0].unqueued_mean, 10);
    // Without its last point the file is continued, to the same result.
    write_file(file("s.csv"), csv.substr(0, csv.rfind("\n0.05") + 1));
    ASSERT_EQ(sweep_memory("--protocol update"), 0);
    EXPECT_EQ(text("s.csv"), csv);
    // Another protocol, and packets: nothing is touched.
    EXPECT_EQ(sweep_memory("--protocol invalidate"), 2);
    EXPECT_EQ(sweep(""), 2);
    EXPECT_EQ(text("s.csv"), csv);
}

TEST_F(SweepProgram, measures_the_same_memory_on_every_engine) {
    const auto points = [this](const std::string& engine) {
        EXPECT_EQ(sweep_memory("--cycles 300 --warmup 100 --to 0.01 --engine " + engine, engine), 0)
            << text("err");
        return text(engine).substr(text(engine).find('\n'));
    };
    const std::string fast = points("fast");
    EXPECT_NE(fast.find("\n0.01,"), std::string::npos) << fast;
    EXPECT_EQ(points("systemc"), fast);
    EXPECT_EQ(points("rtl"), fast);
}

TEST_F(SweepProgram, wrong_options_are_one_line_and_exit_code_2) {
    for (const char* options :
         {"--traffic nonsense", "--from 0.9 --to 0.1", "--size 9", "--jobs 0",
          "--svg /nowhere/x.svg", "--flits x", "--nonsense", "--traffic dsm-nonsense",
          "--traffic dsm-stencil --torus", "--traffic dsm-stencil --from 0",
          "--traffic dsm-stencil --to 2", "--traffic dsm-stencil --lines 0",
          "--traffic dsm-stencil --operations 0"})
        expect_refused("sweep --csv " + file("s.csv") + " " + options);
}

}  // namespace
}  // namespace rdt::tb
