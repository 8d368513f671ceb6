// SPDX-License-Identifier: MIT
// A subcommand of `rdt` is one file with one Command object; main.cpp need not know it.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/invocation.h"

namespace rdt {

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

// A flag takes no value.
inline bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

// A range without its words in --help, where the text beside it says so.
template <typename T>
CLI::Validator within(T low, T high) {
    return CLI::Range(low, high).description("");
}

struct Command {
    Command(const std::string& name, AddCommand add) { all()[name] = add; }
    static std::map<std::string, AddCommand>& all() {
        static std::map<std::string, AddCommand> commands;
        return commands;
    }
};

}  // namespace rdt
