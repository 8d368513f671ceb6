// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/heatmap.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace rdt::machine {

namespace {

constexpr int MostDrawn = 32;  // nodes on a side, with links
constexpr double Step = 84;    // from node to node
constexpr double Cell = 7;     // of a node without links
constexpr double Margin = 70;
constexpr double Head = 70;  // for title and scale

struct Rgb {
    double red, green, blue;
};
// From nothing to a link that is never idle; told apart without colours by their lightness.
constexpr Rgb Scale[] = {
    {236, 236, 236}, {254, 217, 118}, {253, 141, 60}, {189, 0, 38}, {64, 0, 30}};

std::string colour_of(double use) {
    constexpr int Last = int(std::size(Scale)) - 1;
    const double at = std::clamp(use, 0.0, 1.0) * Last;
    const int low = std::min(int(at), Last - 1);
    const double part = at - low;
    const auto mix = [&](double Rgb::*of) {
        return int(std::lround(Scale[low].*of * (1 - part) + Scale[low + 1].*of * part));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(&Rgb::red), mix(&Rgb::green), mix(&Rgb::blue));
}

class Picture {
public:
    Picture(const Machine& machine, const RunResult& result)
        : m_geometry(machine.geometry()),
          m_result(result),
          m_side(m_geometry.side()),
          m_has_links(m_side <= MostDrawn),
          m_step(m_has_links ? Step : Cell),
          m_size(m_step * (m_side - 1) + 2 * Margin) {}

    std::string svg() const {
        const double width = std::max(m_size, 460.0);
        std::string text = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
            "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"11\">\n"
            "<style>.link,.wait{{fill:none;stroke-linecap:round}}.link{{stroke-width:3.5}}"
            ".wait{{stroke:#0072b2;stroke-width:1.6;marker-end:url(#tip)}}</style>\n"
            "<defs><marker id=\"tip\" markerWidth=\"7\" markerHeight=\"6\" refX=\"6\" refY=\"3\" "
            "orient=\"auto\"><path d=\"M0 0L7 3L0 6z\" style=\"fill:#0072b2;stroke:none\"/>"
            "</marker></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
            "<text x=\"14\" y=\"22\" font-size=\"15\">Flits per link and clock, {2} x {2} nodes, "
            "{3} "
            "clocks</text>\n",
            width, m_size + Head, m_side, m_result.clocks);
        text += scale();
        for (const LinkUse& l : m_result.links)
            if (m_has_links && l.port < PortM0) text += link(l);
        if (m_has_links)
            for (const Wait& w : m_result.waits) text += wait(w);
        return text + nodes() + "</svg>\n";
    }

private:
    struct Point {
        double x, y;
    };
    Point at(uint32_t node) const {
        // North is up, as in all pictures (docs/images/palette.json).
        return {Margin + m_step * m_geometry.x_of(node),
                Head + Margin + m_step * (m_side - 1 - m_geometry.y_of(node))};
    }
    // Where the other end is, if the picture went on beyond its edges.
    Point far_end(uint32_t node, uint32_t port) const {
        const uint32_t to = m_geometry.neighbour(node, port);
        const auto near = [this](int from, int other) {
            const int d = other - from;
            return d > m_side / 2 ? d - m_side : d < -m_side / 2 ? d + m_side : d;
        };
        const Point p = at(node);
        return {p.x + m_step * near(m_geometry.x_of(node), m_geometry.x_of(to)),
                p.y - m_step * near(m_geometry.y_of(node), m_geometry.y_of(to))};
    }
    std::string scale() const {
        std::string text;
        for (int i = 0; i <= 20; ++i)
            text +=
                fmt::format("<rect x=\"{}\" y=\"34\" width=\"14\" height=\"12\" fill=\"{}\"/>\n",
                            14 + 14 * i, colour_of(i / 20.0));
        return text +
               "<text x=\"14\" y=\"60\">0</text><text x=\"288\" y=\"60\">1 flit a clock</text>\n";
    }

    // A curve from here to there, on its own side, so that both directions are seen.
    std::string way(uint32_t node, uint32_t port, double aside) const {
        const Point a = at(node);
        Point b = far_end(node, port);
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        const Point dir{(b.x - a.x) / length, (b.y - a.y) / length};
        const Point own = at(m_geometry.neighbour(node, port));
        const bool wraps = std::hypot(b.x - own.x, b.y - own.y) > 1;
        if (wraps) b = {a.x + 0.62 * m_step * dir.x, a.y + 0.62 * m_step * dir.y};
        const double bend = aside + (length > 1.2 * m_step && !wraps ? 0.12 * length : 0);
        const double gap = wraps ? 0 : 13;
        return fmt::format("M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}",
                           a.x + 13 * dir.x - aside * dir.y, a.y + 13 * dir.y + aside * dir.x,
                           (a.x + b.x) / 2 - bend * dir.y, (a.y + b.y) / 2 + bend * dir.x,
                           b.x - gap * dir.x - aside * dir.y, b.y - gap * dir.y + aside * dir.x);
    }
    std::string link(const LinkUse& l) const {
        return fmt::format(
            "<path class=\"link\" d=\"{}\" stroke=\"{}\"><title>{}.{}: {:.4f}</title></path>\n",
            way(l.node, l.port, 3), colour_of(l.sent), l.node, to_string(Port(l.port)), l.sent);
    }
    std::string wait(const Wait& w) const {
        if (w.output >= PortM0) return {};
        return fmt::format("<path class=\"wait\" d=\"{}\"><title>{} waits: {}</title></path>\n",
                           way(w.buffer.node, w.output, 8), to_string(w.buffer), w.why);
    }

    std::string nodes() const {
        std::string text;
        for (const NodeUse& n : m_result.nodes) {
            const Point p = at(n.node);
            const double use = m_has_links ? (n.injected + n.accepted) / 2 : mean_of(n.node);
            const std::string title = fmt::format(
                "node {} ({},{}): {:.4f} flits a clock injected, {:.4f} accepted", n.node,
                m_geometry.x_of(n.node), m_geometry.y_of(n.node), n.injected, n.accepted);
            if (m_has_links)
                text += fmt::format(
                    "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"12\" fill=\"{2}\" stroke=\"#444\">"
                    "<title>{3}</title></circle><text x=\"{0:.1f}\" y=\"{4:.1f}\" "
                    "text-anchor=\"middle\" pointer-events=\"none\" fill=\"{5}\">{6}</text>\n",
                    p.x, p.y, colour_of(use), title, p.y + 4, use > 0.55 ? "white" : "black",
                    n.node);
            else
                text += fmt::format(
                    "<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2}\" height=\"{2}\" fill=\"{3}\">"
                    "<title>{4}</title></rect>\n",
                    p.x, p.y, Cell, colour_of(use), title);
        }
        return text;
    }
    // Of the links that a node drives.
    double mean_of(uint32_t node) const {
        double sum = 0;
        uint32_t count = 0;
        for (size_t i = size_t(node) * m_result.links.size() / m_geometry.nodes();
             i < m_result.links.size() && m_result.links[i].node == node; ++i)
            if (m_result.links[i].port < PortM0) {
                sum += m_result.links[i].sent;
                ++count;
            }
        return count == 0 ? 0 : sum / count;
    }

    const Geometry& m_geometry;
    const RunResult& m_result;
    const int m_side;
    const bool m_has_links;
    const double m_step;
    const double m_size;
};

}  // namespace

std::string draw_heatmap(const Machine& machine, const RunResult& result) {
    return Picture(machine, result).svg();
}

}  // namespace rdt::machine
