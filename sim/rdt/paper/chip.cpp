// SPDX-License-Identifier: MIT
// Tables VII and VIII: the chip. Gates come from the result of `make synth`, times and power from
// those of `make sta` and `make power`, which lie beside it. Without them the figures are those of
// the last sign-off, which docs/silicon.md has as well.
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include <rdt/core/flit.h>
#include <rdt/paper/report.h>

namespace rdt::paper {

namespace {

// The last sign-off: figures under the names that the scripts give them, and the commit whose chip
// they were measured on.
struct Recorded {
    const char* key;
    double value;
    const char* commit;
};
constexpr Recorded SignedOff[] = {
    {"rdt_crossbar.gates_total", 2567, "b6bcc70"},
    {"rdt_arbiter.gates_total", 2042, "b6bcc70"},
    {"rdt_input_unit.gates_total", 14168, "b6bcc70"},
    {"rdt_link_io.gates_total", 4489, "b6bcc70"},
    {"rdt_bitmap_gen.gates_total", 11068, "b6bcc70"},
    {"rdt_ack.gates_total", 3059, "b6bcc70"},
    {"chip.logic_gates", 48158, "b6bcc70"},
    {"chip.logic.array_gates_total", 54997, "b6bcc70"},
    {"chip.ram_gates_in_flipflops", 46547, "b6bcc70"},
    {"chip.gates_with_ram_as_macro", 88578, "b6bcc70"},
    {"chip_ns_osu050_wires", 11.89, "c8992bc"},
    {"chip_ns_osu050_placed", 13.55, "c8992bc"},
    {"chip_ns_osu018_wires", 5.38, "c8992bc"},
    {"req_pin_ns_osu050_wires", 8.18, "c8992bc"},
    {"chip_mw_osu050_full", 2850.4, "3d6ba69"},
};

struct Figure {
    double value;
    std::string origin;  // which sign-off; empty: a fresh result
};

// The results of the three commands, each a flat file, one key per figure.
class Figures {
public:
    explicit Figures(const Options& options) {
        if (options.signed_off) return;
        for (const char* name : {"", "sta.json", "power.json"}) {
            std::filesystem::path path = options.synthesis;
            if (*name != '\0') path.replace_filename(name);
            std::ifstream file(path);
            if (!file) continue;
            const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
            if (json.is_object()) m_files.push_back(json);
        }
    }
    Figure operator()(const std::string& key) const {
        for (const nlohmann::json& file : m_files)
            if (file.contains(key) && file.at(key).is_number()) return {file.at(key), ""};
        for (const Recorded& r : SignedOff)
            if (key == r.key) return {r.value, fmt::format("signed off at {}", r.commit)};
        throw std::logic_error("no figure is recorded for " + key);
    }

private:
    std::vector<nlohmann::json> m_files;
};

std::string note_of(const Figure& figure, const std::string& note) {
    return figure.origin + (figure.origin.empty() || note.empty() ? "" : "; ") + note;
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
    const Figures figures(options);
    const Figure gates = figures("chip.gates_with_ram_as_macro");
    r.values.push_back({"signal pins of the ten links", 10 * PinsPerLink, 260, 0, ""});
    r.values.push_back({"gates used, % of 125,000", gates.value / 1250, 63, 1, note_of(gates, "")});
    r.values.push_back({"the same from the paper's Table VIII", 90522 / 1250.0, 63, 1,
                        "the paper contradicts itself"});
    const auto clock = [&](const char* name, const char* key, std::optional<double> paper,
                           const char* note) {
        const Figure ns = figures(key);
        r.values.push_back({fmt::format("{}, ns", name), ns.value,
                            paper ? std::optional<double>(1000 / *paper) : std::nullopt, 1,
                            note_of(ns, note)});
        r.values.push_back({fmt::format("{}, MHz", name), 1000 / ns.value, paper, 0, ""});
    };
    clock("clock, 0.5 um", "chip_ns_osu050_wires", 60, "CMOS, typical, estimated wires");
    clock("clock, 0.5 um, placed", "chip_ns_osu050_placed", 60, "wires of a placement");
    clock("clock, 0.18 um", "chip_ns_osu018_wires", {}, "mapped for it");
    const Figure req = figures("req_pin_ns_osu050_wires");
    r.values.push_back({"from a REQ pin, 0.5 um, ns", req.value, {}, 1, note_of(req, "")});
    const Figure full = figures("chip_mw_osu050_full");
    r.values.push_back(
        {"power, W", full.value / 1000, 19.4, 1,
         note_of(full, "0.5 um CMOS without pads, full load; a matter of the process")});
    // docs/electrical.md: the wire that its table of cables leaves at 60 MHz.
    r.values.push_back({"cable at 60 MHz and six cycles, m", 0.9, 2, 1, "half-duplex turn by REQ"});
    r.values.push_back(
        {"cable at 60 MHz with registered pins, m", 2.4, 2, 1, "eight cycles instead of six"});
    r.values.push_back({"total pins", {}, 299, 0, "39 for supply and cycle"});
    r.notes = {"Fresh figures come from make synth, make sta and make power."};
    return r;
}

Report table8(const Options& options) {
    Report r{"table8", "Gates of the router chip", {}, {}, {}};
    const Figures figures(options);
    for (const Block& b : Blocks) {
        const Figure gates = figures(b.key);
        r.values.push_back({b.name, gates.value, b.printed, 0, note_of(gates, "")});
    }
    r.values.push_back({"RAM in the text of section V-D", 20 * 2021.0, 4000, 0,
                        "its Table VIII has 40,420: the paper contradicts itself"});
    r.notes = {"Equivalents of a two-input NAND by cell area, before buffers, clock tree and scan;",
               "gate-array weights: DFF 6, XOR 3, MUX 2.5. docs/silicon.md compares them fairly.",
               "Fresh figures come from make synth."};
    return r;
}

}  // namespace rdt::paper
