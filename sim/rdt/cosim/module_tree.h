// SPDX-License-Identifier: MIT
// The modules of the chip, as elaborated: of the SystemC design and of the RTL.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rdt::machine {

struct ModulePort {
    std::string name;
    std::string direction;  // in, out
    uint32_t width = 0;     // bits; of a vector of ports all of them together
};
inline bool operator==(const ModulePort& a, const ModulePort& b) {
    return a.name == b.name && a.direction == b.direction && a.width == b.width;
}

struct Module {
    std::string path;  // from the chip on
    std::string kind;  // its module
    std::vector<ModulePort> ports;
};

// Parents before children, in the order in which they were made or stand in the source. Throw
// std::invalid_argument if this build is without what reads them.
std::vector<Module> systemc_tree();
std::vector<Module> rtl_tree();  // as Verilator reads it

// Makes one of the two known.
struct TreeReader {
    using Read = std::vector<Module> (*)();
    TreeReader(const std::string& model, Read read);
};

// Where the SystemC design has what the RTL has there: in SystemC a name has no brackets, and an
// instance of a loop, gen_port[3].u_link_io, is u_link_io_3.
std::string systemc_path(const std::string& rtl_path);

// Kinds of the modules, as arbiter, by their path below the chip in the SystemC design.
std::map<std::string, std::string> module_kinds();

}  // namespace rdt::machine
