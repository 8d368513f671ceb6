// SPDX-License-Identifier: MIT
// A subcommand of `rdt` is one file with one Command object; main.cpp need not know it.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace rdt {

// Exit codes of every subcommand.
constexpr int ExitOk = 0;
constexpr int ExitFound = 1;  // the run worked and what it looked for is wrong
constexpr int ExitUsage = 2;  // wrong option, unreadable or unwritable file
// A signal ended it early, with complete files: this and the number of the signal, as of a shell.
constexpr int ExitSignal = 128;

// What the chosen subcommand does once the options are read.
using Action = std::function<int()>;

// Adds the subcommand's options to the program and sets `action` when it is chosen.
using AddCommand = void (*)(CLI::App& program, Action& action);

// A part of --help: what there is, by name.
template <class Entries>
std::string listed(const std::string& title, const Entries& entries,
                   const std::string& prefix = "") {
    std::string text = title + ":\n";
    for (const auto& entry : entries) {
        std::string name = prefix + entry.name;
        name.resize(std::max<size_t>(name.size(), prefix.empty() ? 12 : 22), ' ');
        text += "  " + name + " " + entry.about + "\n";
    }
    return text;
}

// Shared libraries that --plugin named, in order.
inline std::vector<std::string>& plugins() {
    static std::vector<std::string> files;
    return files;
}

// The file that --config named; empty if there is none.
inline std::string& config_file() {
    static std::string file;
    return file;
}

// A flag takes no value.
inline bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

// A range without its words in --help, where the text beside it says so.
template <typename T>
CLI::Validator within(T low, T high) {
    return CLI::Range(low, high).description("");
}

// How the program was called, for lines that call it again.
inline std::string& called_as() {
    static std::string name = "rdt";
    return name;
}

struct Command {
    Command(const std::string& name, AddCommand add) { all()[name] = add; }
    static std::map<std::string, AddCommand>& all() {
        static std::map<std::string, AddCommand> commands;
        return commands;
    }
};

}  // namespace rdt
