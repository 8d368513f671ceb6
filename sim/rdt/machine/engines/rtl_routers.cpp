// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/rtl_routers.h>

#include <sstream>

#include <rdt/cosim/module_tree.h>
#include <rdt/machine/machine.h>

namespace rdt::machine {

namespace {

const EngineRegistration registration{
    Engine::Rtl,
    [](const Config&, const std::vector<uint32_t>& nodes) -> std::unique_ptr<RouterArray> {
        return std::make_unique<RtlRouters<Vrdt_router>>(nodes);
    }};

}  // namespace

namespace {

constexpr const char* RtlTree =
#include "rtl_tree.inc"
    ;

// A line is a module, path and kind; or, with a space before it, a port of it: name, direction,
// width.
std::vector<Module> read_tree() {
    std::vector<Module> tree;
    std::istringstream text(RtlTree);
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        if (line[0] == ' ') {
            ModulePort& port = tree.back().ports.emplace_back();
            words >> port.name >> port.direction >> port.width;
        } else {
            Module& module = tree.emplace_back();
            words >> module.path >> module.kind;
        }
    }
    return tree;
}

const TreeReader reader{"RTL", read_tree};

}  // namespace

}  // namespace rdt::machine
