// SPDX-License-Identifier: MIT
#include <rdt/support/plot.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <rdt/support/colors.h>
#include <rdt/support/sweep.h>

namespace rdt {

namespace {

struct Size {
    double width = 720;
    double height = 460;
    double right = 190;  // right of the frame, for the names of the curves
};
constexpr double Left = 70;
constexpr double Top = 40;
constexpr double Bottom = 55;

// 1, 2 or 5 times a power of ten, so that about six steps make up the range.
double tick_step(double range) {
    const double power = std::pow(10, std::floor(std::log10(range / 6)));
    const double digit = range / 6 / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

struct Scale {
    double max;
    double from;  // where 0 lies
    double to;
    double operator()(double value) const { return from + (to - from) * value / max; }
};

std::string text(double x, double y, const std::string& what, const char* more) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more, escaped(what));
}

std::string tick_text(double v) {
    return v >= 1e4 ? fmt::format("{:.0f}", v) : fmt::format("{:.4g}", v);
}

std::string axes(const Plot& plot, const Scale& x, const Scale& y) {
    std::string svg;
    for (double v = 0; v <= x.max * 1.0001; v += tick_step(x.max)) {
        svg += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" class=\"grid\"/>\n", x(v), y.from,
                           y.to);
        svg += text(x(v), y.from + 18, tick_text(v), "text-anchor=\"middle\"");
    }
    for (double v = 0; v <= y.max * 1.0001; v += tick_step(y.max)) {
        svg += fmt::format("<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\" class=\"grid\"/>\n", x.from, y(v),
                           x.to);
        svg += text(x.from - 8, y(v) + 4, tick_text(v), "text-anchor=\"end\"");
    }
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" class=\"axis\"/>\n", x.from, y.to,
                       y.from, x.to);
    svg += text((x.from + x.to) / 2, y.from + 42, plot.x_label, "text-anchor=\"middle\"");
    svg += fmt::format(
        "<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        (y.from + y.to) / 2, escaped(plot.y_label));
    return svg;
}

// Colors repeat after the last one; dots then distinguish curves.
const char* dashes_of(const Curve& curve, size_t number) {
    if (number >= SeriesColors.size())
        return curve.dashed ? " stroke-dasharray=\"6 3 1 3\"" : " stroke-dasharray=\"1.5 3\"";
    return curve.dashed ? " stroke-dasharray=\"6 4\"" : "";
}

std::string steps_svg(const Curve& curve, const char* color, const Scale& x, const Scale& y) {
    if (curve.points.empty()) return {};
    std::string path = fmt::format("M{:.1f} {:.1f}", x(curve.points.front().first), y.from);
    for (const auto& [px, py] : curve.points) path += fmt::format("H{:.1f}V{:.1f}", x(px), y(py));
    return fmt::format("<path d=\"{}V{:.1f}\" fill=\"{}\" fill-opacity=\"0.25\" stroke=\"{}\"/>\n",
                       path, y.from, color, color);
}

std::string curve_svg(const Curve& curve, size_t number, const Scale& x, const Scale& y,
                      const std::string& id) {
    const char* color = series_color(number);
    if (curve.steps) return steps_svg(curve, color, x, y);
    std::string path;
    std::string marks;
    for (size_t i = 0; i < curve.points.size(); ++i) {
        const auto& [px, py] = curve.points[i];
        if (i < curve.spread.size() && std::isfinite(curve.spread[i]))
            marks += fmt::format(
                "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}m-4 0h8M{3:.1f} {1:.1f}h8\" stroke=\"{4}\"/>\n",
                x(px), y(py - curve.spread[i]), y(py + curve.spread[i]), x(px) - 4, color);
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(px), y(py));
        // An arrow marks values above the top.
        if (py > y.max)
            marks += fmt::format("<path d=\"M{:.1f} {:.1f}l4 7h-8z\" fill=\"{}\"/>\n", x(px), y.to,
                                 color);
        else if (curve.dots)
            marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n",
                                 x(px), y(py), color);
    }
    return fmt::format(
        "<g clip-path=\"url(#{})\">\n<path d=\"{}\" fill=\"none\" stroke=\"{}\" "
        "stroke-width=\"1.8\"{}/>\n{}</g>\n",
        id, path, color, dashes_of(curve, number), marks);
}

}  // namespace

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text)
        result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return result;
}

std::string to_svg(const Plot& plot) {
    Size size;
    if (plot.compact) {
        size_t letters = 0;
        for (const Curve& c : plot.curves) letters = std::max(letters, c.name.size());
        size = {480, 320, 50 + 6.5 * double(letters)};
    }
    double x_max = plot.saturated;
    double y_max = plot.y_max;
    for (const Curve& c : plot.curves)
        for (const auto& [x, y] : c.points) {
            x_max = std::max(x_max, x);
            if (plot.y_max == 0) y_max = std::max(y_max, y);
        }
    const Scale x{x_max > 0 ? x_max * 1.05 : 1, Left, size.width - size.right};
    const Scale y{y_max > 0 ? y_max * 1.05 : 1, size.height - Bottom, Top};
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<style>.grid{{stroke:#ddd}}.axis{{stroke:#000;fill:none}}</style>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n"
        "<clipPath id=\"{6}\"><rect x=\"{2}\" y=\"{3}\" width=\"{4}\" "
        "height=\"{5}\"/></clipPath>\n",
        size.width, size.height, Left, Top, size.width - Left - size.right,
        size.height - Top - Bottom, plot.id);
    svg += text(size.width / 2, 22, plot.title, "text-anchor=\"middle\" font-size=\"15\"");
    svg += axes(plot, x, y);
    if (plot.saturated > 0) {
        svg += fmt::format(
            "<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#666\" stroke-dasharray=\"2 3\"/>\n",
            x(plot.saturated), y.from, y.to);
        svg += text(x(plot.saturated) - 4, y.to + 12, "saturated", "text-anchor=\"end\"");
    }
    double line = Top + 12;
    for (size_t i = 0; i < plot.curves.size(); ++i, line += 20) {
        const char* color = series_color(i);
        svg += curve_svg(plot.curves[i], i, x, y, plot.id);
        svg += fmt::format("<path d=\"M{:.1f} {:.1f}h22\" stroke=\"{}\" stroke-width=\"1.8\"{}/>\n",
                           size.width - size.right + 14, line - 4, color,
                           dashes_of(plot.curves[i], i));
        svg += text(size.width - size.right + 42, line, plot.curves[i].name, "");
    }
    return svg + "</svg>\n";
}

std::optional<double> SweepOrder::next() {
    for (const double load : m_options.loads) {
        if (!counts(load)) return std::nullopt;
        if (m_begun.insert(load).second) return load;
    }
    return std::nullopt;
}

std::vector<double> loads_between(double from, double to, double step) {
    if (!(step > 0)) throw std::invalid_argument("--step: must be more than 0");
    if (!(from >= 0 && from <= to && to <= 1))
        throw std::invalid_argument("--from and --to: must be 0 to 1, --from first");
    if ((to - from) / step > 10000)
        throw std::invalid_argument("--step: too small: a sweep has at most 10000 points");
    std::vector<double> loads;
    // Rounded, so that a load reads as it would be typed.
    for (size_t i = 0; from + step * double(i) <= to + step * 1e-6; ++i)
        loads.push_back(std::round((from + step * double(i)) * 1e9) / 1e9);
    return loads;
}

}  // namespace rdt
