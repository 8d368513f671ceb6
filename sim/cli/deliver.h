// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <string>

#include <rdt/support/output.h>

namespace rdt {

// Prints the text, unless the JSON takes its place on standard output, and writes the JSON if a
// file is named for it.
inline void deliver(const std::string& json_file, const std::string& text,
                    const nlohmann::ordered_json& json) {
    if (json_file != "-") fmt::print("{}", text);
    if (!json_file.empty()) write_file(json_file, json.dump(2) + "\n");
}

}  // namespace rdt
