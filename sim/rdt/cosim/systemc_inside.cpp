// SPDX-License-Identifier: MIT
#include <cctype>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <rdt/ack.h>
#include <rdt/arbiter.h>
#include <rdt/core/flit.h>
#include <rdt/inject.h>
#include <rdt/input_unit.h>
#include <rdt/link_io.h>
#include <rdt/local.h>
#include <rdt/cosim/systemc_inside.h>
#include <rdt/cosim/systemc_wires.h>
#include <rdt/output_unit.h>
#include <rdt/core/rtl_pins.h>
#include <rdt/block.h>

namespace rdt::machine {

namespace {

using Words = uint32_t*;

// The registers of a module as it visits them; copies, because a visit is all or nothing.
struct Registers {
    std::vector<std::string> names;
    std::vector<unsigned> widths;
    std::vector<uint64_t> values;
};

// Registers xsel_q_0, xsel_q_1, ... are the elements of xsel_q.
std::string vector_of(const std::string& name) {
    size_t end = name.size();
    while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1])) != 0) --end;
    const bool is_element = end < name.size() && end > 3 && name.compare(end - 3, 3, "_q_") == 0;
    return is_element ? name.substr(0, end - 1) : "";
}

class Walk {
public:
    explicit Walk(const sc_core::sc_module& chip) : m_chip(chip) {
        m_inside.side = "systemc";
        walk(chip);
        m_inside.refresh = [refreshers = m_refreshers] {
            for (const auto& refresh : refreshers) refresh();
        };
    }
    Inside result() { return std::move(m_inside); }

private:
    void walk(const sc_core::sc_module& module) {
        const std::string path = module.name();
        const std::string top = m_chip.name();
        m_module = path.size() > top.size() ? path.substr(top.size() + 1) : "";
        for (const SystemcWire& wire : wires_of(module)) add(wire);
        add_all_registers(module);
        for (const sc_core::sc_object* child : module.get_child_objects())
            if (const auto* inner = dynamic_cast<const sc_core::sc_module*>(child)) walk(*inner);
    }

    void add(const SystemcWire& wire) {
        const unsigned width = wire.width;
        const auto total = width * unsigned(wire.elements.size());
        const uint64_t mask = ~uint64_t(0) >> (64 - width);
        m_inside.signals.push_back(
            {m_module, wire.name, total, width, !wire.direction.empty(),
             [wire, width, mask, total](Words words) {
                 if (total <= 64) {
                     uint64_t value = 0;
                     for (unsigned i = 0; i < wire.elements.size(); ++i)
                         value |= (wire.elements[i].read(wire.elements[i].at) & mask) << i * width;
                     words[0] = uint32_t(value);
                     if (total > 32) words[1] = uint32_t(value >> 32);
                     return;
                 }
                 for (unsigned i = 0; i < wire.elements.size(); ++i)
                     set_pin_slice(words, i * width, width,
                                   wire.elements[i].read(wire.elements[i].at) & mask);
             },
             [wire](unsigned i) { return wire.elements[i].wire(wire.elements[i].at); }});
    }

    template <typename... Kinds>
    void add_registers(const sc_core::sc_module& module) {
        (add_registers_of(dynamic_cast<const Kinds*>(&module)), ...);
    }
    void add_all_registers(const sc_core::sc_module& module) {
        add_registers<ack, ack_entry, ack_port, arbiter, arrival, bitmap_gen, buffer_ram, inject,
                      input_unit, link_io, local, local_fsm, local_tx, mc_copy, notice, output_unit,
                      plan, read_pass, regs, rdt::setup, shot, slot, tick<10>, tick<16>>(module);
    }
    template <typename Kind>
    void add_registers_of(const Kind* module) {
        if (module == nullptr) return;
        auto all = std::make_shared<Registers>();
        module->registers([&all](const std::string& name, unsigned width, auto value) {
            all->names.push_back(name);
            all->widths.push_back(width);
            all->values.push_back(uint64_t(value));
        });
        m_refreshers.push_back([module, all] {
            size_t next = 0;
            module->registers([&](const std::string&, unsigned, auto value) {
                all->values[next++] = uint64_t(value);
            });
        });
        for (size_t i = 0; i < all->names.size();) i = add_register(all, i);
    }
    // Returns the first that comes after it.
    size_t add_register(const std::shared_ptr<Registers>& all, size_t first) {
        const std::string vector = vector_of(all->names[first]);
        const unsigned width = all->widths[first];
        size_t end = first + 1;
        while (!vector.empty() && end < all->names.size() && vector_of(all->names[end]) == vector)
            ++end;
        m_inside.signals.push_back({m_module, vector.empty() ? all->names[first] : vector,
                                    width * unsigned(end - first), width, false,
                                    [all, first, end, width](Words words) {
                                        for (size_t i = first; i < end; ++i)
                                            set_pin_slice(words, unsigned(i - first) * width, width,
                                                          all->values[i]);
                                    },
                                    nullptr});
        return end;
    }

