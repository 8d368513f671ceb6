// SPDX-License-Identifier: MIT
#include "machine/save_file.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "core/format.h"

namespace rdt::machine {
namespace {

// GTKWave's flags for a trace.
constexpr const char* Hex = "@22";
constexpr const char* Binary = "@28";
constexpr const char* Translated = "@2028";
constexpr const char* GroupBegin = "@800200";
constexpr const char* GroupEnd = "@1000200";

constexpr const char* Rtl = "rtl";
constexpr const char* SystemC = "systemc";

struct Trace {
    const char* name;
    unsigned width;
    const char* filter;  // nullptr: as it is
};

const Trace Traces[] = {
    {"st_q", 2, "line.flt"},  {"mine_q", 1, nullptr},   {"req_o", 2, "req.flt"},
    {"d_oe_o", 1, nullptr},   {"d_o", 18, nullptr},     {"cred_o", 2, "vc.flt"},
    {"pkt_q", 3, nullptr},    {"wr_idx_q", 5, nullptr}, {"rd_busy_q", 1, nullptr},
    {"rd_idx_q", 4, nullptr},
};

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string range(unsigned width) { return width > 1 ? fmt::format("[{}:0]", width - 1) : ""; }

}  // namespace

std::string write_save_file(const std::string& wave,
                            const std::vector<std::pair<uint32_t, uint32_t>>& groups,
                            uint64_t first_clock) {
    const std::filesystem::path fst(wave);
    std::filesystem::path save = fst;
    save.replace_extension(".gtkw");
    const std::filesystem::path folder = std::filesystem::absolute(fst).parent_path();
    for (const Trace& t : Traces)
        if (t.filter != nullptr)
            std::filesystem::copy_file(std::filesystem::path(RDT_WAVES_DIR) / t.filter,
                                       folder / t.filter,
                                       std::filesystem::copy_options::overwrite_existing);

    std::string text = fmt::format(
        "[*] Open from its own folder: gtkwave {0}\n[dumpfile] \"{1}\"\n[savefile] "
        "\"{0}\"\n[timestart] {2}\n*-4.0 {2}\n",
        save.filename().string(), fst.filename().string(), first_clock);
    for (const auto& [node, port] : groups) {
        const char* name = to_string(Port(port));
        text += fmt::format("{}\n-node {} port {}\n", GroupBegin, node, name);
        for (const Trace& t : Traces)
            for (const char* side : {Rtl, SystemC}) {
                if (t.filter != nullptr) text += fmt::format("{}\n^1 {}\n", Translated, t.filter);
                else text += fmt::format("{}\n", t.width == 1 ? Binary : Hex);
                if (side == SystemC) text += "[color] 3\n";
                text += fmt::format("+{{{} {}}} {}.n{}.{}.{}{}\n", t.name, side, side, node, name,
                                    t.name, range(t.width));
            }
        text += fmt::format("{}\n-node {} port {}\n", GroupEnd, node, name);
    }
    write(save, text);
    return save.string();
}

}  // namespace rdt::machine
