// SPDX-License-Identifier: MIT
// The networks of the lab, for the page's second view.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rdt::live {

// Traffic pattern: name and description.
nlohmann::ordered_json patterns();
// Where its nodes are drawn and which are linked. Throws NetworkError, as all of these.
nlohmann::ordered_json network_of(const std::string& name);
// As rdt net info, loads and cdg have them.
nlohmann::ordered_json figures_of(const std::string& name);
nlohmann::ordered_json path_of(const std::string& name, uint32_t from, uint32_t to);
// The lab's simulator at one load: traffic, load, cycles, seed.
nlohmann::ordered_json run_of(const std::string& name, const nlohmann::json& options);

}  // namespace rdt::live
