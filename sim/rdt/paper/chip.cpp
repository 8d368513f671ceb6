// SPDX-License-Identifier: MIT
// Tables VII and VIII: the chip. Gates come from the result of `make synth`, times and power from
// those of `make sta` and `make power`, which lie beside it.
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include <rdt/core/flit.h>
#include <rdt/paper/report.h>

namespace rdt::paper {

namespace {

constexpr const char* HowTo = "run `make synth`, which writes build/synth.json";
constexpr const char* HowToPower = "run `make power`, which writes build/power.json";
constexpr const char* HowToTime = "run `make sta`, which writes build/sta.json";

// Flat, one key a figure; empty if there is no such file.
nlohmann::json figures_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    if (!file) return nlohmann::json::object();
    return nlohmann::json::parse(file, nullptr, false);
}

std::optional<double> figure(const nlohmann::json& figures, const std::string& key) {
    if (!figures.is_object() || !figures.contains(key)) return std::nullopt;
    return figures.at(key).get<double>();
}

struct Block {
    const char* name;
    const char* key;
    double printed;
};
constexpr Block Blocks[] = {
    {"crossbar", "rdt_crossbar.gates_total", 2927},
    {"arbiter", "rdt_arbiter.gates_total", 2736},
    {"multicast controllers", "rdt_input_unit.gates_total", 15580},
    {"I/O controllers", "rdt_link_io.gates_total", 3970},
    {"bit-map generators", "rdt_bitmap_gen.gates_total", 22880},
    {"acknowledge combining", "rdt_ack.gates_total", 2009},
    {"logic", "chip.logic_gates", 50102},
    {"logic, gate-array weights", "chip.logic.array_gates_total", 50102},
    {"buffer RAM, in flip-flops", "chip.ram_gates_in_flipflops", 40420},
    {"total, RAM as the paper's macro", "chip.gates_with_ram_as_macro", 90522}};

}  // namespace

bool is_synthesis_result(const std::string& path) {
    std::ifstream file(path);
    const nlohmann::json figures = nlohmann::json::parse(file, nullptr, false);
    if (!figures.is_object()) return false;
    size_t found = 0;
    for (const Block& b : Blocks) {
        if (!figures.contains(b.key)) continue;
        if (!figures.at(b.key).is_number()) return false;
        ++found;
    }
    return found > 0;
}

Report table7(const Options& options) {
    Report r{"table7", "Specification of the router chip", {}, {}, {}};
    constexpr double PinsPerLink = FlitW + 8;  // data, and REQ and CRED both ways
    const nlohmann::json synth = figures_of(options.synthesis);
    const auto gates = figure(synth, "chip.gates_with_ram_as_macro");
    r.values.push_back({"signal pins of the ten links", 10 * PinsPerLink, 260, 0, ""});
    r.values.push_back({"gates used, % of 125,000",
                        gates ? std::optional<double>(*gates / 1250) : std::nullopt, 63, 1,
                        gates ? "" : HowTo});
    r.values.push_back({"the same from the paper's Table VIII", 90522 / 1250.0, 63, 1,
                        "the paper contradicts itself"});
    const nlohmann::json sta =
        figures_of(std::filesystem::path(options.synthesis).replace_filename("sta.json"));
    const auto clock = [&](const char* name, const char* key, std::optional<double> paper,
                           const char* note) {
        const auto ns = figure(sta, key);
        r.values.push_back({fmt::format("{}, ns", name), ns,
                            paper ? std::optional<double>(1000 / *paper) : std::nullopt, 1,
                            ns ? note : HowToTime});
        r.values.push_back({fmt::format("{}, MHz", name),
                            ns ? std::optional<double>(1000 / *ns) : std::nullopt, paper, 0, ""});
    };
    clock("clock, 0.5 um", "chip_ns_osu050_wires", 60, "CMOS, typical, estimated wires");
    clock("clock, 0.5 um, placed", "chip_ns_osu050_placed", 60, "wires of a placement");
    clock("clock, 0.18 um", "chip_ns_osu018_wires", {}, "mapped for it");
    const auto req = figure(sta, "req_pin_ns_osu050_wires");
    r.values.push_back({"from a REQ pin, 0.5 um, ns", req, {}, 1, req ? "" : HowToTime});
    const nlohmann::json power =
        figures_of(std::filesystem::path(options.synthesis).replace_filename("power.json"));
    const auto full = figure(power, "chip_mw_osu050_full");
    r.values.push_back(
        {"power, W", full ? std::optional<double>(*full / 1000) : std::nullopt, 19.4, 1,
         full ? "0.5 um CMOS without pads, full load; a matter of the process" : HowToPower});
    r.values.push_back({"total pins", {}, 299, 0, "39 for supply and clock"});
    return r;
}

Report table8(const Options& options) {
    Report r{"table8", "Gates of the router chip", {}, {}, {}};
    const nlohmann::json synth = figures_of(options.synthesis);
    for (const Block& b : Blocks) {
        const auto gates = figure(synth, b.key);
        const char* why = synth.empty() ? HowTo : "not built yet";
        r.values.push_back({b.name, gates, b.printed, 0, gates ? "" : why});
    }
    r.notes = {"Equivalents of a two-input NAND by cell area, before buffers, clock tree and scan;",
               "gate-array weights: DFF 6, XOR 3, MUX 2.5. docs/silicon.md compares them fairly."};
    return r;
}

}  // namespace rdt::paper
