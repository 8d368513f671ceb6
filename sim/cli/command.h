// SPDX-License-Identifier: MIT
// A subcommand of `rdt` is one file with one Command object; main.cpp need not know it.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/invocation.h"

namespace rdt {

// Runs the chosen subcommand after the options are parsed.
using Action = std::function<int()>;

// Adds the subcommand's options to the program and sets `action` when it is chosen.
using AddCommand = void (*)(CLI::App& program, Action& action);

// A section of --help that lists entries by name.
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

// A range check without its text in --help, because the description states the range.
template <typename T>
CLI::Validator within(T low, T high) {
    return CLI::Validator(
        [low, high](const std::string& text) {
            T value{};
            const bool fits =
                CLI::detail::lexical_cast(text, value) && low <= value && value <= high;
            return fits ? std::string() : fmt::format("{}: must be {} to {}", text, low, high);
        },
        "");
}

struct Command {
    Command(const std::string& name, AddCommand add) { all()[name] = add; }
    static std::map<std::string, AddCommand>& all() {
        static std::map<std::string, AddCommand> commands;
        return commands;
    }
};

}  // namespace rdt
