// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/save_file.h>

#include <fmt/core.h>

#include <filesystem>

#include <rdt/core/format.h>
#include <rdt/machine/cosim/wave_filters.h>
#include <rdt/support/output.h>

namespace rdt::machine {
namespace {

// GTKWave's flags for a trace.
constexpr const char* Hex = "@22";
constexpr const char* Binary = "@28";
constexpr const char* Translated = "@2028";
constexpr const char* GroupBegin = "@800200";
constexpr const char* GroupEnd = "@1000200";
constexpr const char* ClosedGroupBegin = "@c00200";
constexpr const char* ClosedGroupEnd = "@1401200";
constexpr size_t OpenGroups = 3;

constexpr const char* Colours[] = {"", "[color] 3\n"};  // of the sides

struct Row {
    const char* name;
    unsigned width;
    const char* filter;  // nullptr: as it is
};

const Row Rows[] = {
    {"st_q", 2, "line.flt"},  {"mine_q", 1, nullptr},   {"req_o", 2, "req.flt"},
    {"d_oe_o", 1, nullptr},   {"d_o", FlitW, nullptr},  {"cred_o", 2, "vc.flt"},
    {"pkt_q", 3, nullptr},    {"wr_idx_q", 5, nullptr}, {"rd_busy_q", 1, nullptr},
    {"rd_idx_q", 4, nullptr},
};

const Row PacketType{"type", 4, "type.flt"};  // on the link, whoever sends it

std::string range(unsigned width) { return width > 1 ? fmt::format("[{}:0]", width - 1) : ""; }

std::string row(const Row& t, const std::string& scope, uint32_t node, const char* port,
                const std::string& colour) {
    return (t.filter != nullptr ? fmt::format("{}\n^1 {}\n", Translated, t.filter)
                                : fmt::format("{}\n", t.width == 1 ? Binary : Hex)) +
           colour +
           fmt::format("+{{{} {}}} {}.n{}.{}.{}{}\n", t.name, scope, scope, node, port, t.name,
                       range(t.width));
}

void copy_filter(const char* filter, const std::filesystem::path& folder) {
    write_file((folder / filter).string(), wave_filter(filter));
}

}  // namespace

std::string write_save_file(const std::string& wave, const std::vector<SaveGroup>& groups,
                            uint64_t first_clock) {
    const std::filesystem::path dump(wave);
    std::filesystem::path save = dump;
    save.replace_extension(".gtkw");
    const std::filesystem::path folder = std::filesystem::absolute(dump).parent_path();
    for (const Row& t : Rows)
        if (t.filter != nullptr) copy_filter(t.filter, folder);
    copy_filter(PacketType.filter, folder);

    std::string text = fmt::format(
        "[*] Open from its own folder: gtkwave {0}\n[dumpfile] \"{1}\"\n[savefile] "
        "\"{0}\"\n[timestart] {2}\n[sst_expanded] 0\n[signals_width] 220\n*-4.0 {2}\n",
        save.filename().string(), dump.filename().string(), first_clock);
    for (size_t i = 0; i < groups.size(); ++i) {
        const SaveGroup& g = groups[i];
        const char* port = to_string(Port(g.port));
        const bool is_open = i < OpenGroups;
        text += fmt::format("{}\n-node {} port {}\n", is_open ? GroupBegin : ClosedGroupBegin,
                            g.node, port);
        text += row(PacketType, "link", g.node, port, "");
        for (const Row& t : Rows)
            for (size_t side = 0; side < g.sides.size(); ++side)
                text += row(t, g.sides[side], g.node, port, Colours[side]);
        text += fmt::format("{}\n-node {} port {}\n", is_open ? GroupEnd : ClosedGroupEnd, g.node,
                            port);
    }
    write_file(save.string(), text);
    return save.string();
}

}  // namespace rdt::machine
