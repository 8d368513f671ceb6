// SPDX-License-Identifier: MIT
// rdt.lab() and rdt.lab_sweep(): the flit-level simulator over any network.
#include <pybind11/stl.h>

#include <rdt/lab/lanes.h>
#include <rdt/lab/loads.h>
#include <rdt/lab/result_text.h>
#include <rdt/lab/simulate.h>
#include <rdt/net/graph/facts.h>

#include "python/interruptible.h"
#include "python/parts.h"
#include "python/values.h"

namespace rdt::python {

namespace py = pybind11;

namespace {

struct Subject {
    std::unique_ptr<Network> network;
    std::unique_ptr<Routing> routing;
    std::string routing_name;

    Subject(const std::string& net, const std::string& name, uint32_t lanes)
        : network(make_network(net)),
          routing(make_routing(*network, name)),
          routing_name(rdt::routing_name(*network, name)) {
        if (lanes <= 1) return;
        routing = std::make_unique<lab::Lanes>(std::move(routing), lanes);
        routing_name += " in " + std::to_string(lanes) + " lanes";
    }
};

lab::Options options_of(const std::string& traffic, uint32_t flits, uint32_t header,
                        uint32_t buffer, uint32_t out_buffer, uint32_t injection,
                        const std::string& ties, uint64_t cycles, uint64_t warmup, uint32_t queue,
                        bool drain, uint64_t seed) {
    if (ties != "random" && ties != "rule")
        throw lab::OptionError("ties: must be random or rule, not " + ties);
    lab::Options o;
    o.traffic = traffic;
    o.flits = flits;
    o.header = header;
    o.buffer = buffer;
    o.out_buffer = out_buffer;
    o.injection = injection;
    o.ties = ties == "random" ? lab::Ties::Random : lab::Ties::Rule;
    o.cycles = cycles;
    o.warmup = warmup;
    o.queue = queue;
    o.drain = drain;
    o.seed = seed;
    return o;
}

py::object point(const Subject& s, lab::Options o, double load) {
    o.load = load;
    // Determined by a trial run, which cannot be interrupted.
    o.reuse = lab::resolve(o.reuse, *s.network, *s.routing);
    const lab::SimulationResult result = interruptible([&](const StopFlag& stop) {
        return lab::simulate(*s.network, StoppableRouting(*s.routing, stop), o);
    });
    nlohmann::ordered_json json = lab::settings_json(*s.network, s.routing_name, o);
    json["load"] = load;
    json.update(lab::result_json(result, *s.network));
    return to_python(json);
}

py::object curve(const Subject& s, lab::Options o, const std::vector<double>& loads,
                 bool past_saturation, unsigned threads) {
    SweepOptions sweep;
    sweep.loads = loads;
    sweep.past_saturation = past_saturation;
    sweep.jobs = threads;
    o.reuse = lab::resolve(o.reuse, *s.network, *s.routing);
    const auto points = interruptible([&](const StopFlag& stop) {
        sweep.is_stopped = [&stop] { return stop.load(); };
        return lab::simulate_loads(*s.network, StoppableRouting(*s.routing, stop), o, sweep);
    });
    using Point = lab::LoadPoint;
    py::dict table;
    table["load"] = column<double>(points, [](const Point& p) { return p.load; });
    table["offered"] = column<double>(points, [](const Point& p) { return p.result.offered; });
    table["accepted"] = column<double>(points, [](const Point& p) { return p.result.accepted; });
    table["accepted_half_interval"] =
        column<double>(points, [](const Point& p) { return p.result.accepted_half; });
    table["latency_mean"] =
        column<double>(points, [](const Point& p) { return p.result.total.mean; });
    table["latency_half_interval"] =
        column<double>(points, [](const Point& p) { return p.result.total.half; });
    table["latency_p99"] =
        column<uint64_t>(points, [](const Point& p) { return p.result.total.p99; });
    table["latency_max"] =
        column<uint64_t>(points, [](const Point& p) { return p.result.total.max; });
    table["network_latency_mean"] =
        column<double>(points, [](const Point& p) { return p.result.network.mean; });
    table["network_latency_half_interval"] =
        column<double>(points, [](const Point& p) { return p.result.network.half; });
    table["hops_mean"] = column<double>(points, [](const Point& p) { return p.result.hops_mean; });
    table["packets"] = column<uint64_t>(points, [](const Point& p) { return p.result.measured; });
    table["saturated"] = column<bool>(points, [](const Point& p) { return p.result.saturated; });
    return table;
}

}  // namespace

void add_lab(py::module_& module) {
    const lab::Options usual;
    module.def(
        "lab",
        [](const std::string& net, double load, const std::string& routing, uint32_t lanes,
           const std::string& traffic, uint32_t flits, uint32_t header, uint32_t buffer,
           uint32_t out_buffer, uint32_t injection, const std::string& ties, uint64_t cycles,
           uint64_t warmup, uint32_t queue, bool drain, uint64_t seed) {
            return point(Subject(net, routing, lanes),
                         options_of(traffic, flits, header, buffer, out_buffer, injection, ties,
                                    cycles, warmup, queue, drain, seed),
                         load);
        },
        "Simulate a network flit by flit at one injection rate; returns the JSON of `rdt lab "
        "--json`.",
        py::arg("net"), py::arg("load") = usual.load, py::kw_only(), py::arg("routing") = "",
        py::arg("lanes") = 1, py::arg("traffic") = usual.traffic, py::arg("flits") = usual.flits,
        py::arg("header") = usual.header, py::arg("buffer") = usual.buffer,
        py::arg("out_buffer") = usual.out_buffer, py::arg("injection") = usual.injection,
        py::arg("ties") = "random", py::arg("cycles") = usual.cycles,
        py::arg("warmup") = usual.warmup, py::arg("queue") = usual.queue,
        py::arg("drain") = usual.drain, py::arg("seed") = usual.seed);
    module.def(
        "lab_sweep",
        [](const std::string& net, const std::vector<double>& loads, const std::string& routing,
           uint32_t lanes, const std::string& traffic, uint32_t flits, uint32_t header,
           uint32_t buffer, uint32_t out_buffer, uint32_t injection, const std::string& ties,
           uint64_t cycles, uint64_t warmup, uint32_t queue, bool drain, uint64_t seed,
           bool past_saturation, unsigned threads) {
            return curve(Subject(net, routing, lanes),
                         options_of(traffic, flits, header, buffer, out_buffer, injection, ties,
                                    cycles, warmup, queue, drain, seed),
                         loads, past_saturation, threads);
        },
        "Simulate ascending injection rates up to saturation; returns columns (NumPy arrays).",
        py::arg("net"), py::arg("loads"), py::kw_only(), py::arg("routing") = "",
        py::arg("lanes") = 1, py::arg("traffic") = usual.traffic, py::arg("flits") = usual.flits,
        py::arg("header") = usual.header, py::arg("buffer") = usual.buffer,
        py::arg("out_buffer") = usual.out_buffer, py::arg("injection") = usual.injection,
        py::arg("ties") = "random", py::arg("cycles") = usual.cycles,
        py::arg("warmup") = usual.warmup, py::arg("queue") = usual.queue,
        py::arg("drain") = usual.drain, py::arg("seed") = usual.seed,
        py::arg("past_saturation") = false, py::arg("threads") = 1);
}

}  // namespace rdt::python
