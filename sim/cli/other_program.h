// SPDX-License-Identifier: MIT
// What is in another program beside this one. `rdt` runs the RTL and the SystemC design and starts
// `rdt-lab` for the rest, so that a first run builds neither the fast engine nor the network lab.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace rdt {

// A static object names the program and its subcommands, with the descriptions for --help.
struct OtherProgram {
    OtherProgram(const std::string& file, const std::map<std::string, std::string>& commands);
    static const std::map<std::string, std::string>& commands();
};

// Becomes that program if the arguments name one of its subcommands, and returns if they do not.
void start_other_program(const std::string& called_as, const std::vector<std::string>& arguments);

// Becomes that program, with the arguments of this one, because `what` is only there. Throws
// std::invalid_argument if it is not in the folder of this one. Returns if no program is known.
void start_other_program_for(const std::string& what);

}  // namespace rdt
