// SPDX-License-Identifier: MIT
// Subcommands that are in another program beside this one. `rdt` has those of the machine and
// starts `rdt-lab` for the rest, so that building the machine does not build the network lab.
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

// Becomes that program if the arguments name one of its subcommands. Throws std::invalid_argument
// if it is not in the folder of this one; returns if the arguments name no such subcommand.
void start_other_program(char** argv, const std::vector<std::string>& arguments);

}  // namespace rdt
