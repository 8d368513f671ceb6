// SPDX-License-Identifier: MIT
// The settings of a machine: apart from settings.cpp, because programs without a machine use that
// too.
#include <charconv>
#include <cmath>

#include "cli/settings.h"

namespace rdt {

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

// What is written, and how the options came, changes no result.
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
        // A shared memory ends with its operations, unless it is told otherwise.
        if (options.is_memory() && option->count() == 0 && (name == "cycles" || name == "warmup"))
            continue;
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
