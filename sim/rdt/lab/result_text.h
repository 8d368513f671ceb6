// SPDX-License-Identifier: MIT
// Results as text, JSON, CSV and plot.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include <rdt/lab/simulate.h>
#include <rdt/lab/loads.h>

namespace rdt::lab {

// What was simulated, and what came out. Keys are stable.
nlohmann::ordered_json settings_json(const Network& network, const std::string& routing,
                                     const Options& options);
nlohmann::ordered_json result_json(const SimulationResult& result, const Network& network);

std::string to_text(const SimulationResult& result, const Network& network);
std::string deadlock_text(const SimulationResult& result, const Network& network);
std::string to_table(const std::vector<LoadPoint>& points);
std::string to_csv(const std::vector<LoadPoint>& points);
// Network latency over accepted traffic, as in the paper's figures 9 to 11.
std::string to_svg(const std::vector<LoadPoint>& points, const std::string& title);

}  // namespace rdt::lab
