// SPDX-License-Identifier: MIT
// The ports and signals of an elaborated SystemC module, whatever their widths
// (systemc/rdt/wires.h).
#pragma once

#include <string>
#include <systemc>
#include <vector>

namespace rdt::machine {

struct SystemcWire {
    struct Element {
        const void* at;  // the port or signal
        uint64_t (*read)(const void* at);
        const sc_core::sc_interface* (*channel)(const void* at);
    };

    std::string name;
    std::string direction;  // in, out, or nothing: a signal of the module's own
    unsigned width;         // of an element
    std::vector<Element> elements;
};

// In the order in which they were made; a vector of ports or signals is one.
std::vector<SystemcWire> wires_of(const sc_core::sc_module& module);

}  // namespace rdt::machine
