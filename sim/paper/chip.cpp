// SPDX-License-Identifier: MIT
// Tables VII and VIII: the chip. Gates come from the result of `make synth`.
#include <fmt/core.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/flit.h"
#include "paper/report.h"

namespace rdt::paper {

namespace {

constexpr const char* HowTo = "run `make synth`, which writes build/synth.json";

// Flat, one key a figure; empty if there is no such file.
nlohmann::json synthesis(const std::string& path) {
    std::ifstream file(path);
    if (!file) return nlohmann::json::object();
    return nlohmann::json::parse(file, nullptr, false);
}

std::optional<double> figure(const nlohmann::json& synth, const std::string& key) {
    if (!synth.is_object() || !synth.contains(key)) return std::nullopt;
    return synth.at(key).get<double>();
}

}  // namespace

Report table7(const Options& options) {
    Report r{"table7", "Specification of the router chip", {}, {}, {}};
    constexpr double PinsPerLink = FlitW + 8;  // data, and REQ and CRED both ways
    const nlohmann::json synth = synthesis(options.synthesis);
    const auto gates = figure(synth, "chip.gates_with_ram_as_macro");
    r.values.push_back({"signal pins of the ten links", 10 * PinsPerLink, 260, 0, ""});
    r.values.push_back({"gates used, % of 125,000",
                        gates ? std::optional<double>(*gates / 1250) : std::nullopt, 63, 1,
                        gates ? "" : HowTo});
    r.values.push_back({"the same from the paper's Table VIII", 90522 / 1250.0, 63, 1,
                        "the paper contradicts itself"});
    r.values.push_back({"gates on the longest path", figure(synth, "chip.levels"), {}, 0, ""});
    r.values.push_back({"clock, MHz", {}, 60, 0, "a matter of the process"});
    r.values.push_back({"power, W", {}, 19.4, 1, "a matter of the process"});
    r.values.push_back({"total pins", {}, 299, 0, "39 for supply and clock"});
    return r;
}

Report table8(const Options& options) {
    Report r{"table8", "Gates of the router chip", {}, {}, {}};
    const nlohmann::json synth = synthesis(options.synthesis);
    const struct {
        const char* name;
        const char* key;
        double printed;
    } blocks[] = {{"crossbar", "rdt_crossbar.gates_total", 2927},
                  {"arbiter", "rdt_arbiter.gates_total", 2736},
                  {"multicast controllers", "rdt_input_unit.gates_total", 15580},
                  {"I/O controllers", "rdt_link_io.gates_total", 3970},
                  {"bit-map generators", "rdt_bitmap_gen.gates_total", 22880},
                  {"acknowledge combining", "rdt_ack.gates_total", 2009},
                  {"buffer RAM", "chip.ram_gates_as_macro_at_paper_density", 40420},
                  {"logic", "chip.logic_gates", 50102},
                  {"total", "chip.gates_with_ram_as_macro", 90522}};
    for (const auto& b : blocks) {
        const auto gates = figure(synth, b.key);
        const char* why = synth.empty() ? HowTo : "not built yet";
        r.values.push_back({b.name, gates, b.printed, 0, gates ? "" : why});
    }
    r.notes = {"Equivalents of a two-input NAND. RAM is taken at the paper's 7.0 gates a bit."};
    return r;
}

}  // namespace rdt::paper
