// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include <rdt/machine/cosim/module_tree.h>

namespace rdt::machine {

namespace {

constexpr const char* RtlTree =
#include "rtl_tree.inc"
    ;

std::vector<Module> read_tree() {
    std::vector<Module> tree;
    for (const auto& entry : nlohmann::json::parse(RtlTree)) {
        Module module{entry["path"], entry["kind"], {}};
        for (const auto& port : entry["ports"])
            module.ports.push_back({port["name"], port["direction"], port["width"]});
        tree.push_back(std::move(module));
    }
    return tree;
}

const TreeReader reader{"RTL", read_tree};

}  // namespace

}  // namespace rdt::machine
