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

constexpr unsigned MaxWidth = 64;

using Channel = const sc_core::sc_interface*;

template <typename Wire>
SystemcWire::Element element_of(const Wire* wire) {
    return {wire, wire,
            [](const void* at) { return uint64_t(static_cast<const Wire*>(at)->read()); },
            [](const void* at) -> Channel {
                if constexpr (std::is_base_of_v<sc_core::sc_port_base, Wire>)
                    return static_cast<const Wire*>(at)->get_interface();
                else return static_cast<const Wire*>(at);
            }};
}

template <unsigned W>
bool is_wire(const sc_core::sc_object* object, std::optional<SystemcWire>& found) {
    const auto take = [&](const auto* wire, const char* direction) {
        if (wire != nullptr) found = {object->basename(), direction, W, {element_of(wire)}};
        return wire != nullptr;
    };
    return take(dynamic_cast<const in<W>*>(object), "in") ||
           take(dynamic_cast<const out<W>*>(object), "out") ||
           take(dynamic_cast<const sig<W>*>(object), "");
}
template <unsigned... W>
bool is_wire(const sc_core::sc_object* object, std::optional<SystemcWire>& found,
             std::integer_sequence<unsigned, W...>) {
    return (is_wire<W + 1>(object, found) || ...);
}
std::optional<SystemcWire> wire_of(const sc_core::sc_object* object) {
    std::optional<SystemcWire> found;
    is_wire(object, found, std::make_integer_sequence<unsigned, MaxWidth>());
    return found;
}

// Gives a port a signal; false if it has another width.
template <unsigned W>
bool bind(sc_core::sc_object* object, BoundPort::Element& element) {
    const auto take = [&element](auto* port) {
        if (port == nullptr) return false;
        const auto signal = std::make_shared<sig<W>>(sc_core::sc_gen_unique_name("wire"));
        port->bind(*signal);
        element = {[signal] { return uint64_t(signal->read()); },
                   [signal](uint64_t value) { signal->write(bits<W>(value)); }};
        return true;
    };
    return take(dynamic_cast<in<W>*>(object)) || take(dynamic_cast<out<W>*>(object));
}
template <unsigned... W>
BoundPort::Element bound(sc_core::sc_object* object, std::integer_sequence<unsigned, W...>) {
    BoundPort::Element element;
    if (!(bind<W + 1>(object, element) || ...)) throw std::logic_error("a port of no known width");
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
            port.elements.push_back(bound(const_cast<sc_core::sc_object*>(element.object),
                                          std::make_integer_sequence<unsigned, MaxWidth>()));
        ports.push_back(std::move(port));
    }
    return ports;
}

}  // namespace rdt::machine
