// SPDX-License-Identifier: MIT
// rdt.run() and rdt.sweep(): the machine on the fast engine. Arguments are the options of the
// program by their names.
#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include <rdt/dsm/options.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/measure/sweep.h>
#include <rdt/machine/traffic/scheme_names.h>
#include <rdt/machine/traffic/barrier_traffic.h>
#include <rdt/machine/traffic/trace.h>

#include "python/interruptible.h"
#include "python/parts.h"
#include "python/values.h"

namespace rdt::python {

namespace py = pybind11;

namespace {

constexpr uint64_t DrainLimit = 1000000;

struct Settings {
    machine::Config machine;
    machine::SyntheticOptions traffic;
    machine::RunOptions run;
    std::string trace;
};

// 16 or "5-16".
void read_flits(const py::object& flits, machine::SyntheticOptions& traffic) {
    const std::string text = py::str(flits);
    const size_t dash = text.find('-');
    const auto read = [&text](const std::string& part) {
        uint32_t value = 0;
        const char* end = part.data() + part.size();
        const auto [at, error] = std::from_chars(part.data(), end, value);
        if (error != std::errc() || at != end)
            throw std::invalid_argument(
                "flits: must be a number or a range such as \"5-16\", not " + text);
        return value;
    };
    traffic.flits_min = read(text.substr(0, dash));
    traffic.flits_max = dash == std::string::npos ? traffic.flits_min : read(text.substr(dash + 1));
}

// The C++ value of an argument. An integer out of range is a ValueError, a wrong type a TypeError.
template <class T>
T converted(const char* name, const py::handle& value) {
    try {
        return py::cast<T>(value);
    } catch (const py::cast_error&) {
        const std::string given = py::repr(value);
        if (std::is_integral_v<T> && py::isinstance<py::int_>(value))
            throw py::value_error(fmt::format("{} is out of range: {}", name, given));
        const char* expected = std::is_same_v<T, bool>       ? "True or False"
                               : std::is_integral_v<T>       ? "an integer"
                               : std::is_floating_point_v<T> ? "a number"
                                                             : "a string";
        throw py::type_error(fmt::format("{} must be {}, not {}", name, expected, given));
    }
}

// Takes the arguments that it knows out of the dictionary.
class Arguments {
public:
    explicit Arguments(const py::kwargs& given) : m_left(py::dict(given)) {}

