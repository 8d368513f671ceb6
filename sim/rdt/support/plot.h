// SPDX-License-Identifier: MIT
// A plot of curves as an SVG file that needs nothing else.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rdt {

struct Curve {
    std::string name;
    std::vector<std::pair<double, double>> points;
    bool dashed = false;
    std::vector<double> spread = {};  // of a point, up and down; none: no bars are drawn
};

struct Plot {
    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<Curve> curves;
    double y_max = 0;  // 0: as high as the highest point; what is above is cut off
};

std::string to_svg(const Plot& plot);

}  // namespace rdt
