// SPDX-License-Identifier: MIT
// Colors of curves and drawings: `series` of docs/images/palette.json (compared by a test).
#pragma once

#include <array>
#include <cstddef>

namespace rdt {

// Readable on white, also with color vision deficiency (Okabe and Ito).
constexpr std::array<const char*, 8> SeriesColors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#666666", "#b8a800"};
// Errors, in the color of the second series.
constexpr const char* ErrorColor = SeriesColors[1];

constexpr const char* series_color(size_t number) {
    return SeriesColors[number % SeriesColors.size()];
}

}  // namespace rdt
