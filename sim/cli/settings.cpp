// SPDX-License-Identifier: MIT
#include "cli/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include <rdt/support/output.h>
#include "cli/guard.h"

namespace rdt {

namespace {

using Json = nlohmann::ordered_json;

bool is_given(const std::vector<std::string>& arguments, const std::string& name) {
    return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& a) {
        return a == name || a.rfind(name + "=", 0) == 0;
    });
}

// As words of a command line.
void append(const CLI::Option& option, const CLI::ConfigItem& item,
            std::vector<std::string>& words) {
    const std::string name = "--" + option.get_single_name();
    if (item.inputs.empty()) throw std::invalid_argument(item.name + " has no value");
    if (is_flag(option)) {
        if (item.inputs.size() != 1 || (item.inputs[0] != "true" && item.inputs[0] != "false"))
            throw std::invalid_argument(item.name + " is true or false");
        if (item.inputs[0] == "true") words.push_back(name);
        return;
    }
    for (const std::string& value : item.inputs) words.push_back(name + "=" + value);
}

std::vector<std::string> read_config(const std::string& path, const CLI::App& cmd,
                                     const std::vector<std::string>& given) {
    constexpr size_t Largest = 1 << 20;
    std::ifstream file(path, std::ios::binary);
    std::string text(Largest + 1, '\0');
    file.read(text.data(), std::streamsize(text.size()));
    text.resize(size_t(file.gcount()));
    if (text.empty() && !file.eof()) throw std::invalid_argument("cannot be read");
    if (text.size() > Largest) throw std::invalid_argument("is too large for options");
    std::vector<CLI::ConfigItem> items;
    try {
        std::istringstream in(text);
        items = CLI::ConfigTOML().from_config(in);
    } catch (const std::exception&) {
        throw std::invalid_argument("has no options, as load = 0.3");
    }
    std::vector<std::string> words;
    for (const CLI::ConfigItem& item : items) {
        if (item.name == "++" || item.name == "--") continue;  // a section begins, or ends
        if (!item.parents.empty() && item.parents != std::vector<std::string>{cmd.get_name()})
            throw std::invalid_argument(
                fmt::format("is not for rdt {}: [{}]", cmd.get_name(), item.parents.front()));
        const CLI::Option* option = cmd.get_option_no_throw("--" + item.name);
        if (option == nullptr || item.name == "config" || item.name == "help")
            throw std::invalid_argument("names no option of rdt " + cmd.get_name() + ": " +
                                        item.name);
        if (!is_given(given, "--" + option->get_single_name())) append(*option, item, words);
    }
    return words;
}

std::string quoted(const std::string& value) {
    return !value.empty() && value.find_first_not_of(
                                 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "-_=.,:/+@%") == std::string::npos
               ? value
               : "'" + value + "'";
}

}  // namespace

void add_config(CLI::App& cmd, bool& prints) {
    cmd.add_option("--config", "options from a file, one a line, as load = 0.3")
        ->type_name("FILE")
        ->group("Options");
    cmd.add_flag("--print-config", prints, "print all options as such a file, and end")
        ->group("Options");
}

std::vector<std::string> with_config(const CLI::App& program,
                                     const std::vector<std::string>& arguments) {
    if (arguments.empty()) return arguments;
    const auto all = program.get_subcommands([](const CLI::App*) { return true; });
    const auto cmd = std::find_if(all.begin(), all.end(), [&](const CLI::App* app) {
        return app->get_name() == arguments[0];
    });
    if (cmd == all.end() || (*cmd)->get_option_no_throw("--config") == nullptr) return arguments;
    std::string path;
    std::vector<std::string> words;
    for (size_t i = 1; i < arguments.size(); ++i) {
        const bool has_value = arguments[i].rfind("--config=", 0) == 0;
        if (arguments[i] != "--config" && !has_value) {
            words.push_back(arguments[i]);
            continue;
        }
        if (!path.empty()) throw std::invalid_argument("--config is given twice");
        if (!has_value && i + 1 == arguments.size()) return arguments;
        path = has_value ? arguments[i].substr(9) : arguments[++i];
        if (path.empty() || looks_like_option(path))
            throw std::invalid_argument("--config: needs a value");
    }
    if (path.empty()) return arguments;
    config_file() = path;
    try {
        const std::vector<std::string> read = read_config(path, **cmd, words);
        words.insert(words.begin(), read.begin(), read.end());
    } catch (const std::invalid_argument& e) {
        throw std::invalid_argument(path + " " + e.what());
    }
    words.insert(words.begin(), arguments[0]);
    return words;
}

std::string to_toml(const Json& settings, const std::string& command) {
    std::string text = "[" + command + "]\n";
    for (const auto& [name, value] : settings.items())
        text += fmt::format("{} = {}\n", name, value.dump());
    return text;
}

std::string command_line(const CLI::App& cmd) {
    std::string line = called_as() + " " + cmd.get_name();
    std::vector<std::string> done;
    for (const CLI::Option* option : cmd.parse_order()) {
        const std::string name = "--" + option->get_single_name();
        if (std::find(done.begin(), done.end(), name) != done.end()) continue;
        done.push_back(name);
        line += " " + name;
        if (is_flag(*option)) continue;
        std::string values;
        for (const std::string& value : option->results())
            values += (values.empty()                    ? " "
                       : option->get_delimiter() == '\0' ? " " + name + " "
                                                         : ",") +
                      quoted(value);
        line += values;
    }
    return line;
}

}  // namespace rdt
