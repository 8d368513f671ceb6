// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/page.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include <rdt/machine/measure/heatmap.h>
#include <rdt/support/colors.h>
#include <rdt/support/plot.h>
#include <rdt/version.h>

namespace rdt::machine {

namespace {

// Nothing is fetched from anywhere: the policy would refuse it.
constexpr const char* PageHead = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>rdt run</title>
<style>
body{margin:0 auto;padding:1rem;max-width:80rem;font:16px/1.45 system-ui,sans-serif;color:#1a1a1a;
background:#fff}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}
code,pre{font:13px/1.4 ui-monospace,monospace}
pre{background:#f4f4f4;padding:.7rem;overflow-x:auto}
code{overflow-wrap:anywhere}
.figures{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}
.figures div{border:1px solid #ccc;border-radius:4px;padding:.4rem .8rem}
.figures b{display:block;font-size:1.3rem}
.figures span{color:#555;font-size:.85rem}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:1rem}
figure{margin:0;overflow-x:auto}
figure svg{width:100%;height:auto}
.map svg{max-width:52rem;min-width:30rem}
figcaption{color:#555;font-size:.85rem}
)";

struct Series {
    const char* histogram;  // its name in JSON
    const char* label;
    const Latency& latency;
};

class Page {
public:
    Page(const Machine& machine, const RunResult& result, const Config& config,
         const std::vector<Stretch>& stretches)
        : m_machine(machine), m_result(result), m_config(config), m_stretches(stretches) {}

    std::string html() {
        const std::string table = to_table(m_result, m_config);
        std::string text = PageHead;
        text += fmt::format(".error{{border-left:4px solid {};padding-left:.6rem}}\n</style>\n",
                            ErrorColor);
        text += fmt::format("<h1>{}</h1>\n<p><code>{}</code><br>rdt {}</p>\n",
                            escaped(table.substr(0, table.find('\n'))), escaped(m_config.rerun),
                            RDT_VERSION);
        if (!m_result.error.empty())
            text += fmt::format("<p class=\"error\">{}</p>\n", escaped(m_result.error));
        text += figures() + "<h2>Table</h2>\n<pre>" + escaped(table) + "</pre>\n";
        text += "<h2>Latency</h2>\n<div class=\"plots\">\n" + latencies() + "</div>\n";
        text += "<h2>Over time</h2>\n<div class=\"plots\">\n" + times() + "</div>\n";
        text +=
            "<h2>Links</h2>\n<figure class=\"map\">\n" + draw_heatmap(m_machine, m_result) +
            "<figcaption>Both directions of every link; circles are nodes, colored by the flits "
            "they inject and accept. Hover over a link or node for its value.</figcaption>"
            "</figure>\n";
        return text + "</html>\n";
    }

private:
    std::string figures() const {
        std::string text = "<div class=\"figures\">\n";
        const auto add = [&text](const std::string& value, const char* what) {
            text += fmt::format("<div><b>{}</b><span>{}</span></div>\n", value, what);
        };
        add(fmt::format("{:.4f}", m_result.accepted), "flits/node/cycle accepted, copies included");
        add(fmt::format("{:.4f}", m_result.offered), "flits/node/cycle offered");
        const Latency& latency = m_result.total;
        add(latency.count == 0         ? "-"
            : std::isnan(latency.half) ? fmt::format("{:.1f}", latency.mean)
                                       : fmt::format("{:.1f} ± {:.1f}", latency.mean, latency.half),
            m_result.saturated
                ? "cycles, mean latency of unicasts: saturated, depends on the length of the run"
                : "cycles, mean latency of unicasts");
        add(latency.count == 0 ? "-" : fmt::format("{}", latency.p99), "cycles, 99th percentile");
        add(fmt::format("{}", m_result.delivered), "unicasts and copies delivered");
        if (m_result.compared_signals != 0)
            add(fmt::format("{} x {}", m_result.compared_signals, m_result.simulated),
                "signals x cycles compared");
        return text + "</div>\n";
    }

    std::string figure(Plot plot, const std::string& caption) {
        plot.id = fmt::format("plot{}", ++m_plots);
        plot.compact = true;
        return "<figure>\n" + to_svg(plot) + "<figcaption>" + escaped(caption) +
               "</figcaption></figure>\n";
    }

    std::string latencies() {
        std::string text =
            histogram("Unicasts", {{"latency", "total", m_result.total},
                                   {"latency_network", "network", m_result.network}}) +
            histogram("Unicasts, queueing", {{"latency_queueing", "queueing", m_result.queueing}});
        if (m_result.copies != 0)
            text += histogram("Multicasts", {{"multicast_latency", "last copy", m_result.multicast},
                                             {"ack_latency", "ack, round trip", m_result.ack}});
        return text;
    }
    const RunResult::Counts& counts_of(const char* name) const {
        static const RunResult::Counts none;
        for (const auto& [key, counts] : m_result.histograms)
            if (key == name) return counts;
        return none;
    }
    // Up to a bit above the 99th percentile, because the maximum may be far away; the caption
    // counts the rest.
    std::string histogram(const std::string& title, const std::vector<Series>& series) {
        constexpr uint64_t Classes = 60;
        uint64_t last = 0;
        for (const Series& s : series)
            last = std::max(last, std::min(s.latency.max, s.latency.p99 + s.latency.p99 / 2));
        const uint64_t width = last / Classes + 1;
        Plot plot{title, "cycles", fmt::format("packets per {} cycles", width), {}};
        if (width == 1) plot.y_label = "packets";
        std::string caption;
        for (const Series& s : series) {
            std::vector<uint64_t> packets(last / width + 1);
            uint64_t beyond = 0;
            for (const auto& [clocks, count] : counts_of(s.histogram))
                (clocks <= last ? packets[clocks / width] : beyond) += count;
            if (s.latency.max == 0) continue;
            Curve curve{s.label, {}};
            curve.steps = true;
            for (size_t i = 0; i < packets.size(); ++i)
                curve.points.emplace_back(double(i * width), double(packets[i]));
            curve.points.emplace_back(double(packets.size() * width), 0);
            plot.curves.push_back(curve);
            caption += fmt::format("{}{}: mean {:.1f}, median {}, 99 % {}, max {}",
                                   caption.empty() ? "" : "; ", s.label, s.latency.mean,
                                   s.latency.median, s.latency.p99, s.latency.max);
            if (beyond != 0) caption += fmt::format(" ({} beyond the plot)", beyond);
        }
        return plot.curves.empty() ? "" : figure(plot, caption);
    }

    template <typename F>
    Curve curve(const char* name, F&& value) const {
        Curve c{name, {}};
        c.dots = m_stretches.size() < 60;
        for (const Stretch& s : m_stretches)
            if (const double v = value(s); !std::isnan(v))
                c.points.emplace_back(double(s.end) - double(s.clocks) / 2, v);
        return c;
    }
    std::string times() {
        if (m_stretches.empty()) return "<p>No cycle was simulated.</p>\n";
        const auto per_node = [this](uint64_t flits, const Stretch& s) {
            return double(flits) / double(s.clocks) / m_machine.nodes();
        };
        const auto use = [&](size_t rank) {
            return [&per_node, rank](const Stretch& s) { return per_node(s.links[rank], s) / 2; };
        };
        const std::string means =
            fmt::format("Means over {} cycles, warm-up included.", m_stretches.front().clocks);
        const std::string cycle = "cycle";
        return figure({"Throughput",
                       cycle,
                       "flits/node/cycle",
                       {curve("offered", [&](auto& s) { return per_node(s.offered, s); }),
                        curve("accepted", [&](auto& s) { return per_node(s.accepted, s); })}},
                      means) +
               figure({"Latency",
                       cycle,
                       "cycles",
                       {curve("mean of arrivals", [](auto& s) { return s.latency_mean(); })}},
                      means + " Unicasts and copies of multicasts.") +
               figure(
                   {"Link utilization",
                    cycle,
                    "flits/link/cycle",
                    {curve("rank 0", use(0)), curve("upper rank", use(1)), curve("MBPs", use(2))}},
                   means) +
               figure({"Packets in flight",
                       cycle,
                       "packets",
                       {curve("in flight", [](auto& s) { return double(s.open); })}},
                      "At the end of each interval, packets in source queues included.");
    }

    const Machine& m_machine;
    const RunResult& m_result;
    const Config& m_config;
    const std::vector<Stretch>& m_stretches;
    int m_plots = 0;
};

}  // namespace

std::string draw_page(const Machine& machine, const RunResult& result, const Config& config,
                      const std::vector<Stretch>& stretches) {
    return Page(machine, result, config, stretches).html();
}

namespace {

constexpr int MostDrawn = 32;  // nodes on a side, with links
constexpr double Step = 84;    // from node to node
constexpr double Cell = 7;     // of a node without links
constexpr double Margin = 70;
constexpr double Head = 70;  // for title and scale

struct Rgb {
    double red, green, blue;
};
// From nothing to a link that is never idle; distinguishable without colors by their lightness.
constexpr Rgb Scale[] = {
    {236, 236, 236}, {254, 217, 118}, {253, 141, 60}, {189, 0, 38}, {64, 0, 30}};

std::string color_of(double use) {
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
            ".wait{{stroke:{4};stroke-width:1.6;marker-end:url(#tip)}}</style>\n"
            "<defs><marker id=\"tip\" markerWidth=\"7\" markerHeight=\"6\" refX=\"6\" refY=\"3\" "
            "orient=\"auto\"><path d=\"M0 0L7 3L0 6z\" style=\"fill:{4};stroke:none\"/>"
            "</marker></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
            "<text x=\"14\" y=\"22\" font-size=\"15\">Flits per link per cycle, {2} x {2} nodes, "
            "{3} cycles</text>\n",
            width, m_size + Head, m_side, m_result.clocks, SeriesColors[0]);
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
    // Where the other end is, if the picture continued beyond its edges.
    Point far_end(uint32_t node, uint32_t port) const {
        const uint32_t to = m_geometry.neighbor(node, port);
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
                            14 + 14 * i, color_of(i / 20.0));
        return text +
               "<text x=\"14\" y=\"60\">0</text><text x=\"288\" y=\"60\">1 flit/cycle</text>\n";
    }

    // A curve from here to there, on its own side, so that both directions are seen.
    std::string way(uint32_t node, uint32_t port, double aside) const {
        const Point a = at(node);
        Point b = far_end(node, port);
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        const Point dir{(b.x - a.x) / length, (b.y - a.y) / length};
        const Point own = at(m_geometry.neighbor(node, port));
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
            way(l.node, l.port, 3), color_of(l.sent), l.node, to_string(Port(l.port)), l.sent);
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
                "node {} ({},{}): {:.4f} flits/cycle injected, {:.4f} accepted", n.node,
                m_geometry.x_of(n.node), m_geometry.y_of(n.node), n.injected, n.accepted);
            if (m_has_links)
                text += fmt::format(
                    "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"12\" fill=\"{2}\" stroke=\"#444\">"
                    "<title>{3}</title></circle><text x=\"{0:.1f}\" y=\"{4:.1f}\" "
                    "text-anchor=\"middle\" pointer-events=\"none\" fill=\"{5}\">{6}</text>\n",
                    p.x, p.y, color_of(use), title, p.y + 4, use > 0.55 ? "white" : "black",
                    n.node);
            else
                text += fmt::format(
                    "<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2}\" height=\"{2}\" fill=\"{3}\">"
                    "<title>{4}</title></rect>\n",
                    p.x, p.y, Cell, color_of(use), title);
        }
        return text;
    }
    // Mean over the links that a node drives.
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
