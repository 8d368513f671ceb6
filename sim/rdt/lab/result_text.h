// SPDX-License-Identifier: MIT
// Results as text, JSON, CSV and plot.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include <rdt/lab/simulate.h>
#include <rdt/lab/loads.h>

namespace rdt::lab {

// Settings and results. Keys are stable.
nlohmann::ordered_json settings_json(const Network& network, const std::string& routing,
                                     const Options& options);
nlohmann::ordered_json result_json(const SimulationResult& result, const Network& network);

std::string to_text(const SimulationResult& result, const Network& network);
// Why there are no intervals, if there are none: a line.
std::string interval_note(const SimulationResult& result);
std::string deadlock_text(const SimulationResult& result, const Network& network);
std::string to_table(const std::vector<LoadPoint>& points);
// `settings` is one line with all simulation settings; it is the first line of the file.
std::string to_csv(const std::vector<LoadPoint>& points, const std::string& settings);
// The points of such a file, with all values that are plotted and printed. Throws
// std::invalid_argument for a file that is none, or of other settings: one line without the file's
// name. A last line that was cut off is left out.
std::vector<LoadPoint> from_csv(const std::string& text, const std::string& settings);
// Network latency over accepted traffic, as in the paper's figures 9 to 11.
std::string to_svg(const std::vector<LoadPoint>& points, const std::string& title);

}  // namespace rdt::lab
