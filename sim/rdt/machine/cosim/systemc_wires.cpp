// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/systemc_wires.h>

#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <rdt/core/flit.h>
#include <rdt/wires.h>

namespace rdt::machine {

namespace {

using Channel = const sc_core::sc_interface*;

template <typename Wire>
SystemcWire wire_of(const Wire& wire, const char* direction) {
    const SystemcWire::Element element{
        &wire, &wire,
        [](const void* at) { return uint64_t(static_cast<const Wire*>(at)->read()); },
        [](const void* at) -> Channel {
            if constexpr (std::is_base_of_v<sc_core::sc_port_base, Wire>)
                return static_cast<const Wire*>(at)->get_interface();
            else return static_cast<const Wire*>(at);
        }};
    return {wire.basename(), direction, wire.width(), {element}};
}

template <typename T>
std::optional<SystemcWire> wire_with(const sc_core::sc_object* object) {
    if (const auto* in = dynamic_cast<const in_port<T>*>(object)) return wire_of(*in, "in");
    if (const auto* out = dynamic_cast<const out_port<T>*>(object)) return wire_of(*out, "out");
    if (const auto* own = dynamic_cast<const wire<T>*>(object)) return wire_of(*own, "");
    return std::nullopt;
}
std::optional<SystemcWire> wire_of(const sc_core::sc_object* object) {
    const auto bit = wire_with<bool>(object);
    return bit ? bit : wire_with<uint64_t>(object);
}

// Gives a port a signal; false if its type is another one.
template <typename T>
bool bind(sc_core::sc_object* object, BoundPort::Element& element) {
    const auto take = [&element](auto* port) {
        if (port == nullptr) return false;
        const auto signal =
            std::make_shared<wire<T>>(sc_core::sc_gen_unique_name("wire"), port->width());
        port->bind(*signal);
        element = {[signal] { return uint64_t(signal->read()); },
                   [signal](uint64_t value) { signal->write(value); }};
        return true;
    };
    return take(dynamic_cast<in_port<T>*>(object)) || take(dynamic_cast<out_port<T>*>(object));
}
BoundPort::Element bound(sc_core::sc_object* object) {
    BoundPort::Element element;
    if (!bind<bool>(object, element) && !bind<uint64_t>(object, element))
        throw std::logic_error("a port of no known type");
    return element;
}

}  // namespace

std::vector<SystemcWire> wires_of(const sc_core::sc_module& module) {
    std::vector<SystemcWire> wires;
    // A vector comes before its elements, which are children of the module too.
    std::set<const sc_core::sc_object*> elements;
    for (const sc_core::sc_object* child : module.get_child_objects()) {
        if (elements.count(child) != 0) continue;
        const auto* vector = dynamic_cast<const sc_core::sc_vector_base*>(child);
        if (vector == nullptr) {
            if (auto wire = wire_of(child)) wires.push_back(std::move(*wire));
            continue;
        }
        std::optional<SystemcWire> all;
        for (const sc_core::sc_object* one : vector->get_elements()) {
            elements.insert(one);
            const auto wire = wire_of(one);
            if (!wire) continue;  // a module
            if (!all) all = {vector->basename(), wire->direction, wire->width, {}, true};
            all->elements.push_back(wire->elements.front());
        }
        if (all) wires.push_back(std::move(*all));
    }
    return wires;
}

unsigned rtl_width(const std::string& name, unsigned width) {
    for (const char* one : {"held", "held_i", "held_o", "held_any", "gen", "gen_i", "gen_o"})
        if (name == one && width % MaxEntries == 0) return width / MaxEntries * NumEntries;
    return width;
}

std::vector<BoundPort> bind_ports(sc_core::sc_module& module) {
    std::vector<BoundPort> ports;
    for (const SystemcWire& wire : wires_of(module)) {
        if (wire.direction.empty()) continue;
        BoundPort port{wire.name, wire.direction, wire.width, wire.is_vector, {}};
        for (const SystemcWire::Element& element : wire.elements)
            port.elements.push_back(bound(const_cast<sc_core::sc_object*>(element.object)));
        ports.push_back(std::move(port));
    }
    return ports;
}

}  // namespace rdt::machine
