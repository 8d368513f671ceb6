// SPDX-License-Identifier: MIT
#include <rdt/net/graph/drawing.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include <rdt/support/colors.h>

namespace rdt {

namespace {

constexpr uint32_t MaxLabelled = 300;
constexpr double Margin = 40;

double distance(Position a, Position b) { return std::hypot(a.x - b.x, a.y - b.y); }

// Smallest distance between two nodes, in the network's own units.
double closest(const std::vector<Position>& at) {
    double least = 1e9;
    const size_t looked_at = std::min<size_t>(at.size(), 200);
    for (size_t i = 0; i < looked_at; ++i)
        for (size_t j = i + 1; j < at.size(); ++j) least = std::min(least, distance(at[i], at[j]));
    return least > 0 && least < 1e9 ? least : 1;
}

class Drawing {
public:
    explicit Drawing(const Network& network) : m_network(network) {
        for (NodeId node = 0; node < network.nodes(); ++node)
            m_at.push_back(network.position(node));
        const bool labelled = network.nodes() <= MaxLabelled;
        const size_t letters = network.label(network.nodes() - 1).size();
        m_step = labelled ? std::max(52.0, 7.0 * double(letters) + 22) : 14;
        const double scale = m_step / closest(m_at);
        const auto by_x = [](Position a, Position b) { return a.x < b.x; };
        const auto by_y = [](Position a, Position b) { return a.y < b.y; };
        const double left = std::min_element(m_at.begin(), m_at.end(), by_x)->x;
        const double top = std::min_element(m_at.begin(), m_at.end(), by_y)->y;
        for (Position& p : m_at)
            p = {(p.x - left) * scale + 2 * Margin, (p.y - top) * scale + 2 * Margin};
        m_period = {network.period().x * scale, network.period().y * scale};
        m_width = std::max_element(m_at.begin(), m_at.end(), by_x)->x + 2 * Margin;
        m_height = std::max_element(m_at.begin(), m_at.end(), by_y)->y + 2 * Margin;
    }

    std::string svg() const {
        std::string text = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
            "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"11\">\n"
            "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
            "<text x=\"12\" y=\"22\" font-size=\"15\">{2}</text>\n",
            m_width, m_height, m_network.name());
        for (uint32_t port = 0; port < m_network.ports(); ++port) text += links(port);
        text += nodes();
        return text + "</svg>\n";
    }

private:
    // Both ends of an undirected link name it; the lower one draws.
    std::string links(uint32_t port) const {
        std::string path;
        for (NodeId node = 0; node < m_network.nodes(); ++node) {
            const auto to = m_network.neighbor(node, port);
            if (!to) continue;
            if (!m_network.directed()) {
                const uint32_t back = m_network.port_back(node, port);
                if (std::pair(*to, back) < std::pair(node, port)) continue;
            }
            path += link(m_at[node], m_at[*to]);
        }
        if (path.empty()) return {};
        const char* color = series_color(port / 2);
        return fmt::format(
            "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\"0.75\" "
            "d=\"{}\"/>\n",
            color, m_step > 40 ? 1.5 : 0.7, path);
    }

    std::string link(Position a, Position b) const {
        const Position image = nearest_image(a, b);
        const double length = distance(a, image);
        const Position way{(image.x - a.x) / length, (image.y - a.y) / length};
        if (distance(b, image) > 1) {
            // Across the edge of a flat torus: a stub at either end, in its true direction.
            const double stub = std::min(0.5 * length, 1.1 * m_step);
            return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}M{:.1f} {:.1f}l{:.1f} {:.1f}", a.x, a.y,
                               stub * way.x, stub * way.y, b.x, b.y, -stub * way.x, -stub * way.y);
        }
        if (length < 1.6 * m_step)
            return fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", a.x, a.y, b.x, b.y);
        const double bend = 0.1 * length;
        return fmt::format("M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", a.x, a.y,
                           (a.x + b.x) / 2 - bend * way.y, (a.y + b.y) / 2 + bend * way.x, b.x,
                           b.y);
    }

    // Where b is, seen from a, if the picture continues beyond its edges.
    Position nearest_image(Position a, Position b) const {
        const auto nearest = [](double from, double to, double period) {
            return period > 0 ? to + std::round((from - to) / period * 0.999) * period : to;
        };
        return {nearest(a.x, b.x, m_period.x), nearest(a.y, b.y, m_period.y)};
    }

    std::string nodes() const {
        const bool labelled = m_network.nodes() <= MaxLabelled;
        std::string text = "<g fill=\"white\" stroke=\"black\">\n";
        const double half = 3.6 * double(m_network.label(m_network.nodes() - 1).size()) + 5;
        for (Position p : m_at)
            text += labelled
                        ? fmt::format(
                              "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                              "height=\"18\" rx=\"6\"/>\n",
                              p.x - half, p.y - 9, 2 * half)
                        : fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n", p.x, p.y);
        text += "</g>\n";
        if (!labelled) return text;
        text += "<g text-anchor=\"middle\">\n";
        for (NodeId node = 0; node < m_network.nodes(); ++node)
            text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", m_at[node].x,
                                m_at[node].y + 4, m_network.label(node));
        return text + "</g>\n";
    }

    const Network& m_network;
    std::vector<Position> m_at;
    double m_step;  // between neighboring nodes, in pixels
    Position m_period;
    double m_width = 0;
    double m_height = 0;
};

}  // namespace

std::string draw(const Network& network) {
    if (network.nodes() > MaxDrawnNodes)
        throw NetworkError(fmt::format("{} has {} nodes; a drawing takes at most {}",
                                       network.name(), network.nodes(), MaxDrawnNodes));
    return Drawing(network).svg();
}

}  // namespace rdt
