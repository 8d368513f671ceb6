// SPDX-License-Identifier: MIT
#include "cli/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "cli/guard.h"
#include "cli/machine_options.h"
#include <rdt/support/complain.h>
#include <rdt/support/output.h>

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
    if (item.inputs.empty()) throw std::invalid_argument(item.name + ": needs a value");
    if (is_flag(option)) {
        if (item.inputs.size() != 1 || (item.inputs[0] != "true" && item.inputs[0] != "false"))
            throw std::invalid_argument(item.name + ": must be true or false");
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
    if (text.size() > Largest) throw std::invalid_argument("is too large: must be at most 1 MiB");
    std::vector<CLI::ConfigItem> items;
    try {
        std::istringstream in(text);
        items = CLI::ConfigTOML().from_config(in);
    } catch (const std::exception&) {
        throw std::invalid_argument("has no options: must be lines such as load = 0.3");
    }
    std::vector<std::string> words;
    for (const CLI::ConfigItem& item : items) {
        if (item.name == "++" || item.name == "--") continue;  // a section begins, or ends
        if (!item.parents.empty() && item.parents != std::vector<std::string>{cmd.get_name()})
            throw std::invalid_argument(
                fmt::format("has a section for another command: [{1}]: must be [{0}]",
                            cmd.get_name(), item.parents.front()));
        const CLI::Option* option = cmd.get_option_no_throw("--" + item.name);
        if (option == nullptr || item.name == "config" || item.name == "help")
            throw std::invalid_argument("has an unknown option: " + item.name + ": see rdt " +
                                        cmd.get_name() + " --help");
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
    cmd.add_option("--config",
                   "read options from a TOML file, one per line, for example load = 0.3; options "
                   "on the command line override it")
        ->type_name("FILE")
        ->group("Options");
    cmd.add_flag("--print-config", prints, "print all options in the format of --config, and exit")
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
        if (!path.empty()) throw std::invalid_argument("--config: given twice: must be given once");
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
        throw std::invalid_argument(path + ": " + e.what());
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
        if (option->nonpositional()) line += " " + name;
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

namespace {

using Json = nlohmann::ordered_json;

// Numbers are not quoted; what only looks like one, as the link 9.E0, is.
Json value_of(const CLI::Option& option, const std::string& text) {
    const std::string type = option.get_type_name();
    const auto is = [&type](const char* name) { return type.rfind(name, 0) == 0; };
    if (!is("UINT") && !is("INT") && !is("FLOAT")) return text;
    uint64_t whole = 0;
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, whole);
    if (error == std::errc() && at == end) return whole;
    double real = 0;
    const auto [to, wrong] = std::from_chars(text.data(), end, real);
    if (wrong == std::errc() && to == end && std::isfinite(real)) return real;
    return text;
}

// Output options and the source of the options do not change results.
bool is_setting(const CLI::Option& option) {
    const std::string name = option.get_single_name();
    return option.get_group() != OutputGroup && name != "help" && name != "config" &&
           name != "print-config";
}

}  // namespace

Json settings_of(const CLI::App& cmd, const MachineOptions& options) {
    Json settings = Json::object();
    for (const CLI::Option* option : cmd.get_options()) {
        const std::string name = option->get_single_name();
        if (!is_setting(*option) || !options.in_vain("--" + name).empty()) continue;
        // Shared-memory runs end with their operations by default.
        if (options.is_memory() && option->count() == 0 && (name == "cycles" || name == "warmup"))
            continue;
        // The number of threads of a check depends on the computer by default.
        if (name == "threads" && option->count() == 0 && !options.check.empty()) continue;
        if (is_flag(*option)) {
            settings[name] = option->count() > 0;
        } else if (option->count() > 0) {
            Json values = Json::array();
            for (const std::string& text : option->results())
                values.push_back(value_of(*option, text));
            settings[name] = option->get_items_expected_max() > 1 ? values : values.back();
        } else if (!option->get_default_str().empty() &&
                   option->get_default_str().find(' ') == std::string::npos &&
                   option->get_default_str() != "[]") {
            settings[name] = value_of(*option, option->get_default_str());
        }
    }
    return settings;
}

}  // namespace rdt
