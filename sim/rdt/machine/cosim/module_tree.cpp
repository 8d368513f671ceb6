// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/module_tree.h>

#include <map>
#include <sstream>
#include <stdexcept>

namespace rdt::machine {

namespace {

std::map<std::string, TreeReader::Read>& readers() {
    static std::map<std::string, TreeReader::Read> all;
    return all;
}

std::vector<Module> tree_of(const std::string& model, const char* needs) {
    const auto found = readers().find(model);
    if (found == readers().end())
        throw std::invalid_argument("the tree of the " + model +
                                    " is not in this build: it needs " + needs);
    return found->second();
}

}  // namespace

TreeReader::TreeReader(const std::string& model, Read read) { readers()[model] = read; }

std::vector<Module> systemc_tree() { return tree_of("SystemC design", "SystemC"); }
std::vector<Module> rtl_tree() { return tree_of("RTL", "Verilator"); }

std::string systemc_path(const std::string& rtl_path) {
    std::istringstream parts(rtl_path);
    std::string path;
    std::string part;
    std::string turn;
    while (std::getline(parts, part, '.')) {
        const size_t bracket = part.find('[');
        if (bracket != std::string::npos) {
            turn = "_" + part.substr(bracket + 1, part.find(']') - bracket - 1);
            continue;
        }
        path += path.empty() ? "router" : "." + part + turn;
        turn.clear();
    }
    return path;
}

std::map<std::string, std::string> module_kinds() {
    const std::string chip = "router";
    const std::string prefix = "rdt_";
    std::map<std::string, std::string> found;
    for (const Module& module : rtl_tree()) {
        const std::string path = systemc_path(module.path);
        found[path == chip ? "" : path.substr(chip.size() + 1)] = module.kind.substr(prefix.size());
    }
    return found;
}

}  // namespace rdt::machine
