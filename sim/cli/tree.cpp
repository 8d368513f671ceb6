// SPDX-License-Identifier: MIT
// rdt tree: of what modules the chip is made.
#include <algorithm>
#include <fmt/core.h>

#include <rdt/cosim/module_tree.h>
#include "cli/command.h"
#include "cli/deliver.h"

namespace rdt::tree_command {
namespace {

struct Options {
    bool rtl = false;
    std::string json;
};

std::string text_of(const std::vector<machine::Module>& tree) {
    std::string text;
    for (const machine::Module& m : tree) {
        const size_t depth = size_t(std::count(m.path.begin(), m.path.end(), '.'));
        // Scopes of the RTL that are no modules do not indent.
        const size_t scopes = size_t(std::count(m.path.begin(), m.path.end(), '['));
        const std::string indent((depth - scopes) * 2, ' ');
        std::string name = m.path;
        for (const machine::Module& parent : tree)
            if (m.path.rfind(parent.path + ".", 0) == 0)
                name = m.path.substr(parent.path.size() + 1);
        uint32_t bits = 0;
        for (const auto& port : m.ports) bits += port.width;
        text += fmt::format("{:<48} {:<16} {:>3} ports {:>5} bits\n", indent + name, m.kind,
                            m.ports.size(), bits);
    }
    return text + fmt::format("{} modules\n", tree.size());
}

nlohmann::ordered_json json_of(const std::vector<machine::Module>& tree) {
    auto list = nlohmann::ordered_json::array();
    for (const machine::Module& m : tree) {
        nlohmann::ordered_json entry{{"path", m.path}, {"kind", m.kind}};
        entry["ports"] = nlohmann::ordered_json::array();
        for (const auto& p : m.ports)
            entry["ports"].push_back(
                {{"name", p.name}, {"direction", p.direction}, {"width", p.width}});
        list.push_back(std::move(entry));
    }
    return list;
}

void add(CLI::App& program, Action& action) {
    static Options options;
    CLI::App* cmd = program.add_subcommand("tree", "Print the module hierarchy of the router");
    cmd->add_flag("--rtl", options.rtl,
                  "modules of the RTL, as Verilator reads it (default: of the SystemC design)");
    cmd->add_option("--json", options.json, "write the tree as JSON; - is standard output")
        ->type_name("FILE");
    cmd->callback([&action] {
        action = [] {
            const auto tree = options.rtl ? machine::rtl_tree() : machine::systemc_tree();
            deliver(options.json, text_of(tree), json_of(tree));
            return ExitOk;
        };
    });
}

const Command command("tree", add);

}  // namespace
}  // namespace rdt::tree_command
