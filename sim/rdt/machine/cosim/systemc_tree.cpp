// SPDX-License-Identifier: MIT
#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <typeinfo>

#include <rdt/machine/cosim/kernel.h>
#include <rdt/machine/cosim/module_tree.h>
#include <rdt/machine/cosim/systemc_wires.h>
#include <rdt/router.h>

namespace rdt::machine {

namespace {

// rdt::tick<16u> is a tick.
std::string class_of(const sc_core::sc_object& object) {
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(typeid(object).name(), nullptr, nullptr, nullptr), std::free);
    std::string kind = name ? name.get() : typeid(object).name();
    kind = kind.substr(0, kind.find('<'));
    return kind.substr(kind.rfind(':') + 1);
}

void walk(const sc_core::sc_module& module, std::vector<Module>& tree) {
    Module entry{module.name(), class_of(module), {}};
    for (const SystemcWire& wire : wires_of(module))
        if (!wire.direction.empty())
            entry.ports.push_back(
                {wire.name, wire.direction, wire.width * uint32_t(wire.elements.size())});
    tree.push_back(std::move(entry));
    for (const sc_core::sc_object* child : module.get_child_objects())
        if (const auto* inner = dynamic_cast<const sc_core::sc_module*>(child)) walk(*inner, tree);
}

std::vector<Module> read_tree() {
    const Kernel kernel;
    const auto chip = std::make_unique<router>("router");
    std::vector<Module> tree;
    walk(*chip, tree);
    return tree;
}

const TreeReader reader{"SystemC design", read_tree};

}  // namespace

}  // namespace rdt::machine
