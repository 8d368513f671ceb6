// SPDX-License-Identifier: MIT
#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <typeinfo>
#include <utility>

#include <rdt/machine/cosim/kernel.h>
#include <rdt/machine/cosim/module_tree.h>
#include <rdt/router.h>

namespace rdt::machine {

namespace {

constexpr unsigned MaxWidth = 64;

template <unsigned W>
bool is_port(const sc_core::sc_object* object, ModulePort& port) {
    const bool is_in = dynamic_cast<const in<W>*>(object) != nullptr;
    if (!is_in && dynamic_cast<const out<W>*>(object) == nullptr) return false;
    port = {object->basename(), is_in ? "in" : "out", W};
    return true;
}
template <unsigned... W>
bool is_port(const sc_core::sc_object* object, ModulePort& port,
             std::integer_sequence<unsigned, W...>) {
    return (is_port<W + 1>(object, port) || ...);
}
bool is_port(const sc_core::sc_object* object, ModulePort& port) {
    return is_port(object, port, std::make_integer_sequence<unsigned, MaxWidth>());
}

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
    const std::vector<sc_core::sc_object*>& children = module.get_child_objects();
    // A vector comes before its elements, which are children of the module too.
    std::set<const sc_core::sc_object*> elements;
    for (const sc_core::sc_object* child : children) {
        ModulePort port;
        if (const auto* vector = dynamic_cast<const sc_core::sc_vector_base*>(child)) {
            const auto& all = vector->get_elements();
            elements.insert(all.begin(), all.end());
            if (!all.empty() && is_port(all.front(), port))
                entry.ports.push_back(
                    {vector->basename(), port.direction, port.width * uint32_t(all.size())});
        } else if (elements.count(child) == 0 && is_port(child, port)) {
            entry.ports.push_back(port);
        }
    }
    tree.push_back(std::move(entry));
    for (const sc_core::sc_object* child : children)
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
