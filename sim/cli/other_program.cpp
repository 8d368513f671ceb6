// SPDX-License-Identifier: MIT
#include "cli/other_program.h"

#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace rdt {

namespace {

struct Known {
    std::string file;
    std::map<std::string, std::string> commands;
    std::vector<std::string> words;  // as this program was called
};

Known& known() {
    static Known program;
    return program;
}

// The first argument that is neither an option nor the value of --plugin, the only one before a
// subcommand that has a value.
std::string subcommand_of(const std::vector<std::string>& arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--plugin") {
            ++i;
        } else if (arguments[i].rfind("-", 0) != 0) {
            return arguments[i];
        }
    }
    return "";
}

}  // namespace

OtherProgram::OtherProgram(const std::string& file,
                           const std::map<std::string, std::string>& commands) {
    known() = {file, commands, {}};
}

const std::map<std::string, std::string>& OtherProgram::commands() { return known().commands; }

void start_other_program(const std::string& called_as, const std::vector<std::string>& arguments) {
    known().words = arguments;
    known().words.insert(known().words.begin(), called_as);
    const std::string name = subcommand_of(arguments);
    if (known().commands.count(name) != 0) start_other_program_for(name);
}

void start_other_program_for(const std::string& what) {
    if (known().file.empty()) return;
    std::error_code failed;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
    const std::filesystem::path file = self.parent_path() / known().file;
    std::vector<char*> argv;
    for (std::string& word : known().words) argv.push_back(word.data());
    argv.push_back(nullptr);
    if (!failed) execv(file.c_str(), argv.data());
    throw std::invalid_argument(what + ": the program " + known().file +
                                " is missing beside rdt: run `make build`");
}

}  // namespace rdt