    const sc_core::sc_module& m_chip;
    std::string m_module;
    std::vector<std::function<void()>> m_refreshers;
    Inside m_inside;
};

}  // namespace

Inside systemc_inside(const sc_core::sc_module& chip) { return Walk(chip).result(); }

namespace {

template <typename Wire>
SystemcWire wire_of(const Wire& wire, const char* direction) {
    const SystemcWire::Element element{
        nullptr, &wire,
        [](const void* at) { return uint64_t(static_cast<const Wire*>(at)->read()); },
        [](const void* at) -> const void* {
            using Channel = const sc_core::sc_signal_in_if<std::decay_t<decltype(wire.read())>>*;
            if constexpr (std::is_base_of_v<sc_core::sc_port_base, Wire>)
                return dynamic_cast<Channel>(static_cast<const Wire*>(at)->get_interface());
            else return static_cast<Channel>(static_cast<const Wire*>(at));
        }};
    return {wire.basename(), direction, wire.width(), {element}};
}

template <typename T>
std::optional<SystemcWire> wire_with(const sc_core::sc_object* object) {
    if (const auto* in = dynamic_cast<const pin_in_port<T>*>(object)) return wire_of(*in, "in");
    if (const auto* out = dynamic_cast<const pin_out_port<T>*>(object)) return wire_of(*out, "out");
    if (const auto* own = dynamic_cast<const wire<T>*>(object)) {
        SystemcWire found = wire_of(*own, "");
        found.is_vector = own->is_element();
        if (found.is_vector)
            found.name.resize(found.name.rfind('_'));  // ctx_0 is an element of ctx
        return found;
    }
    return std::nullopt;
}
std::optional<SystemcWire> wire_of(const sc_core::sc_object* object) {
    const auto bit = wire_with<bool>(object);
    return bit ? bit : wire_with<uint64_t>(object);
}

SystemcWire wire_of(block_port& port) {
    return {
        port.basename(),
        port.is_output() ? "out" : "in",
        port.width(),
        {{&port, &port, [](const void* at) { return static_cast<const block_port*>(at)->value(); },
          [](const void* at) { return static_cast<const block_port*>(at)->wire(); }}},
        port.is_element()};
}
SystemcWire wire_of(const block::Variable& variable) {
    return {variable.name,
            "",
            variable.width,
            {{nullptr, variable.at, variable.read, [](const void* at) { return at; }}},
            variable.is_element};
}

// The elements of a vector follow each other.
void add(SystemcWire wire, std::vector<SystemcWire>& wires) {
    if (wire.is_vector && !wires.empty() && wires.back().is_vector &&
        wires.back().name == wire.name)
        wires.back().elements.push_back(wire.elements.front());
    else wires.push_back(std::move(wire));
}

}  // namespace

std::vector<SystemcWire> wires_of(const sc_core::sc_module& module) {
    std::vector<SystemcWire> wires;
    if (const auto* own = dynamic_cast<const block*>(&module)) {
        for (block_port* port : own->ports()) add(wire_of(*port), wires);
        for (const block::Variable& variable : own->variables()) add(wire_of(variable), wires);
    }
    // A vector of pins comes before its elements, which are children of the module too.
    std::set<const sc_core::sc_object*> elements;
    for (const sc_core::sc_object* child : module.get_child_objects()) {
        if (elements.count(child) != 0) continue;
        const auto* vector = dynamic_cast<const sc_core::sc_vector_base*>(child);
        if (vector == nullptr) {
            if (auto wire = wire_of(child)) add(std::move(*wire), wires);
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

std::vector<BoundPort> bind_ports(sc_core::sc_module& module) {
    std::vector<BoundPort> ports;
    for (const SystemcWire& wire : wires_of(module)) {
        if (wire.direction.empty()) continue;
        BoundPort port{wire.name, wire.direction, wire.width, wire.is_vector, {}};
        for (const SystemcWire::Element& element : wire.elements)
            port.elements.push_back(element.port->bind_own_signal());
        ports.push_back(std::move(port));
    }
    return ports;
}

}  // namespace rdt::machine
