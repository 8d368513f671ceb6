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
    std::vector<double> spread = {};  // error bars, up and down; none or NaN: no bar
    bool dots = true;                 // at the points
    // A value holds until the next point, and the area below is filled: a histogram, whose points
    // are the lower ends of its classes and, last, the upper end of the last.
    bool steps = false;
};

struct Plot {
    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<Curve> curves;
    double y_max = 0;          // 0: as high as the highest point; what is above is cut off
    std::string id = "frame";  // a name of its own for each plot of a page
    bool compact = false;      // legible on a telephone
    double saturated = 0;      // x from which on the network is saturated; 0: none
};

std::string to_svg(const Plot& plot);

// Text of XML and HTML.
std::string escaped(const std::string& text);

}  // namespace rdt