    template <class T>
    void take(const char* name, T& value) {
        if (!m_left.contains(name)) return;
        value = converted<T>(name, m_left[name]);
        m_left.attr("pop")(name);
    }
    py::object take(const char* name) {
        return m_left.contains(name) ? py::object(m_left.attr("pop")(name)) : py::none();
    }
    void refuse_others(const char* function) const {
        if (m_left.empty()) return;
        throw py::type_error(fmt::format("{}() has no argument {}", function,
                                         std::string(py::str(m_left.begin()->first))));
    }

private:
    py::dict m_left;
};

Settings take_settings(Arguments& a) {
    Settings s;
    bool torus = false;
    std::string engine = "fast";
    a.take("engine", engine);
    // SystemC and RTL allow one simulation per process: only the program has them.
    if (engine != "fast")
        throw std::invalid_argument("engine: must be fast, not " + engine +
                                    "; the program rdt has the other engines");
    a.take("size", s.machine.side);
    a.take("torus", torus);
    s.machine.upper_rank = !torus;
    a.take("t_ent", s.machine.t_ent);
    a.take("t_ack", s.machine.t_ack);
    a.take("timeout", s.machine.timeout);
    a.take("reduce_width", s.machine.reduce_width);
    a.take("entries", s.machine.entries);
    a.take("threads", s.machine.threads);
    a.take("seed", s.machine.seed);
    a.take("traffic", s.traffic.pattern);
    a.take("queue", s.traffic.queue);
    a.take("multicast", s.traffic.multicasts);
    a.take("density", s.traffic.density);
    a.take("acks", s.traffic.acks);
    a.take("jitter", s.traffic.jitter);
    std::string scheme = "sm";
    a.take("scheme", scheme);
    const auto type = machine::multicast_scheme(scheme);
    if (!type) throw std::invalid_argument("scheme: must be sm, lpra or larp, not " + scheme);
    s.traffic.scheme = *type;
    if (const py::object flits = a.take("flits"); !flits.is_none()) read_flits(flits, s.traffic);
    a.take("warmup", s.run.warmup);
    a.take("cycles", s.run.cycles);
    a.take("converge", s.run.tolerance);
    s.traffic.seed = s.run.seed = s.machine.seed;
    return s;
}

machine::RunResult run_one(Settings s, const StopFlag& stop) {
    const auto machine = machine::make_machine(s.machine);
    std::unique_ptr<machine::Workload> workload;
    if (s.trace.empty()) {
        workload = machine::make_workload(*machine, s.traffic);
    } else {
        workload = machine::Trace::open(s.trace, machine->geometry(), s.machine.upper_rank,
                                        s.machine.reduce_width);
        s.run.warmup = 0;
        s.run.cycles = std::numeric_limits<uint64_t>::max();
        s.run.drain = DrainLimit;
    }
    machine->bring_up();
    s.run.progress = [&stop](uint64_t, uint64_t) { return !stop.load(); };
    machine::RunResult result = machine::run(*machine, *workload, s.run);
    if (!result.error.empty() && !stop) throw std::runtime_error(result.error);
    return result;
}

py::object run(const py::kwargs& kwargs) {
    Arguments a(kwargs);
    Settings s = take_settings(a);
    bool drain = false;
    if (machine::BarrierTraffic::is_name(s.traffic.pattern)) s.traffic.load = 0;
    a.take("load", s.traffic.load);
    a.take("outstanding", s.traffic.outstanding);
    a.take("flips", s.run.flips);
    a.take("drain", drain);
    a.take("trace", s.trace);
    a.refuse_others("run");
    if (drain) s.run.drain = DrainLimit;
    s.machine.faults = s.run.flips > 0;
    machine::set_ack_periods(s.machine, s.traffic);
    const machine::RunResult result =
        interruptible([&](const StopFlag& stop) { return run_one(s, stop); });
    return to_python(machine::to_json(result, s.machine));
}

// One load after the other up to the first that is saturated, as rdt sweep does it.
py::object sweep(const py::kwargs& kwargs) {
    Arguments a(kwargs);
    const Settings s = take_settings(a);
    SweepOptions options;
    double from = 0.02, to = 1, step = 0.02;
    a.take("from_", from);
    a.take("to", to);
    a.take("step", step);
    a.take("past_saturation", options.past_saturation);
    if (const py::object loads = a.take("loads"); !loads.is_none())
        for (const py::handle& load : loads)
            options.loads.push_back(converted<double>("loads", load));
    else options.loads = loads_between(from, to, step);
    a.refuse_others("sweep");
    const auto points = interruptible([&](const StopFlag& stop) {
        std::vector<machine::SweepPoint> done;
        SweepOrder order(options);
        while (const auto load = order.next()) {
            Settings at = s;
            at.traffic.load = *load;
            done.push_back(machine::point_of(*load, run_one(at, stop)));
            if (stop) break;
            order.found(*load, done.back().saturated);
        }
        return done;
    });
    using Point = machine::SweepPoint;
    py::dict table;
    table["load"] = column<double>(points, [](const Point& p) { return p.load; });
    table["offered"] = column<double>(points, [](const Point& p) { return p.offered; });
    // Figures that were not measured are NaN.
    const auto known = [&points](auto Point::*figure) {
        return column<double>(points, [figure](const Point& p) {
            return p.count == 0 ? std::nan("") : double(p.*figure);
        });
    };
    table["accepted"] = column<double>(points, [](const Point& p) { return p.accepted; });
    table["accepted_half_interval"] =
        column<double>(points, [](const Point& p) { return p.accepted_half; });
    table["latency_mean"] = known(&Point::latency_mean);
    table["latency_half_interval"] =
        column<double>(points, [](const Point& p) { return p.latency_half; });
    table["latency_p99"] = known(&Point::latency_p99);
    table["latency_max"] = known(&Point::latency_max);
    table["network_latency_mean"] = known(&Point::unqueued_mean);
    table["network_latency_half_interval"] =
        column<double>(points, [](const Point& p) { return p.unqueued_half; });
    table["hops_mean"] = known(&Point::hops_mean);
    table["packets"] = column<uint64_t>(points, [](const Point& p) { return p.count; });
    table["saturated"] = column<bool>(points, [](const Point& p) { return p.saturated; });
    return table;
}

}  // namespace

void add_machine(py::module_& module) {
    module.def("run", &run, R"(Runs the machine; what `rdt run --json` writes about it.

Arguments are the options of rdt run: engine ("fast"), size, torus, load, traffic, flits (a number or
"5-16"), multicast, density, acks, jitter, scheme, outstanding, queue, cycles, warmup, converge, drain, flips,
t_ent, t_ack, timeout, reduce_width, entries, threads, seed; or trace, a file with packets, instead of traffic.)");
    module.def("sweep", &sweep, R"(Latency over load up to saturation, as columns (NumPy arrays).

Arguments are those of run(), and loads, or from_, to and step; past_saturation=True continues to the
last load.)");
}

}  // namespace rdt::python
