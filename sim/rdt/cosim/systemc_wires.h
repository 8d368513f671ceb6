// SPDX-License-Identifier: MIT
// The ports and signals of an elaborated SystemC module, whatever their widths
// (systemc/rdt/wires.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include <rdt/block.h>

namespace rdt::machine {

struct SystemcWire {
    struct Element {
        block_port* port;  // none: a signal, a variable or a pin of the chip
        const void* at;    // the port, signal, variable or pin
        uint64_t (*read)(const void* at);
        const void* (*wire)(const void* at);  // the same for all ports on a wire
    };

    std::string name;
    std::string direction;  // in, out, or nothing: a signal or variable of the module's own
    unsigned width;         // of an element
    std::vector<Element> elements;
    bool is_vector = false;
};

// In the order in which they were made; a vector of ports or signals is one.
std::vector<SystemcWire> wires_of(const sc_core::sc_module& module);

// A port of a module that is by itself, with a signal of its own.
struct BoundPort {
    using Element = block_port::OwnSignal;

    std::string name;
    std::string direction;  // in, out
    unsigned width;         // of an element
    bool is_vector;
    std::vector<Element> elements;
};
// Binds all ports of a block before elaboration; the signals live as long as the result.
std::vector<BoundPort> bind_ports(sc_core::sc_module& module);

}  // namespace rdt::machine
